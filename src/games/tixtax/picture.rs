//! The picture of ultimate tic-tac-toe: 81 small places, then nine areas that tell who owns a small
//! board and whether it may be played in.

use super::notation::LETTERS;
use super::{Cell, Rule, Ultimate};
use crate::rules::picture::{Layout, Piece, Shown, Spot, Stroke};
use crate::rules::{Game, Side};

pub(super) fn layout() -> Layout {
    const SIZE: f32 = 3.0;
    let mut layout = Layout::grid(9, 9, &Piece::NOUGHTS_AND_CROSSES);
    for border in [0.0, 3.0, 6.0, 9.0] {
        let heavy = |from, to| Stroke { from, to, heavy: true };
        layout.strokes.push(heavy([border, 0.0], [border, 9.0]));
        layout.strokes.push(heavy([0.0, border], [9.0, border]));
    }
    layout.spots.extend((0..9_u8).map(|board| Spot {
        x: SIZE * (f32::from(board % 3) + 0.5),
        y: SIZE * (f32::from(board / 3) + 0.5),
        size: SIZE,
        name: format!("board {}", board + 1),
        is_area: true,
    }));
    layout
}

pub(super) fn shown<R: Rule>(pos: &Ultimate<R>) -> Vec<Shown> {
    let cells = (0..9).rev().flat_map(|rank| (0..9).map(move |file| Cell::at(file, rank)));
    let cells = cells.map(|cell| Shown::plain(pos.square(cell).letter(LETTERS)));
    cells.chain((0..9).map(|board| area(pos, board))).collect()
}

fn area<R: Rule>(pos: &Ultimate<R>, board: usize) -> Shown {
    let owner = [Side::P1, Side::P2].into_iter().find(|side| pos.owned(*side) >> board & 1 == 1);
    let closed = pos.closed() >> board & 1 == 1;
    let mark = match owner {
        Some(side) => LETTERS[side.index()],
        None if closed => Shown::CLOSED,
        None => Shown::EMPTY,
    };
    let playable = pos.forced().map_or(!closed, |forced| forced == board);
    Shown { mark, lit: playable && pos.outcome().is_none() }
}
