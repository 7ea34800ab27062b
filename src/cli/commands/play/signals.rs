//! Signals during play: Ctrl-C makes the engine move, and a signal that ends the program restores
//! the terminal first.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::search::SearchControl;

#[derive(Clone)]
pub(super) enum InputMode {
    /// With the line editor, which handles Ctrl-C at a prompt itself.
    Edited,
    /// From a terminal without line editing.
    Typed {
        /// Printed at a Ctrl-C that another one has to confirm.
        confirmation: String,
    },
    Piped,
}

/// Handles Ctrl-C: stops the running task or ends the program.
#[derive(Clone)]
pub(super) struct Interrupts {
    task: Arc<Mutex<Option<Arc<SearchControl>>>>,
    mode: InputMode,
    /// Whether Ctrl-C was pressed since the last prompt.
    is_pending: Arc<AtomicBool>,
}

impl Interrupts {
    fn new(mode: InputMode) -> Self {
        Self { task: Arc::default(), mode, is_pending: Arc::default() }
    }

    pub(super) fn set_task(&self, task: Option<&Arc<SearchControl>>) {
        *self.task.lock().unwrap_or_else(PoisonError::into_inner) = task.cloned();
    }

    /// Clears a Ctrl-C pressed before this prompt; returns whether the line editor has to handle it.
    pub(super) fn take_pending(&self) -> bool {
        let was_pending = self.is_pending.swap(false, Ordering::Relaxed);
        was_pending && matches!(self.mode, InputMode::Edited)
    }

    /// Stops the task or asks for confirmation; returns whether the program continues.
    fn interrupt(&self) -> bool {
        let task = self.task.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(control) = task.as_ref() {
            control.stop();
            return true;
        }
        let was_pending = self.is_pending.swap(true, Ordering::Relaxed);
        match &self.mode {
            InputMode::Edited => true,
            InputMode::Typed { confirmation } => {
                !was_pending && writeln!(io::stdout(), "\n{confirmation}").is_ok()
            }
            InputMode::Piped => false,
        }
    }

    /// Starts listening for signals.
    #[cfg(unix)]
    pub(super) fn listen(mode: InputMode) -> io::Result<Self> {
        use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
        use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
        use signal_hook::iterator::Signals;

        /// Turns off bracketed paste, which the line editor turned on.
        const BRACKETED_PASTE_OFF: &str = "\x1b[?2004l";
        let interrupts = Self::new(mode);
        let mut signals = Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM])?;
        // The line editor changes the terminal's settings.
        let original = tcgetattr(io::stdin()).ok();
        let handler = interrupts.clone();
        std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
            for signal in signals.forever() {
                // Ctrl-\ is easily typed instead of Ctrl-C.
                if (signal == SIGINT || signal == SIGQUIT) && handler.interrupt() {
                    continue;
                }
                if matches!(handler.mode, InputMode::Edited) {
                    let _ = writeln!(io::stdout(), "{BRACKETED_PASTE_OFF}");
                }
                if let Some(original) = &original {
                    let _ = tcsetattr(io::stdin(), OptionalActions::Now, original);
                }
                std::process::exit(128 + signal);
            }
        })?;
        Ok(interrupts)
    }

    /// Starts listening for signals.
    #[cfg(not(unix))]
    pub(super) fn listen(mode: InputMode) -> io::Result<Self> {
        let interrupts = Self::new(mode);
        let handler = interrupts.clone();
        let handle = move || {
            if !handler.interrupt() {
                std::process::exit(130);
            }
        };
        ctrlc::set_handler(handle).map_err(io::Error::other)?;
        Ok(interrupts)
    }
}
