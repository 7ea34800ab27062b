//! Training data files: positions with their search scores and the results of their games.
//!
//! Everything is in records of [`RECORD_SIZE`] bytes, so that a trainer can map the file as one
//! array. The first [`HEADER_RECORDS`] records are a text header with the settings of the games. Each
//! game is one record per position and a seal with its number and checksum. An incomplete game after
//! the last seal is left by an interrupted run and removed on resuming; any other corruption is an
//! error.
//!
//! | bytes | position | seal |
//! |---|---|---|
//! | 0–1 | code of board 1; the others follow in 2–17 | 65535 |
//! | 2–3 | | number of positions of the game |
//! | 4–11 | | number of the game |
//! | 12–19 | | CRC-32 of the positions and of bytes 0–11 of the seal |
//! | 18 | board to play in, 9 for any | |
//! | 19 | result for the side to move: −1, 0, 1 | |
//! | 20–21 | score of the search, in points | 0 |
//! | 22 | stones on the board | 0 |
//!
//! Numbers are little-endian; all other bytes are 0.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::board_code::{board_code, cells_of_code};
use crate::files::{self, BackgroundFlush, RunLock};
use crate::games::tixtax::{Rule, Ultimate};
use crate::rules::{FenError, Game, Outcome, Side, Value};
use crate::search::Points;

/// Size of a record in bytes.
pub const RECORD_SIZE: usize = 24;
/// Number of records in the text header.
pub const HEADER_RECORDS: usize = 8;
const HEADER_BYTES: usize = HEADER_RECORDS * RECORD_SIZE;
/// Marks a seal, in place of the code of board 1.
const SEAL: u16 = u16::MAX;
const FORMAT: &str = "zermelo-samples 2";
/// Maximum number of positions of a game.
const MAX_POSITIONS: usize = 81;
/// The bytes of the checksum in a seal.
const CHECKSUM: Range<usize> = 12..20;

/// A position of a game, from the point of view of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrainingSample {
    /// The codes of the small boards; digit 1 is the side to move.
    pub boards: [u16; 9],
    /// The board to play in; 9 if the choice is free.
    pub forced: u8,
    /// The score of the search.
    pub points: Points,
    pub stones: u8,
}

