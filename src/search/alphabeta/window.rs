//! The alpha-beta window.

use crate::search::points::{INFINITY, Points};

/// Scores at or below alpha and at or above beta only need to be known as bounds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    pub alpha: Points,
    pub beta: Points,
}

impl Window {
    pub(super) const FULL: Self = Self { alpha: -INFINITY, beta: INFINITY };

    /// The window from the child's point of view.
    pub(super) fn negated(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }

    /// The null window just above alpha.
    pub(super) fn null_window(self) -> Self {
        Self { beta: self.alpha + 1, ..self }
    }

    pub(super) fn is_null(self) -> bool {
        self.beta - self.alpha == 1
    }

    pub(super) fn contains(self, points: Points) -> bool {
        self.alpha < points && points < self.beta
    }
}
