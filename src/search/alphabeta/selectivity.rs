//! Margins and depth limits of the selective search: what is pruned, reduced and extended.
//!
//! The steps themselves are in `node`. None of them applies where the search reaches the end of the
//! game, so results there are exact, and none of them produces a proven score, since static
//! evaluations stay below that range. Late move reductions, reverse futility pruning, wins in one and
//! internal iterative reduction gained 246 Elo together; the gains of the others, and what was tried
//! and left out, are in `research/search.md`. Null-move pruning was not tried: it assumes that passing
//! is bad, but in tixtax the player sent to a board would often rather pass.

use std::sync::LazyLock;

use super::parameters;
use super::window::Window;
use crate::rules::Game;
use crate::search::points::{MAX_PLY, Points, is_proven};

/// How a move is searched.
#[derive(Debug, Clone, Copy)]
pub(super) struct MovePlan {
    /// Remaining depth below the move.
    pub depth: i32,
    /// Late move reduction of the first search.
    pub reduction: i32,
    pub is_first: bool,
}

/// The depth that reaches the end of every line; `i32::MAX` where the rules set no bound.
pub(super) fn plies_to_end<G: Game>(pos: &G) -> i32 {
    pos.max_plies_left().map_or(i32::MAX, |left| left.min(MAX_PLY as u32) as i32)
}

/// Reverse futility pruning applies up to this depth.
const RFP_MAX_DEPTH: i32 = 6;

/// Internal iterative reduction applies from this depth on.
pub(super) const IIR_MIN_DEPTH: i32 = 5;

/// Singular extension and multi-cut apply from this depth on.
pub(super) const SINGULAR_MIN_DEPTH: i32 = 6;

/// Late move pruning applies up to this depth.
const LMP_MAX_DEPTH: i32 = 6;

/// Late move pruning: whether a move comes so late that near the leaves it is not searched at all.
/// `move_number` counts the moves of the node from 0.
pub(super) fn is_too_late(depth: i32, move_number: usize) -> bool {
    depth <= LMP_MAX_DEPTH
        && 100 * move_number as i32
            >= parameters::lmp_moves() + parameters::lmp_moves_per_squared_depth() * depth * depth
}

/// Whether an estimate exceeds beta by more than the remaining plies are likely to cost.
/// Never true if beta is a proven score, which no estimate reaches.
pub(super) fn passes_reverse_futility(estimate: Points, depth: i32, window: Window) -> bool {
    depth <= RFP_MAX_DEPTH
        && !is_proven(window.beta)
        && estimate - parameters::rfp_margin() * depth >= window.beta
}

/// How much worse all other moves must score for the TT move to be singular.
pub(super) fn singular_margin(depth: i32) -> Points {
    parameters::singular_margin() * depth / 100
}

/// Late move reductions: by how many plies the first search of a move is reduced. Moves are
/// ordered by promise, so a late one is rarely the best; if it beats alpha nevertheless, it is
/// searched again at full depth. Grows with the logarithms of depth and move number; in thousandths of
/// a ply.
#[derive(Debug, Clone)]
pub(super) struct Reductions([[i16; Self::SIZE]; Self::SIZE]);

impl Reductions {
    const SIZE: usize = 64;
    /// Nothing is reduced at shallower nodes.
    const MIN_DEPTH: usize = 3;

    /// Returns the table, computed once for all searches.
    pub(super) fn shared() -> &'static Self {
        static SHARED: LazyLock<Reductions> = LazyLock::new(Reductions::new);
        &SHARED
    }

    fn new() -> Self {
        let [base, factor] = [parameters::lmr_base(), parameters::lmr_factor()].map(f64::from);
        let mut table = [[0; Self::SIZE]; Self::SIZE];
        for (depth, row) in table.iter_mut().enumerate().skip(Self::MIN_DEPTH) {
            for (move_number, entry) in row.iter_mut().enumerate().skip(1) {
                let product = libm::log(depth as f64) * libm::log(move_number as f64 + 1.0);
                *entry = (base + factor * product) as i16;
            }
        }
        Self(table)
    }

    /// Returns by how many plies a move is reduced: `less` thousandths of a ply less than the table
    /// says. `move_number` counts the moves of the node from 0; the first is never reduced.
    pub(super) fn plies(&self, depth: i32, move_number: usize, less: i32) -> i32 {
        let row = &self.0[(depth.max(0) as usize).min(Self::SIZE - 1)];
        let entry = i32::from(row[move_number.min(Self::SIZE - 1)]);
        (entry - less).div_euclid(1000).clamp(0, (depth - 2).max(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_and_deeper_moves_are_reduced_more_and_the_first_never() {
        let reductions = Reductions::shared();
        for depth in 0..100 {
            assert_eq!(reductions.plies(depth, 0, 0), 0);
            for number in 0..100 {
                let plies = |depth, number| reductions.plies(depth, number, 0);
                let reduction = plies(depth, number);
                assert!(reduction <= plies(depth + 1, number));
                assert!(reduction <= plies(depth, number + 1));
                assert!(reduction >= reductions.plies(depth, number, 1));
                assert!(depth >= 3 || reduction == 0);
            }
        }
    }

    #[test]
    fn fewer_moves_are_searched_near_the_leaves() {
        let kept = |depth| (0..).find(|number| is_too_late(depth, *number)).unwrap();
        assert_eq!([1, 2, 6].map(kept), [4, 6, 26]);
        assert!(!is_too_late(7, 80));
    }

    #[test]
    fn reverse_futility_pruning_never_replaces_a_proof() {
        let proof = Window { alpha: 31_500, beta: 31_501 };
        assert!(!passes_reverse_futility(30_000, 1, proof));
        let usual = Window { alpha: 0, beta: 1 };
        assert!(passes_reverse_futility(300, 5, usual) && !passes_reverse_futility(300, 6, usual));
    }
}
