//! `analyze`: facts about a game or a position.
//!
//! Each game's [`Study`] contributes what is specific to it; the sections that any game has, such as
//! the exact value of a position, are here.

use std::time::Duration;

use super::error::parse_fen;
use super::move_assessment::{AssessedMove, AssessmentLimits, MoveAssessment, MoveAssessor};
use super::registry::{GameEntry, GameVisitor, RegisteredGame};
use super::settings::EngineEvaluator;
use super::solving::{GameSolver, Solution, SolveError, SolveObserver, Solver, SolverOptions};
use crate::analysis::reasons::{Reason, Reasons, value_reason};
use crate::analysis::{
    AnalysisReport, Datum, MoveRating, PositionGraph, ReportFigure, Section, Study,
};
use crate::language::Localized;
use crate::rules::{Game, Outcome, Record, Side, Value};
use crate::search::{EvalGuide, Score, SearchControl};
use crate::solve::{Oracle, Prover, RankedMove, ValueBounds, principal_variation, rank_moves};

/// What to analyze.
pub struct AnalysisTask<'a> {
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
/// The options for the proof of a position's value.
const OPTIONS: SolverOptions =
    SolverOptions { mebibytes: 1024, threads: 1, verify: false, certificate: false, target: None };

/// Reports on a game, or on one of its positions.
///
/// # Errors
/// Fails if the position is invalid.
pub fn report(entry: &GameEntry, task: AnalysisTask<'_>) -> Result<AnalysisReport, SolveError> {
    entry.visit(task)
}

impl GameVisitor for AnalysisTask<'_> {
    type Output = Result<AnalysisReport, SolveError>;

    fn visit<R: RegisteredGame>(self) -> Self::Output {
        report_on::<R::Game, R::Oracle, R::Evaluation, R::Study, R::Reasons>(self)
    }
}

/// Draws all positions of a game as a graph, if there are few enough.
#[must_use]
pub fn graph(entry: &GameEntry) -> Option<PositionGraph> {
    entry.visit(Graph)
}

struct Graph;

impl GameVisitor for Graph {
    type Output = Option<PositionGraph>;

    fn visit<R: RegisteredGame>(self) -> Self::Output {
        R::Study::graph()
    }
}

fn report_on<G, O, E, S, R>(task: AnalysisTask<'_>) -> Result<AnalysisReport, SolveError>
where
    G: Game,
    O: Oracle<G>,
    E: EngineEvaluator<G>,
    S: Study<G>,
    R: Reasons<G>,
{
    let AnalysisTask { fen, time, control, observer } = task;
    let Some(fen) = fen else {
        let mut stop = || control.is_stopped() || control.has_elapsed(time);
        let sections = S::analyze_game(&mut stop);
        let (figures, chapter) = (S::figures(), S::chapter());
        return Ok(AnalysisReport { game: G::ID, sections, figures, chapter });
    };
    let pos: G = parse_fen(fen)?;
    let mut sections = vec![position_section(&pos)];
    sections.extend(S::analyze_position(&pos));
    let ratings = match pos.outcome() {
        Some(_) => Vec::new(),
        None => {
            let mut solver = GameSolver::<G, O, E>::new::<S>(OPTIONS)?;
            let proof_time = time * PROOF_SHARE / 100;
            let mut solution = solver.solve(fen, Some(proof_time), None, control, observer)?;
            match solver.into_prover() {
                Some(prover) => {
                    let moves = assess(prover, pos, time, control)?;
                    solution.narrow(&moves);
                    sections.push(value_section(&solution));
                    if solution.bounds.value().is_none() {
                        sections.extend(moves.first().map(estimate_section));
                    }
                    sections.push(assessment_section(&moves));
                    let order: Vec<G::Move> =
                        moves.iter().filter_map(|own| pos.parse_move(&own.mv).ok()).collect();
                    sections.extend(reasons_section::<G, R>(&pos, &order, &[]));
                    moves.into_iter().map(|own| rating(own.mv, own.score)).collect()
                }
                None => {
                    let (mut oracle, record) = (O::default(), Record::new(pos));
                    let moves = rank_moves(&mut oracle, &record);
                    sections.push(value_section(&solution));
                    sections.push(moves_section(&moves, &record, &mut oracle));
                    let order: Vec<G::Move> = moves.iter().map(|own| own.mv).collect();
                    sections.extend(reasons_section::<G, R>(&pos, &order, &moves));
                    let score = |ranked: &RankedMove<G::Move>| Score::Proven(ranked.exact.into());
                    moves.iter().map(|own| rating(own.mv.to_string(), score(own))).collect()
                }
            }
        }
    };
    let figures = board_figure(&pos, &ratings).into_iter().collect();
    Ok(AnalysisReport { game: G::ID, sections, figures, chapter: None })
}

/// Draws a position with the values of its moves, if the game has a board to draw.
fn board_figure<G: Game>(pos: &G, ratings: &[MoveRating]) -> Option<ReportFigure> {
    let caption = match ratings.is_empty() {
        true => ["The position", "局面"],
        false => [
            "The position, with the value of each move; the arrow shows the best one",
            "局面及各着法的价值，箭头为最佳着法",
        ],
    };
    ReportFigure::of_position("board", pos, ratings, caption)
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
        None => Datum::term("in play", ["in play", "未结束"]),
        Some(Outcome::Win(Side::P1)) => {
            Datum::term("the first player has won", ["the first player has won", "先手已胜"])
        }
        Some(Outcome::Win(Side::P2)) => {
            Datum::term("the second player has won", ["the second player has won", "后手已胜"])
        }
        Some(Outcome::Draw) => Datum::term("drawn", ["drawn", "和棋"]),
    };
    Section::facts("position", ["Position", "局面"])
        .fact("fen", ["FEN", "FEN"], pos.to_string())
        .fact("result", ["result", "结果"], result)
        .fact("moves", ["legal moves", "合法着法数"], pos.move_count())
}

