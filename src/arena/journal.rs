//! The files a tournament is written to, game by game, so that nothing that was finished is lost.
//!
//! A record begins with a line for programs that holds the setup; games follow, each written at
//! once. Whatever happens, the file is whole up to the last game, and a torn one behind it is cut
//! off when the tournament goes on. The JSON lines say the same; they are made anew from the record
//! when they lack something.

use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::record::pgn::{Games, RecordError};
use super::record::{GameRecord, SCHEMA};
use super::setup::TournamentSetup;
use crate::rules::Outcome;

/// Why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file cannot be opened, read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Somebody else writes to it.
    #[error("{0} is being written by another run")]
    Locked(PathBuf),
    /// What stands there is no record.
    #[error("{path}, {source}")]
    Record {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: RecordError,
    },
    /// It has no head.
    #[error("{path} is no record of a tournament: {reason}")]
    NoHead {
        /// The file.
        path: PathBuf,
        /// What is missing.
        reason: String,
    },
    /// It belongs to another tournament.
    #[error(
        "{path} is the record of another tournament, its {what} differs: {theirs} there, {ours} \
         here; give another file to begin anew"
    )]
    Different {
        /// The file.
        path: PathBuf,
        /// What differs.
        what: String,
        /// What stands in the file.
        theirs: String,
        /// What was asked for.
        ours: String,
    },
    /// There is nothing to continue.
    #[error("{0} does not exist, expected the record of a tournament to resume")]
    Nothing(PathBuf),
}

/// A line of JSON: what it is, and in which version.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line {
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

/// The first word of a record.
const HEAD: &str = "% zermelo-match ";

/// What an earlier run left behind.
#[derive(Debug, Default)]
pub struct Past {
    /// The results, by number.
    pub finished: HashMap<u32, Option<Outcome>>,
}

/// The files of one tournament.
#[derive(Debug)]
pub struct Journal {
    record: Option<Appended>,
    json: Option<Appended>,
}

/// A file that grows by whole entries.
#[derive(Debug)]
struct Appended {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Opens the files, and goes through what they hold: `each` sees every game that was finished.
    /// With `must_exist` there has to be something to continue.
    ///
    /// # Errors
    /// When a file cannot be used, or belongs to another tournament.
    pub fn open(
        setup: &TournamentSetup,
        record: Option<&Path>,
        json: Option<&Path>,
        must_exist: bool,
        each: &mut dyn FnMut(&GameRecord),
    ) -> Result<(Self, Past), JournalError> {
        let mut past = Past::default();
        let line = serde_json::to_string(&Line::Tournament {
            schema: SCHEMA,
            setup: Box::new(setup.clone()),
        });
        // A setup is plain data: it can always be written.
        let head = line.unwrap_or_default();
        let mut meet = |game: &GameRecord| {
            past.finished.insert(game.number, game.result);
            each(game);
        };
        if let (true, Some(path)) = (must_exist, record.or(json))
            && !path.exists()
        {
            return Err(JournalError::Nothing(path.to_owned()));
        }
        let record = record
            .map(|path| {
                let mut file = Appended::open(path)?;
                file.continue_record(setup, &format!("{HEAD}{head}\n\n"), &mut meet)?;
                Ok(file)
            })
            .transpose()?;
        let json = json
            .map(|path| {
                let mut file = Appended::open(path)?;
                match &record {
                    Some(record) => file.rewrite_json(&head, record)?,
                    None => file.continue_json(setup, &format!("{head}\n"), &mut meet)?,
                }
                Ok(file)
            })
            .transpose()?;
        Ok((Self { record, json }, past))
    }

    /// Writes a game that was finished.
    ///
    /// # Errors
    /// When that fails: the game is not in the file then, or is cut off the next time.
    pub fn add(&mut self, game: &GameRecord) -> Result<(), JournalError> {
        if let Some(record) = &mut self.record {
            record.append(game.to_pgn().as_bytes())?;
        }
        if let Some(json) = &mut self.json {
            json.append(json_line(game).as_bytes())?;
        }
        Ok(())
    }
}

