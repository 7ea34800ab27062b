//! An engine's process: lines in, lines out, and an end whatever it does.
//!
//! Three threads serve a process, so that nobody waits for a pipe: one writes what is said to it,
//! one reads its lines and notes when they came, one keeps the last of its standard error. It runs
//! in a process group of its own: a key pressed in the terminal does not reach it, and its children
//! go when it goes. Imports the setup of an engine, and nothing that knows a protocol but its first
//! words.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::setup::EngineSetup;
use crate::engine::open_for_append;
use crate::rules::quote;

/// How many lines may lie unread before the engine has to wait.
const UNREAD: usize = 256;

/// The longest line that is listened to, in bytes.
const LONGEST: usize = 1 << 16;

/// How much of the standard error is kept.
const LAST_WORDS: usize = 2048;

/// So many lines that no protocol knows, in one wait, are garbage; a banner or a warning is not.
const STRANGE_LINES: usize = 1000;

/// The words that lines of the protocols begin with.
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

/// Whether a line is none of any protocol, as a banner is. An empty one is no matter.
pub(super) fn is_unknown_line(line: &str) -> bool {
    line.split_whitespace().next().is_some_and(|word| !KNOWN_WORDS.contains(&word))
}

/// Why what was waited for did not come.
#[derive(Debug)]
pub(super) enum WaitError {
    /// The time is over.
    Late,
    /// The output has ended.
    Ended,
    /// Something came that is no line of any protocol; what is wrong with it.
    Garbage(String),
    /// Somebody wants to stop.
    Interrupted,
}

/// What came from an engine, and when.
#[derive(Debug)]
struct Heard {
    at: Instant,
    said: Said,
}

/// What came from an engine.
#[derive(Debug)]
enum Said {
    /// A line.
    Line(String),
    /// Something that is no line of any protocol; what is wrong with it.
    Garbage(String),
    /// The end of its output.
    End,
}

/// The end of what was said on the standard error.
#[derive(Debug, Default)]
struct StderrTail {
    kept: Mutex<Kept>,
    ended: Condvar,
}

#[derive(Debug, Default)]
struct Kept {
    bytes: Vec<u8>,
    /// Whether nothing more can come.
    is_all: bool,
}

/// An engine's process.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// What is to be written; closing it closes the engine's input.
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<Heard>,
    stderr: Arc<StderrTail>,
    /// The threads that read what it says; they end when nobody holds its pipes any more.
    readers: Vec<JoinHandle<()>>,
    /// The numbers of those pipes: whoever holds one comes from this engine.
    pipes: Vec<u64>,
    exit: Option<ExitStatus>,
}

