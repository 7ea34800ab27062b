//! The thread that runs jobs in the background. It parks between jobs, because starting a thread for
//! each search takes milliseconds when all cores are busy.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Builder;

/// Work for the thread; it must not panic.
type Work = Box<dyn FnOnce() + Send>;

/// A thread that runs one job after another. Dropping it does not wait for a running job.
#[derive(Default)]
pub(super) struct JobThread {
    /// `None` until the thread is started.
    queue: Option<Sender<(Work, Sender<()>)>>,
}

/// Waits for the end of one job.
pub(super) struct JobWaiter(Receiver<()>);

impl JobWaiter {
    /// Blocks until the job has ended.
    pub(super) fn wait(self) {
        // Nothing is sent: the end of the job disconnects the channel.
        let _ = self.0.recv();
    }
}

impl JobThread {
    /// Starts the thread unless it is running, so that the first job does not have to.
    ///
    /// # Errors
    /// Fails if the system starts no more threads.
    pub(super) fn start(&mut self) -> io::Result<&Sender<(Work, Sender<()>)>> {
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

    /// Runs `work` on the thread, after the jobs before it.
    ///
    /// # Errors
    /// Fails if the system does not start the thread.
    pub(super) fn run(&mut self, work: impl FnOnce() + Send + 'static) -> io::Result<JobWaiter> {
        let (end, waiter) = channel();
        let queued = self.start()?.send((Box::new(work), end));
        queued.map_err(|_| io::Error::other("the search thread has ended"))?;
        Ok(JobWaiter(waiter))
    }
}
