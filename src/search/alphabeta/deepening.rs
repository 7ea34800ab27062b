//! Iterative deepening: searches the root depth by depth, with aspiration windows, until a limit is
//! reached or the result is settled.

use std::cmp::Reverse;

use super::endgame_proof::EndgameProof;
use super::parameters;
use super::root::RootMove;
use super::window::Window;
use super::worker::SearchWorker;
use crate::rules::{ExactValue, Game};
use crate::search::points::{self, INFINITY, MAX_PLY};
use crate::search::{Evaluator, PvLine, Score, SearchReport, SearchTask};

/// The root moves of one thread and how far it searches them.
pub(super) struct IterativeDeepening<'a, G: Game, E> {
    task: &'a SearchTask<G>,
    worker: SearchWorker<'a, G, E>,
    root_moves: Vec<RootMove<G::Move>>,
    /// The root move that failed high in the aspiration window, until it is searched again.
    failed_high: Option<RootMove<G::Move>>,
    last_depth: u32,
    /// From this depth on the search is exact: it reaches the end of every line, or the rules already
    /// make the position a draw.
    exhaustive_depth: u32,
}

impl<'a, G: Game, E: Evaluator<G>> IterativeDeepening<'a, G, E> {
    pub(super) fn new(task: &'a SearchTask<G>, worker: SearchWorker<'a, G, E>) -> Self {
        let root_moves = task.moves.iter().map(|&mv| RootMove { mv, points: 0, line: vec![mv] });
        let pos = task.position();
        let is_dead_draw = ![pos.side(), !pos.side()].iter().any(|side| pos.can_still_win(*side));
        let exhaustive_depth =
            if is_dead_draw { 1 } else { pos.max_plies_left().unwrap_or(u32::MAX).max(1) };
        let deepest = exhaustive_depth.min(MAX_PLY as u32);
        let last_depth = task.limits.max_depth().map_or(deepest, |depth| depth.clamp(1, deepest));
        Self {
            task,
            worker,
            root_moves: root_moves.collect(),
            failed_high: None,
            last_depth,
            exhaustive_depth,
        }
    }

    /// Searches depth 1, which no limit interrupts.
    pub(super) fn search_first_depth(&mut self) -> SearchReport<G::Move> {
        self.worker.unstoppable = true;
        self.search_depth(1);
        self.worker.unstoppable = false;
        let lines = self.pv_lines(1);
        let proven = lines[0].score.proven();
        let mut report = SearchReport { depth: 1, lines, proven, ..SearchReport::default() };
        self.update_statistics(&mut report);
        report
    }

