//! Signals while a person plays: Ctrl-C makes the engine move, and whoever ends the program from
//! outside finds the terminal as it was.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::search::Control;

/// What an interrupt stops.
#[derive(Clone, Default)]
pub(super) struct Interrupts {
    work: Arc<Mutex<Option<Arc<Control>>>>,
    /// Whether a person types, who is asked before the program ends; and has interrupted between
    /// two questions.
    is_typed: bool,
    pending: Arc<AtomicBool>,
}

impl Interrupts {
    /// Names the work that an interrupt stops; without any, it is for the next question, or ends
    /// the program.
    pub(super) fn stop(&self, work: Option<&Arc<Control>>) {
        *self.work.lock().unwrap_or_else(PoisonError::into_inner) = work.cloned();
    }

    /// Whether there was an interrupt since the last question.
    pub(super) fn take(&self) -> bool {
        self.pending.swap(false, Ordering::Relaxed)
    }

    /// Stops the work; whether the program goes on.
    fn interrupt(&self) -> bool {
        let work = self.work.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(control) = work.as_ref() {
            control.stop();
            return true;
        }
        self.pending.store(true, Ordering::Relaxed);
        self.is_typed
    }

    /// Listens from now on.
    #[cfg(unix)]
    pub(super) fn listen(is_typed: bool) -> io::Result<Self> {
        use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        use signal_hook::iterator::Signals;

        let interrupts = Self { is_typed, ..Self::default() };
        let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM])?;
        // Line editing changes how the terminal behaves.
        let before = tcgetattr(io::stdin()).ok();
        let own = interrupts.clone();
        std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
            for signal in signals.forever() {
                if signal == SIGINT && own.interrupt() {
                    continue;
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
    pub(super) fn listen(is_typed: bool) -> io::Result<Self> {
        let interrupts = Self { is_typed, ..Self::default() };
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
