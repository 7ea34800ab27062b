//! Shared code of the fuzz targets: choosing a game, invariants of positions, and scratch files.
//!
//! Each file in `targets` is a fuzz target; `scripts/fuzz` builds and runs them. They use only the public
//! interface of the library.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::LazyLock;

use zermelo::rules::{Game, Notation, Outcome, Side, perft, GameNotation};

/// `for_each_game!(choose_game number, function)` expands to `function::<G>` for the game with that
/// number, modulo the number of games.
#[macro_export]
macro_rules! choose_game {
    (($number:expr, $function:ident) $($name:ident: $game:ty,)*) => {{
        let functions = [$($function::<$game>),*];
        functions[usize::from($number) % functions.len()]
    }};
}

/// Returns the path of a scratch file of this process, for readers that need a path.
pub fn scratch_file(extension: &str) -> PathBuf {
    static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
        let folder = std::env::temp_dir().join("zermelo-fuzz");
        std::fs::create_dir_all(&folder).expect("a writable temporary folder");
        folder
    });
    FOLDER.join(format!("{}.{extension}", std::process::id()))
}

/// Checks that an error message is one line without control characters.
pub fn check_one_line(message: &str) {
    assert!(!message.is_empty() && !message.contains(char::is_control), "{message:?}");
}

/// Checks that a position in each notation parses back to an equal one. The keys of the parsed position
/// are computed from scratch, so this also checks the incremental ones.
pub fn check_round_trip<G: GameNotation>(pos: &G) {
    let fen = pos.to_string();
    let again: G = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
    assert_eq!(again.to_string(), fen, "the FEN is canonical");
    check_equal(&again, pos);
    for notation in Notation::ALL {
        if let Some(text) = pos.write_as(notation) {
            let again: G = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            check_equal(&again, pos);
            assert_eq!(again.write_as(notation), Some(text));
        }
    }
}

/// Checks that two positions are equal in everything the library derives from them.
pub fn check_equal<G: Game>(one: &G, other: &G) {
    assert_eq!(one, other);
    assert_eq!(one.side(), other.side(), "{one}");
    assert_eq!(one.outcome(), other.outcome(), "{one}");
    assert_eq!(one.key(), other.key(), "{one}");
    assert_eq!(one.value_key(), other.value_key(), "{one}");
    assert_eq!(one.repetition_key(), other.repetition_key(), "{one}");
    assert_eq!(one.max_plies_left(), other.max_plies_left(), "{one}");
    assert_eq!(one.wins_at_once(), other.wins_at_once(), "{one}");
    let [ours, theirs] = [one, other].map(|pos| {
        [Side::P1, Side::P2].map(|side| (pos.can_still_win(side), pos.has_secured_win(side)))
    });
    assert_eq!(ours, theirs, "{one}");
    assert!(one.legal_moves().iter().eq(other.legal_moves().iter()), "{one}");
}

/// Checks that the legal moves are distinct, counted correctly, playable, and that their names parse.
pub fn check_moves<G: GameNotation>(pos: &G) {
    let moves: Vec<G::Move> = pos.legal_moves().into_iter().collect();
    let distinct: HashSet<G::Move> = moves.iter().copied().collect();
    assert_eq!(distinct.len(), moves.len(), "{pos}: a move is listed twice");
    assert_eq!(pos.outcome().is_some(), moves.is_empty(), "{pos}");
    assert_eq!(pos.move_count(), moves.len(), "{pos}");
    assert_eq!(perft(pos, 1), moves.len() as u64, "{pos}");
    let mut wins = false;
    for mv in &moves {
        let mut next = *pos;
        next.play(*mv).unwrap_or_else(|error| panic!("{pos}: {error}"));
        assert_eq!(next.side(), !pos.side(), "{pos} {mv}");
        assert_eq!(pos.reply_count(*mv), next.legal_moves().len(), "{pos} {mv}");
        for notation in Notation::ALL {
            if let Some(name) = G::write_move_as(*mv, notation) {
                assert_eq!(pos.parse_move(&name), Ok(*mv), "{pos} {name}");
            }
        }
        wins |= next.outcome() == Some(Outcome::Win(pos.side()));
        let bounds = pos.max_plies_left().zip(next.max_plies_left());
        assert!(bounds.is_none_or(|(before, after)| after < before), "{pos} {mv}");
    }
    assert!(wins || !pos.wins_at_once(), "{pos}");
    if let Some(Outcome::Win(side)) = pos.outcome() {
        assert!(pos.can_still_win(side), "{pos}");
    }
}

/// Checks that rotating or mirroring a position does not change the game.
pub fn check_symmetries<G: Game>(pos: &G) {
    for symmetry in 0..G::SYMMETRIES {
        let image = pos.image(symmetry);
        assert_eq!(image.key(), pos.image_key(symmetry), "{pos} {symmetry}");
        assert_eq!(image.outcome(), pos.outcome(), "{pos} {symmetry}");
        assert_eq!(image.max_plies_left(), pos.max_plies_left(), "{pos} {symmetry}");
        let expected: HashSet<G::Move> =
            pos.legal_moves().into_iter().map(|mv| pos.move_image(mv, symmetry)).collect();
        let actual: HashSet<G::Move> = image.legal_moves().into_iter().collect();
        assert_eq!(actual, expected, "{pos} {symmetry}");
    }
}
