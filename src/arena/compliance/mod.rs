//! Protocol conformance: checks an engine step by step and records which steps pass.
//!
//! A step is a function over a `CheckContext`, which owns the engine process, the transcript of
//! the step and the results of earlier steps. After a failed step the engine is restarted, so that
//! one defect does not fail the steps that follow. Moves are checked against the rules where the
//! game is known; otherwise only their form is.

mod codingame;
mod context;
mod game_rules;
mod handshake;
mod outcome;
mod robustness;
mod search;
mod step_limits;
mod transcript;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::Serialize;

use super::engines::engine_setup::{EngineSetup, Protocol};
use super::games::game_choice::GameChoice;
use crate::protocol::reply::Dialect;
use crate::records::SCHEMA;
use context::{CheckContext, ConformanceStep};
use outcome::StepError;
pub(crate) use step_limits::StepLimits;

pub(crate) struct ComplianceOptions<'a> {
    /// The engine. Its time margin is the tolerance for answers that exceed their time limit.
    pub engine: &'a EngineSetup,
    /// The dialect that it speaks; not used for CodinGame bots.
    pub dialect: Dialect,
    pub game: GameChoice,
    pub reply_timeout: Duration,
    pub stop: Arc<AtomicBool>,
}

#[derive(Debug, Serialize)]
pub(crate) struct ComplianceReport {
    pub schema: u32,
    pub engine: EngineIdentity,
    /// The id of the game; `ugi` if the engine defines the rules.
    pub game: &'static str,
    pub proto: Protocol,
    /// The steps in order; incomplete if the handshake failed or the check was interrupted.
    pub steps: Vec<StepReport>,
    /// The number of missing steps.
    pub not_run: usize,
    #[serde(skip)]
    pub offers_games: bool,
    /// The number of steps that failed because of an illegal move.
    #[serde(skip)]
    pub illegal_moves: usize,
}

impl ComplianceReport {
    pub(crate) fn count(&self, status: StepStatus) -> usize {
        self.steps.iter().filter(|step| step.status == status).count()
    }
}

#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct EngineIdentity {
    pub name: Option<String>,
    pub author: Option<String>,
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct StepReport {
    /// The number of the step, from 1.
    pub number: usize,
    pub name: &'static str,
    pub status: StepStatus,
    /// The required behaviour; if it was violated, the requirement that was.
    pub expected: String,
    /// What the engine did instead, or why the step was skipped.
    pub found: Option<String>,
    /// The likely reason for a failed handshake.
    pub likely_reason: Option<String>,
    #[serde(flatten)]
    pub limits: StepLimits,
    /// Observations that are not failures.
    pub remarks: Vec<String>,
    /// The transcript of the step: `> ` to the engine, `< ` from it. Long lines and long
    /// transcripts are abridged.
    pub exchanged: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum StepStatus {
    Ok,
    /// Failed, but matches do not need what the step checks.
    Warn,
    Fail,
    /// Not applicable to this engine, game or protocol, or not checkable after an earlier failure.
    Skip,
}

/// Runs the steps against an engine and calls `on_step` after each of them. A failed handshake ends
/// the check.
pub(crate) fn check_engine(
    options: &ComplianceOptions<'_>,
    mut on_step: impl FnMut(&StepReport),
) -> ComplianceReport {
    let mut context = CheckContext::new(options);
    let mut reports = Vec::new();
    let parts = match options.engine.proto {
        Protocol::Codingame => vec![codingame::STEPS],
        Protocol::Uci | Protocol::Ugi => {
            vec![handshake::STEPS, search::STEPS, game_rules::STEPS, robustness::STEPS]
        }
    };
    let steps = parts.concat();
    for (number, step) in (1..).zip(&steps) {
        let Some(report) = run_step(number, step, &mut context) else { break };
        on_step(&report);
        let is_failed_handshake = reports.is_empty() && report.status == StepStatus::Fail;
        reports.push(report);
        if is_failed_handshake {
            break;
        }
    }
    ComplianceReport {
        schema: SCHEMA,
        engine: EngineIdentity {
            name: context.handshake.text_after("id name "),
            author: context.handshake.text_after("id author "),
        },
        game: options.game.name(),
        proto: options.engine.proto,
        not_run: steps.len() - reports.len(),
        offers_games: context.handshake.variants().is_some(),
        illegal_moves: context.illegal_moves,
        steps: reports,
    }
}

/// Runs one step; `None` if the check was interrupted.
fn run_step(
    number: usize,
    step: &ConformanceStep,
    context: &mut CheckContext<'_>,
) -> Option<StepReport> {
    let movetime_taken = context.movetime_search.as_ref().map(|search| search.taken);
    context.limits = StepLimits::new(step.limit, context.options, movetime_taken);
    // The first step starts the engine; a bot is started by each step.
    let needs_engine = number > 1 && context.options.engine.proto.dialect().is_some();
    let is_missing = needs_engine && context.engine.is_none();
    let begun = if is_missing { context.restart() } else { Ok(()) };
    let outcome = begun.and_then(|()| (step.check)(context));
    if let Err(StepError::Fail { is_illegal_move, .. }) = outcome {
        context.illegal_moves += usize::from(is_illegal_move);
        context.engine = None;
        context.failed.push(step.name);
    }
    let (status, expected, found) = match outcome {
        Ok(()) => (StepStatus::Ok, step.expected.to_owned(), None),
        Err(StepError::Skip(reason)) => (StepStatus::Skip, step.expected.to_owned(), Some(reason)),
        Err(StepError::Fail { expected, found, .. }) => {
            let status = if step.is_needed { StepStatus::Fail } else { StepStatus::Warn };
            (status, expected, Some(found))
        }
        Err(StepError::Interrupted) => return None,
    };
    let (exchanged, remarks) = context.transcript.take();
    Some(StepReport {
        number,
        name: step.name,
        status,
        expected,
        found,
        likely_reason: context.likely_reason.take(),
        limits: context.limits,
        remarks,
        exchanged,
    })
}
