//! The openings of a tournament.

use std::path::PathBuf;

use super::referee::{Opening, Rules};
use super::setup::{OpeningSetup, Order, TournamentSetup};
use crate::engine::EngineError;
use crate::engine::openings::OpeningRequest;
use crate::protocol::Setup;
use crate::rules::SplitMix;

/// Openings, in the order they are played; after the last comes the first again.
#[derive(Debug, Clone, Default)]
pub struct Book {
    lines: Vec<String>,
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
        source: std::io::Error,
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

impl Book {
    /// The openings a setup asks for, all of them checked as far as the game is known. At most
    /// `wanted` are made.
    ///
    /// # Errors
    /// When there are none, or one makes no sense.
    pub fn open(setup: &TournamentSetup, rules: Rules, wanted: u64) -> Result<Self, BookError> {
        /// More are not made: a tournament of so many games has seen them all.
        const MOST: u64 = 100_000;
        match (&setup.openings, rules) {
            (OpeningSetup::Start, _) => Ok(Self { lines: vec!["startpos".to_owned()] }),
            (OpeningSetup::File { path, order, start, plies }, _) => {
                let mut lines = read_file(path, rules, *plies)?;
                if *order == Order::Random {
                    SplitMix::new(setup.seed).shuffle(&mut lines);
                }
                let first = (start - 1) % lines.len();
                lines.rotate_left(first);
                Ok(Self { lines })
            }
            (OpeningSetup::Random { .. }, Rules::Asked) => {
                let reason = "random openings of a game that only the engines know cannot be made, \
                              expected file=FILE";
                Err(BookError::Empty(reason.to_owned()))
            }
            (OpeningSetup::Random { plies, balanced }, Rules::Known(entry)) => {
                let count = wanted.clamp(1, MOST) as usize;
                let request = OpeningRequest {
                    count,
                    plies: Some(*plies),
                    seed: setup.seed,
                    balanced: *balanced,
                };
                let lines = entry.open().openings(&request)?.fens;
                if lines.is_empty() {
                    return Err(BookError::Empty(format!(
                        "{} has no such openings of {plies} plies, expected another random=PLIES",
                        entry.id
                    )));
                }
                Ok(Self { lines })
            }
        }
    }

    /// How many different ones there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.lines.len()
    }

    /// The opening of a number, from 0.
    #[must_use]
    pub fn line(&self, number: u32) -> &str {
        &self.lines[number as usize % self.lines.len()]
    }
}

fn read_file(path: &str, rules: Rules, plies: Option<usize>) -> Result<Vec<String>, BookError> {
    let at = || PathBuf::from(path);
    let bytes = std::fs::read(path).map_err(|source| BookError::Io { path: at(), source })?;
    let text = String::from_utf8_lossy(&bytes);
    let mut lines = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let opening = Opening::of_line(line);
        let moves: Vec<&str> =
            opening.moves.split_whitespace().take(plies.unwrap_or(usize::MAX)).collect();
        if let Rules::Known(entry) = rules {
            let mut desk = entry.open();
            let setup = match opening.position {
                "startpos" => Setup::Start,
                fen => Setup::Fen(fen),
            };
            desk.set_up(&setup, &moves).map_err(|source| BookError::Line {
                path: at(),
                line: number + 1,
                source,
            })?;
            if desk.outcome().is_some() {
                return Err(BookError::Over { path: at(), line: number + 1 });
            }
        }
        let moves =
            if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        lines.push(format!("{}{moves}", opening.position));
    }
    if lines.is_empty() {
        return Err(BookError::Empty(format!("no openings in {path}, expected one FEN a line")));
    }
    Ok(lines)
}
