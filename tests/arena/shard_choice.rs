//! `--game-range` chooses the games of a shard, and `--dry-run` describes the tournament to choose from.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use super::shards::{THREE, numbers, play, timeless};
use super::{Folder, fail, read, succeed, typed, zermelo};

/// The last of equal shards may have nothing to play.
#[test]
fn shard_beyond_the_last_game_is_empty_and_can_be_merged() {
    let folder = Folder::new("shards-empty");
    let [games, empty, out] = ["games", "empty", "out"].map(|name| folder.path(name));
    succeed(&mut play(&["--game-range", "1-18", "--record", &games]));
    let stdout = succeed(&mut play(&["--game-range", "19-60", "--record", &empty]));
    assert!(stdout.contains("it ends before game 19, nothing to play\n"), "{stdout}");
    succeed(&mut zermelo(&["--merge", &games, &empty, "--record", &out]));
    assert_eq!(numbers(&out), (1..=18).collect::<Vec<_>>());
}

#[test]
fn only_accepts_games_of_the_schedule() {
    let folder = Folder::new("only");
    let record = folder.path("games");
    for (only, message) in [
        (
            "7-5",
            "\"7-5\" for --game-range ends before it begins, expected FROM-TO within the games",
        ),
        ("0", "expected FROM-TO or FROM, numbers of games from 1"),
        ("0-4", "expected FROM-TO or FROM, numbers of games from 1"),
        ("4-", "expected FROM-TO or FROM, numbers of games from 1"),
        ("two", "\"two\" for --game-range, expected FROM-TO or FROM"),
        ("1-99999999999", "expected FROM-TO or FROM, numbers of games from 1"),
    ] {
        let error = fail(&mut play(&["--game-range", only, "--record", &record]), 2);
        assert!(error.contains(message), "{only}\n{error}");
    }
    assert!(!fs::exists(&record).unwrap());
    succeed(&mut play(&["--game-range", "18", "--tournament", "roundrobin", "--record", &record]));
    assert_eq!(numbers(&record), [18]);
    // Also in a gauntlet with an odd number of games per encounter.
    let gauntlet = |more: &[&str], name: &str| {
        let record = folder.path(name);
        let format = ["--tournament", "gauntlet", "--no-repeat", "--record", &record];
        succeed(typed(&THREE.replace("--games 2", "--games 3")).args(format).args(more));
        read(&record).into_iter().map(timeless).collect::<Vec<_>>()
    };
    let whole = gauntlet(&[], "whole");
    assert_eq!(whole.len(), 18);
    assert_eq!(gauntlet(&["--game-range", "8-12"], "part"), whole[7..12]);
    for words in
        [["--game-range", "1", "--dry-run", ""], ["--game-range", "1", "--check-record", "x"]]
    {
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        let error = fail(&mut zermelo(&words), 2);
        assert!(error.contains("cannot be used with"), "{error}");
    }
}

#[test]
fn plan_describes_the_tournament() {
    let folder = Folder::new("plan");
    let file = |name: &str| folder.path(name);
    let (record, json, page, log) = (file("games"), file("json"), file("page"), file("log"));
    let stderr = format!("stderr={log}");
    let files = ["--record", &record, "--jsonl", &json, "--report", &page];
    let engine = ["--engine", "name=d", &stderr];
    let plan = |command: &mut Command| {
        let stdout = succeed(command);
        assert_eq!(stdout.lines().count(), 1, "{stdout}");
        assert!(stdout.starts_with("{\"schema\":1,\"games\":"), "{stdout}");
        let (_, rest) = stdout.split_once(",\"head\":").unwrap();
        assert!(rest.starts_with("\"{\\\"type\\\":\\\"tournament"), "{stdout}");
        serde_json::from_str::<Value>(&stdout).unwrap()
    };
    let found = plan(play(&engine).args(files).arg("--dry-run"));
    assert_eq!(fs::read_dir(file("")).unwrap().count(), 0, "no files are created");
    assert_eq!(found["schema"], json!(1));
    assert_eq!(found["games"], json!(36));
    let game = ["--game-range", "36", "--record", &record, "--jsonl", &json];
    succeed(play(&engine).args(game));
    let head = fs::read_to_string(&json).unwrap().lines().next().unwrap().to_owned();
    assert_eq!(found["head"], json!(head));
    // The record has the same header.
    let text = fs::read_to_string(&record).unwrap();
    assert_eq!(text.lines().next().unwrap(), format!("% zermelo-match {head}"));
    let resumed = plan(play(&engine).args(files).arg("--dry-run"));
    assert_eq!(resumed, found);
    assert_eq!(fs::read_to_string(&record).unwrap(), text);
    let longer = THREE.replace("--rounds 3", "--rounds 5");
    let longer = plan(typed(&longer).args(engine).arg("--dry-run"));
    assert_eq!(longer["games"], json!(60));
    let found = plan(&mut play(&["--dry-run", "--tournament", "gauntlet"]));
    assert_eq!(found["games"], json!(12));
    for (words, message) in [
        (["--dry-run", "--openings", "random=many"], "\"many\" for random"),
        (["--dry-run", "--openings", "file=/nowhere"], "cannot read the openings in /nowhere"),
        (["--dry-run", "--sprt", "elo0=1"], "expected both elo0= and elo1="),
        (["--dry-run", "--engine", "name=a"], "two engines are named \"a\""),
    ] {
        let mut command = play(&words);
        if words[1] == "--openings" {
            // Only the last group with a flag is read.
            command = zermelo(&["--engine", "name=a", "--engine", "name=b", "--each", "nodes=1"]);
            command.args(words);
        }
        let error = fail(&mut command, 2);
        assert!(error.contains(message), "{error}");
    }
}
