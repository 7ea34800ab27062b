//! The journal of a tournament, written game by game so that no finished game is lost.
//!
//! The journal is a text record or a file of JSON lines. It starts with a header line that holds the
//! setup; each game is appended when it ends and flushed to the disk in the background. A crash leaves at
//! most one incomplete game at the end, which is cut off when the tournament resumes.

use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::error::JournalError;
use super::evidence::PairStarts;
use super::replay;
use super::schedule::{NextGame, Schedule};
use super::tournament_setup::TournamentSetup;
use crate::files::{self, BackgroundFlush, RunLock};
use crate::printing::printable;
use crate::records::{
    GameReader, GameRecord, RecordFormat, SCHEMA, describe_json_error, read_line,
};
use crate::rules::Outcome;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EarlierGame {
    /// The names of the first and the second player.
    pub players: [String; 2],
    pub result: Option<Outcome>,
    /// A hash of start time, start position and moves, to tell games with the same number apart.
    pub fingerprint: u64,
}

impl EarlierGame {
    fn from_record(game: &GameRecord) -> Self {
        let moves: Vec<&str> = game.moves.iter().map(|mv| mv.mv.as_str()).collect();
        let mut hasher = DefaultHasher::new();
        (game.started, &game.fen, moves).hash(&mut hasher);
        let players = game.players.clone();
        Self { players, result: game.result, fingerprint: hasher.finish() }
    }
}

/// The games of earlier runs.
#[derive(Debug, Clone, Default)]
pub struct RecordedGames {
    /// By number.
    pub games: HashMap<u32, EarlierGame>,
    /// The starts of incomplete pairs.
    pub pairs: PairStarts,
}

impl RecordedGames {
    /// Adds a game; returns whether it is new.
    /// Returns what is wrong if it contradicts the games so far.
    fn add(&mut self, game: &GameRecord) -> Result<bool, String> {
        let number = game.number;
        let recorded = EarlierGame::from_record(game);
        match self.games.insert(number, recorded.clone()) {
            None => {}
            Some(known) if known == recorded => return Ok(false),
            Some(_) => {
                return Err(format!(
                    "two different games have number {number}; remove one of them"
                ));
            }
        }
        self.pairs.add(game).map(|()| true)
    }

    /// Checks that the tournament has these games, between these players. The schedule of a ladder follows
    /// from the results, however precise the rating was to be.
    /// Returns what is wrong with the first game that it does not have.
    pub(crate) fn check(&self, setup: &TournamentSetup) -> Result<(), String> {
        let mut left: BTreeSet<u32> = self.games.keys().copied().collect();
        let mut schedule = Schedule::from_setup(setup).without_precision();
        left.iter().for_each(|number| schedule.mark_played(*number));
        while let Some(first) = left.first().copied() {
            let (next, was_played) = schedule.next_game();
            let NextGame::Game(plan) = next else {
                return Err(format!("the tournament has no game {first}; remove it"));
            };
            let Some(recorded) = self.games.get(&plan.number).filter(|_| was_played) else {
                schedule.skip(plan.number);
                continue;
            };
            left.remove(&plan.number);
            let theirs = recorded.players.each_ref();
            let ours = plan.players.map(|index| &setup.engines[index].name);
            if theirs != ours {
                let [theirs, ours] = [theirs, ours]
                    .map(|[one, other]| format!("{} against {}", printable(one), printable(other)));
                return Err(format!(
                    "game {} is {theirs} in the record, but {ours} in this tournament; name another \
                     file to start over",
                    plan.number
                ));
            }
            schedule.record_result(plan.number, recorded.result);
        }
        Ok(())
    }
}

/// Checks games against each other and against the schedule.
/// Returns what is wrong.
pub(crate) fn check_games(setup: &TournamentSetup, games: &[GameRecord]) -> Result<(), String> {
    let mut recorded = RecordedGames::default();
    games.iter().try_for_each(|game| recorded.add(game).map(drop))?;
    recorded.check(setup)
}

