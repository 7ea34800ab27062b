//! Nothing that was finished is lost, whatever happens to the runner.

use std::fs;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use zermelo::arena::record::GameRecord;
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

/// How many games a record holds, the last one perhaps not whole.
fn begun(record: &str) -> usize {
    fs::read(record).map_or(0, |text| String::from_utf8_lossy(&text).matches("[Game ").count())
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
        // However fast the machine is, some games are played and others are left.
        let enough = seen + random.below(60);
        while runner.try_wait().unwrap().is_none() && begun(&record) < enough {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_micros(random.below(20_000) as u64));
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
    // The head that was written last counts, and may be changed again.
    let told = succeed(&mut zermelo(&["--record", &record, "--resume"]));
    assert!(told.contains("3 rounds of 2 games, 6 in all; 6 played before"), "{told}");
    let json = folder.file("games.json");
    let more = ["--record", &record, "--json", &json, "--resume", "--rounds", "5"];
    succeed(&mut zermelo(&more));
    assert_eq!(read(&record).len(), 10);
    let error = fail(&mut zermelo(&slow(&record, "", "1")), 2);
    assert!(error.contains("rounds differs: 5 there, 1 here"), "{error}");
    // JSON alone has a head too.
    let told = succeed(&mut zermelo(&["--json", &json, "--resume", "--rounds", "6"]));
    assert!(told.contains("12 in all; 10 played before"), "{told}");
    let error = fail(&mut zermelo(&["--record", &record, "--resume", "--seed", "4"]), 2);
    assert!(error.contains("--seed cannot change a tournament that has begun"), "{error}");
}

/// What one of the two files lacks is taken from the other.
#[test]
fn a_file_that_is_added_gets_all_games() {
    let folder = Folder::new("added");
    let (record, json) = (folder.file("games.pgn"), folder.file("games.json"));
    let with = |files: &[&str], rounds: &str| {
        let mut arguments = slow("", "", rounds);
        arguments.truncate(arguments.len() - 2);
        arguments.extend(files);
        succeed(&mut zermelo(&arguments));
    };
    let lines = || fs::read_to_string(&json).unwrap().matches("\"type\":\"game\"").count();
    with(&["--json", &json], "2");
    assert_eq!(lines(), 4);
    with(&["--json", &json, "--record", &record], "3");
    assert_eq!((lines(), read(&record).len()), (6, 6));
    with(&["--record", &record], "4");
    assert_eq!((lines(), read(&record).len()), (6, 8));
    with(&["--json", &json, "--record", &record], "4");
    assert_eq!((lines(), read(&record).len()), (8, 8));
}

/// Two files that tell of one game differently are not taken for one tournament.
#[test]
fn files_that_contradict_each_other_are_refused() {
    let folder = Folder::new("contradiction");
    let (record, json) = (folder.file("games.pgn"), folder.file("games.json"));
    succeed(&mut zermelo(&slow(&record, &json, "2")));
    let text = fs::read_to_string(&json).unwrap();
    fs::write(&json, text.replacen("\"result\":\"", "\"result\":\"*\",\"was\":\"", 1)).unwrap();
    let error = fail(&mut zermelo(&slow(&record, &json, "2")), 2);
    assert!(error.contains("is another one than was read before"), "{error}");
}

/// Rounds of a knockout depend on each other, so it cannot be made longer.
#[test]
fn every_format_goes_on() {
    let folder = Folder::new("formats");
    for format in ["roundrobin", "gauntlet", "swiss", "knockout"] {
        let record = folder.file(format);
        let engines =
            ["a", "b", "c", "d"].map(|name| ["--engine".to_owned(), format!("name={name}")]);
        let engines: Vec<&str> = engines.iter().flatten().map(String::as_str).collect();
        let play = |rounds: &str| {
            let mut command = zermelo(&engines);
            command.args(["--each", "nodes=30", "option.Searcher=mcts", "--tournament", format]);
            command.args(["--rounds", rounds, "--openings", "random=6", "--record", &record]);
            command
        };
        succeed(&mut play("2"));
        let all = read(&record);
        // Whichever games are missing, they are played again, and the same.
        let text = fs::read_to_string(&record).unwrap();
        let (head, _) = text.split_once("[Game ").unwrap();
        let kept: String =
            all.iter().filter(|game| game.number % 3 != 1).map(GameRecord::to_pgn).collect();
        fs::write(&record, format!("{head}{kept}")).unwrap();
        succeed(&mut play("2"));
        let mut again = read(&record);
        again.sort_by_key(|game| game.number);
        let played = |games: &[GameRecord]| {
            games
                .iter()
                .map(|game| (game.number, game.players.clone(), game.result))
                .collect::<Vec<_>>()
        };
        assert_eq!(played(&again), played(&all), "{format}");
        if format == "knockout" {
            let error = fail(&mut play("3"), 2);
            assert!(error.contains("rounds differs"), "{error}");
        } else {
            succeed(&mut play("3"));
            assert!(read(&record).len() > all.len());
        }
    }
}

/// A record whose games do not fit the schedule is found out.
#[test]
fn another_past_is_refused() {
    let folder = Folder::new("past");
    let record = folder.file("games.pgn");
    succeed(&mut zermelo(&slow(&record, "", "2")));
    let text = fs::read_to_string(&record).unwrap();
    fs::write(&record, text.replace("[White \"a\"]", "[White \"c\"]")).unwrap();
    let error = fail(&mut zermelo(&slow(&record, "", "3")), 2);
    assert!(error.contains("game 1 is c against b in the record, a against b in this"), "{error}");
}

#[test]
fn what_cannot_be_continued_is_refused() {
    let folder = Folder::new("refused");
    let record = folder.file("games.pgn");
    let error = fail(&mut zermelo(&["--record", &record, "--resume"]), 2);
    assert!(error.contains("games.pgn"), "{error}");
    succeed(&mut zermelo(&slow(&record, "", "2")));
    let mut other = slow(&record, "", "2");
    other[1] = "nim";
    let error = fail(&mut zermelo(&other), 2);
    assert!(error.contains("game differs: \"tictactoe\" there, \"nim\" here"), "{error}");
    let mut other = slow(&record, "", "2");
    other[9] = "nodes=300";
    let error = fail(&mut zermelo(&other), 2);
    let message = "engines 1 limits differs: \"nodes=200\" there, \"nodes=300\" here";
    assert!(error.contains(message), "{error}");
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
