//! The JSON interface of the page: what it asks beyond the lines of the protocol.
//!
//! A request is an object with an `id`, the name `ask` and the fields of that name. Answers are
//! plain data in the language of the request, so the page needs no knowledge of the games.

mod advice;
mod analysis;
mod catalogue;
mod graph;
mod message;
mod picture;
mod position;
mod prove;
mod puzzle;
mod ratings;
mod records;
mod review;
mod setup;
mod start;

use std::time::Duration;

use serde::Serialize;
use serde_json::Value as Json;

pub use message::{Ask, ClientMessage, InvalidMessage, Request};

use crate::interact::messages::Language;
use crate::search::SearchControl;
use crate::thinking::EngineError;
use crate::thinking::registry;
use crate::thinking::registry::GameEntry;

/// Why a request was refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RequestError {
    /// The reason.
    pub message: String,
    /// The ply of the illegal move, from 1, or 0 for the start position, if that is the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ply: Option<usize>,
}

impl RequestError {
    fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), ply: None }
    }

    /// The answer to a request that failed because of a bug.
    #[must_use]
    pub fn internal() -> Self {
        Self::new("internal error")
    }

    /// The answer to a request that was cancelled before it had a result.
    #[must_use]
    pub fn cancelled() -> Self {
        Self::new("cancelled")
    }
}

impl From<EngineError> for RequestError {
    fn from(error: EngineError) -> Self {
        Self::new(error.to_string())
    }
}

/// The circumstances of a request: how it is cancelled and where its progress goes.
pub struct RequestContext<'a> {
    /// Stops the work when the request is cancelled.
    pub control: &'a SearchControl,
    /// Receives the progress of long requests.
    pub progress: &'a mut dyn FnMut(Json),
}

/// Answers requests. All tabs share one.
#[derive(Debug, Clone)]
pub struct RequestHandler {
    /// The game that the page starts with.
    pub game: &'static GameEntry,
    /// The language that the page starts with; `None` for that of the browser.
    pub language: Option<Language>,
    /// The names of the other engines.
    pub engines: Vec<String>,
    /// Whether a match is being watched.
    pub is_watching: bool,
}

impl Default for RequestHandler {
    fn default() -> Self {
        Self {
            game: registry::DEFAULT_GAME,
            language: None,
            engines: Vec::new(),
            is_watching: false,
        }
    }
}

impl RequestHandler {
    /// Answers a request.
    ///
    /// # Errors
    /// Fails if the request cannot be answered; the message says why.
    pub fn answer(
        &self,
        request: &Request,
        context: &mut RequestContext<'_>,
    ) -> Result<Json, RequestError> {
        let language = request.language;
        match &request.ask {
            Ask::Games(_) => to_json(&self.catalogue(language)),
            Ask::Position(ask) => to_json(&ask.answer(language)?),
            Ask::WhyIllegal(ask) => to_json(&ask.answer(language)?),
            Ask::Hint(ask) => to_json(&ask.answer(language, context)?),
            Ask::Explain(ask) => to_json(&ask.answer(language, context)?),
            Ask::Start(ask) => to_json(&ask.answer()?),
            Ask::Ratings(ask) => to_json(&ask.answer(language, context)?),
            Ask::Review(ask) => to_json(&ask.answer(language, context)?),
            Ask::Puzzle(ask) => to_json(&ask.answer(language, context)?),
            Ask::Graph(ask) => to_json(&ask.answer()?),
            Ask::Analysis(ask) => to_json(&ask.answer(language, context)?),
            Ask::ReadRecord(ask) => to_json(&ask.answer()?),
            Ask::WriteRecord(ask) => to_json(&ask.answer()?),
            Ask::Picture(ask) => to_json(&ask.answer(language)?),
            Ask::Prove(ask) => to_json(&ask.answer(language, context)?),
            Ask::Engine(_) | Ask::RestartEngine(_) | Ask::Watch(_) => Err(RequestError::new(
                "other engines and running matches need `zermelo gui`; this page runs without it",
            )),
        }
    }
}

fn to_json(answer: &impl Serialize) -> Result<Json, RequestError> {
    serde_json::to_value(answer).map_err(|error| RequestError::new(error.to_string()))
}

/// Checks the milliseconds that a request may take.
fn time_limit(ms: Option<u64>, default: u64, max: u64) -> Result<Duration, RequestError> {
    match ms.unwrap_or(default) {
        ms if (1..=max).contains(&ms) => Ok(Duration::from_millis(ms)),
        ms => Err(RequestError::new(format!("invalid ms {ms}, expected 1 to {max}"))),
    }
}
