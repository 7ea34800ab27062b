//! Protocol tests, command by command, against an engine in memory.

mod common;

use std::time::Duration;

use common::{Client, number_after};
use proptest::prelude::*;
use zermelo::engine::registry::GAMES;
use zermelo::protocol::{RawLine, parse};

fn client(game: &str) -> Client {
    let mut client = Client::in_memory();
    assert_eq!(client.ask(&format!("setoption name UCI_Variant value {game}")), [""; 0]);
    client
}

/// The state that a refused command must not change.
fn state(client: &mut Client) -> Vec<String> {
    let mut state = client.ask("fen");
    state.extend(client.ask("legal"));
    state.extend(client.ask("query p1turn"));
    state
}

#[test]
fn handshakes_list_the_options() {
    let mut client = Client::in_memory();
    for (word, ok) in [("uci", "uciok"), ("ugi", "ugiok")] {
        client.send(word);
        let lines = client.until(ok);
        assert!(lines[0].starts_with("id name Zermelo "), "{}", lines[0]);
        assert!(lines[1].starts_with("id author "));
        let options = &lines[2..lines.len() - 1];
        let variant = &options[0];
        assert!(variant.starts_with("option name UCI_Variant type combo default tixtax var "));
        let names = variant.split(" var ").skip(1);
        assert!(names.eq(GAMES.iter().flat_map(|game| [&[game.id], game.aliases].concat())));
        for name in [
            "Variant",
            "Hash",
            "Threads",
            "MultiPV",
            "Ponder",
            "Move Overhead",
            "Clear Hash",
            "UCI_ShowWDL",
            "UCI_AnalyseMode",
            "UCI_LimitStrength",
            "UCI_Elo",
            "Skill Level",
            "Searcher",
            "Seed",
            "EvalFile",
            "Drops",
            "Log File",
        ] {
            let start = format!("option name {name} type ");
            assert_eq!(options.iter().filter(|line| line.starts_with(&start)).count(), 1, "{name}");
        }
        assert_eq!(options.len(), 18);
    }
}

#[test]
fn queries_answer_in_exactly_two_words() {
    let mut client = client("tictactoe");
    assert_eq!(client.ask("query gameover"), ["response false"]);
    assert_eq!(client.ask("query p1turn"), ["response true"]);
    assert_eq!(client.ask("query result"), ["response none"]);
    client.send("position startpos moves a3 a1 b3 b1 c3");
    assert_eq!(client.ask("query gameover"), ["response true"]);
    assert_eq!(client.ask("query p1turn"), ["response false"]);
    assert_eq!(client.ask("query result"), ["response p1win"]);
    client.send("position fen xox/xxo/oxo o");
    assert_eq!(client.ask("query result"), ["response draw"]);
    client.send("position fen ooo/xx1/x1x x");
    assert_eq!(client.ask("query result").last().unwrap(), "response draw", "the FEN is refused");
    client.send("position fen ooo/xx1/x2 x");
    assert_eq!(client.ask("query result"), ["response p2win"]);
}

#[test]
fn finished_games_have_no_best_move() {
    let mut client = client("tictactoe");
    client.send("position startpos moves a3 a1 b3 b1 c3");
    let lines = client.go("depth 3");
    assert_eq!(lines, ["info depth 0 score mate 0", "bestmove (none)"]);
    client.send("position fen xox/xxo/oxo o");
    assert_eq!(client.go("movetime 10"), ["info depth 0 score cp 0", "bestmove (none)"]);
    client.send("go");
    assert_eq!(client.line(), "info depth 0 score cp 0");
    assert!(client.is_silent_for(Duration::from_millis(50)), "bare go waits for stop");
    client.send("stop");
    assert_eq!(client.line(), "bestmove (none)");
}

