//! Incrementally updated state against recomputation, and special cases of each rule.

use super::*;
use crate::rules::{GameDrawing, GameNotation};

fn random_game<R: Rule>(seed: u64, mut check: impl FnMut(&Ultimate<R>)) {
    let mut random = SplitMix::new(seed);
    let mut pos = Ultimate::<R>::start();
    while pos.outcome().is_none() {
        check(&pos);
        pos.play_unchecked(pos.random_move(&mut random));
    }
    check(&pos);
}

/// Checks every position of `$games` random games under each rule.
macro_rules! under_each_rule {
    ($games:expr, $check:ident) => {
        for seed in 0..$games {
            random_game::<ClosedRule>(seed, $check);
            random_game::<OpenRule>(seed, $check);
            random_game::<CountRule>(seed, $check);
        }
    };
}

fn immediate_wins_match<R: Rule>(pos: &Ultimate<R>) {
    let wins = |mv| pos.after(mv).outcome() == Some(Outcome::Win(pos.side()));
    assert_eq!(pos.wins_at_once(), pos.legal_moves().into_iter().any(wins), "{pos}");
}

/// The estimate may only be wrong about moves that take a winning cell or are not quiet.
fn safe_moves_are_counted<R: Rule>(pos: &Ultimate<R>) {
    if pos.outcome().is_some() {
        return;
    }
    let moves = pos.legal_moves();
    let safe = moves.iter().filter(|mv| !pos.after(**mv).wins_at_once()).count();
    let is_exception = |mv: &&TixTaxMove| {
        pos.winning_cells(!pos.side(), mv.board()).any(|cell| cell == **mv)
            || pos.quiet_move(**mv).is_none()
    };
    let exceptions = moves.iter().filter(is_exception).count();
    assert!(pos.safe_move_count().abs_diff(safe) <= exceptions, "{pos} {safe} {exceptions}");
}

/// Reads the diagram square by square: the letters, the owners beside them, the forced board.
fn diagram_matches<R: Rule>(pos: &Ultimate<R>) {
    let diagram = pos.diagram();
    let ranks = diagram.lines().filter(|line| line.starts_with(|first: char| first.is_numeric()));
    for (row, line) in ranks.enumerate() {
        let letters: Vec<char> = line.chars().collect();
        assert_eq!(letters[0].to_digit(10), Some(9 - row as u32), "{diagram}");
        for file in 0..9 {
            let expected = pos.square(TixTaxMove::at(file, 8 - row)).letter(setup::LETTERS);
            assert_eq!(letters[3 + 2 * file + 2 * (file / 3)], expected, "{pos}\n{diagram}");
        }
        let owners: String = letters[24..].iter().filter(|letter| **letter != ' ').collect();
        let boards = if row % 3 == 1 { row - 1..row + 2 } else { 0..0 };
        let expected: String = boards.map(|board| pos.owner_letter(board)).collect();
        assert_eq!(owners, expected, "{pos}\n{diagram}");
    }
    assert_eq!(diagram.matches("------+-------+------\n").count(), 2);
    let last_line = diagram.lines().last().unwrap();
    match (pos.outcome(), pos.forced()) {
        (Some(_), _) => assert!(last_line.contains("a b c"), "{diagram}"),
        (None, None) => assert_eq!(last_line, "the choice of board is free"),
        (None, Some(board)) => {
            let [first, last] = [["a", "c"], ["d", "f"], ["g", "i"]][board % 3];
            let [low, high] = [[7, 9], [4, 6], [1, 3]][board / 3];
            let place = format!("{first}{low}..{last}{high}");
            assert_eq!(last_line, format!("to be played in board {} ({place})", board + 1));
        }
    }
}

/// Turns the stones on these boards by half a turn.
fn with_turned_boards<R: Rule>(pos: &Ultimate<R>, boards: u16) -> Ultimate<R> {
    let mut stones = pos.stones;
    for board in bits(boards.into()) {
        for stones in &mut stones {
            stones[board] = stones[board].reverse_bits() >> 7;
        }
    }
    Ultimate::assemble(stones, pos.owned, pos.side, pos.last)
}

fn only_stones_on_closed_boards_are_left_out_of_the_search_key<R: Rule>(pos: &Ultimate<R>) {
    let turned = with_turned_boards(pos, pos.closed);
    assert_eq!(turned.search_key(), pos.search_key(), "{pos}");
    assert_eq!(turned.key() == pos.key(), turned == *pos, "{pos}");
    for mv in pos.legal_moves() {
        assert_eq!(turned.after(mv).search_key(), pos.after(mv).search_key(), "{pos} {mv}");
    }
    for board in pos.open_boards() {
        let turned = with_turned_boards(pos, 1 << board);
        assert_eq!(turned.search_key() == pos.search_key(), turned == *pos, "{pos}");
    }
}

#[test]
fn search_keys_are_shared_by_positions_that_differ_on_closed_boards() {
    under_each_rule!(100, only_stones_on_closed_boards_are_left_out_of_the_search_key);
}

#[test]
fn diagrams_show_the_position() {
    under_each_rule!(20, diagram_matches);
}

#[test]
fn every_immediate_win_is_found() {
    under_each_rule!(50, immediate_wins_match);
}

