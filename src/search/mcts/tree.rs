//! The search tree: selection, expansion, backpropagation and proofs.

use std::time::Duration;

use super::playout::{is_repetition, playout};
use crate::rules::{ExactValue, Game, Outcome, SplitMix, Value};
use crate::search::{PvLine, Score, SearchReport, SearchTask};

/// Exploration constant of UCT, for results between -1 and 1.
const EXPLORATION: f32 = 1.0;

/// A move and the statistics of the position after it.
#[derive(Debug, Clone, Copy)]
struct MctsNode<M> {
    mv: M,
    child_count: u16,
    first_child: u32,
    visits: u32,
    /// Results for the player who made the move: 2 for a win, 1 for a draw.
    half_points: u32,
    /// Selection maximizes `mean + exploration * inverse_sqrt_visits`; `mean` is the mean result, from
    /// -1 to 1, for the player who made the move. Both are stored, because every child is compared at
    /// every step down the tree but only one changes on the way up.
    mean: f32,
    inverse_sqrt_visits: f32,
    /// The value of the position for its mover, once proven.
    proven: Option<ExactValue>,
}

impl<M> MctsNode<M> {
    fn new(mv: M) -> Self {
        Self {
            mv,
            child_count: 0,
            first_child: 0,
            visits: 0,
            half_points: 0,
            mean: 0.0,
            inverse_sqrt_visits: f32::INFINITY,
            proven: None,
        }
    }

    fn record(&mut self, half_points: u32) {
        self.visits += 1;
        self.half_points += half_points;
        if self.proven.is_none() {
            self.mean = self.half_points as f32 / self.visits as f32 - 1.0;
            self.inverse_sqrt_visits = 1.0 / (self.visits as f32).sqrt();
        }
    }

    /// Marks the node as proven. It is not explored any more: a draw counts as 0, a losing move is
    /// never selected, a winning one proves its parent.
    fn prove(&mut self, exact: ExactValue) {
        self.proven = Some(exact);
        self.inverse_sqrt_visits = 0.0;
        self.mean = match exact.value() {
            Value::Win => f32::NEG_INFINITY,
            Value::Draw => 0.0,
            Value::Loss => f32::INFINITY,
        };
    }

    fn children(&self) -> std::ops::Range<usize> {
        let first = self.first_child as usize;
        first..first + usize::from(self.child_count)
    }

    /// The proven value for the player who makes the move.
    fn proven_move(&self) -> Option<ExactValue> {
        self.proven.map(ExactValue::before_move)
    }
}

pub(super) struct MctsTree<'a, G: Game> {
    task: &'a SearchTask<G>,
    /// The root is node 0; siblings are adjacent.
    nodes: Vec<MctsNode<G::Move>>,
    capacity: usize,
    /// Positions of the game that would be drawn at their next occurrence.
    twice_seen: Vec<u64>,
    playouts: u64,
    /// The number of playouts when the tree last grew.
    last_growth: u64,
    depth: u32,
    /// Nodes from the root to the current one.
    path: Vec<usize>,
    /// Keys of their positions, in cyclic games.
    path_keys: Vec<u64>,
}

impl<'a, G: Game> MctsTree<'a, G> {
    pub(super) fn new(task: &'a SearchTask<G>, bytes: usize) -> Self {
        let mut tree = Self {
            task,
            nodes: vec![MctsNode::new(task.moves[0])],
            // Node numbers have 32 bits.
            capacity: (bytes / size_of::<MctsNode<G::Move>>())
                .clamp(1 + task.moves.len(), u32::MAX as usize),
            twice_seen: task.twice_seen(),
            playouts: 0,
            last_growth: 0,
            depth: 0,
            path: Vec::new(),
            path_keys: Vec::new(),
        };
        tree.add_children(0, task.moves.iter().copied());
        tree
    }

    pub(super) fn playouts(&self) -> u64 {
        self.playouts
    }

    pub(super) fn depth(&self) -> u32 {
        self.depth
    }

    pub(super) fn is_full(&self) -> bool {
        self.nodes.len() == self.capacity
    }

    /// Whether the tree has stopped growing: if all lines end in repetitions, nothing is left to add,
    /// although repetitions prove nothing.
    pub(super) fn is_stuck(&self) -> bool {
        const MAX_PLAYOUTS_WITHOUT_GROWTH: u64 = 100_000;
        self.playouts - self.last_growth > MAX_PLAYOUTS_WITHOUT_GROWTH
    }

    pub(super) fn proven(&self) -> Option<ExactValue> {
        self.nodes[0].proven
    }

