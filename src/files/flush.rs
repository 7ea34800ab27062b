//! Flushing appended data to the disk in the background.

use std::fs::File;
use std::io;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

/// Flushes a file whenever requested. A flush takes milliseconds; data written while one is running
/// shares the next, so that the writer does not wait.
#[derive(Debug)]
pub(crate) struct BackgroundFlush {
    file: Arc<File>,
    /// Wakes up the thread. `None` if the thread could not be started; every request then flushes
    /// at once.
    requests: Option<SyncSender<()>>,
    worker: Option<JoinHandle<()>>,
    failure: Arc<Mutex<Option<io::Error>>>,
}

impl BackgroundFlush {
    pub(crate) fn start(file: File) -> Self {
        /// Small, so that the thread starts even when memory is scarce.
        const STACK_SIZE: usize = 1 << 16;
        // One waiting request covers everything that is written before it is handled.
        let (requests, to_handle) = sync_channel(1);
        let (file, failure) = (Arc::new(file), Arc::new(Mutex::new(None)));
        let (shared_file, shared_failure) = (Arc::clone(&file), Arc::clone(&failure));
        let handle_requests = move || {
            for () in to_handle {
                flush(&shared_file, &shared_failure);
            }
        };
        let builder = std::thread::Builder::new().name("flush".to_owned()).stack_size(STACK_SIZE);
        let worker = builder.spawn(handle_requests).ok();
        Self { file, requests: worker.is_some().then_some(requests), worker, failure }
    }

    /// Requests a flush of all that was written before. Fails if an earlier flush failed.
    pub(crate) fn request(&self) -> Result<(), io::Error> {
        match &self.requests {
            // Fails if a request is already queued.
            Some(requests) => drop(requests.try_send(())),
            None => flush(&self.file, &self.failure),
        }
        self.failure()
    }

    /// Waits for the requested flushes and ends the thread. Fails if a flush failed.
    pub(crate) fn finish(mut self) -> Result<(), io::Error> {
        self.end();
        self.failure()
    }

    fn failure(&self) -> Result<(), io::Error> {
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.take().map_or(Ok(()), Err)
    }

    fn end(&mut self) {
        // Ends the thread once it has handled what was requested.
        self.requests = None;
        if let Some(worker) = self.worker.take() {
            let _ = worker.join();
        }
    }
}

fn flush(file: &File, failure: &Mutex<Option<io::Error>>) {
    if let Err(error) = file.sync_data() {
        failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }
}

impl Drop for BackgroundFlush {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn failed_flush_is_reported() {
        let (_, pipe) = std::io::pipe().unwrap();
        let flush = BackgroundFlush::start(File::from(std::os::fd::OwnedFd::from(pipe)));
        // The failure may be reported by any later call.
        let requested = flush.request();
        let error = requested.and_then(|()| flush.finish()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
    }

    #[test]
    fn finished_flush_covers_all_requests() {
        let flush = BackgroundFlush::start(tempfile());
        for _ in 0..1000 {
            flush.request().unwrap();
        }
        flush.finish().unwrap();
    }

    fn tempfile() -> File {
        let path = std::env::temp_dir().join(format!("zermelo-flush-{}", std::process::id()));
        let file = File::create(&path).unwrap();
        // Fails if another test has removed it.
        let _ = std::fs::remove_file(path);
        file
    }
}
