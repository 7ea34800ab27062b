//! The FEN parser of every game: any text is accepted or refused, and an accepted FEN is a consistent
//! position, which the checker of certificates reads alike.
//!
//! The first byte selects the game, the rest is the FEN; text after a zero byte is parsed as a move.
#![no_main]

#[path = "../../certificate/reading.rs"]
mod reading;

use zermelo::rules::{GameEncoding, GameNotation, Record};
use zermelo::thinking::registry::find;
use zermelo_fuzz::{check_one_line, check_position, choose_game};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((number, text)) = bytes.split_first() else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let (fen, mv) = text.split_once('\0').unwrap_or((text, ""));
    zermelo::for_each_game!(choose_game * number, read)(fen, mv);
});

fn read<G: GameNotation + GameEncoding>(fen: &str, mv: &str) {
    if find(G::ID).is_ok_and(|game| game.has_certificates) {
        reading::is_read_alike::<G>(fen);
    }
    let pos = match fen.parse::<G>() {
        Ok(pos) => pos,
        Err(error) => return check_one_line(&error.to_string()),
    };
    check_position(&pos);
    try_move(&pos, mv);
    // The target `games` plays further.
    for mv in pos.legal_moves().into_iter().take(4) {
        check_position(&pos.after(mv));
    }
}

/// Checks that a move is played, or refused without effect.
fn try_move<G: GameNotation>(pos: &G, text: &str) {
    for read in [pos.parse_move(text), pos.parse_user_move(text)] {
        match read {
            Ok(mv) => {
                assert_eq!(pos.parse_move(&mv.to_string()), Ok(mv));
                assert_eq!(pos.is_legal(mv), pos.legal_moves().contains(&mv), "{pos} {mv}");
            }
            Err(error) => check_one_line(&error.to_string()),
        }
    }
    let mut record = Record::new(*pos);
    match record.push_text(text) {
        Ok(()) => assert_eq!(record.moves().len(), 1),
        Err(error) => {
            check_one_line(&error.to_string());
            assert_eq!((record.position(), record.moves().len()), (pos, 0));
        }
    }
}
