//! Records of matches: any bytes are read or refused, and what is read is written and reads back as the
//! same.
//!
//! The first byte chooses the form: games as people read them, a game as a line of JSON, or a whole file,
//! which is also gone on with.
#![no_main]

use std::fs;

use zermelo::arena::journal::{self, Journal, RecordFormat};
use zermelo::arena::record::GameRecord;
use zermelo::arena::record::pgn::PgnReader;
use zermelo_fuzz::scratch_file;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((form, rest)) = bytes.split_first() else { return };
    match form {
        0..120 => read_text(rest),
        120..240 => read_line(rest),
        _ => read_file(rest),
    }
});

fn read_text(text: &[u8]) {
    let mut games = PgnReader::new(text);
    let mut whole = 0;
    while let Ok(Some(game)) = games.next_game() {
        let text = game.to_pgn();
        assert_eq!(read_again(&text), game, "{text}");
        assert_eq!(from_json(RecordFormat::Json.game(&game).as_bytes()), Some(game));
        assert!(games.complete_bytes() > whole);
        whole = games.complete_bytes();
    }
    assert!(games.complete_bytes() <= text.len() as u64);
}

/// The one game of a text.
fn read_again(text: &str) -> GameRecord {
    let mut games = PgnReader::new(text.as_bytes());
    let read = games.next_game();
    let game = read.unwrap_or_else(|error| panic!("{error} in {text}"));
    let game = game.unwrap_or_else(|| panic!("no game in {text}"));
    assert_eq!(games.complete_bytes(), text.len() as u64, "{text}");
    game
}

fn from_json(line: &[u8]) -> Option<GameRecord> {
    serde_json::from_slice(line).ok()
}

fn read_line(line: &[u8]) {
    if let Some(game) = from_json(line) {
        let written = RecordFormat::Json.game(&game);
        assert_eq!(from_json(written.as_bytes()).as_ref(), Some(&game), "{written}");
        if is_plain(&game) {
            assert_eq!(read_again(&game.to_pgn()), game, "{written}");
        }
    }
}

/// Whether a game can have been played here; of others, the text cannot tell everything.
fn is_plain(game: &GameRecord) -> bool {
    const END_OF_TIME: u64 = 253_402_300_799;
    let is_move =
        |mv: &str| !mv.is_empty() && mv.chars().all(|letter| letter.is_ascii_alphabetic());
    let moves_are_plain = game.moves.iter().all(|mv| is_move(&mv.mv));
    moves_are_plain && !game.game.is_empty() && game.started <= END_OF_TIME && game.tags.is_empty()
}

/// A file is read, and gone on with by the tournament it is of: then it holds what was read.
fn read_file(bytes: &[u8]) {
    let path = scratch_file("record");
    fs::write(&path, bytes).expect("the folder for temporary files");
    let mut games = Vec::new();
    let Ok(setup) = journal::read(&path, &mut |game| games.push(game.clone())) else { return };
    let Some(setup) = setup else { return };
    let named = if bytes.starts_with(b"{") { (None, Some(&*path)) } else { (Some(&*path), None) };
    let opened = Journal::open(&setup, named.0, named.1, true, &mut |_| {});
    // A number that comes twice is told.
    if opened.is_err() {
        return;
    }
    let mut again = Vec::new();
    let head = journal::read(&path, &mut |game| again.push(game.clone())).expect("it was read");
    assert_eq!(head, Some(setup));
    assert_eq!(again, games);
    let kept = fs::read(&path).expect("it is there");
    assert!(bytes.starts_with(&kept), "nothing is added to what is whole, with the same setup");
}
