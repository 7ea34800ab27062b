//! `analyze`: facts about a game or a position.
//!
//! Each game's [`Study`] contributes what is specific to it; the sections that any game has, such as
//! the exact value of a position, are here.

use std::time::Duration;

use super::error::parse_fen;
use super::move_assessment::{AssessedMove, AssessmentLimits, MoveAssessment, MoveAssessor};
use super::settings::EngineEvaluator;
use super::solving::{GameSolver, Solution, SolveError, SolveObserver, Solver, SolverOptions};
use crate::analysis::{AnalysisReport, Datum, MoveRating, Section, Study};
use crate::rules::{Game, Outcome, Record, Side, Value};
use crate::search::{EvalGuide, Score, SearchControl};
use crate::solve::{Oracle, Prover, RankedMove, ValueBounds, principal_variation, rank_moves};

/// What to analyze.
pub struct AnalysisRequest<'a> {
    /// The position; `None` for the game as a whole.
    pub fen: Option<&'a str>,
    /// Time limit for proofs and searches.
    pub time: Duration,
    /// Stops the analysis early.
    pub control: &'a SearchControl,
    /// Receives the progress of proofs.
    pub observer: &'a mut dyn SolveObserver,
}

/// Share of the time for the proof of a position's value, in percent; the rest goes to its moves.
const PROOF_SHARE: u32 = 60;
/// Share of that rest for the values of the moves, in percent; the lines of proven moves get the
/// remainder.
const MOVES_SHARE: u32 = 80;
/// Memory for the proof of a position's value, in MiB.
const MEMORY: usize = 1024;

