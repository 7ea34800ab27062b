//! The requests of the page: what they answer.

use serde_json::{Value as Json, json};
use zermelo::thinking::registry::games;

use crate::client::{Tab, TestServer};

fn setup(game: &str, moves: &[&str]) -> Json {
    json!({ "game": game, "moves": moves })
}

fn position(tab: &mut Tab, game: &str, moves: &[&str]) -> Json {
    tab.ask("position", json!({ "setup": setup(game, moves) }))
}

fn strings(list: &Json) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

#[test]
fn the_catalogue_lists_every_game_in_both_languages() {
    let server = TestServer::start();
    let mut tab = server.open_tab();
    let english = tab.ask("games", json!({}));
    let chinese = tab.ask("games", json!({ "lang": "zh" }));
    for (index, spec) in games().iter().enumerate() {
        let [game, other] = [&english, &chinese].map(|catalogue| &catalogue["games"][index]);
        assert_eq!(game["id"], spec.id);
        for text in ["name", "summary", "rules"] {
            assert!(!game[text].as_str().unwrap().is_empty(), "{text}");
            assert_ne!(game[text], other[text], "{text} of {}", spec.id);
        }
        assert_eq!(game["sides"].as_array().unwrap().len(), 2);
        assert_eq!(game["has_graph"], json!(spec.id == "ponghauki"));
        assert_eq!(game["has_atlas"], json!(["tixtax", "tixtax-count"].contains(&spec.id)));
        assert!(!game["layout"]["spots"].as_array().unwrap().is_empty());
    }
    assert_eq!(english["default_game"], games()[0].id);
    assert_eq!(english["version"], env!("CARGO_PKG_VERSION"));
    let levels = english["levels"].as_array().unwrap();
    assert!(levels.iter().any(|level| level["level"] == english["default_level"]));
}

#[test]
fn a_position_shows_the_board_and_its_legal_moves() {
    let server = TestServer::start();
    let mut tab = server.open_tab();
    let start = position(&mut tab, "tictactoe", &[]);
    assert_eq!(start["shown"], ".........");
    assert_eq!(start["legal"].as_array().unwrap().len(), 9);
    assert_eq!(start["status"], "X to move.");
    let after = position(&mut tab, "tictactoe", &["b2", "a3"]);
    assert_eq!(after["shown"], "o...x....");
    assert_eq!((&after["side"], &after["plies"]), (&json!(0), &json!(2)));
    assert_eq!(after["last"], json!([0]));
    assert_eq!(after["fen"], "o2/1x1/3 x");
    assert_eq!(after["outcome"], Json::Null);
}

#[test]
fn replies_are_the_positions_after_the_legal_moves() {
    let server = TestServer::start();
    let mut tab = server.open_tab();
    let setup = setup("tixtax", &["e5", "d5"]);
    let answer = tab.ask("position", json!({ "setup": setup, "replies": true }));
    let legal = answer["legal"].as_array().unwrap();
    assert_eq!(answer["replies"].as_object().unwrap().len(), legal.len());
    for mv in legal.iter().map(|legal| legal["move"].as_str().unwrap()) {
        assert_eq!(answer["replies"][mv], position(&mut tab, "tixtax", &["e5", "d5", mv]), "{mv}");
    }
}

#[test]
fn legal_moves_name_their_spots_in_the_order_of_clicks() {
    let server = TestServer::start();
    let mut tab = server.open_tab();
    let layout = |tab: &mut Tab, id: &str| {
        let catalogue = tab.ask("games", json!({}));
        let games = catalogue["games"].as_array().unwrap().clone();
        games.into_iter().find(|game| game["id"] == id).unwrap()["layout"].clone()
    };
    for spec in games() {
        let layout = layout(&mut tab, spec.id);
        let start = position(&mut tab, spec.id, &[]);
        for legal in start["legal"].as_array().unwrap() {
            let spots = legal["spots"].as_array().unwrap().iter();
            let names: String = spots
                .map(|spot| {
                    layout["spots"][spot.as_u64().unwrap() as usize]["name"].as_str().unwrap()
                })
                .collect();
            assert_eq!(legal["move"], names, "{}", spec.id);
        }
    }
}

