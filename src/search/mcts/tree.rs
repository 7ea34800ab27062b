//! The tree of Monte-Carlo search: selection, expansion, backing up, proofs.

use std::time::Duration;

use super::playout::{is_repetition, playout};
use crate::rules::{ExactValue, Game, Outcome, SplitMix, Value};
use crate::search::{ProvenValue, PvLine, Score, SearchReport, SearchTask};

/// How much a little-visited move is favoured, for results between -1 and 1.
const CURIOSITY: f32 = 1.0;

/// A move in the tree and the position behind it.
#[derive(Debug, Clone, Copy)]
struct MctsNode<M> {
    mv: M,
    child_count: u16,
    first_child: u32,
    visits: u32,
    /// Half-points won by the player who made the move, a draw counting one.
    gain: u32,
    /// Selection weighs `mean + pull * novelty`: the mean result for the player who made the move,
    /// from -1 to 1, and one over the root of the visits. Both are kept ready here, because every
    /// child is weighed at every step down but only one is changed on the way up.
    mean: f32,
    novelty: f32,
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
            gain: 0,
            mean: 0.0,
            novelty: f32::INFINITY,
            proven: None,
        }
    }

    fn record(&mut self, half_points: u32) {
        self.visits += 1;
        self.gain += half_points;
        if self.proven.is_none() {
            self.mean = self.gain as f32 / self.visits as f32 - 1.0;
            self.novelty = 1.0 / (self.visits as f32).sqrt();
        }
    }

    /// What is proven is not explored any more: a draw counts as one, a move that loses is left
    /// alone, a move that wins ends the search of its parent.
    fn prove(&mut self, exact: ExactValue) {
        self.proven = Some(exact);
        self.novelty = 0.0;
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

    /// What the move is proven to be worth to the player who makes it.
    fn proven_move(&self) -> Option<ExactValue> {
        self.proven.map(ExactValue::before_move)
    }
}

pub(super) struct MctsTree<'a, G: Game> {
    task: &'a SearchTask<G>,
    /// The root is number 0; siblings lie side by side.
    nodes: Vec<MctsNode<G::Move>>,
    capacity: usize,
    /// Keys of the game before the root that are one repetition short of a draw.
    twice_seen: Vec<u64>,
    playouts: u64,
    /// How many there were when the tree last grew.
    last_growth: u64,
    depth: u32,
    /// Scratch: the way down, and the keys of the positions on it.
    way: Vec<usize>,
    path: Vec<u64>,
}

impl<'a, G: Game> MctsTree<'a, G> {
    pub(super) fn new(task: &'a SearchTask<G>, bytes: usize) -> Self {
        let mut tree = Self {
            task,
            nodes: vec![MctsNode::new(task.moves[0])],
            // Children are numbered in 32 bits.
            capacity: (bytes / size_of::<MctsNode<G::Move>>())
                .clamp(1 + task.moves.len(), u32::MAX as usize),
            twice_seen: task.twice_seen(),
            playouts: 0,
            last_growth: 0,
            depth: 0,
            way: Vec::new(),
            path: Vec::new(),
        };
        tree.add_children(0, task.moves.iter().copied());
        tree
    }

    pub(super) fn playouts(&self) -> u64 {
        self.playouts
    }

    /// The deepest ply the tree reaches.
    pub(super) fn depth(&self) -> u32 {
        self.depth
    }

    pub(super) fn is_full(&self) -> bool {
        self.nodes.len() == self.capacity
    }

    /// Whether it has not grown for long: where all lines end in repetition, they are no proofs,
    /// and yet nothing is left to add.
    pub(super) fn is_stuck(&self) -> bool {
        const LONG: u64 = 100_000;
        self.playouts - self.last_growth > LONG
    }

    /// The proven value of the root.
    pub(super) fn proven(&self) -> Option<ExactValue> {
        self.nodes[0].proven
    }

    /// One walk from the root to a leaf, one random game from there, one walk back.
    pub(super) fn playout(&mut self, random: &mut SplitMix) {
        let mut pos = *self.task.position();
        self.way.clear();
        self.way.push(0);
        self.path.clear();
        if G::CYCLIC {
            self.path.push(pos.key());
        }
        // How many nodes of the way, counted from the root, are content with a proven draw.
        let mut content = 0;
        let outcome = loop {
            let here = self.way[self.way.len() - 1];
            if let Some(known) = self.known_outcome(here, &pos) {
                break known;
            }
            if self.nodes[here].child_count == 0 {
                let fresh = self.nodes[here].visits == 0;
                if fresh || !self.expand(here, &pos, random) {
                    break playout(pos, &mut self.path, &self.twice_seen, random);
                }
            }
            let Some(mut child) = self.select(here) else { continue };
            if self.nodes[child].proven == Some(ExactValue::Draw)
                && let Some(unproven) = self.most_promising_unproven(here)
            {
                // The draw is what the node is worth for now; its other moves are looked into
                // all the same, or nothing would ever be proven around a draw.
                if content == 0 {
                    content = self.way.len();
                }
                child = unproven;
            }
            pos.play_unchecked(self.nodes[child].mv);
            self.way.push(child);
            if G::CYCLIC && is_repetition(&pos, &mut self.path, &self.twice_seen) {
                break Outcome::Draw;
            }
        };
        self.playouts += 1;
        self.depth = self.depth.max(self.way.len() as u32 - 1);
        self.back_up(outcome, content);
    }

