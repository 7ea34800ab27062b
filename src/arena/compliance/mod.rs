//! Compliance: an engine is led through the protocol step by step, and each step holds or does not.
//!
//! [`examine`] goes through the table in `steps`; what comes of it is data ([`Report`]) for `cli`
//! to show. A step is a function over an `Examination`, which keeps the engine, what was said in the
//! step, and what earlier steps have found out. After a step that failed the engine is started
//! again, so that what is wrong there does not spoil the next. Legality is judged by our rules in
//! our games; elsewhere it is left out. Builds on `process`, `player` and `referee`.

mod ends;
mod examination;
mod exchange;
mod greeting;
mod limits;
mod lines;
mod rough;
mod rules;
mod samples;
mod start;
mod steps;
mod thinking;
mod waiting;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::Serialize;

use super::record::SCHEMA;
use super::referee::Rules;
use super::setup::{EngineSetup, Protocol};
use examination::{Departure, Examination, Step};
use steps::STEPS;

/// What an examination needs to know.
#[derive(Debug)]
pub struct Terms<'a> {
    /// The engine; its time margin is what is forgiven beyond a limit of time.
    pub engine: &'a EngineSetup,
    /// The game.
    pub rules: Rules,
    /// How long an answer is waited for.
    pub patience: Duration,
    /// Set when somebody wants to stop.
    pub stop: &'a AtomicBool,
}

/// What came of an examination.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The version of this form.
    pub schema: u32,
    /// Who the engine says it is.
    pub engine: Identity,
    /// The game; `ugi` where only the engine knows it.
    pub game: &'static str,
    /// The protocol.
    pub proto: Protocol,
    /// All steps, in order; fewer if somebody stopped it.
    pub steps: Vec<StepReport>,
}

impl Report {
    /// How many steps have ended so.
    #[must_use]
    pub fn count(&self, status: Status) -> usize {
        self.steps.iter().filter(|step| step.status == status).count()
    }
}

/// Who an engine says it is.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Identity {
    /// Behind `id name`.
    pub name: Option<String>,
    /// Behind `id author`.
    pub author: Option<String>,
}

/// What came of a step.
#[derive(Debug, Clone, Serialize)]
pub struct StepReport {
    /// Its place, from 1.
    pub number: usize,
    /// What it is about.
    pub name: &'static str,
    /// Whether it holds.
    pub status: Status,
    /// What the protocol wants there; of a failure, the part that was missed.
    pub expected: String,
    /// What was found instead, or why the step was left out.
    pub found: Option<String>,
    /// What is no fault but worth knowing.
    pub remarks: Vec<String>,
    /// The lines of the step: `> ` to the engine, `< ` from it; long lines and long dialogues are
    /// shortened.
    pub exchanged: Vec<String>,
}

/// Whether a step holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It does.
    Ok,
    /// It does not.
    Fail,
    /// It was left out.
    Skip,
}

/// Leads an engine through all steps; `each` hears of every one as soon as it is done.
pub fn examine(terms: &Terms<'_>, mut each: impl FnMut(&StepReport)) -> Report {
    let mut examination = Examination::new(terms);
    let mut reports = Vec::new();
    for (index, step) in STEPS.iter().enumerate() {
        let Some(report) = report_of(index + 1, step, &mut examination) else { break };
        each(&report);
        reports.push(report);
    }
    Report {
        schema: SCHEMA,
        engine: examination.greeting.identity(),
        game: terms.rules.name(),
        proto: terms.engine.proto,
        steps: reports,
    }
}

/// Does a step; `None` if somebody wants to stop.
fn report_of(number: usize, step: &Step, examination: &mut Examination<'_>) -> Option<StepReport> {
    let done = examination.perform(step);
    let (status, expected, found) = match done {
        Ok(()) => (Status::Ok, step.expected.to_owned(), None),
        Err(Departure::Skip(why)) => (Status::Skip, step.expected.to_owned(), Some(why)),
        Err(Departure::Fail { expected, found }) => (Status::Fail, expected, Some(found)),
        Err(Departure::Interrupted) => return None,
    };
    let (exchanged, remarks) = examination.take_notes();
    Some(StepReport { number, name: step.name, status, expected, found, remarks, exchanged })
}
