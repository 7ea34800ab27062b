//! Lock files beside files that are replaced as a whole.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use same_file::Handle;

use super::{open_for_resume, try_lock};

/// A lock file beside a file that is replaced as a whole, and so cannot be locked itself. Dropping it
/// removes the lock file.
pub(crate) struct LockFile {
    path: PathBuf,
    file: File,
}

impl LockFile {
    /// Locks `target` by a file with `.lock` appended to its name; returns `None` if another run
    /// holds the lock. Fails if the lock file cannot be created.
    pub(crate) fn acquire(target: &Path) -> io::Result<Option<Self>> {
        let mut path = target.as_os_str().to_owned();
        path.push(".lock");
        let path = PathBuf::from(path);
        loop {
            let file = open_for_resume(&path)?;
            if !try_lock(&file) {
                return Ok(None);
            }
            // A run that ends removes its lock file, possibly after this one has opened it.
            let opened = Handle::from_file(file.try_clone()?)?;
            if Handle::from_path(&path).is_ok_and(|present| present == opened) {
                return Ok(Some(Self { path, file }));
            }
        }
    }
}

impl Drop for LockFile {
    fn drop(&mut self) {
        // Removed while it is locked: afterwards it could be another run's. If that fails, an unlocked
        // file stays, which does no harm.
        let _ = std::fs::remove_file(&self.path);
        let _ = self.file.unlock();
    }
}