/// The journal of a tournament, open for more games.
#[derive(Debug, Default)]
pub struct Journal {
    /// `None` if the games are not recorded.
    file: Option<JournalFile>,
    /// Flushes games to the disk, once there are any.
    flush: Option<BackgroundFlush>,
}

impl Journal {
    /// Reads and locks the journal, if it exists, and passes every game it holds to `each`. Nothing
    /// is written before [`RecordedJournal::open`]. Fails if the file cannot be used or belongs to
    /// another tournament.
    pub fn read<'a>(
        setup: &'a TournamentSetup,
        journal: Option<(&'a Path, RecordFormat)>,
        each: &mut dyn FnMut(&GameRecord),
    ) -> Result<RecordedJournal<'a>, JournalError> {
        let mut recorded =
            RecordedJournal { setup, journal, file: None, games: RecordedGames::default() };
        if let Some((path, format)) = journal.filter(|(path, _)| path.exists()) {
            recorded.read_file(JournalFile::lock(path, format)?, each)?;
        }
        Ok(recorded)
    }

    /// Appends a finished game, and has it flushed to the disk in the background. Fails if the game
    /// could not be written completely, in which case the file does not contain it, or if an
    /// earlier flush failed.
    pub fn add(&mut self, game: &GameRecord) -> Result<(), JournalError> {
        let Some(file) = &mut self.file else { return Ok(()) };
        file.add(game)?;
        let flush = match self.flush.take() {
            Some(flush) => flush,
            None => {
                let handle = file.file.try_clone().map_err(file.fail())?;
                BackgroundFlush::start(handle)
            }
        };
        let requested = flush.request();
        self.flush = Some(flush);
        requested.map_err(file.fail())
    }

    /// Waits until all games are on the disk. Fails if a flush failed.
    pub fn finish(&mut self) -> Result<(), JournalError> {
        let finished = self.flush.take().map_or(Ok(()), BackgroundFlush::finish);
        match (finished, &self.file) {
            (Err(error), Some(file)) => Err(file.fail()(error)),
            _ => Ok(()),
        }
    }
}

/// The journal of a tournament as earlier runs left it: read and locked, but not yet changed.
pub struct RecordedJournal<'a> {
    setup: &'a TournamentSetup,
    journal: Option<(&'a Path, RecordFormat)>,
    /// `None` if it does not exist yet.
    file: Option<JournalFile>,
    games: RecordedGames,
}

impl RecordedJournal<'_> {
    fn read_file(
        &mut self,
        mut file: JournalFile,
        each: &mut dyn FnMut(&GameRecord),
    ) -> Result<(), JournalError> {
        let path = file.path.clone();
        let mut checked = Ok(());
        file.read(&mut |game| {
            if checked.is_ok() {
                checked = replay::check(game).and_then(|()| self.games.add(game)).map(|is_new| {
                    if is_new {
                        each(game);
                    }
                });
            }
            Ok(())
        })?;
        // Another tournament explains other differences.
        if let Some(theirs) = &file.setup {
            self.setup.check_can_resume(theirs).map_err(|difference| {
                let difference = difference.describe("in the record", "now");
                let problem = " is the record of another tournament";
                JournalError::unusable(
                    &path,
                    format_args!("{problem} ({difference}); name another file to start over"),
                )
            })?;
        }
        self.file = Some(file);
        checked
            .and_then(|()| self.games.check(self.setup))
            .map_err(|problem| JournalError::unusable(&path, format_args!(": {problem}")))
    }

    pub fn games(&self) -> &RecordedGames {
        &self.games
    }

    /// Prepares the file for more games: creates it if it is missing, cuts off an incomplete game,
    /// and writes a header if the setup has changed. Fails if the file cannot be written, or was
    /// created by another run in the meantime.
    pub fn open(self) -> Result<(Journal, RecordedGames), JournalError> {
        let mut file = match (self.file, self.journal) {
            (Some(file), _) => file,
            (None, Some((path, format))) => JournalFile::create(path, format)?,
            (None, None) => return Ok((Journal::default(), self.games)),
        };
        file.begin(self.setup)?;
        Ok((Journal { file: Some(file), flush: None }, self.games))
    }
}

