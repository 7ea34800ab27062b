//! Faults from outside: no memory, no disk, nowhere to write, too few cores, too many engines, signals. A clear
//! message, the exit code that was promised, and nothing that was finished is lost.
#![cfg(target_os = "linux")]

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use common::{Client, Folder, PATIENCE, ZERMELO, output_of, run_program};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use rustix::process::{Pid, Signal, kill_process};
use zermelo::arena::record::GameRecord;
use zermelo::arena::record::pgn::PgnReader;
use zermelo::rules::{Outcome, SplitMix};

/// A position whose value takes some time.
const LONG: &str = "x6ox/1o2o2o1/o1o1x1xo1/o2xxx3/o8/2xo2x2/2o2xx2/xxo3xo1/2x2oo2 x 16 -";

/// Runs the program under what a shell sets up before.
fn under(setting: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{setting}; exec \"$0\" \"$@\""), ZERMELO]).args(arguments);
    command.stdin(Stdio::null()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A match that may be cut off and gone on with.
fn a_match<'a>(record: &'a str, json: &'a str) -> Vec<&'a str> {
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

/// What was played in each game, by number.
fn games_of(file: &str) -> BTreeMap<u32, (String, Vec<String>, Option<Outcome>)> {
    let games = PgnReader::new(BufReader::new(fs::File::open(file).unwrap())).map(Result::unwrap);
    let moves = |game: &GameRecord| game.moves.iter().map(|mv| mv.mv.clone()).collect();
    games.map(|game| (game.number, (game.fen.clone(), moves(&game), game.result))).collect()
}

/// With less and less memory the program does less, and says so; never is it taken down by the system. Below
/// what it needs to begin with the system itself says so.
#[test]
fn without_memory_it_says_what_is_missing() {
    let folder = Folder::new("no-memory");
    let out = folder.file("samples");
    let out = out.to_str().unwrap();
    let tasks: &[&[&str]] = &[
        &["--", "go nodes 500", "setoption name UCI_Variant value nim", "go"],
        &["--", "setoption name Hash value 100", "go nodes 500", "eval"],
        &["--", "setoption name Searcher value mcts", "go nodes 500"],
        &["solve", "--fen", LONG, "--memory", "64", "--time", "0.1"],
        &["solve", "--fen", LONG, "--memory", "64", "--time", "0.1", "--threads", "4"],
        &["datagen", "--games", "1", "--nodes", "20", "--out", out],
        &["bench"],
    ];
    for arguments in tasks {
        let mut told = 0;
        for kibibytes in (24_000..180_000).step_by(12_000) {
            drop(fs::remove_file(out));
            let output = under(&format!("ulimit -v {kibibytes}"), arguments);
            let said = text(&output.stdout) + &text(&output.stderr);
            let code = output.status.code();
            assert!(
                matches!(code, Some(0..=2)) || said.contains("shared object"),
                "{arguments:?} with {kibibytes} KiB: {} {said}",
                output.status
            );
            let words = ["no memory for", "(available memory)", "cannot start a search thread"];
            let is_told = words.iter().any(|word| said.contains(word));
            assert!(code == Some(0) || is_told || code == Some(127), "{arguments:?}: {said}");
            told += usize::from(is_told);
        }
        assert!(told > 0 || arguments.contains(&"setoption name Searcher value mcts"));
    }
}

/// Where files cannot grow any more, the run ends with the reason, and goes on when they can again.
#[test]
fn a_full_disk_loses_nothing_that_was_finished() {
    let folder = Folder::new("full-disk");
    let path = |name: &str| folder.file(name).to_str().unwrap().to_owned();
    let (record, json) = (path("games.pgn"), path("games.json"));
    let arguments = a_match(&record, &json);
    let mut ends = 0;
    // Blocks of half a KiB or of a whole one, as the shell likes; both files grow to some KiB.
    for blocks in [1, 3, 5, 8] {
        let before = games_in(&record);
        let output = under(&format!("trap '' XFSZ; ulimit -f {blocks}"), &arguments);
        let said = text(&output.stderr);
        if output.status.code() != Some(0) {
            ends += 1;
            assert_eq!(output.status.code(), Some(1), "{said}");
            assert!(said.contains("games.") && said.contains("File too large"), "{said}");
        }
        assert!(games_in(&record) >= before);
    }
    assert!(ends > 1);
    let output = run_program(&arguments, b"");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let (straight, other) = (path("straight.pgn"), path("straight.json"));
    assert!(run_program(&a_match(&straight, &other), b"").status.success());
    let (whole, undisturbed) = (games_of(&record), games_of(&straight));
    assert_eq!(whole.len(), 40);
    assert_eq!(whole, undisturbed);

    // Training data are gone on with in the same way. No thread writes behind a game that is torn.
    let (whole, part) = (path("whole"), path("part"));
    let datagen = |games, out| ["datagen", "--games", games, "--nodes", "30", "--out", out];
    assert!(run_program(&datagen("20", &whole), b"").status.success());
    let other = path("other");
    let endless = [&datagen("1000000", &other)[..], &["--threads", "2"]].concat();
    for (arguments, file) in [(&datagen("20", &part)[..], &part), (&endless, &other)] {
        let output = under("trap '' XFSZ; ulimit -f 6", arguments);
        assert_eq!(output.status.code(), Some(1));
        let said = text(&output.stderr);
        assert!(said.contains(&format!("{file}: File too large")), "{said}");
        let bytes = fs::read(file).unwrap();
        let last = bytes.chunks(24).last().unwrap();
        assert!(last.len() == 24 && last.starts_with(&[255, 255]), "the seal of a game is the end");
    }
    assert!(run_program(&datagen("20", &part), b"").status.success());
    assert_eq!(fs::read(&whole).unwrap(), fs::read(&part).unwrap());
}

/// A proof and an engine do without a file that cannot be written, but say so.
#[test]
fn work_goes_on_without_its_checkpoint_and_log() {
    let folder = Folder::new("full-disk-work");
    let file = folder.file("file");
    let file = file.to_str().unwrap();
    let solve = ["solve", "--fen", LONG, "--time", "1.5", "--checkpoint", file];
    let output =
        under("trap '' XFSZ; ulimit -f 2", &[&solve[..], &["--checkpoint-every", "0.3"]].concat());
    let said = text(&output.stderr);
    assert!(said.contains(file) && said.contains("File too large"), "{said}");
    assert!(text(&output.stdout).starts_with("unknown"), "what is known is told all the same");
    let log = format!("setoption name Log File value {file}.log");
    let lines =
        [&log[..], "debug on", "go depth 6", "go depth 6", "position startpos moves e5", "fen"];
    let output = under("trap '' XFSZ; ulimit -f 1", &[&["--"], &lines[..]].concat());
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert_eq!(text(&output.stdout).matches("bestmove").count(), 2);
    assert_eq!(said.matches(&format!("{file}.log: File too large")).count(), 1, "{said}");
}

#[test]
fn what_cannot_be_written_to_is_named_before_anything_is_done() {
    // Not even the superuser makes files there.
    for nowhere in ["/proc/zermelo", "/sys/zermelo"] {
        let large = ["--rounds", "1000000", "--each", "nodes=9", "--engine", "name=a"];
        let a_match =
            |option| [&["match", "--engine", "name=b", option, nowhere], &large[..]].concat();
        let commands: &[(i32, &[&str])] = &[
            (2, &a_match("--record")),
            (2, &a_match("--json")),
            (2, &a_match("--report")),
            (2, &["datagen", "--games", "1000000", "--nodes", "9", "--out", nowhere]),
            (2, &["solve", "--fen", LONG, "--checkpoint", nowhere]),
            (2, &["analyze", "ponghauki", "--svg", nowhere]),
            (2, &["analyze", "ponghauki", "--dot", nowhere]),
            (2, &["analyze", "tictactoe", "--fen", "3/3/3 x", "--svg", nowhere]),
            (2, &["--log", nowhere, "--", "isready"]),
        ];
        for (code, arguments) in commands {
            let began = Instant::now();
            let output = run_program(arguments, b"");
            let said = text(&output.stderr);
            assert_eq!(output.status.code(), Some(*code), "{arguments:?}: {said}");
            assert!(
                said.starts_with("zermelo: ") && said.contains(nowhere),
                "{arguments:?}: {said}"
            );
            assert_eq!(said.trim_end().lines().count(), 1, "{said}");
            assert!(output.stdout.is_empty(), "{arguments:?}: {}", text(&output.stdout));
            assert!(began.elapsed() < Duration::from_secs(5), "{arguments:?}");
        }
    }
}

/// A pipe that nobody writes to is waited for, but not against the will of who waits.
#[test]
fn pipes_are_waited_for_as_long_as_one_likes() {
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
        // Whoever runs tests in the background has them ignore the other signals.
        kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
        let sent = Instant::now();
        while child.try_wait().unwrap().is_none() {
            assert!(sent.elapsed() < PATIENCE, "{arguments:?}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
    // What an engine says has to go to a file.
    let stderr = format!("stderr={name}");
    let output = run_program(&[&["match"], &pair[..], &[&stderr]].concat(), b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("a pipe, expected a file"), "{}", text(&output.stderr));
}

/// Files without end are no records and no openings; they are not read into memory until it is full.
#[test]
fn files_without_end() {
    let pair = ["--each", "nodes=9", "--engine", "name=a", "--engine", "name=b"];
    let tasks: [&[&str]; 3] = [
        &["match", "--rescore", "/dev/zero"],
        &["annotate", "/dev/zero"],
        &[&["match", "--openings", "file=/dev/zero"], &pair[..]].concat(),
    ];
    for arguments in tasks {
        let output = under("ulimit -v 2000000", arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains("/dev/zero") && said.contains("expected"), "{said}");
    }
}

/// Who reads the standings may go away; the games are played all the same, or the match goes on later.
#[test]
fn nobody_listens_to_a_match_any_more() {
    let folder = Folder::new("closed-pipe");
    let (record, json) = (folder.file("games.pgn"), folder.file("games.json"));
    let arguments = a_match(record.to_str().unwrap(), json.to_str().unwrap());
    let mut command = Command::new(ZERMELO);
    command.args(&arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut first = [0; 1];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = output_of(child).unwrap();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{output:?}");
    assert!(run_program(&arguments, b"").status.success());
    assert_eq!(games_in(record.to_str().unwrap()), 40);
}

/// What was asked for as a file is written, though nobody hears what is told beside it.
#[test]
fn files_do_not_depend_on_who_listens() {
    let folder = Folder::new("deaf");
    let path = |name: &str| folder.file(name).to_str().unwrap().to_owned();
    let (record, json, out) = (path("games.pgn"), path("games.json"), path("out"));
    let a_match = a_match(&record, &json);
    assert!(run_program(&a_match, b"").status.success());
    let tasks: [&[&str]; 4] = [
        &["match", "--rescore", &record, "--report", &out],
        &["match", "--merge", &record, "--report", &out],
        &[&a_match[..], &["--report", &out]].concat(),
        &["annotate", &record, "--output", &out],
    ];
    for task in tasks {
        assert!(run_program(task, b"").status.success());
        let heard = fs::read(&out).unwrap();
        let (reader, nobody) = std::io::pipe().unwrap();
        drop(reader);
        let full = fs::File::create("/dev/full").unwrap();
        for (stdout, code) in [(Stdio::from(nobody), 0), (Stdio::from(full), 1)] {
            fs::remove_file(&out).unwrap();
            let mut command = Command::new(ZERMELO);
            let output = command.args(task).stdin(Stdio::null()).stdout(stdout).output().unwrap();
            let said = text(&output.stderr);
            assert_eq!(output.status.code(), Some(code), "{task:?}: {said}");
            assert_eq!(said.contains("No space left"), code == 1, "{task:?}: {said}");
            assert!(fs::read(&out).unwrap() == heard, "{task:?}");
        }
    }
}

/// Files are made where the user said so, and nowhere else: not in the folder at hand, at home or among the
/// temporary ones.
#[test]
fn nothing_is_written_that_was_not_asked_for() {
    let folder = Folder::new("untouched");
    let (home, asked) = (folder.file("home"), folder.file("asked"));
    fs::create_dir(&home).unwrap();
    fs::create_dir(&asked).unwrap();
    let file = |name: &str| asked.join(name).to_str().unwrap().to_owned();
    let (record, samples, proof) = (file("games.pgn"), file("samples"), file("proof"));
    let (picture, log, json) = (file("graph.svg"), file("log"), file("games.json"));
    let engine = format!("cmd={ZERMELO}");
    let tasks: &[(&[&str], &[&str])] = &[
        (&["--", "go nodes 2000", "setoption name Searcher value mcts", "go nodes 500"], &[]),
        (&["bench"], &[]),
        (&["solve", "--game", "tictactoe", "--fen", "3/3/3 x", "--verify"], &[]),
        (&["solve", "--fen", LONG, "--time", "0.2", "--checkpoint", &proof], &[&proof]),
        (&["analyze", "ponghauki", "--svg", &picture], &[&picture]),
        (&["openings", "--game", "nim", "--count", "3"], &[]),
        (&a_match(&record, &json), &[&record, &json]),
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
    assert_eq!(fs::read_dir(&asked).unwrap().count(), all);
}

/// Signals at any moment, from the first on; the same command then goes on to the same end.
#[test]
fn signals_at_random_moments() {
    let folder = Folder::new("signals");
    let path = |name: &str| folder.file(name).to_str().unwrap().to_owned();
    let (record, json, samples) = (path("games.pgn"), path("games.json"), path("samples"));
    // Long enough that signals come in between, on a fast machine, too.
    let datagen = ["datagen", "--games", "400", "--nodes", "300", "--out", &samples];
    let mut a_match = a_match(&record, &json);
    a_match.extend(["--concurrency", "2"]);
    a_match.iter_mut().filter(|word| **word == "20").for_each(|word| *word = "300");
    let commands = [(a_match, vec![&record, &json]), (datagen.to_vec(), vec![&samples])];
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
            // It may have ended by itself.
            let _ = kill_process(Pid::from_child(&child), signal);
            let sent = Instant::now();
            let output = output_of(child).unwrap();
            assert!(sent.elapsed() < PATIENCE);
            if output.status.success() {
                if orderly > 2 {
                    break;
                }
                // The machine stood still for longer than all the work takes: once more.
                made.iter().for_each(|file| fs::remove_file(file).unwrap());
                again += 1;
                assert!(again < 20, "{}: {orderly} of {ends}", arguments[0]);
                continue;
            }
            let said = text(&output.stderr);
            match output.status.code() {
                // Before it listens the signal ends it as any program.
                None => assert_eq!(output.status.signal(), Some(signal.as_raw()), "{said}"),
                code => {
                    assert_eq!(code, Some(1), "{said}");
                    orderly += 1;
                }
            }
            ends += 1;
            assert!(ends < 500, "it never comes to an end");
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

/// What was to take a record's place is not left behind, and the record stays as it was.
#[test]
fn a_signal_leaves_a_record_as_it_was() {
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
        let deadline = Instant::now() + PATIENCE;
        while fs::read_dir(folder.file("")).unwrap().count() == 1 {
            assert!(Instant::now() < deadline);
            std::thread::sleep(Duration::from_millis(10));
        }
        kill_process(Pid::from_child(&child), signal).unwrap();
        let output = output_of(child).unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
        assert!(text(&output.stderr).contains("interrupted"));
        assert_eq!(fs::read_dir(folder.file("")).unwrap().count(), 1);
        assert_eq!(fs::read(&record).unwrap(), before);
    }
}

/// Whoever searches on one core with eight threads must still be heard in time.
#[test]
fn one_core_for_eight_threads() {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let cores = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap();
    let core = cores.trim().split([',', '-']).next().unwrap();
    let mut command = Command::new("taskset");
    let mut client = Client::of(command.args(["-c", core, ZERMELO]));
    client.send("setoption name Threads value 8");
    // Others may want that core, too.
    let late = Duration::from_secs(3);
    for _ in 0..3 {
        let began = Instant::now();
        client.go("movetime 100");
        assert!(began.elapsed() < late, "{:?}", began.elapsed());
        client.send("go infinite");
        std::thread::sleep(Duration::from_millis(100));
        for (word, answer) in [("isready", "readyok"), ("stop", "bestmove")] {
            let asked = Instant::now();
            client.send(word);
            client.until(answer);
            assert!(asked.elapsed() < late, "{word}: {:?}", asked.elapsed());
        }
    }
}

/// How many processes the threads of one have started that still run.
fn children_of(process: u32) -> usize {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let children =
        threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    children.map(|children| children.split_whitespace().count()).sum()
}

/// A hundred games at a time, two engines each.
#[test]
fn two_hundred_engines() {
    let folder = Folder::new("crowd");
    let record = folder.file("games.pgn");
    let record = record.to_str().unwrap();
    let mut words =
        vec!["match", "--game", "tictactoe", "--engine", "name=a", "--engine", "name=b"];
    // Long enough that the first have not done with the games before the last have started.
    words.extend(["--each", "nodes=1500", "option.Searcher=mcts", "--openings", "random=1"]);
    words.extend(["--rounds", "600", "--concurrency", "100", "--record", record]);
    let mut command = Command::new(ZERMELO);
    let mut runner =
        command.args(words).stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    let mut most = 0;
    while runner.try_wait().unwrap().is_none() {
        most = most.max(children_of(runner.id()));
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(runner.wait().unwrap().code(), Some(0));
    assert_eq!(most, 200);
    let record = fs::read_to_string(record).unwrap();
    assert_eq!(record.matches("[Termination \"normal\"]").count(), 1200);
}
