//! [`OwnRules`]: checks, solves and searches a game written in Python with what the library has for games of its own.
//!
//! A position of the library is small and `Copy`, so a position of Python is a number there: the object and what its methods have answered
//! lie in a [`Store`]. While a search runs, its store lies in a variable of the thread, since [`Game::start`] takes no argument. An exception in
//! the rules unwinds the search up to [`Store::run`], as a panic that prints nothing. The search runs on the thread that has called it, so
//! that Ctrl-C reaches the rules as well.

mod answers;
mod position;
mod store;

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;
use zermelo::conformance;
use zermelo::rules::{Game, Record, SplitMix};
use zermelo::search::{Limits, Mcts, SearchControl, SearchTask, Searcher, TimeBudget};
use zermelo::solve::{ExactSolver, Retrograde, ValueBounds, rank_moves};
use zermelo::thinking::solving;

use crate::results::{self, Created};
use crate::running::{maybe_within, read_seed, refuse, seconds, within};
use answers::{hashable_key_of, outcome_of, play_of, unfinished_moves_of};
use position::OwnPosition;
use store::{MAX_PLIES, Origin, Purpose, Store};

/// What a class has to have.
const METHODS: [&str; 4] = ["legal_moves", "play", "outcome", "key"];
/// The positions that a check looks at.
const CHECKED_POSITIONS: usize = 100_000;
/// The games that a check plays to their end: the kit leaves those with many moves, since positions may recur.
const WHOLE_GAMES: u64 = 4;
/// The memory of the search tree in MiB.
const TREE_MEBIBYTES: usize = 64;

/// The values of the positions that were solved.
type Solved = (Store, Retrograde<OwnPosition>);

/// The rules of a game: a class of Python, whose call without arguments gives the start.
#[pyclass(module = "zermelo", frozen)]
pub(crate) struct OwnRules {
    start: Py<PyAny>,
    solved: Mutex<Option<Solved>>,
}

impl OwnRules {
    /// A position and where it comes from.
    fn position<'py>(
        &self,
        py: Python<'py>,
        given: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyAny>, Origin)> {
        given.map_or_else(
            || Ok((self.start.bind(py).call0()?, Origin::Start)),
            |given| Ok((given, Origin::Given)),
        )
    }
}

#[pymethods]
impl OwnRules {
    #[new]
    fn new(start: Bound<'_, PyAny>) -> PyResult<Self> {
        let expected =
            "expected a class or function whose call without arguments gives the start position";
        if !start.is_callable() {
            return Err(PyTypeError::new_err(expected));
        }
        let first = start.call0()?;
        for method in METHODS {
            if !first.hasattr(method)? {
                let (found, expected) = (first.get_type().name()?, METHODS.join(", "));
                let text = format!("{found} has no {method}, expected all of: {expected}");
                return Err(PyTypeError::new_err(text));
            }
        }
        Ok(Self { start: start.unbind(), solved: Mutex::default() })
    }

    /// A game with a longer line counts as infinite.
    #[classattr]
    const MAX_PLIES: u32 = MAX_PLIES;