/// A game as a line of JSON.
#[must_use]
pub fn json_line(game: &GameRecord) -> String {
    let line = Line::Game { schema: SCHEMA, game: Box::new(game.clone()) };
    // A game is plain data: it can always be written.
    serde_json::to_string(&line).unwrap_or_default() + "\n"
}

/// The setup at the head of a record.
///
/// # Errors
/// When the file cannot be read or has none.
pub fn read_setup(path: &Path) -> Result<TournamentSetup, JournalError> {
    let fail = |source| JournalError::Io { path: path.to_owned(), source };
    let mut line = String::new();
    BufReader::new(File::open(path).map_err(fail)?).read_line(&mut line).map_err(fail)?;
    setup_of(path, line.strip_prefix(HEAD).unwrap_or(&line))
}

fn setup_of(path: &Path, json: &str) -> Result<TournamentSetup, JournalError> {
    let no_head = |reason: String| JournalError::NoHead { path: path.to_owned(), reason };
    match serde_json::from_str(json) {
        Ok(Line::Tournament { schema: SCHEMA, setup }) => Ok(*setup),
        Ok(Line::Tournament { schema, .. }) => {
            Err(no_head(format!("schema {schema}, expected {SCHEMA}")))
        }
        Ok(Line::Game { .. }) => Err(no_head("it begins with a game".to_owned())),
        Err(error) => Err(no_head(format!("its first line is not the head of one ({error})"))),
    }
}

impl Appended {
    fn open(path: &Path) -> Result<Self, JournalError> {
        let fail = |source| JournalError::Io { path: path.to_owned(), source };
        let mut options = OpenOptions::new();
        let file =
            options.read(true).write(true).create(true).truncate(false).open(path).map_err(fail)?;
        if is_locked(&file) {
            return Err(JournalError::Locked(path.to_owned()));
        }
        Ok(Self { path: path.to_owned(), file })
    }

    fn fail(&self) -> impl Fn(io::Error) -> JournalError + use<> {
        let path = self.path.clone();
        move |source| JournalError::Io { path: path.clone(), source }
    }

    fn append(&mut self, bytes: &[u8]) -> Result<(), JournalError> {
        self.file.write_all(bytes).map_err(self.fail())
    }

    /// Goes through a record, cuts off what is torn and stands at its end; writes the head of a new
    /// one.
    fn continue_record(
        &mut self,
        setup: &TournamentSetup,
        head: &str,
        each: &mut dyn FnMut(&GameRecord),
    ) -> Result<(), JournalError> {
        let fail = self.fail();
        let mut reader = BufReader::new(&self.file);
        let mut first = Vec::new();
        reader.read_until(b'\n', &mut first).map_err(&fail)?;
        // A head that is torn stands alone: nothing was played.
        if first.last() != Some(&b'\n') && head.as_bytes().starts_with(&first) {
            return self.begin(head);
        }
        let line = String::from_utf8_lossy(&first);
        let theirs = setup_of(&self.path, line.strip_prefix(HEAD).unwrap_or_default())?;
        must_agree(&self.path, &theirs, setup)?;
        let mut games = Games::new(reader);
        let refuse = |path: &Path, source| JournalError::Record { path: path.to_owned(), source };
        while let Some(game) = games.next_game().map_err(|error| refuse(&self.path, error))? {
            each(&game);
        }
        let whole = first.len() as u64 + games.whole_bytes();
        self.file.set_len(whole).map_err(&fail)?;
        self.file.seek(SeekFrom::Start(whole)).map_err(&fail)?;
        Ok(())
    }

    fn begin(&mut self, head: &str) -> Result<(), JournalError> {
        let fail = self.fail();
        self.file.set_len(0).map_err(&fail)?;
        self.file.seek(SeekFrom::Start(0)).map_err(&fail)?;
        self.append(head.as_bytes())
    }

