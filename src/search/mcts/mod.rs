//! Monte-Carlo tree search: UCT with random roll-outs and proven subtrees.
//!
//! Plain on purpose: no evaluation, no domain knowledge, the opponent every other program is
//! measured against. What is proven in the tree is backed up as exact values and not sampled any
//! more. It works on one thread; `nodes` counts roll-outs. The tree lives within the memory it was
//! given: when that is full, it is not grown further and roll-outs begin at its leaves.

mod rollout;
mod tree;

use self::tree::Tree;
use super::{Control, Report, Searcher, Task};
use crate::rules::{Game, SplitMix};

/// The counters of a node hold no more; nothing would be learned by then anyway.
const MOST_ROLL_OUTS: u64 = 1 << 30;

/// How many roll-outs pass between two looks at the clock.
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
        task: &Task<G>,
        control: &Control,
        progress: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        let mut tree = Tree::new(task, self.mebibytes << 20);
        let mut random = SplitMix::new(task.position_seed());
        let mut next_report = 1000;
        loop {
            tree.roll_out(&mut random);
            let done = tree.roll_outs();
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

/// Whether a limit other than the count of roll-outs is reached. A proven win needs no look: it
/// proves the root and ends the search.
fn is_over<G: Game>(task: &Task<G>, tree: &Tree<'_, G>, control: &Control) -> bool {
    let limits = &task.limits;
    let out_of_time = limits.budget.soft.or(limits.budget.hard);
    // A tree that does not grow any more will not get deeper either.
    let deep = |depth: u32| tree.is_full() || tree.is_stuck() || tree.depth() >= depth;
    out_of_time.is_some_and(|time| control.is_due(time)) || limits.plies().is_some_and(deep)
}
