//! `review`: what every move of a game kept or lost.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::setup::{GameSetup, spots, spots_named};
use super::{RequestContext, RequestError, time_limit};
use crate::interact::PlayGame;
use crate::interact::review::{is_improvable, turning_places};
use crate::language::Language;
use crate::records::Glyph;
use crate::rules::{Side, StartPosition};
use crate::search::Score;
use crate::teaching::annotate::annotate;
use crate::teaching::review::{GameReview, MoveReview, ReviewOptions, review_game};

const MAX_NODES: u64 = 5_000_000;
const MAX_MS: u64 = 10_000;
/// The maximum number of moves of a better line.
const MAX_LINE: usize = 8;

/// Asks for the review of a game.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewRequest {
    setup: GameSetup,
    /// Nodes per move; as many as `zermelo review` searches unless `ms` is given.
    #[serde(default)]
    nodes: Option<u64>,
    /// Time per move.
    #[serde(default)]
    ms: Option<u64>,
}

impl ReviewRequest {
    pub(super) fn answer(
        &self,
        language: Language,
        context: &mut RequestContext<'_>,
    ) -> Result<Json, RequestError> {
        let time = self.ms.map(|ms| time_limit(Some(ms), ms, MAX_MS)).transpose()?;
        let nodes =
            self.nodes.or(if time.is_none() { Some(ReviewOptions::DEFAULT_NODES) } else { None });
        if let Some(nodes) = nodes.filter(|nodes| !(1..=MAX_NODES).contains(nodes)) {
            let reason = format!("invalid nodes {nodes}, expected 1 to {MAX_NODES}");
            return Err(RequestError::new(reason));
        }
        let time = time.or(Some(Duration::from_millis(MAX_MS)));
        let mut game = self.setup.open_with(context.searcher)?;
        let start = self.setup.start.as_deref();
        let start = start.map_or(StartPosition::Initial, StartPosition::from_text);
        let moves: Vec<&str> = self.setup.moves.iter().map(String::as_str).collect();
        let options = ReviewOptions { nodes, time, threads: 1 };
        let progress = &mut context.progress;
        let mut report = |done: usize, of: usize| progress(json!({ "done": done, "of": of }));
        let position = game.position.as_mut();
        let review = review_game(position, &start, &moves, &options, context.control, &mut report)?;
        let searched = nodes.filter(|_| !game.spec.is_solved);
        Ok(to_answer(&game, &review, searched, language))
    }
}

fn to_answer(game: &PlayGame, review: &GameReview, nodes: Option<u64>, language: Language) -> Json {
    let mut record = game.to_record(0);
    annotate(&mut record, review);
    let turning_points = review.turning_points.iter().map(|index| review.moves[*index].ply);
    let first = review.moves.first();
    let players = review.players.each_ref().map(|player| {
        let marks = Glyph::ALL.map(|mark| {
            let (mark_text, count) = (language.mark_name(mark), player.marks.total(mark));
            json!({ "mark": mark, "mark_text": mark_text, "count": count })
        });
        json!({
            "moves": player.moves,
            "proven_moves": player.proven_moves,
            "choices": player.choices,
            "mean_loss": player.mean_loss,
            "loss": player.total_loss(),
            "marks": marks,
        })
    });
    json!({
        "complete": review.is_complete(),
        "nodes": nodes,
        "start_expected": first.map(|mv| for_first_player(mv.side, mv.before.expected())),
        "moves": review.moves.iter().map(|mv| to_move(game, review, mv, language)).collect::<Vec<_>>(),
        "accuracy": review.players.each_ref().map(|player| player.accuracy),
        "players": players,
        "turning_points": turning_points.collect::<Vec<_>>(),
        "record": record.to_pgn(),
    })
}

fn to_move(game: &PlayGame, review: &GameReview, mv: &MoveReview, language: Language) -> Json {
    let best = mv.best_move();
    let (reply, places) = turning_places(review, mv);
    let texts = BTreeMap::from(
        Language::ALL.map(|(code, own)| (code, own.reviewed_move(review, mv, MAX_LINE))),
    );
    let values = [mv.before, mv.after].map(|score| to_value(mv.side, score));
    json!({
        "ply": mv.ply,
        "side": mv.side.index(),
        "move": mv.mv,
        "spots": spots(game, &mv.mv),
        "mark": mv.mark,
        "mark_text": mv.mark.map(|mark| language.mark_name(mark)),
        "text": texts[language.code()],
        "texts": texts,
        "values": values,
        "before": language.short_score(mv.before),
        "after": language.short_score(mv.after),
        "expected": for_first_player(mv.side, mv.after.expected()),
        "is_proven": mv.is_proven(),
        "loss": mv.loss(),
        "best": best,
        "best_spots": spots(game, best),
        "is_improvable": is_improvable(mv),
        "reply_spots": reply.map(|reply| spots(game, reply)).unwrap_or_default(),
        "frames": spots_named(game, &places),
        "line": &mv.best_line[..mv.best_line.len().min(MAX_LINE)],
        "keep": mv.keeping,
    })
}

/// A value as numbers; `plies` is the distance to the end, if it is known.
fn to_value(side: Side, score: Score) -> Json {
    json!({
        "expected": for_first_player(side, score.expected()),
        "is_proven": score.proven().is_some(),
        "plies": score.distance(),
    })
}

/// Converts an expected score of a side to that of the first player.
fn for_first_player(side: Side, expected: f64) -> f64 {
    if side == Side::P1 { expected } else { 1.0 - expected }
}
