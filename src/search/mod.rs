//! Searchers: they choose a move within limits and report their progress.
//!
//! There are three, each generic over `Game`: [`AlphaBeta`] (principal variation search with
//! iterative deepening), [`Mcts`] (Monte-Carlo tree search with proven subtrees) and
//! [`RandomMover`]. All take a [`SearchTask`], obey a [`SearchControl`] and return a
//! [`SearchReport`]; the [`Evaluator`] hook evaluates leaves.

mod alphabeta;
mod control;
mod eval_heuristic;
mod evaluator;
mod limits;
mod mcts;
mod points;
mod random;
mod report;
mod score;
mod time;

pub use crate::solve::OutOfMemory;
pub use alphabeta::AlphaBeta;
#[cfg(feature = "tuning")]
pub use alphabeta::parameters::{PARAMETERS, Parameter};
pub use control::SearchControl;
pub use eval_heuristic::EvalHeuristic;
pub use evaluator::{Calibration, Evaluator, ZeroEval};
pub use limits::{Limits, SearchTask};
pub use mcts::Mcts;
pub use points::{EVAL_LIMIT, POINTS_PER_TENFOLD_ODDS, Points};
pub use random::RandomMover;
pub use report::{PvLine, SearchReport};
pub use score::{Score, WinDrawLoss};
pub use time::{PlayerClock, TimeBudget};

use crate::rules::Game;

/// Chooses a move for a position.
pub trait Searcher<G: Game>: Send {
    /// Searches until a limit is reached or `control` stops it, and calls `progress` on the way. The
    /// first line of the returned report is the choice.
    fn search(
        &mut self,
        task: &SearchTask<G>,
        control: &SearchControl,
        progress: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> SearchReport<G::Move>;

    /// Clears everything kept from earlier searches.
    fn clear(&mut self) {}
}
