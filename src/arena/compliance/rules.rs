//! The steps that ask whether the engine knows its game: its end, its results, whole games.

use super::examination::{Departure, Examination, Verdict, check_move};
use super::samples::{LONGEST_GAME, SHORTEST, random_game};
use crate::arena::referee::{GameState, RefereeBoard};
use crate::arena::setup::Protocol;
use crate::protocol::reply::result_word;
use crate::rules::{Side, quote};

/// Where the game is over there is no move: `bestmove (none)`.
pub(super) fn finished(examination: &mut Examination<'_>) -> Verdict {
    examination.only_in(Protocol::Uci, "in UGI no search is asked for when the game is over")?;
    examination.rules_known()?;
    let board = examination.board_after(&random_game(examination.terms.rules, 0))?;
    if !matches!(board.state(), Some(GameState::Over(_))) {
        return Err(Departure::skip("no random game came to its end"));
    }
    let search = examination.search(&board, SHORTEST)?;
    match search.answer().mv {
        None => Ok(()),
        Some(_) => Err(Departure::fail("bestmove (none)", quote(&search.best))),
    }
}

/// `query` is answered exactly and rightly at each move of a random game.
pub(super) fn queries(examination: &mut Examination<'_>) -> Verdict {
    examination.only_in(Protocol::Ugi, "UCI has no query")?;
    let moves = random_game(examination.terms.rules, 1);
    let mut board = examination.start_board();
    ask_all(examination, &board)?;
    for mv in moves {
        board.play(&mv).map_err(Departure::skip)?;
        ask_all(examination, &board)?;
    }
    Ok(())
}

/// A game that the engine plays against itself is legal to its end, and it sees that end as we do.
pub(super) fn own_game(examination: &mut Examination<'_>) -> Verdict {
    let mut board = examination.start_board();
    for _ in 0..LONGEST_GAME {
        let is_over = match board.state() {
            Some(state) => matches!(state, GameState::Over(_)),
            None if examination.by_protocol(true, false) => {
                return Err(Departure::skip("only the engine knows the rules, and UCI cannot ask"));
            }
            None => {
                examination.say(&board.position_command());
                ask(examination, "gameover", &["true", "false"])? == "true"
            }
        };
        if is_over {
            let can_ask = examination.by_protocol(false, true);
            return if can_ask { ask_all(examination, &board) } else { Ok(()) };
        }
        let search = examination.search(&board, "go movetime 10")?;
        check_move(&board, &search)?;
        let mv = search.answer().mv.unwrap_or_default();
        board.play(mv).map_err(|why| Departure::fail("a legal move", why))?;
    }
    examination.remark(format!("the game goes on after {LONGEST_GAME} moves"));
    Ok(())
}

/// All queries about a position, answered as our rules answer them; where only the engine knows
/// them, with words that are answers.
fn ask_all(examination: &mut Examination<'_>, board: &RefereeBoard) -> Verdict {
    const SWITCH: &[&str] = &["true", "false"];
    examination.say(&board.position_command());
    let Some(state) = board.state() else {
        ask(examination, "gameover", SWITCH)?;
        ask(examination, "p1turn", SWITCH)?;
        return ask(examination, "result", &["none", "draw", "p1win", "p2win"]).map(drop);
    };
    let (over, result) = match state {
        GameState::Ongoing(_) => ("false", result_word(None)),
        GameState::Over(outcome) => ("true", result_word(Some(outcome))),
    };
    ask(examination, "gameover", &[over])?;
    // Whose turn it is in a finished game is nobody's matter.
    if let GameState::Ongoing(side) = state {
        ask(examination, "p1turn", &[if side == Side::P1 { "true" } else { "false" }])?;
    }
    ask(examination, "result", &[result]).map(drop)
}

/// A query, whose answer must be one of these, to the letter.
fn ask(examination: &mut Examination<'_>, what: &str, right: &[&str]) -> Verdict<String> {
    examination.say(&format!("query {what}"));
    let line = examination.await_line("response", examination.terms.patience, |line| {
        line.starts_with("response").then(|| line.to_owned())
    })?;
    let is_right = |answer: &&&str| line == format!("response {answer}");
    match right.iter().find(is_right) {
        Some(answer) => Ok((*answer).to_owned()),
        None => {
            let expected = format!("\"response {}\" to query {what}", right.join("|"));
            Err(Departure::fail(expected, quote(&line)))
        }
    }
}
