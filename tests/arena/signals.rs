//! What signals and terminals do to a match, on Unix.

use std::fs;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::resume::slow;
use super::start::against;
use super::{Folder, fake, fake_command, read, typed, zermelo};

fn send(signal: Signal, child: &Child) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

/// The first signal ends the match in order: finished games are recorded and tables printed.
#[test]
fn signal_ends_the_match_in_order() {
    let folder = Folder::new("signal");
    for signal in [Signal::INT, Signal::TERM] {
        let record = folder.path(&format!("{}.pgn", signal.as_raw()));
        let arguments = slow(&record, "", "100000");
        let mut runner = zermelo(&arguments);
        let runner = runner.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let deadline = Instant::now() + Duration::from_secs(20);
        while !fs::exists(&record).unwrap() || read(&record).len() < 4 {
            assert!(Instant::now() < deadline);
            std::thread::sleep(Duration::from_millis(10));
        }
        send(signal, &runner);
        let output = runner.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(3));
        let stdout = String::from_utf8_lossy(&output.stdout);
        assert!(stdout.contains("a against b: "), "{stdout}");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains("interrupted; run the same command again to resume "), "{stderr}");
        let played = stdout.lines().filter(|line| line.starts_with("game ")).count();
        assert_eq!(read(&record).len(), played);
    }
}

/// A signal waits neither for an engine that is searching nor for one that does not quit.
#[test]
fn signal_does_not_wait_for_engines() {
    let folder = Folder::new("waiting");
    let record = folder.path("games.pgn");
    let hang = fake("hang");
    let engine = fake_command();
    let arguments = format!(
        "--game tictactoe --engine name=a \"{engine}\" \"{hang}\" --engine name=b --each nodes=1 \
         --move-timeout 1000 --record {record}"
    );
    let mut runner = typed(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    // The record is created when both engines have started.
    while !fs::exists(&record).unwrap() {
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(300));
    let start = Instant::now();
    send(Signal::INT, &runner);
    assert_eq!(runner.wait().unwrap().code(), Some(3));
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

/// Waiting times of several engines do not add up, and a signal ends the check at once.
#[test]
fn engines_start_at_the_same_time_and_signals_interrupt_them() {
    let folder = Folder::new("start-signal");
    let (record, starts) = (folder.path("games.pgn"), folder.path("starts"));
    let mute = fake(&format!("mute '{starts}'"));
    let engine = [fake_command(), mute.as_str()];
    let others =
        ["--engine", "name=c", fake_command(), &mute, "--engine", "name=d", fake_command(), &mute];
    let more = [&others[..], &["--record", &record, "--reply-timeout", "1000"]].concat();
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let mut command = against(&engine, &more);
        let runner = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let deadline = Instant::now() + Duration::from_secs(30);
        while fs::read_to_string(&starts).unwrap_or_default().lines().count() < 3 {
            assert!(Instant::now() < deadline);
            std::thread::sleep(Duration::from_millis(5));
        }
        fs::remove_file(&starts).unwrap();
        let start = Instant::now();
        send(signal, &runner);
        let output = runner.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{stderr}");
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
        assert!(stderr.contains("interrupted before the first game"), "{stderr}");
        assert!(!fs::exists(&record).unwrap());
    }
}