/// Analyzes a game or a position.
pub(super) fn report<G, O, E, S>(request: AnalysisRequest<'_>) -> Result<AnalysisReport, SolveError>
where
    G: Game,
    O: Oracle<G>,
    E: EngineEvaluator<G>,
    S: Study<G>,
{
    let AnalysisRequest { fen, time, control, observer } = request;
    let Some(fen) = fen else {
        let mut stop = || control.is_stopped() || control.has_elapsed(time);
        let sections = S::analyze_game(&mut stop);
        return Ok(AnalysisReport { game: G::ID, ratings: Vec::new(), sections });
    };
    let pos: G = parse_fen(fen)?;
    let mut sections = vec![position_section(&pos)];
    sections.extend(S::analyze_position(&pos));
    if pos.outcome().is_some() {
        return Ok(AnalysisReport { game: G::ID, ratings: Vec::new(), sections });
    }
    let options = SolverOptions { mebibytes: MEMORY, threads: 1, verify: false };
    let mut solver = GameSolver::<G, O, E>::new(options)?;
    let proof_time = time * PROOF_SHARE / 100;
    let mut solution = solver.solve(fen, Some(proof_time), None, control, observer)?;
    let ratings = if let Some(prover) = solver.into_prover() {
        let moves = assess(prover, pos, time, control)?;
        solution.narrow(&moves);
        sections.push(value_section(&solution));
        if solution.bounds.value().is_none() {
            sections.extend(moves.first().map(estimate_section));
        }
        sections.push(assessment_section(&moves));
        moves.into_iter().map(|assessed| rating(assessed.mv, assessed.score)).collect()
    } else {
        let (mut oracle, record) = (O::default(), Record::new(pos));
        let moves = rank_moves(&mut oracle, &record);
        sections.push(value_section(&solution));
        sections.push(moves_section(&moves, &record, &mut oracle));
        let score = |ranked: &RankedMove<G::Move>| Score::Proven(ranked.exact.into());
        moves.iter().map(|ranked| rating(ranked.mv.to_string(), score(ranked))).collect()
    };
    Ok(AnalysisReport { game: G::ID, ratings, sections })
}

/// Assesses the moves of a position in the time that its proof has left.
fn assess<G: Game, E: EngineEvaluator<G>>(
    prover: Prover<G, EvalGuide<E>>,
    pos: G,
    time: Duration,
    control: &SearchControl,
) -> Result<Vec<MoveAssessment>, SolveError> {
    let mut assessor = MoveAssessor::with_prover(prover)?;
    let record = Record::new(pos);
    let limits = |time| AssessmentLimits { nodes: None, time: Some(time), threads: 1 };
    let time_left = || time.saturating_sub(control.elapsed());
    let moves_time = time_left() * MOVES_SHARE / 100;
    let mut moves = assessor.assess(&record, None, &limits(moves_time), control);
    assessor.complete_lines(&record, &mut moves, &limits(time_left()), control);
    Ok(moves.into_iter().map(AssessedMove::into_text).collect())
}

fn position_section<G: Game>(pos: &G) -> Section {
    let result = match pos.outcome() {
        None => "in play",
        Some(Outcome::Win(Side::P1)) => "the first player has won",
        Some(Outcome::Win(Side::P2)) => "the second player has won",
        Some(Outcome::Draw) => "drawn",
    };
    Section::facts("position", "Position")
        .fact("fen", "FEN", pos.to_string())
        .fact("result", "result", result)
        .fact("moves", "legal moves", pos.move_count())
}

fn value_section(solution: &Solution) -> Section {
    let Solution { bounds, plies, best, .. } = solution;
    let value = bounds.value().map_or("unknown".to_owned(), |value| value.to_string());
    Section::facts("value", "Value for the side to move")
        .fact("value", "value", value)
        .fact("at_least", "at least", bounds.lower.to_string())
        .fact("at_most", "at most", bounds.upper.to_string())
        .fact("plies", "plies to the end", plies.map(u32::from))
        .fact("best", "best move", best.clone())
}

impl Solution {
    /// Adds what is proven about the moves, best first.
    fn narrow(&mut self, moves: &[MoveAssessment]) {
        let proven = ValueBounds::of_moves(moves.iter().map(|assessed| assessed.bounds));
        self.bounds.lower = self.bounds.lower.max(proven.lower);
        self.bounds.upper = self.bounds.upper.min(proven.upper);
        let value = self.bounds.value();
        let keeps = |best: &&MoveAssessment| value.is_some() && best.bounds.value() == value;
        if let Some(best) = moves.first().filter(keeps) {
            self.best = Some(best.mv.clone());
        }
    }
}

/// The estimate of a position by its best move.
fn estimate_section(best: &MoveAssessment) -> Section {
    Section::facts("estimate", "Estimate for the side to move, not a proof")
        .fact("score", "evaluation", estimated_points(best))
        .fact("expected", "expected score %", Datum::Measure(100.0 * best.score.expected(), 1))
        .fact("depth", "search depth in plies", best.depth)
        .fact("move", "best move found", best.mv.clone())
}

/// The estimate of a move, where 1 is a hundred points; `Missing` if its value is proven.
fn estimated_points(assessed: &MoveAssessment) -> Datum {
    match assessed.score {
        Score::Estimate(points) => Datum::Signed(f64::from(points) / 100.0, 2),
        Score::Proven(_) => Datum::Missing,
    }
}

/// The assessed moves of a game without an oracle.
fn assessment_section(moves: &[MoveAssessment]) -> Section {
    let columns = [
        ("move", "move"),
        ("value", "value"),
        ("status", "status"),
        ("score", "evaluation"),
        ("depth", "depth"),
        ("line", "line"),
    ];
    let mut table = Section::table("moves", "Moves, best first", &columns);
    for assessed in moves {
        let bounds = assessed.bounds;
        let value = match bounds.value() {
            Some(value) => value.to_string(),
            None if bounds.lower == Value::Draw => "draw or win".to_owned(),
            None if bounds.upper == Value::Draw => "draw or loss".to_owned(),
            None => "unknown".to_owned(),
        };
        let is_proven = bounds.value().is_some();
        table.row(vec![
            assessed.mv.clone().into(),
            value.into(),
            if is_proven { "proven" } else { "estimate" }.into(),
            estimated_points(assessed),
            assessed.depth.into(),
            Datum::list(&assessed.line),
        ]);
    }
    if moves.iter().all(|assessed| assessed.bounds.value().is_some()) {
        return table;
    }
    table.remark("Estimates come from a search to that depth in plies; they prove nothing.")
}

fn rating(mv: String, score: Score) -> MoveRating {
    MoveRating { mv, expected: score.expected(), is_proven: score.proven().is_some() }
}

fn moves_section<G: Game>(
    moves: &[RankedMove<G::Move>],
    record: &Record<G>,
    oracle: &mut impl Oracle<G>,
) -> Section {
    let columns = [
        ("move", "move"),
        ("value", "value"),
        ("plies", "plies"),
        ("traps", "weaker replies"),
        ("line", "line"),
    ];
    let mut table = Section::table("moves", "Moves, best first", &columns);
    for ranked in moves {
        let plies = ranked.exact.plies().map(u32::from);
        table.row(vec![
            ranked.mv.to_string().into(),
            ranked.exact.value().to_string().into(),
            plies.into(),
            ranked.traps.into(),
            Datum::list(principal_variation(oracle, record, ranked.mv)),
        ]);
    }
    table
}
