//! Reasons of ultimate tic-tac-toe, under every rule: small boards, lines of boards, and where the
//! opponent is sent.

use super::{BrokenRule, Reason, Reasons, wins};
use crate::games::grid::{COUNT, LINES};
use crate::games::notation::bits;
use crate::games::tixtax::{Rule, TixTaxMove, Ultimate};
use crate::rules::{Game, Side};

/// The reasons of ultimate tic-tac-toe.
#[derive(Debug)]
pub struct TixTaxReasons;

impl<R: Rule> Reasons<Ultimate<R>> for TixTaxReasons {
    fn reasons(pos: &Ultimate<R>, mv: TixTaxMove) -> Vec<Reason> {
        let next = pos.after(mv);
        if wins(&next, pos) {
            return vec![Reason::Wins];
        }
        let mut reasons = board_reasons(pos, &next, mv);
        let them = next.side();
        if pos.can_align(them) && !next.can_align(them) {
            reasons.push(Reason::ClosesLastLine);
        }
        reasons.extend(count_reason(pos, &next));
        if next.outcome().is_none() {
            reasons.extend(sending_reasons(pos, &next, mv));
            if let (true, Some(board)) = (reasons.is_empty(), next.forced()) {
                reasons.push(Reason::SendsTo { board: board + 1 });
            }
        }
        reasons
    }

    fn broken_rule(pos: &Ultimate<R>, mv: TixTaxMove) -> Option<BrokenRule> {
        if pos.is_legal(mv) {
            return None;
        }
        let board = mv.board();
        let is_won = (pos.owned(Side::P1) | pos.owned(Side::P2)) >> board & 1 == 1;
        Some(match pos.forced() {
            Some(forced) if forced != board => BrokenRule::SentTo { board: forced + 1 },
            None if pos.closed() >> board & 1 == 1 => {
                BrokenRule::BoardClosed { board: board + 1, is_won: is_won && R::WON_CLOSES }
            }
            _ => BrokenRule::Occupied { square: mv.to_string() },
        })
    }
}

/// The reasons on the small board of the move and on the board of boards.
fn board_reasons<R: Rule>(pos: &Ultimate<R>, next: &Ultimate<R>, mv: TixTaxMove) -> Vec<Reason> {
    let (us, them, board) = (pos.side(), next.side(), mv.board());
    let number = board + 1;
    let mut reasons = Vec::new();
    if (next.owned(us) & !pos.owned(us)) >> board & 1 == 1 {
        reasons.push(Reason::WinsBoard { board: number });
        let missing = boards_missing_in_lines(next, us, board);
        if !missing.is_empty() {
            reasons.push(Reason::MakesTwoInLine { missing });
        }
        if pos.deciding_boards(them) >> board & 1 == 1 {
            reasons.push(Reason::BlocksLine { board: number });
        }
    }
    if pos.winning_cells(them, board).any(|cell| cell == mv) {
        let is_decisive = pos.deciding_boards(them) >> board & 1 == 1;
        reasons.push(Reason::BlocksBoard { board: number, is_decisive });
    }
    let is_threat = |pos: &Ultimate<R>| pos.winning_cells(us, board).next().is_some();
    if is_threat(next) && !is_threat(pos) {
        let is_decisive = next.deciding_boards(us) >> board & 1 == 1;
        reasons.push(Reason::ThreatensBoard { board: number, is_decisive });
    }
    reasons
}

/// The reason given by the number of boards, where it decides.
fn count_reason<R: Rule>(pos: &Ultimate<R>, next: &Ultimate<R>) -> Option<Reason> {
    let (us, them) = (pos.side(), next.side());
    let (own, other) = (next.owned_count(us), next.owned_count(them));
    let leads = |pos: &Ultimate<R>| pos.owned_count(us) > pos.owned_count(them);
    if !R::COUNT_DECIDES {
        None
    } else if next.has_secured_win(us) && !pos.has_secured_win(us) {
        Some(Reason::SecuresCount { own, other: next.winnable_count(them) })
    } else if leads(next) && !leads(pos) {
        Some(Reason::TakesLead { own, other })
    } else {
        None
    }
}

/// The third boards, by number, of the lines through `board` in which `side` owns two boards and can
/// still win the third.
fn boards_missing_in_lines<R: Rule>(pos: &Ultimate<R>, side: Side, board: usize) -> Vec<usize> {
    let owned = pos.owned(side);
    let winnable = pos.winnable_boards(side) & !owned;
    let through = LINES.into_iter().filter(|line| line >> board & 1 == 1);
    let third = through
        .filter(|line| COUNT[usize::from(owned & line)] == 2)
        .fold(0, |all, line| all | winnable & line);
    bits(third.into()).map(|board| board + 1).collect()
}

/// Reasons that follow from the board the opponent is sent to.
fn sending_reasons<R: Rule>(pos: &Ultimate<R>, next: &Ultimate<R>, mv: TixTaxMove) -> Vec<Reason> {
    let mut reasons = Vec::new();
    let can_win = |side: Side| next.winnable_boards(side) & !next.owned(side);
    let is_dead = |board: usize| (can_win(Side::P1) | can_win(Side::P2)) >> board & 1 == 0;
    if let Some(board) = next.forced().filter(|board| is_dead(*board)) {
        reasons.push(Reason::SendsToDeadBoard { board: board + 1 });
    }
    let mut others = pos.legal_moves().into_iter().filter(|other| *other != mv);
    if !can_win_board(next) && others.any(|other| can_win_board(&pos.after(other))) {
        reasons.push(Reason::DeniesBoards);
    }
    if next.forced().is_none() && open_boards(next).count() > 1 {
        reasons.push(Reason::GivesFreeChoice);
    }
    reasons
}

/// Whether the side to move can win a small board with its next stone.
fn can_win_board<R: Rule>(pos: &Ultimate<R>) -> bool {
    let wins_on = |board: usize| pos.winning_cells(pos.side(), board).next().is_some();
    pos.outcome().is_none() && pos.forced().map_or_else(|| open_boards(pos).any(wins_on), wins_on)
}

fn open_boards<R: Rule>(pos: &Ultimate<R>) -> impl Iterator<Item = usize> {
    let closed = pos.closed();
    (0..9).filter(move |board| closed >> board & 1 == 0)
}
