//! Signals at any moment: what was finished is kept, and the same command resumes.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use zermelo::rules::SplitMix;

use super::common::{Folder, TIMEOUT, ZERMELO, run_program, start_program, wait_with_timeout};
use super::{games_of, match_arguments, text};

#[test]
fn reading_from_a_pipe_can_be_interrupted() {
    let pair = ["--each", "nodes=9", "--engine", "name=a", "--engine", "name=b"];
    let waiting: [&[&str]; 3] = [
        &[&["match", "--openings", "file=/dev/stdin"], &pair[..]].concat(),
        &["match", "--check-record", "/dev/stdin"],
        &["annotate", "/dev/stdin"],
    ];
    for arguments in waiting {
        let mut command = Command::new(ZERMELO);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::null());
        let mut child = command.spawn().unwrap();
        let stdin = child.stdin.take();
        std::thread::sleep(Duration::from_millis(150));
        assert!(child.try_wait().unwrap().is_none(), "{arguments:?}");
        // SIGTERM, because background jobs of a shell ignore SIGINT.
        kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
        let sent = Instant::now();
        while child.try_wait().unwrap().is_none() {
            assert!(sent.elapsed() < TIMEOUT, "{arguments:?}");
            std::thread::sleep(Duration::from_millis(10));
        }
        if arguments[0] == "match" {
            assert_eq!(child.wait().unwrap().code(), Some(3), "{arguments:?}");
        }
        drop(stdin);
    }
}

/// Signals at random times, from startup on; repeating the command resumes and reaches the same result.
#[test]
#[ignore = "interrupts runs for ten seconds"]
fn interrupted_runs_resume_to_the_same_result() {
    let folder = Folder::new("signals");
    let path = |name: &str| folder.file(name).to_str().unwrap().to_owned();
    let (record, json, samples) = (path("games.pgn"), path("games.json"), path("samples"));
    // Long enough to be interrupted even on a fast machine.
    let datagen = ["datagen", "--games", "400", "--nodes", "300", "--out", &samples];
    let mut match_words = match_arguments(&record, &json);
    match_words.extend(["--concurrency", "2"]);
    match_words.iter_mut().filter(|word| **word == "20").for_each(|word| *word = "300");
    let commands = [(match_words, vec![&record, &json]), (datagen.to_vec(), vec![&samples])];
    let mut random = SplitMix::new(11);
    for (arguments, made) in &commands {
        let (mut ends, mut orderly, mut again) = (0, 0, 0);
        loop {
            let mut command = Command::new(ZERMELO);
            command
                .args(arguments)
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
            let child = command.spawn().unwrap();
            // A signal may be ignored until the handlers are installed, if this test is a background job.
            let latest = 60_000 + 4_000 * ends + 20_000 * again;
            std::thread::sleep(Duration::from_micros(random.below(latest) as u64));
            let signal = [Signal::TERM, Signal::INT, Signal::HUP][random.below(3)];
            // Fails if it has already ended.
            let _ = kill_process(Pid::from_child(&child), signal);
            let sent = Instant::now();
            let output = wait_with_timeout(child).unwrap();
            assert!(sent.elapsed() < TIMEOUT);
            if output.status.success() {
                if orderly > 2 {
                    break;
                }
                // It finished before being interrupted often enough: start again.
                made.iter().for_each(|file| fs::remove_file(file).unwrap());
                again += 1;
                assert!(again < 20, "{}: {orderly} of {ends}", arguments[0]);
                continue;
            }
            let output_text = text(&output.stderr);
            match output.status.code() {
                // Before the handlers are installed, the signal kills the program.
                None => assert_eq!(output.status.signal(), Some(signal.as_raw()), "{output_text}"),
                code => {
                    let expected = if arguments[0] == "match" { 3 } else { 1 };
                    assert_eq!(code, Some(expected), "{output_text}");
                    orderly += 1;
                }
            }
            ends += 1;
            assert!(ends < 500, "the run makes no progress");
        }
    }
    let (other_record, other_json) = (path("straight.pgn"), path("straight.json"));
    let mut straight = commands[0].0.clone();
    let places = straight.iter_mut().filter(|word| [record.as_str(), &json].contains(*word));
    places.zip([&other_record, &other_json]).for_each(|(word, other)| *word = other);
    assert!(run_program(&straight, b"").status.success());
    assert_eq!(games_of(&record).len(), 600);
    assert_eq!(games_of(&record), games_of(&other_record));
    let straight = path("straight");
    let datagen = ["datagen", "--games", "400", "--nodes", "300", "--out", &straight];
    assert!(run_program(&datagen, b"").status.success());
    assert_eq!(fs::read(&samples).unwrap(), fs::read(&straight).unwrap());
}

/// An interrupted `annotate` leaves no temporary file and does not change the record.
#[test]
fn an_interrupted_annotation_keeps_the_record() {
    let folder = Folder::new("annotate-signal");
    let record = folder.file("games.pgn");
    let name = record.to_str().unwrap();
    let pair = ["--engine", "name=a", "--engine", "name=b", "--each", "nodes=9"];
    assert!(run_program(&[&["match", "--record", name], &pair[..]].concat(), b"").status.success());
    let before = fs::read(&record).unwrap();
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let mut command = Command::new(ZERMELO);
        command.args(["annotate", name, "--output", name, "--time", "5"]).stdin(Stdio::null());
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let deadline = Instant::now() + TIMEOUT;
        while fs::read_dir(folder.file("")).unwrap().count() == 1 {
            assert!(Instant::now() < deadline);
            std::thread::sleep(Duration::from_millis(10));
        }
        kill_process(Pid::from_child(&child), signal).unwrap();
        let output = wait_with_timeout(child).unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
        assert!(text(&output.stderr).contains("interrupted"));
        assert_eq!(fs::read_dir(folder.file("")).unwrap().count(), 1);
        assert_eq!(fs::read(&record).unwrap(), before);
    }
}

/// A run that is killed while it writes leaves a temporary file, which the next run removes. The
/// file keeps its mode.
#[test]
fn replaced_file_keeps_its_mode_and_loses_leftovers() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("replaced");
    let record = folder.file("games.pgn");
    let name = record.to_str().unwrap();
    let pair = ["--engine", "name=a", "--engine", "name=b", "--each", "nodes=9"];
    assert!(run_program(&[&["match", "--record", name], &pair[..]].concat(), b"").status.success());
    fs::set_permissions(&record, fs::Permissions::from_mode(0o600)).unwrap();
    let annotate = ["annotate", name, "--output", name, "--time", "5"];
    let files = || fs::read_dir(folder.file("")).unwrap().map(|entry| entry.unwrap().path());
    let mut child = start_program(&annotate);
    let deadline = Instant::now() + TIMEOUT;
    let is_private = |path: std::path::PathBuf| {
        path.metadata().is_ok_and(|data| data.permissions().mode() & 0o077 == 0)
    };
    while files().count() == 1 {
        assert!(Instant::now() < deadline);
        assert!(files().all(is_private));
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(files().count(), 2);
    assert!(files().all(is_private));
    let quick = ["annotate", name, "--output", name, "--time", "0.01"];
    assert!(run_program(&quick, b"").status.success());
    assert!(files().eq([record.clone()]));
    assert!(is_private(record));
}
