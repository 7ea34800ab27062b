//! One file of a tournament: read and locked first, written to only when the first game is about to
//! start.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::{HEADER_PREFIX, JournalError, JournalLine, RecordFormat, invalid_header, json_error};
use crate::arena::tournament::setup::{TournamentSetup, find_invalid_number};
use crate::files;
use crate::records::pgn::{PgnReader, RecordError};
use crate::records::{GameRecord, SCHEMA, read_line};

/// The start of the header line of a file of JSON lines.
const JSON_HEADER_START: &[u8] = b"{\"type\":\"tournament\"";

/// A file to which whole games are appended.
#[derive(Debug)]
pub(super) struct JournalFile {
    pub(super) path: PathBuf,
    pub(super) file: File,
    format: RecordFormat,
    /// The length up to the end of the last whole game.
    complete_len: u64,
    /// The numbers of its games.
    pub(super) numbers: HashSet<u32>,
    /// Whether it ends with a partly written game that could not be cut off.
    is_broken: bool,
}

/// A file as earlier runs left it, or the path of a file that does not exist yet.
#[derive(Debug)]
pub(super) struct RecordedFile {
    pub(super) path: PathBuf,
    format: RecordFormat,
    /// The open file and the setup in its last header, if there is one.
    existing: Option<(JournalFile, Option<TournamentSetup>)>,
    /// The games that only the other file of the tournament holds.
    pub(super) missing: Vec<GameRecord>,
}

impl RecordedFile {
    /// Locks and reads a file of this tournament if it exists, and passes its games to `each`.
    pub(super) fn read(
        path: &Path,
        format: RecordFormat,
        setup: &TournamentSetup,
        each: &mut dyn FnMut(&GameRecord),
    ) -> Result<Self, JournalError> {
        let mut recorded =
            Self { path: path.to_owned(), format, existing: None, missing: Vec::new() };
        if !path.exists() {
            return Ok(recorded);
        }
        let mut file = JournalFile::lock(path, format)?;
        let mut numbers = HashSet::new();
        let theirs = file.read(&mut |game| {
            numbers.insert(game.number);
            each(game);
            Ok(())
        })?;
        file.numbers = numbers;
        if let Some(theirs) = &theirs {
            let mismatch =
                |difference| JournalError::SetupMismatch { path: path.to_owned(), difference };
            setup.check_can_resume(theirs).map_err(mismatch)?;
        }
        recorded.existing = Some((file, theirs));
        Ok(recorded)
    }

    /// Prepares the file for more games: cuts off an incomplete one at the end, writes a header if
    /// the setup has changed, and adds the missing games.
    pub(super) fn open(self, setup: &TournamentSetup) -> Result<JournalFile, JournalError> {
        let Self { path, format, existing, missing } = self;
        let (mut file, theirs) = match existing {
            Some(existing) => existing,
            None => {
                let file = JournalFile::lock(&path, format)?;
                // Another run has begun the same tournament and has already ended or been killed.
                if file.file.metadata().map_err(file.fail())?.len() > 0 {
                    return Err(JournalError::CreatedMeanwhile(path));
                }
                (file, None)
            }
        };
        file.truncate()?;
        if theirs.as_ref() != Some(setup) {
            file.append(format.header(setup).as_bytes())?;
        }
        file.file.sync_all().map_err(file.fail())?;
        files::sync_folder(&path);
        missing.iter().try_for_each(|game| file.add(game))?;
        Ok(file)
    }
}

impl JournalFile {
    pub(super) fn new(path: &Path, file: File, format: RecordFormat) -> Self {
        let (path, numbers) = (path.to_owned(), HashSet::new());
        Self { path, file, format, complete_len: 0, numbers, is_broken: false }
    }

    /// Opens and locks a file, creating it if it does not exist.
    fn lock(path: &Path, format: RecordFormat) -> Result<Self, JournalError> {
        let fail = |source| JournalError::Open { path: path.to_owned(), source };
        let file = files::open_for_resume(path).map_err(fail)?;
        if !files::try_lock(&file) {
            return Err(JournalError::Locked(path.to_owned()));
        }
        Ok(Self::new(path, file, format))
    }

    /// Returns the setup of the last complete header, without parsing the games; `None` if there is no
    /// complete one.
    pub(super) fn read_setup(&self) -> Result<Option<TournamentSetup>, JournalError> {
        let prefix = match self.format {
            RecordFormat::Text => HEADER_PREFIX.as_bytes(),
            RecordFormat::Json => JSON_HEADER_START,
        };
        let mut reader = BufReader::new(&self.file);
        let (mut line, mut header) = (Vec::new(), None);
        for number in 1.. {
            line.clear();
            read_line(&mut reader, &mut line).map_err(self.fail())?;
            if number == 1 && !line.starts_with(&prefix[..prefix.len().min(line.len())]) {
                return Err(self.invalid_header("its first line is not a header"));
            }
            if line.pop_if(|byte| *byte == b'\n').is_none() {
                break;
            }
            if line.starts_with(prefix) {
                header = Some(std::mem::take(&mut line));
            }
        }
        let parse = |line: Vec<u8>| {
            let line = String::from_utf8_lossy(&line);
            self.parse_setup(line.strip_prefix(HEADER_PREFIX).unwrap_or(&line))
        };
        header.map(parse).transpose()
    }

    /// Reads the file, passes its games to `each` and returns the setup of the last header; `None`
    /// if there is no complete one. Determines how much of the file is complete.
    pub(super) fn read(
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
        let mut directives = games.directives().iter().rev();
        let header = directives.find_map(|line| line.strip_prefix(HEADER_PREFIX));
        let setup = header.map(|json| self.parse_setup(json)).transpose()?;
        // An incomplete header is the whole file: no game was played.
        Ok((games.complete_bytes(), setup))
    }

    fn read_json(
        &self,
        each: &mut dyn FnMut(&GameRecord) -> Result<(), JournalError>,
    ) -> Result<(u64, Option<TournamentSetup>), JournalError> {
        let mut reader = BufReader::new(&self.file);
        let (mut complete_len, mut setup) = (0, None);
        let mut bytes = Vec::new();
        for number in 1.. {
            bytes.clear();
            let read = read_line(&mut reader, &mut bytes).map_err(self.fail())?;
            let is_complete = bytes.pop_if(|byte| *byte == b'\n').is_some();
            if number == 1
                && !bytes
                    .starts_with(&JSON_HEADER_START[..JSON_HEADER_START.len().min(bytes.len())])
            {
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
                Ok(_) => return Err(refuse(format!("not a game of schema version {SCHEMA}"))),
                Err(_) if bytes.starts_with(JSON_HEADER_START) => {
                    setup = Some(self.parse_setup(&line)?);
                }
                Err(error) => return Err(refuse(json_error(&error))),
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
                let reason =
                    number.unwrap_or_else(|| format!("invalid header ({})", json_error(&error)));
                Err(self.invalid_header(&reason))
            }
        }
    }

    fn invalid_header(&self, reason: &str) -> JournalError {
        invalid_header(&self.path, reason)
    }

    pub(super) fn fail(&self) -> impl Fn(io::Error) -> JournalError + use<> {
        let path = self.path.clone();
        move |source| JournalError::Io { path: path.clone(), source }
    }

    pub(super) fn add(&mut self, game: &GameRecord) -> Result<(), JournalError> {
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
