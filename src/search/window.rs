//! The part of the scores that matters at a node.

use super::score::{INFINITY, Points};

/// The part of the scores a node has to decide about: it only matters where in here its own lies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    pub alpha: Points,
    pub beta: Points,
}

impl Window {
    pub(super) const FULL: Self = Self { alpha: -INFINITY, beta: INFINITY };

    /// The window of a child, seen from the other side.
    pub(super) fn flipped(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }

    /// A window that only asks whether a score is above alpha.
    pub(super) fn narrow(self) -> Self {
        Self { beta: self.alpha + 1, ..self }
    }

    pub(super) fn is_narrow(self) -> bool {
        self.beta - self.alpha == 1
    }

    pub(super) fn contains(self, points: Points) -> bool {
        self.alpha < points && points < self.beta
    }
}
