//! Replays of how real GUIs and match runners talk to the engine: what each sends, in its order, and
//! what it relies on.

use crate::common::Client;
use zermelo::thinking::registry::games;

/// Returns the second word of a line of exactly two words that starts with `word`.
fn second_word(line: &str, word: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    assert_eq!((words.len(), words[0]), (2, word), "exactly two words: {line:?}");
    words[1].to_owned()
}

fn response(client: &mut Client, query: &str) -> String {
    client.send(query);
    second_word(&client.line(), "response")
}

/// Plays a game as cutegames does: the two engines are its only source of the rules.
fn cutegames_plays(game: &str, position: &str, limits: &str) {
    let mut engines = [Client::in_memory(), Client::in_memory()];
    for engine in &mut engines {
        engine.send("ugi");
        engine.until("ugiok");
        // cutegames sends every configured option, in any case, whether or not the engine has it.
        engine.send(&format!("setoption name uci_variant value {game}"));
        engine.send("setoption name OwnBook value false");
        engine.send("isready");
        engine.until("readyok");
        engine.send("isready");
        assert_eq!(engine.line(), "readyok");
        engine.send("uginewgame");
        engine.send(position);
    }
    let first_is_p1 = engines.each_mut().map(|engine| response(engine, "query p1turn") == "true");
    assert_eq!(first_is_p1[0], first_is_p1[1]);
    let mut moves = Vec::new();
    let result = loop {
        let command = match moves.len() {
            0 => position.to_owned(),
            _ => format!("{position} moves {}", moves.join(" ")),
        };
        engines[0].send(&command);
        let p1_to_move = response(&mut engines[0], "query p1turn") == "true";
        let mover = &mut engines[usize::from(p1_to_move != first_is_p1[0])];
        mover.send("isready");
        assert_eq!(mover.line(), "readyok");
        mover.send(&command);
        mover.send(&command);
        if response(mover, "query gameover") == "true" {
            break engines.each_mut().map(|engine| {
                engine.send("isready");
                assert_eq!(engine.line(), "readyok");
                engine.send(&command);
                assert_eq!(response(engine, "query gameover"), "true");
                response(engine, "query result")
            });
        }
        let lines = mover.go(limits);
        let best = lines.last().unwrap();
        assert!(lines[..lines.len() - 1].iter().all(|line| line.starts_with("info ")));
        moves.push(second_word(best, "bestmove"));
        assert!(moves.len() < 200, "endless game");
    };
    assert_eq!(result[0], result[1], "the engines disagree on the result");
    assert!(["p1win", "p2win", "draw"].contains(&result[0].as_str()));
}

#[test]
fn cutegames_plays_every_game() {
    for game in games() {
        let limits = match game.id {
            "tixtax" => "p1time 200 p2time 200 p1inc 5 p2inc 5",
            "tixtax-open" => "nodes 2000",
            "ponghauki" => "depth 3",
            "nim" => "movetime 5",
            _ => "p1time 1000 p2time 1000 p1inc 10 p2inc 10",
        };
        cutegames_plays(game.id, "position startpos", limits);
    }
}

#[test]
fn cutegames_starts_from_an_opening() {
    let fen = "o2xo4/2x2o3/2ox1o2x/3xo2x1/7o1/5x1o1/o3x2xo/1ox4x1/x5o2 x 13 a3";
    cutegames_plays("uttt", &format!("position fen {fen}"), "nodes 500");
    let fen = "1r3rr1/3r2br/2r5/rb2r3/b1bb4/7b/4b3/5b2 b";
    cutegames_plays("nim", &format!("position fen {fen}"), "movetime 1");
}

/// cutergames appends single moves, strips eight bytes off every line during `go`, and compares
/// answers byte by byte.
#[test]
fn cutergames_appends_moves() {
    let mut engines = [Client::in_memory(), Client::in_memory()];
    for engine in &mut engines {
        engine.send("ugi");
        engine.until("ugiok");
        engine.send("isready");
        assert_eq!(engine.line(), "readyok");
        engine.send("position startpos");
    }
    for ply in 0..200 {
        engines[0].send("query gameover");
        let over = engines[0].line();
        assert!(["response true", "response false"].contains(&over.as_str()), "{over:?}");
        if over == "response true" {
            return;
        }
        let lines = engines[ply % 2].go("movetime 10");
        assert!(lines.iter().all(|line| line.len() >= 8), "{lines:?}");
        let mv = lines.last().unwrap().strip_prefix("bestmove ").unwrap().to_owned();
        engines.iter_mut().for_each(|engine| engine.send(&format!("moves {mv}")));
    }
    panic!("endless game");
}

