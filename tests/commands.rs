//! The commands `openings` and `convert`, and checks of arguments that all commands share.

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Write};
use std::process::Output;

use crate::common::{lines, run_program, start_program, wait_with_timeout};
use serde_json::{Value as Json, json};
use zermelo::eval::{HandcraftedEval, Net};
use zermelo::games::{Nim, PongHauKi, TicTacToe, TixTax, TixTaxCount, TixTaxOpen};
use zermelo::rules::{Game, Record, Value};
use zermelo::search::{AlphaBeta, Evaluator, Limits, SearchControl, SearchTask, Searcher};
use zermelo::solve::{ExactSolver, Retrograde, SpragueGrundy, reference};
use zermelo::thinking::openings::{BALANCE_MARGIN, BALANCE_NODES, OpeningRequest, OpeningSupply};
use zermelo::thinking::registry;

fn run(arguments: &str, input: &[u8]) -> Output {
    run_program(&arguments.split_whitespace().collect::<Vec<_>>(), input)
}

/// Generates openings and checks that there are `count` distinct unfinished positions in canonical
/// form, which depend on the seed only.
fn openings<G: Game>(count: usize, flags: &str) -> Vec<G> {
    let generate = |seed: u64| {
        let line = format!("openings --game {} --count {count} {flags} --seed {seed}", G::ID);
        let output = run(&line, b"");
        assert_eq!(output.status.code(), Some(0), "{line}: {:?}", lines(&output.stderr));
        assert_eq!(lines(&output.stderr), [""; 0]);
        lines(&output.stdout).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let fens = generate(7);
    assert_eq!(fens.len(), count);
    assert_eq!(fens.iter().collect::<HashSet<_>>().len(), count, "distinct");
    assert_eq!(generate(7), fens);
    assert_ne!(generate(8), fens);
    let read = |fen: &String| {
        let pos: G = fen.parse().unwrap();
        assert_eq!((pos.outcome(), pos.to_string()), (None, fen.clone()));
        pos
    };
    fens.iter().map(read).collect()
}

#[test]
fn the_game_may_come_first_and_startpos_is_a_position() {
    const NIM: &str = "rrrrrrrr/8/8/8/8/8/8/bbbbbbbb b";
    for (short, long) in [
        (&["perft", "nim", "2", "--fen", "startpos"][..], &["perft", "2", "--game", "nim"][..]),
        (&["analyze", "nim", "--fen", "startpos"], &["analyze", "nim", "--fen", NIM]),
        (&["solve", "nim", "--fen", "startpos"], &["solve", "--game", "nim", "--fen", NIM]),
        (&["openings", "nim", "--count", "1"], &["openings", "--count", "1", "--game", "nim"]),
        (&["puzzles", "nim", "--count", "1"], &["puzzles", "--count", "1", "--game", "nim"]),
    ] {
        let [short, long] = [short, long].map(|arguments| {
            let output = run_program(arguments, b"");
            assert_eq!(output.status.code(), Some(0), "{arguments:?}");
            let text = String::from_utf8(output.stdout).unwrap();
            // The times and speeds follow.
            text.split(' ').take(2).map(str::to_owned).collect::<Vec<_>>()
        });
        assert_eq!(short, long);
    }
}

#[test]
fn openings_are_distinct_unfinished_and_reproducible() {
    openings::<TixTax>(200, "");
    openings::<TixTaxOpen>(50, "--plies 3");
    openings::<TicTacToe>(40, "--plies 4");
    openings::<PongHauKi>(2, "");
    openings::<Nim>(300, "");
    openings::<Nim>(100, "--plies 3");
}

#[test]
fn openings_have_the_requested_depth() {
    for pos in openings::<TixTax>(20, "--plies 11") {
        let stones = pos.to_string().split(' ').next().unwrap().matches(['x', 'o']).count();
        assert_eq!(stones, 11);
    }
    for pos in openings::<TixTax>(20, "") {
        let stones = pos.to_string().split(' ').next().unwrap().matches(['x', 'o']).count();
        assert_eq!(stones, TixTax::OPENING_PLIES);
    }
    assert!(
        openings::<PongHauKi>(3, "--plies 31").iter().all(|pos| pos.to_string().ends_with(" 31"))
    );
}

#[test]
fn all_openings_are_printed_if_fewer_exist_than_requested() {
    let output = run("openings --game tictactoe --count 10 --plies 1", b"");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        lines(&output.stderr),
        ["zermelo: found 9 of 10 openings: no more such openings exist"]
    );
    let found: HashSet<&str> = lines(&output.stdout).into_iter().collect();
    let start = TicTacToe::start();
    let all: Vec<String> =
        start.legal_moves().into_iter().map(|mv| start.after(mv).to_string()).collect();
    assert_eq!(found, all.iter().map(String::as_str).collect());
    assert_eq!(openings::<TicTacToe>(9, "--plies 1").len(), 9);

    let output = run("openings --game nim --count 3 --plies 49", b"");
    assert_eq!((output.status.code(), lines(&output.stdout).len()), (Some(1), 0));
    assert!(lines(&output.stderr)[0].contains("10000 random games in a row"));
    let output = run("openings --game tixtax --count 5 --plies 0", b"");
    assert_eq!((output.status.code(), lines(&output.stdout).len()), (Some(1), 1));
}

