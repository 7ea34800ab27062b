//! `zermelo compliance`: Zermelo conforms to its protocol in every game, and a defect of another
//! engine fails exactly the step that checks it.

use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::common::{ABORT, EXIT_1, NO_PROGRAM, ZERMELO, fake_command};
use zermelo::thinking::registry;

/// Generous, because other tests load the machine.
const MARGIN: &str = "timemargin=1000";

fn compliance(arguments: &[&str]) -> Output {
    let mut command = Command::new(ZERMELO);
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

fn steps_with<'a>(report: &'a Value, status: &str) -> Vec<&'a str> {
    let steps = report["steps"].as_array().unwrap().iter();
    let matching = steps.filter(|step| step["status"] == status);
    matching.map(|step| step["name"].as_str().unwrap()).collect()
}

fn step<'a>(report: &'a Value, name: &str) -> &'a Value {
    report["steps"].as_array().unwrap().iter().find(|step| step["name"] == name).unwrap()
}

fn faulty_engine(fault: &str) -> [String; 2] {
    [fake_command().to_owned(), format!("args=engine {fault}")]
}

fn report_of(fault: &str, proto: &str, code: i32) -> Value {
    let [command, script] = faulty_engine(fault);
    let engine = ["--engine", &command, &script, proto, MARGIN];
    report(&[&engine[..], &["--game", "tictactoe", "--reply-timeout", "2"]].concat(), code)
}

/// Runs checks in parallel, since they mostly wait.
fn in_parallel<T: Sync>(items: &[T], check: impl Fn(&T) + Sync) {
    std::thread::scope(|scope| {
        for chunk in items.chunks(items.len().div_ceil(8)) {
            let check = &check;
            scope.spawn(move || chunk.iter().for_each(check));
        }
    });
}

