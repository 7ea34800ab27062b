//! The exam and the ladder of ratings, for players that are functions of Python.

use pyo3::prelude::*;
use zermelo::exam::exam_report::{ExamReport, ExamTaker};
use zermelo::exam::score::{Choice, ExamAnswer};
use zermelo::exam::suite::{Motif, Suite};
use zermelo::records::Termination;
use zermelo::scale::Ladder;
use zermelo::scale::references::{self, rated_games};
use zermelo::statistics::rate_on_scale;
use zermelo::thinking::openings::OpeningRequest;
use zermelo::thinking::registry::find;

use crate::running::{refuse, run};

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

/// Openings for matches.
#[pyfunction]
#[pyo3(signature = (game = "tixtax", count = 10, *, plies = None, seed = 0, balanced = false))]
pub(crate) fn openings(
    py: Python<'_>,
    game: &str,
    count: usize,
    plies: Option<usize>,
    seed: u64,
    balanced: bool,
) -> PyResult<Vec<String>> {
    let entry = find(game).map_err(refuse)?;
    let control = zermelo::search::SearchControl::default();
    let request = OpeningRequest { count, plies, seed, balanced };
    Ok(run(py, &control, || entry.openings(&request))?.map_err(refuse)?.fens)
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
