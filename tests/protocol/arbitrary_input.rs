//! Random input: one error for each bad line, and the engine keeps answering.

use proptest::prelude::*;
use zermelo::protocol::{RawLine, parse};

use super::state;
use crate::common::Client;

/// Lines of random words, valid and invalid ones.
fn any_words() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        prop::sample::select(vec![
            "go",
            "position",
            "startpos",
            "fen",
            "random",
            "moves",
            "depth",
            "nodes",
            "perft",
            "setoption",
            "name",
            "value",
            "Hash",
            "MultiPV",
            "Drops",
            "true",
            "searchmoves",
            "e5",
            "a1",
            "9/9/9/9/9/9/9/9/9",
            "x",
            "o",
            "1",
            "-",
            "0",
            "-1",
            "4294967296",
            "3/3/3",
            "query",
            "gameover",
            "legal",
            "eval",
            "d",
            "mate",
            "movestogo",
            "winc",
            "é",
            "\0",
        ])
        .prop_map(str::to_owned),
        "\\PC{0,6}",
    ];
    prop::collection::vec(word, 0..8).prop_map(|words| words.join(" "))
}

/// Whether a line would start something slow, end the session or write a file.
fn must_be_skipped(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    ["go", "perft", "bench", "values", "quit", "debug"].contains(&first) || line.contains("Log")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_parse_or_are_refused_in_one_line(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        if let Err(error) = parse(&RawLine::Complete(&bytes)) {
            prop_assert_eq!(error.to_string().lines().count(), 1);
        }
    }

    #[test]
    fn any_words_parse_or_are_refused_in_one_line(line in any_words()) {
        if let Err(error) = parse(&RawLine::Complete(line.as_bytes())) {
            let text = error.to_string();
            prop_assert_eq!(text.lines().count(), 1);
            prop_assert!(text.contains("expected"), "{}", text);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// After any input, an error leaves the position unchanged and the engine keeps answering.
    #[test]
    fn any_session_keeps_answering(lines in prop::collection::vec(any_words(), 1..20)) {
        let mut client = Client::in_memory();
        for line in lines.iter().filter(|line| !must_be_skipped(line)) {
            let before = state(&mut client);
            let answer = client.ask(line);
            if answer.first().is_some_and(|line| line.starts_with("info string error: ")) {
                prop_assert_eq!(answer.len(), 1);
                prop_assert_eq!(state(&mut client), before);
            }
        }
    }
}
