//! The files of a tournament, written game by game so that no finished game is lost.
//!
//! A file starts with a header line that holds the setup; each game is appended when it ends and
//! flushed to the disk in the background. A crash leaves at most one incomplete game at the end, which
//! is cut off when the tournament resumes. The text record and the JSON lines hold the same games,
//! and each is completed from the other.

pub mod damaged;
mod error;
mod file;

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::evidence::PairStarts;
use super::run::EarlierGame;
use super::setup::TournamentSetup;
use crate::files::{self, BackgroundFlush, FlushError};
use crate::records::pgn::PgnReader;
use crate::records::{GameNumbers, GameRecord, SCHEMA, read_line};
pub use error::JournalError;
use file::{JournalFile, RecordedFile};

/// A line of JSON, tagged with its type and schema version.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum JournalLine {
    Tournament {
        schema: u32,
        setup: Box<TournamentSetup>,
    },
    Game {
        schema: u32,
        #[serde(flatten)]
        game: Box<GameRecord>,
    },
}

/// The start of the header line of a text record.
const HEADER_PREFIX: &str = "% zermelo-match ";

/// The games of earlier runs, by number.
pub type RecordedGames = HashMap<u32, EarlierGame>;

/// Iterates over the games of a file.
pub type GameIterator = Box<dyn Iterator<Item = Result<GameRecord, JournalError>>>;

/// The format of a tournament file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordFormat {
    /// Text that resembles PGN.
    Text,
    /// JSON lines.
    Json,
}

impl RecordFormat {
    /// Detects the format from the first bytes of a file.
    fn detect(start: &[u8]) -> Self {
        if start.first() == Some(&b'{') { Self::Json } else { Self::Text }
    }

    /// Returns the header line.
    #[must_use]
    pub fn header(self, setup: &TournamentSetup) -> String {
        let setup = Box::new(setup.clone());
        let line = to_json_line(&JournalLine::Tournament { schema: SCHEMA, setup });
        match self {
            // The blank line separates the header from the first game.
            Self::Text => format!("{HEADER_PREFIX}{line}\n"),
            Self::Json => line,
        }
    }

    /// Returns a game as it is written to the file.
    #[must_use]
    pub fn game(self, game: &GameRecord) -> String {
        match self {
            Self::Text => game.to_pgn(),
            Self::Json => {
                to_json_line(&JournalLine::Game { schema: SCHEMA, game: Box::new(game.clone()) })
            }
        }
    }
}

/// The files of one tournament.
#[derive(Debug)]
pub struct Journal {
    files: Vec<JournalFile>,
    /// Flushes games to the disk, once there are any.
    flush: Option<BackgroundFlush>,
}

