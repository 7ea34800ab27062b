//! Nim on an 8×8 board: each file has a black piece below and a red piece above, and the squares
//! between them are a heap that either player may reduce.
//!
//! The ranks of the pieces are packed into one nibble per file, so one subtraction computes all gaps.

use std::fmt;
use std::str::FromStr;

use arrayvec::ArrayVec;
use nom::Parser;
use nom::branch::alt;
use nom::character::complete::space1;
use nom::combinator::all_consuming;
use nom::sequence::separated_pair;

use super::notation::{self, Square};
use crate::rules::drawing::{Label, Piece, PieceColour};
use crate::rules::random::mix64;
use crate::rules::{
    FenError, Game, GameDrawing, GameEncoding, GameNotation, Move, MoveError, Outcome, Side,
    SplitMix,
};

const LETTERS: [char; 2] = ['b', 'r'];
const FILES: usize = 8;
const RANKS: usize = 8;
const EVERY_NIBBLE: u32 = 0x1111_1111;

/// A piece moved along its file; ranks are counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NimMove {
    file: u8,
    from: u8,
    to: u8,
}

impl NimMove {
    /// The file, counted from 0.
    #[must_use]
    pub fn file(self) -> usize {
        self.file.into()
    }

    /// The rank the piece leaves, counted from 0.
    #[must_use]
    pub fn from(self) -> usize {
        self.from.into()
    }

    /// The rank the piece goes to, counted from 0.
    #[must_use]
    pub fn to(self) -> usize {
        self.to.into()
    }
}

impl Move for NimMove {
    fn code(self) -> usize {
        (usize::from(self.file) * RANKS + usize::from(self.from)) * RANKS + usize::from(self.to)
    }

    fn from_code(code: usize) -> Option<Self> {
        let (file, from, to) = (code / RANKS / RANKS, code / RANKS % RANKS, code % RANKS);
        let is_move = file < FILES && from != to;
        is_move.then_some(Self { file: file as u8, from: from as u8, to: to as u8 })
    }
}

impl fmt::Display for NimMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |rank: u8| notation::square_name(self.file.into(), rank.into());
        write!(f, "{}{}", name(self.from), name(self.to))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Nim {
    /// The ranks of the pieces, one nibble per file, black first.
    ranks: [u32; 2],
    side: Side,
}

impl Nim {
    /// The empty squares between the pieces, one nibble per file. Red is above black in every file,
    /// so no nibble borrows from the next.
    #[inline]
    fn gaps(&self) -> u32 {
        self.ranks[1] - self.ranks[0] - EVERY_NIBBLE
    }

    #[inline]
    fn gap(&self, file: usize) -> u8 {
        (self.gaps() >> (4 * file) & 0xf) as u8
    }

    /// The sizes of the heaps: the gaps of the files.
    pub fn heaps(&self) -> impl Iterator<Item = u8> {
        (0..FILES).map(|file| self.gap(file))
    }

    /// The rank of a side's piece in a file, both counted from 0.
    pub(crate) fn piece_rank(&self, side: Side, file: usize) -> usize {
        self.rank(side, file).into()
    }

    fn rank(&self, side: Side, file: usize) -> u8 {
        (self.ranks[side.index()] >> (4 * file) & 0xf) as u8
    }

    fn square(&self, rank: usize, file: usize) -> Square {
        Square::from_stones(|side| usize::from(self.rank(side, file)) == rank)
    }

    /// The sum of all gaps, which is the number of moves of either side.
    #[inline]
    fn total(&self) -> u32 {
        let pairs = (self.gaps() & 0x0f0f_0f0f) + (self.gaps() >> 4 & 0x0f0f_0f0f);
        pairs.wrapping_mul(0x0101_0101) >> 24
    }

    fn with_pieces(pieces: [[u8; FILES]; 2], side: Side) -> Self {
        let pack = |ranks: [u8; FILES]| {
            ranks.iter().rev().fold(0, |packed, rank| packed << 4 | u32::from(*rank))
        };
        Self { ranks: pieces.map(pack), side }
    }

    /// The ranks of the two pieces of a file, given its squares from the bottom.
    fn pieces_of_file(file: usize, squares: &[Square]) -> Result<[u8; 2], FenError> {
        let ranks_of = |side| {
            let is_own = move |(_, square): &(usize, &Square)| **square == Square::Stone(side);
            squares.iter().enumerate().filter(is_own).map(|(rank, _)| rank as u8)
        };
        let refuse = |reason: String| Err(FenError::impossible("board", reason));
        let name = char::from(b'a' + file as u8);
        let [black, red] = [Side::P1, Side::P2].map(|side| ranks_of(side).collect::<Vec<_>>());
        match (&black[..], &red[..]) {
            ([low], [high]) if low < high => Ok([*low, *high]),
            ([_], [_]) => {
                refuse(format!("the pieces of file {name} are out of order, expected b below r"))
            }
            _ => refuse(format!(
                "file {name} has {} b and {} r, expected one of each",
                black.len(),
                red.len()
            )),
        }
    }
}

