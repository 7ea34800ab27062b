//! Hexapawn, brought to the program by another crate: it implements the rules and nothing else. With `BROKEN_HEXAPAWN` in the
//! environment, the rules contradict themselves.
//!
//! Three pawns a side on a board of 3×3. A pawn steps forward or takes diagonally forward. Who reaches the last rank wins, and who
//! cannot move loses.

use std::fmt;
use std::process::ExitCode;
use std::str::FromStr;

use zermelo::rules::{
    FenError, Game, GameDrawing, GameEncoding, GameNotation, Move, Outcome, Side,
};
use zermelo::thinking::GameSpec;

fn main() -> ExitCode {
    if std::env::var_os("BROKEN_HEXAPAWN").is_some() {
        return zermelo::program([GameSpec::new::<Hexapawn<true>>().build()]);
    }
    zermelo::program([GameSpec::new::<Hexapawn<false>>().build()])
}

/// From one square to another, numbered row by row from a1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Step(u8, u8);

impl Move for Step {
    fn code(self) -> usize {
        usize::from(self.0) * 9 + usize::from(self.1)
    }

    fn from_code(code: usize) -> Option<Self> {
        (code < 81).then_some(Self((code / 9) as u8, (code % 9) as u8))
    }
}

fn name(square: u8) -> String {
    format!("{}{}", char::from(b'a' + square % 3), square / 3 + 1)
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", name(self.0), name(self.1))
    }
}

/// A position; in a `BROKEN` game a player without a move has not lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Hexapawn<const BROKEN: bool> {
    /// The pawns from a1, with `.` for an empty square.
    squares: [u8; 9],
    side: Side,
}

impl<const BROKEN: bool> Hexapawn<BROKEN> {
    fn letter(side: Side) -> u8 {
        [b'x', b'o'][side.index()]
    }

    fn steps(&self) -> Vec<Step> {
        let (own, other) = (Self::letter(self.side), Self::letter(self.side.other()));
        let forward = [3, -3][self.side.index()];
        let mut steps = Vec::new();
        for from in (0..9_i8).filter(|from| self.squares[*from as usize] == own) {
            for (aside, wanted) in [(0, b'.'), (-1, other), (1, other)] {
                let (to, column) = (from + forward + aside, from % 3 + aside);
                if (0..3).contains(&column) && self.squares.get(to as usize) == Some(&wanted) {
                    steps.push(Step(from as u8, to as u8));
                }
            }
        }
        steps
    }
}

impl<const BROKEN: bool> Game for Hexapawn<BROKEN> {
    const ID: &'static str = "hexapawn";
    const MOVE_CODES: usize = 81;
    const OPENING_PLIES: usize = 2;

    type Move = Step;
    type Moves = Vec<Step>;

    fn start() -> Self {
        Self { squares: *b"xxx...ooo", side: Side::P1 }
    }

    fn side(&self) -> Side {
        self.side
    }

    fn outcome(&self) -> Option<Outcome> {
        let last = self.side.other();
        let has_arrived = self.squares[6..].contains(&b'x') || self.squares[..3].contains(&b'o');
        (has_arrived || !BROKEN && self.steps().is_empty()).then_some(Outcome::Win(last))
    }

    fn legal_moves(&self) -> Vec<Step> {
        if self.outcome().is_some() { Vec::new() } else { self.steps() }
    }

    fn play_unchecked(&mut self, mv: Step) {
        self.squares[usize::from(mv.1)] = self.squares[usize::from(mv.0)];
        self.squares[usize::from(mv.0)] = b'.';
        self.side = self.side.other();
    }

    fn max_plies_left(&self) -> Option<u32> {
        // Each move takes a pawn a rank further.
        let left = |(square, pawn): (usize, &u8)| match pawn {
            b'x' => 2 - square / 3,
            b'o' => square / 3,
            _ => 0,
        };
        Some(self.squares.iter().enumerate().map(left).sum::<usize>() as u32)
    }
}

impl<const BROKEN: bool> GameNotation for Hexapawn<BROKEN> {}
impl<const BROKEN: bool> GameDrawing for Hexapawn<BROKEN> {}
impl<const BROKEN: bool> GameEncoding for Hexapawn<BROKEN> {}

/// `ooo/.../xxx x`: the ranks from the top, and the side to move.
impl<const BROKEN: bool> fmt::Display for Hexapawn<BROKEN> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranks: Vec<_> = self.squares.chunks(3).rev().map(String::from_utf8_lossy).collect();
        write!(f, "{} {}", ranks.join("/"), char::from(Self::letter(self.side)))
    }
}

impl<const BROKEN: bool> FromStr for Hexapawn<BROKEN> {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Self, FenError> {
        let invalid =
            || FenError::Impossible { field: "board", reason: "expected ooo/.../xxx x".to_owned() };
        let (board, mover) = fen.split_once(' ').ok_or_else(invalid)?;
        let ranks: Vec<&str> = board.split('/').rev().collect();
        let squares: [u8; 9] = ranks.concat().into_bytes().try_into().map_err(|_| invalid())?;
        let is_sound = ranks.iter().all(|rank| rank.len() == 3)
            && squares.iter().all(|square| b".xo".contains(square));
        let side = match mover {
            "x" => Side::P1,
            "o" => Side::P2,
            _ => return Err(invalid()),
        };
        let pos = Self { squares, side };
        let own_arrived = match side {
            Side::P1 => squares[6..].contains(&b'x'),
            Side::P2 => squares[..3].contains(&b'o'),
        };
        if is_sound && !own_arrived { Ok(pos) } else { Err(invalid()) }
    }
}
