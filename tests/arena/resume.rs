//! Nothing that was finished is lost, whatever happens to the runner.

use std::fs;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use zermelo::rules::SplitMix;

use super::{Folder, fail, fake, read, succeed, zermelo};

fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    let status = std::process::Command::new("kill").args(["-s", name, &id]).status().unwrap();
    assert!(status.success());
}

/// The arguments of a tournament that takes a while.
fn slow<'a>(record: &'a str, json: &'a str, games: &'a str) -> Vec<&'a str> {
    let mut arguments = vec![
        "--game",
        "tictactoe",
        "--engine",
        "name=a",
        "option.Searcher=random",
        "--engine",
        "name=b",
        "option.Searcher=mcts",
        "--each",
        "nodes=200",
        "--openings",
        "random=2",
        "--rounds",
        games,
        "--concurrency",
        "2",
        "--record",
        record,
    ];
    if !json.is_empty() {
        arguments.extend(["--json", json]);
    }
    arguments
}

/// Killed again and again at any moment, the same command plays every game exactly once.
#[test]
fn the_same_command_goes_on_after_any_kill() {
    let folder = Folder::new("kill");
    let (record, json) = (folder.file("games.pgn"), folder.file("games.json"));
    let arguments = slow(&record, &json, "150");
    let mut random = SplitMix::new(7);
    let (mut seen, mut kills) = (0, 0);
    loop {
        let mut runner = zermelo(&arguments).stdout(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(20 + random.below(120) as u64));
        let ended = runner.try_wait().unwrap();
        runner.kill().unwrap();
        runner.wait().unwrap();
        let games = if fs::exists(&record).unwrap() { read(&record) } else { Vec::new() };
        assert!(games.len() >= seen, "{} games after {seen}", games.len());
        seen = games.len();
        if let Some(status) = ended {
            assert!(status.success());
            break;
        }
        kills += 1;
        assert!(kills < 500, "{seen} games after {kills} kills");
    }
    assert!(kills >= 3, "{kills}");
    let games = read(&record);
    let mut numbers: Vec<u32> = games.iter().map(|game| game.number).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=300).collect::<Vec<_>>());
    let lines = fs::read_to_string(&json).unwrap();
    assert_eq!(lines.lines().count(), 301);
}

/// A file that ends in the middle of a game loses that game alone, and plays it again.
#[test]
fn a_torn_record_is_mended() {
    let folder = Folder::new("torn");
    let (record, json) = (folder.file("games.pgn"), folder.file("games.json"));
    let arguments = slow(&record, &json, "3");
    succeed(&mut zermelo(&arguments));
    let whole = fs::read(&record).unwrap();
    let games = read(&record);
    for cut in (1..whole.len()).step_by(211) {
        fs::write(&record, &whole[..cut]).unwrap();
        succeed(&mut zermelo(&arguments));
        let mended = read(&record);
        assert_eq!(mended.len(), 6, "cut at {cut}");
        let kept = mended.iter().zip(&games).take_while(|(left, right)| left == right).count();
        let text = String::from_utf8_lossy(&whole[..cut]);
        assert!(kept + 1 >= text.matches("[Game ").count(), "cut at {cut}: {kept} kept");
    }
    // JSON alone is enough to go on with.
    fs::remove_file(&record).unwrap();
    let mut alone = arguments.clone();
    alone.truncate(alone.len() - 4);
    alone.extend(["--json", json.as_str()]);
    let whole = fs::read(&json).unwrap();
    for cut in (0..whole.len()).step_by(397) {
        fs::write(&json, &whole[..cut]).unwrap();
        succeed(&mut zermelo(&alone));
        assert_eq!(fs::read_to_string(&json).unwrap().lines().count(), 7, "cut at {cut}");
    }
}

