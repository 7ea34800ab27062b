//! `analyze`: facts about a game or a position.
//!
//! Each game's [`GameAnalysis`] contributes what is specific to it; the sections that any game has, such as
//! the exact value of a position, are here.

use std::time::Duration;

use serde_json::{Value as Json, json};

use crate::analysis::reasons::{Reason, Reasons, value_reason};
use crate::analysis::{
    AnalysisReport, GameAnalysis, MoveRating, PositionGraph, merge, position_figure,
};
use crate::language::{Language, Localized};
use crate::rules::{Game, Outcome, Record, Side, Value};
use crate::search::{EvalGuide, Limits, PvLine, Score, SearchControl, SearchTask, TimeBudget};
use crate::solve::{Oracle, Prover, RankedMove, ValueBounds, principal_variation, rank_moves};
use crate::thinking::move_assessment::MoveAssessor;
use crate::thinking::parse_fen;
use crate::thinking::registry::{GameEntry, GameVisitor, RegisteredGame};
use crate::thinking::settings::EngineEvaluator;
use crate::thinking::solving::{GameSolver, Solution, SolveError, SolveObserver, SolverOptions};

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
        report_on::<R::Game, R::Oracle, R::Evaluation, R::Analysis, R::Reasons>(self)
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
        R::Analysis::graph()
    }
}

