//! A tournament that is played in parts comes to what one run comes to, game for game.

use std::fs;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use zermelo::arena::record::{GameRecord, Seconds};

use super::{Folder, fail, read, succeed, zermelo};

/// A round robin of three: 18 games in three rounds, the same whoever plays them.
const THREE: &str = "--engine name=a --engine name=b option.Searcher=mcts \
                     --engine name=c option.Searcher=random --each nodes=60 \
                     --openings random=6 --games 2 --seed 5 --rounds 3 --recover";

/// A test of two that is decided within 40 games of tictactoe.
const TEST: &str = "--game tictactoe --engine name=strong --engine name=weak \
                    option.Searcher=random --each nodes=50 --openings random=1 --rounds 20 \
                    --sprt elo0=-100 elo1=100 --recover";

/// A tournament, in words.
fn of_words(words: &str) -> Command {
    zermelo(&words.split_whitespace().collect::<Vec<_>>())
}

fn play(more: &[&str]) -> Command {
    let mut command = of_words(THREE);
    command.args(more);
    command
}

fn numbers(path: &str) -> Vec<u32> {
    read(path).iter().map(|game| game.number).collect()
}

/// A game without its times and dates.
fn timeless(mut game: GameRecord) -> GameRecord {
    game.started = 0;
    for mv in &mut game.moves {
        mv.time = Seconds::default();
    }
    game
}

/// A record without times and dates, its lines for programs included.
fn timeless_text(path: &str) -> String {
    let text = fs::read_to_string(path).unwrap();
    let heads = text.lines().filter(|line| line.starts_with('%')).map(|line| format!("{line}\n"));
    let games = read(path);
    let first = text.lines().next().unwrap();
    let whole: String = games.iter().map(GameRecord::to_pgn).collect();
    if text.matches('%').count() == 1 {
        assert_eq!(text, format!("{first}\n\n{whole}"), "nothing else is in it");
    }
    let games = games.into_iter().map(|game| timeless(game).to_pgn());
    heads.chain(games).collect()
}

/// The same of a file of JSON lines.
fn timeless_lines(path: &str) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    let (head, games) = text.split_once('\n').unwrap();
    let read = |line| timeless(serde_json::from_str(line).unwrap());
    let games = games.lines().map(read).map(|game| serde_json::to_value(game).unwrap());
    std::iter::once(serde_json::from_str(head).unwrap()).chain(games).collect()
}

/// Three parts, one of them kept as JSON and one torn and resumed, are the record of one run.
#[test]
fn parts_are_joined_to_what_one_run_would_have_written() {
    let folder = Folder::new("parts");
    let file = |name: &str| folder.file(name);
    let (whole, whole_json) = (file("whole.pgn"), file("whole.json"));
    succeed(&mut play(&["--record", &whole, "--json", &whole_json]));
    assert_eq!(numbers(&whole), (1..=18).collect::<Vec<_>>());

    let (first, second, third) = (file("first.pgn"), file("second.json"), file("third.pgn"));
    succeed(&mut play(&["--only", "1-5", "--record", &first]));
    let told = succeed(&mut play(&["--only", "6-11", "--json", &second]));
    assert!(told.contains("3 rounds of 2 games, of these games 6-11, 6 in all\n"), "{told}");
    assert!(told.contains("game 6: ") && told.contains("game 11: "), "{told}");
    assert!(!told.contains("game 5: ") && !told.contains("game 12: "), "{told}");
    // A part that goes beyond the end ends there.
    let last = ["--only", "12-999", "--record", &third];
    succeed(&mut play(&last));
    let text = fs::read(&third).unwrap();
    let whole_text = String::from_utf8(text.clone()).unwrap();
    let cut = whole_text.match_indices("[Game ").nth(3).unwrap().0 + 400;
    fs::write(&third, &text[..cut]).unwrap();
    assert_eq!(numbers(&third), [12, 13, 14]);
    let head_is_enough = ["--resume", "--only", "12-18", "--record", &third];
    let told = succeed(&mut zermelo(&head_is_enough));
    assert!(told.contains("of these games 12-18, 7 in all; 3 played before"), "{told}");
    assert_eq!(numbers(&third), (12..=18).collect::<Vec<_>>());

    let (out, out_json, page) = (file("out.pgn"), file("out.json"), file("out.html"));
    // What was there is replaced.
    fs::write(&out, "an older record\n").unwrap();
    let to = ["--record", &out, "--json", &out_json, "--report", &page];
    let told = succeed(zermelo(&["--merge", &third, &first, &second]).args(to));
    assert_eq!(timeless_text(&out), timeless_text(&whole));
    assert_eq!(timeless_lines(&out_json), timeless_lines(&whole_json));
    assert!(fs::read_to_string(&page).unwrap().contains("round robin of 3 engines"));
    let crosstable = |told: &str| {
        let (_, rest) = told.split_once("points of row against column").unwrap();
        rest.to_owned()
    };
    let rescored = succeed(&mut zermelo(&["--rescore", &whole]));
    assert_eq!(crosstable(&told), crosstable(&rescored));

    // Both go on, and the same.
    for record in [&out, &whole] {
        succeed(&mut zermelo(&["--resume", "--rounds", "4", "--record", record]));
    }
    assert_eq!(timeless_text(&out), timeless_text(&whole));
    assert_eq!(numbers(&out), (1..=24).collect::<Vec<_>>());
    // The longer one says how long it is, wherever it is named.
    let (longer, shorter) = (file("longer.pgn"), file("shorter.pgn"));
    succeed(&mut zermelo(&["--merge", &out, &first, "--record", &longer]));
    succeed(&mut zermelo(&["--merge", &first, &out, "--record", &shorter]));
    assert_eq!(timeless_text(&longer), timeless_text(&shorter));
    let told = succeed(&mut zermelo(&["--resume", "--record", &longer]));
    assert!(told.contains("4 rounds of 2 games, 24 in all; 24 played before"), "{told}");
}

