//! `go` with its limits, `stop`, `ponderhit`, proven values, levels and determinism.

use std::time::Duration;

use super::client;
use crate::common::{Client, number_after};

#[test]
fn only_some_commands_are_accepted_while_searching() {
    let mut client = Client::in_memory();
    client.send("go infinite");
    client.until("info depth 5");
    let answer = |client: &mut Client, line: &str| {
        client.send(line);
        loop {
            let line = client.line();
            if !line.starts_with("info depth") {
                return line;
            }
        }
    };
    assert_eq!(answer(&mut client, "isready"), "readyok");
    assert_eq!(answer(&mut client, "query gameover"), "response false");
    assert_eq!(answer(&mut client, "fen"), "9/9/9/9/9/9/9/9/9 x 1 -");
    assert!(answer(&mut client, "legal").starts_with("a1 a2 a3"));
    for refused in [
        "go depth 3",
        "position startpos moves e5",
        "moves e5",
        "setoption name Hash value 1",
        "ucinewgame",
        "perft 3",
        "bench",
        "values",
        "eval",
        "uci",
        "ugi",
    ] {
        let error = answer(&mut client, refused);
        let word = refused.split(' ').next().unwrap();
        assert!(error.starts_with("info string error: "), "{error}");
        assert!(error.contains(&format!("\"{word}\" is not accepted while searching")), "{error}");
    }
    client.send("debug off");
    client.send("ponderhit");
    assert_eq!(answer(&mut client, "isready"), "readyok");
    client.send("stop");
    client.until("bestmove");
    assert_eq!(client.ask("fen"), ["9/9/9/9/9/9/9/9/9 x 1 -"]);
}

/// With `debug on`, the engine reports how it understood `go`.
#[test]
fn debug_reports_the_limits_of_a_search() {
    let mut client = Client::in_memory();
    let is_reported = |client: &mut Client| {
        let answer = client.go("nodes 50 depth 2");
        answer.iter().any(|line| line.starts_with("info string debug: ") && line.contains("50"))
    };
    assert!(!is_reported(&mut client));
    assert_eq!(client.ask("debug on"), [""; 0]);
    assert!(is_reported(&mut client));
    assert_eq!(client.ask("debug off"), [""; 0]);
    assert!(!is_reported(&mut client));
}

#[test]
fn a_player_without_an_increment_does_not_get_the_opponents() {
    let mut client = Client::in_memory();
    client.send("debug on");
    let mut limits = |go: &str| {
        let answer = client.go(go);
        answer.into_iter().find(|line| line.starts_with("info string debug: ")).unwrap()
    };
    let plain = limits("wtime 10000 btime 10000 depth 1");
    assert_eq!(limits("wtime 10000 btime 10000 binc 5000 depth 1"), plain);
    assert_ne!(limits("wtime 10000 btime 10000 winc 5000 depth 1"), plain);
    // A single clock is that of the side to move.
    assert_eq!(limits("btime 10000 depth 1"), plain);
    assert_ne!(limits("btime 10000 binc 5000 depth 1"), plain);
}

#[test]
fn stop_and_ponderhit_while_idle_are_ignored() {
    let mut client = Client::in_memory();
    assert_eq!(client.ask("stop"), [""; 0]);
    assert_eq!(client.ask("ponderhit"), [""; 0]);
}

#[test]
fn infinite_and_ponder_searches_wait_even_if_solved() {
    let mut client = client("tictactoe");
    for (go, release) in [
        ("go infinite", "stop"),
        ("go ponder wtime 1000", "ponderhit"),
        ("go ponder", "stop"),
        ("go", "stop"),
    ] {
        client.send(go);
        assert!(client.line().starts_with("info depth"));
        assert!(client.is_silent_for(Duration::from_millis(50)), "{go}");
        client.send(release);
        assert_eq!(client.until("bestmove").last().unwrap(), "bestmove a3 ponder b2");
    }
    client.send("setoption name UCI_Variant value tixtax");
    client.send("go ponder wtime 300 btime 300");
    client.until("info depth 7");
    client.send("ponderhit");
    client.until("bestmove");
}

