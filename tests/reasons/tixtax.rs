//! Reasons of ultimate tic-tac-toe.

use std::collections::BTreeSet;

use zermelo::analysis::reasons::{BrokenRule, Reason, Reasons, TixTaxReasons};
use zermelo::games::tixtax::{ClosedRule, CountRule, OpenRule, Rule, TixTaxMove, Ultimate};
use zermelo::rules::{Game, Outcome, Side, SplitMix};

use super::{KindCounter, LINES, random_positions, wins_at_once};

fn has(set: u16, member: usize) -> bool {
    set >> member & 1 == 1
}

fn owner<R: Rule>(pos: &Ultimate<R>, board: usize) -> Option<Side> {
    [Side::P1, Side::P2].into_iter().find(|side| has(pos.owned(*side), board))
}

fn is_empty<R: Rule>(pos: &Ultimate<R>, board: usize, cell: usize) -> bool {
    [Side::P1, Side::P2].iter().all(|side| !has(pos.stones(*side, board), cell))
}

/// The cells where one stone wins an undecided board.
fn winning_cells<R: Rule>(pos: &Ultimate<R>, side: Side, board: usize) -> Vec<usize> {
    let completes = |cell: usize| {
        let own = pos.stones(side, board) | 1 << cell;
        LINES.iter().any(|line| line.contains(&cell) && line.iter().all(|at| has(own, *at)))
    };
    let is_undecided = owner(pos, board).is_none();
    let cells = (0..9).filter(|cell| is_undecided && is_empty(pos, board, *cell));
    cells.filter(|cell| completes(*cell)).collect()
}

/// Whether the board is undecided and the side could win it with enough stones.
fn is_winnable<R: Rule>(pos: &Ultimate<R>, side: Side, board: usize) -> bool {
    let is_open = |line: &[usize; 3]| line.iter().all(|cell| !has(pos.stones(!side, board), *cell));
    owner(pos, board).is_none() && LINES.iter().any(is_open)
}

/// Whether winning the board would win the game.
fn is_decisive<R: Rule>(pos: &Ultimate<R>, side: Side, board: usize) -> bool {
    let owned = pos.owned(side) | 1 << board;
    is_winnable(pos, side, board)
        && LINES.iter().any(|line| line.contains(&board) && line.iter().all(|at| has(owned, *at)))
}

fn can_align<R: Rule>(pos: &Ultimate<R>, side: Side) -> bool {
    let is_possible =
        |board: &usize| owner(pos, *board) == Some(side) || is_winnable(pos, side, *board);
    LINES.iter().any(|line| line.iter().all(is_possible))
}

/// Whether some legal move wins a small board.
fn can_win_board<R: Rule>(pos: &Ultimate<R>) -> bool {
    let side = pos.side();
    pos.legal_moves().into_iter().any(|mv| pos.after(mv).owned(side) != pos.owned(side))
}

fn expected<R: Rule>(pos: &Ultimate<R>, mv: TixTaxMove, givers: &[TixTaxMove]) -> Vec<Reason> {
    if wins_at_once(pos, mv) {
        return vec![Reason::Wins];
    }
    let (us, them, next) = (pos.side(), !pos.side(), pos.after(mv));
    let board = mv.board();
    let mut reasons = Vec::new();
    if next.owned(us) != pos.owned(us) {
        reasons.push(Reason::WinsBoard { board: board + 1 });
        let is_missing = |third: &usize| {
            let others = LINES.iter().filter(|line| line.contains(third) && line.contains(&board));
            let mut others = others.map(|line| line.iter().filter(|at| *at != third));
            is_winnable(&next, us, *third)
                && others.any(|mut others| others.all(|at| owner(&next, *at) == Some(us)))
        };
        let missing: Vec<usize> =
            (0..9).filter(|third| *third != board).filter(is_missing).map(|at| at + 1).collect();
        if !missing.is_empty() {
            reasons.push(Reason::MakesTwoInLine { missing });
        }
        if is_decisive(pos, them, board) {
            reasons.push(Reason::BlocksLine { board: board + 1 });
        }
    }
    if winning_cells(pos, them, board).contains(&mv.square()) {
        let is_decisive = is_decisive(pos, them, board);
        reasons.push(Reason::BlocksBoard { board: board + 1, is_decisive });
    }
    let threats = |pos: &Ultimate<R>| winning_cells(pos, us, board).len();
    if threats(pos) == 0 && threats(&next) > 0 {
        let is_decisive = is_decisive(&next, us, board);
        reasons.push(Reason::ThreatensBoard { board: board + 1, is_decisive });
    }
    if can_align(pos, them) && !can_align(&next, them) {
        reasons.push(Reason::ClosesLastLine);
    }
    if R::COUNT_DECIDES {
        let boards = |pos: &Ultimate<R>, side| {
            (0..9).filter(|board| owner(pos, *board) == Some(side)).count() as u8
        };
        let possible = |pos: &Ultimate<R>, side| {
            boards(pos, side) + (0..9).filter(|board| is_winnable(pos, side, *board)).count() as u8
        };
        let is_secured =
            |pos: &Ultimate<R>| boards(pos, us) > possible(pos, them) && !can_align(pos, them);
        let leads = |pos: &Ultimate<R>| boards(pos, us) > boards(pos, them);
        let own = boards(&next, us);
        if is_secured(&next) && !is_secured(pos) {
            reasons.push(Reason::SecuresCount { own, other: possible(&next, them) });
        } else if leads(&next) && !leads(pos) {
            reasons.push(Reason::TakesLead { own, other: boards(&next, them) });
        }
    }
    let boards: BTreeSet<usize> = next.legal_moves().into_iter().map(TixTaxMove::board).collect();
    if boards.is_empty() {
        return reasons;
    }
    let target = (!has(next.closed(), mv.square())).then_some(mv.square());
    let is_dead = |board: &usize| [us, them].iter().all(|side| !is_winnable(&next, *side, *board));
    if let Some(board) = target.filter(is_dead) {
        reasons.push(Reason::SendsToDeadBoard { board: board + 1 });
    }
    if !givers.contains(&mv) && !givers.is_empty() {
        reasons.push(Reason::DeniesBoards);
    }
    if target.is_none() && boards.len() > 1 {
        reasons.push(Reason::GivesFreeChoice);
    }
    if let (true, Some(board)) = (reasons.is_empty(), target) {
        reasons.push(Reason::SendsTo { board: board + 1 });
    }
    reasons
}

