//! `ratings`: the value of every legal move, exact where it is known.

use serde::{Deserialize, Serialize};

use super::setup::{GameSetup, spots};
use super::{RequestContext, RequestError, time_limit, to_json};
use crate::interact::PlayGame;
use crate::interact::messages::Language;
use crate::search::{ProvenValue, PvLine};
use crate::thinking::Question;

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

#[derive(Debug, Serialize)]
pub(super) struct RatingsAnswer {
    /// The moves, best first.
    moves: Vec<RatedMove>,
}

#[derive(Debug, Serialize)]
struct RatedMove {
    r#move: String,
    spots: Vec<usize>,
    /// The expected score for the side to move, from 0 to 1.
    expected: f64,
    is_proven: bool,
    /// `win`, `draw` or `loss`, if proven.
    value: Option<String>,
    /// The distance to the end of the game, if known.
    plies: Option<u16>,
    text: String,
    line: Vec<String>,
}

impl RatingsRequest {
    pub(super) fn answer(
        &self,
        language: Language,
        context: &mut RequestContext<'_>,
    ) -> Result<RatingsAnswer, RequestError> {
        let time = match (self.ms, self.nodes) {
            (None, Some(_)) => None,
            (ms, _) => Some(time_limit(ms, DEFAULT_MS, MAX_MS)?),
        };
        if let Some(nodes) = self.nodes.filter(|nodes| !(1..=MAX_NODES).contains(nodes)) {
            let reason = format!("invalid nodes {nodes}, expected 1 to {MAX_NODES}");
            return Err(RequestError::new(reason));
        }
        let mut game = self.setup.open_unfinished()?;
        let mut answer = RatingsAnswer { moves: Vec::new() };
        for (round, share) in ROUNDS.into_iter().enumerate() {
            let nodes = self.nodes.map(|nodes| (nodes * share / 100).max(1));
            let time = time.map(|time| time * share as u32 / 100);
            let question = Question::all_moves(nodes, time, 1);
            let control = context.control.child();
            let report = game.position.think(&question, &control, &mut |_| {})?;
            // A round that was stopped knows less than the one before.
            if !answer.moves.is_empty() && context.control.is_stopped() {
                break;
            }
            answer.moves = report.lines.iter().map(|own| rate(&game, own, language)).collect();
            if game.entry.is_solved || answer.moves.iter().all(|mv| mv.is_proven) {
                break;
            }
            if round + 1 < ROUNDS.len() {
                (context.progress)(to_json(&answer)?);
            }
        }
        Ok(answer)
    }
}

fn rate(game: &PlayGame, assessed: &PvLine<String>, language: Language) -> RatedMove {
    let proven = assessed.score.proven();
    RatedMove {
        r#move: assessed.mv().clone(),
        spots: spots(game, assessed.mv()),
        expected: assessed.score.expected(),
        is_proven: proven.is_some(),
        value: proven.map(|proven| proven.value().to_string()),
        plies: proven.filter(|proven| proven.is_exact()).and_then(ProvenValue::plies),
        text: language.short_score(assessed.score),
        line: assessed.moves.clone(),
    }
}
