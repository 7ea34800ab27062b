//! The list of games: those of the program, or those that another crate brings.

use std::sync::OnceLock;

use super::{EngineError, GameSpec};
use crate::analysis::nim::NimAnalysis;
use crate::analysis::ponghauki::PongHauKiAnalysis;
use crate::analysis::reasons::{NimReasons, PongHauKiReasons, TicTacToeReasons, TixTaxReasons};
use crate::analysis::tictactoe::TicTacToeAnalysis;
use crate::analysis::tixtax::{TixTaxAnalysis, TixTaxCountAnalysis, TixTaxOpenAnalysis};
use crate::eval::{HandcraftedEval, Net};
use crate::games::{Nim, PongHauKi, TicTacToe, TixTax, TixTaxCount, TixTaxOpen};
use crate::solve::{FirstPlayerWins, Minimax, Retrograde, SpragueGrundy, Unsolved};

/// The games of this crate; the first is the default game.
pub static BUILT_IN_GAMES: [GameSpec; 6] = [
    GameSpec::new::<TixTax>()
        .oracle::<Unsolved>()
        .evaluation::<Net>()
        .analysis::<TixTaxAnalysis>()
        .reasons::<TixTaxReasons>()
        .bench_depth(13)
        .lessons(include_str!("../../data/lessons/tixtax.json"))
        .atlas(include_str!("../../data/atlas/tixtax.txt"))
        .exam(include_str!("../../data/exam/tixtax.txt"))
        .references(include_str!("../../data/references/tixtax.txt"))
        .certified()
        .build(),
    GameSpec::new::<TicTacToe>()
        .oracle::<Minimax<TicTacToe>>()
        .analysis::<TicTacToeAnalysis>()
        .reasons::<TicTacToeReasons>()
        .bench_depth(9)
        .lessons(include_str!("../../data/lessons/tictactoe.json"))
        .build(),
    GameSpec::new::<PongHauKi>()
        .oracle::<Retrograde<PongHauKi>>()
        .analysis::<PongHauKiAnalysis>()
        .reasons::<PongHauKiReasons>()
        .bench_depth(20)
        .lessons(include_str!("../../data/lessons/ponghauki.json"))
        .build(),
    GameSpec::new::<Nim>()
        .oracle::<SpragueGrundy>()
        .analysis::<NimAnalysis>()
        .reasons::<NimReasons>()
        .bench_depth(6)
        .lessons(include_str!("../../data/lessons/nim.json"))
        .build(),
    GameSpec::new::<TixTaxOpen>()
        .oracle::<FirstPlayerWins>()
        .evaluation::<HandcraftedEval>()
        .analysis::<TixTaxOpenAnalysis>()
        .reasons::<TixTaxReasons>()
        .bench_depth(11)
        .lessons(include_str!("../../data/lessons/tixtax-open.json"))
        .certified()
        .build(),
    GameSpec::new::<TixTaxCount>()
        .oracle::<Unsolved>()
        .evaluation::<Net>()
        .analysis::<TixTaxCountAnalysis>()
        .reasons::<TixTaxReasons>()
        .bench_depth(12)
        .lessons(include_str!("../../data/lessons/tixtax-count.json"))
        .atlas(include_str!("../../data/atlas/tixtax-count.txt"))
        .exam(include_str!("../../data/exam/tixtax-count.txt"))
        .references(include_str!("../../data/references/tixtax-count.txt"))
        .certified()
        .build(),
];

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
    /// The list is empty.
    #[error("no game given, expected one or more")]
    NoGame,
    /// Two games have the same name.
    #[error("two games are called {0}, expected ids and aliases that differ")]
    SameName(String),
    /// The list can be set only once.
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