impl TrainingSample {
    /// Creates the sample of a position with its search score.
    #[must_use]
    pub fn new<R: Rule>(pos: &Ultimate<R>, points: Points) -> Self {
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

    /// The stones of the side to move and of the opponent on each small board.
    #[must_use]
    pub fn cells(&self) -> [[u16; 2]; 9] {
        self.boards.map(cells_of_code)
    }

    /// The position. The first player is to move if the number of stones is even.
    ///
    /// # Errors
    /// Fails if no game has such a position.
    pub fn position<R: Rule>(&self) -> Result<Ultimate<R>, FenError> {
        let mover = if self.stones.is_multiple_of(2) { Side::P1 } else { Side::P2 };
        let mut stones = [[0; 9]; 2];
        for (board, [own, other]) in self.cells().into_iter().enumerate() {
            stones[mover.index()][board] = own;
            stones[mover.other().index()][board] = other;
        }
        let forced = usize::from(self.forced);
        Ultimate::from_stones(stones, mover, (forced < 9).then_some(forced))
    }

    /// Reads a record that is not a seal, with its result.
    fn read(bytes: &[u8]) -> (Self, i8) {
        let number = |start: usize| u16::from_le_bytes([bytes[start], bytes[start + 1]]);
        let boards = std::array::from_fn(|board| number(2 * board));
        let points = Points::from(number(20) as i16);
        (Self { boards, forced: bytes[18], points, stones: bytes[22] }, bytes[19] as i8)
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

/// A game played to its end, or until its value was proven.
#[derive(Debug, Clone)]
pub struct PlayedGame<R: Rule> {
    /// Its number, which determines the game together with the settings.
    pub number: u64,
    /// Its positions in order, with scores for the side to move.
    pub samples: Vec<(Ultimate<R>, Points)>,
    pub outcome: Outcome,
}

impl<R: Rule> PlayedGame<R> {
    /// Returns the records of the game and their checksum.
    fn to_bytes(&self) -> (Vec<u8>, u32) {
        let mut bytes = Vec::with_capacity((self.samples.len() + 1) * RECORD_SIZE);
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
        let checksum = crc32fast::hash(&bytes);
        bytes.extend(u64::from(checksum).to_le_bytes());
        bytes.resize((self.samples.len() + 1) * RECORD_SIZE, 0);
        (bytes, checksum)
    }
}

/// Why a training data file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TrainingDataError {
    /// The file cannot be opened.
    #[error(transparent)]
    Open(io::Error),
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("not a training data file: it does not start with \"{FORMAT}\"")]
    WrongFormat,
    #[error("its games were played with {found:?}, expected {wanted:?}")]
    SettingsMismatch {
        /// The settings in its header.
        found: String,
        /// The settings of this run.
        wanted: String,
    },
    #[error("game {number} differs from the one in an earlier file")]
    ConflictingGame { number: u64 },
    #[error("corrupt: checksum mismatch in the game that ends at byte {end}")]
    ChecksumMismatch { end: u64 },
    /// More data than a game follows the last complete one.
    #[error("corrupt: no complete game after byte {end}")]
    MissingSeal {
        /// The end of the last complete game.
        end: u64,
    },
    #[error("corrupt: duplicate game {number}, its second copy ends at byte {end}")]
    DuplicateGame {
        number: u64,
        /// The end of the second copy.
        end: u64,
    },
    #[error("another run is adding games to it")]
    Locked,
}

/// A training data file, open for reading or for adding games.
#[derive(Debug)]
pub struct TrainingFile {
    path: PathBuf,
    file: File,
    /// Unless it is only read.
    _lock: Option<RunLock>,
    settings: String,
    games: BTreeMap<u64, GameSpan>,
    /// The end of the last complete game.
    complete: u64,
    /// Flushes games to the disk, once there are any.
    flush: Option<BackgroundFlush>,
}

/// The part of a file that a game takes.
#[derive(Debug, Clone, Copy)]
struct GameSpan {
    start: u64,
    samples: u64,
    checksum: u32,
}

impl GameSpan {
    /// The size of its positions and its seal.
    fn size(self) -> u64 {
        (self.samples + 1) * RECORD_SIZE as u64
    }
}

impl TrainingFile {
    /// Opens a file for adding games, creating it if it does not exist. `settings` describes how the
    /// games are played.
    ///
    /// # Errors
    /// Fails if the file cannot be read and written, is corrupt or locked, or has games of other
    /// settings.
    pub fn open(path: &Path, settings: &str) -> Result<Self, TrainingDataError> {
        let mut file = files::open_for_resume(path).map_err(TrainingDataError::Open)?;
        let _lock = RunLock::acquire(path, &file).map_err(TrainingDataError::Open)?;
        if _lock.is_none() {
            return Err(TrainingDataError::Locked);
        }
        let mut header = format!("{FORMAT} {settings}").into_bytes();
        header.resize(HEADER_BYTES, b' ');
        let present = read_header(&file)?;
        if present.len() < header.len() && header.starts_with(&present) {
            file.set_len(0)?;
            file.rewind()?;
            file.write_all(&header)?;
            file.sync_all()?;
            files::sync_folder(path);
            return Ok(Self { _lock, ..Self::empty(path, file, settings) });
        }
        let found = settings_in(&present)?;
        if found != settings {
            let wanted = settings.to_owned();
            return Err(TrainingDataError::SettingsMismatch { found, wanted });
        }
        let mut this = Self { _lock, ..Self::empty(path, file, settings) };
        this.find_games()?;
        this.file.set_len(this.complete)?;
        this.file.seek(SeekFrom::End(0))?;
        Ok(this)
    }

    /// Opens a file for reading; `None` if its header is incomplete.
    ///
    /// # Errors
    /// Fails if the file cannot be read, is not a training data file or is corrupt.
    pub fn read(path: &Path) -> Result<Option<Self>, TrainingDataError> {
        let file = files::open_regular_file(path, OpenOptions::new().read(true))
            .map_err(TrainingDataError::Open)?;
        let present = read_header(&file)?;
        let length = present.len().min(FORMAT.len());
        if present[..length] != FORMAT.as_bytes()[..length] {
            return Err(TrainingDataError::WrongFormat);
        }
        if present.len() < HEADER_BYTES {
            return Ok(None);
        }
        let mut this = Self::empty(path, file, &settings_in(&present)?);
        this.find_games()?;
        Ok(Some(this))
    }

