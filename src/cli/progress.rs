//! How far some work is, told on stderr: on a terminal a line that is written over, elsewhere a line
//! now and then, if at all.

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Tells how far some work is.
pub(super) struct ProgressLine {
    terminal: bool,
    /// Between two lines; `None` to be silent.
    pause: Option<Duration>,
    state: Mutex<State>,
}

struct State {
    last: Option<Instant>,
    /// Whether there is a line on the terminal that the next one takes the place of.
    open: bool,
}

impl ProgressLine {
    /// Where stderr is no terminal, there is so much time between two lines, or none is told.
    pub(super) fn new(elsewhere: Option<Duration>) -> Self {
        const ON_TERMINAL: Duration = Duration::from_millis(250);
        let terminal = io::stderr().is_terminal();
        let pause = if terminal { Some(ON_TERMINAL) } else { elsewhere };
        Self { terminal, pause, state: Mutex::new(State { last: None, open: false }) }
    }

    /// Tells, if it is time to.
    pub(super) fn update(&self, text: impl FnOnce() -> String) {
        let Some(pause) = self.pause else { return };
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.last.is_some_and(|last| last.elapsed() < pause) {
            return;
        }
        state.last = Some(Instant::now());
        // Should nobody be able to hear it, the work goes on.
        let _ = if self.terminal {
            write!(io::stderr(), "\r{}\x1b[K", text())
        } else {
            writeln!(io::stderr(), "{}", text())
        };
        state.open = self.terminal;
    }

    /// Removes the line from the terminal, where something else is to be written.
    pub(super) fn clear(&self) {
        self.close("\r\x1b[K");
    }

    /// Leaves the last line there for good.
    pub(super) fn finish(&self) {
        self.close("\n");
    }

    fn close(&self, how: &str) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.open {
            let _ = write!(io::stderr(), "{how}");
            state.open = false;
        }
    }
}
