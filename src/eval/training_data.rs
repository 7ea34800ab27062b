//! Training data: a file of positions with what a search thought of them and how the game ended.
//!
//! Everything is in records of [`RECORD`] bytes, so that a trainer can map the file as one array.
//! The first [`HEAD`] records are text that says how the games were played. Then come the games: a
//! record for each position and one that seals the game with its number and a checksum. What
//! follows the last seal was cut off in the middle and is thrown away when the file is opened
//! again, if it is less than a game; a file that is damaged in any other way is refused.
//!
//! | bytes | of a position | of a seal |
//! |---|---|---|
//! | 0–1 | what is on board 1, as of the others in 2–17 | 65535 |
//! | 2–3 | | how many positions the game has |
//! | 4–11 | | its number |
//! | 12–19 | | CRC-32 of its positions and of the bytes before |
//! | 18 | the board to play in, 9 for any | |
//! | 19 | how the game ended for the mover: −1, 0, 1 | |
//! | 20–21 | what the search thought of it, in points | 0 |
//! | 22 | stones on the board | 0 |
//!
//! Numbers are little-endian, bytes that are not named are 0.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::board_code::board_code;
use crate::files;
use crate::games::TixTax;
use crate::rules::{Game, Outcome, Value};
use crate::search::Points;

/// Bytes of a record.
pub const RECORD: usize = 24;
/// Records that the text at the head takes.
pub const HEAD: usize = 8;
const HEAD_BYTES: usize = HEAD * RECORD;
/// No small board has this number: the record is a seal.
const SEAL: u16 = u16::MAX;
const FORMAT: &str = "zermelo-samples 2";
/// No game has more positions.
const LONGEST: usize = 81;
/// Where in a seal its checksum stands.
const SUM: Range<usize> = 12..20;

/// A position of a game, seen by the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrainingSample {
    /// What is on the small boards, the mover's stones counted once and the others twice.
    pub boards: [u16; 9],
    /// The board to play in, 9 where the choice is free.
    pub forced: u8,
    /// What the search thought of it.
    pub points: Points,
    /// Stones on the board.
    pub stones: u8,
}

impl TrainingSample {
    /// The sample of a position with the score of a search.
    #[must_use]
    pub fn new(pos: &TixTax, points: Points) -> Self {
        let [own, other] = [pos.side(), pos.side().other()];
        let board = |board| board_code(pos.stones(own, board), pos.stones(other, board));
        let count = |side| (0..9).map(|board| pos.stones(side, board).count_ones()).sum::<u32>();
        Self {
            boards: std::array::from_fn(board),
            forced: pos.forced().unwrap_or(9) as u8,
            points,
            stones: (count(own) + count(other)) as u8,
        }
    }

    fn write(&self, result: i8, bytes: &mut Vec<u8>) {
        for board in self.boards {
            bytes.extend(board.to_le_bytes());
        }
        bytes.extend([self.forced, result as u8]);
        bytes.extend((self.points as i16).to_le_bytes());
        bytes.extend([self.stones, 0]);
    }
}

/// A game that was played to its end, or to where its end was proven.
#[derive(Debug, Clone)]
pub struct PlayedGame {
    /// Its number: with the seed, all that it depends on.
    pub number: u64,
    /// Its positions, one after the other, each seen by its mover; the sides take turns.
    pub samples: Vec<(TixTax, Points)>,
    /// How it ended.
    pub outcome: Outcome,
}

impl PlayedGame {
    /// What is written of it, with its checksum.
    fn to_bytes(&self) -> (Vec<u8>, u32) {
        let mut bytes = Vec::with_capacity((self.samples.len() + 1) * RECORD);
        for (pos, points) in &self.samples {
            let result = match self.outcome.value_for(pos.side()) {
                Value::Loss => -1,
                Value::Draw => 0,
                Value::Win => 1,
            };
            TrainingSample::new(pos, *points).write(result, &mut bytes);
        }
        bytes.extend(SEAL.to_le_bytes());
        bytes.extend((self.samples.len() as u16).to_le_bytes());
        bytes.extend(self.number.to_le_bytes());
        let sum = crc32fast::hash(&bytes);
        bytes.extend(u64::from(sum).to_le_bytes());
        bytes.resize((self.samples.len() + 1) * RECORD, 0);
        (bytes, sum)
    }
}