impl Journal {
    /// Reads and locks the existing files and passes every game they hold to `each`. Nothing is
    /// written before [`RecordedJournal::open`]. With `must_exist`, at least one of the files has to
    /// exist.
    ///
    /// # Errors
    /// Fails if a file cannot be used or belongs to another tournament.
    pub fn read<'a>(
        setup: &'a TournamentSetup,
        record: Option<&Path>,
        json: Option<&Path>,
        must_exist: bool,
        each: &mut dyn FnMut(&GameRecord),
    ) -> Result<RecordedJournal<'a>, JournalError> {
        let named = [(record, RecordFormat::Text), (json, RecordFormat::Json)];
        let named: Vec<(&Path, RecordFormat)> = named
            .into_iter()
            .filter_map(|(path, format)| path.map(|path| (path, format)))
            .collect();
        if must_exist && !named.iter().any(|(path, _)| path.exists()) {
            let path = named.first().map_or_else(PathBuf::new, |(path, _)| path.to_path_buf());
            return Err(JournalError::NotFound(path));
        }
        let (mut games, mut pairs) = (RecordedGames::new(), PairStarts::default());
        let mut files = Vec::<RecordedFile>::new();
        for (path, format) in named {
            let mut missing = Vec::new();
            let (mut conflict, mut unequal) = (None, None);
            let mut own = HashSet::new();
            let file = RecordedFile::read(path, format, setup, &mut |game| {
                let recorded = EarlierGame::from_record(game);
                let is_repeated = !own.insert(game.number);
                match games.insert(game.number, recorded.clone()) {
                    None => {
                        unequal = unequal.take().or(pairs.add(game).err());
                        each(game);
                        missing.extend((!files.is_empty()).then(|| game.clone()));
                    }
                    Some(other) if other != recorded => {
                        conflict = Some((game.number, is_repeated));
                    }
                    Some(_) => {}
                }
            })?;
            if let Some((number, is_repeated)) = conflict {
                let other = files.first().filter(|_| !is_repeated);
                let other = other.map_or(path, |file| &file.path).to_owned();
                return Err(JournalError::ConflictingGame { path: path.to_owned(), other, number });
            }
            if let Some(source) = unequal {
                return Err(JournalError::UnequalPair { path: path.to_owned(), source });
            }
            for other in &mut files {
                other.missing.extend_from_slice(&missing);
            }
            files.push(file);
        }
        Ok(RecordedJournal { setup, files, games })
    }

    /// Appends a finished game to each file, and has it flushed to the disk in the background.
    ///
    /// # Errors
    /// Fails if the game could not be written completely, in which case the file does not contain
    /// it, or if an earlier flush failed.
    pub fn add(&mut self, game: &GameRecord) -> Result<(), JournalError> {
        self.files.iter_mut().try_for_each(|file| file.add(game))?;
        let Some(flush) = &self.flush else { return self.start_flush() };
        flush.request().map_err(|error| self.flush_error(error))
    }

    fn start_flush(&mut self) -> Result<(), JournalError> {
        let Some(first) = self.files.first() else { return Ok(()) };
        let handles: io::Result<_> = self.files.iter().map(|file| file.file.try_clone()).collect();
        let flush = BackgroundFlush::start(handles.map_err(first.fail())?);
        let requested = flush.request();
        self.flush = Some(flush);
        requested.map_err(|error| self.flush_error(error))
    }

    /// Waits until all games are on the disk.
    ///
    /// # Errors
    /// Fails if a flush failed.
    pub fn finish(&mut self) -> Result<(), JournalError> {
        let finished = self.flush.take().map_or(Ok(()), BackgroundFlush::finish);
        finished.map_err(|error| self.flush_error(error))
    }

    fn flush_error(&self, error: FlushError) -> JournalError {
        let FlushError { file, source } = error;
        let path = self.files.get(file).map_or_else(PathBuf::new, |file| file.path.clone());
        JournalError::Io { path, source }
    }
}

/// The files of one tournament as earlier runs left them: read and locked, but not yet changed.
#[derive(Debug)]
pub struct RecordedJournal<'a> {
    setup: &'a TournamentSetup,
    files: Vec<RecordedFile>,
    games: RecordedGames,
}

impl RecordedJournal<'_> {
    /// Returns the recorded games.
    #[must_use]
    pub fn games(&self) -> &RecordedGames {
        &self.games
    }

    /// Prepares the files for more games: creates missing ones, cuts off incomplete games, writes a
    /// header if the setup has changed, and adds each game that only one of the files holds to the
    /// other.
    ///
    /// # Errors
    /// Fails if a file cannot be written, or was created by another run in the meantime.
    pub fn open(self) -> Result<(Journal, RecordedGames), JournalError> {
        let Self { setup, files, games } = self;
        let files: Result<_, _> = files.into_iter().map(|file| file.open(setup)).collect();
        let mut files: Vec<JournalFile> = files?;
        // While the second file was read, games missing there were not known yet.
        if let [first, second] = files.as_mut_slice()
            && !first.numbers.is_subset(&second.numbers)
        {
            first.read(&mut |game| match second.numbers.contains(&game.number) {
                true => Ok(()),
                false => second.add(game),
            })?;
        }
        Ok((Journal { files, flush: None }, games))
    }
}

fn to_json_line(line: &JournalLine) -> String {
    // Serializing plain data does not fail.
    serde_json::to_string(line).unwrap_or_default() + "\n"
}

