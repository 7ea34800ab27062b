//! Failures of the environment: no memory, a full disk, unwritable paths, few cores, many engines, signals. Each
//! gets a clear message and the documented exit code, and no finished work is lost.
#![cfg(target_os = "linux")]

#[path = "../common/mod.rs"]
mod common;

mod files;
mod interruptions;
mod load;
mod memory;
mod pauses;

use std::collections::BTreeMap;
use std::fs;
use std::io::BufReader;
use std::process::{Command, Output, Stdio};

use common::ZERMELO;
use zermelo::records::GameReader;
use zermelo::records::GameRecord;
use zermelo::rules::Outcome;

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

fn match_arguments<'a>(record: &'a str, json: &'a str) -> Vec<&'a str> {
    let pair = ["--engine", "name=a", "--engine", "name=b", "option.Seed=3"];
    let mut words = vec!["match", "--game", "tictactoe", "--each", "nodes=50"];
    words.extend(["option.Searcher=mcts", "--openings", "random=2", "--rounds", "20"]);
    words.extend(pair);
    words.extend(["--record", record, "--jsonl", json]);
    words
}

fn games_in(file: &str) -> usize {
    fs::read_to_string(file).map_or(0, |text| text.matches("[Game ").count())
}

/// The FEN, moves and result of each game, by number.
fn games_of(file: &str) -> BTreeMap<u32, (String, Vec<String>, Option<Outcome>)> {
    let games = GameReader::new(BufReader::new(fs::File::open(file).unwrap())).map(Result::unwrap);
    let moves = |game: &GameRecord| game.moves.iter().map(|mv| mv.mv.clone()).collect();
    games.map(|game| (game.number, (game.fen.clone(), moves(&game), game.result))).collect()
}

fn child_count(process: u32) -> usize {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let children =
        threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    children.map(|children| children.split_whitespace().count()).sum()
}
