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

/// A legal move and what is known about its value.
#[derive(Debug, Clone, PartialEq)]
pub struct MoveAssessment {
    /// The move.
    pub mv: String,
    /// Its score for the player who makes it; within `bounds` if estimated.
    pub score: Score,
    /// Proven bounds of its value, for the same player.
    pub bounds: ValueBounds,
    /// The depth of the search that estimated it, in plies; `None` if proven.
    pub depth: Option<u32>,
    /// The expected line, starting with the move; for all but the best and the played move it ends
    /// there.
    pub line: Vec<String>,
}

/// How much work to spend on a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AssessmentLimits {
    /// Maximum number of nodes. Without a time limit and with one thread it makes the result
    /// reproducible.
    pub nodes: Option<u64>,
    /// Maximum time.
    pub time: Option<Duration>,
    /// Number of threads.
    pub threads: usize,
}

/// An assessed move of a known game.
pub(crate) struct AssessedMove<G: Game> {
    mv: G::Move,
    score: Score,
    bounds: ValueBounds,
    depth: Option<u32>,
    line: Vec<G::Move>,
}

impl<G: Game> AssessedMove<G> {
    fn proven(mv: G::Move, proven: ProvenValue, line: Vec<G::Move>) -> Self {
        let bounds = ValueBounds::exactly(proven.value());
        Self { mv, score: Score::Proven(proven), bounds, depth: None, line }
    }

    pub(crate) fn into_text(self) -> MoveAssessment {
        MoveAssessment {
            mv: self.mv.to_string(),
            score: self.score,
            bounds: self.bounds,
            depth: self.depth,
            line: self.line.iter().map(ToString::to_string).collect(),
        }
    }
}

