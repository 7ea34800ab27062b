//! A tournament played in shards gives the same games as a single run.

use std::fs;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use zermelo::records::{GameRecord, Seconds};

use super::{Folder, NO_FILE, fail, read, succeed, typed, zermelo};

/// A round robin of three: 18 games in three rounds, reproducible on any machine.
pub(super) const THREE: &str = "--engine name=a --engine name=b option.Searcher=mcts \
                     --engine name=c option.Searcher=random --each nodes=60 \
                     --openings random=6 --games 2 --seed 5 --rounds 3 --recover";

/// An SPRT that is decided within 40 games of tic-tac-toe.
const SPRT: &str = "--game tictactoe --engine name=strong --engine name=weak \
                    option.Searcher=random --each nodes=50 --openings random=1 --rounds 20 \
                    --sprt elo0=-100 elo1=100 --recover";

pub(super) fn play(more: &[&str]) -> Command {
    let mut command = typed(THREE);
    command.args(more);
    command
}

pub(super) fn numbers(path: &str) -> Vec<u32> {
    read(path).iter().map(|game| game.number).collect()
}

/// Removes times and dates from a game.
pub(super) fn timeless(mut game: GameRecord) -> GameRecord {
    game.started = 0;
    for mv in &mut game.moves {
        mv.time = Seconds::default();
    }
    game
}

/// Returns the text of a record without times and dates.
fn timeless_text(path: &str) -> String {
    let text = fs::read_to_string(path).unwrap();
    let headers = text.lines().filter(|line| line.starts_with('%')).map(|line| format!("{line}\n"));
    let games = read(path);
    let first = text.lines().next().unwrap();
    let whole: String = games.iter().map(GameRecord::to_pgn).collect();
    if text.matches('%').count() == 1 {
        assert_eq!(text, format!("{first}\n\n{whole}"), "unexpected content");
    }
    let games = games.into_iter().map(|game| timeless(game).to_pgn());
    headers.chain(games).collect()
}

/// Returns JSON lines without times and dates.
fn timeless_lines(path: &str) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    let (head, games) = text.split_once('\n').unwrap();
    let read = |line| timeless(serde_json::from_str(line).unwrap());
    let games = games.lines().map(read).map(|game| serde_json::to_value(game).unwrap());
    std::iter::once(serde_json::from_str(head).unwrap()).chain(games).collect()
}

/// Merges three shards, one of them JSON and one truncated and resumed.
#[test]
fn merged_shards_equal_the_record_of_one_run() {
    let folder = Folder::new("shards");
    let file = |name: &str| folder.path(name);
    let (whole, whole_json) = (file("whole.pgn"), file("whole.json"));
    succeed(&mut play(&["--record", &whole, "--jsonl", &whole_json]));
    assert_eq!(numbers(&whole), (1..=18).collect::<Vec<_>>());

    let (first, second, third) = (file("first.pgn"), file("second.json"), file("third.pgn"));
    succeed(&mut play(&["--game-range", "1-5", "--record", &first]));
    let stdout = succeed(&mut play(&["--game-range", "6-11", "--jsonl", &second]));
    assert!(stdout.contains("3 rounds of 2 games, of which games 6-11, 6 in total\n"), "{stdout}");
    assert!(stdout.contains("game 6: ") && stdout.contains("game 11: "), "{stdout}");
    assert!(!stdout.contains("game 5: ") && !stdout.contains("game 12: "), "{stdout}");
    // A range beyond the last game is clipped.
    let last = ["--game-range", "12-999", "--record", &third];
    succeed(&mut play(&last));
    let text = fs::read(&third).unwrap();
    let whole_text = String::from_utf8(text.clone()).unwrap();
    let cut = whole_text.match_indices("[Game ").nth(3).unwrap().0 + 400;
    fs::write(&third, &text[..cut]).unwrap();
    assert_eq!(numbers(&third), [12, 13, 14]);
    let stdout = succeed(&mut play(&["--game-range", "12-18", "--record", &third]));
    assert!(stdout.contains("of which games 12-18, 7 in total; 3 already played"), "{stdout}");
    assert_eq!(numbers(&third), (12..=18).collect::<Vec<_>>());
    // The same file takes another shard.
    let stdout = succeed(&mut play(&["--game-range", "11-13", "--record", &third]));
    assert!(stdout.contains("of which games 11-13, 3 in total; 2 already played"), "{stdout}");

    let (out, out_json, page) = (file("out.pgn"), file("out.json"), file("out.html"));
    // An existing file is replaced.
    fs::write(&out, "an older record\n").unwrap();
    let to = ["--record", &out, "--jsonl", &out_json, "--report", &page];
    let stdout = succeed(zermelo(&["--merge", &third, &first, &second]).args(to));
    assert_eq!(timeless_text(&out), timeless_text(&whole));
    assert_eq!(timeless_lines(&out_json), timeless_lines(&whole_json));
    assert!(fs::read_to_string(&page).unwrap().contains("round robin of 3 engines"));
    let crosstable = |stdout: &str| {
        let (_, rest) = stdout.split_once("points of row against column").unwrap();
        rest.to_owned()
    };
    let rescored = succeed(&mut zermelo(&["--check-record", &whole]));
    assert_eq!(crosstable(&stdout), crosstable(&rescored));

    // Both records can be extended in the same way.
    let longest = || typed(&THREE.replace("--rounds 3", "--rounds 4"));
    for record in [&out, &whole] {
        succeed(longest().args(["--record", record]));
    }
    assert_eq!(timeless_text(&out), timeless_text(&whole));
    assert_eq!(numbers(&out), (1..=24).collect::<Vec<_>>());
    // The greatest number of rounds counts, in any order of files.
    let (longer, shorter) = (file("longer.pgn"), file("shorter.pgn"));
    succeed(&mut zermelo(&["--merge", &out, &first, "--record", &longer]));
    succeed(&mut zermelo(&["--merge", &first, &out, "--record", &shorter]));
    assert_eq!(timeless_text(&longer), timeless_text(&shorter));
    let stdout = succeed(longest().args(["--record", &longer]));
    assert!(stdout.contains("4 rounds of 2 games, 24 in total; 24 already played"), "{stdout}");
}

