//! `review`: what every move of a game kept or lost.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::setup::{GameSetup, spots};
use super::{RequestContext, RequestError, time_limit};
use crate::interact::PlayGame;
use crate::interact::messages::Language;
use crate::protocol::PositionSetup;
use crate::records::{Glyph, ValueKeepingMoves};
use crate::rules::Side;
use crate::teaching::review::{GameReview, MoveReview, ReviewOptions, review_game};

/// Nodes per move: enough for a review that does not keep the user waiting.
const DEFAULT_NODES: u64 = 100_000;
const MAX_NODES: u64 = 5_000_000;
const MAX_MS: u64 = 10_000;
/// The maximum number of moves of a better line.
const MAX_LINE: usize = 8;
/// The loss below which another move is not called better.
const MIN_LOSS: f64 = 0.03;

/// Asks for the review of a game.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewRequest {
    setup: GameSetup,
    /// Nodes per move.
    #[serde(default)]
    nodes: Option<u64>,
    /// Time per move.
    #[serde(default)]
    ms: Option<u64>,
}

#[derive(Debug, Serialize)]
pub(super) struct ReviewAnswer {
    /// Whether every move is reviewed; a review that was cancelled lacks the first moves.
    complete: bool,
    moves: Vec<ReviewedMove>,
    /// The first player's expected score before the first reviewed move.
    start_expected: Option<f64>,
    /// In per cent, of both players.
    accuracy: [Option<f64>; 2],
    players: [ReviewedPlayer; 2],
    /// The plies of the moves that turned the game.
    turning_points: Vec<usize>,
}

#[derive(Debug, Serialize)]
struct ReviewedMove {
    ply: usize,
    side: usize,
    r#move: String,
    spots: Vec<usize>,
    /// `??`, `?`, `?!`, `!` or null.
    mark: Option<Glyph>,
    mark_text: Option<&'static str>,
    /// The reasons for and against the move, and what was better.
    text: String,
    /// The values before and after the move, for the player who made it.
    before: String,
    after: String,
    /// The first player's expected score after the move.
    expected: f64,
    is_proven: bool,
    loss: f64,
    best: String,
    best_spots: Vec<usize>,
    /// The best move and the line expected after it.
    line: Vec<String>,
    keep: ValueKeepingMoves,
}

#[derive(Debug, Serialize)]
struct ReviewedPlayer {
    moves: usize,
    proven_moves: usize,
    mean_loss: f64,
    /// The number of each mark.
    marks: Vec<MarkCount>,
}

#[derive(Debug, Serialize)]
struct MarkCount {
    mark: Glyph,
    mark_text: &'static str,
    count: usize,
}

impl ReviewRequest {
    pub(super) fn answer(
        &self,
        language: Language,
        context: &mut RequestContext<'_>,
    ) -> Result<ReviewAnswer, RequestError> {
        let time = self.ms.map(|ms| time_limit(Some(ms), ms, MAX_MS)).transpose()?;
        let nodes = self.nodes.or(if time.is_none() { Some(DEFAULT_NODES) } else { None });
        if let Some(nodes) = nodes.filter(|nodes| !(1..=MAX_NODES).contains(nodes)) {
            let reason = format!("invalid nodes {nodes}, expected 1 to {MAX_NODES}");
            return Err(RequestError::new(reason));
        }
        let time = time.or(Some(Duration::from_millis(MAX_MS)));
        let game = self.setup.open()?;
        let start = self.setup.start.as_deref();
        let start = start.map_or(PositionSetup::Start, PositionSetup::from_text);
        let moves: Vec<&str> = self.setup.moves.iter().map(String::as_str).collect();
        let options = ReviewOptions { nodes, time, threads: 1 };
        let progress = &mut context.progress;
        let mut report = |done: usize, of: usize| progress(json!({ "done": done, "of": of }));
        let review =
            review_game(game.entry, &start, &moves, &options, context.control, &mut report)?;
        Ok(to_answer(&game, &review, language))
    }
}

fn to_answer(game: &PlayGame, review: &GameReview, language: Language) -> ReviewAnswer {
    let turning_points = review.turning_points.iter().map(|index| review.moves[*index].ply);
    let first = review.moves.first();
    ReviewAnswer {
        complete: review.is_complete(),
        start_expected: first.map(|mv| for_first_player(mv.side, mv.before.expected())),
        moves: review.moves.iter().map(|mv| to_move(game, mv, language)).collect(),
        accuracy: review.players.each_ref().map(|player| player.accuracy),
        players: review.players.each_ref().map(|player| ReviewedPlayer {
            moves: player.moves,
            proven_moves: player.proven_moves,
            mean_loss: player.mean_loss,
            marks: Glyph::ALL
                .map(|mark| MarkCount {
                    mark,
                    mark_text: language.mark_name(mark),
                    count: player.marks.total(mark),
                })
                .into(),
        }),
        turning_points: turning_points.collect(),
    }
}

fn to_move(game: &PlayGame, mv: &MoveReview, language: Language) -> ReviewedMove {
    let best = mv.best_move();
    ReviewedMove {
        ply: mv.ply,
        side: mv.side.index(),
        r#move: mv.mv.clone(),
        spots: spots(game, &mv.mv),
        mark: mv.mark,
        mark_text: mv.mark.map(|mark| language.mark_name(mark)),
        text: describe(mv, language),
        before: language.short_score(mv.before),
        after: language.short_score(mv.after),
        expected: for_first_player(mv.side, mv.after.expected()),
        is_proven: mv.is_proven(),
        loss: mv.loss(),
        best: best.to_owned(),
        best_spots: spots(game, best),
        line: mv.best_line.iter().take(MAX_LINE).cloned().collect(),
        keep: mv.keeping,
    }
}

/// The reasons for and against a move, and what was better.
fn describe(mv: &MoveReview, language: Language) -> String {
    let mut sentences = Vec::new();
    let reasons = language.reasons(&mv.reasons);
    if !reasons.is_empty() {
        sentences.push(language.sentence(&reasons));
    }
    let best = mv.best_move();
    if best != mv.mv && mv.loss() >= MIN_LOSS {
        let mut better = language.better_move(best, &mv.best_reasons);
        let rest = &mv.best_line[1..mv.best_line.len().min(MAX_LINE)];
        if !rest.is_empty() {
            better += &language.line_after(rest);
        }
        sentences.push(language.sentence(&better));
    }
    language.join_sentences(&sentences)
}

/// Converts an expected score of a side to that of the first player.
fn for_first_player(side: Side, expected: f64) -> f64 {
    if side == Side::P1 { expected } else { 1.0 - expected }
}
