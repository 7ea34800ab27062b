//! Monte-Carlo tree search: UCT with random playouts and proven subtrees (MCTS-Solver).
//!
//! Plain on purpose, as a reference opponent: no evaluation and no domain knowledge. Proven values
//! are backed up exactly and not sampled any more. It runs on one thread; `nodes` counts playouts.
//! When its memory is full, the tree stops growing and playouts start at its leaves.

mod playout;
mod tree;

use self::tree::MctsTree;
use super::{SearchControl, SearchReport, SearchTask, Searcher};
use crate::rules::{Game, SplitMix};

/// Maximum number of playouts; the counters of a node overflow beyond.
const MAX_PLAYOUTS: u64 = 1 << 30;

/// Playouts between two checks of the limits.
const POLL_INTERVAL: u64 = 32;

/// Monte-Carlo tree search.
#[derive(Debug)]
pub struct Mcts {
    mebibytes: usize,
}

impl Mcts {
    /// Creates a searcher whose tree takes at most this much memory.
    #[must_use]
    pub fn new(mebibytes: usize) -> Self {
        Self { mebibytes }
    }
}

impl<G: Game> Searcher<G> for Mcts {
    fn search(
        &mut self,
        task: &SearchTask<G>,
        control: &SearchControl,
        progress: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> SearchReport<G::Move> {
        let mut tree = MctsTree::new(task, self.mebibytes << 20);
        let mut random = SplitMix::new(task.position_seed());
        let mut next_report = 1000;
        loop {
            tree.run_playout(&mut random);
            let done = tree.playouts();
            let most = task.limits.nodes.unwrap_or(MAX_PLAYOUTS).min(MAX_PLAYOUTS);
            if tree.proven().is_some() || done >= most {
                break;
            }
            if done.is_multiple_of(POLL_INTERVAL)
                && (control.is_stopped() || is_over(task, &tree, control))
            {
                break;
            }
            if done >= next_report {
                progress(&tree.report(control.elapsed()));
                next_report += next_report / 2;
            }
        }
        tree.report(control.elapsed())
    }
}

/// Whether a limit other than the number of playouts is reached. A mate search needs no check: a
/// proven win proves the root, which ends the search.
fn is_over<G: Game>(task: &SearchTask<G>, tree: &MctsTree<'_, G>, control: &SearchControl) -> bool {
    let limits = &task.limits;
    let out_of_time = limits.budget.soft.or(limits.budget.hard);
    // A tree that no longer grows does not get deeper either.
    let deep = |depth: u32| tree.is_full() || tree.is_stuck() || tree.depth() >= depth;
    out_of_time.is_some_and(|time| control.has_elapsed(time))
        || limits.max_depth().is_some_and(deep)
}
