//! Records.

use serde_json::{Value as Json, json};

use crate::client::TestServer;

#[test]
fn a_record_is_read_back_as_it_was_written() {
    let server = TestServer::start();
    let mut tab = server.open_tab();
    let hostile = "<script>alert(1)</script> \"\\\n\u{1b}[2J 策梅洛";
    let fields = json!({
        "setup": { "game": "tixtax", "moves": ["e5", "d4", "c3"], "resigned": 0 },
        "players": [hostile, "zermelo"],
        "started": 1_700_000_000,
        "data": hostile,
        "comments": [
            { "ply": 0, "text": hostile, "moves": [] },
            { "ply": 2, "text": "second/third", "moves": [] },
            { "ply": 2, "text": "a variation\nof two lines", "moves": ["d5", "b5"] },
        ],
        "variations": [{ "ply": 2, "moves": ["d5", "b5"] }, { "ply": 2, "moves": ["d5", "c5"] }],
    });
    let written = tab.ask("write_record", fields.clone());
    let read = tab.ask("read_record", json!({ "text": written["text"] }));
    assert_eq!(read["games"].as_array().unwrap().len(), 1);
    let game = &read["games"][0];
    assert_eq!(game["error"], Json::Null);
    for field in ["players", "started", "data"] {
        assert_eq!(game[field], fields[field]);
    }
    assert_eq!(game["comments"], fields["comments"]);
    assert_eq!(game["variations"], fields["variations"]);
    assert_eq!((&game["result"], &game["setup"]["resigned"]), (&json!("0-1"), &json!(0)));
    assert_eq!(game["setup"]["moves"], json!(["e5", "d4", "c3"]));
    let shown = tab.ask("position", json!({ "setup": game["setup"] }));
    assert_eq!(shown["plies"], 3);
}

/// A game lost on time is written, read back by the page, and reviewed by the program.
#[test]
fn a_loss_on_time_survives_the_record() {
    let server = TestServer::start();
    let mut tab = server.open_tab();
    let setup = json!({ "game": "tictactoe", "moves": ["b2", "a1", "c3"], "out_of_time": 1 });
    let shown = tab.ask("position", json!({ "setup": setup }));
    assert_eq!(shown["outcome"]["text"], "X wins: O ran out of time.");
    let written = tab.ask("write_record", json!({ "setup": setup, "players": ["Anna", "Bo"] }));
    let text = written["text"].as_str().unwrap();
    assert!(text.contains("[Result \"1-0\"]\n") && text.contains("[Termination \"time\"]\n"));
    let read = tab.ask("read_record", json!({ "text": text }));
    let game = &read["games"][0];
    assert_eq!((&game["setup"]["out_of_time"], &game["result"]), (&json!(1), &json!("1-0")));
    assert_eq!((&game["setup"]["resigned"], &game["error"]), (&Json::Null, &Json::Null));
    let file = std::env::temp_dir().join(format!("zermelo-time-{}.pgn", std::process::id()));
    std::fs::write(&file, text).unwrap();
    let mut review = std::process::Command::new(env!("CARGO_BIN_EXE_zermelo"));
    let output = review.arg("review").arg(&file).output().unwrap();
    std::fs::remove_file(&file).unwrap();
    assert!(output.status.success() && String::from_utf8_lossy(&output.stdout).contains("Anna"));
}

#[test]
fn damaged_records_are_read_as_far_as_possible() {
    let server = TestServer::start();
    let mut tab = server.open_tab();
    let text = "[Game \"tictactoe\"]\n[Result \"*\"]\n\n1. b2 {0.1s} b2 {0.1s} *\n\n\
        [Game \"chess\"]\n[Result \"*\"]\n\n1. e4 {0.1s} *\n\n";
    let read = tab.ask("read_record", json!({ "text": text }));
    let [first, second] = [0, 1].map(|index| &read["games"][index]);
    assert_eq!(first["setup"]["moves"], json!(["b2"]));
    assert!(first["error"].as_str().unwrap().contains("move 2"), "{first}");
    assert_eq!(second["setup"], Json::Null);
    assert!(second["error"].as_str().unwrap().contains("unknown game"), "{second}");
    for text in ["", "garbage", "{\"type\":\"game\"}"] {
        let read = tab.ask("read_record", json!({ "text": text }));
        let mut games = read["games"].as_array().unwrap().iter();
        assert!(games.all(|game| game["setup"].is_null() && game["error"].is_string()), "{read}");
    }
}
