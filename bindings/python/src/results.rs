//! What searches, proofs and reviews found, as objects of Python. They do not change.

use pyo3::prelude::*;
use zermelo::language::Language;
use zermelo::rules::{ExactValue, Side, Value};
use zermelo::search::{PvLine, Score};
use zermelo::teaching::review::{self, GameReview};
use zermelo::thinking::Report;
use zermelo::thinking::solving;

use crate::running::place;

/// A line of play with its value for the player to move. `value` is `win`, `draw` or `loss` where it is proven, with the `plies` to the end
/// of the game; `score` is an estimate in hundredths, `expected` the same as an expected result from 0 to 1, and `win`, `draw` and `loss`
/// are the probabilities.
#[pyclass(module = "zermelo", frozen, get_all)]
#[derive(Clone)]
pub(crate) struct Line {
    pub(crate) moves: Vec<String>,
    /// The proven value.
    value: Option<String>,
    /// The plies to the end of a proven win or loss.
    plies: Option<u16>,
    /// The estimate in hundredths; beyond ±31,000 for proven wins and losses.
    score: i32,
    /// The expected result, from 0 to 1.
    expected: f64,
    win: f64,
    draw: f64,
    loss: f64,
}

impl Line {
    fn new(line: &PvLine<String>) -> Self {
        let odds = line.win_draw_loss();
        let [win, draw, loss] =
            [odds.win, odds.draw, odds.loss].map(|permille| f64::from(permille) / 1000.0);
        let proven = line.score.proven();
        Self {
            moves: line.moves.clone(),
            value: proven.map(|proven| proven.value().to_string()),
            plies: proven.and_then(ExactValue::plies),
            score: line.score.points(),
            expected: line.score.expected(),
            win,
            draw,
            loss,
        }
    }

    pub(crate) fn as_score(&self) -> Score {
        let value = [Value::Loss, Value::Draw, Value::Win].into_iter();
        let mut value = value.filter(|value| self.value.as_deref() == Some(&value.to_string()));
        let proven = |value: Value| Score::Exact(value.in_plies(self.plies.unwrap_or_default()));
        value.next().map_or(Score::Estimate(self.score), proven)
    }
}

#[pymethods]
impl Line {
    #[getter]
    fn r#move(&self) -> Option<&str> {
        self.moves.first().map(String::as_str)
    }

    fn __repr__(&self) -> String {
        format!("Line({}, {})", self.as_score(), self.moves.join(" "))
    }
}

/// What a search has found: `lines`, best first, `depth`, `nodes`, `time` in seconds, and the `value` of the position if it is proven.
#[pyclass(module = "zermelo", frozen, get_all)]
pub(crate) struct Info {
    lines: Vec<Py<Line>>,
    depth: u32,
    seldepth: u32,
    nodes: u64,
    time: f64,
    /// The proven value of the position.
    value: Option<String>,
}

impl Info {
    pub(crate) fn new(py: Python<'_>, report: &Report) -> PyResult<Self> {
        let lines = report.lines.iter().map(|line| Py::new(py, Line::new(line)));
        Ok(Self {
            lines: lines.collect::<PyResult<_>>()?,
            depth: report.depth,
            seldepth: report.selective_depth,
            nodes: report.nodes,
            time: report.time.as_secs_f64(),
            value: report.proven.map(|proven| proven.value().to_string()),
        })
    }
}

#[pymethods]
impl Info {
    #[getter]
    fn r#move(&self, py: Python<'_>) -> Option<String> {
        self.lines.first().and_then(|line| line.borrow(py).moves.first().cloned())
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let lines: Vec<_> = self.lines.iter().map(|line| line.borrow(py).__repr__()).collect();
        format!("Info(depth {}, {} nodes: {})", self.depth, self.nodes, lines.join(", "))
    }

    fn __len__(&self) -> usize {
        self.lines.len()
    }

    fn __getitem__(&self, py: Python<'_>, index: isize) -> PyResult<Py<Line>> {
        Ok(self.lines[place("line", index, self.lines.len())?].clone_ref(py))
    }
}

