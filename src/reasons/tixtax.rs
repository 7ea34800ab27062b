//! Reasons of ultimate tic-tac-toe, under every rule: small boards, lines of boards, and where the
//! opponent is sent.

use super::{BrokenRule, Reason, Reasons, wins};
use crate::games::grid::{COUNT, LINES};
use crate::games::notation::bits;
use crate::games::tixtax::{Rule, TixTaxMove, Ultimate};
use crate::rules::{Game, Side};

/// More reasons for one move are not read. What speaks against it is always said, what other moves do as well
/// is left out first.
const MAX_REASONS: usize = 3;

/// The reasons of ultimate tic-tac-toe.
#[derive(Debug)]
pub struct TixTaxReasons;

impl<R: Rule> Reasons<Ultimate<R>> for TixTaxReasons {
    fn reasons(pos: &Ultimate<R>, mv: TixTaxMove, reply: Option<TixTaxMove>) -> Vec<Reason> {
        let others = pos.legal_moves().into_iter().filter(|other| *other != mv);
        let others: Vec<Vec<Reason>> = others.map(|other| facts(pos, other)).collect();
        let sharing = |fact: &Reason| others.iter().filter(|facts| facts.contains(fact)).count();
        let mut reasons = facts(pos, mv);
        let next = pos.after(mv);
        let takes_board = |reply| next.after(reply).owned(next.side()) != next.owned(next.side());
        // What most moves do is no reason for one of them.
        reasons.retain(|fact| match fact {
            Reason::LetsWinBoard { .. } => reply.is_none_or(takes_board),
            Reason::KeepsGame => 2 * sharing(fact) < others.len(),
            Reason::DeniesBoards => !others.is_empty() && sharing(fact) == 0,
            _ => true,
        });
        while reasons.len() > MAX_REASONS {
            let is_merit = |own: &&Reason| !own.is_drawback();
            let shared = reasons.iter().rposition(|own| is_merit(&own) && sharing(own) > 0);
            let Some(least) = shared.or(reasons.iter().rposition(|own| is_merit(&own))) else {
                break;
            };
            reasons.remove(least);
        }
        let is_unique =
            |fact: &Reason| is_notable(fact) && !others.is_empty() && sharing(fact) == 0;
        if let Some(unique) = reasons.iter().position(is_unique) {
            reasons.insert(unique + 1, Reason::NoOtherMove);
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

/// Whether it is worth saying that a fact holds for no other move; what the opponent has to play, for
/// instance, nearly always differs.
fn is_notable(fact: &Reason) -> bool {
    !fact.is_drawback()
        && !matches!(
            fact,
            Reason::Wins | Reason::SendsToDeadBoard { .. } | Reason::ForcesReply { .. }
        )
}

/// What is true of a move, whatever the other moves are, the most important first.
fn facts<R: Rule>(pos: &Ultimate<R>, mv: TixTaxMove) -> Vec<Reason> {
    let next = pos.after(mv);
    if wins(&next, pos) {
        return vec![Reason::Wins];
    }
    let mut facts = board_facts(pos, &next, mv);
    let replies = if next.outcome().is_none() { reply_facts(&next) } else { Vec::new() };
    if replies.contains(&Reason::WinsNext) {
        return [replies, facts].concat();
    }
    let them = next.side();
    if pos.can_align(them) && !next.can_align(them) {
        facts.push(Reason::ClosesLastLine);
    }
    facts.extend(count_fact(pos, &next));
    facts.extend(replies);
    if next.outcome().is_none() {
        facts.extend(sending_fact(&next));
    }
    // What the opponent can close at once is no threat.
    let given = facts.iter().find_map(|fact| match fact {
        Reason::LetsWinBoard { board } => Some(*board),
        _ => None,
    });
    facts.retain(
        |fact| !matches!(fact, Reason::ThreatensBoard { board, .. } if Some(*board) == given),
    );
    facts
}

/// What happens on the small board of the move and on the board of boards.
fn board_facts<R: Rule>(pos: &Ultimate<R>, next: &Ultimate<R>, mv: TixTaxMove) -> Vec<Reason> {
    let (us, them, board) = (pos.side(), next.side(), mv.board());
    let number = board + 1;
    let mut facts = Vec::new();
    let wins_board = (next.owned(us) & !pos.owned(us)) >> board & 1 == 1;
    let is_lost = |boards: u16| boards >> board & 1 == 0;
    let spoils_board =
        !is_lost(pos.winnable_boards(them)) && is_lost(next.winnable_boards(them) | next.owned(us));
    if wins_board {
        facts.push(Reason::WinsBoard { board: number });
        let missing = boards_missing_in_lines(next, us, board);
        if !missing.is_empty() {
            facts.push(Reason::MakesTwoInLine { missing });
        }
        if pos.deciding_boards(them) >> board & 1 == 1 {
            facts.push(Reason::BlocksLine { board: number });
        }
    }
    if pos.winning_cells(them, board).any(|cell| cell == mv) {
        let is_decisive = pos.deciding_boards(them) >> board & 1 == 1;
        if is_decisive || !(wins_board || spoils_board) {
            facts.push(Reason::BlocksBoard { board: number, is_decisive });
        }
    }
    let is_threat = |pos: &Ultimate<R>| pos.winning_cells(us, board).next().is_some();
    if is_threat(next) && !is_threat(pos) {
        let is_decisive = next.deciding_boards(us) >> board & 1 == 1;
        facts.push(Reason::ThreatensBoard { board: number, is_decisive });
    }
    if spoils_board {
        facts.push(Reason::SpoilsBoard { board: number });
    }
    facts
}

/// What becomes of the number of boards, where it decides.
fn count_fact<R: Rule>(pos: &Ultimate<R>, next: &Ultimate<R>) -> Option<Reason> {
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

/// What the opponent can answer after a move that does not end the game.
fn reply_facts<R: Rule>(next: &Ultimate<R>) -> Vec<Reason> {
    if next.wins_at_once() {
        return vec![Reason::LetsWinGame];
    }
    let replies = next.legal_moves();
    let saving: Vec<_> =
        replies.iter().filter(|reply| !next.after(**reply).wins_at_once()).collect();
    let mut facts = match saving[..] {
        [] => return vec![Reason::WinsNext],
        [reply] if replies.len() > 1 => vec![Reason::ForcesReply { reply: reply.to_string() }],
        _ if replies.iter().all(|reply| next.after(*reply).can_win_board()) => {
            vec![Reason::WinsBoardNext]
        }
        _ => Vec::new(),
    };
    facts.push(Reason::KeepsGame);
    if !next.can_win_board() {
        facts.push(Reason::DeniesBoards);
    }
    facts
}

/// Where the opponent is sent by a move that does not end the game.
fn sending_fact<R: Rule>(next: &Ultimate<R>) -> Option<Reason> {
    let Some(forced) = next.forced() else {
        return (next.open_boards().count() > 1).then_some(Reason::GivesFreeChoice);
    };
    let can_win = |side: Side| next.winnable_boards(side) & !next.owned(side);
    let is_dead = (can_win(Side::P1) | can_win(Side::P2)) >> forced & 1 == 0;
    let board = forced + 1;
    let gives_board = next.can_win_board() && !next.wins_at_once();
    is_dead
        .then_some(Reason::SendsToDeadBoard { board })
        .or(gives_board.then_some(Reason::LetsWinBoard { board }))
}
