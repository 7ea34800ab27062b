//! The root node: searches the candidate moves and keeps a score and a line for each.

use super::parameters;
use super::selectivity::{MovePlan, plies_to_end};
use super::window::Window;
use super::worker::SearchWorker;
use crate::rules::Game;
use crate::search::Evaluator;
use crate::search::points::{INFINITY, Points};

/// A root move with its score and line from the last search.
#[derive(Debug, Clone)]
pub(super) struct RootMove<M> {
    pub mv: M,
    pub points: Points,
    pub line: Vec<M>,
}

impl<G: Game, E: Evaluator<G>> SearchWorker<'_, G, E> {
    /// Searches root moves to a depth. The first move and those that raise alpha get a new score and
    /// line, the other moves searched score `-INFINITY`. `None` if stopped; then `improved` is the last
    /// move that raised alpha to an exact score, if any.
    pub(super) fn search_root(
        &mut self,
        pos: &G,
        depth: i32,
        mut window: Window,
        moves: &mut [RootMove<G::Move>],
    ) -> Option<Points> {
        self.evaluator.reset(pos);
        self.push_path(pos);
        self.improved = None;
        let mut best = -INFINITY;
        let exhaustive = depth >= plies_to_end(pos);
        for (index, root_move) in moves.iter_mut().enumerate() {
            let reduction = if exhaustive {
                0
            } else {
                self.reduction(depth, index, parameters::lmr_pv_node())
            };
            let plan = MovePlan { depth: depth - 1, reduction, is_first: index == 0 };
            let points = self.search_move(pos, root_move.mv, plan, window, 0);
            let Some(points) = points else { break };
            best = best.max(points);
            root_move.points = -INFINITY;
            if points > window.alpha || index == 0 {
                root_move.points = points;
                root_move.line.clear();
                root_move.line.push(root_move.mv);
                root_move.line.extend_from_slice(&self.pv[1]);
            }
            if window.contains(points) {
                self.improved = Some(index);
            }
            window.alpha = window.alpha.max(points);
            if window.alpha >= window.beta {
                break;
            }
        }
        self.path.clear();
        (!self.is_interrupted()).then_some(best)
    }
}
