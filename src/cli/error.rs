//! Why a command failed, and the exit code that says so.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::arena::engines::key_values::KeyValueError;
use crate::arena::engines::start_check::StartCheckError;
use crate::arena::tournament::book::BookError;
use crate::arena::tournament::error::{JournalError, TournamentError};
use crate::engine::codingame::BotError;
use crate::printing::{plural, printable_path};
use crate::search::OutOfMemory;
use crate::thinking::EngineError;

#[derive(Debug, thiserror::Error)]
pub(super) enum CliError {
    #[error(transparent)]
    Input(#[from] EngineError),
    #[error("{source} (game: {game}; select another with --game)")]
    Position { game: &'static str, source: EngineError },
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// The openings of a match cannot be read.
    #[error(transparent)]
    Book(#[from] BookError),
    /// The engines of a match cannot play.
    #[error(transparent)]
    StartCheck(#[from] StartCheckError),
    #[error(transparent)]
    Tournament(#[from] TournamentError),
    /// A record cannot be read or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("{0}")]
    Usage(String),
    /// A file cannot be read or created.
    #[error("{}: {reason}", printable_path(file))]
    File { file: PathBuf, reason: String },
    /// A game in CodinGame's protocol cannot continue.
    #[error(transparent)]
    Bot(#[from] BotError),
    /// Some input lines were invalid; each has its own error message.
    #[error("{} refused", plural(*.0, "line"))]
    Refused(usize),
    #[error("{0}")]
    Failed(String),
    /// A match was interrupted by a signal.
    #[error("{0}")]
    Interrupted(String),
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The exit code of an interrupted match.
pub(super) const INTERRUPTED: u8 = 3;

impl CliError {
    /// Why a position of a game cannot be used: lack of memory, or what is wrong with it.
    pub(super) fn from_position(game: &'static str, error: EngineError) -> Self {
        match error {
            EngineError::NoMemory(source) => Self::Memory(source),
            source => Self::Position { game, source },
        }
    }

    /// Makes an error of what is wrong with the `KEY=VALUE` words of a flag.
    pub(super) fn at_flag(flag: &str) -> impl Fn(KeyValueError) -> Self {
        move |error| Self::Usage(format!("{flag}: {error}"))
    }

    pub(super) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Journal(JournalError::Io { .. })
            | Self::StartCheck(StartCheckError::OutOfResources(_))
            | Self::Tournament(TournamentError::Engine(_) | TournamentError::OutOfResources(_)) => {
                ExitCode::FAILURE
            }
            Self::Interrupted(_) | Self::StartCheck(StartCheckError::Interrupted) => {
                ExitCode::from(INTERRUPTED)
            }
            Self::Input(_)
            | Self::Position { .. }
            | Self::Book(_)
            | Self::Journal(_)
            | Self::StartCheck(StartCheckError::Failed(_))
            | Self::Tournament(TournamentError::Record(_))
            | Self::File { .. }
            | Self::Usage(_)
            | Self::Bot(_)
            | Self::Refused(_) => ExitCode::from(2),
            Self::Io(error) if is_closed_pipe(error) => ExitCode::SUCCESS,
            Self::Failed(_) | Self::Memory(_) | Self::Io(_) => ExitCode::FAILURE,
        }
    }
}

/// Whether the reader of a pipe has closed it.
pub(super) fn is_closed_pipe(error: &io::Error) -> bool {
    /// Windows error number of a pipe without a reader, which has no kind of its own.
    const PIPE_NOT_CONNECTED: i32 = 233;
    error.kind() == io::ErrorKind::BrokenPipe
        || cfg!(windows) && error.raw_os_error() == Some(PIPE_NOT_CONNECTED)
}
