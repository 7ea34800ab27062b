//! The HTML report of a match: rewritten while the match runs, and at its end.

use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::{Arguments, Match, write_html};
use crate::arena::report::HtmlReport;
use crate::arena::report::progress::{MatchProgress, describe_setup, report_title};
use crate::arena::tournament::journal;
use crate::arena::tournament::run::Tournament;
use crate::cli::CliError;
use crate::records::GameRecord;

/// The minimum interval between two reports.
const MIN_INTERVAL: Duration = Duration::from_secs(10);

/// Writing takes at most this fraction (1/50) of the time.
const TIME_DIVISOR: u32 = 50;

/// The report of a running match.
pub(super) struct LiveReport<'a, 'p> {
    pub(super) tournament: &'a Tournament,
    pub(super) arguments: &'a Arguments,
    pub(super) progress: &'a Mutex<&'p mut MatchProgress>,
}

impl LiveReport<'_, '_> {
    /// Rewrites the report, if one is requested, while `play` runs, on a separate thread so that
    /// games do not wait for it. Failures are only logged here; the final report returns them.
    pub(super) fn keep_while<T>(&self, play: impl FnOnce() -> T) -> T {
        let Some(path) = &self.arguments.report else { return play() };
        std::thread::scope(|scope| {
            let (running, ended) = channel::<()>();
            let rewrite = move || {
                let mut interval = MIN_INTERVAL;
                loop {
                    let start = Instant::now();
                    if let Err(error) = self.write(path, interval) {
                        tracing::info!("cannot write the report of the running match: {error}");
                    }
                    interval = interval.max(TIME_DIVISOR * start.elapsed());
                    if ended.recv_timeout(interval) != Err(RecvTimeoutError::Timeout) {
                        break;
                    }
                }
            };
            let builder = std::thread::Builder::new().name("report".to_owned());
            if let Err(error) = builder.spawn_scoped(scope, rewrite) {
                tracing::info!("cannot start a thread for the report: {error}");
            }
            let played = play();
            drop(running);
            played
        })
    }

    fn write(&self, path: &Path, interval: Duration) -> Result<(), CliError> {
        let snapshot = self.progress.lock().unwrap_or_else(PoisonError::into_inner).clone();
        write(path, self.tournament, self.arguments, &snapshot, Some(interval))
    }
}

/// Writes the report of a match that has ended or was interrupted.
pub(super) fn write_final(path: &Path, ended: &Match<'_>) -> Result<(), CliError> {
    write(path, &ended.tournament, ended.arguments, &ended.progress, None)
}

fn write(
    path: &Path,
    tournament: &Tournament,
    arguments: &Arguments,
    progress: &MatchProgress,
    interval: Option<Duration>,
) -> Result<(), CliError> {
    let MatchProgress { count, scoreboard, sprt, games, .. } = progress;
    let mut read: Vec<GameRecord> = Vec::new();
    let games = match (&arguments.record, games) {
        (_, Some(games)) => games,
        (Some(record), None) => {
            // The last game may be incomplete, and games may have been added since the snapshot.
            journal::read(record, &mut |game| read.push(game.clone()))?;
            read.truncate(*count);
            &read
        }
        (None, None) => return Ok(()),
    };
    let setup = describe_setup(&tournament.setup);
    let title = report_title(scoreboard, tournament.rules.name());
    let (title, sprt, refresh) = (&title, sprt.as_ref(), interval.map(|time| time.as_secs()));
    write_html(
        path,
        &HtmlReport { title, setup: &setup, scoreboard, sprt, games, refresh, review: None },
    )
}
