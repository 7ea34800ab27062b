//! Signals while a person plays: Ctrl-C makes the engine move, and whoever ends the program from
//! outside finds the terminal as it was.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::search::SearchControl;

/// How lines come in.
#[derive(Clone)]
pub(super) enum Mode {
    /// Through the line editor, which hears a Ctrl-C itself.
    Edited,
    /// From a terminal that reads whole lines.
    Typed {
        /// What is said at a Ctrl-C that the next one confirms.
        confirmation: String,
    },
    /// From elsewhere.
    Piped,
}

/// What an interrupt stops.
#[derive(Clone)]
pub(super) struct Interrupts {
    work: Arc<Mutex<Option<Arc<SearchControl>>>>,
    mode: Mode,
    /// Whether there was one since the last question.
    pending: Arc<AtomicBool>,
}

impl Interrupts {
    fn new(mode: Mode) -> Self {
        Self { work: Arc::default(), mode, pending: Arc::default() }
    }

    /// Names the work that an interrupt stops.
    pub(super) fn stop(&self, work: Option<&Arc<SearchControl>>) {
        *self.work.lock().unwrap_or_else(PoisonError::into_inner) = work.cloned();
    }

    /// Whether the line editor should know of an interrupt that came between two questions.
    pub(super) fn take(&self) -> bool {
        let was_pending = self.pending.swap(false, Ordering::Relaxed);
        was_pending && matches!(self.mode, Mode::Edited)
    }

    /// Stops the work, or asks for another interrupt; whether the program goes on.
    fn interrupt(&self) -> bool {
        let work = self.work.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(control) = work.as_ref() {
            control.stop();
            return true;
        }
        let was_pending = self.pending.swap(true, Ordering::Relaxed);
        match &self.mode {
            Mode::Edited => true,
            Mode::Typed { confirmation } => {
                let said = writeln!(io::stdout(), "\n{confirmation}");
                !was_pending && said.is_ok()
            }
            Mode::Piped => false,
        }
    }

    /// Listens from now on.
    #[cfg(unix)]
    pub(super) fn listen(mode: Mode) -> io::Result<Self> {
        use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
        use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
        use signal_hook::iterator::Signals;

        /// Line editing asks for pastes to be marked.
        const PASTE_UNMARKED: &str = "\x1b[?2004l";
        let interrupts = Self::new(mode);
        let mut signals = Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM])?;
        // Line editing changes how the terminal behaves.
        let before = tcgetattr(io::stdin()).ok();
        let own = interrupts.clone();
        std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
            for signal in signals.forever() {
                // Ctrl-\ is as easily typed as Ctrl-C.
                if (signal == SIGINT || signal == SIGQUIT) && own.interrupt() {
                    continue;
                }
                if matches!(own.mode, Mode::Edited) {
                    let _ = writeln!(io::stdout(), "{PASTE_UNMARKED}");
                }
                if let Some(before) = &before {
                    let _ = tcsetattr(io::stdin(), OptionalActions::Now, before);
                }
                std::process::exit(128 + signal);
            }
        })?;
        Ok(interrupts)
    }

    /// Listens from now on.
    #[cfg(not(unix))]
    pub(super) fn listen(mode: Mode) -> io::Result<Self> {
        let interrupts = Self::new(mode);
        let own = interrupts.clone();
        let heard = move || {
            if !own.interrupt() {
                std::process::exit(130);
            }
        };
        ctrlc::set_handler(heard).map_err(io::Error::other)?;
        Ok(interrupts)
    }
}
