//! Reports on positions.

use serde_json::{Value as Json, json};

use super::{assert_facts, json_report, row, text_report};

#[test]
fn nim_positions_are_reported_with_every_winning_move() {
    let assert_gaps = |report: &Json, gaps: Json, nim_sum: u32, method: &str| {
        assert_eq!((&report["gaps"]["gaps"], &report["nim"]["nim_sum"]), (&gaps, &json!(nim_sum)));
        let found = report["nim"]["method"].as_str().unwrap();
        assert!(found.contains(method), "{found}");
    };
    let lost = json_report(&["nim", "--fen", "8/8/8/2r5/1r6/r7/3rrrrr/bbbbbbbb b"]);
    assert_gaps(&lost, json!([1, 2, 3, 0, 0, 0, 0, 0]), 0, "list of method two");
    assert_eq!(lost["gaps"]["binary"][2], "011");
    assert_eq!((&lost["value"]["value"], &lost["value"]["plies"]), (&json!("loss"), &json!(6)));
    let won = json_report(&["nim", "--fen", "8/8/2r5/8/1r6/r7/3rrrrr/bbbbbbbb b"]);
    assert_gaps(&won, json!([1, 2, 4, 0, 0, 0, 0, 0]), 7, "two: ");
    assert_eq!(won["winning_moves"]["winning"], json!(["c1c2"]));
    let pairs = json_report(&["nim", "--fen", "rrrrrrrr/8/8/8/8/8/8/bbbbbbbb b"]);
    assert_gaps(&pairs, json!([6, 6, 6, 6, 6, 6, 6, 6]), 0, "pair off");
    assert_eq!(pairs["winning_moves"]["winning"], json!([]));
    assert_eq!((&pairs["value"]["value"], &pairs["value"]["plies"]), (&json!("loss"), &json!(48)));

    // Gaps 3 3 2 1 1: an odd number of files, one gap unpaired. All its moves win.
    let single = json_report(&["nim", "--fen", "8/8/8/rr6/2r5/3rr3/5rrr/bbbbbbbb b"]);
    assert_gaps(&single, json!([3, 3, 2, 1, 1, 0, 0, 0]), 2, "one: ");
    let winning = single["winning_moves"]["winning"].as_array().unwrap();
    let moves = single["moves"].as_array().unwrap().iter();
    let best: Vec<&Json> =
        moves.filter(|row| row["value"] == "win").map(|row| &row["move"]).collect();
    assert_eq!(best.len(), 3);
    assert!(winning.len() == 3 && best.iter().all(|mv| winning.contains(mv)), "{winning:?}");
}

#[test]
fn tixtax_positions_are_reported_board_by_board() {
    let fen = "x2o4x/1x3xxox/1oxo2xxo/2ooxxooo/4ox3/9/1xo2ooo1/1x5o1/1x1o1x2x x 18 h6";
    let report = json_report(&["tixtax", "--fen", fen]);
    assert_eq!(report["position"]["fen"], fen);
    assert_facts(&report["value"], &[("value", json!("draw")), ("at_least", json!("draw"))]);
    assert_eq!(report["boards"].as_array().unwrap().len(), 9);
    let board = |number: u32| row(&report["boards"], "board", &json!(number));
    assert_facts(board(3), &[("state", json!("open")), ("empty", json!(2))]);
    let cells = |number: u32| row(&report["winning_cells"], "board", &json!(number));
    assert_facts(cells(3), &[("x_closes", json!(["g9"])), ("o_closes", json!(["g9"]))]);
    assert_facts(cells(9), &[("x_closes", json!([])), ("o_closes", json!(["i3", "h1"]))]);
    // Won by x on its middle file, so nobody can win it any more.
    assert_facts(board(7), &[("state", json!("x, closed")), ("x_can_win", json!("no"))]);
    assert_eq!(report["deciding"]["x_needs"], json!([4]));

    let start = json_report(&["tixtax", "--fen", "9/9/9/9/9/9/9/9/9 x 1 -", "--time", "0.2"]);
    assert_facts(&start["value"], &[("value", json!("unknown")), ("best", Json::Null)]);
    assert_facts(&start["chances"], &[("board", json!("any")), ("o_can_win", json!("yes"))]);
    assert_eq!(start["deciding"]["wins_now"], json!([]));
}