/// Killed at any moment, a part goes on, and what was whole of it can be joined before.
#[test]
fn a_part_survives_a_kill() {
    let folder = Folder::new("parts-killed");
    let (part, whole, out) = (folder.file("part"), folder.file("whole"), folder.file("out"));
    succeed(&mut play(&["--record", &whole]));
    let arguments = ["--only", "4-15", "--concurrency", "2", "--record", &part];
    for pause in [60, 120, 180] {
        let mut runner = play(&arguments).stdout(Stdio::null()).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(pause));
        runner.kill().unwrap();
        runner.wait().unwrap();
    }
    let text = fs::read(&part).unwrap();
    let merged = zermelo(&["--merge", &part, "--record", &out]).output().unwrap();
    assert!(merged.status.success(), "{merged:?}");
    assert_eq!(fs::read(&part).unwrap(), text);
    assert_eq!(read(&out).len(), read(&part).len());
    succeed(&mut play(&arguments));
    let mut played: Vec<GameRecord> = read(&part).into_iter().map(timeless).collect();
    played.sort_by_key(|game| game.number);
    let expected: Vec<GameRecord> = read(&whole).into_iter().map(timeless).collect();
    assert_eq!(played, expected[3..15]);
    // The same file takes another part, and then the rest.
    let told = succeed(&mut play(&["--only", "1-4", "--concurrency", "2", "--record", &part]));
    assert!(told.contains("of these games 1-4, 4 in all; 1 played before"), "{told}");
    succeed(&mut play(&["--concurrency", "2", "--record", &part]));
    assert_eq!(read(&part).len(), 18);
}

