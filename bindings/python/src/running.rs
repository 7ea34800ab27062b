//! Runs work while other threads of Python go on and Ctrl-C is answered.

use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::Builder;
use std::time::Duration;

use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use zermelo::search::SearchControl;

/// The time between two looks at the signals.
pub(crate) const SIGNAL_INTERVAL: Duration = Duration::from_millis(20);

/// Runs work on a thread of its own; a signal of Python stops it by its control.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    control: &SearchControl,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    std::thread::scope(|scope| {
        let (sender, ended) = channel::<()>();
        let worker = Builder::new().spawn_scoped(scope, move || {
            // Dropped when the work ends, however it ends.
            let _sender = sender;
            work()
        })?;
        // The receiver is taken along, since only one thread may wait.
        let mut ended = ended;
        loop {
            let waited;
            (waited, ended) = py.detach(move || (ended.recv_timeout(SIGNAL_INTERVAL), ended));
            if waited != Err(RecvTimeoutError::Timeout) {
                break;
            }
            if let Err(signal) = py.check_signals() {
                control.stop();
                let _ = py.detach(|| worker.join());
                return Err(signal);
            }
        }
        py.detach(|| worker.join()).or_else(|panic| resume_unwind(panic))
    })
}

/// An error of the library as an exception.
pub(crate) fn refuse(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The place that an index of Python means, which counts from the end if it is negative.
pub(crate) fn place(what: &str, index: isize, count: usize) -> PyResult<usize> {
    let place = if index < 0 { index + count as isize } else { index };
    let place = usize::try_from(place).ok().filter(|place| *place < count);
    place.ok_or_else(|| PyIndexError::new_err(format!("{what} {index} of {count}")))
}

/// Refuses a number of threads that no machine has.
pub(crate) fn check_threads(threads: usize) -> PyResult<()> {
    if (1..=1024).contains(&threads) {
        return Ok(());
    }
    Err(refuse(format_args!("{threads} threads, expected 1 to 1024")))
}

/// A duration in seconds.
pub(crate) fn seconds(name: &str, seconds: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds).map_err(|_| {
        refuse(format_args!("{name}: {seconds} is not a time in seconds, expected 0 or more"))
    })
}

/// The most plies left for which values are proven: the time grows exponentially.
const MAX_PLIES: u32 = 30;

/// Refuses more plies than can be proven in passing.
pub(crate) fn check_plies(name: &str, plies: u32) -> pyo3::PyResult<()> {
    if plies <= MAX_PLIES {
        return Ok(());
    }
    let advice = "use solve for earlier positions";
    Err(refuse(format_args!("{name} {plies}, expected at most {MAX_PLIES}: {advice}")))
}
