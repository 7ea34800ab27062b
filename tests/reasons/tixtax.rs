//! Reasons of ultimate tic-tac-toe.

use std::collections::BTreeSet;

use zermelo::games::tixtax::{ClosedRule, CountRule, OpenRule, Rule, TixTaxMove, Ultimate};
use zermelo::reasons::{BrokenRule, Reason, Reasons, TixTaxReasons};
use zermelo::rules::{Game, GameNotation, Outcome, Side, SplitMix};

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

fn can_win_game<R: Rule>(pos: &Ultimate<R>) -> bool {
    pos.legal_moves().into_iter().any(|mv| wins_at_once(pos, mv))
}

/// Whether some legal move wins a small board.
fn can_win_board<R: Rule>(pos: &Ultimate<R>) -> bool {
    let side = pos.side();
    pos.legal_moves().into_iter().any(|mv| pos.after(mv).owned(side) != pos.owned(side))
}

/// What holds for a move, whatever the other moves are.
fn facts<R: Rule>(pos: &Ultimate<R>, mv: TixTaxMove) -> Vec<Reason> {
    if wins_at_once(pos, mv) {
        return vec![Reason::Wins];
    }
    let (us, them, next) = (pos.side(), !pos.side(), pos.after(mv));
    let board = mv.board();
    let mut facts = Vec::new();
    if next.owned(us) != pos.owned(us) {
        facts.push(Reason::WinsBoard { board: board + 1 });
        let is_missing = |third: &usize| {
            let others = LINES.iter().filter(|line| line.contains(third) && line.contains(&board));
            let mut others = others.map(|line| line.iter().filter(|at| *at != third));
            is_winnable(&next, us, *third)
                && others.any(|mut others| others.all(|at| owner(&next, *at) == Some(us)))
        };
        let missing: Vec<usize> =
            (0..9).filter(|third| *third != board).filter(is_missing).map(|at| at + 1).collect();
        if !missing.is_empty() {
            facts.push(Reason::MakesTwoInLine { missing });
        }
        if is_decisive(pos, them, board) {
            facts.push(Reason::BlocksLine { board: board + 1 });
        }
    }
    if winning_cells(pos, them, board).contains(&mv.square()) {
        let is_decisive = is_decisive(pos, them, board);
        // Whoever wins the board or ends the other's hope has blocked it, too.
        if is_decisive || (next.owned(us) == pos.owned(us) && is_winnable(&next, them, board)) {
            facts.push(Reason::BlocksBoard { board: board + 1, is_decisive });
        }
    }
    let threats = |pos: &Ultimate<R>| winning_cells(pos, us, board).len();
    if threats(pos) == 0 && threats(&next) > 0 {
        let is_decisive = is_decisive(&next, us, board);
        facts.push(Reason::ThreatensBoard { board: board + 1, is_decisive });
    }
    if is_winnable(pos, them, board)
        && !is_winnable(&next, them, board)
        && owner(&next, board) != Some(us)
    {
        facts.push(Reason::SpoilsBoard { board: board + 1 });
    }
    let replies = next.legal_moves();
    let is_saving = |reply: &&TixTaxMove| !can_win_game(&next.after(**reply));
    let saving: Vec<TixTaxMove> = replies.iter().filter(is_saving).copied().collect();
    if !replies.is_empty() && !can_win_game(&next) && saving.is_empty() {
        facts.insert(0, Reason::WinsNext);
        return facts;
    }
    if can_align(pos, them) && !can_align(&next, them) {
        facts.push(Reason::ClosesLastLine);
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
            facts.push(Reason::SecuresCount { own, other: possible(&next, them) });
        } else if leads(&next) && !leads(pos) {
            facts.push(Reason::TakesLead { own, other: boards(&next, them) });
        }
    }
    if replies.is_empty() {
        return facts;
    }
    if can_win_game(&next) {
        facts.push(Reason::LetsWinGame);
    } else {
        match saving[..] {
            [reply] if replies.len() > 1 => {
                facts.push(Reason::ForcesReply { reply: reply.to_string() });
            }
            _ if replies.iter().all(|reply| can_win_board(&next.after(*reply))) => {
                facts.push(Reason::WinsBoardNext);
            }
            _ => {}
        }
        facts.push(Reason::KeepsGame);
        if !can_win_board(&next) {
            facts.push(Reason::DeniesBoards);
        }
    }
    let boards: BTreeSet<usize> = replies.into_iter().map(TixTaxMove::board).collect();
    let board = mv.square() + 1;
    if !has(next.closed(), mv.square()) {
        let is_dead = [us, them].iter().all(|side| !is_winnable(&next, *side, mv.square()));
        if is_dead {
            facts.push(Reason::SendsToDeadBoard { board });
        } else if can_win_board(&next) && !can_win_game(&next) {
            let is_threat = |fact: &Reason| matches!(fact, Reason::ThreatensBoard { board: own, .. } if *own == board);
            facts.retain(|fact| !is_threat(fact));
            facts.push(Reason::LetsWinBoard { board });
        }
    } else if boards.len() > 1 {
        facts.push(Reason::GivesFreeChoice);
    }
    facts
}

