//! Why an engine does not answer.

use crate::records::Termination;

pub(crate) enum EngineFailure {
    Fault(EngineFault),
    /// The stop flag was set.
    Interrupted,
}

#[derive(Debug, Clone)]
pub(crate) struct EngineFault {
    pub termination: Termination,
    /// What happened, to be preceded by the engine's name.
    pub reason: String,
    /// Whether the process cannot be used any more.
    pub is_fatal: bool,
}

impl EngineFault {
    pub(crate) fn fatal(termination: Termination, reason: String) -> Self {
        Self { termination, reason, is_fatal: true }
    }

    /// A move that breaks the rules, or none.
    pub(crate) fn illegal(reason: String) -> Self {
        Self { termination: Termination::Illegal, reason, is_fatal: false }
    }
}
