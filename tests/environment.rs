//! Failures of the environment: no memory, a full disk, unwritable paths, few cores, many engines, signals. Each
//! gets a clear message and the documented exit code, and no finished work is lost.
#![cfg(target_os = "linux")]

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use common::{Client, Folder, TIMEOUT, ZERMELO, run_program, wait_with_timeout};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use rustix::process::{Pid, Signal, kill_process};
use zermelo::arena::record::GameRecord;
use zermelo::arena::record::pgn::PgnReader;
use zermelo::rules::{Outcome, SplitMix};

/// A position that takes a while to solve.
const SLOW_POSITION: &str = "x6ox/1o2o2o1/o1o1x1xo1/o2xxx3/o8/2xo2x2/2o2xx2/xxo3xo1/2x2oo2 x 16 -";

/// Runs the program after a shell command such as `ulimit`.
fn run_after(setup: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{setup}; exec \"$0\" \"$@\""), ZERMELO]).args(arguments);
    command.stdin(Stdio::null()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The arguments of a match that can be resumed.
fn match_arguments<'a>(record: &'a str, json: &'a str) -> Vec<&'a str> {
    let pair = ["--engine", "name=a", "--engine", "name=b", "option.Seed=3"];
    let mut words = vec!["match", "--game", "tictactoe", "--each", "nodes=50"];
    words.extend(["option.Searcher=mcts", "--openings", "random=2", "--rounds", "20"]);
    words.extend(pair);
    words.extend(["--record", record, "--json", json]);
    words
}

fn games_in(file: &str) -> usize {
    fs::read_to_string(file).map_or(0, |text| text.matches("[Game ").count())
}

/// The FEN, moves and result of each game, by number.
fn games_of(file: &str) -> BTreeMap<u32, (String, Vec<String>, Option<Outcome>)> {
    let games = PgnReader::new(BufReader::new(fs::File::open(file).unwrap())).map(Result::unwrap);
    let moves = |game: &GameRecord| game.moves.iter().map(|mv| mv.mv.clone()).collect();
    games.map(|game| (game.number, (game.fen.clone(), moves(&game), game.result))).collect()
}

/// With too little memory the program reports an error and is never killed. Below the minimum to start, the
/// dynamic linker fails.
#[test]
fn lack_of_memory_is_reported() {
    let folder = Folder::new("no-memory");
    let out = folder.file("samples");
    let out = out.to_str().unwrap();
    let tasks: &[&[&str]] = &[
        &["--", "go nodes 500", "setoption name UCI_Variant value nim", "go"],
        &["--", "setoption name Hash value 100", "go nodes 500", "eval"],
        &["--", "setoption name Searcher value mcts", "go nodes 500"],
        &["solve", "--fen", SLOW_POSITION, "--memory", "64", "--time", "0.1"],
        &["solve", "--fen", SLOW_POSITION, "--memory", "64", "--time", "0.1", "--threads", "4"],
        &["datagen", "--games", "1", "--nodes", "20", "--out", out],
        &["bench"],
    ];
    for arguments in tasks {
        let mut reports = 0;
        for kibibytes in (24_000..180_000).step_by(12_000) {
            drop(fs::remove_file(out));
            let output = run_after(&format!("ulimit -v {kibibytes}"), arguments);
            let output_text = text(&output.stdout) + &text(&output.stderr);
            let code = output.status.code();
            assert!(
                matches!(code, Some(0..=2)) || output_text.contains("shared object"),
                "{arguments:?} with {kibibytes} KiB: {} {output_text}",
                output.status
            );
            let words = ["no memory for", "(available memory)", "cannot start a search thread"];
            let is_reported = words.iter().any(|word| output_text.contains(word));
            assert!(
                code == Some(0) || is_reported || code == Some(127),
                "{arguments:?}: {output_text}"
            );
            reports += usize::from(is_reported);
        }
        assert!(reports > 0 || arguments.contains(&"setoption name Searcher value mcts"));
    }
}

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

#[test]
fn unwritable_paths_are_reported_before_work_starts() {
    // Not even root can create files there.
    for unwritable in ["/proc/zermelo", "/sys/zermelo"] {
        let large = ["--rounds", "1000000", "--each", "nodes=9", "--engine", "name=a"];
        let match_with =
            |option| [&["match", "--engine", "name=b", option, unwritable], &large[..]].concat();
        let commands: &[(i32, &[&str])] = &[
            (2, &match_with("--record")),
            (2, &match_with("--json")),
            (2, &match_with("--report")),
            (2, &["datagen", "--games", "1000000", "--nodes", "9", "--out", unwritable]),
            (2, &["solve", "--fen", SLOW_POSITION, "--checkpoint", unwritable]),
            (2, &["analyze", "ponghauki", "--svg", unwritable]),
            (2, &["analyze", "ponghauki", "--dot", unwritable]),
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

/// Reading from a pipe without a writer blocks, but can be interrupted.
#[test]
fn reading_from_a_pipe_can_be_interrupted() {
    let folder = Folder::new("pipes");
    let pipe = folder.file("pipe");
    let name = pipe.to_str().unwrap();
    mknodat(CWD, &pipe, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    let openings = format!("file={name}");
    let pair = ["--each", "nodes=9", "--engine", "name=a", "--engine", "name=b"];
    let waiting: [&[&str]; 4] = [
        &[&["match", "--openings", &openings], &pair[..]].concat(),
        &["match", "--rescore", name],
        &["match", "--config", name],
        &["annotate", name],
    ];
    for arguments in waiting {
        let mut command = Command::new(ZERMELO);
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null());
        let mut child = command.spawn().unwrap();
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
    }
    // The stderr of an engine must go to a file.
    let stderr = format!("stderr={name}");
    let output = run_program(&[&["match"], &pair[..], &[&stderr]].concat(), b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("a pipe, expected a file"), "{}", text(&output.stderr));
}

/// Endless files are refused as records and openings without filling the memory.
#[test]
fn endless_files_are_refused() {
    let pair = ["--each", "nodes=9", "--engine", "name=a", "--engine", "name=b"];
    let tasks: [&[&str]; 3] = [
        &["match", "--rescore", "/dev/zero"],
        &["annotate", "/dev/zero"],
        &[&["match", "--openings", "file=/dev/zero"], &pair[..]].concat(),
    ];
    for arguments in tasks {
        let output = run_after("ulimit -v 2000000", arguments);
        let output_text = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output_text}");
        assert!(
            output_text.contains("/dev/zero") && output_text.contains("expected"),
            "{output_text}"
        );
    }
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
        &["match", "--rescore", &record, "--report", &out],
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
        (&["bench"], &[]),
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

/// Signals at random times, from startup on; repeating the command resumes and reaches the same result.
#[test]
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
            std::thread::sleep(Duration::from_micros(random.below(60_000 + 4_000 * ends) as u64));
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
    let mut child = common::start_program(&annotate);
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

/// With eight threads on one core, the engine still answers in time.
#[test]
fn eight_threads_on_one_core_answer_in_time() {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let cores = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap();
    let core = cores.trim().split([',', '-']).next().unwrap();
    let mut command = Command::new("taskset");
    let mut client = Client::from_command(command.args(["-c", core, ZERMELO]));
    client.send("setoption name Threads value 8");
    // Generous, because other processes may use that core too.
    let limit = Duration::from_secs(3);
    for _ in 0..3 {
        let start = Instant::now();
        client.go("movetime 100");
        assert!(start.elapsed() < limit, "{:?}", start.elapsed());
        client.send("go infinite");
        std::thread::sleep(Duration::from_millis(100));
        for (word, answer) in [("isready", "readyok"), ("stop", "bestmove")] {
            let sent = Instant::now();
            client.send(word);
            client.until(answer);
            assert!(sent.elapsed() < limit, "{word}: {:?}", sent.elapsed());
        }
    }
}

/// A match between two engines that use all of their time, with its record and both games recorded
/// after eight seconds.
fn match_on_the_clock(record: &str) -> Command {
    let mut command = Command::new(ZERMELO);
    command.args(["match", "--engine", "name=a", "--engine", "name=b", "--openings", "start"]);
    command.args(["--each", "st=1", "option.Searcher=mcts", "timemargin=400", "--maxmoves", "2"]);
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
fn a_pause_without_a_clock_costs_nothing() {
    let folder = Folder::new("paused-nodes");
    let record = folder.file("games.pgn");
    let mut command = Command::new(ZERMELO);
    command.args(["match", "--engine", "name=a", "--engine", "name=b", "--openings", "start"]);
    command.args(["--each", "nodes=20000", "option.Searcher=mcts", "--games", "1"]);
    // Shorter than the pause.
    command.args(["--stall", "2", "--patience", "2", "--record", record.to_str().unwrap()]);
    let runner = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    wait_for_first_move(runner.id());
    kill_process(Pid::from_child(&runner), Signal::STOP).unwrap();
    std::thread::sleep(Duration::from_secs(4));
    kill_process(Pid::from_child(&runner), Signal::CONT).unwrap();
    let output = wait_with_timeout(runner).unwrap();
    let shown = text(&output.stdout);
    assert!(shown.contains("Terminations: normal 1") && !shown.contains("replayed"), "{shown}");
    let game = PgnReader::new(BufReader::new(fs::File::open(record).unwrap())).next().unwrap();
    assert!(game.unwrap().moves.iter().all(|mv| mv.time.get() < 2.0));
}

/// Ctrl-Z in a terminal, then `fg`.
#[test]
fn a_match_suspended_in_a_terminal_resumes() {
    use std::io::Write;
    let folder = Folder::new("suspended");
    let record = folder.file("games.pgn");
    let (mut keys, inside) = pty_process::blocking::open().unwrap();
    let shell = pty_process::blocking::Command::new("sh").arg("-i").env("PS1", "ready> ");
    let mut shell = shell.spawn(inside).unwrap();
    let mut reader = fs::File::from(rustix::io::dup(&keys).unwrap());
    let (sender, output) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut buffer = [0; 4096];
        // Reading fails when the shell has exited.
        while let Ok(count @ 1..) = reader.read(&mut buffer) {
            if sender.send(text(&buffer[..count])).is_err() {
                break;
            }
        }
    });
    let mut shown = String::new();
    let mut wait_for = |wanted: &str| {
        while !shown.contains(wanted) {
            let more = output.recv_timeout(TIMEOUT);
            shown.push_str(&more.unwrap_or_else(|error| panic!("{wanted}: {error}\n{shown}")));
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

/// Counts the running child processes of a process.
fn child_count(process: u32) -> usize {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let children =
        threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    children.map(|children| children.split_whitespace().count()).sum()
}

/// Without descriptors for more engines nothing is recorded, and no engine is blamed.
#[test]
fn engines_are_not_blamed_for_a_lack_of_descriptors() {
    let folder = Folder::new("descriptors");
    let record = folder.file("games.pgn");
    let record = record.to_str().unwrap();
    let words = ["match", "--engine", "name=a", "--engine", "name=b", "--each", "nodes=9"];
    let arguments = [&words[..], &["--record", record]].concat();
    let output = run_after("ulimit -n 8", &arguments);
    let output_text = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{output_text}");
    assert!(output_text.contains("cannot start any more engines: "), "{output_text}");
    assert!(!fs::exists(record).unwrap());
}

/// A hundred concurrent games with two engines each.
#[test]
fn two_hundred_engines_run_at_once() {
    let folder = Folder::new("many-engines");
    let record = folder.file("games.pgn");
    let record = record.to_str().unwrap();
    let mut words = vec!["match", "--game", "tixtax", "--engine", "name=a", "--engine", "name=b"];
    // Long enough that the first games are still running when the last engines start.
    words.extend(["--each", "nodes=400", "option.Searcher=mcts", "--openings", "random=1"]);
    words.extend(["--rounds", "300", "--concurrency", "100", "--record", record]);
    let mut command = Command::new(ZERMELO);
    let mut runner =
        command.args(words).stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    let mut most = 0;
    while runner.try_wait().unwrap().is_none() {
        most = most.max(child_count(runner.id()));
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(runner.wait().unwrap().code(), Some(0));
    assert_eq!(most, 200);
    let record = fs::read_to_string(record).unwrap();
    assert_eq!(record.matches("[Termination \"normal\"]").count(), 600);
}
