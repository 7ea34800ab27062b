//! The FEN readers of every game: no text breaks them, and what they take is a position.
//!
//! The first byte chooses the game, the rest is the FEN; what stands behind a zero byte is read as a
//! move there.
#![no_main]

use zermelo::rules::{Game, Record};
use zermelo_fuzz::{choose_game, images_are_sound, is_one_line, moves_are_sound, reads_back};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((number, text)) = bytes.split_first() else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let (fen, mv) = text.split_once('\0').unwrap_or((text, ""));
    zermelo::for_each_game!(choose_game *number, read)(fen, mv);
});

fn read<G: Game>(fen: &str, mv: &str) {
    let pos = match fen.parse::<G>() {
        Ok(pos) => pos,
        Err(error) => return is_one_line(&error.to_string()),
    };
    reads_back(&pos);
    moves_are_sound(&pos);
    images_are_sound(&pos);
    assert!(!pos.diagram().is_empty());
    assert_eq!(pos.spot_contents().len(), G::layout().map_or(0, |layout| layout.spots.len()));
    try_move(&pos, mv);
    // The target of games plays further.
    for mv in pos.legal_moves().into_iter().take(4) {
        reads_back(&pos.after(mv));
    }
}

/// A move that somebody typed is played or refused, and then nothing has changed.
fn try_move<G: Game>(pos: &G, text: &str) {
    for read in [pos.parse_move(text), pos.parse_typed_move(text)] {
        match read {
            Ok(mv) => {
                assert_eq!(pos.parse_move(&mv.to_string()), Ok(mv));
                assert_eq!(pos.is_legal(mv), pos.legal_moves().contains(&mv), "{pos} {mv}");
            }
            Err(error) => is_one_line(&error.to_string()),
        }
    }
    let mut record = Record::new(*pos);
    match record.push_text(text) {
        Ok(()) => assert_eq!(record.moves().len(), 1),
        Err(error) => {
            is_one_line(&error.to_string());
            assert_eq!((record.position(), record.moves().len()), (pos, 0));
        }
    }
}
