//! `zermelo rate` as a process: faults count and never end the run, and an interrupted ladder comes to the
//! same rating.

use std::fs;
use std::process::{Command, Output, Stdio};

use serde_json::Value as Json;

use crate::common::{Folder, ZERMELO, fake_command};

/// Runs the program with arguments as they are typed in a shell.
fn run(command: &str, arguments: &str) -> Output {
    let words = shlex::split(arguments).unwrap();
    Command::new(ZERMELO).arg(command).args(words).stdin(Stdio::null()).output().unwrap()
}

fn succeed(command: &str, arguments: &str) -> String {
    let Output { status, stdout, stderr } = run(command, arguments);
    let stdout = String::from_utf8_lossy(&stdout).into_owned();
    assert!(status.success(), "{status}\n{stdout}\n{}", String::from_utf8_lossy(&stderr));
    stdout
}

fn rate(arguments: &str) -> Json {
    serde_json::from_str(&succeed("rate", &format!("{arguments} --json"))).unwrap()
}

fn fail(command: &str, arguments: &str) -> String {
    let Output { status, stderr, .. } = run(command, arguments);
    assert_eq!(status.code(), Some(2));
    String::from_utf8_lossy(&stderr).into_owned()
}

fn fake(role: &str, fault: &str) -> String {
    format!("name=bad \"{}\" args=\"{role} {fault}\"", fake_command())
}

#[test]
#[ignore = "plays eight ladders"]
fn faults_are_counted_and_never_end_the_run() {
    let folder = Folder::new("rate-faults");
    let state = folder.path("state");
    // The fake engine plays cells of tic-tac-toe, most of which are illegal here; its faults begin with the
    // second move of a process.
    for (role, fault, more, counted) in [
        ("engine", "crash".to_owned(), "--each nodes=1", "crash"),
        ("engine", format!("broken-after-crash '{state}'"), "--each nodes=1", "start-failure"),
        ("engine", "hang".to_owned(), "--each st=0.05", "time"),
        ("engine", "hang".to_owned(), "--each nodes=1 --move-timeout 3", "stall"),
        ("engine", "nonsense".to_owned(), "--each nodes=1", "illegal"),
        ("engine", "bytes".to_owned(), "--each nodes=1", "protocol-error"),
        ("bot", "silent".to_owned(), "--each proto=codingame st=0.05", "stall"),
        ("bot", "occupied".to_owned(), "--each proto=codingame", "illegal"),
    ] {
        let engine = fake(role, &fault);
        let rating = rate(&format!("--engine {engine} {more} --reply-timeout 20 --max-games 8"));
        let context = format!("{fault}: {rating}");
        assert_eq!(rating["games"], 8, "{context}");
        let faults = rating["faults"].as_object().unwrap();
        assert!(faults[counted].as_u64().unwrap() >= 2, "{context}");
        assert_eq!(
            faults.values().map(|count| count.as_u64().unwrap()).sum::<u64>(),
            8,
            "{context}"
        );
        assert_eq!(
            (&rating["losses"], &rating["bound"]),
            (&8.into(), &"below".into()),
            "{context}"
        );
    }
    let engine = fake("engine", "nonsense");
    let text = succeed("rate", &format!("--engine {engine} --each nodes=1 --max-games 2"));
    assert!(text.contains("Games lost by faults of bad: illegal 2"), "{text}");
    assert!(text.contains("It lost every game, so this is only a bound."), "{text}");
}

#[test]
fn engine_that_fails_its_first_handshake_is_named() {
    let error = fail("rate", "--engine name=mute cmd=true --reply-timeout 1");
    assert!(error.contains("mute does not start") && !error.contains("level-"), "{error}");
}

