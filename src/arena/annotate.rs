//! Annotates recorded games with the value of each move and finds blunders.

use std::time::Duration;

use super::record::{GameRecord, MoveValue};
use super::referee::Rules;
use crate::engine::{AnyGame, EngineError, ThinkOptions};
use crate::protocol::PositionSetup;
use crate::search::{ProvenValue, Score, SearchControl};

/// Why a game cannot be annotated.
#[derive(Debug, thiserror::Error)]
pub enum AnnotateError {
    /// A move or the start position is invalid.
    #[error("ply {ply}: {source}")]
    Ply {
        /// The ply, from 1; 0 for the start position.
        ply: usize,
        /// What is wrong.
        source: EngineError,
    },
    /// The game is not registered.
    #[error(transparent)]
    Game(#[from] EngineError),
    /// The game has engine-defined rules.
    #[error("cannot annotate \"{0}\": its rules are defined by its engines")]
    EngineDefined(String),
}

/// Adds to each move its value and that of the best move. Each position gets up to `time` for a
/// proof or an estimate, and almost none once `control` is stopped. Positions are evaluated from
/// the last to the first, since late proofs are short and remain in the tables for the earlier
/// positions.
///
/// # Errors
/// Fails if the game does not follow the rules; it is unchanged then.
pub fn annotate(
    record: &mut GameRecord,
    time: Duration,
    control: &SearchControl,
) -> Result<(), AnnotateError> {
    let Rules::Known(entry) = Rules::find(&record.game)? else {
        return Err(AnnotateError::EngineDefined(record.game.clone()));
    };
    let mut game = entry.open();
    let at = |ply: usize| move |source| AnnotateError::Ply { ply, source };
    let setup = PositionSetup::from_text(&record.fen);
    let names: Vec<&str> = record.moves.iter().map(|mv| mv.mv.as_str()).collect();
    game.set_position(&setup, &[]).map_err(at(0))?;
    for (index, name) in names.iter().enumerate() {
        game.play_moves(&[name]).map_err(at(index + 1))?;
    }
    let assess =
        |game: &mut dyn AnyGame| game.assess(&ThinkOptions::full_strength(time), &control.child());
    let mut after = assess(&mut *game).map_err(at(names.len()))?.score;
    let mut values = Vec::with_capacity(names.len());
    for ply in (0..names.len()).rev() {
        game.set_position(&setup, &names[..ply]).map_err(at(ply))?;
        let assessment = assess(&mut *game).map_err(at(ply + 1))?;
        let name = game.normalize_move(names[ply]).map_err(at(ply + 1))?;
        let known = assessment.moves.iter().find(|(own, _)| *own == name);
        // A proof of the move or of the position after it takes precedence.
        let value = match (known.map(|(_, score)| *score), after.before_move()) {
            (Some(proven @ Score::Proven(_)), _) => proven,
            (_, proven @ Score::Proven(_)) => proven,
            (known, searched) => known.unwrap_or(searched),
        };
        let best = better(assessment.score, value);
        values.push((move_value(value), move_value(best)));
        after = best;
    }
    for (mv, (value, best)) in record.moves.iter_mut().rev().zip(values) {
        mv.value = Some(value);
        mv.best = Some(best);
    }
    Ok(())
}

/// Returns the score of a position with a move of the given score: proofs take precedence over
/// estimates, and a proven win over everything.
fn better(position: Score, mv: Score) -> Score {
    match (position, mv) {
        (Score::Proven(best), Score::Proven(mv)) => {
            Score::Proven(if mv.nominal() > best.nominal() { mv } else { best })
        }
        (Score::Estimate(_), Score::Proven(win @ ProvenValue::Win(_))) => Score::Proven(win),
        (Score::Estimate(best), Score::Estimate(mv)) => Score::Estimate(best.max(mv)),
        (position, _) => position,
    }
}

fn move_value(score: Score) -> MoveValue {
    match score {
        Score::Estimate(points) => MoveValue::Estimated(points),
        Score::Proven(proven) => MoveValue::Proven(proven.nominal()),
    }
}

/// Returns the index of the first blunder.
#[must_use]
pub fn first_blunder(game: &GameRecord) -> Option<usize> {
    game.moves.iter().position(super::record::MoveRecord::is_blunder)
}
