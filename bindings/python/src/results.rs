//! What searches, proofs and reviews found, as the results of `zermelo.results`.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use zermelo::language::Language;
use zermelo::rules::{ExactValue, Side, Value};
use zermelo::search::{PvLine, Score};
use zermelo::teaching::review::{self, GameReview};
use zermelo::thinking::Report;
use zermelo::thinking::puzzles::Puzzle;
use zermelo::thinking::solving::Solution;

/// Creates a result from its fields.
macro_rules! create {
    ($py:expr, $class:literal { $($field:literal: $value:expr,)* }) => {{
        let fields = PyDict::new($py);
        $(fields.set_item($field, $value)?;)*
        $py.import("zermelo.results")?.getattr($class)?.call((), Some(&fields))
    }};
}
pub(crate) use create;

/// An object of one of these classes.
pub(crate) type Created<'py> = PyResult<Bound<'py, PyAny>>;

fn line<'py>(py: Python<'py>, line: &PvLine<String>) -> Created<'py> {
    let odds = line.win_draw_loss();
    let [win, draw, loss] =
        [odds.win, odds.draw, odds.loss].map(|permille| f64::from(permille) / 1000.0);
    let proven = line.score.proven();
    create!(py, "Line" {
        "moves": &line.moves,
        "value": proven.map(|proven| proven.value().to_string()),
        "plies": proven.and_then(ExactValue::plies),
        "score": line.score.points(),
        "expected": line.score.expected(),
        "win": win,
        "draw": draw,
        "loss": loss,
    })
}

/// What drawing needs of a `Line`.
#[derive(FromPyObject)]
pub(crate) struct DrawnLine {
    pub(crate) moves: Vec<String>,
    value: Option<String>,
    plies: Option<u16>,
    score: i32,
}

impl DrawnLine {
    pub(crate) fn as_score(&self) -> Score {
        let value = [Value::Loss, Value::Draw, Value::Win].into_iter();
        let mut value = value.filter(|value| self.value.as_deref() == Some(&value.to_string()));
        let proven = |value: Value| Score::Exact(value.in_plies(self.plies.unwrap_or_default()));
        value.next().map_or(Score::Estimate(self.score), proven)
    }
}

pub(crate) fn info<'py>(py: Python<'py>, report: &Report) -> Created<'py> {
    let lines = report.lines.iter().map(|shown| line(py, shown));
    create!(py, "Info" {
        "lines": lines.collect::<PyResult<Vec<_>>>()?,
        "depth": report.depth,
        "seldepth": report.selective_depth,
        "nodes": report.nodes,
        "time": report.time.as_secs_f64(),
        "value": report.proven.map(|proven| proven.value().to_string()),
    })
}

pub(crate) fn solution<'py>(py: Python<'py>, solution: &Solution) -> Created<'py> {
    create!(py, "Solution" {
        "value": solution.bounds.value().map(|value| value.to_string()),
        "lower": solution.bounds.lower.to_string(),
        "upper": solution.bounds.upper.to_string(),
        "plies": solution.plies,
        "move": solution.best.as_deref(),
        "nodes": solution.nodes,
        "time": solution.time.as_secs_f64(),
    })
}

fn move_review<'py>(py: Python<'py>, mv: &review::MoveReview, language: Language) -> Created<'py> {
    create!(py, "MoveReview" {
        "ply": mv.ply,
        "turn": mv.side.index(),
        "move": &mv.mv,
        "before": mv.before.expected(),
        "after": mv.after.expected(),
        "loss": mv.loss(),
        "is_proven": mv.is_proven(),
        "mark": mv.mark.map_or("", zermelo::records::Glyph::symbol),
        "best_line": &mv.best_line,
        "reasons": language.reasons(&mv.reasons),
        "best_reasons": language.reasons(&mv.best_reasons),
        "keeping": mv.keeping.count,
        "legal": mv.keeping.legal,
    })
}

pub(crate) fn game_review<'py>(
    py: Python<'py>,
    review: &GameReview,
    text: &str,
    language: Language,
) -> Created<'py> {
    let moves = review.moves.iter().map(|mv| move_review(py, mv, language));
    let turning_points = review.turning_points.iter().map(|index| review.moves[*index].ply);
    create!(py, "Review" {
        "moves": moves.collect::<PyResult<Vec<_>>>()?,
        "accuracy": [Side::P1, Side::P2].map(|side| review.players[side.index()].accuracy),
        "turning_points": turning_points.collect::<Vec<_>>(),
        "text": text,
    })
}

pub(crate) fn puzzle<'py>(py: Python<'py>, game: &str, puzzle: &Puzzle) -> Created<'py> {
    create!(py, "Puzzle" {
        "game": game,
        "fen": &puzzle.fen,
        "value": puzzle.value.value().to_string(),
        "plies": puzzle.value.plies(),
        "line": &puzzle.line,
        "to_find": puzzle.to_find,
        "difficulty": puzzle.difficulty,
    })
}
