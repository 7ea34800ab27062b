//! Every mark against exact values: all moves of all games of tic-tac-toe, random games of the other
//! solved games, and positions of TixTax that a plain search or a published proof settles.

use std::collections::HashSet;

use zermelo::games::{Nim, PongHauKi, TicTacToe, TixTax, TixTaxCount, TixTaxOpen};
use zermelo::records::Glyph;
use zermelo::rules::StartPosition;
use zermelo::rules::random_positions::random_late_position;
use zermelo::rules::{ExactValue, Game, Outcome, Record, SplitMix, Value};
use zermelo::search::SearchControl;
use zermelo::solve::reference::negamax;
use zermelo::solve::{ExactSolver, Minimax, Retrograde};
use zermelo::teaching::review::{GameReview, MoveReview, ReviewOptions, review_game};
use zermelo::thinking::registry;

fn review<G: Game>(start: &str, moves: &[String], options: &ReviewOptions) -> GameReview {
    let spec = registry::find(G::ID).unwrap();
    let setup = StartPosition::from_text(start);
    let names: Vec<&str> = moves.iter().map(String::as_str).collect();
    let control = SearchControl::default();
    let review =
        review_game(spec.open().as_mut(), &setup, &names, options, &control, &mut |_, _| {})
            .unwrap();
    assert!(review.is_complete());
    review
}

/// The value of each legal move of a game in progress, for the player who makes it.
fn values<G: Game>(
    record: &Record<G>,
    value: &mut impl FnMut(&G) -> Value,
) -> Vec<(G::Move, Value, bool)> {
    let side = record.position().side();
    let wins = |record: &Record<G>, side| record.outcome() == Some(Outcome::Win(side));
    let of_move = |mv: G::Move| {
        let mut next = record.clone();
        next.push(mv).unwrap();
        let mut replies = next.legal_moves().into_iter();
        let is_decided_at_once = wins(&next, side)
            || replies.any(|reply| {
                let mut last = next.clone();
                last.push(reply).unwrap();
                wins(&last, side.other())
            });
        let child = next.position();
        let value = match next.outcome() {
            Some(outcome) => outcome.value_for(child.side()),
            None => value(child),
        };
        (mv, value.flip(), is_decided_at_once)
    };
    record.legal_moves().into_iter().map(of_move).collect()
}

fn score(value: Value) -> f64 {
    match value {
        Value::Loss => 0.0,
        Value::Draw => 0.5,
        Value::Win => 1.0,
    }
}

/// Checks a review against the exact values of all moves of a position.
fn check_exact<M: PartialEq>(reviewed: &MoveReview, played: &M, values: &[(M, Value, bool)]) {
    let best = values.iter().map(|(_, value, _)| *value).max().unwrap();
    let own = values.iter().find(|(mv, ..)| mv == played).unwrap().1;
    let keeping = values.iter().filter(|(_, value, _)| *value == best).count();
    // Winning at once and parrying such a win is not praised.
    let others_lose =
        values.iter().all(|(mv, _, is_decided_at_once)| mv == played || *is_decided_at_once);
    let wins =
        values.iter().any(|(mv, value, at_once)| mv == played && *value == Value::Win && *at_once);
    // Giving a value away costs at least half a point.
    let expected = match () {
        () if own < best => Some(Glyph::Blunder),
        () if keeping == 1 && !others_lose && !wins => Some(Glyph::OnlyMove),
        () => None,
    };
    assert!(reviewed.is_proven() && reviewed.is_mark_proven(), "{reviewed:?}");
    assert_eq!(reviewed.mark, expected, "{reviewed:?}");
    assert_eq!(reviewed.before.expected(), score(best), "{reviewed:?}");
    assert_eq!(reviewed.after.expected(), score(own), "{reviewed:?}");
    let counts = &reviewed.keeping;
    assert_eq!((counts.count, counts.legal, counts.is_proven), (keeping, values.len(), true));
}

/// Reviews random games from random starts and returns the number of moves checked.
fn check_random_games<G: Game>(games: u64, mut value: impl FnMut(&G) -> Value) -> usize {
    let mut checked = 0;
    let mut marks = HashSet::new();
    for seed in 0..games {
        let mut random = SplitMix::new(seed);
        let mut record = Record::new(G::random_start(&mut random));
        let start = record.first().to_string();
        let (mut played, mut exact) = (Vec::new(), Vec::new());
        while record.outcome().is_none() && played.len() < 80 {
            exact.push(values(&record, &mut value));
            let mv = record.position().random_move(&mut random);
            record.push(mv).unwrap();
            played.push(mv);
        }
        let names: Vec<String> = played.iter().map(ToString::to_string).collect();
        let review = review::<G>(&start, &names, &ReviewOptions::default());
        for (reviewed, (mv, values)) in review.moves.iter().zip(played.into_iter().zip(exact)) {
            check_exact(reviewed, &mv, &values);
            // The better move and its line are legal, and the move keeps the value.
            let best = reviewed.best_move();
            let best = values.iter().find(|(own, ..)| own.to_string() == best).unwrap();
            assert_eq!(score(best.1), reviewed.before.expected());
            marks.insert(reviewed.mark);
            checked += 1;
        }
    }
    assert!(marks.contains(&Some(Glyph::Blunder)) && marks.contains(&None), "{marks:?}");
    checked
}

