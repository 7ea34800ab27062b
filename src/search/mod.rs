//! Play under limits: searchers that answer in time with the best they have found.
//!
//! Three of them, each over the `Game` trait: [`AlphaBeta`] (iterative deepening
//! principal-variation search), [`Mcts`] (Monte-Carlo tree search with proven subtrees) and
//! [`RandomMover`]. All take a [`Task`], obey a [`Control`] and produce a [`Report`]. What a leaf
//! is worth comes through the [`Evaluator`] hook. Imports `rules`, and the prover of `solve` for the
//! end of the game.
//!
//! Alpha-beta goes from `alphabeta` (depth after depth, threads) over `worker` (what a thread has, and
//! its moves at the root) down to `node` (one position of the tree), with `selectivity`, `ordering`,
//! `table`, `window` and `score` as tools; `finish` takes turns with it near the end, to prove. All
//! searchers share `limits`, `time`, `control` and `report`; `strength` makes any of them weaker.

mod alphabeta;
mod control;
mod evaluator;
mod finish;
mod limits;
mod mcts;
mod node;
mod ordering;
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
pub use control::Control;
pub use evaluator::{Evaluator, Level};
pub use finish::Judgement;
pub use limits::{Clock, Limits, Task};
pub use mcts::Mcts;
pub use random::RandomMover;
pub use report::{Line, Report};
pub use score::{LIMIT as FARTHEST_ESTIMATE, POINTS_PER_TENFOLD, Points, Score, WinDrawLoss};
pub use strength::Handicap;
pub use time::Budget;

use crate::rules::Game;

/// Something that chooses a move.
pub trait Searcher<G: Game>: Send {
    /// Works on a task until a limit is reached or `control` says stop, and tells about progress
    /// on the way. The report that is returned is the last word: its first line is the choice.
    fn search(
        &mut self,
        task: &Task<G>,
        control: &Control,
        progress: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move>;

    /// Forgets what it learned in earlier searches.
    fn forget(&mut self) {}
}
