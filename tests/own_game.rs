//! A game of another crate, tests/hexapawn.rs, has the whole program.

use std::process::{Command, Output};

use crate::common::{Client, Folder, example, lines};

fn hexapawn() -> Command {
    Command::new(example("hexapawn", "hexapawn.rs"))
}

fn run(arguments: &[&str]) -> Output {
    hexapawn().args(arguments).output().unwrap()
}

/// The lines that a command prints if it succeeds.
fn printed(arguments: &[&str]) -> Vec<String> {
    let output = run(arguments);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {message}");
    lines(&output.stdout).into_iter().map(str::to_owned).collect()
}

#[test]
fn a_session_plays_it_and_offers_no_other_game() {
    let mut client = Client::from_command(&mut hexapawn());
    client.send("uci");
    let options = client.until("uciok");
    let variant = "option name UCI_Variant type combo default hexapawn var hexapawn";
    assert!(options.iter().any(|line| line == variant), "{options:?}");
    client.send("position startpos moves a1a2");
    assert_eq!(client.ask("legal"), ["b3a2 b3b2 c3c2"]);
    let answer = client.go("depth 3");
    assert_eq!(answer[0], "info string proven win in 3");
    client.send("position startpos moves a1a3");
    assert!(client.line().contains("illegal move \"a1a3\""));
}

#[test]
fn it_is_solved_by_its_size() {
    let solved = printed(&["solve", "--fen", "startpos"]);
    assert_eq!(solved.last().unwrap().split_whitespace().next(), Some("loss"), "{solved:?}");
    assert_eq!(printed(&["perft", "2"]).len(), 1);
    let puzzles = printed(&["puzzles", "--count", "2"]);
    assert!(puzzles.iter().filter(|line| line.contains('/')).count() >= 2, "{puzzles:?}");
}

#[test]
fn openings_and_the_analysis_need_no_text_about_it() {
    let openings = printed(&["openings", "--count", "3", "--plies", "1"]);
    assert_eq!(openings.iter().filter(|line| line.ends_with(" o")).count(), 3, "{openings:?}");
    let about = printed(&["analyze", "hexapawn"]);
    assert!(about.iter().any(|line| line.contains("hexapawn")), "{about:?}");
    let fen = "ooo/x../.xx o";
    let position = printed(&["analyze", "hexapawn", "--fen", fen]);
    assert!(position.iter().any(|line| line.contains("b3a2")), "{position:?}");
}

#[test]
fn a_match_is_refereed_recorded_and_reviewed() {
    let folder = Folder::new("own-game");
    let record = folder.path("games.pgn");
    let engines = "--engine name=exact --engine name=random option.Searcher=random";
    let command = format!(
        "match {engines} --each nodes=100 --rounds 2 --openings random=2 balanced=false --record {record}"
    );
    printed(&command.split(' ').collect::<Vec<_>>());
    let reviewed = printed(&["review", &record]);
    assert!(reviewed.iter().any(|line| line.contains("random")), "{reviewed:?}");
}

#[test]
fn rules_that_contradict_themselves_are_an_error() {
    let mut client = Client::from_command(hexapawn().env("BROKEN_HEXAPAWN", "1"));
    client.send("position fen .../o../x.. x");
    client.send("go depth 3");
    let answer = client.line();
    assert!(answer.contains("neither a legal move nor a result at \".../o../x.. x\""), "{answer}");
    client.send("position startpos");
    assert_eq!(client.ask("legal"), ["a1a2 b1b2 c1c2"]);
}
