//! Record files: the game to load, and what can be wrong with files and games.

use std::io::{self, BufRead};

use crate::interact::game::{PlayGame, PlayerKind};
use crate::language::Language;
use crate::records::{GameNumbers, GameRecord, ReadGame, UnknownGame, number_games, read_damaged};
use crate::thinking::EngineError;

/// Why a file cannot be read or written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileProblem {
    NotFound,
    NoFolder,
    /// It is a folder or a device.
    NotAFile,
    PermissionDenied,
    /// Another reason, given by the system.
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
    pub fn text(&self, language: Language) -> String {
        let key = match self {
            Self::NotFound => "file.notFound",
            Self::NoFolder => "file.noFolder",
            Self::NotAFile => "file.notAFile",
            Self::PermissionDenied => "file.permissionDenied",
            Self::Other(reason) => return reason.clone(),
        };
        language.text(key).to_owned()
    }

    /// A problem that is only known as text.
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

pub enum LoadError {
    File(FileProblem),
    /// The file has no such game.
    Missing(UnknownGame),
    /// A game of the file is damaged.
    Game {
        /// Its number, 0 if it has none.
        number: u32,
        problem: GameProblem,
    },
}

/// What is wrong with a game of a record.
pub enum GameProblem {
    /// It cannot be read; the line, if it is known, and the reason.
    Damaged(Option<usize>, String),
    /// The game is unknown, or its start position invalid.
    Start(EngineError),
    /// The move with this number is illegal.
    Move(usize, EngineError),
}

impl From<FileProblem> for LoadError {
    fn from(problem: FileProblem) -> Self {
        Self::File(problem)
    }
}

impl LoadError {
    pub fn text(&self, language: Language) -> String {
        match self {
            Self::File(problem) => problem.text(language),
            Self::Missing(UnknownGame::Empty) => language.text("error.noGames").to_owned(),
            Self::Missing(UnknownGame::Number { number, numbers }) => {
                language.fill("error.noSuchGame", &[("number", number), ("numbers", numbers)])
            }
            Self::Game { number: 0, problem } => problem.text(language),
            Self::Game { number, problem } => {
                let error = problem.text(language);
                language.fill("error.inGame", &[("number", number), ("error", &error)])
            }
        }
    }
}

impl GameProblem {
    fn text(&self, language: Language) -> String {
        match self {
            Self::Damaged(Some(line), error) => {
                language.fill("error.damagedLine", &[("line", line), ("error", error)])
            }
            Self::Damaged(None, error) => language.fill("error.damaged", &[("error", error)]),
            Self::Start(error) => language.engine_error(error),
            Self::Move(ply, error) => {
                let error = language.engine_error(error);
                language.fill("error.inPly", &[("ply", ply), ("error", &error)])
            }
        }
    }
}

/// The games of a record, as text or as JSON lines.
pub(crate) struct RecordFile {
    games: Vec<ReadGame>,
    numbers: GameNumbers,
}

impl RecordFile {
    pub(crate) fn read(input: impl BufRead) -> Result<Self, LoadError> {
        let (_, games) = read_damaged(input).map_err(FileProblem::from)?;
        let numbers = number_games(&games);
        Ok(Self { games, numbers })
    }

    pub(crate) fn numbers(&self) -> &GameNumbers {
        &self.numbers
    }

    /// Sets up the game with a number, or the first one, as [`PlayGame::from_record`] does.
    pub(crate) fn load(
        &self,
        number: Option<u32>,
        players: [PlayerKind; 2],
    ) -> Result<(&GameRecord, PlayGame), LoadError> {
        let find = |number| self.numbers.find(number).map_err(LoadError::Missing);
        let place = number.map_or(Ok(0), find)?;
        let empty = || LoadError::Missing(UnknownGame::Empty);
        let read = self.games.get(place).ok_or_else(empty)?;
        let number = if self.games.len() == 1 { 0 } else { self.numbers.as_slice()[place] };
        let in_game = |problem| LoadError::Game { number, problem };
        if let Some(error) = &read.error {
            return Err(in_game(GameProblem::Damaged(read.line, error.clone())));
        }
        let record = read.game.as_ref().ok_or_else(empty)?;
        let start = |error| in_game(GameProblem::Start(error));
        match PlayGame::from_record(record, players).map_err(start)? {
            (game, None) => Ok((record, game)),
            (_, Some((ply, error))) => Err(in_game(GameProblem::Move(ply, error))),
        }
    }
}
