//! Errors in commands.

use crate::printing::{expected_names, quote};

/// The line is not a valid command; it has no effect.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProtocolError {
    #[error("unknown command {}{}", quote(found), expected_names(found, expected, " "))]
    UnknownCommand { found: String, expected: &'static str },
    #[error("unexpected {} after {}, expected {expected}", quote(found), quote(after))]
    Unexpected { found: String, after: String, expected: &'static str },
    #[error("missing argument after {}, expected {expected}", quote(after))]
    Missing { after: String, expected: &'static str },
    #[error("duplicate argument {}, expected each argument at most once", quote(.0))]
    Duplicate(String),
    /// An increment or a number of moves without a clock, which would be a search without a limit.
    #[error("{} without a clock, expected wtime or btime (p1time or p2time) with it", quote(.0))]
    NoClock(String),
    #[error("{} is not UTF-8, expected plain text", quote(.0))]
    NotUtf8(String),
    #[error("line too long, expected at most {limit} bytes: {}", quote(start))]
    TooLong { start: String, limit: usize },
}
