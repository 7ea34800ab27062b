//! WebAssembly in a browser: a host has the clock and delivers messages, and jobs run on the one thread
//! there is.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use crate::sync::Condvar;

/// What the browser provides.
#[derive(Debug, Clone, Copy)]
pub struct Host {
    /// Milliseconds of a clock that never goes back.
    pub now: fn() -> f64,
    /// Milliseconds since 1970.
    pub unix_time: fn() -> f64,
    /// Delivers the messages that have arrived, from within a running job.
    pub poll: fn(),
    /// Waits for messages and delivers them, from within a running job.
    pub wait: fn(),
}

static HOST: OnceLock<Host> = OnceLock::new();

/// Sets the host; call it before anything else. Only the first call counts.
pub fn set_host(host: Host) {
    let _ = HOST.set(host);
}

fn host() -> &'static Host {
    HOST.get().expect("set_host is called first")
}

/// A point in time, with what [`std::time::Instant`] has and this crate uses.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub(crate) struct Instant(f64);

impl Instant {
    pub(crate) fn now() -> Self {
        Self((host().now)())
    }

    pub(crate) fn elapsed(&self) -> Duration {
        Duration::from_secs_f64((Self::now().0 - self.0).max(0.0) / 1000.0)
    }
}

#[cfg(feature = "interface")]
pub(crate) fn unix_seconds() -> u64 {
    ((host().unix_time)() / 1000.0) as u64
}

thread_local! {
    static LAST_POLL: Cell<f64> = const { Cell::new(0.0) };
    static JOBS: RefCell<VecDeque<Box<dyn FnOnce()>>> = const { RefCell::new(VecDeque::new()) };
}

/// Milliseconds of work between two turns of the host: short enough for an answer to `stop` within 50
/// milliseconds, long enough that the turns take less than a hundredth of the time.
const POLL_INTERVAL: f64 = 16.0;

/// Lets the host deliver messages now and then. Called every few hundred nodes of all long work.
pub(crate) fn poll() {
    let now = (host().now)();
    if now - LAST_POLL.get() >= POLL_INTERVAL {
        (host().poll)();
        LAST_POLL.set((host().now)());
    }
}

/// Waits until `condition` holds; only a message can change that.
pub(crate) fn wait_until<T>(value: &Mutex<T>, _: &Condvar, condition: impl Fn(&mut T) -> bool) {
    while !condition(&mut value.lock().unwrap_or_else(PoisonError::into_inner)) {
        (host().wait)();
    }
}

/// The browser does not report how much memory is free.
pub(crate) fn available_mebibytes() -> Option<usize> {
    None
}

/// Queues jobs, which [`run_jobs`] runs.
#[derive(Default)]
pub(crate) struct JobThread;

/// The end of a job. Nothing can wait for it: the job runs on the thread that would wait.
pub(crate) struct JobWaiter;

impl JobWaiter {
    pub(crate) fn wait(self) {}
}

impl JobThread {
    #[expect(clippy::unnecessary_wraps, reason = "the same interface as with threads")]
    pub(crate) fn start(&mut self) -> io::Result<()> {
        Ok(())
    }

    #[expect(clippy::unnecessary_wraps, reason = "the same interface as with threads")]
    pub(crate) fn run(&mut self, work: impl FnOnce() + Send + 'static) -> io::Result<JobWaiter> {
        JOBS.with_borrow_mut(|jobs| jobs.push_back(Box::new(work)));
        Ok(JobWaiter)
    }
}

/// Runs the queued jobs. The host calls it after each line, never from within a job.
pub fn run_jobs() {
    while let Some(work) = JOBS.with_borrow_mut(VecDeque::pop_front) {
        work();
    }
}