/// A first signal ends in order: the games so far stand, and so do the tables.
#[test]
fn a_signal_ends_in_order() {
    let folder = Folder::new("signal");
    for name in ["INT", "TERM"] {
        let record = folder.file(&format!("{name}.pgn"));
        let arguments = slow(&record, "", "100000");
        let mut runner = zermelo(&arguments);
        let runner = runner.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let deadline = Instant::now() + Duration::from_secs(20);
        while !fs::exists(&record).unwrap() || read(&record).len() < 4 {
            assert!(Instant::now() < deadline);
            std::thread::sleep(Duration::from_millis(10));
        }
        signal(&runner, name);
        let output = runner.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let told = String::from_utf8_lossy(&output.stdout);
        assert!(told.contains("a against b: "), "{told}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("interrupted; the same command goes on with "), "{said}");
        let played = told.lines().filter(|line| line.starts_with("game ")).count();
        assert_eq!(read(&record).len(), played);
    }
}

/// A signal does not wait for an engine that is thinking, nor for one that will not go.
#[test]
fn a_signal_does_not_wait_for_engines() {
    let folder = Folder::new("waiting");
    let record = folder.file("games.pgn");
    let hang = fake("hang");
    let arguments = [
        "--game",
        "tictactoe",
        "--engine",
        "name=a",
        "cmd=sh",
        &hang,
        "--engine",
        "name=b",
        "--each",
        "nodes=1",
        "--stall",
        "1000",
        "--record",
        &record,
    ];
    let runner = zermelo(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(300));
    let began = Instant::now();
    signal(&runner, "INT");
    let mut runner = runner;
    assert_eq!(runner.wait().unwrap().code(), Some(1));
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
}

#[test]
fn the_head_of_a_record_is_enough_to_go_on() {
    let folder = Folder::new("head");
    let record = folder.file("games.pgn");
    succeed(&mut zermelo(&slow(&record, "", "2")));
    assert_eq!(read(&record).len(), 4);
    // With more rounds, the same tournament goes on.
    succeed(&mut zermelo(&slow(&record, "", "3")));
    assert_eq!(read(&record).len(), 6);
    let whole = fs::read_to_string(&record).unwrap();
    let (head, _) = whole.split_once("[Game ").unwrap();
    fs::write(&record, head.replace("\"rounds\":2", "\"rounds\":3")).unwrap();
    let told = succeed(&mut zermelo(&["--record", &record, "--resume"]));
    assert!(told.contains("3 rounds of 2 games"), "{told}");
    assert_eq!(read(&record).len(), 6);
}

#[test]
fn what_cannot_be_continued_is_refused() {
    let folder = Folder::new("refused");
    let record = folder.file("games.pgn");
    let error = fail(&mut zermelo(&["--record", &record, "--resume"]), 1);
    assert!(error.contains("games.pgn"), "{error}");
    succeed(&mut zermelo(&slow(&record, "", "2")));
    let mut other = slow(&record, "", "2");
    other[1] = "nim";
    let error = fail(&mut zermelo(&other), 2);
    assert!(error.contains("its game differs: \"tictactoe\" there, \"nim\" here"), "{error}");
    // Somebody's file is not overwritten.
    for text in ["my diary\n", "{\"my\": \"diary\"}"] {
        fs::write(&record, text).unwrap();
        fail(&mut zermelo(&slow(&record, "", "2")), 2);
        fail(&mut zermelo(&slow(&folder.file("new.pgn"), &record, "2")), 2);
        assert_eq!(fs::read_to_string(&record).unwrap(), text);
        fs::remove_file(folder.file("new.pgn")).unwrap();
    }
}

#[test]
fn two_runs_do_not_write_to_one_record() {
    let folder = Folder::new("lock");
    let record = folder.file("games.pgn");
    let arguments = slow(&record, "", "100000");
    let mut runner = zermelo(&arguments).stdout(Stdio::null()).spawn().unwrap();
    while !fs::exists(&record).unwrap() || read(&record).is_empty() {
        std::thread::sleep(Duration::from_millis(10));
    }
    let error = fail(&mut zermelo(&arguments), 2);
    runner.kill().unwrap();
    runner.wait().unwrap();
    assert!(error.contains("is being written by another run"), "{error}");
}
