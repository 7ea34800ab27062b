//! Signals that ask a command to stop: SIGINT, SIGTERM and SIGHUP, elsewhere Ctrl-C and the closing of
//! the console.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::error::CliError;
use super::print_error;
use crate::search::SearchControl;

/// Calls `handle` at each signal from now on, on a thread of its own.
pub(super) fn on_signal(handle: impl FnMut() + Send + 'static) -> Result<(), CliError> {
    listen(handle).map_err(|error| CliError::Failed(format!("cannot handle signals: {error}")))
}

#[cfg(unix)]
fn listen(mut handle: impl FnMut() + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    let run = move || signals.forever().for_each(|_| handle());
    std::thread::Builder::new().name("signals".to_owned()).spawn(run).map(drop)
}

#[cfg(not(unix))]
fn listen(handle: impl FnMut() + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(handle).map_err(io::Error::other)
}

/// Catches the signal for files beyond the allowed size, so that writing fails with an error, as on a full disk.
#[cfg(unix)]
pub(super) fn survive_size_limit() {
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

pub(super) fn stop_on_signals(control: &Arc<SearchControl>) -> Result<(), CliError> {
    let control = Arc::clone(control);
    on_signal(move || control.stop())
}

/// The response to signals in runs that start engines: exit at once, or shut down cleanly.
#[derive(Clone, Default)]
pub(super) struct StopSignal {
    stop: Arc<AtomicBool>,
    shuts_down_cleanly: Arc<AtomicBool>,
}

impl StopSignal {
    /// Handles signals from now on: the process exits with this code.
    pub(super) fn install(exit_code: i32) -> Result<Self, CliError> {
        const GRACE_PERIOD: Duration = Duration::from_secs(2);
        let signal = Self::default();
        let installed = signal.clone();
        on_signal(move || {
            let is_second = signal.stop.swap(true, Ordering::Relaxed);
            if !signal.shuts_down_cleanly.load(Ordering::Relaxed) {
                super::terminal::end_interrupted_line();
                print_error(&"interrupted");
                std::process::exit(exit_code);
            }
            if is_second {
                std::thread::sleep(GRACE_PERIOD);
                std::process::exit(exit_code);
            }
        })?;
        Ok(installed)
    }

    /// From now on, the first signal only sets the returned flag, so that the run can shut down. A
    /// second signal exits after a short delay, in which engines can still be killed.
    pub(super) fn shut_down_cleanly(&self) -> Arc<AtomicBool> {
        self.shuts_down_cleanly.store(true, Ordering::Relaxed);
        Arc::clone(&self.stop)
    }
}
