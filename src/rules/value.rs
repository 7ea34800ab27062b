//! Sides, outcomes and values.
//!
//! An [`Outcome`] is absolute: it names the winner. A [`Value`] is relative to the side to move.
//! [`Outcome::value_for`] and [`Value::outcome_for`] convert one to the other. An [`ExactValue`] adds the distance to the end
//! in plies and prefers fast wins and slow losses.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Not;

/// One of the two players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The player who moves first in the start position.
    P1,
    P2,
}

impl Side {
    /// 0 for `P1`, 1 for `P2`; indexes a pair.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    #[inline]
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::P1 => Self::P2,
            Self::P2 => Self::P1,
        }
    }
}

impl Not for Side {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        self.other()
    }
}

/// The result of a finished game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    Win(Side),
    Draw,
}

impl Outcome {
    /// The value of the outcome for `side`.
    #[inline]
    #[must_use]
    pub fn value_for(self, side: Side) -> Value {
        match self {
            Self::Draw => Value::Draw,
            Self::Win(winner) if winner == side => Value::Win,
            Self::Win(_) => Value::Loss,
        }
    }
}

/// The game-theoretic value of a position for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// The opponent can force a win.
    Loss,
    /// Neither side can force a win.
    Draw,
    /// The side to move can force a win.
    Win,
}

impl Value {
    /// The same value from the opponent's point of view.
    #[inline]
    #[must_use]
    pub fn flip(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }

    /// The half points that it is worth: none, one or two.
    #[inline]
    #[must_use]
    pub fn half_points(self) -> usize {
        match self {
            Self::Loss => 0,
            Self::Draw => 1,
            Self::Win => 2,
        }
    }

    /// The outcome that has this value for `side`, the inverse of [`Outcome::value_for`].
    #[must_use]
    pub fn outcome_for(self, side: Side) -> Outcome {
        match self {
            Self::Loss => Outcome::Win(side.other()),
            Self::Draw => Outcome::Draw,
            Self::Win => Outcome::Win(side),
        }
    }

    /// The value with the plies of a win or loss.
    #[must_use]
    pub fn in_plies(self, plies: u16) -> ExactValue {
        match self {
            Self::Loss => ExactValue::Loss(plies),
            Self::Draw => ExactValue::Draw,
            Self::Win => ExactValue::Win(plies),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Loss => "loss",
            Self::Draw => "draw",
            Self::Win => "win",
        })
    }
}

/// A value with the distance to the end of the game in plies, for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ExactValue {
    /// The side to move loses in this many plies; 0 if the game is over.
    Loss(u16),
    /// Neither side can force a win.
    Draw,
    /// The side to move wins in this many plies.
    Win(u16),
}

impl ExactValue {
    /// The value of a finished game for `mover`, the side that would be to move.
    #[must_use]
    pub fn from_outcome(outcome: Outcome, mover: Side) -> Self {
        outcome.value_for(mover).in_plies(0)
    }

    /// The value of the move that led to a position with this value, for the player who made it.
    #[must_use]
    pub fn before_move(self) -> Self {
        match self {
            Self::Loss(plies) => Self::Win(plies + 1),
            Self::Draw => Self::Draw,
            Self::Win(plies) => Self::Loss(plies + 1),
        }
    }

    /// The value without the distance.
    #[must_use]
    pub fn value(self) -> Value {
        match self {
            Self::Loss(_) => Value::Loss,
            Self::Draw => Value::Draw,
            Self::Win(_) => Value::Win,
        }
    }

    /// Plies to the end; `None` for a draw.
    #[must_use]
    pub fn plies(self) -> Option<u16> {
        match self {
            Self::Loss(plies) | Self::Win(plies) => Some(plies),
            Self::Draw => None,
        }
    }

    /// A number that orders values from the fastest loss to the fastest win.
    #[inline]
    fn rank(self) -> i32 {
        const DECIDED: i32 = 1 << 20;
        match self {
            Self::Loss(plies) => i32::from(plies) - DECIDED,
            Self::Draw => 0,
            Self::Win(plies) => DECIDED - i32::from(plies),
        }
    }
}

impl Ord for ExactValue {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for ExactValue {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Writes `win 3`, `loss 4` or `draw`.
impl fmt::Display for ExactValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies() {
            Some(plies) => write!(f, "{} {plies}", self.value()),
            None => write!(f, "{}", self.value()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fast_wins_and_slow_losses_are_preferred() {
        let ascending = [
            ExactValue::Loss(2),
            ExactValue::Loss(4),
            ExactValue::Draw,
            ExactValue::Win(5),
            ExactValue::Win(1),
        ];
        assert!(ascending.is_sorted());
        let fast = |plies| ExactValue::Win(plies) > ExactValue::Win(plies + 1);
        let slow = |plies| ExactValue::Loss(plies) < ExactValue::Loss(plies + 1);
        assert!((0..u16::MAX).all(|plies| fast(plies) && slow(plies)));
    }

    #[test]
    fn values_change_sides_with_the_move() {
        assert_eq!(ExactValue::Loss(2).before_move(), ExactValue::Win(3));
        assert_eq!(ExactValue::Win(3).before_move(), ExactValue::Loss(4));
        assert_eq!(Outcome::Win(Side::P2).value_for(Side::P1), Value::Loss);
        for value in [Value::Loss, Value::Draw, Value::Win] {
            let side = Side::P1;
            assert_eq!(value.outcome_for(side).value_for(side), value);
            assert_eq!(value.outcome_for(side).value_for(!side), value.flip());
        }
        assert_eq!(ExactValue::from_outcome(Outcome::Win(Side::P2), Side::P1), ExactValue::Loss(0));
    }
}
