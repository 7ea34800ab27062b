//! Training data: a file of positions with what a search thought of them and how the game ended.
//!
//! Everything is in records of [`RECORD`] bytes, so that a trainer can map the file as one array.
//! The first [`HEAD`] records are text that says how the games were played. Then come the games: a
//! record for each position and one that seals the game with its number and a checksum. What
//! follows the last seal was cut off in the middle and is thrown away when the file is opened
//! again; a file that is damaged before it is refused.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::contents::contents;
use crate::games::TixTax;
use crate::rules::{Game, Outcome, Value};
use crate::search::Points;

/// Bytes of a record.
pub const RECORD: usize = 24;
/// Records that the text at the head takes.
pub const HEAD: usize = 8;
/// No small board has this number: the record is a seal.
const SEAL: u16 = u16::MAX;
const FORMAT: &str = "zermelo-samples 1";

/// A position of a game, seen by the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    /// What is on the small boards, the mover's stones counted once and the others twice.
    pub boards: [u16; 9],
    /// The board to play in, 9 where the choice is free.
    pub forced: u8,
    /// What the search thought of it.
    pub points: Points,
    /// Stones on the board.
    pub stones: u8,
}

impl Sample {
    /// The sample of a position with the score of a search.
    #[must_use]
    pub fn new(pos: &TixTax, points: Points) -> Self {
        let [own, other] = [pos.side(), pos.side().other()];
        let board = |board| contents(pos.stones(own, board), pos.stones(other, board));
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
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity((self.samples.len() + 1) * RECORD);
        for (pos, points) in &self.samples {
            let result = match self.outcome.value_for(pos.side()) {
                Value::Loss => -1,
                Value::Draw => 0,
                Value::Win => 1,
            };
            Sample::new(pos, *points).write(result, &mut bytes);
        }
        let sum = u64::from(crc32fast::hash(&bytes));
        bytes.extend(SEAL.to_le_bytes());
        bytes.extend((self.samples.len() as u16).to_le_bytes());
        bytes.extend(self.number.to_le_bytes());
        bytes.extend(sum.to_le_bytes());
        bytes.resize((self.samples.len() + 1) * RECORD, 0);
        bytes
    }
}

/// Why a file of samples cannot be gone on with.
#[derive(Debug, thiserror::Error)]
pub enum SamplesError {
    /// It cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is something else.
    #[error("it is no file of samples: it does not begin with \"{FORMAT}\"")]
    Foreign,
    /// Its games were played in another way.
    #[error("its games were played with \"{found}\", now \"{wanted}\" is asked for")]
    Different {
        /// What its head says.
        found: String,
        /// What it would have to say.
        wanted: String,
    },
    /// The checksum of a game does not fit.
    #[error("it is damaged: the checksum of the game that ends at byte {end} does not fit")]
    Damaged {
        /// Where the game ends.
        end: u64,
    },
}

/// A file that games are added to.
#[derive(Debug)]
pub struct SampleFile {
    file: File,
    done: HashSet<u64>,
    samples: u64,
}

impl SampleFile {
    /// Opens a file, or begins it. `made_by` says in words how its games are played; a file whose
    /// games were played otherwise is refused.
    ///
    /// # Errors
    /// When the file cannot be read and written, or is another one.
    pub fn open(path: &Path, made_by: &str) -> Result<Self, SamplesError> {
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        let mut this = Self { file: file.try_clone()?, done: HashSet::new(), samples: 0 };
        let wanted = format!("{FORMAT} {made_by}");
        let mut head = wanted.clone().into_bytes();
        head.resize(HEAD * RECORD, b' ');
        let mut reader = BufReader::with_capacity(1 << 20, &file);
        let mut begun = Vec::new();
        reader.by_ref().take(head.len() as u64).read_to_end(&mut begun)?;
        if begun.len() < head.len() && head.starts_with(&begun) {
            file.set_len(0)?;
            file.rewind()?;
            file.write_all(&head)?;
            return Ok(this);
        }
        let found = String::from_utf8_lossy(&begun).trim_end().to_owned();
        if !found.starts_with(FORMAT) {
            return Err(SamplesError::Foreign);
        }
        if found != wanted {
            return Err(SamplesError::Different { found, wanted });
        }
        let whole = this.count_games(reader)?;
        this.file.set_len(whole)?;
        this.file.seek(SeekFrom::End(0))?;
        Ok(this)
    }

    /// Notes the games that are there; returns where the last whole one ends.
    fn count_games(&mut self, mut reader: impl Read) -> Result<u64, SamplesError> {
        let mut whole = (HEAD * RECORD) as u64;
        let (mut game, mut record) = (Vec::new(), [0; RECORD]);
        while read_whole(&mut reader, &mut record)? {
            if record[..2] != SEAL.to_le_bytes() {
                game.extend(record);
                continue;
            }
            if record[12..20] != u64::from(crc32fast::hash(&game)).to_le_bytes() {
                let end = whole + (game.len() + RECORD) as u64;
                return Err(SamplesError::Damaged { end });
            }
            let number =
                record[4..12].iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte));
            self.done.insert(number);
            self.samples += (game.len() / RECORD) as u64;
            whole += (game.len() + RECORD) as u64;
            game.clear();
        }
        Ok(whole)
    }

    /// Whether a game is there already.
    #[must_use]
    pub fn has(&self, number: u64) -> bool {
        self.done.contains(&number)
    }

    /// How many games are there.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.done.len() as u64
    }

    /// How many positions are there.
    #[must_use]
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// Adds a game.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&mut self, game: &PlayedGame) -> io::Result<()> {
        self.file.write_all(&game.to_bytes())?;
        self.done.insert(game.number);
        self.samples += game.samples.len() as u64;
        Ok(())
    }
}

/// Fills the buffer; `false` where the input ends before.
fn read_whole(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match reader.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}
