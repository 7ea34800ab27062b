//! Games are independent by default, and copies are recognized instead of counted silently.

use std::collections::HashSet;
use std::fs;

use serde_json::Value;
use zermelo::records::GameRecord;
use zermelo::thinking::registry::games;

use super::{Folder, fail, fake, fake_command, read, succeed, typed, zermelo};

fn seeds(game: &GameRecord) -> [i64; 2] {
    game.seeds.map(|seed| seed.expect("a seed for each player"))
}

/// The number of different games by start, players and moves.
fn count_distinct(games: &[GameRecord]) -> usize {
    let moves = |game: &GameRecord| game.moves.iter().map(|mv| mv.mv.clone()).collect::<Vec<_>>();
    let keys = games.iter().map(|game| (game.fen.clone(), game.players.clone(), moves(game)));
    keys.collect::<HashSet<_>>().len()
}

fn result_line(record: &str) -> Value {
    let stdout = succeed(&mut zermelo(&["--check-record", record, "--summary-json"]));
    serde_json::from_str(stdout.lines().last().unwrap()).unwrap()
}

const RANDOM_PAIR: &str =
    "--game tictactoe --engine name=a --engine name=b --each option.Searcher=random";

#[test]
fn every_game_has_other_seeds_which_depend_on_its_number_alone() {
    let folder = Folder::new("seeds");
    let play = |name: &str, more: &[&str]| {
        let record = folder.path(name);
        let json = folder.path(&format!("{name}.json"));
        let words = ["nodes=1", "--rounds", "10", "--record", &record, "--jsonl", &json];
        succeed(typed(RANDOM_PAIR).args(words).args(more));
        let mut games = read(&record);
        games.sort_by_key(|game| game.number);
        let text = fs::read_to_string(&json).unwrap();
        let lines = text.lines().filter(|line| line.starts_with("{\"type\":\"game\""));
        let mut lines: Vec<GameRecord> =
            lines.map(|line| serde_json::from_str(line).unwrap()).collect();
        lines.sort_by_key(|game| game.number);
        assert_eq!(lines, games);
        games
    };
    let whole = play("whole", &[]);
    assert_eq!(whole.len(), 20);
    let different: HashSet<i64> = whole.iter().flat_map(seeds).collect();
    assert_eq!(different.len(), 40);
    assert!(different.iter().all(|seed| (0..1 << 53).contains(seed)), "{different:?}");
    let record = fs::read_to_string(folder.path("whole")).unwrap();
    let [white, black] = seeds(&whole[0]);
    let tags = format!("[WhiteSeed \"{white}\"]\n[BlackSeed \"{black}\"]\n");
    assert!(record.contains(&tags), "{record}");
    let json = fs::read_to_string(folder.path("whole.json")).unwrap();
    assert!(json.contains(&format!("\"seeds\":[{white},{black}]")), "{json}");

    let number_and_seeds = |games: &[GameRecord]| {
        games.iter().map(|game| (game.number, seeds(game))).collect::<Vec<_>>()
    };
    let shard = play("shard", &["--game-range", "8-13"]);
    assert_eq!(number_and_seeds(&shard), number_and_seeds(&whole)[7..13]);
    // The shard is resumed and completed, at another concurrency.
    let resumed = play("shard", &["--concurrency", "2"]);
    assert_eq!(number_and_seeds(&resumed), number_and_seeds(&whole));
    let moves = |games: &[GameRecord]| {
        games.iter().flat_map(|game| game.moves.clone()).map(|mv| mv.mv).collect::<Vec<_>>()
    };
    assert_eq!(moves(&resumed), moves(&whole));
    let other = play("other", &["--seed", "1"]);
    assert!(other.iter().flat_map(seeds).all(|seed| !different.contains(&seed)));
}

#[test]
fn seed_set_by_the_user_is_respected() {
    let folder = Folder::new("fixed-seed");
    let record = folder.path("games.pgn");
    let words = ["nodes=1", "--engine", "name=c", "option.sEEd=7", "--record", &record];
    succeed(typed(RANDOM_PAIR).args(words));
    for game in read(&record) {
        for (name, seed) in game.players.iter().zip(seeds(&game)) {
            assert_eq!(seed == 7, name == "c", "{game:?}");
        }
    }
}

/// The seeds keep to the range that an engine declares and precede the game.
#[test]
fn seeds_are_within_the_range_of_the_engine() {
    let folder = Folder::new("seed-range");
    let (record, log) = (folder.path("games.pgn"), folder.path("log"));
    let seeded = format!("{} {log}", fake("seeded"));
    let words =
        ["--game", "tictactoe", "--engine", "name=fake", fake_command(), &seeded, "--engine"];
    let more = ["name=b", "--each", "nodes=1", "--rounds", "3", "--openings", "start"];
    succeed(zermelo(&words).args(more).args(["--record", &record]));
    let games = read(&record);
    let own = |game: &GameRecord| seeds(game)[game.side_of("fake").unwrap().index()];
    let sent: Vec<i64> = games.iter().map(own).collect();
    assert!(sent.iter().all(|seed| (3..=9).contains(seed)), "{sent:?}");
    assert_eq!(sent.iter().collect::<HashSet<_>>().len(), 6, "{sent:?}");
    let expected: String =
        sent.iter().map(|seed| format!("setoption name seed value {seed}\nucinewgame\n")).collect();
    assert_eq!(fs::read_to_string(&log).unwrap(), expected);
}

