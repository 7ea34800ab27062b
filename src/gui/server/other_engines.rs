//! The engines given by `--engine`: each tab starts its own processes.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, TrySendError, sync_channel};
use std::time::Duration;

use serde_json::json;

use super::limits::{MAX_ENGINES, MAX_LINES};
use super::outbox::Outbox;
use crate::arena::engines::line_engine::LineEngine;
use crate::arena::engines::setup::EngineSetup;

/// How long a line for an engine may wait.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// The number of engine processes of all tabs.
pub(super) type EngineCount = Arc<AtomicUsize>;

/// An engine of a tab. Dropping it kills its process.
pub(super) struct OtherEngine {
    lines: SyncSender<String>,
}

impl OtherEngine {
    /// Starts an engine, which sends its output and its state to `outbox`.
    ///
    /// # Errors
    /// Fails if too many engines are running.
    pub(super) fn start(
        setup: &EngineSetup,
        outbox: Outbox,
        count: &EngineCount,
    ) -> io::Result<Self> {
        let permit = EnginePermit::acquire(count)
            .ok_or_else(|| io::Error::other("too many engines are running"))?;
        let (sender, lines) = sync_channel(MAX_LINES);
        let setup = setup.clone();
        let run = move || {
            let reporter = StateReporter { name: &setup.name, outbox: &outbox };
            match LineEngine::start(&setup) {
                Ok(engine) => {
                    reporter.report("started", None);
                    match run(engine, lines, &reporter) {
                        Ok(()) => reporter.report("stopped", None),
                        Err(reason) => reporter.report("crashed", Some(&reason)),
                    }
                }
                Err(reason) => reporter.report("crashed", Some(&reason)),
            }
            drop(permit);
        };
        std::thread::Builder::new().name("other engine".to_owned()).spawn(run)?;
        Ok(Self { lines: sender })
    }

    /// Passes a line to the engine.
    ///
    /// # Errors
    /// Returns the reason if the engine has ended or does not read its input.
    pub(super) fn send(&self, line: &str) -> Result<(), &'static str> {
        self.lines.try_send(line.to_owned()).map_err(|error| match error {
            TrySendError::Full(_) => "too many commands are waiting",
            TrySendError::Disconnected(_) => "the engine has ended, restart it",
        })
    }
}

/// Tells a tab about its engine.
struct StateReporter<'a> {
    name: &'a str,
    outbox: &'a Outbox,
}

impl StateReporter<'_> {
    fn report(&self, state: &str, message: Option<&str>) {
        let event = json!({ "engine": self.name, "state": state, "message": message });
        self.outbox.send_json(&event);
    }

    fn line(&self, line: &str) {
        let event = json!({ "engine": self.name, "line": line }).to_string();
        let is_replaced = line.starts_with("info ") && !line.starts_with("info string ");
        match is_replaced {
            true => self.outbox.send_or_skip(event),
            false => self.outbox.send(event),
        }
    }
}

/// Passes lines between an engine and its tab until the tab drops its end. Owns the engine and the
/// receiver, so that both are gone by the time the caller reports the end.
#[expect(clippy::needless_pass_by_value, reason = "the lines have to be dropped at the end")]
fn run(
    mut engine: LineEngine,
    lines: Receiver<String>,
    reporter: &StateReporter<'_>,
) -> Result<(), String> {
    loop {
        loop {
            match lines.try_recv() {
                Ok(line) => {
                    if let Err(refused) = engine.send(&line) {
                        reporter.line(&format!("info string error: {refused}"));
                    }
                }
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => return Ok(()),
            }
        }
        match engine.next_line(POLL_INTERVAL) {
            Ok(Some(line)) => reporter.line(&line),
            Ok(None) => {}
            Err(reason) => {
                let last = engine.stderr_tail();
                let last = last.map(|text| format!("; end of its stderr: {text}"));
                return Err(reason + &last.unwrap_or_default());
            }
        }
    }
}

/// The right to run one of the [`MAX_ENGINES`] engines.
struct EnginePermit(EngineCount);

impl EnginePermit {
    fn acquire(count: &EngineCount) -> Option<Self> {
        let increment = |running: usize| (running < MAX_ENGINES).then_some(running + 1);
        let update = count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, increment);
        update.is_ok().then(|| Self(Arc::clone(count)))
    }
}

impl Drop for EnginePermit {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Waits until all engines have ended, for a limited time.
pub(super) fn wait_for_end(count: &EngineCount) {
    const STEP: Duration = Duration::from_millis(10);
    const STEPS: u32 = 300;
    for _ in 0..STEPS {
        if count.load(Ordering::Relaxed) == 0 {
            return;
        }
        std::thread::sleep(STEP);
    }
}