    /// A training data file without games.
    fn empty(path: &Path, file: File, settings: &str) -> Self {
        let (path, settings) = (path.to_owned(), settings.to_owned());
        let complete = HEADER_BYTES as u64;
        Self { path, file, _lock: None, settings, games: BTreeMap::new(), complete, flush: None }
    }

    /// Finds the complete games after the header.
    fn find_games(&mut self) -> Result<(), TrainingDataError> {
        self.file.seek(SeekFrom::Start(self.complete))?;
        let mut reader = BufReader::with_capacity(1 << 20, &self.file);
        let (mut game, mut record) = (Vec::new(), [0; RECORD_SIZE]);
        while fill_buffer(&mut reader, &mut record)? {
            let samples = game.len() / RECORD_SIZE;
            if record[..2] != SEAL.to_le_bytes() {
                if samples == MAX_POSITIONS {
                    return Err(TrainingDataError::MissingSeal { end: self.complete });
                }
                game.extend(record);
                continue;
            }
            game.extend(&record[..CHECKSUM.start]);
            let (start, checksum) = (self.complete, crc32fast::hash(&game));
            let span = GameSpan { start, samples: samples as u64, checksum };
            self.complete += span.size();
            let end = self.complete;
            let [count, number, sealed_checksum] = [2..4, 4..12, CHECKSUM].map(|bytes| {
                record[bytes].iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
            });
            if (count, sealed_checksum) != (span.samples, span.checksum.into()) {
                return Err(TrainingDataError::ChecksumMismatch { end });
            }
            if self.games.insert(number, span).is_some() {
                return Err(TrainingDataError::DuplicateGame { number, end });
            }
            game.clear();
        }
        Ok(())
    }

    /// Whether the file ends within a game, as an interrupted run leaves it.
    ///
    /// # Errors
    /// Fails if the system does not tell the size of the file.
    pub fn is_cut_off(&self) -> io::Result<bool> {
        Ok(self.file.metadata()?.len() > self.complete)
    }

    #[must_use]
    pub fn settings(&self) -> &str {
        &self.settings
    }

    #[must_use]
    pub fn contains(&self, number: u64) -> bool {
        self.games.contains_key(&number)
    }

    /// Returns the number of games in a range of numbers, and of their positions.
    #[must_use]
    pub fn count_games_and_positions(&self, numbers: Range<u64>) -> (u64, u64) {
        let samples = self.games.range(numbers).map(|(_, span)| span.samples);
        samples.fold((0, 0), |(games, sum), samples| (games + 1, sum + samples))
    }

    /// Adds a game, and has it flushed to the disk in the background.
    ///
    /// # Errors
    /// Fails if it cannot be written, or an earlier flush failed.
    pub fn add<R: Rule>(&mut self, game: &PlayedGame<R>) -> io::Result<()> {
        let (bytes, checksum) = game.to_bytes();
        let samples = game.samples.len() as u64;
        self.append(game.number, &bytes, GameSpan { start: self.complete, samples, checksum })?;
        if self.flush.is_none() {
            self.flush = Some(BackgroundFlush::start(self.file.try_clone()?));
        }
        self.flush.as_ref().map_or(Ok(()), BackgroundFlush::request)
    }

    /// Waits until all games are on the disk.
    ///
    /// # Errors
    /// Fails if they cannot be written there.
    pub fn finish(&mut self) -> io::Result<()> {
        self.flush.take().map_or(Ok(()), BackgroundFlush::finish)?;
        self.file.sync_data()
    }

    fn append(&mut self, number: u64, bytes: &[u8], span: GameSpan) -> io::Result<()> {
        if let Err(error) = self.file.write_all(bytes) {
            // Remove the partial game: nothing after it could be read.
            self.file.set_len(self.complete)?;
            self.file.seek(SeekFrom::End(0))?;
            return Err(error);
        }
        self.games.insert(number, GameSpan { start: self.complete, ..span });
        self.complete += span.size();
        Ok(())
    }

