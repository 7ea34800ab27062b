//! Replacing a file atomically: a temporary file beside it takes its place once it is complete and
//! on the disk.

use std::ffi::OsStr;
use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::sync_folder;
use crate::printing::printable_path;

/// The new content of a file. The temporary file is removed unless it is committed; what a killed run
/// left behind is removed by the next run that replaces the same file.
pub(crate) struct Replacement {
    /// The file to replace; symbolic links are resolved.
    target: PathBuf,
    /// Locked as long as it exists, which distinguishes it from those left behind.
    file: File,
    temporary: PathBuf,
    is_committed: bool,
}

impl Replacement {
    /// Creates an empty temporary file in the folder of the target. If the target exists, the file
    /// has its mode, and its owner and group if this process may set them. Fails if no file can be
    /// created there.
    pub(crate) fn create(target: &Path) -> io::Result<Self> {
        let target = resolve_link(target);
        remove_leftovers(&target);
        let existing = target.metadata().ok();
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        // Nobody else may read it before it has the mode of the target.
        #[cfg(unix)]
        if existing.is_some() {
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        }
        for number in 0.. {
            let temporary = temporary_path(&target, number);
            let file = match options.open(&temporary) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                opened => opened?,
            };
            // Another run may mistake it for a leftover file until it is locked.
            if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) || is_removed(&file)? {
                continue;
            }
            let replacement = Self { target, file, temporary, is_committed: false };
            if let Some(existing) = &existing {
                copy_permissions(existing, &replacement.file)?;
            }
            return Ok(replacement);
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    /// Replaces the target. The content is flushed first, so that a power cut leaves either the old
    /// file or the new one. Fails if the file cannot be written completely or renamed; the target
    /// is then unchanged.
    pub(crate) fn commit(mut self) -> io::Result<()> {
        self.file.sync_all()?;
        rename(&self.temporary, &self.target)?;
        self.is_committed = true;
        sync_folder(&self.target);
        Ok(())
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if !self.is_committed {
            // Fails if the folder is gone or not writable any more.
            let _ = std::fs::remove_file(&self.temporary);
        }
    }
}

/// Renames a file. On Windows a program that reads the target may keep it from being replaced, so it gets
/// some time to close it.
fn rename(from: &Path, to: &Path) -> io::Result<()> {
    const PATIENCE: Duration = Duration::from_secs(2);
    let start = Instant::now();
    let may_close = |error: &io::Error| {
        cfg!(windows)
            && error.kind() == io::ErrorKind::PermissionDenied
            && start.elapsed() < PATIENCE
    };
    loop {
        match std::fs::rename(from, to) {
            Err(error) if may_close(&error) => std::thread::sleep(PATIENCE / 40),
            result => return result,
        }
    }
}

/// Returns the target of a symbolic link, even if it does not exist yet.
pub(crate) fn resolve_link(target: &Path) -> PathBuf {
    let link_target = || {
        let folder = target.parent().unwrap_or(Path::new(""));
        target.read_link().map(|link| folder.join(link))
    };
    target.canonicalize().or_else(|_| link_target()).unwrap_or_else(|_| target.to_owned())
}

/// Returns the name of a temporary file: `TARGET.PROCESS-NUMBER.part`.
fn temporary_path(target: &Path, number: u32) -> PathBuf {
    let mut temporary = target.as_os_str().to_owned();
    temporary.push(format!(".{}-{number}.part", std::process::id()));
    temporary.into()
}

/// Returns whether a file is named like a temporary file for the target.
fn is_temporary_name(name: &OsStr, target: &OsStr) -> bool {
    let name = name.as_encoded_bytes().strip_prefix(target.as_encoded_bytes());
    let middle = name.and_then(|rest| rest.strip_prefix(b".")?.strip_suffix(b".part"));
    let Some(middle) = middle.and_then(|middle| std::str::from_utf8(middle).ok()) else {
        return false;
    };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    middle.split_once('-').is_some_and(|(process, number)| is_number(process) && is_number(number))
}

