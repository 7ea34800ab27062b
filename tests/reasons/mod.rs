//! The reasons for moves, recomputed from the rules by plain code on random positions: each is given
//! exactly where its definition holds.

mod nim;
mod ponghauki;
mod tictactoe;
mod tixtax;

use std::collections::BTreeMap;
use std::time::Duration;

use zermelo::games::{TicTacToe, TixTax, TixTaxCount, TixTaxOpen};
use zermelo::reasons::{BrokenRule, DefaultReasons, Reason, Reasons};
use zermelo::rules::{ExactValue, Game, Notation, Outcome, SplitMix, StartPosition, Value};
use zermelo::search::{Score, SearchControl};
use zermelo::thinking::{SearchRequest, registry};

const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

fn random_positions<G: Game>(games: usize, seed: u64) -> Vec<G> {
    let mut random = SplitMix::new(seed);
    let mut positions = Vec::new();
    for _ in 0..games {
        let mut pos = G::random_start(&mut random);
        // Games that repeat positions are cut off.
        for _ in 0..100 {
            if pos.outcome().is_some() {
                break;
            }
            positions.push(pos);
            pos.play_unchecked(pos.random_move(&mut random));
        }
    }
    positions
}

fn wins_at_once<G: Game>(pos: &G, mv: G::Move) -> bool {
    pos.after(mv).outcome() == Some(Outcome::Win(pos.side()))
}

/// Counts how often each kind of reason occurs, and fails if one never does.
#[derive(Default)]
struct KindCounter(BTreeMap<String, usize>);

impl KindCounter {
    fn add(&mut self, reasons: &[Reason]) {
        for reason in reasons {
            let json = serde_json::to_value(reason).unwrap();
            *self.0.entry(json["kind"].as_str().unwrap().to_owned()).or_default() += 1;
        }
    }

    fn assert_kinds(&self, kinds: &[&str]) {
        let found: Vec<&str> = self.0.keys().map(String::as_str).collect();
        let mut expected = kinds.to_vec();
        expected.sort_unstable();
        assert_eq!(found, expected, "{:?}", self.0);
    }
}

/// The reason that follows from the values of all legal moves.
fn expected_value_reason(scores: &[(String, Score)], mv: &str) -> Option<Reason> {
    let exact = |score: &Score| score.proven().unwrap();
    let own = exact(&scores.iter().find(|(name, _)| name == mv).unwrap().1);
    let others: Vec<ExactValue> =
        scores.iter().filter(|(name, _)| name != mv).map(|(_, score)| exact(score)).collect();
    match own {
        ExactValue::Win(1) => None,
        _ if others.is_empty() => Some(Reason::OnlyLegalMove),
        ExactValue::Loss(_) => others
            .iter()
            .all(|other| other.value() == Value::Loss && other.plies() <= own.plies())
            .then_some(Reason::LastsLongest),
        _ => others
            .iter()
            .all(|other| other.value() < own.value())
            .then_some(Reason::OnlyMoveFor { value: own.value() }),
    }
}

#[test]
fn reasons_of_value_follow_from_the_values_of_all_moves() {
    let is_value_reason = |reason: &&Reason| {
        matches!(reason, Reason::OnlyLegalMove | Reason::OnlyMoveFor { .. } | Reason::LastsLongest)
    };
    let mut counter = KindCounter::default();
    let request =
        SearchRequest { multi_pv: usize::MAX, ..SearchRequest::best_move(Duration::ZERO) };
    for spec in registry::games().iter().filter(|spec| spec.is_solved) {
        let mut random = SplitMix::new(13);
        for _ in 0..30 {
            let mut position = spec.open();
            let setup = StartPosition::Random { seed: random.bits(), plies: Some(0) };
            position.set_position(&setup, &[]).unwrap();
            for _ in 0..40 {
                let legal = position.legal_moves(Notation::Own);
                let Some(chosen) = legal.get(random.below(legal.len().max(1))) else { break };
                let control = SearchControl::default();
                let report =
                    position.prepare(&request).unwrap().run(&control, &mut |_| {}).unwrap();
                let scores = report.move_scores();
                assert_eq!(scores.len(), legal.len());
                for mv in &legal {
                    let reasons = position.reasons(mv, None).unwrap();
                    let found: Vec<&Reason> = reasons.iter().filter(is_value_reason).collect();
                    let expected = expected_value_reason(&scores, mv);
                    assert_eq!(found, Vec::from_iter(&expected), "{} {mv}", position.fen());
                    counter.add(&Vec::from_iter(expected));
                }
                position.play_moves(&[chosen]).unwrap();
            }
        }
    }
    counter.assert_kinds(&["only_legal_move", "only_move_for", "lasts_longest"]);
}

#[test]
fn reasons_are_refused_for_moves_that_cannot_be_played() {
    let mut position = registry::find("tictactoe").unwrap().open();
    position.play_moves(&["b2"]).unwrap();
    assert!(position.reasons("b2", None).unwrap_err().to_string().contains("illegal move \"b2\""));
    assert!(position.reasons("d4", None).unwrap_err().to_string().contains("is not a move"));
    assert_eq!(position.broken_rule("b2"), Some(BrokenRule::Occupied { square: "b2".to_owned() }));
    assert_eq!(position.broken_rule("a1"), None);
    position.play_moves(&["a1", "a2", "b1", "c2"]).unwrap();
    assert_eq!(position.broken_rule("a1"), None, "the game is over");
}

/// Games without reasons of their own still say that a move wins.
#[test]
fn the_default_reasons_name_winning_moves() {
    fn check<G: Game>(seed: u64) {
        let mut count = 0;
        for pos in random_positions::<G>(20, seed) {
            for mv in pos.legal_moves() {
                let reasons = <DefaultReasons as Reasons<G>>::reasons(&pos, mv, None);
                let expected = if wins_at_once(&pos, mv) { vec![Reason::Wins] } else { vec![] };
                count += expected.len();
                assert_eq!(reasons, expected);
            }
        }
        assert!(count > 0);
    }
    check::<TicTacToe>(14);
    check::<TixTax>(15);
    check::<TixTaxOpen>(16);
    check::<TixTaxCount>(16);
}
