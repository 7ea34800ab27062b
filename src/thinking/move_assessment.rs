//! Assesses every legal move of a position, for the review of games.
//!
//! In a solved game the oracle gives exact values. Elsewhere the prover tries the position and its
//! moves first; a search compares the moves that remain. Proofs are kept, so a game is best assessed
//! from its last position to the first.

use std::cmp::Reverse;
use std::time::Duration;

use super::settings::{EngineEvaluator, Settings};
use crate::rules::{ExactValue, Game, Record, Value};
use crate::search::{
    AlphaBeta, EVAL_LIMIT, EvalGuide, Limits, OutOfMemory, Points, ProvenValue, PvLine, Score,
    SearchControl, SearchTask, Searcher, TimeBudget,
};
use crate::solve::{
    Oracle, Prover, RankedMove, ValueBounds, line_length, principal_variation, rank_moves,
};

/// Assesses the moves of a solved game, best first.
pub(crate) fn assess_exactly<G: Game>(
    oracle: &mut impl Oracle<G>,
    record: &Record<G>,
    played: Option<G::Move>,
) -> Vec<PvLine<G::Move>> {
    let ranked = rank_moves(oracle, record);
    let best = ranked.first().map(|best| best.mv);
    let assess = |ranked: &RankedMove<G::Move>| {
        let has_line = Some(ranked.mv) == best || Some(ranked.mv) == played;
        let line =
            if has_line { principal_variation(oracle, record, ranked.mv) } else { vec![ranked.mv] };
        PvLine::proven(ranked.exact.into(), line)
    };
    ranked.iter().map(assess).collect()
}

/// Assesses moves by proofs and searches.
pub(crate) struct MoveAssessor<G: Game, E> {
    searcher: AlphaBeta<G, E>,
    prover: Prover<G, EvalGuide<E>>,
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

impl<G: Game, E: EngineEvaluator<G>> MoveAssessor<G, E> {
    /// Creates an assessor with empty tables.
    ///
    /// # Errors
    /// Fails if its memory cannot be allocated.
    pub(crate) fn new(threads: usize) -> Result<Self, OutOfMemory> {
        let settings = Settings::default();
        let guide = EvalGuide(E::from_settings(&settings)?);
        let prover = Prover::new(guide, settings.hash << 20)?;
        Self::with_prover(prover.with_threads(threads))
    }

    /// Creates an assessor that starts from the proofs of `prover`.
    ///
    /// # Errors
    /// Fails if its memory cannot be allocated.
    pub(crate) fn with_prover(prover: Prover<G, EvalGuide<E>>) -> Result<Self, OutOfMemory> {
        let settings = Settings::default();
        Ok(Self { searcher: settings.alpha_beta()?, prover })
    }

    /// Assesses the legal moves, best first.
    pub(crate) fn assess(
        &mut self,
        task: &SearchTask<G>,
        played: Option<G::Move>,
        control: &SearchControl,
    ) -> Vec<PvLine<G::Move>> {
        let work = PositionWork { task, control, started: control.elapsed() };
        let legal = task.record.legal_moves();
        let bounds = self.prove_moves(&work, &legal, played);
        let is_exact = |bounds: &ValueBounds| bounds.value().is_some();
        let position = ValueBounds::of_moves(bounds.iter().copied());
        let mut moves: Vec<PvLine<G::Move>> = Vec::with_capacity(legal.len());
        let open: Vec<(G::Move, ValueBounds)> = legal
            .iter()
            .copied()
            .zip(bounds.iter().copied())
            .filter(|(_, b)| !is_exact(b))
            .collect();
        moves.extend(self.search_moves(&work, &open, played, position.value().is_some()));
        let exact = legal.iter().zip(&bounds).filter_map(|(mv, b)| Some((*mv, b.value()?)));
        // The line of one move that keeps the value is enough to show the proof.
        let mut keepers =
            exact.clone().filter(|(_, value)| *value == position.lower).map(|(mv, _)| mv);
        let keeper = keepers.clone().find(|mv| Some(*mv) == played).or_else(|| keepers.next());
        for (mv, value) in exact {
            let has_line = Some(mv) == keeper || Some(mv) == played;
            let line = if has_line { self.proven_line(&work, mv, value) } else { vec![mv] };
            moves.push(proven_by_line(&work, value, line));
        }
        sort_best_first(&mut moves);
        moves
    }

