//! A record looked at again: whether its games follow the rules and end as it says. Imports the
//! record and the referee.

use super::record::{GameRecord, Termination, result_text};
use super::referee::{GameState, Opening, RefereeBoard, Rules};

/// Plays a game again and corrects a result that the rules do not give. A game that only the
/// engines know is left as it is.
///
/// # Errors
/// Says what is wrong with the game: a move that is not legal, a game that goes on where it should
/// be over, a result that was corrected.
pub fn correct(game: &mut GameRecord) -> Result<(), String> {
    let rules = Rules::find(&game.game).map_err(|error| error.to_string())?;
    if rules == Rules::EngineDefined {
        return Ok(());
    }
    let mut board =
        RefereeBoard::new(rules, &Opening::parse(&game.fen)).map_err(|error| error.to_string())?;
    for (ply, mv) in game.moves.iter().enumerate() {
        board.play(&mv.mv).map_err(|reason| format!("ply {}: {reason}", ply + 1))?;
    }
    match (board.state(), game.termination) {
        // An engine that did not quit lost a game that was over.
        (Some(GameState::Over(_)), Termination::Quit) => Ok(()),
        (Some(GameState::Over(outcome)), termination) => {
            let told = game.result.replace(outcome);
            game.termination = Termination::Normal;
            if told != Some(outcome) {
                let [told, result] = [told, game.result].map(result_text);
                return Err(format!("the result is {told} in the record, {result} by the rules"));
            }
            if termination != Termination::Normal {
                return Err(format!("ended by {termination} in the record, by the rules here"));
            }
            Ok(())
        }
        // Who left a game unfinished claims no result.
        (Some(GameState::Ongoing(_)), Termination::Normal) if game.result.is_some() => {
            let told = result_text(game.result.take());
            Err(format!("the result is {told} in the record, but the game is not over"))
        }
        _ => Ok(()),
    }
}
