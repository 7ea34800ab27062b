//! The list of games.

use super::any_game::AnyGame;
use super::bench::{self, BenchStep};
use super::openings::{self, OpeningList, OpeningRequest};
use super::typed_game::TypedGame;
use std::time::Duration;

use super::EngineError;
use super::analyzing::{self, AnalysisRequest};
use super::settings::EngineEvaluator;
use super::solving::{GameSolver, SolveError, Solver, SolverOptions};
use crate::analysis::{AnalysisReport, PositionGraph, Study, nim, ponghauki, tictactoe, tixtax};
use crate::eval::{HandcraftedEval, Net};
use crate::games::{Nim, PongHauKi, TicTacToe, TixTax, TixTaxOpen};
use crate::rules::Game;
use crate::search::{OutOfMemory, SearchControl, ZeroEval};
use crate::solve::{Minimax, Oracle, Retrograde, SpragueGrundy, Unsolved};

type RunBench = fn(
    u32,
    &SearchControl,
    &mut dyn FnMut(&BenchStep),
) -> Result<Option<(u64, Duration)>, OutOfMemory>;

/// A game with its oracle, its evaluation, its study and the depth of its benchmark.
#[derive(Debug, Clone, Copy)]
pub struct GameEntry {
    /// The game's id.
    pub id: &'static str,
    /// Other accepted names.
    pub aliases: &'static [&'static str],
    /// Whether every position's exact value is available without a search.
    pub is_solved: bool,
    open: fn() -> Box<dyn AnyGame>,
    openings: fn(&OpeningRequest) -> Result<OpeningList, EngineError>,
    bench_depth: u32,
    bench: RunBench,
    solver: fn(SolverOptions) -> Result<Box<dyn Solver>, OutOfMemory>,
    report: fn(AnalysisRequest<'_>) -> Result<AnalysisReport, SolveError>,
    graph: fn() -> Option<PositionGraph>,
}

/// All games; the first is the default. A game without its own study uses
/// [`DefaultStudy`](crate::analysis::DefaultStudy).
pub const GAMES: &[GameEntry] = &[
    entry::<TixTax, Unsolved, Net, tixtax::TixTaxStudy>(13),
    entry::<TicTacToe, Minimax<TicTacToe>, ZeroEval, tictactoe::TicTacToeStudy>(9),
    entry::<PongHauKi, Retrograde<PongHauKi>, ZeroEval, ponghauki::PongHauKiStudy>(20),
    entry::<Nim, SpragueGrundy, ZeroEval, nim::NimStudy>(6),
    entry::<TixTaxOpen, Unsolved, HandcraftedEval, tixtax::TixTaxOpenStudy>(11),
];

const fn entry<G, O, E, S>(bench_depth: u32) -> GameEntry
where
    G: Game,
    O: Oracle<G>,
    E: EngineEvaluator<G>,
    S: Study<G>,
{
    GameEntry {
        id: G::ID,
        aliases: G::ALIASES,
        is_solved: O::IS_SOLVED,
        open: || Box::new(TypedGame::<G, O, E>::new()),
        openings: openings::generate::<G, O, E>,
        bench_depth,
        bench: bench::run::<G, E>,
        solver: |means| Ok(Box::new(GameSolver::<G, O, E>::new(means)?)),
        report: analyzing::report::<G, O, E, S>,
        graph: S::graph,
    }
}

impl GameEntry {
    /// Opens a new game at the starting position.
    #[must_use]
    pub fn open(&self) -> Box<dyn AnyGame> {
        (self.open)()
    }

    /// Generates openings for matches.
    ///
    /// # Errors
    /// Fails if the search that checks for balance cannot allocate its memory.
    pub fn openings(&self, request: &OpeningRequest) -> Result<OpeningList, EngineError> {
        (self.openings)(request)
    }

    /// Runs the benchmark, reporting each position; returns the total nodes and time, or `None` if
    /// stopped.
    ///
    /// # Errors
    /// Fails if the search cannot allocate its memory.
    pub fn bench(
        &self,
        control: &SearchControl,
        report: &mut dyn FnMut(&BenchStep),
    ) -> Result<Option<(u64, Duration)>, OutOfMemory> {
        (self.bench)(self.bench_depth, control, report)
    }

    /// Creates a solver for positions of this game.
    ///
    /// # Errors
    /// Fails if its memory cannot be allocated.
    pub fn solver(&self, means: SolverOptions) -> Result<Box<dyn Solver>, OutOfMemory> {
        (self.solver)(means)
    }

    /// Reports on the game, or on one of its positions.
    ///
    /// # Errors
    /// Fails if the position is invalid.
    pub fn report(&self, enquiry: AnalysisRequest<'_>) -> Result<AnalysisReport, SolveError> {
        (self.report)(enquiry)
    }

    /// Draws all positions as a graph, if there are few enough.
    #[must_use]
    pub fn graph(&self) -> Option<PositionGraph> {
        (self.graph)()
    }
}

impl PartialEq for GameEntry {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for GameEntry {}

/// Finds a game by name or alias, ignoring case.
///
/// # Errors
/// Fails if there is no such game; the error lists the games.
pub fn find(name: &str) -> Result<&'static GameEntry, EngineError> {
    let matches = |entry: &&GameEntry| {
        entry.id.eq_ignore_ascii_case(name)
            || entry.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(name))
    };
    GAMES.iter().find(matches).ok_or_else(|| {
        let expected = GAMES.iter().map(|entry| entry.id).collect::<Vec<_>>().join(", ");
        EngineError::UnknownGame { found: name.to_owned(), expected }
    })
}
