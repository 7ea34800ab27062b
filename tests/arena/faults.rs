//! Faults of engines.

use std::fs;
use std::time::{Duration, Instant};

use zermelo::records::{GameRecord, Termination};
use zermelo::rules::Outcome;

use crate::common::is_running;

use super::{
    ABORT, EXIT_1, EXIT_3, Folder, fail, fake, fake_command, read, succeed, typed, zermelo,
};

/// Plays two games of the fake engine with a fault against a faultless one.
pub(super) fn play_faulty(folder: &Folder, fault: &str, more: &[&str]) -> Vec<GameRecord> {
    let record = folder.path(&format!("{fault}.pgn"));
    let (bad, good) = (fake(&format!("{fault} '{}'", folder.path(fault))), fake("none"));
    let engines = [
        "--engine",
        "name=bad",
        fake_command(),
        &bad,
        "--engine",
        "name=good",
        fake_command(),
        &good,
    ];
    let common = ["--game", "tictactoe", "--openings", "start", "--reply-timeout", "0.5"];
    succeed(zermelo(&engines).args(common).args(["--record", &record]).args(more));
    read(&record)
}

/// Each fault loses the game with its own termination, and the next game is played.
#[test]
fn every_fault_loses_with_its_own_termination() {
    let folder = Folder::new("faults");
    let by_clock = ["--each", "st=0.2", "--recover"];
    let by_nodes = ["--each", "nodes=1", "--move-timeout", "0.5", "--recover"];
    let faults: [(&str, &[&str], Termination, &str); 20] = [
        ("crash", &by_clock, Termination::Crash, ABORT),
        ("exit", &by_clock, Termination::Crash, EXIT_3),
        ("hang", &by_clock, Termination::Time, "no move within 0.200s"),
        ("hang", &by_nodes, Termination::Stall, "no move within 0.5s"),
        ("deaf", &by_clock, Termination::Time, "no move"),
        ("children", &by_clock, Termination::Time, "no move"),
        ("late", &by_clock, Termination::Time, "no move"),
        ("flood", &by_clock, Termination::Time, "no move"),
        ("illegal", &by_clock, Termination::Illegal, "illegal move \"a1\""),
        ("nonsense", &by_clock, Termination::Illegal, "\"99\" is not a move"),
        ("no-move", &by_clock, Termination::Illegal, "sent no move"),
        ("empty", &by_clock, Termination::Illegal, "sent no move"),
        ("bytes", &by_clock, Termination::ProtocolError, "not UTF-8"),
        ("megabyte", &by_clock, Termination::ProtocolError, "more than 65536 bytes"),
        ("endless", &by_clock, Termination::ProtocolError, "more than 65536 bytes"),
        ("prose", &by_clock, Termination::ProtocolError, "stormy"),
        ("broken-after-crash", &by_clock, Termination::StartFailure, EXIT_1),
        ("unready", &by_clock, Termination::Stall, "no readyok"),
        ("stubborn", &by_clock, Termination::Quit, "did not quit within 0.5s"),
        ("chatty", &by_clock, Termination::Normal, "by the rules"),
    ];
    for (fault, more, termination, reason) in faults {
        let games = play_faulty(&folder, fault, more);
        let context = format!("{fault}: {games:#?}");
        assert_eq!(games.len(), 2, "{context}");
        // An engine that does not quit loses only its last game.
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
        fs::remove_file(folder.path(&format!("{fault}.pgn"))).unwrap();
    }
}

/// Plays a round robin of two instant engines and one with a fault, two games at a time. Returns the
/// games, and the share of a core that the runner itself used, where the system is Linux.
fn play_beside_flood(folder: &Folder, fault: &str) -> (Vec<GameRecord>, f64) {
    let record = folder.path(&format!("{fault}.pgn"));
    let (bad, good) = (fake(fault), fake("none"));
    let bad = ["--engine", "name=bad", fake_command(), &bad];
    let good =
        ["--engine", "name=a", fake_command(), &good, "--engine", "name=b", fake_command(), &good];
    let common = ["--game", "tictactoe", "--openings", "start", "--games", "1", "--recover"];
    let limits = ["--each", "nodes=1", "--concurrency", "2", "--record", &record];
    let mut command = zermelo(&bad);
    command.args(good).args(common).args(limits).stdout(std::process::Stdio::null());
    let start = Instant::now();
    let mut runner = command.spawn().unwrap();
    let stat = format!("/proc/{}/stat", runner.id());
    let mut ticks = 0;
    let status = loop {
        if let Some(status) = runner.try_wait().unwrap() {
            break status;
        }
        // User and system time, in hundredths of a second.
        let text = fs::read_to_string(&stat).unwrap_or_default();
        let fields: Vec<u32> = text.split(' ').map(|word| word.parse().unwrap_or(0)).collect();
        ticks = ticks.max(fields.iter().skip(13).take(2).sum());
        std::thread::sleep(Duration::from_millis(20));
    };
    assert!(status.success());
    (read(&record), f64::from(ticks) / 100.0 / start.elapsed().as_secs_f64())
}

