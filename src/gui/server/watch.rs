//! Watches the record of a running match and sends its report, and the games in progress, to the tabs
//! that ask for them.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use tokio::sync::watch::{Receiver, Sender, channel};

use super::limits::MAX_ANSWER;
use super::outbox::Outbox;
use crate::arena::match_report::match_progress::record_report;
use crate::arena::tournament::in_progress::GamesInProgress;
use crate::viewer::in_progress_json;

const MIN_INTERVAL: Duration = Duration::from_secs(1);
/// Making reports takes at most this fraction (1/20) of the time.
const TIME_DIVISOR: u32 = 20;

/// The last report and the last games in progress, as messages; empty before the first ones.
type Messages = [Arc<str>; 2];

pub(super) struct WatchedRecord(Receiver<Messages>);

impl WatchedRecord {
    pub(super) fn start(path: PathBuf) -> io::Result<Self> {
        let (sender, receiver) = channel(Messages::default());
        let watch = move || watch(&path, &sender);
        std::thread::Builder::new().name("watch".to_owned()).spawn(watch)?;
        Ok(Self(receiver))
    }

    /// Sends the last messages to a tab; the result sends all further ones.
    pub(super) fn follow(&self, outbox: Outbox) -> impl Future<Output = ()> + Send + use<> {
        let mut messages = self.0.clone();
        let mut sent = Messages::default();
        let mut send_new = move |latest: Messages| {
            for (message, _) in latest.iter().zip(&sent).filter(|(message, sent)| message != sent) {
                outbox.send(message.to_string());
            }
            sent = latest;
        };
        send_new(messages.borrow_and_update().clone());
        async move {
            while messages.changed().await.is_ok() {
                send_new(messages.borrow_and_update().clone());
            }
        }
    }
}

/// Reads the record whenever it has changed, until the server ends.
fn watch(path: &Path, sender: &Sender<Messages>) {
    let (mut last_seen, mut report) = (None, Arc::default());
    while !sender.is_closed() {
        let started = Instant::now();
        let seen = version(path);
        if last_seen != Some(seen) {
            last_seen = Some(seen);
            report = message(path).into();
        }
        let games = in_progress_json(&GamesInProgress::read(path));
        let latest = [Arc::clone(&report), format!("{{\"playing\":{games}}}").into()];
        sender.send_if_modified(|messages| {
            let is_new = *messages != latest;
            *messages = latest;
            is_new
        });
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
        Ok(data) if data.len() <= MAX_ANSWER => format!("{{\"watch\":{data}}}"),
        Ok(_) => failure("the report of this match is too long to watch"),
        Err(error) => failure(&error.to_string()),
    }
}

fn failure(reason: &str) -> String {
    serde_json::json!({ "watch": null, "message": reason }).to_string()
}
