//! The result of a search, also used for its progress.

use std::time::Duration;

use super::{ProvenValue, Score, WinDrawLoss};

/// The state of a running search, or its result.
#[derive(Debug, Clone)]
pub struct SearchReport<M> {
    /// The last completed depth in plies.
    pub depth: u32,
    /// The deepest ply reached.
    pub selective_depth: u32,
    /// The best lines, best first.
    pub lines: Vec<PvLine<M>>,
    /// The value of the position, if the search proved it over all candidate moves, including those
    /// without a reported line.
    pub proven: Option<ProvenValue>,
    /// Nodes searched; playouts for Monte-Carlo tree search.
    pub nodes: u64,
    /// Time since the start.
    pub time: Duration,
    /// How full the table is, in permille.
    pub hash_full: u16,
}

/// A line of play and its score.
#[derive(Debug, Clone)]
pub struct PvLine<M> {
    /// The score for the side to move.
    pub score: Score,
    /// The moves; never empty.
    pub moves: Vec<M>,
    /// The draw probability as a fraction of the highest one that the score allows, from 0 to 1; see
    /// [`Score::win_draw_loss`].
    pub draw_share: f32,
}

impl<M> PvLine<M> {
    /// Returns the probabilities of the results for the side to move.
    #[must_use]
    pub fn win_draw_loss(&self) -> WinDrawLoss {
        self.score.win_draw_loss(self.draw_share)
    }
}

impl<M: Copy> SearchReport<M> {
    /// The chosen move.
    #[must_use]
    pub fn best_move(&self) -> Option<M> {
        self.lines.first()?.moves.first().copied()
    }

    /// The expected reply, to ponder on.
    #[must_use]
    pub fn ponder_move(&self) -> Option<M> {
        self.lines.first()?.moves.get(1).copied()
    }
}
