//! Engines given by `--engine`.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use zermelo::arena::engines::engine_setup::{EngineSetup, Protocol};
use zermelo::arena::engines::key_values::KeyValues;
use zermelo::gui::server::ServerConfig;

use crate::client::{TIMEOUT, Tab, TestServer};
use crate::common::{EXIT_3, Folder, fake_command};

fn engine(name: &str, command: &str, options: &[&str]) -> EngineSetup {
    let words: Vec<String> =
        [command].iter().chain(options).map(|word| (*word).to_owned()).collect();
    let values = KeyValues::from_arguments("--engine", &words).unwrap();
    let mut engine = EngineSetup::without_limits(&values, Protocol::Uci).unwrap();
    engine.name = name.to_owned();
    engine
}

fn server(engines: Vec<EngineSetup>) -> TestServer {
    TestServer::with_config(ServerConfig { engines, ..ServerConfig::default() })
}

fn send(tab: &mut Tab, name: &str, line: &str) {
    tab.start("engine", json!({ "name": name, "line": line }));
}

fn wait_for(tab: &mut Tab, is_wanted: impl Fn(&Json) -> bool) -> Json {
    let begin = Instant::now();
    loop {
        let message = tab.receive_json();
        if is_wanted(&message) {
            return message;
        }
        assert!(begin.elapsed() < TIMEOUT);
    }
}

fn wait_for_line(tab: &mut Tab, start: &str) -> String {
    let is_wanted =
        |event: &Json| event["line"].as_str().is_some_and(|line| line.starts_with(start));
    wait_for(tab, is_wanted)["line"].as_str().unwrap().to_owned()
}

fn wait_for_state(tab: &mut Tab, state: &str) -> Json {
    wait_for(tab, |event| event["state"] == state)
}

#[test]
fn another_engine_plays() {
    let server = server(vec![engine(
        "other",
        concat!("cmd=", env!("CARGO_BIN_EXE_zermelo")),
        &["proto=ugi", "option.Hash=2"],
    )]);
    let mut tab = server.open_tab();
    assert_eq!(tab.ask("games", json!({}))["engines"], json!(["other"]));
    send(&mut tab, "other", "uci");
    assert_eq!(wait_for_state(&mut tab, "started")["engine"], "other");
    assert_eq!(wait_for_line(&mut tab, "ugiok"), "ugiok");
    for line in ["setoption name UCI_Variant value tictactoe", "position startpos moves a1 b2 a2"] {
        send(&mut tab, "other", line);
    }
    send(&mut tab, "other", "go movetime 50");
    assert_eq!(wait_for_line(&mut tab, "bestmove"), "bestmove a3");
}

#[test]
fn engines_get_only_commands_and_options_that_name_no_files() {
    let folder = Folder::new("gui-engine-files");
    let server = server(vec![engine("other", concat!("cmd=", env!("CARGO_BIN_EXE_zermelo")), &[])]);
    let mut tab = server.open_tab();
    send(&mut tab, "other", "uci");
    wait_for_line(&mut tab, "uciok");
    let log = folder.file("log.txt");
    let option = format!("setoption name Log File value {}", log.display());
    for line in [option.as_str(), "quit", "bench", "export_net x", "debug on"] {
        send(&mut tab, "other", line);
        let answer = wait_for_line(&mut tab, "info string error");
        assert!(
            answer.contains("cannot be set here") || answer.contains("expected one of"),
            "{answer}"
        );
    }
    assert!(!log.exists());
    let refused = tab.ask_refused("engine", json!({ "name": "other", "line": "go\nquit" }));
    assert_eq!(refused["message"], "the line contains a line break, expected a single line");
    let unknown = tab.ask_refused("engine", json!({ "name": "/bin/sh", "line": "uci" }));
    assert_eq!(unknown["message"], "unknown engine \"/bin/sh\"");
}

#[test]
fn a_crash_is_reported_and_the_engine_restarts() {
    let server = server(vec![engine("crash", fake_command(), &["args=engine traceback"])]);
    let mut tab = server.open_tab();
    send(&mut tab, "crash", "uci");
    wait_for_line(&mut tab, "uciok");
    send(&mut tab, "crash", "go nodes 1000");
    let crashed = wait_for_state(&mut tab, "crashed");
    let message = crashed["message"].as_str().unwrap();
    assert!(message.contains(EXIT_3) && message.contains("out of cheese"), "{message}");
    let refused = tab.ask_refused("engine", json!({ "name": "crash", "line": "isready" }));
    assert_eq!(refused["message"], "the engine has ended, restart it");
    tab.start("restart_engine", json!({ "name": "crash" }));
    wait_for_state(&mut tab, "started");
    send(&mut tab, "crash", "uci");
    wait_for_line(&mut tab, "uciok");
}

#[test]
#[ignore = "waits for ten seconds"]
fn an_engine_that_hangs_is_reported_and_killed() {
    let hang = engine("hang", fake_command(), &["args=engine mute"]);
    let server = server(vec![hang, engine("none", "cmd=/none/such", &[])]);
    let mut tab = server.open_tab();
    send(&mut tab, "none", "uci");
    let missing = wait_for_state(&mut tab, "crashed");
    assert!(missing["message"].as_str().unwrap().contains("cannot be started"), "{missing}");
    send(&mut tab, "hang", "uci");
    let crashed = wait_for_state(&mut tab, "crashed");
    assert_eq!(crashed["message"], "sent no uciok within 10 s");
}

#[test]
#[ignore = "waits for ten seconds"]
fn a_search_that_never_ends_is_reported() {
    let server = server(vec![engine("search", fake_command(), &["args=engine hang"])]);
    let mut tab = server.open_tab();
    send(&mut tab, "search", "uci");
    wait_for_line(&mut tab, "uciok");
    // It hangs in its second search.
    send(&mut tab, "search", "go nodes 1");
    wait_for_line(&mut tab, "bestmove");
    send(&mut tab, "search", "go movetime 2000");
    assert_eq!(wait_for_state(&mut tab, "crashed")["message"], "sent no bestmove within 12 s");
}

#[test]
fn engines_end_with_their_tab() {
    let folder = Folder::new("gui-engine-end");
    let mark = folder.file("alive");
    let beat = format!("args=engine beat '{}'", mark.display());
    let server = server(vec![engine("beat", fake_command(), &[&beat])]);
    let mut tab = server.open_tab();
    send(&mut tab, "beat", "uci");
    wait_for_line(&mut tab, "uciok");
    let begin = Instant::now();
    while !mark.exists() {
        assert!(begin.elapsed() < TIMEOUT, "the engine never worked");
        std::thread::sleep(Duration::from_millis(10));
    }
    drop(tab);
    loop {
        let before = fs::read_to_string(&mark).unwrap_or_default();
        std::thread::sleep(Duration::from_millis(500));
        if fs::read_to_string(&mark).unwrap_or_default() == before && !before.is_empty() {
            break;
        }
        assert!(begin.elapsed() < TIMEOUT, "the engine is alive");
    }
}
