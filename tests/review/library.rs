//! The review as a library: reproducible, complete, and clear about what it could not review.

use std::time::{Duration, Instant};

use zermelo::games::TixTax;
use zermelo::language::Language;
use zermelo::records::{Glyph, ValueKeepingMoves};
use zermelo::rules::{Game, Notation, Record, Side, SplitMix, StartPosition};
use zermelo::search::{Score, SearchControl};
use zermelo::teaching::review::{GameReview, MoveReview, ReviewOptions, review_game};
use zermelo::thinking::registry;

const FEW_NODES: ReviewOptions = ReviewOptions { nodes: Some(3000), time: None, threads: 1 };

fn review(game: &str, moves: &str, options: &ReviewOptions) -> GameReview {
    let spec = registry::find(game).unwrap();
    let moves: Vec<&str> = moves.split_whitespace().collect();
    let control = SearchControl::default();
    review_game(
        spec.open().as_mut(),
        &StartPosition::Initial,
        &moves,
        options,
        &control,
        &mut |_, _| {},
    )
    .unwrap()
}

fn random_game(seed: u64) -> String {
    let (mut record, mut random) = (Record::new(TixTax::start()), SplitMix::new(seed));
    while record.outcome().is_none() {
        record.push(record.position().random_move(&mut random)).unwrap();
    }
    record.moves().iter().map(|mv| format!("{mv} ")).collect()
}

#[test]
fn reviews_with_the_same_node_limit_are_identical() {
    let moves = random_game(5);
    let first = review("tixtax", &moves, &FEW_NODES);
    assert_eq!(first, review("tixtax", &moves, &FEW_NODES));
    assert!(first.moves.iter().any(|mv| !mv.is_proven()));
    assert!(first.moves.iter().any(MoveReview::is_proven));
}

#[test]
fn blunders_name_the_better_move_and_turn_the_game() {
    let review = review("tictactoe", "a3 b3 c2 b2 b1 a1", &ReviewOptions::default());
    let marks: Vec<Option<Glyph>> = review.moves.iter().map(|mv| mv.mark).collect();
    assert_eq!(marks[..3], [None, Some(Glyph::Blunder), Some(Glyph::Blunder)]);
    let [_, reply, missed, ..] = &review.moves[..] else { panic!() };
    assert_eq!((reply.ply, reply.side, reply.loss()), (2, Side::P2, 0.5));
    // Against a corner only the centre holds the draw.
    assert_eq!((reply.best_move(), reply.keeping.count, reply.keeping.legal), ("b2", 1, 8));
    assert_eq!(missed.before.proven().unwrap().to_string(), "win 5");
    assert_eq!(missed.best_line.len(), 5);
    assert_eq!(review.turning_points, [1, 2]);
    let [first, second] = &review.players;
    assert_eq!((first.moves, first.marks.proven(Glyph::Blunder)), (3, 1));
    assert!((first.mean_loss - 0.5 / 3.0).abs() < 1e-9);
    // One blunder in three moves.
    assert!((65.0..75.0).contains(&second.accuracy.unwrap()), "{second:?}");
}

#[test]
fn games_are_reviewed_up_to_their_first_illegal_move() {
    let reviewed = review("tictactoe", "b2 a1 b2 c3", &ReviewOptions::default());
    assert_eq!((reviewed.moves.len(), reviewed.plies), (2, 2));
    let illegal = reviewed.illegal.as_ref().unwrap();
    assert_eq!(illegal.ply, 3);
    assert!(illegal.reason.contains("\"b2\""), "{}", illegal.reason);
    assert!(!reviewed.is_complete());
    let after_end = review("tictactoe", "a1 b1 a2 b2 a3 b3", &ReviewOptions::default());
    assert_eq!((after_end.moves.len(), after_end.illegal.unwrap().ply), (5, 6));
    let empty = review("nim", "", &ReviewOptions::default());
    assert!(empty.is_complete() && empty.moves.is_empty());
    assert_eq!(empty.players[0].accuracy, None);
}