/// What stands in two parts counts once, as the first tells it; what contradicts is refused.
#[test]
fn overlapping_parts_must_tell_the_same() {
    let folder = Folder::new("overlap");
    let (first, second, out) = (folder.file("first"), folder.file("second"), folder.file("out"));
    succeed(&mut play(&["--only", "3-6", "--record", &first]));
    succeed(&mut play(&["--only", "5-9", "--json", &second]));
    let merge = |first: &str, second: &str| {
        let mut command = zermelo(&["--merge", first, second, "--record", &out]);
        command.args(["--verdict"]);
        command
    };
    // Another speed and other thoughts are no contradiction.
    let known = fs::read_to_string(&first).unwrap();
    fs::write(&first, known.replace(" nodes}", "7 nodes}")).unwrap();
    let output = merge(&first, &second).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said, "zermelo: games 1-2 are missing\n");
    let told = String::from_utf8(output.stdout).unwrap();
    let verdict = told.lines().last().unwrap();
    assert_eq!(
        verdict,
        "{\"schema\":1,\"games\":7,\"wins\":null,\"draws\":null,\"losses\":null,\"llr\":null,\
         \"decision\":null}"
    );
    assert_eq!(numbers(&out), [3, 4, 5, 6, 7, 8, 9]);
    assert_eq!(read(&out)[..4], read(&first));
    let before = fs::read(&out).unwrap();

    let lines = fs::read_to_string(&second).unwrap();
    let game: GameRecord = serde_json::from_str(lines.lines().nth(1).unwrap()).unwrap();
    assert_eq!(game.number, 5);
    let altered = |change: &dyn Fn(&mut GameRecord)| {
        let mut other = game.clone();
        change(&mut other);
        let line = zermelo::arena::journal::RecordFormat::Json.game(&other);
        let old = zermelo::arena::journal::RecordFormat::Json.game(&game);
        assert!(lines.contains(&old));
        lines.replace(&old, &line)
    };
    let contradictions = [
        ("the players", altered(&|game| game.players.reverse())),
        ("the start positions", altered(&|game| game.fen.push('0'))),
        ("the moves", altered(&|game| drop(game.moves.pop()))),
        ("the results", altered(&|game| game.result = None)),
    ];
    for (what, text) in contradictions {
        fs::write(&second, &text).unwrap();
        let error = fail(&mut merge(&first, &second), 2);
        let expected = format!(
            "game 5 is one game in {first} and another in {second}, {what} differ; leave one"
        );
        assert!(error.contains(&expected), "{error}\n{expected}");
        // One file may contradict itself.
        fs::write(&second, text + lines.lines().nth(1).unwrap() + "\n").unwrap();
        let error = fail(&mut merge(&second, &second), 2);
        assert!(error.contains(&format!("in {second} and another in {second}, {what}")), "{error}");
    }
    assert_eq!(fs::read(&out).unwrap(), before, "left as it was");
}

#[test]
fn parts_of_other_tournaments_are_refused() {
    let folder = Folder::new("other-parts");
    let (first, out) = (folder.file("first"), folder.file("out"));
    succeed(&mut play(&["--only", "1", "--record", &first]));
    assert_eq!(numbers(&first), [1]);
    for (more, what) in [
        (["--only", "2", "--seed", "6"], "seed differs: 6 there, 5 in"),
        (["--only", "2", "--maxmoves", "9"], "adjudication maxmoves differs: 9 there, null in"),
    ] {
        let other = folder.file(more[3]);
        let rest = if more[2] == "--seed" { "--seed 5" } else { "" };
        let mut command = of_words(&THREE.replace(rest, ""));
        succeed(command.args(more).args(["--record", &other]));
        let error = fail(&mut zermelo(&["--merge", &first, &other, "--record", &out]), 2);
        let named = format!("{other} is no part of the tournament in {first}, {what} {first}");
        assert!(error.contains(&named), "{error}\n{named}");
        let error = fail(&mut zermelo(&["--merge", &other, &first, "--record", &out]), 2);
        assert!(error.contains(&format!("{first} is no part of")), "{error}");
    }
    // What is free may differ; the last says how it is.
    let other = folder.file("free");
    succeed(&mut play(&["--only", "2", "--patience", "7", "--record", &other]));
    succeed(&mut zermelo(&["--merge", &first, &other, "--record", &out]));
    assert!(fs::read_to_string(&out).unwrap().contains("\"patience\":[7.0,600.0]"));
    let error = fail(&mut zermelo(&["--merge", &first, &folder.file("none")]), 2);
    assert!(error.contains("cannot open ") && error.contains("none"), "{error}");
    let diary = folder.file("diary");
    fs::write(&diary, "my diary\n").unwrap();
    let error = fail(&mut zermelo(&["--merge", &first, &diary]), 2);
    assert!(error.contains("diary is no record of a tournament: its first line"), "{error}");
    // A knockout is not made longer, so its parts are equally long.
    let knockout = |rounds: &str| {
        let record = folder.file(&format!("knockout-{rounds}"));
        let more = ["--tournament", "knockout", "--rounds", rounds, "--record", &record];
        let engines = ["--game", "tictactoe", "--each", "nodes=1"];
        succeed(zermelo(&["--engine", "name=a", "--engine", "name=b"]).args(engines).args(more));
        record
    };
    let (one, two) = (knockout("1"), knockout("2"));
    for (first, second) in [(&one, &two), (&two, &one)] {
        let error = fail(&mut zermelo(&["--merge", first, second, "--record", &out]), 2);
        assert!(error.contains("rounds differs: "), "{error}");
    }
    succeed(&mut zermelo(&["--merge", &one, &one, "--record", &out]));
}

