//! The steps of bad input: whatever comes, the engine answers `readyok` afterwards and goes on.

use super::examination::{Examination, Verdict, check_move};
use super::samples::{SHORTEST, random_game};
use crate::arena::referee::RefereeBoard;
use crate::rules::quote;

/// A command that nobody knows changes nothing.
pub(super) fn unknown_command(examination: &mut Examination<'_>) -> Verdict {
    survive(examination, b"xyzzy 3 moves")
}

/// Bytes that are no text change nothing.
pub(super) fn garbage(examination: &mut Examination<'_>) -> Verdict {
    survive(examination, b"\xff\xfe\x80 \x01\x02\x1b[31m \xc3\x28")
}

/// Lines that are empty or blank change nothing.
pub(super) fn empty_lines(examination: &mut Examination<'_>) -> Verdict {
    survive(examination, b"\n\r\n   \n\t")
}

/// A line beyond all measure changes nothing.
pub(super) fn long_line(examination: &mut Examination<'_>) -> Verdict {
    const LENGTH: usize = 80_000;
    survive(examination, &[b'x'; LENGTH])
}

/// Says something bad in the middle of a game; the position must be kept.
fn survive(examination: &mut Examination<'_>, bytes: &[u8]) -> Verdict {
    let board = other_board(examination)?;
    examination.say(&board.position_command());
    examination.say_bytes(bytes);
    examination.ready()?;
    examination.say(SHORTEST);
    let search = examination.await_best(examination.terms.patience)?;
    check_move(&board, &search)
}

/// A position some moves from the start; the start itself in a game that only the engine knows.
fn other_board(examination: &Examination<'_>) -> Verdict<RefereeBoard> {
    let mut moves = random_game(examination.terms.rules, 2);
    moves.truncate(2);
    examination.board_after(&moves)
}

/// An illegal move behind `position … moves` does not end it; the next position is understood.
pub(super) fn illegal_move(examination: &mut Examination<'_>) -> Verdict {
    let board = examination.start_board();
    let mut moves = vec!["zz99".to_owned()];
    // In a game of ours, also a move that is one, but not here: the same a second time.
    if let Some(mv) = random_game(examination.terms.rules, 2).first()
        && examination.board_after(std::slice::from_ref(mv))?.check(mv).is_err()
    {
        moves.push(format!("{mv} {mv}"));
    }
    for illegal in moves {
        examination.say(&format!("position startpos moves {illegal}"));
        examination.ready()?;
        examination.search_legally(&board, SHORTEST)?;
    }
    Ok(())
}

/// A FEN that is none does not end it; the next position is understood.
pub(super) fn broken_fen(examination: &mut Examination<'_>) -> Verdict {
    let board = examination.start_board();
    for fen in ["", " 9/9", " this is no position", " ////////////////// x -1 99999999999999999999"]
    {
        examination.say(&format!("position fen{fen}"));
        examination.ready()?;
    }
    examination.search_legally(&board, SHORTEST).map(drop)
}

/// A position that is put up twice, or in place of another, is the one that is searched.
pub(super) fn position_twice(examination: &mut Examination<'_>) -> Verdict {
    let (start, other) = (examination.start_board(), other_board(examination)?);
    for boards in [[&start, &other, &other], [&other, &other, &start]] {
        for board in boards {
            examination.say(&board.position_command());
        }
        examination.ready()?;
        examination.search_legally(boards[2], SHORTEST)?;
    }
    Ok(())
}

/// The same limits that are no time give the same answer: told, and no failure if they do not.
pub(super) fn determinism(examination: &mut Examination<'_>) -> Verdict {
    for go in ["go nodes 2000", "go depth 3"] {
        let mut answers: Vec<String> = Vec::new();
        for _ in 0..2 {
            let command = examination.by_protocol("ucinewgame", "uginewgame");
            examination.say(command);
            examination.ready()?;
            let board = examination.start_board();
            answers.push(examination.search_legally(&board, go)?.best);
        }
        if answers[0] != answers[1] {
            let [first, second] = [quote(&answers[0]), quote(&answers[1])];
            examination.remark(format!("{go} twice: first {first}, then {second}"));
        }
    }
    Ok(())
}
