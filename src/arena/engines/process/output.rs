//! The threads that read an engine's output and its standard error.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::flood::{Flood, FloodMeter, OUTPUT_BUDGET, STDERR_BUDGET, line_weight};
use crate::printing::quote;

/// The maximum length of a line in bytes.
const MAX_LINE_LENGTH: usize = 1 << 16;

/// The number of bytes kept of the standard error.
const STDERR_TAIL_LENGTH: usize = 2048;

/// The first words of the lines that an engine may send.
const KNOWN_WORDS: [&str; 10] = [
    "id",
    "option",
    "uciok",
    "ugiok",
    "readyok",
    "info",
    "bestmove",
    "response",
    "copyprotection",
    "registration",
];

/// Returns whether a line is outside the protocols, such as a banner. Empty lines are ignored.
pub(crate) fn is_unknown_line(line: &str) -> bool {
    line.split_whitespace().next().is_some_and(|word| !KNOWN_WORDS.contains(&word))
}

/// A piece of output and the time it was read. Lines read together have the same time.
pub(crate) struct TimedOutput {
    pub(crate) at: Instant,
    pub(crate) output: EngineOutput,
}

pub(crate) enum EngineOutput {
    Line(String),
    /// Not a protocol line; describes it.
    Malformed(String),
    End,
}

/// The end of the standard error, shared with the thread that reads it.
#[derive(Debug, Default)]
pub(crate) struct StderrTail(Mutex<Vec<u8>>);

impl StderrTail {
    fn append(&self, read: &[u8]) {
        let mut bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        bytes.extend_from_slice(read);
        let surplus = bytes.len().saturating_sub(STDERR_TAIL_LENGTH);
        bytes.drain(..surplus);
    }

    /// Returns what was read, if there is any text.
    pub(crate) fn text(&self) -> Option<String> {
        let bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&bytes).trim().to_owned();
        (!text.is_empty()).then_some(text)
    }
}

/// What a process shares with the threads that read its output.
#[derive(Debug, Default)]
pub(crate) struct ReaderControl {
    /// The lines that commands have added to the budget since the reader looked last.
    pub(crate) credit: AtomicU32,
    pub(crate) is_closing: AtomicBool,
}

impl ReaderControl {
    /// Sleeps, unless the process is being killed: then its last output is read at full speed.
    fn sleep(&self, pause: Duration) {
        if !pause.is_zero() && !self.is_closing.load(Ordering::Relaxed) {
            std::thread::sleep(pause);
        }
    }
}

/// A pipe that remembers when it was last read.
struct TimedPipe<R> {
    pipe: R,
    last_read: Instant,
}

impl<R: Read> Read for TimedPipe<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.pipe.read(buffer);
        self.last_read = Instant::now();
        read
    }
}

/// Sends each line of output to the receiver. A line that is too long is reported as soon as it
/// exceeds the limit, since it might never end.
pub(crate) fn read_lines(
    pipe: impl Read,
    to_receive: &SyncSender<TimedOutput>,
    control: &ReaderControl,
) {
    let now = Instant::now();
    let mut pipe = BufReader::new(TimedPipe { pipe, last_read: now });
    let mut meter = FloodMeter::new(OUTPUT_BUDGET, now);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = pipe.by_ref().take(MAX_LINE_LENGTH as u64 + 2).read_until(b'\n', &mut line);
        let is_complete = line.pop_if(|byte| *byte == b'\n').is_some();
        line.pop_if(|byte| *byte == b'\r');
        let output = match std::str::from_utf8(&line) {
            _ if !matches!(read, Ok(1..)) => EngineOutput::End,
            _ if line.len() > MAX_LINE_LENGTH => {
                malformed(&format!("more than {MAX_LINE_LENGTH} bytes"), &line)
            }
            // An incomplete last line is ignored.
            _ if !is_complete => continue,
            Ok(line) => EngineOutput::Line(line.to_owned()),
            Err(_) => malformed("bytes that are not UTF-8", &line),
        };
        let is_end = matches!(output, EngineOutput::End);
        let at = pipe.get_ref().last_read;
        if to_receive.send(TimedOutput { at, output }).is_err() || is_end {
            return;
        }
        let credit = control.credit.swap(0, Ordering::Relaxed);
        match meter.count(line_weight(line.len()), credit, Instant::now()) {
            Ok(pause) => control.sleep(pause),
            Err(Flood(flood)) => {
                let line = quote(&String::from_utf8_lossy(&line));
                return report_flood(to_receive, format!("{flood}, such as {line}"));
            }
        }
    }
}

fn report_flood(to_receive: &SyncSender<TimedOutput>, flood: String) {
    let output = EngineOutput::Malformed(flood);
    // Fails if the receiver is gone.
    let _ = to_receive.send(TimedOutput { at: Instant::now(), output });
}

fn malformed(kind: &str, line: &[u8]) -> EngineOutput {
    EngineOutput::Malformed(format!("a line of {kind}: {}", quote(&String::from_utf8_lossy(line))))
}

/// Keeps the end of the standard error, and appends all of it to a log if there is one.
pub(crate) fn read_stderr(
    mut pipe: impl Read,
    tail: &StderrTail,
    mut log: Option<&mut std::fs::File>,
    to_receive: &SyncSender<TimedOutput>,
    control: &ReaderControl,
) {
    let mut meter = FloodMeter::new(STDERR_BUDGET, Instant::now());
    let mut buffer = [0; 4096];
    loop {
        let read = match pipe.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => &buffer[..read],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        if let Some(file) = &mut log
            && let Err(error) = file.write_all(read)
        {
            tracing::warn!("cannot write an engine's standard error to its log any more: {error}");
            log = None;
        }
        tail.append(read);
        match meter.count(read.len() as f64 / 1024.0, 0, Instant::now()) {
            Ok(pause) => control.sleep(pause),
            Err(Flood(flood)) => {
                report_flood(to_receive, flood);
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_one_read_have_its_time() {
        let (to_receive, received) = std::sync::mpsc::sync_channel(8);
        let pipe = b"3 4\n3 4\n".chain(&b"5 6\n"[..]);
        read_lines(pipe, &to_receive, &ReaderControl::default());
        let times: Vec<Instant> = received.try_iter().map(|output| output.at).collect();
        let [first, second, third, end] = times[..] else { panic!("{times:?}") };
        assert_eq!(first, second);
        assert!(second < third && third < end, "{times:?}");
    }
}
