//! The frames that wait to be sent to a tab, written by any thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::Serialize;
use tokio::sync::{Notify, mpsc};

use super::limits::{MAX_UNSENT, MAX_UNSENT_BEFORE_SKIPPING};

#[derive(Debug, Clone)]
pub(super) struct Outbox {
    frames: mpsc::UnboundedSender<String>,
    /// The length of all frames that wait, in bytes.
    unsent: Arc<AtomicUsize>,
    broken: Arc<Notify>,
}

pub(super) struct OutboxReader {
    frames: mpsc::UnboundedReceiver<String>,
    unsent: Arc<AtomicUsize>,
}

impl Outbox {
    pub(super) fn new() -> (Self, OutboxReader) {
        let (sender, frames) = mpsc::unbounded_channel();
        let unsent = Arc::new(AtomicUsize::new(0));
        let outbox = Self { frames: sender, unsent: Arc::clone(&unsent), broken: Arc::default() };
        (outbox, OutboxReader { frames, unsent })
    }

    /// Sends a frame. If too much is waiting, the tab is disconnected.
    pub(super) fn send(&self, frame: String) {
        let length = frame.len();
        let before = self.unsent.fetch_add(length, Ordering::Relaxed);
        if before + length > MAX_UNSENT {
            self.unsent.fetch_sub(length, Ordering::Relaxed);
            self.disconnect();
        } else if self.frames.send(frame).is_err() {
            self.disconnect();
        }
    }

    /// Sends a frame that newer ones replace; leaves it out if the tab falls behind.
    pub(super) fn send_or_skip(&self, frame: String) {
        if self.unsent.load(Ordering::Relaxed) < MAX_UNSENT_BEFORE_SKIPPING {
            self.send(frame);
        }
    }

    pub(super) fn send_json(&self, message: &impl Serialize) {
        match serde_json::to_string(message) {
            Ok(frame) => self.send(frame),
            Err(error) => tracing::error!("cannot write a message as JSON: {error}"),
        }
    }

    pub(super) fn disconnect(&self) {
        self.broken.notify_one();
    }

    /// Waits until the connection is to end.
    pub(super) async fn disconnected(&self) {
        self.broken.notified().await;
    }
}

impl OutboxReader {
    /// Waits for the next frame; `None` if no thread can send any more.
    pub(super) async fn next(&mut self) -> Option<String> {
        let frame = self.frames.recv().await?;
        self.unsent.fetch_sub(frame.len(), Ordering::Relaxed);
        Some(frame)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn search_information_is_skipped_and_answers_are_kept_when_a_tab_falls_behind() {
        let (outbox, mut reader) = Outbox::new();
        outbox.send("x".repeat(MAX_UNSENT_BEFORE_SKIPPING));
        outbox.send_or_skip("info".to_owned());
        outbox.send("bestmove".to_owned());
        assert_eq!(reader.frames.try_recv().unwrap().len(), MAX_UNSENT_BEFORE_SKIPPING);
        assert_eq!(reader.frames.try_recv().unwrap(), "bestmove");
        assert!(reader.frames.try_recv().is_err());
    }

    #[test]
    fn a_tab_that_reads_nothing_is_disconnected() {
        let (outbox, _reader) = Outbox::new();
        for _ in 0..MAX_UNSENT / MAX_UNSENT_BEFORE_SKIPPING + 1 {
            outbox.send("x".repeat(MAX_UNSENT_BEFORE_SKIPPING));
        }
        assert!(outbox.unsent.load(Ordering::Relaxed) <= MAX_UNSENT);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(outbox.disconnected());
    }
}