/// A game in two shards is taken from the first; conflicting versions are rejected.
#[test]
fn overlapping_shards_must_agree() {
    let folder = Folder::new("overlap");
    let (first, second, out) = (folder.path("first"), folder.path("second"), folder.path("out"));
    succeed(&mut play(&["--game-range", "3-6", "--record", &first]));
    succeed(&mut play(&["--game-range", "5-9", "--jsonl", &second]));
    let merge = |first: &str, second: &str| {
        let mut command = zermelo(&["--merge", first, second, "--record", &out]);
        command.args(["--summary-json"]);
        command
    };
    // Search information may differ.
    let known = fs::read_to_string(&first).unwrap();
    fs::write(&first, known.replace(" nodes}", "7 nodes}")).unwrap();
    let output = merge(&first, &second).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(stderr, "zermelo: missing games: 1-2\n");
    let stdout = String::from_utf8(output.stdout).unwrap();
    let verdict = stdout.lines().last().unwrap();
    assert_eq!(
        verdict,
        "{\"schema\":1,\"games\":7,\"wins\":null,\"draws\":null,\"losses\":null,\"llr\":null,\
         \"decision\":null,\"distinct\":7,\"stopped\":null}"
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
        let line = zermelo::records::RecordFormat::Json.game(&other);
        let old = zermelo::records::RecordFormat::Json.game(&game);
        assert!(lines.contains(&old));
        lines.replace(&old, &line)
    };
    let conflicts = [
        ("players", altered(&|game| game.players.reverse())),
        ("start position", altered(&|game| game.fen.push('0'))),
        ("moves", altered(&|game| drop(game.moves.pop()))),
        ("result", altered(&|game| game.result = None)),
    ];
    for (what, text) in conflicts {
        fs::write(&second, &text).unwrap();
        let error = fail(&mut merge(&first, &second), 2);
        let expected =
            format!("game 5 differs between {first} and {second}: not the same {what}; leave out");
        assert!(error.contains(&expected), "{error}\n{expected}");
        // A file can conflict with itself.
        fs::write(&second, text + lines.lines().nth(1).unwrap() + "\n").unwrap();
        let error = fail(&mut merge(&second, &second), 2);
        assert!(
            error.contains(&format!("between {second} and {second}: not the same {what}")),
            "{error}"
        );
    }
    assert_eq!(fs::read(&out).unwrap(), before, "unchanged");
}

