//! Checks the hooks of `Game` that answer questions about one position: each against the answer
//! that its definition gives.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use zermelo::games::Nim;
use zermelo::rules::{Game, GameEncoding, GameNotation, Move, Outcome, Side, SplitMix, perft};

const SIDES: [Side; 2] = [Side::P1, Side::P2];

pub(crate) fn finished_games_have_no_moves<G: GameNotation + GameEncoding>(pos: &G) {
    assert_eq!(pos.outcome().is_some(), pos.legal_moves().is_empty(), "outcome: {pos}");
    if let Some(Outcome::Win(side)) = pos.outcome() {
        assert!(pos.can_still_win(side), "can_still_win: {pos}");
    }
}

pub(crate) fn generated_moves_are_the_accepted_ones<G: GameNotation + GameEncoding>(pos: &G) {
    let moves: Vec<G::Move> = pos.legal_moves().into_iter().collect();
    let distinct: HashSet<_> = moves.iter().collect();
    assert_eq!(distinct.len(), moves.len(), "legal_moves: {pos}: a move is listed twice");
    let codes: HashSet<usize> = moves.iter().map(|mv| mv.code()).collect();
    assert_eq!(codes.len(), moves.len(), "{pos}: two moves have one code");
    assert!(codes.iter().all(|code| *code < G::MOVE_CODES), "MOVE_CODES: {pos}");
    const { assert!(G::MOVE_CODES < 65535) };
    // Every text of one or two squares, not only the moves that are generated.
    let squares: Vec<String> =
        ('a'..='i').flat_map(|file| (1..=9).map(move |rank| format!("{file}{rank}"))).collect();
    let pairs = squares.iter().flat_map(|from| squares.iter().map(move |to| format!("{from}{to}")));
    for name in squares.iter().cloned().chain(pairs) {
        let Ok(mv) = pos.parse_move(&name) else { continue };
        assert_eq!(pos.is_legal(mv), moves.contains(&mv), "is_legal: {pos}: {name}");
        let mut next = *pos;
        assert_eq!(next.play(mv).is_ok(), moves.contains(&mv), "play: {pos}: {name}");
        if !moves.contains(&mv) {
            assert_eq!(next, *pos, "play: a refused move changed the position");
        }
    }
    for mv in moves {
        assert_eq!(pos.parse_move(&mv.to_string()), Ok(mv), "parse_move: {pos}");
        let typed = pos.parse_user_move(&mv.to_string().to_uppercase());
        assert_eq!(typed, Ok(mv), "parse_user_move: {pos}");
    }
}

/// `move_count`, `reply_count`, `after`, `key_after`, `quiet_move` and `value_key_xor` agree with the
/// move list and the positions after the moves.
pub(crate) fn shortcuts_match_the_move_list<G: GameNotation + GameEncoding>(pos: &G) {
    let moves = pos.legal_moves();
    assert_eq!(pos.move_count(), moves.len(), "move_count: {pos}");
    for mv in moves {
        let mut next = *pos;
        next.play_unchecked(mv);
        assert_eq!(pos.after(mv), next, "after: {pos} {mv}");
        assert_eq!(pos.reply_count(mv), next.legal_moves().len(), "reply_count: {pos} {mv}");
        let key = pos.key_after(mv).unwrap_or(next.key());
        assert_eq!(key, next.key(), "key_after: {pos} {mv}");
        if let Some(quiet) = pos.quiet_move(mv) {
            assert_eq!(next.outcome(), None, "quiet_move: {pos} {mv}");
            let prospects = |pos: &G| {
                [Side::P1, Side::P2]
                    .map(|side| (pos.can_still_win(side), pos.has_secured_win(side)))
            };
            assert_eq!(prospects(&next), prospects(pos), "quiet_move: {pos} {mv}");
            assert_eq!(quiet.allows_win, next.wins_at_once(), "quiet_move: {pos} {mv}");
            let change = pos.value_key() ^ next.value_key();
            assert_eq!(pos.value_key_xor(mv), change, "value_key_xor: {pos} {mv}");
        }
    }
}

