//! Depth-first proof-number search (df-pn): one thread's search.
//!
//! A node is left once one of its numbers reaches the threshold set by its parent, the point at which
//! the parent would prefer another child. The tree therefore grows in best-first order while only
//! the path from the root and the table are in memory.
//!
//! Threads searching the same goal share the table. Virtual proof numbers (Kaneko, 2010) make them
//! separate: children that other threads are searching look harder than they are.

use std::sync::atomic::{AtomicU16, Ordering};

use super::endgame::EndgameSearch;
use super::proof_numbers::{ChildSummary, Number, ProofChild, ProofNumbers, summarize};
use super::table::{ProofEntry, ProofTable};
use super::{ProofGoal, ProofNumberHeuristic, ValueBounds, mover_pursues_goal};
use crate::rules::Game;

/// Nodes between two checks of the stop signal.
pub(crate) const STOP_CHECK_NODES: u64 = 256;
/// Nodes between two checks whether other threads have solved a node of the path.
const PATH_CHECK_NODES: u64 = 4096;
/// Virtual proof numbers are used for this many plies from the root. Farther down threads seldom
/// meet, and the bookkeeping would cost more than it saves.
const OCCUPANCY_PLIES: usize = 8;

/// What a search shares with other threads and its caller.
pub(super) struct ProofContext<'a> {
    pub table: &'a ProofTable,
    /// `None` on a single thread.
    pub occupancy: Option<&'a ThreadOccupancy>,
    pub stop: &'a mut dyn FnMut() -> bool,
}

/// Counts the threads currently searching below each position. Positions share counters, so a
/// collision can make one look occupied by mistake.
pub(super) struct ThreadOccupancy(Vec<AtomicU16>);

impl ThreadOccupancy {
    const COUNTERS: usize = 1 << 16;

    pub(super) fn new() -> Self {
        Self(std::iter::repeat_with(AtomicU16::default).take(Self::COUNTERS).collect())
    }

    fn counter(&self, key: u64) -> &AtomicU16 {
        &self.0[key as usize % Self::COUNTERS]
    }

    fn threads(&self, key: u64) -> Number {
        self.counter(key).load(Ordering::Relaxed).into()
    }

    /// Counts a thread that starts searching below a position.
    fn enter(&self, key: u64) {
        self.counter(key).fetch_add(1, Ordering::Relaxed);
    }

    /// Undoes [`Self::enter`].
    fn leave(&self, key: u64) {
        self.counter(key).fetch_sub(1, Ordering::Relaxed);
    }
}

/// Counts nodes against a limit and polls the stop signal.
#[derive(Debug, Default)]
struct NodeBudget {
    nodes: u64,
    limit: u64,
    stopped: bool,
}

impl NodeBudget {
    /// Counts a node; returns `false` if the limit is reached or the search was stopped.
    fn count(&mut self, stop: &mut dyn FnMut() -> bool) -> bool {
        self.stopped |= self.nodes >= self.limit;
        self.count_beyond_limit(stop)
    }

    /// Counts a node regardless of the limit; returns `false` if the search was stopped.
    fn count_beyond_limit(&mut self, stop: &mut dyn FnMut() -> bool) -> bool {
        self.stopped |= self.nodes.is_multiple_of(STOP_CHECK_NODES) && stop();
        self.nodes += 1;
        !self.stopped
    }
}

/// One thread's search. The alignment keeps each worker's counters on their own cache lines: two
/// threads are 1.8 times as fast as one with it, and 1.6 times without.
#[derive(Debug)]
#[repr(align(128))]
pub(super) struct ProofWorker<G: Game, H> {
    pub heuristic: H,
    /// A stack of the children of the nodes on the path.
    children: Vec<ProofChild<G::Move>>,
    /// The keys of the nodes from the root to the current one.
    path: Vec<u64>,
    /// The index on the path of a node that another thread has solved: the search below it is
    /// abandoned.
    solved_on_path: Option<usize>,
    /// The node count at which the path is checked next.
    next_path_check: u64,
    goal: ProofGoal,
    budget: NodeBudget,
    pub endgame: EndgameSearch<G::Move>,
}

