//! Positions as the page describes them: a game, a start position and moves.

use serde::Deserialize;

use super::RequestError;
use crate::interact::{KeptSearcher, PlayGame, PlayerKind};
use crate::rules::{Side, StartPosition};
use crate::thinking::registry;

/// A game in progress: what a `position` command of the protocol says, and the game.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GameSetup {
    /// The game's id or one of its other names.
    pub(super) game: String,
    /// The start position as a FEN; absent for the game's own.
    #[serde(default)]
    pub(super) start: Option<String>,
    /// The moves played from it.
    #[serde(default)]
    pub(super) moves: Vec<String>,
    /// The side that resigned: 0 for the first, 1 for the second.
    #[serde(default)]
    pub(super) resigned: Option<u8>,
    #[serde(default)]
    pub(super) out_of_time: Option<u8>,
}

impl GameSetup {
    pub(super) fn open(&self) -> Result<PlayGame, RequestError> {
        self.open_with(&mut KeptSearcher::default())
    }

    /// Sets the game up with the searcher of the last one.
    pub(super) fn open_with(&self, searcher: &mut KeptSearcher) -> Result<PlayGame, RequestError> {
        let spec = registry::find(&self.game)?;
        let start = self.start.as_deref().map_or(StartPosition::Initial, StartPosition::from_text);
        let refused = |error| RequestError { ply: Some(0), ..RequestError::from(error) };
        let players = [PlayerKind::Human; 2];
        let mut game = PlayGame::with_searcher(spec, players, &start, searcher).map_err(refused)?;
        let moves = self.moves.iter().map(|mv| (mv.as_str(), 0.0));
        game.play_all(moves).map_err(|(ply, error)| RequestError {
            message: format!("move {ply}: {error}"),
            ply: Some(ply),
        })?;
        if let Some(side) = self.resigned {
            game.resign(read_side(side)?);
        }
        if let Some(side) = self.out_of_time {
            game.lose_on_time(read_side(side)?);
        }
        Ok(game)
    }

    /// Sets up a game that must not be over, with the searcher of the last one.
    pub(super) fn open_unfinished(
        &self,
        searcher: &mut KeptSearcher,
    ) -> Result<PlayGame, RequestError> {
        let game = self.open_with(searcher)?;
        if game.is_over() {
            return Err(RequestError::new("the game is over"));
        }
        Ok(game)
    }
}

fn read_side(number: u8) -> Result<Side, RequestError> {
    let invalid = || RequestError::new(format!("invalid side {number}, expected 0 or 1"));
    [Side::P1, Side::P2].get(usize::from(number)).copied().ok_or_else(invalid)
}

/// The spots with these names, each once.
pub(super) fn spots_named(game: &PlayGame, names: &[String]) -> Vec<usize> {
    let spots = game.position.layout().map(|layout| layout.spots).unwrap_or_default();
    let named = spots.iter().enumerate().filter(|(_, spot)| names.contains(&spot.name));
    named.map(|(index, _)| index).collect()
}

pub(super) fn spots(game: &PlayGame, mv: &str) -> Vec<usize> {
    game.position.layout().map(|layout| layout.spots_of_move(mv)).unwrap_or_default()
}
