//! The alpha-beta searcher: sets up its threads (lazy SMP) and keeps tables between searches.
//!
//! All threads search the same tree at different depths and help each other only through the
//! shared transposition table; the main thread decides.
//!
//! `deepening` searches depth by depth, `root` the root moves and `node` everything below, on the
//! state in `worker` and with the margins in `selectivity`. Near the end of the game the main thread
//! alternates with `endgame_proof`.

mod deepening;
mod endgame_proof;
mod node;
mod ordering;
pub(super) mod parameters;
mod root;
mod selectivity;
mod table;
mod window;
mod worker;

use std::sync::LazyLock;
use std::time::Duration;

use self::deepening::IterativeDeepening;
use self::endgame_proof::EndgameProof;
use self::table::TranspositionTable;
use self::worker::{SearchWorker, SharedCount, WorkerConfig};
use super::{EvalHeuristic, Evaluator, SearchControl, SearchReport, SearchTask, Searcher};
use crate::rules::{Game, Value};
use crate::solve::{OutOfMemory, Prover};

/// Principal variation search with iterative deepening and a transposition table.
#[derive(Debug)]
pub struct AlphaBeta<G: Game, E> {
    table: TranspositionTable,
    evaluator: E,
    prover: Prover<G, EvalHeuristic<E>>,
    selective: bool,
    /// The position after the chosen move, if the last search proved a win.
    won: Option<G>,
}

impl<G: Game, E: Evaluator<G>> AlphaBeta<G, E> {
    /// Creates a searcher with this much memory for its tables, a quarter of it for proofs.
    ///
    /// # Errors
    /// Fails if the allocation fails.
    pub fn new(evaluator: E, mebibytes: usize) -> Result<Self, OutOfMemory> {
        let bytes = mebibytes << 20;
        let table =
            TranspositionTable::new(bytes - bytes / 4).map_err(|_| OutOfMemory { mebibytes })?;
        let prover = Prover::new(EvalHeuristic(evaluator.clone()), bytes / 4);
        let prover = prover.map_err(|_| OutOfMemory { mebibytes })?;
        Ok(Self { table, evaluator, prover, selective: true, won: None })
    }

    /// Searches full-width: without pruning, reductions and extensions, so that each depth has the
    /// score of plain negamax.
    #[must_use]
    pub fn full_width(self) -> Self {
        Self { selective: false, ..self }
    }
}

impl<G: Game, E: Evaluator<G>> Searcher<G> for AlphaBeta<G, E> {
    fn search(
        &mut self,
        task: &SearchTask<G>,
        control: &SearchControl,
        progress: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> SearchReport<G::Move> {
        self.table.age();
        // A mate search is exact: it searches full-width and must not use the results of selective
        // searches.
        let is_mate_search = task.limits.win_within.is_some();
        if is_mate_search {
            self.table.clear();
        }
        let pos = task.position();
        let leads_here = |won: G| won.legal_moves().into_iter().any(|mv| won.after(mv) == *pos);
        let win_claimed = self.won.take().is_some_and(leads_here);
        let Self { table, evaluator, prover, selective, won } = self;
        let (table, total_nodes) = (&*table, SharedCount::new(0));
        let worker = |is_main: bool| {
            let config = WorkerConfig { is_main, selective: *selective && !is_mate_search };
            SearchWorker::new(task, table, control, &total_nodes, evaluator.clone(), config)
        };
        let threads = task.threads.clamp(1, max_threads(task.limits.budget.hard));
        let proof = EndgameProof::new(task, prover, control, &total_nodes, threads, win_claimed)
            .filter(|_| *selective);
        let mut main = IterativeDeepening::new(task, worker(true));
        // The first depth is finished before helpers compete for cores, so that there is a move
        // even without any time.
        let report = main.search_first_depth();
        std::thread::scope(|scope| {
            let builder = std::thread::Builder::new;
            let hard = task.limits.budget.hard.filter(|_| threads > cores());
            if main.should_continue(&report) {
                if let Some(hard) = hard {
                    // If this thread cannot start, the main thread still polls the clock.
                    let _ = builder().spawn_scoped(scope, move || control.stop_at(hard));
                }
                for number in 1..threads {
                    let mut helper = IterativeDeepening::new(task, worker(false));
                    let run = move || helper.run_helper(number);
                    // If the system starts no more threads, the existing ones do the work.
                    if builder().spawn_scoped(scope, run).is_err() {
                        break;
                    }
                }
            }
            let report = main.run_main(report, proof, progress);
            control.finish();
            let is_win = report
                .proven
                .is_some_and(|proven| proven.value() == Value::Win && proven.plies() > Some(1));
            *won = report.best_move().filter(|_| is_win).map(|mv| pos.after(mv));
            report
        })
    }

    fn clear(&mut self) {
        self.table.clear();
        self.prover.clear();
        self.won = None;
    }
}

/// Limits the number of threads: more would only wait for each other at the end, which the time
/// manager does not allow for.
fn max_threads(hard: Option<Duration>) -> usize {
    const MAX_THREADS_PER_CORE: usize = 8;
    /// Searches shorter than this use one thread per core.
    const SHORT_SEARCH: Duration = Duration::from_millis(50);
    /// Searches shorter than this use one thread: on a busy machine helpers would start late, and
    /// the answer would wait for them.
    const TINY_SEARCH: Duration = Duration::from_millis(10);
    match hard {
        Some(hard) if hard < TINY_SEARCH => 1,
        Some(hard) if hard < SHORT_SEARCH => cores(),
        _ => MAX_THREADS_PER_CORE * cores(),
    }
}

/// The number of cores, queried once: on Linux each query reads several files.
fn cores() -> usize {
    static CORES: LazyLock<usize> =
        LazyLock::new(|| std::thread::available_parallelism().map_or(1, usize::from));
    *CORES
}
