//! The requests that analyse: ratings, reviews, puzzles, graphs and proofs.

use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use zermelo::teaching::review::ReviewOptions;
use zermelo::thinking::registry::games;

use crate::client::TestServer;

fn setup(game: &str, moves: &[&str]) -> Json {
    json!({ "game": game, "moves": moves })
}

#[test]
fn ratings_of_a_solved_game_are_exact() {
    let server = TestServer::start();
    let mut tab = server.open_tab();
    let ratings = tab.ask("ratings", json!({ "setup": setup("tictactoe", &["b2", "b3"]) }));
    let moves = ratings["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 7);
    assert!(moves.iter().all(|mv| mv["is_proven"] == true));
    let best = &moves[0];
    assert_eq!(
        (&best["value"], &best["plies"], &best["text"]),
        (&json!("win"), &json!(5), &json!("win 5"))
    );
    assert_eq!(best["line"][0], best["move"]);
}

#[test]
fn ratings_of_an_unsolved_game_improve_in_rounds_and_are_repeatable() {
    let server = TestServer::start();
    let mut tab = server.open_tab();
    let fields = json!({ "setup": setup("tixtax", &["e5"]), "nodes": 20_000 });
    let [one, other] = [0, 1].map(|_| {
        let id = tab.start("ratings", fields.clone());
        tab.finish(id)
    });
    assert_eq!(one.0["answer"], other.0["answer"]);
    assert_eq!(one.1.len(), 2, "progress");
    let moves = one.0["answer"]["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 8);
    let expected: Vec<f64> = moves.iter().map(|mv| mv["expected"].as_f64().unwrap()).collect();
    assert!(expected.is_sorted_by(|one, next| one >= next), "{expected:?}");
    assert!(
        moves
            .iter()
            .all(|mv| mv["value"].is_null() && mv["text"].as_str().unwrap().starts_with('~'))
    );
}

#[test]
fn a_cancelled_request_answers_early_with_what_it_has() {
    let server = TestServer::start();
    let mut tab = server.open_tab();
    let begin = Instant::now();
    let fields = json!({ "setup": setup("tixtax", &[]), "ms": 60_000 });
    let id = tab.start("ratings", fields);
    std::thread::sleep(Duration::from_millis(300));
    tab.send(&json!({ "cancel": id }).to_string());
    let (message, _) = tab.finish(id);
    assert_eq!(message["answer"]["moves"].as_array().unwrap().len(), 81, "{message}");
    let proof = tab.start("prove", json!({ "setup": setup("tixtax", &[]), "ms": 3_600_000 }));
    tab.wait_for_progress(proof);
    tab.send(&json!({ "cancel": proof }).to_string());
    let (message, _) = tab.finish(proof);
    assert!(message["answer"].is_object(), "{message}");
    assert!(message["answer"]["value"].is_null(), "{message}");
    assert!(begin.elapsed() < Duration::from_secs(30), "{:?}", begin.elapsed());
}

#[test]
fn a_review_marks_blunders_and_names_better_moves() {
    let server = TestServer::start();
    let mut tab = server.open_tab();
    let moves = ["b2", "b3", "a1", "c3", "a3", "c1", "a2"];
    let id = tab.start("review", json!({ "setup": setup("tictactoe", &moves) }));
    let (message, progress) = tab.finish(id);
    let review = &message["answer"];
    assert_eq!(progress.last(), Some(&json!({ "done": 7, "of": 7 })));
    assert_eq!((&review["complete"], &review["start_expected"]), (&json!(true), &json!(0.5)));
    assert!(review["nodes"].is_null(), "nothing is searched in a solved game");
    let blunder = &review["moves"][1];
    assert_eq!((&blunder["mark"], &blunder["mark_text"]), (&json!("??"), &json!("blunder")));
    assert_eq!((&blunder["side"], &blunder["expected"]), (&json!(1), &json!(1.0)));
    assert!(blunder["text"].as_str().unwrap().contains("etter: "), "{blunder}");
    assert_eq!(review["turning_points"], json!([2]));
    let accuracy: Vec<f64> =
        review["accuracy"].as_array().unwrap().iter().map(|own| own.as_f64().unwrap()).collect();
    assert!(accuracy[0] > accuracy[1], "{accuracy:?}");
    let illegal = tab.ask_refused("review", json!({ "setup": setup("tictactoe", &["b2", "b2"]) }));
    assert_eq!(illegal["ply"], 2);
    let fen = "1o2xx3/3x5/1oxoxoo1o/3ox2o1/2o4ox/o1o2o2x/xo1x4x/xxox3xx/x2xo1oo1 x 19 f7";
    let late = json!({ "game": "tixtax", "start": fen, "moves": ["g2"] });
    let review = tab.ask("review", json!({ "setup": late }));
    assert_eq!(review["nodes"], ReviewOptions::DEFAULT_NODES);
}

#[test]
fn puzzles_have_one_right_move_and_end() {
    let server = TestServer::start();
    let mut tab = server.open_tab();
    for spec in games().iter().take(4) {
        let fields = json!({ "game": spec.id, "seed": 3 });
        let puzzle = tab.ask("puzzle", fields.clone());
        assert_eq!(puzzle, tab.ask("puzzle", fields));
        let start = json!({ "game": spec.id, "start": puzzle["fen"] });
        let shown = tab.ask("position", json!({ "setup": start }));
        assert_eq!(shown["side"], puzzle["side"]);
        let legal = shown["legal"].as_array().unwrap();
        let solution = legal.iter().find(|mv| mv["move"] == puzzle["solution"]).unwrap();
        assert_eq!(solution["spots"], puzzle["solution_spots"]);
        assert_eq!(puzzle["line"][0], puzzle["solution"]);
        assert!(puzzle["to_find"].as_u64().unwrap() >= 1);
    }
    let second = tab.ask("puzzle", json!({ "game": "tictactoe", "number": 2 }));
    assert_ne!(second, tab.ask("puzzle", json!({ "game": "tictactoe" })));
    let last = tab.ask("puzzle", json!({ "game": "ponghauki", "number": 200 }));
    assert_eq!(last, Json::Null);
    let refused = tab.ask_refused("puzzle", json!({ "game": "nim", "difficulty": 6 }));
    assert_eq!(refused["message"], "invalid difficulty 6, expected 1 to 5");
}

#[test]
fn a_puzzle_near_a_rating_is_chosen_and_seen_ones_come_last() {
    let server = TestServer::start();
    let mut tab = server.open_tab();
    let near =
        |rating: f64, seen: &[Json]| json!({ "game": "tictactoe", "near": rating, "seen": seen });
    let mut rating_of = |near: Json| tab.ask("puzzle", near)["rating"]["rating"].as_f64().unwrap();
    assert!(rating_of(near(0.0, &[])) < rating_of(near(3000.0, &[])));
    let mut seen: Vec<Json> = Vec::new();
    for _ in 0..6 {
        let fields = json!({ "game": "ponghauki", "near": 1000, "seen": seen });
        let fen = tab.ask("puzzle", fields)["fen"].clone();
        assert!(!seen.contains(&fen), "{fen}");
        seen.insert(0, fen);
    }
    let again = tab.ask("puzzle", json!({ "game": "ponghauki", "near": 1000, "seen": seen }));
    assert_eq!(again["fen"], seen[5], "the one seen longest ago");
}

#[test]
fn solver_and_puzzle_are_rated_and_implausible_ratings_refused() {
    let server = TestServer::start();
    let mut tab = server.open_tab();
    let rating = |rating: f64| json!({ "rating": rating, "deviation": 200.0, "volatility": 0.06 });
    let mut rate = |solved: bool| {
        let fields =
            json!({ "solver": rating(1200.0), "puzzle": rating(1300.0), "solved": solved });
        let after = tab.ask("rate_puzzle", fields);
        ["solver", "puzzle"].map(|name| after[name]["rating"].as_f64().unwrap())
    };
    let ([won, lost], [missed, kept]) = (rate(true), rate(false));
    assert!(won > 1200.0 && lost < 1300.0 && missed < 1200.0 && kept > 1300.0);
    assert!(won - 1200.0 > 1200.0 - missed, "solving a harder puzzle is worth more");
    for bad in [json!(-1.0), json!(1e9)] {
        let solver = json!({ "rating": bad, "deviation": 200.0, "volatility": 0.06 });
        let fields = json!({ "solver": solver, "puzzle": rating(1300.0), "solved": true });
        let refused = tab.ask_refused("rate_puzzle", fields);
        let message = refused["message"].as_str().unwrap();
        assert!(message.starts_with("implausible rating of the solver"), "{refused}");
    }
}

#[test]
fn the_graph_is_walked_by_moves() {
    let server = TestServer::start();
    let mut tab = server.open_tab();
    let mut moves: Vec<String> = Vec::new();
    for ply in 0..12 {
        let setup = json!({ "game": "ponghauki", "moves": moves });
        let graph = tab.ask("graph", json!({ "setup": setup }));
        let current = graph["current"].as_u64().unwrap();
        let legal = graph["moves"].as_array().unwrap();
        for mv in legal {
            let arrow = json!([current, mv["to"]]);
            assert!(graph["arrows"].as_array().unwrap().contains(&arrow), "{moves:?} {mv}");
        }
        let Some(mv) = legal.get(ply % legal.len().max(1)) else { break };
        moves.push(mv["move"].as_str().unwrap().to_owned());
    }
    assert!(moves.len() > 4);
    assert_eq!(tab.ask("graph", json!({ "setup": setup("nim", &[]) })), Json::Null);
}

#[test]
fn the_atlas_knows_the_first_four_plies_and_its_lines_are_legal() {
    let server = TestServer::start();
    let mut tab = server.open_tab();
    for game in ["tixtax", "tixtax-count"] {
        let mut moves: Vec<String> = Vec::new();
        for ply in 0..4 {
            let setup = json!({ "game": game, "moves": moves });
            let atlas = tab.ask("atlas", json!({ "setup": setup }));
            let known = atlas["moves"].as_array().unwrap();
            // All first moves and all replies, then the best ones and their images.
            let expected = [81..=81, 8..=9, 2..=9, 5..=9][ply].clone();
            assert!(expected.contains(&known.len()), "{moves:?}: {}", known.len());
            for own in known {
                let line = own["line"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap());
                let played = moves.iter().map(String::as_str).chain(line);
                let setup = json!({ "game": game, "moves": played.collect::<Vec<_>>() });
                tab.ask("position", json!({ "setup": setup }));
                assert!(own["depth"].as_u64().unwrap() >= 15, "{own}");
            }
            moves.push(known[known.len() / 2]["move"].as_str().unwrap().to_owned());
        }
    }
    assert_eq!(tab.ask("atlas", json!({ "setup": setup("nim", &[]) }))["moves"], json!([]));
}

#[test]
fn proofs_report_value_bounds_and_best_move() {
    let server = TestServer::start();
    let mut tab = server.open_tab();
    let won = tab.ask("prove", json!({ "setup": setup("tictactoe", &["b2", "b3"]), "lang": "zh" }));
    assert_eq!(
        (&won["value"], &won["plies"], &won["text"]),
        (&json!("win"), &json!(5), &json!("必胜 5"))
    );
    let fields = json!({ "setup": setup("tixtax", &[]), "ms": 1500 });
    let id = tab.start("prove", fields);
    let (message, progress) = tab.finish(id);
    assert_eq!(message["answer"]["value"], Json::Null);
    assert_eq!(message["answer"]["at_most"], "win");
    assert!(!progress.is_empty());
    let refused =
        tab.ask_refused("prove", json!({ "setup": setup("nim", &[]), "memory": 100_000 }));
    assert!(refused["message"].as_str().unwrap().starts_with("invalid memory 100000"), "{refused}");
}
