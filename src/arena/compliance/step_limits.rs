//! The time limits of the steps.

use std::time::Duration;

use serde::Serialize;

use super::ComplianceOptions;

/// How a step limits the time of its answers.
#[derive(Debug, Clone, Copy)]
pub(super) enum LimitRule {
    /// The step examines earlier answers.
    Untimed,
    /// Every answer is due within the reply timeout; searches have no time limit.
    ReplyTimeout,
    /// The answer to the search is due within this many milliseconds.
    BestMove(u64),
    /// No `bestmove` may arrive for a while, and the end of the search is not timed.
    Quiet,
    /// No `bestmove` may arrive for a while; after `ponderhit` it is due within this many
    /// milliseconds.
    QuietThenBestMove(u64),
}

/// The limit of an answer that is due immediately.
pub(super) const IMMEDIATE: LimitRule = LimitRule::BestMove(500);

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(crate) struct StepLimits {
    /// The time limit of each answer; `None` if the step waits for none.
    pub limit_ms: Option<u64>,
    /// The accepted delay beyond the limit; `None` if the step waits for no answer.
    pub tolerance_ms: Option<u64>,
    /// How long no `bestmove` may arrive during the search; `None` if the step does not check this.
    pub quiet_ms: Option<u64>,
}

impl StepLimits {
    /// Returns the limits for these options and the time the engine took for `go movetime`.
    pub(super) fn new(
        rule: LimitRule,
        options: &ComplianceOptions<'_>,
        movetime_taken: Option<Duration>,
    ) -> Self {
        /// Long enough for an engine that limits its thinking time on its own.
        const MIN_QUIET: Duration = Duration::from_secs(2);
        let reply_timeout = options.reply_timeout;
        let until_answer = |limit: u64| {
            let limit = Duration::from_millis(limit).min(reply_timeout);
            let tolerance = options.engine.margin().min(reply_timeout - limit);
            Self { tolerance_ms: Some(milliseconds(tolerance)), ..Self::until(limit) }
        };
        let quiet = MIN_QUIET.max(2 * movetime_taken.unwrap_or_default());
        let quiet_ms = Some(milliseconds(quiet));
        match rule {
            LimitRule::Untimed => Self::default(),
            LimitRule::ReplyTimeout => Self::until(reply_timeout),
            LimitRule::BestMove(limit) => until_answer(limit),
            LimitRule::Quiet => Self { quiet_ms, ..Self::default() },
            LimitRule::QuietThenBestMove(limit) => Self { quiet_ms, ..until_answer(limit) },
        }
    }

    fn until(limit: Duration) -> Self {
        Self { limit_ms: Some(milliseconds(limit)), tolerance_ms: Some(0), quiet_ms: None }
    }

    /// The time limit of an answer, without the tolerance.
    pub(super) fn limit(&self) -> Duration {
        Duration::from_millis(self.limit_ms.unwrap_or_default())
    }

    /// The accepted delay beyond the limit.
    pub(super) fn tolerance(&self) -> Duration {
        Duration::from_millis(self.tolerance_ms.unwrap_or_default())
    }

    pub(super) fn quiet(&self) -> Duration {
        Duration::from_millis(self.quiet_ms.unwrap_or_default())
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
