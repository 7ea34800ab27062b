//! [`Games`]: many games at once, for training.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayDyn, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use zermelo::rules::StartPosition;
use zermelo::search::{Limits, SearchControl};
use zermelo::thinking::batch::{Arrays, Batch, BatchSetup};
use zermelo::thinking::{EngineError, SearchRequest};

use crate::arrays::{read_array, shared_zeros};
use crate::board::{Board, GameFacts};
use crate::engine::{RATED_NODES, read_level};
use crate::running::{
    maybe_within, place, read_plies, read_seed, read_threads, refuse, run, within,
};

/// Many games of one type, stepped together. The arrays are views that each step writes again: copy what you keep. They are aligned to 64 bytes, so
/// that `torch.from_numpy` and `jax.dlpack.from_dlpack` share them. Arrays that you hand in may be of any library that NumPy understands, lists too.
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
    setup: BatchSetup,
    count: usize,
    legal: Py<PyArray2<u8>>,
    planes: Option<Py<PyArrayDyn<f32>>>,
    turns: Py<PyArray1<i8>>,
    rewards: Py<PyArray1<f32>>,
    dones: Py<PyArray1<bool>>,
}

/// The number of games that start in some hundredths of a second.
const STARTED_AT_ONCE: usize = 1 << 12;

/// Planes and results.
type Afterstates<'py> = (Bound<'py, PyArrayDyn<f32>>, Bound<'py, PyArray1<f32>>);

