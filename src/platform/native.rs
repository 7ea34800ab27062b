//! The operating system's clock, threads and memory.

use std::io;
use std::sync::PoisonError;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Builder;
pub(crate) use std::time::Instant;

#[cfg(feature = "interface")]
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

use crate::sync::{Condvar, Mutex};

#[cfg(feature = "interface")]
pub(crate) fn unix_seconds() -> u64 {
    let now = std::time::SystemTime::now();
    now.duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// Lets a host deliver messages. Threads need no host.
#[inline]
pub(crate) fn poll() {}

/// Blocks until `condition` holds; `changed` is notified whenever it may have changed.
pub(crate) fn wait_until<T>(
    value: &Mutex<T>,
    changed: &Condvar,
    condition: impl Fn(&mut T) -> bool,
) {
    let mut guard = value.lock().unwrap_or_else(PoisonError::into_inner);
    while !condition(&mut guard) {
        guard = changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
    }
}

/// Without the crate that asks the system, the available memory is unknown.
#[cfg(not(feature = "interface"))]
pub(crate) fn available_mebibytes() -> Option<usize> {
    None
}

/// Returns the available memory in MiB, limited by the process's control group; `None` if the
/// system does not report it.
#[cfg(feature = "interface")]
pub(crate) fn available_mebibytes() -> Option<usize> {
    let memory = MemoryRefreshKind::nothing().with_ram();
    let system = System::new_with_specifics(RefreshKind::nothing().with_memory(memory));
    let group_limit = system.cgroup_limits().map_or(u64::MAX, |limits| limits.free_memory);
    let bytes = system.available_memory().min(group_limit);
    (bytes > 0).then_some((bytes >> 20) as usize)
}

/// Work for a [`JobThread`]; it must not panic.
type Work = Box<dyn FnOnce() + Send>;

/// A thread that runs one job after another. It parks between jobs, because starting a thread for each
/// takes milliseconds when all cores are busy. Dropping it does not wait for a running job.
#[derive(Default)]
pub(crate) struct JobThread {
    /// `None` until the thread is started.
    queue: Option<Sender<(Work, Sender<()>)>>,
}

/// Waits for the end of one job.
pub(crate) struct JobWaiter(Receiver<()>);

impl JobWaiter {
    pub(crate) fn wait(self) {
        // Nothing is sent: the end of the job disconnects the channel.
        let _ = self.0.recv();
    }
}

impl JobThread {
    /// Starts the thread unless it is running, so that the first job does not have to. Fails if the
    /// system starts no more threads.
    pub(crate) fn start(&mut self) -> io::Result<()> {
        self.queue().map(|_| ())
    }

    /// Runs `work` on the thread, after the jobs before it. Fails if the system does not start the
    /// thread.
    pub(crate) fn run(&mut self, work: impl FnOnce() + Send + 'static) -> io::Result<JobWaiter> {
        let (end, waiter) = channel();
        let queued = self.queue()?.send((Box::new(work), end));
        queued.map_err(|_| io::Error::other("the search thread has ended"))?;
        Ok(JobWaiter(waiter))
    }

    fn queue(&mut self) -> io::Result<&Sender<(Work, Sender<()>)>> {
        let queue = match self.queue.take() {
            Some(queue) => queue,
            None => {
                let (queue, jobs) = channel::<(Work, Sender<()>)>();
                let run = move || jobs.into_iter().for_each(|(work, _end)| work());
                Builder::new().name("search".to_owned()).spawn(run)?;
                queue
            }
        };
        Ok(self.queue.insert(queue))
    }
}
