//! One node of the tree, step by step.
//!
//! End of game, repetition, what is still possible, a win at hand, leaf, table, evaluation, what can
//! be cut or has to be looked at more closely, moves, store. A score beyond the evaluations is
//! always a proof. Where the depth reaches to the end of the game nothing is left out, so the scores
//! there are exact and what is stored holds for ever.

use super::score::{self, INFINITY, MAX_PLY, Points};
use super::selectivity::{self, MovePlan, SINGULAR_DEPTH, plies_to_end};
use super::table::{Bound, TtEntry};
use super::window::Window;
use super::worker::SearchWorker;
use super::{Evaluator, ordering};
use crate::rules::{Game, Move, Outcome};

/// What is known of a node before its moves are tried.
#[derive(Debug, Clone, Copy)]
struct NodeState {
    /// How far to look; to the end of the game and no further.
    depth: i32,
    ply: usize,
    /// Whether the depth reaches to the end of the game.
    exhaustive: bool,
    /// What the table knows.
    remembered: Option<TtEntry>,
    /// What the evaluation says, where it was asked; always where the search is not exhaustive.
    evaluation: Option<Points>,
    /// A move to be left out, to see what the others are worth.
    excluded: Option<u16>,
    /// How much deeper the remembered move is searched than the others.
    extension: i32,
}

impl NodeState {
    /// How deep a stored search must have been to answer for this one.
    fn validity(&self) -> i32 {
        if self.exhaustive { MAX_PLY as i32 } else { self.depth }
    }
}

