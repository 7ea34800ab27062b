//! Match records: any bytes are read or refused, and what is read round-trips.
//!
//! The first byte selects the format: PGN games, a game as a line of JSON, or a whole file, which is also
//! resumed.
#![no_main]

use std::fs;

use zermelo::arena::tournament::journal;
use zermelo::arena::tournament::journal::{Journal, RecordedJournal};
use zermelo::records::GameReader;
use zermelo::records::{GameRecord, MoveRecord, RecordFormat};
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
    let mut games = GameReader::new(text);
    let mut whole = 0;
    while let Ok(Some(game)) = games.next_game() {
        let text = game.to_pgn();
        assert_eq!(read_single_game(&text), game, "{text}");
        assert_eq!(from_json(RecordFormat::Json.game(&game).as_bytes()), Some(game));
        assert!(games.complete_bytes() > whole);
        whole = games.complete_bytes();
    }
    assert!(games.complete_bytes() <= text.len() as u64);
}

fn read_single_game(text: &str) -> GameRecord {
    let mut games = GameReader::new(text.as_bytes());
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
        if is_representable(&game) {
            assert_eq!(read_single_game(&game.to_pgn()), game, "{written}");
        }
    }
}

/// Whether PGN can represent the game completely, as it can for every game played here.
fn is_representable(game: &GameRecord) -> bool {
    const END_OF_TIME: u64 = 253_402_300_799;
    let is_move =
        |mv: &str| !mv.is_empty() && mv.chars().all(|letter| letter.is_ascii_alphabetic());
    let is_line = |mv: &MoveRecord| {
        mv.best_line.iter().all(|mv| is_move(mv)) && (mv.best.is_some() || mv.best_line.is_empty())
    };
    let moves_are_plain = game.moves.iter().all(|mv| is_move(&mv.mv) && is_line(mv));
    moves_are_plain && !game.game.is_empty() && game.started <= END_OF_TIME && game.tags.is_empty()
}

/// Checks that resuming a file keeps the games that were read from it.
fn read_file(bytes: &[u8]) {
    let path = scratch_file("record");
    fs::write(&path, bytes).expect("a writable temporary folder");
    let mut games = Vec::new();
    let Ok(setup) = journal::read(&path, &mut |game| games.push(game.clone())) else { return };
    let Some(setup) = setup else { return };
    let journal = Some((&*path, RecordFormat::detect(bytes)));
    let recorded = Journal::read(&setup, journal, &mut |_| {});
    let opened = recorded.and_then(RecordedJournal::open);
    // A duplicate game number is an error.
    if opened.is_err() {
        return;
    }
    let mut again = Vec::new();
    let head = journal::read(&path, &mut |game| again.push(game.clone())).expect("still readable");
    assert_eq!(head, Some(setup));
    assert_eq!(again, games);
    let kept = fs::read(&path).expect("an existing file");
    assert!(bytes.starts_with(&kept), "resuming with the same setup adds nothing");
}