/// Whether a fact holds for one legal move alone.
fn is_own(fact: &Reason, others: &[Vec<Reason>]) -> bool {
    !others.is_empty() && others.iter().all(|facts| !facts.contains(fact))
}

/// The reasons for a move with these facts, given the facts of the other moves.
fn expected(facts: &[Reason], others: &[Vec<Reason>]) -> Vec<Reason> {
    let is_said = |fact: &&Reason| {
        let sharing = others.iter().filter(|facts| facts.contains(fact)).count();
        match fact {
            Reason::KeepsGame => 2 * sharing < others.len(),
            Reason::DeniesBoards => is_own(fact, others),
            _ => true,
        }
    };
    let mut said: Vec<&Reason> = facts.iter().filter(is_said).collect();
    // What speaks for the move alone stays longest, what speaks against it always.
    for is_last in
        [|fact: &Reason, others: &[Vec<Reason>]| !is_own(fact, others), |_: &_, _: &_| true]
    {
        for index in (0..said.len()).rev() {
            if said.len() > 3 && !said[index].is_drawback() && is_last(said[index], others) {
                said.remove(index);
            }
        }
    }
    let (mut reasons, mut is_told) = (Vec::new(), false);
    for fact in said {
        reasons.push(fact.clone());
        let is_notable = match fact {
            Reason::Wins | Reason::SendsToDeadBoard { .. } | Reason::ForcesReply { .. } => false,
            fact => !fact.is_drawback(),
        };
        if is_notable && !is_told && is_own(fact, others) {
            reasons.push(Reason::NoOtherMove);
            is_told = true;
        }
    }
    reasons
}

fn check<R: Rule>(seed: u64) -> KindCounter {
    let mut counter = KindCounter::default();
    for pos in random_positions::<Ultimate<R>>(25, seed) {
        let legal = pos.legal_moves();
        let mut all: Vec<Vec<Reason>> = legal.iter().map(|mv| facts(&pos, *mv)).collect();
        for (index, mv) in legal.into_iter().enumerate() {
            let own = all.remove(index);
            let reasons = TixTaxReasons::reasons(&pos, mv, None);
            assert_eq!(reasons, expected(&own, &all), "{pos} {mv}");
            counter.add(&reasons);
            let (next, mut used) = (pos.after(mv), own.clone());
            if let Some(reply) = next.legal_moves().into_iter().nth(index % 5) {
                if next.after(reply).owned(next.side()) == next.owned(next.side()) {
                    used.retain(|fact| !matches!(fact, Reason::LetsWinBoard { .. }));
                }
                let reasons = TixTaxReasons::reasons(&pos, mv, Some(reply));
                assert_eq!(reasons, expected(&used, &all), "{pos} {mv} {reply}");
            }
            all.insert(index, own);
        }
    }
    counter
}

/// `RULE FEN | MOVE VALUE MOVES`: positions with the only move that keeps their value.
const ONLY_MOVES: &str = include_str!("../data/only-moves.txt");

fn tells_apart<R: Rule>(fen: &str, mv: &str) -> bool {
    let pos: Ultimate<R> = fen.parse().unwrap();
    let mv = pos.parse_move(mv).unwrap();
    let others = pos.legal_moves().into_iter().filter(|other| *other != mv);
    let others: Vec<Vec<Reason>> = others.map(|other| facts(&pos, other)).collect();
    let reasons = TixTaxReasons::reasons(&pos, mv, None);
    let own = facts(&pos, mv);
    reasons.iter().any(|reason| own.contains(reason) && is_own(reason, &others))
}

#[test]
fn the_reasons_for_the_only_good_move_tell_it_apart() {
    let mut told_apart = 0;
    for line in ONLY_MOVES.lines() {
        let (position, answer) = line.split_once(" | ").unwrap();
        let (rule, fen) = position.split_once(' ').unwrap();
        let mv = answer.split(' ').next().unwrap();
        let is_told_apart = match rule {
            "tixtax" => tells_apart::<ClosedRule>(fen, mv),
            "tixtax-count" => tells_apart::<CountRule>(fen, mv),
            _ => tells_apart::<OpenRule>(fen, mv),
        };
        told_apart += usize::from(is_told_apart);
    }
    let count = ONLY_MOVES.lines().count();
    assert!(count >= 500 && told_apart * 5 >= count * 4, "{told_apart} of {count}");
}

const KINDS: [&str; 18] = [
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
    "spoils_board",
    "wins_next",
    "forces_reply",
    "wins_board_next",
    "keeps_game",
    "no_other_move",
    "lets_win_game",
    "lets_win_board",
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
                if !TixTaxReasons::reasons(&pos, mv, None).contains(&Reason::ClosesLastLine) {
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
