//! `analyze`: facts about a game or a position.
//!
//! Each game's [`GameAnalysis`] contributes what is specific to it; the sections that any game has, such as
//! the exact value of a position, are here.

use std::time::Duration;

use serde_json::{Value as Json, json};

use super::error::{EngineError, parse_position};
use super::known_game::KnownGame;
use super::request::{SearchRequest, Task};
use super::solving::{GameSolver, Solution, SolveError, SolveObserver, SolverOptions, TypedSolver};
use crate::analysis::atlas::{AtlasError, AtlasMove, moves_in_atlas};
use crate::analysis::{AnalysisReport, GameAnalysis, merge, names, position_figure};
use crate::language::{Language, Localized};
use crate::rules::{Game, GameNotation, Move, Outcome, Record, Side, Value};
use crate::search::{PvLine, Score, SearchControl};
use crate::solve::{ExactSolver, ValueBounds, count_traps};

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
/// The options for the proof of a position's value.
const OPTIONS: SolverOptions =
    SolverOptions { mebibytes: 1024, threads: 1, verify: false, certificate: false, target: None };

/// Reports on a game, or on one of its positions.
///
/// # Errors
/// Fails if the position is invalid.
pub(super) fn analyze<R: KnownGame>(task: AnalysisTask<'_>) -> Result<AnalysisReport, SolveError> {
    let AnalysisTask { fen, time, control, observer } = task;
    let Some(fen) = fen else {
        let mut stop = || control.is_stopped() || control.has_elapsed(time);
        return Ok(AnalysisReport {
            game: R::Game::ID,
            sections: R::Analysis::analyze_game(&mut stop),
            reasons: Vec::new(),
            figures: Language::ALL.map(|(_, language)| R::Analysis::figures(language)),
            text: R::Analysis::chapter().map(str::to_owned),
        });
    };
    let pos: R::Game = parse_position(fen)?;
    let mut sections = json!({ "position": position_facts(&pos) });
    let (mut reasons, mut ratings) = (Vec::new(), Vec::new());
    if pos.outcome().is_none() {
        let mut solver = TypedSolver::<R>::new(OPTIONS)?;
        let proof_time = time * PROOF_SHARE / 100;
        let mut solution = solver.solve(fen, Some(proof_time), None, control, observer)?;
        let (mut analyzer, record) = (solver.into_analyzer(), Record::new(pos));
        let time_left = time.saturating_sub(control.elapsed());
        let request = SearchRequest {
            task: Task::AssessAll { played: None, completes_lines: true },
            ..SearchRequest::assess_all(None, Some(time_left), 1)
        };
        let moves = analyzer.analyze(&record, &request, control, &mut |_| {});
        let moves = moves.map_err(EngineError::from)?.lines;
        solution.narrow(&moves);
        if solution.bounds.value().is_none() {
            sections = merge(sections, json!({ "estimate": estimate(&moves[0]) }));
        }
        let row = |line: &PvLine<<R::Game as Game>::Move>| {
            if R::ExactSolver::IS_SOLVED {
                let traps = count_traps(&mut analyzer.exact_solver, &pos.after(*line.mv()));
                solved_move(line, traps)
            } else {
                assessed_move(line)
            }
        };
        let rows: Json = moves.iter().map(row).collect();
        sections = merge(sections, json!({ "moves": rows, "value": value(&solution) }));
        let explained = moves.iter().map(|line| {
            let (mv, reply) = (*line.mv(), line.moves.get(1).copied());
            (mv.to_string(), analyzer.reasons::<R::Reasons>(&record, mv, reply))
        });
        reasons = explained.filter(|(_, reasons)| !reasons.is_empty()).collect();
        ratings = moves.iter().map(|line| (line.mv().to_string(), line.score)).collect();
    }
    let figure = if ratings.is_empty() { "position" } else { "values" };
    let [common, own] = [POSITION_TEXT, R::Analysis::position_text()];
    Ok(AnalysisReport {
        game: R::Game::ID,
        sections: merge(sections, R::Analysis::analyze_position(&pos)),
        reasons,
        figures: Language::ALL.map(|(_, language)| {
            position_figure(figure, &pos, &ratings, language).into_iter().collect()
        }),
        text: [0, 1].map(|index| common[index].replace("{{game}}", own[index])),
    })
}

/// The moves of a position that an atlas knows, best first.
///
/// # Errors
/// Fails if the atlas is damaged.
pub(super) fn find_in_atlas<G: GameNotation>(
    atlas: &str,
    fen: &str,
) -> Result<Vec<AtlasMove<String>>, AtlasError> {
    let Ok(pos) = fen.parse::<G>() else { return Ok(Vec::new()) };
    let named = |own: AtlasMove<_>| AtlasMove {
        line: names(own.line),
        score: own.score,
        depth: own.depth,
        results: own.results,
    };
    Ok(moves_in_atlas(atlas, &pos)?.into_iter().map(named).collect())
}

/// The text of a report on a position; `{{game}}` stands for the part of its game.
const POSITION_TEXT: Localized = [
    include_str!("../../data/chapters/position.en.md"),
    include_str!("../../data/chapters/position.zh.md"),
];

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
    fn narrow<M: ToString>(&mut self, moves: &[PvLine<M>]) {
        let proven = ValueBounds::of_moves(moves.iter().map(|assessed| assessed.bounds));
        self.bounds.lower = self.bounds.lower.max(proven.lower);
        self.bounds.upper = self.bounds.upper.min(proven.upper);
        let value = self.bounds.value();
        let keeps = |best: &&PvLine<M>| value.is_some() && best.bounds.value() == value;
        if let Some(best) = moves.first().filter(keeps) {
            self.best = Some(best.mv().to_string());
        }
    }
}

/// The estimate of a position by its best move.
fn estimate<M: Move>(best: &PvLine<M>) -> Json {
    json!({
        "score": estimated_points(best),
        "expected": 100.0 * best.score.expected(),
        "depth": best.depth,
        "move": best.mv().to_string(),
    })
}

/// The estimate of a move, where 1 is a hundred points; `None` if its value is proven.
fn estimated_points<M>(assessed: &PvLine<M>) -> Option<f64> {
    match assessed.score {
        Score::Estimate(points) => Some(f64::from(points) / 100.0),
        Score::Exact(_) | Score::ByLine(_) => None,
    }
}

/// A move of a game without an exact solver.
fn assessed_move<M: Move>(assessed: &PvLine<M>) -> Json {
    let bounds = assessed.bounds;
    let known = match bounds.value() {
        None if bounds.lower == Value::Draw => "draw or win".to_owned(),
        None if bounds.upper == Value::Draw => "draw or loss".to_owned(),
        _ => value_name(bounds),
    };
    json!({
        "move": assessed.mv().to_string(),
        "value": value_name(bounds),
        "bounds": known,
        "status": if bounds.value().is_some() { "proven" } else { "estimate" },
        "score": estimated_points(assessed),
        "expected": estimated_points(assessed).map(|_| 100.0 * assessed.score.expected()),
        "depth": assessed.depth,
        "line": names(&assessed.moves),
    })
}

/// A move of a solved game.
fn solved_move<M: Move>(assessed: &PvLine<M>, traps: usize) -> Json {
    json!({
        "move": assessed.mv().to_string(),
        "value": value_name(assessed.bounds),
        "plies": assessed.score.distance(),
        "traps": traps,
        "line": names(&assessed.moves),
    })
}
