//! Scores, inside the search and outside.
//!
//! Inside, a score is a number of [`Points`]: evaluations lie within ±[`LIMIT`], proven wins
//! and losses beyond, the nearer the end the farther out. Outside, [`Score`] says which it is.

use super::ProvenValue;
use crate::rules::ExactValue;

/// A score inside the search, for the side to move; [`POINTS_PER_TENFOLD_ODDS`] says what one is worth.
pub type Points = i32;

/// No line is followed further than this.
pub(super) const MAX_PLY: usize = 127;
/// The distances that an exhaustive search gets right: all of them.
pub(super) const EVERY_PLY: usize = usize::MAX;
/// A win on the spot.
const MATE: Points = 32_000;
/// Beyond this a score is a proof.
const PROVEN: Points = 31_000;
/// Evaluations stay within this.
pub const LIMIT: Points = 30_000;
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
pub const POINTS_PER_TENFOLD_ODDS: f64 = 400.0;

/// A score as the world sees it, for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Score {
    /// An estimate.
    Estimate(Points),
    /// A proof.
    Proven(ProvenValue),
}

impl Score {
    /// Interprets the points of a root. Wins and losses within `exact_plies` come from a search that
    /// left nothing out, so their distance is exact; after an exhaustive one ([`EVERY_PLY`]) zero is
    /// a proven draw.
    pub(super) fn from_root_points(points: Points, exact_plies: usize) -> Self {
        let value = match points {
            points if points > PROVEN => ExactValue::Win((MATE - points) as u16),
            points if points < -PROVEN => ExactValue::Loss((MATE + points) as u16),
            0 if exact_plies == EVERY_PLY => ExactValue::Draw,
            points => return Self::Estimate(points),
        };
        let is_exact = value.plies().is_none_or(|plies| usize::from(plies) <= exact_plies);
        Self::Proven(if is_exact { value.into() } else { ProvenValue::from_line(value) })
    }

    /// The score that belongs to a mean result between -1 and 1.
    pub(super) fn from_mean(mean: f32) -> Self {
        let odds = f64::from((1.0 + mean).max(1e-4)) / f64::from((1.0 - mean).max(1e-4));
        Self::Estimate((POINTS_PER_TENFOLD_ODDS * odds.log10()).round() as Points)
    }

    /// The proof, if it is one.
    #[must_use]
    pub fn proven(self) -> Option<ProvenValue> {
        match self {
            Self::Proven(value) => Some(value),
            Self::Estimate(_) => None,
        }
    }

    /// The score as one number, proofs far out.
    #[must_use]
    pub fn points(self) -> Points {
        match self {
            Self::Estimate(points) => points,
            Self::Proven(ProvenValue::Win(count)) => win_at(count.plies().into()),
            Self::Proven(ProvenValue::Draw) => 0,
            Self::Proven(ProvenValue::Loss(count)) => loss_at(count.plies().into()),
        }
    }

    /// How likely each result is, where draws take so much of the room that the score leaves them.
    #[must_use]
    pub fn chances(self, draw_share: Option<f32>) -> WinDrawLoss {
        match self {
            Self::Proven(ProvenValue::Win(_)) => WinDrawLoss { win: 1000, draw: 0, loss: 0 },
            Self::Proven(ProvenValue::Draw) => WinDrawLoss { win: 0, draw: 1000, loss: 0 },
            Self::Proven(ProvenValue::Loss(_)) => WinDrawLoss { win: 0, draw: 0, loss: 1000 },
            Self::Estimate(points) => WinDrawLoss::estimate(points, draw_share),
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
    /// The score tells the mean result m, from 0 to 1. Draws can make up at most twice what the side
    /// behind may expect, and take a share of that: share · 2 · min(m, 1 − m).
    fn estimate(points: Points, draw_share: Option<f32>) -> Self {
        /// Of the games of tixtax that look even, about so many are drawn.
        const USUAL_SHARE: f32 = 0.4;
        let mean = 1.0 / (1.0 + libm::pow(10.0, -f64::from(points) / POINTS_PER_TENFOLD_ODDS));
        let room = 2.0 * mean.min(1.0 - mean);
        let draw = room * f64::from(draw_share.unwrap_or(USUAL_SHARE).clamp(0.0, 1.0));
        let win = (1000.0 * (mean - draw / 2.0)).round() as u16;
        let loss = (1000.0 * (1.0 - mean - draw / 2.0)).round() as u16;
        let excess = (win + loss).saturating_sub(1000);
        Self { win: win - excess.min(win), draw: 1000_u16.saturating_sub(win + loss), loss }
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
        let root = Score::from_root_points;
        assert_eq!(root(win_at(7), EVERY_PLY), Score::Proven(ExactValue::Win(7).into()));
        assert_eq!(root(loss_at(8), 8), Score::Proven(ExactValue::Loss(8).into()));
        let line = ProvenValue::from_line(ExactValue::Loss(8));
        assert_eq!(root(loss_at(8), 7), Score::Proven(line));
        assert_eq!(root(0, MAX_PLY), Score::Estimate(0));
        assert_eq!(root(0, EVERY_PLY), Score::Proven(ProvenValue::Draw));
    }

    #[test]
    fn chances_add_up_and_lean_the_right_way() {
        for points in [-LIMIT, -500, -3, 0, 90, 5000] {
            for share in [None, Some(0.0), Some(0.3), Some(1.0)] {
                let WinDrawLoss { win, draw, loss } = Score::Estimate(points).chances(share);
                assert_eq!(win + draw + loss, 1000);
                assert_eq!(
                    (win > loss, win < loss),
                    (points > 0 && win != loss, points < 0 && win != loss)
                );
            }
        }
    }
}