impl Games {
    fn with_batch(
        py: Python<'_>,
        facts: &'static GameFacts,
        batch: Box<dyn Batch>,
        setup: BatchSetup,
        planes: bool,
    ) -> PyResult<Self> {
        let count = setup.count;
        let shape = [&[count], &facts.planes[..]].concat();
        let planes = planes.then(|| shared_zeros(py, &shape)).transpose()?;
        Ok(Self {
            facts,
            batch: Mutex::new(batch),
            setup,
            count,
            legal: shared_zeros(py, &[count, facts.actions.len()])?.unbind(),
            planes: planes.map(Bound::unbind),
            turns: shared_zeros(py, &[count])?.unbind(),
            rewards: shared_zeros(py, &[count])?.unbind(),
            dones: shared_zeros(py, &[count])?.unbind(),
        })
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
            return Err(refuse(
                "the type of an array of the games was changed, which nothing may do",
            ));
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

    /// The games that are chosen, by default all.
    fn read_chosen(&self, chosen: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Vec<bool>>> {
        let read = |chosen| {
            let expected = "an array of bool or integers";
            let chosen = read_array("chosen", chosen, "biu", expected, self.count)?;
            Ok(chosen.readonly().as_slice()?.to_vec())
        };
        chosen.map(read).transpose()
    }

    /// Starts the chosen games again. Many of them with long openings take seconds, so signals are looked at on the way.
    fn start(&mut self, py: Python<'_>, chosen: Option<&[bool]>) -> PyResult<()> {
        for first in (0..self.count).step_by(STARTED_AT_ONCE) {
            let part = first..self.count.min(first + STARTED_AT_ONCE);
            let is_chosen = |index: usize| chosen.is_none_or(|chosen| chosen[index]);
            self.with_arrays(py, |batch, arrays| batch.reset(part, &is_chosen, arrays))?;
            py.check_signals()?;
        }
        Ok(())
    }

    /// Plays an action in each of the chosen games.
    fn play(&mut self, py: Python<'_>, actions: &[i64], chosen: Option<&[bool]>) -> PyResult<()> {
        let is_chosen = |index: usize| chosen.is_none_or(|chosen| chosen[index]);
        self.with_arrays(py, |batch, arrays| {
            let checked = batch.check(actions, &is_chosen);
            checked.map(|()| batch.step(actions, &is_chosen, arrays))
        })?
        .map_err(refuse)
    }

    /// Copies what a step has left in the arrays, which the positions do not tell.
    fn write_results(
        &self,
        py: Python<'_>,
        rewards: &Bound<'_, PyArray1<f32>>,
        dones: &Bound<'_, PyArray1<bool>>,
    ) -> PyResult<()> {
        rewards.copy_to(self.rewards.bind(py))?;
        dones.copy_to(self.dones.bind(py))
    }
}

/// What pickles of games have beside the arguments: the state of the random numbers, start and moves of each game, rewards and dones.
type State<'py> =
    (u64, Vec<(String, String)>, Bound<'py, PyArray1<f32>>, Bound<'py, PyArray1<bool>>);

#[pymethods]
impl Games {
    /// Starts `n` games. With `opening_plies`, each begins with that many random moves; with `auto_reset`, a finished game is
    /// followed by a new one at once; with `planes`, the array of that name is kept up to date.
    #[new]
    #[pyo3(signature = (game = "tixtax", n = 1, *, seed = 0, opening_plies = 0, auto_reset = true, planes = false))]
    fn new(
        py: Python<'_>,
        game: &str,
        n: i128,
        seed: i128,
        opening_plies: i128,
        auto_reset: bool,
        planes: bool,
    ) -> PyResult<Self> {
        let facts = GameFacts::find(py, game)?;
        let setup = BatchSetup {
            count: within("n", n, 1..=1 << 20)?,
            seed: read_seed(seed)?,
            opening_plies: within("opening_plies", opening_plies, 0..=40)?,
            auto_reset,
        };
        let mut games = Self::with_batch(py, facts, facts.spec.batch(setup), setup, planes)?;
        games.start(py, None)?;
        Ok(games)
    }

    /// The id of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.facts.spec.id
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

    /// Plays an action in each game, or in those that are `chosen`; the others stay as they are. Those of finished games are ignored, so −1 will do.
    ///
    /// Raises ValueError if one is illegal; no game is then changed.
    #[pyo3(signature = (actions, chosen = None))]
    fn step(
        &mut self,
        py: Python<'_>,
        actions: &Bound<'_, PyAny>,
        chosen: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let actions = read_array("actions", actions, "iu", "an array of integers", self.count)?;
        let chosen = self.read_chosen(chosen)?;
        self.play(py, actions.readonly().as_slice()?, chosen.as_deref())
    }

    /// The engine plays a move in each game, or in those that are `chosen`; all cores share the games. Returns the actions, −1 where none was played.
    ///
    /// The levels are those of `Engine`; `nodes` limits the search further. Full strength, the default, searches 262,144 nodes, as in `rate`.
    ///
    /// >>> games = Games("tictactoe", n=4, seed=1)
    /// >>> games.play_engine(level=20).shape
    /// (4,)
    #[pyo3(signature = (level = 20, nodes = None, chosen = None, *, threads = None))]
    fn play_engine<'py>(
        &mut self,
        py: Python<'py>,
        level: i128,
        nodes: Option<i128>,
        chosen: Option<&Bound<'_, PyAny>>,
        threads: Option<i128>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let nodes = maybe_within("nodes", nodes, 1..)?.unwrap_or(RATED_NODES);
        let threads = threads.map(read_threads).transpose()?;
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let request = SearchRequest {
            limits: Limits { nodes: Some(nodes), ..Limits::default() },
            threads: threads.unwrap_or_else(cores),
            ..SearchRequest::at_level(read_level(level)?, 0, Duration::ZERO)
        };
        let chosen = self.read_chosen(chosen)?;
        let (control, batch) = (SearchControl::default(), self.batch());
        let actions = run(py, &control, || {
            let is_chosen = |index: usize| chosen.as_ref().is_none_or(|chosen| chosen[index]);
            batch.engine_actions(&request, &is_chosen, &control)
        })?;
        let actions = actions.map_err(refuse)?;
        self.play(py, &actions, chosen.as_deref())?;
        Ok(actions.into_pyarray(py))
    }

    /// A random legal action for each game, −1 for finished ones.
    fn random_actions<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        self.batch().random_actions().into_pyarray(py)
    }

    /// Starts all games again, or those that are `chosen`.
    #[pyo3(signature = (chosen = None))]
    fn reset(&mut self, py: Python<'_>, chosen: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let chosen = self.read_chosen(chosen)?;
        self.start(py, chosen.as_deref())
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
        let (facts, setup) = (self.facts, self.setup);
        let (batch, planes) = (self.batch().copy(), self.planes.is_some());
        let mut copy = Self::with_batch(py, facts, batch, setup, planes)?;
        copy.with_arrays(py, |batch, arrays| batch.show_all(arrays))?;
        copy.write_results(py, self.rewards.bind(py), self.dones.bind(py))?;
        Ok(copy)
    }

