//! Protocol tests, command by command, against an engine in memory.

#[path = "../common/illegal_moves.rs"]
mod illegal_moves;

mod arbitrary_input;
mod positions;
mod search;

use std::time::Duration;

use crate::common::{Client, number_after};
use illegal_moves::ILLEGAL_MOVES;
use zermelo::thinking::registry::games;

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
        assert!(names.eq(games().iter().flat_map(|game| [&[game.id], game.aliases].concat())));
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
        ("go searchmoves depth 3", "after \"searchmoves\", expected one or more moves"),
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
fn errors_of_illegal_moves_name_the_rule_and_quote_the_word() {
    let check = |game: &str, fen: &str, word: &str, expected: &str| {
        let mut client = client(game);
        client.send(&format!("position fen {fen}"));
        let legal = client.ask("legal").join(" ");
        let first = legal.split(' ').next().unwrap_or_default();
        for line in [format!("moves {word}"), format!("go depth 1 searchmoves {word}")] {
            let error = client.ask_one(&line);
            assert!(error.contains(expected), "{game}, {line}: {error}");
            assert!(error.contains(first), "{game}, {line}: {error}");
        }
    };
    for (game, fen, word, reason) in ILLEGAL_MOVES {
        check(game, fen, word, &format!("illegal move \"{word}\": {reason}; legal here: "));
    }
    check("tictactoe", "3/1x1/3 o", "P@b2", "illegal move \"P@b2\": b2 is occupied; legal here: ");
    check(
        "nim",
        "rrrrrrrr/8/8/8/8/8/b7/1bbbbbbb r",
        "b8b8",
        ": a piece moves at least one square; ",
    );
    check("tictactoe", "xxx/oo1/3 o", "c1", "illegal move \"c1\", the game is over");
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
    let mut weights = include_bytes!("../../data/weights/tixtax.eval").to_vec();
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
