//! The engines of a tab: the built-in one, which is a session of the protocol, and those given by
//! `--engine`, which are processes. Each is served by a thread of its own.

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{
    Receiver, RecvTimeoutError, SyncSender, TryRecvError, TrySendError, sync_channel,
};
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::sync::OwnedSemaphorePermit;

use super::limits::{MAX_HASH, MAX_LINES, MAX_SEARCH_TIME};
use super::line_engine::LineEngine;
use super::outbox::Outbox;
use crate::arena::engines::engine_setup::EngineSetup;
use crate::engine::{ClientOutput, LineStatus, OptionPolicy, Session, SessionConfig};
use crate::protocol::RawLine;
use crate::thinking::GameSpec;

/// How often the duration of a search is checked.
const CHECK_INTERVAL: Duration = Duration::from_secs(5);
/// How long a line for a process may wait.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// An engine of a tab. Dropping it stops its search and ends it.
pub(super) struct TabEngine {
    lines: SyncSender<String>,
}

/// Why a line was not passed to an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RefusedLine {
    Busy,
    Ended,
}

impl TabEngine {
    pub(super) fn start_session(game: &'static GameSpec, outbox: Outbox) -> io::Result<Self> {
        Self::start("engine session", move |lines| {
            let serve = || serve_session(game, &lines, &outbox, MAX_SEARCH_TIME);
            if catch_unwind(AssertUnwindSafe(serve)).is_err() {
                tracing::error!("an engine session panicked");
                outbox.send("info string error: internal error, the engine restarts".to_owned());
            }
        })
    }

    /// Starts an engine given by `--engine`, which sends its output and its state to `outbox` and
    /// returns `permit` at its end.
    pub(super) fn start_process(
        setup: EngineSetup,
        outbox: Outbox,
        permit: OwnedSemaphorePermit,
    ) -> io::Result<Self> {
        Self::start("other engine", move |lines| {
            serve_process(&setup, lines, &outbox);
            drop(permit);
        })
    }

    fn start(
        name: &str,
        serve: impl FnOnce(Receiver<String>) + Send + 'static,
    ) -> io::Result<Self> {
        let (sender, lines) = sync_channel(MAX_LINES);
        std::thread::Builder::new().name(name.to_owned()).spawn(move || serve(lines))?;
        Ok(Self { lines: sender })
    }

    pub(super) fn send(&self, line: &str) -> Result<(), RefusedLine> {
        self.lines.try_send(line.to_owned()).map_err(|error| match error {
            TrySendError::Full(_) => RefusedLine::Busy,
            TrySendError::Disconnected(_) => RefusedLine::Ended,
        })
    }
}

/// Sends the frame of an engine's line. Newer lines replace search information.
fn send_line(outbox: &Outbox, line: &str, frame: String) {
    if line.starts_with("info ") && !line.starts_with("info string ") {
        outbox.send_or_skip(frame);
    } else {
        outbox.send(frame);
    }
}

/// Executes lines until the tab drops its end. Searches run in the background, for at most
/// `max_search_time`.
fn serve_session(
    game: &'static GameSpec,
    lines: &Receiver<String>,
    outbox: &Outbox,
    max_search_time: Duration,
) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let policy = OptionPolicy { locked: true, max_hash: MAX_HASH, max_threads: cores as u64 };
    let config = SessionConfig { game, policy, ..SessionConfig::default() };
    let output = ClientOutput::new(FrameWriter(outbox.clone()), |_| {});
    let mut session = Session::new(output, &config);
    let mut search_started = Instant::now();
    loop {
        let line = match lines.recv_timeout(CHECK_INTERVAL.min(max_search_time)) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => {
                if session.is_searching() && search_started.elapsed() >= max_search_time {
                    session.receive(&RawLine::Complete(b"stop"));
                }
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => break,
        };
        if !session.is_searching() {
            search_started = Instant::now();
        }
        if session.receive(&RawLine::Complete(line.as_bytes())) == LineStatus::Quit {
            return;
        }
    }
    // It does not wait for a search.
    session.receive(&RawLine::Complete(b"quit"));
}

/// Sends each line of a session as a frame.
struct FrameWriter(Outbox);

impl Write for FrameWriter {
    /// Receives whole lines; see [`ClientOutput`].
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for line in String::from_utf8_lossy(bytes).lines() {
            send_line(&self.0, line, line.to_owned());
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Runs a process and tells the tab about its lines and its state. By the time it reports the end, the
/// process is gone and takes no more lines.
fn serve_process(setup: &EngineSetup, lines: Receiver<String>, outbox: &Outbox) {
    let report = |state: &str, message: Option<&str>| {
        outbox.send_json(&json!({ "engine": setup.name, "state": state, "message": message }));
    };
    let end = LineEngine::start(setup).and_then(|engine| {
        report("started", None);
        pass_lines(engine, lines, |line| {
            let event = json!({ "engine": setup.name, "line": line }).to_string();
            send_line(outbox, line, event);
        })
    });
    match end {
        Ok(()) => report("stopped", None),
        Err(reason) => report("crashed", Some(&reason)),
    }
}

/// Passes lines between a process and its tab until the tab drops its end. Returns the reason if
/// the process ends or hangs.
#[expect(
    clippy::needless_pass_by_value,
    reason = "process and lines have to be dropped at the end"
)]
fn pass_lines(
    mut engine: LineEngine,
    lines: Receiver<String>,
    answer: impl Fn(&str),
) -> Result<(), String> {
    loop {
        loop {
            match lines.try_recv() {
                Ok(line) => {
                    if let Err(refused) = engine.send(&line) {
                        answer(&format!("info string error: {refused}"));
                    }
                }
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => return Ok(()),
            }
        }
        match engine.next_line(POLL_INTERVAL) {
            Ok(Some(line)) => answer(&line),
            Ok(None) => {}
            Err(reason) => {
                let last = engine.stderr_tail();
                let last = last.map(|text| format!("; end of its stderr: {text}"));
                return Err(reason + &last.unwrap_or_default());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thinking::registry::default_game;

    #[test]
    fn a_search_that_takes_too_long_is_stopped_and_answers() {
        let (outbox, mut reader) = Outbox::new();
        let (sender, lines) = sync_channel(MAX_LINES);
        let max_search_time = Duration::from_millis(100);
        let serve = move || serve_session(default_game(), &lines, &outbox, max_search_time);
        let thread = std::thread::spawn(serve);
        sender.send("go infinite".to_owned()).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        while !runtime.block_on(reader.next()).unwrap().starts_with("bestmove ") {}
        drop(sender);
        thread.join().unwrap();
    }
}
