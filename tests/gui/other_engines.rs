//! Engines given by `--engine`.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use zermelo::arena::engines::key_values::KeyValues;
use zermelo::arena::engines::setup::{EngineSetup, Protocol};
use zermelo::gui::server::ServerConfig;

use crate::client::{TIMEOUT, Tab, TestServer};
use crate::common::{Folder, ZERMELO};

fn engine(name: &str, command: &str, options: &[&str]) -> EngineSetup {
    let mut words = vec![format!("cmd={command}")];
    words.extend(options.iter().map(|option| (*option).to_owned()));
    let values = KeyValues::from_arguments("--engine", &words).unwrap();
    let mut engine = EngineSetup::without_limits(&values, Protocol::Uci).unwrap();
    engine.name = name.to_owned();
    engine
}

fn server(engines: Vec<EngineSetup>) -> TestServer {
    TestServer::with_config(ServerConfig { engines, ..ServerConfig::default() })
}

/// Writes a shell script that answers the lines of UCI.
fn script(folder: &Folder, name: &str, cases: &str) -> String {
    let path = folder.file(name);
    let text = format!("#!/bin/sh\nwhile read -r line; do case $line in\n{cases}\nesac; done\n");
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

fn send(tab: &mut Tab, name: &str, line: &str) {
    tab.start("engine", json!({ "name": name, "line": line }));
}

/// Waits for an event that `is_wanted`.
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
    let server = server(vec![engine("other", ZERMELO, &["proto=ugi", "option.Hash=2"])]);
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
    let server = server(vec![engine("other", ZERMELO, &[])]);
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
    let folder = Folder::new("gui-engine-crash");
    let command =
        script(&folder, "crash.sh", "uci) echo uciok ;;\ngo*) echo 'segfault at 0' >&2; exit 3 ;;");
    let server = server(vec![engine("crash", &command, &[])]);
    let mut tab = server.open_tab();
    send(&mut tab, "crash", "uci");
    wait_for_line(&mut tab, "uciok");
    send(&mut tab, "crash", "go movetime 5");
    let crashed = wait_for_state(&mut tab, "crashed");
    let message = crashed["message"].as_str().unwrap();
    assert!(message.contains("exit status: 3") && message.contains("segfault"), "{message}");
    let refused = tab.ask_refused("engine", json!({ "name": "crash", "line": "isready" }));
    assert_eq!(refused["message"], "the engine has ended, restart it");
    tab.start("restart_engine", json!({ "name": "crash" }));
    wait_for_state(&mut tab, "started");
    send(&mut tab, "crash", "uci");
    wait_for_line(&mut tab, "uciok");
}

#[test]
fn an_engine_that_hangs_is_reported_and_killed() {
    let folder = Folder::new("gui-engine-hang");
    let command = script(&folder, "hang.sh", "uci) sleep 1000 ;;");
    let server = server(vec![engine("hang", &command, &[]), engine("none", "/none/such", &[])]);
    let mut tab = server.open_tab();
    send(&mut tab, "none", "uci");
    let missing = wait_for_state(&mut tab, "crashed");
    assert!(missing["message"].as_str().unwrap().contains("cannot be started"), "{missing}");
    send(&mut tab, "hang", "uci");
    let crashed = wait_for_state(&mut tab, "crashed");
    assert_eq!(crashed["message"], "sent no uciok within 10 s");
}

#[test]
fn a_search_that_never_ends_is_reported() {
    let folder = Folder::new("gui-engine-search");
    let command = script(&folder, "search.sh", "uci) echo uciok ;;");
    let server = server(vec![engine("search", &command, &[])]);
    let mut tab = server.open_tab();
    send(&mut tab, "search", "uci");
    wait_for_line(&mut tab, "uciok");
    send(&mut tab, "search", "go movetime 2000");
    assert_eq!(wait_for_state(&mut tab, "crashed")["message"], "sent no bestmove within 12 s");
}

#[test]
fn engines_end_with_their_tab() {
    let folder = Folder::new("gui-engine-end");
    let mark = folder.file("alive");
    let command = script(
        &folder,
        "beat.sh",
        &format!(
            "uci) echo uciok; while :; do date +%s%N > {0}.new; mv {0}.new {0}; sleep 0.05; done ;;",
            mark.display()
        ),
    );
    let server = server(vec![engine("beat", &command, &[])]);
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