/// cutechess referees tic-tac-toe itself, in its own notation.
#[test]
fn cutechess_referees_tictactoe() {
    let mut client = Client::in_memory();
    client.send("uci");
    let handshake = client.until("uciok");
    let variant =
        handshake.iter().find(|line| line.starts_with("option name UCI_Variant ")).unwrap();
    assert!(variant.contains(" type combo ") && variant.contains(" var tictactoe"));
    assert!(handshake.iter().any(|line| line.starts_with("option name Drops type check")));
    client.send("isready");
    assert_eq!(client.line(), "readyok");
    client.send("setoption name Drops value true");
    client.send("setoption name UCI_Variant value tictactoe");
    for start in ["startpos", "fen 3/3/3[PPPPPpppp] w - - 0 1", "fen P2/1p1/3[PPPPppp] w - - 0 2"] {
        client.send("ucinewgame");
        let mut moves: Vec<String> = Vec::new();
        loop {
            let played = if moves.is_empty() {
                String::new()
            } else {
                format!(" moves {}", moves.join(" "))
            };
            client.send(&format!("position {start}{played}"));
            client.send("isready");
            assert_eq!(client.line(), "readyok");
            let best = client.go("wtime 1100 btime 1100 winc 100 binc 100").pop().unwrap();
            let mv = best.split(' ').nth(1).unwrap();
            if mv == "(none)" {
                break;
            }
            assert!(mv.len() == 4 && mv.starts_with("P@"), "{mv}");
            moves.push(mv.to_owned());
        }
        assert!(moves.len() >= 5 && moves.len() <= 9);
    }
    client.send("quit");
    assert_eq!(client.finish(), [""; 0]);
}

/// The compliance check of fastchess sends chess positions; an engine that refuses them with an error
/// passes.
#[test]
fn fastchess_compliance_check_passes() {
    let mut client = Client::in_memory();
    client.send("uci");
    client.until("uciok");
    client.send("setoption name Threads value 1");
    client.send("ucinewgame");
    client.send("isready");
    assert_eq!(client.line(), "readyok");
    let before = client.ask("fen");
    let chess =
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4 e7e5";
    assert!(client.ask_one(chess).starts_with("info string error: invalid FEN "));
    assert!(client.ask_one("position startpos moves e2e4 e7e5").starts_with("info string error: "));
    assert_eq!(client.ask("fen"), before);
    for go in
        ["wtime 100 winc 100 btime 100 binc 100", "wtime 100 btime 100", "depth 5", "nodes 1000"]
    {
        let lines = client.go(go);
        let info = &lines[lines.len() - 2];
        for word in ["depth", "nodes", "time", "nps"] {
            crate::common::number_after(info, word);
        }
        assert!(info.contains(" score ") && !info.contains("bound"), "{info}");
        let pv = info.split_once(" pv ").unwrap().1.split(' ').next();
        let best = lines[lines.len() - 1].split(' ').nth(1);
        assert_eq!(pv, best, "the pv starts with the best move");
        client.send("isready");
        assert_eq!(client.line(), "readyok");
    }
}

/// OpenBench reads nodes and speed from the last line of `bench`; the nodes are reproducible.
#[test]
fn openbench_reads_the_last_line() {
    let mut nodes = Vec::new();
    for _ in 0..2 {
        let mut client = Client::in_memory();
        client.send("setoption name UCI_Variant value nim");
        client.send("bench");
        let last = client.finish().pop().unwrap();
        let words: Vec<&str> = last.split(' ').collect();
        assert_eq!((words.len(), words[1], words[3]), (4, "nodes", "nps"), "{last}");
        nodes.push(words[0].to_owned());
    }
    assert_eq!(nodes[0], nodes[1]);
}