#[test]
fn shards_of_other_tournaments_are_rejected() {
    let folder = Folder::new("other-shards");
    let (first, out) = (folder.path("first"), folder.path("out"));
    succeed(&mut play(&["--game-range", "1", "--record", &first]));
    assert_eq!(numbers(&first), [1]);
    for (more, what) in [
        (["--game-range", "2", "--seed", "6"], "(seed: 6 in the former, 5 in the latter)"),
        (
            ["--game-range", "2", "--maxmoves", "9"],
            "(maximum length of a game: 9 moves in the former, none in the latter)",
        ),
    ] {
        let other = folder.path(more[3]);
        let rest = if more[2] == "--seed" { "--seed 5" } else { "" };
        let mut command = typed(&THREE.replace(rest, ""));
        succeed(command.args(more).args(["--record", &other]));
        let error = fail(&mut zermelo(&["--merge", &first, &other, "--record", &out]), 2);
        let named = format!("{other} and {first} are records of different tournaments {what}");
        assert!(error.contains(&named), "{error}\n{named}");
        let error = fail(&mut zermelo(&["--merge", &other, &first, "--record", &out]), 2);
        assert!(
            error.contains(&format!("{first} and {other} are records of different tournaments")),
            "{error}"
        );
    }
    // Other settings may differ; the last file counts.
    let other = folder.path("free");
    succeed(&mut play(&["--game-range", "2", "--reply-timeout", "7", "--record", &other]));
    succeed(&mut zermelo(&["--merge", &first, &other, "--record", &out]));
    assert!(fs::read_to_string(&out).unwrap().contains("\"timeouts\":[7.0,600.0]"));
    let error = fail(&mut zermelo(&["--merge", &first, &folder.path("none")]), 2);
    assert!(error.contains("cannot open ") && error.contains("none"), "{error}");
    let diary = folder.path("diary");
    fs::write(&diary, "my diary\n").unwrap();
    let error = fail(&mut zermelo(&["--merge", &first, &diary]), 2);
    assert!(error.contains("diary is not a tournament record: its first line"), "{error}");
}

/// Incomplete games are left out; the files are not changed.
#[test]
fn truncated_and_empty_shards_add_complete_games() {
    let folder = Folder::new("truncated-shards");
    let (text, json, out) = (folder.path("text"), folder.path("json"), folder.path("out"));
    succeed(&mut play(&["--game-range", "1-4", "--record", &text, "--jsonl", &json]));
    let cut_out = folder.path("cut");
    for path in [&text, &json] {
        let whole = fs::read(path).unwrap();
        let head = whole.iter().position(|byte| *byte == b'\n').unwrap();
        for cut in (head + 1..whole.len()).step_by(1999).chain([head + 1]) {
            fs::write(&cut_out, &whole[..cut]).unwrap();
            let output = zermelo(&["--merge", &cut_out, "--record", &out]).output().unwrap();
            assert!(output.status.success(), "cut at {cut}: {output:?}");
            assert_eq!(fs::read(&cut_out).unwrap().len(), cut);
            let started =
                String::from_utf8_lossy(&whole[..cut]).matches("schema\":1,\"number").count();
            let started =
                started.max(String::from_utf8_lossy(&whole[..cut]).matches("[Game ").count());
            let found = read(&out).len();
            assert!(found == started || found + 1 == started, "cut at {cut}: {found} of {started}");
        }
        // A file without a complete header is skipped with a message.
        for cut in [0, 1, head] {
            fs::write(&cut_out, &whole[..cut]).unwrap();
            let output = zermelo(&["--merge", &cut_out, &text, "--record", &out]).output().unwrap();
            assert!(output.status.success(), "cut at {cut}: {output:?}");
            let stderr = String::from_utf8(output.stderr).unwrap();
            assert!(stderr.contains("cut: no complete header, skipped"), "{stderr}");
            assert_eq!(read(&out).len(), 4);
            let error = fail(&mut zermelo(&["--merge", &cut_out, "--record", &out]), 2);
            assert!(error.contains("no file has a complete header"), "{error}");
        }
    }
}

