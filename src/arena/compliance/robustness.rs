//! Steps of robustness: bad input, repeated positions, reproducibility, and shutdown.

use super::context::{CheckContext, DEPTH_ONE, check_move};
use super::search::start_search;
use super::step::{StepError, StepOutcome, UnboundedSearch};
use crate::arena::games::referee::RefereeBoard;
use crate::printing::quote;

/// An unknown command is ignored.
pub(super) fn unknown_command(context: &mut CheckContext<'_>) -> StepOutcome {
    expect_position_kept(context, b"xyzzy 3 moves")
}

/// Bytes that are not UTF-8 are ignored.
pub(super) fn garbage(context: &mut CheckContext<'_>) -> StepOutcome {
    expect_position_kept(context, b"\xff\xfe\x80 \x01\x02\x1b[31m \xc3\x28")
}

/// Empty and blank lines are ignored.
pub(super) fn empty_lines(context: &mut CheckContext<'_>) -> StepOutcome {
    expect_position_kept(context, b"\n\r\n   \n\t")
}

/// An overlong line is ignored.
pub(super) fn long_line(context: &mut CheckContext<'_>) -> StepOutcome {
    const LENGTH: usize = 80_000;
    expect_position_kept(context, &[b'x'; LENGTH])
}

/// Sends bad input in the middle of a game. The engine must answer `isready` and keep its position.
fn expect_position_kept(context: &mut CheckContext<'_>, bytes: &[u8]) -> StepOutcome {
    let board = board_after_two_plies(context)?;
    context.send(&board.position_command());
    context.send_bytes(bytes);
    context.sync()?;
    context.send(DEPTH_ONE);
    let search = context.await_best_move(context.options.patience)?;
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
    board.play(search.answer().mv.unwrap_or_default()).map_err(StepError::skip)?;
    if let Some(reply) = board.legal().and_then(|legal| legal.into_iter().next()) {
        board.play(&reply).map_err(StepError::skip)?;
    }
    Ok(board)
}

/// The engine survives an illegal move in `position … moves` and accepts the next position.
pub(super) fn illegal_move(context: &mut CheckContext<'_>) -> StepOutcome {
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
pub(super) fn broken_fen(context: &mut CheckContext<'_>) -> StepOutcome {
    let board = context.start_board();
    for fen in ["", " 9/9", " this is no position", " ////////////////// x -1 99999999999999999999"]
    {
        context.send(&format!("position fen{fen}"));
        context.sync()?;
    }
    context.search_legally(&board, DEPTH_ONE).map(drop)
}

/// A position that is set twice, or replaces another one, is the position searched.
pub(super) fn position_twice(context: &mut CheckContext<'_>) -> StepOutcome {
    let (start, other) = (context.start_board(), board_after_two_plies(context)?);
    for boards in [[&start, &other, &other], [&other, &other, &start]] {
        for board in boards {
            context.send(&board.position_command());
        }
        context.sync()?;
        context.search_legally(boards[2], DEPTH_ONE)?;
    }
    Ok(())
}

/// Remarks on different answers to the same depth or node limit. Never fails because of them.
pub(super) fn determinism(context: &mut CheckContext<'_>) -> StepOutcome {
    for go in ["go nodes 2000", "go depth 3"] {
        let mut answers: Vec<String> = Vec::new();
        for _ in 0..2 {
            let command = context.by_dialect("ucinewgame", "uginewgame");
            context.send(command);
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

/// `quit` ends the engine.
pub(super) fn quit(context: &mut CheckContext<'_>) -> StepOutcome {
    context.send("quit");
    context.await_exit()
}

/// `quit` ends the engine during a search.
pub(super) fn quit_in_search(context: &mut CheckContext<'_>) -> StepOutcome {
    context.require_running_search(UnboundedSearch::Infinite)?;
    start_search(context, "go infinite");
    context.send("quit");
    context.await_exit()
}

/// The end of input ends the engine.
pub(super) fn end_of_input(context: &mut CheckContext<'_>) -> StepOutcome {
    context.sync()?;
    context.close_input();
    context.await_exit()
}

/// The end of input ends the engine during a search.
pub(super) fn end_of_input_in_search(context: &mut CheckContext<'_>) -> StepOutcome {
    context.require_running_search(UnboundedSearch::Infinite)?;
    start_search(context, "go infinite");
    context.close_input();
    context.await_exit()
}
