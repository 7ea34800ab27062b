//! Assesses every legal move of a position, for the review of games.
//!
//! In a solved game the exact solver gives exact values. Elsewhere the prover tries the position and its
//! moves first; a search compares the moves that remain. Proofs are kept, so a game is best assessed
//! from its last position to the first.

use std::time::Duration;

use super::assessments::Effort;
use crate::rules::{ExactValue, Game, Record, Value};
use crate::search::{
    EVAL_LIMIT, EvalHeuristic, Evaluator, Limits, PvLine, Score, SearchControl, SearchTask,
    Searcher, TimeBudget,
};
use crate::solve::{
    ExactSolver, Prover, ValueBounds, line_length, principal_variation, rank_moves,
};

/// Assesses the moves of a solved game, best first.
pub(super) fn assess_exactly<G: Game>(
    exact_solver: &mut impl ExactSolver<G>,
    record: &Record<G>,
    played: Option<G::Move>,
    completes_lines: bool,
) -> Vec<PvLine<G::Move>> {
    let ranked = rank_moves(exact_solver, record);
    let best = ranked.first().map(|(mv, _)| *mv);
    let assess = |(mv, exact): (G::Move, ExactValue)| {
        let has_line = completes_lines || Some(mv) == best || Some(mv) == played;
        let line = if has_line { principal_variation(exact_solver, record, mv) } else { vec![mv] };
        PvLine::new(Score::Exact(exact), line)
    };
    ranked.into_iter().map(assess).collect()
}

/// Assesses moves by proofs and searches.
pub(super) struct MoveAssessor<'a, G: Game, E> {
    pub(super) work: PositionWork<'a, G>,
    pub(super) played: Option<G::Move>,
    pub(super) completes_lines: bool,
    pub(super) searcher: &'a mut dyn Searcher<G>,
    pub(super) prover: &'a mut Prover<G, EvalHeuristic<E>>,
    /// The nodes searched so far, without those of the proofs.
    pub(super) nodes: u64,
}

/// The percentage of the limits for proving the value of a position.
const PROOF_SHARE: u64 = 25;
/// The percentage for proving the values of its moves.
const MOVE_PROOFS_SHARE: u64 = 20;
/// The percentage for the proven lines of the best and the played move.
const LINE_SHARE: u64 = 10;
/// The percentage for searching all moves. The rest goes to the candidates for the best move.
const ALL_MOVES_SHARE: u64 = 25;
/// The number of candidates for the best move that are searched in depth.
const CANDIDATES: usize = 2;

/// The percentage of the limits that is left for the assessment if all lines are to be completed.
const SHARE_BEFORE_LINES: u32 = 80;