/// A flooding engine loses its own games; neither the runner nor another game is slowed down by it.
#[test]
fn flooding_engine_is_throttled_then_at_fault() {
    let folder = Folder::new("flood-beside");
    for (fault, reason) in [
        ("flood", "more than 2000 per second, such as \"info string still thinking\""),
        ("stderr-flood", "KiB on stderr in "),
    ] {
        let (games, share) = play_beside_flood(&folder, fault);
        assert_eq!(games.len(), 3);
        for game in &games {
            let context = format!("{fault}: {game:#?}");
            if game.side_of("bad").is_none() {
                assert_eq!(game.termination, Termination::Normal, "{context}");
                assert!(game.moves.iter().all(|mv| mv.time.as_f64() < 0.5), "{context}");
            } else {
                assert_eq!(game.termination, Termination::ProtocolError, "{context}");
                assert_eq!(game.player_at_fault(), Some("bad"), "{context}");
                assert!(game.reason.contains(reason), "{context}");
            }
        }
        assert!(share < 0.4, "the runner used {share:.2} of a core");
    }
}

/// Without `--recover`, an engine that failed loses all its remaining games.
#[test]
fn failed_engine_is_restarted_only_with_recover() {
    let folder = Folder::new("recover");
    let terminations =
        |games: &[GameRecord]| games.iter().map(|game| game.termination).collect::<Vec<_>>();
    let games = play_faulty(&folder, "once", &["--each", "st=1", "--rounds", "2", "--recover"]);
    let normal = Termination::Normal;
    assert_eq!(terminations(&games), [Termination::Crash, normal, normal, normal]);
    for name in ["once", "once.pgn"] {
        fs::remove_file(folder.path(name)).unwrap();
    }
    let games = play_faulty(&folder, "once", &["--each", "st=1", "--rounds", "2"]);
    let start = Termination::StartFailure;
    assert_eq!(terminations(&games), [Termination::Crash, start, start, start]);
    let reason = format!(
        "bad is not restarted after an earlier failure: bad exited unexpectedly ({EXIT_3})"
    );
    assert_eq!(games[3].reason, reason);
    assert_eq!(games[3].player_at_fault(), Some("bad"));
}

/// With `--strict` the exit code reports failures of engines, also those of an earlier run.
#[test]
fn strict_match_with_a_failed_engine_exits_with_1() {
    let folder = Folder::new("strict");
    let play = |fault: &str, more: &[&str]| {
        let (bad, record) = (fake(fault), folder.path(fault));
        let mut command =
            zermelo(&["--engine", "name=bad", fake_command(), &bad, "--engine", "name=good"]);
        command.args(["--game", "tictactoe", "--each", "st=1", "--openings", "start"]);
        command.args(["--record", &record, "--strict"]).args(more);
        command
    };
    succeed(&mut play("none", &[]));
    let error = fail(&mut play("illegal", &["--games", "1"]), 1);
    assert!(error.contains("an engine failed in 1 game (--strict)"), "{error}");
    fail(&mut play("illegal", &["--games", "1"]), 1);
}

#[test]
fn stderr_of_a_failed_engine_is_recorded() {
    let folder = Folder::new("stderr");
    let (log, record) = (folder.path("log"), folder.path("games.pgn"));
    let (bad, good) = (fake("crash"), fake("none"));
    let stderr = format!("stderr={log}");
    let engine = fake_command();
    let arguments = format!(
        "--engine name=bad \"{engine}\" \"{bad}\" \"{stderr}\" --engine name=good \"{engine}\" \"{good}\" \
         --game tictactoe --each st=1 --recover --record {record}"
    );
    succeed(&mut typed(&arguments));
    for game in read(&record) {
        assert_eq!(game.stderr.as_deref(), Some("out of cheese"));
    }
    assert_eq!(fs::read_to_string(log).unwrap(), "out of cheese\nout of cheese\n");
}