impl Process {
    /// Starts an engine.
    pub(super) fn start(setup: &EngineSetup) -> io::Result<Self> {
        let mut command = match setup.is_ourselves() {
            true => Command::new(ourselves()?),
            false => Command::new(&setup.cmd),
        };
        command.args(&setup.args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = &setup.dir {
            command.current_dir(folder);
        }
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut log = setup.stderr.as_deref().map(open_for_append).transpose()?;
        let mut child = command.spawn()?;
        let (input, to_write) = channel::<Vec<u8>>();
        let (to_hear, output) = sync_channel(UNREAD);
        let stderr = Arc::new(StderrTail::default());
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        // From here on the child ends with this, whatever fails.
        let mut process = Self {
            child,
            input: Some(input),
            output,
            stderr: Arc::clone(&stderr),
            readers: Vec::new(),
            pipes: Vec::new(),
            exit: None,
        };
        if let Some(mut pipe) = pipes.0 {
            spawn("engine input", move || {
                for bytes in to_write {
                    if pipe.write_all(&bytes).is_err() {
                        break;
                    }
                }
            })?;
        }
        if let Some(pipe) = pipes.1 {
            process.pipes.extend(pipe_number(&pipe));
            let read = move || read_lines(BufReader::new(pipe), &to_hear);
            process.readers.push(spawn("engine output", read)?);
        }
        if let Some(pipe) = pipes.2 {
            process.pipes.extend(pipe_number(&pipe));
            let keep = move || keep_last(pipe, &stderr, log.as_mut());
            process.readers.push(spawn("engine errors", keep)?);
        }
        Ok(process)
    }

    /// Says a line; an engine that does not listen is found out when it does not answer.
    pub(super) fn send_line(&self, line: &str) {
        tracing::trace!("{} < {line}", self.child.id());
        self.send_bytes(format!("{line}\n").into_bytes());
    }

    /// Says something that need not be a line.
    pub(super) fn send_bytes(&self, bytes: Vec<u8>) {
        if let Some(input) = &self.input {
            let _ = input.send(bytes);
        }
    }

    /// Ends its input.
    pub(super) fn close_input(&mut self) {
        self.input = None;
    }

    /// Listens for so long until `answer` finds one in a line, and tells when that line came.
    /// `answer` sees every line, in order, with the time it came; also the one that came too late,
    /// though it does not count any more.
    ///
    /// # Errors
    /// When no answer comes. An engine that has ended is not buried yet.
    pub(super) fn wait_for<T>(
        &mut self,
        time: Duration,
        stop: &AtomicBool,
        mut answer: impl FnMut(&str, Instant) -> Option<T>,
    ) -> Result<(T, Instant), WaitError> {
        /// So often somebody who wants to stop is looked for.
        const GLANCE: Duration = Duration::from_millis(100);
        let deadline = Instant::now() + time;
        let (mut strange, mut is_gone) = (0, false);
        loop {
            if stop.load(Ordering::Relaxed) {
                return Err(WaitError::Interrupted);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.hear(left.min(GLANCE)) {
                // What lay in the pipe before the deadline was said in time, whenever it is read.
                Some(Heard { at, said }) if at > deadline => {
                    if let Said::Line(line) = said {
                        answer(&line, at);
                    }
                    return Err(WaitError::Late);
                }
                None if left.is_zero() && self.has_exited() => return Err(WaitError::Ended),
                None if left.is_zero() => return Err(WaitError::Late),
                // Its child may hold the pipe open. All it said itself has been heard: it was gone
                // before this silence began.
                None if is_gone => return Err(WaitError::Ended),
                None => is_gone = self.has_exited(),
                Some(Heard { said: Said::End, .. }) => return Err(WaitError::Ended),
                Some(Heard { said: Said::Garbage(what), .. }) => {
                    return Err(WaitError::Garbage(what));
                }
                Some(Heard { said: Said::Line(line), at }) => {
                    if let Some(answer) = answer(&line, at) {
                        return Ok((answer, at));
                    }
                    strange += usize::from(is_unknown_line(&line));
                    if strange > STRANGE_LINES {
                        let what = format!("{strange} lines of no protocol, as {}", quote(&line));
                        return Err(WaitError::Garbage(what));
                    }
                }
            }
        }
    }

    /// What comes next, if it comes in time.
    fn hear(&self, wait: Duration) -> Option<Heard> {
        match self.output.recv_timeout(wait) {
            Ok(heard) => Some(heard),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                Some(Heard { at: Instant::now(), said: Said::End })
            }
        }
    }

    /// The end of what it said on its standard error, if anything. If it has ended, what it said
    /// last may still be on its way.
    pub(super) fn stderr_tail(&self) -> Option<String> {
        const MOMENT: Duration = Duration::from_millis(200);
        let StderrTail { kept, ended } = &*self.stderr;
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        if self.exit.is_some() {
            let waited = ended.wait_timeout_while(kept, MOMENT, |kept| !kept.is_all);
            kept = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        let words = String::from_utf8_lossy(&kept.bytes).trim().to_owned();
        (!words.is_empty()).then_some(words)
    }

    /// Lets it go: it is told to, its input is closed, and it has so long. Whether it went.
    pub(super) fn quit(mut self, patience: Duration, stop: &AtomicBool) -> bool {
        self.send_line("quit");
        self.close_input();
        self.exits_within(patience, stop)
    }

    /// Whether it ends by itself in so long, or in a moment when somebody wants to stop. What it
    /// still says is not listened to.
    pub(super) fn exits_within(&mut self, patience: Duration, stop: &AtomicBool) -> bool {
        const MOMENT: Duration = Duration::from_millis(500);
        /// An exit may not show in the output: something else may hold the pipe.
        const GLANCE: Duration = Duration::from_millis(20);
        let mut deadline = Instant::now() + patience;
        let (mut silent, mut hurried) = (false, false);
        loop {
            if self.has_exited() {
                return true;
            }
            if stop.load(Ordering::Relaxed) && !hurried {
                deadline = deadline.min(Instant::now() + MOMENT);
                hurried = true;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            if silent {
                std::thread::sleep(left.min(Duration::from_millis(1)));
            } else {
                let heard = self.hear(left.min(GLANCE));
                silent = matches!(heard, Some(Heard { said: Said::End, .. }));
            }
        }
    }

    /// Whether the process has ended. It is not buried yet, so that its group keeps its number.
    pub(super) fn has_exited(&mut self) -> bool {
        #[cfg(unix)]
        {
            use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            let id = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
            id.is_none_or(|id| !matches!(waitid(WaitId::Pid(id), options), Ok(None)))
        }
        #[cfg(not(unix))]
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Ends it and all its children, and tells how it ended: by itself, if it had.
    fn end(&mut self) -> Option<ExitStatus> {
        if self.exit.is_none() {
            self.input = None;
            #[cfg(unix)]
            if let Some(group) =
                i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw)
            {
                // It may be gone, then there is nobody to kill.
                let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
            }
            let _ = self.child.kill();
            self.exit = self.child.wait().ok();
            self.sweep();
        }
        self.exit
    }

    /// Ends what still holds the pipes of a process that has ended: without that, two threads would
    /// wait for it for ever.
    fn sweep(&self) {
        const MOMENT: Duration = Duration::from_millis(100);
        let deadline = Instant::now() + MOMENT;
        let all_done = || self.readers.iter().all(JoinHandle::is_finished);
        while !all_done() && Instant::now() < deadline {
            // A reader may be waiting for room among what was not heard.
            while self.output.try_recv().is_ok() {}
            std::thread::sleep(Duration::from_micros(200));
        }
        if !all_done() {
            kill_holders(&self.pipes);
        }
    }

    /// After the end of its output: tells that it has ended, and how. It is given a moment to end
    /// by itself, so that the way it ended is its own.
    pub(super) fn exit_reason(&mut self) -> String {
        const MOMENT: Duration = Duration::from_millis(200);
        let deadline = Instant::now() + MOMENT;
        while !self.has_exited() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(1));
        }
        let is_its_own = self.has_exited();
        match self.end() {
            Some(status) if is_its_own => format!("has ended ({status})"),
            _ => "has closed its output".to_owned(),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// The path of this very program. Where the system can tell, it stays this one even if the file is
/// replaced during a long match.
fn ourselves() -> io::Result<PathBuf> {
    const RUNNING: &str = "/proc/self/exe";
    if Path::new(RUNNING).exists() { Ok(RUNNING.into()) } else { std::env::current_exe() }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    std::thread::Builder::new().name(name.to_owned()).spawn(work)
}

/// The number by which the system knows a pipe, at either end.
#[cfg(unix)]
fn pipe_number(pipe: &impl std::os::fd::AsFd) -> Option<u64> {
    rustix::fs::fstat(pipe).ok().map(|stat| stat.st_ino)
}

#[cfg(not(unix))]
fn pipe_number<T>(_: &T) -> Option<u64> {
    None
}

/// Kills all other processes that hold one of these pipes: what an engine has started and sent out
/// of its group. Where the system does not tell who holds what, none is found.
fn kill_holders(pipes: &[u64]) {
    /// An engine that is just being started holds all that we do, for a moment.
    const MOMENT: Duration = Duration::from_millis(20);
    let first = holders(pipes);
    if first.is_empty() {
        return;
    }
    std::thread::sleep(MOMENT);
    for id in holders(pipes).into_iter().filter(|id| first.contains(id)) {
        tracing::debug!("killing {id}, which an engine has left behind");
        #[cfg(unix)]
        if let Some(id) = rustix::process::Pid::from_raw(id) {
            // It may be gone already.
            let _ = rustix::process::kill_process(id, rustix::process::Signal::KILL);
        }
    }
}

/// The processes but this one that hold one of these pipes.
fn holders(pipes: &[u64]) -> Vec<i32> {
    let own = i32::try_from(std::process::id()).ok();
    let wanted: Vec<PathBuf> = pipes.iter().map(|pipe| format!("pipe:[{pipe}]").into()).collect();
    let holds = |folder: &Path| {
        let links = std::fs::read_dir(folder.join("fd")).into_iter().flatten().flatten();
        links.flat_map(|link| std::fs::read_link(link.path())).any(|to| wanted.contains(&to))
    };
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbered = entries.filter_map(|entry| {
        let id = entry.file_name().to_str()?.parse().ok()?;
        (Some(id) != own && holds(&entry.path())).then_some(id)
    });
    numbered.collect()
}

/// Hands over line after line. A line without end is garbage as soon as it is too long: it need
/// not ever end.
fn read_lines(mut pipe: impl BufRead, to_hear: &SyncSender<Heard>) {
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = pipe.by_ref().take(LONGEST as u64 + 2).read_until(b'\n', &mut line);
        let whole = line.pop_if(|byte| *byte == b'\n').is_some();
        line.pop_if(|byte| *byte == b'\r');
        let said = match std::str::from_utf8(&line) {
            _ if !matches!(read, Ok(1..)) => Said::End,
            _ if line.len() > LONGEST => garbage(&format!("more than {LONGEST} bytes"), &line),
            // The end of the output may cut a line off; what is left of it says nothing.
            _ if !whole => continue,
            Ok(line) => Said::Line(line.to_owned()),
            Err(_) => garbage("bytes that are not UTF-8", &line),
        };
        let ends = matches!(said, Said::End);
        if to_hear.send(Heard { at: Instant::now(), said }).is_err() || ends {
            return;
        }
    }
}

fn garbage(what: &str, line: &[u8]) -> Said {
    Said::Garbage(format!("a line of {what}: {}", quote(&String::from_utf8_lossy(line))))
}

/// Keeps the last of what comes, and all of it in a file if there is one.
fn keep_last(mut pipe: impl Read, words: &StderrTail, mut log: Option<&mut std::fs::File>) {
    let kept = || words.kept.lock().unwrap_or_else(PoisonError::into_inner);
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
            tracing::warn!("the standard error of an engine cannot be kept any more: {error}");
            log = None;
        }
        let bytes = &mut kept().bytes;
        bytes.extend_from_slice(read);
        let surplus = bytes.len().saturating_sub(LAST_WORDS);
        bytes.drain(..surplus);
    }
    kept().is_all = true;
    words.ended.notify_all();
}
