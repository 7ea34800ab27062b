//! Reasons of tic-tac-toe: lines, forks, and the value of centre and corners.

use super::{BrokenRule, Reason, Reasons, wins};
use crate::games::TicTacToe;
use crate::games::grid::{COMPLETES, COUNT, FULL};
use crate::games::notation::bits;
use crate::games::tictactoe::TicTacToeMove;
use crate::rules::{Game, Move};

pub(crate) const CENTRE: u16 = 0b000_010_000;
pub(crate) const CORNERS: u16 = 0b101_000_101;

#[derive(Debug)]
pub struct TicTacToeReasons;

impl Reasons<TicTacToe> for TicTacToeReasons {
    fn reasons(pos: &TicTacToe, mv: TicTacToeMove, _: Option<TicTacToeMove>) -> Vec<Reason> {
        let (us, them, cell) = (pos.side(), pos.side().other(), 1_u16 << mv.code());
        let next = pos.after(mv);
        if wins(&next, pos) {
            return vec![Reason::Wins];
        }
        let (before, after) = (pos.stones(us), next.stones(us));
        let theirs = pos.stones(them);
        let mut reasons = Vec::new();
        if winning_cells(theirs, before) & cell != 0 {
            reasons.push(Reason::Blocks);
        }
        let names = |cells: u16| bits(cells.into()).map(cell_name).collect();
        let new_threats = winning_cells(after, theirs) & !winning_cells(before, theirs);
        if is_fork(after, theirs) {
            reasons.push(Reason::MakesFork { cells: names(winning_cells(after, theirs)) });
        }
        let threatens = |own: u16| winning_cells(theirs, own) != 0 || can_fork(theirs, own);
        let was_fork_due = winning_cells(theirs, before) == 0 && can_fork(theirs, before);
        if was_fork_due && !threatens(after) && !is_fork(after, theirs) {
            reasons.push(Reason::BlocksFork);
        }
        if new_threats != 0 && !is_fork(after, theirs) {
            reasons.push(Reason::Threatens { cells: names(new_threats) });
        }
        if reasons.is_empty() && cell & CENTRE != 0 {
            reasons.push(Reason::TakesCentre);
        }
        if reasons.is_empty() && cell & CORNERS != 0 {
            reasons.push(Reason::TakesCorner);
        }
        reasons
    }

    fn broken_rule(pos: &TicTacToe, mv: TicTacToeMove) -> Option<BrokenRule> {
        (!pos.is_legal(mv)).then(|| BrokenRule::Occupied { square: mv.to_string() })
    }
}

/// The empty cells that complete a line of `own`.
pub(crate) fn winning_cells(own: u16, other: u16) -> u16 {
    COMPLETES[usize::from(own)] & FULL & !(own | other)
}

/// Whether `own` threatens two lines and `other` none.
pub(crate) fn is_fork(own: u16, other: u16) -> bool {
    COUNT[usize::from(winning_cells(own, other))] >= 2 && winning_cells(other, own) == 0
}

/// Whether one more stone of `own` makes a fork.
pub(crate) fn can_fork(own: u16, other: u16) -> bool {
    let empty = FULL & !(own | other) & !winning_cells(own, other);
    bits(empty.into()).any(|cell| is_fork(own | 1 << cell, other))
}

fn cell_name(cell: usize) -> String {
    TicTacToeMove::at(cell).to_string()
}
