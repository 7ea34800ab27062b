//! The list of games.

use std::marker::PhantomData;

use super::EngineError;
use super::any_game::AnyGame;
use super::settings::EngineEvaluator;
use super::typed_game::TypedGame;
use crate::analysis::GameAnalysis;
use crate::analysis::reasons::Reasons;
use crate::rules::Game;
use crate::solve::Oracle;

/// A game of the list.
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
    /// The depth of its benchmark.
    pub(super) bench_depth: u32,
}

/// A game with all that the program knows about it.
pub trait RegisteredGame {
    /// The rules.
    type Game: Game;
    /// Solves the game.
    type Oracle: Oracle<Self::Game>;
    /// Evaluates its positions.
    type Evaluation: EngineEvaluator<Self::Game>;
    /// Analyzes it.
    type Analysis: GameAnalysis<Self::Game>;
    /// Explains its moves.
    type Reasons: Reasons<Self::Game> + 'static;
}

/// Work that needs the type of a game; see [`GameEntry::visit`].
pub trait GameVisitor {
    /// The result of the work.
    type Output;

    /// Does the work.
    fn visit<R: RegisteredGame>(self) -> Self::Output;
}

/// The list of games, one entry each; the first is the default game.
///
/// `for_each_game!(visit arguments)` expands to `visit! { (arguments) entries }`. An entry has the form
/// `name: Game { oracle: O, evaluation: E, analysis: A, reasons: R, bench_depth: N }`: `name` serves as a
/// function name, `O` solves the game ([`Unsolved`](crate::solve::Unsolved) if nothing does), `E` evaluates
/// its positions ([`ZeroEval`](crate::search::ZeroEval) if nothing does), `A` analyzes it
/// ([`DefaultAnalysis`](crate::analysis::DefaultAnalysis) works for any game), and `R` explains its moves
/// ([`DefaultReasons`](crate::analysis::reasons::DefaultReasons) works for any game).
#[macro_export]
macro_rules! for_each_game {
    ($visit:ident $($arguments:tt)*) => {
        $visit! {
            ($($arguments)*)
            tixtax: $crate::games::TixTax {
                oracle: $crate::solve::Unsolved,
                evaluation: $crate::eval::Net,
                analysis: $crate::analysis::tixtax::TixTaxAnalysis,
                reasons: $crate::analysis::reasons::TixTaxReasons,
                bench_depth: 13
            }
            tictactoe: $crate::games::TicTacToe {
                oracle: $crate::solve::Minimax<$crate::games::TicTacToe>,
                evaluation: $crate::search::ZeroEval,
                analysis: $crate::analysis::tictactoe::TicTacToeAnalysis,
                reasons: $crate::analysis::reasons::TicTacToeReasons,
                bench_depth: 9
            }
            ponghauki: $crate::games::PongHauKi {
                oracle: $crate::solve::Retrograde<$crate::games::PongHauKi>,
                evaluation: $crate::search::ZeroEval,
                analysis: $crate::analysis::ponghauki::PongHauKiAnalysis,
                reasons: $crate::analysis::reasons::PongHauKiReasons,
                bench_depth: 20
            }
            nim: $crate::games::Nim {
                oracle: $crate::solve::SpragueGrundy,
                evaluation: $crate::search::ZeroEval,
                analysis: $crate::analysis::nim::NimAnalysis,
                reasons: $crate::analysis::reasons::NimReasons,
                bench_depth: 6
            }
            tixtax_open: $crate::games::TixTaxOpen {
                oracle: $crate::solve::Unsolved,
                evaluation: $crate::eval::HandcraftedEval,
                analysis: $crate::analysis::tixtax::TixTaxOpenAnalysis,
                reasons: $crate::analysis::reasons::TixTaxReasons,
                bench_depth: 11
            }
            tixtax_count: $crate::games::TixTaxCount {
                oracle: $crate::solve::Unsolved,
                evaluation: $crate::eval::Net,
                analysis: $crate::analysis::tixtax::TixTaxCountAnalysis,
                reasons: $crate::analysis::reasons::TixTaxReasons,
                bench_depth: 12
            }
        }
    };
}

/// An entry as a type.
struct Registered<G, O, E, A, R>(PhantomData<(G, O, E, A, R)>);

impl<G, O, E, A, R> RegisteredGame for Registered<G, O, E, A, R>
where
    G: Game,
    O: Oracle<G>,
    E: EngineEvaluator<G>,
    A: GameAnalysis<G>,
    R: Reasons<G> + 'static,
{
    type Game = G;
    type Oracle = O;
    type Evaluation = E;
    type Analysis = A;
    type Reasons = R;
}

macro_rules! entries {
    (() $($name:ident: $game:ty {
        oracle: $oracle:ty,
        evaluation: $evaluation:ty,
        analysis: $analysis:ty,
        reasons: $reasons:ty,
        bench_depth: $bench_depth:literal
    })*) => {
        &[$(GameEntry {
            id: <$game>::ID,
            aliases: <$game>::ALIASES,
            opening_plies: <$game>::OPENING_PLIES,
            is_solved: <$oracle as Oracle<$game>>::IS_SOLVED,
            bench_depth: $bench_depth,
        }),*]
    };
}

macro_rules! visit_by_id {
    (($id:expr, $visitor:expr) $($name:ident: $game:ty {
        oracle: $oracle:ty,
        evaluation: $evaluation:ty,
        analysis: $analysis:ty,
        reasons: $reasons:ty,
        bench_depth: $bench_depth:literal
    })*) => {
        match $id {
            $(<$game>::ID => $visitor.visit::<Registered<
                $game, $oracle, $evaluation, $analysis, $reasons
            >>(),)*
            id => unreachable!("{id} is not in the list of games"),
        }
    };
}

/// All games, in the order of [`for_each_game!`].
pub const GAMES: &[GameEntry] = for_each_game!(entries);

/// The game of a new session: the first of the list.
pub const DEFAULT_GAME: &GameEntry = &GAMES[0];

/// Opens a game.
struct Open;

impl GameVisitor for Open {
    type Output = Box<dyn AnyGame>;

    fn visit<R: RegisteredGame>(self) -> Self::Output {
        Box::new(TypedGame::<R::Game, R::Oracle, R::Evaluation, R::Reasons>::new())
    }
}

impl GameEntry {
    /// Opens a new game at the starting position.
    #[must_use]
    pub fn open(&self) -> Box<dyn AnyGame> {
        self.visit(Open)
    }

    /// Does the work of a visitor with the types of this game.
    pub fn visit<V: GameVisitor>(&self, visitor: V) -> V::Output {
        for_each_game!(visit_by_id self.id, visitor)
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