#[test]
fn refused_commands_change_nothing() {
    let mut client = client("tictactoe");
    client.send("moves b2");
    client.send("moves 1 P@c3");
    assert_eq!(client.ask("fen"), ["o1x/1x1/3 o"]);
    let before = state(&mut client);
    for (line, quoted) in [
        ("moves a1 b2", "\"b2\""),
        ("moves a1 z3", "\"z3\""),
        ("moves", "\"moves\""),
        ("position startpos moves a1 a1", "\"a1\""),
        ("position fen 3/3/3 o", "'mover'"),
        ("position fen 3/3/3 x moves b2 b2", "\"b2\""),
        ("position random", "\"random\""),
        ("position random 5 5000", "\"5000\""),
        ("go searchmoves b2", "\"b2\""),
        ("go searchmoves a1 depth", "\"depth\""),
        ("go depth 3 nodes", "\"nodes\""),
        ("go depth 3 quick", "\"quick\""),
        ("perft 0", "\"0\""),
        ("perft 65", "\"65\""),
        ("go perft 4294967295", "\"4294967295\""),
        ("position random x moves é", "\"x\""),
        (
            "postion startpos",
            "unknown command \"postion\"; did you mean \"position\"? expected one of: uci",
        ),
        ("go\u{a0}depth 3", "unknown command"),
        ("perft 1\u{2003}divide", "divide\" after \"perft\""),
        ("query winner", "\"winner\""),
        ("GO depth 1", "\"GO\""),
    ] {
        let error = client.ask_one(line);
        assert!(error.starts_with("info string error: "), "{line}: {error}");
        assert!(error.contains(quoted), "{line}: {error}");
        let helps = ["expected", "legal here", "the other side is to move"];
        assert!(helps.iter().any(|help| error.contains(help)), "{line}: {error}");
        assert_eq!(state(&mut client), before, "{line}");
    }
}

#[test]
fn invalid_bytes_and_overlong_lines_get_one_error_each() {
    let mut client = Client::in_memory();
    let before = state(&mut client);
    let megabyte = vec![b'x'; 1 << 20];
    let mut go = b"go depth 3 ".repeat(100_000);
    go.truncate(1 << 20);
    for bytes in
        [&b"\xff\xfe"[..], b"uci\0", b"\0", &megabyte, &go, b"position fen \xc3\x28", b"\x1b[2J"]
    {
        client.send_bytes(bytes);
        let error = client.ask_one("");
        assert!(error.starts_with("info string error: "), "{error}");
        assert!(error.len() < 600, "{}", error.len());
        assert!(!error.contains('\0') && !error.contains('\x1b'), "{error:?}");
        assert_eq!(state(&mut client), before);
    }
    let mut comment = megabyte.clone();
    comment[0] = b'#';
    client.send_bytes(&comment);
    assert_eq!(client.ask(""), [""; 0]);
}

#[test]
fn carriage_returns_blank_lines_and_comments_are_ignored() {
    let mut client = Client::in_memory();
    client.send_bytes(b"\r\n   \n# go infinite\r\n\tposition   startpos  moves e5 \r\nfen\r\n");
    assert_eq!(client.line(), "9/9/9/9/4x4/9/9/9/9 o 1 e5");
}

#[test]
fn options_are_validated_and_kept() {
    let mut client = Client::in_memory();
    for (option, value, expected) in [
        ("Hash", "0", "from 1 to 1048576"),
        ("Hash", "99999999", "from 1 to"),
        ("Hash", "x", "\"x\""),
        ("Hash", "", "\"\""),
        ("Hash", "1048576", "MiB"),
        ("Threads", "0", "from 1 to 256"),
        ("Threads", "-1", "\"-1\""),
        ("MultiPV", "1.5", "\"1.5\""),
        ("Ponder", "maybe", "true or false"),
        ("UCI_Variant", "chess", "one of tixtax"),
        ("Searcher", "human", "one of auto"),
        ("Clear Hash", "now", "button"),
        ("Skill Level", "21", "from 0 to 20"),
        ("EvalFile", "/nowhere/weights", "/nowhere/weights"),
        ("Log File", "/nowhere/log", "/nowhere/log"),
        ("Contempt", "3", "unknown option \"Contempt\", expected one of: "),
        ("Hsah", "3", "unknown option \"Hsah\"; did you mean \"Hash\"? expected one of: "),
    ] {
        let error = client.ask_one(&format!("setoption name {option} value {value}"));
        assert!(error.starts_with("info string error: "), "{error}");
        assert!(error.contains(expected), "{option}: {error}");
    }
    for line in [
        "setoption name hash value 2",
        "setoption name MOVE overhead value 0",
        "setoption name multipv value 3",
        "setoption name Clear Hash",
        "setoption name Seed value 9223372036854775807",
        "setoption name UCI_ShowWDL value TRUE",
    ] {
        assert_eq!(client.ask(line), [""; 0], "{line}");
    }
    let lines = client.go("depth 3");
    let last = &lines[lines.len() - 4..lines.len() - 1];
    for (index, line) in last.iter().enumerate() {
        assert_eq!(number_after(line, "multipv"), index as i64 + 1);
        assert!(line.contains(" wdl "), "{line}");
    }
    // A new game clears the search but keeps the options.
    client.send("ucinewgame");
    let again = client.go("depth 3");
    assert_eq!(number_after(&again[again.len() - 2], "multipv"), 3);
}