/// Removes temporary files for the target that killed runs left behind. Those in use are locked.
fn remove_leftovers(target: &Path) {
    let Some(name) = target.file_name() else { return };
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = std::fs::read_dir(folder.unwrap_or(Path::new("."))).into_iter().flatten();
    for entry in entries.flatten() {
        let is_file = || entry.file_type().is_ok_and(|kind| kind.is_file());
        if !is_temporary_name(&entry.file_name(), name) || !is_file() {
            continue;
        }
        // Where locks are not supported, nothing is removed.
        let unlocked = File::open(entry.path()).ok().filter(|file| file.try_lock().is_ok());
        if unlocked.is_some() && std::fs::remove_file(entry.path()).is_ok() {
            let path = printable_path(&entry.path());
            tracing::info!("removed {path}, left behind by a killed run");
        }
    }
}

#[cfg(unix)]
fn is_removed(file: &File) -> io::Result<bool> {
    Ok(std::os::unix::fs::MetadataExt::nlink(&file.metadata()?) == 0)
}

#[cfg(not(unix))]
fn is_removed(_: &File) -> io::Result<bool> {
    Ok(false)
}

/// Gives a file the mode of an existing one, and its owner and group if permitted. Without the
/// group, its members get no more than everyone.
#[cfg(unix)]
fn copy_permissions(existing: &Metadata, file: &File) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let own = file.metadata()?;
    let has_owner = own.uid() == existing.uid() || fchown(file, Some(existing.uid()), None).is_ok();
    let has_group = own.gid() == existing.gid() || fchown(file, None, Some(existing.gid())).is_ok();
    let mut mode = existing.mode() & 0o7777;
    if !has_group {
        mode = mode & !0o070 | (mode & 0o007) << 3 & mode;
    }
    if !has_owner || !has_group {
        mode &= 0o777;
    }
    file.set_permissions(std::fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn copy_permissions(existing: &Metadata, file: &File) -> io::Result<()> {
    file.set_permissions(existing.permissions())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_temporary_files_are_leftovers() {
        let is_leftover =
            |name: &str| is_temporary_name(OsStr::new(name), OsStr::new("games.html"));
        assert!(is_leftover("games.html.4711-0.part"));
        let own = temporary_path(Path::new("games.html"), 3);
        assert!(is_temporary_name(own.as_os_str(), OsStr::new("games.html")));
        for other in [
            "games.html",
            "games.html.part",
            "games.html.4711.part",
            "games.html.a-b.part",
            "games.html.-.part",
            "games.html.4711-0.part.4712-0.part",
            "other.html.4711-0.part",
        ] {
            assert!(!is_leftover(other), "{other}");
        }
    }

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("zermelo-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir(&folder).unwrap();
        folder
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<_> = entries.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn leftovers_of_dead_runs_are_removed_and_those_in_use_are_kept() {
        let folder = folder("leftovers");
        let target = folder.join("page");
        let used = Replacement::create(&target).unwrap();
        std::fs::write(folder.join("page.1-0.part"), "half").unwrap();
        std::fs::write(folder.join("page.x.part"), "another file").unwrap();
        let replacement = Replacement::create(&target).unwrap();
        assert_eq!(names(&folder).len(), 3, "{:?}", names(&folder));
        assert!(used.temporary.exists() && !folder.join("page.1-0.part").exists());
        io::Write::write_all(&mut replacement.file(), b"whole").unwrap();
        replacement.commit().unwrap();
        drop(used);
        assert_eq!(names(&folder), ["page", "page.x.part"]);
        assert_eq!(std::fs::read_to_string(&target).unwrap(), "whole");
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn mode_and_owner_of_the_target_are_kept_from_the_start() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        let folder = folder("mode");
        let target = folder.join("page");
        std::fs::write(&target, "secret").unwrap();
        // Only a privileged process may give a file away.
        let owners = [(None, None), (Some(4711), Some(4712))];
        for (mode, (owner, group)) in [0o600, 0o640, 0o664, 0o444].into_iter().zip(owners.repeat(2))
        {
            let is_given = std::os::unix::fs::chown(&target, owner, group).is_ok();
            std::fs::set_permissions(&target, std::fs::Permissions::from_mode(mode)).unwrap();
            let before = target.metadata().unwrap();
            let replacement = Replacement::create(&target).unwrap();
            let during = replacement.temporary.metadata().unwrap();
            assert_eq!(during.mode() & 0o7777, mode);
            replacement.commit().unwrap();
            let after = target.metadata().unwrap();
            assert_ne!(after.ino(), before.ino());
            assert_eq!(after.mode(), before.mode());
            if is_given {
                assert_eq!((after.uid(), after.gid()), (before.uid(), before.gid()));
            }
        }
        std::fs::remove_dir_all(folder).unwrap();
    }
}
