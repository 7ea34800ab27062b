//! `analysis`: what is known about a game or a position, as a chapter of text, tables and figures.

use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::setup::GameSetup;
use super::{RequestContext, RequestError, time_limit};
use crate::language::Language;
use crate::thinking::analyzing::AnalysisTask;
use crate::thinking::registry;

const DEFAULT_MS: u64 = 5000;
const MAX_MS: u64 = 60_000;

/// Asks for the analysis of a game or of a position.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnalysisRequest {
    /// The game as a whole, …
    #[serde(default)]
    game: Option<String>,
    /// … or a position of it.
    #[serde(default)]
    setup: Option<GameSetup>,
    /// Time for proofs and searches.
    #[serde(default)]
    ms: Option<u64>,
}

impl AnalysisRequest {
    pub(super) fn answer(
        &self,
        language: Language,
        context: &RequestContext<'_>,
    ) -> Result<Json, RequestError> {
        let time = time_limit(self.ms, DEFAULT_MS, MAX_MS)?;
        let (spec, fen) = match (&self.game, &self.setup) {
            (Some(game), None) => (registry::find(game)?, None),
            (None, Some(setup)) => {
                let game = setup.open()?;
                (game.spec, Some(game.position.fen()))
            }
            _ => return Err(RequestError::new("expected either game or setup")),
        };
        let control = context.control.child();
        let task = AnalysisTask { fen: fen.as_deref(), time, control: &control, observer: &mut () };
        let report = spec.analyze(task);
        let report = report.map_err(|error| RequestError::new(error.to_string()))?;
        let title = language.game_title(spec.id);
        let blocks = report.document(language, &title).blocks;
        // The data are the same facts, as `zermelo analyze --json` prints them.
        Ok(json!({ "title": title, "blocks": blocks, "data": report.json() }))
    }
}
