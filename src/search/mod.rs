//! Play under limits: searchers that answer in time with the best they have found.
//!
//! Three of them, each over the `Game` trait: [`AlphaBeta`] (iterative deepening
//! principal-variation search), [`Mcts`] (Monte-Carlo tree search with proven subtrees) and
//! [`RandomMover`]. All take a [`SearchTask`], obey a [`SearchControl`] and produce a [`SearchReport`]. What a leaf
//! is worth comes through the [`Evaluator`] hook. Imports `rules`, and the prover of `solve` for the
//! end of the game.
//!
//! Alpha-beta goes from `alphabeta` (depth after depth, threads) over `worker` (what a thread has, and
//! its moves at the root) down to `node` (one position of the tree), with `selectivity`, `ordering`,
//! `table`, `window` and `score` as tools; `finish` takes turns with it near the end, to prove. All
//! searchers share `limits`, `time`, `control` and `report`; `strength` makes any of them weaker.

mod alphabeta;
mod control;
mod endgame_proof;
mod evaluator;
mod limits;
mod mcts;
mod node;
mod ordering;
mod proven_value;
mod random;
mod report;
mod score;
mod selectivity;
mod strength;
mod table;
mod time;
mod window;
mod worker;

pub use crate::solve::OutOfMemory;
pub use alphabeta::AlphaBeta;
pub use control::SearchControl;
pub use endgame_proof::EvalGuide;
pub use evaluator::{Evaluator, ZeroEval};
pub use limits::{Limits, PlayerClock, SearchTask};
pub use mcts::Mcts;
pub use proven_value::{PlyCount, ProvenValue};
pub use random::RandomMover;
pub use report::{PvLine, SearchReport};
pub use score::{LIMIT as EVAL_LIMIT, POINTS_PER_TENFOLD_ODDS, Points, Score, WinDrawLoss};
pub use strength::Handicap;
pub use time::TimeBudget;

use crate::rules::Game;

/// Something that chooses a move.
pub trait Searcher<G: Game>: Send {
    /// Works on a task until a limit is reached or `control` says stop, and tells about progress
    /// on the way. The report that is returned is the last word: its first line is the choice.
    fn search(
        &mut self,
        task: &SearchTask<G>,
        control: &SearchControl,
        progress: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> SearchReport<G::Move>;

    /// Forgets what it learned in earlier searches.
    fn clear(&mut self) {}
}
