//! `start`: start positions.

use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::RequestError;
use crate::rules::StartPosition;
use crate::search::SearchControl;
use crate::thinking::openings::OpeningRequest;
use crate::thinking::registry;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StartRequest {
    game: String,
    kind: StartKind,
    #[serde(default)]
    seed: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StartKind {
    Standard,
    Random,
    /// After random moves, and neither side has the advantage.
    Balanced,
}

impl StartRequest {
    pub(super) fn answer(&self) -> Result<Json, RequestError> {
        let spec = registry::find(&self.game)?;
        let mut game = spec.open();
        match self.kind {
            StartKind::Standard => {}
            StartKind::Random => {
                let setup = StartPosition::Random { seed: self.seed, plies: None };
                game.set_position(&setup, &[])?;
            }
            StartKind::Balanced => {
                let request =
                    OpeningRequest { count: 1, plies: None, seed: self.seed, balanced: true };
                let list = spec.openings(&request, &SearchControl::default())?;
                let fen = list.fens.into_iter().next();
                let none = || RequestError::new("no balanced position was found");
                return Ok(json!({ "fen": fen.ok_or_else(none)? }));
            }
        }
        Ok(json!({ "fen": game.fen() }))
    }
}
