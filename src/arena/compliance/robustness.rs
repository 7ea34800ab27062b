//! Steps of robustness: bad input, repeated positions, reproducibility, and shutdown.

use super::context::{CheckContext, DEPTH_ONE, check_move};
use super::limits::LimitRule::Patience;
use super::outcome::{StepError, StepOutcome, UnboundedSearch};
use super::search::start_search;
use super::step::{ConformanceStep, step};
use crate::arena::games::referee::RefereeBoard;
use crate::printing::quote;

/// The steps in order.
pub(super) const STEPS: &[ConformanceStep] = &[
    step("unknown command", "readyok, and the position kept", Patience, |context| {
        expect_position_kept(context, b"xyzzy 3 moves")
    }),
    step("garbage bytes", "readyok, and the position kept", Patience, |context| {
        expect_position_kept(context, b"\xff\xfe\x80 \x01\x02\x1b[31m \xc3\x28")
    }),
    step("empty lines", "readyok, and the position kept", Patience, |context| {
        expect_position_kept(context, b"\n\r\n   \n\t")
    }),
    step("very long line", "readyok, and the position kept", Patience, |context| {
        const LENGTH: usize = 80_000;
        expect_position_kept(context, &[b'x'; LENGTH])
    }),
    step(
        "illegal move in position",
        "readyok, and the next position accepted",
        Patience,
        illegal_move,
    ),
    step("broken fen", "readyok, and the next position accepted", Patience, broken_fen),
    step("position set twice", "a search of the last position", Patience, position_twice),
    step(
        "determinism",
        "the same answer to the same depth or nodes (a remark, never a failure)",
        Patience,
        determinism,
    ),
];

/// The steps that end the engine.
pub(super) const END_STEPS: &[ConformanceStep] = &[
    step("quit", "exit within the patience", Patience, |context| {
        context.send("quit");
        context.await_exit()
    }),
    step("quit during a search", "exit within the patience", Patience, |context| {
        context.require_running_search(UnboundedSearch::Infinite)?;
        start_search(context, "go infinite");
        context.send("quit");
        context.await_exit()
    }),
    step("end of input", "exit within the patience", Patience, |context| {
        context.sync()?;
        context.close_input();
        context.await_exit()
    }),
    step("end of input during a search", "exit within the patience", Patience, |context| {
        context.require_running_search(UnboundedSearch::Infinite)?;
        start_search(context, "go infinite");
        context.close_input();
        context.await_exit()
    }),
];

/// Sends bad input in the middle of a game. The engine must answer `isready` and keep its position.
fn expect_position_kept(context: &mut CheckContext<'_>, bytes: &[u8]) -> StepOutcome {
    let board = board_after_two_plies(context)?;
    context.send_position(&board);
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
    let board = context.start_board();
    for fen in ["", " 9/9", " this is no position", " ////////////////// x -1 99999999999999999999"]
    {
        context.send(&format!("position fen{fen}"));
        context.sync()?;
    }
    context.search_legally(&board, DEPTH_ONE).map(drop)
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
