//! One node of the principal variation search, technique by technique.
//!
//! A score beyond the evaluations is always a proof. Where the remaining depth reaches the end of
//! the game nothing is pruned, so scores there are exact and stay valid in the transposition table.

use super::ordering::{self, ScoredMoves};
use super::parameters;
use super::selectivity::{self, IIR_MIN_DEPTH, MovePlan, SINGULAR_MIN_DEPTH, plies_to_end};
use super::table::{Bound, TtEntry};
use super::window::Window;
use super::worker::SearchWorker;
use crate::rules::{Game, Move, Outcome, Value};
use crate::search::Evaluator;
use crate::search::points::{self, INFINITY, MAX_PLY, Points};

/// The inputs of a node, collected before its moves are searched.
#[derive(Debug, Clone, Copy)]
struct NodeState {
    /// Remaining depth, at most to the end of the game.
    depth: i32,
    ply: usize,
    /// Whether the remaining depth reaches the end of every line.
    exhaustive: bool,
    tt_entry: Option<TtEntry>,
    /// Always present where the search is not exhaustive.
    static_eval: Option<Points>,
    /// The TT move, while a singular search tests the alternatives.
    excluded_move: Option<u16>,
    /// Additional plies for the TT move.
    extension: i32,
}

impl NodeState {
    /// The static evaluation, or the TT score where its bound shows that it is closer to the truth.
    fn estimate(&self) -> Option<Points> {
        let static_eval = self.static_eval?;
        let is_closer = |entry: &TtEntry| match entry.bound {
            _ if points::is_proven(entry.points) => false,
            Bound::Exact => true,
            Bound::Lower => entry.points > static_eval,
            Bound::Upper => entry.points < static_eval,
        };
        Some(self.tt_entry.filter(is_closer).map_or(static_eval, |entry| entry.points))
    }

    /// The depth at which the result is stored, and which an entry needs for a cutoff. Exhaustive
    /// results hold for any depth.
    fn tt_depth(&self) -> i32 {
        if self.exhaustive { MAX_PLY as i32 } else { self.depth }
    }
}

