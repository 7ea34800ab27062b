//! [`Engine`]: plays and analyses.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use pyo3::exceptions::{PyRuntimeError, PyStopIteration};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use zermelo::search::{Limits, SearchControl, TimeBudget};
use zermelo::thinking::registry::find;
use zermelo::thinking::{
    AnyGame, EngineError, Report, SEARCHERS, SearchRequest, SearcherChoice, Settings,
};

use crate::board::Board;
use crate::results::{self, Created};
use crate::running::{
    SIGNAL_INTERVAL, maybe_within, read_seed, read_threads, refuse, run, seconds, within,
};

/// The time of a move or an analysis without a limit.
const DEFAULT_SECONDS: f64 = 0.1;

/// The nodes that the strongest level searches in matches for a rating, and the limit of the others there.
pub(crate) const RATED_NODES: u64 = 64 << 12;

/// The level of an engine.
pub(crate) fn read_level(level: i128) -> PyResult<u32> {
    within("level", level, 0..=i128::from(SearchRequest::<String>::MAX_SKILL))
}

/// Plays and analyses; what it finds is kept for later requests about the same game.
#[pyclass(module = "zermelo", frozen)]
pub(crate) struct Engine {
    level: u32,
    threads: usize,
    hash: usize,
    seed: u64,
    searcher: SearcherChoice,
    /// The games asked about so far, with their tables.
    games: Mutex<HashMap<&'static str, Box<dyn AnyGame>>>,
    /// Whether a live analysis runs.
    is_analysing: Arc<AtomicBool>,
}

impl Engine {
    /// A game at the position of a board, which shares the tables of the engine.
    fn game(&self, board: &Board) -> PyResult<Box<dyn AnyGame>> {
        if board.played.outcome().is_some() {
            return Err(refuse("the game is over: there is no move to play"));
        }
        if self.is_analysing.load(Ordering::Relaxed) {
            return Err(PyRuntimeError::new_err(
                "a live analysis of this engine runs; stop it first, or use another Engine",
            ));
        }
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = games.entry(board.facts.spec.id).or_insert_with(|| {
            let mut game = board.facts.spec.open();
            let mut settings = Settings::default();
            settings.hash = self.hash;
            game.configure(&settings);
            game
        });
        let mut game = kept.share();
        drop(games);
        board.set_up(game.as_mut())?;
        Ok(game)
    }

    fn request(
        &self,
        time: Option<f64>,
        nodes: Option<i128>,
        depth: Option<i128>,
    ) -> PyResult<SearchRequest> {
        let nodes = maybe_within("nodes", nodes, 1..)?;
        let depth = maybe_within("depth", depth, 1..)?;
        let time = time.map(|time| seconds("time", time)).transpose()?;
        let budget = time.map_or_else(TimeBudget::default, TimeBudget::fixed);
        let request = SearchRequest::at_level(self.level, self.seed, Duration::ZERO);
        let limits = Limits { nodes, depth, budget, ..Limits::default() };
        Ok(SearchRequest { limits, threads: self.threads, searcher: self.searcher, ..request })
    }

    /// A request with a time of its own if there is no limit.
    fn limited_request(
        &self,
        time: Option<f64>,
        nodes: Option<i128>,
        depth: Option<i128>,
    ) -> PyResult<SearchRequest> {
        let is_open = (time, nodes, depth) == (None, None, None);
        self.request(if is_open { Some(DEFAULT_SECONDS) } else { time }, nodes, depth)
    }

    fn search(&self, py: Python<'_>, board: &Board, request: &SearchRequest) -> PyResult<Report> {
        let mut game = self.game(board)?;
        let control = SearchControl::default();
        run(py, &control, || game.prepare(request)?.run(&control, &mut |_| {}))?.map_err(refuse)
    }
}