/// A shard ignores the SPRT; the merged record decides it.
#[test]
fn sprt_is_decided_over_all_shards() {
    let folder = Folder::new("shards-sprt");
    let (whole, out) = (folder.path("whole"), folder.path("out"));
    succeed(typed(SPRT).args(["--record", &whole]));
    let decided = read(&whole).len();
    assert!((4..40).contains(&decided), "{decided}");
    let shards = ["1-4", "5-40"].map(|only| {
        let record = folder.path(only);
        for _ in 0..2 {
            let stdout = succeed(typed(SPRT).args(["--game-range", only, "--record", &record]));
            assert!(!stdout.contains("SPRT") && !stdout.contains("LLR"), "{stdout}");
        }
        record
    });
    assert_eq!(shards.each_ref().map(|shard| read(shard).len()), [4, 36]);
    let verdict = |stdout: &str| {
        let line = stdout.lines().last().unwrap();
        let keys: Vec<&str> = line.split('"').skip(1).step_by(2).collect();
        let expected = ["schema", "games", "wins", "draws", "losses", "llr", "decision"];
        assert_eq!(keys[..7], expected);
        serde_json::from_str::<Value>(line).unwrap()
    };
    let merge = ["--record", &out, "--summary-json"];
    let stdout = succeed(zermelo(&["--merge", &shards[0], &shards[1]]).args(merge));
    assert!(stdout.contains(&format!("after {decided} games, H1 accepted")), "{stdout}");
    let found = verdict(&stdout);
    assert_eq!((&found["schema"], &found["games"]), (&json!(1), &json!(40)));
    assert_eq!(found["decision"], json!("h1"));
    assert!(found["llr"].as_f64().unwrap() >= 2.94, "{found}");
    let results = ["wins", "draws", "losses"].map(|name| found[name].as_u64().unwrap());
    assert_eq!(results.iter().sum::<u64>(), 40);
    assert!(results[0] > results[2], "strong is the first: {found}");
    let rescored = succeed(&mut zermelo(&["--check-record", &out, "--summary-json"]));
    assert_eq!(verdict(&rescored), found);
    // Too few games decide nothing; without output files only the standings are printed.
    let stdout = succeed(&mut zermelo(&["--merge", &shards[0], "--summary-json"]));
    assert!(
        stdout.contains("\nSPRT of strong against weak, normalized Elo -100 or 100: "),
        "{stdout}"
    );
    assert!(stdout.contains(", undecided\n"), "{stdout}");
    assert_eq!(verdict(&stdout)["decision"], Value::Null);
    assert!(verdict(&stdout)["llr"].as_f64().unwrap() > 0.0, "{stdout}");
    let error = fail(typed(SPRT).arg("--summary-json"), 2);
    assert!(error.contains("--check-record") && error.contains("--merge"), "{error}");
}

/// --merge does not overwrite its inputs or a record that a match is writing.
#[test]
fn merge_does_not_overwrite_inputs() {
    let folder = Folder::new("merge-places");
    let (part, alias) = (folder.path("part"), folder.alias("part"));
    succeed(&mut play(&["--game-range", "1-2", "--record", &part]));
    let text = fs::read(&part).unwrap();
    let (out, missing) = (folder.path("out"), folder.path("no/such"));
    for (words, code, message) in [
        (["--record", &alias, "--jsonl", &out], 2, "--merge and --record are the same file"),
        (["--jsonl", &part, "--record", &out], 2, "--merge and --jsonl are the same file"),
        (["--record", &out, "--jsonl", &out], 2, "--record and --jsonl are the same file"),
        (["--record", &out, "--jsonl", &missing], 2, "its folder does not exist"),
        (["--record", NO_FILE, "--jsonl", &out], 2, "not a regular file"),
    ] {
        let error = fail(zermelo(&["--merge", &part]).args(words), code);
        assert!(error.contains(message), "{error}");
        assert!(!fs::exists(&out).unwrap());
    }
    assert_eq!(fs::read(&part).unwrap(), text);
    for words in [["--check-record", &part], ["--engine", "name=a"], ["--game-range", "1"]] {
        let error = fail(zermelo(&["--merge", &part]).args(words), 2);
        assert!(error.contains("cannot be used with"), "{error}");
    }
    // A record that a match is writing is not replaced, but it can be read.
    let mut runner = typed(&THREE.replace("--rounds 3", "--rounds 10000"));
    let mut runner = runner.args(["--record", &out]).stdout(Stdio::null()).spawn().unwrap();
    while !fs::exists(&out).unwrap() || read(&out).is_empty() {
        assert!(runner.try_wait().unwrap().is_none());
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let refused = zermelo(&["--merge", &part, "--record", &out]).output().unwrap();
    let merged = zermelo(&["--merge", &out]).output().unwrap();
    runner.kill().unwrap();
    runner.wait().unwrap();
    let error = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(error.contains("is being written by another run"), "{error}");
    assert!(merged.status.success(), "{merged:?}");
}
