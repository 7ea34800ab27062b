//! `zermelo analyze`: its numbers against published ones, its pictures, and that text and JSON agree.

mod chapters;
mod positions;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::common::{Folder, lines, run_program};
use serde_json::{Value as Json, json};
use zermelo::thinking::registry::games;

fn json_report(arguments: &[&str]) -> Json {
    let output = run_program(&[&["analyze"], arguments, &["--json"]].concat(), b"");
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    assert_eq!(lines(&output.stdout).len(), 1);
    serde_json::from_slice(&output.stdout).unwrap()
}

fn text_report(arguments: &[&str]) -> String {
    let output = run_program(&[&["analyze"], arguments].concat(), b"");
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The values of a table's column.
fn column(table: &Json, name: &str) -> Vec<Json> {
    table.as_array().unwrap().iter().map(|row| row[name].clone()).collect()
}

/// The row of a table with this value in a column.
fn row<'a>(table: &'a Json, name: &str, wanted: &Json) -> &'a Json {
    table.as_array().unwrap().iter().find(|row| row[name] == *wanted).unwrap()
}

fn assert_facts(facts: &Json, expected: &[(&str, Json)]) {
    for (name, expected) in expected {
        assert_eq!(facts[name], *expected, "{name}");
    }
}

#[test]
fn tictactoe_report_matches_published_counts() {
    let report = json_report(&["tictactoe"]);
    let counts = [
        ("positions", 5478),
        ("classes", 765),
        ("finished", 958),
        ("finished_x", 626),
        ("finished_o", 316),
        ("finished_drawn", 16),
        ("games", 255_168),
        ("games_x", 131_184),
        ("games_o", 77904),
        ("games_drawn", 46080),
    ];
    assert_facts(&report["counts"], &counts.map(|(name, count)| (name, json!(count))));
    assert_eq!(report["counts"]["value"], "draw");
    let perft = [1, 9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872];
    assert_eq!(column(&report["plies"], "sequences"), perft.map(|count| json!(count)));

    let reply = |opening: u32| row(&report["replies"], "opening", &json!(opening));
    for (opening, results) in [(1, ".WWWDWWWW"), (2, "D.DWDWWDW"), (5, "DWDW.WDWD")] {
        assert_eq!(reply(opening)["worth"], results);
    }
    assert_eq!(reply(1)["holding"], json!([5]));
    assert_eq!(reply(2)["holding"], json!([1, 3, 5, 8]));
    assert_eq!(reply(5)["holding"], json!([1, 3, 7, 9]));
    // Symmetric openings have equally many drawing replies.
    let holding = column(&report["replies"], "holding");
    let count = |opening: usize| holding[opening - 1].as_array().unwrap().len();
    assert!([3, 7, 9].iter().all(|corner| count(*corner) == count(1)));
    assert!([4, 6, 8].iter().all(|edge| count(*edge) == count(2)));

    let rows = report["continuations"].as_array().unwrap();
    let winning = |opening: u32, reply: u32| {
        let matches = |row: &&Json| row["opening"] == opening && row["reply"] == reply;
        rows.iter().find(matches).unwrap()["winning"].clone()
    };
    for (reply, wins) in
        [(2, json!([4, 5, 7])), (3, json!([4, 7, 9])), (6, json!([3, 5, 7])), (9, json!([3, 7]))]
    {
        assert_eq!(winning(1, reply), wins, "1 and {reply}");
    }
    assert_eq!(winning(5, 2), json!([1, 3, 4, 6, 7, 9]));
    // Exactly the losing replies are listed: 7 to each corner, 4 to each edge, 4 to the centre.
    assert_eq!(rows.len(), 4 * 7 + 4 * 4 + 4);

    assert_facts(&report["mistakes"], &[("replies", json!(48)), ("plies", json!(5))]);
    for row in report["rules"].as_array().unwrap() {
        assert_eq!(row["lost"], 0, "the rules for people lose a game: {row}");
    }
    for row in report["opponents"].as_array().unwrap() {
        let number = |name: &str| row[name].as_f64().unwrap();
        assert_eq!(number("lost"), 0.0);
        assert!(number("won") > number("drawn"));
        assert_eq!(number("games"), number("won") + number("drawn"));
        assert!((number("won_by_chance") + number("drawn_by_chance") - 100.0).abs() < 1e-9);
    }
}