    /// Runs the main thread: reports each further depth, alternates with the endgame proof and
    /// decides when to stop.
    pub(super) fn run_main(
        &mut self,
        mut report: SearchReport<G::Move>,
        mut proof: Option<EndgameProof<'_, G, E>>,
        progress: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> SearchReport<G::Move> {
        let mut depth = 1;
        loop {
            let interrupted = report.depth < depth;
            let over = interrupted || !self.should_continue(&report);
            if over && let Some(proof) = &mut proof {
                report.nodes += proof.final_probe(&report, &self.root_moves);
                report.time = self.worker.control.elapsed();
            }
            let with_proof = match &mut proof {
                Some(proof) => proof.apply_proof(&report, &self.root_moves),
                None => report.clone(),
            };
            let answered = proof.as_ref().is_some_and(|proof| proof.answers(with_proof.proven));
            if answered || over {
                return with_proof;
            }
            progress(&with_proof);
            depth += 1;
            let lines = if self.search_depth(depth) {
                report.depth = depth;
                Some(self.pv_lines(depth))
            } else {
                let better = self.interrupted_line().map(|line| vec![line]);
                better.filter(|better| better[0].moves[0] != report.lines[0].moves[0])
            };
            if let Some(lines) = lines {
                update_lines(&mut report, lines);
            }
            if let Some(proof) = &mut proof
                && report.depth == depth
                && self.should_continue(&report)
            {
                self.worker.publish_nodes();
                proof.catch_up(&self.root_moves);
            }
            self.update_statistics(&mut report);
        }
    }

    /// Runs a helper thread (lazy SMP), which only fills the transposition table. Every other helper
    /// starts one depth ahead, so that the threads diverge.
    pub(super) fn run_helper(&mut self, number: usize) {
        let first = 1 + (number % 2) as u32;
        for depth in first..=self.last_depth.max(first) {
            if self.worker.control.is_stopped() || !self.search_depth(depth) {
                break;
            }
        }
    }

    fn update_statistics(&mut self, report: &mut SearchReport<G::Move>) {
        report.selective_depth = (self.worker.selective_depth as u32).max(report.depth);
        report.nodes = self.worker.publish_nodes();
        report.time = self.worker.control.elapsed();
        report.hash_full = self.worker.table.fullness();
    }

    /// Whether to search another depth.
    pub(super) fn should_continue(&self, report: &SearchReport<G::Move>) -> bool {
        let is_stopped = self.worker.control.is_stopped();
        report.depth < self.last_depth && !is_stopped && !self.is_settled(report)
    }

    /// Searches one depth for all lines of a MultiPV search; `false` if stopped.
    fn search_depth(&mut self, depth: u32) -> bool {
        for pv_index in 0..self.task.line_count() {
            if !self.search_pv(depth, pv_index) {
                return false;
            }
        }
        self.root_moves[..self.task.line_count()].sort_by_key(|root| Reverse(root.points));
        true
    }

    /// Finds the best root move from `pv_index` on and moves it to that index.
    ///
    /// Aspiration windows: the search starts with a small window around the score of the previous
    /// depth, which prunes more, and widens it when the score falls outside.
    fn search_pv(&mut self, depth: u32, pv_index: usize) -> bool {
        const ASPIRATION_MIN_DEPTH: u32 = 4;
        let expected = self.root_moves[pv_index].points;
        let mut margin = parameters::aspiration_margin();
        let mut window = Window::FULL;
        if depth >= ASPIRATION_MIN_DEPTH && !points::is_proven(expected) && expected > -INFINITY {
            window = Window { alpha: expected - margin, beta: expected + margin };
        }
        let pos = self.task.position();
        loop {
            let moves = &mut self.root_moves[pv_index..];
            let Some(points) = self.worker.search_root(pos, depth as i32, window, moves) else {
                return false;
            };
            // The stable sort keeps the order of moves that did not raise alpha.
            moves.sort_by_key(|root| Reverse(root.points));
            let fails_low = points <= window.alpha && window.alpha > -INFINITY;
            let fails_high = points >= window.beta && window.beta < INFINITY;
            self.failed_high = fails_high.then(|| moves[0].clone());
            if !fails_low && !fails_high {
                return true;
            }
            margin *= 4;
            let unbounded =
                margin > 16 * parameters::aspiration_margin() || points::is_proven(points);
            if fails_low {
                window.alpha = if unbounded { -INFINITY } else { points - margin };
            } else {
                window.beta = if unbounded { INFINITY } else { points + margin };
            }
        }
    }

    /// Within how many plies a search of this depth finds every win and loss, and so their exact
    /// distances: all if it is exhaustive, one ply more than its depth if it is full-width, none if
    /// pruning may have hidden a faster win.
    fn exact_plies(&self, depth: u32) -> usize {
        if depth >= self.exhaustive_depth {
            points::EXHAUSTIVE
        } else if self.worker.config.selective {
            0
        } else {
            depth as usize + 1
        }
    }

    fn pv_lines(&mut self, depth: u32) -> Vec<PvLine<G::Move>> {
        let exact_plies = self.exact_plies(depth);
        let best = self.root_moves[..self.task.line_count()].to_vec();
        best.into_iter()
            .map(|root| {
                let score = Score::from_points_at_root(root.points, exact_plies);
                // Where a win can be secured before the last move, the score only bounds its
                // distance.
                let score = if G::WINNER_MOVES_LAST { score } else { score.without_distance() };
                self.pv_line(score, root.line)
            })
            .collect()
    }

    /// Returns a line with the mean of the draw shares that the evaluation predicts along it. The end
    /// alone would jump from depth to depth, because each depth ends elsewhere.
    fn pv_line(&mut self, score: Score, moves: Vec<G::Move>) -> PvLine<G::Move> {
        let mut pos = *self.task.position();
        let (mut total, mut count) = (0.0, 0.0);
        let evaluator = &mut self.worker.evaluator;
        evaluator.reset(&pos);
        for mv in &moves {
            let next = pos.after(*mv);
            if next.outcome().is_some() {
                break;
            }
            evaluator.make_move(&pos, *mv, &next);
            let (_, draw_share) = evaluator.evaluate_with_draw_share(&next);
            total += draw_share.unwrap_or(E::CALIBRATION.draw_share);
            count += 1.0;
            pos = next;
        }
        let draw_share = if count > 0.0 { total / count } else { E::CALIBRATION.draw_share };
        PvLine { draw_share, ..PvLine::new(score, moves) }
    }

    /// Returns the move that beat the best one in an interrupted depth. Its score is an estimate,
    /// because the moves after it were not searched and it may be a bound; but an exact win is
    /// proven whatever the others score.
    fn interrupted_line(&mut self) -> Option<PvLine<G::Move>> {
        let improved = self.worker.improved.map(|index| &self.root_moves[index]);
        let root = improved.or(self.failed_high.as_ref())?;
        let score = if improved.is_some() && points::is_won(root.points) {
            Score::from_points_at_root(root.points, 0)
        } else {
            Score::Estimate(root.points.clamp(-points::EVAL_LIMIT, points::EVAL_LIMIT))
        };
        let (single, moves) = (self.task.line_count() == 1, root.line.clone());
        single.then(|| self.pv_line(score, moves))
    }

    /// Whether more depth cannot help or is not worth its time: the lines are proven, the mate
    /// search is answered, or the soft time limit has passed.
    fn is_settled(&self, report: &SearchReport<G::Move>) -> bool {
        // A win found beyond the depth may not be the fastest.
        let is_settled_line = |line: &PvLine<_>| match line.score.proven() {
            Some(ExactValue::Win(plies)) => u32::from(plies) <= report.depth,
            Some(ExactValue::Draw | ExactValue::Loss(_)) => true,
            None => false,
        };
        let limits = &self.task.limits;
        let best = report.lines.first().and_then(|line| line.score.proven());
        let mate_found = limits.win_within.is_some() && limits.is_sufficient_win(best);
        // On a clock, a forced move only needs a score and an expected reply.
        const FORCED_MOVE_DEPTH: u32 = 6;
        let soft = limits.budget.soft;
        let is_forced =
            soft.is_some() && self.task.moves.len() == 1 && report.depth >= FORCED_MOVE_DEPTH;
        let out_of_time = soft.is_some_and(|soft| self.worker.control.has_elapsed(soft));
        report.lines.iter().all(is_settled_line) || mate_found || is_forced || out_of_time
    }
}

/// Replaces the lines of an earlier depth, but keeps a proven win if the new search lost sight of
/// it.
fn update_lines<M>(report: &mut SearchReport<M>, lines: Vec<PvLine<M>>) {
    let proven = lines[0].score.proven();
    let is_win = |proven| matches!(proven, Some(ExactValue::Win(_)));
    if is_win(proven) || !is_win(report.proven) {
        report.lines = lines;
        report.proven = proven;
    }
}
