//! Guides proof-number search by the static evaluation.

use super::{Calibration, Evaluator, POINTS_PER_TENFOLD_ODDS, Points};
use crate::rules::{Game, Value};
use crate::solve::ProofNumberHeuristic;

const LOGITS_PER_POINT: f32 = std::f32::consts::LN_10 / POINTS_PER_TENFOLD_ODDS as f32;

/// Orders proof-number search by the static evaluation.
#[derive(Debug, Clone)]
pub struct EvalHeuristic<E>(pub E);

impl<G: Game, E: Evaluator<G>> ProofNumberHeuristic<G> for EvalHeuristic<E> {
    fn reset(&mut self, pos: &G) {
        self.0.reset(pos);
    }

    fn make_move(&mut self, before: &G, mv: G::Move, after: &G) {
        self.0.make_move(before, mv, after);
    }

    fn undo_move(&mut self) {
        self.0.undo_move();
    }

    fn odds(&mut self, pos: &G, target: Value) -> f32 {
        let (points, draw_share) = self.0.evaluate_with_draw_share(pos);
        // Without a prediction no draws are assumed: a win is as likely as at least a draw.
        E::CALIBRATION.odds(points, draw_share.unwrap_or(0.0), target)
    }
}

impl Calibration {
    /// The estimated odds that the side to move reaches at least `target` under perfect play, from its
    /// score.
    fn odds(&self, points: Points, draw_share: f32, target: Value) -> f32 {
        let logit = points as f32 * (self.perfect_play_scale * LOGITS_PER_POINT);
        let mean = 1.0 / (1.0 + libm::expf(-logit));
        let half_draws = self.perfect_play_draws * draw_share * mean.min(1.0 - mean);
        let chance = if target == Value::Win { mean - half_draws } else { mean + half_draws };
        chance / (1.0 - chance)
    }
}
