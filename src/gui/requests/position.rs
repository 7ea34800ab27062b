//! `position` and `why_illegal`: what a position shows, its legal moves, and why others are illegal.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

use super::RequestError;
use super::setup::{GameSetup, spots};
use crate::interact::{PlayGame, situation};
use crate::language::Language;
use crate::records::result_text;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PositionRequest {
    setup: GameSetup,
    /// Whether the positions after all legal moves are wanted, too.
    #[serde(default)]
    replies: bool,
}

impl PositionRequest {
    pub(super) fn answer(&self, language: Language) -> Result<Json, RequestError> {
        let game = self.setup.open()?;
        let mut answer = describe(&game, language);
        if self.replies {
            let mut replies = Map::new();
            for mv in if game.is_over() { Vec::new() } else { game.legal_moves() } {
                let mut reply = game.clone();
                reply.play(mv.clone(), Duration::ZERO)?;
                replies.insert(mv, describe(&reply, language));
            }
            answer["replies"] = replies.into();
        }
        Ok(answer)
    }
}

fn describe(game: &PlayGame, language: Language) -> Json {
    let position = game.position.as_ref();
    let layout = position.layout();
    let status = situation::describe(game, language);
    let legal = if game.is_over() { Vec::new() } else { game.legal_moves() };
    let to_move = |mv: &String| {
        let spots = layout.as_ref().map(|layout| layout.spots_of_move(mv));
        json!({ "move": mv, "spots": spots.unwrap_or_default() })
    };
    json!({
        "fen": position.fen(),
        "side": position.side().index(),
        "shown": position.spot_contents().iter().map(ToString::to_string).collect::<String>(),
        "diagram": layout.is_none().then(|| position.diagram()),
        "labels": position.extra_labels(),
        "legal": legal.iter().map(to_move).collect::<Vec<_>>(),
        "last": spots(game, game.last_move().unwrap_or_default()),
        "outcome": game.outcome().map(|outcome| {
            json!({ "result": result_text(Some(outcome)), "text": status })
        }),
        "status": status,
        "plies": game.plies(),
    })
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WhyIllegalRequest {
    setup: GameSetup,
    /// The move, typed or as the names of the squares that were clicked.
    r#move: String,
}

impl WhyIllegalRequest {
    /// The reason, or the move in the game's own notation.
    pub(super) fn answer(&self, language: Language) -> Result<Json, RequestError> {
        let game = self.setup.open()?;
        Ok(match game.resolve(&self.r#move) {
            Ok(name) => json!({ "text": null, "move": name }),
            Err(illegal) => {
                json!({ "text": illegal.text(&self.r#move, &game, language), "move": null })
            }
        })
    }
}
