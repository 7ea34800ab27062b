//! The list of games: those of the program, or those that another crate brings.

use std::sync::OnceLock;

use super::{EngineError, GameSpec};
#[cfg(feature = "interface")]
use crate::analysis::{
    nim::NimAnalysis,
    ponghauki::PongHauKiAnalysis,
    tictactoe::TicTacToeAnalysis,
    tixtax::{TixTaxAnalysis, TixTaxCountAnalysis, TixTaxOpenAnalysis},
};
use crate::eval::{HandcraftedEval, Net};
use crate::games::{Nim, PongHauKi, TicTacToe, TixTax, TixTaxCount, TixTaxOpen};
use crate::reasons::{NimReasons, PongHauKiReasons, TicTacToeReasons, TixTaxReasons};
use crate::solve::{FirstPlayerWins, Minimax, Retrograde, SpragueGrundy, Unsolved};

/// The games of this crate; the first is the default game.
pub static BUILT_IN_GAMES: [GameSpec; 6] =
    [tixtax(), tictactoe(), ponghauki(), nim(), tixtax_open(), tixtax_count()];

const fn tixtax() -> GameSpec {
    let spec = GameSpec::new::<TixTax>()
        .exact_solver::<Unsolved>()
        .evaluation::<Net>()
        .reasons::<TixTaxReasons>()
        .bench_depth(13)
        .certified();
    #[cfg(feature = "interface")]
    let spec = spec
        .analysis::<TixTaxAnalysis>()
        .lessons(include_str!("../../data/lessons/tixtax.json"))
        .atlas(include_str!("../../data/atlas/tixtax.txt"))
        .exam(include_str!("../../data/exam/tixtax.txt"))
        .references(include_str!("../../data/references/tixtax.txt"));
    spec.build()
}

const fn tictactoe() -> GameSpec {
    let spec = GameSpec::new::<TicTacToe>()
        .exact_solver::<Minimax<TicTacToe>>()
        .reasons::<TicTacToeReasons>()
        .bench_depth(9);
    #[cfg(feature = "interface")]
    let spec = spec
        .analysis::<TicTacToeAnalysis>()
        .lessons(include_str!("../../data/lessons/tictactoe.json"));
    spec.build()
}

const fn ponghauki() -> GameSpec {
    let spec = GameSpec::new::<PongHauKi>()
        .exact_solver::<Retrograde<PongHauKi>>()
        .reasons::<PongHauKiReasons>()
        .bench_depth(20);
    #[cfg(feature = "interface")]
    let spec = spec
        .analysis::<PongHauKiAnalysis>()
        .lessons(include_str!("../../data/lessons/ponghauki.json"));
    spec.build()
}

const fn nim() -> GameSpec {
    let spec = GameSpec::new::<Nim>()
        .exact_solver::<SpragueGrundy>()
        .reasons::<NimReasons>()
        .bench_depth(6);
    #[cfg(feature = "interface")]
    let spec = spec.analysis::<NimAnalysis>().lessons(include_str!("../../data/lessons/nim.json"));
    spec.build()
}

const fn tixtax_open() -> GameSpec {
    let spec = GameSpec::new::<TixTaxOpen>()
        .exact_solver::<FirstPlayerWins>()
        .evaluation::<HandcraftedEval>()
        .reasons::<TixTaxReasons>()
        .bench_depth(11)
        .certified();
    #[cfg(feature = "interface")]
    let spec = spec
        .analysis::<TixTaxOpenAnalysis>()
        .lessons(include_str!("../../data/lessons/tixtax-open.json"));
    spec.build()
}

const fn tixtax_count() -> GameSpec {
    let spec = GameSpec::new::<TixTaxCount>()
        .exact_solver::<Unsolved>()
        .evaluation::<Net>()
        .reasons::<TixTaxReasons>()
        .bench_depth(12)
        .certified();
    #[cfg(feature = "interface")]
    let spec = spec
        .analysis::<TixTaxCountAnalysis>()
        .lessons(include_str!("../../data/lessons/tixtax-count.json"))
        .atlas(include_str!("../../data/atlas/tixtax-count.txt"))
        .exam(include_str!("../../data/exam/tixtax-count.txt"))
        .references(include_str!("../../data/references/tixtax-count.txt"));
    spec.build()
}

static GAMES: OnceLock<Vec<GameSpec>> = OnceLock::new();

/// The games of the running program; the first is the default game.
#[must_use]
pub fn games() -> &'static [GameSpec] {
    GAMES.get().map_or(&BUILT_IN_GAMES, Vec::as_slice)
}

/// The game of a new session: the first of the list.
#[must_use]
pub fn default_game() -> &'static GameSpec {
    &games()[0]
}

/// Sets the games of the running program, instead of [`BUILT_IN_GAMES`]: once, before anything else asks for them.
///
/// # Errors
/// Fails if there is no game, if two have the same name, or if the games are already set.
pub fn set_games(games: Vec<GameSpec>) -> Result<(), GamesError> {
    let mut names = Vec::new();
    for game in &games {
        for name in [game.id].iter().chain(game.aliases) {
            let name = name.to_ascii_lowercase();
            if names.contains(&name) {
                return Err(GamesError::SameName(name));
            }
            names.push(name);
        }
    }
    if games.is_empty() {
        return Err(GamesError::NoGame);
    }
    GAMES.set(games).map_err(|_| GamesError::AlreadySet)
}

/// Why a list of games is refused.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum GamesError {
    #[error("no game given, expected one or more")]
    NoGame,
    #[error("two games are called {0}, expected ids and aliases that differ")]
    SameName(String),
    #[error("the games of this program are already set")]
    AlreadySet,
}

/// The ids of the games that `is_wanted` accepts.
#[must_use]
pub fn ids(is_wanted: impl Fn(&GameSpec) -> bool) -> Vec<&'static str> {
    games().iter().filter(|spec| is_wanted(spec)).map(|spec| spec.id).collect()
}

/// Finds a game by name or alias, ignoring case.
///
/// # Errors
/// Fails if there is no such game; the error lists the games.
pub fn find(name: &str) -> Result<&'static GameSpec, EngineError> {
    let matches = |spec: &&GameSpec| {
        spec.id.eq_ignore_ascii_case(name)
            || spec.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(name))
    };
    games().iter().find(matches).ok_or_else(|| EngineError::UnknownGame {
        found: name.to_owned(),
        expected: ids(|_| true).join(", "),
    })
}
