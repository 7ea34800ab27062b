//! The process of an engine: sends and receives lines, and always ends the process.
//!
//! Three threads per process keep the pipes from blocking: one writes its input, one reads and
//! timestamps its output, one keeps the end of its standard error. The process runs in its own
//! process group, so that keys pressed in the terminal do not reach it and its children are killed
//! with it; on Windows a job ends the children.

mod flood;
mod orphans;
mod output;
mod wait;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::engine_setup::{EngineSetup, SELF_COMMAND};
use crate::engine::open_for_append;
use flood::command_credit;
use orphans::{kill_holders, pipe_inode};
pub(crate) use output::is_unknown_line;
use output::{EngineOutput, ReaderControl, StderrTail, TimedOutput, read_lines, read_stderr};
pub(crate) use wait::OutputWait;

/// The number of unread lines after which the engine's output blocks.
const MAX_UNREAD_LINES: usize = 256;

/// Interval between checks of the stop flag and of the process.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(100);

pub(crate) enum WaitError {
    Timeout,
    Closed,
    /// The output is not a protocol line; describes it.
    Malformed(String),
    /// The stop flag was set.
    Interrupted,
}

pub(crate) struct Process {
    child: Child,
    /// Bytes to write; dropping the sender closes the engine's input.
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<TimedOutput>,
    stderr: Arc<StderrTail>,
    control: Arc<ReaderControl>,
    /// The threads that read its pipes; they end when no process holds the pipes any more.
    readers: Vec<JoinHandle<()>>,
    /// The inodes of those pipes; every process that holds one descends from this engine.
    pipes: Vec<u64>,
    exit: Option<ExitStatus>,
    /// The same, unless the process had to be killed.
    own_exit: Option<ExitStatus>,
    /// Holds the process and its children; all end when it is dropped.
    #[cfg(windows)]
    job: Option<win32job::Job>,
    /// Interrupts every wait when set.
    stop: Arc<AtomicBool>,
}

impl Process {
    /// Starts an engine; `stop` interrupts every wait when set.
    pub(crate) fn start(setup: &EngineSetup, stop: Arc<AtomicBool>) -> io::Result<Self> {
        let program =
            if setup.cmd == SELF_COMMAND { this_program()? } else { setup.cmd.clone().into() };
        let mut command = Command::new(program);
        command.args(&setup.args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = &setup.dir {
            command.current_dir(folder);
        }
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        #[cfg(windows)]
        std::os::windows::process::CommandExt::creation_flags(&mut command, NEW_PROCESS_GROUP);
        let mut log = setup.stderr.as_deref().map(open_for_append).transpose()?;
        #[cfg(windows)]
        let job = new_job()?;
        let mut child = command.spawn()?;
        let (input, to_write) = channel::<Vec<u8>>();
        let (to_receive, output) = sync_channel(MAX_UNREAD_LINES);
        let stderr = Arc::new(StderrTail::default());
        let control = Arc::new(ReaderControl::default());
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        // From here on the child is killed if anything fails.
        let mut process = Self {
            child,
            input: Some(input),
            output,
            stderr: Arc::clone(&stderr),
            control: Arc::clone(&control),
            readers: Vec::new(),
            pipes: Vec::new(),
            exit: None,
            own_exit: None,
            #[cfg(windows)]
            job: Some(job),
            stop,
        };
        #[cfg(windows)]
        process.join_job()?;
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
            process.pipes.extend(pipe_inode(&pipe));
            let (to_receive, control) = (to_receive.clone(), Arc::clone(&control));
            let read = move || read_lines(pipe, &to_receive, &control);
            process.readers.push(spawn("engine output", read)?);
        }
        if let Some(pipe) = pipes.2 {
            process.pipes.extend(pipe_inode(&pipe));
            let keep = move || read_stderr(pipe, &stderr, log.as_mut(), &to_receive, &control);
            process.readers.push(spawn("engine errors", keep)?);
        }
        Ok(process)
    }

    #[cfg(windows)]
    fn join_job(&self) -> io::Result<()> {
        let handle = std::os::windows::io::AsRawHandle::as_raw_handle(&self.child) as isize;
        let job = self.job.as_ref().map(|job| job.assign_process(handle));
        job.transpose().map(drop).map_err(io::Error::other)
    }

    /// Sends a line. A broken pipe is ignored: the engine will not answer.
    pub(crate) fn send_line(&self, line: &str) {
        tracing::trace!("{} < {line}", self.child.id());
        self.send_bytes(format!("{line}\n").into_bytes());
    }

    /// Sends bytes, which need not be a line.
    pub(crate) fn send_bytes(&self, bytes: Vec<u8>) {
        if let Some(input) = &self.input {
            self.control.credit.fetch_add(command_credit(&bytes), Ordering::Relaxed);
            let _ = input.send(bytes);
        }
    }

    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    /// Waits for at most `time` until `parse` accepts a line, as [`Process::poll`] does.
    /// Fails if no line is accepted, or the stop flag is set.
    pub(crate) fn wait_for<T>(
        &mut self,
        time: Duration,
        mut parse: impl FnMut(&str, Instant) -> Option<T>,
    ) -> Result<(T, Instant), WaitError> {
        let mut wait = OutputWait::new(time);
        while !self.stop.load(Ordering::Relaxed) {
            if let Some(found) = self.poll(&mut wait, POLL_INTERVAL, &mut parse)? {
                return Ok(found);
            }
        }
        Err(WaitError::Interrupted)
    }