impl<G: Game, E: Evaluator<G>> SearchWorker<'_, G, E> {
    /// Returns the score of a position for the side to move, exact within `window` and a bound
    /// outside; `None` if the search was stopped.
    pub(super) fn search_node(
        &mut self,
        pos: &G,
        depth: i32,
        window: Window,
        ply: usize,
    ) -> Option<Points> {
        self.count_node()?;
        self.pv[ply].clear();
        self.selective_depth = self.selective_depth.max(ply);
        if let Some(outcome) = pos.outcome() {
            return Some(terminal_score(pos, outcome, ply));
        }
        if self.is_repetition(pos) {
            return Some(0);
        }

        // Mate distance pruning: stop if no score that is still possible lies inside the window.
        let possible = possible_scores(pos, ply);
        let inner = Window {
            alpha: window.alpha.max(possible.alpha),
            beta: window.beta.min(possible.beta),
        };
        // A PV node with a single possible score is searched anyway, to show more of the principal
        // variation.
        let is_known = possible.alpha == possible.beta && points::is_proven(possible.alpha);
        let keeps_line = is_known && !window.is_null() && window.contains(possible.alpha);
        let inner = if keeps_line { window } else { inner };
        if inner.alpha >= inner.beta {
            return Some(if window.alpha >= possible.beta {
                possible.beta
            } else {
                possible.alpha
            });
        }

        // Win in one: nothing scores higher, so the move need not be searched. PV nodes search it
        // anyway, to keep the principal variation complete.
        if inner.is_null() && pos.wins_at_once() {
            return Some(possible.beta);
        }

        // A leaf that an earlier search proved. Only leaves right below the root are probed: elsewhere a
        // probe costs more than the evaluation, but when the clock allows no more than depth 1, proofs
        // must not be lost.
        if depth <= 0
            && ply == 1
            && let Some(points) = self.proven_tt_score(pos, ply)
        {
            return Some(points.clamp(possible.alpha, possible.beta));
        }

        // Quiescence search: where every move seems unsafe, a leaf is searched one ply deeper. All other
        // leaves are quiet, since these games have no captures.
        let is_noisy = depth <= 0 && self.config.selective && pos.safe_move_count() == 0;
        let depth = if is_noisy { 1 } else { depth };

        // Leaf: static evaluation.
        if depth <= 0 || ply >= MAX_PLY {
            return Some(self.evaluate(pos).clamp(possible.alpha, possible.beta));
        }

        self.push_path(pos);
        let points = self.search_interior(pos, depth, inner, ply);
        self.path.pop();
        points.map(|points| points.clamp(possible.alpha, possible.beta))
    }

    /// Searches an unfinished position with remaining depth.
    fn search_interior(
        &mut self,
        pos: &G,
        depth: i32,
        window: Window,
        ply: usize,
    ) -> Option<Points> {
        let mut node = self.node_state(pos, depth, ply);

        // TT cutoff. PV nodes are searched in full, so that their scores belong to this search and
        // the principal variation is complete. In cyclic games a score depends on the path, so
        // there an entry causes no cutoff.
        if let Some(entry) = node.tt_entry
            && let Some(points) = tt_cutoff(entry, node.tt_depth(), window, ply)
            && window.is_null()
            && !G::CYCLIC
        {
            return Some(points);
        }

        if !node.exhaustive && self.config.selective {
            // Reverse futility pruning: a score this far above beta is unlikely to fall below it
            // within the few plies that remain, unless every move seems unsafe.
            if let Some(estimate) = node.estimate()
                && window.is_null()
                && selectivity::passes_reverse_futility(estimate, node.depth, window)
                && pos.safe_move_count() > 0
            {
                return Some(estimate);
            }

            // Singular extension and multi-cut.
            if let Some(points) = self.search_singular(pos, &mut node, window)? {
                return Some(points);
            }

            // Internal iterative reduction: without a TT entry the ordering is poor, so a search one
            // ply shallower is cheaper and leaves an entry for the next visit.
            if node.tt_entry.is_none() && node.depth >= IIR_MIN_DEPTH {
                node.depth -= 1;
            }
        }
        self.search_moves(pos, node, window)
    }

    /// Probes the transposition table and evaluates the position where the search needs it.
    fn node_state(&mut self, pos: &G, depth: i32, ply: usize) -> NodeState {
        let plies_to_end = plies_to_end(pos);
        let exhaustive = depth >= plies_to_end;
        let tt_entry = self.table.probe(pos.search_key());
        let static_eval = match tt_entry.and_then(|entry| entry.static_eval) {
            None if !exhaustive => Some(self.evaluate(pos)),
            stored => stored,
        };
        let depth = depth.min(plies_to_end);
        NodeState {
            depth,
            ply,
            exhaustive,
            tt_entry,
            static_eval,
            excluded_move: None,
            extension: 0,
        }
    }

    /// Singular extension: if the TT entry is a lower bound of nearly the same depth, searches the
    /// other moves at half depth. If all of them score clearly worse, everything depends on the TT
    /// move, which is then searched one ply deeper, or two if they are much worse.
    ///
    /// Multi-cut: if one of the others reaches beta even so, at least two moves promise a cutoff, and
    /// the node is cut; unsound, but it gained Elo. The inner result is the score of that cut, the
    /// outer one is `None` if the search was stopped.
    fn search_singular(
        &mut self,
        pos: &G,
        node: &mut NodeState,
        window: Window,
    ) -> Option<Option<Points>> {
        let Some(entry) = node.tt_entry.filter(|entry| {
            node.depth >= SINGULAR_MIN_DEPTH
                && i32::from(entry.depth) >= node.depth - 3
                && entry.bound != Bound::Upper
                && !points::is_proven(entry.points)
                && entry.move_code != TtEntry::NO_MOVE
        }) else {
            return Some(None);
        };
        let beta = entry.points - selectivity::singular_margin(node.depth);
        let others = NodeState {
            depth: (node.depth - 1) / 2,
            excluded_move: Some(entry.move_code),
            ..*node
        };
        let points = self.search_moves(pos, others, Window { alpha: beta - 1, beta })?;
        self.pv[node.ply].clear();
        if points < beta {
            let is_double =
                window.is_null() && points < beta - parameters::double_extension_margin();
            node.extension = if is_double { 2 } else { 1 };
            return Some(None);
        }
        let multi_cut = window.is_null() && points >= window.beta && !points::is_proven(points);
        Some(multi_cut.then_some(points))
    }

    /// Returns the score of a position whose win or loss is proven in the table.
    fn proven_tt_score(&self, pos: &G, ply: usize) -> Option<Points> {
        let entry = self.table.probe(pos.search_key()).filter(|_| !G::CYCLIC)?;
        entry.is_proof().then(|| points::from_tt(entry.points, ply))
    }

    fn evaluate(&mut self, pos: &G) -> Points {
        self.evaluator.evaluate(pos).clamp(-points::EVAL_LIMIT, points::EVAL_LIMIT)
    }

    /// Searches the moves of a node in order and stores the result in the table.
    fn search_moves(&mut self, pos: &G, node: NodeState, mut window: Window) -> Option<Points> {
        let NodeState { depth, ply, .. } = node;
        let alpha = window.alpha;
        let mut best = -INFINITY;
        let tt_move = node.tt_entry.map(|entry| entry.move_code);
        let mut best_code = tt_move.unwrap_or(TtEntry::NO_MOVE);
        let last_move = self.line[ply - 1];
        let mut moves = self.ordering.take_scored_moves(pos, tt_move, last_move, ply);
        let safe_moves = moves.iter().filter(|(score, _)| *score != ordering::UNSAFE).count();
        let has_one_safe_move = safe_moves == 1 && moves.len() > 1 && self.config.selective;
        let prunes = window.is_null() && !node.exhaustive && self.config.selective;
        self.pick(pos, &mut moves, 0, depth);
        for index in 0..moves.len() {
            // The next move is picked already: this one's search hides how long its prefetch takes.
            self.pick(pos, &mut moves, index + 1, depth);
            let mv = moves[index].1;
            let code = mv.code() as u16;
            if node.excluded_move == Some(code) {
                continue;
            }
            // Unsafe moves come last. All of them lose in two plies, so none can beat such a score.
            if index >= safe_moves && best >= points::loss_at(ply + 2) {
                break;
            }
            // Late move pruning, once there is a move that is not proven to lose.
            let has_move = best > -INFINITY && !points::is_proven(best);
            if prunes && has_move && selectivity::is_too_late(depth, index) {
                break;
            }
            // A singular TT move and the only safe move are extended.
            let singular = if tt_move == Some(code) { node.extension } else { 0 };
            let extension = singular.max(i32::from(has_one_safe_move && index == 0));
            // Moves are reduced less in PV nodes, because a move missed there changes the result, without
            // a TT entry, because they are ordered poorly, and by their history.
            let pv_node = if window.is_null() { 0 } else { parameters::lmr_pv_node() };
            let no_entry = if node.tt_entry.is_some() { 0 } else { parameters::lmr_no_tt_entry() };
            let history = ordering::history_share(moves[index].0, parameters::lmr_history());
            let less = pv_node + no_entry + history;
            let plan = MovePlan {
                depth: depth + extension - 1,
                reduction: if node.exhaustive { 0 } else { self.reduction(depth, index, less) },
                is_first: index == 0,
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
            self.update_pv(ply, mv);
            if points >= window.beta {
                let tried = moves[..index].iter().map(|(_, mv)| *mv);
                let tried = tried.filter(|mv| node.excluded_move != Some(mv.code() as u16));
                self.ordering.record_cutoff(pos.side(), last_move, ply, depth, mv, tried);
                break;
            }
        }
        self.ordering.return_list(moves, ply);
        let bound = match best {
            best if best >= window.beta => Bound::Lower,
            best if best > alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        // A search without the TT move says nothing about the node itself.
        if node.excluded_move.is_none() {
            let entry = TtEntry {
                move_code: best_code,
                points: points::to_tt(best, ply),
                depth: node.tt_depth().clamp(0, MAX_PLY as i32) as u8,
                bound,
                static_eval: node.static_eval,
            };
            self.table.store(pos.search_key(), entry);
        }
        Some(best)
    }

    /// Picks the move to search at `index`, if there is one, and prefetches what its search will read.
    fn pick(&self, pos: &G, moves: &mut ScoredMoves<G::Move>, index: usize, depth: i32) {
        let Some(mv) = ordering::pick_next(moves, index) else { return };
        // At depth 1 the moves lead to leaves, which are not probed.
        if depth >= 2
            && let Some(key) = pos.search_key_after(mv)
        {
            self.table.prefetch(key);
        }
        self.evaluator.prefetch(pos, mv);
    }

    /// Late move reductions: returns by how many plies the first search of a move is reduced, `less`
    /// thousandths of a ply less than usual.
    pub(super) fn reduction(&self, depth: i32, move_number: usize, less: i32) -> i32 {
        if self.config.selective { self.reductions.plies(depth, move_number, less) } else { 0 }
    }

    /// Principal variation search of one move: the first move gets the full window. Every other
    /// move only has to show that it is not better, with a null window at reduced depth; if it
    /// might be, it is searched again at full depth and then with the full window.
    pub(super) fn search_move(
        &mut self,
        pos: &G,
        mv: G::Move,
        plan: MovePlan,
        window: Window,
        ply: usize,
    ) -> Option<Points> {
        let mut child = *pos;
        child.play_unchecked(mv);
        self.evaluator.make_move(pos, mv, &child);
        self.line[ply] = mv.code() as u16;
        let mut search_child = |depth, window: Window| {
            self.search_node(&child, depth, window.negated(), ply + 1).map(|points| -points)
        };
        let mut points = None;
        if !plan.is_first {
            let null_window = window.null_window();
            points = search_child(plan.depth - plan.reduction, null_window);
            if plan.reduction > 0 && points.is_some_and(|points| points > window.alpha) {
                points = search_child(plan.depth, null_window);
            }
        }
        let inside = points.is_some_and(|points| window.contains(points));
        if plan.is_first || inside && !window.is_null() {
            points = search_child(plan.depth, window);
        }
        self.evaluator.undo_move();
        points
    }
}

fn terminal_score<G: Game>(pos: &G, outcome: Outcome, ply: usize) -> Points {
    match outcome.value_for(pos.side()) {
        Value::Loss => points::loss_at(ply),
        Value::Draw => 0,
        Value::Win => points::win_at(ply),
    }
}

/// Returns the worst and best score that a node can still have: it is not lost before this ply, it
/// is not won before the next, a side that cannot win any more at best draws, and a secured win is
/// won by the end of the game at the latest.
fn possible_scores<G: Game>(pos: &G, ply: usize) -> Window {
    let (us, them) = (pos.side(), !pos.side());
    let last_ply = ply + plies_to_end(pos) as usize;
    let alpha = if pos.can_still_win(them) {
        points::loss_at(ply)
    } else if pos.has_secured_win(us) {
        points::win_at(last_ply)
    } else {
        0
    };
    let beta = if pos.can_still_win(us) {
        points::win_at(ply + 1)
    } else if pos.has_secured_win(them) {
        points::loss_at(last_ply)
    } else {
        0
    };
    Window { alpha, beta }
}

/// Returns the score of a TT entry if it decides the window. The entry must come from a search at
/// least as deep, or prove a win or loss in the direction of the cutoff, which holds at any depth.
fn tt_cutoff(entry: TtEntry, depth: i32, window: Window, ply: usize) -> Option<Points> {
    let points = points::from_tt(entry.points, ply);
    let deep_enough = i32::from(entry.depth) >= depth;
    let (is_lower, is_upper) = match entry.bound {
        Bound::Exact => (true, true),
        Bound::Lower => (true, false),
        Bound::Upper => (false, true),
    };
    let fails_high = is_lower && points >= window.beta && (deep_enough || points::is_won(points));
    let fails_low = is_upper && points <= window.alpha && (deep_enough || points::is_won(-points));
    let is_exact = is_lower && is_upper && deep_enough;
    (fails_high || fails_low || is_exact).then_some(points)
}