#[test]
fn tixtax_count_positions_say_who_can_still_win_on_count() {
    // x has boards 1, 3, 4 and 8, o has 5, 6 and 7; board 9 is open, and only o can win it.
    let fen = "xoxoxox2/oxoooxxx1/xxoxoxoox/xxooooxxo/oxxoxxxox/xx1xo1o1o/o2ooxoxo/oo2xxox1/\
        xoooxxxo1 o 35 -";
    let report = json_report(&["tixtax-count", "--fen", fen]);
    assert_facts(&report["value"], &[("value", json!("loss"))]);
    assert_facts(&report["chances"], &[("x_can_win", json!("yes")), ("o_can_win", json!("no"))]);
    let side = |letter: &str| row(&report["count"], "side", &json!(letter));
    let facts = |boards: u32, at_most: u32, count: &str, ahead: &str| {
        [
            ("boards", json!(boards)),
            ("at_most", json!(at_most)),
            ("line", json!("no")),
            ("count", json!(count)),
            ("ahead", json!(ahead)),
        ]
    };
    assert_facts(side("x"), &facts(4, 4, "yes", "no"));
    assert_facts(side("o"), &facts(3, 4, "no", "no"));
    // After o's first stone there, x has the last move.
    let fen = fen.replace("xoooxxxo1 o 35", "xoooxxxoo x 36");
    let report = json_report(&["tixtax-count", "--fen", &fen]);
    assert_facts(&report["value"], &[("value", json!("win"))]);
    // The rule without counting has no such section.
    let usual = json_report(&["tixtax", "--fen", &fen]);
    assert_facts(&usual["value"], &[("value", json!("draw"))]);
    assert_eq!(usual.get("count"), None);
}

#[test]
fn unproven_position_has_an_estimate_and_ranked_moves_with_lines() {
    let arguments = ["tixtax", "--fen", "9/9/9/9/4x4/9/9/9/9 o 1 e5", "--time", "1"];
    let report = json_report(&arguments);
    assert_eq!(report["value"]["value"], "unknown");
    let moves = report["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 8);
    assert_facts(
        &report["estimate"],
        &["move", "score", "depth"].map(|name| (name, moves[0][name].clone())),
    );
    assert!((0.0..=100.0).contains(&report["estimate"]["expected"].as_f64().unwrap()));
    let scores: Vec<f64> = moves.iter().map(|row| row["score"].as_f64().unwrap()).collect();
    assert!(scores.is_sorted_by(|better, worse| better >= worse), "{scores:?}");
    for row in moves {
        assert_facts(row, &[("value", json!("unknown")), ("status", json!("estimate"))]);
        assert!(row["depth"].as_u64().unwrap() > 0);
        assert_eq!(row["line"][0], row["move"]);
    }
    let text = text_report(&arguments);
    assert!(text.contains("Estimate for the side to move, not a proof"), "{text}");
}

#[test]
fn proven_moves_are_ranked_with_lines_to_the_end_of_the_game() {
    let fen = "x2o4x/1x3xxox/1oxo2xxo/2ooxxooo/4ox3/9/1xo2ooo1/1x5o1/1x1o1x2x x 18 h6";
    let report = json_report(&["tixtax", "--fen", fen]);
    assert!(report.get("estimate").is_none());
    let best = &report["moves"][0];
    assert_facts(best, &[("value", json!("draw")), ("status", json!("proven"))]);
    assert_facts(best, &[("score", Json::Null), ("depth", Json::Null)]);
    assert_eq!(best["move"], report["value"]["best"]);
    assert!(best["line"].as_array().unwrap().len() > 1);

    let solved = json_report(&["tictactoe", "--fen", "x2/3/3 o"]);
    assert_eq!(solved["moves"][0]["line"].as_array().unwrap().len(), 8);
    for row in solved["moves"].as_array().unwrap().iter().skip(1) {
        assert_eq!(row["value"], "loss");
        assert_eq!(json!(row["line"].as_array().unwrap().len()), row["plies"]);
    }
}