#[test]
fn safe_move_count_leaves_out_moves_that_let_the_opponent_win() {
    under_each_rule!(50, safe_moves_are_counted);
    // Cell 3 sends x to a board that wins the game, cells 1 and 2 let it choose that board.
    let fen = "O;XX..@....;XXX....../XXX....../XX......./....X..../........./OO......./OO......./OO......./OO.......";
    let pos: TixTax = fen.parse().unwrap();
    assert_eq!((pos.move_count(), pos.safe_move_count()), (9, 6));
    assert_eq!(pos.legal_moves().into_iter().filter(|mv| pos.is_unsafe(*mv)).count(), 3);
}

/// The state after moves, and that read from a FEN, against counting line by line.
fn winnable_boards_match<R: Rule>(pos: &Ultimate<R>) {
    if pos.outcome().is_some() {
        return;
    }
    let lines = || grid::LINES.into_iter();
    let read: Ultimate<R> = pos.to_string().parse().unwrap();
    for side in [Side::P1, Side::P2] {
        let [own, other] = [side, !side].map(|side| pos.owned(side));
        let (mut winnable, mut deciding) = (own, 0);
        for board in (0..9).filter(|board| (own | other | pos.closed()) >> board & 1 == 0) {
            let [ours, theirs] = [side, !side].map(|side| pos.stones(side, board));
            if lines().any(|line| line & theirs == 0) {
                winnable |= 1 << board;
                let owned = own | 1 << board;
                deciding |= u16::from(lines().any(|line| line & owned == line)) << board;
            }
            let empty = (0..9).filter(|square| (ours | theirs) >> square & 1 == 0);
            let completes = |square: &usize| {
                lines().any(|line| line >> square & 1 == 1 && line & !ours == 1 << square)
            };
            let cells: Vec<_> =
                empty.filter(completes).map(|square| TixTaxMove::new(board, square)).collect();
            assert_eq!(pos.winning_cells(side, board).collect::<Vec<_>>(), cells, "{pos}");
        }
        for pos in [pos, &read] {
            assert_eq!(pos.winnable_boards(side), winnable, "{pos} {side:?}");
            assert_eq!(pos.deciding_boards(side), deciding, "{pos} {side:?}");
        }
        let decided = (0..9).filter(|board| (own | other | pos.closed()) >> board & 1 == 1);
        let has_none = |board| pos.winning_cells(side, board).next().is_none();
        assert!(decided.into_iter().all(has_none), "{pos}");
    }
}

#[test]
fn winnable_boards_are_correct() {
    under_each_rule!(50, winnable_boards_match);
}

#[test]
fn an_open_board_keeps_its_first_owner() {
    let fen = "9/9/9/9/9/9/9/9/xxxooo3 x 4 - ......X..";
    assert!(fen.parse::<TixTaxOpen>().is_err(), "the owner must have a line there");
    let mut pos: TixTaxOpen = "xx7/oo7/9/9/9/9/9/9/9 x 3 - .........".parse().unwrap();
    for text in ["c9", "g9", "c7"] {
        let mv = pos.parse_move(text).unwrap();
        pos.play_unchecked(mv);
    }
    assert_eq!(pos.owned(Side::P1), 1);
    pos = "xxx6/oo7/9/9/9/9/9/9/9 o 2 - X........".parse().unwrap();
    pos.play_unchecked(pos.parse_move("c8").unwrap());
    assert_eq!((pos.owned(Side::P1), pos.owned(Side::P2)), (1, 0));
    assert_eq!(pos.closed(), 0);
}

/// A game is drawn under the usual rule if and only if it ends without a line; then the number of boards
/// decides.
#[test]
fn the_player_with_more_boards_wins_without_a_line() {
    let (mut by_line, mut by_count, mut drawn, mut secured) = (0, 0, 0, 0);
    for seed in 0..400 {
        let mut random = SplitMix::new(seed);
        let (mut usual, mut counting) = (TixTax::start(), TixTaxCount::start());
        let mut winner = None;
        while usual.outcome().is_none() {
            assert_eq!(counting.legal_moves(), usual.legal_moves(), "{usual}");
            let mv = usual.random_move(&mut random);
            usual.play_unchecked(mv);
            counting.play_unchecked(mv);
            let secured =
                [Side::P1, Side::P2].into_iter().find(|side| counting.has_secured_win(*side));
            winner = winner.or(secured);
        }
        let counts = [Side::P1, Side::P2].map(|side| usual.owned(side).count_ones());
        match (usual.outcome(), counting.outcome()) {
            (Some(Outcome::Win(side)), other) => {
                assert_eq!(other, Some(Outcome::Win(side)), "{usual}");
                by_line += 1;
            }
            (_, Some(Outcome::Draw)) => {
                assert_eq!(counts[0], counts[1], "{usual}");
                drawn += 1;
            }
            (_, Some(Outcome::Win(side))) => {
                assert!(counts[side.index()] > counts[(!side).index()], "{usual}");
                by_count += 1;
            }
            (_, None) => panic!("{counting}: the game goes on"),
        }
        if let Some(side) = winner {
            assert_eq!(counting.outcome(), Some(Outcome::Win(side)), "{counting}");
            secured += 1;
        }
    }
    assert!(
        by_line > 50 && by_count > 50 && drawn > 10 && secured > 50,
        "{by_line} {by_count} {drawn} {secured}"
    );
}