#[test]
fn balanced_openings_of_solved_games_are_drawn() {
    for pos in openings::<TicTacToe>(20, "--balanced") {
        assert_eq!(reference::negamax(&pos).value(), Value::Draw, "{pos}");
    }
    // With a large count, the balanced openings are exactly the drawn ones among all openings.
    let output = run("openings --game tictactoe --count 5000 --plies 3 --balanced", b"");
    let all = run("openings --game tictactoe --count 5000 --plies 3", b"");
    let drawn = lines(&all.stdout).into_iter().filter(|fen| {
        reference::negamax(&fen.parse::<TicTacToe>().unwrap()).value() == Value::Draw
    });
    assert_eq!(lines(&output.stdout), drawn.collect::<Vec<_>>());

    let mut exact_solver = Retrograde::<PongHauKi>::default();
    for pos in openings::<PongHauKi>(5, "--balanced --plies 20") {
        assert_eq!(exact_solver.exact(&pos).value(), Value::Draw, "{pos}");
    }
}

#[test]
fn balanced_openings_of_nim_are_half_won_and_half_lost() {
    for (count, plies) in [(400, ""), (31, ""), (60, "--plies 5")] {
        let mut exact_solver = SpragueGrundy::default();
        let positions = openings::<Nim>(count, &format!("--balanced {plies}"));
        let won =
            positions.iter().filter(|pos| exact_solver.exact(*pos).value() == Value::Win).count();
        assert!(won.abs_diff(count - won) <= 1, "{won} of {count}");
        assert_eq!(won, count.div_ceil(2));
    }
}

fn balanced_by_search<G: Game, E: Evaluator<G>>(evaluator: &E, plies: &str) {
    for pos in openings::<G>(12, &format!("--balanced {plies}")) {
        let task = SearchTask {
            limits: Limits { nodes: Some(BALANCE_NODES), ..Limits::default() },
            ..SearchTask::new(Record::new(pos))
        };
        let mut searcher = AlphaBeta::new(evaluator.clone(), 1).unwrap();
        let report = searcher.search(&task, &SearchControl::default(), &mut |_| {});
        let score = report.lines[0].score;
        assert!(score.points().abs() <= BALANCE_MARGIN, "{pos}: {score:?}");
    }
}

#[test]
fn balanced_openings_of_unsolved_games_score_near_zero() {
    balanced_by_search::<TixTax, _>(&Net::embedded().unwrap(), "");
    balanced_by_search::<TixTax, _>(&Net::embedded().unwrap(), "--plies 40");
    balanced_by_search::<TixTaxOpen, _>(&HandcraftedEval::default(), "");
}

#[test]
fn openings_can_be_generated_through_the_library() {
    let request = OpeningRequest { count: 7, plies: None, seed: 3, balanced: false };
    for game in registry::games() {
        let openings = game.openings(&request, &SearchControl::default()).unwrap();
        let enough = openings.fens.len() == 7;
        assert_eq!(enough, openings.supply == OpeningSupply::Enough, "{}", game.id);
        assert!(!openings.fens.is_empty(), "{}", game.id);
    }
}

fn converts(game: &str, to: &str, pairs: &[(&str, &str)]) {
    let input: String = pairs.iter().map(|(line, _)| format!("{line}\n")).collect();
    let output = run(&format!("convert --game {game} --to {to}"), input.as_bytes());
    assert_eq!(lines(&output.stderr), [""; 0]);
    assert_eq!(output.status.code(), Some(0));
    let expected: Vec<&str> = pairs.iter().map(|(_, line)| *line).collect();
    assert_eq!(lines(&output.stdout), expected);
}

