//! Watching the record of a running match.

use std::fs::{self, OpenOptions};
use std::io::Write;

use serde_json::json;
use zermelo::gui::server::ServerConfig;

use crate::client::TestServer;
use crate::common::Folder;

fn game(number: u32, result: &str, name: &str) -> String {
    let name = name.replace('"', "\\\"");
    format!(
        "[Game \"tictactoe\"]\n[Number \"{number}\"]\n[White \"{name}\"]\n[Black \"b\"]\n\
         [FEN \"3/3/3 x\"]\n[Result \"{result}\"]\n[Termination \"normal\"]\n\n\
         1. a1 {{0.1s}} b1 {{0.1s}} 2. a2 {{0.1s}} b2 {{0.1s}} 3. a3 {{0.1s}} {result}\n\n"
    )
}

#[test]
fn the_report_follows_the_record() {
    let folder = Folder::new("gui-watch");
    let record = folder.file("games.pgn");
    let config = ServerConfig { watched: Some(record.clone()), ..ServerConfig::default() };
    let server = TestServer::with_config(config);
    let mut tab = server.open_tab();
    assert_eq!(tab.ask("games", json!({}))["watch"], true);
    let id = tab.start("watch", json!({}));
    let missing = loop {
        let message = tab.receive_json();
        if message["id"] != json!(id) {
            break message;
        }
    };
    assert!(missing["watch"].is_null() && missing["message"].is_string(), "{missing}");
    let name = "<b>&\"x";
    fs::write(&record, game(1, "1-0", name)).unwrap();
    // The record may be read before it is written.
    while tab.receive_json()["watch"]["standings"][0]["name"] != name {}
    let mut file = OpenOptions::new().append(true).open(&record).unwrap();
    file.write_all(game(2, "1-0", name).as_bytes()).unwrap();
    loop {
        let report = tab.receive_json();
        if report["watch"]["standings"][0]["games"] == 2 {
            break;
        }
    }
    fs::write(folder.file("games.pgn.playing"), game(3, "*", name)).unwrap();
    let playing = loop {
        let message = tab.receive_json();
        if message["playing"][0].is_object() {
            break message["playing"][0].clone();
        }
    };
    assert_eq!((&playing["number"], &playing["players"]), (&json!(3), &json!([name, "b"])));
    assert_eq!(playing["moves"].as_array().unwrap().len(), 5);
    let mut late = server.open_tab();
    late.start("watch", json!({}));
    assert_eq!(late.receive_json()["watch"]["standings"][0]["games"], 2);
}

#[test]
fn without_a_record_there_is_nothing_to_watch() {
    let server = TestServer::start();
    let refused = server.open_tab().ask_refused("watch", json!({}));
    assert!(refused["message"].as_str().unwrap().starts_with("no match is watched"), "{refused}");
}
