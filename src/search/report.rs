//! What a search has to say.

use std::time::Duration;

use super::{ProvenValue, Score, WinDrawLoss};

/// The state of a search, or its result.
#[derive(Debug, Clone)]
pub struct SearchReport<M> {
    /// Plies looked ahead to the end.
    pub depth: u32,
    /// Plies looked ahead at most.
    pub selective_depth: u32,
    /// The best lines, the best first.
    pub lines: Vec<PvLine<M>>,
    /// The value of the position, if it is proven: of all the moves to choose from, not only of
    /// those that are told about.
    pub proven: Option<ProvenValue>,
    /// Positions visited (playouts for Monte-Carlo search).
    pub nodes: u64,
    /// Time since the start.
    pub time: Duration,
    /// How full the memory is, in thousandths.
    pub hash_full: u16,
}

/// A line of play and its score.
#[derive(Debug, Clone)]
pub struct PvLine<M> {
    /// What the line is worth to the side to move.
    pub score: Score,
    /// The moves; never empty.
    pub moves: Vec<M>,
    /// How much of the room that the score leaves for draws they take, from 0 to 1; where nobody
    /// knows, the usual part.
    pub draw_share: Option<f32>,
}

impl<M> PvLine<M> {
    /// How likely each result is for the side to move.
    #[must_use]
    pub fn chances(&self) -> WinDrawLoss {
        self.score.chances(self.draw_share)
    }
}

impl<M: Copy> SearchReport<M> {
    /// The chosen move.
    #[must_use]
    pub fn best_move(&self) -> Option<M> {
        self.lines.first()?.moves.first().copied()
    }

    /// The reply that is expected.
    #[must_use]
    pub fn ponder_move(&self) -> Option<M> {
        self.lines.first()?.moves.get(1).copied()
    }
}
