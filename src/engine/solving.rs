//! `solve`: the exact value of one position after the other, or what is known of it.
//!
//! Solved games answer from their oracle, the others by proof; the evaluation guides the proof. What
//! happens to the files, and what is told meanwhile, is an [`SolveObserver`]'s business.

use std::io::{self, BufRead, Write};
use std::time::Duration;

use super::EngineError;
use super::error::parse_fen;
use super::settings::{EngineEvaluator, Settings};
use crate::rules::{ExactValue, Game, Record, Side};
use crate::search::{EvalGuide, OutOfMemory, SearchControl};
use crate::solve::{
    CheckpointError, Oracle, ProofNode, Prover, ValueBounds, Verification, Verifier, rank_moves,
};

/// What is known of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution {
    /// The position, as the game writes it.
    pub fen: String,
    /// What is proven of its value for the mover.
    pub bounds: ValueBounds,
    /// How many plies the game takes from here, where that is known.
    pub plies: Option<u16>,
    /// A move that keeps the value.
    pub best: Option<String>,
    /// How many positions were looked at.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
    /// What came of the second look, if there was one.
    pub verified: Option<Verified>,
}

/// What came of a second look at a proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verified {
    /// It holds.
    Holds {
        /// How many positions were walked through.
        positions: u64,
        /// How long that took.
        time: Duration,
    },
    /// It does not: no move was found in this position that keeps what is claimed of it.
    Fails(String),
    /// It was stopped before the end.
    Stopped,
}

/// How far the work on a position is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SolveProgress {
    /// What is proven of its value for the mover.
    pub bounds: ValueBounds,
    /// How many of its moves are settled, …
    pub settled: usize,
    /// … of how many.
    pub moves: usize,
    /// How many positions were looked at.
    pub nodes: u64,
    /// How full the table is, in thousandths.
    pub table_full: u16,
    /// How long it took so far.
    pub time: Duration,
}

/// How solvers are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SolverOptions {
    /// Memory, all in all, in MiB.
    pub mebibytes: usize,
    /// Threads to work on.
    pub threads: usize,
    /// Whether proofs are looked at a second time.
    pub verify: bool,
}

/// Writes down how far a proof is.
pub type SaveCheckpoint<'a> = &'a dyn Fn(&mut dyn Write) -> io::Result<()>;

/// Is told about the work now and then.
pub trait SolveObserver {
    /// The work goes on from a checkpoint.
    fn resumed(&mut self) {}

    /// About once a second, from the first second on.
    fn progress(&mut self, progress: &SolveProgress);

    /// As often, while a proof is looked at a second time: how many positions were walked through,
    /// and for how long.
    fn verifying(&mut self, positions: u64, time: Duration);

    /// More often, and at the end: the moment to save what is known. Whether that succeeds makes no
    /// difference to the work.
    fn save(&mut self, is_end: bool, save: SaveCheckpoint<'_>);
}

/// Why a position was not worked on, or not to the end.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// It is no position.
    #[error(transparent)]
    Position(#[from] EngineError),
    /// The checkpoint cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// There is no memory to work in.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
}

/// Tells the values of positions of one game.
pub trait Solver {
    /// Works on a position until its value is known, the time is over or `control` says stop; goes
    /// on from a checkpoint if there is one.
    ///
    /// # Errors
    /// When the FEN is no position of the game, or the checkpoint cannot be read.
    fn solve(
        &mut self,
        fen: &str,
        time: Option<Duration>,
        checkpoint: Option<&mut dyn BufRead>,
        control: &SearchControl,
        observer: &mut dyn SolveObserver,
    ) -> Result<Solution, SolveError>;

    /// A position and what its moves lead to, as nodes of a proof tree.
    ///
    /// # Errors
    /// When the FEN is no position of the game.
    fn expand(&self, fen: &str) -> Result<(Node, Vec<(String, Node)>), EngineError>;
}

/// A node of a proof tree that is kept elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// The position.
    pub fen: String,
    /// What all its images share, and no other.
    pub class: String,
    /// Who is to move.
    pub side: Side,
    /// What is known of its value for the mover, without search.
    pub bounds: ValueBounds,
    /// How far a win of the mover is from being proven and disproven; `None` for never.
    pub win: [Option<u32>; 2],
    /// The same for at least a draw.
    pub draw: [Option<u32>; 2],
}

impl Node {
    fn new<G: Game>(leaf: &ProofNode<G>) -> Self {
        let ProofNode { pos, class, bounds, win, draw } = leaf.clone();
        Self { fen: pos.to_string(), class, side: pos.side(), bounds, win, draw }
    }
}

/// What answers for a game.
enum SolverBackend<G: Game, O, E> {
    /// It knows all values.
    Oracle(O),
    /// It has to prove them, and may be asked to look twice.
    Prover(Box<Prover<G, EvalGuide<E>>>, Option<Verifier<G>>),
}

/// The one implementation, over any game with its oracle and its evaluation.
pub(super) struct GameSolver<G: Game, O, E>(SolverBackend<G, O, E>);

/// What the program and the weights of the evaluation take beside the table, in MiB, …
const OVERHEAD: usize = 40;
/// … and what each thread takes.
const THREAD_OVERHEAD: usize = 1;
/// The part of the memory for a second look, where one is asked for.
const VERIFIER_PART: usize = 4;