/// Random moves are legal and about equally frequent.
pub(crate) fn random_moves_are_uniform<G: GameNotation + GameEncoding>(
    pos: &G,
    random: &mut SplitMix,
) {
    const DRAWS_PER_MOVE: usize = 64;
    let moves = pos.legal_moves();
    let mut drawn = vec![0; moves.len()];
    for _ in 0..DRAWS_PER_MOVE * moves.len() {
        let mv = pos.random_move(random);
        let index = moves.iter().position(|listed| *listed == mv);
        drawn[index.unwrap_or_else(|| panic!("random_move: {pos}: {mv} is illegal"))] += 1;
    }
    let is_fair = |count: &usize| (DRAWS_PER_MOVE / 4..=DRAWS_PER_MOVE * 4).contains(count);
    assert!(drawn.iter().all(is_fair), "random_move: {pos}: drawn {drawn:?} times");
}

/// What `wins_at_once`, `can_still_win` and `max_plies_left` promise about the continuations.
pub(crate) fn promises_hold<G: GameNotation + GameEncoding>(pos: &G, random: &mut SplitMix) {
    let children: Vec<G> = pos.legal_moves().into_iter().map(|mv| pos.after(mv)).collect();
    let wins = |child: &G| child.outcome() == Some(Outcome::Win(pos.side()));
    assert!(!pos.wins_at_once() || children.iter().any(wins), "wins_at_once: {pos}");

    for side in SIDES.into_iter().filter(|side| !pos.can_still_win(*side)) {
        let wins = |pos: &G| pos.outcome() == Some(Outcome::Win(side));
        assert!(!some_playout_ends(pos, random, wins), "can_still_win: {pos}: {side:?} wins");
        if pos.max_plies_left().is_some_and(|plies| plies <= 6) {
            let has_win = some_continuation_ends(pos, &wins);
            assert!(!has_win, "can_still_win: {pos}: {side:?} has a win");
        }
    }

    for side in SIDES.into_iter().filter(|side| pos.has_secured_win(*side)) {
        let loses = |pos: &G| pos.outcome().is_some_and(|outcome| outcome != Outcome::Win(side));
        assert!(pos.can_still_win(side) && !pos.can_still_win(!side), "has_secured_win: {pos}");
        assert!(pos.max_plies_left().is_some(), "has_secured_win: {pos}: no bound of plies");
        assert!(!some_playout_ends(pos, random, loses), "has_secured_win: {pos}: {side:?}");
        if pos.max_plies_left().is_some_and(|plies| plies <= 6) {
            assert!(!some_continuation_ends(pos, &loses), "has_secured_win: {pos}: {side:?}");
        }
    }

    if let Some([first, second]) = pos.final_count() {
        let expected = match first.cmp(&second) {
            Ordering::Greater => Outcome::Win(Side::P1),
            Ordering::Equal => Outcome::Draw,
            Ordering::Less => Outcome::Win(Side::P2),
        };
        assert_eq!(pos.outcome(), Some(expected), "final_count: {pos}");
    }

    let bound = pos.max_plies_left();
    assert_eq!(bound.is_some(), G::start().max_plies_left().is_some(), "max_plies_left: {pos}");
    assert!(!G::CYCLIC || bound.is_none(), "max_plies_left: a cyclic game has no bound");
    for child in &children {
        let falls = |bound| child.max_plies_left().is_some_and(|left| left < bound);
        assert!(bound.is_none_or(falls), "max_plies_left: {pos}");
        assert_eq!(child.side(), !pos.side(), "side: {pos}: the sides alternate");
    }
}

/// Whether one of some random games ends in a position like this.
fn some_playout_ends<G: GameNotation + GameEncoding>(
    pos: &G,
    random: &mut SplitMix,
    like: impl Fn(&G) -> bool,
) -> bool {
    const PLAYOUTS: usize = 8;
    const MAX_PLIES: usize = 120;
    (0..PLAYOUTS).any(|_| {
        let mut pos = *pos;
        for _ in 0..MAX_PLIES {
            let moves = pos.legal_moves();
            if moves.is_empty() {
                break;
            }
            pos.play_unchecked(moves[random.below(moves.len())]);
        }
        like(&pos)
    })
}

/// Whether any continuation passes through a position like this.
fn some_continuation_ends<G: GameNotation + GameEncoding>(
    pos: &G,
    like: &impl Fn(&G) -> bool,
) -> bool {
    let continues = |mv| some_continuation_ends(&pos.after(mv), like);
    like(pos) || pos.legal_moves().into_iter().any(continues)
}

