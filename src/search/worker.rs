//! One thread's walk through the tree: principal-variation search, node by node.
//!
//! A node goes through the same steps each time: end of game, repetition, what is still possible,
//! table, moves, store. Everything here is sound: a score beyond the evaluations is a proof, and a
//! search to the end of all lines is exact.

use std::sync::atomic::{AtomicU64, Ordering as Atomic};

use super::ordering::{self, Ordering};
use super::score::{self, INFINITY, MAX_PLY, Points};
use super::table::{Bound, Entry, Table};
use super::{Control, Evaluator, Limits, Task};
use crate::rules::{Game, Move, Outcome};

/// How many nodes pass between two looks at clock and stop flag.
const POLL: u64 = 512;

/// The part of the scores a node has to decide about: it only matters where in here its own lies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    pub alpha: Points,
    pub beta: Points,
}

impl Window {
    pub(super) const FULL: Self = Self { alpha: -INFINITY, beta: INFINITY };

    /// The window of a child, seen from the other side.
    fn flipped(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }

    /// A window that only asks whether a score is above alpha.
    fn narrow(self) -> Self {
        Self { beta: self.alpha + 1, ..self }
    }

    fn is_narrow(self) -> bool {
        self.beta - self.alpha == 1
    }

    fn contains(self, points: Points) -> bool {
        self.alpha < points && points < self.beta
    }
}

/// A root move with what the last search of it found.
#[derive(Debug, Clone)]
pub(super) struct RootMove<M> {
    pub mv: M,
    pub points: Points,
    pub line: Vec<M>,
}

/// Nodes of all threads together.
pub(super) type SharedCount = AtomicU64;

pub(super) struct Worker<'a, G: Game, E> {
    table: &'a Table,
    control: &'a Control,
    limits: &'a Limits,
    total: &'a SharedCount,
    /// The first worker watches the limits, the others only the stop flag.
    leads: bool,
    evaluator: E,
    ordering: Ordering<G>,
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
    path: Vec<u64>,
    /// Positions one repetition short of a draw when the search began.
    twice_seen: Vec<u64>,
    /// The best line from each ply on, rewritten as better ones are found.
    lines: Vec<Vec<G::Move>>,
}