#[test]
fn the_status_names_the_board_to_play_in_and_the_result() {
    let server = TestServer::start();
    let mut tab = server.open_tab();
    let sent = position(&mut tab, "tixtax", &["e5"]);
    assert_eq!(sent["status"], "O to move. Next move: the centre board.");
    let nim = position(&mut tab, "nim", &[]);
    assert_eq!(nim["status"], "Black to move.");
    let chinese = tab.ask("position", json!({ "setup": setup("tixtax", &["e5"]), "lang": "zh" }));
    assert_eq!(chinese["status"], "轮到O方走棋。下一步：正中的小棋盘。");
    let won = position(&mut tab, "tictactoe", &["a1", "b1", "a2", "b2", "a3"]);
    assert_eq!(won["outcome"], json!({ "result": "1-0", "text": "X wins: three in a row." }));
    assert_eq!(won["legal"], json!([]));
    let mut resigned = setup("tictactoe", &["a1"]);
    resigned["resigned"] = json!(1);
    let resigned = tab.ask("position", json!({ "setup": resigned }));
    assert_eq!(resigned["outcome"]["text"], "X wins: O resigned.");
    assert_eq!(resigned["legal"], json!([]));
}

#[test]
fn a_setup_with_an_illegal_move_names_its_ply() {
    let server = TestServer::start();
    let mut tab = server.open_tab();
    let refused =
        |tab: &mut Tab, setup: Json| tab.ask_refused("position", json!({ "setup": setup }));
    let error = refused(&mut tab, setup("tictactoe", &["a1", "a1"]));
    assert_eq!(error["ply"], 2);
    assert!(error["message"].as_str().unwrap().contains("a1"), "{error}");
    let error = refused(&mut tab, json!({ "game": "chess" }));
    assert!(error["message"].as_str().unwrap().starts_with("unknown game \"chess\""), "{error}");
    let error = refused(&mut tab, json!({ "game": "tictactoe", "start": "xxx/3/3 x" }));
    assert!(error["message"].as_str().unwrap().starts_with("invalid FEN"), "{error}");
    let error = refused(&mut tab, json!({ "game": "tictactoe", "resigned": 2 }));
    assert!(error["message"].as_str().unwrap().contains("expected 0 or 1"), "{error}");
}

#[test]
fn illegal_moves_are_explained_and_legal_ones_recognised() {
    let server = TestServer::start();
    let mut tab = server.open_tab();
    let why = |tab: &mut Tab, game: &str, moves: &[&str], mv: &str| {
        tab.ask("why_illegal", json!({ "setup": setup(game, moves), "move": mv }))
    };
    let occupied = why(&mut tab, "tictactoe", &["b2"], "b2");
    assert_eq!(occupied["text"], "\"b2\" is not legal here: b2 is occupied.");
    assert_eq!(why(&mut tab, "tictactoe", &[], "5"), json!({ "text": null, "move": "b2" }));
    let elsewhere = why(&mut tab, "tixtax", &["e5"], "a1");
    assert!(elsewhere["text"].as_str().unwrap().contains("the centre board"), "{elsewhere}");
    let nonsense = why(&mut tab, "nim", &[], "<b>");
    assert!(nonsense["text"].as_str().unwrap().starts_with("\"<b>\" is not a move."), "{nonsense}");
    let over = why(&mut tab, "tictactoe", &["a1", "b1", "a2", "b2", "a3"], "c3");
    assert!(over["text"].as_str().unwrap().contains("the game is over"), "{over}");
}

#[test]
fn hints_and_explanations_give_moves_and_reasons() {
    let server = TestServer::start();
    let mut tab = server.open_tab();
    let moves = ["a1", "b2", "a2"];
    let hint = tab.ask("hint", json!({ "setup": setup("tictactoe", &moves) }));
    assert_eq!((&hint["move"], &hint["spots"]), (&json!("a3"), &json!([0])));
    assert!(hint["text"].as_str().unwrap().contains("draw"), "{hint}");
    let blunder = json!({ "setup": setup("tictactoe", &moves), "move": "c1" });
    let blunder = tab.ask("explain", blunder);
    assert_eq!(blunder["better"], "a3");
    assert_eq!((&blunder["loss"], &blunder["reply"]), (&json!(0.5), &json!("a3")));
    assert!(blunder["warning"].as_str().unwrap().starts_with("Careful"), "{blunder}");
    let good = json!({ "setup": setup("tictactoe", &moves), "move": "a3" });
    let good = tab.ask("explain", good);
    assert_eq!((&good["better"], &good["warning"]), (&Json::Null, &Json::Null));
    let hint = json!({ "setup": setup("tixtax", &["e5"]), "ms": 50, "lang": "zh" });
    let hint = tab.ask("hint", hint);
    assert!(strings(&hint["line"]).len() <= 5);
    let refused = json!({ "setup": setup("tixtax", &[]), "ms": 86_400_000 });
    let refused = tab.ask_refused("hint", refused);
    assert_eq!(refused["message"], "invalid ms 86400000, expected 1 to 10000");
}