#[test]
fn an_interrupted_ladder_comes_to_the_same_rating() {
    let folder = Folder::new("rate-resume");
    let record = |name: &str| folder.path(name);
    let arguments = |name: &str, more: &str| {
        let engine = "name=weak 'option.Skill Level=3'";
        format!("--engine {engine} --record '{}' {more}", record(name))
    };
    let all = |name: &str| arguments(name, "--each nodes=40 --max-games 36");
    let whole = rate(&format!("{} --concurrency 1", all("whole")));
    assert_eq!((&whole["games"], &whole["is_precise"]), (&36.into(), &false.into()), "{whole}");
    let opponents = whole["references"].as_array().unwrap();
    assert!(opponents.iter().filter(|reference| reference["games"] != 0).count() > 4, "{whole}");

    // Two games at a time, and each run ends earlier than it wanted: in the middle of a pair and of a
    // batch, or within a game.
    rate(&arguments("parts", "--each nodes=40 --max-games 6 --concurrency 2"));
    assert_eq!(rate(&format!("{} --concurrency 2", all("parts"))), whole);
    let bytes = fs::read(record("parts")).unwrap();
    for cut in [bytes.len() / 4, bytes.len() * 3 / 5, bytes.len() - 30] {
        fs::write(record("parts"), &bytes[..cut]).unwrap();
        assert_eq!(rate(&all("parts")), whole, "cut at {cut}");
    }

    // The record is that of a match, and says the same.
    let rescored = succeed("match", &format!("--check-record '{}'", record("parts")));
    assert!(rescored.contains(whole["readme"].as_str().unwrap()), "{rescored}");
    let error = fail("rate", &arguments("parts", "--each nodes=40 --max-games 2"));
    assert!(error.contains("(--max-games: 36 in the record, 2 now)"), "{error}");
    let error = fail("rate", &arguments("parts", "--each nodes=41 --max-games 36"));
    assert!(
        error.contains("is the record of another tournament (limits of weak: nodes=40"),
        "{error}"
    );
}

/// A ladder has the games that its results lead to, and no others.
#[test]
fn copied_wins_do_not_raise_a_rating() {
    let folder = Folder::new("rate-forged");
    let record = folder.path("rating.pgn");
    let engine = "name=weak option.Searcher=random nodes=1";
    let command = format!("--engine {engine} --max-games 12 --record '{record}'");
    rate(&command);
    let text = fs::read_to_string(&record).unwrap();
    let last = text.rfind("[Game ").unwrap();
    for number in [0, 140] {
        let copy = text[last..].replace("[Number \"12\"]", &format!("[Number \"{number}\"]"));
        assert_ne!(copy, text[last..]);
        fs::write(&record, text.clone() + &copy).unwrap();
        let error = fail("rate", &command);
        assert!(error.contains(&format!("the tournament has no game {number}")), "{error}");
    }
}

#[test]
fn the_report_says_the_rating() {
    let folder = Folder::new("rate-report");
    let report = folder.path("rating.html");
    let engine = "name=weak option.Searcher=random nodes=1";
    let rating = rate(&format!("--engine {engine} --max-games 8 --report '{report}'"));
    let page = fs::read_to_string(report).unwrap();
    assert!(page.contains("The rating of weak: tixtax") && page.contains("Expected scores"));
    let text = rating["readme"].as_str().unwrap();
    let elo = text.trim_start_matches('*').split(" Elo").next().unwrap();
    assert!(page.contains(elo), "{elo}");
}

#[test]
fn only_rated_games_have_a_scale() {
    let error = fail("rate", "--game nim --engine nodes=1");
    let expected = "nim has no scale of ratings, expected --game tixtax or --game tixtax-count";
    assert!(error.contains(expected), "{error}");
    let error = fail("rate", "--engine name=level-5 nodes=1");
    assert!(error.contains("two engines are named \"level-5\""), "{error}");
    let error = fail("rate", "--engine nodes=1 --precision 0");
    assert!(
        error.contains("\"0\" for --precision, expected a number of Elo from 1 to 1000"),
        "{error}"
    );
    let error = fail("match", "--engine nodes=1 --engine name=b nodes=1 --tournament ladder");
    assert!(error.contains("\"ladder\" for --tournament"), "{error}");
}
