//! [`Games`]: many games at once, for training.

use std::sync::{Mutex, PoisonError};

use numpy::{
    Element, IntoPyArray, PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use zermelo::rules::random::mix64;
use zermelo::rules::{Game, Move, Record, SplitMix};
use zermelo::search::SearchControl;
use zermelo::solve::Oracle;
use zermelo::thinking::registry::{GameVisitor, RegisteredGame};

use crate::board::{Board, GameFacts};
use crate::played::{Played, plane_shape};
use crate::running::{place, refuse, run};
use crate::truth::{Truth, Values, as_number, check_plies};

/// Where the state of all games is written.
struct Arrays<'a> {
    /// A row for each game, 1 for each legal action.
    legal: &'a mut [u8],
    planes: Option<&'a mut [f32]>,
    turns: &'a mut [i8],
    /// The results of the games that ended, for the players who moved.
    rewards: &'a mut [f32],
    dones: &'a mut [bool],
}

/// Many games of one type.
trait Batch: Send {
    /// Says which action is illegal and why.
    fn check(&self, actions: &[i64]) -> Result<(), String>;
    /// Plays an action in each game. All are legal.
    fn step(&mut self, actions: &[i64], arrays: &mut Arrays<'_>);
    /// Starts the chosen games again.
    fn reset(&mut self, chosen: &mut dyn FnMut(usize) -> bool, arrays: &mut Arrays<'_>);
    fn random_actions(&mut self) -> Vec<i64>;
    fn game(&self, index: usize) -> Box<dyn Played>;
    fn set_game(&mut self, index: usize, game: &dyn Played, arrays: &mut Arrays<'_>) -> bool;
    /// The planes of the positions after all legal moves of all games, and the results of those that end it.
    fn afterstates(&self) -> (Vec<f32>, Vec<f32>);
    fn copy(&self) -> Box<dyn Batch>;
    /// Writes the state of all games.
    fn show_all(&self, arrays: &mut Arrays<'_>);
    /// The values of the positions with at most `max_plies` plies left.
    fn values(&mut self, max_plies: u32, control: &SearchControl) -> Values;
    /// The values of all actions there, for the player who takes them.
    fn action_values(&mut self, max_plies: u32, control: &SearchControl) -> Values;
}

struct BatchOf<G: Game, O> {
    records: Vec<Record<G>>,
    random: SplitMix,
    opening_plies: usize,
    auto_reset: bool,
    truth: Truth<G, O>,
}

/// The move of an action.
fn move_of<G: Game>(action: i64) -> Option<G::Move> {
    usize::try_from(action).ok().and_then(G::Move::from_action)
}

impl<G: Game, O: Oracle<G>> BatchOf<G, O> {
    /// A game after its random opening, which is shorter if the next move would end the game.
    fn start(&mut self) -> Record<G> {
        let mut record = Record::new(G::random_start(&mut self.random));
        for _ in 0..self.opening_plies {
            let _ = record.push(record.position().random_move(&mut self.random));
            if record.outcome().is_some() {
                record.pop();
                break;
            }
        }
        record
    }

    fn show(&self, index: usize, arrays: &mut Arrays<'_>) {
        let (record, count) = (&self.records[index], G::ACTIONS);
        let row = &mut arrays.legal[index * count..(index + 1) * count];
        row.fill(0);
        if record.outcome().is_none() {
            for mv in record.position().legal_moves() {
                row[mv.action()] = 1;
            }
        }
        arrays.turns[index] = record.position().side().index() as i8;
        if let Some(planes) = &mut arrays.planes {
            let size = planes.len() / self.records.len();
            record.position().write_planes(&mut planes[index * size..(index + 1) * size]);
        }
    }
}

impl<G: Game, O: Oracle<G>> Batch for BatchOf<G, O> {
    fn check(&self, actions: &[i64]) -> Result<(), String> {
        for (index, (record, action)) in self.records.iter().zip(actions).enumerate() {
            if record.outcome().is_some() {
                continue;
            }
            let pos = record.position();
            let Some(mv) = move_of::<G>(*action) else {
                let count = G::ACTIONS;
                return Err(format!(
                    "game {index}: {action} is not an action, expected a legal one below {count}"
                ));
            };
            if !pos.is_legal(mv) {
                let refused = record.illegal(&mv.to_string());
                return Err(format!("game {index}, action {action}: {refused}"));
            }
        }
        Ok(())
    }

    fn step(&mut self, actions: &[i64], arrays: &mut Arrays<'_>) {
        for (index, action) in actions.iter().enumerate() {
            arrays.rewards[index] = 0.0;
            let record = &mut self.records[index];
            let mover = record.position().side();
            let is_played = move_of::<G>(*action).is_some_and(|mv| record.push(mv).is_ok());
            let outcome = record.outcome();
            arrays.dones[index] = outcome.is_some();
            if let Some(outcome) = outcome {
                if is_played {
                    arrays.rewards[index] = as_number(outcome.value_for(mover));
                }
                if self.auto_reset {
                    self.records[index] = self.start();
                }
            }
            self.show(index, arrays);
        }
    }

    fn reset(&mut self, chosen: &mut dyn FnMut(usize) -> bool, arrays: &mut Arrays<'_>) {
        for index in 0..self.records.len() {
            if chosen(index) {
                self.records[index] = self.start();
                arrays.rewards[index] = 0.0;
                arrays.dones[index] = false;
                self.show(index, arrays);
            }
        }
    }

    fn random_actions(&mut self) -> Vec<i64> {
        let random = &mut self.random;
        let choose = |record: &Record<G>| match record.outcome() {
            Some(_) => -1,
            None => record.position().random_move(random).action() as i64,
        };
        self.records.iter().map(choose).collect()
    }

    fn game(&self, index: usize) -> Box<dyn Played> {
        Box::new(self.records[index].clone())
    }

    fn set_game(&mut self, index: usize, game: &dyn Played, arrays: &mut Arrays<'_>) -> bool {
        let Some(record) = game.as_any().downcast_ref::<Record<G>>() else { return false };
        self.records[index] = record.clone();
        arrays.rewards[index] = 0.0;
        arrays.dones[index] = record.outcome().is_some();
        self.show(index, arrays);
        true
    }

    fn afterstates(&self) -> (Vec<f32>, Vec<f32>) {
        let size = plane_shape::<G>().iter().product::<usize>() * G::PLANES;
        let (mut planes, mut results) = (Vec::new(), Vec::new());
        for record in &self.records {
            let mut moves = record.legal_moves();
            moves.sort_by_key(|mv| mv.action());
            for mv in moves {
                let mut next = record.clone();
                let _ = next.push(mv);
                let start = planes.len();
                planes.resize(start + size, 0.0);
                next.position().write_planes(&mut planes[start..]);
                let result =
                    next.outcome().map(|outcome| outcome.value_for(record.position().side()));
                results.push(result.map_or(f32::NAN, as_number));
            }
        }
        (planes, results)
    }

    fn show_all(&self, arrays: &mut Arrays<'_>) {
        for (index, record) in self.records.iter().enumerate() {
            arrays.dones[index] = record.outcome().is_some();
            self.show(index, arrays);
        }
    }

    fn copy(&self) -> Box<dyn Batch> {
        Box::new(Self {
            records: self.records.clone(),
            random: self.random.clone(),
            truth: Truth::default(),
            ..*self
        })
    }

    fn values(&mut self, max_plies: u32, control: &SearchControl) -> Values {
        let mut values = vec![f32::NAN; self.records.len()];
        for (index, number) in values.iter_mut().enumerate() {
            *number = self
                .truth
                .value(&self.records[index], max_plies, control)?
                .map_or(f32::NAN, as_number);
        }
        Ok(values)
    }

    fn action_values(&mut self, max_plies: u32, control: &SearchControl) -> Values {
        let mut values = vec![f32::NAN; self.records.len() * G::ACTIONS];
        for (index, row) in values.chunks_exact_mut(G::ACTIONS).enumerate() {
            let record = &self.records[index];
            for mv in record.legal_moves() {
                let mut next = record.clone();
                let _ = next.push(mv);
                // The plies left count from the position before the move.
                let value = self.truth.value(&next, max_plies.saturating_sub(1), control)?;
                row[mv.action()] = value.map_or(f32::NAN, |value| as_number(value.flip()));
            }
        }
        Ok(values)
    }
}

/// Creates a batch.
struct NewBatch {
    count: usize,
    seed: u64,
    opening_plies: usize,
    auto_reset: bool,
}

impl GameVisitor for NewBatch {
    type Output = Box<dyn Batch>;

    fn visit<R: RegisteredGame>(self) -> Self::Output {
        let Self { count, seed, opening_plies, auto_reset } = self;
        let (records, random) =
            (vec![Record::new(R::Game::start()); count], SplitMix::new(mix64(seed)));
        let truth = Truth::default();
        let batch =
            BatchOf::<R::Game, R::Oracle> { records, random, opening_plies, auto_reset, truth };
        Box::new(batch)
    }
}

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
        let batch = facts.entry.visit(NewBatch { count: n, seed, opening_plies, auto_reset });
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
