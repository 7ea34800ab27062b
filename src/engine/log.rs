//! The log destination, which can change while the program runs.
//!
//! The tracing subscriber writes through a [`LogFile`]; the option `Log File` and the flag `--log`
//! choose the file. Without one, the log goes to stderr, never to stdout.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::files;
use crate::printing::{printable, printable_lines};

/// A shared handle to the log destination.
#[derive(Debug, Clone, Default)]
pub struct LogFile {
    file: Arc<Mutex<Option<OpenLog>>>,
    /// Whether a file could not be written.
    has_failed: Arc<AtomicBool>,
}

#[derive(Debug)]
struct OpenLog {
    path: String,
    file: File,
}

impl LogFile {
    /// Redirects the log to a file or device, appending to it; an empty path means stderr.
    ///
    /// # Errors
    /// Fails if the file cannot be opened, or is a pipe; the log then keeps its destination.
    pub fn open(&self, path: &str) -> io::Result<()> {
        self.redirect(path, open_for_append)
    }

    /// Like [`LogFile::open`], but accepts only regular files, for a path that a client chose.
    pub(super) fn open_regular(&self, path: &str) -> io::Result<()> {
        let mut options = File::options();
        options.create(true).append(true);
        self.redirect(path, |path| files::open_regular_file(Path::new(path), &options))
    }

    fn redirect(&self, path: &str, open: impl Fn(&str) -> io::Result<File>) -> io::Result<()> {
        let file = match path {
            "" => None,
            path => Some(OpenLog { path: path.to_owned(), file: open(path)? }),
        };
        *self.file.lock().unwrap_or_else(PoisonError::into_inner) = file;
        Ok(())
    }

    /// Whether the log goes to a file.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.file.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Whether a log file lacks lines because it could not be written.
    #[must_use]
    pub fn is_incomplete(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }
}

/// Opens a file for appending, creating it if it does not exist.
///
/// # Errors
/// Fails if the file cannot be opened, or is a pipe.
pub fn open_for_append(path: &str) -> io::Result<File> {
    files::refuse_pipe(Path::new(path))?;
    File::options().create(true).append(true).open(path)
}

impl Write for LogFile {
    /// Writes to the log. If the file fails, reports that once on stderr and stops logging to it; the
    /// log must not stop the program.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut log = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        // The subscriber writes whole lines.
        let text = printable_lines(&String::from_utf8_lossy(bytes));
        let Some(OpenLog { path, file }) = &mut *log else {
            io::stderr().write_all(text.as_bytes())?;
            return Ok(bytes.len());
        };
        if let Err(error) = file.write_all(text.as_bytes()) {
            let path = printable(path);
            let message =
                format!("zermelo: cannot write the log, continuing on stderr: {path}: {error}\n");
            let _ = io::stderr().write_all(message.as_bytes());
            self.has_failed.store(true, Ordering::Relaxed);
            *log = None;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut *self.file.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(log) => log.file.flush(),
            None => io::stderr().flush(),
        }
    }
}