    /// Adds the missing games of other files, in the order of their numbers.
    ///
    /// # Errors
    /// Fails if a file cannot be read or written, or one of its games differs from the game with the
    /// same number in an earlier file; the error names the file.
    pub fn add_all(&mut self, others: &mut [Self]) -> Result<(), (PathBuf, TrainingDataError)> {
        let mut missing: BTreeMap<u64, (usize, GameSpan)> = BTreeMap::new();
        for (index, other) in others.iter().enumerate() {
            for (number, span) in &other.games {
                let known = self.games.get(number).or(missing.get(number).map(|(_, known)| known));
                match known.map(|known| (known.samples, known.checksum)) {
                    None => drop(missing.insert(*number, (index, *span))),
                    Some(known) if known == (span.samples, span.checksum) => {}
                    Some(_) => {
                        let source = TrainingDataError::ConflictingGame { number: *number };
                        return Err((other.path.clone(), source));
                    }
                }
            }
        }
        let mut bytes = Vec::new();
        for (number, (index, span)) in missing {
            let other = &mut others[index];
            let read = other.read_game(span, &mut bytes);
            read.map_err(|error| (other.path.clone(), error.into()))?;
            let added = self.append(number, &bytes, span);
            added.map_err(|error| (self.path.clone(), error.into()))?;
        }
        Ok(())
    }

    /// Visits the positions of all games in the order of their numbers, each with the number of its game and the
    /// result for the side to move.
    ///
    /// # Errors
    /// Fails if the file cannot be read.
    pub fn for_each_sample(
        &mut self,
        visit: &mut dyn FnMut(u64, &TrainingSample, i8),
    ) -> io::Result<()> {
        let mut bytes = Vec::new();
        for (number, span) in self.games.clone() {
            self.read_game(span, &mut bytes)?;
            for record in bytes.chunks_exact(RECORD_SIZE).take(span.samples as usize) {
                let (sample, result) = TrainingSample::read(record);
                visit(number, &sample, result);
            }
        }
        Ok(())
    }

    fn read_game(&mut self, span: GameSpan, bytes: &mut Vec<u8>) -> io::Result<()> {
        bytes.resize(span.size() as usize, 0);
        self.file.seek(SeekFrom::Start(span.start))?;
        self.file.read_exact(bytes)
    }
}

/// Returns the header of a file, as much of it as there is.
fn read_header(file: &File) -> io::Result<Vec<u8>> {
    let mut present = Vec::new();
    file.take(HEADER_BYTES as u64).read_to_end(&mut present)?;
    Ok(present)
}

/// Returns the settings in a header, which is padded with spaces only.
fn settings_in(header: &[u8]) -> Result<String, TrainingDataError> {
    let settings = header.strip_prefix(FORMAT.as_bytes()).and_then(|rest| rest.strip_prefix(b" "));
    let settings = String::from_utf8_lossy(settings.ok_or(TrainingDataError::WrongFormat)?);
    Ok(settings.trim_end_matches(' ').to_owned())
}

/// Fills the buffer; `false` if the input ends first.
fn fill_buffer(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match reader.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::tixtax::{ClosedRule, CountRule};
    use crate::rules::SplitMix;

    /// A sample of each position of random games has that position.
    fn check_positions<R: Rule>() {
        let mut random = SplitMix::new(1);
        for _ in 0..50 {
            let mut pos = Ultimate::<R>::start();
            while pos.outcome().is_none() {
                assert_eq!(TrainingSample::new(&pos, 0).position::<R>().unwrap(), pos, "{pos}");
                pos.play_unchecked(pos.random_move(&mut random));
            }
        }
    }

    #[test]
    fn a_sample_has_the_position_it_was_made_from() {
        check_positions::<ClosedRule>();
        check_positions::<CountRule>();
        let start = TrainingSample::new(&Ultimate::<ClosedRule>::start(), 0);
        let lost = TrainingSample { forced: 4, ..start };
        let error = lost.position::<ClosedRule>().unwrap_err().to_string();
        assert!(error.contains("no stone sends to board 5"), "{error}");
    }
}