/// A file to which whole games are appended.
#[derive(Debug)]
struct JournalFile {
    path: PathBuf,
    file: File,
    /// Unless it is only read.
    _lock: Option<RunLock>,
    format: RecordFormat,
    /// The setup in its last header, once it is read.
    setup: Option<TournamentSetup>,
    /// The length up to the end of the last whole game.
    complete_len: u64,
    /// Whether it ends with a partly written game that could not be cut off.
    is_broken: bool,
}

impl JournalFile {
    fn new(path: &Path, file: File, format: RecordFormat) -> Self {
        let (path, _lock, setup) = (path.to_owned(), None, None);
        Self { path, file, _lock, format, setup, complete_len: 0, is_broken: false }
    }

    fn open(path: &Path) -> Result<Self, JournalError> {
        let fail = |source| JournalError::Io { path: path.to_owned(), source };
        let mut file = open_file(path)?.into_inner();
        let mut first = [0];
        let length = file.read(&mut first).map_err(fail)?;
        file.rewind().map_err(fail)?;
        Ok(Self::new(path, file, RecordFormat::detect(&first[..length])))
    }

    /// Opens and locks a file, creating it if it does not exist.
    fn lock(path: &Path, format: RecordFormat) -> Result<Self, JournalError> {
        let file =
            files::open_for_resume(path).map_err(|error| JournalError::open(path, &error))?;
        let _lock = Some(lock(path, &file)?);
        Ok(Self { _lock, ..Self::new(path, file, format) })
    }

    /// Creates and locks a file that did not exist when the journal was read.
    fn create(path: &Path, format: RecordFormat) -> Result<Self, JournalError> {
        let file = Self::lock(path, format)?;
        // Another run has begun the same tournament and has already ended or been killed.
        if file.file.metadata().map_err(file.fail())?.len() > 0 {
            let problem = " was just created by another run; run the command again to resume";
            return Err(JournalError::unusable(path, problem));
        }
        Ok(file)
    }

    /// Cuts off an incomplete game and writes the setup, unless it is that of the last header.
    fn begin(&mut self, setup: &TournamentSetup) -> Result<(), JournalError> {
        self.truncate()?;
        if self.setup.as_ref() != Some(setup) {
            self.append(self.format.header(setup).as_bytes())?;
        }
        self.file.sync_all().map_err(self.fail())?;
        files::sync_folder(&self.path);
        Ok(())
    }

    /// Reads the file, passes its games to `each`, and notes the setup of the last header and the
    /// length of what is complete.
    fn read(
        &mut self,
        each: &mut dyn FnMut(&GameRecord) -> Result<(), JournalError>,
    ) -> Result<(), JournalError> {
        self.file.rewind().map_err(self.fail())?;
        let mut input = BufReader::new(&self.file);
        let start = input.fill_buf().map_err(self.fail())?;
        let header = self.format.header_start().as_bytes();
        // An incomplete header may be the whole file: no game was played.
        if !start.starts_with(&header[..header.len().min(start.len())]) {
            return Err(invalid_header(&self.path, "its first line is not a header"));
        }
        let refuse = |error| JournalError::unusable(&self.path, format_args!(", {error}"));
        let mut games = GameReader::new(input);
        while let Some(game) = games.next_game().map_err(refuse)? {
            each(&game)?;
        }
        self.setup = games.header().map(|json| parse_setup(&self.path, json)).transpose()?;
        self.complete_len = games.complete_bytes();
        self.file.seek(SeekFrom::Start(self.complete_len)).map_err(self.fail())?;
        Ok(())
    }

