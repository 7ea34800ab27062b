//! Test helpers: temporary folders, running the program, and a client that drives the engine in memory
//! or as a process. Every wait has a timeout.
// Every test file includes this module and uses a part of it.
#![allow(dead_code, unreachable_pub)]

#[cfg(unix)]
pub mod terminal;

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::LazyLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use zermelo::engine::{self, SessionConfig};

/// The path of the program.
pub const ZERMELO: &str = env!("CARGO_BIN_EXE_zermelo");

/// The `cmd=` setting that starts the fake engine, whose `args=` choose its role and fault: tests/fake_engine.rs.
pub fn fake_command() -> &'static str {
    static COMMAND: LazyLock<String> = LazyLock::new(|| {
        format!("cmd={}", with_slashes(&example("fake-engine", "fake_engine.rs")))
    });
    &COMMAND
}

/// The path of a program that the tests start, by its name and its file in `tests`.
pub fn example(name: &str, file: &str) -> PathBuf {
    let path = PathBuf::from(ZERMELO).with_file_name("examples");
    let path = path.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let modified = |path: &Path| fs::metadata(path).and_then(|found| found.modified()).ok();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(file);
    let is_current = modified(&path).is_some_and(|built| Some(built) >= modified(&source));
    assert!(is_current, "build it first: cargo build --example {name}");
    path
}

/// Whether a program that a test needs is installed. If not, a line says so and the test passes, except where `CI` is set.
pub fn is_installed(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let found = command.status().is_ok_and(|status| status.success());
    if !found {
        assert!(std::env::var_os("CI").is_none(), "{program} is not installed");
        // The test harness hides what the print macros write.
        let _ = writeln!(
            io::stderr(),
            "skipped: {program} is not installed; scripts/check full runs every test"
        );
    }
    found
}

/// How the end of an engine by `abort` and by an exit code is described.
pub const ABORT: &str = if cfg!(windows) { "exit code: 0xc0000409" } else { "SIGABRT" };
pub const EXIT_1: &str = if cfg!(windows) { "exit code: 1" } else { "exit status: 1" };
pub const EXIT_3: &str = if cfg!(windows) { "exit code: 3" } else { "exit status: 3" };

/// Why a text file does not start as an engine.
pub const NO_PROGRAM: &str =
    if cfg!(windows) { "not a program for Windows" } else { "not executable: try chmod +x" };

/// A path that exists but is not a regular file: an endless device, or on Windows a folder.
pub const NO_FILE: &str = if cfg!(windows) { "C:/" } else { "/dev/zero" };

/// A temporary folder, removed when dropped.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("zermelo-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The path of a file as an argument, with the slashes that every system takes and no shell changes.
    pub fn path(&self, name: &str) -> String {
        with_slashes(&self.file(name))
    }

    /// Another path of the same file.
    pub fn alias(&self, name: &str) -> String {
        let own_name = self.0.file_name().unwrap();
        with_slashes(&self.0.join("..").join(own_name).join(name))
    }
}

/// A path with `/` between its parts on every system.
pub fn with_slashes(path: &Path) -> String {
    let text = path.to_str().unwrap();
    if cfg!(windows) { text.replace('\\', "/") } else { text.to_owned() }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Starts the program with piped stdin, stdout and stderr.
pub fn start_program(arguments: &[&str]) -> Child {
    let mut command = Command::new(ZERMELO);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Runs the program to its end. The input is written from another thread, so that a long input cannot
/// deadlock.
pub fn run_program(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = start_program(arguments);
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // Fails if the program ends before reading everything.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = wait_with_timeout(child).unwrap_or_else(|| panic!("{arguments:?} timed out"));
    writer.join().unwrap();
    output
}

/// Waits for a program and returns its output; `None` if it does not end in time.
pub fn wait_with_timeout(child: Child) -> Option<Output> {
    let (sender, output) = channel();
    std::thread::spawn(move || sender.send(child.wait_with_output().unwrap()));
    output.recv_timeout(10 * TIMEOUT).ok()
}

pub fn lines(bytes: &[u8]) -> Vec<&str> {
    std::str::from_utf8(bytes).unwrap().lines().collect()
}

pub fn is_running(process: u32) -> bool {
    let id = sysinfo::Pid::from_u32(process);
    let found = sysinfo::ProcessesToUpdate::Some(&[id]);
    sysinfo::System::new().refresh_processes(found, true) == 1
}

/// Reads the memory of a process in KiB: `VmRSS` is the current size, `VmHWM` the peak.
#[cfg(target_os = "linux")]
pub fn memory_kib(child: &Child, field: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find(|line| line.starts_with(field))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// How much of a test to run, which the nightly check raises.
pub fn number_from_env(variable: &str, default: u64) -> u64 {
    std::env::var(variable).map_or(default, |text| text.parse().expect(variable))
}

/// Longer than anything takes in the tests unless something is wrong.
pub const TIMEOUT: Duration = Duration::from_secs(30);

/// The input of the engine; dropping it is the end of input.
pub enum Input {
    Memory(Sender<Vec<u8>>),
    Process(std::process::ChildStdin),
}

pub struct Client {
    input: Option<Input>,
    lines: Receiver<String>,
    engine: Option<JoinHandle<()>>,
    child: Option<Child>,
}

/// The reading end of an in-memory pipe.
struct ChannelReader {
    chunks: Receiver<Vec<u8>>,
    rest: Vec<u8>,
}

impl Read for ChannelReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            self.rest = self.chunks.recv().unwrap_or_default();
        }
        let count = self.rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.rest[..count]);
        self.rest.drain(..count);
        Ok(count)
    }
}

