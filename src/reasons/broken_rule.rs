//! Why a move is illegal.

#[cfg(feature = "interface")]
use serde::Serialize;

/// Why a well-formed move is illegal while the game is in progress.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "interface",
    derive(Serialize),
    serde(tag = "kind", rename_all = "snake_case")
)]
pub enum BrokenRule {
    /// The square is not empty.
    Occupied { square: String },
    /// The square does not hold a piece of the side to move.
    NotOwnPiece { square: String },
    /// Ultimate tic-tac-toe: the side to move was sent to another board.
    SentTo {
        /// The board it was sent to.
        board: usize,
    },
    /// Ultimate tic-tac-toe: the board is closed.
    BoardClosed {
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

/// The core of the library has no texts; with the interface, [`phrases`](super::phrases) says it in words.
#[cfg(not(feature = "interface"))]
impl std::fmt::Display for BrokenRule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self:?}")
    }
}
