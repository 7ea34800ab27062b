//! The suite of `zermelo exam`: balanced, with right values and motifs.

use std::collections::BTreeSet;

use serde_json::{Value as Json, json};
use zermelo::games::{TixTax, TixTaxCount};
use zermelo::rules::{GameNotation, Side, StartPosition, Value};
use zermelo::solve::ExactSearch;
use zermelo::thinking::registry;

use super::{GAMES, exported, suite, text_of};
use crate::common::{lines, run_program};

#[test]
fn the_suites_are_small_and_balanced() {
    assert!(GAMES.iter().map(|game| text_of(game).len()).sum::<usize>() <= 400_000);
    for game in GAMES {
        let positions = exported(game);
        let fens: BTreeSet<&str> =
            positions.iter().map(|own| own["fen"].as_str().unwrap()).collect();
        assert_eq!(fens.len(), positions.len(), "{game}");
        let count = |belongs: &dyn Fn(&Json) -> bool| {
            positions.iter().filter(|position| belongs(position)).count() * 1000 / positions.len()
        };
        let ply = |position: &Json| position["line"].as_array().unwrap().len();
        assert!(positions.iter().all(|position| (24..=60).contains(&ply(position))));
        for (plies, least) in [(24..30, 5), (30..36, 100), (36..42, 300), (42..61, 200)] {
            let share = count(&|position| plies.contains(&ply(position)));
            assert!(share >= least, "{game} {plies:?} {share}");
        }
        let right = |position: &Json| position["right"].as_array().unwrap().len();
        let shares = [1, 2].map(|number| count(&|position| right(position) == number));
        assert!((300..=500).contains(&shares[0]) && (150..=300).contains(&shares[1]), "{shares:?}");
        for motif in [
            "free-choice-given",
            "free-choice-denied",
            "board-given-up",
            "draw-defended",
            "count",
            "quiet-only-move",
        ] {
            let share =
                count(&|position| position["motifs"].as_array().unwrap().contains(&json!(motif)));
            assert!(share >= 10 || motif == "count" && game == "tixtax", "{game} {motif} {share}");
        }
    }
}

/// Checks values by an exhaustive search, which shares no code with the prover that found them.
fn check_late_values<G: GameNotation>(max_plies: u32, step: usize) -> usize {
    let mut search = ExactSearch::<G>::default();
    let mut checked = 0;
    for position in suite(G::ID).positions.iter().step_by(step) {
        let pos: G = position.fen.parse().unwrap();
        if pos.max_plies_left().unwrap() > max_plies {
            continue;
        }
        for (name, value) in &position.values {
            let next = pos.after(pos.parse_move(name).unwrap());
            let found = match search.value(&next) {
                Value::Win => Value::Loss,
                Value::Draw => Value::Draw,
                Value::Loss => Value::Win,
            };
            assert_eq!(found, *value, "{name} in {}", position.fen);
        }
        checked += 1;
    }
    checked
}

#[test]
fn values_of_late_positions_agree_with_an_exhaustive_search() {
    assert!(check_late_values::<TixTax>(16, 4) >= 10);
    assert!(check_late_values::<TixTaxCount>(16, 4) >= 10);
}

#[test]
#[ignore = "searches hundreds of positions to the end"]
fn values_of_all_late_positions_agree_with_an_exhaustive_search() {
    assert!(check_late_values::<TixTax>(26, 1) >= 300);
    assert!(check_late_values::<TixTaxCount>(26, 1) >= 300);
}

/// Proves the positions after every move of a sample again, and walks each proof by the rules alone.
fn check_by_verified_proofs(step: usize, first_ply: usize) {
    for game in GAMES {
        let mut board = registry::find(game).unwrap().open();
        for position in suite(game).positions.iter().step_by(step) {
            if position.line.len() < first_ply {
                continue;
            }
            let mut fens = String::new();
            for (mv, _) in &position.values {
                board.set_position(&StartPosition::Fen(&position.fen), &[mv]).unwrap();
                fens += &format!("{}\n", board.fen());
            }
            let arguments = ["solve", "--game", game, "--file", "-", "--verify"];
            let output = run_program(&arguments, fens.as_bytes());
            assert!(output.status.success(), "{output:?}");
            let words = lines(&output.stdout);
            let found: Vec<_> = words.iter().map(|line| line.split(' ').next().unwrap()).collect();
            let expected = position.values.iter().map(|(_, value)| match value {
                Value::Win => "loss",
                Value::Draw => "draw",
                Value::Loss => "win",
            });
            assert_eq!(found, expected.collect::<Vec<_>>(), "{game} {}", position.fen);
        }
    }
}

#[test]
fn values_of_a_sample_are_proven_again() {
    check_by_verified_proofs(150, 40);
}

#[test]
#[ignore = "proves thousands of positions"]
fn values_of_all_positions_are_proven_again() {
    check_by_verified_proofs(1, 24);
}

/// Motifs, recomputed from what is legal and who owns which board after each move.
#[test]
fn motifs_hold_by_the_rules() {
    fn check<G: GameNotation>(owned: fn(&G) -> [u32; 2]) {
        for position in exported(G::ID).iter().step_by(7) {
            let pos: G = position["fen"].as_str().unwrap().parse().unwrap();
            let board_of = |name: &str| {
                let bytes = name.as_bytes();
                ((bytes[0] - b'a') / 3, (bytes[1] - b'1') / 3)
            };
            let facts = |name: &str| {
                let next = pos.after(pos.parse_move(name).unwrap());
                let replies: Vec<_> = next.legal_moves().into_iter().collect();
                let boards: BTreeSet<_> =
                    replies.iter().map(|reply| board_of(&reply.to_string())).collect();
                let them = next.side().index();
                let wins_board =
                    |reply: &G::Move| owned(&next.after(*reply))[them] > owned(&next)[them];
                (boards.len() > 1, replies.iter().any(wins_board))
            };
            let right: Vec<&str> = position["right"]
                .as_array()
                .unwrap()
                .iter()
                .map(|mv| mv.as_str().unwrap())
                .collect();
            let all: Vec<_> = position["values"].as_object().unwrap().keys().collect();
            let of = |is_right: bool| {
                let chosen = all.iter().filter(|mv| right.contains(&mv.as_str()) == is_right);
                chosen.map(|mv| facts(mv)).collect::<Vec<_>>()
            };
            let (of_right, of_wrong) = (of(true), of(false));
            let has = |motif: &str| position["motifs"].as_array().unwrap().contains(&json!(motif));
            let given =
                of_right.iter().all(|facts| facts.0) && of_wrong.iter().any(|facts| !facts.0);
            let denied =
                of_right.iter().all(|facts| !facts.0) && of_wrong.iter().any(|facts| facts.0);
            let board =
                of_right.iter().all(|facts| facts.1) && of_wrong.iter().any(|facts| !facts.1);
            assert_eq!(
                [
                    has("free-choice-given"),
                    has("free-choice-denied"),
                    has("board-given-up"),
                    has("draw-defended")
                ],
                [given, denied, board, position["value"] == "draw"],
                "{position}"
            );
        }
    }
    check::<TixTax>(|pos| [Side::P1, Side::P2].map(|side| pos.owned(side).count_ones()));
    check::<TixTaxCount>(|pos| [Side::P1, Side::P2].map(|side| pos.owned(side).count_ones()));
}
