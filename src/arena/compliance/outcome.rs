//! The outcome of a conformance step.

/// The outcome of a step or of a part of it.
pub(super) type StepOutcome<T = ()> = Result<T, StepError>;

pub(super) enum StepError {
    /// The engine violates the protocol.
    Fail {
        expected: String,
        found: String,
        is_illegal_move: bool,
    },
    /// The step does not apply to this engine, or would prove nothing; the reason.
    Skip(String),
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
