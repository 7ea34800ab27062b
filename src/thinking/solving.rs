//! `solve`: exact values of positions, or what could be proven of them.
//!
//! Solved games are looked up in their exact solver; in the others [`Prover`] proves the value, guided by
//! the evaluation. Progress output is left to a [`SolveObserver`].

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

#[cfg(feature = "interface")]
use super::Analyzer;
use super::EngineError;
use super::error::parse_position;
use super::known_game::KnownGame;
use super::settings::{EngineEvaluator, Settings};
use crate::files::{Replacement, open_input};
use crate::rules::{ExactValue, Game, Record, Value};
use crate::search::{EvalHeuristic, SearchControl};
use crate::solve::{
    CertificateError, CertificateSize, CheckpointEntries, CheckpointError, ExactSolver,
    GoalProgress, OutOfMemory, ProofNode, ProofNumberHeuristic, Prover, ValueBounds, Verification,
    Verifier, rank_moves,
};

/// The result of solving a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution {
    pub fen: String,
    /// Proven bounds of the value for the side to move.
    pub bounds: ValueBounds,
    /// Plies to the end of the game, if known.
    pub plies: Option<u16>,
    /// A move that keeps the value.
    pub best: Option<String>,
    /// The number of positions visited.
    pub nodes: u64,
    /// The time used, without the verification.
    pub time: Duration,
    pub verification: Option<Verification<String>>,
    pub verification_time: Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SolveProgress {
    /// Proven bounds of the value for the side to move.
    pub bounds: ValueBounds,
    /// The number of legal moves whose value is proven, …
    pub solved_moves: usize,
    /// … of this many.
    pub moves: usize,
    /// The number of positions visited.
    pub nodes: u64,
    /// The question that is being settled.
    pub question: Option<GoalProgress>,
    /// The fill level of the table in permille.
    pub table_full: u16,
    /// The time used so far.
    pub time: Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SolverOptions {
    /// Total memory in MiB.
    pub mebibytes: usize,
    pub threads: usize,
    pub verify: bool,
    pub certificate: bool,
    /// Proves only whether the side to move reaches this, a win or a draw; `None` proves the value.
    pub target: Option<Value>,
}

/// Memory for the program and the network's weights, in MiB.
const OVERHEAD: usize = 40;
/// Memory for each thread, in MiB.
const THREAD_OVERHEAD: usize = 1;
/// Memory for the smallest table worth starting with, in MiB.
const MIN_TABLES: usize = 16;
/// The fraction (1/4) of the memory for tables that the verifier and the certificate get each.
const CACHE_DIVISOR: usize = 4;

impl SolverOptions {
    /// The least memory that these threads can work in, in MiB.
    #[must_use]
    pub fn min_mebibytes(&self) -> usize {
        self.overhead() + MIN_TABLES
    }

    /// The memory that the program needs beside its tables, in MiB.
    fn overhead(&self) -> usize {
        OVERHEAD + THREAD_OVERHEAD * self.threads
    }

    fn table_size(&self) -> usize {
        self.tables_size() - self.cache_count() * self.cache_size()
    }

    /// The size in bytes of what the verifier or the certificate needs.
    fn cache_size(&self) -> usize {
        self.tables_size() / CACHE_DIVISOR
    }

    fn cache_count(&self) -> usize {
        usize::from(self.verify) + usize::from(self.certificate)
    }

    fn tables_size(&self) -> usize {
        self.mebibytes.saturating_sub(self.overhead()).max(1) << 20
    }

    /// Adds to the memory that a checkpoint asks for what the program needs beside the table.
    fn in_total(&self, error: CheckpointError) -> CheckpointError {
        match error {
            CheckpointError::TooLarge { entries, mebibytes } => {
                let mebibytes = self.total_for_table(mebibytes);
                CheckpointError::TooLarge { entries, mebibytes }
            }
            error => error,
        }
    }

    /// The total memory, in MiB, that leaves `table` MiB for the prover's table.
    fn total_for_table(&self, table: usize) -> usize {
        let share = CACHE_DIVISOR - self.cache_count();
        self.overhead() + (table * CACHE_DIVISOR).div_ceil(share)
    }
}

/// The file that a proof is saved to and resumed from.
#[derive(Debug)]
pub struct Checkpoint {
    path: PathBuf,
    interval: Duration,
    last_save: Instant,
}

impl Checkpoint {
    /// A checkpoint that is saved at these intervals and at the end of the work.
    #[must_use]
    pub fn new(path: PathBuf, interval: Duration) -> Self {
        Self { path, interval, last_save: Instant::now() }
    }

    /// Opens the file; `None` if there is none yet.
    fn open(&self) -> io::Result<Option<BufReader<File>>> {
        match open_input(&self.path) {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Writes a proof to the file, which is replaced once it is complete.
    fn write<G: Game, H>(&mut self, prover: &Prover<G, H>, pos: &G) -> io::Result<()> {
        let start = Instant::now();
        let write = || {
            let replacement = Replacement::create(&self.path)?;
            let mut output = BufWriter::new(replacement.file());
            prover.save(pos, &mut output)?;
            output.flush()?;
            drop(output);
            replacement.commit()
        };
        let result = write();
        // Saving takes at most a tenth of the time.
        self.interval = self.interval.max(9 * start.elapsed());
        self.last_save = Instant::now();
        result
    }
}

/// Receives progress reports while a position is solved.
pub trait SolveObserver {
    /// The proof was resumed from a checkpoint.
    fn resumed(&mut self, _entries: CheckpointEntries) {}

    /// Called about once a second, not before the first second is over.
    fn progress(&mut self, _progress: &SolveProgress) {}

    /// Called about once a second during the verification, with the positions visited and the time
    /// used.
    fn verifying(&mut self, _positions: u64, _time: Duration) {}

    /// The checkpoint was saved. A failure does not affect the proof.
    fn saved(&mut self, _result: io::Result<()>) {}
}

/// Ignores the progress.
impl SolveObserver for () {}

/// Why a position could not be solved.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    #[error(transparent)]
    Position(#[from] EngineError),
    /// The checkpoint cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The memory could not be allocated.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
}

/// A node of a proof tree with its children and the moves that lead to them.
pub type ExpandedNode = (ProofNode<String>, Vec<(String, ProofNode<String>)>);

/// Solves positions of one game: by lookup if it is solved, otherwise by proof.
pub trait GameSolver: Send {
    /// Solves a position, until its value is proven, `time` is over or `control` stops the work. With
    /// a checkpoint the proof is resumed from it and saved to it.
    ///
    /// # Errors
    /// Fails if the FEN is not a position of the game, or if the checkpoint cannot be used.
    fn solve(
        &mut self,
        fen: &str,
        time: Option<Duration>,
        checkpoint: Option<&mut Checkpoint>,
        control: &SearchControl,
        observer: &mut dyn SolveObserver,
    ) -> Result<Solution, SolveError>;

    /// Writes a certificate of what a solution has proven. `watch` is called regularly with the number
    /// of answers written and returns whether to stop. In a solved game nothing is written.
    ///
    /// # Errors
    /// Fails if the proof is wrong, the work is stopped or the output cannot be written.
    fn write_certificate(
        &mut self,
        solution: &Solution,
        output: &mut dyn Write,
        watch: &mut dyn FnMut(u64) -> bool,
    ) -> Result<CertificateSize, CertificateError>;

    /// Returns a position and its children, with the moves that lead to them, as nodes of a proof tree.
    ///
    /// # Errors
    /// Fails if the FEN is not a position of the game.
    fn expand(&self, fen: &str) -> Result<ExpandedNode, EngineError>;
}

/// A [`GameSolver`] of a game whose type is known.
pub(super) struct TypedSolver<R: KnownGame> {
    exact_solver: R::ExactSolver,
    options: SolverOptions,
    /// `None` in a solved game.
    prover: Option<Box<GameProver<R>>>,
    verifier: Option<Verifier<R::Game>>,
}

type GameProver<R> = Prover<<R as KnownGame>::Game, EvalHeuristic<<R as KnownGame>::Evaluation>>;

impl<R: KnownGame> TypedSolver<R> {
    /// Creates a solver.
    ///
    /// # Errors
    /// Fails if its memory cannot be allocated.
    pub(super) fn new(options: SolverOptions) -> Result<Self, OutOfMemory> {
        let SolverOptions { mebibytes, threads, verify, .. } = options;
        let mut prover = None;
        if !R::ExactSolver::IS_SOLVED {
            let heuristic = EvalHeuristic(R::Evaluation::from_settings(&Settings::default())?);
            let table = Prover::new(heuristic, options.table_size());
            let table = table.map_err(|_| OutOfMemory { mebibytes })?;
            prover = Some(Box::new(table.with_threads(threads)));
        }
        let is_verified = verify && prover.is_some();
        let verifier = is_verified.then(|| Verifier::new(options.cache_size()));
        Ok(Self { exact_solver: R::ExactSolver::default(), options, prover, verifier })
    }

    /// The analyzer that continues with the results so far.
    #[cfg(feature = "interface")]
    pub(super) fn into_analyzer(self) -> Analyzer<R::Game, R::ExactSolver, R::Evaluation> {
        Analyzer::new(self.exact_solver, Settings::default(), self.prover.map(|prover| *prover))
    }
}

impl<R: KnownGame> GameSolver for TypedSolver<R> {
    fn solve(
        &mut self,
        fen: &str,
        time: Option<Duration>,
        checkpoint: Option<&mut Checkpoint>,
        control: &SearchControl,
        observer: &mut dyn SolveObserver,
    ) -> Result<Solution, SolveError> {
        let pos: R::Game = parse_position(fen)?;
        let mut solution = Solution::open(&pos);
        if let Some(outcome) = pos.outcome() {
            solution.set_value(ExactValue::from_outcome(outcome, pos.side()));
            solution.time = control.elapsed();
        } else if let Some(prover) = &mut self.prover {
            prover.age();
            let mut run = ProofRun::<R> { prover, pos, time, checkpoint, control, observer };
            run.resume(&self.options)?;
            run.prove(&mut solution, self.options.target);
            if let Some(verifier) = &mut self.verifier
                && solution.bounds != ValueBounds::OPEN
            {
                run.verify(&mut solution, verifier);
            }
        } else {
            solution.set_value(self.exact_solver.exact(&pos));
            let ranked = rank_moves(&mut self.exact_solver, &Record::new(pos));
            solution.best = ranked.first().map(|(mv, _)| mv.to_string());
            solution.nodes = self.exact_solver.position_count() as u64;
            solution.time = control.elapsed();
        }
        Ok(solution)
    }

    fn write_certificate(
        &mut self,
        solution: &Solution,
        output: &mut dyn Write,
        watch: &mut dyn FnMut(u64) -> bool,
    ) -> Result<CertificateSize, CertificateError> {
        let Some(prover) = &mut self.prover else { return Ok(CertificateSize::default()) };
        let wrong = |_| CertificateError::WrongProof(solution.fen.clone());
        let pos: R::Game = solution.fen.parse().map_err(wrong)?;
        let (bounds, bytes) = (solution.bounds, self.options.cache_size());
        prover.write_certificate(&pos, bounds, bytes, output, watch)
    }

    fn expand(&self, fen: &str) -> Result<ExpandedNode, EngineError> {
        let mut heuristic = EvalHeuristic(R::Evaluation::from_settings(&Settings::default())?);
        let mut odds = |pos: &R::Game| {
            heuristic.reset(pos);
            [Value::Win, Value::Draw].map(|target| heuristic.odds(pos, target))
        };
        let node = ProofNode::new(&parse_position::<R::Game>(fen)?, &mut odds);
        let children = node.children(&mut odds).into_iter();
        let children = children.map(|(mv, child)| (mv.to_string(), child.with_fen())).collect();
        Ok((node.with_fen(), children))
    }
}

impl Solution {
    /// Nothing is known of the position yet.
    fn open<G: Game>(pos: &G) -> Self {
        Self {
            fen: pos.to_string(),
            bounds: ValueBounds::OPEN,
            plies: None,
            best: None,
            nodes: 0,
            time: Duration::ZERO,
            verification: None,
            verification_time: Duration::ZERO,
        }
    }

    fn set_value(&mut self, exact: ExactValue) {
        self.bounds = ValueBounds::exactly(exact.value());
        self.plies = exact.plies();
    }
}

/// Nodes per thread between two progress reports, a fraction of a second.
const SLICE_NODES: u64 = 500_000;

struct ProofRun<'a, R: KnownGame> {
    prover: &'a mut GameProver<R>,
    pos: R::Game,
    time: Option<Duration>,
    checkpoint: Option<&'a mut Checkpoint>,
    control: &'a SearchControl,
    observer: &'a mut dyn SolveObserver,
}

impl<R: KnownGame> ProofRun<'_, R> {
    /// Takes the proofs from the checkpoint, if there are any yet.
    fn resume(&mut self, options: &SolverOptions) -> Result<(), CheckpointError> {
        let saved = self.checkpoint.as_deref().map(Checkpoint::open).transpose()?;
        if let Some(mut saved) = saved.flatten() {
            let entries = self.prover.restore(&self.pos, &mut saved);
            self.observer.resumed(entries.map_err(|error| options.in_total(error))?);
        }
        Ok(())
    }

    fn prove(&mut self, solution: &mut Solution, target: Option<Value>) {
        let (nodes_before, time, control) = (self.prover.nodes(), self.time, self.control);
        let mut reported_seconds = 0;
        let mut stop =
            || control.is_stopped() || time.is_some_and(|time| control.has_elapsed(time));
        if self.prover.bounds(&self.pos).value().is_none() {
            R::ExactSolver::prove_known(self.prover, &self.pos, &mut stop);
        }
        let slice = SLICE_NODES * self.prover.threads() as u64;
        while !solution.bounds.is_settled(target) && !stop() {
            solution.bounds =
                self.prover.narrow_bounds(&self.pos, solution.bounds, target, slice, &mut stop);
            solution.nodes = self.prover.nodes() - nodes_before;
            let seconds = control.elapsed().as_secs();
            if seconds > reported_seconds {
                reported_seconds = seconds;
                self.report_progress(solution);
            }
            self.save(false);
        }
        let kept = solution.bounds.value().or(target).filter(|kept| solution.bounds.lower >= *kept);
        if let Some(kept) = kept {
            let best = self.prover.find_move_reaching(&self.pos, kept, u64::MAX, &mut stop);
            solution.best = best.map(|mv| mv.to_string());
        }
        solution.nodes = self.prover.nodes() - nodes_before;
        solution.time = control.elapsed();
        self.save(true);
    }

    fn report_progress(&mut self, solution: &Solution) {
        let children = self.pos.legal_moves().into_iter().map(|mv| self.pos.after(mv));
        let is_solved = |child: &R::Game| self.prover.bounds(child).value().is_some();
        self.observer.progress(&SolveProgress {
            bounds: solution.bounds,
            solved_moves: children.filter(is_solved).count(),
            moves: self.pos.move_count(),
            nodes: solution.nodes,
            question: self.prover.goal_progress(&self.pos),
            table_full: self.prover.fullness(),
            time: self.control.elapsed(),
        });
    }

    /// Saves the proof to the checkpoint if that is due.
    fn save(&mut self, is_end: bool) {
        if let Some(checkpoint) = &mut self.checkpoint
            && (is_end || checkpoint.last_save.elapsed() >= checkpoint.interval)
        {
            self.observer.saved(checkpoint.write(self.prover, &self.pos));
        }
    }

    fn verify(&mut self, solution: &mut Solution, verifier: &mut Verifier<R::Game>) {
        let (control, start, mut reported_seconds) = (self.control, solution.time, 0);
        let mut watch = |positions| {
            let time = control.elapsed() - start;
            if time.as_secs() > reported_seconds {
                reported_seconds = time.as_secs();
                self.observer.verifying(positions, time);
            }
            control.is_stopped()
        };
        let verification = verifier.verify(self.prover, &self.pos, solution.bounds, &mut watch);
        solution.verification = Some(verification.with_fen());
        solution.verification_time = control.elapsed() - start;
    }
}