#[test]
fn proven_values_precede_the_best_move() {
    let mut client = client("nim");
    client.send("position fen rrrrrrrr/8/8/8/8/8/8/bbbbbbbb b");
    let lines = client.go("depth 1");
    assert_eq!(lines[0], "info string proven loss in 48");
    assert!(lines[1].contains(" score mate -24 "), "{}", lines[1]);
    client.send("ugi");
    client.until("ugiok");
    let lines = client.go("depth 1");
    assert!(lines[1].contains(" score mate -48 "), "{}", lines[1]);
    assert_eq!(lines[2].split_whitespace().count(), 2, "no ponder move in ugi");
    // With `searchmoves`, nothing is reported about the root.
    client.send("position fen 8/8/rrrrrrrr/8/bbbbbbbb/8/8/8 b moves a4a5");
    let lines = client.go("depth 3 searchmoves b6b5");
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].contains(" score mate 7 "), "{lines:?}");
}

#[test]
fn tixtax_is_proven_near_the_end() {
    let mut client = Client::in_memory();
    // Six cells from the end of the game, any value is proven.
    client.ask("position random 3 62");
    if client.ask_one("query gameover") == "response false" {
        let lines = client.go("movetime 2000");
        assert!(lines.iter().any(|line| line.starts_with("info string proven ")), "{lines:?}");
    }
    client.send("position fen xx1o5/9/9/oo7/9/9/9/9/9 x 4 -");
    client.send("go mate 1");
    client.until("bestmove");
}

#[test]
fn go_mate_and_go_infinite_prove_the_value() {
    const WON: &str =
        "x1x2xox1/4o1oo1/1oo1o3x/5o3/ox1xxx1o1/xo3o1o1/x1x1x1oo1/3x1x3/oo1ox1x1x x 19 b7";
    const DRAWN: &str = "x2o4x/1x3xxox/1oxo2xxo/2ooxxooo/4ox3/9/1xo2ooo1/1x5o1/1x1o1x2x x 18 h6";
    let mut client = Client::in_memory();
    let has_line = |lines: &[String], start: &str| lines.iter().any(|line| line.starts_with(start));
    client.send(&format!("position fen {DRAWN}"));
    let lines = client.go("mate 30");
    assert!(has_line(&lines, "info string proven draw"), "{lines:?}");
    client.send(&format!("position fen {WON}"));
    client.send("go infinite");
    // The proof may be reported only after `stop`.
    std::thread::sleep(Duration::from_secs(4));
    client.send("stop");
    let lines = client.until("bestmove");
    assert!(has_line(&lines, "info string proven win"), "{lines:?}");
    // A new game clears the proof; it is found again.
    client.send(&format!("ucinewgame\nposition fen {WON}"));
    let lines = client.go("mate 30");
    assert!(has_line(&lines, "info string proven win"), "{lines:?}");
}

#[test]
fn empty_clocks_get_an_immediate_move() {
    let mut client = Client::in_memory();
    client.ask("");
    for go in [
        "wtime 0 btime 0",
        "wtime -50 btime 100",
        "p1time 1",
        "movetime 0",
        "movetime -3",
        "wtime 5 winc 0 movestogo 1",
        "nodes 1",
        "btime 0",
    ] {
        let lines = client.go(go);
        assert!(lines.last().unwrap().starts_with("bestmove "), "{lines:?}");
        assert!(lines[lines.len() - 2].contains(" score "), "a score before every best move");
        // A loose bound, because the machine may be busy; scripts/measure answers measures the delay.
        assert!(number_after(&lines[lines.len() - 2], "time") <= 500, "{go}: {lines:?}");
    }
}

