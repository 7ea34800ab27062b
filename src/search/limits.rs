//! What a search is asked to do, and when it has to end.

use std::time::Duration;

use super::{ProvenValue, TimeBudget};
use crate::rules::{Game, Record, Side};

/// When to stop; all that are set hold together, the first one reached ends the search.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limits {
    /// Plies to look ahead.
    pub depth: Option<u32>,
    /// Positions to visit; playouts for [`Mcts`](super::Mcts).
    pub nodes: Option<u64>,
    /// A proven win within this many plies is enough.
    pub win_within: Option<u32>,
    /// Time to spend.
    pub budget: TimeBudget,
}

impl Limits {
    /// How many plies there are to look ahead; as many as a win may take, where that is asked for.
    pub(super) fn plies(&self) -> Option<u32> {
        [self.depth, self.win_within].into_iter().flatten().min()
    }

    /// Whether what is proven is a win, and a short one where that is asked for.
    pub(super) fn is_win_enough(&self, proven: Option<ProvenValue>) -> bool {
        let is_short = |plies| self.win_within.is_none_or(|within| u32::from(plies) <= within);
        matches!(proven, Some(ProvenValue::Win(count)) if is_short(count.plies()))
    }
}

/// A player's clock as the client tells it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PlayerClock {
    /// Time left.
    pub left: Duration,
    /// Time gained with each move.
    pub increment: Duration,
    /// Moves until the clock is set again.
    pub moves_to_go: Option<u32>,
}

/// One search to be done.
#[derive(Debug, Clone)]
pub struct SearchTask<G: Game> {
    /// The game so far; it is not over.
    pub record: Record<G>,
    /// The legal moves to choose from; at least one.
    pub moves: Vec<G::Move>,
    /// When to stop.
    pub limits: Limits,
    /// How many best moves to tell about, each with its line.
    pub multi_pv: usize,
    /// How many threads may work.
    pub threads: usize,
    /// Where random choices begin.
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

    /// The position to search.
    #[must_use]
    pub fn position(&self) -> &G {
        self.record.position()
    }

    /// The side to move.
    #[must_use]
    pub fn side(&self) -> Side {
        self.position().side()
    }

    /// How many lines can be told.
    #[must_use]
    pub fn line_count(&self) -> usize {
        self.multi_pv.clamp(1, self.moves.len())
    }

    /// A seed that belongs to this position in this game: the same position searched again gets
    /// the same random choices, whatever was searched before.
    #[must_use]
    pub fn position_seed(&self) -> u64 {
        let moves = self.record.moves().len() as u64;
        crate::rules::random::mix64(self.seed ^ self.position().key().wrapping_add(moves))
    }

    /// Repetition keys of the game so far that occurred twice: once more is a draw.
    pub(super) fn twice_seen(&self) -> Vec<u64> {
        let keys = self.record.keys();
        let twice = |key: &&u64| keys.iter().filter(|other| other == key).count() >= 2;
        keys.iter().filter(twice).copied().collect()
    }
}