/// What is torn is left out; the files stay as they are.
#[test]
fn torn_and_empty_parts_add_what_is_whole() {
    let folder = Folder::new("torn-parts");
    let (text, json, out) = (folder.file("text"), folder.file("json"), folder.file("out"));
    succeed(&mut play(&["--only", "1-4", "--record", &text, "--json", &json]));
    let cut_out = folder.file("cut");
    for path in [&text, &json] {
        let whole = fs::read(path).unwrap();
        let head = whole.iter().position(|byte| *byte == b'\n').unwrap();
        for cut in (head + 1..whole.len()).step_by(577).chain([head + 1]) {
            fs::write(&cut_out, &whole[..cut]).unwrap();
            let output = zermelo(&["--merge", &cut_out, "--record", &out]).output().unwrap();
            assert!(output.status.success(), "cut at {cut}: {output:?}");
            assert_eq!(fs::read(&cut_out).unwrap().len(), cut);
            let begun =
                String::from_utf8_lossy(&whole[..cut]).matches("schema\":1,\"number").count();
            let begun = begun.max(String::from_utf8_lossy(&whole[..cut]).matches("[Game ").count());
            let found = read(&out).len();
            assert!(found == begun || found + 1 == begun, "cut at {cut}: {found} of {begun}");
        }
        // Where nothing is whole there is nothing to add, and that is told.
        for cut in [0, 1, head] {
            fs::write(&cut_out, &whole[..cut]).unwrap();
            let output = zermelo(&["--merge", &cut_out, &text, "--record", &out]).output().unwrap();
            assert!(output.status.success(), "cut at {cut}: {output:?}");
            let said = String::from_utf8(output.stderr).unwrap();
            assert!(said.contains("cut holds nothing whole, it adds no game"), "{said}");
            assert_eq!(read(&out).len(), 4);
            let error = fail(&mut zermelo(&["--merge", &cut_out, "--record", &out]), 2);
            assert!(error.contains("nothing whole is in the files"), "{error}");
        }
    }
}

#[test]
fn only_games_of_the_schedule_can_be_meant() {
    let folder = Folder::new("only");
    let record = folder.file("games");
    for (only, message) in [
        ("19", "\"19\" for --only, expected FROM-TO within the 18 games of the tournament, 1-18"),
        ("19-25", "\"19-25\" for --only, expected FROM-TO within the 18 games"),
        ("7-5", "\"7-5\" for --only, expected FROM-TO within the 18 games"),
        ("0", "expected FROM-TO or FROM, numbers of games from 1"),
        ("0-4", "expected FROM-TO or FROM, numbers of games from 1"),
        ("4-", "expected FROM-TO or FROM, numbers of games from 1"),
        ("two", "invalid value 'two' for '--only <FROM-TO>'"),
        ("1-99999999999", "expected FROM-TO or FROM, numbers of games from 1"),
    ] {
        let error = fail(&mut play(&["--only", only, "--record", &record]), 2);
        assert!(error.contains(message), "{only}\n{error}");
    }
    for format in ["knockout", "swiss"] {
        let words = ["--only", "1", "--tournament", format, "--record", &record];
        let error = fail(&mut play(&words), 2);
        let message =
            format!("--only does not go with --tournament {format}, where who meets whom");
        assert!(error.contains(&message), "{error}");
    }
    assert!(!fs::exists(&record).unwrap());
    succeed(&mut play(&["--only", "18", "--tournament", "roundrobin", "--record", &record]));
    assert_eq!(numbers(&record), [18]);
    // In a gauntlet, too, with an odd number of games in an encounter.
    let gauntlet = |more: &[&str], name: &str| {
        let record = folder.file(name);
        let format = ["--tournament", "gauntlet", "--no-repeat", "--record", &record];
        succeed(of_words(&THREE.replace("--games 2", "--games 3")).args(format).args(more));
        read(&record).into_iter().map(timeless).collect::<Vec<_>>()
    };
    let whole = gauntlet(&[], "whole");
    assert_eq!(whole.len(), 18);
    assert_eq!(gauntlet(&["--only", "8-12"], "part"), whole[7..12]);
    for words in [["--only", "1", "--plan", ""], ["--only", "1", "--rescore", "x"]] {
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        let error = fail(&mut zermelo(&words), 2);
        assert!(error.contains("cannot be used with"), "{error}");
    }
}