    /// Completes the lines of all proven moves, the best first, within the limits.
    pub(crate) fn complete_lines(
        &mut self,
        task: &SearchTask<G>,
        moves: &mut [PvLine<G::Move>],
        control: &SearchControl,
    ) {
        let work = PositionWork { task, control, started: control.elapsed() };
        for assessed in &mut *moves {
            if assessed.moves.len() == 1
                && let Some(value) = assessed.bounds.value()
            {
                let line = self.proven_line(&work, *assessed.mv(), value);
                *assessed = proven_by_line(&work, value, line);
            }
        }
        sort_best_first(moves);
    }

    /// Proves the position's value, then which moves keep it, within the limits. Returns the bounds of
    /// each move.
    fn prove_moves(
        &mut self,
        work: &PositionWork<'_, G>,
        legal: &[G::Move],
        played: Option<G::Move>,
    ) -> Vec<ValueBounds> {
        let pos = *work.task.record.position();
        let (nodes, mut is_over) = (work.nodes(PROOF_SHARE), || work.is_over(PROOF_SHARE));
        let position = self.prover.prove_within(&pos, ValueBounds::OPEN, nodes, &mut is_over);
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
        open.sort_by_key(|index| Some(legal[*index]) != played);
        let count = open.len() as u64;
        let end = self.prover.nodes().saturating_add(work.nodes(MOVE_PROOFS_SHARE));
        let until = PROOF_SHARE + MOVE_PROOFS_SHARE;
        for (done, index) in (0..).zip(open) {
            let parts = if done == 0 { count.min(2) } else { count - done };
            let nodes = (end.saturating_sub(self.prover.nodes()) / parts).max(1);
            let known = ValueBounds { lower: value.flip(), upper: Value::Win };
            let child = pos.after(legal[index]);
            let mut is_over = || work.is_over(until);
            bounds[index] = self.prover.prove_within(&child, known, nodes, &mut is_over).flip();
        }
        bounds
    }

    /// Returns a line that starts with `mv` and keeps the move's value.
    fn proven_line(
        &mut self,
        work: &PositionWork<'_, G>,
        mv: G::Move,
        value: Value,
    ) -> Vec<G::Move> {
        let pos = work.task.record.position().after(mv);
        let nodes = work.nodes(LINE_SHARE);
        let mut stop = || work.is_over(100);
        let rest = self.prover.proven_line(&pos, value.flip(), nodes, &mut stop);
        [&[mv], &rest[..]].concat()
    }

    /// Searches moves whose value is not proven: all of them first, then the candidates for the best
    /// move and the played one in depth. In a position with a proven value only the first search is
    /// run, because no estimate can change what is best.
    fn search_moves(
        &mut self,
        work: &PositionWork<'_, G>,
        open: &[(G::Move, ValueBounds)],
        played: Option<G::Move>,
        is_proven: bool,
    ) -> Vec<PvLine<G::Move>> {
        if open.is_empty() {
            return Vec::new();
        }
        let moves: Vec<G::Move> = open.iter().map(|(mv, _)| *mv).collect();
        let until = PROOF_SHARE + if is_proven { MOVE_PROOFS_SHARE } else { 0 } + ALL_MOVES_SHARE;
        let mut lines = self.search(work, &moves, ALL_MOVES_SHARE, until);
        if !is_proven && lines.len() > 1 {
            let is_candidate = |(index, line): &(usize, &PvLine<G::Move>)| {
                *index < CANDIDATES || Some(*line.mv()) == played
            };
            let candidates = lines.iter().enumerate().filter(is_candidate);
            let candidates: Vec<G::Move> = candidates.map(|(_, line)| *line.mv()).collect();
            let searched = self.search(work, &candidates, 100 - until, 100);
            lines = merge_searches(lines, searched);
        }
        let assess = |line: PvLine<G::Move>| match line.score {
            // Some distances are exact, but records cannot tell which.
            Score::Proven(proven) => {
                PvLine::proven(ProvenValue::from_line(proven.nominal()), line.moves)
            }
            Score::Estimate(points) => {
                let known = open.iter().find(|(own, _)| own == line.mv());
                let bounds = known.map_or(ValueBounds::OPEN, |(_, bounds)| *bounds);
                PvLine { score: Score::Estimate(clamp_points(points, bounds)), bounds, ..line }
            }
        };
        lines.into_iter().map(assess).collect()
    }

