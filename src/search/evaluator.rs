//! The hook through which searchers evaluate unfinished positions.

use super::Points;
use crate::rules::Game;

/// A static evaluation, which may keep incremental state.
///
/// A searcher calls [`Evaluator::reset`] with the root, [`Evaluator::make_move`] and
/// [`Evaluator::undo_move`] as it walks the tree, and [`Evaluator::evaluate`] with the current
/// position.
pub trait Evaluator<G: Game>: Clone + Send + 'static {
    /// How scores relate to results in this game.
    const CALIBRATION: Calibration;

    /// Whether the scores tell positions apart. If not, MCTS plays better than alpha-beta.
    const IS_INFORMED: bool = true;

    /// Starts from this position.
    fn reset(&mut self, pos: &G);

    /// Follows a move that led from one position to another.
    fn make_move(&mut self, before: &G, mv: G::Move, after: &G);

    /// Takes the last move back.
    fn undo_move(&mut self);

    /// Prefetches what [`Evaluator::evaluate`] will read in the position after a move.
    fn prefetch(&self, pos: &G, mv: G::Move) {
        let _ = (pos, mv);
    }

    /// Returns the score for the side to move, within ±[`EVAL_LIMIT`](super::EVAL_LIMIT).
    fn evaluate(&mut self, pos: &G) -> Points;

    /// Returns the score and, if the evaluation predicts it, the draw share: the probability of a draw
    /// as a fraction of the highest one that the score allows.
    fn evaluate_with_draw_share(&mut self, pos: &G) -> (Points, Option<f32>) {
        (self.evaluate(pos), None)
    }
}

/// How the scores of an evaluation relate to the results of games.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Calibration {
    /// The draw share that reports assume where none is predicted.
    pub draw_share: f32,
    /// Factor on scores when results under perfect play are estimated. Above 1 if the evaluation was
    /// fitted to imperfect games, in which advantages are sometimes lost again.
    pub perfect_play_scale: f32,
    /// Fraction of the predicted draws that remain draws under perfect play.
    pub perfect_play_draws: f32,
}

impl Calibration {
    /// For searchers and evaluations that know nothing about the game.
    pub const UNINFORMED: Self =
        Self { draw_share: 0.4, perfect_play_scale: 1.0, perfect_play_draws: 1.0 };
}

/// Scores every unfinished position 0: enough where the search reaches the end of the game.
#[derive(Debug, Clone, Default)]
pub struct ZeroEval;

impl<G: Game> Evaluator<G> for ZeroEval {
    const CALIBRATION: Calibration = Calibration::UNINFORMED;
    const IS_INFORMED: bool = false;

    fn reset(&mut self, _: &G) {}

    fn make_move(&mut self, _: &G, _: G::Move, _: &G) {}

    fn undo_move(&mut self) {}

    fn evaluate(&mut self, _: &G) -> Points {
        0
    }
}
