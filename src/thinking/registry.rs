//! The list of games.

use std::time::Duration;

use super::EngineError;
use super::analyzing::{self, AnalysisTask};
use super::any_game::AnyGame;
use super::bench::{self, BenchPosition};
use super::openings::{self, OpeningList, OpeningRequest};
use super::puzzles::{self, PuzzleGenerator, PuzzleSelection};
use super::settings::EngineEvaluator;
use super::solving::{GameSolver, SolveError, Solver, SolverOptions};
use super::typed_game::TypedGame;
use crate::analysis::reasons::Reasons;
use crate::analysis::{AnalysisReport, PositionGraph, Study};
use crate::rules::Game;
use crate::search::{OutOfMemory, SearchControl};
use crate::solve::Oracle;

type RunBench = fn(
    u32,
    &SearchControl,
    &mut dyn FnMut(&BenchPosition),
) -> Result<Option<(u64, Duration)>, OutOfMemory>;

/// A game with its oracle, its evaluation, its study, its reasons and the depth of its benchmark.
#[derive(Debug, Clone, Copy)]
pub struct GameEntry {
    /// The game's id.
    pub id: &'static str,
    /// Other accepted names.
    pub aliases: &'static [&'static str],
    /// The default number of random plies of an opening.
    pub opening_plies: usize,
    /// Whether every position's exact value is available without a search.
    pub is_solved: bool,
    open: fn() -> Box<dyn AnyGame>,
    openings: fn(&OpeningRequest) -> Result<OpeningList, OutOfMemory>,
    has_few_openings: fn() -> bool,
    puzzles: fn(&PuzzleSelection) -> Box<dyn PuzzleGenerator>,
    bench_depth: u32,
    bench: RunBench,
    solver: fn(SolverOptions) -> Result<Box<dyn Solver>, OutOfMemory>,
    report: fn(AnalysisTask<'_>) -> Result<AnalysisReport, SolveError>,
    graph: fn() -> Option<PositionGraph>,
}

/// The list of games, one entry each; the first is the default game.
///
/// `for_each_game!(visit arguments)` expands to `visit! { (arguments) entries }`. An entry has the form
/// `name: Game { oracle: O, evaluation: E, study: S, reasons: R, bench_depth: N }`: `name` serves as a
/// function name, `O` solves the game ([`Unsolved`](crate::solve::Unsolved) if nothing does), `E` evaluates
/// its positions ([`ZeroEval`](crate::search::ZeroEval) if nothing does), `S` analyzes it
/// ([`DefaultStudy`](crate::analysis::DefaultStudy) works for any game), and `R` explains its moves
/// ([`DefaultReasons`](crate::analysis::reasons::DefaultReasons) works for any game).
#[macro_export]
macro_rules! for_each_game {
    ($visit:ident $($arguments:tt)*) => {
        $visit! {
            ($($arguments)*)
            tixtax: $crate::games::TixTax {
                oracle: $crate::solve::Unsolved,
                evaluation: $crate::eval::Net,
                study: $crate::analysis::tixtax::TixTaxStudy,
                reasons: $crate::analysis::reasons::TixTaxReasons,
                bench_depth: 13
            }
            tictactoe: $crate::games::TicTacToe {
                oracle: $crate::solve::Minimax<$crate::games::TicTacToe>,
                evaluation: $crate::search::ZeroEval,
                study: $crate::analysis::tictactoe::TicTacToeStudy,
                reasons: $crate::analysis::reasons::TicTacToeReasons,
                bench_depth: 9
            }
            ponghauki: $crate::games::PongHauKi {
                oracle: $crate::solve::Retrograde<$crate::games::PongHauKi>,
                evaluation: $crate::search::ZeroEval,
                study: $crate::analysis::ponghauki::PongHauKiStudy,
                reasons: $crate::analysis::reasons::PongHauKiReasons,
                bench_depth: 20
            }
            nim: $crate::games::Nim {
                oracle: $crate::solve::SpragueGrundy,
                evaluation: $crate::search::ZeroEval,
                study: $crate::analysis::nim::NimStudy,
                reasons: $crate::analysis::reasons::NimReasons,
                bench_depth: 6
            }
            tixtax_open: $crate::games::TixTaxOpen {
                oracle: $crate::solve::Unsolved,
                evaluation: $crate::eval::HandcraftedEval,
                study: $crate::analysis::tixtax::TixTaxOpenStudy,
                reasons: $crate::analysis::reasons::TixTaxReasons,
                bench_depth: 11
            }
            tixtax_count: $crate::games::TixTaxCount {
                oracle: $crate::solve::Unsolved,
                evaluation: $crate::eval::Net,
                study: $crate::analysis::tixtax::TixTaxCountStudy,
                reasons: $crate::analysis::reasons::TixTaxReasons,
                bench_depth: 12
            }
        }
    };
}