/// Why a file of samples cannot be gone on with.
#[derive(Debug, thiserror::Error)]
pub enum TrainingDataError {
    /// It cannot be opened.
    #[error(transparent)]
    Open(io::Error),
    /// It cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is something else.
    #[error("it is no file of samples: it does not begin with \"{FORMAT}\"")]
    Foreign,
    /// Its games were played in another way.
    #[error("its games were played with {found:?}, expected {wanted:?}")]
    Different {
        /// What its head says.
        found: String,
        /// What it would have to say.
        wanted: String,
    },
    /// It tells a game otherwise than another file does.
    #[error("game {number} is another one there than was read before")]
    Contradiction {
        /// The game.
        number: u64,
    },
    /// The seal of a game does not fit.
    #[error("it is damaged: the checksum of the game that ends at byte {end} does not fit")]
    Damaged {
        /// Where the game ends.
        end: u64,
    },
    /// More follows than a game that was cut off.
    #[error("it is damaged: no game is whole behind byte {end}")]
    Unsealed {
        /// Where the last whole game ends.
        end: u64,
    },
    /// A game is there twice.
    #[error("it is damaged: game {number} ends at byte {end}, and before")]
    Twice {
        /// The game.
        number: u64,
        /// Where it ends the second time.
        end: u64,
    },
    /// Two runs would write over each other's games.
    #[error("another run is adding games to it")]
    Locked,
}

/// A file that games are added to, or one that is read.
#[derive(Debug)]
pub struct TrainingFile {
    path: PathBuf,
    file: File,
    made_by: String,
    games: BTreeMap<u64, GameSpan>,
    /// Where the last whole game ends.
    whole: u64,
}

/// Where a game stands in a file.
#[derive(Debug, Clone, Copy)]
struct GameSpan {
    start: u64,
    samples: u64,
    sum: u32,
}

impl GameSpan {
    /// The bytes of its positions and of its seal.
    fn bytes(self) -> u64 {
        (self.samples + 1) * RECORD as u64
    }
}

impl TrainingFile {
    /// Opens a file, or begins it. `made_by` says in words how its games are played; a file whose
    /// games were played otherwise is refused.
    ///
    /// # Errors
    /// When the file cannot be read and written, is another one or is being written to.
    pub fn open(path: &Path, made_by: &str) -> Result<Self, TrainingDataError> {
        let mut file = files::open_for_resume(path).map_err(TrainingDataError::Open)?;
        if !files::try_lock(&file) {
            return Err(TrainingDataError::Locked);
        }
        let wanted = format!("{FORMAT} {made_by}");
        let mut head = wanted.clone().into_bytes();
        head.resize(HEAD_BYTES, b' ');
        let begun = read_head(&file)?;
        if begun.len() < head.len() && head.starts_with(&begun) {
            file.set_len(0)?;
            file.rewind()?;
            file.write_all(&head)?;
            return Ok(Self::begun(path, file, made_by));
        }
        // What is written behind is blanks and nothing else.
        let found = String::from_utf8_lossy(&begun).trim_end_matches(' ').to_owned();
        if !found.starts_with(FORMAT) {
            return Err(TrainingDataError::Foreign);
        }
        if found != wanted {
            return Err(TrainingDataError::Different { found, wanted });
        }
        let mut this = Self::begun(path, file, made_by);
        this.find_games()?;
        this.file.set_len(this.whole)?;
        this.file.seek(SeekFrom::End(0))?;
        Ok(this)
    }

    /// Opens a file to read it, and leaves it as it is. `None` where not even its head is whole.
    ///
    /// # Errors
    /// When the file cannot be read, is of another kind or damaged.
    pub fn read(path: &Path) -> Result<Option<Self>, TrainingDataError> {
        let file = files::open_regular_file(path, OpenOptions::new().read(true))
            .map_err(TrainingDataError::Open)?;
        let begun = read_head(&file)?;
        let known = begun.len().min(FORMAT.len());
        if begun[..known] != FORMAT.as_bytes()[..known] {
            return Err(TrainingDataError::Foreign);
        }
        if begun.len() < HEAD_BYTES {
            return Ok(None);
        }
        let head = String::from_utf8_lossy(&begun);
        let mut this = Self::begun(path, file, head[FORMAT.len()..].trim_matches(' '));
        this.find_games()?;
        Ok(Some(this))
    }

    /// A file that holds no more than its head.
    fn begun(path: &Path, file: File, made_by: &str) -> Self {
        let (path, made_by) = (path.to_owned(), made_by.to_owned());
        Self { path, file, made_by, games: BTreeMap::new(), whole: HEAD_BYTES as u64 }
    }

