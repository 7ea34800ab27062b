//! What the moves of a finished game were worth, and where its value was thrown away. Imports the
//! record, and the desks of the engine with the scores of its search.

use std::time::Duration;

use super::record::{GameRecord, MoveValue};
use super::referee::Rules;
use crate::engine::{AnyGame, EngineError, ThinkOptions};
use crate::protocol::PositionSetup;
use crate::search::{ProvenValue, Score, SearchControl};

/// Why a game cannot be annotated.
#[derive(Debug, thiserror::Error)]
pub enum AnnotateError {
    /// A move, or the position before it.
    #[error("ply {ply}: {source}")]
    Ply {
        /// From 1; 0 is the position it began with.
        ply: usize,
        /// What is wrong.
        source: EngineError,
    },
    /// The game is not one of ours.
    #[error(transparent)]
    Game(#[from] EngineError),
    /// Nobody here knows its rules.
    #[error("the rules of \"{0}\" are known to its engines alone")]
    Unknown(String),
}

/// Adds to each move what it was worth and what the best one was. Each position gets so much time
/// to be proven or judged, and hardly any once the control is told to stop. The last comes first:
/// there proofs are short, and what they found stays in the table for the positions before.
///
/// # Errors
/// When the game does not follow the rules; it is as it was then.
pub fn annotate(
    game: &mut GameRecord,
    time: Duration,
    control: &SearchControl,
) -> Result<(), AnnotateError> {
    let Rules::Known(entry) = Rules::find(&game.game)? else {
        return Err(AnnotateError::Unknown(game.game.clone()));
    };
    let mut desk = entry.open();
    let at = |ply: usize| move |source| AnnotateError::Ply { ply, source };
    let setup = PositionSetup::from_text(&game.fen);
    let names: Vec<&str> = game.moves.iter().map(|mv| mv.mv.as_str()).collect();
    desk.set_position(&setup, &[]).map_err(at(0))?;
    for (index, name) in names.iter().enumerate() {
        desk.play_moves(&[name]).map_err(at(index + 1))?;
    }
    let appraise =
        |desk: &mut dyn AnyGame| desk.assess(&ThinkOptions::full_strength(time), &control.child());
    let mut after = appraise(&mut *desk).map_err(at(names.len()))?.score;
    let mut judged = Vec::with_capacity(names.len());
    for ply in (0..names.len()).rev() {
        desk.set_position(&setup, &names[..ply]).map_err(at(ply))?;
        let appraisal = appraise(&mut *desk).map_err(at(ply + 1))?;
        let name = desk.normalize_move(names[ply]).map_err(at(ply + 1))?;
        let known = appraisal.moves.iter().find(|(own, _)| *own == name);
        // A move that was proven, before or after it was made, is worth that.
        let worth = match (known.map(|(_, score)| *score), before_move(after)) {
            (Some(proven @ Score::Proven(_)), _) => proven,
            (_, proven @ Score::Proven(_)) => proven,
            (known, searched) => known.unwrap_or(searched),
        };
        let best = better(appraisal.score, worth);
        judged.push((worth_of(worth), worth_of(best)));
        after = best;
    }
    for (mv, (worth, best)) in game.moves.iter_mut().rev().zip(judged) {
        mv.value = Some(worth);
        mv.best = Some(best);
    }
    Ok(())
}

/// A value for the mover, as it was for the player who moved there.
fn before_move(score: Score) -> Score {
    match score {
        Score::Estimate(points) => Score::Estimate(-points),
        Score::Proven(exact) => Score::Proven(exact.before_move()),
    }
}

/// What a position is worth where one move is worth `worth`: a proof goes before a judgement, and a
/// proven win before everything.
fn better(position: Score, worth: Score) -> Score {
    match (position, worth) {
        (Score::Proven(best), Score::Proven(worth)) => {
            Score::Proven(if worth.nominal() > best.nominal() { worth } else { best })
        }
        (Score::Estimate(_), Score::Proven(win @ ProvenValue::Win(_))) => Score::Proven(win),
        (Score::Estimate(best), Score::Estimate(worth)) => Score::Estimate(best.max(worth)),
        (position, _) => position,
    }
}

fn worth_of(score: Score) -> MoveValue {
    match score {
        Score::Estimate(points) => MoveValue::Estimated(points),
        Score::Proven(proven) => MoveValue::Proven(proven.nominal()),
    }
}

/// The first move, from 0, that threw a proven value away.
#[must_use]
pub fn first_blunder(game: &GameRecord) -> Option<usize> {
    game.moves.iter().position(super::record::MoveRecord::is_blunder)
}
