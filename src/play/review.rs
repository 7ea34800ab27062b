//! Review of a finished game: where its outcome changed.

use std::time::Duration;

use crate::arena::annotate::{AnnotateError, annotate};
use crate::arena::record::{GameRecord, MoveValue};
use crate::engine::{EngineError, ThinkOptions, registry};
use crate::protocol::PositionSetup;
use crate::search::{ProvenValue, Score, SearchControl};

/// A move that gave a proven value away.
pub(super) struct TurningPoint {
    /// The ply, from 0.
    pub(super) index: usize,
    /// A move that would have kept the value, if known.
    pub(super) better_move: Option<String>,
}

/// Annotates the record and returns its first and last turning points. `move_time` is what the
/// engine took per move; the review spends a fraction of it on each.
pub(super) fn find_turning_points(
    record: &mut GameRecord,
    move_time: Duration,
    control: &SearchControl,
) -> Result<Vec<TurningPoint>, AnnotateError> {
    // Even after a long game, the review keeps the person waiting for a few seconds at most.
    let annotation_time = (move_time / 16).min(Duration::from_millis(60));
    let better_move_time = (move_time / 2).min(Duration::from_millis(500));
    annotate(record, annotation_time, control)?;
    let mistakes = || record.moves.iter().enumerate().filter(|(_, mv)| mv.is_blunder());
    let ends = [mistakes().next(), mistakes().next_back()];
    let mut indices: Vec<usize> = ends.into_iter().flatten().map(|(index, _)| index).collect();
    indices.dedup();
    let mut position = registry::find(&record.game)?.open();
    let mut find_better = |index: usize| -> Result<Option<String>, EngineError> {
        let names: Vec<&str> = record.moves[..index].iter().map(|mv| mv.mv.as_str()).collect();
        position.set_position(&PositionSetup::from_text(&record.fen), &names)?;
        let found =
            position.assess(&ThinkOptions::full_strength(better_move_time), &control.child())?;
        let value = |score: Score| score.proven().map(ProvenValue::value);
        let keeps_value = value(found.score) == value(to_score(record.moves[index].best));
        Ok(found.line.into_iter().next().filter(|_| keeps_value))
    };
    let turning_point = |index: usize| Ok(TurningPoint { index, better_move: find_better(index)? });
    indices.into_iter().map(turning_point).collect()
}

/// The annotated value of a move as a search score.
pub(super) fn to_score(value: Option<MoveValue>) -> Score {
    match value {
        Some(MoveValue::Proven(exact)) => Score::Proven(ProvenValue::from_line(exact)),
        Some(MoveValue::Estimated(points)) => Score::Estimate(points),
        None => Score::Estimate(0),
    }
}