impl Game for Nim {
    const ID: &'static str = "nim";
    const ALIASES: &'static [&'static str] = &["nim8"];
    const MOVE_CODES: usize = FILES * RANKS * RANKS;
    const SYMMETRIES: usize = 2;
    const HAS_RANDOM_START: bool = true;
    const OPENING_PLIES: usize = 0;

    type Move = NimMove;
    type Moves = ArrayVec<NimMove, 48>;

    fn start() -> Self {
        Self::with_pieces([[0; FILES], [RANKS as u8 - 1; FILES]], Side::P1)
    }

    fn random_start(random: &mut SplitMix) -> Self {
        loop {
            // Two different ranks for each file, all pairs equally likely.
            let [mut black, mut red] = [[0; FILES]; 2];
            for (low, high) in black.iter_mut().zip(&mut red) {
                let one = random.below(RANKS);
                let other = (one + 1 + random.below(RANKS - 1)) % RANKS;
                (*low, *high) = (one.min(other) as u8, one.max(other) as u8);
            }
            let pos = Self::with_pieces([black, red], Side::P1);
            if pos.outcome().is_none() {
                return pos;
            }
        }
    }

    fn side(&self) -> Side {
        self.side
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.gaps() == 0).then_some(Outcome::Win(self.side.other()))
    }

    fn legal_moves(&self) -> Self::Moves {
        let mut moves = ArrayVec::new();
        for file in 0..FILES {
            let from = self.rank(self.side, file);
            for steps in 1..=self.gap(file) {
                let to = match self.side {
                    Side::P1 => from + steps,
                    Side::P2 => from - steps,
                };
                moves.push(NimMove { file: file as u8, from, to });
            }
        }
        moves
    }

    #[inline]
    fn move_count(&self) -> usize {
        self.total() as usize
    }

    #[inline]
    fn reply_count(&self, mv: NimMove) -> usize {
        self.total() as usize - usize::from(mv.from.abs_diff(mv.to))
    }

    fn play_unchecked(&mut self, mv: NimMove) {
        let ranks = &mut self.ranks[self.side.index()];
        *ranks = *ranks & !(0xf << (4 * mv.file)) | u32::from(mv.to) << (4 * mv.file);
        self.side = self.side.other();
    }

    fn key(&self) -> u64 {
        let pieces = u64::from(self.ranks[1]) << 32 | u64::from(self.ranks[0]);
        mix64(pieces ^ mix64(self.side as u64))
    }

    fn max_plies_left(&self) -> Option<u32> {
        Some(self.total())
    }

    fn image(&self, symmetry: usize) -> Self {
        let mirror = |ranks: u32| {
            let swapped = ranks.swap_bytes();
            (swapped & 0x0f0f_0f0f) << 4 | swapped >> 4 & 0x0f0f_0f0f
        };
        if symmetry == 0 { *self } else { Self { ranks: self.ranks.map(mirror), ..*self } }
    }

    fn move_image(&self, mv: NimMove, symmetry: usize) -> NimMove {
        if symmetry == 0 { mv } else { NimMove { file: FILES as u8 - 1 - mv.file, ..mv } }
    }
}

impl GameNotation for Nim {
    fn parse_move(&self, text: &str) -> Result<NimMove, MoveError> {
        let square = || notation::square(FILES, RANKS);
        let unreadable = || {
            let expected = "two squares of one file, as in 'c1c4'";
            MoveError::Unreadable { found: text.to_owned(), expected }
        };
        let (_, (from, to)) =
            all_consuming((square(), square())).parse(text).map_err(|_| unreadable())?;
        if from.0 != to.0 {
            return Err(unreadable());
        }
        Ok(NimMove { file: from.0 as u8, from: from.1 as u8, to: to.1 as u8 })
    }

    /// Also accepts the file and the number of steps, or the target square alone, since a side has
    /// one piece per file.
    fn parse_user_move(&self, text: &str) -> Result<NimMove, MoveError> {
        let slide = |file: usize, to: u8| {
            let from = self.rank(self.side, file);
            NimMove { file: file as u8, from, to }
        };
        let steps = separated_pair(notation::file(FILES), space1, notation::number::<u8>);
        let steps = steps.map(|(file, steps)| {
            let from = self.rank(self.side, file);
            let to = match self.side {
                Side::P1 => from.saturating_add(steps).min(RANKS as u8 - 1),
                Side::P2 => from.saturating_sub(steps),
            };
            slide(file, to)
        });
        let square = notation::square(FILES, RANKS).map(|(file, to)| slide(file, to as u8));
        let typed = all_consuming(alt((steps, square))).parse(text);
        typed.map_or_else(|_| self.parse_move(text), |(_, slide)| Ok(slide))
    }
}