/// Assesses the moves of a solved game, best first.
pub(crate) fn assess_exactly<G: Game>(
    oracle: &mut impl Oracle<G>,
    record: &Record<G>,
    played: Option<G::Move>,
) -> Vec<AssessedMove<G>> {
    let ranked = rank_moves(oracle, record);
    let best = ranked.first().map(|best| best.mv);
    let assess = |ranked: &RankedMove<G::Move>| {
        let has_line = Some(ranked.mv) == best || Some(ranked.mv) == played;
        let line = match has_line {
            true => principal_variation(oracle, record, ranked.mv),
            false => vec![ranked.mv],
        };
        AssessedMove::proven(ranked.mv, ranked.exact.into(), line)
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
        let searcher = AlphaBeta::new(E::from_settings(&settings)?, settings.hash)?;
        Ok(Self { searcher, prover })
    }

    /// Assesses the legal moves, best first.
    pub(crate) fn assess(
        &mut self,
        record: &Record<G>,
        played: Option<G::Move>,
        limits: &AssessmentLimits,
        control: &SearchControl,
    ) -> Vec<AssessedMove<G>> {
        let work = PositionWork { record, limits, control, started: control.elapsed() };
        let legal = record.legal_moves();
        let bounds = self.prove_moves(&work, &legal, played);
        let is_exact = |bounds: &ValueBounds| bounds.value().is_some();
        let position = ValueBounds::of_moves(bounds.iter().copied());
        let mut moves: Vec<AssessedMove<G>> = Vec::with_capacity(legal.len());
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
        record: &Record<G>,
        moves: &mut [AssessedMove<G>],
        limits: &AssessmentLimits,
        control: &SearchControl,
    ) {
        let work = PositionWork { record, limits, control, started: control.elapsed() };
        for assessed in &mut *moves {
            if assessed.line.len() == 1
                && let Some(value) = assessed.bounds.value()
            {
                let line = self.proven_line(&work, assessed.mv, value);
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
        let pos = *work.record.position();
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
        let pos = work.record.position().after(mv);
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
    ) -> Vec<AssessedMove<G>> {
        if open.is_empty() {
            return Vec::new();
        }
        let moves: Vec<G::Move> = open.iter().map(|(mv, _)| *mv).collect();
        let until = PROOF_SHARE + if is_proven { MOVE_PROOFS_SHARE } else { 0 } + ALL_MOVES_SHARE;
        let mut lines = self.search(work, &moves, ALL_MOVES_SHARE, until);
        if !is_proven && lines.len() > 1 {
            let is_candidate = |(index, line): &(usize, &SearchedLine<G::Move>)| {
                *index < CANDIDATES || Some(line.pv.moves[0]) == played
            };
            let candidates: Vec<G::Move> = lines
                .iter()
                .enumerate()
                .filter(is_candidate)
                .map(|(_, line)| line.pv.moves[0])
                .collect();
            let searched = self.search(work, &candidates, 100 - until, 100);
            lines = merge_searches(lines, searched);
        }
        let assess = |SearchedLine { pv: line, depth }: SearchedLine<G::Move>| {
            let mv = line.moves[0];
            let known =
                open.iter().find(|(own, _)| *own == mv).map_or(ValueBounds::OPEN, |(_, b)| *b);
            match line.score {
                // Some distances are exact, but records cannot tell which.
                Score::Proven(proven) => {
                    AssessedMove::proven(mv, ProvenValue::from_line(proven.nominal()), line.moves)
                }
                Score::Estimate(points) => AssessedMove {
                    mv,
                    score: Score::Estimate(clamp_points(points, known)),
                    bounds: known,
                    depth: Some(depth),
                    line: line.moves,
                },
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
    ) -> Vec<SearchedLine<G::Move>> {
        let budget = work.time_left(until).map_or_else(TimeBudget::default, TimeBudget::fixed);
        let nodes = work.limits.nodes.map(|_| work.nodes(share));
        let task = SearchTask {
            moves: moves.to_vec(),
            limits: Limits { nodes, budget, ..Limits::default() },
            multi_pv: moves.len(),
            threads: work.limits.threads,
            ..SearchTask::new(work.record.clone())
        };
        let report = self.searcher.search(&task, &work.control.child(), &mut |_| {});
        let depth = report.depth;
        report.lines.into_iter().map(|pv| SearchedLine { pv, depth }).collect()
    }
}

/// A line and the depth of the search that found it.
struct SearchedLine<M> {
    pv: PvLine<M>,
    depth: u32,
}

/// The work on one position.
struct PositionWork<'a, G: Game> {
    record: &'a Record<G>,
    limits: &'a AssessmentLimits,
    control: &'a SearchControl,
    /// When it started, on the clock of `control`.
    started: Duration,
}

impl<G: Game> PositionWork<'_, G> {
    /// Returns a share of the nodes, in percent.
    fn nodes(&self, share: u64) -> u64 {
        self.limits.nodes.map_or(u64::MAX, |nodes| (nodes.saturating_mul(share) / 100).max(1))
    }

    /// Returns the time left until this percentage of the time limit.
    fn time_left(&self, until: u64) -> Option<Duration> {
        let spent = self.control.elapsed().saturating_sub(self.started);
        self.limits.time.map(|time| (time * until as u32 / 100).saturating_sub(spent))
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
) -> AssessedMove<G> {
    let length = line_length(work.record.position(), &line, value);
    let proven = match value {
        Value::Win => ExactValue::Win(length),
        Value::Draw => ExactValue::Draw,
        Value::Loss => ExactValue::Loss(length),
    };
    AssessedMove::proven(line[0], ProvenValue::from_line(proven), line)
}

/// Sorts by score; a proof precedes an equal estimate.
fn sort_best_first<G: Game>(moves: &mut [AssessedMove<G>]) {
    let is_estimate = |assessed: &AssessedMove<G>| assessed.score.proven().is_none();
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
fn merge_searches<M: PartialEq>(
    all: Vec<SearchedLine<M>>,
    candidates: Vec<SearchedLine<M>>,
) -> Vec<SearchedLine<M>> {
    let estimate = |line: Option<&SearchedLine<M>>| match line?.pv.score {
        Score::Estimate(points) => Some(points),
        Score::Proven(_) => None,
    };
    let shift = estimate(candidates.first()).zip(estimate(all.first()));
    let shift = shift.map_or(0, |(deep, shallow)| deep - shallow);
    let cap = estimate(candidates.get(1)).unwrap_or(EVAL_LIMIT);
    let is_candidate =
        |line: &SearchedLine<M>| candidates.iter().any(|own| own.pv.moves[0] == line.pv.moves[0]);
    let others = all.into_iter().filter(|line| !is_candidate(line)).map(|mut line| {
        if let Score::Estimate(points) = &mut line.pv.score {
            *points = (*points + shift).min(cap).clamp(-EVAL_LIMIT, EVAL_LIMIT);
        }
        line
    });
    let others: Vec<_> = others.collect();
    candidates.into_iter().chain(others).collect()
}
