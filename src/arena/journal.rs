//! The files of a tournament, written game by game so that no finished game is lost.
//!
//! A file starts with a header line that holds the setup; each game is appended when it ends and
//! flushed to the disk in the background. A crash leaves at most one incomplete game at the end, which
//! is cut off when the tournament resumes. The text record and the JSON lines hold the same games,
//! and each is completed from the other.

pub mod damaged;
mod error;

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::evidence::PairStarts;
use super::record::pgn::{PgnReader, RecordError};
use super::record::{GameNumbers, GameRecord, SCHEMA, read_line};
use super::setup::{SetupDifference, TournamentSetup, find_invalid_number};
use super::tournament::RecordedGame;
use crate::files::{self, BackgroundFlush, FlushError};
pub use error::JournalError;

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
pub type RecordedGames = HashMap<u32, RecordedGame>;

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

/// A file to which whole games are appended.
#[derive(Debug)]
struct JournalFile {
    path: PathBuf,
    file: File,
    format: RecordFormat,
    /// The length up to the end of the last whole game.
    complete_len: u64,
    /// The numbers of its games.
    numbers: HashSet<u32>,
    /// Whether it ends with a partly written game that could not be cut off.
    is_broken: bool,
}

impl Journal {
    /// Opens the files and passes every game they hold to `each`. A game that only one of them
    /// holds is added to the other. With `must_exist`, at least one of the files has to exist.
    ///
    /// # Errors
    /// Fails if a file cannot be used or belongs to another tournament.
    pub fn open(
        setup: &TournamentSetup,
        record: Option<&Path>,
        json: Option<&Path>,
        must_exist: bool,
        each: &mut dyn FnMut(&GameRecord),
    ) -> Result<(Self, RecordedGames), JournalError> {
        let named = [(record, RecordFormat::Text), (json, RecordFormat::Json)];
        let named: Vec<(&Path, RecordFormat)> = named
            .into_iter()
            .filter_map(|(path, format)| path.map(|path| (path, format)))
            .collect();
        if must_exist && !named.iter().any(|(path, _)| path.exists()) {
            let path = named.first().map_or_else(PathBuf::new, |(path, _)| path.to_path_buf());
            return Err(JournalError::NotFound(path));
        }
        let mut recorded_games = RecordedGames::new();
        let (mut files, mut pairs) = (Vec::<JournalFile>::new(), PairStarts::default());
        for (path, format) in named {
            let mut missing = Vec::new();
            let (mut conflict, mut unequal) = (None, None);
            let file = JournalFile::open(path, format, setup, &mut |game| {
                let recorded = RecordedGame::from_record(game);
                match recorded_games.insert(game.number, recorded.clone()) {
                    None => {
                        unequal = unequal.take().or(pairs.add(game).err());
                        each(game);
                        missing.extend((!files.is_empty()).then(|| game.clone()));
                    }
                    Some(other) if other != recorded => conflict = Some(game.number),
                    Some(_) => {}
                }
            })?;
            if let Some(number) = conflict {
                return Err(JournalError::ConflictingGame { path: path.to_owned(), number });
            }
            if let Some(source) = unequal {
                return Err(JournalError::UnequalPair { path: path.to_owned(), source });
            }
            for other in &mut files {
                missing.iter().try_for_each(|game| other.add(game))?;
            }
            files.push(file);
        }
        // While the second file was read, games missing there were not known yet.
        if let [first, second] = files.as_mut_slice()
            && !first.numbers.is_subset(&second.numbers)
        {
            first.read(&mut |game| match second.numbers.contains(&game.number) {
                true => Ok(()),
                false => second.add(game),
            })?;
        }
        Ok((Self { files, flush: None }, recorded_games))
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

fn to_json_line(line: &JournalLine) -> String {
    // Serializing plain data does not fail.
    serde_json::to_string(line).unwrap_or_default() + "\n"
}

/// Reads the setup from a record or a file of JSON lines: that of the last header, since a resumed
/// tournament may have changed it.
///
/// # Errors
/// Fails if the file cannot be read or has no header.
pub fn read_setup(path: &Path) -> Result<TournamentSetup, JournalError> {
    read(path, &mut |_| ())?.ok_or_else(|| invalid_header(path, "it is empty"))
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
    let open = |source| JournalError::Open { path: path.to_owned(), source };
    let fail = |source| JournalError::Io { path: path.to_owned(), source };
    let file = File::open(path).map_err(open)?;
    let mut first = [0];
    let length = (&file).read(&mut first).map_err(fail)?;
    let format = RecordFormat::detect(&first[..length]);
    let numbers = HashSet::new();
    let path = path.to_owned();
    let mut file = JournalFile { path, file, format, complete_len: 0, numbers, is_broken: false };
    file.read(&mut |game| {
        each(game);
        Ok(())
    })
}

/// Returns the games in those of the files that can be read.
#[must_use]
pub fn read_recorded(paths: &[&Path]) -> RecordedGames {
    let mut recorded = RecordedGames::new();
    for path in paths.iter().filter(|path| path.is_file()) {
        // Opening the journal reports what is wrong with a file.
        let _ = read(path, &mut |game| {
            recorded.insert(game.number, RecordedGame::from_record(game));
        });
    }
    recorded
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

impl JournalFile {
    /// Opens or creates a file of this tournament, reads its games, cuts off an incomplete one at
    /// the end and writes a header if the setup has changed.
    fn open(
        path: &Path,
        format: RecordFormat,
        setup: &TournamentSetup,
        each: &mut dyn FnMut(&GameRecord),
    ) -> Result<Self, JournalError> {
        let fail = |source| JournalError::Open { path: path.to_owned(), source };
        let file = files::open_for_resume(path).map_err(fail)?;
        if !files::try_lock(&file) {
            return Err(JournalError::Locked(path.to_owned()));
        }
        let numbers = HashSet::new();
        let mut journal = Self {
            path: path.to_owned(),
            file,
            format,
            complete_len: 0,
            numbers,
            is_broken: false,
        };
        let mut seen = HashSet::new();
        let theirs = journal.read(&mut |game| {
            seen.insert(game.number);
            each(game);
            Ok(())
        })?;
        journal.numbers = seen;
        if let Some(theirs) = &theirs {
            setup.check_can_resume(theirs).map_err(|difference| {
                let SetupDifference { setting, theirs, ours } = difference;
                JournalError::SetupMismatch { path: journal.path.clone(), setting, theirs, ours }
            })?;
        }
        journal.truncate()?;
        if theirs.as_ref() != Some(setup) {
            journal.append(format.header(setup).as_bytes())?;
        }
        journal.file.sync_all().map_err(journal.fail())?;
        files::sync_folder(path);
        Ok(journal)
    }

    /// Reads the file, passes its games to `each` and returns the setup of the last header; `None`
    /// if there is no complete one. Determines how much of the file is complete.
    fn read(
        &mut self,
        each: &mut dyn FnMut(&GameRecord) -> Result<(), JournalError>,
    ) -> Result<Option<TournamentSetup>, JournalError> {
        let fail = self.fail();
        self.file.seek(SeekFrom::Start(0)).map_err(&fail)?;
        let (complete_len, setup) = match self.format {
            RecordFormat::Text => self.read_text(each)?,
            RecordFormat::Json => self.read_json(each)?,
        };
        self.complete_len = complete_len;
        self.file.seek(SeekFrom::Start(complete_len)).map_err(fail)?;
        Ok(setup)
    }

    fn read_text(
        &self,
        each: &mut dyn FnMut(&GameRecord) -> Result<(), JournalError>,
    ) -> Result<(u64, Option<TournamentSetup>), JournalError> {
        let refuse = |source| JournalError::Record { path: self.path.clone(), source };
        let mut reader = BufReader::new(&self.file);
        let start = reader.fill_buf().map_err(self.fail())?;
        let expected = &HEADER_PREFIX.as_bytes()[..HEADER_PREFIX.len().min(start.len())];
        if !start.starts_with(expected) {
            return Err(self.invalid_header("its first line is not a header"));
        }
        let mut games = PgnReader::new(reader);
        while let Some(game) = games.next_game().map_err(refuse)? {
            each(&game)?;
        }
        let header = games.last_directive().and_then(|line| line.strip_prefix(HEADER_PREFIX));
        let setup = header.map(|json| self.parse_setup(json)).transpose()?;
        // An incomplete header is the whole file: no game was played.
        Ok((games.complete_bytes(), setup))
    }

    fn read_json(
        &self,
        each: &mut dyn FnMut(&GameRecord) -> Result<(), JournalError>,
    ) -> Result<(u64, Option<TournamentSetup>), JournalError> {
        const START: &[u8] = b"{\"type\":\"tournament\"";
        let mut reader = BufReader::new(&self.file);
        let (mut complete_len, mut setup) = (0, None);
        let mut bytes = Vec::new();
        for number in 1.. {
            bytes.clear();
            let read = read_line(&mut reader, &mut bytes).map_err(self.fail())?;
            let is_complete = bytes.pop_if(|byte| *byte == b'\n').is_some();
            if number == 1 && !bytes.starts_with(&START[..START.len().min(bytes.len())]) {
                return Err(self.invalid_header("its first line is not a header"));
            }
            if !is_complete {
                break;
            }
            let line = String::from_utf8_lossy(&bytes);
            let refuse = |reason: String| JournalError::Record {
                path: self.path.clone(),
                source: RecordError::Game { line: number, reason },
            };
            match serde_json::from_str(&line) {
                Ok(JournalLine::Game { schema: SCHEMA, game }) => each(&game)?,
                Ok(JournalLine::Tournament { .. }) => setup = Some(self.parse_setup(&line)?),
                Ok(_) => return Err(refuse("not a game of this schema version".to_owned())),
                Err(_) if bytes.starts_with(START) => setup = Some(self.parse_setup(&line)?),
                Err(error) => return Err(refuse(error.to_string())),
            }
            complete_len += read as u64;
        }
        Ok((complete_len, setup))
    }

    fn parse_setup(&self, json: &str) -> Result<TournamentSetup, JournalError> {
        match serde_json::from_str(json) {
            Ok(JournalLine::Tournament { schema: SCHEMA, setup }) => match setup.check() {
                Ok(()) => Ok(*setup),
                Err(reason) => Err(self.invalid_header(&reason)),
            },
            Ok(JournalLine::Tournament { schema, .. }) => {
                Err(self.invalid_header(&format!("schema {schema}, expected {SCHEMA}")))
            }
            Ok(JournalLine::Game { .. }) => Err(self.invalid_header("it starts with a game")),
            Err(error) => {
                let number = serde_json::from_str(json).ok().as_ref().and_then(find_invalid_number);
                let reason = number.unwrap_or_else(|| format!("invalid header ({error})"));
                Err(self.invalid_header(&reason))
            }
        }
    }

    fn invalid_header(&self, reason: &str) -> JournalError {
        invalid_header(&self.path, reason)
    }

    fn fail(&self) -> impl Fn(io::Error) -> JournalError + use<> {
        let path = self.path.clone();
        move |source| JournalError::Io { path: path.clone(), source }
    }

    fn add(&mut self, game: &GameRecord) -> Result<(), JournalError> {
        self.append(self.format.game(game).as_bytes())?;
        self.numbers.insert(game.number);
        Ok(())
    }

    /// Writes all of `bytes` or nothing. If a failed write cannot be undone, nothing more is
    /// written: games after an incomplete one could not be read.
    fn append(&mut self, bytes: &[u8]) -> Result<(), JournalError> {
        if self.is_broken {
            return Err(self.fail()(io::Error::other(
                "it ends with an incomplete game that cannot be removed",
            )));
        }
        if let Err(error) = self.file.write_all(bytes) {
            self.is_broken = self.truncate().is_err();
            return Err(self.fail()(error));
        }
        self.complete_len += bytes.len() as u64;
        Ok(())
    }

    /// Cuts off an incomplete game at the end and seeks there.
    fn truncate(&mut self) -> Result<(), JournalError> {
        let fail = self.fail();
        self.file.set_len(self.complete_len).map_err(&fail)?;
        self.file.seek(SeekFrom::Start(self.complete_len)).map(drop).map_err(fail)
    }
}
