//! Endgame proofs: near the end of the game the main thread alternates between alpha-beta and
//! proof-number search.
//!
//! Once the value is proven, play follows the proof. A proven win ends the search. In a proven draw
//! only moves that hold it are played, the one that alpha-beta likes best first; in a lost position
//! alpha-beta chooses the move. Without a proven value, no move is played that is proven to lose.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::root::RootMove;
use super::worker::SharedCount;
use crate::rules::{ExactValue, Game, Value};
use crate::search::{
    EvalHeuristic, Evaluator, Limits, Score, SearchControl, SearchReport, SearchTask,
};
use crate::solve::{Prover, STOP_CHECK_NODES, ValueBounds, line_length};

/// Alpha-beta nodes before the prover starts; shorter searches need no help.
const START_NODES: u64 = 10_000;
/// Beyond this many plies left, every two more double the nodes before the prover starts, because
/// they roughly double the size of a proof.
const NEAR_END_PLIES: u32 = 32;
/// Alpha-beta nodes before the prover starts with at most [`NEAR_END_PLIES`] left and no node limit.
const NEAR_END_START_NODES: u64 = 500;
/// The prover's nodes for each node of alpha-beta in the same case, because they cost less time, and in
/// mate searches, whose full-width depths grow so fast that a proof within this factor comes first.
const PROOF_FACTOR: u64 = 10;
/// Budget for the final probe before answering, some 2 ms. With a tenth of it, two to five times
/// as many late positions were misplayed at 1 ms a move.
const FINAL_PROBE_NODES: u64 = 20_000;
/// The same on a clock or with less than [`MIN_PROBE_TIME`], unless a win was claimed one move earlier.
const HURRIED_PROBE_NODES: u64 = 2000;
/// Searches with less time than this get a smaller budget for the final probe.
const MIN_PROBE_TIME: Duration = Duration::from_millis(1);
/// Divides the budget in that case.
const OUT_OF_TIME_DIVISOR: u64 = 10;
/// Budget for extracting the line of a proof.
const LINE_NODES: u64 = 200_000;

/// The proof of one root position.
pub(super) struct EndgameProof<'a, G: Game, E> {
    prover: &'a mut Prover<G, EvalHeuristic<E>>,
    task: &'a SearchTask<G>,
    control: &'a SearchControl,
    total_nodes: &'a SharedCount,
    /// The bounds of the root's value proven so far.
    bounds: ValueBounds,
    /// Alpha-beta nodes before the prover starts; 0 if a win was claimed.
    start_nodes: u64,
    /// The prover's nodes per node of alpha-beta from then on.
    factor: u64,
    /// Whether there are few enough plies left for a final probe.
    near_end: bool,
    /// The number of search threads; the prover gets one thread's share of the nodes.
    threads: usize,
    /// Whether the previous search proved a win and one reply to its move leads here.
    win_claimed: bool,
    /// Total nodes at the end of the prover's last turn.
    caught_up: u64,
    /// The line of the proof that was reported last.
    line: Vec<G::Move>,
}

impl<'a, G: Game, E: Evaluator<G>> EndgameProof<'a, G, E> {
    /// Prepares a proof, if the task asks for the value of the position: `None` for a selection of
    /// moves, several lines or a fixed depth, in cyclic games, and too far from the end of the game.
    pub(super) fn new(
        task: &'a SearchTask<G>,
        prover: &'a mut Prover<G, EvalHeuristic<E>>,
        control: &'a SearchControl,
        total_nodes: &'a SharedCount,
        threads: usize,
        win_claimed: bool,
    ) -> Option<Self> {
        let pos = task.position();
        let is_complete = task.moves.len() == pos.move_count() && task.line_count() == 1;
        let wants_value = is_complete && task.limits.depth.is_none() && !G::CYCLIC;
        let far = pos.max_plies_left().map_or(u32::MAX, |left| left.saturating_sub(NEAR_END_PLIES));
        let (near_end, is_mate_search) = (far == 0, task.limits.win_within.is_some());
        let gets_more = near_end && task.limits.nodes.is_none();
        let start_nodes = match (win_claimed, gets_more) {
            (true, _) => 0,
            (false, true) => NEAR_END_START_NODES,
            (false, false) => START_NODES.checked_mul(1_u64.checked_shl(far / 2)?)?,
        };
        let factor = if gets_more || is_mate_search { PROOF_FACTOR } else { 1 };
        let bounds = prover.bounds(pos);
        wants_value.then_some(Self {
            prover,
            task,
            control,
            total_nodes,
            bounds,
            start_nodes,
            factor,
            near_end,
            threads,
            win_claimed,
            caught_up: 0,
            line: Vec::new(),
        })
    }