#[test]
fn a_weights_file_replaces_the_embedded_one() {
    let folder = std::env::temp_dir().join(format!("zermelo-weights-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("weights.eval");
    // The output bias follows the first line and the scale; a logit of 5 is 868 points.
    let mut weights = include_bytes!("../src/eval/tixtax.eval").to_vec();
    let (bias, end) = (15 + 4, weights.len() - 4);
    weights[bias..bias + 4].copy_from_slice(&5_f32.to_le_bytes());
    let sum = crc32fast::hash(&weights[..end]).to_le_bytes();
    weights[end..].copy_from_slice(&sum);
    std::fs::write(&file, &weights).unwrap();
    let mut client = Client::in_memory();
    let start = client.ask_one("eval");
    assert_eq!(client.ask(&format!("setoption name EvalFile value {}", file.display())), [""; 0]);
    let changed = client.ask_one("eval");
    let points = |line: &str| number_after(line, "cp");
    assert!(points(&changed) > points(&start) + 400, "{start}, {changed}");
    weights[100] ^= 1;
    std::fs::write(&file, &weights).unwrap();
    let error = client.ask_one(&format!("setoption name EvalFile value {}", file.display()));
    assert!(error.contains("the file is corrupt"), "{error}");
    assert_eq!(client.ask("eval"), [changed], "the weights in use are kept");
    client.send("setoption name EvalFile value <embedded>");
    assert_eq!(client.ask("eval"), [start]);
    std::fs::remove_dir_all(&folder).unwrap();
}

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
    client.send("position random 3 62");
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
        // A loose bound, because the machine may be busy; scripts/measure.py measures the delay.
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
fn random_positions_come_from_their_seed() {
    for game in GAMES {
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

/// A position and a move in the compact notation of tixtax.
#[test]
fn compact_notation_is_read_but_not_written() {
    let mut client = Client::in_memory();
    client.send("position fen X;.........;........./........./........./........./........./........./........./........./......... moves ee");
    assert_eq!(client.ask("fen"), ["9/9/9/9/4x4/9/9/9/9 o 1 e5"]);
}

/// Lines of random words, valid and invalid ones.
fn any_words() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        prop::sample::select(vec![
            "go",
            "position",
            "startpos",
            "fen",
            "random",
            "moves",
            "depth",
            "nodes",
            "perft",
            "setoption",
            "name",
            "value",
            "Hash",
            "MultiPV",
            "Drops",
            "true",
            "searchmoves",
            "e5",
            "a1",
            "9/9/9/9/9/9/9/9/9",
            "x",
            "o",
            "1",
            "-",
            "0",
            "-1",
            "4294967296",
            "3/3/3",
            "query",
            "gameover",
            "legal",
            "eval",
            "d",
            "mate",
            "movestogo",
            "winc",
            "é",
            "\0",
        ])
        .prop_map(str::to_owned),
        "\\PC{0,6}",
    ];
    prop::collection::vec(word, 0..8).prop_map(|words| words.join(" "))
}

/// Whether a line would start something slow, end the session or write a file.
fn must_be_skipped(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    ["go", "perft", "bench", "values", "quit", "debug"].contains(&first) || line.contains("Log")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_parse_or_are_refused_in_one_line(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        if let Err(error) = parse(&RawLine::Complete(&bytes)) {
            prop_assert_eq!(error.to_string().lines().count(), 1);
        }
    }

    #[test]
    fn any_words_parse_or_are_refused_in_one_line(line in any_words()) {
        if let Err(error) = parse(&RawLine::Complete(line.as_bytes())) {
            let text = error.to_string();
            prop_assert_eq!(text.lines().count(), 1);
            prop_assert!(text.contains("expected"), "{}", text);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// After any input, an error leaves the position unchanged and the engine keeps answering.
    #[test]
    fn any_session_keeps_answering(lines in prop::collection::vec(any_words(), 1..20)) {
        let mut client = Client::in_memory();
        for line in lines.iter().filter(|line| !must_be_skipped(line)) {
            let before = state(&mut client);
            let answer = client.ask(line);
            if answer.first().is_some_and(|line| line.starts_with("info string error: ")) {
                prop_assert_eq!(answer.len(), 1);
                prop_assert_eq!(state(&mut client), before);
            }
        }
    }
}
