//! The openings of a tournament. Imports the setup and the referee, and the openings that the
//! engine makes.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use super::referee::{GameState, Opening, RefereeBoard, Rules, STARTPOS};
use super::setup::{OpeningOrder, OpeningSetup, TournamentSetup};
use crate::engine::EngineError;
use crate::engine::openings::OpeningRequest;
use crate::engine::registry::GameEntry;
use crate::rules::SplitMix;

/// Openings, in the order they are played; after the last comes the first again.
#[derive(Debug)]
pub struct Book {
    shelf: Mutex<Shelf>,
}

/// The openings at hand.
#[derive(Debug)]
struct Shelf {
    lines: Vec<String>,
    /// Where more come from, as long as there are more.
    source: Option<Source>,
}

/// Random openings, made when they are needed: balanced ones take time.
#[derive(Debug, Clone, Copy)]
struct Source {
    game: &'static GameEntry,
    plies: usize,
    seed: u64,
    balanced: bool,
}

/// Why there are no openings.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The file cannot be read.
    #[error("cannot read the openings in {path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A line is no opening.
    #[error("{path}, line {line}: {source}")]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// Why.
        source: EngineError,
    },
    /// The game is over where a line ends.
    #[error("{path}, line {line}: the game is over there, expected an unfinished position")]
    Over {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// There is none.
    #[error("{0}")]
    Empty(String),
    /// They cannot be made.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// So many random openings are made at first, then twice as many each time.
const AT_FIRST: usize = 32;

/// A file of openings has fewer bytes than these.
const LONGEST: u64 = 1 << 28;

impl Book {
    /// The openings a setup asks for; those of a file are all checked as far as the game is known.
    ///
    /// # Errors
    /// When there are none, or one makes no sense.
    pub fn open(setup: &TournamentSetup, rules: Rules) -> Result<Self, BookError> {
        match (&setup.openings, rules) {
            (OpeningSetup::Start, _) => Ok(Self::of_lines(vec![STARTPOS.to_owned()])),
            (OpeningSetup::File { path, order, start, plies }, _) => {
                let mut lines = read_file(path, rules, *plies)?;
                if *order == OpeningOrder::Random {
                    SplitMix::new(setup.seed).shuffle(&mut lines);
                }
                let first = start.saturating_sub(1) % lines.len();
                lines.rotate_left(first);
                Ok(Self::of_lines(lines))
            }
            (OpeningSetup::Random { .. }, Rules::EngineDefined) => {
                let reason = "random openings of a game that only the engines know cannot be made, \
                              expected file=FILE";
                Err(BookError::Empty(reason.to_owned()))
            }
            (&OpeningSetup::Random { plies, balanced }, Rules::Known(game)) => {
                let source = Source { game, plies, balanced, seed: setup.seed };
                let shelf = source.make(AT_FIRST)?;
                if shelf.lines.is_empty() {
                    return Err(BookError::Empty(format!(
                        "{} has no such openings of {plies} plies, expected another random=PLIES",
                        game.id
                    )));
                }
                Ok(Self { shelf: Mutex::new(shelf) })
            }
        }
    }

    fn of_lines(lines: Vec<String>) -> Self {
        Self { shelf: Mutex::new(Shelf { lines, source: None }) }
    }

    /// The opening of a number, from 0.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn line(&self, number: u32) -> Result<String, EngineError> {
        let number = number as usize;
        let mut shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(source) = shelf.source
            && number >= shelf.lines.len()
        {
            // A longer list begins with the shorter one.
            *shelf = source.make(2 * shelf.lines.len())?;
        }
        let place = number % shelf.lines.len().max(1);
        Ok(shelf.lines.get(place).cloned().unwrap_or_default())
    }
}

impl Source {
    fn make(self, count: usize) -> Result<Shelf, EngineError> {
        let Self { game, plies, seed, balanced } = self;
        let request = OpeningRequest { count, plies: Some(plies), seed, balanced };
        let lines = game.openings(&request)?.fens;
        // Who gets fewer than were asked for has them all.
        let source = (lines.len() == count).then_some(self);
        Ok(Shelf { lines, source })
    }
}

/// All of a file; it need not be a plain one.
fn read_bytes(path: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    match File::open(path)?.take(LONGEST).read_to_end(&mut bytes)? as u64 {
        LONGEST => Err(io::Error::other("256 MiB or more, expected one FEN a line")),
        _ => Ok(bytes),
    }
}

fn read_file(path: &str, rules: Rules, plies: Option<usize>) -> Result<Vec<String>, BookError> {
    let at = || PathBuf::from(path);
    let bytes = read_bytes(path).map_err(|source| BookError::Io { path: at(), source })?;
    let text = String::from_utf8_lossy(&bytes);
    let mut lines = Vec::new();
    for (number, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let opening = Opening::parse(line);
        let moves: Vec<&str> =
            opening.moves.split_whitespace().take(plies.unwrap_or(usize::MAX)).collect();
        let moves = moves.join(" ");
        let opening = Opening { position: opening.position, moves: &moves };
        let line = number + 1;
        let board = RefereeBoard::new(rules, &opening).map_err(|source| BookError::Line {
            path: at(),
            line,
            source,
        })?;
        if matches!(board.state(), Some(GameState::Over(_))) {
            return Err(BookError::Over { path: at(), line });
        }
        lines.push(opening.to_string());
    }
    if lines.is_empty() {
        return Err(BookError::Empty(format!("no openings in {path}, expected one FEN a line")));
    }
    Ok(lines)
}