struct ChannelWriter {
    lines: Sender<String>,
    partial: Vec<u8>,
}

impl Write for ChannelWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for byte in bytes {
            match byte {
                b'\n' => {
                    let line = String::from_utf8(std::mem::take(&mut self.partial)).unwrap();
                    self.lines.send(line).map_err(|_| io::ErrorKind::BrokenPipe)?;
                }
                byte => self.partial.push(*byte),
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Client {
    /// Starts the engine in this process.
    pub fn in_memory() -> Self {
        let (to_engine, chunks) = channel();
        let (lines, from_engine) = channel();
        let engine = std::thread::spawn(move || {
            let output =
                engine::ClientOutput::new(ChannelWriter { lines, partial: Vec::new() }, |_| {});
            let input = BufReader::new(ChannelReader { chunks, rest: Vec::new() });
            engine::run(input, &output, &SessionConfig::default()).unwrap();
        });
        Self {
            input: Some(Input::Memory(to_engine)),
            lines: from_engine,
            engine: Some(engine),
            child: None,
        }
    }

    /// Starts the program.
    pub fn process(arguments: &[&str]) -> Self {
        Self::from_command(Command::new(ZERMELO).args(arguments))
    }

    /// Starts the program by a prepared command.
    pub fn from_command(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let stdout = child.stdout.take().unwrap();
        let (lines, from_engine) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if lines.send(line).is_err() {
                    break;
                }
            }
        });
        Self {
            input: child.stdin.take().map(Input::Process),
            lines: from_engine,
            engine: None,
            child: Some(child),
        }
    }

    /// The current memory of the program, in KiB.
    #[cfg(target_os = "linux")]
    pub fn memory(&self) -> u64 {
        self.child.as_ref().and_then(|child| memory_kib(child, "VmRSS")).expect("a process")
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        match &mut self.input {
            // Sending to an engine that has quit fails; the test notices by the missing answer.
            Some(Input::Memory(sender)) => drop(sender.send(bytes.to_vec())),
            Some(Input::Process(stdin)) => drop(stdin.write_all(bytes)),
            None => panic!("the input is closed"),
        }
    }

    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Reads the next line.
    pub fn line(&self) -> String {
        match self.lines.recv_timeout(TIMEOUT) {
            Ok(line) => line,
            Err(error) => panic!("no line from the engine: {error}"),
        }
    }

    /// Reads lines up to and including the first that starts with `start`.
    pub fn until(&self, start: &str) -> Vec<String> {
        let mut lines = vec![self.line()];
        while !lines[lines.len() - 1].starts_with(start) {
            lines.push(self.line());
        }
        lines
    }

    /// Sends a command and `isready`; returns the lines before `readyok`.
    pub fn ask(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Sends a command that must be answered by exactly one line; returns that line.
    pub fn ask_one(&mut self, line: &str) -> String {
        let lines = self.ask(line);
        assert_eq!(lines.len(), 1, "{line}: {lines:?}");
        lines[0].clone()
    }

    /// Sends `go …` and returns the lines up to `bestmove`.
    pub fn go(&mut self, arguments: &str) -> Vec<String> {
        self.send(&format!("go {arguments}"));
        self.until("bestmove")
    }

    /// Whether the engine sends nothing for `time`.
    pub fn is_silent_for(&self, time: Duration) -> bool {
        matches!(self.lines.recv_timeout(time), Err(RecvTimeoutError::Timeout))
    }

    pub fn close(&mut self) {
        self.input = None;
    }

    /// Closes the input, waits for the engine to end and returns the remaining lines.
    pub fn finish(mut self) -> Vec<String> {
        self.close();
        let mut lines = Vec::new();
        let deadline = Instant::now() + TIMEOUT;
        loop {
            match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("the engine did not end in time"),
            }
        }
        if let Some(engine) = self.engine.take() {
            engine.join().unwrap();
        }
        if let Some(child) = &mut self.child {
            assert!(child.wait().unwrap().success());
        }
        lines
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.input = None;
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

pub fn number_after(line: &str, word: &str) -> i64 {
    let mut words = line.split_whitespace();
    words.find(|candidate| *candidate == word).unwrap_or_else(|| panic!("no {word} in {line}"));
    words.next().and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{line}"))
}
