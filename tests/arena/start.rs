//! The start check: which engines are refused, and that nothing is recorded.

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::resume::signal;
use super::{Folder, fail, fake, read, succeed, zermelo};

/// Returns the command for a match of an engine with these settings against a faultless one.
fn against(engine: &[&str], more: &[&str]) -> std::process::Command {
    let good = fake("faultless");
    let mut command = zermelo(&["--engine", "name=good", "cmd=sh", &good]);
    command.args(["--engine", "name=bad"]).args(engine);
    command.args(["--game", "tictactoe", "--each", "st=1", "--openings", "start"]);
    if !more.contains(&"--patience") {
        command.args(["--patience", "0.5"]);
    }
    command.args(more);
    command
}

/// The error names the engine, its command, what it printed on stderr and the likely reason.
#[test]
fn engine_that_does_not_start_is_explained_and_nothing_is_recorded() {
    let folder = Folder::new("start");
    let (record, json) = (folder.path("games.pgn"), folder.path("games.json"));
    let missing = format!("cmd={}", folder.path("missing"));
    let plain = folder.path("plain");
    fs::write(&plain, "no program").unwrap();
    let plain = format!("cmd={plain}");
    let shell = |fault: &str| ["cmd=sh".to_owned(), fake(fault)];
    let cases: [(Vec<String>, &[&str]); 11] = [
        (vec![missing.clone()], &["bad does not start: it cannot be started: no such file"]),
        (vec!["cmd=no-such-engine".to_owned()], &["no such program on the PATH"]),
        (
            vec!["cmd=python3 bot.py -x".to_owned()],
            &["no such program: try cmd=python3 args=\"bot.py -x\""],
        ),
        (vec![plain], &["not executable: try chmod +x"]),
        (
            shell("unborn-verbose").into(),
            &[
                "it exited unexpectedly (exit status: 1)",
                "    likely:  exited with code 1\n",
                "fake-engine.sh unborn-verbose\n",
                "    stderr:  loading\n    stderr:  cannot load \\u{1b}[2Jbook\n",
            ],
        ),
        (
            shell("ugi-only").into(),
            &["it sent no uciok within 0.5s\n", "    likely:  speaks UGI: try proto=ugi\n"],
        ),
        (shell("mute").into(), &["sent no uciok", "    likely:  prints nothing: speaks neither"]),
        (
            shell("prints-usage").into(),
            &["    likely:  exited with code 3\n", "    stdout:  Usage: engine --foo\n"],
        ),
        (
            [&shell("dies-on-option")[..], &["option.Threads=2".to_owned()]].concat(),
            &["likely:  exited with code 3 after \"setoption name Threads value 2\"\n"],
        ),
        (
            shell("never-ready").into(),
            &["it sent no readyok within 0.5s", "likely:  sends no readyok after \"isready\"\n"],
        ),
        (shell("wrong-game").into(), &["it does not offer tictactoe, only: chess shogi"]),
    ];
    for (engine, messages) in cases {
        let engine: Vec<&str> = engine.iter().map(String::as_str).collect();
        for more in [&["--only", "1"], &["--rounds", "2"]] {
            let files = ["--record", &record, "--json", &json];
            let error = fail(against(&engine, &files).args(more), 2);
            assert!(error.starts_with("zermelo: bad "), "{error}");
            assert!(error.ends_with("\nnothing was recorded\n"), "{error}");
            for message in messages.iter().chain(&["\n    command: "]) {
                assert!(error.contains(message), "{error}\n{message}");
            }
            assert!(!fs::exists(&record).unwrap() && !fs::exists(&json).unwrap());
        }
    }
    // All engines at fault are named.
    let error = fail(&mut against(&[&missing], &["--engine", "name=worse", "cmd=./gone"]), 2);
    assert!(error.contains("bad does not start") && error.contains("worse does not"), "{error}");
}

