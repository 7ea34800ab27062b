//! Where the log goes: a file that can be changed while the program runs.
//!
//! The subscriber that the program installs writes through a [`LogFile`]; the option `Log File`
//! and the flag `--log` open and close it. Without a file, the log goes to stderr. Never to stdout.

use std::fs::File;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// A shared handle of the log's destination.
#[derive(Debug, Clone, Default)]
pub struct LogFile {
    file: Arc<Mutex<Option<Named>>>,
}

#[derive(Debug)]
struct Named {
    path: String,
    file: File,
}

impl LogFile {
    /// Sends the log to this file, behind what it holds; to stderr again if the path is empty.
    ///
    /// # Errors
    /// When the file cannot be opened; the log goes on where it went.
    pub fn open(&self, path: &str) -> io::Result<()> {
        let file = match path {
            "" => None,
            path => Some(Named { path: path.to_owned(), file: open_for_append(path)? }),
        };
        *self.file.lock().unwrap_or_else(PoisonError::into_inner) = file;
        Ok(())
    }

    /// Whether the log goes to a file.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.file.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }
}

/// Opens a file to write behind what it holds, a new one if there is none.
///
/// # Errors
/// When it cannot be opened, or is a pipe.
pub fn open_for_append(path: &str) -> io::Result<File> {
    refuse_pipe(path)?;
    File::options().create(true).append(true).open(path)
}

/// Opening a pipe could wait for ever, and the standard output may be one.
fn refuse_pipe(path: &str) -> io::Result<()> {
    #[cfg(unix)]
    if let Ok(metadata) = std::fs::metadata(path) {
        use std::os::unix::fs::FileTypeExt;
        let kind = metadata.file_type();
        if kind.is_fifo() || kind.is_socket() {
            return Err(io::Error::other("a pipe, expected a file"));
        }
    }
    Ok(())
}

impl Write for LogFile {
    /// A file that cannot be written is named once, on stderr, and given up: the log must not stop
    /// what it tells of.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut open = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(Named { path, file }) = &mut *open else { return io::stderr().write(bytes) };
        if let Err(error) = file.write_all(bytes) {
            let said = format!("zermelo: the log ends here: {path}: {error}\n");
            let _ = io::stderr().write_all(said.as_bytes());
            *open = None;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut *self.file.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(open) => open.file.flush(),
            None => io::stderr().flush(),
        }
    }
}