    /// The start position.
    fn first<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.start.bind(py).call0()
    }

    /// The outcome of a position, its legal moves, of which a finished game has none, and its key.
    #[staticmethod]
    fn state<'py>(
        position: Bound<'py, PyAny>,
    ) -> PyResult<(Option<String>, Vec<String>, Bound<'py, PyAny>)> {
        let outcome = outcome_of(&position).map_err(|trouble| trouble.into_error("outcome"))?;
        let moves = if outcome.is_some() { Ok(Vec::new()) } else { unfinished_moves_of(&position) };
        let moves = moves.map_err(|trouble| trouble.into_error("legal_moves"))?;
        let key = hashable_key_of(&position).map_err(|trouble| trouble.into_error("key"))?;
        Ok((outcome.map(|value| value.to_string()), moves, key))
    }

    /// The position after a move.
    #[staticmethod]
    fn after<'py>(
        position: Bound<'py, PyAny>,
        r#move: Bound<'py, PyString>,
    ) -> PyResult<Bound<'py, PyAny>> {
        play_of(&position, &r#move).map_err(|trouble| trouble.into_error("play"))
    }

    /// Raises `ValueError` with the faults that the conformance kit finds.
    fn check(&self, py: Python<'_>) -> PyResult<()> {
        let (first, origin) = self.position(py, None)?;
        let store = Store::new(py, Purpose::Check, CHECKED_POSITIONS);
        let (store, _) = store.run(|| {
            OwnPosition::add(first, origin);
            (0..WHOLE_GAMES).for_each(play_to_the_end);
        });
        if store.is_empty() {
            return Err(store.into_error(py));
        }
        let (mut store, found) = store.run(conformance::check::<OwnPosition>);
        if store.was_interrupted() {
            return Err(store.into_error(py));
        }
        let key_fault = store.key_fault();
        store.failures.extend(key_fault);
        let found = found.and_then(Result::err).unwrap_or_default();
        // What was raised or broken in Python is a panic for the kit; the store has it in words.
        let found = found.iter().filter(|fault| !fault.rule.starts_with("it panics"));
        let found = found.map(ToString::to_string);
        let lines: Vec<String> =
            store.failures.iter().map(ToString::to_string).chain(found).collect();
        if lines.is_empty() {
            return Ok(());
        }
        let error = PyValueError::new_err(lines.join("\n"));
        error.set_cause(py, store.raised(py));
        Err(error)
    }

    /// Proves the value of a position.
    fn solve<'py>(
        &self,
        py: Python<'py>,
        position: Option<Bound<'py, PyAny>>,
        max_positions: i128,
    ) -> Created<'py> {
        let started = Instant::now();
        let max_positions = within("max_positions", max_positions, 1..)?;
        let (position, origin) = self.position(py, position)?;
        let kept = self.solved.lock().unwrap_or_else(PoisonError::into_inner).take();
        let (mut store, mut solver) = kept.unwrap_or_else(|| {
            (Store::new(py, Purpose::Solve, max_positions), Retrograde::default())
        });
        store.max_positions = max_positions;
        let (store, solved) = store.run(|| {
            let record = Record::new(OwnPosition::add(position, origin));
            let value = solver.exact(record.position());
            let best = rank_moves(&mut solver, &record).first().map(|(mv, _)| mv.to_string());
            let nodes = solver.position_count() as u64;
            let bounds = ValueBounds::exactly(value.value());
            let solution = solving::Solution {
                fen: record.position().to_string(),
                bounds,
                plies: value.plies(),
                best,
                nodes,
                time: started.elapsed(),
                verification: None,
                verification_time: Duration::ZERO,
            };
            (solver, solution)
        });
        let Some((solver, solution)) = solved else { return Err(store.into_error(py)) };
        *self.solved.lock().unwrap_or_else(PoisonError::into_inner) = Some((store, solver));
        results::solution(py, &solution)
    }

    /// Searches a position by MCTS.
    fn analyse<'py>(
        &self,
        py: Python<'py>,
        position: Option<Bound<'py, PyAny>>,
        playouts: Option<i128>,
        time: Option<f64>,
        seed: i128,
        max_positions: i128,
    ) -> Created<'py> {
        let playouts = maybe_within("playouts", playouts, 1..)?;
        let max_positions = within("max_positions", max_positions, 1..)?;
        let seed = read_seed(seed)?;
        let time = time.map(|time| seconds("time", time)).transpose()?;
        let budget = time.map_or_else(TimeBudget::default, TimeBudget::fixed);
        let limits = Limits { nodes: playouts, budget, ..Limits::default() };
        let (position, origin) = self.position(py, position)?;
        let control = Arc::new(SearchControl::default());
        let store = Store::new(py, Purpose::Search(Arc::clone(&control)), max_positions);
        let (store, report) = store.run(|| {
            let record = Record::new(OwnPosition::add(position, origin));
            let task = SearchTask { limits, seed, ..SearchTask::new(record) };
            if task.moves.is_empty() {
                return None;
            }
            let task = SearchTask { multi_pv: task.moves.len(), ..task };
            let report = Mcts::new(TREE_MEBIBYTES).search(&task, &control, &mut |_| {});
            Some(report.map_moves(ToString::to_string))
        });
        let Some(report) = report else { return Err(store.into_error(py)) };
        let report = report.ok_or_else(|| refuse("the game is over: there is no move to play"))?;
        results::info(py, &report)
    }
}

/// Plays a random game until it ends, a position recurs, or the store finds it too long.
fn play_to_the_end(seed: u64) {
    let mut random = SplitMix::new(seed);
    let (mut pos, mut seen) = (OwnPosition::start(), HashSet::new());
    while pos.outcome().is_none() && seen.insert(pos.key_number()) {
        let moves = pos.legal_moves();
        if moves.is_empty() {
            return;
        }
        pos.play_unchecked(moves[random.below(moves.len())]);
    }
}
