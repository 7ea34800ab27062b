//! Few cores, few file descriptors, many engines.

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::common::{Client, Folder, ZERMELO};
use super::{child_count, run_after, text};

#[test]
#[ignore = "asserts wall-clock times"]
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
#[ignore = "runs two hundred processes at once"]
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
