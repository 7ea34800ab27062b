//! Files that hold what was done so far: plain ones, which one run at a time may write to.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// Opens a file that is gone on with, or begins it.
///
/// # Errors
/// When it cannot be read and written, or is no plain file.
pub(crate) fn open_for_resume(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    open_regular_file(path, options.read(true).write(true).create(true).truncate(false))
}

/// Opens a plain file. A pipe or a device holds no past, and might be waited for for ever.
///
/// # Errors
/// When it cannot be opened so, or is no plain file.
pub(crate) fn open_regular_file(path: &Path, options: &OpenOptions) -> io::Result<File> {
    if path.metadata().is_ok_and(|data| !data.is_file()) {
        return Err(io::Error::other("it is no regular file"));
    }
    options.open(path)
}

/// Takes a file for this run alone, until it is closed; `false` where another run has it. An engine
/// that was about to start when its runner was killed has the runner's files for a moment more.
pub(crate) fn try_lock(file: &File) -> bool {
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