impl GameDrawing for Nim {
    const PIECES: &'static [Piece] =
        &[Piece::disc('b', PieceColour::Black), Piece::disc('r', PieceColour::Red)];

    /// Labels above the files with the sizes of their gaps.
    fn extra_labels(&self) -> Vec<Label> {
        let gap = |file: usize| Label {
            x: file as f32 + 0.5,
            y: -Label::DISTANCE,
            text: self.gap(file).to_string(),
        };
        (0..FILES).map(gap).collect()
    }
}

impl GameEncoding for Nim {}

impl fmt::Display for Nim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranks: Vec<[Square; FILES]> = (0..RANKS)
            .rev()
            .map(|rank| std::array::from_fn(|file| self.square(rank, file)))
            .collect();
        let board = notation::write_board(ranks.iter().map(|rank| &rank[..]), LETTERS);
        write!(f, "{board} {}", LETTERS[self.side.index()])
    }
}

impl FromStr for Nim {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Self, FenError> {
        let expected = "2: board, mover (as in 'rrrrrrrr/8/8/8/8/8/8/bbbbbbbb b')";
        let [board, mover] = notation::split_fields(fen, expected)?;
        let ranks = notation::parse_board(
            board,
            &[FILES; RANKS],
            LETTERS,
            "eight ranks separated by slashes",
        )?;
        let mover = notation::parse_field("mover", mover, "b or r", notation::side(LETTERS))?;
        let mut pieces = [[0; FILES]; 2];
        for file in 0..FILES {
            let squares: Vec<Square> = ranks.iter().rev().map(|rank| rank[file]).collect();
            [pieces[0][file], pieces[1][file]] = Self::pieces_of_file(file, &squares)?;
        }
        Ok(Self::with_pieces(pieces, mover))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One placement in 4^8 leaves no gap, so that nobody could move.
    #[test]
    fn random_starts_are_unfinished() {
        let mut random = SplitMix::new(1);
        assert!((0..1 << 19).all(|_| Nim::random_start(&mut random).outcome().is_none()));
    }

    /// Moving one step at a time makes the longest game.
    #[test]
    fn the_longest_game_reaches_the_bound_of_plies() {
        let mut pos = Nim::start();
        let mut left = 48;
        while pos.outcome().is_none() {
            assert_eq!(pos.max_plies_left(), Some(left));
            let steps = pos.legal_moves().into_iter();
            let step = steps.min_by_key(|mv| mv.from.abs_diff(mv.to)).unwrap();
            pos.play_unchecked(step);
            left -= 1;
        }
        assert_eq!((left, pos.max_plies_left()), (0, Some(0)));
    }

    #[test]
    fn typed_steps_stop_at_the_border() {
        let mut pos = Nim::start();
        for typed in ["c 2", "c3"] {
            assert_eq!(pos.parse_user_move(typed).unwrap().to_string(), "c1c3");
        }
        assert_eq!(pos.parse_user_move("c 200").unwrap().to_string(), "c1c8");
        pos.play(pos.parse_user_move("a 1").unwrap()).unwrap();
        assert_eq!(pos.parse_user_move("c 2").unwrap().to_string(), "c8c6");
        assert_eq!(pos.parse_user_move("c 200").unwrap().to_string(), "c8c1");
    }

    #[test]
    fn invalid_fens_are_refused_by_field() {
        let refusals = [
            ("rrrrrrrr/8/8/8/8/8/8/bbbbbbbb", "field count"),
            ("rrrrrrrr/8/8/8/8/8/bbbbbbbb b", "7 ranks"),
            ("rrrrrrrr/8/8/8/8/8/9/bbbbbbbb b", "rank 2"),
            ("rrrrrrrr/8/8/8/8/8/8/bbbbbbbb x", "'mover'"),
            ("rrrrrrr1/8/8/8/8/8/8/bbbbbbbb b", "file h has 1 b and 0 r"),
            ("brrrrrrr/8/8/8/8/8/8/rbbbbbbb b", "out of order"),
        ];
        for (fen, reason) in refusals {
            let error = fen.parse::<Nim>().unwrap_err().to_string();
            assert!(error.contains(reason), "{fen}: {error}");
        }
    }
}
