//! The state of one search thread: move ordering, principal variations, path, node count and limit
//! checks. `root` and `node` contain the search itself.

use std::sync::atomic::{AtomicU64, Ordering};

use super::ordering::MoveOrdering;
use super::selectivity::Reductions;
use super::table::TranspositionTable;
use crate::rules::Game;
use crate::search::points::MAX_PLY;
use crate::search::{Evaluator, Limits, SearchControl, SearchTask};

/// Nodes between two checks of the limits.
const POLL_INTERVAL: u64 = 512;
/// The same with a limit of nodes: each thread may exceed it by this many.
const LIMITED_POLL_INTERVAL: u64 = 64;

/// What a worker does in the search.
#[derive(Debug, Clone, Copy)]
pub(super) struct WorkerConfig {
    /// The main thread ends the search when a limit is reached. A helper ends only itself when the nodes
    /// are used up, since the main thread may have reserved nodes for a proof.
    pub is_main: bool,
    /// Whether to prune, reduce and extend, or to search full-width.
    pub selective: bool,
}

/// Nodes of all threads together, with those reserved for a proof.
pub(super) type SharedCount = AtomicU64;

pub(super) struct SearchWorker<'a, G: Game, E> {
    pub(super) table: &'a TranspositionTable,
    pub(super) control: &'a SearchControl,
    limits: &'a Limits,
    total_nodes: &'a SharedCount,
    pub(super) config: WorkerConfig,
    pub(super) evaluator: E,
    pub(super) ordering: MoveOrdering<G>,
    pub(super) reductions: &'static Reductions,
    nodes: u64,
    /// How many of the nodes are in the shared count already.
    published: u64,
    next_poll: u64,
    is_out_of_nodes: bool,
    /// Set in the first iteration, which must return a move whatever the limits are.
    pub(super) unstoppable: bool,
    pub(super) selective_depth: usize,
    /// The last root move of the current root search with an exact score that was the best so far.
    pub(super) improved: Option<usize>,
    /// The code of the move made at each ply of the current line.
    pub(super) line: Vec<u16>,
    /// Keys of the positions from the root to the current node, in cyclic games.
    pub(super) path: Vec<u64>,
    /// Positions of the game that would be drawn at their next occurrence.
    twice_seen: Vec<u64>,
    /// The principal variation from each ply on (triangular PV table).
    pub(super) pv: Vec<Vec<G::Move>>,
}

impl<'a, G: Game, E: Evaluator<G>> SearchWorker<'a, G, E> {
    pub(super) fn new(
        task: &'a SearchTask<G>,
        table: &'a TranspositionTable,
        control: &'a SearchControl,
        total_nodes: &'a SharedCount,
        evaluator: E,
        config: WorkerConfig,
    ) -> Self {
        Self {
            table,
            control,
            limits: &task.limits,
            total_nodes,
            config,
            evaluator,
            ordering: MoveOrdering::new(),
            reductions: Reductions::shared(),
            nodes: 0,
            published: 0,
            next_poll: 0,
            is_out_of_nodes: false,
            unstoppable: false,
            selective_depth: 0,
            improved: None,
            line: vec![0; MAX_PLY + 1],
            path: Vec::new(),
            twice_seen: task.twice_seen(),
            pv: vec![Vec::new(); MAX_PLY + 2],
        }
    }

    /// Sets the principal variation at `ply` to this move and the variation below it.
    pub(super) fn update_pv(&mut self, ply: usize, mv: G::Move) {
        let (above, below) = self.pv.split_at_mut(ply + 1);
        let line = &mut above[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&below[0]);
    }

    pub(super) fn push_path(&mut self, pos: &G) {
        if G::CYCLIC {
            self.path.push(pos.key());
        }
    }

    /// Whether the position repeats one on the path, or would occur for the third time in the game.
    /// Both are scored as draws: whatever was possible the first time is possible the second.
    pub(super) fn is_repetition(&self, pos: &G) -> bool {
        G::CYCLIC
            && (self.path.contains(&pos.key()) || self.twice_seen.contains(&pos.repetition_key()))
    }

    /// Counts a node and checks the limits now and then; `None` if the search has to stop.
    #[inline]
    pub(super) fn count_node(&mut self) -> Option<()> {
        if self.nodes >= self.next_poll {
            self.poll()?;
        }
        self.nodes += 1;
        Some(())
    }

    /// Adds the new nodes of this thread to the shared count and returns the total.
    pub(super) fn publish_nodes(&mut self) -> u64 {
        let new = self.nodes - self.published;
        self.published = self.nodes;
        self.total_nodes.fetch_add(new, Ordering::Relaxed) + new
    }

    /// Whether the search of this thread was stopped. Always false in the first iteration, which must return
    /// a move.
    pub(super) fn is_interrupted(&self) -> bool {
        !self.unstoppable && (self.is_out_of_nodes || self.control.is_stopped())
    }

    #[cold]
    fn poll(&mut self) -> Option<()> {
        let total = self.publish_nodes();
        let nodes_left = self
            .limits
            .nodes
            .map_or(POLL_INTERVAL, |limit| limit.saturating_sub(total).min(LIMITED_POLL_INTERVAL));
        let out_of_time =
            || self.limits.budget.hard.is_some_and(|hard| self.control.has_elapsed(hard));
        if self.config.is_main && (nodes_left == 0 || out_of_time()) {
            self.control.finish();
        }
        self.is_out_of_nodes = nodes_left == 0;
        self.next_poll = self.nodes + nodes_left.max(1);
        (!self.is_interrupted()).then_some(())
    }
}