/// Zermelo passes every step in every game, except those that only the other protocol has.
#[test]
fn zermelo_passes_every_step_in_every_game() {
    let games: Vec<(&str, &str)> = registry::games()
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

/// The steps that matches do not need, among those that have a defect below.
const WARNINGS: [&str; 16] = [
    "id",
    "score before bestmove",
    "numbers in info lines",
    "pv",
    "searchmoves",
    "go infinite",
    "isready during a search",
    "stop",
    "stop and ponderhit while idle",
    "finished game",
    "unknown command",
    "garbage bytes",
    "empty lines",
    "very long line",
    "illegal move in position",
    "broken fen",
];

/// Each defect fails its own step, and all other applicable steps still run and pass.
#[test]
#[ignore = "checks an engine with every defect"]
fn each_defect_fails_only_its_own_step() {
    let faults = [
        ("no-id", "proto=uci", "id", "no such line"),
        ("wrong-game", "proto=uci", "game", "does not offer tictactoe"),
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
        ("traceback", "proto=uci", "go nodes 1000", "last line on stderr: \"out of cheese\""),
        ("ignores-searchmoves", "proto=uci", "searchmoves", "bestmove a1"),
        ("early-bestmove", "proto=uci", "go infinite", "bestmove a1"),
        ("unready-in-search", "proto=uci", "isready during a search", "no readyok"),
        ("answers-idle-stop", "proto=uci", "stop and ponderhit while idle", "bestmove a1"),
        ("plays-finished-game", "proto=uci", "finished game", "bestmove a1"),
        ("crash-on-garbage", "proto=uci", "garbage bytes", EXIT_1),
        ("ignores-quit", "proto=uci", "quit", "still running"),
        ("ignores-eof", "proto=uci", "end of input", "still running"),
        ("answers-newgame", "proto=uci", "new game", "response ok"),
        ("late-with-little-time", "proto=uci", "little time left", "an answer after 1."),
        ("late-without-time", "proto=uci", "no time left", "an answer after 1."),
        ("ignores-fen", "proto=uci", "position fen", "bestmove a1"),
        ("early-infinite", "proto=uci", "go infinite", "bestmove a1"),
        ("isready-ends-search", "proto=uci", "isready during a search", "bestmove a1"),
        ("ignores-stop", "proto=uci", "stop", "no bestmove"),
        ("late-stop", "proto=uci", "stop", "no bestmove"),
        ("answers-stop-twice", "proto=uci", "stop", "a second answer"),
        ("early-ponder", "proto=uci", "go ponder, ponderhit", "bestmove a1"),
        ("immediate-ponder", "proto=uci", "go ponder, ponderhit", "bestmove a1"),
        ("ignores-ponderhit", "proto=uci", "go ponder, ponderhit", "no bestmove"),
        ("forgets-position", "proto=uci", "unknown command", "bestmove a1"),
        ("crash-on-empty-line", "proto=uci", "empty lines", EXIT_1),
        ("crash-on-long-line", "proto=uci", "very long line", EXIT_1),
        ("crash-on-illegal-move", "proto=uci", "illegal move in position", EXIT_1),
        ("crash-on-broken-fen", "proto=uci", "broken fen", EXIT_1),
    ];
    in_parallel(&faults, |(fault, proto, name, found)| {
        let is_warning = WARNINGS.contains(name);
        let report = report_of(fault, proto, i32::from(!is_warning));
        let (own, other) = if is_warning { ("warn", "fail") } else { ("fail", "warn") };
        assert_eq!(steps_with(&report, own), [*name], "{fault}: {report:#}");
        assert_eq!(steps_with(&report, other), [""; 0], "{fault}: {report:#}");
        let step = step(&report, name);
        assert!(step["found"].as_str().unwrap().contains(found), "{fault}: {step:#}");
        assert!(!step["expected"].as_str().unwrap().is_empty(), "{fault}");
        if matches!(*name, "go infinite" | "go ponder, ponderhit") {
            return;
        }
        let uci_only = ["clock with movestogo", "searchmoves", "finished game"];
        let skipped = steps_with(&report, "skip");
        let known = |name: &&str| uci_only.contains(name) || name.starts_with("go ponder");
        assert_eq!(report["not_run"], 0, "{fault}");
        assert!(skipped.iter().all(|name| *name == "query" || known(name)), "{fault}: {skipped:?}");
    });
}

/// Steps that act on a running search do not pass if the search has ended on its own.
#[test]
fn steps_without_a_running_search_are_skipped() {
    let searches = ["early-bestmove", "early-infinite"];
    in_parallel(&searches, |fault| {
        let report = report_of(fault, "proto=uci", 0);
        let unproven = [
            "isready during a search",
            "stop",
            "query",
            "quit during a search",
            "end of input during a search",
        ];
        assert_eq!(steps_with(&report, "skip"), unproven, "{fault}: {report:#}");
        for name in unproven.iter().filter(|name| **name != "query") {
            let found = step(&report, name)["found"].as_str().unwrap();
            let reason = "no search is running: go infinite ended on its own after ";
            assert!(found.starts_with(reason), "{fault}: {found}");
        }
        assert_eq!(steps_with(&report, "ok").len(), 37, "{fault}");
        assert_eq!(report["not_run"], 0, "{fault}");
    });
    in_parallel(&["early-ponder", "immediate-ponder"], |fault| {
        let report = report_of(fault, "proto=uci", 1);
        assert_eq!(steps_with(&report, "skip"), ["go ponder, stop", "query"], "{fault}");
    });
}

/// Only an engine whose game was assumed gets the hint.
#[test]
fn many_illegal_moves_in_the_assumed_game_suggest_another_game() {
    let [command, script] = faulty_engine("none");
    let engine = ["--reply-timeout", "2", "--engine", &command, &script, MARGIN];
    let hint = "the engine offers no choice of games and was assumed to play tixtax; many illegal \
                moves suggest another: try --game ID\nfake, tixtax: ";
    for (game, is_hinted) in [(&[][..], true), (&["--game", "tixtax"], false)] {
        let output = compliance(&[game, &engine].concat());
        assert_eq!(output.status.code(), Some(1));
        let stdout = String::from_utf8_lossy(&output.stdout);
        assert_eq!(stdout.contains(hint), is_hinted, "{stdout}");
    }
}

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
    assert!(remark.as_str().unwrap().contains("Fake 1.0 by nobody"), "{report:#}");
    let lines = step(&report, "isready")["exchanged"].as_array().unwrap();
    assert_eq!(lines, &["> isready", "< readyok"]);
}

