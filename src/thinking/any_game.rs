//! [`AnyGame`]: a game in progress behind one interface, whatever its type.
//!
//! Callers hold a `Box<dyn AnyGame>` from [`GameSpec::open`](super::GameSpec::open); moves and positions cross
//! the interface as text, or as numbers for learning programs.

use std::any::Any;
use std::sync::atomic::AtomicBool;

use super::EngineError;
use super::request::{PreparedSearch, SearchRequest};
use super::settings::Settings;
use crate::reasons::{BrokenRule, Reason};
use crate::rules::StartPosition;
use crate::rules::drawing::{BoardLayout, Label, SpotContent};
use crate::rules::{Notation, Outcome, Side};
use crate::search::Score;

/// A game in progress and what can be asked about it.
pub trait AnyGame: Send + Sync {
    /// Sets a position and plays moves from it. Returns the number of random plies of the position,
    /// fewer than requested if the next one would end the game.
    ///
    /// # Errors
    /// Fails if the position is invalid or a move is illegal; the game is then unchanged.
    fn set_position(
        &mut self,
        setup: &StartPosition<'_>,
        moves: &[&str],
    ) -> Result<usize, EngineError>;

    /// Sets up the game that leads to [`StartPosition::Random`], with its moves.
    fn set_random_game(&mut self, seed: u64, plies: Option<u32>);

    /// Plays moves from the current position.
    ///
    /// # Errors
    /// Fails if a move is illegal; the game is then unchanged.
    fn play_moves(&mut self, moves: &[&str]) -> Result<(), EngineError>;

    /// Takes back the last move and returns it; `None` if there is none.
    fn take_back(&mut self) -> Option<String>;

    /// The starting position as a FEN.
    fn first_fen(&self) -> String;

    /// The moves played from there.
    fn moves(&self) -> Vec<String>;

    /// The number of these moves.
    fn plies(&self) -> usize;

    /// Whether casual games start from a random position.
    fn has_random_start(&self) -> bool;

    /// The result, or `None` while the game is in progress.
    fn outcome(&self) -> Option<Outcome>;

    /// What each side has counted, if the finished game was decided by counting.
    fn final_count(&self) -> Option<[u32; 2]>;

    fn side(&self) -> Side;

    /// An upper bound of the plies that are left, if the game has one.
    fn max_plies_left(&self) -> Option<u32>;

    /// The current position as a FEN.
    fn fen(&self) -> String;

    /// The current position as a text diagram.
    fn diagram(&self) -> String;

    /// The geometry of the empty board, if the game can be drawn.
    fn layout(&self) -> Option<BoardLayout>;

    /// The content of each spot of [`AnyGame::layout`].
    fn spot_contents(&self) -> Vec<SpotContent>;

    /// Captions to draw beside the board.
    fn extra_labels(&self) -> Vec<Label>;

    /// The legal moves, sorted. Falls back to the game's own notation if it does not support
    /// `notation`.
    fn legal_moves(&self, notation: Notation) -> Vec<String>;

    /// Calls `visit` with the [action](crate::rules::GameEncoding::action) of each legal move.
    fn for_each_legal_action(&self, visit: &mut dyn FnMut(usize));

    /// The [action](crate::rules::GameEncoding::action) of a move.
    ///
    /// # Errors
    /// Fails if the text is not a move.
    fn action(&self, mv: &str) -> Result<usize, EngineError>;

    /// Whether a text is a legal move.
    fn is_legal(&self, mv: &str) -> bool;

    /// Writes the position as [planes](crate::rules::GameEncoding::write_planes).
    fn write_planes(&self, planes: &mut [f32]);

    /// A game at the [image](crate::rules::Game::image) of the position.
    fn image(&self, symmetry: usize) -> Box<dyn AnyGame>;

    /// The [key](crate::rules::Game::key) of the position.
    fn key(&self) -> u64;

    /// Whether another game is of the same type and shows an equal position.
    fn has_same_position(&self, other: &dyn AnyGame) -> bool;

    /// The [`Record`](crate::rules::Record) of the game, for those who know its type.
    fn record(&self) -> &dyn Any;

    /// The notations the game supports; its own comes first.
    fn notations(&self) -> Vec<Notation>;

    /// Converts a move typed by a user, who may abbreviate, to the game's own notation. Does not
    /// check that the move is legal.
    ///
    /// # Errors
    /// Fails if the text is not a move.
    fn normalize_user_move(&self, text: &str) -> Result<String, EngineError>;

    /// Converts a move in any supported notation to the game's own. Does not check that the move is
    /// legal.
    ///
    /// # Errors
    /// Fails if the text is not a move.
    fn normalize_move(&self, text: &str) -> Result<String, EngineError>;

    /// The game so far, written in a notation.
    ///
    /// # Errors
    /// Fails if the notation cannot express the starting position or a move.
    fn in_notation(&self, notation: Notation) -> Result<NotatedGame, EngineError>;

    /// Why a move is illegal; `None` if it is legal, the game is over, the text is not a move or the
    /// game does not say.
    fn broken_rule(&self, mv: &str) -> Option<BrokenRule>;

    /// Counts the leaves below each move; `None` if stopped.
    fn perft(
        &self,
        depth: u32,
        threads: usize,
        notation: Notation,
        stop: &AtomicBool,
    ) -> Option<Vec<(String, u64)>>;

    /// Resolves a request against the position and builds the exact solver's tables or the searcher for it, so
    /// that the search starts without delay. What is built and found is kept for later requests.
    ///
    /// # Errors
    /// Fails if a move of the request is illegal or memory cannot be allocated.
    fn prepare(&mut self, request: &SearchRequest) -> Result<PreparedSearch, EngineError>;

    /// Another game at the same position, for another thread. The two share what is built and found for
    /// their requests.
    fn share(&self) -> Box<dyn AnyGame>;

    /// Evaluates the position without searching: exactly if the game is solved, otherwise by the
    /// static evaluation.
    ///
    /// # Errors
    /// Fails if the evaluation cannot allocate its memory.
    fn evaluate(&mut self) -> Result<Score, EngineError>;

    /// The reasons for and against a legal move, most important first; `reply` is the opponent's best answer, if
    /// it is known.
    ///
    /// # Errors
    /// Fails if the text is not a legal move.
    fn reasons(&mut self, mv: &str, reply: Option<&str>) -> Result<Vec<Reason>, EngineError>;

    /// Sets what the searcher is built from, and drops the one there is if that has changed. A new game
    /// has the default settings.
    fn configure(&mut self, settings: &Settings);

    /// Clears the searcher's hash table and history.
    fn clear_searcher(&mut self);
}

/// A game written in one notation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotatedGame {
    pub position: String,
    /// The moves played from it.
    pub moves: Vec<String>,
}
