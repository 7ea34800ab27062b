//! Checks the keys of a game: equal positions have equal keys, and positions with equal keys are
//! as similar as the definition of the key demands.

use std::collections::{HashMap, HashSet};

use zermelo::rules::{Game, GameEncoding, GameNotation, Move, Side, SplitMix};

/// A move has the same code wherever it is played, and no other move has it.
pub(crate) fn move_codes_identify_moves<G: GameNotation + GameEncoding>(positions: &[G]) {
    let mut known = HashMap::new();
    for mv in positions.iter().flat_map(Game::legal_moves) {
        assert_eq!(*known.entry(mv.code()).or_insert(mv), mv, "code: two moves have one code");
    }
}

/// An action stands for one move.
pub(crate) fn actions_identify_moves<G: GameNotation + GameEncoding>(positions: &[G]) {
    for mv in positions.iter().flat_map(Game::legal_moves) {
        assert!(G::action(mv) < G::ACTIONS, "action: {mv}");
        assert_eq!(G::from_action(G::action(mv)), Some(mv), "from_action");
    }
    assert_eq!(G::from_action(G::ACTIONS), None, "from_action");
}

/// The positions of a game and all their successors: different positions have different keys.
pub(crate) fn keys_identify_positions<G: GameNotation + GameEncoding>(positions: &[G]) {
    let mut known = HashMap::new();
    for pos in positions {
        let next: Vec<G> = pos.legal_moves().into_iter().map(|mv| pos.after(mv)).collect();
        for pos in next.iter().chain([pos]) {
            let other = *known.entry(pos.key()).or_insert(*pos);
            assert_eq!(other, *pos, "key: two positions have one key");
        }
        let repeated: HashSet<u64> = next.iter().map(Game::repetition_key).collect();
        assert_eq!(repeated.len(), next.len(), "repetition_key: {pos}");
    }
}

/// Positions among which transpositions are likely: those of a game, their successors, and what is
/// reached from `pos` in up to three plies.
pub(crate) fn neighbourhood<G: GameNotation + GameEncoding>(positions: &[G], pos: &G) -> Vec<G> {
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
pub(crate) fn equal_keys_mean_equal_games<G: GameNotation + GameEncoding>(
    positions: &[G],
    random: &mut SplitMix,
) {
    let mut known = HashMap::new();
    let mut by_value_key = HashMap::new();
    let mut by_repetition_key = HashMap::new();
    for pos in positions {
        let equal = known.entry(*pos).or_insert(*pos);
        equal_positions_agree(equal, pos);
        let merged = by_value_key.entry(pos.value_key()).or_insert(*pos);
        if merged != pos {
            have_one_game_tree(*merged, *pos, random);
        }
        let repeated = by_repetition_key.entry(pos.repetition_key()).or_insert(*pos);
        assert_eq!(repeated.side(), pos.side(), "repetition_key: {repeated} and {pos}");
        if G::CYCLIC {
            let boards = (repeated.diagram(), pos.diagram());
            assert_eq!(boards.0, boards.1, "repetition_key: {repeated} and {pos}");
        }
    }
}

/// Equal positions give the same answer to every question, whatever moves led to them.
pub(crate) fn equal_positions_agree<G: GameNotation + GameEncoding>(one: &G, other: &G) {
    assert_eq!(one, other);
    assert_eq!(one.key(), other.key(), "key: {one}");
    assert_eq!(one.value_key(), other.value_key(), "value_key: {one}");
    assert_eq!(one.repetition_key(), other.repetition_key(), "repetition_key: {one}");
    assert_eq!(one.side(), other.side(), "side: {one}");
    assert_eq!(one.outcome(), other.outcome(), "outcome: {one}");
    assert_eq!(one.max_plies_left(), other.max_plies_left(), "max_plies_left: {one}");
    assert_eq!(one.wins_at_once(), other.wins_at_once(), "wins_at_once: {one}");
    for side in [Side::P1, Side::P2] {
        assert_eq!(one.can_still_win(side), other.can_still_win(side), "can_still_win: {one}");
        let secured = [one, other].map(|pos| pos.has_secured_win(side));
        assert_eq!(secured[0], secured[1], "has_secured_win: {one}");
    }
    assert!(one.legal_moves().iter().eq(other.legal_moves().iter()), "legal_moves: {one}");
}

/// Two different positions with one value key: the same side to move, outcome and legal moves, and
/// again one value key after each move; tried along one random continuation.
fn have_one_game_tree<G: GameNotation + GameEncoding>(
    mut one: G,
    mut other: G,
    random: &mut SplitMix,
) {
    const MAX_PLIES: usize = 120;
    for _ in 0..MAX_PLIES {
        let both = format!("value_key: {one} and {other}");
        assert_eq!(one.side(), other.side(), "{both}");
        assert_eq!(one.outcome(), other.outcome(), "{both}");
        let moves: Vec<G::Move> = one.legal_moves().into_iter().collect();
        let own: HashSet<G::Move> = moves.iter().copied().collect();
        assert_eq!(own, other.legal_moves().into_iter().collect(), "{both}");
        for mv in moves.iter().copied() {
            assert_eq!(one.after(mv).value_key(), other.after(mv).value_key(), "{both}: {mv}");
        }
        if moves.is_empty() {
            return;
        }
        let mv = moves[random.below(moves.len())];
        one.play_unchecked(mv);
        other.play_unchecked(mv);
    }
}