/// CodinGame bots are checked as well, each step with a process of its own.
#[test]
#[ignore = "checks bots with every fault"]
fn codingame_bots_are_checked() {
    let games = ["game as first player", "game as second player"];
    let turns = ["first turn", "reply", "one line per turn", games[0], games[1]];
    let faults: [(&str, &[&str], &str); 12] = [
        ("plain", &[], ""),
        ("chatty", &[], ""),
        ("deaf", &[], ""),
        ("debug", &turns, "\"thinking\""),
        ("buffered", &turns, "answers only at the end of its input: flush the output after each"),
        ("unborn", &["start"], "last line on stderr: \"no licence\""),
        ("banner", &["start"], "\"Bot 1.0\""),
        ("occupied", &games, "illegal move"),
        ("square", &games, "\"e5\""),
        ("crash", &games, ABORT),
        ("twice", &games, ""),
        ("late", &games, "an answer after "),
    ];
    in_parallel(&faults, |(fault, failed, found)| {
        let arguments = format!("args=bot {fault}");
        let margin = if *fault == "late" { "timemargin=300" } else { "timemargin=3000" };
        let engine = [fake_command(), "proto=codingame", margin, &arguments];
        let options = ["--game", "tixtax-count", "--reply-timeout", "5", "--engine"];
        let report = report(&[&options[..], &engine].concat(), i32::from(!failed.is_empty()));
        assert_eq!(steps_with(&report, "fail"), *failed, "{fault}: {report:#}");
        let warned: &[&str] = if *fault == "deaf" { &["end of input"] } else { &[] };
        assert_eq!(steps_with(&report, "warn"), warned, "{fault}: {report:#}");
        let remarks = report["steps"][3]["remarks"].clone();
        let ignored =
            remarks[0].as_str().is_some_and(|remark| remark.contains(" 81 legal; good luck"));
        assert_eq!(ignored, *fault == "chatty", "{fault}: {remarks}");
        assert_eq!(report["proto"], "codingame");
        for name in *failed {
            let text = step(&report, name)["found"].as_str().unwrap();
            assert!(text.contains(found), "{fault}: {text}");
        }
    });
    let own = format!("cmd={ZERMELO}");
    let engine = ["--engine", &own, "args=codingame", "proto=codingame", "timemargin=8000"];
    assert_eq!(steps_with(&report(&engine, 0), "ok").len(), 7);
    for (setting, reason) in [("option.Hash=3", "has no options"), ("dir=.", "cannot be played")] {
        let game = if setting == "dir=." { "nim" } else { "tixtax" };
        let output = compliance(&["--game", game, "--engine", "proto=codingame", setting]);
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(reason), "{output:?}");
    }
}

/// The faults of the other tests are the only ones of the faulty engine.
#[test]
fn the_correct_engine_passes_every_step() {
    for proto in ["proto=uci", "proto=ugi"] {
        let report = report_of("none", proto, 0);
        assert_eq!(report["not_run"], 0);
        assert_eq!(steps_with(&report, "fail"), [""; 0], "{report:#}");
        let steps = report["steps"].as_array().unwrap().iter();
        let with_remarks = steps.filter(|step| step["remarks"] != serde_json::json!([]));
        let names: Vec<_> = with_remarks.map(|step| &step["name"]).collect();
        // The engine has no option that selects the game.
        assert_eq!(names, ["game"], "{report:#}");
    }
}

/// An engine that needs 1.8 s for `go movetime 100` may end an infinite search later than 2 s.
#[test]
#[ignore = "waits for ten seconds"]
fn go_infinite_waits_longer_than_the_engine_thought_for_movetime() {
    let [command, script] = faulty_engine("slow-infinite");
    let engine = ["--engine", &command, &script, "timemargin=3000", "--game", "tictactoe"];
    let report = report(&engine, 0);
    assert_eq!(steps_with(&report, "warn"), ["go infinite"], "{report:#}");
    assert!(step(&report, "go infinite")["quiet_ms"].as_u64().unwrap() >= 3600);
}

/// Each failed handshake is the only step of the report and names the likely reason.
#[test]
fn failed_handshake_ends_the_check_with_the_likely_reason() {
    let faults = [
        ("ugi-only", "speaks UGI: try proto=ugi"),
        ("uci-only", "speaks UCI: try proto=uci"),
        ("exits", "exited with code 1; last line on stderr: \"no such book: cheese\""),
        ("buffered", "answers only at the end of its input: flush the output after each line"),
        ("unknown-command", "prints \"Error (unknown command): uci\" instead of uciok"),
        ("mute", "prints nothing: speaks neither UCI nor UGI, or waits for something else"),
        ("no-uciok", "prints \"option name Ponder type check default false\" instead of uciok"),
    ];
    in_parallel(&faults, |(fault, reason)| {
        let (proto, found) = match *fault {
            "uci-only" => ("proto=ugi", "no ugiok"),
            "exits" => ("proto=uci", EXIT_1),
            _ => ("proto=uci", "no uciok"),
        };
        let started = Instant::now();
        let report = report_of(fault, proto, 1);
        assert_eq!(report["steps"].as_array().unwrap().len(), 1, "{report:#}");
        assert_eq!(report["not_run"], 42);
        assert_eq!(steps_with(&report, "fail"), ["handshake"]);
        let step = step(&report, "handshake");
        assert!(step["found"].as_str().unwrap().contains(found), "{fault}: {step:#}");
        assert_eq!(step["likely_reason"], *reason, "{fault}: {step:#}");
        assert!(started.elapsed() < Duration::from_secs(15), "{fault}: {:?}", started.elapsed());
    });
    for fault in ["late-option", "slow-late-option", "garbled"] {
        let report = report_of(fault, "proto=uci", 1);
        assert_eq!(steps_with(&report, "fail"), ["handshake"], "{fault}");
        assert_eq!(report["not_run"], 42);
        assert_eq!(step(&report, "handshake")["likely_reason"], Value::Null, "{fault}");
    }
}

