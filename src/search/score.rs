//! Scores, inside the search and outside.
//!
//! Inside, a score is a number of [`Points`]: evaluations lie within ±[`LIMIT`], proven wins
//! and losses beyond, the nearer the end the farther out. Outside, [`Score`] says which it is.

use crate::rules::Exact;

/// A score inside the search, for the side to move; hundredths of a stone's worth.
pub type Points = i32;

/// No line is followed further than this.
pub(super) const MAX_PLY: usize = 127;
/// A win on the spot.
const MATE: Points = 32_000;
/// Beyond this a score is a proof.
const PROVEN: Points = 31_000;
/// Evaluations stay within this.
pub(super) const LIMIT: Points = 30_000;
/// More than any score.
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
pub(super) const fn is_decided(points: Points) -> bool {
    points.abs() > PROVEN
}

/// A decided score counted from the root, recounted from a node `ply` plies below it.
pub(super) const fn from_root(points: Points, ply: usize) -> Points {
    match points {
        points if points > PROVEN => points + ply as Points,
        points if points < -PROVEN => points - ply as Points,
        points => points,
    }
}

/// The inverse of [`from_root`].
pub(super) const fn from_node(points: Points, ply: usize) -> Points {
    match points {
        points if points > PROVEN => points - ply as Points,
        points if points < -PROVEN => points + ply as Points,
        points => points,
    }
}

/// How many points multiply the odds by ten.
const SLOPE: f64 = 400.0;

/// A score as the world sees it, for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Score {
    /// An estimate in hundredths.
    Estimate(Points),
    /// A proof.
    Proven(Exact),
}

impl Score {
    /// Reads the points of a root; where the search was exhaustive, a draw is a proof too.
    pub(super) fn of_root(points: Points, exhaustive: bool) -> Self {
        match points {
            points if points > PROVEN => Self::Proven(Exact::Win((MATE - points) as u16)),
            points if points < -PROVEN => Self::Proven(Exact::Loss((MATE + points) as u16)),
            0 if exhaustive => Self::Proven(Exact::Draw),
            points => Self::Estimate(points),
        }
    }

    /// The score that belongs to a mean result between -1 and 1.
    pub(super) fn from_mean(mean: f32) -> Self {
        let odds = f64::from((1.0 + mean).max(1e-4)) / f64::from((1.0 - mean).max(1e-4));
        Self::Estimate((SLOPE * odds.log10()).round() as Points)
    }

    /// The proof, if it is one.
    #[must_use]
    pub fn proven(self) -> Option<Exact> {
        match self {
            Self::Proven(exact) => Some(exact),
            Self::Estimate(_) => None,
        }
    }

    /// The score as one number, proofs far out.
    #[must_use]
    pub fn points(self) -> Points {
        match self {
            Self::Estimate(points) => points,
            Self::Proven(Exact::Win(plies)) => win_at(plies.into()),
            Self::Proven(Exact::Draw) => 0,
            Self::Proven(Exact::Loss(plies)) => loss_at(plies.into()),
        }
    }

    /// How likely each result is.
    #[must_use]
    pub fn chances(self) -> WinDrawLoss {
        match self {
            Self::Proven(Exact::Win(_)) => WinDrawLoss { win: 1000, draw: 0, loss: 0 },
            Self::Proven(Exact::Draw) => WinDrawLoss { win: 0, draw: 1000, loss: 0 },
            Self::Proven(Exact::Loss(_)) => WinDrawLoss { win: 0, draw: 0, loss: 1000 },
            Self::Estimate(points) => WinDrawLoss::estimate(points),
        }
    }
}

/// The chances of the side to move, in thousandths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WinDrawLoss {
    /// A win.
    pub win: u16,
    /// A draw.
    pub draw: u16,
    /// A loss.
    pub loss: u16,
}

impl WinDrawLoss {
    /// Two logistic curves, one for winning and one for not losing, set apart by the draws.
    fn estimate(points: Points) -> Self {
        const DRAW_MARGIN: f64 = 100.0;
        let curve = |points: f64| 1000.0 / (1.0 + 10f64.powf(-points / SLOPE));
        let win = curve(f64::from(points) - DRAW_MARGIN).round() as u16;
        let loss = curve(-f64::from(points) - DRAW_MARGIN).round() as u16;
        Self { win, draw: 1000 - win - loss, loss }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proofs_survive_the_way_through_the_table() {
        for points in [win_at(7), loss_at(8), 120, -31, 0] {
            assert_eq!(from_node(from_root(points, 5), 5), points);
        }
        assert_eq!(Score::of_root(win_at(7), false), Score::Proven(Exact::Win(7)));
        assert_eq!(Score::of_root(loss_at(8), false), Score::Proven(Exact::Loss(8)));
        assert_eq!(Score::of_root(0, false), Score::Estimate(0));
        assert_eq!(Score::of_root(0, true), Score::Proven(Exact::Draw));
    }

    #[test]
    fn chances_add_up_and_lean_the_right_way() {
        for points in [-LIMIT, -500, -3, 0, 90, 5000] {
            let WinDrawLoss { win, draw, loss } = Score::Estimate(points).chances();
            assert_eq!(win + draw + loss, 1000);
            assert_eq!(
                (win > loss, win < loss),
                (points > 0 && win != loss, points < 0 && win != loss)
            );
        }
    }
}