#[test]
fn mcts_ends_in_a_game_of_repetitions() {
    let mut client = client("ponghauki");
    client.send("setoption name Searcher value mcts");
    client.send("position startpos");
    assert!(client.go("depth 60").last().unwrap().starts_with("bestmove a3b2"));
}

#[test]
fn the_earlier_of_two_time_limits_holds() {
    for searcher in ["alphabeta", "mcts"] {
        let mut client = Client::in_memory();
        client.send(&format!("setoption name Searcher value {searcher}"));
        client.ask("position startpos");
        let lines = client.go("wtime 60000 btime 60000 movetime 50");
        assert!(number_after(&lines[lines.len() - 2], "time") < 900, "{lines:?}");
    }
}

#[test]
fn weaker_levels_still_play_legal_moves() {
    for game in ["tixtax", "nim", "tictactoe"] {
        let mut client = client(game);
        for setting in ["Skill Level value 0", "Skill Level value 19"] {
            client.send(&format!("setoption name {setting}"));
            for seed in 0..5 {
                client.send(&format!("position random {seed}"));
                let legal = client.ask_one("legal");
                let best = client.go("movetime 20").pop().unwrap();
                let mv = best.split(' ').nth(1).unwrap().to_owned();
                assert!(legal.split(' ').any(|legal_move| legal_move == mv), "{best}");
            }
        }
        client.send("setoption name UCI_LimitStrength value true");
        client.send("setoption name UCI_Elo value 1000");
        client.go("movetime 20");
    }
}

/// A level may overlook a win that it has seen, so it does not promise one.
#[test]
fn weaker_levels_claim_no_mates() {
    for (game, won) in [("tictactoe", "xx1/oo1/3 x"), ("tixtax", "startpos")] {
        let mut client = client(game);
        client.send("setoption name Skill Level value 15");
        client.send(&match won {
            "startpos" => "position random 1 70".to_owned(),
            fen => format!("position fen {fen}"),
        });
        for line in client.go("nodes 2000") {
            assert!(!line.contains("mate") && !line.contains("proven"), "{game}: {line}");
        }
    }
}

#[test]
fn the_same_commands_get_the_same_answers() {
    for searcher in ["alphabeta", "mcts", "random", "auto"] {
        let play = || {
            let mut client = Client::in_memory();
            client.send(&format!("setoption name Searcher value {searcher}"));
            client.send("setoption name Seed value 5");
            let mut moves = Vec::new();
            for _ in 0..12 {
                let best = client.go("nodes 3000").pop().unwrap();
                moves.push(best.clone());
                client.send(&format!("moves {}", best.split(' ').nth(1).unwrap()));
            }
            moves
        };
        assert_eq!(play(), play(), "{searcher}");
    }
}

#[test]
fn info_lines_are_rate_limited() {
    let mut client = client("tixtax");
    client.send("position fen o2xo4/2x2o3/2ox1o2x/3xo2x1/7o1/5x1o1/o3x2xo/1ox4x1/x5o2 x 13 a3");
    let lines = client.go("movetime 2500");
    let late: Vec<i64> = lines
        .iter()
        .filter(|line| line.starts_with("info depth"))
        .map(|line| number_after(line, "time"))
        .filter(|time| *time > 1000)
        .collect();
    assert!(late.len() <= 17, "{} info lines in one and a half seconds", late.len());
}

#[test]
fn the_end_of_input_lets_bounded_searches_finish() {
    let mut bounded = Client::in_memory();
    bounded.send("go depth 6");
    let lines = bounded.finish();
    assert_eq!(number_after(&lines[lines.len() - 2], "depth"), 6);
    let mut unbounded = Client::in_memory();
    unbounded.send("go");
    assert!(unbounded.finish().last().unwrap().starts_with("bestmove "));
    let mut quitting = Client::in_memory();
    quitting.send("go depth 60");
    quitting.send("quit");
    assert!(!quitting.finish().iter().any(|line| line.starts_with("bestmove")));
}
