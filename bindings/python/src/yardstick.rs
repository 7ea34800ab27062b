//! The exam and the ladder of ratings, for players that are functions of Python.

use pyo3::prelude::*;
use zermelo::exam::exam_report::{ExamReport, ExamTaker};
use zermelo::exam::score::{Choice, ExamAnswer};
use zermelo::exam::suite::{Motif, Suite};
use zermelo::records::Termination;
use zermelo::scale::Ladder;
use zermelo::scale::references::{self, rated_games};
use zermelo::search::SearchControl;
use zermelo::statistics::rate_on_scale;
use zermelo::thinking::openings::OpeningRequest;
use zermelo::thinking::registry::find;

use crate::running::{maybe_within, read_seed, refuse, run, within};

fn suite(game: &str) -> PyResult<Suite> {
    Suite::of_game(find(game).map_err(refuse)?).map_err(refuse)
}

/// A position of the exam: its number, the moves from the start, the value of each move, and what the choice is about.
type ExamPosition = (usize, Vec<String>, Vec<(String, String)>, Vec<String>);

/// The positions of the exam.
#[pyfunction]
pub(crate) fn exam_positions(game: &str) -> PyResult<Vec<ExamPosition>> {
    let read = suite(game)?.positions.into_iter().map(|position| {
        let values = position.values.iter().map(|(mv, value)| (mv.clone(), value.to_string()));
        let has = |motif: &Motif| position.motifs.contains(motif);
        let motifs = Motif::NAMES.iter().filter(|(motif, _)| has(motif));
        let motifs = motifs.map(|(_, name)| (*name).to_owned());
        let (values, motifs) = (values.collect(), motifs.collect());
        (position.id, position.line.clone(), values, motifs)
    });
    Ok(read.collect())
}

/// Grades the chosen moves, given with the numbers of the positions; returns the report as text and as JSON.
#[pyfunction]
pub(crate) fn grade_exam(
    game: &str,
    name: String,
    choices: Vec<(usize, String)>,
) -> PyResult<(String, String)> {
    let suite = suite(game)?;
    let mut answers = Vec::with_capacity(choices.len());
    for (id, mv) in choices {
        let position = id.checked_sub(1).and_then(|index| suite.positions.get(index));
        let position =
            position.ok_or_else(|| refuse(format_args!("the exam has no position {id}")))?;
        let choice = match position.value_of(&mv) {
            Some(_) => Choice::Move(mv),
            None => Choice::Fault(Termination::Illegal, format!("chose {mv}, which is not legal")),
        };
        answers.push(ExamAnswer { id, choice });
    }
    let report = ExamReport::new(&suite, &answers, ExamTaker { name, engine: None });
    Ok((report.text(100), report.json().to_string()))
}

/// Openings for matches, as FENs of unfinished positions: after `plies` random moves, or as many as the game usually has; `balanced` ones
/// are drawn, in games without draws won and lost in turn, and in unsolved games even by a short search.
///
/// Raises ValueError if there are fewer.
#[pyfunction]
#[pyo3(signature = (game = "tixtax", count = 10, *, plies = None, seed = 0, balanced = false))]
pub(crate) fn openings(
    py: Python<'_>,
    game: &str,
    count: i128,
    plies: Option<i128>,
    seed: i128,
    balanced: bool,
) -> PyResult<Vec<String>> {
    let spec = find(game).map_err(refuse)?;
    let control = SearchControl::default();
    let count = within("count", count, 0..=1 << 24)?;
    let (plies, seed) = (maybe_within("plies", plies, 0..)?, read_seed(seed)?);
    let request = OpeningRequest { count, plies, seed, balanced };
    let fens = run(py, &control, || spec.openings(&request, &control))?.map_err(refuse)?.fens;
    if fens.len() < count {
        let plies = plies.unwrap_or(spec.opening_plies);
        return Err(refuse(format_args!(
            "count {count}: {} has only {} {}openings with plies={plies}, expected fewer or other plies",
            spec.id,
            fens.len(),
            if balanced { "balanced " } else { "" },
        )));
    }
    Ok(fens)
}

/// The ladder of ratings.
#[pyclass(module = "zermelo", frozen)]
pub(crate) struct Scale {
    ladder: Ladder,
    names: Vec<String>,
}

#[pymethods]
impl Scale {
    #[new]
    fn new(game: &str, precision: f64) -> PyResult<Self> {
        let id = find(game).map_err(refuse)?.id;
        if !(precision > 0.0) {
            return Err(refuse(format_args!("precision {precision}, expected more than 0 Elo")));
        }
        let (names, ladder) = references::ladder(id, precision).ok_or_else(|| {
            let rated = rated_games().join(" or ");
            refuse(format_args!("{id} has no scale of ratings, expected {rated}"))
        })?;
        Ok(Self { ladder, names: names.into_iter().map(str::to_owned).collect() })
    }

    /// The names of the references.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    /// The references to meet next, given the pairs of games with each by points; none if the rating is known.
    fn next(&self, pairs: Vec<[u64; 5]>) -> Vec<usize> {
        self.ladder.next_references(&pairs)
    }

    /// The rating and its 95 % interval.
    fn rating(&self, pairs: Vec<[u64; 5]>) -> (f64, f64, f64) {
        let estimate = rate_on_scale(&self.ladder.references, &pairs);
        (estimate.value, estimate.low, estimate.high)
    }
}
