//! The output to the client: whole lines, flushed immediately, from any thread.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

type ClosedCallback = Box<dyn Fn(&io::Error) + Send + Sync>;

/// A shared handle to the client's output.
#[derive(Clone)]
pub struct ClientOutput {
    shared: Arc<SharedOutput>,
}

struct SharedOutput {
    writer: Mutex<Box<dyn Write + Send>>,
    is_closed: AtomicBool,
    on_closed: ClosedCallback,
}

impl ClientOutput {
    /// Creates an output to `writer`. The first write error closes it and is passed to `on_closed`.
    pub fn new(
        writer: impl Write + Send + 'static,
        on_closed: impl Fn(&io::Error) + Send + Sync + 'static,
    ) -> Self {
        let shared = SharedOutput {
            writer: Mutex::new(Box::new(writer)),
            is_closed: AtomicBool::new(false),
            on_closed: Box::new(on_closed),
        };
        Self { shared: Arc::new(shared) }
    }

    /// Sends one or more lines; lines of other threads never come in between.
    pub fn send(&self, lines: &str) {
        self.send_with(lines, || {});
    }

    /// Like [`ClientOutput::send`], and calls `before_write` under the lock, just before writing.
    pub(crate) fn send_with(&self, lines: &str, before_write: impl FnOnce()) {
        let mut writer = self.shared.writer.lock().unwrap_or_else(PoisonError::into_inner);
        before_write();
        if self.is_closed() {
            return;
        }
        lines.lines().for_each(|line| tracing::debug!("> {line}"));
        let line_end = if lines.ends_with('\n') { "" } else { "\n" };
        let bytes = [lines.as_bytes(), line_end.as_bytes()].concat();
        if let Err(error) = writer.write_all(&bytes).and_then(|()| writer.flush())
            && !self.shared.is_closed.swap(true, Ordering::Relaxed)
        {
            tracing::info!("output closed: {error}");
            (self.shared.on_closed)(&error);
        }
    }

    /// Discards everything sent from now on, such as the answer of a search that is still running.
    pub(crate) fn silence(&self) {
        self.shared.is_closed.store(true, Ordering::Relaxed);
    }

    /// Whether the output is closed, by an error or on purpose.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.shared.is_closed.load(Ordering::Relaxed)
    }
}

impl std::fmt::Debug for ClientOutput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ClientOutput").field("is_closed", &self.is_closed()).finish_non_exhaustive()
    }
}
