//! The page of a game of another crate, tests/hexapawn.rs.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use serde_json::json;

use crate::client::{Tab, parse_url};
use crate::common::example;

#[test]
fn the_page_draws_it_and_plays_it() {
    let mut command = Command::new(example("hexapawn", "hexapawn.rs"));
    command.args(["gui", "--no-browser", "--port", "0"]).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    let (address, token) = parse_url(line.split_whitespace().last().unwrap());
    let mut tab = Tab::open(address, &token);
    let games = tab.ask("games", json!({}));
    assert_eq!(games["default_game"], "hexapawn");
    assert_eq!(games["games"][0]["layout"]["spots"].as_array().unwrap().len(), 9);
    let start = tab.ask("start", json!({ "game": "hexapawn", "kind": "standard" }));
    assert_eq!(start["fen"], "ooo/.../xxx x");
    let setup = json!({ "game": "hexapawn", "moves": ["a1a2"] });
    let position = tab.ask("position", json!({ "setup": setup }));
    assert_eq!(position["legal"].as_array().unwrap().len(), 3);
    let hint = tab.ask("hint", json!({ "setup": setup }));
    assert!(["b3a2", "b3b2", "c3c2"].map(Into::into).contains(&hint["move"]), "{hint}");
    child.kill().unwrap();
    child.wait().unwrap();
}
