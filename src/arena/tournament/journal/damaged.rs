//! Reads as much as possible of files that may be damaged.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use super::{JournalError, JournalLine, RecordFormat, SCHEMA, json_error};
use crate::records::pgn::{PgnReader, RecordError};
use crate::records::{GameNumbers, GameRecord, read_line};

/// A game of a file that may be damaged.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadGame {
    /// The game, up to the damage if there is any; `None` if nothing of it can be read.
    pub game: Option<GameRecord>,
    /// What is wrong with it.
    pub error: Option<String>,
    /// The line of the error, if it is known.
    pub line: Option<usize>,
}

/// Reads all games of a record or of a file of JSON lines. A file may lack its header and the blank
/// line at its end, which editors remove.
///
/// # Errors
/// Fails if the file cannot be read.
pub fn read_damaged(path: &Path) -> Result<(RecordFormat, Vec<ReadGame>), JournalError> {
    let open = |source| JournalError::Open { path: path.to_owned(), source };
    read_games(BufReader::new(File::open(path).map_err(open)?)).map_err(open)
}

/// As [`read_damaged`], from any reader.
///
/// # Errors
/// Fails if the input cannot be read.
pub fn read_games(mut input: impl BufRead) -> io::Result<(RecordFormat, Vec<ReadGame>)> {
    let format = RecordFormat::detect(input.fill_buf()?);
    let games = match format {
        RecordFormat::Text => read_text(input),
        RecordFormat::Json => read_json(input)?,
    };
    Ok((format, games))
}

impl ReadGame {
    fn complete(game: GameRecord) -> Self {
        Self { game: Some(game), error: None, line: None }
    }

    fn unreadable(line: usize, error: &str) -> Self {
        Self { game: None, error: Some(format!("line {line}: {error}")), line: Some(line) }
    }

    /// Returns an error of the game for messages; `number` is 0 if the game has none.
    #[must_use]
    pub fn describe_error(number: u32, error: &str) -> String {
        if number > 0 { format!("game {number}: {error}") } else { error.to_owned() }
    }
}

/// Returns the numbers that name the games.
#[must_use]
pub fn number_games(games: &[ReadGame]) -> GameNumbers {
    let tag =
        |read: &ReadGame| (read.game.as_ref().map_or(0, |game| game.number), read.error.is_some());
    GameNumbers::from_damaged(&games.iter().map(tag).collect::<Vec<_>>())
}

fn read_text(input: impl BufRead) -> Vec<ReadGame> {
    let mut reader = PgnReader::new(input.chain(&b"\n\n"[..]));
    let mut games = Vec::new();
    loop {
        match reader.next_game() {
            Ok(None) => break,
            Ok(Some(game)) => games.push(ReadGame::complete(game)),
            Err(error) => {
                let line = match error {
                    RecordError::Game { line, .. } => Some(line),
                    RecordError::Io(_) => None,
                };
                let partial = reader.take_partial();
                let place = partial.as_ref().filter(|partial| partial.is_move_invalid);
                let error = match place.map_or(0, |partial| partial.game.moves.len()) {
                    0 => error.to_string(),
                    ply => format!("after ply {ply}: {error}"),
                };
                let game = partial.map(|partial| partial.game);
                games.push(ReadGame { game, error: Some(error), line });
                if line.is_none() {
                    break;
                }
            }
        }
    }
    // If nothing is readable, the file does not contain games: one error says so.
    if games.iter().all(|read| read.game.is_none()) {
        games.truncate(1);
    }
    games
}

fn read_json(mut input: impl BufRead) -> io::Result<Vec<ReadGame>> {
    let mut games = Vec::new();
    for number in 1.. {
        let mut bytes = Vec::new();
        if read_line(&mut input, &mut bytes)? == 0 {
            break;
        }
        let line = String::from_utf8_lossy(&bytes);
        match serde_json::from_str(&line) {
            _ if line.trim().is_empty() => {}
            Ok(JournalLine::Tournament { .. }) => {}
            Ok(JournalLine::Game { schema: SCHEMA, game }) => {
                games.push(ReadGame::complete(*game));
            }
            Ok(JournalLine::Game { .. }) => {
                games.push(ReadGame::unreadable(
                    number,
                    &format!("not a game of schema version {SCHEMA}"),
                ));
            }
            Err(error) => games.push(ReadGame::unreadable(number, &json_error(&error))),
        }
    }
    Ok(games)
}
