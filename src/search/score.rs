//! Scores: [`Points`] inside the search, [`Score`] outside.
//!
//! Inside, evaluations lie within ±[`EVAL_LIMIT`] and proven wins and losses beyond it, farther out
//! the sooner the game ends. Outside, [`Score`] tells estimates from proofs.

use super::ProvenValue;
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

/// The score of a line, for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Score {
    /// An estimate.
    Estimate(Points),
    /// A proof.
    Proven(ProvenValue),
}

impl Score {
    /// Interprets points backed up to the root. Within `exact_plies` plies the search has seen every
    /// win and loss, so that such a distance is exact. After an exhaustive search
    /// ([`EXHAUSTIVE`]) zero is a proven draw.
    pub(super) fn from_points_at_root(points: Points, exact_plies: usize) -> Self {
        let value = match points {
            points if points > PROVEN => ExactValue::Win((MATE - points) as u16),
            points if points < -PROVEN => ExactValue::Loss((MATE + points) as u16),
            0 if exact_plies == EXHAUSTIVE => ExactValue::Draw,
            points => return Self::Estimate(points),
        };
        let is_exact = value.plies().is_none_or(|plies| usize::from(plies) <= exact_plies);
        Self::Proven(if is_exact { value.into() } else { ProvenValue::from_line(value) })
    }

    /// The same score, with the plies of a win or loss taken as the length of a line.
    pub(super) fn without_distance(self) -> Self {
        match self {
            Self::Proven(value) => Self::Proven(ProvenValue::from_line(value.nominal())),
            estimate => estimate,
        }
    }

    /// Returns the estimate for a mean result between -1 and 1.
    pub(super) fn from_mean(mean: f32) -> Self {
        let odds = f64::from((1.0 + mean).max(1e-4)) / f64::from((1.0 - mean).max(1e-4));
        Self::Estimate((POINTS_PER_TENFOLD_ODDS * libm::log10(odds)).round() as Points)
    }

    /// The proven value; `None` for an estimate.
    #[must_use]
    pub fn proven(self) -> Option<ProvenValue> {
        match self {
            Self::Proven(value) => Some(value),
            Self::Estimate(_) => None,
        }
    }

    /// The score one ply earlier, for the player who moved into the position with this score.
    #[must_use]
    pub fn before_move(self) -> Self {
        match self {
            Self::Estimate(points) => Self::Estimate(-points),
            Self::Proven(value) => Self::Proven(value.before_move()),
        }
    }

    /// The score as one number, with proofs beyond all estimates.
    #[must_use]
    pub fn points(self) -> Points {
        match self {
            Self::Estimate(points) => points,
            Self::Proven(ProvenValue::Win(count)) => win_at(count.plies().into()),
            Self::Proven(ProvenValue::Draw) => 0,
            Self::Proven(ProvenValue::Loss(count)) => loss_at(count.plies().into()),
        }
    }

    /// The expected result, from 0 for a loss to 1 for a win. Draws count one half, so an estimate
    /// needs no draw share.
    #[must_use]
    pub fn expected(self) -> f64 {
        match self {
            Self::Proven(ProvenValue::Win(_)) => 1.0,
            Self::Proven(ProvenValue::Draw) => 0.5,
            Self::Proven(ProvenValue::Loss(_)) => 0.0,
            Self::Estimate(points) => {
                1.0 / (1.0 + libm::pow(10.0, -f64::from(points) / POINTS_PER_TENFOLD_ODDS))
            }
        }
    }

    /// Returns the probabilities of the results. For an estimate, `draw_share`, from 0 to 1, is
    /// the draw probability as a fraction of the highest one that its mean allows.
    #[must_use]
    pub fn win_draw_loss(self, draw_share: f32) -> WinDrawLoss {
        match self {
            Self::Proven(ProvenValue::Win(_)) => WinDrawLoss { win: 1000, draw: 0, loss: 0 },
            Self::Proven(ProvenValue::Draw) => WinDrawLoss { win: 0, draw: 1000, loss: 0 },
            Self::Proven(ProvenValue::Loss(_)) => WinDrawLoss { win: 0, draw: 0, loss: 1000 },
            Self::Estimate(_) => WinDrawLoss::from_mean(self.expected(), draw_share),
        }
    }
}

/// The probabilities of the results for the side to move, in permille.
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
    /// The score fixes the mean result m, from 0 to 1. Draws can make up at most 2 · min(m, 1 − m)
    /// of the results and take `draw_share` of that.
    fn from_mean(mean: f64, draw_share: f32) -> Self {
        let max_draws = 2.0 * mean.min(1.0 - mean);
        let draw = max_draws * f64::from(draw_share.clamp(0.0, 1.0));
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
    fn proven_scores_survive_the_transposition_table() {
        for points in [win_at(7), loss_at(8), 120, -31, 0] {
            assert_eq!(from_tt(to_tt(points, 5), 5), points);
        }
    }

    #[test]
    fn root_distances_are_exact_only_where_the_search_has_seen_everything() {
        let root = Score::from_points_at_root;
        assert_eq!(root(win_at(7), EXHAUSTIVE), Score::Proven(ExactValue::Win(7).into()));
        assert_eq!(root(loss_at(8), 8), Score::Proven(ExactValue::Loss(8).into()));
        let line = ProvenValue::from_line(ExactValue::Loss(8));
        assert_eq!(root(loss_at(8), 7), Score::Proven(line));
        assert_eq!(root(0, MAX_PLY), Score::Estimate(0));
        assert_eq!(root(0, EXHAUSTIVE), Score::Proven(ProvenValue::Draw));
    }

    #[test]
    fn win_draw_loss_adds_up_and_favours_the_side_that_is_ahead() {
        for points in [-EVAL_LIMIT, -500, -3, 0, 90, 5000] {
            for share in [0.4, 0.0, 0.3, 1.0] {
                let WinDrawLoss { win, draw, loss } = Score::Estimate(points).win_draw_loss(share);
                assert_eq!(win + draw + loss, 1000);
                assert_eq!(
                    (win > loss, win < loss),
                    (points > 0 && win != loss, points < 0 && win != loss)
                );
            }
        }
    }
}