/// The error about a rejected value quotes the engine's complaint or its declaration.
#[test]
fn options_that_an_engine_does_not_accept_are_refused() {
    let folder = Folder::new("start-options");
    let record = folder.path("games.pgn");
    let cases = [
        ("choosy", "option.Hsh=4", "bad does not offer the option \"Hsh\"\n"),
        (
            "choosy",
            "option.hash=4096",
            "does not accept \"4096\" for hash, expected a whole number from 1 to 1024\n",
        ),
        ("choosy", "option.Book=/none", "rejects \"Book=/none\": No such file: /none\n"),
    ];
    for (fault, option, message) in cases {
        let engine = ["cmd=sh", &fake(fault), option];
        let error = fail(&mut against(&engine, &["--record", &record]), 2);
        assert!(error.contains(message), "{error}\n{message}");
        assert!(!fs::exists(&record).unwrap());
    }
    let engine = ["option.Sercher=mcts", "option.EvalFile=/none"];
    let error = fail(&mut against(&engine, &["--record", &record]), 2);
    assert!(error.contains("bad does not offer the option \"Sercher\"; rejects \"E"), "{error}");
    assert!(error.contains("\"EvalFile=/none\": invalid value \"/none\""), "{error}");
    // An engine without a list of options may accept any.
    succeed(&mut against(&["cmd=sh", &fake("faultless"), "option.Hsh=4"], &[]));
}

/// Neither a game nor a changed setting is written to an existing record.
#[test]
fn record_is_unchanged_if_an_engine_does_not_start() {
    let folder = Folder::new("start-resume");
    let (record, engine) = (folder.path("games.pgn"), folder.path("engine"));
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/fake-engine.sh");
    fs::write(&engine, format!("#!/bin/sh\nexec sh '{script}' faultless\n")).unwrap();
    std::process::Command::new("chmod").args(["+x", &engine]).status().unwrap();
    let command = format!("cmd={engine}");
    let more = ["--record", record.as_str()];
    succeed(&mut against(&[&command], &more));
    let before = fs::read(&record).unwrap();
    fs::remove_file(&engine).unwrap();
    // A finished match does not need its engines.
    let stdout = succeed(&mut against(&[&command], &more));
    assert!(stdout.contains("2 already played") && stdout.contains("Distinct"), "{stdout}");
    for more in [&["--rounds", "2"][..], &["--resume", "--rounds", "2"]] {
        let error = fail(&mut against(&[&command], &[&["--record", &record], more].concat()), 2);
        assert!(error.contains("no such file"), "{error}");
        assert_eq!(fs::read(&record).unwrap(), before);
    }
}

/// Few engines are not started twice: their processes play the first games.
#[test]
fn checked_engines_play_the_first_games() {
    let folder = Folder::new("start-once");
    let (starts, record) = (folder.path("starts"), folder.path("games.pgn"));
    let engine = ["cmd=sh", &fake(&format!("count-starts '{starts}'"))];
    succeed(&mut against(&engine, &["--rounds", "3", "--record", &record]));
    assert_eq!(read(&record).len(), 6);
    assert_eq!(fs::read_to_string(&starts).unwrap().lines().count(), 1);
    // Of many engines, those that are not needed soon are restarted.
    fs::remove_file(&starts).unwrap();
    let many: Vec<[String; 2]> =
        (1..=6).map(|number| ["--engine".to_owned(), format!("name={number}")]).collect();
    let many: Vec<&str> = many.iter().flatten().map(String::as_str).collect();
    succeed(against(&engine, &["--games", "1"]).args(&many));
    let starts = fs::read_to_string(&starts).unwrap().lines().count();
    assert!((1..=8).contains(&starts), "{starts}");
}

/// Waiting times of several engines do not add up, and a signal ends the check at once.
#[test]
fn engines_start_at_the_same_time_and_signals_interrupt_them() {
    let folder = Folder::new("start-signal");
    let (record, starts) = (folder.path("games.pgn"), folder.path("starts"));
    let mute = fake(&format!("mute '{starts}'"));
    let engine = ["cmd=sh", mute.as_str()];
    let others = ["--engine", "name=c", "cmd=sh", &mute, "--engine", "name=d", "cmd=sh", &mute];
    let more = [&others[..], &["--record", &record, "--patience", "1000"]].concat();
    for name in ["INT", "TERM", "HUP"] {
        let mut command = against(&engine, &more);
        let runner = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let deadline = Instant::now() + Duration::from_secs(30);
        while fs::read_to_string(&starts).unwrap_or_default().lines().count() < 3 {
            assert!(Instant::now() < deadline);
            std::thread::sleep(Duration::from_millis(5));
        }
        fs::remove_file(&starts).unwrap();
        let start = Instant::now();
        signal(&runner, name);
        let output = runner.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{stderr}");
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
        assert!(stderr.contains("interrupted before the first game"), "{stderr}");
        assert!(!fs::exists(&record).unwrap());
    }
}
