//! `hint` and `explain`: the best move, and the reasons for and against a move.

use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::setup::{GameSetup, spots, spots_named};
use super::{RequestContext, RequestError, time_limit};
use crate::interact::advice::{best_move, explain};
use crate::language::Language;
use crate::reasons::Reason;

/// One default for all advice, so that its answers agree.
const DEFAULT_MS: u64 = 300;
const MAX_MS: u64 = 10_000;

/// The maximum number of moves of a hint's line.
const MAX_LINE: usize = 5;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HintRequest {
    setup: GameSetup,
    #[serde(default)]
    ms: Option<u64>,
}

impl HintRequest {
    pub(super) fn answer(
        &self,
        language: Language,
        context: &mut RequestContext<'_>,
    ) -> Result<Json, RequestError> {
        let time = time_limit(self.ms, DEFAULT_MS, MAX_MS)?;
        let mut game = self.setup.open_unfinished(context.searcher)?;
        let (advice, mut line) = best_move(&mut game, time, context.control)?;
        line.truncate(MAX_LINE);
        let places: Vec<String> = advice.reasons.iter().flat_map(Reason::places).collect();
        Ok(json!({
            "move": advice.mv,
            "spots": spots(&game, &advice.mv),
            "text": advice.hint(&line, language),
            "reasons": language.reasons(&advice.reasons),
            "frames": spots_named(&game, &places),
            "line": line,
        }))
    }
}

/// Asks why a move is good or bad.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExplainRequest {
    setup: GameSetup,
    r#move: String,
    #[serde(default)]
    ms: Option<u64>,
}

impl ExplainRequest {
    pub(super) fn answer(
        &self,
        language: Language,
        context: &mut RequestContext<'_>,
    ) -> Result<Json, RequestError> {
        let time = time_limit(self.ms, DEFAULT_MS, MAX_MS)?;
        let mut game = self.setup.open_unfinished(context.searcher)?;
        let mv = game
            .resolve(&self.r#move)
            .map_err(|illegal| RequestError::new(illegal.text(&self.r#move, &game, language)))?;
        let explanation = explain(&mut game, &mv, time, context.control)?;
        let better = explanation.better.as_ref().map(|better| &better.mv);
        let reply = explanation.reply.as_ref().map(|reply| &reply.mv);
        Ok(json!({
            "move": mv,
            "spots": spots(&game, &mv),
            "text": explanation.text(language),
            "summary": explanation.summary(language),
            "judgement": explanation.judgement(language),
            "loss": explanation.loss(),
            "warning": explanation.warning(language),
            "better": better,
            "better_spots": better.map(|mv| spots(&game, mv)).unwrap_or_default(),
            "reply": reply,
            "reply_spots": reply.map(|mv| spots(&game, mv)).unwrap_or_default(),
            "frames": spots_named(&game, &explanation.places()),
        }))
    }
}
