//! A tab's own engine: the session that serves UCI and UGI clients, fed with the lines of the tab.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::limits::{MAX_HASH, MAX_LINES};
use super::outbox::Outbox;
use crate::engine::{ClientOutput, OptionPolicy, SessionConfig, run};
use crate::thinking::registry::GameEntry;

/// An engine session that runs on its own thread. Dropping it stops its search and ends it.
pub(super) struct EngineSession {
    lines: Arc<LineQueue>,
}

/// Why a line was not passed to the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RefusedLine {
    /// Too many lines wait.
    Busy,
    /// The session has ended.
    Ended,
}

impl EngineSession {
    /// Starts a session, which sends its answers to `outbox`.
    pub(super) fn start(game: &'static GameEntry, outbox: Outbox) -> io::Result<Self> {
        let lines = Arc::new(LineQueue::default());
        let input = LineReader { lines: Arc::clone(&lines), buffer: Vec::new(), read: 0 };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let policy = OptionPolicy { locked: true, max_hash: MAX_HASH, max_threads: cores as u64 };
        let config = SessionConfig { game, policy, ..SessionConfig::default() };
        let serve = move || {
            let output = ClientOutput::new(FrameWriter(outbox.clone()), |_| {});
            let queue = Arc::clone(&input.lines);
            let result = catch_unwind(AssertUnwindSafe(|| run(input, &output, &config)));
            queue.end();
            if result.is_err() {
                tracing::error!("an engine session panicked");
                outbox.send("info string error: internal error, the engine restarts".to_owned());
            }
        };
        std::thread::Builder::new().name("engine session".to_owned()).spawn(serve)?;
        Ok(Self { lines })
    }

    /// Passes a line to the engine.
    pub(super) fn send(&self, line: &str) -> Result<(), RefusedLine> {
        self.lines.push(line)
    }
}

impl Drop for EngineSession {
    fn drop(&mut self) {
        self.lines.quit();
    }
}

/// The lines that wait for a session.
#[derive(Default)]
struct LineQueue {
    state: Mutex<QueueState>,
    changed: Condvar,
}

#[derive(Default)]
struct QueueState {
    lines: VecDeque<Vec<u8>>,
    is_ended: bool,
}

impl LineQueue {
    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, line: &str) -> Result<(), RefusedLine> {
        let mut state = self.lock();
        if state.is_ended {
            return Err(RefusedLine::Ended);
        }
        if state.lines.len() >= MAX_LINES {
            return Err(RefusedLine::Busy);
        }
        state.lines.push_back([line.as_bytes(), b"\n"].concat());
        drop(state);
        self.changed.notify_one();
        Ok(())
    }

    /// Replaces all waiting lines by `quit`, which does not wait for a search.
    fn quit(&self) {
        self.lock().lines = VecDeque::from([b"quit\n".to_vec()]);
        self.changed.notify_one();
    }

    /// Refuses further lines.
    fn end(&self) {
        self.lock().is_ended = true;
    }

    fn next(&self) -> Vec<u8> {
        let mut state = self.lock();
        loop {
            match state.lines.pop_front() {
                Some(line) => return line,
                None => state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

/// Reads from a [`LineQueue`], waiting for lines.
struct LineReader {
    lines: Arc<LineQueue>,
    buffer: Vec<u8>,
    /// The number of bytes of the buffer that were read.
    read: usize,
}

impl BufRead for LineReader {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.read == self.buffer.len() {
            self.buffer = self.lines.next();
            self.read = 0;
        }
        Ok(&self.buffer[self.read..])
    }

    fn consume(&mut self, amount: usize) {
        self.read += amount;
    }
}

impl Read for LineReader {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        let available = self.fill_buf()?;
        let count = available.len().min(target.len());
        target[..count].copy_from_slice(&available[..count]);
        self.consume(count);
        Ok(count)
    }
}

/// Sends each line that is written as a frame.
struct FrameWriter(Outbox);

impl Write for FrameWriter {
    /// Receives whole lines; see [`ClientOutput`].
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for line in String::from_utf8_lossy(bytes).lines() {
            let is_replaced = line.starts_with("info ") && !line.starts_with("info string ");
            match is_replaced {
                true => self.0.send_or_skip(line.to_owned()),
                false => self.0.send(line.to_owned()),
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