#[test]
fn stopped_reviews_keep_the_positions_that_are_done() {
    let spec = registry::find("tixtax").unwrap();
    let moves = random_game(6);
    let moves: Vec<&str> = moves.split_whitespace().collect();
    let control = SearchControl::default();
    let mut stop_after_ten = |done: usize, _: usize| {
        if done == 10 {
            control.stop();
        }
    };
    let stopped = review_game(
        spec.open().as_mut(),
        &StartPosition::Initial,
        &moves,
        &FEW_NODES,
        &control,
        &mut stop_after_ten,
    )
    .unwrap();
    let whole = review("tixtax", &moves.join(" "), &FEW_NODES);
    assert_eq!(stopped.moves, whole.moves[moves.len() - 10..]);
    assert_eq!(stopped.plies, moves.len());
}

#[test]
fn time_limits_bound_the_whole_review() {
    let moves = random_game(7);
    let time = Duration::from_millis(20);
    let options = ReviewOptions { nodes: None, time: Some(time), threads: 1 };
    let started = Instant::now();
    let reviewed = review("tixtax", &moves, &options);
    assert!(reviewed.is_complete());
    // Generous, because other processes may delay this one.
    assert!(started.elapsed() < 10 * time * reviewed.plies as u32, "{:?}", started.elapsed());
}

/// A game can be lost without a turning point: then the costliest move of the loser is named.
#[test]
fn games_lost_by_small_mistakes_have_a_costliest_one() {
    let mv = |ply: usize, before: i32, after: i32| MoveReview {
        ply,
        side: if ply % 2 == 1 { Side::P1 } else { Side::P2 },
        mv: "e5".to_owned(),
        is_book: false,
        before: Score::Estimate(before),
        after: Score::Estimate(after),
        best_line: vec!["e4".to_owned()],
        keeping: ValueKeepingMoves { count: 2, legal: 9, is_proven: false },
        mark: None,
        reasons: Vec::new(),
        best_reasons: Vec::new(),
    };
    // The first player slips by 30, 60 and 10 points of evaluation, the second by 40.
    let moves =
        vec![mv(1, 0, -30), mv(2, 30, -10), mv(3, 10, -50), mv(4, 90, 90), mv(5, -90, -100)];
    let review = GameReview::new(moves.clone(), 5, None);
    assert_eq!((review.losing_side(), review.turning_points.len()), (Some(Side::P1), 0));
    assert_eq!(review.costliest_mistake().map(|mv| mv.ply), Some(3));
    let mut turned = moves.clone();
    (turned[2].after, turned[2].mark) = (Score::Estimate(-200), Some(Glyph::Mistake));
    let turned = GameReview::new(turned, 5, None);
    assert_eq!((&turned.turning_points[..], turned.costliest_mistake()), (&[2][..], None));
    let mut chosen = moves.clone();
    chosen[2].is_book = true;
    let chosen = GameReview::new(chosen, 5, None);
    assert_eq!(chosen.costliest_mistake(), None, "book moves are no mistakes");
    let even = GameReview::new(moves[..2].to_vec(), 2, None);
    assert_eq!((even.losing_side(), even.costliest_mistake()), (None, None));
}

/// In the solved games every mistake comes with a reason for the better move, in both languages.
#[test]
fn every_mistake_in_a_solved_game_has_a_reason_for_the_better_move() {
    for spec in registry::games().iter().filter(|spec| spec.is_solved) {
        let mut mistakes = 0;
        for seed in 0..60 {
            let mut random = SplitMix::new(seed);
            let mut game = spec.open();
            let setup = StartPosition::Random { seed, plies: Some(0) };
            game.set_position(&setup, &[]).unwrap();
            let start = game.fen();
            let mut moves = Vec::new();
            while game.outcome().is_none() && moves.len() < 40 {
                let legal = game.legal_moves(Notation::Own);
                moves.push(legal[random.below(legal.len())].clone());
                game.play_moves(&[moves.last().unwrap()]).unwrap();
            }
            let names: Vec<&str> = moves.iter().map(String::as_str).collect();
            let (options, control) = (ReviewOptions::default(), SearchControl::default());
            let setup = StartPosition::Fen(&start);
            let review = review_game(
                spec.open().as_mut(),
                &setup,
                &names,
                &options,
                &control,
                &mut |_, _| {},
            )
            .unwrap();
            for mv in review.moves.iter().filter(|mv| mv.mark.is_some_and(Glyph::is_serious)) {
                mistakes += 1;
                for (_, language) in Language::ALL {
                    let reasons = language.reasons(&mv.best_reasons);
                    assert!(!reasons.is_empty(), "{start} {moves:?}: {mv:?}");
                }
            }
        }
        assert!(mistakes > 10, "{}: {mistakes}", spec.id);
    }
}
