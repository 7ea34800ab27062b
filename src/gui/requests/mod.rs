//! The JSON interface of the page: what it asks beyond the lines of the protocol.
//!
//! A request is an object with an `id`, the name `ask` and the fields of that name. Answers are
//! plain data in the language of the request, so the page needs no knowledge of the games.

mod advice;
mod analysis;
mod atlas;
mod catalogue;
mod graph;
mod lessons;
mod position;
mod prove;
mod puzzle;
mod ratings;
mod records;
mod report;
mod review;
mod setup;
mod start;

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::interact::KeptSearcher;
use crate::language::Language;
use crate::search::SearchControl;
use crate::thinking::{EngineError, GameSpec, registry};

#[derive(Debug, Clone)]
pub enum ClientMessage {
    Request(Box<Request>),
    Cancel(u64),
}

#[derive(Debug, Clone)]
pub struct Request {
    /// The number that the answer repeats.
    pub id: u64,
    pub language: Language,
    pub ask: Ask,
}

/// Lists each request once: its name, its variant and fields, whether the answer needs searches or
/// proofs, which take up to minutes (all others take milliseconds), and how it is answered.
macro_rules! requests {
    (|$handler:ident, $language:ident, $context:ident|
     $($(#[$doc:meta])* $name:literal $variant:ident($ask:ident: $fields:ty),
     thinks: $thinks:literal => $answer:expr;)*) => {
        #[derive(Debug, Clone, Deserialize)]
        #[serde(tag = "ask")]
        pub enum Ask {
            $($(#[$doc])* #[serde(rename = $name)] $variant($fields),)*
        }

        impl Ask {
            pub const NAMES: &[&str] = &[$($name),*];

            /// Whether the answer needs searches or proofs.
            pub fn thinks(&self) -> bool {
                match self {
                    $(Self::$variant(_) => $thinks,)*
                }
            }
        }

        impl RequestHandler {
            /// Answers a request. Fails if the request cannot be answered; the message says why.
            pub fn answer(
                &self,
                request: &Request,
                $context: &mut RequestContext<'_>,
            ) -> Result<Json, RequestError> {
                let ($handler, $language) = (self, request.language);
                match &request.ask {
                    $(Ask::$variant($ask) => $answer,)*
                }
            }
        }
    };
}

requests! {
    |handler, language, context|
    /// The games, the levels and the settings of the program.
    "games" Games(_ask: catalogue::GamesRequest), thinks: false => Ok(handler.catalogue(language));
    /// A position: what it shows and which moves are legal.
    "position" Position(ask: position::PositionRequest), thinks: false => ask.answer(language);
    /// Why a move is illegal.
    "why_illegal" WhyIllegal(ask: position::WhyIllegalRequest), thinks: false => ask.answer(language);
    /// The best move and the reason for it.
    "hint" Hint(ask: advice::HintRequest), thinks: true => ask.answer(language, context);
    /// Why a move is good or bad.
    "explain" Explain(ask: advice::ExplainRequest), thinks: true => ask.answer(language, context);
    /// A start position.
    "start" Start(ask: start::StartRequest), thinks: true => ask.answer();
    /// The value of every legal move.
    "ratings" Ratings(ask: ratings::RatingsRequest), thinks: true => ask.answer(language, context);
    /// The review of a game.
    "review" Review(ask: review::ReviewRequest), thinks: true => ask.answer(language, context);
    /// The review of a game as a page of its own.
    "report" Report(ask: report::ReportRequest), thinks: false => ask.answer(language);
    /// The lessons of a game.
    "lessons" Lessons(ask: lessons::LessonsRequest), thinks: false => ask.answer(language);
    /// A puzzle.
    "puzzle" Puzzle(ask: puzzle::PuzzleRequest), thinks: true => ask.answer(context);
    /// The ratings of solver and puzzle after a try.
    "rate_puzzle" RatePuzzle(ask: puzzle::RatePuzzleRequest), thinks: false => ask.answer();
    /// All positions of a small game.
    "graph" Graph(ask: graph::GraphRequest), thinks: false => ask.answer();
    /// What the atlas knows about a position.
    "atlas" Atlas(ask: atlas::AtlasRequest), thinks: false => ask.answer(language);
    /// What is known about a game or a position.
    "analysis" Analysis(ask: analysis::AnalysisRequest), thinks: true => ask.answer(language, context);
    /// The games of a record.
    "read_record" ReadRecord(ask: records::ReadRecordRequest), thinks: false => ask.answer();
    /// The record of a game.
    "write_record" WriteRecord(ask: records::WriteRecordRequest), thinks: false => ask.answer();
    /// The exact value of a position.
    "prove" Prove(ask: prove::ProveRequest), thinks: true => ask.answer(language, context);
    /// Passes a line to another engine.
    "engine" Engine(_ask: EngineRequest), thinks: false => Err(RequestError::needs_server());
    /// Restarts another engine.
    "restart_engine" RestartEngine(_ask: RestartEngineRequest), thinks: false
        => Err(RequestError::needs_server());
    /// Sends the report of a running match, now and whenever it changes.
    "watch" Watch(_ask: WatchRequest), thinks: false => Err(RequestError::needs_server());
}

/// A line for another engine.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineRequest {
    pub name: String,
    pub line: String,
}

/// Restarts another engine.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RestartEngineRequest {
    pub name: String,
}

/// Asks for the report of the match that is watched.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WatchRequest {}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidMessage {
    /// The id of the request, if it has one.
    pub id: Option<u64>,
    pub reason: String,
}

