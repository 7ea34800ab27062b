//! The statements of a review about a game agree with each other.

use zermelo::records::Glyph;
use zermelo::rules::{ExactValue, Notation, Outcome, SplitMix, StartPosition, Value};
use zermelo::search::{Limits, Score, SearchControl};
use zermelo::teaching::review::{GameReview, ReviewOptions, review_game};
use zermelo::thinking::{GameSpec, SearchRequest, registry};

/// A game between two levels from 0 to 12, the first moves of which are random.
fn game(spec: &GameSpec, seed: u64) -> (Vec<String>, Option<Outcome>) {
    let (mut game, mut random) = (spec.open(), SplitMix::new(seed));
    let levels = [random.below(13), random.below(13)];
    let mut moves: Vec<String> = Vec::new();
    while game.outcome().is_none() {
        let mv = if moves.len() < 4 {
            let legal = game.legal_moves(Notation::Own);
            legal[random.below(legal.len())].clone()
        } else {
            let limits = Limits { nodes: Some(500), ..Limits::default() };
            let level = levels[moves.len() % 2] as u32;
            let request = SearchRequest {
                limits,
                ..SearchRequest::at_level(level, seed, std::time::Duration::MAX)
            };
            let search = game.prepare(&request).unwrap();
            search.run(&SearchControl::default(), &mut |_| {}).unwrap().best_move().unwrap()
        };
        game.play_moves(&[&mv]).unwrap();
        moves.push(mv);
    }
    (moves, game.outcome())
}

fn review(spec: &GameSpec, moves: &[String], nodes: u64) -> GameReview {
    let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
    let options = ReviewOptions { nodes: Some(nodes), ..ReviewOptions::default() };
    let control = SearchControl::default();
    review_game(
        spec.open().as_mut(),
        &StartPosition::Initial,
        &moves,
        &options,
        &control,
        &mut |_, _| {},
    )
    .unwrap()
}

/// The number of moves checked.
fn check(spec: &GameSpec, seed: u64, nodes: u64) -> usize {
    let (moves, outcome) = game(spec, seed);
    let review = review(spec, &moves, nodes);
    let id = spec.id;
    assert!(review.is_complete());
    for pair in review.moves.windows(2) {
        let [mv, next] = pair else { unreachable!() };
        let place = format!("{id} {seed}, ply {}: {mv:?} {next:?}", mv.ply);
        // Records cannot tell which distances are exact.
        let [after, before] =
            [mv.after, next.before.before_move()].map(|score| (score.proven(), score.points()));
        assert_eq!(after, before, "{place}");
        // What the reply is proven to be worth bounds the move.
        if let (Some(value), Some(reply)) = (mv.before.proven(), next.after.proven()) {
            let has_lost_value = reply.value().flip() < value.value();
            assert!(!has_lost_value || mv.mark == Some(Glyph::Blunder), "{place}");
        }
    }
    for mv in &review.moves {
        let place = format!("{id} {seed}: {mv:?}");
        assert!(mv.before.points() >= mv.after.points() || mv.before.proven().is_some(), "{place}");
        let is_lost = mv.before.proven().is_some_and(|before| before.value() == Value::Loss);
        let is_blamed = mv.mark.is_some_and(|mark| mark != Glyph::OnlyMove);
        assert!(!is_lost || (!is_blamed && mv.loss() == 0.0), "{place}");
    }
    let last = review.moves.last().unwrap();
    let value = outcome.unwrap().value_for(last.side);
    assert_eq!(last.after.proven().map(ExactValue::value), Some(value), "{id} {seed}");
    review.moves.len()
}

#[test]
fn after_a_move_equals_before_the_next_one() {
    let games = std::env::var("REVIEWS").map_or(4, |games| games.parse().unwrap());
    for id in ["tixtax", "tixtax-count", "tixtax-open"] {
        let spec = registry::find(id).unwrap();
        let checked: usize = (0..games).map(|seed| check(spec, seed, 4000)).sum();
        assert!(checked > 20 * games as usize, "{id}: {checked}");
    }
}

#[test]
fn a_proof_is_carried_back_to_the_move_before_it() {
    let spec = registry::find("tixtax").unwrap();
    let (mut carried, mut seed) = (0, 100);
    while carried < 3 {
        let (moves, _) = game(spec, seed);
        let few = review(spec, &moves, 300);
        // Whoever moves into a position that is proven lost for the other has won it.
        for pair in few.moves.windows(2) {
            if matches!(pair[1].before, Score::ByLine(value) if value.value() == Value::Loss) {
                let before = pair[0].before.proven().map(ExactValue::value);
                assert_eq!(before, Some(Value::Win), "{pair:?}");
                carried += 1;
            }
        }
        seed += 1;
    }
}
