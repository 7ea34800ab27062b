//! Reading files that were handed in, opening and locking files that a run can resume from, and getting data
//! safely to the disk.

mod flush;
mod input;
#[cfg(any(feature = "cli", windows))]
mod lock_file;
mod replace;

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

pub(crate) use flush::BackgroundFlush;
#[cfg(feature = "interface")]
pub(crate) use input::read_bounded;
#[cfg(feature = "cli")]
pub(crate) use input::read_input;
pub(crate) use input::{open_input, refuse_pipe};
#[cfg(any(feature = "cli", windows))]
pub(crate) use lock_file::LockFile;
pub(crate) use replace::Replacement;
#[cfg(any(feature = "cli", windows))]
pub(crate) use replace::resolve_link;

/// Opens a file for resuming, creating it if it does not exist. Fails if the file cannot be opened
/// for reading and writing, or is not a regular file.
pub(crate) fn open_for_resume(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    open_regular_file(path, options.read(true).write(true).create(true).truncate(false))
}

/// Opens a regular file. Pipes and devices are refused: they hold nothing to resume from, and
/// opening one may block forever. Fails if the file cannot be opened with these options, or is not
/// a regular file.
pub(crate) fn open_regular_file(path: &Path, options: &OpenOptions) -> io::Result<File> {
    if path.metadata().is_ok_and(|data| !data.is_file()) {
        return Err(io::Error::other("not a regular file"));
    }
    options.open(path)
}

/// Keeps other runs from writing to a file, which they may still read. Windows would deny them that, so
/// there a file beside it is locked.
#[derive(Debug)]
pub(crate) struct RunLock {
    #[cfg(not(windows))]
    _file: File,
    #[cfg(windows)]
    _file: LockFile,
}

impl RunLock {
    /// Locks the file that is open at `path`; returns `None` if another run holds it. Fails if the
    /// system lacks what it takes.
    #[cfg(not(windows))]
    pub(crate) fn acquire(_: &Path, file: &File) -> io::Result<Option<Self>> {
        Ok(if try_lock(file) { Some(Self { _file: file.try_clone()? }) } else { None })
    }

    /// Locks the file that is open at `path`; returns `None` if another run holds it. Fails if the
    /// lock file cannot be created.
    #[cfg(windows)]
    pub(crate) fn acquire(path: &Path, _: &File) -> io::Result<Option<Self>> {
        Ok(LockFile::acquire(&resolve_link(path))?.map(|lock| Self { _file: lock }))
    }
}

/// Locks the file for this run until it is closed; returns `false` if another run holds it. Retries
/// for a second, because an engine being started when its runner is killed inherits the runner's
/// files and keeps them open for a moment.
fn try_lock(file: &File) -> bool {
    const TIMEOUT: Duration = Duration::from_secs(1);
    let deadline = Instant::now() + TIMEOUT;
    loop {
        match file.try_lock() {
            // Some file systems do not support locks; there, a second run goes unnoticed.
            Ok(()) | Err(TryLockError::Error(_)) => return true,
            Err(TryLockError::WouldBlock) if Instant::now() > deadline => return false,
            Err(TryLockError::WouldBlock) => std::thread::sleep(TIMEOUT / 100),
        }
    }
}

/// Flushes the folder of a file, so that the file is still found there after a power cut.
pub(crate) fn sync_folder(file: &Path) {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    // Some systems cannot open or flush folders, and do not need to.
    let _ = File::open(folder.unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all());
}
