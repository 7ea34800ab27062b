//! `zermelo compliance`: Zermelo conforms to its protocol in every game, and a defect of another
//! engine fails exactly the step that checks it.
#![cfg(unix)]

use std::process::{Command, Output, Stdio};

use serde_json::Value;
use zermelo::engine::registry;

/// Generous, because other tests load the machine.
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

/// The names of the steps with this status.
fn steps_with<'a>(report: &'a Value, status: &str) -> Vec<&'a str> {
    let steps = report["steps"].as_array().unwrap().iter();
    let matching = steps.filter(|step| step["status"] == status);
    matching.map(|step| step["name"].as_str().unwrap()).collect()
}

fn step<'a>(report: &'a Value, name: &str) -> &'a Value {
    report["steps"].as_array().unwrap().iter().find(|step| step["name"] == name).unwrap()
}

/// The `--engine` values that start the faulty engine.
fn faulty_engine(fault: &str) -> [String; 2] {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/faulty-protocol.sh");
    ["cmd=sh".to_owned(), format!("args='{script}' {fault}")]
}

fn report_of(fault: &str, proto: &str, code: i32) -> Value {
    let [command, script] = faulty_engine(fault);
    let engine = ["--engine", &command, &script, proto, MARGIN];
    report(&[&engine[..], &["--game", "tictactoe", "--patience", "2"]].concat(), code)
}

/// Runs checks in parallel, since they mostly wait.
fn in_parallel<T: Sync>(items: &[T], check: impl Fn(&T) + Sync) {
    std::thread::scope(|scope| {
        for chunk in items.chunks(items.len().div_ceil(6)) {
            let check = &check;
            scope.spawn(move || chunk.iter().for_each(check));
        }
    });
}