/// Reads the setup from a record or a file of JSON lines: that of the last header, since a resumed
/// tournament may have changed it. The games are not parsed.
///
/// # Errors
/// Fails if the file cannot be read or has no header.
pub fn read_setup(path: &Path) -> Result<TournamentSetup, JournalError> {
    open_for_reading(path)?.read_setup()?.ok_or_else(|| invalid_header(path, "it is empty"))
}

/// Reads the setup from the first line of a regular file; `None` if it is not a record.
#[must_use]
pub fn read_first_setup(path: &Path) -> Option<TournamentSetup> {
    if !path.is_file() {
        return None;
    }
    let mut line = Vec::new();
    read_line(&mut BufReader::new(File::open(path).ok()?), &mut line).ok()?;
    let json = line.strip_prefix(HEADER_PREFIX.as_bytes()).unwrap_or(&line);
    match serde_json::from_slice(json).ok()? {
        JournalLine::Tournament { setup, .. } => Some(*setup),
        JournalLine::Game { .. } => None,
    }
}

/// Reads a record or a file of JSON lines without changing it, passes its games to `each` and
/// returns the setup as [`read_setup`] does; `None` if not even the header is complete.
///
/// # Errors
/// Fails if the file cannot be read or is not a tournament record.
pub fn read(
    path: &Path,
    each: &mut dyn FnMut(&GameRecord),
) -> Result<Option<TournamentSetup>, JournalError> {
    open_for_reading(path)?.read(&mut |game| {
        each(game);
        Ok(())
    })
}

/// Opens a record or a file of JSON lines at its start.
fn open_for_reading(path: &Path) -> Result<JournalFile, JournalError> {
    let open = |source| JournalError::Open { path: path.to_owned(), source };
    let fail = |source| JournalError::Io { path: path.to_owned(), source };
    let mut file = File::open(path).map_err(open)?;
    let mut first = [0];
    let length = file.read(&mut first).map_err(fail)?;
    file.rewind().map_err(fail)?;
    let format = RecordFormat::detect(&first[..length]);
    Ok(JournalFile::new(path, file, format))
}

/// Reads the games of a record, which may lack its header, or of a file of JSON lines; also returns
/// the format.
///
/// # Errors
/// Fails if the file cannot be read or a JSON line is not a game.
pub fn read_games(path: &Path) -> Result<(RecordFormat, GameIterator), JournalError> {
    let open = |source| JournalError::Open { path: path.to_owned(), source };
    let mut input = BufReader::new(File::open(path).map_err(open)?);
    let format = RecordFormat::detect(input.fill_buf().map_err(open)?);
    if format == RecordFormat::Json {
        let mut games = Vec::new();
        read(path, &mut |game| games.push(Ok(game.clone())))?;
        return Ok((format, Box::new(games.into_iter())));
    }
    let path = path.to_owned();
    let refuse = move |source| JournalError::Record { path: path.clone(), source };
    Ok((format, Box::new(PgnReader::new(input).map(move |game| game.map_err(&refuse)))))
}

/// Reads the numbers that name the games of a record or of a file of JSON lines.
///
/// # Errors
/// Fails as [`read_games`] does, or if a game is invalid.
pub fn read_numbers(path: &Path) -> Result<GameNumbers, JournalError> {
    let (_, games) = read_games(path)?;
    let tags = games.map(|game| Ok(game?.number)).collect::<Result<_, JournalError>>()?;
    Ok(GameNumbers::from_tags(tags))
}

/// Describes why a line is not valid JSON; the caller names the line.
fn json_error(error: &serde_json::Error) -> String {
    error.to_string().replace(" at line 1 column ", " at column ")
}

fn invalid_header(path: &Path, reason: &str) -> JournalError {
    JournalError::InvalidHeader { path: path.to_owned(), reason: reason.to_owned() }
}

/// Opens and locks a file that is about to be replaced, so that no match can write to it.
///
/// # Errors
/// Fails if the file cannot be opened or a match is writing to it.
pub fn lock_for_replacement(path: &Path) -> Result<File, JournalError> {
    let fail = |source| JournalError::Open { path: path.to_owned(), source };
    let file = File::open(path).map_err(fail)?;
    if !files::try_lock(&file) {
        return Err(JournalError::Locked(path.to_owned()));
    }
    Ok(file)
}
