//! Files that one run at a time may write to.

use std::fs::{File, TryLockError};
use std::time::{Duration, Instant};

/// Takes a file for this run alone, until it is closed; `false` where another run has it. An engine
/// that was about to start when its runner was killed has the runner's files for a moment more.
pub(crate) fn take(file: &File) -> bool {
    const MOMENT: Duration = Duration::from_secs(1);
    let deadline = Instant::now() + MOMENT;
    loop {
        match file.try_lock() {
            // Not every file can be locked; then nothing warns of a second run.
            Ok(()) | Err(TryLockError::Error(_)) => return true,
            Err(TryLockError::WouldBlock) if Instant::now() > deadline => return false,
            Err(TryLockError::WouldBlock) => std::thread::sleep(MOMENT / 100),
        }
    }
}
