//! What engines do wrong.

use std::fs;
use std::time::{Duration, Instant};

use zermelo::arena::record::{GameRecord, Termination};
use zermelo::rules::Outcome;

use super::{Folder, fake, read, succeed, zermelo};

/// Two games of the fake engine with a fault against a faultless one.
fn play_faulty(folder: &Folder, fault: &str, more: &[&str]) -> Vec<GameRecord> {
    let record = folder.file(&format!("{fault}.pgn"));
    let (bad, good) = (fake(&format!("{fault} '{}'", folder.file(fault))), fake("faultless"));
    let engines =
        ["--engine", "name=bad", "cmd=sh", &bad, "--engine", "name=good", "cmd=sh", &good];
    let common = ["--game", "tictactoe", "--patience", "0.5", "--record", &record];
    succeed(zermelo(&engines).args(common).args(more));
    read(&record)
}

/// Each fault loses the game, under its own word, and the next game is played.
#[test]
fn every_fault_is_a_loss_with_its_own_word() {
    let folder = Folder::new("faults");
    let by_clock = ["--each", "st=0.2", "--recover"];
    let by_nodes = ["--each", "nodes=1", "--stall", "0.5", "--recover"];
    let faults: [(&str, &[&str], Termination, &str); 22] = [
        ("crash", &by_clock, Termination::Crash, "SIGSEGV"),
        ("exit", &by_clock, Termination::Crash, "exit status: 3"),
        ("hang", &by_clock, Termination::Time, "no move within 0.200s"),
        ("hang", &by_nodes, Termination::Stall, "no move within 0.5s"),
        ("deaf", &by_clock, Termination::Time, "no move"),
        ("children", &by_clock, Termination::Time, "no move"),
        ("late", &by_clock, Termination::Time, "no move"),
        ("flood", &by_clock, Termination::Time, "no move"),
        ("illegal", &by_clock, Termination::Illegal, "illegal move \"a1\""),
        ("nonsense", &by_clock, Termination::Illegal, "\"99\" is not a move"),
        ("none", &by_clock, Termination::Illegal, "gave no move"),
        ("empty", &by_clock, Termination::Illegal, "gave no move"),
        ("bytes", &by_clock, Termination::Garbage, "not UTF-8"),
        ("megabyte", &by_clock, Termination::Garbage, "more than 65536 bytes"),
        ("endless", &by_clock, Termination::Garbage, "more than 65536 bytes"),
        ("prose", &by_clock, Termination::Garbage, "stormy"),
        ("unborn", &by_clock, Termination::Start, "exit status: 1"),
        ("mute", &by_clock, Termination::Start, "no uciok within 0.5s"),
        (
            "wrong-game",
            &by_clock,
            Termination::Start,
            "does not offer tictactoe, only: chess shogi",
        ),
        ("unready", &by_clock, Termination::Stall, "no readyok"),
        ("stubborn", &by_clock, Termination::Quit, "did not quit within 0.5s"),
        ("chatty", &by_clock, Termination::Normal, "by the rules"),
    ];
    for (fault, more, termination, reason) in faults {
        let games = play_faulty(&folder, fault, more);
        let context = format!("{fault}: {games:#?}");
        assert_eq!(games.len(), 2, "{context}");
        // Only the engine's last game shows that it does not quit.
        let last = if fault == "stubborn" { &games[1..] } else { &games[..] };
        let is_faulty = |game: &&GameRecord| game.termination == termination;
        assert!(last.iter().filter(is_faulty).count() >= 1, "{context}");
        for game in last.iter().filter(is_faulty) {
            assert!(game.reason.contains(reason), "{context}");
            if termination.is_fault() {
                assert_eq!(game.player_at_fault(), Some("bad"), "{context}");
                let loser = game.side_of("bad").unwrap();
                assert_eq!(game.result, Some(Outcome::Win(loser.other())), "{context}");
            }
        }
        fs::remove_file(folder.file(&format!("{fault}.pgn"))).unwrap();
    }
}

/// Without `--recover` an engine that failed is out: it loses what is left, and all is played.
#[test]
fn an_engine_that_failed_is_started_again_only_if_that_was_asked_for() {
    let folder = Folder::new("recover");
    let words =
        |games: &[GameRecord]| games.iter().map(|game| game.termination).collect::<Vec<_>>();
    let games = play_faulty(&folder, "once", &["--each", "st=1", "--rounds", "2", "--recover"]);
    let normal = Termination::Normal;
    assert_eq!(words(&games), [Termination::Crash, normal, normal, normal]);
    for name in ["once", "once.pgn"] {
        fs::remove_file(folder.file(name)).unwrap();
    }
    let games = play_faulty(&folder, "once", &["--each", "st=1", "--rounds", "2"]);
    let start = Termination::Start;
    assert_eq!(words(&games), [Termination::Crash, start, start, start]);
    let reason = "bad is out, since it failed before: bad has ended (exit status: 3)";
    assert_eq!(games[3].reason, reason);
    assert_eq!(games[3].player_at_fault(), Some("bad"));
}

