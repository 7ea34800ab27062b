//! The steps of searches under other limits, and of positions other than the start.

use std::time::Duration;

use super::examination::{Departure, Examination, Verdict};
use super::samples::{SHORTEST, random_game};
use crate::arena::referee::{GameState, Opening, RefereeBoard, Rules};
use crate::arena::setup::Protocol;
use crate::engine::openings::OpeningRequest;

/// `go depth 1` gives a legal move.
pub(super) fn depth(examination: &mut Examination<'_>) -> Verdict {
    let board = examination.start_board();
    examination.search_legally(&board, SHORTEST).map(drop)
}

/// `go nodes 1000` gives a legal move.
pub(super) fn nodes(examination: &mut Examination<'_>) -> Verdict {
    let board = examination.start_board();
    examination.search_legally(&board, "go nodes 1000").map(drop)
}

/// A clock is kept to.
pub(super) fn clock(examination: &mut Examination<'_>) -> Verdict {
    search_by_clock(examination, 2000, 0, "")
}

/// A clock with increments is kept to.
pub(super) fn increment(examination: &mut Examination<'_>) -> Verdict {
    search_by_clock(examination, 1000, 50, "")
}

/// A clock for several moves is kept to.
pub(super) fn moves_to_go(examination: &mut Examination<'_>) -> Verdict {
    let more = examination.by_protocol(" movestogo 10", "");
    if more.is_empty() {
        return Err(Departure::skip("UGI has no movestogo"));
    }
    search_by_clock(examination, 2000, 0, more)
}

/// Little time is enough for a move.
pub(super) fn little_time(examination: &mut Examination<'_>) -> Verdict {
    search_by_clock(examination, 50, 0, "")
}

/// No time gets a legal move at once.
pub(super) fn no_time(examination: &mut Examination<'_>) -> Verdict {
    let go = clock_command(examination, 0, 0);
    let board = examination.start_board();
    let search = examination.search_legally(&board, &go)?;
    let at_once = examination.at_once();
    examination.check_time(&search, at_once.saturating_sub(examination.terms.engine.margin()))
}

fn search_by_clock(
    examination: &mut Examination<'_>,
    time: u64,
    increment: u64,
    more: &str,
) -> Verdict {
    let go = format!("{}{more}", clock_command(examination, time, increment));
    let board = examination.start_board();
    let search = examination.search_legally(&board, &go)?;
    examination.check_time(&search, Duration::from_millis(time))
}

/// `go` with clocks that are alike.
pub(super) fn clock_command(examination: &Examination<'_>, time: u64, increment: u64) -> String {
    let [first, second, first_more, second_more] = examination
        .by_protocol(["wtime", "btime", "winc", "binc"], ["p1time", "p2time", "p1inc", "p2inc"]);
    match increment {
        0 => format!("go {first} {time} {second} {time}"),
        _ => format!(
            "go {first} {time} {second} {time} {first_more} {increment} {second_more} {increment}"
        ),
    }
}

/// Positions given as FEN, with the first and the second player to move, are understood, and moves
/// behind them.
pub(super) fn fens(examination: &mut Examination<'_>) -> Verdict {
    for fen in openings(examination.terms.rules) {
        let mut board = open(examination.terms.rules, &fen)?;
        examination.search_legally(&board, SHORTEST)?;
        let Some(mv) = board.legal().and_then(|legal| legal.into_iter().next()) else { continue };
        if board.play(&mv).is_ok() && matches!(board.state(), Some(GameState::Ongoing(_))) {
            examination.search_legally(&board, SHORTEST)?;
        }
    }
    examination.rules_known()
}

/// Some positions of the game, the opponent of the first player to move in the first of them.
fn openings(rules: Rules) -> Vec<String> {
    let Rules::Known(entry) = rules else { return Vec::new() };
    let of_plies = |plies| {
        let request = OpeningRequest { count: 2, plies: Some(plies), seed: 1, balanced: false };
        // Where there are none, none are tried.
        entry.openings(&request).map(|openings| openings.fens).unwrap_or_default()
    };
    [1, 2, 3].into_iter().flat_map(of_plies).collect()
}

fn open(rules: Rules, fen: &str) -> Verdict<RefereeBoard> {
    RefereeBoard::new(rules, &Opening { position: fen, moves: "" })
        .map_err(|error| Departure::skip(error.to_string()))
}

/// A long game behind `position startpos moves` is understood.
pub(super) fn long_line(examination: &mut Examination<'_>) -> Verdict {
    examination.rules_known()?;
    let mut longest: Vec<String> = Vec::new();
    for seed in 0..20 {
        let moves = random_game(examination.terms.rules, seed);
        if moves.len() > longest.len() {
            longest = moves;
        }
    }
    longest.pop();
    let board = examination.board_after(&longest)?;
    examination.search_legally(&board, SHORTEST).map(drop)
}

/// `searchmoves` chooses among the moves named.
pub(super) fn search_moves(examination: &mut Examination<'_>) -> Verdict {
    examination.only_in(Protocol::Uci, "UGI has no searchmoves")?;
    examination.rules_known()?;
    let board = examination.start_board();
    let legal = board.legal().unwrap_or_default();
    // Whatever it would choose by itself, it cannot be each of them.
    for mv in [legal.first(), legal.last()].into_iter().flatten() {
        let search = examination.search_legally(&board, &format!("{SHORTEST} searchmoves {mv}"))?;
        let mut found = examination.start_board();
        let is_it = search.answer().mv.and_then(|mv| found.play(mv).ok()).as_ref() == Some(mv);
        if !is_it {
            return Err(Departure::fail(format!("bestmove {mv}"), search.best));
        }
    }
    Ok(())
}

impl Examination<'_> {
    /// The board after moves from the start.
    pub(super) fn board_after(&self, moves: &[String]) -> Verdict<RefereeBoard> {
        let mut board = self.start_board();
        for mv in moves {
            board.play(mv).map_err(Departure::skip)?;
        }
        Ok(board)
    }
}
