//! The result of a search, also used for its progress.

use std::cmp::Reverse;
use std::time::Duration;

use super::{Calibration, EVAL_LIMIT, Score, WinDrawLoss};
use crate::rules::ExactValue;
use crate::solve::ValueBounds;

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
    pub proven: Option<ExactValue>,
    /// Nodes searched; playouts for Monte-Carlo tree search.
    pub nodes: u64,
    /// Time since the start.
    pub time: Duration,
    /// How full the table is, in permille.
    pub hash_full: u16,
}

impl<M> Default for SearchReport<M> {
    /// A report of nothing.
    fn default() -> Self {
        let (lines, time) = (Vec::new(), Duration::ZERO);
        Self { depth: 0, selective_depth: 0, lines, proven: None, nodes: 0, time, hash_full: 0 }
    }
}

/// A line of play and its score.
#[derive(Debug, Clone, PartialEq)]
pub struct PvLine<M> {
    /// The score for the side to move.
    pub score: Score,
    /// The moves; never empty.
    pub moves: Vec<M>,
    /// The draw probability as a fraction of the highest one that the score allows, from 0 to 1; see
    /// [`Score::win_draw_loss`].
    pub draw_share: f32,
    /// Proven bounds of the value for the side to move.
    pub bounds: ValueBounds,
    /// The depth of the search that estimated the score, in plies, where the lines of a report come
    /// from several searches.
    pub depth: Option<u32>,
}

impl<M> PvLine<M> {
    /// A line of which nothing is known but its score.
    #[must_use]
    pub fn new(score: Score, moves: Vec<M>) -> Self {
        let bounds =
            score.proven().map_or(ValueBounds::OPEN, |proven| ValueBounds::exactly(proven.value()));
        let draw_share = Calibration::UNINFORMED.draw_share;
        Self { score, moves, draw_share, bounds, depth: None }
    }

    /// The line with its moves converted.
    #[must_use]
    pub fn map_moves<N>(&self, convert: impl Fn(&M) -> N) -> PvLine<N> {
        PvLine {
            score: self.score,
            moves: self.moves.iter().map(convert).collect(),
            draw_share: self.draw_share,
            bounds: self.bounds,
            depth: self.depth,
        }
    }

    /// The line as if nothing of it were proven.
    #[must_use]
    pub fn into_estimate(self) -> Self {
        let points = self.score.points().clamp(-EVAL_LIMIT, EVAL_LIMIT);
        Self { score: Score::Estimate(points), bounds: ValueBounds::OPEN, ..self }
    }

    /// Sorts by score; a proof precedes an equal estimate.
    pub fn sort_best_first(lines: &mut [Self]) {
        lines.sort_by_key(|line| (Reverse(line.score.points()), line.score.proven().is_none()));
    }

    /// The first move of the line.
    #[must_use]
    pub fn mv(&self) -> &M {
        &self.moves[0]
    }

    /// Returns the probabilities of the results for the side to move.
    #[must_use]
    pub fn win_draw_loss(&self) -> WinDrawLoss {
        self.score.win_draw_loss(self.draw_share)
    }
}

impl<M: Clone> SearchReport<M> {
    /// The score of the position: that of the chosen move unless only the value of the position is proven, or
    /// that of the finished game.
    #[must_use]
    pub fn score(&self) -> Score {
        match (self.lines.first().map(|line| line.score), self.proven) {
            (Some(Score::Estimate(_)), Some(value)) => Score::by_line(value),
            (Some(score), _) => score,
            (None, Some(value)) => Score::Exact(value),
            (None, None) => Score::Estimate(0),
        }
    }

    /// The score of each reported move; the first one has that of the position.
    #[must_use]
    pub fn move_scores(&self) -> Vec<(M, Score)> {
        let scores =
            [self.score()].into_iter().chain(self.lines.iter().skip(1).map(|own| own.score));
        self.lines.iter().map(|line| line.mv().clone()).zip(scores).collect()
    }

    /// The report with its moves converted, for example to text.
    #[must_use]
    pub fn map_moves<N>(&self, convert: impl Fn(&M) -> N) -> SearchReport<N> {
        SearchReport {
            depth: self.depth,
            selective_depth: self.selective_depth,
            lines: self.lines.iter().map(|line| line.map_moves(&convert)).collect(),
            proven: self.proven,
            nodes: self.nodes,
            time: self.time,
            hash_full: self.hash_full,
        }
    }

    #[must_use]
    pub fn best_move(&self) -> Option<M> {
        self.lines.first()?.moves.first().cloned()
    }

    /// The expected reply, to ponder on.
    #[must_use]
    pub fn ponder_move(&self) -> Option<M> {
        self.lines.first()?.moves.get(1).cloned()
    }
}