    /// The same for a file of JSON lines that stands alone.
    fn continue_json(
        &mut self,
        setup: &TournamentSetup,
        head: &str,
        each: &mut dyn FnMut(&GameRecord),
    ) -> Result<(), JournalError> {
        let fail = self.fail();
        let mut reader = BufReader::new(&self.file);
        let mut whole = 0;
        let mut bytes = Vec::new();
        for number in 1.. {
            bytes.clear();
            let read = reader.read_until(b'\n', &mut bytes).map_err(&fail)?;
            if bytes.pop_if(|byte| *byte == b'\n').is_none() {
                break;
            }
            let line = String::from_utf8_lossy(&bytes);
            if number == 1 {
                must_agree(&self.path, &setup_of(&self.path, &line)?, setup)?;
            } else {
                let refuse = |reason: String| JournalError::Record {
                    path: self.path.clone(),
                    source: RecordError::Game { line: number, reason },
                };
                match serde_json::from_str(&line) {
                    Ok(Line::Game { schema: SCHEMA, game }) => each(&game),
                    Ok(_) => return Err(refuse("no game of this version".to_owned())),
                    Err(error) => return Err(refuse(error.to_string())),
                }
            }
            whole += read as u64;
        }
        if whole == 0 {
            if !head.as_bytes().starts_with(&bytes) {
                let reason = "its first line is not the head of one".to_owned();
                return Err(JournalError::NoHead { path: self.path.clone(), reason });
            }
            return self.begin(head);
        }
        self.file.set_len(whole).map_err(&fail)?;
        self.file.seek(SeekFrom::Start(whole)).map_err(&fail)?;
        Ok(())
    }

    /// Writes the JSON of a record that goes on.
    fn rewrite_json(&mut self, head: &str, record: &Self) -> Result<(), JournalError> {
        let (fail, fail_record) = (self.fail(), record.fail());
        let mut first = String::new();
        BufReader::new(&self.file).read_line(&mut first).map_err(&fail)?;
        // Whatever else the file may be, it is not ours to overwrite.
        if !head.starts_with(&first) {
            setup_of(&self.path, &first)?;
        }
        self.begin(&format!("{head}\n"))?;
        let source = File::open(&record.path).map_err(fail_record)?;
        let mut output = io::BufWriter::new(&self.file);
        for game in Games::new(BufReader::new(source)) {
            let game =
                game.map_err(|source| JournalError::Record { path: record.path.clone(), source })?;
            output.write_all(json_line(&game).as_bytes()).map_err(&fail)?;
        }
        output.flush().map_err(&fail)
    }
}

/// Whether somebody else holds the file. An engine that was about to start when its runner was
/// killed holds it for a moment more.
fn is_locked(file: &File) -> bool {
    const MOMENT: Duration = Duration::from_secs(1);
    let deadline = Instant::now() + MOMENT;
    loop {
        match file.try_lock() {
            // Not every file can be locked; then nothing warns of a second run.
            Ok(()) | Err(TryLockError::Error(_)) => return false,
            Err(TryLockError::WouldBlock) if Instant::now() > deadline => return true,
            Err(TryLockError::WouldBlock) => std::thread::sleep(MOMENT / 100),
        }
    }
}

/// A tournament may go on with more rounds, more at a time, or another end; not as another one.
fn must_agree(
    path: &Path,
    theirs: &TournamentSetup,
    ours: &TournamentSetup,
) -> Result<(), JournalError> {
    const FREE: [&str; 5] = ["rounds", "sprt", "recover", "concurrency", "patience"];
    let [theirs, ours] = [theirs, ours].map(|setup| match serde_json::to_value(setup) {
        Ok(serde_json::Value::Object(fields)) => fields,
        _ => serde_json::Map::new(),
    });
    for (name, value) in &ours {
        let other = theirs.get(name).unwrap_or(&serde_json::Value::Null);
        if other != value && !FREE.contains(&name.as_str()) {
            let (theirs, ours) = (other.to_string(), value.to_string());
            let what = name.clone();
            return Err(JournalError::Different { path: path.to_owned(), what, theirs, ours });
        }
    }
    Ok(())
}
