//! `atlas`: the moves of an opening position and their values, from searches made in advance.

use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::RequestError;
use super::setup::{GameSetup, spots};
use crate::language::Language;

/// Asks for the moves of a position that the atlas knows.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AtlasRequest {
    setup: GameSetup,
}

impl AtlasRequest {
    /// The moves, best first; none outside the atlas.
    pub(super) fn answer(&self, language: Language) -> Result<Json, RequestError> {
        let game = self.setup.open()?;
        let found = game
            .spec
            .moves_in_atlas(&game.position.fen())
            .map_err(|error| RequestError::new(error.to_string()))?;
        let moves = found.iter().map(|own| {
            json!({
                "move": own.line[0],
                "spots": spots(&game, &own.line[0]),
                "expected": own.score.expected(),
                "text": language.short_score(own.score),
                "depth": own.depth,
                "line": own.line,
                "results": own.results,
            })
        });
        Ok(json!({ "moves": moves.collect::<Vec<_>>() }))
    }
}