    /// Final probe: tries to prove the value and a move that keeps it, or to refute the moves that
    /// alpha-beta likes best, just before answering. A win claimed earlier is not given away for lack of
    /// time. The budget is small enough to ignore the clock, but not a node limit. Returns the nodes
    /// spent.
    pub(super) fn final_probe(
        &mut self,
        report: &SearchReport<G::Move>,
        root_moves: &[RootMove<G::Move>],
    ) -> u64 {
        let limits = &self.task.limits;
        let is_allowed = limits.nodes.is_none() && limits.win_within.is_none();
        let is_promising = self.win_claimed || self.near_end;
        if report.proven.is_some() || !is_allowed || !is_promising {
            return 0;
        }
        let (pos, before) = (self.task.position(), self.prover.nodes());
        let has_clock = limits.budget.soft.is_some();
        let is_out_of_time = limits.budget.hard.is_some_and(|hard| hard < MIN_PROBE_TIME);
        let is_hurried = !self.win_claimed && (has_clock || is_out_of_time);
        let nodes = if is_hurried { HURRIED_PROBE_NODES } else { FINAL_PROBE_NODES };
        let nodes = if is_out_of_time { nodes / OUT_OF_TIME_DIVISOR } else { nodes };
        // The prover searches the last plies of the game whatever its budget. It polls `stop` every
        // STOP_CHECK_NODES nodes, so counting the polls bounds that as well: at twice the budget, for
        // the value and the move together.
        let mut polls = 0;
        let mut stop = || {
            polls += 1;
            polls > 2 * nodes / STOP_CHECK_NODES
        };
        // Refuting a move is often easier than proving the value, so half of the budget first goes to
        // the moves that alpha-beta likes best, until one of them is not refuted.
        for line in lines_by_rank(report, root_moves) {
            let left = (before + nodes / 2).saturating_sub(self.prover.nodes()).min(nodes / 4);
            let (reply, known, goal) = (pos.after(line[0]), ValueBounds::OPEN, Some(Value::Win));
            let bounds = self.prover.narrow_bounds(&reply, known, goal, left, &mut stop);
            if bounds.lower < Value::Win {
                break;
            }
        }
        let left = (before + nodes).saturating_sub(self.prover.nodes());
        self.bounds = self.prover.narrow_bounds(pos, self.bounds, None, left, &mut stop);
        let end = self.prover.nodes() + nodes;
        self.prover.find_move_reaching(pos, self.bounds.lower, end, &mut stop);
        self.prover.nodes() - before
    }

    /// Spends the prover's share of the nodes since its last turn: on the value of the root, and
    /// once that is a draw, on proving that alpha-beta's best move holds it.
    pub(super) fn catch_up(&mut self, root_moves: &[RootMove<G::Move>]) {
        let nodes = self.total_nodes.load(Ordering::Relaxed);
        if nodes < self.start_nodes {
            return;
        }
        // Only the main thread works on the proof.
        let share = self.factor * (nodes - self.caught_up) / self.threads as u64;
        let pos = self.task.position();
        match self.bounds.value() {
            None => self.bounds = self.prove(pos, self.bounds, share),
            Some(Value::Draw) => {
                // No move leaves the opponent less than a draw.
                let known = ValueBounds { lower: Value::Draw, upper: Value::Win };
                let may_hold = |root: &&RootMove<_>| self.move_bounds(root.mv).upper > Value::Loss;
                if let Some(root) = root_moves.iter().find(may_hold)
                    && self.move_bounds(root.mv).lower < Value::Draw
                {
                    self.prove(&pos.after(root.mv), known, share);
                }
            }
            Some(Value::Win | Value::Loss) => {}
        }
        self.caught_up = self.total_nodes.load(Ordering::Relaxed);
    }

    fn prove(&mut self, pos: &G, known: ValueBounds, share: u64) -> ValueBounds {
        let limits = &self.task.limits;
        let done = self.total_nodes.load(Ordering::Relaxed);
        let share = limits.nodes.map_or(share, |limit| share.min(limit.saturating_sub(done)));
        // The helpers draw from the same nodes meanwhile, so the share is reserved first.
        self.total_nodes.fetch_add(share, Ordering::Relaxed);
        let before = self.prover.nodes();
        let mut stop = || is_over(self.control, limits);
        let bounds = self.prover.narrow_bounds(pos, known, None, share, &mut stop);
        self.total_nodes.fetch_add(self.prover.nodes() - before, Ordering::Relaxed);
        self.total_nodes.fetch_sub(share, Ordering::Relaxed);
        bounds
    }