/// A part plays on and says nothing of the test; the parts together do.
#[test]
fn whether_a_test_has_decided_is_for_all_parts_to_say() {
    let folder = Folder::new("parts-sprt");
    let (whole, out) = (folder.file("whole"), folder.file("out"));
    succeed(of_words(TEST).args(["--record", &whole]));
    let decided = read(&whole).len();
    assert!((4..40).contains(&decided), "{decided}");
    let parts = ["1-4", "5-40"].map(|only| {
        let record = folder.file(only);
        for _ in 0..2 {
            let told = succeed(of_words(TEST).args(["--only", only, "--record", &record]));
            assert!(!told.contains("SPRT") && !told.contains("LLR"), "{told}");
        }
        record
    });
    assert_eq!(parts.each_ref().map(|part| read(part).len()), [4, 36]);
    let verdict = |told: &str| {
        let line = told.lines().last().unwrap();
        let keys: Vec<&str> = line.split('"').skip(1).step_by(2).collect();
        let expected = ["schema", "games", "wins", "draws", "losses", "llr", "decision"];
        assert_eq!(keys[..7], expected);
        serde_json::from_str::<Value>(line).unwrap()
    };
    let merge = ["--record", &out, "--verdict"];
    let told = succeed(zermelo(&["--merge", &parts[0], &parts[1]]).args(merge));
    assert!(told.contains(&format!("after {decided} games, H1 accepted")), "{told}");
    let found = verdict(&told);
    assert_eq!((&found["schema"], &found["games"]), (&json!(1), &json!(40)));
    assert_eq!(found["decision"], json!("h1"));
    assert!(found["llr"].as_f64().unwrap() >= 2.94, "{found}");
    let results = ["wins", "draws", "losses"].map(|name| found[name].as_u64().unwrap());
    assert_eq!(results.iter().sum::<u64>(), 40);
    assert!(results[0] > results[2], "strong is the first: {found}");
    let rescored = succeed(&mut zermelo(&["--rescore", &out, "--verdict"]));
    assert_eq!(verdict(&rescored), found);
    // The first of the two engines is meant, whoever stands first in the table.
    let weak = parts.clone().map(|part| {
        let text = fs::read_to_string(&part).unwrap();
        let (head, games) = text.split_once('\n').unwrap();
        let games = games.replace("\"strong\"", "\"x\"").replace("\"weak\"", "\"strong\"");
        fs::write(&part, format!("{head}\n{}", games.replace("\"x\"", "\"weak\""))).unwrap();
        part
    });
    let told = succeed(&mut zermelo(&["--merge", &weak[1], &weak[0], "--verdict"]));
    let other = verdict(&told);
    assert_eq!(other["decision"], json!("h0"));
    assert_eq!(other["wins"], found["losses"]);
    // Too few games say nothing; without a place the standings are told and nothing is written.
    let told = succeed(&mut zermelo(&["--merge", &weak[0], "--verdict"]));
    assert!(told.contains(", not decided\n"), "{told}");
    assert_eq!(verdict(&told)["decision"], Value::Null);
    assert!(verdict(&told)["llr"].as_f64().unwrap() < 0.0, "{told}");
    let error = fail(of_words(TEST).arg("--verdict"), 2);
    assert!(error.contains("--verdict needs --merge FILE... or --rescore FILE"), "{error}");
}

