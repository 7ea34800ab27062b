//! Errors of parsing untrusted positions and moves. Input is quoted by [`quote`], so every message
//! stays on one line.

use crate::printing::quote;

/// Why a FEN was refused. Fields have names: `board`, `mover`, `move number`, …
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// The number of fields is wrong.
    #[error("field count {found}, expected {expected}")]
    Fields {
        /// The number of fields in the text.
        found: usize,
        /// The number and names of the expected fields.
        expected: &'static str,
    },
    /// A field cannot be parsed.
    #[error("field '{field}': {} found, expected {expected}", quote(.found))]
    Unreadable {
        /// The field's name.
        field: &'static str,
        /// The text of the field.
        found: String,
        /// The accepted form.
        expected: &'static str,
    },
    /// A field is well-formed, but the position is impossible.
    #[error("field '{field}': {reason}")]
    Impossible {
        /// The field's name.
        field: &'static str,
        /// What is impossible about it.
        reason: String,
    },
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
    /// The text is not a move of the game.
    #[error("{} is not a move, expected {expected}", quote(.found))]
    Unreadable {
        /// The text.
        found: String,
        /// The accepted form.
        expected: &'static str,
    },
    /// The text abbreviates several moves.
    #[error("ambiguous move {}, expected one of: {moves}", quote(.found))]
    Ambiguous {
        /// The text.
        found: String,
        /// The legal moves it may mean.
        moves: String,
    },
    /// The move is well-formed but illegal here.
    #[error("illegal move {}, {hint}", quote(.found))]
    Illegal {
        /// The move.
        found: String,
        /// Some legal moves, or why there are none.
        hint: String,
    },
}