#[test]
fn the_last_words_of_an_engine_are_kept() {
    let folder = Folder::new("stderr");
    let (log, record) = (folder.file("log"), folder.file("games.pgn"));
    let (bad, good) = (fake("crash"), fake("faultless"));
    let stderr = format!("stderr={log}");
    let arguments = [
        "--engine",
        "name=bad",
        "cmd=sh",
        &bad,
        &stderr,
        "--engine",
        "name=good",
        "cmd=sh",
        &good,
        "--game",
        "tictactoe",
        "--each",
        "st=1",
        "--recover",
        "--record",
        &record,
    ];
    succeed(&mut zermelo(&arguments));
    for game in read(&record) {
        assert_eq!(game.stderr.as_deref(), Some("out of cheese"));
    }
    assert_eq!(fs::read_to_string(log).unwrap(), "out of cheese\nout of cheese\n");
}

/// Whether a process is there; one that nobody has buried counts.
fn exists(process: &str) -> bool {
    fs::metadata(format!("/proc/{process}")).is_ok()
}

/// Also one that went out of the group of the engine and survived it.
#[test]
fn an_engine_is_killed_with_its_children() {
    for fault in ["children", "daemon"] {
        a_child_is_killed(fault);
    }
}

fn a_child_is_killed(fault: &str) {
    let folder = Folder::new(fault);
    // However long a move may take: that the engine has ended is seen before.
    let limit = if fault == "daemon" { "nodes=1" } else { "st=0.1" };
    let games = play_faulty(&folder, fault, &["--each", limit, "--recover"]);
    if fault == "daemon" {
        assert_eq!(games[0].termination, Termination::Crash, "{}", games[0].reason);
    }
    let child = fs::read_to_string(folder.file(fault)).unwrap();
    let child = child.trim();
    // The child is not ours to bury; whose it is may take a moment.
    let deadline = Instant::now() + Duration::from_secs(5);
    while exists(child) && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(!child.is_empty() && !exists(child), "process {child} lives");
}

/// Hundreds of engines come and go, each by a crash, and nothing of them stays.
#[test]
fn nothing_is_left_of_engines_that_failed() {
    let folder = Folder::new("leaks");
    let record = folder.file("games.pgn");
    let (bad, good) = (fake("exit"), fake("faultless"));
    let arguments = [
        "--engine",
        "name=bad",
        "cmd=sh",
        &bad,
        "--engine",
        "name=good",
        "cmd=sh",
        &good,
        "--game",
        "tictactoe",
        "--each",
        "st=1",
        "--recover",
        "--rounds",
        "150",
        "--record",
        &record,
    ];
    let mut runner = zermelo(&arguments).stdout(std::process::Stdio::null()).spawn().unwrap();
    let id = runner.id().to_string();
    let (mut descriptors, mut children) = (0, 0);
    let status = loop {
        if let Some(status) = runner.try_wait().unwrap() {
            break status;
        }
        let count = |path: String| fs::read_dir(path).map_or(0, Iterator::count);
        descriptors = descriptors.max(count(format!("/proc/{id}/fd")));
        let path = format!("/proc/{id}/task/{id}/children");
        let alive = fs::read_to_string(path).unwrap_or_default();
        children = children.max(alive.split_whitespace().count());
        std::thread::sleep(Duration::from_millis(2));
    };
    assert!(status.success());
    assert_eq!(read(&record).len(), 300);
    assert!(descriptors < 30, "{descriptors} descriptors");
    assert!(children < 6, "{children} children");
}

/// A proven win that was claimed and not kept is told, whoever won.
#[test]
fn claims_are_checked() {
    let folder = Folder::new("claims");
    let games = play_faulty(&folder, "claim", &["--each", "st=1"]);
    let broken: Vec<_> = games.iter().filter(|game| !game.broken_claims.is_empty()).collect();
    assert!(!broken.is_empty());
    for game in broken {
        assert!(game.broken_claims[0].starts_with("bad claimed a proven win (+M5) at ply "));
        assert_ne!(game.result, game.side_of("bad").map(Outcome::Win));
    }
}

/// A move that came too late is not taken for the next one, and who only was slow plays on.
#[test]
fn who_was_late_once_plays_on() {
    let folder = Folder::new("late-once");
    for stop in ["0.1", "0.35"] {
        let limit = format!("st={stop}");
        let games = play_faulty(&folder, "late-once", &["--each", &limit, "--rounds", "2"]);
        let words: Vec<_> = games.iter().map(|game| game.termination).collect();
        let normal = Termination::Normal;
        assert_eq!(words, [Termination::Time, normal, normal, normal], "{games:#?}");
        for name in ["late-once", "late-once.pgn"] {
            fs::remove_file(folder.file(name)).unwrap();
        }
    }
}

/// What was said before the question is no answer to it.
#[test]
fn a_move_that_is_said_twice_is_heard_once() {
    let folder = Folder::new("twice");
    let games = play_faulty(&folder, "twice", &["--each", "st=1", "--rounds", "2"]);
    assert_eq!(games.len(), 4);
    for game in games {
        assert_eq!(game.termination, Termination::Normal, "{}", game.reason);
    }
}
