//! Records and pictures.

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
    assert_eq!(game["players"], fields["players"]);
    assert_eq!(game["comments"], fields["comments"]);
    assert_eq!(game["variations"], fields["variations"]);
    assert_eq!((&game["result"], &game["setup"]["resigned"]), (&json!("0-1"), &json!(0)));
    assert_eq!(game["setup"]["moves"], json!(["e5", "d4", "c3"]));
    let shown = tab.ask("position", json!({ "setup": game["setup"] }));
    assert_eq!(shown["plies"], 3);
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

#[test]
fn pictures_contain_only_the_board() {
    let server = TestServer::start();
    let mut tab = server.open_tab();
    let rating = |mv: &str| json!({ "move": mv, "expected": 1e300, "is_proven": true });
    let fields = json!({
        "setup": { "game": "tictactoe", "moves": ["b2"] },
        "ratings": [rating("a1"), rating("策"), rating("</svg><script>"), rating("")],
    });
    let picture = tab.ask("picture", fields);
    let svg = picture["svg"].as_str().unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
    assert!(svg.contains("a1") && !svg.contains("script"), "{svg}");
}
