//! What is searched less deeply, deeper, or not at all: most of the numbers, and the reasons.
//!
//! The steps that use them stand in `node`. None of this is done where the search looks to the end of
//! the game anyway, so that its results there are exact; and none of it makes up a proof, since an
//! evaluation is never one. Reductions, the cut far above the window, wins at hand and the ply less
//! where nothing is remembered gained 246 Elo together; what the others gained, and what was tried
//! and left out, is in `docs/experiments.md`. A quiet position is not looked for before a leaf is
//! evaluated, since nothing is captured here; cuts by a passed move were not tried, for whoever is sent
//! to a board would often rather pass.

use super::Points;
use super::score::{MAX_PLY, is_decided};
use super::window::Window;
use crate::rules::Game;

/// How a move is searched.
#[derive(Debug, Clone, Copy)]
pub(super) struct MovePlan {
    /// How far to look behind it.
    pub depth: i32,
    /// How much less at first.
    pub reduction: i32,
    /// Whether it is the first of its node.
    pub first: bool,
}

/// How far a search has to look to see the end of every line; too far where the rules give no bound.
pub(super) fn plies_to_end<G: Game>(pos: &G) -> i32 {
    pos.max_plies_left().map_or(i32::MAX, |left| left.min(MAX_PLY as u32) as i32)
}

/// No node is cut by its evaluation alone at more depth than this.
const FUTILE_DEPTH: i32 = 6;
/// What a side that is ahead may lose of it in one ply, in points.
const PLY_SWING: Points = 90;

/// From this depth on a node that the table does not know is looked at less deeply.
pub(super) const BLIND_DEPTH: i32 = 5;

/// From this depth on it is worth finding out whether a remembered move is the only good one.
pub(super) const SINGULAR_DEPTH: i32 = 6;

/// Whether an evaluation is so far above the window that the side will hardly fall below it in the
/// few plies that are left to look at.
pub(super) fn is_far_above(evaluation: Points, depth: i32, window: Window) -> bool {
    depth <= FUTILE_DEPTH
        && !is_decided(window.beta)
        && evaluation - PLY_SWING * depth >= window.beta
}

/// By how much the others have to be worse for a move to be the only good one.
pub(super) fn singular_margin(depth: i32) -> Points {
    3 * depth
}

/// How many plies less a move is searched at first. Moves come in the order of their promise, so
/// the later one comes, the less likely it is the best; if it turns out good nevertheless, it is
/// searched again at full depth. Grows with the logarithms of depth and number.
#[derive(Debug, Clone)]
pub(super) struct Reductions([[u8; Self::SIZE]; Self::SIZE]);

impl Reductions {
    const SIZE: usize = 64;
    /// With less depth than this nothing is reduced.
    const LEAST_DEPTH: usize = 3;

    pub(super) fn new() -> Self {
        let mut table = [[0; Self::SIZE]; Self::SIZE];
        for (depth, row) in table.iter_mut().enumerate().skip(Self::LEAST_DEPTH) {
            for (number, entry) in row.iter_mut().enumerate().skip(1) {
                let product = libm::log(depth as f64) * libm::log(number as f64 + 1.0);
                *entry = (0.4 + product / 1.5) as u8;
            }
        }
        Self(table)
    }

    /// `number` counts the moves of the node from 0; the first is never reduced.
    pub(super) fn of(&self, depth: i32, number: usize) -> i32 {
        self.0[(depth.max(0) as usize).min(Self::SIZE - 1)][number.min(Self::SIZE - 1)].into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_and_deeper_moves_are_reduced_more_and_the_first_never() {
        let reductions = Reductions::new();
        for depth in 0..100 {
            assert_eq!(reductions.of(depth, 0), 0);
            for number in 0..100 {
                let own = reductions.of(depth, number);
                assert!(own <= reductions.of(depth + 1, number));
                assert!(own <= reductions.of(depth, number + 1));
                assert!(depth >= 3 || own == 0);
            }
        }
    }

    #[test]
    fn no_evaluation_stands_in_for_a_proof() {
        let proof = Window { alpha: 31_500, beta: 31_501 };
        assert!(!is_far_above(30_000, 1, proof));
        let usual = Window { alpha: 0, beta: 1 };
        assert!(is_far_above(500, 5, usual) && !is_far_above(500, 6, usual));
    }
}
