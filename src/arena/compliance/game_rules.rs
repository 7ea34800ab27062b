//! Steps of the game rules: finished games, `query`, a complete game of self-play.

use super::context::{CheckContext, ConformanceStep, DEPTH_ONE, MAX_PLIES, check_move, step};
use super::outcome::{StepError, StepOutcome};
use super::step_limits::LimitRule::ReplyTimeout;
use crate::arena::games::referee::{GameState, RefereeBoard};
use crate::printing::quote;
use crate::protocol::reply::{Dialect, result_word};
use crate::rules::Side;

pub(super) const STEPS: &[ConformanceStep] = &[
    step("finished game", "bestmove (none)", ReplyTimeout, finished_game).warning(),
    step("query", "exact, correct answers throughout a game", ReplyTimeout, queries),
];

/// `go` in a finished game is answered by `bestmove (none)`.
fn finished_game(context: &mut CheckContext<'_>) -> StepOutcome {
    context.require_dialect(Dialect::Uci, "UGI does not search finished games")?;
    context.require_known_rules()?;
    let board = context.board_after(&context.random_game(0))?;
    if !matches!(board.state(), Some(GameState::Over(_))) {
        return Err(StepError::skip("the random game did not end"));
    }
    let search = context.search(&board, DEPTH_ONE)?;
    match search.answer().mv() {
        None => Ok(()),
        Some(_) => Err(StepError::fail("bestmove (none)", quote(&search.best))),
    }
}

/// `query` is answered correctly at every ply of a random game.
fn queries(context: &mut CheckContext<'_>) -> StepOutcome {
    context.require_dialect(Dialect::Ugi, "UCI has no query")?;
    let moves = context.random_game(1);
    let mut board = context.start_board();
    check_queries(context, &board)?;
    for mv in moves {
        board.play(&mv).map_err(StepError::skip)?;
        check_queries(context, &board)?;
    }
    Ok(())
}

/// The engine plays a legal game against itself and reports its result correctly.
pub(super) fn self_play(context: &mut CheckContext<'_>) -> StepOutcome {
    let (mut board, dialect) = (context.start_board(), context.options.dialect);
    for _ in 0..MAX_PLIES {
        let is_over = match board.state() {
            Some(state) => matches!(state, GameState::Over(_)),
            None if dialect == Dialect::Uci => {
                let reason = "only the engine knows the rules, and UCI has no query";
                return Err(StepError::skip(reason));
            }
            None => {
                context.send_position(&board);
                check_query(context, "gameover", &["true", "false"])? == "true"
            }
        };
        if is_over {
            let has_queries = dialect == Dialect::Ugi;
            return if has_queries { check_queries(context, &board) } else { Ok(()) };
        }
        let search = context.search(&board, "go movetime 10")?;
        check_move(&board, &search)?;
        let mv = search.answer().mv().unwrap_or_default();
        board.play(mv).map_err(|error| StepError::fail("a legal move", error))?;
    }
    context.remark(format!("the game is not over after {MAX_PLIES} plies"));
    Ok(())
}

/// Sends every query about a position. If only the engine knows the rules, only the form of the
/// answers is checked.
fn check_queries(context: &mut CheckContext<'_>, board: &RefereeBoard) -> StepOutcome {
    const BOOLEAN: &[&str] = &["true", "false"];
    context.send_position(board);
    let Some(state) = board.state() else {
        check_query(context, "gameover", BOOLEAN)?;
        check_query(context, "p1turn", BOOLEAN)?;
        return check_query(context, "result", &["none", "draw", "p1win", "p2win"]).map(drop);
    };
    let (over, result) = match state {
        GameState::Ongoing(_) => ("false", result_word(None)),
        GameState::Over(outcome) => ("true", result_word(Some(outcome))),
    };
    check_query(context, "gameover", &[over])?;
    // A finished game has no side to move.
    if let GameState::Ongoing(side) = state {
        check_query(context, "p1turn", &[if side == Side::P1 { "true" } else { "false" }])?;
    }
    check_query(context, "result", &[result]).map(drop)
}

/// Sends a query and returns its answer, which must be exactly one of `valid`.
fn check_query(context: &mut CheckContext<'_>, name: &str, valid: &[&str]) -> StepOutcome<String> {
    context.send(&format!("query {name}"));
    let (line, _) = context.await_line("response", context.options.reply_timeout, |line| {
        line.starts_with("response").then(|| line.to_owned())
    })?;
    let answer = line.strip_prefix("response ").filter(|answer| valid.contains(answer));
    answer.map(str::to_owned).ok_or_else(|| {
        let expected = format!("\"response {}\" to query {name}", valid.join("|"));
        StepError::fail(expected, quote(&line))
    })
}
