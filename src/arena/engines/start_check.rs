//! Starts every engine once before the first game, so that a mistake in the settings is reported
//! instead of recorded as lost games.

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::Builder;

use super::driver::{Engine, EngineConditions, StartError};
use super::engine_setup::EngineSetup;
use crate::printing::printable;

/// The number of idle engines that a worker keeps running, and of engines that are started at the
/// same time.
pub(crate) const MAX_IDLE_ENGINES: usize = 4;

/// The engines of a tournament that passed the start check.
#[derive(Default)]
pub(crate) struct StartedEngines {
    /// The engines that were kept running, with their index in the list of engines.
    pub(crate) running: Vec<(usize, Engine)>,
    /// Warnings about engines that can play nevertheless.
    pub(crate) warnings: Vec<(usize, String)>,
}

/// Why the engines of a tournament cannot play.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StartCheckError {
    #[error("interrupted before the first game")]
    Interrupted,
    #[error("cannot start any more engines: {0}")]
    OutOfResources(io::Error),
    /// Engines do not start or do not accept their options.
    #[error("{}\nnothing was recorded", .0.join("\n"))]
    Failed(Vec<String>),
}

/// Starts all engines, a few at a time: each must complete the handshake, accept its options and
/// answer `isready`. The first ones keep running for the first games.
/// Fails if engines cannot play, with the reasons for each of them, or if the check is interrupted.
pub(crate) fn start_engines(
    engines: &[EngineSetup],
    conditions: &EngineConditions,
) -> Result<StartedEngines, StartCheckError> {
    let (mut started, mut failures) = (StartedEngines::default(), Vec::new());
    for (number, batch) in engines.chunks(MAX_IDLE_ENGINES).enumerate() {
        let results = std::thread::scope(|scope| {
            let mut threads = Vec::new();
            for engine in batch {
                let builder = Builder::new().name("engine start".to_owned());
                let thread =
                    builder.spawn_scoped(scope, move || start_and_check(engine, conditions));
                threads.push(thread.map_err(StartCheckError::OutOfResources)?);
            }
            let results = threads.into_iter().map(|thread| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            });
            results.collect::<Result<Vec<_>, _>>()
        });
        for (place, result) in results?.into_iter().enumerate() {
            let index = number * MAX_IDLE_ENGINES + place;
            match result {
                Ok(mut engine) => {
                    let warnings = engine.take_warnings();
                    started.warnings.extend(warnings.into_iter().map(|warning| (index, warning)));
                    if engine.plays_single_game() {
                        continue;
                    }
                    if number == 0 {
                        started.running.push((index, engine));
                    } else {
                        engine.quit();
                    }
                }
                Err(failure) => failures.push(failure),
            }
        }
    }
    if failures.is_empty() { Ok(started) } else { Err(StartCheckError::Failed(failures)) }
}

/// Starts an engine; returns why it cannot play, if it cannot: what happened, its command, the likely
/// cause and the last lines that it printed.
fn start_and_check(
    setup: &EngineSetup,
    conditions: &EngineConditions,
) -> Result<Result<Engine, String>, StartCheckError> {
    /// The number of lines shown from the end of each output.
    const SHOWN_LINES: usize = 8;
    let (mut likely, mut stdout, mut stderr) = (None, Vec::new(), None);
    let started = match Engine::start(&Arc::new(setup.clone()), conditions) {
        Ok(mut engine) => {
            let rejected = engine.rejected_options.join("; ");
            let reason = engine.early_exit().or((!rejected.is_empty()).then_some(rejected));
            stderr = engine.stderr_tail();
            reason.map_or(Ok(engine), Err)
        }
        Err(StartError::OutOfResources(error)) => {
            return Err(StartCheckError::OutOfResources(error));
        }
        Err(StartError::Interrupted) => return Err(StartCheckError::Interrupted),
        Err(StartError::Fault(fault, engine)) => {
            if let Some(mut engine) = engine {
                stderr = engine.stderr_tail();
                if let Some((cause, lines)) = engine.explain_failed_start() {
                    (likely, stdout) = (Some(cause), lines);
                }
            }
            Err(format!("does not start: it {}", fault.reason))
        }
    };
    if conditions.stop.load(Ordering::Relaxed) {
        return Err(StartCheckError::Interrupted);
    }
    Ok(started.map_err(|reason| {
        let mut text = format!("{} {reason}\n    command: {}", setup.name, setup.command_line());
        text.extend(likely.map(|cause| format!("\n    likely:  {cause}")));
        let stderr = stderr.iter().flat_map(|text| text.lines()).map(str::to_owned).collect();
        for (output, lines) in [("stdout", stdout), ("stderr", stderr)] {
            for line in &lines[lines.len().saturating_sub(SHOWN_LINES)..] {
                text += &format!("\n    {output}:  {}", printable(line.trim_end()));
            }
        }
        text
    }))
}
