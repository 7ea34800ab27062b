//! Why a tournament cannot be played, and why its files cannot be used.

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

use crate::printing::printable_path;
use crate::thinking::EngineError;

#[derive(Debug, thiserror::Error)]
pub(crate) enum TournamentError {
    /// An opening is invalid, or a thread cannot be started.
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error("cannot start any more engines: {0}; finished games are kept")]
    OutOfResources(io::Error),
    /// The games of an earlier run do not belong to this tournament; says why.
    #[error("{0}")]
    Record(String),
}

/// Why a tournament file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    #[error("{}: {source}", printable_path(path))]
    Io { path: PathBuf, source: io::Error },
    /// It is not the file of this tournament, or not of any; says why.
    #[error("{0}")]
    Unusable(String),
}

impl JournalError {
    /// An unusable file, whose name `problem` continues.
    pub(crate) fn unusable(path: &Path, problem: impl Display) -> Self {
        Self::Unusable(format!("{}{problem}", printable_path(path)))
    }

    pub(super) fn open(path: &Path, error: &io::Error) -> Self {
        Self::Unusable(format!("cannot open {}: {error}", printable_path(path)))
    }
}
