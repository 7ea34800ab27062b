//! The task of a search and the limits that end it.

use super::TimeBudget;
use crate::rules::random::mix64;
use crate::rules::{ExactValue, Game, Record, Side};

/// When to stop: the first limit reached ends the search.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limits {
    /// Maximum depth in plies.
    pub depth: Option<u32>,
    /// Maximum number of nodes; playouts for [`Mcts`](super::Mcts).
    pub nodes: Option<u64>,
    /// Mate search: stops at a proven win within this many plies.
    pub win_within: Option<u32>,
    pub budget: TimeBudget,
}

impl Limits {
    /// The maximum depth. A mate search is also limited to the plies of the requested win.
    pub(super) fn max_depth(&self) -> Option<u32> {
        [self.depth, self.win_within].into_iter().flatten().min()
    }

    /// Whether a proof is a win, and short enough in a mate search.
    pub(super) fn is_sufficient_win(&self, proven: Option<ExactValue>) -> bool {
        let is_short = |plies| self.win_within.is_none_or(|within| u32::from(plies) <= within);
        matches!(proven, Some(ExactValue::Win(plies)) if is_short(plies))
    }
}

#[derive(Debug, Clone)]
pub struct SearchTask<G: Game> {
    /// The game so far; it is not over.
    pub record: Record<G>,
    /// The legal moves to choose from; at least one.
    pub moves: Vec<G::Move>,
    /// When to stop.
    pub limits: Limits,
    /// How many of the best moves to report, each with its line.
    pub multi_pv: usize,
    /// Maximum number of threads.
    pub threads: usize,
    pub seed: u64,
}

impl<G: Game> SearchTask<G> {
    /// Searches all legal moves of the record's position without limits: one line, one thread,
    /// seed 0. Struct update syntax sets the rest.
    #[must_use]
    pub fn new(record: Record<G>) -> Self {
        let moves = record.legal_moves();
        Self { record, moves, limits: Limits::default(), multi_pv: 1, threads: 1, seed: 0 }
    }

    #[must_use]
    pub fn position(&self) -> &G {
        self.record.position()
    }

    #[must_use]
    pub fn side(&self) -> Side {
        self.position().side()
    }

    /// The number of lines to report: `multi_pv`, limited by the number of moves.
    #[must_use]
    pub fn line_count(&self) -> usize {
        self.multi_pv.clamp(1, self.moves.len())
    }

    /// Returns a seed for this position of this game, so that searching it again makes the same
    /// random choices whatever was searched before.
    #[must_use]
    pub fn position_seed(&self) -> u64 {
        let moves = self.record.moves().len() as u64;
        mix64(self.seed ^ self.position().key().wrapping_add(moves))
    }

    /// Repetition keys of the game that occurred twice: the next occurrence is a draw.
    pub(super) fn twice_seen(&self) -> Vec<u64> {
        let keys = self.record.keys();
        let twice = |key: &&u64| keys.iter().filter(|other| other == key).count() >= 2;
        keys.iter().filter(twice).copied().collect()
    }
}