impl<G: Game, H: ProofNumberHeuristic<G>> ProofWorker<G, H> {
    /// Fails if the endgame cache cannot be allocated.
    pub(super) fn new(heuristic: H) -> Result<Self, ()> {
        Ok(Self {
            heuristic,
            children: Vec::new(),
            path: Vec::new(),
            solved_on_path: None,
            next_path_check: 0,
            goal: ProofGoal::Win,
            budget: NodeBudget::default(),
            endgame: EndgameSearch::new()?,
        })
    }

    /// The number of positions visited so far.
    pub(super) fn nodes(&self) -> u64 {
        self.budget.nodes
    }

    /// Adds nodes that a prover with another heuristic searched on the same table.
    pub(super) fn add_nodes(&mut self, nodes: u64) {
        self.budget.nodes += nodes;
    }

    /// Allows this many more nodes.
    pub(super) fn set_budget(&mut self, nodes: u64) {
        self.budget.limit = self.budget.nodes.saturating_add(nodes);
    }

    pub(super) fn is_budget_used_up(&self) -> bool {
        self.budget.nodes >= self.budget.limit
    }

    /// Searches until the goal is proven or disproven; returns `None` if the search was stopped or used
    /// up its budget.
    pub(super) fn search_goal(
        &mut self,
        pos: &G,
        goal: ProofGoal,
        mut context: ProofContext<'_>,
    ) -> Option<bool> {
        self.heuristic.reset(pos);
        self.goal = goal;
        self.solved_on_path = None;
        self.budget.stopped = false;
        let numbers = self.search(pos, pos.value_key(), ProofNumbers::NO_LIMIT, &mut context)?;
        numbers.result().map(|proven| proven == mover_pursues_goal(pos))
    }

    /// Searches a node until one of its numbers is 0 or reaches its threshold. Returns `None` if the
    /// search was stopped before the node was expanded.
    fn search(
        &mut self,
        pos: &G,
        key: u64,
        thresholds: ProofNumbers,
        context: &mut ProofContext<'_>,
    ) -> Option<ProofNumbers> {
        let (first, nodes_before) = (self.children.len(), self.budget.nodes);
        if !self.expand(pos, key, context) {
            self.children.truncate(first);
            return None;
        }
        self.path.push(key);
        let numbers = loop {
            let mut summary = summarize(&self.children[first..]);
            let numbers = summary.numbers;
            if numbers.result().is_some() || numbers.reaches(thresholds) || self.budget.stopped {
                break numbers;
            }
            if let Some(index) = self.solved_on_path {
                if index + 1 < self.path.len() {
                    break numbers;
                }
                self.solved_on_path = None;
                if let Some(solved) = self.probe_solved(pos, key, context.table) {
                    break solved;
                }
            }
            if let Some(occupancy) = self.occupancy_near_root(context) {
                let count = |key| occupancy.threads(key);
                summary = summary.with_virtual_numbers(&self.children[first..], thresholds, count);
            }
            self.search_most_proving(pos, first, summary, thresholds, context);
        };
        self.path.pop();
        self.children.truncate(first);
        self.store(pos, key, numbers, self.budget.nodes - nodes_before, context.table);
        Some(numbers)
    }

    /// Searches the most-proving child, then updates its numbers.
    fn search_most_proving(
        &mut self,
        pos: &G,
        first: usize,
        summary: ChildSummary,
        thresholds: ProofNumbers,
        context: &mut ProofContext<'_>,
    ) {
        let index = first + summary.most_proving;
        let ProofChild { mv, key, numbers } = self.children[index];
        let mut child = *pos;
        child.play_unchecked(mv);
        self.heuristic.make_move(pos, mv, &child);
        let thresholds = summary.child_thresholds(numbers, thresholds);
        let occupancy = self.occupancy_near_root(context);
        if let Some(occupancy) = occupancy {
            occupancy.enter(key);
        }
        if let Some(numbers) = self.search(&child, key, thresholds, context) {
            self.children[index].numbers = numbers;
        }
        self.heuristic.undo_move();
        if let Some(occupancy) = occupancy {
            occupancy.leave(key);
            self.update_from_table(pos, first, context.table);
        }
    }

