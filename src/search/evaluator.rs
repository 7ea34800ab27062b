//! The hook through which a searcher asks what an unfinished position is worth.

use super::Points;
use crate::rules::Game;

/// Estimates positions, and may keep its own state up to date move by move.
///
/// A searcher calls [`Evaluator::reset`] with the root, then [`Evaluator::played`] and
/// [`Evaluator::undone`] as it walks, and [`Evaluator::evaluate`] with the position it stands on.
pub trait Evaluator<G: Game>: Clone + Send + 'static {
    /// Starts from this position.
    fn reset(&mut self, pos: &G);

    /// A move was played that led from one position to another.
    fn played(&mut self, before: &G, mv: G::Move, after: &G);

    /// The last move that was played was taken back.
    fn undone(&mut self);

    /// What the position is worth to the side to move; within ±[`EVAL_LIMIT`](super::EVAL_LIMIT).
    fn evaluate(&mut self, pos: &G) -> Points;

    /// The same; and how much of the room that the value leaves for draws they take, from 0 to 1,
    /// if it can tell.
    fn evaluate_with_draw_share(&mut self, pos: &G) -> (Points, Option<f32>) {
        (self.evaluate(pos), None)
    }
}

/// Holds every unfinished position for level: enough where the search reaches the end.
#[derive(Debug, Clone, Default)]
pub struct ZeroEval;

impl<G: Game> Evaluator<G> for ZeroEval {
    fn reset(&mut self, _: &G) {}

    fn played(&mut self, _: &G, _: G::Move, _: &G) {}

    fn undone(&mut self) {}

    fn evaluate(&mut self, _: &G) -> Points {
        0
    }
}
