//! `zermelo compliance` from outside: Zermelo keeps to its own protocol in every game, and a defect
//! is told in the step that it concerns, and only there.
#![cfg(unix)]

use std::process::{Command, Output, Stdio};

use serde_json::Value;
use zermelo::engine::registry;

/// Enough for a machine that is busy with other tests.
const MARGIN: &str = "timemargin=1000";

fn compliance(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zermelo"));
    command.arg("compliance").args(arguments).stdin(Stdio::null());
    command.output().unwrap()
}

fn report(arguments: &[&str], code: i32) -> Value {
    let output = compliance(&[arguments, &["--json"]].concat());
    let (stdout, stderr) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{stdout}\n{stderr}");
    let report: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(report["schema"], 1);
    report
}

/// The names of the steps that ended so.
fn steps<'a>(report: &'a Value, status: &str) -> Vec<&'a str> {
    let steps = report["steps"].as_array().unwrap().iter();
    let ended = steps.filter(|step| step["status"] == status);
    ended.map(|step| step["name"].as_str().unwrap()).collect()
}

fn step<'a>(report: &'a Value, name: &str) -> &'a Value {
    report["steps"].as_array().unwrap().iter().find(|step| step["name"] == name).unwrap()
}

/// The words that start the faulty engine.
fn faulty(fault: &str) -> [String; 2] {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/faulty-protocol.sh");
    ["cmd=sh".to_owned(), format!("args='{script}' {fault}")]
}

fn report_of(fault: &str, proto: &str, code: i32) -> Value {
    let [command, script] = faulty(fault);
    let engine = ["--engine", &command, &script, proto, MARGIN];
    report(&[&engine[..], &["--game", "tictactoe", "--patience", "2"]].concat(), code)
}

/// Runs checks side by side: most of their time is waiting.
fn side_by_side<T: Sync>(items: &[T], check: impl Fn(&T) + Sync) {
    std::thread::scope(|scope| {
        for chunk in items.chunks(items.len().div_ceil(6)) {
            let check = &check;
            scope.spawn(move || chunk.iter().for_each(check));
        }
    });
}

/// Zermelo passes every step in every game; what is left out belongs to the other protocol.
#[test]
fn zermelo_complies() {
    let games: Vec<(&str, &str)> = registry::GAMES
        .iter()
        .flat_map(|game| [(game.id, "proto=uci"), (game.id, "proto=ugi")])
        .collect();
    side_by_side(&games, |(game, proto)| {
        let report = report(&["--game", game, "--engine", proto, MARGIN], 0);
        let skipped = steps(&report, "skip");
        let expected: &[&str] = match *proto {
            "proto=uci" => &["query"],
            _ => &[
                "clock with movestogo",
                "searchmoves",
                "go ponder, ponderhit",
                "go ponder, stop",
                "finished game",
            ],
        };
        assert_eq!(skipped, expected, "{game} {proto}");
        assert!(report["engine"]["name"].as_str().unwrap().starts_with("Zermelo"));
        assert_eq!(report["game"], *game);
        assert_eq!(step(&report, "determinism")["remarks"], serde_json::json!([]), "{game}");
    });
}

/// A game that only the engine knows is examined without legality.
#[test]
fn unknown_games_are_examined_too() {
    let engine = ["--game", "ugi", "--engine", "option.UCI_Variant=nim", MARGIN];
    let report = report(&engine, 0);
    assert_eq!(report["game"], "ugi");
    assert_eq!(report["proto"], "ugi");
    assert!(steps(&report, "skip").contains(&"position fen"));
    assert!(steps(&report, "ok").contains(&"game against itself"));
}

