//! The outcome of a conformance step.

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

/// The outcome of a step or of a part of it.
pub(super) type StepOutcome<T = ()> = Result<T, StepError>;

/// A search that only a command ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UnboundedSearch {
    /// `go infinite`, ended by `stop`.
    Infinite,
    /// `go ponder`, ended by `ponderhit` or `stop`.
    Ponder,
}

impl UnboundedSearch {
    /// Returns the command that starts the search, without its clock.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Infinite => "go infinite",
            Self::Ponder => "go ponder",
        }
    }

    /// Returns the command that the search has to wait for.
    pub(super) fn ending_command(self) -> &'static str {
        match self {
            Self::Infinite => "stop",
            Self::Ponder => "ponderhit",
        }
    }
}
