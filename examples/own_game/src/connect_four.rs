//! Connect Four on six files and five ranks.

use std::fmt;
use std::str::FromStr;

use zermelo::rules::{
    FenError, Game, GameDrawing, GameEncoding, GameNotation, Move, Outcome, Side, fen,
};

const FILES: u8 = 6;
const RANKS: u8 = 5;
/// The bits of a file: its squares from below, and one that stays empty, so that no line wraps around.
const HEIGHT: u8 = RANKS + 1;
/// The files from the middle, where a disc takes part in most lines.
const ORDER: [u8; FILES as usize] = [2, 3, 1, 4, 0, 5];
/// All squares.
const BOARD: u64 = 0o37_37_37_37_37_37;

/// The square that a disc drops to, by its bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Move for Square {
    fn code(self) -> usize {
        self.0.into()
    }

    fn from_code(code: usize) -> Option<Self> {
        (code < ConnectFour::MOVE_CODES && BOARD >> code & 1 == 1).then_some(Self(code as u8))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.0 / HEIGHT), self.0 % HEIGHT + 1)
    }
}

/// The discs of both players, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ConnectFour {
    discs: [u64; 2],
}

fn has_four(discs: u64) -> bool {
    [1, HEIGHT - 1, HEIGHT, HEIGHT + 1].into_iter().any(|step| {
        let pairs = discs & discs >> step;
        pairs & pairs >> (2 * step) != 0
    })
}

impl ConnectFour {
    fn count(&self) -> u32 {
        (self.discs[0] | self.discs[1]).count_ones()
    }
}

impl Game for ConnectFour {
    const ID: &'static str = "connect-four";
    const MOVE_CODES: usize = (FILES * HEIGHT) as usize;

    type Move = Square;
    type Moves = Vec<Square>;

    fn start() -> Self {
        Self { discs: [0; 2] }
    }

    fn side(&self) -> Side {
        if self.count().is_multiple_of(2) { Side::P1 } else { Side::P2 }
    }

    fn outcome(&self) -> Option<Outcome> {
        let last = !self.side();
        let is_full = self.count() == BOARD.count_ones();
        let has_won = has_four(self.discs[last.index()]);
        if has_won { Some(Outcome::Win(last)) } else { is_full.then_some(Outcome::Draw) }
    }

    fn legal_moves(&self) -> Vec<Square> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let free = BOARD & !(self.discs[0] | self.discs[1]);
        let lowest = |file: u8| ((free >> (file * HEIGHT)).trailing_zeros() as u8, file);
        let open = ORDER.into_iter().map(lowest).filter(|(rank, _)| *rank < RANKS);
        open.map(|(rank, file)| Square(file * HEIGHT + rank)).collect()
    }

    fn play_unchecked(&mut self, mv: Square) {
        self.discs[self.side().index()] |= 1 << mv.0;
    }

    fn max_plies_left(&self) -> Option<u32> {
        Some(if self.outcome().is_some() { 0 } else { BOARD.count_ones() - self.count() })
    }

    fn wins_at_once(&self) -> bool {
        let own = self.discs[self.side().index()];
        self.legal_moves().into_iter().any(|mv| has_four(own | 1 << mv.0))
    }

    fn can_still_win(&self, side: Side) -> bool {
        has_four(BOARD & !self.discs[(!side).index()])
    }
}

impl GameNotation for ConnectFour {}
impl GameDrawing for ConnectFour {}
impl GameEncoding for ConnectFour {}

/// `6/6/6/6/6 x`: the ranks from the top, and the side to move.
impl fmt::Display for ConnectFour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |bit: u8| match self.discs.map(|discs| discs >> bit & 1 == 1) {
            [true, _] => 'x',
            [_, true] => 'o',
            _ => '.',
        };
        let rank = |rank| (0..FILES).map(|file| letter(file * HEIGHT + rank)).collect();
        let ranks: Vec<Vec<char>> = (0..RANKS).rev().map(rank).collect();
        write!(f, "{} {}", fen::write_board(&ranks), ["x", "o"][self.side().index()])
    }
}

impl FromStr for ConnectFour {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        let reason = "expected a position before the end, as in '6/6/6/6/2x3 o'";
        let refused = || FenError::Impossible { field: "board", reason: reason.to_owned() };
        let (board, mover) = text.split_once(' ').ok_or_else(refused)?;
        let ranks = fen::read_board(board).ok_or_else(refused)?;
        let mut pos = Self::start();
        for (rank, squares) in (0..RANKS).rev().zip(&ranks) {
            for (file, letter) in (0..FILES).zip(squares).filter(|(_, letter)| **letter != '.') {
                let side = "xo".find(*letter).ok_or_else(refused)?;
                pos.discs[side] |= 1 << (file * HEIGHT + rank);
            }
        }
        let ([x, o], mover_discs) = (pos.discs, pos.discs[pos.side().index()]);
        let is_full_size = (ranks.len(), ranks[0].len()) == (RANKS.into(), FILES.into());
        let floats = BOARD & !(x | o) & (x | o) >> 1 != 0;
        let is_turn = x.count_ones() == o.count_ones() + pos.side() as u32
            && mover == ["x", "o"][pos.side().index()];
        let is_sound = is_full_size && !floats && is_turn && !has_four(mover_discs);
        is_sound.then_some(pos).ok_or_else(refused)
    }
}
