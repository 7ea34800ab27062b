//! The files a tournament is written to, game by game, so that nothing that was finished is lost.
//!
//! A record begins with a line for programs that holds the setup; games follow, each written at
//! once. Whatever happens, the file is whole up to the last game, and a torn one behind it is cut
//! off when the tournament goes on. The JSON lines say the same; what one of the two files lacks is
//! taken from the other. Imports the record, the setup and what the tournament needs of the past.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::record::pgn::{PgnReader, RecordError};
use super::record::{GameRecord, SCHEMA, read_line};
use super::setup::{SetupDifference, TournamentSetup};
use super::tournament::RecordedGame;
use crate::files;

/// Why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file cannot be opened.
    #[error("cannot open {path}: {source}")]
    Open {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file cannot be read or written.
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
        "{path} is the record of another tournament, {what} differs: {theirs} there, {ours} \
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
    /// It tells a game otherwise than the other file does, or twice.
    #[error(
        "game {number} in {path} is another one than was read before; give another file, or take \
         one of the two away"
    )]
    Contradiction {
        /// The file.
        path: PathBuf,
        /// The game.
        number: u32,
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

/// What an earlier run left behind: its games, by number.
pub type RecordedGames = HashMap<u32, RecordedGame>;

/// PgnReader, one after the other.
pub type AllGames = Box<dyn Iterator<Item = Result<GameRecord, JournalError>>>;

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordFormat {
    /// In the manner of PGN.
    Text,
    /// Lines of JSON.
    Json,
}

impl RecordFormat {
    /// How a file is written that begins so.
    fn of(begin: &[u8]) -> Self {
        if begin.first() == Some(&b'{') { Self::Json } else { Self::Text }
    }

    /// The head, before any game.
    #[must_use]
    pub fn head(self, setup: &TournamentSetup) -> String {
        let setup = Box::new(setup.clone());
        let line = written(&Line::Tournament { schema: SCHEMA, setup });
        match self {
            // The blank line ends what is no game.
            Self::Text => format!("{HEAD}{line}\n"),
            Self::Json => line,
        }
    }

    /// A game.
    #[must_use]
    pub fn game(self, game: &GameRecord) -> String {
        match self {
            Self::Text => game.to_pgn(),
            Self::Json => written(&Line::Game { schema: SCHEMA, game: Box::new(game.clone()) }),
        }
    }
}

/// The files of one tournament.
#[derive(Debug)]
pub struct Journal {
    files: Vec<Appended>,
}

/// A file that grows by whole entries.
#[derive(Debug)]
struct Appended {
    path: PathBuf,
    file: File,
    form: RecordFormat,
    /// The length of what is whole.
    whole: u64,
    /// The games in it.
    numbers: HashSet<u32>,
    /// Whether something torn stands at its end and could not be cut off.
    is_broken: bool,
}

impl Journal {
    /// Opens the files, and goes through what they hold: `each` sees every game that was finished.
    /// A game that only one of them holds is added to the other. With `must_exist` there has to be
    /// something to continue.
    ///
    /// # Errors
    /// When a file cannot be used, or belongs to another tournament.
    pub fn open(
        setup: &TournamentSetup,
        record: Option<&Path>,
        json: Option<&Path>,
        must_exist: bool,
        each: &mut dyn FnMut(&GameRecord),
    ) -> Result<(Self, RecordedGames), JournalError> {
        let named = [(record, RecordFormat::Text), (json, RecordFormat::Json)];
        let named: Vec<(&Path, RecordFormat)> =
            named.into_iter().filter_map(|(path, form)| path.map(|path| (path, form))).collect();
        if must_exist && !named.iter().any(|(path, _)| path.exists()) {
            let path = named.first().map_or_else(PathBuf::new, |(path, _)| path.to_path_buf());
            return Err(JournalError::Nothing(path));
        }
        let mut past = RecordedGames::new();
        let mut files: Vec<Appended> = Vec::new();
        for (path, form) in named {
            let mut missing = Vec::new();
            let mut contradiction = None;
            let file = Appended::open(path, form, setup, &mut |game| {
                let account = RecordedGame::of(game);
                match past.insert(game.number, account.clone()) {
                    None => {
                        each(game);
                        missing.extend((!files.is_empty()).then(|| game.clone()));
                    }
                    Some(other) if other != account => contradiction = Some(game.number),
                    Some(_) => {}
                }
            })?;
            if let Some(number) = contradiction {
                return Err(JournalError::Contradiction { path: path.to_owned(), number });
            }
            for other in &mut files {
                missing.iter().try_for_each(|game| other.add(game))?;
            }
            files.push(file);
        }
        // The second was looked at with the first known; what it lacks takes another look.
        if let [first, second] = files.as_mut_slice()
            && !first.numbers.is_subset(&second.numbers)
        {
            first.read(&mut |game| match second.numbers.contains(&game.number) {
                true => Ok(()),
                false => second.add(game),
            })?;
        }
        Ok((Self { files }, past))
    }

    /// Writes a game that was finished.
    ///
    /// # Errors
    /// When that fails: the game is not in the file then.
    pub fn add(&mut self, game: &GameRecord) -> Result<(), JournalError> {
        self.files.iter_mut().try_for_each(|file| file.add(game))
    }
}

impl RecordedGame {
    fn of(game: &GameRecord) -> Self {
        let moves: Vec<&str> = game.moves.iter().map(|mv| mv.mv.as_str()).collect();
        let mut hasher = DefaultHasher::new();
        (game.started, &game.fen, moves).hash(&mut hasher);
        let fingerprint = hasher.finish();
        Self { players: game.players.clone(), result: game.result, fingerprint }
    }
}

fn written(line: &Line) -> String {
    // It is plain data, which can always be written.
    serde_json::to_string(line).unwrap_or_default() + "\n"
}

/// The setup that the head of a record or of a file of JSON lines holds; the last one, if it was
/// changed on the way.
///
/// # Errors
/// When the file cannot be read or has none.
pub fn read_setup(path: &Path) -> Result<TournamentSetup, JournalError> {
    let no_head = || no_head(path, "it is empty");
    read(path, &mut |_| ())?.ok_or_else(no_head)
}

/// Goes through a record or a file of JSON lines, and leaves it as it is: `each` sees its games.
/// Tells the setup as [`read_setup`] does; `None` where nothing is whole, not even the head.
///
/// # Errors
/// When the file cannot be read or is something else.
pub fn read(
    path: &Path,
    each: &mut dyn FnMut(&GameRecord),
) -> Result<Option<TournamentSetup>, JournalError> {
    let open = |source| JournalError::Open { path: path.to_owned(), source };
    let fail = |source| JournalError::Io { path: path.to_owned(), source };
    let file = File::open(path).map_err(open)?;
    let mut first = [0];
    let begun = (&file).read(&mut first).map_err(fail)?;
    let form = RecordFormat::of(&first[..begun]);
    let numbers = HashSet::new();
    let path = path.to_owned();
    let mut file = Appended { path, file, form, whole: 0, numbers, is_broken: false };
    file.read(&mut |game| {
        each(game);
        Ok(())
    })
}

/// The games of a record, which may lack its head, or of a file of JSON lines; and which it is.
///
/// # Errors
/// When the file cannot be read, or lines of JSON are no games.
pub fn read_games(path: &Path) -> Result<(RecordFormat, AllGames), JournalError> {
    let open = |source| JournalError::Open { path: path.to_owned(), source };
    let mut input = BufReader::new(File::open(path).map_err(open)?);
    let form = RecordFormat::of(input.fill_buf().map_err(open)?);
    if form == RecordFormat::Json {
        let mut games = Vec::new();
        read(path, &mut |game| games.push(Ok(game.clone())))?;
        return Ok((form, Box::new(games.into_iter())));
    }
    let path = path.to_owned();
    let refuse = move |source| JournalError::Record { path: path.clone(), source };
    Ok((form, Box::new(PgnReader::new(input).map(move |game| game.map_err(&refuse)))))
}

fn no_head(path: &Path, reason: &str) -> JournalError {
    JournalError::NoHead { path: path.to_owned(), reason: reason.to_owned() }
}

/// Holds a file that is about to be replaced, so that no match writes to it meanwhile.
///
/// # Errors
/// When it cannot be opened or a match is writing to it.
pub fn hold(path: &Path) -> Result<File, JournalError> {
    let fail = |source| JournalError::Open { path: path.to_owned(), source };
    let file = File::open(path).map_err(fail)?;
    if !files::try_lock(&file) {
        return Err(JournalError::Locked(path.to_owned()));
    }
    Ok(file)
}

impl Appended {
    /// Opens a file of this tournament, sees what it holds, cuts off what is torn; begins a new one.
    fn open(
        path: &Path,
        form: RecordFormat,
        setup: &TournamentSetup,
        each: &mut dyn FnMut(&GameRecord),
    ) -> Result<Self, JournalError> {
        let fail = |source| JournalError::Open { path: path.to_owned(), source };
        let file = files::open_for_resume(path).map_err(fail)?;
        if !files::try_lock(&file) {
            return Err(JournalError::Locked(path.to_owned()));
        }
        let numbers = HashSet::new();
        let mut own =
            Self { path: path.to_owned(), file, form, whole: 0, numbers, is_broken: false };
        let mut seen = HashSet::new();
        let theirs = own.read(&mut |game| {
            seen.insert(game.number);
            each(game);
            Ok(())
        })?;
        own.numbers = seen;
        if let Some(theirs) = &theirs {
            setup.must_continue(theirs).map_err(|difference| {
                let SetupDifference { what, theirs, ours } = difference;
                JournalError::Different { path: own.path.clone(), what, theirs, ours }
            })?;
        }
        own.cut()?;
        if theirs.as_ref() != Some(setup) {
            own.append(form.head(setup).as_bytes())?;
        }
        Ok(own)
    }

    /// Goes through the file: `each` sees its games. Tells the setup that stands in it, the last
    /// one; `None` where nothing whole does. Finds out how much of it is whole.
    fn read(
        &mut self,
        each: &mut dyn FnMut(&GameRecord) -> Result<(), JournalError>,
    ) -> Result<Option<TournamentSetup>, JournalError> {
        let fail = self.fail();
        self.file.seek(SeekFrom::Start(0)).map_err(&fail)?;
        let (whole, setup) = match self.form {
            RecordFormat::Text => self.read_text(each)?,
            RecordFormat::Json => self.read_json(each)?,
        };
        self.whole = whole;
        self.file.seek(SeekFrom::Start(whole)).map_err(fail)?;
        Ok(setup)
    }

    fn read_text(
        &self,
        each: &mut dyn FnMut(&GameRecord) -> Result<(), JournalError>,
    ) -> Result<(u64, Option<TournamentSetup>), JournalError> {
        let refuse = |source| JournalError::Record { path: self.path.clone(), source };
        let mut reader = BufReader::new(&self.file);
        let begins = reader.fill_buf().map_err(self.fail())?;
        let begin = &HEAD.as_bytes()[..HEAD.len().min(begins.len())];
        if !begins.starts_with(begin) {
            return Err(self.no_head("its first line is not the head of one"));
        }
        let mut games = PgnReader::new(reader);
        while let Some(game) = games.next_game().map_err(refuse)? {
            each(&game)?;
        }
        let head = games.remark().and_then(|remark| remark.strip_prefix(HEAD));
        let setup = head.map(|json| self.setup_of(json)).transpose()?;
        // A head that is torn stands alone: nothing was played.
        Ok((games.whole_bytes(), setup))
    }

    fn read_json(
        &self,
        each: &mut dyn FnMut(&GameRecord) -> Result<(), JournalError>,
    ) -> Result<(u64, Option<TournamentSetup>), JournalError> {
        const BEGIN: &[u8] = b"{\"type\":\"tournament\"";
        let mut reader = BufReader::new(&self.file);
        let (mut whole, mut setup) = (0, None);
        let mut bytes = Vec::new();
        for number in 1.. {
            bytes.clear();
            let read = read_line(&mut reader, &mut bytes).map_err(self.fail())?;
            let is_whole = bytes.pop_if(|byte| *byte == b'\n').is_some();
            if number == 1 && !bytes.starts_with(&BEGIN[..BEGIN.len().min(bytes.len())]) {
                return Err(self.no_head("its first line is not the head of one"));
            }
            if !is_whole {
                break;
            }
            let line = String::from_utf8_lossy(&bytes);
            let refuse = |reason: String| JournalError::Record {
                path: self.path.clone(),
                source: RecordError::Game { line: number, reason },
            };
            match serde_json::from_str(&line) {
                Ok(Line::Game { schema: SCHEMA, game }) => each(&game)?,
                Ok(Line::Tournament { .. }) => setup = Some(self.setup_of(&line)?),
                Ok(_) => return Err(refuse("no game of this version".to_owned())),
                Err(error) => return Err(refuse(error.to_string())),
            }
            whole += read as u64;
        }
        Ok((whole, setup))
    }

    fn setup_of(&self, json: &str) -> Result<TournamentSetup, JournalError> {
        match serde_json::from_str(json) {
            Ok(Line::Tournament { schema: SCHEMA, setup }) => match setup.check() {
                Ok(()) => Ok(*setup),
                Err(reason) => Err(self.no_head(&reason)),
            },
            Ok(Line::Tournament { schema, .. }) => {
                Err(self.no_head(&format!("schema {schema}, expected {SCHEMA}")))
            }
            Ok(Line::Game { .. }) => Err(self.no_head("it begins with a game")),
            Err(error) => Err(self.no_head(&format!("its head cannot be read ({error})"))),
        }
    }

    fn no_head(&self, reason: &str) -> JournalError {
        no_head(&self.path, reason)
    }

    fn fail(&self) -> impl Fn(io::Error) -> JournalError + use<> {
        let path = self.path.clone();
        move |source| JournalError::Io { path: path.clone(), source }
    }

    fn add(&mut self, game: &GameRecord) -> Result<(), JournalError> {
        self.append(self.form.game(game).as_bytes())?;
        self.numbers.insert(game.number);
        Ok(())
    }

    /// Writes all or nothing. After a failure nothing is written any more unless the rest of it
    /// could be cut off: what would stand behind it could not be read.
    fn append(&mut self, bytes: &[u8]) -> Result<(), JournalError> {
        if self.is_broken {
            return Err(self.fail()(io::Error::other("its end is torn")));
        }
        if let Err(error) = self.file.write_all(bytes) {
            self.is_broken = self.cut().is_err();
            return Err(self.fail()(error));
        }
        self.whole += bytes.len() as u64;
        Ok(())
    }

    /// Cuts off what is not whole, and stands there.
    fn cut(&mut self) -> Result<(), JournalError> {
        let fail = self.fail();
        self.file.set_len(self.whole).map_err(&fail)?;
        self.file.seek(SeekFrom::Start(self.whole)).map(drop).map_err(fail)
    }
}
