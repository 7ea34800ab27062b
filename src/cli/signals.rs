//! SIGINT, SIGTERM and SIGHUP in runs that start engines.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::{CliError, print_error};

/// The response to signals: exit at once, or shut down cleanly.
pub(super) struct StopSignal {
    stop: Arc<AtomicBool>,
    shuts_down_cleanly: Arc<AtomicBool>,
}

impl StopSignal {
    /// Handles signals from now on: the process exits with this code.
    pub(super) fn install(exit_code: i32) -> Result<Self, CliError> {
        const GRACE_PERIOD: Duration = Duration::from_secs(2);
        let installed = Self { stop: Arc::default(), shuts_down_cleanly: Arc::default() };
        let [stop, shuts_down_cleanly] =
            [&installed.stop, &installed.shuts_down_cleanly].map(Arc::clone);
        let handler = move || {
            let is_second = stop.swap(true, Ordering::Relaxed);
            if !shuts_down_cleanly.load(Ordering::Relaxed) {
                super::terminal::end_interrupted_line();
                print_error(&"interrupted");
                std::process::exit(exit_code);
            }
            if is_second {
                std::thread::sleep(GRACE_PERIOD);
                std::process::exit(exit_code);
            }
        };
        ctrlc::set_handler(handler).map_err(|error| {
            CliError::Failed(format!("cannot install a signal handler: {error}"))
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