#[test]
fn ponghauki_report_describes_the_graph() {
    let report = json_report(&["ponghauki"]);
    assert_facts(
        &report["numbering"],
        &[("start", json!(7)), ("start_other_side", json!(97)), ("first", json!(95))],
    );
    assert_facts(
        &report["states"],
        &[
            ("value", json!("draw")),
            ("value_without_rule", json!("win")),
            ("states", json!(30)),
            ("moves", json!(42)),
            ("reached", json!(28)),
            ("moves_reached", json!(38)),
            ("farthest", json!(12)),
            ("without_moves", json!(2)),
            ("one_move", json!(14)),
            ("two_moves", json!(14)),
            ("won", json!(4)),
            ("lost", json!(2)),
            ("drawn", json!(24)),
            ("drawn_reached", json!(22)),
            ("longest_win", json!(1)),
            ("longest_chain", json!(2)),
        ],
    );
    assert_facts(
        &report["values"],
        &[
            ("lost", json!([9, 96])),
            ("won", json!([7, 35, 73, 97])),
            ("not_reached", json!([11, 69])),
        ],
    );
    assert_eq!(report["graph"].as_array().unwrap().len(), 30);
    let lost: Vec<(u64, u64, bool)> = report["blunders"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["had"] == "draw" && row["gets"] == "loss")
        .map(|row| {
            let number = |name: &str| row[name].as_u64().unwrap();
            (number("from"), number("to"), row["reached"] == "yes")
        })
        .collect();
    assert_eq!(lost, [(11, 97, false), (23, 35, true), (40, 73, true), (69, 7, false)]);
    // Every move that loses leaves both pieces on the upper or the lower pair of points.
    for (_, to, _) in lost {
        let board = row(&report["graph"], "state", &json!(to))["board"].as_str().unwrap();
        assert!(board.starts_with("oo ") || board.ends_with(" oo"), "{to}: {board}");
    }
    for row in report["strategy"].as_array().unwrap() {
        assert_eq!((&row["lost"], &row["stuck"]), (&json!(0), &json!(0)));
        assert!(row["positions"].as_u64().unwrap() > 40);
    }
    let perft = [1, 1, 1, 1, 2, 3, 5, 7, 6, 7, 13];
    assert_eq!(column(&report["plies"], "sequences"), perft.map(|count| json!(count)));
    let free = [1, 2, 1, 1, 2, 3, 5, 7, 6, 7, 13];
    assert_eq!(column(&report["plies"], "without_rule"), free.map(|count| json!(count)));
}

#[test]
fn nim_methods_agree_and_match_published_counts() {
    let report = json_report(&["nim"]);
    let methods = [
        ("multisets", 3003),
        ("lost", 406),
        ("method_one", 1764),
        ("method_two", 833),
        ("pairs", 210),
        ("listed", 196),
    ];
    assert_facts(&report["methods"], &methods.map(|(name, count)| (name, json!(count))));
    assert_eq!(report["methods"]["agree"], "everywhere");

    let files: Vec<&Json> = (0..9).map(|own| row(&report["files"], "files", &json!(own))).collect();
    let by_file =
        |name: &str| -> Vec<u64> { files.iter().map(|row| row[name].as_u64().unwrap()).collect() };
    assert_eq!(by_file("multisets"), [1, 6, 21, 56, 126, 252, 462, 792, 1287]);
    assert_eq!(by_file("pairs"), [1, 0, 6, 0, 21, 0, 56, 0, 126]);
    assert_eq!(by_file("listed"), [0, 0, 0, 4, 3, 24, 18, 84, 63]);
    let narrower = row(&report["files"], "files", &json!("2 or more"));
    assert_facts(
        narrower,
        &[("multisets", json!(2996)), ("lost", json!(405)), ("pairs", json!(209))],
    );

    let cores = json!(["123", "145", "246", "356", "1256", "1346", "2345"]);
    assert_facts(&report["cores"], &[("count", json!(7)), ("gaps", cores)]);
    assert_facts(&report["start"], &[("gap", json!(6)), ("winner", json!("second"))]);
    assert_facts(
        &report["example"],
        &[("nim_sum", json!(1)), ("from", json!(3)), ("to", json!(2))],
    );
    let list = |files: u32| row(&report["list"], "files", &json!(files))["gaps"].clone();
    assert_eq!(list(3), json!(["123", "145", "246", "356"]));
    assert_eq!(list(4), json!(["1256", "1346", "2345"]));
    let all = column(&report["list"], "gaps");
    assert_eq!(all.iter().map(|gaps| gaps.as_array().unwrap().len()).sum::<usize>(), 196);

    let chances = report["chances"].as_array().unwrap();
    let won: Vec<f64> =
        chances.iter().map(|row| row["first_player_wins"].as_f64().unwrap()).collect();
    for (own, known) in won.iter().zip([87.5, 87.357, 86.48]) {
        assert!((own - known).abs() < 0.001, "{won:?}");
    }
    assert_eq!(chances[1]["lost"], json!(47_764_226_048_u64));
    assert_eq!(chances[1]["starts"], json!(28_u64.pow(8)));

    let perft: [u64; 9] = [
        1,
        48,
        2136,
        87856,
        3_330_720,
        116_103_168,
        3_714_093_664,
        108_894_182_208,
        2_924_475_961_848,
    ];
    assert_eq!(column(&report["plies"], "sequences"), perft.map(|count| json!(count)));
}

