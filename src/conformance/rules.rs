//! Checks the rules and the hooks that answer questions about one position, each against the answer that
//! its definition gives.

use std::cmp::Ordering;
use std::collections::HashSet;

use super::{Check, RandomGame, ensure};
use crate::rules::{Game, Move, Outcome, Side, SplitMix};

pub(super) const SIDES: [Side; 2] = [Side::P1, Side::P2];

/// A position is finished if and only if there is no move.
pub(super) fn moves_and_outcome_agree<G: Game>(pos: &G) -> Check {
    let (outcome, moves) = (pos.outcome(), pos.legal_moves());
    ensure!(
        outcome.is_some() || !moves.is_empty(),
        "outcome",
        pos,
        "no outcome, but no legal moves"
    );
    let count = moves.len();
    ensure!(
        outcome.is_none() || count == 0,
        "legal_moves",
        pos,
        "the game is over, but there are {count} legal moves"
    );
    let distinct: HashSet<_> = moves.iter().collect();
    ensure!(distinct.len() == count, "legal_moves", pos, "a move is listed twice");
    if let Some(Outcome::Win(winner)) = outcome {
        ensure!(
            !G::WINNER_MOVES_LAST || winner != pos.side(),
            "WINNER_MOVES_LAST",
            pos,
            "the side that would be to move has won"
        );
        ensure!(pos.can_still_win(winner), "can_still_win", pos, "not even for the winner");
    }
    Ok(())
}

/// Of all moves of the game those of the list are legal and played; others leave the position alone.
pub(super) fn only_legal_moves_are_accepted<G: Game>(pos: &G) -> Check {
    let moves: HashSet<G::Move> = pos.legal_moves().into_iter().collect();
    for mv in (0..G::MOVE_CODES).filter_map(G::Move::from_code) {
        let is_listed = moves.contains(&mv);
        ensure!(
            pos.is_legal(mv) == is_listed,
            "is_legal",
            pos,
            "{mv}: legal_moves says {is_listed}"
        );
        let mut next = *pos;
        ensure!(
            next.play(mv).is_ok() == is_listed,
            "play",
            pos,
            "{mv}: legal_moves says {is_listed}"
        );
        ensure!(
            is_listed || next == *pos,
            "play",
            pos,
            "the refused move {mv} changed the position"
        );
    }
    Ok(())
}

/// `move_count`, `reply_count`, `after`, `search_key_after`, `quiet_move` and `value_key_xor` agree with the
/// move list and the positions after the moves.
pub(super) fn shortcuts_match_the_move_list<G: Game>(pos: &G) -> Check {
    let moves = pos.legal_moves();
    ensure!(pos.move_count() == moves.len(), "move_count", pos, "not the number of legal moves");
    for mv in moves {
        let mut next = *pos;
        next.play_unchecked(mv);
        ensure!(pos.after(mv) == next, "after", pos, "{mv}: not the position after play_unchecked");
        let replies = next.legal_moves().len();
        ensure!(pos.reply_count(mv) == replies, "reply_count", pos, "{mv}: not {replies}");
        let expected = next.search_key();
        let key = pos.search_key_after(mv).unwrap_or(expected);
        ensure!(
            key == expected,
            "search_key_after",
            pos,
            "{mv}: not the key of the position after it"
        );
        let Some(quiet) = pos.quiet_move(mv) else { continue };
        ensure!(next.outcome().is_none(), "quiet_move", pos, "{mv} ends the game");
        let prospects =
            |pos: &G| SIDES.map(|side| (pos.can_still_win(side), pos.has_secured_win(side)));
        ensure!(
            prospects(&next) == prospects(pos),
            "quiet_move",
            pos,
            "{mv} changes who can still win, or has secured the win"
        );
        ensure!(
            quiet.allows_win == next.wins_at_once(),
            "quiet_move",
            pos,
            "{mv}: allows_win is not wins_at_once of the position after it"
        );
        let change = pos.value_key() ^ next.value_key();
        ensure!(
            pos.value_key_xor(mv) == change,
            "value_key_xor",
            pos,
            "{mv}: not the two keys xored"
        );
    }
    Ok(())
}

/// Random moves are legal and about equally frequent.
pub(super) fn random_moves_are_uniform<G: Game>(pos: &G, random: &mut SplitMix) -> Check {
    const DRAWS_PER_MOVE: usize = 64;
    let moves = pos.legal_moves();
    let mut drawn = vec![0; moves.len()];
    for _ in 0..DRAWS_PER_MOVE * moves.len() {
        let mv = pos.random_move(random);
        let index = moves.iter().position(|listed| *listed == mv);
        ensure!(index.is_some(), "random_move", pos, "{mv} is illegal");
        drawn[index.unwrap_or(0)] += 1;
    }
    let is_fair = |count: &usize| (DRAWS_PER_MOVE / 4..=DRAWS_PER_MOVE * 4).contains(count);
    ensure!(drawn.iter().all(is_fair), "random_move", pos, "the moves were drawn {drawn:?} times");
    Ok(())
}