    /// The occupancy counters, if this node is close enough to the root to use them.
    fn occupancy_near_root<'a>(&self, context: &ProofContext<'a>) -> Option<&'a ThreadOccupancy> {
        context.occupancy.filter(|_| self.path.len() <= OCCUPANCY_PLIES)
    }

    /// Updates the numbers of unsolved children from the table. Numbers that differ only by the
    /// table's rounding are kept: otherwise a child could fall back below a threshold that it has
    /// reached, and be entered and left for ever.
    fn update_from_table(&mut self, pos: &G, first: usize, table: &ProofTable) {
        for child in &mut self.children[first..] {
            if child.numbers.result().is_none()
                && let Some(entry) = table.probe(child.key)
                && let Some(numbers) =
                    numbers_from_entry(self.goal, entry, !mover_pursues_goal(pos))
                && numbers != child.numbers.as_stored()
            {
                child.numbers = numbers;
            }
        }
    }

    /// Generates the children with their numbers, from the rules, the table, the endgame search or the
    /// heuristic; stops at the first child that proves the node. Returns `false` if the search was stopped
    /// before the end.
    ///
    /// All keys are computed before the table is probed, so that their entries can be prefetched.
    fn expand(&mut self, pos: &G, key: u64, context: &mut ProofContext<'_>) -> bool {
        let first = self.children.len();
        for mv in pos.legal_moves() {
            if !self.count_node(context) {
                return false;
            }
            let child = self.child_by_rules(pos, key, mv);
            self.children.push(child);
            if self.is_proven_by(self.children.len() - 1, first) {
                return true;
            }
        }
        context.table.prefetch(self.children[first..].iter().map(|child| child.key));
        self.update_from_table(pos, first, context.table);
        if (first..self.children.len()).any(|index| self.is_proven_by(index, first)) {
            return true;
        }
        for index in first..self.children.len() {
            let ProofChild { mv, key, numbers } = self.children[index];
            if numbers == ProofNumbers::UNINITIALIZED {
                self.children[index].numbers = self.initial_numbers(pos, mv, key, context);
                if self.is_proven_by(index, first) {
                    return true;
                }
            }
        }
        true
    }

    /// A child with its result, if the rules decide it, otherwise with its key.
    fn child_by_rules(&self, pos: &G, key: u64, mv: G::Move) -> ProofChild<G::Move> {
        let mover_pursues = mover_pursues_goal(pos);
        let (result, key) = match pos.quiet_move(mv) {
            Some(quiet) if quiet.allows_win => (Some(!mover_pursues), 0),
            Some(_) => (None, key ^ pos.value_key_xor(mv)),
            None => {
                let mut child = *pos;
                child.play_unchecked(mv);
                match self.goal.result_by_rules(&child) {
                    None => (None, child.value_key()),
                    result => (result, 0),
                }
            }
        };
        let numbers = result.map_or(ProofNumbers::UNINITIALIZED, |achieved| {
            ProofNumbers::solved(achieved != mover_pursues)
        });
        ProofChild { mv, key, numbers }
    }

    /// Whether a child proves its node; if so, drops all other children.
    fn is_proven_by(&mut self, index: usize, first: usize) -> bool {
        let proves = self.children[index].numbers == ProofNumbers::DISPROVEN;
        if proves {
            self.children.swap(first, index);
            self.children.truncate(first + 1);
        }
        proves
    }

    /// Counts a node; returns `false` if the search has to stop. Every [`PATH_CHECK_NODES`] nodes, also
    /// checks whether another thread has solved a node of the path.
    fn count_node(&mut self, context: &mut ProofContext<'_>) -> bool {
        if context.occupancy.is_some() && self.budget.nodes >= self.next_path_check {
            self.next_path_check = self.budget.nodes + PATH_CHECK_NODES;
            self.solved_on_path = self.path.iter().position(|key: &u64| {
                let entry = context.table.probe(*key);
                entry.is_some_and(|entry| self.goal.result(entry.bounds).is_some())
            });
        }
        self.budget.count(context.stop)
    }

    /// The numbers of a position that the table has solved.
    fn probe_solved(&self, pos: &G, key: u64, table: &ProofTable) -> Option<ProofNumbers> {
        let achieved = self.goal.result(table.probe(key)?.bounds)?;
        Some(ProofNumbers::solved(achieved == mover_pursues_goal(pos)))
    }

    /// The numbers of a child for which the table has none: solved by the endgame search, or estimated.
    fn initial_numbers(
        &mut self,
        pos: &G,
        mv: G::Move,
        key: u64,
        context: &mut ProofContext<'_>,
    ) -> ProofNumbers {
        let goal = self.goal;
        let mut child = *pos;
        child.play_unchecked(mv);
        if child.max_plies_left().is_some_and(|left| left <= self.endgame.plies) {
            // Runs to its end whatever the budget, or a series of small budgets would never finish it.
            let nodes_before = self.budget.nodes;
            let budget = &mut self.budget;
            let mut count_node = || budget.count_beyond_limit(context.stop);
            if let Some(proven) = self.endgame.search(&child, goal, &mut count_node) {
                let numbers = ProofNumbers::solved(proven);
                let nodes = self.budget.nodes - nodes_before;
                self.store(&child, key, numbers, nodes, context.table);
                return numbers;
            }
        }
        let target = goal.target(child.side());
        self.heuristic.make_move(pos, mv, &child);
        let odds = self.heuristic.odds(&child, target);
        self.heuristic.undo_move();
        let numbers = ProofNumbers::estimate(&child, odds);
        // Stored because the node is expanded again many times before this child is searched.
        if context.table.probe(key).is_none() {
            let entry = ProofEntry { bounds: ValueBounds::OPEN, goal, numbers, work: 0 };
            context.table.store(key, entry);
        }
        numbers
    }

    fn store(&self, pos: &G, key: u64, numbers: ProofNumbers, nodes: u64, table: &ProofTable) {
        let goal = self.goal;
        let old = table.probe(key);
        let mut bounds = old.map_or(ValueBounds::OPEN, |entry| entry.bounds);
        if let Some(proven) = numbers.result() {
            bounds = goal.narrow(bounds, proven == mover_pursues_goal(pos));
        }
        // With equal work, a solved entry is kept longer.
        let work = 2 * nodes.max(1).ilog2() as u8 + u8::from(numbers.result().is_some());
        let work = work.max(old.map_or(0, |entry| entry.work));
        table.store(key, ProofEntry { bounds, goal, numbers, work });
    }
}

