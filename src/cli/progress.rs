//! Progress reports on stderr: a status line on a terminal, occasional lines elsewhere.

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::terminal::{cut_to_row, stderr_columns};

/// A status line that is updated while a command runs.
pub(super) struct ProgressLine {
    is_terminal: bool,
    /// Minimum time between updates; `None` prints nothing.
    interval: Option<Duration>,
    state: Mutex<ProgressState>,
}

struct ProgressState {
    last_update: Option<Instant>,
    /// Whether the terminal shows a line that the next update overwrites.
    is_shown: bool,
}

impl ProgressLine {
    /// If stderr is not a terminal, updates are `log_interval` apart, or off if it is `None`.
    pub(super) fn new(log_interval: Option<Duration>) -> Self {
        const TERMINAL_INTERVAL: Duration = Duration::from_millis(250);
        let is_terminal = io::stderr().is_terminal();
        let interval = if is_terminal { Some(TERMINAL_INTERVAL) } else { log_interval };
        let state = Mutex::new(ProgressState { last_update: None, is_shown: false });
        Self { is_terminal, interval, state }
    }

    /// Leaves out what is reported before the first interval is over, so that short work reports nothing.
    pub(super) fn delayed(self) -> Self {
        let state = ProgressState { last_update: Some(Instant::now()), is_shown: false };
        Self { state: Mutex::new(state), ..self }
    }

    /// Prints the text unless the last update is too recent.
    pub(super) fn update(&self, text: impl FnOnce() -> String) {
        let Some(interval) = self.interval else { return };
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.last_update.is_some_and(|last| last.elapsed() < interval) {
            return;
        }
        state.last_update = Some(Instant::now());
        // The command continues even if stderr is closed.
        let _ = if self.is_terminal {
            write!(io::stderr(), "\r{}\x1b[K", cut_to_row(&text(), stderr_columns()))
        } else {
            writeln!(io::stderr(), "{}", text())
        };
        state.is_shown = self.is_terminal;
    }

    /// Erases the line, so that other output can take its place.
    pub(super) fn clear(&self) {
        self.end_line("\r\x1b[K");
    }

    /// Leaves the last update on the screen.
    pub(super) fn finish(&self) {
        self.end_line("\n");
    }

    fn end_line(&self, control: &str) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.is_shown {
            let _ = write!(io::stderr(), "{control}");
            state.is_shown = false;
        }
    }
}