/// What `wins_at_once`, `can_still_win`, `has_secured_win`, `final_count` and `max_plies_left` promise.
pub(super) fn promises_hold<G: Game>(pos: &G, random: &mut SplitMix) -> Check {
    let wins = |child: &G| child.outcome() == Some(Outcome::Win(pos.side()));
    let children: Vec<G> = pos.legal_moves().into_iter().map(|mv| pos.after(mv)).collect();
    let has_win = children.iter().any(wins);
    ensure!(!pos.wins_at_once() || has_win, "wins_at_once", pos, "no move wins");

    for side in SIDES.into_iter().filter(|side| !pos.can_still_win(*side)) {
        let wins = |pos: &G| pos.outcome() == Some(Outcome::Win(side));
        let found = some_continuation_ends(pos, random, &wins);
        ensure!(!found, "can_still_win", pos, "false for {side:?}, who wins a continuation");
    }
    for side in SIDES.into_iter().filter(|side| pos.has_secured_win(*side)) {
        let fails = |pos: &G| pos.outcome().is_some_and(|outcome| outcome != Outcome::Win(side));
        let is_consistent = pos.can_still_win(side) && !pos.can_still_win(!side);
        ensure!(is_consistent, "has_secured_win", pos, "{side:?}: can_still_win contradicts");
        let is_bounded = pos.max_plies_left().is_some();
        ensure!(is_bounded, "has_secured_win", pos, "without max_plies_left");
        let found = some_continuation_ends(pos, random, &fails);
        ensure!(!found, "has_secured_win", pos, "{side:?} does not win a continuation");
    }
    if let Some([first, second]) = pos.final_count() {
        let expected = match first.cmp(&second) {
            Ordering::Greater => Outcome::Win(Side::P1),
            Ordering::Equal => Outcome::Draw,
            Ordering::Less => Outcome::Win(Side::P2),
        };
        let outcome = pos.outcome();
        ensure!(outcome == Some(expected), "final_count", pos, "it says {expected:?}");
    }

    let bound = pos.max_plies_left();
    let is_same = bound.is_some() == G::start().max_plies_left().is_some();
    ensure!(is_same, "max_plies_left", pos, "some positions have a bound, others none");
    ensure!(!G::CYCLIC || bound.is_none(), "max_plies_left", pos, "a cyclic game has no bound");
    for child in &children {
        let falls = |bound| child.max_plies_left().is_some_and(|left| left < bound);
        ensure!(bound.is_none_or(falls), "max_plies_left", pos, "it does not fall with every move");
        ensure!(child.side() != pos.side(), "side", pos, "the sides do not alternate");
    }
    Ok(())
}

/// Whether some continuation ends in a position like this: all of them near the end, otherwise random ones.
fn some_continuation_ends<G: Game>(
    pos: &G,
    random: &mut SplitMix,
    like: &impl Fn(&G) -> bool,
) -> bool {
    const EXHAUSTIVE_PLIES: u32 = 6;
    const PLAYOUTS: usize = 8;
    let mut playout = || {
        let mut pos = *pos;
        for _ in 0..super::MAX_CYCLIC_PLIES {
            let moves = pos.legal_moves();
            if moves.is_empty() {
                break;
            }
            pos.play_unchecked(moves[random.below(moves.len())]);
        }
        like(&pos)
    };
    let is_late = pos.max_plies_left().is_some_and(|plies| plies <= EXHAUSTIVE_PLIES);
    (0..PLAYOUTS).any(|_| playout()) || is_late && some_leaf(pos, EXHAUSTIVE_PLIES, like)
}

/// Whether a position like this can be reached within some plies.
fn some_leaf<G: Game>(pos: &G, plies: u32, like: &impl Fn(&G) -> bool) -> bool {
    let continues = |mv| some_leaf(&pos.after(mv), plies - 1, like);
    like(pos) || plies > 0 && pos.legal_moves().into_iter().any(continues)
}

/// Along a whole game: the bound of the plies left was never too low, the winner could win all
/// along, and positions recur only in a cyclic game.
pub(super) fn promises_hold_to_the_end<G: Game>(game: &RandomGame<G>) -> Check {
    let last = game.positions[game.positions.len() - 1];
    for (played, early) in game.positions.iter().enumerate() {
        let left = (game.moves.len() - played) as u32;
        let is_enough = early.max_plies_left().is_none_or(|bound| bound >= left);
        ensure!(is_enough, "max_plies_left", early, "a game took {left} more plies");
        if let Some(Outcome::Win(side)) = last.outcome() {
            ensure!(early.can_still_win(side), "can_still_win", early, "{side:?} won later");
            ensure!(!early.has_secured_win(!side), "has_secured_win", early, "{side:?} won later");
        }
    }
    let distinct: HashSet<&G> = game.positions.iter().collect();
    let is_known = G::CYCLIC || distinct.len() == game.positions.len();
    ensure!(is_known, "CYCLIC", last, "it is false, but a position recurred on the way");
    Ok(())
}
