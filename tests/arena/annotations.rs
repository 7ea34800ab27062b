//! What moves were worth.

use std::fs;
use std::process::Command;

use zermelo::arena::record::{MoveRecord, MoveValue};
use zermelo::games::{PongHauKi, TixTax};
use zermelo::rules::{ExactValue, Game, Record};
use zermelo::solve::reference::negamax;

use super::{Folder, read, succeed, zermelo};

fn annotate(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zermelo"));
    command.arg("annotate").args(arguments);
    command
}

fn game(name: &str, moves: &str) -> String {
    format!("[Game \"{name}\"]\n[White \"a\"]\n[Black \"b\"]\n\n{moves}\n\n")
}

/// The facts of tic-tac-toe: an edge loses against a corner, and losing it back is a mistake too.
#[test]
fn the_move_that_threw_the_value_away_is_found() {
    let folder = Folder::new("blunders");
    let (record, output) = (folder.file("games.pgn"), folder.file("annotated.pgn"));
    let moves = "1. a3 {0.1s} b3 {0.1s} 2. c2 {0.1s} b2 {0.1s} 3. b1 {0.1s} a1 {0.1s} *";
    fs::write(&record, game("tictactoe", moves)).unwrap();
    let told = succeed(&mut annotate(&[&record, "--output", &output]));
    assert_eq!(told, "game 0: ply 2 b3 threw the value away: loss 6 instead of draw\n");
    let game = read(&output).remove(0);
    let seen: Vec<(ExactValue, ExactValue, bool)> = game
        .moves
        .iter()
        .map(|mv| match (mv.value, mv.best) {
            (Some(MoveValue::Proven(worth)), Some(MoveValue::Proven(best))) => {
                (worth, best, mv.is_blunder())
            }
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(seen[0], (ExactValue::Draw, ExactValue::Draw, false));
    assert_eq!(seen[1], (ExactValue::Loss(6), ExactValue::Draw, true));
    assert_eq!(seen[2], (ExactValue::Draw, ExactValue::Win(5), true));
    assert!(seen[3..].iter().all(|(worth, best, thrown)| worth == best && !thrown), "{seen:?}");
    let text = fs::read_to_string(&output).unwrap();
    assert_eq!(text.matches("$4").count(), 2);
    // In place, and as JSON on stdout.
    succeed(&mut annotate(&[&record, "--output", &record]));
    assert_eq!(fs::read_to_string(&record).unwrap(), text);
    let json = succeed(&mut annotate(&[&record, "--json"]));
    assert!(json.contains("\"worth\":\"loss 6\",\"best\":\"draw\""), "{json}");
}

/// Where repetition counts, it counts here too: the third occurrence is a draw.
#[test]
fn a_repetition_is_worth_a_draw() {
    let folder = Folder::new("repetition");
    let record = folder.file("games.pgn");
    let mut play = Record::new(PongHauKi::start());
    let mut text = String::new();
    while play.outcome().is_none() {
        let mv = play.legal_moves()[0];
        play.push(mv).unwrap();
        text += &format!("{mv} {{0.1s}} ");
    }
    fs::write(&record, game("ponghauki", &format!("{text}*"))).unwrap();
    succeed(&mut annotate(&[&record, "--output", &record]));
    let last = read(&record).remove(0).moves.pop().unwrap();
    let value = play.outcome().map(|outcome| ExactValue::finished(outcome, play.position().side()));
    assert_eq!(last.value, value.map(|exact| MoveValue::Proven(exact.before_move())));
}

/// Late in a game of TixTax everything is proven, and right; early it is judged.
#[test]
fn what_is_proven_is_true() {
    let folder = Folder::new("tixtax");
    let record = folder.file("games.pgn");
    let play = [
        "--engine",
        "name=a",
        "option.Searcher=random",
        "--engine",
        "name=b",
        "option.Searcher=random",
        "option.Seed=8",
        "--each",
        "nodes=1",
        "--rounds",
        "4",
        "--openings",
        "random=8",
        "--record",
        &record,
    ];
    succeed(&mut zermelo(&play));
    succeed(&mut annotate(&[&record, "--output", &record, "--time", "0.02"]));
    // The record can still be resumed.
    succeed(&mut zermelo(&["--resume", "--record", &record]));
    let games = read(&record);
    assert_eq!(games.len(), 8);
    let (mut checked, mut thrown) = (0, 0);
    for game in games {
        let mut position = Record::new(game.fen.parse::<TixTax>().unwrap());
        assert!(matches!(game.moves[0].value, Some(MoveValue::Estimated(_))));
        for (ply, mv) in game.moves.iter().enumerate() {
            let MoveRecord { value: worth, best, .. } = mv;
            let before = *position.position();
            position.push_text(&mv.mv).unwrap();
            // The plain search is the judge as soon as it can be.
            if before.max_plies_left().unwrap() <= 10 {
                checked += 1;
                let is_value = |worth: &Option<MoveValue>, value: ExactValue| match worth {
                    Some(MoveValue::Proven(exact)) => exact.value() == value.value(),
                    _ => false,
                };
                let value = negamax(position.position()).before_move();
                assert!(is_value(worth, value), "{} {ply}: {worth:?} {value}", game.fen);
                let value = negamax(&before);
                assert!(is_value(best, value), "{} {ply}: {best:?} {value}", game.fen);
                thrown += usize::from(mv.is_blunder());
            }
        }
    }
    assert!(checked >= 10 && thrown > 0, "{checked} {thrown}");
}

/// One game of a record is annotated in place, whatever the record is called.
#[test]
fn the_other_games_stay() {
    let folder = Folder::new("only");
    let record = folder.file("games.pgn");
    let text = game("nim", "1. c1c4 {0.1s} *") + &game("nim", "1. c1c3 {0.1s} *");
    let text = text.replacen("[White", "[Number \"7\"]\n[White", 1);
    fs::write(&record, text).unwrap();
    let alias = folder.file("../only/./games.pgn");
    succeed(&mut annotate(&[&record, "--only", "7", "--output", &alias]));
    let none = annotate(&[&record, "--only", "9"]).output().unwrap();
    assert_eq!(none.status.code(), Some(2));
    let told = String::from_utf8_lossy(&none.stderr).into_owned();
    assert!(told.contains("it holds no game 9"), "{told}");
    let games = read(&record);
    let worths: Vec<bool> = games.iter().map(|game| game.moves[0].value.is_some()).collect();
    assert_eq!(worths, [true, false]);
}

/// Lines of JSON are annotated as the same games in text, and stay lines of JSON.
#[test]
fn lines_of_json_are_annotated_too() {
    let folder = Folder::new("annotated-json");
    let (record, json) = (folder.file("games.pgn"), folder.file("games.json"));
    let words = ["--game", "nim", "--engine", "name=a", "--engine", "name=b", "--each", "nodes=1"];
    succeed(zermelo(&words).args(["--record", &record, "--json", &json]));
    succeed(&mut annotate(&[&json, "--output", &json]));
    let text = succeed(&mut annotate(&[&record, "--json"]));
    assert_eq!(fs::read_to_string(&json).unwrap(), text);
    assert!(text.contains("\"worth\""), "{text}");
    fs::write(&json, text.replace("\"schema\"", "\"scheme\"")).unwrap();
    assert_eq!(annotate(&[&json]).output().unwrap().status.code(), Some(2));
}