/// `isready`, sent when the handshake takes long, does not disturb the steps that follow.
#[test]
fn slow_start_within_the_reply_timeout_passes() {
    let [command, script] = faulty_engine("slow-start");
    let report = report(&["--engine", &command, &script, MARGIN, "--game", "tictactoe"], 0);
    assert_eq!(report["not_run"], 0);
    let lines = step(&report, "isready")["exchanged"].as_array().unwrap();
    assert_eq!(lines, &["> isready", "< readyok"]);
}

/// An engine that answers `isready` but not `uci` is not waited for until the reply timeout ends.
#[test]
fn wrong_protocol_is_found_before_the_reply_timeout_ends() {
    let [command, script] = faulty_engine("ugi-only");
    let started = Instant::now();
    let output = compliance(&[
        "--game",
        "tictactoe",
        "--reply-timeout",
        "60",
        "--engine",
        &command,
        &script,
    ]);
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
    assert_eq!(output.status.code(), Some(1));
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(stdout.contains("\n        likely:   speaks UGI: try proto=ugi\n"), "{stdout}");
    assert!(stdout.ends_with("0 passed, 1 failed, 0 skipped, 42 not run\n"), "{stdout}");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("the handshake failed: speaks UGI: try proto=ugi"), "{stderr}");
}

#[test]
fn programs_that_do_not_start_are_explained() {
    let readme = concat!("cmd=", env!("CARGO_MANIFEST_DIR"), "/README.md");
    let folder = concat!("cmd=", env!("CARGO_MANIFEST_DIR"));
    for (engine, reason) in [
        ("cmd=/nowhere/engine", "no such file"),
        ("cmd=no-such-engine", "no such program on the PATH"),
        (readme, NO_PROGRAM),
        (folder, "a folder, not a program"),
    ] {
        let report = report(&["--engine", engine], 1);
        assert_eq!(report["steps"].as_array().unwrap().len(), 1, "{report:#}");
        let found = step(&report, "handshake")["likely_reason"].as_str().unwrap();
        assert!(found.starts_with(reason), "{found}");
    }
}

/// docs/compliance.md lists every step with the limits that `--verbose` and the JSON report print.
#[test]
fn time_limits_are_listed_in_the_output_and_the_documentation() {
    let documentation = include_str!("../docs/compliance.md");
    let [command, script] = faulty_engine("none");
    let engine = ["--game", "tictactoe", "--engine", &command, &script];
    let output = compliance(&[&engine[..], &["--verbose"]].concat());
    let stdout = String::from_utf8(output.stdout).unwrap();
    let mut limits = Vec::new();
    let mut name = "";
    for line in stdout.lines() {
        if let Some(limit) = line.strip_prefix("        limit:    ") {
            limits.push((name, limit));
        } else if line.starts_with(|letter: char| letter.is_ascii_alphabetic()) && line.len() > 8 {
            name = line[8..].split(": ").next().unwrap();
        }
    }
    assert_eq!(limits.len(), 43, "{stdout}");
    for (index, (name, limit)) in limits.iter().enumerate() {
        let row = format!("\n| {} | {name} | ", index + 1);
        let (_, rest) = documentation.split_once(&row).unwrap_or_else(|| panic!("{row}"));
        assert!(rest.lines().next().unwrap().ends_with(&format!("| {limit} |")), "{row}{limit}");
    }
    assert_eq!(limits[7], ("go movetime 100", "100 ms, tolerance 50 ms"));
    assert_eq!(limits[22], ("go infinite", "no bestmove for at least 2 s"));
    let report: Value =
        serde_json::from_slice(&compliance(&[&engine[..], &["--json"]].concat()).stdout).unwrap();
    let limits = |name: &str| {
        let step = step(&report, name);
        ["limit_ms", "tolerance_ms", "quiet_ms"].map(|key| step[key].as_u64())
    };
    assert_eq!(limits("handshake"), [Some(10000), Some(0), None]);
    assert_eq!(limits("go movetime 100"), [Some(100), Some(50), None]);
    assert_eq!(limits("pv"), [None, None, None]);
    assert_eq!(limits("stop"), [Some(500), Some(50), None]);
    assert_eq!(limits("go ponder, ponderhit"), [Some(500), Some(50), Some(2000)]);
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
    assert_eq!(stdout.lines().last(), Some("fake, tictactoe: 41 passed, 1 failed, 1 skipped"));
    for (setting, message) in [
        ("tc=1", "unknown key \"tc\""),
        ("cmd", "expected KEY=VALUE"),
        ("depth=3", "unknown key \"depth\""),
        ("dir=/nope", "dir=/nope of zermelo is not a folder"),
    ] {
        let output = compliance(&["--engine", setting]);
        assert_eq!(output.status.code(), Some(2), "{setting}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(message), "{output:?}");
    }
}