#[pymethods]
impl Engine {
    /// Creates an engine of a level from 0 to 20, the default and full strength, with `hash` MiB for its tables. The seed decides the
    /// mistakes of lower levels: with the same one, a level plays the same move again. The `searcher` is `auto`, `alphabeta`, `mcts`, whose nodes are playouts, or `random`.
    #[new]
    #[pyo3(signature = (level = 20, *, threads = 1, hash = 16, seed = 0, searcher = "auto"))]
    fn new(level: i128, threads: i128, hash: i128, seed: i128, searcher: &str) -> PyResult<Self> {
        let (level, threads, seed) = (read_level(level)?, read_threads(threads)?, read_seed(seed)?);
        let hash = within("hash", hash, 1..=1 << 20)?;
        let known = SEARCHERS.into_iter().find(|(name, _)| *name == searcher);
        let (_, searcher) = known.ok_or_else(|| {
            let names = SEARCHERS.map(|(name, _)| name).join(", ");
            refuse(format_args!("unknown searcher {searcher:?}, expected one of: {names}"))
        })?;
        let games = Mutex::default();
        Ok(Self { level, threads, hash, seed, searcher, games, is_analysing: Arc::default() })
    }

    /// The level.
    #[getter]
    fn level(&self) -> u32 {
        self.level
    }

    /// The Elo of the level in a game, on the scale of `rate`; None in a game without one.
    ///
    /// >>> Engine(level=8).elo()
    /// 1645
    #[pyo3(signature = (game = "tixtax"))]
    fn elo(&self, game: &str) -> PyResult<Option<u32>> {
        let spec = find(game).map_err(refuse)?;
        Ok(spec.level_scale().map(|scale| scale.elo(self.level)))
    }

    /// Chooses a move, by default in 0.1 seconds.
    ///
    /// >>> Engine().play(Board("tictactoe", "xx1/oo1/3 x"))
    /// 'c3'
    #[pyo3(signature = (board, *, time = None, nodes = None, depth = None))]
    fn play(
        &self,
        py: Python<'_>,
        board: PyRef<'_, Board>,
        time: Option<f64>,
        nodes: Option<i128>,
        depth: Option<i128>,
    ) -> PyResult<String> {
        let request = self.limited_request(time, nodes, depth)?;
        let report = self.search(py, &board, &request)?;
        report.best_move().ok_or_else(|| refuse("the search was stopped before it found a move"))
    }

