//! A question about a position and its answer.

use std::time::Duration;

use super::settings::{SKILL_MAX, SearcherChoice, Settings};
use crate::rules::Notation;
use crate::search::{Handicap, Limits, SearchReport, TimeBudget};

/// The answer to a [`Question`], with moves as text: exact if the game is solved, proven where a
/// proof was found, estimated elsewhere. Without lines the game is over.
pub type Report = SearchReport<String>;

/// What to find out about a position, and with how much work.
#[derive(Debug, Clone)]
pub struct Question {
    /// The candidate moves; all legal ones if there are none.
    pub moves: Vec<String>,
    /// When to stop.
    pub limits: Limits,
    /// How many of the best moves to report, each with its line. An assessment reports all moves, and
    /// completes the lines of all proven ones if this is more than 1.
    pub lines: usize,
    /// Maximum number of threads.
    pub threads: usize,
    /// The random seed.
    pub seed: u64,
    /// The limited strength of the answer; `None` for full strength.
    pub handicap: Option<Handicap>,
    /// The searcher that answers.
    pub searcher: SearcherChoice,
    /// The notation of the answer.
    pub notation: Notation,
    /// Whether to assess every legal move: to prove what can be proven first, and to search only the
    /// rest. Proofs are kept for other positions of the game.
    pub assesses_all: bool,
    /// A move to assess as thoroughly as the best one.
    pub played: Option<String>,
}

impl Question {
    /// The level of full strength.
    pub const MAX_SKILL: u32 = SKILL_MAX;

    /// Asks for the best move at full strength.
    #[must_use]
    pub fn full_strength(time: Duration) -> Self {
        Self::at_level(Self::MAX_SKILL, 0, time)
    }

    /// Asks for a move at a level, as in the option `Skill Level`. The seed decides its mistakes.
    #[must_use]
    pub fn at_level(level: u32, seed: u64, time: Duration) -> Self {
        let settings = Settings { skill: level, seed, ..Settings::default() };
        let limits = Limits { budget: TimeBudget::fixed(time), ..Limits::default() };
        Self { limits, ..settings.question() }
    }

    /// Asks for an assessment of every legal move within limits of nodes and time.
    #[must_use]
    pub fn all_moves(nodes: Option<u64>, time: Option<Duration>, threads: usize) -> Self {
        let budget = time.map_or_else(TimeBudget::default, TimeBudget::fixed);
        let limits = Limits { nodes, budget, ..Limits::default() };
        let settings = Settings { threads, ..Settings::default() };
        Self { limits, assesses_all: true, ..settings.question() }
    }
}

impl Settings {
    /// A question about all legal moves, without limits.
    pub(crate) fn question(&self) -> Question {
        Question {
            moves: Vec::new(),
            limits: Limits::default(),
            lines: self.multi_pv,
            threads: self.threads,
            seed: self.seed,
            handicap: self.handicap(),
            searcher: self.searcher,
            notation: self.notation(),
            assesses_all: false,
            played: None,
        }
    }
}
