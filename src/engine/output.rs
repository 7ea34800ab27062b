//! The one way out: whole lines, flushed at once, from any thread.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

type Listener = Box<dyn Fn(&io::Error) + Send + Sync>;

/// A shared handle of the client's end.
#[derive(Clone)]
pub struct ClientOutput {
    shared: Arc<Shared>,
}

struct Shared {
    writer: Mutex<Box<dyn Write + Send>>,
    closed: AtomicBool,
    on_closed: Listener,
}

impl ClientOutput {
    /// Writes to `writer`; `on_closed` is told why when that is not possible any more.
    pub fn new(
        writer: impl Write + Send + 'static,
        on_closed: impl Fn(&io::Error) + Send + Sync + 'static,
    ) -> Self {
        let shared = Shared {
            writer: Mutex::new(Box::new(writer)),
            closed: AtomicBool::new(false),
            on_closed: Box::new(on_closed),
        };
        Self { shared: Arc::new(shared) }
    }

    /// Says one or more lines, which no other thread's lines come between.
    pub fn send(&self, lines: &str) {
        self.send_with(lines, || {});
    }

    /// As [`ClientOutput::send`], and does something just before, when it is certain that nobody else
    /// speaks.
    pub(super) fn send_with(&self, lines: &str, just_before: impl FnOnce()) {
        let mut writer = self.shared.writer.lock().unwrap_or_else(PoisonError::into_inner);
        just_before();
        if self.is_closed() {
            return;
        }
        lines.lines().for_each(|line| tracing::debug!("> {line}"));
        let ended = if lines.ends_with('\n') { "" } else { "\n" };
        let bytes = [lines.as_bytes(), ended.as_bytes()].concat();
        if let Err(error) = writer.write_all(&bytes).and_then(|()| writer.flush())
            && !self.shared.closed.swap(true, Ordering::Relaxed)
        {
            tracing::info!("the client is gone: {error}");
            (self.shared.on_closed)(&error);
        }
    }

    /// Says nothing more: what is still at work is not asked for any longer.
    pub(super) fn silence(&self) {
        self.shared.closed.store(true, Ordering::Relaxed);
    }

    /// Whether the client is gone.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.shared.closed.load(Ordering::Relaxed)
    }
}

impl std::fmt::Debug for ClientOutput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ClientOutput").field("closed", &self.is_closed()).finish_non_exhaustive()
    }
}
