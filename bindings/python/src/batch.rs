//! [`Games`]: many games at once, for training.

use std::sync::{Mutex, PoisonError};

use numpy::{
    Element, IntoPyArray, PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use zermelo::search::SearchControl;
use zermelo::thinking::batch::{Arrays, Batch, BatchSetup};

use crate::board::{Board, GameFacts};
use crate::running::{check_plies, place, refuse, run};

/// Many games of one type, stepped together. The arrays are views that each step writes again: copy what you keep.
///
/// >>> games = Games("tixtax", n=1000, seed=1, opening_plies=4, planes=True)
/// >>> games.step(games.random_actions())
/// >>> games.planes.shape, games.legal.shape
/// ((1000, 5, 9, 9), (1000, 81))
/// >>> games[0].ply
/// 5
#[pyclass(module = "zermelo")]
pub(crate) struct Games {
    facts: &'static GameFacts,
    batch: Mutex<Box<dyn Batch>>,
    count: usize,
    legal: Py<PyArray2<u8>>,
    planes: Option<Py<PyArrayDyn<f32>>>,
    turns: Py<PyArray1<i8>>,
    rewards: Py<PyArray1<f32>>,
    dones: Py<PyArray1<bool>>,
}

/// Planes and results.
type Afterstates<'py> = (Bound<'py, PyArrayDyn<f32>>, Bound<'py, PyArray1<f32>>);

impl Games {
    fn with_batch(
        py: Python<'_>,
        facts: &'static GameFacts,
        batch: Box<dyn Batch>,
        count: usize,
        planes: bool,
    ) -> Self {
        let shape = [&[count], &facts.planes[..]].concat();
        Self {
            facts,
            batch: Mutex::new(batch),
            count,
            legal: PyArray2::zeros(py, [count, facts.actions.len()], false).unbind(),
            planes: planes.then(|| PyArrayDyn::zeros(py, shape, false).unbind()),
            turns: PyArray1::zeros(py, count, false).unbind(),
            rewards: PyArray1::zeros(py, count, false).unbind(),
            dones: PyArray1::zeros(py, count, false).unbind(),
        }
    }

    /// Calls `work` with the games and the arrays to write to.
    fn with_arrays<T>(
        &mut self,
        py: Python<'_>,
        work: impl FnOnce(&mut dyn Batch, &mut Arrays<'_>) -> T,
    ) -> PyResult<T> {
        let mut legal = self.legal.bind(py).try_readwrite()?;
        let mut turns = self.turns.bind(py).try_readwrite()?;
        let mut rewards = self.rewards.bind(py).try_readwrite()?;
        let mut dones = self.dones.bind(py).try_readwrite()?;
        let mut planes =
            self.planes.as_ref().map(|planes| planes.bind(py).try_readwrite()).transpose()?;
        let mut arrays = Arrays {
            legal: legal.as_slice_mut()?,
            planes: planes.as_mut().map(|planes| planes.as_slice_mut()).transpose()?,
            turns: turns.as_slice_mut()?,
            rewards: rewards.as_slice_mut()?,
            dones: dones.as_slice_mut()?,
        };
        let (count, facts) = (self.count, self.facts);
        let plane_size: usize = facts.planes.iter().product();
        if arrays.legal.len() != count * facts.actions.len()
            || arrays.planes.as_ref().is_some_and(|planes| planes.len() != count * plane_size)
            || [arrays.turns.len(), arrays.rewards.len(), arrays.dones.len()] != [count; 3]
        {
            return Err(refuse("an array of the games was resized, which nothing may do"));
        }
        let batch = self.batch.get_mut().unwrap_or_else(PoisonError::into_inner);
        Ok(work(batch.as_mut(), &mut arrays))
    }

    fn batch(&mut self) -> &mut dyn Batch {
        self.batch.get_mut().unwrap_or_else(PoisonError::into_inner).as_mut()
    }

    fn check_index(&self, index: isize) -> PyResult<usize> {
        place("game", index, self.count)
    }

    /// The numbers of an array of actions.
    fn read_actions(&self, actions: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
        read_numbers::<i64>(actions)
            .or_else(|| {
                Some(
                    read_numbers::<i32>(actions)?
                        .map(|all| all.into_iter().map(i64::from).collect()),
                )
            })
            .unwrap_or_else(|| {
                let found = describe(actions);
                Err(PyTypeError::new_err(format!(
                    "actions: {found}, expected an array of int64 or int32"
                )))
            })
            .and_then(|actions| {
                if actions.len() == self.count {
                    return Ok(actions);
                }
                let (found, count) = (actions.len(), self.count);
                Err(refuse(format_args!(
                    "actions: {found} numbers, expected one for each of {count} games"
                )))
            })
    }
}

/// The numbers of a one-dimensional contiguous array; `None` if it is not an array of this type.
fn read_numbers<T: Element + Copy>(array: &Bound<'_, PyAny>) -> Option<PyResult<Vec<T>>> {
    let array = array.cast::<PyArrayDyn<T>>().ok()?;
    Some(match (array.ndim(), array.try_readonly()) {
        (1, Ok(numbers)) => numbers.as_slice().map(<[T]>::to_vec).map_err(|_| {
            refuse("actions: the array is not contiguous, use numpy.ascontiguousarray")
        }),
        (1, Err(error)) => Err(error.into()),
        _ => Err(refuse(format_args!(
            "actions: an array of shape {:?}, expected one dimension",
            array.shape()
        ))),
    })
}

fn describe(value: &Bound<'_, PyAny>) -> String {
    let dtype = value.getattr("dtype").map(|dtype| format!("an array of {dtype}"));
    dtype.unwrap_or_else(|_| {
        value.get_type().name().map_or_else(|_| "no array".to_owned(), |name| name.to_string())
    })
}

#[pymethods]
impl Games {
    /// Starts `n` games. With `opening_plies`, each begins with that many random moves; with `auto_reset`, a finished game is
    /// followed by a new one at once; with `planes`, the array of that name is kept up to date.
    #[new]
    #[pyo3(signature = (game = "tixtax", n = 1, *, seed = 0, opening_plies = 0, auto_reset = true, planes = false))]
    fn new(
        py: Python<'_>,
        game: &str,
        n: usize,
        seed: u64,
        opening_plies: usize,
        auto_reset: bool,
        planes: bool,
    ) -> PyResult<Self> {
        if !(1..=1 << 20).contains(&n) {
            return Err(refuse(format_args!("{n} games, expected 1 to {}", 1 << 20)));
        }
        if opening_plies > 40 {
            return Err(refuse(format_args!("opening_plies {opening_plies}, expected at most 40")));
        }
        let facts = GameFacts::find(py, game)?;
        let batch = facts.entry.batch(BatchSetup { count: n, seed, opening_plies, auto_reset });
        let mut games = Self::with_batch(py, facts, batch, n, planes);
        games.with_arrays(py, |batch, arrays| batch.reset(&mut |_| true, arrays))?;
        Ok(games)
    }

    /// The id of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.facts.entry.id
    }

    /// 1 for each legal action of each game (uint8).
    #[getter]
    fn legal(&self, py: Python<'_>) -> Py<PyArray2<u8>> {
        self.legal.clone_ref(py)
    }

    /// The positions as `Board.planes` describes them (float32).
    #[getter]
    fn planes(&self, py: Python<'_>) -> PyResult<Py<PyArrayDyn<f32>>> {
        let planes = self.planes.as_ref().map(|planes| planes.clone_ref(py));
        planes.ok_or_else(|| refuse("these games write no planes, expected Games(…, planes=True)"))
    }

    /// The player to move in each game (int8).
    #[getter]
    fn turns(&self, py: Python<'_>) -> Py<PyArray1<i8>> {
        self.turns.clone_ref(py)
    }

    /// 1 for each game that the last step won for the player who moved, −1 for a lost one, otherwise 0 (float32). Copy `turns` before a step to know who moved.
    #[getter]
    fn rewards(&self, py: Python<'_>) -> Py<PyArray1<f32>> {
        self.rewards.clone_ref(py)
    }

    /// Whether each game has ended (bool): with automatic resets in the last step, and then the other arrays are already those of the next game.
    #[getter]
    fn dones(&self, py: Python<'_>) -> Py<PyArray1<bool>> {
        self.dones.clone_ref(py)
    }

    /// Plays an action in each game. Those of finished games are ignored, so −1 will do.
    ///
    /// Raises ValueError if one is illegal; no game is then changed.
    fn step(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let actions = self.read_actions(actions)?;
        self.with_arrays(py, |batch, arrays| {
            batch.check(&actions).map(|()| batch.step(&actions, arrays))
        })?
        .map_err(refuse)
    }

    /// A random legal action for each game, −1 for finished ones.
    fn random_actions<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        self.batch().random_actions().into_pyarray(py)
    }

    /// Starts all games again, or those that are `chosen`.
    #[pyo3(signature = (chosen = None))]
    fn reset(&mut self, py: Python<'_>, chosen: Option<Vec<bool>>) -> PyResult<()> {
        if let Some(chosen) = chosen.as_ref().filter(|chosen| chosen.len() != self.count) {
            let (found, count) = (chosen.len(), self.count);
            return Err(refuse(format_args!(
                "chosen: {found} truth values, expected one for each of {count} games"
            )));
        }
        let mut is_chosen = |index: usize| chosen.as_ref().is_none_or(|chosen| chosen[index]);
        self.with_arrays(py, |batch, arrays| batch.reset(&mut is_chosen, arrays))
    }

    /// The planes of the positions after all legal moves, for agents that compare them: a row for each, in the order of `numpy.nonzero(games.legal)`, and seen by
    /// the opponent, who is to move there. The second array has the results of moves that end the game, for the players who move, 1, 0 or −1, and NaN for
    /// the others.
    ///
    /// >>> planes, results = Games("tixtax", n=2).afterstates()
    /// >>> planes.shape
    /// (162, 5, 9, 9)
    fn afterstates<'py>(&mut self, py: Python<'py>) -> PyResult<Afterstates<'py>> {
        let (planes, results) = self.batch().afterstates();
        let shape = [&[results.len()], &self.facts.planes[..]].concat();
        Ok((planes.into_pyarray(py).reshape(shape)?, results.into_pyarray(py)))
    }

    /// Games of their own at the same positions; random moves are the same, too.
    fn copy(&mut self, py: Python<'_>) -> PyResult<Self> {
        let (facts, count) = (self.facts, self.count);
        let (batch, planes) = (self.batch().copy(), self.planes.is_some());
        let mut copy = Self::with_batch(py, facts, batch, count, planes);
        copy.with_arrays(py, |batch, arrays| batch.show_all(arrays))?;
        Ok(copy)
    }

    /// The exact values of the positions for the players to move: 1 for a win, 0, −1, and NaN if more than `max_plies` plies may be left
    /// and the game is not solved. A finished game has the value for the player who would be to move.
    #[pyo3(signature = (max_plies = 20))]
    fn values<'py>(
        &mut self,
        py: Python<'py>,
        max_plies: u32,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        check_plies("max_plies", max_plies)?;
        let (control, batch) = (SearchControl::default(), self.batch());
        Ok(run(py, &control, || batch.values(max_plies, &control))?
            .map_err(refuse)?
            .into_pyarray(py))
    }

    /// The exact values of all actions for the players who take them, and NaN for illegal ones, or if too many plies are left.
    #[pyo3(signature = (max_plies = 20))]
    fn action_values<'py>(
        &mut self,
        py: Python<'py>,
        max_plies: u32,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        check_plies("max_plies", max_plies)?;
        let (control, batch) = (SearchControl::default(), self.batch());
        let values =
            run(py, &control, || batch.action_values(max_plies, &control))?.map_err(refuse)?;
        values.into_pyarray(py).reshape([self.count, self.facts.actions.len()])
    }

    fn __len__(&self) -> usize {
        self.count
    }

    fn __getitem__(&self, index: isize) -> PyResult<Board> {
        let index = self.check_index(index)?;
        Ok(Board {
            facts: self.facts,
            played: self.batch.lock().unwrap_or_else(PoisonError::into_inner).game(index),
        })
    }

    fn __setitem__(
        &mut self,
        py: Python<'_>,
        index: isize,
        board: PyRef<'_, Board>,
    ) -> PyResult<()> {
        let index = self.check_index(index)?;
        let (own, other) = (self.facts.entry.id, board.facts.entry.id);
        let is_set = self.with_arrays(py, |batch, arrays| {
            batch.set_game(index, board.played.as_ref(), arrays)
        })?;
        if is_set {
            Ok(())
        } else {
            Err(refuse(format_args!("a board of {other}, expected one of {own}")))
        }
    }

    fn __repr__(&self) -> String {
        format!("Games({:?}, n={})", self.facts.entry.id, self.count)
    }
}
