//! `solve`: exact values of positions, or what could be proven of them.
//!
//! Solved games are looked up in their oracle; in the others [`Prover`] proves the value, guided by
//! the evaluation. Checkpoint files and progress output are left to a [`SolveObserver`].

use std::io::{self, BufRead, Write};
use std::time::Duration;

use super::EngineError;
use super::error::parse_fen;
use super::registry::{GameEntry, GameVisitor, RegisteredGame};
use super::settings::{EngineEvaluator, Settings};
use crate::analysis::GameAnalysis;
use crate::rules::{ExactValue, Game, Record, Value};
use crate::search::{EvalGuide, SearchControl, SearchEstimator};
use crate::solve::{
    CertificateError, CertificateSize, CheckpointEntries, CheckpointError, GoalProgress, Guide,
    Oracle, OutOfMemory, ProofNode, Prover, ValueBounds, Verification, Verifier, rank_moves,
};

/// The result of solving a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution {
    /// The position as FEN.
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
    /// The result of the verification, if there was one.
    pub verification: Option<Verification<String>>,
    /// The time the verification took.
    pub verification_time: Duration,
}

/// The progress of a proof.
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

/// Options of a solver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SolverOptions {
    /// Total memory in MiB.
    pub mebibytes: usize,
    /// The number of threads.
    pub threads: usize,
    /// Whether to verify proofs.
    pub verify: bool,
    /// Whether to write certificates.
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

    /// The size in bytes of the prover's table.
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

    /// The total memory, in MiB, that leaves `table` MiB for the prover's table.
    fn total_for_table(&self, table: usize) -> usize {
        let share = CACHE_DIVISOR - self.cache_count();
        self.overhead() + (table * CACHE_DIVISOR).div_ceil(share)
    }
}

/// Writes a checkpoint of the current proof.
pub type SaveCheckpoint<'a> = &'a dyn Fn(&mut dyn Write) -> io::Result<()>;

/// Receives progress reports while a position is solved.
pub trait SolveObserver {
    /// The proof was resumed from a checkpoint.
    fn resumed(&mut self, _entries: CheckpointEntries) {}

    /// Called about once a second, not before the first second is over.
    fn progress(&mut self, progress: &SolveProgress);

    /// Called about once a second during the verification, with the positions visited and the time
    /// used.
    fn verifying(&mut self, positions: u64, time: Duration);

    /// Called several times a second and at the end, to save a checkpoint if one is due. A failure
    /// to save does not affect the proof.
    fn save(&mut self, is_end: bool, save: SaveCheckpoint<'_>);
}

/// Why a position could not be solved.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// The position is invalid.
    #[error(transparent)]
    Position(#[from] EngineError),
    /// The checkpoint cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The memory could not be allocated.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
}

/// Solves positions of one game.
pub trait Solver {
    /// Solves a position, until its value is proven, `time` is over or `control` stops the work;
    /// resumes from a checkpoint if there is one.
    ///
    /// # Errors
    /// Fails if the FEN is not a position of the game, or if the checkpoint cannot be used.
    fn solve(
        &mut self,
        fen: &str,
        time: Option<Duration>,
        checkpoint: Option<&mut dyn BufRead>,
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
    /// Each is estimated by the evaluation, or by a search of `nodes` nodes.
    ///
    /// # Errors
    /// Fails if the FEN is not a position of the game.
    fn expand(&self, fen: &str, nodes: Option<u64>) -> Result<ExpandedNode, EngineError>;
}

/// A node of a proof tree with its children and the moves that lead to them.
pub type ExpandedNode = (ProofNode<String>, Vec<(String, ProofNode<String>)>);

/// How the values of a game are found.
enum SolverBackend<G: Game, O, E> {
    /// By lookup, in a solved game.
    Oracle(O),
    /// By proof, with an optional verification.
    Prover {
        prover: Box<Prover<G, EvalGuide<E>>>,
        verifier: Option<Verifier<G>>,
        options: SolverOptions,
        prove_known: ProveKnown<G, E>,
    },
}

/// See [`GameAnalysis::prove_known`].
type ProveKnown<G, E> = fn(&mut Prover<G, EvalGuide<E>>, &G, &mut dyn FnMut() -> bool);

/// The solver of any game, given its oracle and its evaluation.
pub(crate) struct GameSolver<G: Game, O, E>(SolverBackend<G, O, E>);

/// Creates a solver for positions of a game.
///
/// # Errors
/// Fails if its memory cannot be allocated.
pub fn solver(entry: &GameEntry, options: SolverOptions) -> Result<Box<dyn Solver>, OutOfMemory> {
    entry.visit(options)
}

impl GameVisitor for SolverOptions {
    type Output = Result<Box<dyn Solver>, OutOfMemory>;

