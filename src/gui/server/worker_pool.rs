//! Runs requests on a bounded number of threads. Tabs take turns, so that one with many requests
//! does not delay the others.

use std::collections::VecDeque;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::gui::requests::RequestKind;

/// A request to be answered.
type Job = Box<dyn FnOnce() + Send>;

/// The pools for requests of each kind, so that quick ones never wait for searches.
pub(super) struct WorkerPools {
    quick: WorkerPool,
    search: WorkerPool,
    long: WorkerPool,
}

impl WorkerPools {
    /// Starts the threads.
    pub(super) fn start() -> io::Result<Self> {
        const QUICK_THREADS: usize = 2;
        const MIN_SEARCH_THREADS: usize = 4;
        const MAX_SEARCH_THREADS: usize = 16;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let search_threads = cores.clamp(MIN_SEARCH_THREADS, MAX_SEARCH_THREADS);
        Ok(Self {
            quick: WorkerPool::start("requests", QUICK_THREADS)?,
            search: WorkerPool::start("searches", search_threads)?,
            long: WorkerPool::start("long requests", search_threads)?,
        })
    }

    /// The pool for requests of a kind.
    pub(super) fn of(&self, kind: RequestKind) -> &WorkerPool {
        match kind {
            RequestKind::Quick => &self.quick,
            RequestKind::Search => &self.search,
            RequestKind::Long => &self.long,
        }
    }

    /// Drops the waiting jobs of a tab.
    pub(super) fn drop_jobs(&self, tab: u64) {
        [&self.quick, &self.search, &self.long].iter().for_each(|pool| pool.drop_jobs(tab));
    }
}

/// Threads that run jobs.
pub(super) struct WorkerPool(Arc<SharedQueue>);

struct SharedQueue {
    queue: Mutex<JobQueue>,
    changed: Condvar,
}

#[derive(Default)]
struct JobQueue {
    /// The jobs of each tab that has some, in the order in which the tabs take turns.
    tabs: VecDeque<(u64, VecDeque<Job>)>,
    is_closed: bool,
}

impl WorkerPool {
    fn start(name: &str, threads: usize) -> io::Result<Self> {
        let shared = Arc::new(SharedQueue { queue: Mutex::default(), changed: Condvar::new() });
        let pool = Self(Arc::clone(&shared));
        for _ in 0..threads {
            let shared = Arc::clone(&shared);
            std::thread::Builder::new().name(name.to_owned()).spawn(move || shared.run_jobs())?;
        }
        Ok(pool)
    }

    /// Adds a job of a tab.
    pub(super) fn submit(&self, tab: u64, job: Job) {
        let mut queue = self.0.lock();
        match queue.tabs.iter_mut().find(|(own, _)| *own == tab) {
            Some((_, jobs)) => jobs.push_back(job),
            None => queue.tabs.push_back((tab, VecDeque::from([job]))),
        }
        drop(queue);
        self.0.changed.notify_one();
    }

    fn drop_jobs(&self, tab: u64) {
        self.0.lock().tabs.retain(|(own, _)| *own != tab);
    }
}

impl Drop for WorkerPool {
    fn drop(&mut self) {
        self.0.lock().is_closed = true;
        self.0.changed.notify_all();
    }
}

impl JobQueue {
    /// Takes the next job of the tab whose turn it is.
    fn take(&mut self) -> Option<Job> {
        let (tab, mut jobs) = self.tabs.pop_front()?;
        let job = jobs.pop_front();
        if !jobs.is_empty() {
            self.tabs.push_back((tab, jobs));
        }
        job
    }
}

impl SharedQueue {
    fn lock(&self) -> MutexGuard<'_, JobQueue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs jobs until the pool is closed. A panic ends only its job.
    fn run_jobs(&self) {
        loop {
            let mut queue = self.lock();
            let job = loop {
                if queue.is_closed {
                    return;
                }
                match queue.take() {
                    Some(job) => break job,
                    None => {
                        queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
                    }
                }
            };
            drop(queue);
            if catch_unwind(AssertUnwindSafe(job)).is_err() {
                tracing::error!("a request panicked");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    const TIMEOUT: Duration = Duration::from_secs(20);

    #[test]
    fn tabs_take_turns() {
        let pool = WorkerPool::start("test", 1).unwrap();
        let (release, wait) = mpsc::channel::<()>();
        let (sender, order) = mpsc::channel();
        pool.submit(9, Box::new(move || wait.recv().unwrap()));
        for (tab, name) in [(1, "a1"), (1, "a2"), (1, "a3"), (2, "b1"), (3, "c1"), (2, "b2")] {
            let sender = sender.clone();
            pool.submit(tab, Box::new(move || sender.send(name).unwrap()));
        }
        pool.drop_jobs(3);
        release.send(()).unwrap();
        let order: Vec<_> = (0..5).map(|_| order.recv_timeout(TIMEOUT).unwrap()).collect();
        assert_eq!(order, ["a1", "b1", "a2", "b2", "a3"]);
    }

    #[test]
    fn a_panic_ends_only_its_job() {
        let pool = WorkerPool::start("test", 1).unwrap();
        let (sender, receiver) = mpsc::channel();
        pool.submit(1, Box::new(|| std::panic::resume_unwind(Box::new("without a message"))));
        pool.submit(1, Box::new(move || sender.send(()).unwrap()));
        receiver.recv_timeout(TIMEOUT).unwrap();
    }
}