const EMPTY_BOARDS: &str =
    "........./........./........./........./........./........./........./.........";

#[test]
fn tictactoe_converts_between_fen_and_drops() {
    let start = "3/3/3[PPPPPpppp] w - - 0 1";
    converts(
        "tictactoe",
        "drops",
        &[("startpos", start), ("3/3/3 x", start), ("fen 3/3/3 x", start)],
    );
    converts(
        "ttt",
        "drops",
        &[
            ("a3 5 P@c1", "3/3/3[PPPPPpppp] w - - 0 1 moves P@a3 P@b2 P@c1"),
            ("moves a3", "3/3/3[PPPPPpppp] w - - 0 1 moves P@a3"),
            ("position fen x2/1o1/3 x moves c3", "P2/1p1/3[PPPPppp] w - - 0 2 moves P@c3"),
            ("# a remark", "# a remark"),
            ("", ""),
            ("xxx/oo1/3 o", "PPP/pp1/3[PPpp] b - - 0 3"),
        ],
    );
    converts(
        "tictactoe",
        "fen",
        &[
            ("P2/1p1/3[PPPPppp] w - - 0 2 moves P@c3 2", "x2/1o1/3 x moves c3 b3"),
            ("  startpos moves 1 2\t3", "3/3/3 x moves a3 b3 c3"),
            (start, "3/3/3 x"),
        ],
    );
}

#[test]
fn tixtax_converts_between_fen_and_compact() {
    let start = format!("X;.........;........./{EMPTY_BOARDS}");
    let after = format!("O;@........;X......../{EMPTY_BOARDS}");
    let with_moves = format!("{start} moves ee ea");
    let after_moves = format!("{after} moves ae");
    let pairs = [
        ("startpos", start.as_str(), "9/9/9/9/9/9/9/9/9 x 1 -"),
        ("e5 d6", &with_moves, "9/9/9/9/9/9/9/9/9 x 1 - moves e5 d6"),
        ("x8/9/9/9/9/9/9/9/9 o 1 a9 moves b8", &after_moves, "x8/9/9/9/9/9/9/9/9 o 1 a9 moves b8"),
    ];
    converts("tixtax", "compact", &pairs.map(|(line, compact, _)| (line, compact)));
    converts("uttt", "fen", &pairs.map(|(_, compact, fen)| (compact, fen)));
    converts("tixtax", "fen", &pairs.map(|(line, _, fen)| (line, fen)));
    let open = format!("{after} moves ae");
    let fen = "x8/9/9/9/9/9/9/9/9 o 1 a9 ......... moves b8";
    converts("tixtax-open", "compact", &[(fen, &open)]);
    converts("tixtax-open", "fen", &[(&open, fen)]);
}

#[test]
fn other_games_are_normalised() {
    converts(
        "ponghauki",
        "fen",
        &[("a3b2 a1a3", "xx/1/oo x 0 moves a3b2 a1a3"), ("XX/1/OO X 3", "xx/1/oo x 3")],
    );
    let start = "rrrrrrrr/8/8/8/8/8/8/bbbbbbbb b";
    converts("nim", "fen", &[("C1C4", &format!("{start} moves c1c4")), ("startpos", start)]);
}

/// A line holds the arguments of `position`, with or without that word.
#[test]
fn random_positions_can_be_converted() {
    let both = "\u{feff}random 5 3\nposition random 5 3\nrandom\n";
    let output = run("convert --game tictactoe --to json", both.as_bytes());
    let converted = lines(&output.stdout);
    assert!(converted.len() == 2 && converted[0] == converted[1], "{converted:?}");
    assert_eq!(
        lines(&output.stderr)[0],
        "zermelo: line 3: missing argument after \"random\", expected a seed, a whole number from 0 to \
         18446744073709551615"
    );
}

#[test]
fn conversions_round_trip() {
    for (game, to) in [
        ("tixtax", "compact"),
        ("tixtax-open", "compact"),
        ("tixtax-count", "compact"),
        ("tictactoe", "drops"),
    ] {
        let plies = if game == "tictactoe" { 5 } else { 30 };
        let fens = run(&format!("openings --game {game} --count 200 --plies {plies}"), b"").stdout;
        let converted = run(&format!("convert --game {game} --to {to}"), &fens);
        assert_eq!((converted.status.code(), lines(&converted.stdout).len()), (Some(0), 200));
        let back = run(&format!("convert --game {game} --to fen"), &converted.stdout);
        // Other notations drop the last move, which a FEN names; converting once more loses nothing.
        let converted_again = run(&format!("convert --game {game} --to {to}"), &back.stdout);
        assert_eq!(converted_again.stdout, converted.stdout);
        for (fen, back) in lines(&fens).into_iter().zip(lines(&back.stdout)) {
            match game {
                "tixtax" => assert_eq!(fen.parse::<TixTax>(), back.parse()),
                "tixtax-open" => assert_eq!(fen.parse::<TixTaxOpen>(), back.parse()),
                "tixtax-count" => assert_eq!(fen.parse::<TixTaxCount>(), back.parse()),
                _ => assert_eq!(fen, back),
            }
        }
    }
}

