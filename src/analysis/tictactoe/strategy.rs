//! A strategy for people: the first rule that fits gives the move. All games that follow it are
//! played out, to show that it never loses.

use serde_json::{Value as Json, json};

use super::{SIDES, TicTacToe};
use crate::games::tictactoe::TicTacToeMove;
use crate::reasons::tictactoe::{CENTRE, CORNERS, can_fork, is_fork, winning_cells};
use crate::rules::{Game, Move, Outcome, Side};

/// The moves that the first fitting rule allows.
fn moves_by_rule(pos: &TicTacToe) -> Vec<TicTacToeMove> {
    let [own, other] = [pos.side(), !pos.side()].map(|side| pos.stones(side));
    let legal: Vec<TicTacToeMove> = pos.legal_moves().into_iter().collect();
    let fitting = |fits: &dyn Fn(u16) -> bool| -> Vec<TicTacToeMove> {
        legal.iter().copied().filter(|mv| fits(1 << mv.code())).collect()
    };
    let rules: [&dyn Fn(u16) -> bool; 6] = [
        &|cell| cell & winning_cells(own, other) != 0,
        &|cell| cell & winning_cells(other, own) != 0,
        &|cell| is_fork(own | cell, other),
        &|cell| can_fork(other, own) && prevents_fork(own | cell, other),
        &|cell| cell & CENTRE != 0,
        &|cell| cell & CORNERS != 0,
    ];
    rules.iter().map(|rule| fitting(rule)).find(|moves| !moves.is_empty()).unwrap_or(legal)
}

/// Whether `other`, to move, cannot make a fork: it has to block a threat elsewhere, or no cell makes
/// one.
fn prevents_fork(own: u16, other: u16) -> bool {
    match winning_cells(own, other) {
        0 => !can_fork(other, own),
        threats => !is_fork(other | threats, own),
    }
}

/// The results of all games in which one side follows the rules, as won, drawn and lost.
fn play(pos: &TicTacToe, side: Side, results: &mut [u32; 3]) {
    match pos.outcome() {
        Some(Outcome::Win(winner)) if winner == side => results[0] += 1,
        Some(Outcome::Draw) => results[1] += 1,
        Some(Outcome::Win(_)) => results[2] += 1,
        None if pos.side() == side => {
            moves_by_rule(pos).iter().for_each(|mv| play(&pos.after(*mv), side, results));
        }
        None => pos.legal_moves().iter().for_each(|mv| play(&pos.after(*mv), side, results)),
    }
}

/// The results of the strategy on either side.
pub(super) fn results() -> Json {
    let row = |(side, name)| {
        let mut results = [0; 3];
        play(&TicTacToe::start(), side, &mut results);
        let [won, drawn, lost] = results;
        json!({ "side": name, "games": won + drawn + lost, "won": won, "drawn": drawn, "lost": lost })
    };
    SIDES.into_iter().map(row).collect()
}
