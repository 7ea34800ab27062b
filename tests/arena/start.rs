//! The start check: which engines are refused, and that nothing is recorded.

use std::fs;

use super::{EXIT_1, Folder, NO_PROGRAM, fail, fake, fake_command, read, succeed, zermelo};

/// Returns the command for a match of an engine with these settings against a faultless one.
pub(super) fn against(engine: &[&str], more: &[&str]) -> std::process::Command {
    let good = fake("none");
    let mut command = zermelo(&["--engine", "name=good", fake_command(), &good]);
    command.args(["--engine", "name=bad"]).args(engine);
    command.args(["--game", "tictactoe", "--each", "st=1", "--openings", "start"]);
    if !more.contains(&"--reply-timeout") {
        command.args(["--reply-timeout", "0.5"]);
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
    let bad = |fault: &str| [fake_command().to_owned(), fake(fault)];
    let cases: [(Vec<String>, &[&str]); 12] = [
        (vec![missing.clone()], &["bad does not start: it cannot be started: no such file"]),
        (vec!["cmd=no-such-engine".to_owned()], &["no such program on the PATH (\"no-such"]),
        (
            vec!["cmd=plain".to_owned(), format!("dir={}", folder.path("."))],
            &["no such program on the PATH: try cmd=."],
        ),
        (
            vec!["cmd=./my engine -x".to_owned()],
            &["no program \"./my\"; a path with blanks is quoted: cmd='\"./my engine\"'"],
        ),
        (vec![plain], &[NO_PROGRAM]),
        (
            bad("unborn-verbose").into(),
            &[
                EXIT_1,
                "    likely:  exited with code 1\n",
                "unborn-verbose\n",
                "    stderr:  loading\n    stderr:  cannot load \\u{1b}[2Jbook\n",
            ],
        ),
        (
            bad("ugi-only").into(),
            &["it sent no uciok within 0.5s\n", "    likely:  speaks UGI: try proto=ugi\n"],
        ),
        (bad("mute").into(), &["sent no uciok", "    likely:  prints nothing: speaks neither"]),
        (
            bad("prints-usage").into(),
            &["    likely:  exited with code 3\n", "    stdout:  Usage: engine --foo\n"],
        ),
        (
            [&bad("dies-on-option")[..], &["option.Threads=2".to_owned()]].concat(),
            &["likely:  exited with code 3 after \"setoption name Threads value 2\"\n"],
        ),
        (
            bad("never-ready").into(),
            &["it sent no readyok within 0.5s", "likely:  sends no readyok after \"isready\"\n"],
        ),
        (bad("wrong-game").into(), &["it does not offer tictactoe, only: chess shogi"]),
    ];
    for (engine, messages) in cases {
        let engine: Vec<&str> = engine.iter().map(String::as_str).collect();
        for more in [&["--game-range", "1"], &["--rounds", "2"]] {
            let files = ["--record", &record, "--jsonl", &json];
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
        let engine = [fake_command(), &fake(fault), option];
        let error = fail(&mut against(&engine, &["--record", &record]), 2);
        assert!(error.contains(message), "{error}\n{message}");
        assert!(!fs::exists(&record).unwrap());
    }
    let engine = ["option.Sercher=mcts", "option.EvalFile=/none"];
    let error = fail(&mut against(&engine, &["--record", &record]), 2);
    assert!(error.contains("bad does not offer the option \"Sercher\"; rejects \"E"), "{error}");
    assert!(error.contains("\"EvalFile=/none\": invalid value \"/none\""), "{error}");
    // An engine without a list of options may accept any.
    succeed(&mut against(&[fake_command(), &fake("any-option"), "option.Hsh=4"], &[]));
}

/// Neither a game nor a changed setting is written to an existing record.
#[test]
fn record_is_unchanged_if_an_engine_does_not_start() {
    let folder = Folder::new("start-resume");
    let (record, engine) = (folder.path("games.pgn"), folder.path("engine.exe"));
    fs::copy(fake_command().trim_start_matches("cmd="), &engine).unwrap();
    let engine_settings = [&format!("cmd={engine}"), "args=engine none"];
    let more = ["--record", record.as_str()];
    succeed(&mut against(&engine_settings, &more));
    let before = fs::read(&record).unwrap();
    fs::remove_file(&engine).unwrap();
    // A finished match does not need its engines.
    let stdout = succeed(&mut against(&engine_settings, &more));
    assert!(stdout.contains("2 already played") && stdout.contains("Distinct"), "{stdout}");
    let error = fail(&mut against(&engine_settings, &["--record", &record, "--rounds", "2"]), 2);
    assert!(error.contains("no program "), "{error}");
    assert_eq!(fs::read(&record).unwrap(), before);
}

/// Few engines are not started twice: their processes play the first games.
#[test]
fn checked_engines_play_the_first_games() {
    let folder = Folder::new("start-once");
    let (starts, record) = (folder.path("starts"), folder.path("games.pgn"));
    let engine = [fake_command(), &fake(&format!("count-starts '{starts}'"))];
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