    /// Returns the proven bounds of a move's value.
    fn move_bounds(&self, mv: G::Move) -> ValueBounds {
        self.prover.bounds(&self.task.position().after(mv)).flip()
    }

    /// Whether the reported proof answers the task: a win, as short as required, or in a mate search
    /// the proof that there is none.
    pub(super) fn answers(&self, reported: Option<ExactValue>) -> bool {
        let limits = &self.task.limits;
        match self.bounds.value() {
            Some(Value::Win) => limits.is_sufficient_win(reported),
            Some(Value::Draw | Value::Loss) => reported.is_some() && limits.win_within.is_some(),
            None => false,
        }
    }

    /// Returns alpha-beta's report with the proven value and a line that keeps it.
    pub(super) fn apply_proof(
        &mut self,
        report: &SearchReport<G::Move>,
        root_moves: &[RootMove<G::Move>],
    ) -> SearchReport<G::Move> {
        let mut report = report.clone();
        if report.proven.is_some() {
            return report;
        }
        let Some(value) = self.bounds.value() else {
            self.avoid_losing_moves(&mut report, root_moves);
            return report;
        };
        let moves = match value {
            Value::Win => self.line_after(&[], value),
            Value::Draw => {
                let holds = |line: &&Vec<_>| self.move_bounds(line[0]).lower >= Value::Draw;
                let line = lines_by_rank(&report, root_moves).find(holds).cloned();
                line.unwrap_or_else(|| self.line_after(&[], value))
            }
            Value::Loss => self.line_after(&report.lines[0].moves[..1], value.flip()),
        };
        // A proven value is not reported without a move that keeps it.
        if !moves.is_empty() {
            let proven = value.in_plies(line_length(self.task.position(), &moves, value));
            report.proven = Some(proven);
            report.lines[0].moves = moves;
            report.lines[0].score = Score::by_line(proven);
        }
        report
    }

    /// Replaces a best move that is proven to lose by the next one that is not. Where a draw is proven and
    /// alpha-beta expects no more, the move has to be proven to hold it.
    fn avoid_losing_moves(
        &self,
        report: &mut SearchReport<G::Move>,
        root_moves: &[RootMove<G::Move>],
    ) {
        let Score::Estimate(points) = report.score() else { return };
        let floor = if points > 0 { Value::Loss } else { self.bounds.lower };
        let is_safe = |line: &&Vec<_>| {
            let bounds = self.move_bounds(line[0]);
            bounds.upper > Value::Loss && bounds.lower >= floor
        };
        let line = lines_by_rank(report, root_moves).find(is_safe).cloned();
        if let Some(moves) = line.filter(|moves| *moves != report.lines[0].moves) {
            let points = if floor == Value::Draw { 0 } else { points.min(0) };
            report.lines[0].score = Score::Estimate(points);
            report.lines[0].moves = moves;
        }
    }

    /// Returns a proven line that starts with `moves`; `value` is the proven value of the position
    /// after them. Ignores the node limit, because a proof is useless without its move.
    fn line_after(&mut self, moves: &[G::Move], value: Value) -> Vec<G::Move> {
        if !self.line.is_empty() && self.line.starts_with(moves) {
            return self.line.clone();
        }
        let mut pos = *self.task.position();
        moves.iter().for_each(|mv| pos.play_unchecked(*mv));
        let mut stop = || is_over(self.control, &self.task.limits);
        let before = self.prover.nodes();
        let rest = self.prover.proven_line(&pos, value, LINE_NODES, &mut stop);
        self.total_nodes.fetch_add(self.prover.nodes() - before, Ordering::Relaxed);
        self.line = [moves, &rest].concat();
        self.line.clone()
    }
}

/// The lines of the moves, as alpha-beta ranks them.
fn lines_by_rank<'r, M: PartialEq>(
    report: &'r SearchReport<M>,
    root_moves: &'r [RootMove<M>],
) -> impl Iterator<Item = &'r Vec<M>> {
    let best = &report.lines[0].moves;
    let others = root_moves.iter().map(|root| &root.line).filter(move |line| line[0] != best[0]);
    std::iter::once(best).chain(others)
}

/// Whether the search is stopped or out of time.
fn is_over(control: &SearchControl, limits: &Limits) -> bool {
    control.is_stopped() || limits.budget.hard.is_some_and(|hard| control.has_elapsed(hard))
}