impl ClientMessage {
    /// Parses a message. Fails if it is not JSON, or neither a request nor a cancellation.
    pub fn parse(text: &str) -> Result<Self, InvalidMessage> {
        let invalid = |id, reason: String| InvalidMessage { id, reason };
        let mut fields = match serde_json::from_str(text) {
            Ok(Json::Object(fields)) => fields,
            Ok(_) => return Err(invalid(None, "expected a JSON object".to_owned())),
            Err(error) => return Err(invalid(None, format!("invalid JSON: {error}"))),
        };
        if let Some(cancelled) = fields.get("cancel") {
            return match cancelled.as_u64() {
                Some(id) if fields.len() == 1 => Ok(Self::Cancel(id)),
                _ => Err(invalid(None, "expected {\"cancel\": id}".to_owned())),
            };
        }
        let Some(id) = fields.remove("id").and_then(|id| id.as_u64()) else {
            return Err(invalid(None, "id missing, expected a whole number".to_owned()));
        };
        let language = match fields.remove("lang") {
            None => Language::default(),
            Some(code) => code.as_str().and_then(Language::from_code).ok_or_else(|| {
                invalid(Some(id), format!("unknown language {code}, expected \"en\" or \"zh\""))
            })?,
        };
        let unknown = |error: serde_json::Error| invalid(Some(id), error.to_string());
        let ask = Ask::deserialize(Json::Object(fields)).map_err(unknown)?;
        Ok(Self::Request(Box::new(Request { id, language, ask })))
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RequestError {
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
    pub fn internal() -> Self {
        Self::new("internal error")
    }

    /// The answer to a request whose answer would be too long.
    pub fn too_long() -> Self {
        Self::new("the answer is too long")
    }

    /// The answer to a request that only `zermelo gui` can serve.
    fn needs_server() -> Self {
        Self::new("other engines and running matches need `zermelo gui`; this page runs without it")
    }

    /// The answer to a request that was cancelled before it had a result.
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
    /// The searcher of the last advice; the next one continues with it.
    pub searcher: &'a mut KeptSearcher,
}

/// Answers requests. All tabs share one.
#[derive(Debug, Clone)]
pub struct RequestHandler {
    /// The game that the page starts with.
    pub game: &'static GameSpec,
    /// The language that the page starts with; `None` for the browser's.
    pub language: Option<Language>,
    pub engines: Vec<String>,
    pub is_watching: bool,
}

impl Default for RequestHandler {
    fn default() -> Self {
        Self {
            game: registry::default_game(),
            language: None,
            engines: Vec::new(),
            is_watching: false,
        }
    }
}

/// Checks the milliseconds that a request may take.
fn time_limit(ms: Option<u64>, default: u64, max: u64) -> Result<Duration, RequestError> {
    match ms.unwrap_or(default) {
        ms if (1..=max).contains(&ms) => Ok(Duration::from_millis(ms)),
        ms => Err(RequestError::new(format!("invalid ms {ms}, expected 1 to {max}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> (Option<u64>, String) {
        let invalid = ClientMessage::parse(text).unwrap_err();
        (invalid.id, invalid.reason)
    }

    #[test]
    fn invalid_messages_are_refused_with_the_id_they_have() {
        for (text, id, reason) in [
            ("[]", None, "expected a JSON object"),
            ("{", None, "invalid JSON"),
            ("{\"id\":-1,\"ask\":\"games\"}", None, "id missing"),
            ("{\"cancel\":\"7\"}", None, "expected {\"cancel\": id}"),
            ("{\"id\":7}", Some(7), "missing field `ask`"),
            (
                "{\"id\":7,\"ask\":\"quit\"}",
                Some(7),
                "unknown variant `quit`, expected one of `games`",
            ),
            ("{\"id\":7,\"ask\":\"games\",\"lang\":\"fr\"}", Some(7), "unknown language \"fr\""),
            ("{\"id\":7,\"ask\":\"games\",\"file\":\"x\"}", Some(7), "unknown field `file`"),
            ("{\"id\":7,\"ask\":\"position\"}", Some(7), "missing field `setup`"),
        ] {
            let (found, message) = error(text);
            assert_eq!(found, id, "{text}");
            assert!(message.contains(reason), "{text}: {message}");
        }
    }

    #[test]
    fn deeply_nested_json_is_refused() {
        let text = "{\"a\":".repeat(100_000);
        assert!(error(&text).1.contains("invalid JSON"));
    }
}
