//! Why a tournament cannot be played, and why its files cannot be used.

use std::io;
use std::path::PathBuf;

use super::evidence::UnequalPair;
use super::setup::SetupDifference;
use crate::printing::{printable, printable_path};
use crate::records::pgn::RecordError;
use crate::thinking::EngineError;

/// Why a tournament cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// An opening is invalid, or a thread cannot be started.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The system cannot start more processes.
    #[error("cannot start any more engines: {0}; finished games are kept")]
    OutOfResources(std::io::Error),
    /// The opening of an incomplete pair has changed since an earlier run.
    #[error(transparent)]
    UnequalPair(#[from] UnequalPair),
    /// The record of an earlier run belongs to another tournament.
    #[error(
        "game {number} is {} against {} in the record, but {} against {} in this tournament; name \
         another file to start over", printable(&theirs[0]), printable(&theirs[1]), printable(&ours[0]), printable(&ours[1])
    )]
    RecordMismatch {
        /// The game's number.
        number: u32,
        /// The players in the record.
        theirs: [String; 2],
        /// The players in the schedule.
        ours: [String; 2],
    },
}

/// Why a tournament file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file cannot be opened.
    #[error("cannot open {}: {source}", printable_path(path))]
    Open {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file cannot be read or written.
    #[error("{}: {source}", printable_path(path))]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Another run is writing to it.
    #[error("{} is being written by another run", printable_path(.0))]
    Locked(PathBuf),
    /// Its content is not a valid record.
    #[error("{}, {source}", printable_path(path))]
    Record {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: RecordError,
    },
    /// Its header is missing or invalid.
    #[error("{} is not a tournament record: {reason}", printable_path(path))]
    InvalidHeader {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// It belongs to another tournament.
    #[error(
        "{} is the record of another tournament ({}); name another file to start over",
        printable_path(path),
        difference.describe("in the record", "now")
    )]
    SetupMismatch {
        /// The file.
        path: PathBuf,
        /// The first difference to the setup of this tournament.
        difference: SetupDifference,
    },
    /// Another run has created it since this run looked for it.
    #[error("{} was just created by another run; run the command again to resume", printable_path(.0))]
    CreatedMeanwhile(PathBuf),
    /// Two different games have the same number, in this file or in the two files of the match.
    #[error(
        "game {number} in {} differs from game {number} in {}; name another file, or remove one of \
         the two",
        printable_path(path),
        if path == other { "the same file".to_owned() } else { printable_path(other) }
    )]
    ConflictingGame {
        /// The file.
        path: PathBuf,
        /// The file read before it, or the same one.
        other: PathBuf,
        /// The game's number.
        number: u32,
    },
    /// The games of a pair start from different positions.
    #[error("{}: {source}; the record cannot be used", printable_path(path))]
    UnequalPair {
        /// The file.
        path: PathBuf,
        /// The games.
        source: UnequalPair,
    },
    /// There is no record to resume.
    #[error("{} does not exist, expected the record of a tournament to resume", printable_path(.0))]
    NotFound(PathBuf),
}