    /// The exact values of the positions for the players to move: 1 for a win, 0, −1, and NaN if more than `max_plies` plies may be left
    /// and the game is not solved. A finished game has the value for the player who would be to move.
    #[pyo3(signature = (max_plies = 20))]
    fn values<'py>(
        &mut self,
        py: Python<'py>,
        max_plies: i128,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let max_plies = read_plies("max_plies", max_plies)?;
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
        max_plies: i128,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let max_plies = read_plies("max_plies", max_plies)?;
        let (control, batch) = (SearchControl::default(), self.batch());
        let values =
            run(py, &control, || batch.action_values(max_plies, &control))?.map_err(refuse)?;
        values.into_pyarray(py).reshape([self.count, self.facts.actions.len()])
    }

    fn __len__(&self) -> usize {
        self.count
    }

    /// The boards of the games, as they are when they are reached.
    fn __iter__(this: Bound<'_, Self>) -> GamesIterator {
        GamesIterator { games: this.unbind(), next: 0 }
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
        let (own, other) = (self.facts.spec.id, board.facts.spec.id);
        let is_set = self.with_arrays(py, |batch, arrays| {
            batch.set_game(index, board.played.as_ref(), arrays)
        })?;
        if is_set {
            Ok(())
        } else {
            Err(refuse(format_args!("a board of {other}, expected one of {own}")))
        }
    }

    /// Whether both are as many games of one kind at the same positions.
    fn __eq__(&self, other: &Self) -> bool {
        let lock = |games: &Self| {
            let batch = games.batch.lock().unwrap_or_else(PoisonError::into_inner);
            (0..games.count).map(|index| batch.game(index)).collect::<Vec<_>>()
        };
        self.count == other.count
            && lock(self)
                .iter()
                .zip(lock(other))
                .all(|(own, other)| own.has_same_position(other.as_ref()))
    }

    fn __copy__(&mut self, py: Python<'_>) -> PyResult<Self> {
        self.copy(py)
    }

    fn __deepcopy__(&mut self, py: Python<'_>, _memo: &Bound<'_, PyDict>) -> PyResult<Self> {
        self.copy(py)
    }

    fn __getnewargs_ex__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<((&'static str, usize), Bound<'py, PyDict>)> {
        let settings = PyDict::new(py);
        settings.set_item("seed", self.setup.seed)?;
        settings.set_item("opening_plies", self.setup.opening_plies)?;
        settings.set_item("auto_reset", self.setup.auto_reset)?;
        settings.set_item("planes", self.planes.is_some())?;
        Ok(((self.facts.spec.id, self.count), settings))
    }

    fn __getstate__<'py>(&mut self, py: Python<'py>) -> State<'py> {
        let (rewards, dones) = (self.rewards.bind(py).clone(), self.dones.bind(py).clone());
        let (count, batch) = (self.count, self.batch());
        let game = |index| {
            let game = batch.game(index);
            (game.first_fen(), game.moves().join(" "))
        };
        (batch.random_state(), (0..count).map(game).collect(), rewards, dones)
    }

    fn __setstate__(&mut self, py: Python<'_>, state: State<'_>) -> PyResult<()> {
        let (random_state, games, rewards, dones) = state;
        let mut game = self.facts.spec.open();
        self.with_arrays(py, |batch, arrays| {
            batch.set_random_state(random_state);
            games.iter().enumerate().try_for_each(|(index, (fen, moves))| {
                let moves: Vec<_> = moves.split_whitespace().collect();
                game.set_position(&StartPosition::Fen(fen), &moves)?;
                batch.set_game(index, game.as_ref(), arrays);
                Ok::<_, EngineError>(())
            })
        })?
        .map_err(refuse)?;
        self.write_results(py, &rewards, &dones)
    }

    fn __repr__(&self) -> String {
        format!("Games({:?}, n={})", self.facts.spec.id, self.count)
    }
}

/// The boards of games in turn.
#[pyclass]
struct GamesIterator {
    games: Py<Games>,
    next: usize,
}

#[pymethods]
impl GamesIterator {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Board>> {
        let games = self.games.try_borrow(py)?;
        self.next += 1;
        (self.next <= games.count).then(|| games.__getitem__(self.next as isize - 1)).transpose()
    }
}