#[test]
fn json_objects_describe_position_moves_and_result() {
    let input = "# no object\n\nx2/1o1/3 x moves c3 b3\nxxx/oo1/3 o\n";
    let output = run("convert --game tictactoe --to json", input.as_bytes());
    assert_eq!(output.status.code(), Some(0));
    let objects: Vec<Json> =
        lines(&output.stdout).into_iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let expected = [
        json!({
            "schema": 1, "game": "tictactoe", "fen": "x2/1o1/3 x", "moves": ["c3", "b3"],
            "fen_after": "xox/1o1/3 x", "side": "p1", "result": "none",
            "legal": ["a1", "a2", "b1", "c1", "c2"],
        }),
        json!({
            "schema": 1, "game": "tictactoe", "fen": "xxx/oo1/3 o", "moves": [],
            "fen_after": "xxx/oo1/3 o", "side": "p2", "result": "p1win", "legal": [],
        }),
    ];
    assert_eq!(objects, expected);
    // Always playing the first legal move draws by repetition, which the FEN alone does not show.
    let mut record = Record::new(PongHauKi::start());
    while record.outcome().is_none() {
        record.push(record.legal_moves()[0]).unwrap();
    }
    let moves: Vec<String> = record.moves().iter().map(ToString::to_string).collect();
    let output = run("convert --game ponghauki --to json", moves.join(" ").as_bytes());
    let object: Json = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&object["result"], &object["legal"]), (&json!("draw"), &json!([])));
    assert_eq!((&object["fen"], &object["moves"]), (&json!("xx/1/oo x 0"), &json!(moves)));
    let output = run("convert --game nim --to json", b"startpos");
    let object: Json = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (object["side"].as_str(), object["legal"].as_array().unwrap().len()),
        (Some("p1"), 48)
    );
}

#[test]
fn a_bad_line_does_not_stop_the_others() {
    let long = [vec![b'x'; 70_000], b"\n# ".to_vec(), vec![b'y'; 70_000]].concat();
    let input = [
        &b"startpos\nnonsense\nmoves a1 a1\n\xff\xfe\n3/3/3 x moves\nstartpos a1\n\0\n"[..],
        &long,
        b"\nb2 c\r\nc1\r\n3/3/3 o",
    ]
    .concat();
    for to in ["fen", "drops", "json"] {
        let output = run(&format!("convert --game tictactoe --to {to}"), &input);
        assert_eq!(output.status.code(), Some(2));
        let errors = lines(&output.stderr);
        let line_numbers: Vec<&str> =
            errors.iter().map(|line| line.split(": ").nth(1).unwrap()).collect();
        let expected =
            ["line 2", "line 3", "line 4", "line 6", "line 7", "line 8", "line 10", "line 12"];
        assert_eq!(line_numbers[..8], expected, "{errors:?}");
        assert_eq!(errors[8], "zermelo: 8 lines refused");
        assert!(errors[0].contains("field count 1"), "{}", errors[0]);
        assert!(errors[1].contains("illegal move \"a1\""), "{}", errors[1]);
        assert!(errors[2].contains("not UTF-8"), "{}", errors[2]);
        assert!(errors[5].contains("65536 bytes"), "{}", errors[5]);
        let kept = if to == "json" { 3 } else { 4 };
        assert_eq!(lines(&output.stdout).len(), kept);
    }
}

#[test]
fn notations_that_cannot_express_a_position_are_refused() {
    for (game, to) in
        [("nim", "drops"), ("ponghauki", "compact"), ("tixtax", "drops"), ("tictactoe", "compact")]
    {
        let output = run(&format!("convert --game {game} --to {to}"), b"startpos\n");
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stdout.is_empty());
        let message = lines(&output.stderr)[0];
        assert!(
            message
                .contains(&format!("{game} does not support notation {to}, expected one of: fen"))
        );
    }
    let hidden = "xxx6/ooo6/9/3o5/9/9/3x5/9/9 x 5 d6 O........\nstartpos\n";
    let output = run("convert --game tixtax-open --to compact", hidden.as_bytes());
    assert_eq!((output.status.code(), lines(&output.stdout).len()), (Some(2), 1));
    assert!(lines(&output.stderr)[0].contains("line 1: notation compact cannot express"));
}