impl<G: Game, O: Oracle<G>, E: EngineEvaluator<G>> GameSolver<G, O, E> {
    pub(super) fn new(means: SolverOptions) -> Result<Self, OutOfMemory> {
        if O::IS_SOLVED {
            return Ok(Self(SolverBackend::Oracle(O::default())));
        }
        let SolverOptions { mebibytes, threads, verify } = means;
        let guide = EvalGuide(E::from_settings(&Settings::default())?);
        let overhead = OVERHEAD + THREAD_OVERHEAD * threads;
        let bytes = mebibytes.saturating_sub(overhead).max(1) << 20;
        let reserve = if verify { bytes / VERIFIER_PART } else { 0 };
        let prover = Prover::new(guide, bytes - reserve).map_err(|_| OutOfMemory { mebibytes })?;
        let prover = Box::new(prover.with_threads(threads));
        Ok(Self(SolverBackend::Prover(prover, verify.then(|| Verifier::new(reserve)))))
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
        let finished = pos.outcome().map(|outcome| ExactValue::finished(outcome, pos.side()));
        let mut solution = Solution {
            fen: pos.to_string(),
            bounds: ValueBounds::OPEN,
            plies: None,
            best: None,
            nodes: 0,
            time: Duration::ZERO,
            verified: None,
        };
        match &mut self.0 {
            _ if let Some(exact) = finished => solution.tell(exact),
            SolverBackend::Oracle(oracle) => {
                solution.tell(oracle.exact(&pos));
                let best = rank_moves(oracle, &Record::new(pos)).first().map(|advice| advice.mv);
                solution.best = best.map(|mv| mv.to_string());
                solution.nodes = oracle.position_count() as u64;
            }
            SolverBackend::Prover(prover, verifier) => {
                prover.age();
                if let Some(checkpoint) = checkpoint {
                    prover.restore(&pos, checkpoint)?;
                    observer.resumed();
                }
                let mut work = ProofRun { prover, pos, time, control, observer, told: 0 };
                work.prove(&mut solution);
                if let Some(verifier) = verifier
                    && solution.bounds != ValueBounds::OPEN
                {
                    work.look_again(&mut solution, verifier);
                }
            }
        }
        if solution.time.is_zero() {
            solution.time = control.elapsed();
        }
        Ok(solution)
    }

    fn expand(&self, fen: &str) -> Result<(Node, Vec<(String, Node)>), EngineError> {
        let mut guide = EvalGuide(E::from_settings(&Settings::default())?);
        let leaf = ProofNode::new(&parse_fen::<G>(fen)?, &mut guide);
        let named = |(mv, branch): (G::Move, ProofNode<G>)| (mv.to_string(), Node::new(&branch));
        let branches = leaf.branches(&mut guide).into_iter().map(named).collect();
        Ok((Node::new(&leaf), branches))
    }
}

impl Solution {
    fn tell(&mut self, exact: ExactValue) {
        self.bounds = ValueBounds::exactly(exact.value());
        self.plies = exact.plies();
    }
}

/// Nodes between two looks at how far the work is: a fraction of a second's, for each thread.
const SLICE: u64 = 500_000;

/// The work on one position.
struct ProofRun<'a, G: Game, E> {
    prover: &'a mut Prover<G, EvalGuide<E>>,
    pos: G,
    time: Option<Duration>,
    control: &'a SearchControl,
    observer: &'a mut dyn SolveObserver,
    /// For how many seconds it was told how far the work is.
    told: u64,
}

impl<G: Game, E: EngineEvaluator<G>> ProofRun<'_, G, E> {
    fn prove(&mut self, solution: &mut Solution) {
        let before = self.prover.nodes();
        let (time, control) = (self.time, self.control);
        let mut stop =
            || control.is_stopped() || time.is_some_and(|time| control.has_elapsed(time));
        let slice = SLICE * self.prover.threads() as u64;
        while solution.bounds.value().is_none() && !stop() {
            solution.bounds =
                self.prover.prove_within(&self.pos, solution.bounds, slice, &mut stop);
            solution.nodes = self.prover.nodes() - before;
            self.tell(solution);
            self.save(false);
        }
        if let Some(value) = solution.bounds.value() {
            let best = self.prover.find_optimal_move(&self.pos, value, u64::MAX, &mut stop);
            solution.best = best.map(|mv| mv.to_string());
        }
        solution.nodes = self.prover.nodes() - before;
        solution.time = control.elapsed();
        self.save(true);
    }

    fn tell(&mut self, solution: &Solution) {
        let time = self.control.elapsed();
        if time.as_secs() <= self.told {
            return;
        }
        self.told = time.as_secs();
        let moves = self.pos.legal_moves().into_iter();
        let settled = moves.filter(|mv| self.prover.bounds(&self.pos.after(*mv)).value().is_some());
        self.observer.progress(&SolveProgress {
            bounds: solution.bounds,
            settled: settled.count(),
            moves: self.pos.move_count(),
            nodes: solution.nodes,
            table_full: self.prover.fullness(),
            time,
        });
    }

    fn save(&mut self, is_end: bool) {
        let (prover, pos) = (&*self.prover, &self.pos);
        self.observer.save(is_end, &|output| prover.save(pos, output));
    }

    fn look_again(&mut self, solution: &mut Solution, verifier: &mut Verifier<G>) {
        let (control, began, mut told) = (self.control, solution.time, 0);
        let mut watch = |positions| {
            let time = control.elapsed() - began;
            if time.as_secs() > told {
                told = time.as_secs();
                self.observer.verifying(positions, time);
            }
            control.is_stopped()
        };
        let bounds = solution.bounds;
        let verified = match verifier.verify(self.prover, &self.pos, bounds, &mut watch) {
            Verification::Holds { positions, .. } => {
                Verified::Holds { positions, time: control.elapsed() - began }
            }
            Verification::Fails(pos) => Verified::Fails(pos.to_string()),
            Verification::Stopped => Verified::Stopped,
        };
        solution.verified = Some(verified);
    }
}
