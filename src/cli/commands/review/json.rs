//! The review of a game as a line of JSON.

use serde::Serialize;
use serde_json::{Value as Json, json};

use super::ReviewedGame;
use crate::records::{Glyph, SCHEMA, result_text};
use crate::rules::ExactValue;
use crate::rules::Side;
use crate::search::Score;
use crate::teaching::review::{MoveReview, PlayerReview};

#[derive(Serialize)]
struct ReviewLine<'a> {
    r#type: &'static str,
    schema: u32,
    number: u32,
    game: &'a str,
    players: &'a [String; 2],
    fen: &'a str,
    result: &'static str,
    complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    moves: Vec<Json>,
    summary: [Json; 2],
    turning_points: Vec<usize>,
    /// The ply of the loser's costliest move, if none of its moves is a turning point.
    costliest: Option<usize>,
}

pub(super) fn to_line(game: &ReviewedGame) -> serde_json::Result<String> {
    let ReviewedGame { number, record, review, error, .. } = game;
    let turning_points = review.turning_points.iter().map(|index| review.moves[*index].ply);
    serde_json::to_string(&ReviewLine {
        r#type: "review",
        schema: SCHEMA,
        number: *number,
        game: &record.game,
        players: &record.players,
        fen: &record.fen,
        result: result_text(record.result),
        complete: review.is_complete() && error.is_none(),
        error: error.as_deref(),
        moves: review.moves.iter().map(move_json).collect(),
        summary: review.players.each_ref().map(player_json),
        turning_points: turning_points.collect(),
        costliest: review.costliest_mistake().map(|mv| mv.ply),
    })
}

fn move_json(mv: &MoveReview) -> Json {
    let mut json = json!({
        "ply": mv.ply,
        "player": if mv.side == Side::P1 { 1 } else { 2 },
        "move": mv.mv,
        "before": score_json(mv.before),
        "after": score_json(mv.after),
        "loss": rounded(mv.loss()),
        "best": mv.best_move(),
        "line": mv.best_line,
        "keep": mv.keeping,
        "mark": mv.mark,
        "reasons": mv.reasons,
        "best_reasons": mv.best_reasons,
    });
    if mv.is_book {
        // The match runner chose the move, so it is not graded.
        json["book"] = true.into();
    }
    json
}

/// A score from the point of view of the mover.
fn score_json(score: Score) -> Json {
    let proven = score.proven();
    json!({
        "expected": rounded(score.expected()),
        "certainty": if proven.is_some() { "proven" } else { "estimated" },
        "value": proven.map_or("unknown".to_owned(), |proven| proven.value().to_string()),
        // The distance to the end of the game, or the length of a line that proves a win or loss.
        "plies": score.distance(),
        "line_plies": proven.filter(|_| score.distance().is_none()).and_then(ExactValue::plies),
    })
}

fn player_json(player: &PlayerReview) -> Json {
    let marks = Glyph::ALL.map(|mark| {
        let (proven, estimated) = (player.marks.proven(mark), player.marks.estimated(mark));
        json!({ "mark": mark, "proven": proven, "estimated": estimated })
    });
    json!({
        "moves": player.moves,
        "choices": player.choices,
        "proven_moves": player.proven_moves,
        "accuracy": player.accuracy.map(rounded),
        "mean_loss": rounded(player.mean_loss),
        "marks": marks,
    })
}

/// Four decimals, more than an estimate deserves.
fn rounded(number: f64) -> f64 {
    (10_000.0 * number).round() / 10_000.0
}
