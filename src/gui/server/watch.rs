//! Watches the record of a running match and sends its report, and the games in progress, to the tabs
//! that ask for them.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant, SystemTime};

use super::limits::MAX_UNSENT;
use super::outbox::Outbox;
use crate::arena::report::in_progress_json;
use crate::arena::report::progress::record_report;
use crate::arena::tournament::in_progress::GamesInProgress;

/// The minimum interval between two reports.
const MIN_INTERVAL: Duration = Duration::from_secs(1);
/// Making reports takes at most this fraction (1/20) of the time.
const TIME_DIVISOR: u32 = 20;

/// The record that is watched, and the tabs that watch it.
#[derive(Debug)]
pub(super) struct WatchedRecord {
    path: PathBuf,
    state: Mutex<WatchState>,
}

#[derive(Debug, Default)]
struct WatchState {
    /// The tabs by number.
    tabs: Vec<(u64, Outbox)>,
    /// The last report and the last games in progress as messages.
    latest: [Option<String>; 2],
}

/// The kinds of messages, as indices into [`WatchState::latest`].
const REPORT: usize = 0;
const IN_PROGRESS: usize = 1;

impl WatchedRecord {
    /// Starts watching.
    pub(super) fn start(path: PathBuf) -> io::Result<Arc<Self>> {
        let watched = Arc::new(Self { path, state: Mutex::default() });
        let weak = Arc::downgrade(&watched);
        std::thread::Builder::new().name("watch".to_owned()).spawn(move || watch(&weak))?;
        Ok(watched)
    }

    /// Sends this and further reports to a tab.
    pub(super) fn subscribe(&self, tab: u64, outbox: &Outbox) {
        let mut state = self.lock();
        state.latest.iter().flatten().for_each(|latest| outbox.send(latest.clone()));
        if !state.tabs.iter().any(|(own, _)| *own == tab) {
            state.tabs.push((tab, outbox.clone()));
        }
    }

    /// Sends no more reports to a tab.
    pub(super) fn unsubscribe(&self, tab: u64) {
        self.lock().tabs.retain(|(own, _)| *own != tab);
    }

    fn lock(&self) -> MutexGuard<'_, WatchState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a message to all tabs that watch. A tab that falls too far behind is
    /// disconnected and subscribes again.
    fn publish(&self, kind: usize, message: String) {
        let mut state = self.lock();
        if state.latest[kind].as_ref() != Some(&message) {
            state.tabs.iter().for_each(|(_, outbox)| outbox.send(message.clone()));
            state.latest[kind] = Some(message);
        }
    }
}

/// Reads the record whenever it has changed, as long as the server runs.
fn watch(record: &Weak<WatchedRecord>) {
    let mut last_seen = None;
    loop {
        let started = Instant::now();
        match record.upgrade() {
            None => return,
            Some(record) => {
                let seen = version(&record.path);
                if last_seen != Some(seen) {
                    last_seen = Some(seen);
                    record.publish(REPORT, message(&record.path));
                }
                let games = in_progress_json(&GamesInProgress::read(&record.path));
                record.publish(IN_PROGRESS, format!("{{\"playing\":{games}}}"));
            }
        }
        std::thread::sleep(MIN_INTERVAL.max(TIME_DIVISOR * started.elapsed()));
    }
}

/// Length and time of a file, which change when it grows; `None` if it does not exist.
fn version(path: &Path) -> Option<(u64, Option<SystemTime>)> {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.len(), metadata.modified().ok()))
}

/// The report, or why there is none.
fn message(path: &Path) -> String {
    match record_report(path) {
        Ok(data) if data.len() <= MAX_UNSENT / 2 => format!("{{\"watch\":{data}}}"),
        Ok(_) => failure("the report of this match is too long to watch"),
        Err(error) => failure(&error.to_string()),
    }
}

fn failure(reason: &str) -> String {
    serde_json::json!({ "watch": null, "message": reason }).to_string()
}
