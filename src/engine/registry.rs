//! The games the engine knows, a line each.

use super::EngineError;
use super::analyzing::{self, AnalysisRequest};
use super::desk::{Desk, Table, Workplace};
use super::settings::Judge;
use super::solving::{GameSolver, SolveError, Solver, SolverOptions};
use crate::analysis::{AnalysisReport, PositionGraph, Study, nim, ponghauki, tictactoe, tixtax};
use crate::eval::{HandcraftedEval, Net};
use crate::games::{Nim, PongHauKi, TicTacToe, TixTax, TixTaxOpen};
use crate::rules::Game;
use crate::search::{OutOfMemory, ZeroEval};
use crate::solve::{Minimax, Oracle, Retrograde, SpragueGrundy, Unsolved};

/// A game, with what plays it: its oracle, its evaluation, what can be told of it, and how deep
/// `bench` looks.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// The game's name.
    pub id: &'static str,
    /// Its other names.
    pub aliases: &'static [&'static str],
    /// Whether all its values are known at once.
    pub is_solved: bool,
    open: fn(u32) -> Box<dyn Workplace>,
    bench_depth: u32,
    solver: fn(SolverOptions) -> Result<Box<dyn Solver>, OutOfMemory>,
    report: fn(AnalysisRequest<'_>) -> Result<AnalysisReport, SolveError>,
    graph: fn() -> Option<PositionGraph>,
}

/// All games; the first is the default. Of a game without a study of its own
/// [`DefaultStudy`](crate::analysis::DefaultStudy) tells.
pub const GAMES: &[Entry] = &[
    entry::<TixTax, Unsolved, Net, tixtax::TixTaxStudy>(13),
    entry::<TicTacToe, Minimax<TicTacToe>, ZeroEval, tictactoe::TicTacToeStudy>(9),
    entry::<PongHauKi, Retrograde<PongHauKi>, ZeroEval, ponghauki::PongHauKiStudy>(20),
    entry::<Nim, SpragueGrundy, ZeroEval, nim::NimStudy>(6),
    entry::<TixTaxOpen, Unsolved, HandcraftedEval, tixtax::TixTaxOpenStudy>(11),
];

const fn entry<G, O, E, S>(bench_depth: u32) -> Entry
where
    G: Game,
    O: Oracle<G>,
    E: Judge<G>,
    S: Study<G>,
{
    Entry {
        id: G::ID,
        aliases: G::ALIASES,
        is_solved: O::IS_SOLVED,
        open: |bench_depth| Box::new(Table::<G, O, E>::new(bench_depth)),
        bench_depth,
        solver: |means| Ok(Box::new(GameSolver::<G, O, E>::new(means)?)),
        report: analyzing::report::<G, O, E, S>,
        graph: S::graph,
    }
}

impl Entry {
    /// A desk with the start of this game on it.
    #[must_use]
    pub fn open(&self) -> Box<dyn Desk> {
        self.workplace()
    }

    /// What solves positions of this game.
    ///
    /// # Errors
    /// When the memory is not to be had.
    pub fn solver(&self, means: SolverOptions) -> Result<Box<dyn Solver>, OutOfMemory> {
        (self.solver)(means)
    }

    /// What is known of this game, or of a position of it.
    ///
    /// # Errors
    /// When the position is none of this game.
    pub fn report(&self, enquiry: AnalysisRequest<'_>) -> Result<AnalysisReport, SolveError> {
        (self.report)(enquiry)
    }

    /// All positions as a picture, where they are few enough.
    #[must_use]
    pub fn graph(&self) -> Option<PositionGraph> {
        (self.graph)()
    }

    pub(super) fn workplace(&self) -> Box<dyn Workplace> {
        (self.open)(self.bench_depth)
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Entry {}

/// The game of a name or alias, in any case.
///
/// # Errors
/// When there is none; the error lists the games.
pub fn find(name: &str) -> Result<&'static Entry, EngineError> {
    let is_it = |entry: &&Entry| {
        entry.id.eq_ignore_ascii_case(name)
            || entry.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(name))
    };
    GAMES.iter().find(is_it).ok_or_else(|| {
        let expected = GAMES.iter().map(|entry| entry.id).collect::<Vec<_>>().join(", ");
        EngineError::UnknownGame { found: name.to_owned(), expected }
    })
}
