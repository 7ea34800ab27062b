//! The review of a game as a line of JSON.

use serde::Serialize;

use super::ReviewedGame;
use crate::analysis::reasons::Reason;
use crate::records::{Glyph, ValueKeepingMoves};
use crate::records::{SCHEMA, result_text};
use crate::rules::Side;
use crate::search::{ProvenValue, Score};
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
    /// Whether every move is reviewed.
    complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    moves: Vec<MoveLine<'a>>,
    summary: [PlayerLine; 2],
    /// The plies of the turning points.
    turning_points: Vec<usize>,
    /// The ply of the loser's costliest move, if none of its moves is a turning point.
    costliest: Option<usize>,
}

#[derive(Serialize)]
struct MoveLine<'a> {
    ply: usize,
    /// 1 or 2.
    player: usize,
    r#move: &'a str,
    before: ScoreLine,
    after: ScoreLine,
    loss: f64,
    best: &'a str,
    line: &'a [String],
    keep: ValueKeepingMoves,
    mark: Option<Glyph>,
    /// Whether the match runner chose the move, so that it is not graded.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    book: bool,
    reasons: &'a [Reason],
    best_reasons: &'a [Reason],
}

/// A score from the point of view of the mover.
#[derive(Serialize)]
struct ScoreLine {
    expected: f64,
    certainty: &'static str,
    /// `win`, `draw`, `loss`, or `unknown` if not proven.
    value: String,
    /// The distance to the end of the game, if known.
    plies: Option<u16>,
    /// The length of the line that proves a win or loss whose distance is not known.
    line_plies: Option<u16>,
}

#[derive(Serialize)]
struct PlayerLine {
    moves: usize,
    proven_moves: usize,
    accuracy: Option<f64>,
    mean_loss: f64,
    marks: Vec<MarkLine>,
}

#[derive(Serialize)]
struct MarkLine {
    mark: Glyph,
    proven: usize,
    estimated: usize,
}

pub(super) fn to_line(game: &ReviewedGame) -> serde_json::Result<String> {
    let ReviewedGame { number, record, review, error } = game;
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
        moves: review.moves.iter().map(move_line).collect(),
        summary: review.players.each_ref().map(player_line),
        turning_points: turning_points.collect(),
        costliest: review.costliest_mistake().map(|mv| mv.ply),
    })
}

fn move_line(mv: &MoveReview) -> MoveLine<'_> {
    MoveLine {
        ply: mv.ply,
        player: if mv.side == Side::P1 { 1 } else { 2 },
        r#move: &mv.mv,
        before: score_line(mv.before),
        after: score_line(mv.after),
        loss: rounded(mv.loss()),
        best: mv.best_move(),
        line: &mv.best_line,
        keep: mv.keeping,
        mark: mv.mark,
        book: mv.is_book,
        reasons: &mv.reasons,
        best_reasons: &mv.best_reasons,
    }
}

fn score_line(score: Score) -> ScoreLine {
    let proven = score.proven();
    ScoreLine {
        expected: rounded(score.expected()),
        certainty: if proven.is_some() { "proven" } else { "estimated" },
        value: proven.map_or("unknown".to_owned(), |proven| proven.value().to_string()),
        plies: proven.filter(|proven| proven.is_exact()).and_then(ProvenValue::plies),
        line_plies: proven.filter(|proven| !proven.is_exact()).and_then(ProvenValue::plies),
    }
}

fn player_line(player: &PlayerReview) -> PlayerLine {
    let line = |mark| MarkLine {
        mark,
        proven: player.marks.proven(mark),
        estimated: player.marks.estimated(mark),
    };
    PlayerLine {
        moves: player.moves,
        proven_moves: player.proven_moves,
        accuracy: player.accuracy.map(rounded),
        mean_loss: rounded(player.mean_loss),
        marks: Glyph::ALL.map(line).into(),
    }
}

/// Four decimals, more than an estimate deserves.
fn rounded(number: f64) -> f64 {
    (10_000.0 * number).round() / 10_000.0
}
