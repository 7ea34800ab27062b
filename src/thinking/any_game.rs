//! [`AnyGame`]: a game in progress behind one interface, whatever its type.
//!
//! Callers hold a `Box<dyn AnyGame>` from [`GameEntry::open`](super::registry::GameEntry::open);
//! moves and positions cross the interface as text.

use std::time::Duration;

use super::EngineError;
use super::jobs::{EngineJob, PlannedJob, SearchSummary};
use super::move_assessment::{AssessmentLimits, MoveAssessment};
use super::settings::{SKILL_MAX, Settings};
use crate::analysis::reasons::{BrokenRule, Reason};
use crate::protocol::reply::Dialect;
use crate::protocol::{GoOptions, PerftOptions, PositionSetup};
use crate::rules::drawing::{BoardLayout, Label, SpotContent};
use crate::rules::{Notation, Outcome, Side};
use crate::search::{Score, SearchControl};

/// A random game that ended before the requested number of plies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MissingPlies {
    /// The number of plies up to its last unfinished position.
    pub played: usize,
    /// The requested number.
    pub requested: usize,
}

/// A game in progress.
///
/// The methods that take `Settings` or return jobs serve the [`Session`](crate::engine::Session); they are
/// implementation details and cannot be called from outside the engine.
pub trait AnyGame: Send {
    /// Sets a position and plays moves from it.
    ///
    /// # Errors
    /// Fails if the position is invalid or a move is illegal; the game is then unchanged.
    fn set_position(
        &mut self,
        setup: &PositionSetup<'_>,
        moves: &[&str],
    ) -> Result<(), EngineError>;

    /// Returns how far the random game of `setup` fell short of the requested plies because it
    /// ended; `None` if it did not, or the position is not random.
    fn missing_random_plies(&self, setup: &PositionSetup<'_>) -> Option<MissingPlies>;

    /// Plays moves from the current position.
    ///
    /// # Errors
    /// Fails if a move is illegal; the game is then unchanged.
    fn play_moves(&mut self, moves: &[&str]) -> Result<(), EngineError>;

    /// Whether casual games start from a random position.
    fn has_random_start(&self) -> bool;

    /// The result, or `None` while the game is in progress.
    fn outcome(&self) -> Option<Outcome>;

    /// What each side has counted, if the finished game was decided by counting.
    fn final_count(&self) -> Option<[u32; 2]>;

    /// The side to move.
    fn side(&self) -> Side;

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

    /// Assesses the position: exactly if the game is solved or the value can be proven in time,
    /// otherwise by a search.
    ///
    /// # Errors
    /// Fails if the search cannot allocate its memory.
    fn assess(
        &mut self,
        options: &ThinkOptions,
        control: &SearchControl,
    ) -> Result<Assessment, EngineError>;

    /// The value of each legal move for the side to move, best first: exact if the game is solved,
    /// otherwise by a search.
    ///
    /// # Errors
    /// Fails if the search cannot allocate its memory.
    fn move_scores(
        &mut self,
        options: &ThinkOptions,
        control: &SearchControl,
    ) -> Result<Vec<(String, Score)>, EngineError>;

    /// The reasons for and against a legal move, most important first.
    ///
    /// # Errors
    /// Fails if the text is not a legal move.
    fn reasons(&mut self, mv: &str) -> Result<Vec<Reason>, EngineError>;

    /// Why a move is illegal; `None` if it is legal, the game is over, the text is not a move or the
    /// game does not say.
    fn broken_rule(&self, mv: &str) -> Option<BrokenRule>;

    /// Assesses every legal move, best first: exactly if the game is solved, otherwise by proofs and
    /// searches. `played` is examined as thoroughly as the best move. Proofs are kept for other
    /// positions of the game.
    ///
    /// # Errors
    /// Fails if `played` is not a move or the search cannot allocate its memory.
    fn assess_moves(
        &mut self,
        played: Option<&str>,
        limits: &AssessmentLimits,
        control: &SearchControl,
    ) -> Result<Vec<MoveAssessment>, EngineError>;

    /// Counts the leaves below each move.
    fn perft(&self, depth: u32, threads: usize) -> Vec<(String, u64)>;

    /// Builds the oracle's tables or the searcher, so that `go` starts without delay.
    #[doc(hidden)]
    fn prepare(&mut self, settings: &Settings) -> Result<(), EngineError>;

    /// Drops the searcher, because the settings it was built from have changed.
    #[doc(hidden)]
    fn drop_searcher(&mut self);

    /// Clears the searcher's hash table and history.
    #[doc(hidden)]
    fn clear_searcher(&mut self);

    /// Plans the job that answers `go`; the summary describes the search for debug output.
    #[doc(hidden)]
    fn plan_search(
        &mut self,
        go: &GoOptions<'_>,
        settings: &Settings,
        dialect: Dialect,
    ) -> Result<(PlannedJob, SearchSummary), EngineError>;

    /// Plans the job that answers `values`.
    #[doc(hidden)]
    fn plan_values(&mut self, settings: &Settings) -> Result<PlannedJob, EngineError>;

    /// Returns the job that answers `perft`.
    #[doc(hidden)]
    fn perft_job(&self, perft: PerftOptions, threads: usize) -> EngineJob;

    /// Evaluates the position without searching: exactly if the game is solved, otherwise by the
    /// static evaluation.
    #[doc(hidden)]
    fn evaluate(&mut self, settings: &Settings) -> Result<Score, EngineError>;
}

/// A game written in one notation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotatedGame {
    /// The starting position.
    pub position: String,
    /// The moves played from it.
    pub moves: Vec<String>,
}

/// Time and strength for thinking about a position.
#[derive(Debug, Clone, Copy)]
pub struct ThinkOptions {
    /// Time for a search.
    pub time: Duration,
    /// Playing strength, as in the option `Skill Level`.
    pub skill: u32,
    /// Random seed for the mistakes of a reduced strength.
    pub seed: u64,
}

impl ThinkOptions {
    /// Full strength.
    pub const MAX_SKILL: u32 = SKILL_MAX;

    /// Thinks at full strength for `time`.
    #[must_use]
    pub fn full_strength(time: Duration) -> Self {
        Self { time, skill: Self::MAX_SKILL, seed: 0 }
    }
}

/// The assessment of a position, from the point of view of the side to move.
#[derive(Debug, Clone)]
pub struct Assessment {
    /// The score of the position.
    pub score: Score,
    /// The moves with a known score.
    pub moves: Vec<(String, Score)>,
    /// The principal variation; empty if the game is over.
    pub line: Vec<String>,
}