    /// The outcome below a node that needs no playout: the game is over there, or it is proven.
    fn known_outcome(&mut self, node: usize, pos: &G) -> Option<Outcome> {
        if let Some(outcome) = pos.outcome() {
            self.nodes[node].prove(ExactValue::finished(outcome, pos.side()));
            return Some(outcome);
        }
        self.nodes[node].proven.map(|exact| match exact.value() {
            Value::Win => Outcome::Win(pos.side()),
            Value::Draw => Outcome::Draw,
            Value::Loss => Outcome::Win(pos.side().other()),
        })
    }

    fn expand(&mut self, node: usize, pos: &G, random: &mut SplitMix) -> bool {
        let mut moves = pos.legal_moves();
        if !self.has_room(moves.len()) {
            self.capacity = self.nodes.len();
            return false;
        }
        // Which children come first must not depend on where their cells lie.
        for last in (1..moves.len()).rev() {
            moves.swap(last, random.below(last + 1));
        }
        self.add_children(node, moves.into_iter());
        true
    }

    /// Makes room for more nodes, doubling the memory up to the bound.
    fn has_room(&mut self, more: usize) -> bool {
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

    /// The child to look at next: one not tried yet, else the best by mean and novelty. When all
    /// moves are proven to lose, so is the node, and there is nothing to select.
    fn select(&mut self, node: usize) -> Option<usize> {
        let best = self.most_promising(node, |_| true);
        if best.is_none() {
            self.prove(node);
        }
        best
    }

    fn most_promising_unproven(&self, node: usize) -> Option<usize> {
        self.most_promising(node, |child| child.proven.is_none())
    }

    #[inline]
    fn most_promising(
        &self,
        node: usize,
        counts: impl Fn(&MctsNode<G::Move>) -> bool,
    ) -> Option<usize> {
        let parent = &self.nodes[node];
        // More than the visits, so that the pull is never nothing.
        let pull = CURIOSITY * logarithm(parent.visits + 2).sqrt();
        let first = parent.first_child as usize;
        let mut best = None;
        let mut best_promise = f32::NEG_INFINITY;
        for (index, child) in self.nodes[parent.children()].iter().enumerate() {
            let promise = child.mean + pull * child.novelty;
            if promise > best_promise && counts(child) {
                (best, best_promise) = (Some(first + index), promise);
            }
        }
        best
    }

    /// Counts the result for all on the way; the first `content` of them take a draw.
    fn back_up(&mut self, outcome: Outcome, content: usize) {
        let mut mover = self.task.side().other();
        for index in 0..self.way.len() {
            let counted = if index < content { Outcome::Draw } else { outcome };
            let half_points = match counted.value_for(mover) {
                Value::Win => 2,
                Value::Draw => 1,
                Value::Loss => 0,
            };
            self.nodes[self.way[index]].record(half_points);
            mover = mover.other();
        }
        for index in (1..self.way.len()).rev() {
            if self.nodes[self.way[index]].proven.is_none() || !self.prove(self.way[index - 1]) {
                break;
            }
        }
    }

    /// Proves a node from its children, if they suffice: one that wins, or all of them. Drawing
    /// by repetition depends on the way and is never a proof.
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

    /// The child to play: the fastest proven win, else the most visited that is not proven lost,
    /// else the slowest loss. With a draw at hand none that looks worse: once it is proven, the
    /// draw gets no more visits.
    fn favourite(&self, node: usize) -> Option<usize> {
        let children = self.nodes[node].children();
        let draw = self.has_draw(node);
        children.max_by_key(|index| self.merit(*index, draw))
    }

    /// Whether one of the moves is proven to draw.
    fn has_draw(&self, node: usize) -> bool {
        let children = &self.nodes[self.nodes[node].children()];
        children.iter().any(|child| child.proven_move() == Some(ExactValue::Draw))
    }

    fn merit(&self, index: usize, draw: bool) -> (Value, bool, Option<ExactValue>, u32) {
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
        children.sort_by_key(|index| std::cmp::Reverse(self.merit(*index, draw)));
        children.truncate(self.task.line_count());
        let lines: Vec<_> = children.into_iter().map(|child| self.line(child)).collect();
        SearchReport {
            depth: lines[0].moves.len() as u32,
            selective_depth: self.depth.max(lines[0].moves.len() as u32),
            lines,
            proven: self.proven().map(ProvenValue::from_line),
            nodes: self.playouts,
            time,
            hash_full: (self.nodes.len() * 1000 / self.capacity) as u16,
        }
    }

    fn line(&self, child: usize) -> PvLine<G::Move> {
        let node = &self.nodes[child];
        let score = match node.proven_move() {
            Some(exact) => Score::Proven(ProvenValue::from_line(exact)),
            None => Score::from_mean(node.mean),
        };
        let mut moves = vec![node.mv];
        let mut next = self.favourite(child);
        while let Some(index) = next.filter(|index| self.nodes[*index].visits > 0) {
            moves.push(self.nodes[index].mv);
            next = self.favourite(index);
        }
        PvLine { score, moves, draw_share: None }
    }
}

/// The natural logarithm of a count from 1 on, read off the floating-point form to within 0.06:
/// near enough to weigh curiosity, fast, and the same on every machine.
fn logarithm(count: u32) -> f32 {
    const MANTISSA: f32 = (1 << 23) as f32;
    const BIAS: f32 = 127.0;
    let log2 = (count.max(1) as f32).to_bits() as f32 / MANTISSA - BIAS;
    log2 * std::f32::consts::LN_2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithm_is_near_enough() {
        for count in [1, 2, 3, 10, 100, 12_345, 1 << 30] {
            assert!((logarithm(count) - (count as f32).ln()).abs() < 0.06, "{count}");
        }
    }
}