fn value_section(solution: &Solution) -> Section {
    let Solution { bounds, plies, best, .. } = solution;
    let title = ["Value for the side to move", "对行棋方的价值"];
    let value = bounds.value().map_or_else(unknown, Datum::from);
    Section::facts("value", title)
        .fact("value", ["value", "价值"], value)
        .fact("at_least", ["at least", "至少"], bounds.lower)
        .fact("at_most", ["at most", "至多"], bounds.upper)
        .fact("plies", ["plies to the end", "距终局步数"], plies.map(u32::from))
        .fact("best", ["best move", "最佳着法"], best.clone())
}

/// The value of a position whose value is not proven.
fn unknown() -> Datum {
    Datum::term("unknown", ["unknown", "未知"])
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
    let title = ["Estimate for the side to move, not a proof", "对行棋方的估计（不是证明）"];
    let expected = Datum::Measure(100.0 * best.score.expected(), 1);
    Section::facts("estimate", title)
        .fact("score", ["evaluation", "评分"], estimated_points(best))
        .fact("expected", ["expected score %", "预期得分 %"], expected)
        .fact("depth", ["search depth in plies", "搜索深度（步）"], best.depth)
        .fact("move", ["best move found", "找到的最佳着法"], best.mv.clone())
}

/// The estimate of a move, where 1 is a hundred points; `Missing` if its value is proven.
fn estimated_points(assessed: &MoveAssessment) -> Datum {
    match assessed.score {
        Score::Estimate(points) => Datum::Signed(f64::from(points) / 100.0, 2),
        Score::Proven(_) => Datum::Missing,
    }
}

/// The title of the table of moves.
const MOVES_TITLE: Localized = ["Moves, best first", "各着法（从优到劣）"];
const MOVE_LABEL: Localized = ["move", "着法"];
const VALUE_LABEL: Localized = ["value", "价值"];
const LINE_LABEL: Localized = ["line", "后续变化"];
const REASONS_TITLE: Localized = ["Reasons for and against the moves", "各着法的理由"];

/// The assessed moves of a game without an oracle.
fn assessment_section(moves: &[MoveAssessment]) -> Section {
    let columns = [
        ("move", MOVE_LABEL),
        ("value", VALUE_LABEL),
        ("status", ["status", "依据"]),
        ("score", ["evaluation", "评分"]),
        ("depth", ["depth", "深度"]),
        ("line", LINE_LABEL),
    ];
    let mut table = Section::table("moves", MOVES_TITLE, &columns);
    for assessed in moves {
        let bounds = assessed.bounds;
        let value = match bounds.value() {
            Some(value) => value.into(),
            None if bounds.lower == Value::Draw => {
                Datum::term("unknown", ["draw or win", "和棋或必胜"])
            }
            None if bounds.upper == Value::Draw => {
                Datum::term("unknown", ["draw or loss", "和棋或必败"])
            }
            None => unknown(),
        };
        let status = match bounds.value().is_some() {
            true => Datum::term("proven", ["proven", "已证明"]),
            false => Datum::term("estimate", ["estimate", "估计"]),
        };
        table.row(vec![
            assessed.mv.clone().into(),
            value,
            status,
            estimated_points(assessed),
            assessed.depth.into(),
            Datum::list(&assessed.line),
        ]);
    }
    if moves.iter().all(|assessed| assessed.bounds.value().is_some()) {
        return table;
    }
    table.remark([
        "Estimates come from a search to that depth in plies; they prove nothing.",
        "估计来自搜索到该深度（以步计）的结果，并非证明。",
    ])
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
        ("move", MOVE_LABEL),
        ("value", VALUE_LABEL),
        ("plies", ["plies", "步数"]),
        ("traps", ["weaker replies", "对方较差应着"]),
        ("line", LINE_LABEL),
    ];
    let mut table = Section::table("moves", MOVES_TITLE, &columns);
    for ranked in moves {
        let plies = ranked.exact.plies().map(u32::from);
        table.row(vec![
            ranked.mv.to_string().into(),
            ranked.exact.value().into(),
            plies.into(),
            ranked.traps.into(),
            Datum::list(principal_variation(oracle, record, ranked.mv)),
        ]);
    }
    table
}

/// The reasons for and against each move, for moves that have some. `ranked` is empty if the values
/// are not known.
fn reasons_section<G: Game, R: Reasons<G>>(
    pos: &G,
    moves: &[G::Move],
    ranked: &[RankedMove<G::Move>],
) -> Option<Section> {
    let columns = [("move", MOVE_LABEL), ("reasons", ["reasons", "理由"])];
    let mut table = Section::table("reasons", REASONS_TITLE, &columns);
    let mut is_empty = true;
    for mv in moves {
        let mut reasons: Vec<Reason> = R::reasons(pos, *mv);
        reasons.extend(value_reason(ranked, moves, *mv));
        if !reasons.is_empty() {
            is_empty = false;
            table.row(vec![mv.to_string().into(), Datum::Reasons(reasons)]);
        }
    }
    (!is_empty).then_some(table)
}