#[test]
fn tixtax_report_has_counts_and_no_value() {
    let report = json_report(&["tixtax"]);
    let perft: [u64; 9] = [1, 81, 720, 6336, 55080, 473_256, 4_020_960, 33_782_544, 281_067_408];
    assert_eq!(column(&report["plies"], "sequences"), perft.map(|count| json!(count)));
    // A class has at most eight positions, fewer if they are symmetric.
    for row in &report["plies"].as_array().unwrap()[..7] {
        let [positions, classes] = ["positions", "classes"].map(|name| row[name].as_u64().unwrap());
        assert!(classes <= positions && positions <= 8 * classes);
    }
    let second = &report["plies"][2];
    assert_eq!((&second["positions"], &second["classes"]), (&json!(720), &json!(102)));
    let size = |name: &str| report["bounds"][name].as_f64().unwrap().log10();
    assert!((size("orders") - 120.76).abs() < 0.01 && (size("moves") - 77.29).abs() < 0.01);
    assert!(report["bounds"].get("value").is_none());
    assert!(text_report(&["tixtax"]).contains("Nobody knows who wins."));
}

#[test]
fn reports_explain_nim_sums_pairing_the_list_and_state_numbers() {
    let nim = text_report(&["nim"]);
    let worked = "            3 = 011\n            4 = 100\n            6 = 110\n            -------\n  \
                  nim-sum = 1 = 001\n";
    for text in [worked, "Two equal gaps cancel", "these 7 lost groups", "123, 145, 246, 356"] {
        assert!(nim.contains(text), "{text}");
    }
    let position = text_report(&["nim", "--fen", "8/8/2r5/8/1r6/r7/3rrrrr/bbbbbbbb b"]);
    assert!(position.contains("001 010 100 000 000 000 000 000"), "{position}");
    for arguments in [&["ponghauki"][..], &["ponghauki", "--fen", "xx/1/oo x 0"]] {
        assert!(text_report(arguments).contains("25 i + 5 j + k"));
    }
}

#[test]
fn first_player_win_of_tixtax_open_is_proven_and_verified() {
    let report = json_report(&["tixtax-open", "--time", "60"]);
    let win = &report["first_player_wins"];
    assert_facts(win, &[("value", json!("win")), ("move", json!(["e5"]))]);
    assert_eq!(win["replies"], win["replies_lost"]);
    assert_eq!(win["replies"].as_array().unwrap().len(), 8);
    assert_eq!(win["first_part"], win["first_part_won"]);
    // A win takes at least 29 moves, and 43 are enough (Bertholon and others, 2020).
    let longest = win["longest"].as_u64().unwrap();
    assert!((29..=81).contains(&longest), "{longest}");
    assert!(win["verified"].as_u64().unwrap() > 10_000);
    // Without time, nothing is proven.
    let short = json_report(&["tixtax-open", "--time", "0.001"]);
    let win = &short["first_player_wins"];
    assert_eq!(win["value"], "unknown");
    assert_eq!((&win["move"], &win["replies_lost"]), (&json!([]), &json!([])));
}