#[test]
fn start_positions_are_legal_and_repeatable() {
    let server = TestServer::start();
    let mut tab = server.open_tab();
    for spec in games() {
        for kind in ["standard", "random", "balanced"] {
            let fields = json!({ "game": spec.id, "kind": kind, "seed": 5 });
            let [one, other] = [0, 1].map(|_| tab.ask("start", fields.clone()));
            assert_eq!(one, other);
            let setup = json!({ "game": spec.id, "start": one["fen"] });
            let shown = tab.ask("position", json!({ "setup": setup }));
            assert_eq!((&shown["fen"], &shown["outcome"]), (&one["fen"], &Json::Null));
        }
    }
    let refused = tab.ask_refused("start", json!({ "game": "nim", "kind": "chess960" }));
    assert!(refused["message"].as_str().unwrap().contains("expected one of `standard`"));
}

#[test]
fn lessons_come_in_the_language_of_the_request() {
    let server = TestServer::start();
    let mut tab = server.open_tab();
    for spec in games() {
        let english = tab.ask("lessons", json!({ "game": spec.id }));
        let chinese = tab.ask("lessons", json!({ "game": spec.id, "lang": "zh" }));
        for (lesson, other) in english["lessons"]
            .as_array()
            .unwrap()
            .iter()
            .zip(chinese["lessons"].as_array().unwrap())
        {
            assert_eq!(lesson["id"], other["id"]);
            assert_ne!(lesson["title"], other["title"]);
            let [step, same] = [lesson, other].map(|own| own["steps"][0].clone());
            assert_eq!(step["accepted"], same["accepted"]);
            assert_ne!(step["task"], same["task"]);
            let start = json!({ "game": spec.id, "start": step["start"], "moves": step["moves"] });
            let shown = tab.ask("position", json!({ "setup": start }));
            let legal: Vec<&Json> =
                shown["legal"].as_array().unwrap().iter().map(|mv| &mv["move"]).collect();
            assert!(step["accepted"].as_array().unwrap().iter().all(|mv| legal.contains(&mv)));
        }
    }
    tab.ask_refused("lessons", json!({ "game": "chess" }));
}

/// Whatever is asked about a position first, the other requests give the same best move and values, and the
/// review of a game that goes on from there does, too.
#[test]
fn every_request_about_a_position_gets_one_answer() {
    let server = TestServer::start();
    let mut tab = server.open_tab();
    let before = setup("tixtax", &["e5", "d6", "a9"]);
    let hint = tab.ask("hint", json!({ "setup": before }));
    let ratings = |tab: &mut Tab| tab.ask("ratings", json!({ "setup": before, "ms": 100 }));
    let rated = ratings(&mut tab);
    let (best, value) = (&rated["moves"][0]["move"], rated["moves"][0]["text"].clone());
    assert_eq!(&hint["move"], best);
    let worst = rated["moves"].as_array().unwrap().last().unwrap()["move"].clone();
    let explained = tab.ask("explain", json!({ "setup": before, "move": worst }));
    assert_eq!(&explained["better"], best);
    let after = ratings(&mut tab);
    assert_eq!((&after["moves"][0]["move"], &after["moves"][0]["text"]), (best, &value));
    let played =
        after["moves"].as_array().unwrap().iter().find(|own| own["move"] == worst).unwrap();
    let loss =
        after["moves"][0]["expected"].as_f64().unwrap() - played["expected"].as_f64().unwrap();
    assert!((explained["loss"].as_f64().unwrap() - loss).abs() < 1e-9, "{explained} {after}");
    // The reply to the worst move is known from its explanation.
    let next = setup("tixtax", &["e5", "d6", "a9", worst.as_str().unwrap()]);
    let reply = tab.ask("hint", json!({ "setup": next }));
    assert_eq!(reply["move"], explained["reply"]);
    let review = tab.ask("review", json!({ "setup": next, "nodes": 1000 }));
    let reviewed = review["moves"].as_array().unwrap().last().unwrap();
    assert_eq!((&reviewed["best"], &reviewed["before"]), (best, &value));
    assert_eq!(reviewed["after"], played["text"]);
    assert_eq!(&tab.ask("hint", json!({ "setup": before }))["move"], best);
}