    /// Selects a leaf, plays a random game from there and backs up its result.
    pub(super) fn run_playout(&mut self, random: &mut SplitMix) {
        let mut pos = *self.task.position();
        self.path.clear();
        self.path.push(0);
        self.path_keys.clear();
        if G::CYCLIC {
            self.path_keys.push(pos.key());
        }
        // The number of nodes from the root that take a proven draw as their result.
        let mut drawn_nodes = 0;
        let outcome = loop {
            let here = self.path[self.path.len() - 1];
            if let Some(known) = self.known_outcome(here, &pos) {
                break known;
            }
            if self.nodes[here].child_count == 0 {
                let is_new = self.nodes[here].visits == 0;
                if is_new || !self.expand(here, &pos, random) {
                    break playout(pos, &mut self.path_keys, &self.twice_seen, random);
                }
            }
            let Some(mut child) = self.select(here) else { continue };
            if self.nodes[child].proven == Some(ExactValue::Draw)
                && let Some(unproven) = self.best_unproven_child(here)
            {
                // The node counts the draw, but explores an unproven move: otherwise nothing next to
                // a drawn move would ever be proven.
                if drawn_nodes == 0 {
                    drawn_nodes = self.path.len();
                }
                child = unproven;
            }
            pos.play_unchecked(self.nodes[child].mv);
            self.path.push(child);
            if G::CYCLIC && is_repetition(&pos, &mut self.path_keys, &self.twice_seen) {
                break Outcome::Draw;
            }
        };
        self.playouts += 1;
        self.depth = self.depth.max(self.path.len() as u32 - 1);
        self.back_up(outcome, drawn_nodes);
    }

    /// Returns the outcome of a node that needs no playout: the game is over, or it is proven.
    fn known_outcome(&mut self, node: usize, pos: &G) -> Option<Outcome> {
        if let Some(outcome) = pos.outcome() {
            self.nodes[node].prove(ExactValue::from_outcome(outcome, pos.side()));
            return Some(outcome);
        }
        self.nodes[node].proven.map(|exact| exact.value().outcome_for(pos.side()))
    }

    fn expand(&mut self, node: usize, pos: &G, random: &mut SplitMix) -> bool {
        let mut moves = pos.legal_moves();
        if !self.reserve(moves.len()) {
            self.capacity = self.nodes.len();
            return false;
        }
        // Shuffle, so that the first visits do not depend on the order of move generation.
        for last in (1..moves.len()).rev() {
            moves.swap(last, random.below(last + 1));
        }
        self.add_children(node, moves.into_iter());
        true
    }

    /// Reserves memory for more nodes, doubling it up to the capacity; `false` if they do not fit.
    fn reserve(&mut self, more: usize) -> bool {
        let used = self.nodes.len();
        if used + more <= self.nodes.capacity() {
            return used + more <= self.capacity;
        }
        let growth = used.max(1 << 10).min(self.capacity - used);
        growth >= more && self.nodes.try_reserve_exact(growth).is_ok()
    }

    fn add_children(&mut self, node: usize, moves: impl Iterator<Item = G::Move>) {
        self.last_growth = self.playouts;
        let first = self.nodes.len();
        self.nodes.extend(moves.map(MctsNode::new));
        self.nodes[node].first_child = first as u32;
        self.nodes[node].child_count = (self.nodes.len() - first) as u16;
    }

    /// Selects the child with the highest UCT score; unvisited ones come first. If all moves are
    /// proven losses, proves the node and returns `None`.
    fn select(&mut self, node: usize) -> Option<usize> {
        let best = self.best_uct_child(node, |_| true);
        if best.is_none() {
            self.prove(node);
        }
        best
    }

    fn best_unproven_child(&self, node: usize) -> Option<usize> {
        self.best_uct_child(node, |child| child.proven.is_none())
    }

    #[inline]
    fn best_uct_child(
        &self,
        node: usize,
        is_candidate: impl Fn(&MctsNode<G::Move>) -> bool,
    ) -> Option<usize> {
        let parent = &self.nodes[node];
        // Two more than the visits, so that the logarithm is never zero.
        let exploration = EXPLORATION * approximate_ln(parent.visits + 2).sqrt();
        let first = parent.first_child as usize;
        let mut best = None;
        let mut best_score = f32::NEG_INFINITY;
        for (index, child) in self.nodes[parent.children()].iter().enumerate() {
            let score = child.mean + exploration * child.inverse_sqrt_visits;
            if score > best_score && is_candidate(child) {
                (best, best_score) = (Some(first + index), score);
            }
        }
        best
    }

