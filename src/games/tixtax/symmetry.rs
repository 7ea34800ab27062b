//! The eight symmetries of ultimate tic-tac-toe, which act on the large board and on every small
//! board together.

use super::{Rule, TixTaxMove, Ultimate};
use crate::games::grid::{self, IMAGE};

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

pub(super) fn image_of_cell(cell: TixTaxMove, symmetry: usize) -> TixTaxMove {
    let turn = |index: usize| usize::from(IMAGE[symmetry][index]);
    TixTaxMove::new(turn(cell.board()), turn(cell.square()))
}
