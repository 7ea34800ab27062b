//! No finished game is lost, whatever happens to the match runner.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use zermelo::arena::tournament::journal::{self, Journal};
use zermelo::records::{GameRecord, RecordFormat};
use zermelo::rules::{Outcome, SplitMix};

use super::{Folder, ZERMELO, fail, read, succeed, zermelo};

/// Returns the arguments of a tournament that takes a while.
pub(super) fn slow<'a>(record: &'a str, json: &'a str, games: &'a str) -> Vec<&'a str> {
    let engines = "--game tictactoe --engine name=a option.Searcher=random --engine name=b \
                   option.Searcher=mcts --each nodes=200 --openings random=2";
    let mut arguments: Vec<&str> = engines.split(' ').collect();
    arguments.extend(["--rounds", games, "--concurrency", "2", "--record", record]);
    if !json.is_empty() {
        arguments.extend(["--jsonl", json]);
    }
    arguments
}

/// Returns the number of games in a record, including an incomplete last one.
fn count_started(record: &str) -> usize {
    fs::read(record).map_or(0, |text| String::from_utf8_lossy(&text).matches("[Game ").count())
}

/// Killed at random moments and run again, the same command plays every game exactly once.
#[test]
fn same_command_resumes_after_any_kill() {
    let folder = Folder::new("kill");
    let (record, json) = (folder.path("games.pgn"), folder.path("games.json"));
    let arguments = slow(&record, &json, "150");
    let mut random = SplitMix::new(7);
    let (mut seen, mut kills) = (0, 0);
    loop {
        let mut runner = zermelo(&arguments).stdout(Stdio::null()).spawn().unwrap();
        // On a machine of any speed, some games are played and some are left.
        let enough = seen + random.below(60);
        while runner.try_wait().unwrap().is_none() && count_started(&record) < enough {
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

/// A file that ends within a game loses only that game, which is played again.
#[test]
fn truncated_record_is_repaired() {
    repair_truncated_records(1999);
}

#[test]
#[ignore = "resumes a match some three thousand times"]
fn record_truncated_anywhere_is_repaired() {
    repair_truncated_records(7);
}

fn repair_truncated_records(step: usize) {
    let folder = Folder::new(&format!("torn-{step}"));
    let (record, json) = (folder.path("games.pgn"), folder.path("games.json"));
    let arguments = slow(&record, &json, "3");
    succeed(&mut zermelo(&arguments));
    let whole = fs::read(&record).unwrap();
    let games = read(&record);
    for cut in (1..whole.len()).step_by(step) {
        fs::write(&record, &whole[..cut]).unwrap();
        succeed(&mut zermelo(&arguments));
        let repaired = read(&record);
        assert_eq!(repaired.len(), 6, "cut at {cut}");
        let kept = repaired.iter().zip(&games).take_while(|(left, right)| left == right).count();
        let text = String::from_utf8_lossy(&whole[..cut]);
        assert!(kept + 1 >= text.matches("[Game ").count(), "cut at {cut}: {kept} kept");
    }
    // JSON lines alone are enough to resume.
    fs::remove_file(&record).unwrap();
    let mut alone = arguments.clone();
    alone.truncate(alone.len() - 4);
    alone.extend(["--jsonl", json.as_str()]);
    let whole = fs::read(&json).unwrap();
    for cut in (0..whole.len()).step_by(2 * step) {
        fs::write(&json, &whole[..cut]).unwrap();
        succeed(&mut zermelo(&alone));
        assert_eq!(fs::read_to_string(&json).unwrap().lines().count(), 7, "cut at {cut}");
    }
}

#[test]
fn the_last_header_of_a_record_counts() {
    let folder = Folder::new("head");
    let record = folder.path("games.pgn");
    succeed(&mut zermelo(&slow(&record, "", "2")));
    assert_eq!(read(&record).len(), 4);
    // More rounds extend the tournament.
    succeed(&mut zermelo(&slow(&record, "", "3")));
    assert_eq!(read(&record).len(), 6);
    // The last header counts and may be changed again.
    let json = folder.path("games.json");
    succeed(&mut zermelo(&slow(&record, &json, "5")));
    assert_eq!(read(&record).len(), 10);
    let error = fail(&mut zermelo(&slow(&record, "", "1")), 2);
    assert!(error.contains("(rounds: 5 in the record, 1 now)"), "{error}");
    // JSON lines have a header too.
    let mut alone = slow(&json, "", "6");
    let place = alone.iter().position(|word| *word == "--record").unwrap();
    alone[place] = "--jsonl";
    let stdout = succeed(&mut zermelo(&alone));
    assert!(stdout.contains("12 in total; 10 already played"), "{stdout}");
    let error = fail(zermelo(&slow(&record, "", "5")).args(["--seed", "4"]), 2);
    assert!(error.contains("(seed: 0 in the record, 4 now)"), "{error}");
}

/// Games that were copied into a record, and results that were changed, count nowhere: not on resuming, not in a
/// merge, not when they are checked.
#[test]
fn nothing_in_a_record_is_believed() {
    let folder = Folder::new("forged");
    let record = folder.path("games.pgn");
    succeed(&mut zermelo(&slow(&record, "", "3")));
    let (genuine, games) = (fs::read_to_string(&record).unwrap(), read(&record));
    let decided =
        games.iter().find(|game| game.result.is_some_and(|won| won != Outcome::Draw)).unwrap();
    let copy = |number| GameRecord { number, ..decided.clone() }.to_pgn();
    let flipped = GameRecord { result: Some(Outcome::Draw), ..decided.clone() }.to_pgn();
    let by_rules = format!("game {}: the result is 1/2-1/2 in the record, but ", decided.number);
    for (forged, expected) in [
        (genuine.clone() + &copy(7), "the tournament has no game 7; remove it"),
        (genuine.clone() + &copy(u32::MAX), "the tournament has no game 4294967295; remove it"),
        (genuine.clone() + &copy(0), "the tournament has no game 0; remove it"),
        (genuine.replace(&decided.to_pgn(), &flipped), by_rules.as_str()),
    ] {
        fs::write(&record, forged).unwrap();
        let mut commands = vec![slow(&record, "", "3"), vec!["--merge", &record]];
        // The check of a record corrects its results.
        if expected != by_rules {
            commands.push(vec!["--check-record", &record]);
        }
        for command in commands {
            let output = zermelo(&command).output().unwrap();
            let error = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(2), "{command:?} {error}");
            assert!(error.contains(expected), "{command:?} {error}");
            assert!(output.stdout.is_empty(), "{command:?}");
        }
    }
}

#[test]
fn games_of_another_schedule_are_rejected() {
    let folder = Folder::new("past");
    let record = folder.path("games.pgn");
    succeed(&mut zermelo(&slow(&record, "", "2")));
    let text = fs::read_to_string(&record).unwrap();
    fs::write(&record, text.replace("[White \"a\"]", "[White \"c\"]")).unwrap();
    let error = fail(&mut zermelo(&slow(&record, "", "3")), 2);
    assert!(
        error.contains("game 1 is c against b in the record, but a against b in this"),
        "{error}"
    );
}

/// Nothing runs and nothing is written for a record that cannot be resumed.
#[test]
fn records_are_checked_before_engines_start() {
    let folder = Folder::new("checked-first");
    let (record, mark) = (folder.path("games.pgn"), folder.path("mark"));
    let play = |second: &[&str]| {
        let mut command = zermelo(&["--game", "tictactoe", "--each", "nodes=1"]);
        command.args(["--record", &record, "--engine", "name=a", "--engine", "name=b"]);
        command.args(second);
        command
    };
    succeed(&mut play(&[]));
    let before = fs::read(&record).unwrap();
    let other = format!("cmd={ZERMELO}");
    let writes = format!("args=--log {mark}");
    let error = fail(&mut play(&[&other, &writes]), 2);
    assert!(
        error.contains(&format!("(command of b: zermelo in the record, {ZERMELO} now)")),
        "{error}"
    );
    assert!(!fs::exists(&mark).unwrap());
    assert_eq!(fs::read(&record).unwrap(), before);
    // The engine does run where the record allows it.
    fs::remove_file(&record).unwrap();
    succeed(&mut play(&[&other, &writes]));
    assert!(fs::exists(&mark).unwrap());
}

/// Reading the journal changes nothing, opening it cuts off an incomplete game.
#[test]
fn reading_a_journal_precedes_writing_it() {
    let folder = Folder::new("read-first");
    let record = folder.path("games.pgn");
    succeed(&mut zermelo(&slow(&record, "", "2")));
    let whole = fs::read(&record).unwrap();
    let torn = &whole[..whole.len() - 9];
    fs::write(&record, torn).unwrap();
    let setup = journal::read_setup(Path::new(&record)).unwrap();
    let read = || {
        let mut games = 0;
        let journal = Some((Path::new(&record), RecordFormat::Text));
        let read = Journal::read(&setup, journal, &mut |_| games += 1).unwrap();
        assert_eq!((games, read.games().games.len()), (3, 3));
        read
    };
    let existing = read();
    assert_eq!(fs::read(&record).unwrap(), torn);
    let (mut opened, games) = existing.open().unwrap();
    opened.finish().unwrap();
    assert_eq!(games.games.len(), 3);
    assert_eq!(super::read(&record).len(), 3);
    // A file that another run creates in the meantime is not overwritten.
    let json = folder.path("games.json");
    let journal = Some((Path::new(&json), RecordFormat::Json));
    let missing = Journal::read(&setup, journal, &mut |_| {}).unwrap();
    fs::write(&json, "theirs\n").unwrap();
    let error = missing.open().unwrap_err();
    assert!(error.to_string().contains("games.json was just created by another run"), "{error}");
    assert_eq!(fs::read_to_string(&json).unwrap(), "theirs\n");
}

#[test]
fn other_tournaments_and_other_files_are_rejected() {
    let folder = Folder::new("refused");
    let record = folder.path("games.pgn");
    succeed(&mut zermelo(&slow(&record, "", "2")));
    for (place, word, difference) in [
        (1, "nim", "game: tictactoe in the record, nim now"),
        (9, "nodes=300", "limits of a: nodes=200 in the record, nodes=300 now"),
        (
            7,
            "option.Searcher=random",
            "options of b: Searcher=mcts in the record, Searcher=random now",
        ),
    ] {
        let mut other = slow(&record, "", "2");
        other[place] = word;
        let error = fail(&mut zermelo(&other), 2);
        assert!(error.contains(&format!("({difference})")), "{error}");
    }
    // Files of another kind are not overwritten.
    for text in ["my diary\n", "{\"my\": \"diary\"}"] {
        fs::write(&record, text).unwrap();
        fail(&mut zermelo(&slow(&record, "", "2")), 2);
        fail(&mut zermelo(&slow(&folder.path("new.pgn"), &record, "2")), 2);
        assert_eq!(fs::read_to_string(&record).unwrap(), text);
        assert!(!fs::exists(folder.path("new.pgn")).unwrap());
    }
}

#[test]
fn comment_lines_do_not_hide_the_setup_of_a_record() {
    let folder = Folder::new("comment");
    let record = folder.path("games.pgn");
    succeed(&mut zermelo(&slow(&record, "", "1")));
    let noted = fs::read_to_string(&record).unwrap() + "% a note\n\n";
    fs::write(&record, noted).unwrap();
    let mut other = slow(&record, "", "2");
    other[9] = "nodes=300";
    let error = fail(&mut zermelo(&other), 2);
    assert!(error.contains("(limits of a: nodes=200 in the record, nodes=300 now)"), "{error}");
    succeed(&mut zermelo(&slow(&record, "", "2")));
    assert_eq!(read(&record).len(), 4);
}

#[test]
fn nested_variations_do_not_exhaust_the_stack() {
    let folder = Folder::new("nested");
    let record = folder.path("games.pgn");
    for (depth, code) in [(10, 0), (300_000, 1)] {
        let (open, close) = ("(".repeat(depth), ")".repeat(depth));
        fs::write(&record, format!("[Game \"tictactoe\"]\n\n1. b2 {open}a1{close} *\n\n")).unwrap();
        let output = zermelo(&["--check-record", &record]).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{depth}: {stderr}");
    }
}

#[test]
fn concurrent_runs_cannot_share_a_record() {
    let folder = Folder::new("lock");
    let record = folder.path("games.pgn");
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

/// The header of a record must hold nothing that the command line refuses; the error names it.
#[test]
fn invalid_settings_in_a_header_are_refused_by_name() {
    let folder = Folder::new("header");
    let (record, json) = (folder.path("games.pgn"), folder.path("games.json"));
    let play = |record: &str, json: &str| {
        let mut command = zermelo(&slow(record, json, "2"));
        command.args(["--resign", "score=500", "--draw", "score=5", "--maxmoves", "50"]);
        command.args(["--sprt", "elo0=0", "elo1=10"]);
        command
    };
    succeed(&mut play(&record, &json));
    let (text, lines) = (fs::read_to_string(&record).unwrap(), fs::read_to_string(&json).unwrap());
    for (valid, invalid, message) in [
        (
            "[10.0,600.0]",
            "[0,600.0]",
            "reply timeout = 0, expected seconds, such as 0.5, more than 0",
        ),
        (
            "[10.0,600.0]",
            "[10.0,-1]",
            "move timeout = -1, expected seconds, such as 0.5, more than 0",
        ),
        ("[10.0,600.0]", "[10.0,1e12]", "move timeout = 1000000000000, expected seconds"),
        ("\"rounds\":2", "\"rounds\":0", "rounds = 0, expected 1 to 1000000"),
        ("\"maxmoves\":50", "\"maxmoves\":0", "maxmoves = 0, expected 1 to 1000000"),
        ("\"concurrency\":2", "\"concurrency\":9999", "concurrency = 9999, expected 1 to 1024"),
        ("\"movecount\":3", "\"movecount\":0", "movecount of resign = 0, expected at least 1 move"),
        (
            "\"score\":500",
            "\"score\":-500",
            "score of resign = -500, expected at least 0 (hundredths)",
        ),
        ("\"movecount\":8", "\"movecount\":0", "movecount of draw = 0, expected at least 1 move"),
        ("\"plies\":2", "\"plies\":1001", "plies = 1001, expected at most 1000"),
        ("\"alpha\":0.05", "\"alpha\":0", "alpha is 0, expected above 0 and below 0.5"),
        ("\"alpha\":0.05", "\"alpha\":1e-12", "alpha = 0.000000000001, expected at least"),
        ("\"rounds\":2", "\"rounds\":-1", "is not a tournament record: invalid header ("),
        ("\"nodes=200\"", "\"\"", "limits of a are missing, expected tc=, st=, nodes= or depth="),
        ("\"nodes=200\"", "\"nodes=0\"", "\"0\" for nodes, expected a whole number from 1"),
        ("\"cmd\":\"zermelo\"", "\"cmd\":\"\"", "cmd of an engine is empty"),
        ("\"random\"]", "\"x\\nquit\"]", "option.Searcher contains a control character"),
    ] {
        assert!(text.contains(valid) && lines.contains(valid), "{valid}\n{text}");
        fs::write(&record, text.replacen(valid, invalid, 1)).unwrap();
        fs::write(&json, lines.replacen(valid, invalid, 1)).unwrap();
        for (record, json) in [(&*record, ""), (&folder.path("none"), &*json)] {
            let error = fail(&mut play(record, json), 2);
            assert!(error.contains(message), "{error}\n{message}");
        }
    }
}

/// A game without known rules might never end, so it has a limit.
#[test]
fn engine_defined_games_have_a_default_limit_of_moves() {
    let folder = Folder::new("default-maxmoves");
    let record = folder.path("games.pgn");
    let play = |more: &[&str]| {
        let options = ["option.UCI_Variant=tictactoe", "option.Searcher=random"];
        let mut command = zermelo(&["--game", "ugi", "--each", "nodes=1", "--record", &record]);
        command.args(["--engine", "name=a"]).args(options).args(["--engine", "name=b"]);
        command.args(options).args(more);
        command
    };
    let head = || fs::read_to_string(&record).unwrap().lines().next().unwrap().to_owned();
    succeed(&mut play(&[]));
    assert!(head().contains("\"maxmoves\":1000"), "{}", head());
    succeed(&mut play(&["--rounds", "2"]));
    let error = fail(&mut play(&["--rounds", "2", "--maxmoves", "7"]), 2);
    assert!(
        error.contains("(maximum length of a game: 1000 moves in the record, 7 moves now)"),
        "{error}"
    );
    // In other games there is no default.
    fs::remove_file(&record).unwrap();
    succeed(&mut zermelo(&slow(&record, "", "1")));
    assert!(head().contains("\"maxmoves\":null"), "{}", head());
}