    /// Backs up the result along the path; the first `drawn_nodes` nodes count a draw.
    fn back_up(&mut self, outcome: Outcome, drawn_nodes: usize) {
        let mut mover = self.task.side().other();
        for index in 0..self.path.len() {
            let counted = if index < drawn_nodes { Outcome::Draw } else { outcome };
            self.nodes[self.path[index]].record(counted.value_for(mover).half_points() as u32);
            mover = mover.other();
        }
        for index in (1..self.path.len()).rev() {
            if self.nodes[self.path[index]].proven.is_none() || !self.prove(self.path[index - 1]) {
                break;
            }
        }
    }

    /// Proves a node if one child wins or all are proven. A draw by repetition depends on the path
    /// and proves nothing.
    fn prove(&mut self, node: usize) -> bool {
        let children = &self.nodes[self.nodes[node].children()];
        let best = children.iter().filter_map(MctsNode::proven_move).max();
        let complete = || children.iter().all(|child| child.proven.is_some());
        let proven = match best {
            Some(ExactValue::Win(_)) => best,
            Some(_) if complete() => best,
            _ => None,
        };
        if let Some(exact) = proven {
            self.nodes[node].prove(exact);
        }
        proven.is_some()
    }

    /// Returns the best child: the fastest proven win, else the most visited that is not a proven
    /// loss, else the slowest loss. If a draw is proven, which ends its visits, moves with a negative
    /// mean are worse.
    fn best_child(&self, node: usize) -> Option<usize> {
        let children = self.nodes[node].children();
        let draw = self.has_draw(node);
        children.max_by_key(|index| self.rank(*index, draw))
    }

    /// Whether one of the moves is a proven draw.
    fn has_draw(&self, node: usize) -> bool {
        let children = &self.nodes[self.nodes[node].children()];
        children.iter().any(|child| child.proven_move() == Some(ExactValue::Draw))
    }

    fn rank(&self, index: usize, draw: bool) -> (Value, bool, Option<ExactValue>, u32) {
        let node = &self.nodes[index];
        match node.proven_move() {
            Some(exact @ ExactValue::Win(_)) => (Value::Win, true, Some(exact), node.visits),
            Some(exact @ ExactValue::Loss(_)) => (Value::Loss, true, Some(exact), node.visits),
            Some(ExactValue::Draw) => (Value::Draw, true, None, node.visits),
            None => (Value::Draw, !draw || node.mean >= 0.0, None, node.visits),
        }
    }

    pub(super) fn report(&self, time: Duration) -> SearchReport<G::Move> {
        let mut children: Vec<usize> = self.nodes[0].children().collect();
        let draw = self.has_draw(0);
        children.sort_by_key(|index| std::cmp::Reverse(self.rank(*index, draw)));
        children.truncate(self.task.line_count());
        let lines: Vec<_> = children.into_iter().map(|child| self.line(child)).collect();
        SearchReport {
            depth: lines[0].moves.len() as u32,
            selective_depth: self.depth.max(lines[0].moves.len() as u32),
            lines,
            proven: self.proven(),
            nodes: self.playouts,
            time,
            hash_full: (self.nodes.len() * 1000 / self.capacity) as u16,
        }
    }

    fn line(&self, child: usize) -> PvLine<G::Move> {
        let node = &self.nodes[child];
        let score = match node.proven_move() {
            Some(exact) => Score::by_line(exact),
            None => Score::from_mean(node.mean),
        };
        let mut moves = vec![node.mv];
        let mut next = self.best_child(child);
        while let Some(index) = next.filter(|index| self.nodes[*index].visits > 0) {
            moves.push(self.nodes[index].mv);
            next = self.best_child(index);
        }
        PvLine::new(score, moves)
    }
}

/// Approximates the natural logarithm of a positive integer from its floating-point representation,
/// to within 0.06: accurate enough for exploration, fast, and the same on every machine.
fn approximate_ln(count: u32) -> f32 {
    const MANTISSA: f32 = (1 << 23) as f32;
    const BIAS: f32 = 127.0;
    let log2 = (count.max(1) as f32).to_bits() as f32 / MANTISSA - BIAS;
    log2 * std::f32::consts::LN_2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_approximate_logarithm_is_within_its_tolerance() {
        for count in [1, 2, 3, 10, 100, 12_345, 1 << 30] {
            assert!((approximate_ln(count) - (count as f32).ln()).abs() < 0.06, "{count}");
        }
    }
}
