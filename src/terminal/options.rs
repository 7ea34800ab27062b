//! The settings of a game: who plays, at what strength and from which position.

use std::time::Duration;

use crate::interact::game::{PlayGame, PlayerKind};
use crate::language::Language;
use crate::rules::{Side, StartPosition};
use crate::thinking::puzzles::PuzzleSelection;
use crate::thinking::{EngineError, GameSpec};

/// Settings of `zermelo play`, which prompts for those that are `None`.
#[derive(Debug, Clone)]
pub struct PlayOptions {
    pub game: &'static GameSpec,
    /// Whether to prompt for the game first.
    pub asks_game: bool,
    pub opponent: Option<PlayerKind>,
    /// Who makes the first move against the engine.
    pub first_mover: Option<PlayerKind>,
    pub level: u32,
    /// Whether to prompt for the level against the engine.
    pub asks_level: bool,
    /// Whether the user is warned before a bad move.
    pub coach: bool,
    /// Thinking time of the engine per move.
    pub move_time: Duration,
    /// Where games start: a FEN or `startpos`.
    pub fen: Option<String>,
    /// Whether they start from random positions, as they do without a FEN in a game that is set up at random.
    pub is_random: bool,
    /// Seed of random positions and of the engine's random choices.
    pub seed: u64,
    /// Gives lessons instead of games, from the one with this index on.
    pub lessons: Option<usize>,
    /// Serves puzzles instead of games.
    pub puzzles: Option<PuzzleSelection>,
    pub language: Language,
}

impl PlayOptions {
    /// Sets up a new game. Also returns the seed if the position is random.
    pub(crate) fn new_game(
        &self,
        spec: &'static GameSpec,
        seed: u64,
    ) -> Result<(PlayGame, Option<u64>), EngineError> {
        let (start, random_seed) = match &self.fen {
            // The FEN belongs to the game of the options; a loaded record may have changed the game.
            Some(fen) if spec == self.game => (StartPosition::from_text(fen), None),
            _ if self.is_random || spec.open().has_random_start() => {
                (StartPosition::Random { seed, plies: None }, Some(seed))
            }
            _ => (StartPosition::Initial, None),
        };
        let mut game = PlayGame::new(spec, [PlayerKind::Human; 2], &start)?;
        if self.opponent == Some(PlayerKind::Engine) {
            let first = self.first_mover.unwrap_or(PlayerKind::Human);
            let mover = game.position.side();
            game.players =
                [Side::P1, Side::P2].map(|side| if side == mover { first } else { first.other() });
        }
        Ok((game, random_seed))
    }
}
