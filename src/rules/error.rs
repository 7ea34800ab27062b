//! The errors of reading untrusted positions and moves.
//!
//! Each names what was wrong and where; the quoted text is shortened and escaped by [`quote`], so
//! that a message stays one line whatever the input was.

/// Why a FEN was refused. Fields are called by name: `board`, `mover`, `move number`, …
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// The text does not have the fields of this game's FEN.
    #[error("fen has {found} fields, expected {expected}")]
    Fields {
        /// How many fields the text has.
        found: usize,
        /// The fields that belong there, by name.
        expected: &'static str,
    },
    /// A field cannot be read.
    #[error("fen field '{field}': {} found, expected {expected}", quote(.found))]
    Unreadable {
        /// The field's name.
        field: &'static str,
        /// The text that could not be read.
        found: String,
        /// What can be read there.
        expected: &'static str,
    },
    /// A field can be read, but no game has such a position.
    #[error("fen field '{field}': {reason}")]
    Impossible {
        /// The field's name.
        field: &'static str,
        /// What does not fit.
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
    /// The text is no move in this game's notation.
    #[error("{} is not a move, expected {expected}", quote(.found))]
    Unreadable {
        /// The text.
        found: String,
        /// The form of a move.
        expected: &'static str,
    },
    /// The text is short for several moves.
    #[error("{} may be any of {moves}", quote(.found))]
    Ambiguous {
        /// The text.
        found: String,
        /// The moves.
        moves: String,
    },
    /// The move can be read but is not legal here.
    #[error("illegal move {}, {hint}", quote(.found))]
    Illegal {
        /// The move.
        found: String,
        /// What would be legal.
        hint: String,
    },
}

/// Quotes foreign text for a message: at most 60 characters, control characters escaped.
#[must_use]
pub fn quote(text: &str) -> String {
    const LIMIT: usize = 60;
    let mut quoted = String::from("\"");
    for (count, letter) in text.chars().enumerate() {
        if count == LIMIT {
            quoted.push('…');
            break;
        }
        quoted.extend(letter.escape_debug());
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_stay_short_and_on_one_line() {
        assert_eq!(quote("a\0b\n"), r#""a\0b\n""#);
        assert_eq!(quote(&"x".repeat(1000)).chars().count(), 63);
    }
}
