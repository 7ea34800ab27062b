//! The games that a running match is playing, in a file beside its record, so that others can watch.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::records::{GameRecord, RecordFormat, read_damaged_file};

/// The interval between checks for changed games.
const WRITE_INTERVAL: Duration = Duration::from_millis(500);
/// The file is rewritten at least this often, …
const MAX_INTERVAL: Duration = Duration::from_secs(5);
/// … and was left by a match that was killed if it is older than this.
const MAX_AGE: Duration = Duration::from_secs(20);

/// The games in progress, and the file that shows them.
pub struct GamesInProgress {
    path: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// By number.
    games: BTreeMap<u32, GameRecord>,
    has_changed: bool,
}

impl GamesInProgress {
    /// No games yet, in a file beside a record.
    pub(crate) fn new(record: &Path) -> Self {
        Self { path: Self::path(record), state: Mutex::default() }
    }

    fn path(record: &Path) -> PathBuf {
        let mut name = OsString::from(record);
        name.push(".playing");
        name.into()
    }

    /// Reads the games that a match with this record is playing: none if no match is running.
    pub fn read(record: &Path) -> Vec<GameRecord> {
        let path = Self::path(record);
        let modified = fs::metadata(&path).and_then(|metadata| metadata.modified());
        let is_old = modified.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > MAX_AGE));
        let games = read_damaged_file(&path);
        let games = games.map(|(_, games)| games).unwrap_or_default();
        if is_old { Vec::new() } else { games.into_iter().filter_map(|read| read.game).collect() }
    }

    pub(crate) fn update(&self, game: &GameRecord) {
        let mut state = self.lock();
        state.games.insert(game.number, game.clone());
        state.has_changed = true;
    }

    pub(crate) fn remove(&self, number: u32) {
        let mut state = self.lock();
        state.has_changed |= state.games.remove(&number).is_some();
    }

    /// Keeps the file up to date until the senders of `ended` are gone, and then removes it. Runs on a
    /// thread of its own, so that games do not wait for the disk. Failures are only logged.
    pub(crate) fn keep_file(&self, ended: &Receiver<()>) {
        let mut last_written = Instant::now();
        loop {
            if let Some(text) = self.changed_text(last_written.elapsed() >= MAX_INTERVAL) {
                last_written = Instant::now();
                if let Err(error) = replace(&self.path, &text) {
                    tracing::info!("cannot write the games in progress: {error}");
                }
            }
            if ended.recv_timeout(WRITE_INTERVAL) != Err(RecvTimeoutError::Timeout) {
                break;
            }
        }
        let _ = fs::remove_file(&self.path);
    }

    fn changed_text(&self, is_forced: bool) -> Option<String> {
        let mut state = self.lock();
        let is_written = std::mem::take(&mut state.has_changed) || is_forced;
        is_written.then(|| state.games.values().map(|game| RecordFormat::Json.game(game)).collect())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Replaces a file atomically, so that no reader sees part of it. Not synced: it need not survive a
/// power failure.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let mut temporary = OsString::from(path);
    temporary.push(".new");
    fs::write(&temporary, text)?;
    fs::rename(temporary, path)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;
    use crate::records::read_damaged;

    fn game(number: u32) -> GameRecord {
        let text = "[Game \"tictactoe\"]\n[White \"a\"]\n[FEN \"3/3/3 x\"]\n\n1. b2 {0.1s} *\n\n";
        let (_, games) = read_damaged(text.as_bytes()).unwrap();
        GameRecord { number, ..games.into_iter().find_map(|read| read.game).unwrap() }
    }

    #[test]
    fn the_file_follows_the_games_and_goes_with_the_match() {
        let record = std::env::temp_dir().join(format!("in-progress-{}", std::process::id()));
        let in_progress = GamesInProgress::new(&record);
        let wait_for = |count: usize| {
            let begin = Instant::now();
            loop {
                let games = GamesInProgress::read(&record);
                if games.len() == count {
                    return games;
                }
                assert!(begin.elapsed() < Duration::from_secs(60), "{games:?}");
                std::thread::sleep(Duration::from_millis(20));
            }
        };
        std::thread::scope(|scope| {
            let (running, ended) = channel();
            let in_progress = &in_progress;
            scope.spawn(move || in_progress.keep_file(&ended));
            in_progress.update(&game(3));
            in_progress.update(&game(8));
            let games = wait_for(2);
            assert_eq!((games[0].number, games[1].number), (3, 8));
            assert_eq!(games[0].players, game(3).players);
            assert_eq!((games[0].moves.len(), games[0].result), (1, None));
            in_progress.remove(3);
            assert_eq!(wait_for(1)[0].number, 8);
            drop(running);
        });
        assert!(!GamesInProgress::path(&record).exists());
        assert!(GamesInProgress::read(&record).is_empty());
    }
}