/// Along a whole game: the bound of the plies left was never too low, the winner could win all
/// along, and positions recur only in a cyclic game.
pub(crate) fn promises_hold_to_the_end<G: GameNotation + GameEncoding>(
    positions: &[G],
    moves: &[G::Move],
) {
    let last = positions[positions.len() - 1];
    for (played, early) in positions.iter().enumerate() {
        let left = (moves.len() - played) as u32;
        let is_enough = early.max_plies_left().is_none_or(|bound| bound >= left);
        assert!(is_enough, "max_plies_left: {early}");
        if let Some(Outcome::Win(side)) = last.outcome() {
            assert!(early.can_still_win(side), "can_still_win: {early}");
            assert!(!early.has_secured_win(!side), "has_secured_win: {early}");
        }
    }
    let distinct: HashSet<&G> = positions.iter().collect();
    assert!(G::CYCLIC || distinct.len() == positions.len(), "CYCLIC: {last}: a position recurred");
}

/// Each image is the same game: the same state, and moves that correspond one to one and lead to
/// the images of the positions they lead to here.
pub(crate) fn symmetries_keep_the_game<G: GameNotation + GameEncoding>(pos: &G) {
    assert_eq!(pos.image(0), *pos, "image: number 0 is the identity");
    for symmetry in 0..G::SYMMETRIES {
        let image = pos.image(symmetry);
        assert_eq!(pos.image_key(symmetry), image.key(), "image_key: {pos}");
        assert_eq!(image.side(), pos.side(), "image: {pos}");
        assert_eq!(image.outcome(), pos.outcome(), "image: {pos}");
        assert_eq!(image.max_plies_left(), pos.max_plies_left(), "image: {pos}");
        assert_eq!(image.wins_at_once(), pos.wins_at_once(), "image: {pos}");
        for side in SIDES {
            assert_eq!(image.can_still_win(side), pos.can_still_win(side), "image: {pos}");
            assert_eq!(image.has_secured_win(side), pos.has_secured_win(side), "image: {pos}");
        }
        assert_eq!(perft(&image, 2), perft(pos, 2), "image: {pos}");
        let map = |mv| pos.move_image(mv, symmetry);
        let mapped: HashSet<G::Move> = pos.legal_moves().into_iter().map(map).collect();
        let own: HashSet<G::Move> = image.legal_moves().into_iter().collect();
        assert_eq!(mapped, own, "move_image: {pos}");
        for mv in pos.legal_moves() {
            let mapped = image.after(pos.move_image(mv, symmetry));
            let child = pos.after(mv);
            // A position without an image is its own image, and so are then its moves.
            let is_its_own = image == *pos && mapped == child;
            let commutes = mapped == child.image(symmetry) || is_its_own;
            assert!(commutes, "image and move_image: {pos} {mv}");
        }
    }
}

/// Counting by move on several threads gives the perft of the position after each move.
pub(crate) fn perft_divides_by_move<G: GameNotation + GameEncoding>(pos: &G) {
    for depth in 1..=3 {
        let counts = perft::divide(pos, depth, 2, &AtomicBool::new(false)).unwrap();
        let moves = pos.legal_moves().into_iter();
        let expected: Vec<_> = moves.map(|mv| (mv, perft(&pos.after(mv), depth - 1))).collect();
        assert_eq!(counts, expected, "perft: {pos}: {depth}");
    }
}

/// The moves change one heap each, to any smaller size.
pub(crate) fn heaps_describe_the_moves(pos: &Nim) {
    let heaps: Vec<u8> = pos.heaps().collect();
    let mut expected: Vec<Vec<u8>> = Vec::new();
    for (index, size) in heaps.iter().enumerate() {
        for option in 0..*size {
            let mut after = heaps.clone();
            after[index] = option;
            expected.push(after);
        }
    }
    let after = |mv| pos.after(mv).heaps().collect();
    let mut found: Vec<Vec<u8>> = pos.legal_moves().into_iter().map(after).collect();
    expected.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, expected, "heaps: {pos}");
    if found.is_empty() {
        assert_eq!(pos.outcome(), Some(Outcome::Win(!pos.side())), "{pos}");
    }
}
