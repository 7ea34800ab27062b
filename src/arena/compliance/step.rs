//! A conformance step and its outcome.

use super::context::CheckContext;
use super::limits::LimitRule;

/// A conformance step.
#[derive(Clone, Copy)]
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

/// The outcome of a step or of a part of it.
pub(super) type StepOutcome<T = ()> = Result<T, StepError>;

/// Why a step did not pass.
#[derive(Debug)]
pub(super) enum StepError {
    /// The engine violates the protocol.
    Fail {
        /// The required behaviour.
        expected: String,
        /// The observed behaviour.
        found: String,
        /// Whether the violation is an illegal move.
        is_illegal_move: bool,
    },
    /// The step does not apply to this engine, or would prove nothing; the reason.
    Skip(String),
    /// The check was interrupted.
    Interrupted,
}

impl StepError {
    pub(super) fn fail(expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self::Fail { expected: expected.into(), found: found.into(), is_illegal_move: false }
    }

    pub(super) fn skip(reason: impl Into<String>) -> Self {
        Self::Skip(reason.into())
    }
}