#[test]
fn default_openings_are_used_for_several_pairs_only() {
    let folder = Folder::new("default-openings");
    let play = |name: &str, more: &[&str]| {
        let record = folder.path(name);
        let words = ["nodes=1", "--record", &record];
        let stdout = succeed(typed(RANDOM_PAIR).args(words).args(more));
        let games = read(&record);
        let starts: HashSet<String> = games.into_iter().map(|game| game.fen).collect();
        // One scale: the table shows the same Elo as the line below it.
        assert!(stdout.contains("  Elo  s/move") && !stdout.contains("rating"), "{stdout}");
        (stdout.lines().next().unwrap().to_owned(), starts.len())
    };
    let (title, starts) = play("several", &["--rounds", "4"]);
    assert!(title.contains("; balanced random openings (random=2 balanced=true)"), "{title}");
    assert_eq!(starts, 4);
    let (title, starts) = play("one", &[]);
    assert!(title.ends_with(", 1 round of 2 games, 2 in total"), "{title}");
    assert_eq!(starts, 1);
    let (title, starts) = play("start", &["--rounds", "4", "--openings", "start"]);
    assert!(title.ends_with(", 4 rounds of 2 games, 8 in total"), "{title}");
    assert_eq!(starts, 1);
    let (title, starts) = play("games", &["--games", "4"]);
    assert!(title.contains("; balanced random openings"), "{title}");
    assert_eq!(starts, 2);
    // A record that began at the start position is resumed there.
    let (title, starts) = play("one", &["--rounds", "3"]);
    assert!(title.ends_with(", 3 rounds of 2 games, 6 in total; 2 already played"), "{title}");
    assert_eq!(starts, 1);
    let (_, starts) = play("several", &["--rounds", "6"]);
    assert_eq!(starts, 6);
    let mut fewer = typed(RANDOM_PAIR);
    fewer.args(["nodes=1", "--rounds", "1", "--record", &folder.path("several")]);
    let error = fail(&mut fewer, 2);
    assert!(error.contains("(rounds: 6 in the record, 1 now)"), "{error}");
}

/// Players that repeat themselves are recognized in every game, and players that do not are
/// accepted.
#[test]
fn copies_are_recognized_in_all_games() {
    let folder = Folder::new("copies");
    for game in games() {
        for (searcher, openings) in
            [("random", None), ("random", Some("start")), ("alphabeta", Some("start"))]
        {
            let name = format!("{}-{searcher}-{}", game.id, openings.unwrap_or("default"));
            let (record, report) = (folder.path(&name), folder.path("report.html"));
            let option = format!("option.Searcher={searcher}");
            let mut command = zermelo(&["--game", game.id, "--engine", "name=a", "--engine"]);
            command.args(["name=b", "--each", "nodes=60", &option, "--rounds", "6"]);
            command.args(["--record", &record, "--report", &report]);
            openings.map(|openings| command.args(["--openings", openings]));
            let stdout = succeed(&mut command);
            let distinct = count_distinct(&read(&record));
            assert!(stdout.contains(&format!("Distinct games: {distinct} of 12\n")), "{stdout}");
            let line = result_line(&record);
            assert_eq!(line["distinct"], distinct, "{line}");
            let is_warned = stdout.contains("Warning: ");
            assert_eq!(is_warned, distinct < 11, "{name}: {stdout}");
            let page = fs::read_to_string(&report).unwrap();
            assert!(page.contains(&format!("\"distinct\":{distinct},")), "{name}");
            assert_eq!(page.contains("\"warnings\":[]"), !is_warned, "{name}");
            if searcher == "alphabeta" {
                assert_eq!(distinct, 2, "{name}");
                for part in [
                    "Warning: only 2 of 12 games between a and b are distinct (17 %)",
                    "Cause: 1 start position for 12 games",
                    "do not use --openings start",
                ] {
                    assert!(stdout.contains(part), "{part}\n{stdout}");
                }
            } else if !game.has_few_openings() {
                // Two random games of a few plies can well be equal.
                assert!(distinct >= 11, "{name}: {distinct}");
            }
        }
    }
}