/// Each defect fails its own step and no other, and all other steps are taken.
#[test]
fn a_defect_fails_the_step_it_concerns() {
    let faults = [
        ("no-uciok", "proto=uci", "handshake", "no uciok"),
        ("anonymous", "proto=uci", "id", "none"),
        ("option", "proto=uci", "option lines", "default 0 is not within 1 and 16"),
        ("twice", "proto=uci", "option lines", "a second ponder"),
        ("touchy", "proto=uci", "options to their defaults", "touched"),
        ("late", "proto=uci", "go movetime 100", "one after 1."),
        ("bound", "proto=uci", "score before bestmove", "only bounds"),
        ("no-number", "proto=uci", "numbers in info lines", "many"),
        ("wrong-pv", "proto=uci", "pv", "pv a2"),
        ("ponder-in-ugi", "proto=ugi", "bestmove line", "bestmove a1 ponder a2"),
        ("illegal-ponder", "proto=uci", "bestmove line", "illegal move"),
        ("illegal", "proto=uci", "go nodes 1000", "d4"),
        ("endless", "proto=uci", "go nodes 1000", "no bestmove"),
        ("bytes", "proto=uci", "go nodes 1000", "not UTF-8"),
        ("crash", "proto=uci", "go nodes 1000", "out of cheese"),
        ("deaf-to-searchmoves", "proto=uci", "searchmoves", "bestmove a1"),
        ("early", "proto=uci", "go infinite", "bestmove a1"),
        ("unready-in-search", "proto=uci", "isready during a search", "no readyok"),
        ("stop-when-idle", "proto=uci", "stop and ponderhit while idle", "bestmove a1"),
        ("no-end", "proto=uci", "finished game", "bestmove a1"),
        ("fragile", "proto=uci", "garbage bytes", "exit status: 1"),
        ("stubborn", "proto=uci", "quit", "it goes on"),
        ("lonely", "proto=uci", "end of input", "it goes on"),
    ];
    side_by_side(&faults, |(fault, proto, name, found)| {
        let report = report_of(fault, proto, 1);
        assert_eq!(steps(&report, "fail"), [*name], "{fault}: {report:#}");
        let step = step(&report, name);
        assert!(step["found"].as_str().unwrap().contains(found), "{fault}: {step:#}");
        assert!(!step["expected"].as_str().unwrap().is_empty(), "{fault}");
        let of_ugi = ["clock with movestogo", "searchmoves", "finished game"];
        let skipped = steps(&report, "skip");
        let known = |name: &&str| of_ugi.contains(name) || name.starts_with("go ponder");
        assert!(skipped.iter().all(|name| *name == "query" || known(name)), "{fault}: {skipped:?}");
    });
}

/// What concerns the whole game shows in each step that needs it.
#[test]
fn wrong_results_fail_the_queries() {
    let report = report_of("liar", "proto=ugi", 1);
    assert_eq!(steps(&report, "fail"), ["query", "game against itself"]);
    let expected = step(&report, "query")["expected"].as_str().unwrap();
    assert_eq!(expected, "\"response none\" to query result");
}

/// A banner is no failure, and an engine without fault has none.
#[test]
fn a_banner_is_a_remark() {
    let report = report_of("banner", "proto=ugi", 0);
    let remark = &step(&report, "handshake")["remarks"][0];
    assert!(remark.as_str().unwrap().contains("Faulty 1.0 by nobody"), "{report:#}");
    let lines = step(&report, "isready")["exchanged"].as_array().unwrap();
    assert_eq!(lines, &["> isready", "< readyok"]);
}

/// An engine that never answers costs the patience twice, not once a step; other games are told.
#[test]
fn what_cannot_be_examined_is_left_out() {
    let report = report_of("mute", "proto=uci", 1);
    assert_eq!(steps(&report, "fail"), ["handshake"]);
    assert!(steps(&report, "ok").is_empty());
    let report = report_of("other-game", "proto=uci", 1);
    assert_eq!(steps(&report, "fail"), ["game"]);
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let output = compliance(&["--engine", "dir=/nope"]);
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("dir=/nope of zermelo is no folder"), "{told}");
}

/// What people see, and the exit codes.
#[test]
fn people_see_a_line_a_step() {
    let [command, script] = faulty("illegal");
    let engine = ["--game", "tictactoe", "--engine", &command, &script, MARGIN];
    let output = compliance(&engine);
    assert_eq!(output.status.code(), Some(1));
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(stdout.starts_with("ok    1 handshake\n"), "{stdout}");
    let mut lines = stdout.lines().skip_while(|line| !line.starts_with("FAIL"));
    let mut next = || lines.next().unwrap().trim_start();
    assert_eq!(next(), "FAIL 14 go nodes 1000");
    assert_eq!(next(), "expected: a legal move, one of: a1 a2 a3 b1 b2 b3 c1 c2 c3");
    assert!(next().starts_with("found:    \"bestmove d4\": \"d4\" is not a move"));
    for line in ["> position startpos", "> go nodes 1000", "< bestmove d4", "ok   15 clock"] {
        assert_eq!(next(), line);
    }
    assert_eq!(stdout.lines().last(), Some("faulty, tictactoe: 41 held, 1 failed, 1 skipped"));
    for usage in [&["--engine", "tc=1"][..], &["--engine", "cmd"], &[], &["--engine", "depth=3"]] {
        assert_eq!(compliance(usage).status.code(), Some(2), "{usage:?}");
    }
    let missing = compliance(&["--engine", "cmd=/nowhere/engine"]);
    assert_eq!(missing.status.code(), Some(1));
}