impl<G: Game, E: Evaluator<G>> SearchWorker<'_, G, E> {
    /// The score of a position for the side to move, as far as `window` needs it; `None` when
    /// interrupted.
    pub(super) fn search(
        &mut self,
        pos: &G,
        depth: i32,
        window: Window,
        ply: usize,
    ) -> Option<Points> {
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
        // A win with this very move is the most that a node can have; it need not be played. On the
        // principal line it is, so that the line is whole.
        if inner.is_narrow() && pos.wins_at_once() {
            return Some(possible.beta);
        }
        if depth <= 0 || ply >= MAX_PLY {
            let known = if ply == 1 { self.proven_before(pos, ply) } else { None };
            let points = known.unwrap_or_else(|| self.evaluate(pos));
            return Some(points.clamp(possible.alpha, possible.beta));
        }
        self.enter_path(pos);
        let points = self.search_unsettled(pos, depth, inner, ply);
        self.path.pop();
        points.map(|points| points.clamp(possible.alpha, possible.beta))
    }

    /// The score of an unfinished position that is no leaf.
    fn search_unsettled(
        &mut self,
        pos: &G,
        depth: i32,
        window: Window,
        ply: usize,
    ) -> Option<Points> {
        let mut node = self.gather(pos, depth, ply);
        // Only narrow windows are cut: the nodes of the principal line are searched through, so
        // that their scores are those of this search and the line is whole. In a game that goes in
        // circles a score depends on the way, so there the table only orders the moves.
        if let Some(entry) = node.remembered
            && let Some(points) = cutoff(entry, node.validity(), window, ply)
            && window.is_narrow()
            && !G::CYCLIC
        {
            return Some(points);
        }
        if !node.exhaustive && self.selective {
            // Reverse futility.
            if let Some(evaluation) = node.evaluation
                && window.is_narrow()
                && selectivity::is_far_above(evaluation, node.depth, window)
            {
                return Some(evaluation);
            }
            if let Some(points) = self.test_singular(pos, &mut node, window)? {
                return Some(points);
            }
            // Where the table knows nothing, a look one ply less deep finds a move to begin with next
            // time (internal iterative reduction).
            if node.remembered.is_none() && node.depth >= selectivity::BLIND_DEPTH {
                node.depth -= 1;
            }
        }
        self.search_moves(pos, node, window)
    }

    /// Gathers what is known of a node.
    fn gather(&mut self, pos: &G, depth: i32, ply: usize) -> NodeState {
        let left = plies_to_end(pos);
        let exhaustive = depth >= left;
        let remembered = self.table.probe(pos.key());
        let evaluation = match remembered.and_then(|entry| entry.evaluation) {
            None if !exhaustive => Some(self.evaluate(pos)),
            known => known,
        };
        let depth = depth.min(left);
        NodeState { depth, ply, exhaustive, remembered, evaluation, excluded: None, extension: 0 }
    }

    /// Where the table holds a move that a nearly as deep search found good, looks at the others, half
    /// as deeply. If all are clearly worse, or there are none, everything hangs on that move, and it
    /// is searched deeper (singular extension). If one of them is above the window even so, the node
    /// is taken for one that is cut: a guess that gained (multi-cut). The inner result is the score of
    /// such a cut, the outer one is missing when the search was stopped.
    fn test_singular(
        &mut self,
        pos: &G,
        node: &mut NodeState,
        window: Window,
    ) -> Option<Option<Points>> {
        let Some(entry) = node.remembered.filter(|entry| {
            node.depth >= SINGULAR_DEPTH
                && i32::from(entry.depth) >= node.depth - 3
                && entry.bound != Bound::Upper
                && !score::is_decided(entry.points)
                && entry.move_code != TtEntry::NO_MOVE
        }) else {
            return Some(None);
        };
        let beta = entry.points - selectivity::singular_margin(node.depth);
        let others =
            NodeState { depth: (node.depth - 1) / 2, excluded: Some(entry.move_code), ..*node };
        let points = self.search_moves(pos, others, Window { alpha: beta - 1, beta })?;
        self.lines[node.ply].clear();
        if points < beta {
            node.extension = 1;
            return Some(None);
        }
        let enough = window.is_narrow() && points >= window.beta && !score::is_decided(points);
        Some(enough.then_some(points))
    }

    /// The score of a position that the table holds a proof of. Leaves are not looked up there, for that
    /// takes longer than to evaluate them; but when the clock allows no more than the first depth,
    /// what was proven moves ago must not be thrown away.
    fn proven_before(&self, pos: &G, ply: usize) -> Option<Points> {
        let entry = self.table.probe(pos.key()).filter(|_| !G::CYCLIC)?;
        let points = score::from_node(entry.points, ply);
        let won = entry.bound != Bound::Upper && score::is_won(points);
        let lost = entry.bound != Bound::Lower && score::is_won(-points);
        (won || lost).then_some(points)
    }

    fn evaluate(&mut self, pos: &G) -> Points {
        self.evaluator.evaluate(pos).clamp(-score::LIMIT, score::LIMIT)
    }

    /// Tries the moves of a node from the most promising down, and stores what comes of it.
    fn search_moves(&mut self, pos: &G, node: NodeState, mut window: Window) -> Option<Points> {
        let NodeState { depth, ply, .. } = node;
        let alpha = window.alpha;
        let mut best = -INFINITY;
        let remembered = node.remembered.map(|entry| entry.move_code);
        let mut best_code = remembered.unwrap_or(TtEntry::NO_MOVE);
        let mut moves = self.ordering.take_ranked(pos, remembered, ply);
        for index in 0..moves.len() {
            let mv = ordering::next(&mut moves, index);
            let code = mv.code() as u16;
            if node.excluded == Some(code) {
                continue;
            }
            let extension = if remembered == Some(code) { node.extension } else { 0 };
            let plan = MovePlan {
                depth: depth + extension - 1,
                reduction: if node.exhaustive { 0 } else { self.reduction(depth, index, window) },
                first: index == 0,
            };
            let points = self.search_move(pos, mv, plan, window, ply)?;
            if points <= best {
                continue;
            }
            best = points;
            if points <= window.alpha {
                continue;
            }
            window.alpha = points;
            best_code = code;
            self.keep_line(ply, mv);
            if points >= window.beta {
                let tried = moves[..index].iter().map(|(_, mv)| *mv);
                let tried = tried.filter(|mv| node.excluded != Some(mv.code() as u16));
                self.ordering.cutoff(pos.side(), ply, depth, mv, tried);
                break;
            }
        }
        self.ordering.give_back(moves, ply);
        let bound = match best {
            best if best >= window.beta => Bound::Lower,
            best if best > alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        if node.excluded.is_none() {
            let entry = TtEntry {
                move_code: best_code,
                points: score::from_root(best, ply),
                depth: node.validity().clamp(0, MAX_PLY as i32) as u8,
                bound,
                evaluation: node.evaluation,
            };
            self.table.store(pos.key(), entry);
        }
        Some(best)
    }

    /// How much less deeply a move is searched at first (late move reduction). On the principal line a little deeper than
    /// elsewhere, for what is missed there is missed for good.
    pub(super) fn reduction(&self, depth: i32, number: usize, window: Window) -> i32 {
        if !self.selective {
            return 0;
        }
        let less = if window.is_narrow() { 0 } else { 1 };
        (self.reductions.of(depth, number) - less).clamp(0, (depth - 2).max(0))
    }

    /// Plays a move, searches behind it, takes it back. All but the first move are first asked
    /// only whether they are better, less deeply; if so, how much.
    pub(super) fn search_move(
        &mut self,
        pos: &G,
        mv: G::Move,
        plan: MovePlan,
        window: Window,
        ply: usize,
    ) -> Option<Points> {
        let child = pos.after(mv);
        self.evaluator.played(pos, mv, &child);
        let mut ask = |depth, window: Window| {
            self.search(&child, depth, window.flipped(), ply + 1).map(|points| -points)
        };
        let mut points = None;
        if !plan.first {
            let narrow = window.narrow();
            points = ask(plan.depth - plan.reduction, narrow);
            if plan.reduction > 0 && points.is_some_and(|points| points > window.alpha) {
                points = ask(plan.depth, narrow);
            }
        }
        let undecided = points.is_some_and(|points| window.contains(points));
        if plan.first || undecided && !window.is_narrow() {
            points = ask(plan.depth, window);
        }
        self.evaluator.undone();
        points
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

/// What can still come out of a node. It is not lost sooner than here and not won sooner than by the next move,
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
fn cutoff(entry: TtEntry, depth: i32, window: Window, ply: usize) -> Option<Points> {
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
