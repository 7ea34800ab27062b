//! The marks of moves, from `??` to `!`, and when a move gets one.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::search::Score;

/// The mark of a move. The order is from worst to best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Mark {
    /// Loses at least 0.30 of the expected score.
    #[serde(rename = "??")]
    Blunder,
    /// Loses at least 0.20.
    #[serde(rename = "?")]
    Mistake,
    /// Loses at least 0.10.
    #[serde(rename = "?!")]
    Inaccuracy,
    /// The only move that keeps the value, where every other loses at least 0.20.
    #[serde(rename = "!")]
    OnlyMove,
}

impl Mark {
    /// All marks, worst first.
    pub const ALL: [Self; 4] = [Self::Blunder, Self::Mistake, Self::Inaccuracy, Self::OnlyMove];

    /// The symbol used in chess notation.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Blunder => "??",
            Self::Mistake => "?",
            Self::Inaccuracy => "?!",
            Self::OnlyMove => "!",
        }
    }

    /// Its numeric annotation glyph in PGN.
    #[must_use]
    pub fn nag(self) -> u32 {
        match self {
            Self::OnlyMove => 1,
            Self::Mistake => 2,
            Self::Blunder => 4,
            Self::Inaccuracy => 6,
        }
    }

    /// The mark of a numeric annotation glyph, if it has one.
    #[must_use]
    pub fn from_nag(nag: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|mark| mark.nag() == nag)
    }

    /// Whether the move is at least a mistake.
    #[must_use]
    pub fn is_serious(self) -> bool {
        matches!(self, Self::Blunder | Self::Mistake)
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.symbol())
    }
}

/// Tolerance of comparisons, so that rounding cannot hide a loss of exactly 0.3.
const EPSILON: f64 = 1e-9;
/// The loss of an inaccuracy; a move that loses less keeps the value, as far as it is estimated.
pub(super) const INACCURACY_LOSS: f64 = 0.1 - EPSILON;
const MISTAKE_LOSS: f64 = 0.2 - EPSILON;
const BLUNDER_LOSS: f64 = 0.3 - EPSILON;
/// A move is the only one if every other move loses at least this much.
const ONLY_MOVE_MARGIN: f64 = MISTAKE_LOSS;

/// Returns the mark of a move with the score `value`, where the best move scores `best` and
/// `least_other_loss` is the smallest loss of any other legal move (`None` if there is no other).
/// Where the value of the position is proven, only a proof marks a move as a mistake, since an
/// estimate may be wrong about a move that keeps the value.
pub(super) fn mark(value: Score, best: Score, least_other_loss: Option<f64>) -> Option<Mark> {
    let loss = best.expected() - value.expected();
    match loss {
        _ if best.proven().is_some() && value.proven().is_none() => None,
        _ if loss >= BLUNDER_LOSS => Some(Mark::Blunder),
        _ if loss >= MISTAKE_LOSS => Some(Mark::Mistake),
        _ if loss >= INACCURACY_LOSS => Some(Mark::Inaccuracy),
        _ => (loss < EPSILON && least_other_loss? >= ONLY_MOVE_MARGIN).then_some(Mark::OnlyMove),
    }
}
