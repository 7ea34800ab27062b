//! The eight symmetries of ultimate tic-tac-toe: the board of boards and each small board turn
//! together.

use super::{Cell, FREE, Rule, STONE_KEYS, TURN_KEYS, Ultimate, owner_key};
use crate::games::grid::{self, IMAGE};
use crate::rules::{Move, Side};

pub(super) fn image<R: Rule>(pos: &Ultimate<R>, symmetry: usize) -> Ultimate<R> {
    let mut stones = [[0; 9]; 2];
    for (own, image) in pos.stones.iter().zip(&mut stones) {
        for (board, cells) in own.iter().enumerate() {
            image[usize::from(IMAGE[symmetry][board])] = grid::image_of_set(*cells, symmetry);
        }
    }
    let owned = pos.owned.map(|boards| grid::image_of_set(boards, symmetry));
    let last = pos.last.map(|cell| image_of_cell(cell, symmetry));
    Ultimate::assemble(stones, owned, pos.side, last)
}

/// The key of the image, without making it.
pub(super) fn image_key<R: Rule>(pos: &Ultimate<R>, symmetry: usize) -> u64 {
    let turn = |index: usize| usize::from(IMAGE[symmetry][index]);
    let forced = if pos.forced == FREE { FREE.into() } else { turn(pos.forced.into()) };
    let mut key = TURN_KEYS[pos.side.index()][forced];
    for side in [Side::P1, Side::P2] {
        for board in 0..9 {
            for square in grid::members(pos.stones(side, board)) {
                let cell = Cell::new(turn(board), turn(square));
                key ^= STONE_KEYS[side.index()][cell.code()];
            }
        }
        for board in grid::members(pos.owned(side)) {
            key ^= owner_key(side, turn(board));
        }
    }
    key
}

pub(super) fn image_of_cell(cell: Cell, symmetry: usize) -> Cell {
    let turn = |index: usize| usize::from(IMAGE[symmetry][index]);
    Cell::new(turn(cell.board()), turn(cell.square()))
}
