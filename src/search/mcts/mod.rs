//! Monte-Carlo tree search: UCT with random playouts and proven subtrees.
//!
//! Plain on purpose: no evaluation, no domain knowledge, the opponent every other program is
//! measured against. What is proven in the tree is backed up as exact values and not sampled any
//! more. It works on one thread; `nodes` counts playouts. The tree lives within the memory it was
//! given: when that is full, it is not grown further and playouts begin at its leaves.

mod playout;
mod tree;

use self::tree::MctsTree;
use super::{SearchControl, SearchReport, SearchTask, Searcher};
use crate::rules::{Game, SplitMix};

/// The counters of a node hold no more; nothing would be learned by then anyway.
const MOST_ROLL_OUTS: u64 = 1 << 30;

/// How many playouts pass between two looks at the clock.
const POLL: u64 = 32;

/// Monte-Carlo tree search.
#[derive(Debug)]
pub struct Mcts {
    mebibytes: usize,
}

impl Mcts {
    /// A searcher whose trees take at most this much memory.
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
            tree.playout(&mut random);
            let done = tree.playouts();
            let most = task.limits.nodes.unwrap_or(MOST_ROLL_OUTS).min(MOST_ROLL_OUTS);
            if tree.proven().is_some() || done >= most {
                break;
            }
            if done.is_multiple_of(POLL) && (control.is_stopped() || is_over(task, &tree, control))
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

/// Whether a limit other than the count of playouts is reached. A proven win needs no look: it
/// proves the root and ends the search.
fn is_over<G: Game>(task: &SearchTask<G>, tree: &MctsTree<'_, G>, control: &SearchControl) -> bool {
    let limits = &task.limits;
    let out_of_time = limits.budget.soft.or(limits.budget.hard);
    // A tree that does not grow any more will not get deeper either.
    let deep = |depth: u32| tree.is_full() || tree.is_stuck() || tree.depth() >= depth;
    out_of_time.is_some_and(|time| control.has_elapsed(time)) || limits.plies().is_some_and(deep)
}