    fn visit<R: RegisteredGame>(self) -> Self::Output {
        Ok(Box::new(GameSolver::<R::Game, R::Oracle, R::Evaluation>::new::<R::Analysis>(self)?))
    }
}

impl<G: Game, O: Oracle<G>, E: EngineEvaluator<G>> GameSolver<G, O, E> {
    pub(crate) fn new<A: GameAnalysis<G>>(options: SolverOptions) -> Result<Self, OutOfMemory> {
        if O::IS_SOLVED {
            return Ok(Self(SolverBackend::Oracle(O::default())));
        }
        let SolverOptions { mebibytes, threads, verify, .. } = options;
        let guide = EvalGuide(E::from_settings(&Settings::default())?);
        let prover =
            Prover::new(guide, options.table_size()).map_err(|_| OutOfMemory { mebibytes })?;
        let prover = Box::new(prover.with_threads(threads));
        let verifier = verify.then(|| Verifier::new(options.cache_size()));
        let prove_known = A::prove_known::<EvalGuide<E>>;
        Ok(Self(SolverBackend::Prover { prover, verifier, options, prove_known }))
    }

    /// The prover with its results; `None` if an oracle solves the game.
    pub(crate) fn into_prover(self) -> Option<Prover<G, EvalGuide<E>>> {
        match self.0 {
            SolverBackend::Oracle(_) => None,
            SolverBackend::Prover { prover, .. } => Some(*prover),
        }
    }
}

impl<G: Game, O: Oracle<G>, E: EngineEvaluator<G>> Solver for GameSolver<G, O, E> {
    fn solve(
        &mut self,
        fen: &str,
        time: Option<Duration>,
        checkpoint: Option<&mut dyn BufRead>,
        control: &SearchControl,
        observer: &mut dyn SolveObserver,
    ) -> Result<Solution, SolveError> {
        let pos: G = parse_fen(fen)?;
        let finished = pos.outcome().map(|outcome| ExactValue::from_outcome(outcome, pos.side()));
        let mut solution = Solution {
            fen: pos.to_string(),
            bounds: ValueBounds::OPEN,
            plies: None,
            best: None,
            nodes: 0,
            time: Duration::ZERO,
            verification: None,
            verification_time: Duration::ZERO,
        };
        match &mut self.0 {
            _ if let Some(exact) = finished => solution.set_value(exact),
            SolverBackend::Oracle(oracle) => {
                solution.set_value(oracle.exact(&pos));
                let ranked = rank_moves(oracle, &Record::new(pos));
                solution.best = ranked.first().map(|best| best.mv.to_string());
                solution.nodes = oracle.position_count() as u64;
            }
            SolverBackend::Prover { prover, verifier, options, prove_known } => {
                prover.age();
                if let Some(checkpoint) = checkpoint {
                    let entries =
                        prover.restore(&pos, checkpoint).map_err(|error| match error {
                            CheckpointError::TooLarge { entries, mebibytes } => {
                                let mebibytes = options.total_for_table(mebibytes);
                                CheckpointError::TooLarge { entries, mebibytes }
                            }
                            error => error,
                        })?;
                    observer.resumed(entries);
                }
                let nodes_before = prover.nodes();
                if prover.bounds(&pos).value().is_none() {
                    let is_over = || time.is_some_and(|time| control.has_elapsed(time));
                    prove_known(prover, &pos, &mut || control.is_stopped() || is_over());
                }
                let mut run = ProofRun {
                    prover,
                    pos,
                    time,
                    control,
                    observer,
                    nodes_before,
                    reported_seconds: 0,
                };
                run.prove(&mut solution, options.target);
                if let Some(verifier) = verifier
                    && solution.bounds != ValueBounds::OPEN
                {
                    run.verify(&mut solution, verifier);
                }
            }
        }
        if solution.time.is_zero() {
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
        let SolverBackend::Prover { prover, options, .. } = &mut self.0 else {
            return Ok(CertificateSize::default());
        };
        let wrong = |_| CertificateError::WrongProof(solution.fen.clone());
        let pos: G = solution.fen.parse().map_err(wrong)?;
        prover.write_certificate(&pos, solution.bounds, options.cache_size(), output, watch)
    }

    fn expand(&self, fen: &str, nodes: Option<u64>) -> Result<ExpandedNode, EngineError> {
        let evaluator = E::from_settings(&Settings::default())?;
        let mut searcher = match nodes {
            Some(nodes) => Some(SearchEstimator::new(evaluator.clone(), nodes)?),
            None => None,
        };
        let mut guide = EvalGuide(evaluator);
        let mut odds = |pos: &G| match &mut searcher {
            Some(searcher) => searcher.odds(pos),
            None => {
                guide.reset(pos);
                [Value::Win, Value::Draw].map(|target| guide.odds(pos, target))
            }
        };
        let node = ProofNode::new(&parse_fen::<G>(fen)?, &mut odds);
        let children = node.children(&mut odds).into_iter();
        let children = children.map(|(mv, child)| (mv.to_string(), child.with_fen())).collect();
        Ok((node.with_fen(), children))
    }
}

impl Solution {
    fn set_value(&mut self, exact: ExactValue) {
        self.bounds = ValueBounds::exactly(exact.value());
        self.plies = exact.plies();
    }
}

/// Nodes per thread between two progress reports, a fraction of a second.
const SLICE_NODES: u64 = 500_000;

/// The proof of one position.
struct ProofRun<'a, G: Game, E> {
    prover: &'a mut Prover<G, EvalGuide<E>>,
    pos: G,
    time: Option<Duration>,
    control: &'a SearchControl,
    observer: &'a mut dyn SolveObserver,
    /// The prover's nodes before this position.
    nodes_before: u64,
    /// The time of the last progress report.
    reported_seconds: u64,
}

impl<G: Game, E: EngineEvaluator<G>> ProofRun<'_, G, E> {
    fn prove(&mut self, solution: &mut Solution, target: Option<Value>) {
        let (nodes_before, time, control) = (self.nodes_before, self.time, self.control);
        let mut stop =
            || control.is_stopped() || time.is_some_and(|time| control.has_elapsed(time));
        let slice = SLICE_NODES * self.prover.threads() as u64;
        while !solution.bounds.is_settled(target) && !stop() {
            solution.bounds =
                self.prover.narrow_bounds(&self.pos, solution.bounds, target, slice, &mut stop);
            solution.nodes = self.prover.nodes() - nodes_before;
            self.report_progress(solution);
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
        let time = self.control.elapsed();
        if time.as_secs() <= self.reported_seconds {
            return;
        }
        self.reported_seconds = time.as_secs();
        let moves = self.pos.legal_moves().into_iter();
        let is_solved = |mv: &G::Move| self.prover.bounds(&self.pos.after(*mv)).value().is_some();
        self.observer.progress(&SolveProgress {
            bounds: solution.bounds,
            solved_moves: moves.filter(is_solved).count(),
            moves: self.pos.move_count(),
            nodes: solution.nodes,
            question: self.prover.goal_progress(&self.pos),
            table_full: self.prover.fullness(),
            time,
        });
    }

    fn save(&mut self, is_end: bool) {
        let (prover, pos) = (&*self.prover, &self.pos);
        self.observer.save(is_end, &|output| prover.save(pos, output));
    }

    fn verify(&mut self, solution: &mut Solution, verifier: &mut Verifier<G>) {
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