/// A mark depends on the position alone, so the moves of all reachable positions cover all 255,168
/// games.
#[test]
fn every_mark_of_tictactoe_is_exact() {
    let mut exact_solver = Minimax::<TicTacToe>::default();
    let mut value = |pos: &TicTacToe| exact_solver.exact(pos).value();
    let (mut open, mut seen) = (vec![TicTacToe::start()], HashSet::new());
    let mut checked = 0;
    while let Some(pos) = open.pop() {
        if pos.outcome().is_some() || !seen.insert(pos) {
            continue;
        }
        let record = Record::new(pos);
        let values = values(&record, &mut value);
        for (mv, ..) in &values {
            let names = [mv.to_string()];
            let review = review::<TicTacToe>(&pos.to_string(), &names, &ReviewOptions::default());
            check_exact(&review.moves[0], mv, &values);
            checked += 1;
            open.push(pos.after(*mv));
        }
    }
    assert_eq!((seen.len(), checked), (4520, 16_167));
}

#[test]
fn marks_of_random_games_are_exact_in_solved_games() {
    let mut exact_solver = Minimax::<TicTacToe>::default();
    let checked = [
        check_random_games::<TicTacToe>(300, |pos| exact_solver.exact(pos).value()),
        // The player to move loses if and only if the nim sum is zero.
        check_random_games::<Nim>(1000, |pos| match pos.heaps().fold(0, |sum, heap| sum ^ heap) {
            0 => Value::Loss,
            _ => Value::Win,
        }),
    ];
    let mut exact_solver = Retrograde::<PongHauKi>::default();
    let cyclic = check_random_games::<PongHauKi>(1000, |pos| exact_solver.exact(pos).value());
    assert!(checked[0] > 2000 && checked[1] > 9000 && cyclic > 9000, "{checked:?} {cyclic}");
}

/// A few nodes, which leave some values estimated.
const FEW_NODES: ReviewOptions = ReviewOptions { nodes: Some(8000), time: None, threads: 1 };

/// Where a plain search knows the value of every move: whatever the review calls proven is true, and
/// no move that keeps a proven value has a mark that accuses it.
fn check_late_positions<G: Game>(count: usize, plies: u32) -> (usize, usize) {
    let mut random = SplitMix::new(3);
    let (mut proven, mut all) = (0, 0);
    let unfinished = |pos: &G| pos.outcome().is_none();
    let late = std::iter::repeat_with(|| random_late_position(G::start(), plies, &mut random));
    for pos in late.filter(unfinished).take(count) {
        let record = Record::new(pos);
        let values = values(&record, &mut |pos| negamax(pos).value());
        let best = values.iter().map(|(_, value, _)| *value).max().unwrap();
        for (mv, own, _) in &values {
            let review = review::<G>(&pos.to_string(), &[mv.to_string()], &FEW_NODES);
            let reviewed = &review.moves[0];
            let is = |score: zermelo::search::Score, value: Value| {
                score.proven().is_none_or(|proven| proven.value() == value)
            };
            assert!(is(reviewed.before, best) && is(reviewed.after, *own), "{pos} {reviewed:?}");
            let is_accused = reviewed.mark.is_some_and(|mark| mark != Glyph::OnlyMove);
            if reviewed.before.proven().is_some() {
                proven += 1;
                assert!(!is_accused || own < &best, "{pos} {reviewed:?}");
            }
            if reviewed.is_proven() {
                assert_eq!(is_accused, own < &best, "{pos} {reviewed:?}");
            }
            if reviewed.keeping.is_proven {
                let keeping = values.iter().filter(|(_, value, _)| *value == best).count();
                assert_eq!(reviewed.keeping.count, keeping, "{pos} {reviewed:?}");
            }
            all += 1;
        }
    }
    (proven, all)
}

#[test]
fn proven_marks_agree_with_a_plain_search_late_in_tixtax() {
    for (proven, all) in [
        check_late_positions::<TixTax>(60, 12),
        check_late_positions::<TixTaxOpen>(40, 10),
        check_late_positions::<TixTaxCount>(40, 10),
    ] {
        assert!(proven * 10 > all * 9 && all > 60, "{proven} of {all}");
    }
}

/// The file has positions with about forty plies left, whose values `zermelo solve` has proven and
/// verified.
#[test]
fn reviews_never_contradict_solved_positions() {
    for line in include_str!("../data/tixtax-solved.txt").lines() {
        let (value, fen) = line.split_once(' ').unwrap();
        let value = match value {
            "win" => Value::Win,
            "draw" => Value::Draw,
            _ => Value::Loss,
        };
        let pos: TixTax = fen.parse().unwrap();
        let mv = pos.legal_moves().into_iter().next().unwrap();
        let options = ReviewOptions { nodes: Some(20_000), ..ReviewOptions::default() };
        let review = review::<TixTax>(fen, &[mv.to_string()], &options);
        let reviewed = &review.moves[0];
        if let Some(found) = reviewed.before.proven() {
            assert_eq!(found.value(), value, "{fen}");
        }
        // No move is better than the position.
        if let Some(found) = reviewed.after.proven() {
            assert!(found.value() <= value, "{fen}");
        }
    }
}

/// The last move of a game that was won by the rules is a proven win in one.
#[test]
fn finished_games_end_with_a_proven_value() {
    let mut random = SplitMix::new(11);
    for _ in 0..3 {
        let mut record = Record::new(TixTax::start());
        while record.outcome().is_none() {
            record.push(record.position().random_move(&mut random)).unwrap();
        }
        let (last, before) = record.moves().split_last().unwrap();
        let mut start = TixTax::start();
        before.iter().for_each(|mv| start.play(*mv).unwrap());
        let review = review::<TixTax>(&start.to_string(), &[last.to_string()], &FEW_NODES);
        let exact = review.moves[0].after.proven().unwrap();
        let expected = match record.outcome().unwrap() {
            Outcome::Win(_) => ExactValue::Win(1),
            Outcome::Draw => ExactValue::Draw,
        };
        assert_eq!(exact, expected);
    }
}
