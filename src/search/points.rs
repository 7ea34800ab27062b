//! [`Points`]: scores inside a search.
//!
//! Evaluations lie within ±[`EVAL_LIMIT`] and proven wins and losses beyond it, farther out the sooner the
//! game ends.

use crate::rules::ExactValue;

/// A score inside the search, for the side to move, on the scale of [`POINTS_PER_TENFOLD_ODDS`].
pub type Points = i32;

/// Maximum depth of a line.
pub(super) const MAX_PLY: usize = 127;
/// The `exact_plies` of an exhaustive search; see [`Score::from_points_at_root`].
pub(super) const EXHAUSTIVE: usize = usize::MAX;
/// A win at ply 0.
const MATE: Points = 32_000;
/// Scores beyond this are proven.
const PROVEN: Points = 31_000;
/// Evaluations stay within this bound.
pub const EVAL_LIMIT: Points = 30_000;
/// Greater than any score.
pub(super) const INFINITY: Points = 32_500;

/// The score of a win `plies` plies from the root.
pub(super) const fn win_at(plies: usize) -> Points {
    MATE - plies as Points
}

/// The score of a loss `plies` plies from the root.
pub(super) const fn loss_at(plies: usize) -> Points {
    -win_at(plies)
}

/// Whether a score is a proven win.
pub(super) const fn is_won(points: Points) -> bool {
    points > PROVEN
}

/// Whether a score is a proven win or loss.
pub(super) const fn is_proven(points: Points) -> bool {
    points.abs() > PROVEN
}

/// The value of a position with this score at ply 0; `None` for an evaluation.
pub(super) fn proven_value(points: Points) -> Option<ExactValue> {
    match points {
        points if points > PROVEN => Some(ExactValue::Win((MATE - points) as u16)),
        points if points < -PROVEN => Some(ExactValue::Loss((MATE + points) as u16)),
        _ => None,
    }
}

/// Converts a score at `ply` for the transposition table, where proven distances count from the
/// stored position instead of the root.
pub(super) const fn to_tt(points: Points, ply: usize) -> Points {
    match points {
        points if points > PROVEN => points + ply as Points,
        points if points < -PROVEN => points - ply as Points,
        points => points,
    }
}

/// The inverse of [`to_tt`].
pub(super) const fn from_tt(points: Points, ply: usize) -> Points {
    match points {
        points if points > PROVEN => points - ply as Points,
        points if points < -PROVEN => points + ply as Points,
        points => points,
    }
}

/// The number of points that multiply the odds of winning by ten, as in the Elo scale.
pub const POINTS_PER_TENFOLD_ODDS: f64 = 400.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proven_scores_survive_the_transposition_table() {
        for points in [win_at(7), loss_at(8), 120, -31, 0] {
            assert_eq!(from_tt(to_tt(points, 5), 5), points);
        }
    }
}
