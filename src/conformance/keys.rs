//! Checks the keys of a game: equal positions have equal keys, and positions with equal keys are
//! as similar as the definition of the key demands.

use std::collections::{HashMap, HashSet};

use super::rules::SIDES;
use super::{Check, ensure};
use crate::rules::{Game, GameDrawing, GameEncoding, Move, SplitMix};

/// A move has the same code wherever it is played, and no other move has it.
pub(super) fn move_codes_identify_moves<G: Game>(positions: &[G]) -> Check {
    const { assert!(G::MOVE_CODES < 65535, "at most 65534 move codes") };
    let mut known = HashMap::new();
    for pos in positions {
        for mv in pos.legal_moves() {
            let (code, count) = (mv.code(), G::MOVE_CODES);
            ensure!(
                code < count,
                "MOVE_CODES",
                pos,
                "{mv} has code {code}, expected below {count}"
            );
            let other = *known.entry(code).or_insert(mv);
            ensure!(other == mv, "code", pos, "{mv} and {other} have code {code}");
            let read = G::Move::from_code(code);
            ensure!(read == Some(mv), "from_code", pos, "not {mv} for its code {code}");
        }
    }
    Ok(())
}

pub(super) fn actions_identify_moves<G: GameEncoding>(positions: &[G]) -> Check {
    for pos in positions {
        for mv in pos.legal_moves() {
            let (action, count) = (G::action(mv), G::ACTIONS);
            ensure!(action < count, "action", pos, "{mv} is {action}, expected below {count}");
            ensure!(
                G::from_action(action) == Some(mv),
                "from_action",
                pos,
                "not {mv} for {action}"
            );
        }
    }
    let beyond = G::from_action(G::ACTIONS);
    ensure!(beyond.is_none(), "from_action", positions[0], "a move for {}", G::ACTIONS);
    Ok(())
}

/// The positions of a game and all their successors: different positions have different keys.
pub(super) fn keys_identify_positions<G: Game>(positions: &[G]) -> Check {
    let mut known = HashMap::new();
    for pos in positions {
        let next: Vec<G> = pos.legal_moves().into_iter().map(|mv| pos.after(mv)).collect();
        for pos in next.iter().chain([pos]) {
            let other = *known.entry(pos.key()).or_insert(*pos);
            ensure!(other == *pos, "key", pos, "'{other}' is another position with this key");
        }
        let repeated: HashSet<u64> = next.iter().map(Game::repetition_key).collect();
        ensure!(repeated.len() == next.len(), "repetition_key", pos, "two moves lead to one key");
    }
    Ok(())
}

/// Positions among which transpositions are likely: those of a game, their successors, and what is
/// reached from `pos` in up to three plies.
pub(super) fn neighbourhood<G: Game>(positions: &[G], pos: &G) -> Vec<G> {
    const MOST: usize = 4000;
    let successors =
        |pos: &G| -> Vec<G> { pos.legal_moves().into_iter().map(|mv| pos.after(mv)).collect() };
    let mut all = positions.to_vec();
    all.extend(positions.iter().flat_map(successors));
    let mut level = vec![*pos];
    for _ in 0..3 {
        level = level.iter().flat_map(successors).take(MOST).collect();
        all.extend_from_slice(&level);
    }
    all
}

/// Compares positions that are equal or share a key with the first such position.
pub(super) fn equal_keys_mean_equal_games<G: GameDrawing>(
    positions: &[G],
    random: &mut SplitMix,
) -> Check {
    let mut known = HashMap::new();
    let mut by_search_key = HashMap::new();
    let mut by_value_key = HashMap::new();
    let mut by_repetition_key = HashMap::new();
    for pos in positions {
        equal_positions_agree(known.entry(*pos).or_insert(*pos), pos)?;
        equal_search_keys_mean_equal_searches(
            by_search_key.entry(pos.search_key()).or_insert(*pos),
            pos,
        )?;
        let merged = *by_value_key.entry(pos.value_key()).or_insert(*pos);
        if merged != *pos {
            have_one_game_tree(merged, *pos, random)?;
        }
        let repeated = by_repetition_key.entry(pos.repetition_key()).or_insert(*pos);
        let is_repetition =
            repeated.side() == pos.side() && (!G::CYCLIC || repeated.diagram() == pos.diagram());
        ensure!(is_repetition, "repetition_key", pos, "'{repeated}' has it, but looks different");
    }
    Ok(())
}

/// Equal positions give the same answer to every question, whatever moves led to them.
pub(super) fn equal_positions_agree<G: Game>(one: &G, other: &G) -> Check {
    let with = format!("it differs from that of an equal position, '{other}'");
    ensure!(one.key() == other.key(), "key", one, "{with}");
    ensure!(one.search_key() == other.search_key(), "search_key", one, "{with}");
    ensure!(one.value_key() == other.value_key(), "value_key", one, "{with}");
    ensure!(one.repetition_key() == other.repetition_key(), "repetition_key", one, "{with}");
    answers_agree(one, other, &with)
}

/// Positions with one search key give the same answer to every question, also after the same move.
fn equal_search_keys_mean_equal_searches<G: Game>(one: &G, other: &G) -> Check {
    answers_agree(
        one,
        other,
        &format!("it differs from that of '{other}' with the same search key"),
    )?;
    for mv in one.legal_moves() {
        let is_same = one.after(mv).search_key() == other.after(mv).search_key();
        ensure!(is_same, "search_key", one, "'{other}' has it, but not after {mv}");
    }
    Ok(())
}

/// The answers on which the moves of a search, its limits and its scores depend.
fn answers_agree<G: Game>(one: &G, other: &G, with: &str) -> Check {
    ensure!(one.side() == other.side(), "side", one, "{with}");
    ensure!(one.outcome() == other.outcome(), "outcome", one, "{with}");
    ensure!(one.max_plies_left() == other.max_plies_left(), "max_plies_left", one, "{with}");
    ensure!(one.wins_at_once() == other.wins_at_once(), "wins_at_once", one, "{with}");
    for side in SIDES {
        ensure!(
            one.can_still_win(side) == other.can_still_win(side),
            "can_still_win",
            one,
            "{with}"
        );
        let secured = [one, other].map(|pos| pos.has_secured_win(side));
        ensure!(secured[0] == secured[1], "has_secured_win", one, "{with}");
    }
    let is_same = one.legal_moves().iter().eq(other.legal_moves().iter());
    ensure!(is_same, "legal_moves", one, "the moves or their order: {with}");
    Ok(())
}

/// Two different positions with one value key: the same side to move, outcome and legal moves, and
/// again one value key after each move; tried along one random continuation.
fn have_one_game_tree<G: Game>(mut one: G, mut other: G, random: &mut SplitMix) -> Check {
    for _ in 0..super::MAX_CYCLIC_PLIES {
        let moves: Vec<G::Move> = one.legal_moves().into_iter().collect();
        let (own, others): (HashSet<G::Move>, HashSet<G::Move>) =
            (moves.iter().copied().collect(), other.legal_moves().into_iter().collect());
        let is_same = one.side() == other.side() && one.outcome() == other.outcome();
        ensure!(
            is_same && own == others,
            "value_key",
            one,
            "'{other}' has it, but is another game"
        );
        for mv in moves.iter().copied() {
            let is_same = one.after(mv).value_key() == other.after(mv).value_key();
            ensure!(is_same, "value_key", one, "'{other}' has it, but not after {mv}");
        }
        if moves.is_empty() {
            return Ok(());
        }
        let mv = moves[random.below(moves.len())];
        one.play_unchecked(mv);
        other.play_unchecked(mv);
    }
    Ok(())
}