fn report_on<G, O, E, A, R>(task: AnalysisTask<'_>) -> Result<AnalysisReport, SolveError>
where
    G: Game,
    O: Oracle<G>,
    E: EngineEvaluator<G>,
    A: GameAnalysis<G>,
    R: Reasons<G>,
{
    let AnalysisTask { fen, time, control, observer } = task;
    let Some(fen) = fen else {
        let mut stop = || control.is_stopped() || control.has_elapsed(time);
        return Ok(AnalysisReport {
            game: G::ID,
            sections: A::analyze_game(&mut stop),
            reasons: Vec::new(),
            figures: Language::ALL.map(|(_, language)| A::figures(language)),
            text: A::chapter().map(str::to_owned),
        });
    };
    let pos: G = parse_fen(fen)?;
    let (mut sections, mut reasons, mut ratings) =
        (json!({ "position": position_facts(&pos) }), Vec::new(), Vec::new());
    if pos.outcome().is_none() {
        let mut solver = GameSolver::<G, O, E>::new::<A>(OPTIONS)?;
        let proof_time = time * PROOF_SHARE / 100;
        let mut solution = solver.solve(fen, Some(proof_time), None, control, observer)?;
        match solver.into_prover() {
            Some(prover) => {
                let moves = assess(prover, pos, time, control)?;
                solution.narrow(&moves);
                if let (None, Some(best)) = (solution.bounds.value(), moves.first()) {
                    sections = merge(sections, json!({ "estimate": estimate(best) }));
                }
                sections = merge(sections, json!({ "moves": assessed_moves(&moves) }));
                let order: Vec<G::Move> =
                    moves.iter().filter_map(|own| pos.parse_move(own.mv()).ok()).collect();
                reasons = reasons_for_moves::<G, R>(&pos, &order, &[]);
                ratings =
                    moves.into_iter().map(|own| rating(own.mv().clone(), own.score)).collect();
            }
            None => {
                let (mut oracle, record) = (O::default(), Record::new(pos));
                let moves = rank_moves(&mut oracle, &record);
                let rows = ranked_moves(&moves, &record, &mut oracle);
                sections = merge(sections, json!({ "moves": rows }));
                let order: Vec<G::Move> = moves.iter().map(|own| own.mv).collect();
                reasons = reasons_for_moves::<G, R>(&pos, &order, &moves);
                let score = |ranked: &RankedMove<G::Move>| Score::Proven(ranked.exact.into());
                ratings = moves.iter().map(|own| rating(own.mv.to_string(), score(own))).collect();
            }
        }
        sections = merge(sections, json!({ "value": value(&solution) }));
    }
    let figure = if ratings.is_empty() { "position" } else { "values" };
    let [common, own] = [POSITION_TEXT, A::position_text()];
    Ok(AnalysisReport {
        game: G::ID,
        sections: merge(sections, A::analyze_position(&pos)),
        reasons,
        figures: Language::ALL.map(|(_, language)| {
            position_figure(figure, &pos, &ratings, language).into_iter().collect()
        }),
        text: [0, 1].map(|index| common[index].replace("{{game}}", own[index])),
    })
}

/// The text of a report on a position; `{{game}}` stands for the part of its game.
const POSITION_TEXT: Localized = [
    include_str!("../analysis/chapters/position.en.md"),
    include_str!("../analysis/chapters/position.zh.md"),
];

/// Assesses the moves of a position in the time that its proof has left.
fn assess<G: Game, E: EngineEvaluator<G>>(
    prover: Prover<G, EvalGuide<E>>,
    pos: G,
    time: Duration,
    control: &SearchControl,
) -> Result<Vec<PvLine<String>>, SolveError> {
    let mut assessor = MoveAssessor::with_prover(prover)?;
    let task = |time| SearchTask {
        limits: Limits { budget: TimeBudget::fixed(time), ..Limits::default() },
        ..SearchTask::new(Record::new(pos))
    };
    let time_left = || time.saturating_sub(control.elapsed());
    let moves_time = time_left() * MOVES_SHARE / 100;
    let mut moves = assessor.assess(&task(moves_time), None, control);
    assessor.complete_lines(&task(time_left()), &mut moves, control);
    Ok(moves.iter().map(|line| line.map_moves(ToString::to_string)).collect())
}

fn position_facts<G: Game>(pos: &G) -> Json {
    let result = match pos.outcome() {
        None => "in play",
        Some(Outcome::Win(Side::P1)) => "the first player has won",
        Some(Outcome::Win(Side::P2)) => "the second player has won",
        Some(Outcome::Draw) => "drawn",
    };
    json!({ "fen": pos.to_string(), "result": result, "moves": pos.move_count() })
}

fn value(solution: &Solution) -> Json {
    let Solution { bounds, plies, best, .. } = solution;
    json!({
        "value": value_name(*bounds),
        "at_least": bounds.lower.to_string(),
        "at_most": bounds.upper.to_string(),
        "plies": plies,
        "best": best,
    })
}

fn value_name(bounds: ValueBounds) -> String {
    bounds.value().map_or_else(|| "unknown".to_owned(), |value| value.to_string())
}

impl Solution {
    /// Adds what is proven about the moves, best first.
    fn narrow(&mut self, moves: &[PvLine<String>]) {
        let proven = ValueBounds::of_moves(moves.iter().map(|assessed| assessed.bounds));
        self.bounds.lower = self.bounds.lower.max(proven.lower);
        self.bounds.upper = self.bounds.upper.min(proven.upper);
        let value = self.bounds.value();
        let keeps = |best: &&PvLine<String>| value.is_some() && best.bounds.value() == value;
        if let Some(best) = moves.first().filter(keeps) {
            self.best = Some(best.mv().clone());
        }
    }
}

/// The estimate of a position by its best move.
fn estimate(best: &PvLine<String>) -> Json {
    json!({
        "score": estimated_points(best),
        "expected": 100.0 * best.score.expected(),
        "depth": best.depth,
        "move": best.mv(),
    })
}

/// The estimate of a move, where 1 is a hundred points; `None` if its value is proven.
fn estimated_points(assessed: &PvLine<String>) -> Option<f64> {
    match assessed.score {
        Score::Estimate(points) => Some(f64::from(points) / 100.0),
        Score::Proven(_) => None,
    }
}

/// The assessed moves of a game without an oracle.
fn assessed_moves(moves: &[PvLine<String>]) -> Json {
    let row = |assessed: &PvLine<String>| {
        let bounds = assessed.bounds;
        let known = match bounds.value() {
            None if bounds.lower == Value::Draw => "draw or win".to_owned(),
            None if bounds.upper == Value::Draw => "draw or loss".to_owned(),
            _ => value_name(bounds),
        };
        json!({
            "move": assessed.mv(),
            "value": value_name(bounds),
            "bounds": known,
            "status": if bounds.value().is_some() { "proven" } else { "estimate" },
            "score": estimated_points(assessed),
            "depth": assessed.depth,
            "line": assessed.moves,
        })
    };
    moves.iter().map(row).collect()
}

fn rating(mv: String, score: Score) -> MoveRating {
    MoveRating { mv, expected: score.expected(), is_proven: score.proven().is_some() }
}

/// The moves of a solved game, best first.
fn ranked_moves<G: Game>(
    moves: &[RankedMove<G::Move>],
    record: &Record<G>,
    oracle: &mut impl Oracle<G>,
) -> Json {
    let row = |ranked: &RankedMove<G::Move>| {
        let line = principal_variation(oracle, record, ranked.mv);
        json!({
            "move": ranked.mv.to_string(),
            "value": ranked.exact.value().to_string(),
            "plies": ranked.exact.plies(),
            "traps": ranked.traps,
            "line": line.iter().map(ToString::to_string).collect::<Vec<_>>(),
        })
    };
    moves.iter().map(row).collect()
}

/// The reasons for and against each move, for moves that have some. `ranked` is empty if the values
/// are not known.
fn reasons_for_moves<G: Game, R: Reasons<G>>(
    pos: &G,
    moves: &[G::Move],
    ranked: &[RankedMove<G::Move>],
) -> Vec<(String, Vec<Reason>)> {
    let explained = moves.iter().map(|mv| {
        let mut reasons: Vec<Reason> = R::reasons(pos, *mv);
        reasons.extend(value_reason(ranked, moves, *mv));
        (mv.to_string(), reasons)
    });
    explained.filter(|(_, reasons)| !reasons.is_empty()).collect()
}
