//! Record files: what can be wrong with them, and the game to load.

use std::io::{self, BufRead};

use crate::interact::PlayerKind;
use crate::interact::game::PlayGame;
use crate::records::{GameNumbers, GameRecord, ReadGame, UnknownGame, number_games, read_damaged};
use crate::thinking::EngineError;

/// Why a file cannot be read or written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileProblem {
    /// There is no such file.
    #[error("no such file")]
    NotFound,
    /// The folder of the file does not exist.
    #[error("its folder does not exist")]
    NoFolder,
    /// It is a folder or a device.
    #[error("not a regular file")]
    NotAFile,
    /// The system denies access.
    #[error("permission denied")]
    PermissionDenied,
    /// Another reason, given by the system.
    #[error("{0}")]
    Other(String),
}

impl From<io::Error> for FileProblem {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::NotFound,
            io::ErrorKind::PermissionDenied => Self::PermissionDenied,
            _ => Self::Other(without_os_code(&error.to_string())),
        }
    }
}

impl FileProblem {
    /// A problem that is only known as text.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        match without_os_code(text) {
            denied if denied == "Permission denied" => Self::PermissionDenied,
            other => Self::Other(other),
        }
    }
}

/// Removes " (os error N)" from an error message.
fn without_os_code(text: &str) -> String {
    text.split(" (os error").next().unwrap_or(text).to_owned()
}

/// Why a game cannot be loaded. Games are named by their numbers, 0 if they have none.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileProblem),
    /// The file has no such game.
    #[error(transparent)]
    Missing(#[from] UnknownGame),
    /// The game is damaged.
    #[error("{}", ReadGame::describe_error(*number, error))]
    Damaged {
        /// The game.
        number: u32,
        /// The line of the damage, if it is known.
        line: Option<usize>,
        /// What is wrong with it.
        error: String,
    },
    /// The game is unknown, or its start position invalid.
    #[error("{}", ReadGame::describe_error(*number, &error.to_string()))]
    Start {
        /// The game.
        number: u32,
        /// What is wrong with it.
        error: EngineError,
    },
    /// A move is illegal.
    #[error("{}", ReadGame::describe_error(*number, &format!("ply {ply}: {error}")))]
    Move {
        /// The game.
        number: u32,
        /// The ply, from 1.
        ply: usize,
        /// What is wrong with the move.
        error: EngineError,
    },
}

/// The games of a record, as text or as JSON lines.
pub(crate) struct RecordFile {
    games: Vec<ReadGame>,
    numbers: GameNumbers,
}

impl RecordFile {
    /// Reads all games.
    pub(crate) fn read(input: impl BufRead) -> Result<Self, LoadError> {
        let (_, games) = read_damaged(input).map_err(FileProblem::from)?;
        let numbers = number_games(&games);
        Ok(Self { games, numbers })
    }

    /// The numbers of the games that can be named.
    pub(crate) fn numbers(&self) -> &GameNumbers {
        &self.numbers
    }

    /// Sets up the game with a number, or the first one, as [`PlayGame::from_record`] does.
    pub(crate) fn load(
        &self,
        number: Option<u32>,
        players: [PlayerKind; 2],
    ) -> Result<(&GameRecord, PlayGame), LoadError> {
        let place = number.map_or(Ok(0), |number| self.numbers.find(number))?;
        let read = self.games.get(place).ok_or(UnknownGame::Empty)?;
        let is_only = self.games.len() == 1;
        let number = if is_only { 0 } else { self.numbers.as_slice()[place] };
        if let Some(error) = &read.error {
            return Err(LoadError::Damaged { number, line: read.line, error: error.clone() });
        }
        let record = read.game.as_ref().ok_or(UnknownGame::Empty)?;
        match PlayGame::from_record(record, players) {
            Ok(game) => Ok((record, game)),
            Err((0, error)) => Err(LoadError::Start { number, error }),
            Err((ply, error)) => Err(LoadError::Move { number, ply, error }),
        }
    }
}