    /// Finds the games behind the head, up to the last whole one.
    fn find_games(&mut self) -> Result<(), TrainingDataError> {
        self.file.seek(SeekFrom::Start(self.whole))?;
        let mut reader = BufReader::with_capacity(1 << 20, &self.file);
        let (mut game, mut record) = (Vec::new(), [0; RECORD]);
        while read_whole(&mut reader, &mut record)? {
            let samples = game.len() / RECORD;
            if record[..2] != SEAL.to_le_bytes() {
                if samples == LONGEST {
                    return Err(TrainingDataError::Unsealed { end: self.whole });
                }
                game.extend(record);
                continue;
            }
            game.extend(&record[..SUM.start]);
            let (start, sum) = (self.whole, crc32fast::hash(&game));
            let place = GameSpan { start, samples: samples as u64, sum };
            self.whole += place.bytes();
            let end = self.whole;
            let [count, number, sum] = [2..4, 4..12, SUM].map(|place| {
                record[place].iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte))
            });
            if (count, sum) != (place.samples, place.sum.into()) {
                return Err(TrainingDataError::Damaged { end });
            }
            if self.games.insert(number, place).is_some() {
                return Err(TrainingDataError::Twice { number, end });
            }
            game.clear();
        }
        Ok(())
    }

    /// How its games were played, in words.
    #[must_use]
    pub fn made_by(&self) -> &str {
        &self.made_by
    }

    /// Whether a game is there already.
    #[must_use]
    pub fn has(&self, number: u64) -> bool {
        self.games.contains_key(&number)
    }

    /// How many games of these numbers are there, and how many positions in them.
    #[must_use]
    pub fn count(&self, numbers: Range<u64>) -> (u64, u64) {
        let places = self.games.range(numbers).map(|(_, place)| place.samples);
        places.fold((0, 0), |(games, samples), more| (games + 1, samples + more))
    }

    /// Adds a game.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&mut self, game: &PlayedGame) -> io::Result<()> {
        let (bytes, sum) = game.to_bytes();
        let samples = game.samples.len() as u64;
        self.append(game.number, &bytes, GameSpan { start: self.whole, samples, sum })
    }

    fn append(&mut self, number: u64, bytes: &[u8], place: GameSpan) -> io::Result<()> {
        if let Err(error) = self.file.write_all(bytes) {
            // A game behind one that is torn could not be read.
            self.file.set_len(self.whole)?;
            self.file.seek(SeekFrom::End(0))?;
            return Err(error);
        }
        self.games.insert(number, GameSpan { start: self.whole, ..place });
        self.whole += place.bytes();
        Ok(())
    }

    /// Adds the games of other files that it lacks, in the order of their numbers.
    ///
    /// # Errors
    /// When a file cannot be read or written, or tells a game otherwise than one before it; with
    /// the name of that file.
    pub fn add_all(&mut self, others: &mut [Self]) -> Result<(), (PathBuf, TrainingDataError)> {
        let mut missing: BTreeMap<u64, (usize, GameSpan)> = BTreeMap::new();
        for (index, other) in others.iter().enumerate() {
            for (number, place) in &other.games {
                let known = self.games.get(number).or(missing.get(number).map(|(_, known)| known));
                match known.map(|known| (known.samples, known.sum)) {
                    None => drop(missing.insert(*number, (index, *place))),
                    Some(known) if known == (place.samples, place.sum) => {}
                    Some(_) => {
                        let source = TrainingDataError::Contradiction { number: *number };
                        return Err((other.path.clone(), source));
                    }
                }
            }
        }
        let mut bytes = Vec::new();
        for (number, (index, place)) in missing {
            let other = &mut others[index];
            let read = other.read_game(place, &mut bytes);
            read.map_err(|error| (other.path.clone(), error.into()))?;
            let added = self.append(number, &bytes, place);
            added.map_err(|error| (self.path.clone(), error.into()))?;
        }
        Ok(())
    }

    fn read_game(&mut self, place: GameSpan, bytes: &mut Vec<u8>) -> io::Result<()> {
        bytes.resize(place.bytes() as usize, 0);
        self.file.seek(SeekFrom::Start(place.start))?;
        self.file.read_exact(bytes)
    }
}

/// The head of a file, as far as it is there.
fn read_head(file: &File) -> io::Result<Vec<u8>> {
    let mut begun = Vec::new();
    file.take(HEAD_BYTES as u64).read_to_end(&mut begun)?;
    Ok(begun)
}

/// Fills the buffer; `false` where the input ends before.
fn read_whole(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match reader.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}
