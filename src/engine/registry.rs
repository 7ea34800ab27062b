//! The games the engine knows, a line each.

use super::EngineError;
use super::analyzing::{self, Enquiry};
use super::desk::{Desk, Table, Workplace};
use super::settings::Judge;
use super::solving::{GameSolver, Means, SolveError, Solver};
use crate::analysis::{Chart, Report, Study, nim, ponghauki, tictactoe, tixtax};
use crate::eval::{Net, Sober};
use crate::games::{Nim, PongHauKi, TicTacToe, TixTax, TixTaxOpen};
use crate::rules::Game;
use crate::search::{Level, OutOfMemory};
use crate::solve::{Heaps, Minimax, Oracle, Retrograde, Unsolved};

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
    solver: fn(Means) -> Result<Box<dyn Solver>, OutOfMemory>,
    report: fn(Enquiry<'_>) -> Result<Report, SolveError>,
    chart: fn() -> Option<Chart>,
}

/// All games; the first is the default. Of a game without a study of its own
/// [`General`](crate::analysis::General) tells.
pub const GAMES: &[Entry] = &[
    entry::<TixTax, Unsolved, Net, tixtax::Closed>(13),
    entry::<TicTacToe, Minimax<TicTacToe>, Level, tictactoe::Openings>(9),
    entry::<PongHauKi, Retrograde<PongHauKi>, Level, ponghauki::States>(20),
    entry::<Nim, Heaps, Level, nim::Methods>(6),
    entry::<TixTaxOpen, Unsolved, Sober, tixtax::Open>(11),
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
        is_solved: O::KNOWS,
        open: |bench_depth| Box::new(Table::<G, O, E>::new(bench_depth)),
        bench_depth,
        solver: |means| Ok(Box::new(GameSolver::<G, O, E>::new(means)?)),
        report: analyzing::report::<G, O, E, S>,
        chart: S::chart,
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
    pub fn solver(&self, means: Means) -> Result<Box<dyn Solver>, OutOfMemory> {
        (self.solver)(means)
    }

    /// What is known of this game, or of a position of it.
    ///
    /// # Errors
    /// When the position is none of this game.
    pub fn report(&self, enquiry: Enquiry<'_>) -> Result<Report, SolveError> {
        (self.report)(enquiry)
    }

    /// All positions as a picture, where they are few enough.
    #[must_use]
    pub fn chart(&self) -> Option<Chart> {
        (self.chart)()
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
