//! The HTML report of a match: rewritten while the match runs, and at its end.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::{Match, write_html};
use crate::arena::report::progress::{MatchProgress, with_report};
use crate::arena::tournament::in_progress::repeat_while;
use crate::arena::tournament::journal;
use crate::arena::tournament::run::Tournament;
use crate::arena::tournament::settings::MatchSettings;
use crate::cli::error::CliError;
use crate::records::GameRecord;

/// The minimum interval between two reports.
const MIN_INTERVAL: Duration = Duration::from_secs(10);

/// Writing takes at most this fraction (1/50) of the time.
const TIME_DIVISOR: u32 = 50;

/// Rewrites the report, if one is requested, while `play` runs. Failures are only logged here; the
/// final report returns them.
pub(super) fn keep_while<T>(
    tournament: &Tournament,
    settings: &MatchSettings,
    progress: &Mutex<&mut MatchProgress>,
    play: impl FnOnce() -> T,
) -> T {
    let Some(path) = &settings.report else { return play() };
    let mut interval = MIN_INTERVAL;
    let rewrite = || {
        let start = Instant::now();
        let progress = progress.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let refresh = Some(interval.as_secs());
        if let Err(error) = write(path, tournament, settings, &progress, refresh) {
            tracing::info!("cannot write the report of the running match: {error}");
        }
        interval = interval.max(TIME_DIVISOR * start.elapsed());
        interval
    };
    repeat_while("report", rewrite, play)
}

/// Writes the report of a match that has ended or was interrupted.
pub(super) fn write_final(path: &Path, ended: &Match) -> Result<(), CliError> {
    write(path, &ended.tournament, &ended.settings, &ended.progress, None)
}

fn write(
    path: &Path,
    tournament: &Tournament,
    settings: &MatchSettings,
    progress: &MatchProgress,
    refresh: Option<u64>,
) -> Result<(), CliError> {
    let mut read: Vec<GameRecord> = Vec::new();
    let games = match (&settings.record, &progress.games) {
        (_, Some(games)) => games,
        (Some(record), None) => {
            // The last game may be incomplete, and games may have been added since the snapshot.
            journal::read(record, &mut |game| read.push(game.clone()))?;
            read.truncate(progress.count);
            &read
        }
        (None, None) => return Ok(()),
    };
    let setup = Some(&tournament.setup);
    with_report(setup, progress, games, refresh, |report| write_html(path, report))
}
