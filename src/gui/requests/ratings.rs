//! `ratings`: the value of every legal move, exact where it is known.

use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::setup::{GameSetup, spots};
use super::{RequestContext, RequestError, time_limit};
use crate::interact::PlayGame;
use crate::language::Language;
use crate::search::PvLine;
use crate::thinking::SearchRequest;

const DEFAULT_MS: u64 = 2000;
const MAX_MS: u64 = 60_000;
const MAX_NODES: u64 = 50_000_000;

/// The shares of the limits for the rounds, in percent. Each round starts from the proofs of the one
/// before, and all but the last are reported as progress.
const ROUNDS: [u64; 3] = [10, 30, 60];

/// Asks for the value of every legal move.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatingsRequest {
    setup: GameSetup,
    /// The time; the default unless `nodes` is given.
    #[serde(default)]
    ms: Option<u64>,
    /// The number of nodes, for repeatable answers.
    #[serde(default)]
    nodes: Option<u64>,
}

impl RatingsRequest {
    pub(super) fn answer(
        &self,
        language: Language,
        context: &mut RequestContext<'_>,
    ) -> Result<Json, RequestError> {
        let time = match (self.ms, self.nodes) {
            (None, Some(_)) => None,
            (ms, _) => Some(time_limit(ms, DEFAULT_MS, MAX_MS)?),
        };
        if let Some(nodes) = self.nodes.filter(|nodes| !(1..=MAX_NODES).contains(nodes)) {
            let reason = format!("invalid nodes {nodes}, expected 1 to {MAX_NODES}");
            return Err(RequestError::new(reason));
        }
        let mut game = self.setup.open_unfinished(context.searcher)?;
        let mut answer = Json::Null;
        for (round, share) in ROUNDS.into_iter().enumerate() {
            let nodes = self.nodes.map(|nodes| (nodes * share / 100).max(1));
            let time = time.map(|time| time * share as u32 / 100);
            let request = SearchRequest::assess_all(nodes, time, 1);
            let control = context.control.child();
            let report = game.position.prepare(&request)?.run(&control, &mut |_| {})?;
            // A round that was stopped knows less than the one before.
            if !answer.is_null() && context.control.is_stopped() {
                break;
            }
            let moves = report.lines.iter().map(|own| rate(&game, own, language));
            answer = json!({ "moves": moves.collect::<Vec<_>>() });
            let is_proven = report.lines.iter().all(|own| own.score.proven().is_some());
            if game.spec.is_solved || is_proven {
                break;
            }
            if round + 1 < ROUNDS.len() {
                (context.progress)(answer.clone());
            }
        }
        Ok(answer)
    }
}

/// A move with its value for the side to move; `plies` is the distance to the end, if known.
fn rate(game: &PlayGame, assessed: &PvLine<String>, language: Language) -> Json {
    let proven = assessed.score.proven();
    json!({
        "move": assessed.mv(),
        "spots": spots(game, assessed.mv()),
        "expected": assessed.score.expected(),
        "is_proven": proven.is_some(),
        "value": proven.map(|proven| proven.value().to_string()),
        "plies": assessed.score.distance(),
        "text": language.short_score(assessed.score),
        "line": assessed.moves,
    })
}
