//! Why the files of a tournament cannot be used.

use std::io;
use std::path::PathBuf;

use crate::arena::evidence::UnequalPair;
use crate::arena::record::pgn::RecordError;

/// Why a tournament file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file cannot be opened.
    #[error("cannot open {path}: {source}")]
    Open {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Another run is writing to it.
    #[error("{0} is being written by another run")]
    Locked(PathBuf),
    /// Its content is not a valid record.
    #[error("{path}, {source}")]
    Record {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: RecordError,
    },
    /// Its header is missing or invalid.
    #[error("{path} is not a tournament record: {reason}")]
    InvalidHeader {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// It belongs to another tournament.
    #[error(
        "{path} is the record of another tournament: {setting} is {theirs} there and {ours} here; \
         name another file to start over"
    )]
    SetupMismatch {
        /// The file.
        path: PathBuf,
        /// The setting that differs.
        setting: String,
        /// The value of the setting in the file.
        theirs: String,
        /// The value of the setting in this tournament.
        ours: String,
    },
    /// It has two different games with one number, or not the same game as the other file.
    #[error(
        "game {number} in {path} differs from the one read before; name another file, or remove \
         one of the two"
    )]
    ConflictingGame {
        /// The file.
        path: PathBuf,
        /// The game's number.
        number: u32,
    },
    /// The games of a pair start from different positions.
    #[error("{path}: {source}; the record cannot be used")]
    UnequalPair {
        /// The file.
        path: PathBuf,
        /// The games.
        source: UnequalPair,
    },
    /// There is no record to resume.
    #[error("{0} does not exist, expected the record of a tournament to resume")]
    NotFound(PathBuf),
}