/// This includes a child that left the engine's process group and outlived the engine.
#[test]
fn engine_is_killed_with_its_children() {
    // Without a time limit, the exit of the engine must be noticed first.
    for (fault, limit, termination) in
        [("children", "st=0.1", Termination::Time), ("daemon", "nodes=1", Termination::Crash)]
    {
        let folder = Folder::new(fault);
        let games = play_faulty(&folder, fault, &["--each", limit, "--recover"]);
        assert!(games.iter().any(|game| game.termination == termination), "{games:#?}");
        let child = fs::read_to_string(folder.path(fault)).unwrap();
        let child = child.trim().parse().unwrap();
        // The child is reaped by another process, which may take a moment.
        let deadline = Instant::now() + Duration::from_secs(5);
        while is_running(child) && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(!is_running(child), "process {child} is still running");
    }
}

/// Hundreds of engines crash without leaking descriptors or processes, as Linux counts them.
#[test]
fn crashed_engines_leak_nothing() {
    let folder = Folder::new("leaks");
    let record = folder.path("games.pgn");
    let (bad, good) = (fake("exit"), fake("none"));
    let engine = fake_command();
    let arguments = format!(
        "--engine name=bad \"{engine}\" \"{bad}\" --engine name=good \"{engine}\" \"{good}\" --game tictactoe \
         --each st=1 --recover --openings start --rounds 150 --record {record}"
    );
    let mut runner = typed(&arguments).stdout(std::process::Stdio::null()).spawn().unwrap();
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

/// A claimed win that does not come true is recorded.
#[test]
fn broken_claims_are_recorded() {
    let folder = Folder::new("claims");
    let games = play_faulty(&folder, "claim", &["--each", "st=1"]);
    let broken: Vec<_> = games.iter().filter(|game| !game.broken_claims.is_empty()).collect();
    assert!(!broken.is_empty());
    for game in broken {
        assert!(game.broken_claims[0].starts_with("bad claimed a proven win (+M5) at ply "));
        assert_ne!(game.result, game.side_of("bad").map(Outcome::Win));
    }
}

/// What a user can do about an engine that is late, and which claim was broken in which game, is printed.
#[test]
fn remedies_and_broken_claims_are_printed() {
    let play = |fault: &str, limit: &str| {
        let bad = format!("--engine name=bad '{}' 'args=engine {fault}'", fake_command());
        let good = format!("--engine name=good '{}' 'args=engine none'", fake_command());
        let each = format!("--game tictactoe --openings start --recover --each {limit}");
        succeed(&mut typed(&format!("{bad} {good} {each}")))
    };
    let late = play("hang", "st=0.2");
    assert!(late.contains("--concurrency 1") && late.contains("timemargin=MS"), "{late}");
    let folder = Folder::new("claims-printed");
    let claimed = play(&format!("claim {}", folder.path("claim")), "st=1");
    let line = claimed.lines().find(|line| line.contains("claimed a proven win (+M5) at ply "));
    assert!(line.is_some_and(|line| line.starts_with("game ")), "{claimed}");
}

/// A late answer is not mistaken for the next move, and the engine keeps playing.
#[test]
fn late_engine_continues_with_the_next_game() {
    let folder = Folder::new("late-once");
    for stop in ["0.1", "0.35"] {
        let limit = format!("st={stop}");
        let games = play_faulty(&folder, "late-once", &["--each", &limit, "--rounds", "2"]);
        let terminations: Vec<_> = games.iter().map(|game| game.termination).collect();
        let normal = Termination::Normal;
        assert_eq!(terminations, [Termination::Time, normal, normal, normal], "{games:#?}");
        for name in ["late-once", "late-once.pgn"] {
            fs::remove_file(folder.path(name)).unwrap();
        }
    }
}

/// Output sent before `go` is not its answer, and a burst of thousands of lines is not a flood.
#[test]
fn harmless_output_is_no_fault() {
    let folder = Folder::new("harmless");
    for fault in ["twice", "burst"] {
        let games = play_faulty(&folder, fault, &["--each", "st=3", "--rounds", "2"]);
        assert_eq!(games.len(), 4);
        for game in games {
            assert_eq!(game.termination, Termination::Normal, "{}", game.reason);
        }
    }
}
