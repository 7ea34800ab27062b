//! Checks whether recorded games follow the rules and have the right result.

use crate::arena::games::game_choice::{BookLine, GameChoice};
use crate::arena::games::referee::{GameState, RefereeBoard};
use crate::records::{GameRecord, Termination, result_text};

/// Replays a game.
/// Returns what is wrong: an illegal move, or a result or termination that contradicts the rules.
pub(crate) fn check(game: &GameRecord) -> Result<(), String> {
    let checked = check_and_correct(&mut game.clone());
    checked.map_err(|reason| format!("game {}: {reason}", game.number))
}

/// Replays a game and corrects a result that contradicts the rules. Games with engine-defined rules
/// are left unchanged. Returns what is wrong: an illegal move, a result without a finished game, or
/// a result or termination that was corrected.
pub fn check_and_correct(game: &mut GameRecord) -> Result<(), String> {
    let choice = GameChoice::find(&game.game).map_err(|error| error.to_string())?;
    if choice == GameChoice::EngineDefined {
        return Ok(());
    }
    let mut board = RefereeBoard::new(choice, &BookLine::parse(&game.fen))
        .map_err(|error| error.to_string())?;
    for (ply, mv) in game.moves.iter().enumerate() {
        board.play(&mv.mv).map_err(|reason| format!("ply {}: {reason}", ply + 1))?;
    }
    match (board.state(), game.termination) {
        // An engine that does not quit loses a game that is already over.
        (Some(GameState::Over(_)), Termination::Quit) => Ok(()),
        (Some(GameState::Over(outcome)), termination) => {
            let recorded = game.result.replace(outcome);
            game.termination = Termination::Normal;
            if recorded != Some(outcome) {
                let [recorded, result] = [recorded, game.result].map(result_text);
                return Err(format!(
                    "the result is {recorded} in the record, but {result} by the rules"
                ));
            }
            if termination != Termination::Normal {
                return Err(format!(
                    "the termination is {termination} in the record, but the game ends by the rules"
                ));
            }
            Ok(())
        }
        // An unfinished game has no result.
        (Some(GameState::Ongoing(_)), Termination::Normal | Termination::Unterminated) => {
            game.termination = Termination::Unterminated;
            match game.result.take() {
                None => Ok(()),
                recorded => {
                    let recorded = result_text(recorded);
                    Err(format!("the result is {recorded} in the record, but the game is not over"))
                }
            }
        }
        _ => Ok(()),
    }
}
