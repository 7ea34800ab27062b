//! Flushing appended data to the disk in the background.

use std::fs::File;
use std::io;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

/// Flushes files whenever requested. A flush takes milliseconds; data written while one is running
/// shares the next, so that the writer does not wait.
#[derive(Debug)]
pub(crate) struct BackgroundFlush {
    files: Arc<Vec<File>>,
    /// Wakes up the thread. `None` if the thread could not be started; every request then flushes
    /// at once.
    requests: Option<SyncSender<()>>,
    worker: Option<JoinHandle<()>>,
    failure: Arc<Mutex<Option<FlushError>>>,
}

/// A flush that failed.
#[derive(Debug)]
pub(crate) struct FlushError {
    /// The index of the file in the list.
    #[cfg_attr(not(feature = "arena"), expect(dead_code))]
    pub(crate) file: usize,
    pub(crate) source: io::Error,
}

impl BackgroundFlush {
    /// Starts a thread that flushes these files.
    pub(crate) fn start(files: Vec<File>) -> Self {
        /// Small, so that the thread starts even when memory is scarce.
        const STACK_SIZE: usize = 1 << 16;
        // One waiting request covers everything that is written before it is handled.
        let (requests, to_handle) = sync_channel(1);
        let (files, failure) = (Arc::new(files), Arc::new(Mutex::new(None)));
        let (shared_files, shared_failure) = (Arc::clone(&files), Arc::clone(&failure));
        let handle_requests = move || {
            for () in to_handle {
                flush_all(&shared_files, &shared_failure);
            }
        };
        let builder = std::thread::Builder::new().name("flush".to_owned()).stack_size(STACK_SIZE);
        let worker = builder.spawn(handle_requests).ok();
        Self { files, requests: worker.is_some().then_some(requests), worker, failure }
    }

    /// Requests a flush of all that was written before.
    ///
    /// # Errors
    /// Fails if an earlier flush failed.
    pub(crate) fn request(&self) -> Result<(), FlushError> {
        match &self.requests {
            // Fails if a request is already queued.
            Some(requests) => drop(requests.try_send(())),
            None => flush_all(&self.files, &self.failure),
        }
        self.failure()
    }

    /// Waits for the requested flushes and ends the thread.
    ///
    /// # Errors
    /// Fails if a flush failed.
    pub(crate) fn finish(mut self) -> Result<(), FlushError> {
        self.end();
        self.failure()
    }

    fn failure(&self) -> Result<(), FlushError> {
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

fn flush_all(files: &[File], failure: &Mutex<Option<FlushError>>) {
    for (file, handle) in files.iter().enumerate() {
        if let Err(source) = handle.sync_data() {
            let mut failure = failure.lock().unwrap_or_else(PoisonError::into_inner);
            failure.get_or_insert(FlushError { file, source });
        }
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
    fn failed_flush_is_reported_with_its_file() {
        let (_, pipe) = std::io::pipe().unwrap();
        let files = vec![tempfile(), File::from(std::os::fd::OwnedFd::from(pipe))];
        let flush = BackgroundFlush::start(files);
        // The failure may be reported by any later call.
        let requested = flush.request();
        let error = requested.and_then(|()| flush.finish()).unwrap_err();
        assert_eq!((error.file, error.source.kind()), (1, io::ErrorKind::InvalidInput));
    }

    #[test]
    fn finished_flush_covers_all_requests() {
        let flush = BackgroundFlush::start(vec![tempfile()]);
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
