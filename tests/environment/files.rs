//! A full disk, unwritable paths, a closed stdout, and where files are created.

use std::fs::{self, File};
use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::fs::{CWD, FileType, Mode, mknodat};

use super::common::{Folder, ZERMELO, run_program, wait_with_timeout};
use super::{SLOW_POSITION, games_in, games_of, match_arguments, run_after, text};

/// When files cannot grow, the run ends with the reason; once they can, it resumes.
#[test]
fn a_full_disk_loses_no_finished_work() {
    let folder = Folder::new("full-disk");
    let path = |name: &str| folder.file(name).to_str().unwrap().to_owned();
    let (record, json) = (path("games.pgn"), path("games.json"));
    let arguments = match_arguments(&record, &json);
    let mut ends = 0;
    // Blocks of half a KiB or one KiB, depending on the shell; both files grow to several KiB.
    for blocks in [1, 3, 5, 8] {
        let before = games_in(&record);
        let output = run_after(&format!("trap '' XFSZ; ulimit -f {blocks}"), &arguments);
        let output_text = text(&output.stderr);
        if output.status.code() != Some(0) {
            ends += 1;
            assert_eq!(output.status.code(), Some(1), "{output_text}");
            assert!(
                output_text.contains("games.") && output_text.contains("File too large"),
                "{output_text}"
            );
        }
        assert!(games_in(&record) >= before);
    }
    assert!(ends > 1);
    let output = run_program(&arguments, b"");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let (straight, other) = (path("straight.pgn"), path("straight.json"));
    assert!(run_program(&match_arguments(&straight, &other), b"").status.success());
    let (whole, undisturbed) = (games_of(&record), games_of(&straight));
    assert_eq!(whole.len(), 40);
    assert_eq!(whole, undisturbed);

    // Training data resumes in the same way. No thread writes after an incomplete game.
    let (whole, part) = (path("whole"), path("part"));
    let datagen = |games, out| ["datagen", "--games", games, "--nodes", "30", "--out", out];
    assert!(run_program(&datagen("20", &whole), b"").status.success());
    let other = path("other");
    let endless = [&datagen("1000000", &other)[..], &["--threads", "2"]].concat();
    for (arguments, file) in [(&datagen("20", &part)[..], &part), (&endless, &other)] {
        let output = run_after("trap '' XFSZ; ulimit -f 6", arguments);
        assert_eq!(output.status.code(), Some(1));
        let output_text = text(&output.stderr);
        assert!(output_text.contains(&format!("{file}: File too large")), "{output_text}");
        let bytes = fs::read(file).unwrap();
        let last = bytes.chunks(24).last().unwrap();
        assert!(
            last.len() == 24 && last.starts_with(&[255, 255]),
            "the file ends with the footer of a game"
        );
    }
    assert!(run_program(&datagen("20", &part), b"").status.success());
    assert_eq!(fs::read(&whole).unwrap(), fs::read(&part).unwrap());
}