    /// Returns the setup of the last complete header, without parsing the games; `None` if there is no
    /// complete one.
    fn read_setup(&self) -> Result<Option<TournamentSetup>, JournalError> {
        let mut reader = BufReader::new(&self.file);
        let (mut line, mut header) = (Vec::new(), None);
        for number in 1.. {
            line.clear();
            read_line(&mut reader, &mut line).map_err(self.fail())?;
            let start = self.format.header_start().as_bytes();
            if number == 1 && !line.starts_with(&start[..start.len().min(line.len())]) {
                return Err(invalid_header(&self.path, "its first line is not a header"));
            }
            if line.pop_if(|byte| *byte == b'\n').is_none() {
                break;
            }
            if line.starts_with(start) {
                header = Some(String::from_utf8_lossy(&line).into_owned());
            }
        }
        let json = header.as_deref().and_then(|line| self.format.header_json(line));
        json.map(|json| parse_setup(&self.path, json)).transpose()
    }

    fn fail(&self) -> impl Fn(io::Error) -> JournalError + use<> {
        let path = self.path.clone();
        move |source| JournalError::Io { path: path.clone(), source }
    }

    fn add(&mut self, game: &GameRecord) -> Result<(), JournalError> {
        self.append(self.format.game(game).as_bytes())
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

fn parse_setup(path: &Path, json: &str) -> Result<TournamentSetup, JournalError> {
    #[derive(Deserialize)]
    struct Header {
        schema: u32,
        setup: TournamentSetup,
    }
    match serde_json::from_str(json) {
        Ok(Header { schema: SCHEMA, setup }) => match setup.check() {
            Ok(()) => Ok(setup),
            Err(reason) => Err(invalid_header(path, &reason)),
        },
        Ok(Header { schema, .. }) => {
            Err(invalid_header(path, &format!("schema {schema}, expected {SCHEMA}")))
        }
        Err(error) => {
            Err(invalid_header(path, &format!("invalid header ({})", describe_json_error(&error))))
        }
    }
}

fn invalid_header(path: &Path, reason: &str) -> JournalError {
    JournalError::unusable(path, format_args!(" is not a tournament record: {reason}"))
}

/// Reads the setup from a record or a file of JSON lines: that of the last header, since a resumed
/// tournament may have changed it. The games are not parsed. Fails if the file cannot be read or
/// has no header.
pub fn read_setup(path: &Path) -> Result<TournamentSetup, JournalError> {
    let file = JournalFile::open(path)?;
    file.read_setup()?.ok_or_else(|| invalid_header(path, "it is empty"))
}

/// Reads a record or a file of JSON lines without changing it, passes its games to `each` and
/// returns the setup as [`read_setup`] does; `None` if not even the header is complete. Fails if
/// the file cannot be read or is not a tournament record.
pub fn read(
    path: &Path,
    each: &mut dyn FnMut(&GameRecord),
) -> Result<Option<TournamentSetup>, JournalError> {
    let mut file = JournalFile::open(path)?;
    file.read(&mut |game| {
        each(game);
        Ok(())
    })?;
    Ok(file.setup)
}

/// Reads the games of any record or file of JSON lines, and its setup if it has one.
/// Fails if the file cannot be read or a game is invalid.
pub(crate) fn read_games(
    path: &Path,
) -> Result<(Option<TournamentSetup>, Vec<GameRecord>), JournalError> {
    let mut reader = GameReader::new(open_file(path)?);
    let games = reader.by_ref().collect::<Result<_, _>>();
    let games = games.map_err(|error| JournalError::unusable(path, format_args!(", {error}")))?;
    let setup = reader.header().and_then(|json| parse_setup(path, json).ok());
    Ok((setup, games))
}

/// Locks a file that is about to be replaced, so that no match can write to it.
/// Fails if the file cannot be opened or a match is writing to it.
pub(crate) fn lock_for_replacement(path: &Path) -> Result<RunLock, JournalError> {
    lock(path, open_file(path)?.get_ref())
}

fn open_file(path: &Path) -> Result<BufReader<File>, JournalError> {
    files::open_input(path).map_err(|error| JournalError::open(path, &error))
}

fn lock(path: &Path, file: &File) -> Result<RunLock, JournalError> {
    let lock = RunLock::acquire(path, file).map_err(|error| JournalError::open(path, &error))?;
    lock.ok_or_else(|| JournalError::unusable(path, " is being written by another run"))
}