impl<G: Game, E: Evaluator<G>> MoveAssessor<'_, G, E> {
    /// Assesses the legal moves, best first. Also returns the work it took.
    pub(super) fn assess(mut self) -> (Vec<PvLine<G::Move>>, Effort) {
        let proof_nodes = self.prover.nodes();
        let time = self.work.time;
        if self.completes_lines {
            self.work.time = time.map(|time| time * SHARE_BEFORE_LINES / 100);
        }
        let legal = self.work.task.record.legal_moves();
        let bounds = self.prove_moves(&legal);
        let is_exact = |bounds: &ValueBounds| bounds.value().is_some();
        let position = ValueBounds::of_moves(bounds.iter().copied());
        let moves = legal.iter().copied().zip(bounds.iter().copied());
        let open: Vec<(G::Move, ValueBounds)> = moves.filter(|(_, b)| !is_exact(b)).collect();
        let mut moves = self.search_moves(&open, position.value().is_some());
        let exact = legal.iter().zip(&bounds).filter_map(|(mv, b)| Some((*mv, b.value()?)));
        // The line of one move that keeps the value is enough to show the proof.
        let mut keepers =
            exact.clone().filter(|(_, value)| *value == position.lower).map(|(mv, _)| mv);
        let keeper = keepers.clone().find(|mv| Some(*mv) == self.played).or_else(|| keepers.next());
        for (mv, value) in exact {
            let has_line = Some(mv) == keeper || Some(mv) == self.played;
            moves.push(self.proven_move(mv, value, has_line));
        }
        PvLine::sort_best_first(&mut moves);
        if self.completes_lines {
            self.work.time = time;
            for assessed in &mut moves {
                if let ([mv], Some(value)) = (&assessed.moves[..], assessed.bounds.value()) {
                    *assessed = self.proven_move(*mv, value, true);
                }
            }
            PvLine::sort_best_first(&mut moves);
        }
        let nodes = self.nodes + self.prover.nodes() - proof_nodes;
        (moves, Effort { nodes, time: self.work.spent() })
    }

    /// Proves the position's value, then which moves keep it, within the limits. Returns the bounds of
    /// each move.
    fn prove_moves(&mut self, legal: &[G::Move]) -> Vec<ValueBounds> {
        let work = self.work;
        let pos = *work.task.record.position();
        let (nodes, mut is_over) = (work.nodes(PROOF_SHARE), || work.is_over(PROOF_SHARE));
        let position = self.prover.prove(&pos, nodes, &mut is_over);
        let mut bounds: Vec<ValueBounds> = legal
            .iter()
            .map(|mv| {
                let known = self.prover.bounds(&pos.after(*mv)).flip();
                // No move is better than the position.
                ValueBounds { upper: known.upper.min(position.upper), ..known }
            })
            .collect();
        let Some(value) = position.value() else { return bounds };
        let is_open = |known: &ValueBounds| known.upper >= value && known.lower < value;
        let mut open: Vec<usize> =
            (0..legal.len()).filter(|index| is_open(&bounds[*index])).collect();
        // The played move comes first and may use half of the nodes; the others share what is left.
        open.sort_by_key(|index| Some(legal[*index]) != self.played);
        let count = open.len() as u64;
        let end = self.prover.nodes().saturating_add(work.nodes(MOVE_PROOFS_SHARE));
        let until = PROOF_SHARE + MOVE_PROOFS_SHARE;
        for (done, index) in (0..).zip(open) {
            let parts = if done == 0 { count.min(2) } else { count - done };
            let nodes = (end.saturating_sub(self.prover.nodes()) / parts).max(1);
            let known = ValueBounds { lower: value.flip(), upper: Value::Win };
            let child = pos.after(legal[index]);
            let mut is_over = || work.is_over(until);
            bounds[index] =
                self.prover.narrow_bounds(&child, known, None, nodes, &mut is_over).flip();
        }
        bounds
    }

    /// A move whose value is proven, with a line that keeps the value if it is to have one.
    fn proven_move(&mut self, mv: G::Move, value: Value, has_line: bool) -> PvLine<G::Move> {
        let work = self.work;
        let (pos, mut line) = (work.task.record.position(), vec![mv]);
        if has_line {
            let (nodes, mut stop) = (work.nodes(LINE_SHARE), || work.is_over(100));
            line.extend(self.prover.proven_line(&pos.after(mv), value.flip(), nodes, &mut stop));
        }
        let length = line_length(pos, &line, value);
        PvLine::new(Score::by_line(value.in_plies(length)), line)
    }

    /// Searches moves whose value is not proven: all of them first, then the candidates for the best
    /// move and the played one in depth. In a position with a proven value only the first search is
    /// run, because no estimate can change what is best.
    fn search_moves(
        &mut self,
        open: &[(G::Move, ValueBounds)],
        is_proven: bool,
    ) -> Vec<PvLine<G::Move>> {
        if open.is_empty() {
            return Vec::new();
        }
        let moves: Vec<G::Move> = open.iter().map(|(mv, _)| *mv).collect();
        let until = PROOF_SHARE + if is_proven { MOVE_PROOFS_SHARE } else { 0 } + ALL_MOVES_SHARE;
        let mut lines = self.search(&moves, ALL_MOVES_SHARE, until);
        if !is_proven && lines.len() > 1 {
            let is_candidate = |(index, line): &(usize, &PvLine<G::Move>)| {
                *index < CANDIDATES || Some(*line.mv()) == self.played
            };
            let candidates = lines.iter().enumerate().filter(is_candidate);
            let candidates: Vec<G::Move> = candidates.map(|(_, line)| *line.mv()).collect();
            let searched = self.search(&candidates, 100 - until, 100);
            lines = merge_searches(lines, searched);
        }
        let assess = |line: PvLine<G::Move>| match line.score {
            // Some distances are exact, but records cannot tell which.
            Score::Exact(value) | Score::ByLine(value) => {
                PvLine::new(Score::by_line(value), line.moves)
            }
            Score::Estimate(points) => {
                let known = open.iter().find(|(own, _)| own == line.mv());
                let bounds = known.map_or(ValueBounds::OPEN, |(_, bounds)| *bounds);
                PvLine { score: Score::Estimate(points).within(bounds), bounds, ..line }
            }
        };
        lines.into_iter().map(assess).collect()
    }

    /// Searches moves, each with its own line, and returns them best first.
    fn search(&mut self, moves: &[G::Move], share: u64, until: u64) -> Vec<PvLine<G::Move>> {
        let work = self.work;
        let budget = work.time_left(until).map_or_else(TimeBudget::default, TimeBudget::fixed);
        let nodes = work.task.limits.nodes.map(|_| work.nodes(share));
        let task = SearchTask {
            moves: moves.to_vec(),
            limits: Limits { nodes, budget, ..Limits::default() },
            multi_pv: moves.len(),
            threads: work.task.threads,
            ..SearchTask::new(work.task.record.clone())
        };
        let report = self.searcher.search(&task, &work.control.child(), &mut |_| {});
        self.nodes += report.nodes;
        let depth = Some(report.depth);
        report.lines.into_iter().map(|line| PvLine { depth, ..line }).collect()
    }
}