fn check<R: Rule>(seed: u64) -> KindCounter {
    let mut counter = KindCounter::default();
    for pos in random_positions::<Ultimate<R>>(60, seed) {
        let legal = pos.legal_moves();
        let givers: Vec<TixTaxMove> =
            legal.iter().copied().filter(|mv| can_win_board(&pos.after(*mv))).collect();
        for mv in legal {
            let reasons = TixTaxReasons::reasons(&pos, mv);
            assert_eq!(reasons, expected(&pos, mv, &givers), "{pos} {mv}");
            counter.add(&reasons);
        }
    }
    counter
}

const KINDS: [&str; 11] = [
    "wins",
    "wins_board",
    "makes_two_in_line",
    "blocks_line",
    "blocks_board",
    "threatens_board",
    "closes_last_line",
    "sends_to_dead_board",
    "denies_boards",
    "gives_free_choice",
    "sends_to",
];

#[test]
fn reasons_are_given_exactly_where_they_hold() {
    check::<ClosedRule>(6).assert_kinds(&KINDS);
}

#[test]
fn reasons_are_given_exactly_where_they_hold_if_won_boards_stay_open() {
    check::<OpenRule>(7).assert_kinds(&KINDS);
}

#[test]
fn reasons_are_given_exactly_where_they_hold_if_the_count_decides() {
    let kinds = [&KINDS[..], &["secures_count", "takes_lead"]].concat();
    check::<CountRule>(8).assert_kinds(&kinds);
}

fn check_illegality<R: Rule>(seed: u64) {
    for pos in random_positions::<Ultimate<R>>(10, seed) {
        for (board, cell) in (0..81).map(|index| (index / 9, index % 9)) {
            let letter = |index: usize| char::from(b'a' + index as u8);
            let mv = pos.parse_move(&format!("{}{}", letter(board), letter(cell))).unwrap();
            let legal = pos.legal_moves();
            let boards = legal.iter().map(|mv| mv.board());
            let is_playable = boards.clone().any(|own| own == board);
            match TixTaxReasons::broken_rule(&pos, mv) {
                None => assert!(legal.contains(&mv), "{pos} {mv}"),
                Some(BrokenRule::Occupied { square }) => {
                    assert!(is_playable && square == mv.to_string());
                    assert!(!is_empty(&pos, board, cell), "{pos} {mv}");
                }
                Some(BrokenRule::SentTo { board }) => {
                    assert!(boards.clone().all(|own| own + 1 == board) && !is_playable);
                }
                Some(BrokenRule::BoardClosed { board: number, is_won }) => {
                    let is_full = (0..9).all(|cell| !is_empty(&pos, board, cell));
                    assert!(number == board + 1 && !is_playable && (is_won || is_full));
                    assert!(!is_won || owner(&pos, board).is_some(), "{pos} {mv}");
                }
                Some(other) => panic!("{pos} {mv}: {other:?}"),
            }
        }
    }
}

#[test]
fn illegal_moves_have_a_reason_that_holds() {
    check_illegality::<ClosedRule>(8);
    check_illegality::<OpenRule>(9);
}

#[test]
fn a_side_without_a_line_left_never_aligns_three_boards() {
    fn check<R: Rule>(mut random: SplitMix) {
        let mut closed = 0;
        for pos in random_positions::<Ultimate<R>>(60, 10) {
            for mv in pos.legal_moves() {
                if !TixTaxReasons::reasons(&pos, mv).contains(&Reason::ClosesLastLine) {
                    continue;
                }
                closed += 1;
                let mut next = pos.after(mv);
                while next.outcome().is_none() {
                    next.play_unchecked(next.random_move(&mut random));
                }
                assert_ne!(next.outcome(), Some(Outcome::Win(!pos.side())), "{pos} {mv}");
            }
        }
        assert!(closed > 10);
    }
    check::<ClosedRule>(SplitMix::new(11));
    check::<OpenRule>(SplitMix::new(12));
}
