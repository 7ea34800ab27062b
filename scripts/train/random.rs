//! Random initial weights.

use std::f32::consts::TAU;

use zermelo::rules::SplitMix;

/// Normally distributed numbers (Box-Muller).
#[derive(Debug)]
pub(crate) struct Normal(pub(crate) SplitMix);

impl Normal {
    /// A number of mean 0 and variance 1.
    pub(crate) fn number(&mut self) -> f32 {
        let radius = (-2.0 * (1.0 - self.part()).ln()).sqrt();
        radius * (TAU * self.part()).cos()
    }

    /// A number between −`limit` and `limit`.
    pub(crate) fn uniform(&mut self, limit: f32) -> f32 {
        limit * (2.0 * self.part() - 1.0)
    }

    /// A number from 0 to 1, below 1.
    fn part(&mut self) -> f32 {
        (self.0.bits() >> 40) as f32 / (1u64 << 24) as f32
    }
}