/// A named pipe would wait for a writer, and a file without line breaks fill the memory.
#[test]
fn pipes_and_endless_files_are_refused() {
    let folder = Folder::new("pipes");
    let [pipe, endless] = ["pipe", "endless"].map(|name| folder.path(name));
    mknodat(CWD, &pipe, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    File::create(&endless).unwrap().set_len(1 << 40).unwrap();
    let pair = ["--each", "nodes=9", "--engine", "name=a", "--engine", "name=b"];
    let refuse = |arguments: &[&str], reason: &str| {
        let output = run_program(arguments, b"");
        let error = text(&output.stderr);
        assert!(matches!(output.status.code(), Some(1 | 2)), "{arguments:?} {output:?}");
        assert!(error.contains(reason), "{arguments:?} {error}");
    };
    let openings = |file: &str| {
        [&["match", "--openings", &format!("file={file}")], &pair[..]].concat().join(" ")
    };
    for (file, reason) in
        [(&pipe, "pipe: a pipe, expected a file"), (&endless, "endless: 256 MiB or more")]
    {
        refuse(&openings(file).split(' ').collect::<Vec<_>>(), &reason.replace("pipe: ", ""));
        refuse(&["exam", "--export", "--suite", file], reason);
    }
    for arguments in [
        &["match", "--check-record"][..],
        &["annotate"],
        &["review"],
        &["convert", "--to", "fen"],
        &["solve", "--file"],
    ] {
        refuse(&[arguments, &[&pipe]].concat(), "a pipe, expected a file");
    }
    // A checkpoint is written, too.
    refuse(&["solve", "--fen", SLOW_POSITION, "--checkpoint", &pipe], "not a regular file");
    for arguments in [&["match", "--check-record"][..], &["annotate"], &["review"]] {
        refuse(&[arguments, &[&endless]].concat(), "line too long");
    }
    // The stderr of an engine must go to a file.
    let stderr = format!("stderr={pipe}");
    refuse(&[&["match"], &pair[..], &[&stderr]].concat(), "a pipe, expected a file");
}

/// Without a handler, the signal at the limit on the size of files would end the program.
#[test]
fn the_limit_on_the_size_of_files_is_an_error() {
    let folder = Folder::new("size-limit");
    let (record, json) = (folder.path("games.pgn"), folder.path("games.json"));
    let output = run_after("ulimit -f 3", &match_arguments(&record, &json));
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(text(&output.stderr).contains("File too large"), "{output:?}");
}

/// A solver and an engine continue without a checkpoint or log that cannot be written, and report it.
#[test]
fn checkpoint_and_log_failures_are_reported_but_not_fatal() {
    let folder = Folder::new("full-disk-work");
    let file = folder.file("file");
    let file = file.to_str().unwrap();
    let solve = ["solve", "--fen", SLOW_POSITION, "--time", "1.5", "--checkpoint", file];
    let output = run_after(
        "trap '' XFSZ; ulimit -f 2",
        &[&solve[..], &["--checkpoint-every", "0.3"]].concat(),
    );
    let output_text = text(&output.stderr);
    assert!(output_text.contains(file) && output_text.contains("File too large"), "{output_text}");
    assert!(text(&output.stdout).starts_with("unknown"), "the result is still printed");
    let log = format!("setoption name Log File value {file}.log");
    let lines =
        [&log[..], "debug on", "go depth 6", "go depth 6", "position startpos moves e5", "fen"];
    let output = run_after("trap '' XFSZ; ulimit -f 1", &[&["--"], &lines[..]].concat());
    let output_text = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{output_text}");
    assert_eq!(text(&output.stdout).matches("bestmove").count(), 2);
    assert_eq!(
        output_text.matches(&format!("{file}.log: File too large")).count(),
        1,
        "{output_text}"
    );
}

/// An interrupted or failed write leaves the earlier certificate.
#[test]
fn a_certificate_that_does_not_fit_replaces_nothing() {
    let folder = Folder::new("full-disk-certificate");
    let file = folder.file("proof");
    let path = file.to_str().unwrap();
    // The certificate has 50 KB.
    let fen = "1o1x4x/xoo1x2o1/1x3oo1o/o2xxxx2/4oo3/x1x5x/o1o3oox/3o3x1/x1x3o2 x 17 a6";
    let solve = ["solve", "--fen", fen, "--certificate", path];
    fs::write(&file, "earlier").unwrap();
    let output = run_after("trap '' XFSZ; ulimit -f 4", &solve);
    let output_text = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{output_text}");
    assert!(output_text.contains(&format!("{path}: File too large")), "{output_text}");
    assert!(text(&output.stdout).starts_with("win"), "the result is still printed");
    assert_eq!(fs::read(&file).unwrap(), b"earlier");
    assert_eq!(
        fs::read_dir(file.parent().unwrap()).unwrap().count(),
        1,
        "no temporary file is left"
    );
}

#[test]
fn unwritable_paths_are_reported_before_work_starts() {
    // Not even root can create files there.
    for unwritable in ["/proc/zermelo", "/sys/zermelo"] {
        let large = ["--rounds", "1000000", "--each", "nodes=9", "--engine", "name=a"];
        let match_with =
            |option| [&["match", "--engine", "name=b", option, unwritable], &large[..]].concat();
        let commands: &[(i32, &[&str])] = &[
            (2, &match_with("--record")),
            (2, &match_with("--jsonl")),
            (2, &match_with("--report")),
            (2, &["datagen", "--games", "1000000", "--nodes", "9", "--out", unwritable]),
            (2, &["solve", "--fen", SLOW_POSITION, "--checkpoint", unwritable]),
            (2, &["analyze", "ponghauki", "--svg", unwritable]),
            (2, &["analyze", "tictactoe", "--fen", "3/3/3 x", "--svg", unwritable]),
            (2, &["--log", unwritable, "--", "isready"]),
        ];
        for (code, arguments) in commands {
            let start = Instant::now();
            let output = run_program(arguments, b"");
            let output_text = text(&output.stderr);
            assert_eq!(output.status.code(), Some(*code), "{arguments:?}: {output_text}");
            assert!(
                output_text.starts_with("zermelo: ") && output_text.contains(unwritable),
                "{arguments:?}: {output_text}"
            );
            assert_eq!(output_text.trim_end().lines().count(), 1, "{output_text}");
            assert!(output.stdout.is_empty(), "{arguments:?}: {}", text(&output.stdout));
            assert!(start.elapsed() < Duration::from_secs(5), "{arguments:?}");
        }
    }
}

/// The engine goes on without its log, and the run fails in the end.
#[test]
fn a_log_on_a_full_disk_fails_the_run() {
    let output = run_program(&["--log", "/dev/full", "--", "isready"], b"");
    let reasons = text(&output.stderr);
    assert_eq!(
        (output.status.code(), &output.stdout[..]),
        (Some(1), &b"readyok\n"[..]),
        "{reasons}"
    );
    assert_eq!(reasons.matches("cannot write the log").count(), 1, "{reasons}");
    assert!(reasons.ends_with("--log /dev/full: the log is incomplete\n"), "{reasons}");
}

/// If the reader of the standings goes away, the match finishes or can be resumed.
#[test]
fn a_match_survives_a_closed_stdout() {
    let folder = Folder::new("closed-pipe");
    let (record, json) = (folder.file("games.pgn"), folder.file("games.json"));
    let arguments = match_arguments(record.to_str().unwrap(), json.to_str().unwrap());
    let mut command = Command::new(ZERMELO);
    command.args(&arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut first = [0; 1];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = wait_with_timeout(child).unwrap();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{output:?}");
    assert!(run_program(&arguments, b"").status.success());
    assert_eq!(games_in(record.to_str().unwrap()), 40);
}

/// Output files are written even if stdout is closed or full.
#[test]
fn output_files_do_not_depend_on_stdout() {
    let folder = Folder::new("closed-stdout");
    let path = |name: &str| folder.file(name).to_str().unwrap().to_owned();
    let (record, json, out) = (path("games.pgn"), path("games.json"), path("out"));
    let match_words = match_arguments(&record, &json);
    assert!(run_program(&match_words, b"").status.success());
    let tasks: [&[&str]; 4] = [
        &["match", "--check-record", &record, "--report", &out],
        &["match", "--merge", &record, "--report", &out],
        &[&match_words[..], &["--report", &out]].concat(),
        &["annotate", &record, "--output", &out],
    ];
    for task in tasks {
        assert!(run_program(task, b"").status.success());
        let expected = fs::read(&out).unwrap();
        let (reader, closed) = std::io::pipe().unwrap();
        drop(reader);
        let full = fs::File::create("/dev/full").unwrap();
        for (stdout, code) in [(Stdio::from(closed), 0), (Stdio::from(full), 1)] {
            fs::remove_file(&out).unwrap();
            let mut command = Command::new(ZERMELO);
            let output = command.args(task).stdin(Stdio::null()).stdout(stdout).output().unwrap();
            let output_text = text(&output.stderr);
            assert_eq!(output.status.code(), Some(code), "{task:?}: {output_text}");
            assert_eq!(output_text.contains("No space left"), code == 1, "{task:?}: {output_text}");
            assert!(fs::read(&out).unwrap() == expected, "{task:?}");
        }
    }
}

/// Files are created only where requested: not in the current folder, the home folder or the temporary folder.
#[test]
fn only_requested_files_are_created() {
    let folder = Folder::new("untouched");
    let (home, requested) = (folder.file("home"), folder.file("requested"));
    fs::create_dir(&home).unwrap();
    fs::create_dir(&requested).unwrap();
    let file = |name: &str| requested.join(name).to_str().unwrap().to_owned();
    let (record, samples, proof) = (file("games.pgn"), file("samples"), file("proof"));
    let (picture, log, json) = (file("graph.svg"), file("log"), file("games.json"));
    let engine = format!("cmd={ZERMELO}");
    let tasks: &[(&[&str], &[&str])] = &[
        (&["--", "go nodes 2000", "setoption name Searcher value mcts", "go nodes 500"], &[]),
        (&["bench", "--game", "nim"], &[]),
        (&["solve", "--game", "tictactoe", "--fen", "3/3/3 x", "--verify"], &[]),
        (&["solve", "--fen", SLOW_POSITION, "--time", "0.2", "--checkpoint", &proof], &[&proof]),
        (&["analyze", "ponghauki", "--svg", &picture], &[&picture]),
        (&["openings", "--game", "nim", "--count", "3"], &[]),
        (&match_arguments(&record, &json), &[&record, &json]),
        (&["annotate", &record], &[]),
        (&["compliance", "--game", "nim", "--engine", &engine], &[]),
        (&["play", "tictactoe"], &[]),
        (&["datagen", "--games", "1", "--nodes", "20", "--out", &samples], &[&samples]),
        (&["--log", &log, "--", "isready"], &[&log]),
    ];
    for (arguments, made) in tasks {
        let mut command = Command::new(ZERMELO);
        command.args(*arguments).stdin(Stdio::null()).current_dir(&home);
        for variable in ["HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"] {
            command.env(variable, &home);
        }
        let output = command.env("XDG_DATA_HOME", &home).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
        for file in *made {
            assert!(fs::exists(file).unwrap(), "{arguments:?}");
        }
        assert_eq!(fs::read_dir(&home).unwrap().count(), 0, "{arguments:?}");
    }
    let all: usize = tasks.iter().map(|(_, made)| made.len()).sum();
    assert_eq!(fs::read_dir(&requested).unwrap().count(), all);
}