    /// Analyses a position at full strength, by default for 0.1 seconds: `multipv` lines, or only `moves`.
    ///
    /// >>> info = Engine().analyse(Board("tictactoe"), multipv=3)
    /// >>> [line.value for line in info.lines]
    /// ['draw', 'draw', 'draw']
    #[pyo3(signature = (board, *, time = None, nodes = None, depth = None, multipv = 1, moves = None))]
    #[allow(clippy::too_many_arguments, reason = "the signature in Python")]
    fn analyse<'py>(
        &self,
        py: Python<'py>,
        board: PyRef<'_, Board>,
        time: Option<f64>,
        nodes: Option<i128>,
        depth: Option<i128>,
        multipv: i128,
        moves: Option<Vec<String>>,
    ) -> Created<'py> {
        let request = self.limited_request(time, nodes, depth)?;
        if moves.as_ref().is_some_and(Vec::is_empty) {
            return Err(refuse("moves is empty, expected legal moves, or None for all"));
        }
        let (multi_pv, moves) = (within("multipv", multipv, 1..)?, moves.unwrap_or_default());
        let request = SearchRequest { multi_pv, skill_level: None, moves, ..request };
        let report = self.search(py, &board, &request)?;
        results::info(py, &report)
    }

    /// Starts an analysis that reports again and again what it has found, until it ends or is stopped.
    ///
    /// >>> with Engine().analysis(Board(), nodes=20000) as analysis:
    /// ...     for info in analysis:
    /// ...         pass
    /// >>> info.nodes >= 20000
    /// True
    #[pyo3(signature = (board, *, time = None, nodes = None, depth = None, multipv = 1))]
    fn analysis(
        &self,
        board: PyRef<'_, Board>,
        time: Option<f64>,
        nodes: Option<i128>,
        depth: Option<i128>,
        multipv: i128,
    ) -> PyResult<Analysis> {
        let request = self.request(time, nodes, depth)?;
        let multi_pv = within("multipv", multipv, 1..)?;
        let request = SearchRequest { multi_pv, skill_level: None, ..request };
        let mut game = self.game(&board)?;
        let control = Arc::new(SearchControl::default());
        let (sender, reports) = channel();
        let (stop, flag) = (Arc::clone(&control), Arc::clone(&self.is_analysing));
        flag.store(true, Ordering::Relaxed);
        let worker = Builder::new().spawn(move || {
            let mut show = |report: &Report| drop(sender.send(Ok(report.clone())));
            let last = game.prepare(&request).and_then(|search| search.run(&control, &mut show));
            drop(game);
            flag.store(false, Ordering::Relaxed);
            drop(sender.send(last));
        });
        let worker = worker.inspect_err(|_| self.is_analysing.store(false, Ordering::Relaxed))?;
        Ok(Analysis {
            control: stop,
            reports: Mutex::new(reports),
            worker: Mutex::new(Some(worker)),
        })
    }

    /// Forgets what was found so far.
    fn clear(&self) {
        self.games.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn __copy__(&self) -> Self {
        Self {
            games: Mutex::default(),
            is_analysing: Arc::default(),
            level: self.level,
            threads: self.threads,
            hash: self.hash,
            seed: self.seed,
            searcher: self.searcher,
        }
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyDict>) -> Self {
        self.__copy__()
    }

    /// The settings make another engine; what was found stays with this one.
    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((u32,), Bound<'py, PyDict>)> {
        let known = SEARCHERS.into_iter().find(|(_, searcher)| *searcher == self.searcher);
        let settings = PyDict::new(py);
        settings.set_item("threads", self.threads)?;
        settings.set_item("hash", self.hash)?;
        settings.set_item("seed", self.seed)?;
        settings.set_item("searcher", known.map(|(name, _)| name))?;
        Ok(((self.level,), settings))
    }

    fn __repr__(&self) -> String {
        format!("Engine(level={}, threads={}, hash={})", self.level, self.threads, self.hash)
    }
}

/// A live analysis: what the search has found so far, again and again until it ends or is stopped.
#[pyclass(module = "zermelo", frozen)]
pub(crate) struct Analysis {
    control: Arc<SearchControl>,
    reports: Mutex<Receiver<Result<Report, EngineError>>>,
    worker: Mutex<Option<JoinHandle<()>>>,
}

impl Analysis {
    fn next_report(&self, py: Python<'_>) -> PyResult<Option<Report>> {
        loop {
            let waited = py.detach(|| {
                let reports = self.reports.lock().unwrap_or_else(PoisonError::into_inner);
                // Only the newest is worth showing.
                let first = reports.recv_timeout(SIGNAL_INTERVAL)?;
                Ok(reports.try_iter().last().unwrap_or(first))
            });
            match waited {
                Ok(report) => return report.map(Some).map_err(refuse),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {
                    py.check_signals().inspect_err(|_| self.control.stop())?
                }
            }
        }
    }
}

#[pymethods]
impl Analysis {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> Created<'py> {
        let report = self.next_report(py)?.ok_or_else(|| PyStopIteration::new_err(()))?;
        results::info(py, &report)
    }

    /// Stops the search; what it has found last can still be read.
    fn stop(&self, py: Python<'_>) {
        self.control.stop();
        let worker = self.worker.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(worker) = worker {
            let _ = py.detach(|| worker.join());
        }
    }

    fn __enter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __exit__(
        &self,
        py: Python<'_>,
        _kind: &Bound<'_, PyAny>,
        _error: &Bound<'_, PyAny>,
        _trace: &Bound<'_, PyAny>,
    ) {
        self.stop(py);
    }
}

impl Drop for Analysis {
    fn drop(&mut self) {
        self.control.stop();
    }
}
