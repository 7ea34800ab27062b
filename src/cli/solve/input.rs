//! The lines of a file or of the standard input, read beside the work: a signal is heard while nothing
//! comes.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use crate::protocol::{LineReader, RawLine};
use crate::search::SearchControl;

/// So often the signals are looked at where nothing comes.
const LOOK: Duration = Duration::from_millis(50);

/// The lines that come.
#[derive(Debug)]
pub(super) struct Input(Receiver<io::Result<String>>);

impl Input {
    /// Reads a file, or the standard input for `-`.
    ///
    /// # Errors
    /// When the system has no thread to give.
    pub(super) fn open(path: &str) -> io::Result<Self> {
        let (sender, receiver) = sync_channel(1);
        let path = path.to_owned();
        let read = move || {
            if let Err(error) = send_lines(&path, &sender) {
                let _ = sender.send(Err(error));
            }
        };
        std::thread::Builder::new().name("positions".to_owned()).spawn(read)?;
        Ok(Self(receiver))
    }

    /// The next line, without the blanks around it; `None` at the end, or when the work is stopped.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub(super) fn next(&self, control: &SearchControl) -> io::Result<Option<String>> {
        while !control.is_stopped() {
            match self.0.recv_timeout(LOOK) {
                Ok(line) => return line.map(Some),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        Ok(None)
    }
}

/// Sends all lines, until there is nobody who listens.
fn send_lines(path: &str, sender: &SyncSender<io::Result<String>>) -> io::Result<()> {
    let input: Box<dyn BufRead> = match path {
        "-" => Box::new(io::stdin().lock()),
        path => Box::new(BufReader::new(File::open(path)?)),
    };
    let mut lines = LineReader::new(input);
    while let Some(line) = lines.next_line()? {
        // A position with this behind it is none: what was cut off might have said anything.
        let (bytes, rest) = match line {
            RawLine::Complete(bytes) => (bytes, ""),
            RawLine::Truncated(bytes) => (bytes, " …and more than a line may hold"),
        };
        let text = String::from_utf8_lossy(bytes).trim().to_owned() + rest;
        if sender.send(Ok(text)).is_err() {
            break;
        }
    }
    Ok(())
}