#[derive(Clone, Copy)]
pub(super) struct PositionWork<'a, G: Game> {
    /// The game, the nodes and the number of threads.
    task: &'a SearchTask<G>,
    control: &'a SearchControl,
    time: Option<Duration>,
    /// When it started, on the clock of `control`.
    started: Duration,
}

impl<'a, G: Game> PositionWork<'a, G> {
    /// Work that starts now.
    pub(super) fn new(task: &'a SearchTask<G>, control: &'a SearchControl) -> Self {
        Self { task, control, time: task.limits.budget.hard, started: control.elapsed() }
    }

    /// Returns a share of the nodes, in percent.
    fn nodes(&self, share: u64) -> u64 {
        self.task.limits.nodes.map_or(u64::MAX, |nodes| (nodes.saturating_mul(share) / 100).max(1))
    }

    /// The time since the start.
    fn spent(&self) -> Duration {
        self.control.elapsed().saturating_sub(self.started)
    }

    /// Returns the time left until this percentage of the time limit.
    fn time_left(&self, until: u64) -> Option<Duration> {
        self.time.map(|time| (time * until as u32 / 100).saturating_sub(self.spent()))
    }

    /// Whether this percentage of the time is spent, or the work was stopped.
    fn is_over(&self, until: u64) -> bool {
        self.control.is_stopped() || self.time_left(until).is_some_and(|left| left.is_zero())
    }
}

/// Combines a shallow search of all moves with a deeper one of the candidates. Estimates of
/// different depths differ, so those of the other moves are shifted by the difference of the best
/// ones; and no other move is better than the second candidate, which the shallow search preferred.
fn merge_searches<M: PartialEq>(all: Vec<PvLine<M>>, candidates: Vec<PvLine<M>>) -> Vec<PvLine<M>> {
    let estimate = |line: Option<&PvLine<M>>| match line?.score {
        Score::Estimate(points) => Some(points),
        Score::Exact(_) | Score::ByLine(_) => None,
    };
    let shift = estimate(candidates.first()).zip(estimate(all.first()));
    let shift = shift.map_or(0, |(deep, shallow)| deep - shallow);
    let cap = estimate(candidates.get(1)).unwrap_or(EVAL_LIMIT);
    let is_candidate = |line: &PvLine<M>| candidates.iter().any(|own| own.mv() == line.mv());
    let others = all.into_iter().filter(|line| !is_candidate(line)).map(|mut line| {
        if let Score::Estimate(points) = &mut line.score {
            *points = (*points + shift).min(cap).clamp(-EVAL_LIMIT, EVAL_LIMIT);
        }
        line
    });
    let others: Vec<_> = others.collect();
    candidates.into_iter().chain(others).collect()
}
