//! Reasons of tic-tac-toe.

use zermelo::games::TicTacToe;
use zermelo::reasons::{Reason, Reasons, TicTacToeReasons};
use zermelo::rules::{ExactValue, Game, GameDrawing, GameNotation, Side};
use zermelo::solve::reference::negamax;

use super::{KindCounter, LINES, random_positions, wins_at_once};

type Board = [Option<Side>; 9];

fn board_of(pos: &TicTacToe) -> Board {
    let side = |mark| match mark {
        'x' => Some(Side::P1),
        'o' => Some(Side::P2),
        _ => None,
    };
    let marks: Vec<_> = pos.spot_contents().iter().map(|content| side(content.mark)).collect();
    marks.try_into().unwrap()
}

fn with(board: &Board, cell: usize, side: Side) -> Board {
    let mut next = *board;
    next[cell] = Some(side);
    next
}

fn has_line(board: &Board, side: Side) -> bool {
    LINES.iter().any(|line| line.iter().all(|cell| board[*cell] == Some(side)))
}

fn empty(board: &Board) -> impl Iterator<Item = usize> {
    (0..9).filter(|cell| board[*cell].is_none())
}

fn winning_cells(board: &Board, side: Side) -> Vec<usize> {
    empty(board).filter(|cell| has_line(&with(board, *cell, side), side)).collect()
}

fn is_fork(board: &Board, side: Side) -> bool {
    winning_cells(board, side).len() > 1
        && winning_cells(board, !side).is_empty()
        && !has_line(board, side)
}

fn can_fork(board: &Board, side: Side) -> bool {
    empty(board).any(|cell| is_fork(&with(board, cell, side), side))
}

fn expected(pos: &TicTacToe, mv: <TicTacToe as Game>::Move) -> Vec<Reason> {
    if wins_at_once(pos, mv) {
        return vec![Reason::Wins];
    }
    let (us, them) = (pos.side(), !pos.side());
    let (before, after) = (board_of(pos), board_of(&pos.after(mv)));
    let cell = (0..9).find(|cell| before[*cell] != after[*cell]).unwrap();
    let name = |cell: &usize| ["a", "b", "c"][cell % 3].to_owned() + ["3", "2", "1"][cell / 3];
    assert_eq!(name(&cell), mv.to_string());
    let mut reasons = Vec::new();
    if has_line(&with(&before, cell, them), them) {
        reasons.push(Reason::Blocks);
    }
    if is_fork(&after, us) {
        let cells = winning_cells(&after, us).iter().map(name).collect();
        reasons.push(Reason::MakesFork { cells });
        assert!(matches!(negamax(&pos.after(mv)), ExactValue::Loss(2)), "{pos} {mv}");
        return reasons;
    }
    let can_win = |board: &Board| !winning_cells(board, them).is_empty();
    if !can_win(&before) && can_fork(&before, them) && !can_win(&after) && !can_fork(&after, them) {
        reasons.push(Reason::BlocksFork);
    }
    let mut cells = winning_cells(&after, us);
    cells.retain(|cell| !winning_cells(&before, us).contains(cell));
    if !cells.is_empty() {
        reasons.push(Reason::Threatens { cells: cells.iter().map(name).collect() });
    }
    match mv.to_string().as_str() {
        _ if !reasons.is_empty() => {}
        "b2" => reasons.push(Reason::TakesCentre),
        "a1" | "a3" | "c1" | "c3" => reasons.push(Reason::TakesCorner),
        _ => {}
    }
    reasons
}

#[test]
fn reasons_are_given_exactly_where_they_hold() {
    let mut counter = KindCounter::default();
    for pos in random_positions::<TicTacToe>(600, 1) {
        for mv in pos.legal_moves() {
            let reasons = TicTacToeReasons::reasons(&pos, mv, None);
            assert_eq!(reasons, expected(&pos, mv), "{pos} {mv}");
            counter.add(&reasons);
        }
    }
    counter.assert_kinds(&[
        "wins",
        "blocks",
        "makes_fork",
        "blocks_fork",
        "threatens",
        "takes_centre",
        "takes_corner",
    ]);
}

#[test]
fn textbook_positions_have_the_textbook_reasons() {
    let reasons = |fen: &str, mv: &str| {
        let pos: TicTacToe = fen.parse().unwrap();
        TicTacToeReasons::reasons(&pos, pos.parse_move(mv).unwrap(), None)
    };
    let threat = |cell: &str| Reason::Threatens { cells: vec![cell.to_owned()] };
    assert_eq!(reasons("3/3/3 x", "b2"), [Reason::TakesCentre]);
    assert_eq!(reasons("3/3/3 x", "b3"), []);
    assert_eq!(reasons("xx1/1o1/3 o", "c3"), [Reason::Blocks, threat("a1")]);
    // Opposite corners: a corner would lose to a fork, an edge forces the reply.
    assert_eq!(reasons("x2/1o1/2x o", "b3"), [Reason::BlocksFork, threat("b1")]);
    assert_eq!(reasons("x2/1o1/2x o", "a1"), [threat("c3")]);
    assert_eq!(reasons("3/1x1/3 o", "a1"), [Reason::TakesCorner]);
    assert_eq!(reasons("x1x/3/o1o x", "b2"), [Reason::TakesCentre], "b3 was threatened before");
    let cells = vec!["b2".to_owned(), "c2".to_owned()];
    assert_eq!(reasons("xox/3/o2 x", "c1"), [Reason::MakesFork { cells }]);
}
