//! `hint` and `explain`: the best move, and the reasons for and against a move.

use serde::{Deserialize, Serialize};

use super::setup::{GameSetup, legal_move, spots};
use super::{RequestContext, RequestError, time_limit};
use crate::interact::advice::{MIN_LOSS_FOR_WARNING, best_move, explain};
use crate::interact::messages::{Language, Message};

const DEFAULT_MS: u64 = 1000;
const MAX_MS: u64 = 10_000;

/// The maximum number of moves of a hint's line.
const MAX_LINE: usize = 5;

/// Asks for the best move.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HintRequest {
    setup: GameSetup,
    #[serde(default)]
    ms: Option<u64>,
}

#[derive(Debug, Serialize)]
pub(super) struct HintAnswer {
    r#move: String,
    spots: Vec<usize>,
    /// The move, its value and the reasons for it.
    text: String,
    /// The moves expected after it.
    line: Vec<String>,
}

impl HintRequest {
    pub(super) fn answer(
        &self,
        language: Language,
        context: &RequestContext<'_>,
    ) -> Result<HintAnswer, RequestError> {
        let time = time_limit(self.ms, DEFAULT_MS, MAX_MS)?;
        let mut game = self.setup.open_unfinished()?;
        let (advice, mut line) = best_move(&mut game, time, context.control)?;
        line.truncate(MAX_LINE);
        Ok(HintAnswer {
            spots: spots(&game, &advice.mv),
            text: language.render(&Message::Hint(&advice, &line)),
            r#move: advice.mv,
            line,
        })
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

#[derive(Debug, Serialize)]
pub(super) struct ExplainAnswer {
    r#move: String,
    spots: Vec<usize>,
    text: String,
    /// The expected score that the move gives away, from 0 to 1.
    loss: f64,
    /// The warning of the coach; null if the move is good enough.
    warning: Option<String>,
    /// The best move, if it is better.
    better: Option<String>,
    better_spots: Vec<usize>,
    /// The opponent's best reply; null if the move ends the game.
    reply: Option<String>,
}

impl ExplainRequest {
    pub(super) fn answer(
        &self,
        language: Language,
        context: &RequestContext<'_>,
    ) -> Result<ExplainAnswer, RequestError> {
        let time = time_limit(self.ms, DEFAULT_MS, MAX_MS)?;
        let mut game = self.setup.open_unfinished()?;
        let mv = legal_move(&game, &self.r#move)?;
        let explanation = explain(&mut game, &mv, time, context.control)?;
        let loss = explanation.loss();
        let warning = (loss >= MIN_LOSS_FOR_WARNING)
            .then(|| language.render(&Message::Warning(&explanation)));
        let better = explanation.better.as_ref().map(|better| better.mv.clone());
        Ok(ExplainAnswer {
            spots: spots(&game, &mv),
            text: language.render(&Message::Explanation(&explanation)),
            loss,
            warning,
            better_spots: better.as_deref().map(|mv| spots(&game, mv)).unwrap_or_default(),
            better,
            reply: explanation.reply.map(|reply| reply.mv),
            r#move: mv,
        })
    }
}
