//! Commands about positions: random positions, notations, values, perft, repetition.

use zermelo::thinking::registry::games;

use super::client;
use crate::common::{Client, number_after};

#[test]
fn random_positions_come_from_their_seed() {
    for game in games() {
        let mut client = client(game.id);
        let start = client.ask_one("fen");
        client.send("position random 7");
        let first = client.ask_one("fen");
        assert_ne!(first, start, "{}", game.id);
        client.send("position random 8");
        let other = client.ask_one("fen");
        client.send("position random 7");
        assert_eq!(client.ask_one("fen"), first);
        assert_eq!(client.ask_one("query gameover"), "response false");
        client.send("position random 7 0");
        let bare = client.ask_one("fen");
        assert_eq!(bare != start, game.open().has_random_start(), "{}: {bare}", game.id);
        if game.id == "nim" {
            assert_ne!(first, other, "nim starts from random placements");
            assert_eq!(first, bare, "nim has no random plies by default");
        }
    }
}

/// A random game that ends early says so; the position before its end is set up.
#[test]
fn missing_plies_of_a_random_position_are_reported() {
    let mut client = client("tictactoe");
    for (plies, is_short) in [("4", false), ("9", true), ("1000", true)] {
        let answer = client.ask(&format!("position random 7 {plies}"));
        let words = format!(" of {plies} random plies: the next one would end the game");
        assert_eq!(answer.len(), usize::from(is_short), "{answer:?}");
        assert!(
            answer.iter().all(|line| line.starts_with("info string played only ")),
            "{answer:?}"
        );
        assert!(answer.iter().all(|line| line.ends_with(&words)), "{answer:?}");
        let fen = client.ask_one("fen");
        let stones = fen.chars().filter(|letter| "xo".contains(*letter)).count() - 1;
        let played = answer.first().map_or(4, |line| number_after(line, "only") as usize);
        assert_eq!(played, stones, "{fen}");
        assert_eq!(client.ask_one("query gameover"), "response false");
    }
    // A refused line reports nothing else.
    let refused = client.ask_one("position random 7 9 moves a1 a1");
    assert!(refused.starts_with("info string error: "), "{refused}");
}

#[test]
fn drops_are_sent_if_enabled() {
    let mut client = client("tictactoe");
    client.send("setoption name Drops value true");
    client.send("position startpos moves P@b2");
    assert!(client.ask_one("legal").starts_with("P@a1 P@a2"));
    let lines = client.go("movetime 10");
    assert!(lines[1].contains(" pv P@"), "{}", lines[1]);
    assert!(lines[2].starts_with("bestmove P@"), "{}", lines[2]);
    let values = client.ask("values");
    let (last, values) = values.split_last().unwrap();
    assert_eq!(last, "8 moves");
    assert!(values.iter().all(|line| line.starts_with("P@")), "{values:?}");
    // The other games have no drops.
    client.send("setoption name Variant value nim");
    assert!(client.ask_one("legal").starts_with("a1a2"));
}

#[test]
fn values_and_eval() {
    let mut client = client("tictactoe");
    client.send("position startpos moves 1 9");
    let values = client.ask("values");
    assert_eq!((values.len(), &*values[7]), (8, "7 moves"));
    assert_eq!(values.iter().filter(|line| line.ends_with(" win 5")).count(), 2, "{values:?}");
    assert_eq!(client.ask("eval"), ["eval win 5"]);
    client.send("setoption name Variant value ponghauki");
    assert_eq!(client.ask("values"), ["a3b2 draw", "1 moves"]);
    client.send("setoption name Variant value tixtax");
    client.send("position startpos moves e5");
    client.send("values");
    let mut values = client.until("8 moves");
    assert_eq!(values.pop().as_deref(), Some("8 moves"));
    assert_eq!(values.len(), 8);
    client.send("isready");
    assert_eq!(client.line(), "readyok");
    assert!(values.iter().all(|line| line.contains(" cp ")), "{values:?}");
    assert!(client.ask_one("eval").starts_with("eval cp "));
}

#[test]
fn perft_divide_lists_each_move() {
    let mut client = client("tictactoe");
    client.send("perft 2");
    assert!(client.line().starts_with("72 nodes "));
    for command in ["perft 2 divide", "go perft 2"] {
        client.send(command);
        let lines: Vec<String> = (0..10).map(|_| client.line()).collect();
        assert_eq!(lines.iter().filter(|line| line.ends_with(": 8")).count(), 9, "{lines:?}");
        assert!(lines[9].starts_with("72 nodes ") && lines[9].ends_with(" nps"), "{lines:?}");
    }
}

#[test]
fn long_counts_can_be_stopped() {
    let mut client = Client::in_memory();
    client.send("perft 12");
    assert_eq!(client.ask("fen").len(), 1);
    client.send("stop");
    assert!(client.line().contains("stopped"));
    client.send("setoption name Variant value tixtax");
    client.send("bench");
    client.until("info string");
    client.send("stop");
    client.until("info string bench stopped");
}

#[test]
fn ponghauki_is_drawn_by_repetition() {
    let mut client = client("ponghauki");
    assert_eq!(client.ask("legal"), ["a3b2"], "the first move is forced");
    let circle = "a3b2 a1a3 b2a1 a3b2 c3a3 b2c3";
    let mut moves = String::new();
    for round in 0..3 {
        moves += &format!(" {circle}");
        let lines = client.ask(&format!("position startpos moves{moves}"));
        if !lines.is_empty() {
            assert!(round > 0 && lines[0].contains("error"), "{lines:?}");
            break;
        }
    }
    // Playing the engine's own choice for both sides ends in a draw by repetition.
    client.send("position startpos");
    let mut plies = 0;
    while client.ask_one("query gameover") == "response false" {
        let best = client.go("depth 1").pop().unwrap();
        let mv = best.split(' ').nth(1).unwrap().to_owned();
        client.send(&format!("moves {mv}"));
        plies += 1;
        assert!(plies < 200);
    }
    assert_eq!(client.ask("query result"), ["response draw"]);
    assert_eq!(client.ask("legal"), [""]);
    assert_eq!(client.go("depth 1"), ["info depth 0 score cp 0", "bestmove (none)"]);
    assert!(client.ask_one("moves a1b2").contains("error"));
}

/// A position and a move in the compact notation of tixtax.
#[test]
fn compact_notation_is_read_but_not_written() {
    let mut client = Client::in_memory();
    client.send("position fen X;.........;........./........./........./........./........./........./........./........./......... moves ee");
    assert_eq!(client.ask("fen"), ["9/9/9/9/4x4/9/9/9/9 o 1 e5"]);
}
