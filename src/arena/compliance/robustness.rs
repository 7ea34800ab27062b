//! Steps of robustness: bad input, repeated positions, reproducibility, a whole game, and shutdown.

use super::context::{CheckContext, ConformanceStep, DEPTH_ONE, check_move, step};
use super::game_rules::self_play;
use super::outcome::{StepError, StepOutcome};
use super::search::{INFINITE, start_search};
use super::step_limits::LimitRule::ReplyTimeout;
use crate::arena::engines::uci::new_game_command;
use crate::arena::games::referee::RefereeBoard;
use crate::printing::quote;

pub(super) const STEPS: &[ConformanceStep] = &[
    step("unknown command", KEPT, ReplyTimeout, |context| keep_position(context, b"xyzzy 3 moves"))
        .warning(),
    step("garbage bytes", KEPT, ReplyTimeout, |context| {
        keep_position(context, b"\xff\xfe\x80 \x01\x02\x1b[31m \xc3\x28")
    })
    .warning(),
    step("empty lines", KEPT, ReplyTimeout, |context| keep_position(context, b"\n\r\n   \n\t"))
        .warning(),
    step("very long line", KEPT, ReplyTimeout, |context| keep_position(context, &[b'x'; 80_000]))
        .warning(),
    step("illegal move in position", ACCEPTED, ReplyTimeout, illegal_move).warning(),
    step("broken fen", ACCEPTED, ReplyTimeout, broken_fen).warning(),
    step("position set twice", "a search of the last position", ReplyTimeout, position_twice),
    step(
        "determinism",
        "the same answer to the same depth or nodes (a remark, never a failure)",
        ReplyTimeout,
        determinism,
    ),
    step("game against itself", "legal moves and the correct result", ReplyTimeout, self_play),
    step("quit", EXIT, ReplyTimeout, |context| exit_on(context, false, false)),
    step("quit during a search", EXIT, ReplyTimeout, |context| exit_on(context, false, true))
        .warning(),
    step("end of input", EXIT, ReplyTimeout, |context| exit_on(context, true, false)),
    step("end of input during a search", EXIT, ReplyTimeout, |context| {
        exit_on(context, true, true)
    })
    .warning(),
];

const ACCEPTED: &str = "readyok, and the next position accepted";
const KEPT: &str = "readyok, and the position kept";
const EXIT: &str = "exit within the reply timeout";

/// Sends bad input in the middle of a game. The engine must answer `isready` and keep its position.
fn keep_position(context: &mut CheckContext<'_>, bytes: &[u8]) -> StepOutcome {
    let board = board_after_two_plies(context)?;
    context.send_position(&board);
    context.send_bytes(bytes);
    context.sync()?;
    context.send(DEPTH_ONE);
    let search = context.await_best_move(context.options.reply_timeout)?;
    check_move(&board, &search)
}

/// Returns a position two plies from the start; the start itself if only the engine knows the
/// rules. The first move is the engine's own, which cannot be played twice: an engine that falls
/// back to the start gives itself away by repeating it.
fn board_after_two_plies(context: &mut CheckContext<'_>) -> StepOutcome<RefereeBoard> {
    let mut board = context.start_board();
    if board.legal().is_none() {
        return Ok(board);
    }
    let search = context.search_legally(&board, DEPTH_ONE)?;
    board.play(search.answer().mv().unwrap_or_default()).map_err(StepError::skip)?;
    if let Some(reply) = board.legal().and_then(|legal| legal.into_iter().next()) {
        board.play(&reply).map_err(StepError::skip)?;
    }
    Ok(board)
}

/// The engine survives an illegal move in `position … moves` and accepts the next position.
fn illegal_move(context: &mut CheckContext<'_>) -> StepOutcome {
    let board = context.start_board();
    let mut moves = vec!["zz99".to_owned()];
    // A move that is well formed but illegal: the first move played twice.
    if let Some(mv) = context.random_game(2).first()
        && context.board_after(std::slice::from_ref(mv))?.check(mv).is_err()
    {
        moves.push(format!("{mv} {mv}"));
    }
    for illegal in moves {
        context.send(&format!("position startpos moves {illegal}"));
        context.sync()?;
        context.search_legally(&board, DEPTH_ONE)?;
    }
    Ok(())
}

/// The engine survives malformed FENs and accepts the next position.
fn broken_fen(context: &mut CheckContext<'_>) -> StepOutcome {
    for fen in ["", " 9/9", " this is no position", " ////////////////// x -1 99999999999999999999"]
    {
        context.send(&format!("position fen{fen}"));
        context.sync()?;
    }
    context.search_start(DEPTH_ONE)
}

/// A position that is set twice, or replaces another one, is the position searched.
fn position_twice(context: &mut CheckContext<'_>) -> StepOutcome {
    let (start, other) = (context.start_board(), board_after_two_plies(context)?);
    for boards in [[&start, &other, &other], [&other, &other, &start]] {
        for board in boards {
            context.send_position(board);
        }
        context.sync()?;
        context.search_legally(boards[2], DEPTH_ONE)?;
    }
    Ok(())
}

/// Remarks on different answers to the same depth or node limit. Never fails because of them.
fn determinism(context: &mut CheckContext<'_>) -> StepOutcome {
    for go in ["go nodes 2000", "go depth 3"] {
        let mut answers: Vec<String> = Vec::new();
        for _ in 0..2 {
            context.send(new_game_command(context.options.dialect));
            context.sync()?;
            let board = context.start_board();
            answers.push(context.search_legally(&board, go)?.best);
        }
        if answers[0] != answers[1] {
            let [first, second] = [quote(&answers[0]), quote(&answers[1])];
            context.remark(format!("{go} twice: first {first}, then {second}"));
        }
    }
    Ok(())
}

/// The engine exits after `quit` or the end of its input, while it is idle or searches.
fn exit_on(context: &mut CheckContext<'_>, ends_input: bool, in_search: bool) -> StepOutcome {
    if in_search {
        context.require_running_search(INFINITE)?;
        start_search(context, INFINITE);
    } else if ends_input {
        context.sync()?;
    }
    if ends_input {
        context.close_input();
    } else {
        context.send("quit");
    }
    context.await_exit()
}