/// The numbers an entry gives for a goal, which the side to move there pursues or defends against.
fn numbers_from_entry(goal: ProofGoal, entry: ProofEntry, pursues: bool) -> Option<ProofNumbers> {
    let solved =
        goal.result(entry.bounds).map(|achieved| ProofNumbers::solved(achieved == pursues));
    solved.or((entry.goal == goal).then_some(entry.numbers))
}

#[cfg(test)]
mod tests {
    use super::super::UniformHeuristic;
    use super::*;
    use crate::games::TixTax;

    #[test]
    fn rounding_in_the_table_does_not_change_a_childs_numbers() {
        let (pos, table) = (TixTax::start(), ProofTable::new(1 << 12).unwrap());
        let mv = pos.legal_moves()[0];
        let key = pos.after(mv).value_key();
        let mut worker = ProofWorker::<TixTax, _>::new(UniformHeuristic).unwrap();
        let unrounded = ProofNumbers { proof: 1_636_483, disproof: 70 };
        worker.children.push(ProofChild { mv, key, numbers: unrounded });
        worker.store(&pos.after(mv), key, unrounded, 1, &table);
        assert_ne!(table.probe(key).unwrap().numbers, unrounded);
        worker.update_from_table(&pos, 0, &table);
        assert_eq!(worker.children[0].numbers, unrounded);
        let changed = ProofNumbers { proof: 1_636_480, disproof: 71 };
        worker.store(&pos.after(mv), key, changed, 1, &table);
        worker.update_from_table(&pos, 0, &table);
        assert_eq!(worker.children[0].numbers, changed);
    }

    #[test]
    fn occupancy_counts_threads_between_enter_and_leave() {
        let occupancy = ThreadOccupancy::new();
        for key in [7, 7, 8] {
            occupancy.enter(key);
        }
        assert_eq!([7, 8, 9].map(|key| occupancy.threads(key)), [2, 1, 0]);
        occupancy.leave(7);
        occupancy.leave(8);
        assert_eq!([7, 8, 9].map(|key| occupancy.threads(key)), [1, 0, 0]);
    }
}
