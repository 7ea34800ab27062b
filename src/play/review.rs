//! A finished game looked over: where it turned. Imports the annotations of the arena.

use std::time::Duration;

use crate::arena::annotate::{AnnotateError, annotate};
use crate::arena::record::{GameRecord, MoveValue};
use crate::engine::{EngineError, ThinkOptions, registry};
use crate::protocol::PositionSetup;
use crate::search::{ProvenValue, Score, SearchControl};

/// A move that threw something away, and what would have been right, if that is known.
pub(super) struct Turn {
    /// The ply, from 0.
    pub(super) index: usize,
    pub(super) right: Option<String>,
}

/// Where a game turned, first and last; `time` is what the engine took for a move. The record is
/// annotated.
pub(super) fn turns(
    record: &mut GameRecord,
    time: Duration,
    control: &SearchControl,
) -> Result<Vec<Turn>, AnnotateError> {
    // A person waits: a few seconds at most for a long game.
    let each = (time / 16).min(Duration::from_millis(60));
    let best = (time / 2).min(Duration::from_millis(500));
    annotate(record, each, control)?;
    let blunders = || record.moves.iter().enumerate().filter(|(_, mv)| mv.is_blunder());
    let ends = [blunders().next(), blunders().next_back()];
    let mut indices: Vec<usize> = ends.into_iter().flatten().map(|(index, _)| index).collect();
    indices.dedup();
    let mut desk = registry::find(&record.game)?.open();
    let mut right = |index: usize| -> Result<Option<String>, EngineError> {
        let names: Vec<&str> = record.moves[..index].iter().map(|mv| mv.mv.as_str()).collect();
        desk.set_position(&PositionSetup::from_text(&record.fen), &names)?;
        let found = desk.assess(&ThinkOptions::full_strength(best), &control.child())?;
        let value = |score: Score| score.proven().map(ProvenValue::value);
        let is_right = value(found.score) == value(score(record.moves[index].best));
        Ok(found.line.into_iter().next().filter(|_| is_right))
    };
    indices.into_iter().map(|index| Ok(Turn { index, right: right(index)? })).collect()
}

/// As a search tells it.
pub(super) fn score(worth: Option<MoveValue>) -> Score {
    match worth {
        Some(MoveValue::Proven(exact)) => Score::Proven(ProvenValue::from_line(exact)),
        Some(MoveValue::Estimated(points)) => Score::Estimate(points),
        None => Score::Estimate(0),
    }
}
