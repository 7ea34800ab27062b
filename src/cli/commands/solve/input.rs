//! Reads positions from a file or stdin on a thread of its own, so that a signal can interrupt the
//! wait for input.

use std::io::{self, BufRead};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use crate::files::open_input;
use crate::protocol::{LineReader, RawLine};
use crate::search::SearchControl;

/// The interval between checks of the stop signal while waiting for input.
const STOP_CHECK_INTERVAL: Duration = Duration::from_millis(50);

pub(super) struct PositionInput(Receiver<io::Result<String>>);

impl PositionInput {
    /// Opens a file, or stdin for `-`. Fails if the reader thread cannot be started.
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

    /// Returns the next line, trimmed, or `None` at the end of the input or after a stop signal.
    /// Fails if reading fails.
    pub(super) fn next(&self, control: &SearchControl) -> io::Result<Option<String>> {
        while !control.is_stopped() {
            match self.0.recv_timeout(STOP_CHECK_INTERVAL) {
                Ok(line) => return line.map(Some),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        Ok(None)
    }
}

/// Sends all lines until the receiver is dropped.
fn send_lines(path: &str, sender: &SyncSender<io::Result<String>>) -> io::Result<()> {
    let input: Box<dyn BufRead> = match path {
        "-" => Box::new(io::stdin().lock()),
        path => Box::new(open_input(Path::new(path))?),
    };
    let mut lines = LineReader::new(input);
    while let Some(line) = lines.next_line()? {
        // The suffix makes a truncated line invalid as a position, whatever was cut off.
        let (bytes, suffix) = match line {
            RawLine::Complete(bytes) => (bytes, ""),
            RawLine::Truncated(bytes) => (bytes, " … (line too long)"),
        };
        let text = String::from_utf8_lossy(bytes).trim().to_owned() + suffix;
        if sender.send(Ok(text)).is_err() {
            break;
        }
    }
    Ok(())
}
