//! Proven values, which say whether their plies are an exact distance or only the length of a line.

use std::fmt;

use crate::rules::{ExactValue, Value};

/// What the plies of a proven win or loss count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlyCount {
    /// The distance to the end of the game when the winner hurries and the loser delays.
    Distance(u16),
    /// The length of the line that was found; the winner may have a faster one, the loser a slower.
    LineLength(u16),
}

impl PlyCount {
    /// The number of plies, whatever it counts.
    #[must_use]
    pub fn plies(self) -> u16 {
        match self {
            Self::Distance(plies) | Self::LineLength(plies) => plies,
        }
    }
}

/// A proven value of a position, from the mover's side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProvenValue {
    /// The mover loses.
    Loss(PlyCount),
    /// Neither side can force a win.
    Draw,
    /// The mover wins.
    Win(PlyCount),
}

impl ProvenValue {
    /// A value whose plies are only the length of the line that was found. A win in one ply and a
    /// finished game are exact whatever found them.
    #[must_use]
    pub fn from_line(value: ExactValue) -> Self {
        match value {
            ExactValue::Win(2..) | ExactValue::Loss(1..) => {
                Self::with_count(value, PlyCount::LineLength)
            }
            _ => value.into(),
        }
    }

    fn with_count(value: ExactValue, count: fn(u16) -> PlyCount) -> Self {
        match value {
            ExactValue::Loss(plies) => Self::Loss(count(plies)),
            ExactValue::Draw => Self::Draw,
            ExactValue::Win(plies) => Self::Win(count(plies)),
        }
    }

    /// Win, draw or loss.
    #[must_use]
    pub fn value(self) -> Value {
        self.nominal().value()
    }

    /// The plies of a win or loss, whatever they count; `None` for a draw.
    #[must_use]
    pub fn plies(self) -> Option<u16> {
        self.nominal().plies()
    }

    /// Whether the plies are the distance under best play. Always true for a draw, which has no plies.
    #[must_use]
    pub fn is_exact(self) -> bool {
        !matches!(self, Self::Win(PlyCount::LineLength(_)) | Self::Loss(PlyCount::LineLength(_)))
    }

    /// The value with its plies taken at face value, for formats that cannot express what they count.
    #[must_use]
    pub fn nominal(self) -> ExactValue {
        match self {
            Self::Loss(count) => ExactValue::Loss(count.plies()),
            Self::Draw => ExactValue::Draw,
            Self::Win(count) => ExactValue::Win(count.plies()),
        }
    }

    /// The value one ply earlier, for the player who moved into the position valued `self`.
    #[must_use]
    pub fn before_move(self) -> Self {
        let earlier = self.nominal().before_move();
        if self.is_exact() { earlier.into() } else { Self::from_line(earlier) }
    }
}

impl From<ExactValue> for ProvenValue {
    fn from(value: ExactValue) -> Self {
        Self::with_count(value, PlyCount::Distance)
    }
}

/// `win 3`, `draw`, `loss 4 (line length)`.
impl fmt::Display for ProvenValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.nominal().fmt(f)?;
        if self.is_exact() { Ok(()) } else { f.write_str(" (line length)") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_longer_than_one_ply_can_be_inexact() {
        for exact in [ExactValue::Win(1), ExactValue::Loss(0), ExactValue::Draw] {
            assert_eq!(ProvenValue::from_line(exact), ProvenValue::from(exact));
        }
        let line = ProvenValue::from_line(ExactValue::Win(5));
        assert_eq!(line, ProvenValue::Win(PlyCount::LineLength(5)));
        assert_eq!(line.nominal(), ExactValue::Win(5));
        assert!(!line.is_exact() && !line.before_move().is_exact());
        assert_eq!(line.to_string(), "win 5 (line length)");
        assert_eq!(line.before_move().to_string(), "loss 6 (line length)");
        assert_eq!(ProvenValue::from(ExactValue::Win(5)).to_string(), "win 5");
    }
}
