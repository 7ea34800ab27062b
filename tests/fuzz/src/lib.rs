//! Shared code of the fuzz targets: choosing a game, invariants of positions, and scratch files.
//!
//! Each file in `targets` is a fuzz target; `scripts/fuzz` builds and runs them. They use only the public
//! interface of the library.

use std::path::PathBuf;
use std::sync::LazyLock;

use zermelo::rules::{Game, GameEncoding, GameNotation, Side};

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

/// Checks that two positions are equal in everything the library derives from them.
pub fn check_equal<G: Game>(one: &G, other: &G) {
    assert_eq!(one, other);
    assert_eq!(one.side(), other.side(), "{one}");
    assert_eq!(one.outcome(), other.outcome(), "{one}");
    assert_eq!(one.key(), other.key(), "{one}");
    assert_eq!(one.search_key(), other.search_key(), "{one}");
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

/// Checks everything about a game in one position.
pub fn check_position<G: GameNotation + GameEncoding>(pos: &G) {
    assert_eq!(zermelo::conformance::check_position(pos), Ok(()));
}
