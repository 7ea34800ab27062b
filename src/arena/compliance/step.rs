//! A conformance step.

use super::context::CheckContext;
use super::limits::LimitRule;
use super::outcome::StepOutcome;

/// A conformance step.
pub(super) struct ConformanceStep {
    /// The name, a key of the JSON report.
    pub(super) name: &'static str,
    /// The required behaviour.
    pub(super) expected: &'static str,
    /// The time limits of its answers.
    pub(super) limit: LimitRule,
    /// The check.
    pub(super) check: fn(&mut CheckContext<'_>) -> StepOutcome,
}

/// Returns a step.
pub(super) const fn step(
    name: &'static str,
    expected: &'static str,
    limit: LimitRule,
    check: fn(&mut CheckContext<'_>) -> StepOutcome,
) -> ConformanceStep {
    ConformanceStep { name, expected, limit, check }
}