#[test]
fn files_are_converted_in_order() {
    let folder = std::env::temp_dir().join(format!("zermelo-convert-{}", std::process::id()));
    std::fs::create_dir(&folder).unwrap();
    let [one, two] = ["one", "two"].map(|name| folder.join(name).display().to_string());
    std::fs::write(&one, "b2\n").unwrap();
    std::fs::write(&two, "a1\nz9").unwrap();
    let line = format!("convert --game tictactoe --to drops {one} - {two} /nowhere/at/all");
    let output = run(&line, b"startpos\n");
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(output.status.code(), Some(2));
    let start = "3/3/3[PPPPPpppp] w - - 0 1";
    let expected = [format!("{start} moves P@b2"), start.into(), format!("{start} moves P@a1")];
    assert_eq!(lines(&output.stdout), expected);
    let errors = lines(&output.stderr);
    assert!(errors[0].starts_with(&format!("zermelo: {two}: line 2: ")), "{errors:?}");
    assert!(errors[1].starts_with("zermelo: /nowhere/at/all: "), "{errors:?}");
}

#[test]
fn bad_usage_is_reported_before_input_is_read() {
    for line in [
        "openings",
        "openings --count 0",
        "openings --count -1",
        "openings --count 1000001",
        "openings --count 3 --plies 1001",
        "openings --count 3 --game chess",
        "convert",
        "convert --to pgn",
    ] {
        let output = run(line, b"startpos\n");
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{line}");
    }
}

#[test]
fn a_conflicting_game_flag_is_refused() {
    for (line, reason) in [
        ("analyze tictactoe --game nim", "both tictactoe and --game nim are given"),
        ("play nim --game ponghauki", "both nim and --game ponghauki are given"),
        ("annotate games.pgn --game nim", "--game cannot be used here: a record names its games"),
        (
            "match --check-record games.pgn --game nim",
            "--game cannot be used here: records name their games",
        ),
        (
            "match --merge games.pgn --game nim",
            "--game cannot be used here: records name their games",
        ),
        (
            "datagen --games 1 --out d --game nim",
            "--game nim: there is no network to train for it, expected tixtax or tixtax-count",
        ),
    ] {
        let output = run(line, b"");
        assert_eq!(output.status.code(), Some(2), "{line}");
        let errors = lines(&output.stderr);
        assert!(errors.len() == 1 && errors[0].contains(reason), "{line}: {errors:?}");
    }
}

#[test]
fn the_log_must_not_overwrite_another_file() {
    for (line, flag) in [
        ("solve --fen startpos --checkpoint Cargo.toml", "--checkpoint"),
        ("analyze ponghauki --svg Cargo.toml", "--svg"),
        ("analyze ponghauki --html ./Cargo.toml", "--html"),
        ("annotate games.pgn --output Cargo.toml", "--output"),
        ("annotate Cargo.toml", "RECORD"),
        ("datagen --games 1 --out Cargo.toml", "--out"),
    ] {
        let before = std::fs::read("Cargo.toml").unwrap();
        let output = run(&format!("{line} --log Cargo.toml"), b"");
        let errors = lines(&output.stderr);
        let reason = format!("zermelo: --log and {flag} are the same file, ");
        assert_eq!(output.status.code(), Some(2), "{line}: {errors:?}");
        assert!(errors[0].starts_with(&reason), "{line}: {errors:?}");
        assert_eq!(std::fs::read("Cargo.toml").unwrap(), before);
    }
}

#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    for line in ["openings --game nim --count 50000", "convert --to fen"] {
        let mut child = start_program(&line.split(' ').collect::<Vec<_>>());
        let mut stdin = child.stdin.take().unwrap();
        let writer = std::thread::spawn(move || {
            let lines = "startpos\n".repeat(50_000);
            drop(stdin.write_all(lines.as_bytes()));
        });
        let mut first = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        let output = wait_with_timeout(child).unwrap();
        writer.join().unwrap();
        assert!(!first.is_empty());
        assert_eq!((output.status.code(), lines(&output.stderr).len()), (Some(0), 0), "{line}");
    }
}