    fn receive(&self, wait: Duration) -> Option<TimedOutput> {
        match self.output.recv_timeout(wait) {
            Ok(output) => Some(output),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                Some(TimedOutput { at: Instant::now(), output: EngineOutput::End })
            }
        }
    }

    /// Returns the end of the standard error, if there is any. After the process has exited, waits
    /// a moment for the rest to be read.
    pub(crate) fn stderr_tail(&self) -> Option<String> {
        if self.exit.is_some() {
            self.wait_for_readers(Duration::from_millis(200));
        }
        self.stderr.text()
    }

    /// Returns whether the process exits within `timeout`, which is cut short when the stop flag is
    /// set. Output is discarded.
    pub(crate) fn exits_within(&mut self, timeout: Duration) -> bool {
        const STOP_TIMEOUT: Duration = Duration::from_millis(500);
        /// Interval between checks for an exit: the output may stay open in another process.
        const EXIT_POLL_INTERVAL: Duration = Duration::from_millis(20);
        let mut deadline = Instant::now() + timeout;
        let (mut is_closed, mut is_stopping) = (false, false);
        loop {
            if self.has_exited() {
                return true;
            }
            if self.stop.load(Ordering::Relaxed) && !is_stopping {
                deadline = deadline.min(Instant::now() + STOP_TIMEOUT);
                is_stopping = true;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            if is_closed {
                std::thread::sleep(left.min(Duration::from_millis(1)));
            } else {
                let output = self.receive(left.min(EXIT_POLL_INTERVAL));
                is_closed = matches!(output, Some(TimedOutput { output: EngineOutput::End, .. }));
            }
        }
    }

    /// Returns whether the process has exited. It is not reaped, so that its process group id stays
    /// valid.
    pub(crate) fn has_exited(&mut self) -> bool {
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

    /// Kills the process, its children and all others that hold its pipes; returns its exit status,
    /// which is its own if it had exited.
    fn kill(&mut self) -> Option<ExitStatus> {
        if self.exit.is_none() {
            self.input = None;
            self.control.is_closing.store(true, Ordering::Relaxed);
            #[cfg(unix)]
            if let Some(group) =
                i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw)
            {
                // Fails if the group does not exist any more.
                let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
            }
            #[cfg(windows)]
            drop(self.job.take());
            let _ = self.child.kill();
            self.exit = self.child.wait().ok();
            // Otherwise the reader threads would never end.
            if !self.wait_for_readers(Duration::from_millis(100)) {
                kill_holders(&self.pipes);
            }
        }
        self.exit
    }

    /// Waits until all output has been read; returns whether it has within `time`.
    fn wait_for_readers(&self, time: Duration) -> bool {
        let deadline = Instant::now() + time;
        loop {
            if self.readers.iter().all(JoinHandle::is_finished) {
                return true;
            }
            if Instant::now() >= deadline {
                return false;
            }
            // A reader may be blocked because the channel is full.
            while self.output.try_recv().is_ok() {}
            std::thread::sleep(Duration::from_micros(200));
        }
    }

    /// Describes how the process ended, after the end of its output. It gets a moment to exit, so
    /// that the status is its own.
    pub(crate) fn exit_reason(&mut self) -> String {
        const GRACE: Duration = Duration::from_millis(200);
        let deadline = Instant::now() + GRACE;
        if self.exit.is_none() {
            while !self.has_exited() && Instant::now() < deadline {
                std::thread::sleep(Duration::from_millis(1));
            }
            let has_exited = self.has_exited();
            self.own_exit = self.kill().filter(|_| has_exited);
        }
        match self.own_exit {
            Some(status) => format!("exited unexpectedly ({status})"),
            None => "closed its output".to_owned(),
        }
    }

    /// Returns the status with which the process exited on its own, once its end was noticed.
    pub(crate) fn own_exit(&self) -> Option<ExitStatus> {
        self.own_exit
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Returns the path of the running program. On Linux a file that was replaced during a match, which has no
/// name any more, still runs by the other path.
fn this_program() -> io::Result<PathBuf> {
    let program = std::env::current_exe()?;
    Ok(if program.exists() { program } else { "/proc/self/exe".into() })
}

/// Windows: keys pressed in the terminal do not reach a process with this flag.
#[cfg(windows)]
const NEW_PROCESS_GROUP: u32 = 0x200;

/// Creates the job of an engine, which ends all its processes.
#[cfg(windows)]
fn new_job() -> io::Result<win32job::Job> {
    let mut limits = win32job::ExtendedLimitInfo::new();
    limits.limit_kill_on_job_close();
    win32job::Job::create_with_limit_info(&limits).map_err(io::Error::other)
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    std::thread::Builder::new().name(name.to_owned()).spawn(work)
}