/// Zermelo passes every step in every game, except those that only the other protocol has.
#[test]
fn zermelo_passes_every_step_in_every_game() {
    let games: Vec<(&str, &str)> = registry::GAMES
        .iter()
        .flat_map(|game| [(game.id, "proto=uci"), (game.id, "proto=ugi")])
        .collect();
    in_parallel(&games, |(game, proto)| {
        let report = report(&["--game", game, "--engine", proto, MARGIN], 0);
        let skipped = steps_with(&report, "skip");
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

/// Legality is not checked in a game that only the engine knows.
#[test]
fn engine_defined_games_are_checked_without_rules() {
    let engine = ["--game", "ugi", "--engine", "option.UCI_Variant=nim", MARGIN];
    let report = report(&engine, 0);
    assert_eq!(report["game"], "ugi");
    assert_eq!(report["proto"], "ugi");
    assert!(steps_with(&report, "skip").contains(&"position fen"));
    assert!(steps_with(&report, "ok").contains(&"game against itself"));
}

/// Each defect fails its own step, and all other applicable steps still run and pass.
#[test]
fn each_defect_fails_only_its_own_step() {
    let faults = [
        ("no-uciok", "proto=uci", "handshake", "no uciok"),
        ("no-id", "proto=uci", "id", "no such line"),
        ("bad-default", "proto=uci", "option lines", "default 0 is not between 1 and 16"),
        ("duplicate-option", "proto=uci", "option lines", "a second option named ponder"),
        ("noisy-option", "proto=uci", "options to their defaults", "touched"),
        ("slow-movetime", "proto=uci", "go movetime 100", "an answer after 1."),
        ("bound-only", "proto=uci", "score before bestmove", "only bounds"),
        ("no-number", "proto=uci", "numbers in info lines", "many"),
        ("wrong-pv", "proto=uci", "pv", "pv a2"),
        ("ponder-in-ugi", "proto=ugi", "bestmove line", "bestmove a1 ponder a2"),
        ("illegal-ponder", "proto=uci", "bestmove line", "illegal move"),
        ("illegal-move", "proto=uci", "go nodes 1000", "d4"),
        ("no-bestmove", "proto=uci", "go nodes 1000", "no bestmove"),
        ("invalid-utf8", "proto=uci", "go nodes 1000", "not UTF-8"),
        ("crash", "proto=uci", "go nodes 1000", "out of cheese"),
        ("ignores-searchmoves", "proto=uci", "searchmoves", "bestmove a1"),
        ("early-bestmove", "proto=uci", "go infinite", "bestmove a1"),
        ("unready-in-search", "proto=uci", "isready during a search", "no readyok"),
        ("answers-idle-stop", "proto=uci", "stop and ponderhit while idle", "bestmove a1"),
        ("plays-finished-game", "proto=uci", "finished game", "bestmove a1"),
        ("crash-on-garbage", "proto=uci", "garbage bytes", "exit status: 1"),
        ("ignores-quit", "proto=uci", "quit", "still running"),
        ("ignores-eof", "proto=uci", "end of input", "still running"),
    ];
    in_parallel(&faults, |(fault, proto, name, found)| {
        let report = report_of(fault, proto, 1);
        assert_eq!(steps_with(&report, "fail"), [*name], "{fault}: {report:#}");
        let step = step(&report, name);
        assert!(step["found"].as_str().unwrap().contains(found), "{fault}: {step:#}");
        assert!(!step["expected"].as_str().unwrap().is_empty(), "{fault}");
        let uci_only = ["clock with movestogo", "searchmoves", "finished game"];
        let skipped = steps_with(&report, "skip");
        let known = |name: &&str| uci_only.contains(name) || name.starts_with("go ponder");
        assert!(skipped.iter().all(|name| *name == "query" || known(name)), "{fault}: {skipped:?}");
    });
}

/// A wrong `query result` fails every step that queries results.
#[test]
fn wrong_results_fail_the_steps_that_query_them() {
    let report = report_of("wrong-result", "proto=ugi", 1);
    assert_eq!(steps_with(&report, "fail"), ["query", "game against itself"]);
    let expected = step(&report, "query")["expected"].as_str().unwrap();
    assert_eq!(expected, "\"response none\" to query result");
}

/// A banner is reported without failing a step.
#[test]
fn a_banner_is_a_remark_not_a_failure() {
    let report = report_of("banner", "proto=ugi", 0);
    let remark = &step(&report, "handshake")["remarks"][0];
    assert!(remark.as_str().unwrap().contains("Faulty 1.0 by nobody"), "{report:#}");
    let lines = step(&report, "isready")["exchanged"].as_array().unwrap();
    assert_eq!(lines, &["> isready", "< readyok"]);
}

/// After two timeouts a silent engine is given up, and an engine of another game is detected.
#[test]
fn unusable_engines_skip_the_remaining_steps() {
    let report = report_of("silent", "proto=uci", 1);
    assert_eq!(steps_with(&report, "fail"), ["handshake"]);
    assert!(steps_with(&report, "ok").is_empty());
    let report = report_of("other-game", "proto=uci", 1);
    assert_eq!(steps_with(&report, "fail"), ["game"]);
}

#[test]
fn a_missing_directory_is_named_in_the_error() {
    let output = compliance(&["--engine", "dir=/nope"]);
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("dir=/nope of zermelo is not a folder"), "{stderr}");
}

#[test]
fn text_output_has_one_line_per_step_and_details_of_failures() {
    let [command, script] = faulty_engine("illegal-move");
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
    assert_eq!(stdout.lines().last(), Some("faulty, tictactoe: 41 passed, 1 failed, 1 skipped"));
    for usage in [&["--engine", "tc=1"][..], &["--engine", "cmd"], &[], &["--engine", "depth=3"]] {
        assert_eq!(compliance(usage).status.code(), Some(2), "{usage:?}");
    }
    let missing = compliance(&["--engine", "cmd=/nowhere/engine"]);
    assert_eq!(missing.status.code(), Some(1));
}
