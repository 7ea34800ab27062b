//! Tests of the scoreboard.

use super::*;
use crate::records::{MoveRecord, SearchInfo};
use crate::rules::Outcome;
use std::time::Duration;

const P1_WINS: Option<Outcome> = Some(Outcome::Win(Side::P1));
const P2_WINS: Option<Outcome> = Some(Outcome::Win(Side::P2));
const DRAW: Option<Outcome> = Some(Outcome::Draw);

fn game(pair: u32, players: [&str; 2], result: Option<Outcome>) -> GameRecord {
    GameRecord {
        pair,
        game: "tictactoe".to_owned(),
        players: players.map(str::to_owned),
        fen: "startpos".to_owned(),
        result,
        ..GameRecord::default()
    }
}

fn board_of(unit: ObservationUnit, games: &[GameRecord]) -> Scoreboard {
    let mut board = Scoreboard::new(["a", "b"], unit);
    games.iter().for_each(|game| board.add(game));
    board
}

#[test]
fn games_with_the_same_sides_or_without_a_pair_are_counted_alone() {
    let games = [
        game(1, ["a", "b"], P1_WINS),
        game(1, ["a", "b"], DRAW),
        game(0, ["a", "b"], P1_WINS),
        game(0, ["b", "a"], P1_WINS),
    ];
    let tally = board_of(ObservationUnit::Pairs, &games).tally("a", "b");
    assert_eq!((tally.pairs, tally.games()), ([0; 5], 4));
    // A third game completes one of the two with the same sides.
    let games = [&games[..], &[game(1, ["b", "a"], P2_WINS)]].concat();
    let tally = board_of(ObservationUnit::Pairs, &games).tally("a", "b");
    assert_eq!((tally.pairs, tally.games()), ([0, 0, 0, 1, 0], 5));
}

#[test]
fn games_of_a_pair_are_matched_in_any_order() {
    let games = [
        game(1, ["a", "b"], P1_WINS),
        game(2, ["b", "a"], DRAW),
        game(3, ["a", "b"], P2_WINS),
        game(1, ["b", "a"], P2_WINS),
        game(2, ["a", "b"], P1_WINS),
    ];
    let board = board_of(ObservationUnit::Pairs, &games);
    let tally = board.tally("a", "b");
    assert_eq!((tally.wins, tally.draws, tally.losses), (3, 1, 1));
    assert_eq!(tally.pairs, [0, 0, 0, 1, 1]);
    assert_eq!(board.tally("b", "a"), tally.flipped());
    assert_eq!(board.field_tally("a"), tally);
    assert_eq!(board.field_tally("b"), tally.flipped());
    assert_eq!(board_of(ObservationUnit::Games, &games).tally("a", "b").pairs, [0; 5]);
}

#[test]
fn pair_numbers_are_separate_for_each_pairing() {
    let games =
        [game(1, ["a", "b"], P1_WINS), game(1, ["a", "c"], P1_WINS), game(1, ["c", "a"], P1_WINS)];
    let board = board_of(ObservationUnit::Pairs, &games);
    assert_eq!(board.tally("a", "b").pairs, [0; 5]);
    assert_eq!(board.tally("a", "c").pairs, [0, 0, 1, 0, 0]);
    assert_eq!(board.names().collect::<Vec<_>>(), ["a", "b", "c"]);
    assert_eq!(board.tally("b", "unknown").games(), 0);
}

#[test]
fn standings_are_sorted_by_points() {
    let games = [
        game(1, ["a", "b"], P2_WINS),
        game(1, ["b", "a"], P1_WINS),
        game(2, ["b", "c"], DRAW),
        game(2, ["c", "b"], DRAW),
        game(3, ["c", "a"], DRAW),
        game(3, ["a", "c"], DRAW),
    ];
    let standings = board_of(ObservationUnit::Pairs, &games).standings();
    let names: Vec<&str> = standings.rows.iter().map(|row| &row.name[..]).collect();
    assert_eq!(names, ["b", "c", "a"]);
    let points: Vec<f64> = standings.rows.iter().map(|row| row.tally.points()).collect();
    assert_eq!(points, [3.0, 2.0, 1.0]);
    assert_eq!(standings.rows[0].share(), Some(0.75));
    let ratings = standings.rows.iter().map(|row| row.rating.unwrap().value);
    assert!(ratings.clone().sum::<f64>().abs() < 1e-6);
    assert!(ratings.is_sorted_by(|one, next| one > next));
    let crosstable = board_of(ObservationUnit::Pairs, &games).crosstable(&names);
    assert_eq!(crosstable[0][2].wins, 2);
    assert_eq!(crosstable[2][0].losses, 2);
    assert_eq!(crosstable[1][1].games(), 0);
}

#[test]
fn faults_are_attributed_to_the_loser() {
    let fault = |result, termination| GameRecord {
        termination,
        broken_claims: vec!["b: a proven win".to_owned(), "unattributed".to_owned()],
        ..game(1, ["a", "b"], result)
    };
    let board = board_of(
        ObservationUnit::Games,
        &[
            fault(P1_WINS, Termination::Time),
            fault(P1_WINS, Termination::Time),
            fault(P2_WINS, Termination::Crash),
            fault(P2_WINS, Termination::Adjudication),
            fault(None, Termination::StartFailure),
        ],
    );
    let rows = board.standings().rows;
    let row = |name: &str| rows.iter().find(|row| row.name == name).unwrap();
    assert_eq!(row("a").faults, [(Termination::Crash, 1)].into());
    assert_eq!(row("b").faults, [(Termination::Time, 2)].into());
    assert_eq!((row("a").broken_claims, row("b").broken_claims), (0, 5));
    assert_eq!((board.games, board.uncounted, board.broken_claims), (4, 1, 10));
    let ends: Vec<_> = board.terminations().collect();
    assert_eq!(ends[0], (Termination::Time, 2));
    assert_eq!(ends.iter().map(|(_, count)| count).sum::<u64>(), 5);
}

#[test]
fn time_and_depth_are_attributed_to_the_mover() {
    let mv = |millis: u64, depth, over: Option<u64>| MoveRecord {
        mv: "b2".to_owned(),
        info: SearchInfo { depth, ..SearchInfo::default() },
        time: Duration::from_millis(millis).into(),
        over: over.map(|over| Duration::from_millis(over).into()),
        ..MoveRecord::default()
    };
    let moves = vec![mv(100, Some(4), None), mv(500, None, Some(7)), mv(300, Some(7), Some(2))];
    let played = GameRecord { moves, ..game(1, ["a", "b"], None) };
    let second_begins = GameRecord { fen: "x2/3/3 o".to_owned(), ..played.clone() };
    let numbers = |game: &GameRecord, name: &str| {
        let rows = board_of(ObservationUnit::Pairs, std::slice::from_ref(game)).standings().rows;
        let row = rows.into_iter().find(|row| row.name == name).unwrap();
        let over = row.greatest_over.map(Seconds::as_f64);
        (row.moves, row.mean_time(), row.mean_depth(), over)
    };
    assert_eq!(numbers(&played, "a"), (2, Some(0.2), Some(5.5), Some(0.002)));
    assert_eq!(numbers(&played, "b"), (1, Some(0.5), None, Some(0.007)));
    assert_eq!(numbers(&second_begins, "b"), numbers(&played, "a"));
}

#[test]
fn games_against_oneself_do_not_score() {
    let board = board_of(ObservationUnit::Pairs, &[game(1, ["a", "a"], P1_WINS)]);
    assert_eq!((board.games, board.uncounted), (0, 1));
    assert_eq!(board.standings().rows[0].tally.points(), 0.0);
}
