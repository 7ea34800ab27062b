//! The position for learning programs: planes of 81 numbers in the order of the actions, board by board.

use super::{Rule, TixTaxMove, Ultimate};
use crate::games::grid::FULL;
use crate::rules::{Game, GameEncoding};

/// A 9-bit set as numbers.
static NUMBERS: [[f32; 9]; 512] = {
    let mut numbers = [[0.0; 9]; 512];
    let mut set = 0;
    while set < 512 {
        let mut bit = 0;
        while bit < 9 {
            numbers[set][bit] = (set >> bit & 1) as f32;
            bit += 1;
        }
        set += 1;
    }
    numbers
};

impl<R: Rule> GameEncoding for Ultimate<R> {
    const ACTIONS: usize = 81;
    /// The stones of the side to move and of the opponent, the boards they have won, and the boards that may be
    /// played on.
    const PLANES: usize = 5;

    /// Board and square as digits to base 9.
    #[inline]
    fn action(mv: TixTaxMove) -> usize {
        9 * mv.board() + mv.square()
    }

    #[inline]
    fn from_action(action: usize) -> Option<TixTaxMove> {
        (action < 81).then(|| TixTaxMove::new(action / 9, action % 9))
    }

    fn write_planes(&self, planes: &mut [f32]) {
        let sides = [self.side(), !self.side()];
        let playable = match (self.outcome(), self.forced()) {
            (Some(_), _) => 0,
            (None, Some(board)) => 1 << board,
            (None, None) => FULL & !self.closed(),
        };
        let [owned, theirs] = sides.map(|side| self.owned(side));
        let (stones, boards) = planes.split_at_mut(2 * 81);
        for (plane, side) in stones.chunks_exact_mut(81).zip(sides) {
            for (board, places) in plane.chunks_exact_mut(9).enumerate() {
                places.copy_from_slice(&NUMBERS[usize::from(self.stones(side, board))]);
            }
        }
        for (plane, set) in boards.chunks_exact_mut(81).zip([owned, theirs, playable]) {
            for (board, places) in plane.chunks_exact_mut(9).enumerate() {
                places.fill(NUMBERS[usize::from(set)][board]);
            }
        }
    }
}