impl<'a, G: Game, E: Evaluator<G>> Worker<'a, G, E> {
    pub(super) fn new(
        task: &'a Task<G>,
        table: &'a Table,
        control: &'a Control,
        total: &'a SharedCount,
        evaluator: E,
        leads: bool,
    ) -> Self {
        Self {
            table,
            control,
            limits: &task.limits,
            total,
            leads,
            evaluator,
            ordering: Ordering::new(),
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
        for (index, root_move) in moves.iter_mut().enumerate() {
            let points = self.search_move(pos, root_move.mv, depth, window, 0, index == 0);
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

    /// Plays a move, searches behind it, takes it back. All but the first move are first asked
    /// only whether they are better; if so, how much.
    fn search_move(
        &mut self,
        pos: &G,
        mv: G::Move,
        depth: i32,
        window: Window,
        ply: usize,
        first: bool,
    ) -> Option<Points> {
        let child = pos.after(mv);
        self.evaluator.played(pos, mv, &child);
        let narrow = window.narrow();
        let mut points = None;
        if !first {
            points = self.search(&child, depth - 1, narrow.flipped(), ply + 1).map(|p| -p);
        }
        let undecided = points.is_some_and(|points| window.contains(points));
        if first || undecided && !window.is_narrow() {
            points = self.search(&child, depth - 1, window.flipped(), ply + 1).map(|p| -p);
        }
        self.evaluator.undone();
        points
    }

    /// The score of a position for the side to move, as far as `window` needs it; `None` when
    /// interrupted.
    fn search(&mut self, pos: &G, depth: i32, window: Window, ply: usize) -> Option<Points> {
        self.count_node()?;
        self.lines[ply].clear();
        self.selective_depth = self.selective_depth.max(ply);
        if let Some(outcome) = pos.outcome() {
            return Some(finished(pos, outcome, ply));
        }
        if self.is_repetition(pos) {
            return Some(0);
        }
        let possible = possible_scores(pos, ply);
        let inner = Window {
            alpha: window.alpha.max(possible.alpha),
            beta: window.beta.min(possible.beta),
        };
        if inner.alpha >= inner.beta {
            return Some(if window.alpha >= possible.beta {
                possible.beta
            } else {
                possible.alpha
            });
        }
        if depth <= 0 || ply >= MAX_PLY {
            let points = self.evaluator.evaluate(pos).clamp(-score::LIMIT, score::LIMIT);
            return Some(points.clamp(possible.alpha, possible.beta));
        }
        // Only narrow windows are cut: the nodes of the principal line are searched through, so
        // that their scores and distances are exact and the line is whole. In a game that goes in
        // circles a score depends on the way, so there the table only orders the moves.
        let remembered = self.table.probe(pos.key());
        if let Some(points) = remembered.and_then(|entry| cutoff(entry, depth, inner, ply))
            && inner.is_narrow()
            && !G::CYCLIC
        {
            return Some(points.clamp(possible.alpha, possible.beta));
        }
        self.enter_path(pos);
        let points = self.search_moves(pos, depth, inner, ply, remembered.map(|e| e.move_code));
        self.path.pop();
        points.map(|points| points.clamp(possible.alpha, possible.beta))
    }

    /// Tries the moves of a node from the most promising down, and stores what comes of it.
    fn search_moves(
        &mut self,
        pos: &G,
        depth: i32,
        mut window: Window,
        ply: usize,
        remembered: Option<u16>,
    ) -> Option<Points> {
        let alpha = window.alpha;
        let mut best = -INFINITY;
        let mut best_code = remembered.unwrap_or(Entry::NO_MOVE);
        let mut moves = self.ordering.take_ranked(pos, remembered, ply);
        for index in 0..moves.len() {
            let mv = ordering::next(&mut moves, index);
            let points = self.search_move(pos, mv, depth, window, ply, index == 0)?;
            if points <= best {
                continue;
            }
            best = points;
            if points <= window.alpha {
                continue;
            }
            window.alpha = points;
            best_code = mv.code() as u16;
            self.keep_line(ply, mv);
            if points >= window.beta {
                self.ordering.cutoff(pos.side(), ply, depth, mv, &moves[..index]);
                break;
            }
        }
        self.ordering.give_back(moves, ply);
        let bound = match best {
            best if best >= window.beta => Bound::Lower,
            best if best > alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        let points = score::from_root(best, ply);
        let depth = depth.min(MAX_PLY as i32) as u8;
        self.table.store(pos.key(), Entry { move_code: best_code, points, depth, bound });
        Some(best)
    }

    /// The best line from here is this move and the best line behind it.
    fn keep_line(&mut self, ply: usize, mv: G::Move) {
        let (before, behind) = self.lines.split_at_mut(ply + 1);
        let line = &mut before[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&behind[0]);
    }

    fn enter_path(&mut self, pos: &G) {
        if G::CYCLIC {
            self.path.push(pos.key());
        }
    }

    /// A position that comes back on the path is a draw: what was good the first time is as good
    /// the second. So is one that would occur for the third time in the game.
    fn is_repetition(&self, pos: &G) -> bool {
        G::CYCLIC
            && (self.path.contains(&pos.key()) || self.twice_seen.contains(&pos.repetition_key()))
    }

    /// Counts a node and looks at the limits now and then; `None` when it is time to stop.
    #[inline]
    fn count_node(&mut self) -> Option<()> {
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
        let out_of_time = || self.limits.budget.hard.is_some_and(|hard| self.control.is_due(hard));
        if self.leads && (nodes_left == 0 || out_of_time()) {
            self.control.finish();
        }
        self.next_poll = self.nodes + nodes_left.clamp(1, POLL);
        (self.unstoppable || !self.control.is_stopped()).then_some(())
    }
}

fn finished<G: Game>(pos: &G, outcome: Outcome, ply: usize) -> Points {
    use crate::rules::Value;
    match outcome.value_for(pos.side()) {
        Value::Loss => score::loss_at(ply),
        Value::Draw => 0,
        Value::Win => score::win_at(ply),
    }
}

/// What can still come out of a node. It is not lost here and not won sooner than by the next move,
/// and a side that has no way left to win cannot win: the search need not look for what cannot be.
fn possible_scores<G: Game>(pos: &G, ply: usize) -> Window {
    let side = pos.side();
    Window {
        alpha: if pos.can_still_win(side.other()) { score::loss_at(ply) } else { 0 },
        beta: if pos.can_still_win(side) { score::win_at(ply + 1) } else { 0 },
    }
}

/// The remembered score if it settles the window. It must come from a search at least as deep, or
/// be a proof in the direction it is used for, which no depth can overturn.
fn cutoff(entry: Entry, depth: i32, window: Window, ply: usize) -> Option<Points> {
    let points = score::from_node(entry.points, ply);
    let deep = i32::from(entry.depth) >= depth;
    let (above, below) = match entry.bound {
        Bound::Exact => (true, true),
        Bound::Lower => (true, false),
        Bound::Upper => (false, true),
    };
    let fails_high = above && points >= window.beta && (deep || score::is_won(points));
    let fails_low = below && points <= window.alpha && (deep || score::is_won(-points));
    let exact = above && below && deep;
    (fails_high || fails_low || exact).then_some(points)
}