/// What is proven of a position: its `value`, or at least `lower` and at most `upper`; a `move` that keeps it, and the `plies` to the end of
/// the game if they are known.
#[pyclass(module = "zermelo", frozen, get_all)]
pub(crate) struct Solution {
    value: Option<String>,
    lower: String,
    upper: String,
    plies: Option<u16>,
    r#move: Option<String>,
    nodes: u64,
    time: f64,
}

impl Solution {
    pub(crate) fn new(solution: solving::Solution) -> Self {
        let solving::Solution { bounds, plies, best, nodes, time, .. } = solution;
        Self {
            value: bounds.value().map(|value| value.to_string()),
            lower: bounds.lower.to_string(),
            upper: bounds.upper.to_string(),
            plies,
            r#move: best,
            nodes,
            time: time.as_secs_f64(),
        }
    }
}

#[pymethods]
impl Solution {
    fn __repr__(&self) -> String {
        let range = || format!("{} to {}", self.lower, self.upper);
        let best = self.r#move.as_ref().map(|mv| format!(", {mv}")).unwrap_or_default();
        format!("Solution({}{best})", self.value.clone().unwrap_or_else(range))
    }
}

/// The review of a move. `before`, `after` and `loss` are expected results for the player who made it, from 0 for a loss to 1 for a win;
/// `mark` is `??`, `?`, `?!`, `!` or empty.
#[pyclass(module = "zermelo", frozen, get_all)]
pub(crate) struct MoveReview {
    ply: usize,
    turn: usize,
    r#move: String,
    before: f64,
    after: f64,
    loss: f64,
    is_proven: bool,
    /// `??`, `?`, `?!`, `!` or nothing.
    mark: &'static str,
    best_line: Vec<String>,
    reasons: String,
    best_reasons: String,
    /// The number of moves that keep the value …
    keeping: usize,
    /// … of this many.
    legal: usize,
}

impl MoveReview {
    fn new(mv: &review::MoveReview, language: Language) -> Self {
        Self {
            ply: mv.ply,
            turn: mv.side.index(),
            r#move: mv.mv.clone(),
            before: mv.before.expected(),
            after: mv.after.expected(),
            loss: mv.loss(),
            is_proven: mv.is_proven(),
            mark: mv.mark.map_or("", zermelo::records::Glyph::symbol),
            best_line: mv.best_line.clone(),
            reasons: language.reasons(&mv.reasons),
            best_reasons: language.reasons(&mv.best_reasons),
            keeping: mv.keeping.count,
            legal: mv.keeping.legal,
        }
    }
}

#[pymethods]
impl MoveReview {
    fn __repr__(&self) -> String {
        format!("MoveReview({} {}{}, lost {:.2})", self.ply, self.r#move, self.mark, self.loss)
    }
}

/// The review of a game: `moves`, the `accuracy` of both players in per cent, and the plies of the `turning_points`. `str` gives it as text.
#[pyclass(module = "zermelo", frozen, get_all)]
pub(crate) struct Review {
    moves: Vec<Py<MoveReview>>,
    /// The accuracy of each player in per cent.
    accuracy: [Option<f64>; 2],
    /// The plies that turned the game.
    turning_points: Vec<usize>,
    text: String,
}

impl Review {
    pub(crate) fn new(
        py: Python<'_>,
        review: &GameReview,
        text: String,
        language: Language,
    ) -> PyResult<Self> {
        let moves = review.moves.iter().map(|mv| Py::new(py, MoveReview::new(mv, language)));
        Ok(Self {
            moves: moves.collect::<PyResult<_>>()?,
            accuracy: [Side::P1, Side::P2].map(|side| review.players[side.index()].accuracy),
            turning_points: review
                .turning_points
                .iter()
                .map(|index| review.moves[*index].ply)
                .collect(),
            text,
        })
    }
}

#[pymethods]
impl Review {
    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("Review({} moves)", self.moves.len())
    }
}
