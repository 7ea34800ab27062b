//! One thread's walk through the tree: what it carries along, its search of the root's moves, its
//! count of nodes and its look at the limits. What it does at a node stands in `node`.

use std::sync::atomic::{AtomicU64, Ordering as Atomic};

use super::ordering::MoveOrdering;
use super::score::{INFINITY, MAX_PLY, Points};
use super::selectivity::{MovePlan, Reductions, plies_to_end};
use super::table::TranspositionTable;
use super::window::Window;
use super::{Evaluator, Limits, SearchControl, SearchTask};
use crate::rules::Game;

/// How many nodes pass between two looks at clock and stop flag.
const POLL: u64 = 512;

/// A root move with what the last search of it found.
#[derive(Debug, Clone)]
pub(super) struct RootMove<M> {
    pub mv: M,
    pub points: Points,
    pub line: Vec<M>,
}

/// What a worker is for.
#[derive(Debug, Clone, Copy)]
pub(super) struct WorkerRole {
    /// The first worker watches the limits, the others only the stop flag.
    pub leads: bool,
    /// Whether it uses judgement, or looks at everything.
    pub selective: bool,
}

/// Nodes of all threads together.
pub(super) type SharedCount = AtomicU64;

pub(super) struct SearchWorker<'a, G: Game, E> {
    pub(super) table: &'a TranspositionTable,
    control: &'a SearchControl,
    limits: &'a Limits,
    total: &'a SharedCount,
    /// The first worker watches the limits, the others only the stop flag.
    leads: bool,
    pub(super) evaluator: E,
    pub(super) ordering: MoveOrdering<G>,
    pub(super) reductions: Reductions,
    /// Whether to use judgement in what to search less deeply, deeper or not at all.
    pub(super) selective: bool,
    nodes: u64,
    /// How many of the nodes are in the shared count already.
    published: u64,
    next_poll: u64,
    /// Set for the first iteration: whatever the limits, there has to be a move.
    pub(super) unstoppable: bool,
    pub(super) selective_depth: usize,
    /// The last root move of the latest root search whose score is exact and the best so far.
    pub(super) improved: Option<usize>,
    /// Keys of the positions on the way from the root, for games that can repeat.
    pub(super) path: Vec<u64>,
    /// Positions one repetition short of a draw when the search began.
    twice_seen: Vec<u64>,
    /// The best line from each ply on, rewritten as better ones are found.
    pub(super) lines: Vec<Vec<G::Move>>,
}

impl<'a, G: Game, E: Evaluator<G>> SearchWorker<'a, G, E> {
    pub(super) fn new(
        task: &'a SearchTask<G>,
        table: &'a TranspositionTable,
        control: &'a SearchControl,
        total: &'a SharedCount,
        evaluator: E,
        role: WorkerRole,
    ) -> Self {
        let WorkerRole { leads, selective } = role;
        Self {
            table,
            control,
            limits: &task.limits,
            total,
            leads,
            evaluator,
            ordering: MoveOrdering::new(),
            reductions: Reductions::new(),
            selective,
            nodes: 0,
            published: 0,
            next_poll: 0,
            unstoppable: false,
            selective_depth: 0,
            improved: None,
            path: Vec::new(),
            twice_seen: task.twice_seen(),
            lines: vec![Vec::new(); MAX_PLY + 2],
        }
    }

    /// Searches root moves to a depth and keeps the better ones' scores and lines; `None` when
    /// interrupted, and then `improved` names the best move that was searched to the end.
    pub(super) fn search_root(
        &mut self,
        pos: &G,
        depth: i32,
        mut window: Window,
        moves: &mut [RootMove<G::Move>],
    ) -> Option<Points> {
        self.evaluator.reset(pos);
        self.enter_path(pos);
        self.improved = None;
        let mut best = -INFINITY;
        let exhaustive = depth >= plies_to_end(pos);
        for (index, root_move) in moves.iter_mut().enumerate() {
            let reduction = if exhaustive { 0 } else { self.reduction(depth, index, Window::FULL) };
            let plan = MovePlan { depth: depth - 1, reduction, first: index == 0 };
            let points = self.search_move(pos, root_move.mv, plan, window, 0);
            let Some(points) = points else { break };
            best = best.max(points);
            root_move.points = -INFINITY;
            if points > window.alpha || index == 0 {
                root_move.points = points;
                root_move.line.clear();
                root_move.line.push(root_move.mv);
                root_move.line.extend_from_slice(&self.lines[1]);
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
        let interrupted = !self.unstoppable && self.control.is_stopped();
        (!interrupted).then_some(best)
    }

    /// The best line from here is this move and the best line behind it.
    pub(super) fn keep_line(&mut self, ply: usize, mv: G::Move) {
        let (before, behind) = self.lines.split_at_mut(ply + 1);
        let line = &mut before[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&behind[0]);
    }

    pub(super) fn enter_path(&mut self, pos: &G) {
        if G::CYCLIC {
            self.path.push(pos.key());
        }
    }

    /// A position that comes back on the path is a draw: what was good the first time is as good
    /// the second. So is one that would occur for the third time in the game.
    pub(super) fn is_repetition(&self, pos: &G) -> bool {
        G::CYCLIC
            && (self.path.contains(&pos.key()) || self.twice_seen.contains(&pos.repetition_key()))
    }

    /// Counts a node and looks at the limits now and then; `None` when it is time to stop.
    #[inline]
    pub(super) fn count_node(&mut self) -> Option<()> {
        if self.nodes >= self.next_poll {
            self.poll()?;
        }
        self.nodes += 1;
        Some(())
    }

    /// Adds the nodes since the last time to the shared count, which it returns.
    pub(super) fn publish(&mut self) -> u64 {
        let fresh = self.nodes - self.published;
        self.published = self.nodes;
        self.total.fetch_add(fresh, Atomic::Relaxed) + fresh
    }

    #[cold]
    fn poll(&mut self) -> Option<()> {
        let total = self.publish();
        let nodes_left = self.limits.nodes.map_or(POLL, |limit| limit.saturating_sub(total));
        let out_of_time =
            || self.limits.budget.hard.is_some_and(|hard| self.control.has_elapsed(hard));
        if self.leads && (nodes_left == 0 || out_of_time()) {
            self.control.finish();
        }
        self.next_poll = self.nodes + nodes_left.clamp(1, POLL);
        (self.unstoppable || !self.control.is_stopped()).then_some(())
    }
}
