//! What is wrong with a line, and what would be right.

use crate::rules::quote;

/// A line that is no command. The position, the options and a running search are as they were.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProtocolError {
    /// The first word is no command.
    #[error("unknown command {}, expected one of: {expected}", quote(found))]
    UnknownCommand {
        /// The word.
        found: String,
        /// All commands.
        expected: String,
    },
    /// A word stands where something else belongs.
    #[error("{} after {}, expected {expected}", quote(found), quote(after))]
    Wrong {
        /// The word.
        found: String,
        /// The word before it.
        after: String,
        /// What belongs there.
        expected: &'static str,
    },
    /// The line ends too soon.
    #[error("nothing after {}, expected {expected}", quote(after))]
    Missing {
        /// The last word.
        after: String,
        /// What belongs behind it.
        expected: &'static str,
    },
    /// An argument is given for the second time.
    #[error("{} is given twice, expected each argument once", quote(.0))]
    Twice(String),
    /// The line is not UTF-8.
    #[error("{} is not UTF-8, expected plain text", quote(.0))]
    NotText(String),
    /// The line is longer than any command.
    #[error(
        "a line of more than {limit} bytes that begins {}, expected a shorter one",
        quote(start)
    )]
    TooLong {
        /// Its beginning.
        start: String,
        /// The longest line that is read.
        limit: usize,
    },
}