    /// Searches moves, each with its own line, and returns them best first.
    fn search(
        &mut self,
        work: &PositionWork<'_, G>,
        moves: &[G::Move],
        share: u64,
        until: u64,
    ) -> Vec<PvLine<G::Move>> {
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
        let depth = Some(report.depth);
        report.lines.into_iter().map(|line| PvLine { depth, ..line }).collect()
    }
}

/// The work on one position.
struct PositionWork<'a, G: Game> {
    /// The game, the limits and the number of threads.
    task: &'a SearchTask<G>,
    control: &'a SearchControl,
    /// When it started, on the clock of `control`.
    started: Duration,
}

impl<G: Game> PositionWork<'_, G> {
    /// Returns a share of the nodes, in percent.
    fn nodes(&self, share: u64) -> u64 {
        self.task.limits.nodes.map_or(u64::MAX, |nodes| (nodes.saturating_mul(share) / 100).max(1))
    }

    /// Returns the time left until this percentage of the time limit.
    fn time_left(&self, until: u64) -> Option<Duration> {
        let spent = self.control.elapsed().saturating_sub(self.started);
        self.task.limits.budget.hard.map(|time| (time * until as u32 / 100).saturating_sub(spent))
    }

    /// Whether this percentage of the time is spent, or the work was stopped.
    fn is_over(&self, until: u64) -> bool {
        self.control.is_stopped() || self.time_left(until).is_some_and(|left| left.is_zero())
    }
}

/// A move whose value is proven, with a line that starts with it.
fn proven_by_line<G: Game>(
    work: &PositionWork<'_, G>,
    value: Value,
    line: Vec<G::Move>,
) -> PvLine<G::Move> {
    let length = line_length(work.task.record.position(), &line, value);
    let proven = match value {
        Value::Win => ExactValue::Win(length),
        Value::Draw => ExactValue::Draw,
        Value::Loss => ExactValue::Loss(length),
    };
    PvLine::proven(ProvenValue::from_line(proven), line)
}

/// Sorts by score; a proof precedes an equal estimate.
fn sort_best_first<M>(moves: &mut [PvLine<M>]) {
    let is_estimate = |assessed: &PvLine<M>| assessed.score.proven().is_none();
    moves.sort_by_key(|assessed| (Reverse(assessed.score.points()), is_estimate(assessed)));
}

/// Brings an estimate within proven bounds.
fn clamp_points(points: Points, bounds: ValueBounds) -> Points {
    let low = if bounds.lower >= Value::Draw { 0 } else { -EVAL_LIMIT };
    let high = if bounds.upper <= Value::Draw { 0 } else { EVAL_LIMIT };
    points.clamp(low, high)
}

/// Combines a shallow search of all moves with a deeper one of the candidates. Estimates of
/// different depths differ, so those of the other moves are shifted by the difference of the best
/// ones; and no other move is better than the second candidate, which the shallow search preferred.
fn merge_searches<M: PartialEq>(all: Vec<PvLine<M>>, candidates: Vec<PvLine<M>>) -> Vec<PvLine<M>> {
    let estimate = |line: Option<&PvLine<M>>| match line?.score {
        Score::Estimate(points) => Some(points),
        Score::Proven(_) => None,
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