#[test]
fn text_and_json_contain_the_same_numbers() {
    fn numbers(value: &Json, found: &mut Vec<String>) {
        match value {
            Json::Array(items) => items.iter().for_each(|item| numbers(item, found)),
            Json::Object(fields) => fields.values().for_each(|field| numbers(field, found)),
            Json::Number(number) if number.is_u64() => found.push(number.to_string()),
            Json::String(text) => {
                found.extend(text.replace(',', "").split(' ').map(str::to_owned));
            }
            _ => {}
        }
    }
    for arguments in [
        &["tictactoe"][..],
        &["ponghauki"],
        &["nim"],
        &["tixtax"],
        &["nim", "--fen", "rrrrrrrr/8/8/8/8/8/8/bbbbbbbb b"],
        &["ponghauki", "--fen", "xx/1/oo x 0"],
        &["tictactoe", "--fen", "x2/3/3 o"],
    ] {
        let (text, mut report) = (text_report(arguments).replace(',', ""), json_report(arguments));
        assert_eq!(report["schema"], 2);
        assert_eq!(report["game"], arguments[0]);
        // Reasons are data in JSON and phrases in the text.
        let is_shown = |name: &str| !["schema", "game", "reasons"].contains(&name);
        report.as_object_mut().unwrap().retain(|name, _| is_shown(name));
        let mut found = Vec::new();
        numbers(&report, &mut found);
        assert!(found.len() > 10);
        let is_separator = |letter: char| letter.is_whitespace() || ".;:()<>\"".contains(letter);
        let words: Vec<&str> = text.split(is_separator).collect();
        for word in found.iter().flat_map(|word| word.split(is_separator)) {
            assert!(words.contains(&word), "{arguments:?}: {word} is missing in the text");
        }
    }
}

#[test]
fn the_graph_is_written_as_svg() {
    let folder = Folder::new("analyze-graph");
    let svg = folder.file("graph.svg");
    let output = run_program(&["analyze", "ponghauki", "--svg", svg.to_str().unwrap()], b"");
    assert!(output.status.success(), "{output:?}");
    let svg = fs::read_to_string(svg).unwrap();
    assert_eq!(svg.matches("<g>").count(), 30);
    assert_eq!(svg.matches("marker-end").count(), 42);
    assert_eq!(svg.matches("<title>").count(), 30);
    // The two unreached nodes and their four arrows are dashed; the legend uses another pattern.
    assert_eq!(svg.matches("stroke-dasharray=\"6 5\"").count(), 6);
    // Every board has five points, two pieces of each colour.
    assert_eq!(svg.matches("<circle").count(), 150);
    assert_eq!(svg.matches("fill=\"#0072b2\"/>").count(), 60);
    assert_eq!(svg.matches("fill=\"#c75800\"/>").count(), 60);

    let missing = folder.file("no-folder").join("graph.svg");
    let refused = run_program(&["analyze", "ponghauki", "--svg", missing.to_str().unwrap()], b"");
    assert_eq!(refused.status.code(), Some(2));
    let twice = folder.file("x.svg").to_str().unwrap().to_owned();
    let refused = run_program(&["analyze", "ponghauki", "--svg", &twice, "--html", &twice], b"");
    assert_eq!(refused.status.code(), Some(2));
    assert!(lines(&refused.stderr)[0].contains("--html and --svg"), "{refused:?}");
    let refused = run_program(&["analyze", "nim", "--game", "tictactoe"], b"");
    assert_eq!(refused.status.code(), Some(2));
    assert!(lines(&refused.stderr)[0].contains("nim and --game tictactoe"), "{refused:?}");
    assert!(run_program(&["analyze", "nim", "--game", "nim"], b"").status.success());
    assert!(!Path::new(&folder.file("x.svg")).exists());
}

#[test]
fn bad_arguments_are_refused_and_named() {
    for (arguments, word) in [
        (&["analyze", "chess"][..], "chess"),
        (&["analyze", "nim", "--fen", "8/8 b"], "8/8"),
        (&["analyze", "ugi"], "ugi"),
        (&["analyze", "nim", "--time", "-1"], "-1"),
    ] {
        let output = run_program(arguments, b"");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains(word), "{arguments:?}: {message}");
        assert!(output.stdout.is_empty());
    }
    // A finished game is valid.
    let over = json_report(&["tictactoe", "--fen", "xxx/oo1/3 o"]);
    assert_eq!(over["position"]["result"], "the first player has won");
    assert!(over.get("value").is_none());
}

/// Everything but proofs takes less than a second on an idle machine; the limit allows for parallel tests.
#[test]
fn reports_without_proofs_are_fast() {
    // The report on tixtax-open contains a proof.
    for game in games().iter().filter(|game| game.id != "tixtax-open") {
        let start = Instant::now();
        assert!(!text_report(&[game.id]).is_empty());
        assert!(start.elapsed() < Duration::from_secs(8), "{}: {:?}", game.id, start.elapsed());
    }
}

#[test]
fn a_board_of_a_broken_fen_is_not_drawn() {
    let refused = run_program(&["analyze", "tixtax", "--fen", "9", "--svg", "/dev/null"], b"");
    assert_eq!(refused.status.code(), Some(2));
}