macro_rules! entries {
    (() $($name:ident: $game:ty {
        oracle: $oracle:ty,
        evaluation: $evaluation:ty,
        study: $study:ty,
        reasons: $reasons:ty,
        bench_depth: $bench_depth:literal
    })*) => {
        &[$(entry::<$game, $oracle, $evaluation, $study, $reasons>($bench_depth)),*]
    };
}

/// All games, in the order of [`for_each_game!`].
pub const GAMES: &[GameEntry] = for_each_game!(entries);

/// The game of a new session: the first of the list.
pub const DEFAULT_GAME: &GameEntry = &GAMES[0];

const fn entry<G, O, E, S, R>(bench_depth: u32) -> GameEntry
where
    G: Game,
    O: Oracle<G>,
    E: EngineEvaluator<G>,
    S: Study<G>,
    R: Reasons<G> + 'static,
{
    GameEntry {
        id: G::ID,
        aliases: G::ALIASES,
        opening_plies: G::OPENING_PLIES,
        is_solved: O::IS_SOLVED,
        open: || Box::new(TypedGame::<G, O, E, R>::new()),
        openings: openings::generate::<G, O, E>,
        has_few_openings: openings::are_few::<G>,
        puzzles: puzzles::generator::<G, O>,
        bench_depth,
        bench: bench::run::<G, E>,
        solver: |options| Ok(Box::new(GameSolver::<G, O, E>::new::<S>(options)?)),
        report: analyzing::report::<G, O, E, S, R>,
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
    pub fn openings(&self, request: &OpeningRequest) -> Result<OpeningList, OutOfMemory> {
        (self.openings)(request)
    }

    /// Returns whether the game has so few openings that a match soon repeats them.
    #[must_use]
    pub fn has_few_openings(&self) -> bool {
        (self.has_few_openings)()
    }

    /// Starts generating puzzles.
    #[must_use]
    pub fn puzzles(&self, selection: &PuzzleSelection) -> Box<dyn PuzzleGenerator> {
        (self.puzzles)(selection)
    }

    /// Runs the benchmark, reporting each position; returns the total nodes and time, or `None` if
    /// stopped.
    ///
    /// # Errors
    /// Fails if the search cannot allocate its memory.
    pub fn bench(
        &self,
        control: &SearchControl,
        report: &mut dyn FnMut(&BenchPosition),
    ) -> Result<Option<(u64, Duration)>, OutOfMemory> {
        (self.bench)(self.bench_depth, control, report)
    }

    /// Creates a solver for positions of this game.
    ///
    /// # Errors
    /// Fails if its memory cannot be allocated.
    pub fn solver(&self, options: SolverOptions) -> Result<Box<dyn Solver>, OutOfMemory> {
        (self.solver)(options)
    }

    /// Reports on the game, or on one of its positions.
    ///
    /// # Errors
    /// Fails if the position is invalid.
    pub fn report(&self, task: AnalysisTask<'_>) -> Result<AnalysisReport, SolveError> {
        (self.report)(task)
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
