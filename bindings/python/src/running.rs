//! Runs work while other threads of Python go on and Ctrl-C is answered.

use std::io;
use std::ops::{Bound, RangeBounds};
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::Builder;
use std::time::Duration;

use pyo3::exceptions::{PyIndexError, PyOSError, PyValueError};
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

/// An error of a file as an exception that names it.
pub(crate) fn refuse_file(path: &Path, error: &io::Error) -> PyErr {
    match error.raw_os_error() {
        Some(code) => PyOSError::new_err((code, error.to_string(), path.to_owned())),
        None => refuse(format_args!("{}: {error}", path.display())),
    }
}

/// A number of Python, if it is in the range. An `i128` takes those that have no place there, so that the
/// error names the parameter.
pub(crate) fn within<T: TryFrom<i128>>(
    name: &str,
    number: i128,
    range: impl RangeBounds<i128>,
) -> PyResult<T> {
    let converted = Some(number).filter(|number| range.contains(number));
    converted.and_then(|number| T::try_from(number).ok()).ok_or_else(|| {
        let expected = match (range.start_bound(), range.end_bound()) {
            (Bound::Included(least), Bound::Included(most)) => format!("{least} to {most}"),
            (Bound::Included(least), _) if number < *least => format!("at least {least}"),
            _ => "a smaller number".to_owned(),
        };
        refuse(format_args!("{name} {number}, expected {expected}"))
    })
}

/// A number of Python that may be absent.
pub(crate) fn maybe_within<T: TryFrom<i128>>(
    name: &str,
    number: Option<i128>,
    range: impl RangeBounds<i128>,
) -> PyResult<Option<T>> {
    number.map(|number| within(name, number, range)).transpose()
}

/// The most threads of a search.
const MAX_THREADS: i128 = 1024;

pub(crate) fn read_threads(threads: i128) -> PyResult<usize> {
    within("threads", threads, 1..=MAX_THREADS)
}

/// The seed of random choices.
pub(crate) fn read_seed(seed: i128) -> PyResult<u64> {
    within("seed", seed, 0..)
}

/// A duration in seconds.
pub(crate) fn seconds(name: &str, seconds: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds).map_err(|_| {
        refuse(format_args!("{name}: {seconds} is not a time in seconds, expected 0 or more"))
    })
}

/// The most plies left for which values are proven: the time grows exponentially.
const MAX_PLIES: i128 = 30;

/// Refuses more plies than can be proven in passing.
pub(crate) fn read_plies(name: &str, plies: i128) -> PyResult<u32> {
    let advice = "use solve for earlier positions";
    within(name, plies, 0..=MAX_PLIES)
        .map_err(|_| refuse(format_args!("{name} {plies}, expected 0 to {MAX_PLIES}: {advice}")))
}
