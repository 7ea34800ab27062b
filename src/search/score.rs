//! [`Score`]: what a search says of a position, which tells estimates from proofs.

use std::fmt;

use super::points::{
    EVAL_LIMIT, EXHAUSTIVE, POINTS_PER_TENFOLD_ODDS, Points, loss_at, proven_value, win_at,
};
use crate::rules::{ExactValue, Value};
use crate::solve::ValueBounds;

/// The score of a position or a line, for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Score {
    Estimate(Points),
    /// A proven value. Its plies are the distance to the end of the game when the winner hurries and
    /// the loser delays.
    Exact(ExactValue),
    /// A proven value. Its plies are the length of the line that was found; the winner may have a
    /// faster one, the loser a slower.
    ByLine(ExactValue),
}

impl Score {
    /// A proven value whose plies are only the length of the line that was found. A win in one ply
    /// and a finished game are exact whatever found them.
    #[must_use]
    pub fn by_line(value: ExactValue) -> Self {
        match value {
            ExactValue::Win(2..) | ExactValue::Loss(1..) => Self::ByLine(value),
            _ => Self::Exact(value),
        }
    }

    /// Interprets points backed up to the root. Within `exact_plies` plies the search has seen every
    /// win and loss, so that such a distance is exact. After an exhaustive search
    /// ([`EXHAUSTIVE`]) zero is a proven draw.
    pub(super) fn from_points_at_root(points: Points, exact_plies: usize) -> Self {
        let draw = (points == 0 && exact_plies == EXHAUSTIVE).then_some(ExactValue::Draw);
        let Some(value) = proven_value(points).or(draw) else { return Self::Estimate(points) };
        let is_exact = value.plies().is_none_or(|plies| usize::from(plies) <= exact_plies);
        if is_exact { Self::Exact(value) } else { Self::by_line(value) }
    }

    /// The same score, with the plies of a win or loss taken as the length of a line.
    pub(crate) fn without_distance(self) -> Self {
        self.proven().map_or(self, Self::by_line)
    }

    /// Returns the estimate for a mean result between -1 and 1.
    pub(super) fn from_mean(mean: f32) -> Self {
        let [win, loss] = [1.0 + mean, 1.0 - mean].map(f64::from);
        let odds = win.max(1e-4) / loss.max(1e-4);
        Self::Estimate((POINTS_PER_TENFOLD_ODDS * libm::log10(odds)).round() as Points)
    }

    /// The proven value, whatever its plies count; `None` for an estimate.
    #[must_use]
    pub fn proven(self) -> Option<ExactValue> {
        match self {
            Self::Exact(value) | Self::ByLine(value) => Some(value),
            Self::Estimate(_) => None,
        }
    }

    /// The distance to the end of the game, if it is known; `None` for a draw.
    #[must_use]
    pub fn distance(self) -> Option<u16> {
        match self {
            Self::Exact(value) => value.plies(),
            Self::ByLine(_) | Self::Estimate(_) => None,
        }
    }

    /// The score one ply earlier, for the player who moved into the position with this score.
    #[must_use]
    pub fn before_move(self) -> Self {
        match self {
            Self::Estimate(points) => Self::Estimate(-points),
            Self::Exact(value) => Self::Exact(value.before_move()),
            Self::ByLine(value) => Self::by_line(value.before_move()),
        }
    }

    /// The score one ply later, for the player who is to move after the move with this score.
    #[must_use]
    pub fn after_move(self) -> Self {
        let next = |value: ExactValue| {
            let plies = value.plies().map_or(0, |plies| plies.saturating_sub(1));
            value.value().flip().in_plies(plies)
        };
        match self {
            Self::Estimate(points) => Self::Estimate(-points),
            Self::Exact(value) => Self::Exact(next(value)),
            Self::ByLine(value) => Self::by_line(next(value)),
        }
    }

    /// An estimate moved into proven bounds of the value.
    #[must_use]
    pub fn within(self, bounds: ValueBounds) -> Self {
        let Self::Estimate(points) = self else { return self };
        let low = if bounds.lower >= Value::Draw { 0 } else { -EVAL_LIMIT };
        let high = if bounds.upper <= Value::Draw { 0 } else { EVAL_LIMIT };
        Self::Estimate(points.clamp(low, high))
    }

    /// The score as one number, with proofs beyond all estimates.
    #[must_use]
    pub fn points(self) -> Points {
        match self {
            Self::Estimate(points) => points,
            Self::Exact(value) | Self::ByLine(value) => match value {
                ExactValue::Win(plies) => win_at(plies.into()),
                ExactValue::Draw => 0,
                ExactValue::Loss(plies) => loss_at(plies.into()),
            },
        }
    }

    /// The expected result, from 0 for a loss to 1 for a win. Draws count one half, so an estimate
    /// needs no draw share.
    #[must_use]
    pub fn expected(self) -> f64 {
        match self {
            Self::Exact(value) | Self::ByLine(value) => match value.value() {
                Value::Win => 1.0,
                Value::Draw => 0.5,
                Value::Loss => 0.0,
            },
            Self::Estimate(points) => {
                1.0 / (1.0 + libm::pow(10.0, -f64::from(points) / POINTS_PER_TENFOLD_ODDS))
            }
        }
    }

    /// Returns the probabilities of the results. For an estimate, `draw_share`, from 0 to 1, is
    /// the draw probability as a fraction of the highest one that its mean allows.
    #[must_use]
    pub fn win_draw_loss(self, draw_share: f32) -> WinDrawLoss {
        let draw_share = if self.proven().is_some() { 1.0 } else { draw_share };
        WinDrawLoss::from_mean(self.expected(), draw_share)
    }
}

/// `win 3`, `draw`, `loss 4 (line length)` or `cp 31`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(value) => value.fmt(f),
            Self::ByLine(value) => write!(f, "{value} (line length)"),
            Self::Estimate(points) => write!(f, "cp {points}"),
        }
    }
}

/// The probabilities of the results for the side to move, in permille.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WinDrawLoss {
    pub win: u16,
    pub draw: u16,
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
    use crate::search::points::MAX_PLY;

    #[test]
    fn root_distances_are_exact_only_where_the_search_has_seen_everything() {
        let root = Score::from_points_at_root;
        assert_eq!(root(win_at(7), EXHAUSTIVE), Score::Exact(ExactValue::Win(7)));
        assert_eq!(root(loss_at(8), 8), Score::Exact(ExactValue::Loss(8)));
        assert_eq!(root(loss_at(8), 7), Score::ByLine(ExactValue::Loss(8)));
        assert_eq!(root(0, MAX_PLY), Score::Estimate(0));
        assert_eq!(root(0, EXHAUSTIVE), Score::Exact(ExactValue::Draw));
    }

    #[test]
    fn only_lines_longer_than_one_ply_can_be_inexact() {
        for exact in [ExactValue::Win(1), ExactValue::Loss(0), ExactValue::Draw] {
            assert_eq!(Score::by_line(exact), Score::Exact(exact));
        }
        let line = Score::by_line(ExactValue::Win(5));
        assert_eq!(line, Score::ByLine(ExactValue::Win(5)));
        assert_eq!((line.proven(), line.distance()), (Some(ExactValue::Win(5)), None));
        assert_eq!(line.to_string(), "win 5 (line length)");
        assert_eq!(line.before_move().to_string(), "loss 6 (line length)");
        assert_eq!(Score::Exact(ExactValue::Win(5)).to_string(), "win 5");
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
