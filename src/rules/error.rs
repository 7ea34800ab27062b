//! Errors of parsing untrusted positions and moves. Input is quoted by [`quote`], so every message
//! stays on one line.

use crate::printing::quote;

/// Why a FEN was refused. Fields have names: `board`, `mover`, `move number`, …
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    #[error("field count {found}, expected {expected}")]
    Fields {
        /// The number of fields in the text.
        found: usize,
        /// The number and names of the expected fields.
        expected: &'static str,
    },
    #[error("field '{field}': {} found, expected {expected}", quote(.found))]
    Unreadable { field: &'static str, found: String, expected: &'static str },
    /// A field is well-formed, but the position is impossible.
    #[error("field '{field}': {reason}")]
    Impossible { field: &'static str, reason: String },
}

impl FenError {
    pub(crate) fn unreadable(field: &'static str, found: &str, expected: &'static str) -> Self {
        Self::Unreadable { field, found: found.to_owned(), expected }
    }

    pub(crate) fn impossible(field: &'static str, reason: impl Into<String>) -> Self {
        Self::Impossible { field, reason: reason.into() }
    }
}

/// Why a move was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    #[error("{} is not a move, expected {expected}", quote(.found))]
    Unreadable { found: String, expected: &'static str },
    #[error("ambiguous move {}, expected one of: {moves}", quote(.found))]
    Ambiguous {
        found: String,
        /// The legal moves it may mean.
        moves: String,
    },
    /// The move is well-formed but illegal here.
    #[error("illegal move {}, {hint}", quote(.found))]
    Illegal {
        found: String,
        /// Some legal moves, or why there are none.
        hint: String,
    },
}
