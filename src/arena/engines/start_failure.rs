//! Finds the likely reason why an engine does not start or does not complete its handshake.

use std::fmt;
use std::io;
use std::path::Path;
use std::process::ExitStatus;
use std::time::Duration;

use super::setup::EngineSetup;
use crate::printing::quote;
use crate::protocol::reply::Dialect;

/// Explains why a program does not start.
pub(crate) fn explain_start_error(engine: &EngineSetup, error: &io::Error) -> String {
    /// Unix error number of a file that the system cannot execute.
    const EXEC_FORMAT_ERROR: i32 = 8;
    let path = Path::new(engine.dir.as_deref().unwrap_or(".")).join(&engine.cmd);
    let is_path = engine.cmd.contains(std::path::is_separator);
    match error.kind() {
        io::ErrorKind::NotFound if !is_path => "no such program on the PATH".to_owned(),
        io::ErrorKind::NotFound if path.is_file() => {
            "the interpreter or loader that the file names does not exist".to_owned()
        }
        io::ErrorKind::NotFound => "no such file".to_owned(),
        io::ErrorKind::PermissionDenied if path.is_dir() => "a folder, not a program".to_owned(),
        io::ErrorKind::PermissionDenied => "not executable: try chmod +x".to_owned(),
        _ if cfg!(unix) && error.raw_os_error() == Some(EXEC_FORMAT_ERROR) => {
            "neither a program for this machine nor a script that starts with #!".to_owned()
        }
        _ => error.to_string(),
    }
}

/// Experiments with an engine that did not complete its handshake.
pub(crate) trait HandshakeProbe {
    /// Why an experiment is cut short.
    type Error;

    /// Returns the engine's exit status, if it exited on its own.
    fn exit_status(&self) -> Option<ExitStatus>;

    /// Returns the end of the engine's standard error, if there is any.
    fn stderr_tail(&self) -> Option<String>;

    /// Closes the engine's input; returns whether it then prints this line in time.
    fn answers_at_end_of_input(
        &mut self,
        time: Duration,
        answer: &str,
    ) -> Result<bool, Self::Error>;

    /// Starts a new engine process; returns whether it answers this handshake in time.
    fn answers_handshake(
        &mut self,
        time: Duration,
        command: &str,
        answer: &str,
    ) -> Result<bool, Self::Error>;
}

/// Why an engine did not complete the handshake.
#[derive(Debug)]
pub(crate) enum SilenceCause {
    /// It speaks the other protocol.
    SpeaksOther(Dialect),
    /// It does not flush its output.
    Buffers,
    /// It exited.
    Exits(ExitStatus),
    /// It prints something else.
    Prints {
        /// The last line.
        line: String,
        /// The line that ends the handshake.
        expected: &'static str,
    },
    /// It answers `isready`, but not this handshake.
    OnlyReady(&'static str),
    /// It prints nothing.
    Silent,
}

/// The likely reason for an incomplete handshake.
#[derive(Debug)]
pub(crate) struct HandshakeFailure {
    pub(crate) cause: SilenceCause,
    /// The last line on standard error, if there is one.
    last_error: Option<String>,
}

/// Finds out why an engine did not complete the handshake, given the lines it printed. Restarts it
/// to try the other protocol.
///
/// # Errors
/// Fails if an experiment is cut short.
pub(crate) fn explain_silence<P: HandshakeProbe>(
    dialect: Dialect,
    lines: &[String],
    probe: &mut P,
) -> Result<HandshakeFailure, P::Error> {
    const WAIT_AT_END: Duration = Duration::from_millis(500);
    const WAIT_FOR_OTHER: Duration = Duration::from_secs(2);
    let other = match dialect {
        Dialect::Uci => Dialect::Ugi,
        Dialect::Ugi => Dialect::Uci,
    };
    let has_printed = |answer: &str| lines.iter().any(|line| line.trim_end() == answer);
    // Closing the input ends the engine, so its exit is examined first.
    let exit = probe.exit_status();
    let buffers = !has_printed(other.handshake_answer())
        && exit.is_none()
        && probe.answers_at_end_of_input(WAIT_AT_END, dialect.handshake_answer())?;
    let stderr = probe.stderr_tail();
    let last_error = stderr.and_then(|text| text.lines().next_back().map(str::to_owned));
    let speaks_other = !buffers
        && (has_printed(other.handshake_answer())
            || probe.answers_handshake(
                WAIT_FOR_OTHER,
                other.handshake_command(),
                other.handshake_answer(),
            )?);
    let cause = match (exit, lines.iter().rev().find(|line| *line != "readyok")) {
        _ if buffers => SilenceCause::Buffers,
        _ if speaks_other => SilenceCause::SpeaksOther(other),
        (Some(status), _) => SilenceCause::Exits(status),
        (None, Some(line)) => {
            SilenceCause::Prints { line: line.clone(), expected: dialect.handshake_answer() }
        }
        (None, None) if lines.is_empty() => SilenceCause::Silent,
        (None, None) => SilenceCause::OnlyReady(dialect.handshake_command()),
    };
    Ok(HandshakeFailure { cause, last_error })
}

/// The cause, and the last line on standard error where that may explain it.
impl fmt::Display for HandshakeFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cause.fmt(f)?;
        match (&self.cause, &self.last_error) {
            (SilenceCause::SpeaksOther(_) | SilenceCause::Buffers, _) | (_, None) => Ok(()),
            (_, Some(line)) => write!(f, "; last line on stderr: {}", quote(line.trim())),
        }
    }
}

impl fmt::Display for SilenceCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SpeaksOther(other) => {
                let name = other.handshake_command();
                write!(f, "speaks {}: try proto={name}", name.to_uppercase())
            }
            Self::Buffers => f.write_str(
                "answers only at the end of its input: flush the output after each line",
            ),
            Self::Exits(status) => f.write_str(&exit_cause(*status)),
            Self::Prints { line, expected } => {
                write!(f, "prints {} instead of {expected}", quote(line))
            }
            Self::OnlyReady(command) => write!(f, "answers isready, but not {command}"),
            Self::Silent => f.write_str(
                "prints nothing: speaks neither UCI nor UGI, or waits for something else",
            ),
        }
    }
}

fn exit_cause(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("killed by signal {signal}");
    }
    match status.code() {
        Some(code) => format!("exited with code {code}"),
        None => status.to_string(),
    }
}
