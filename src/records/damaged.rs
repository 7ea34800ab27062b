//! Reads as much as possible of files that may be damaged.

use std::io::{self, BufRead};
use std::path::Path;

use super::pgn::RecordError;
use super::{GameNumbers, GameReader, GameRecord, RecordFormat};
use crate::files::read_bounded;

/// A game of a file that may be damaged.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadGame {
    /// The game, up to the damage if there is any; `None` if nothing of it can be read.
    pub game: Option<GameRecord>,
    pub error: Option<String>,
    /// The line of the error, if it is known.
    pub line: Option<usize>,
}

impl ReadGame {
    /// Returns an error of the game for messages; `number` is 0 if the game has none.
    pub fn describe_error(number: u32, error: &str) -> String {
        if number > 0 { format!("game {number}: {error}") } else { error.to_owned() }
    }
}

/// Returns the numbers that name the games.
pub fn number_games(games: &[ReadGame]) -> GameNumbers {
    let tag =
        |read: &ReadGame| (read.game.as_ref().map_or(0, |game| game.number), read.error.is_some());
    GameNumbers::from_damaged(&games.iter().map(tag).collect::<Vec<_>>())
}

/// Reads all games of a file as [`read_damaged`] does. Fails if it cannot be read, is a named pipe or has 256 MiB
/// or more.
pub fn read_damaged_file(path: &Path) -> io::Result<(RecordFormat, Vec<ReadGame>)> {
    read_bounded(path, |input| read_damaged(input))
}

/// Reads all games of a record or of a file of JSON lines, which may lack its header and the blank
/// line at its end, which editors remove. Fails if the input cannot be read.
pub fn read_damaged(input: impl BufRead) -> io::Result<(RecordFormat, Vec<ReadGame>)> {
    let mut reader = GameReader::new(input.chain(&b"\n\n"[..]));
    let format = reader.format()?;
    let mut games = Vec::new();
    loop {
        match reader.next_game() {
            Ok(None) => break,
            Ok(Some(game)) => games.push(ReadGame { game: Some(game), error: None, line: None }),
            Err(RecordError::Io(error)) => return Err(error),
            Err(RecordError::Game { line, reason }) => {
                let partial = reader.take_partial();
                let error = RecordError::Game { line, reason };
                let place = partial.as_ref().filter(|partial| partial.is_move_invalid);
                let error = match place.map_or(0, |partial| partial.game.moves.len()) {
                    0 => error.to_string(),
                    ply => format!("after ply {ply}: {error}"),
                };
                let game = partial.map(|partial| partial.game);
                games.push(ReadGame { game, error: Some(error), line: Some(line) });
            }
        }
    }
    // If no text is readable, the file does not contain games: one error says so.
    if format == RecordFormat::Text && games.iter().all(|read| read.game.is_none()) {
        games.truncate(1);
    }
    Ok((format, games))
}
