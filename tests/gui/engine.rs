//! A tab's own engine, which speaks UGI.

#[cfg(target_os = "linux")]
use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::TestServer;

#[test]
fn a_tab_has_an_engine_that_speaks_ugi() {
    let server = TestServer::start();
    let mut tab = server.open_tab();
    tab.send("ugi");
    assert!(tab.receive().starts_with("id name Zermelo"));
    assert_eq!(tab.wait_for("ugiok"), "ugiok");
    tab.send("setoption name UCI_Variant value tictactoe");
    tab.send("position startpos moves a1 b2 a2");
    tab.send("go movetime 100");
    assert_eq!(tab.wait_for("bestmove"), "bestmove a3");
    tab.send("query result\nfen");
    assert_eq!(tab.receive(), "response none");
    assert_eq!(tab.receive(), "3/xo1/x2 o");
}

#[test]
fn tabs_have_engines_of_their_own() {
    let server = TestServer::start();
    let (mut one, mut other) = (server.open_tab(), server.open_tab());
    one.send("position startpos moves e5");
    other.send("position startpos moves a1");
    one.send("fen");
    other.send("fen");
    assert_eq!(one.receive(), "9/9/9/9/4x4/9/9/9/9 o 1 e5");
    assert_eq!(other.receive(), "9/9/9/9/9/9/9/9/x8 o 1 a1");
}

#[test]
fn the_engine_starts_with_the_game_of_the_page() {
    let mut config = zermelo::gui::server::ServerConfig::default();
    config.handler.game = zermelo::thinking::registry::find("nim").unwrap();
    let server = TestServer::with_config(config);
    let mut tab = server.open_tab();
    tab.send("fen");
    assert_eq!(tab.receive(), "rrrrrrrr/8/8/8/8/8/8/bbbbbbbb b");
    assert_eq!(tab.ask("games", json!({}))["default_game"], "nim");
}

#[test]
fn requests_are_answered_during_an_infinite_search() {
    let server = TestServer::start();
    let mut tab = server.open_tab();
    tab.send("go infinite");
    tab.wait_for("info depth");
    let shown = tab.ask("position", json!({ "setup": { "game": "nim" } }));
    assert_eq!(shown["plies"], 0);
    tab.send("stop");
    tab.wait_for("bestmove");
}

#[test]
fn quit_and_options_that_name_files_are_refused() {
    let server = TestServer::start();
    let mut tab = server.open_tab();
    for quit in ["quit", " quit ", "quit now"] {
        tab.send(quit);
        let answer = tab.receive();
        assert!(answer.starts_with("info string error: "), "{quit}: {answer}");
    }
    let file = std::env::temp_dir().join(format!("zermelo-gui-log-{}", std::process::id()));
    for option in ["Log File", "log  file", "EvalFile"] {
        tab.send(&format!("setoption name {option} value {}", file.display()));
        let answer = tab.receive();
        assert!(answer.contains("is disabled by --locked"), "{answer}");
    }
    assert!(!file.exists());
    tab.send("isready");
    assert_eq!(tab.receive(), "readyok");
}

#[test]
fn memory_and_threads_of_an_engine_are_bounded() {
    let server = TestServer::start();
    let mut tab = server.open_tab();
    for (option, value) in [("Hash", "65"), ("Hash", "1000000"), ("Threads", "256")] {
        tab.send(&format!("setoption name {option} value {value}"));
        let answer = tab.receive();
        assert!(answer.starts_with("info string error: invalid value"), "{option}: {answer}");
    }
    tab.send("ugi");
    assert!(tab.wait_for("option name Hash").ends_with("min 1 max 64"));
    tab.send("setoption name Hash value 64");
    tab.send("isready");
    assert_eq!(tab.wait_for("readyok"), "readyok");
}

/// Processor time used by this process so far.
#[cfg(target_os = "linux")]
fn processor_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat.rsplit_once(") ").unwrap().1.split(' ').collect();
    let ticks: u64 = [11, 12].iter().map(|index| fields[*index].parse::<u64>().unwrap()).sum();
    Duration::from_millis(10 * ticks)
}

/// Set in the process that [`closing_the_socket_stops_the_search`] starts.
#[cfg(target_os = "linux")]
const QUIET_PROCESS: &str = "ZERMELO_QUIET_PROCESS";

/// Does nothing but in a process of its own, where no other test uses processor time.
#[test]
#[cfg(target_os = "linux")]
fn closing_sockets_in_a_quiet_process() {
    if std::env::var_os(QUIET_PROCESS).is_none() {
        return;
    }
    let server = TestServer::start();
    let mut tabs: Vec<_> = (0..3).map(|_| server.open_tab()).collect();
    tabs[0].send("go infinite");
    tabs[1].send("go movetime 600000");
    for tab in &mut tabs[..2] {
        tab.wait_for("info depth");
    }
    tabs[2].start("hint", json!({ "setup": { "game": "tixtax" }, "ms": 10_000 }));
    drop(tabs);
    let begin = Instant::now();
    let is_idle = || {
        let before = processor_time();
        std::thread::sleep(Duration::from_millis(300));
        processor_time() - before < Duration::from_millis(50)
    };
    while !is_idle() {
        assert!(begin.elapsed() < Duration::from_secs(8), "a search goes on");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn closing_the_socket_stops_the_search() {
    let test = "engine::closing_sockets_in_a_quiet_process";
    let program = std::env::current_exe().unwrap();
    let mut command = std::process::Command::new(program);
    let output = command.args(["--exact", test]).env(QUIET_PROCESS, "1").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}