/// A program that plays against itself plays each opening twice in the same way, which the number of
/// distinct games does not show.
#[test]
fn identical_engines_are_named() {
    let folder = Folder::new("identical");
    let report = folder.path("report.html");
    let play = |options: &[&str]| {
        let mut command = zermelo(&["--game", "tixtax", "--engine", "name=a", "--engine"]);
        command.args(["name=b"]).args(options).args(["--each", "nodes=50", "--rounds", "10"]);
        succeed(command.args(["--report", &report]))
    };
    let note = "in 10 of 10 pairs both games have the same moves: a and b play identically; are \
                their commands and options the ones you meant?";
    let stdout = play(&[]);
    assert!(stdout.contains("Distinct games: 20 of 20\n"), "{stdout}");
    assert!(stdout.contains(&format!("Note: {note}\n")), "{stdout}");
    assert!(fs::read_to_string(&report).unwrap().contains(note));
    let stdout = play(&["option.Searcher=random"]);
    assert!(!stdout.contains("Note: "), "{stdout}");
    assert!(fs::read_to_string(&report).unwrap().contains("\"warnings\":[]"));
}

/// A test over copies has no verdict; over distinct games it has one.
#[test]
fn sprt_over_copies_stops_without_a_verdict() {
    let folder = Folder::new("sprt-copies");
    let play = |name: &str, words: &[&str]| {
        let record = folder.path(name);
        let engines = ["--game", "tictactoe", "--engine", "name=best", "--engine", "name=weak"];
        let sprt = ["--sprt", "elo0=-5", "elo1=5", "--each", "nodes=50", "--rounds", "200"];
        let mut command = zermelo(&engines);
        command.args(["option.Searcher=random"]).args(words).args(sprt);
        let stdout = succeed(command.args(["--record", &record]));
        (stdout, result_line(&record), record)
    };
    let copies = ["option.Seed=1", "--openings", "start"];
    let (stdout, line, record) = play("copies", &copies);
    assert_eq!(read(&record).len(), 20);
    let expected = "stopped after 20 games without a verdict: only 2 of them are distinct";
    assert!(stdout.contains(expected), "{stdout}");
    assert!(!stdout.contains("accepted"), "{stdout}");
    assert_eq!(line["decision"], Value::Null);
    assert_eq!((&line["distinct"], &line["stopped"]), (&Value::from(2), &Value::from("copies")));
    // Running it again does not play on.
    let (stdout, _, _) = play("copies", &copies);
    assert!(stdout.contains(expected), "{stdout}");
    assert_eq!(read(&record).len(), 20);

    let (stdout, line, record) = play("distinct", &["--seed", "4"]);
    assert!(
        stdout.contains("H1 accepted: best is not weaker by 5 normalized Elo or more"),
        "{stdout}"
    );
    assert_eq!((&line["decision"], &line["stopped"]), (&Value::from("h1"), &Value::Null));
    let games = read(&record);
    assert!(2 * count_distinct(&games) >= games.len(), "{line}");
}

/// A changed file of openings is noticed by its digest in the header, and in records without one by pairs
/// whose games start from different positions.
#[test]
fn changed_openings_are_refused() {
    let folder = Folder::new("changed-openings");
    let (book, record) = (folder.path("book.txt"), folder.path("games.pgn"));
    let source = format!("file={book}");
    let play = |more: &[&str]| {
        let words = ["nodes=1", "--rounds", "2", "--openings", &source];
        let mut command = typed(RANDOM_PAIR);
        command.args(words).args(more);
        command
    };
    let (before, after) = ("3/1x1/3 o\n3/3/x2 o\n", "3/3/1x1 o\n3/3/x2 o\n");
    fs::write(&book, before).unwrap();
    succeed(&mut play(&["--game-range", "1", "--record", &record]));
    let head = fs::read_to_string(&record).unwrap();
    assert!(head.lines().next().unwrap().contains("\"openings_digest\":\""), "{head}");
    // A comment does not change the openings.
    fs::write(&book, format!("# a comment\n{before}")).unwrap();
    let json = folder.path("games.json");
    succeed(&mut play(&["--game-range", "1", "--record", &record, "--jsonl", &json]));
    fs::write(&book, after).unwrap();
    let error = fail(&mut play(&["--record", &record]), 2);
    assert!(error.contains("in both, but with different positions)"), "{error}");
    let error = fail(&mut play(&["--jsonl", &json]), 2);
    assert!(error.contains("in both, but with different positions)"), "{error}");
    // Shards that were played with different files.
    let (second, out) = (folder.path("second.pgn"), folder.path("out.pgn"));
    succeed(&mut play(&["--game-range", "2", "--record", &second]));
    let error = fail(&mut zermelo(&["--merge", &record, &second, "--record", &out]), 2);
    assert!(error.contains("in both, but with different positions)"), "{error}");
    // A record that holds both is no evidence.
    let unequal = "games 1 and 2 are pair 1 but start from different positions";
    let both = [&record, &second].map(|path| fs::read_to_string(path).unwrap());
    let games = both[1].split_once('\n').unwrap().1;
    fs::write(&record, format!("{}{games}", both[0])).unwrap();
    for mut command in
        [zermelo(&["--check-record", &record, "--summary-json"]), zermelo(&["--merge", &record])]
    {
        let output = command.output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(unequal), "{stderr}");
        assert!(output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stdout));
    }
}