#[test]
fn a_plan_tells_what_there_is_to_divide() {
    let folder = Folder::new("plan");
    let file = |name: &str| folder.file(name);
    let (record, json, page, log) = (file("games"), file("json"), file("page"), file("log"));
    let stderr = format!("stderr={log}");
    let files = ["--record", &record, "--json", &json, "--report", &page];
    let engine = ["--engine", "name=d", &stderr];
    let plan = |command: &mut Command| {
        let told = succeed(command);
        assert_eq!(told.lines().count(), 1, "{told}");
        assert!(told.starts_with("{\"schema\":1,\"games\":"), "{told}");
        let (_, rest) = told.split_once(",\"divisible\":").unwrap();
        assert!(rest.contains("e,\"head\":\"{\\\"type\\\":\\\"tournament"), "{told}");
        serde_json::from_str::<Value>(&told).unwrap()
    };
    let found = plan(play(&engine).args(files).arg("--plan"));
    assert_eq!(fs::read_dir(file("")).unwrap().count(), 0, "nothing is touched");
    assert_eq!(found["schema"], json!(1));
    assert_eq!((&found["games"], &found["divisible"]), (&json!(36), &json!(true)));
    let game = ["--only", "36", "--record", &record, "--json", &json];
    succeed(play(&engine).args(game));
    let head = fs::read_to_string(&json).unwrap().lines().next().unwrap().to_owned();
    assert_eq!(found["head"], json!(head));
    // The record says the same.
    let text = fs::read_to_string(&record).unwrap();
    assert_eq!(text.lines().next().unwrap(), format!("% zermelo-match {head}"));
    let resumed = plan(&mut zermelo(&["--resume", "--record", &record, "--plan"]));
    assert_eq!(resumed, found);
    assert_eq!(fs::read_to_string(&record).unwrap(), text);
    let longer = plan(&mut zermelo(&["--resume", "--record", &record, "--plan", "--rounds", "5"]));
    assert_eq!(longer["games"], json!(60));
    for (format, games) in [("gauntlet", json!(12)), ("swiss", json!(6)), ("knockout", Value::Null)]
    {
        let found = plan(&mut play(&["--plan", "--tournament", format]));
        assert_eq!(found["games"], games);
        assert_eq!(found["divisible"], json!(format == "gauntlet"));
    }
    for (words, message) in [
        (["--plan", "--openings", "random=many"], "\"many\" for random"),
        (["--plan", "--openings", "file=/nowhere"], "cannot read the openings in /nowhere"),
        (["--plan", "--sprt", "elo0=1"], "expected both elo0= and elo1="),
        (["--plan", "--engine", "name=a"], "two engines are named \"a\""),
        (["--plan", "--resume", "--seed=4"], "--resume needs --record FILE"),
    ] {
        let mut command = play(&words);
        if words[1] == "--openings" {
            // Only one such group is read: the last.
            command = zermelo(&["--engine", "name=a", "--engine", "name=b", "--each", "nodes=1"]);
            command.args(words);
        } else if words[1] == "--resume" {
            command = zermelo(&words);
        }
        let error = fail(&mut command, 2);
        assert!(error.contains(message), "{error}");
    }
}

/// A merged record takes the place of nothing that is read or written.
#[test]
fn what_is_read_is_not_replaced() {
    let folder = Folder::new("merge-places");
    let (part, alias) = (folder.file("part"), folder.file("../merge-places/part"));
    succeed(&mut play(&["--only", "1-2", "--record", &part]));
    let text = fs::read(&part).unwrap();
    let (out, missing) = (folder.file("out"), folder.file("no/such"));
    for (words, code, message) in [
        (["--record", &alias, "--json", &out], 2, "--merge and --record are the same file"),
        (["--json", &part, "--record", &out], 2, "--merge and --json are the same file"),
        (["--record", &out, "--json", &out], 2, "--record and --json are the same file"),
        (["--record", &out, "--json", &missing], 2, "its folder does not exist"),
        (["--record", "/dev/null", "--json", &out], 2, "not a regular file"),
    ] {
        let error = fail(zermelo(&["--merge", &part]).args(words), code);
        assert!(error.contains(message), "{error}");
        assert!(!fs::exists(&out).unwrap());
    }
    assert_eq!(fs::read(&part).unwrap(), text);
    for words in [["--rescore", &part], ["--engine", "name=a"], ["--only", "1"]] {
        let error = fail(zermelo(&["--merge", &part]).args(words), 2);
        assert!(error.contains("cannot be used with"), "{error}");
    }
    // While a match writes to it, it is not replaced; a part may be read meanwhile.
    let mut runner = of_words(&THREE.replace("--rounds 3", "--rounds 10000"));
    let mut runner = runner.args(["--record", &out]).stdout(Stdio::null()).spawn().unwrap();
    while !fs::exists(&out).unwrap() || read(&out).is_empty() {
        assert!(runner.try_wait().unwrap().is_none());
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let refused = zermelo(&["--merge", &part, "--record", &out]).output().unwrap();
    let looked_at = zermelo(&["--merge", &out]).output().unwrap();
    runner.kill().unwrap();
    runner.wait().unwrap();
    let error = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(error.contains("is being written by another run"), "{error}");
    assert!(looked_at.status.success(), "{looked_at:?}");
}
