//! Matches that are paused, on the clock and without one.

use std::fs;
use std::io::{BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use zermelo::records::GameReader;

use super::common::terminal::Terminal;
use super::common::{Folder, TIMEOUT, ZERMELO, wait_with_timeout};
use super::{child_count, games_in, text};

/// A match between two engines that use all of their time, with its record and both games recorded
/// after eight seconds.
fn match_on_the_clock(record: &str) -> Command {
    let mut command = Command::new(ZERMELO);
    command.args(["match", "--engine", "name=a", "--engine", "name=b", "--openings", "start"]);
    command.args(["--each", "st=1", "option.Searcher=mcts", "timemargin=1000", "--maxmoves", "2"]);
    command.args(["--record", record]).stdin(Stdio::null());
    command
}

/// Waits until both engines of a match have started and the first is thinking.
fn wait_for_first_move(runner: u32) {
    let deadline = Instant::now() + TIMEOUT;
    while child_count(runner) < 2 {
        assert!(Instant::now() < deadline);
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(1500));
}

/// Engines keep running while the runner is stopped, so the game is played again.
#[test]
#[ignore = "waits for ten seconds"]
fn a_paused_match_blames_no_engine() {
    let folder = Folder::new("paused");
    let record = folder.file("games.pgn");
    let mut command = match_on_the_clock(record.to_str().unwrap());
    let runner = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for_first_move(runner.id());
    kill_process(Pid::from_child(&runner), Signal::STOP).unwrap();
    std::thread::sleep(Duration::from_secs(3));
    kill_process(Pid::from_child(&runner), Signal::CONT).unwrap();
    let output = wait_with_timeout(runner).unwrap();
    let shown = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{shown}{}", text(&output.stderr));
    assert_eq!(
        shown.matches("game 1 is replayed: the match was paused for ").count(),
        1,
        "{shown}"
    );
    assert!(shown.contains("Terminations: maxmoves 2"), "{shown}");
    assert_eq!(games_in(record.to_str().unwrap()), 2);
}

/// After three replays pauses are deducted from the time of the move, so that the game ends.
#[test]
#[ignore = "waits for ten seconds"]
fn a_match_paused_again_and_again_ends() {
    let folder = Folder::new("paused-often");
    let record = folder.file("games.pgn");
    let mut command = match_on_the_clock(record.to_str().unwrap());
    let mut runner = command.args(["--games", "1"]).stdout(Stdio::piped()).spawn().unwrap();
    let pid = Pid::from_child(&runner);
    wait_for_first_move(runner.id());
    let start = Instant::now();
    while runner.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < 2 * TIMEOUT);
        kill_process(pid, Signal::STOP).unwrap();
        std::thread::sleep(Duration::from_millis(1200));
        kill_process(pid, Signal::CONT).unwrap();
        std::thread::sleep(Duration::from_millis(700));
    }
    let shown = text(&runner.wait_with_output().unwrap().stdout);
    assert_eq!(shown.matches("game 1 is replayed").count(), 3, "{shown}");
    assert!(shown.contains("Terminations: maxmoves 1"), "{shown}");
}

/// Without a clock, the game goes on and the pause belongs to no move.
#[test]
#[ignore = "waits for six seconds"]
fn a_pause_without_a_clock_costs_nothing() {
    let folder = Folder::new("paused-nodes");
    let record = folder.file("games.pgn");
    let mut command = Command::new(ZERMELO);
    command.args(["match", "--engine", "name=a", "--engine", "name=b", "--openings", "start"]);
    command.args(["--each", "nodes=20000", "option.Searcher=mcts", "--games", "1"]);
    // Shorter than the pause.
    command.args([
        "--move-timeout",
        "2",
        "--reply-timeout",
        "2",
        "--record",
        record.to_str().unwrap(),
    ]);
    let runner = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    wait_for_first_move(runner.id());
    kill_process(Pid::from_child(&runner), Signal::STOP).unwrap();
    std::thread::sleep(Duration::from_secs(4));
    kill_process(Pid::from_child(&runner), Signal::CONT).unwrap();
    let output = wait_with_timeout(runner).unwrap();
    let shown = text(&output.stdout);
    assert!(shown.contains("Terminations: normal 1") && !shown.contains("replayed"), "{shown}");
    let game = GameReader::new(BufReader::new(fs::File::open(record).unwrap())).next().unwrap();
    assert!(game.unwrap().moves.iter().all(|mv| mv.time.as_f64() < 2.0));
}

/// Ctrl-Z in a terminal, then `fg`.
#[test]
#[ignore = "waits for ten seconds"]
fn a_match_suspended_in_a_terminal_resumes() {
    let folder = Folder::new("suspended");
    let record = folder.file("games.pgn");
    let shell = pty_process::blocking::Command::new("sh").arg("-i").env("PS1", "ready> ");
    let Terminal { mut keys, child: mut shell, output } = Terminal::start(shell);
    let mut shown = String::new();
    let mut wait_for = |wanted: &str| {
        while !shown.contains(wanted) {
            let more = output.recv_timeout(TIMEOUT);
            let more = more.unwrap_or_else(|error| panic!("{wanted}: {error}\n{shown}"));
            shown.push_str(&text(&more));
        }
        let end = shown.find(wanted).unwrap() + wanted.len();
        shown.drain(..end).collect::<String>()
    };
    wait_for("ready> ");
    let command = match_on_the_clock(record.to_str().unwrap());
    let words = command.get_args().map(|word| word.to_str().unwrap().to_owned());
    let line = [vec![ZERMELO.to_owned()], words.collect()].concat().join(" ");
    keys.write_all(format!("{line}\n").as_bytes()).unwrap();
    wait_for("match of 2 engines");
    std::thread::sleep(Duration::from_millis(2500));
    keys.write_all(b"\x1a").unwrap();
    wait_for("ready> ");
    std::thread::sleep(Duration::from_secs(3));
    keys.write_all(b"fg\n").unwrap();
    wait_for("is replayed: the match was paused for ");
    wait_for("Terminations: maxmoves 2");
    keys.write_all(b"exit\n").unwrap();
    shell.wait().unwrap();
}
