//! Why a move is illegal.

use std::fmt;

use serde::Serialize;

/// Why a well-formed move is illegal while the game is in progress.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum BrokenRule {
    /// The square is not empty.
    Occupied {
        /// The square.
        square: String,
    },
    /// The square does not hold a piece of the side to move.
    NotOwnPiece {
        /// The square.
        square: String,
    },
    /// Ultimate tic-tac-toe: the side to move was sent to another board.
    SentTo {
        /// The board it was sent to.
        board: usize,
    },
    /// Ultimate tic-tac-toe: the board is closed.
    BoardClosed {
        /// The board.
        board: usize,
        /// Whether it is closed because it was won; otherwise it is full.
        is_won: bool,
    },
    /// Pong Hau K'i: no line connects the points.
    NoLine {
        /// The point the piece is on.
        from: String,
        /// The empty point.
        to: String,
    },
    /// Pong Hau K'i: the first move of the game has to be made with the left piece.
    FirstMove {
        /// The point of the left piece.
        piece: String,
    },
    /// Nim: the piece does not change its square.
    NoStep,
    /// Nim: the piece would move backwards.
    Backwards,
    /// Nim: the opponent's piece is on the way or on the target square.
    InTheWay {
        /// The square of the opponent's piece.
        square: String,
    },
}

/// A small board of ultimate tic-tac-toe with its place, such as `board 5 (centre)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoardName(pub usize);

impl fmt::Display for BoardName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const PLACES: [&str; 9] = [
            "top left",
            "top middle",
            "top right",
            "middle left",
            "centre",
            "middle right",
            "bottom left",
            "bottom middle",
            "bottom right",
        ];
        let Self(number) = self;
        write!(f, "board {number}")?;
        match number.checked_sub(1).and_then(|index| PLACES.get(index)) {
            Some(place) => write!(f, " ({place})"),
            None => Ok(()),
        }
    }
}

/// For error messages: `the mover was sent to board 5 (centre)`.
impl fmt::Display for BrokenRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Occupied { square } => write!(f, "{square} is occupied"),
            Self::NotOwnPiece { square } => write!(f, "the mover has no piece on {square}"),
            Self::SentTo { board } => write!(f, "the mover was sent to {}", BoardName(*board)),
            Self::BoardClosed { board, is_won: true } => {
                write!(f, "{} has been won", BoardName(*board))
            }
            Self::BoardClosed { board, is_won: false } => {
                write!(f, "{} is full", BoardName(*board))
            }
            Self::NoLine { from, to } => write!(f, "no line leads from {from} to {to}"),
            Self::FirstMove { piece } => {
                write!(f, "the first move must be the left piece, {piece}")
            }
            Self::NoStep => f.write_str("a piece moves at least one square"),
            Self::Backwards => f.write_str("pieces only move forward"),
            Self::InTheWay { square } => write!(f, "the piece on {square} is in the way"),
        }
    }
}
