//! Finds the likely reason for a failed handshake.

use std::io;
use std::path::Path;
use std::process::ExitStatus;
use std::time::Duration;

use super::context::{CheckContext, StepOutcome};
use crate::arena::setup::EngineSetup;
use crate::printing::quote;

/// Explains why a program does not start.
pub(super) fn explain_start_error(engine: &EngineSetup, error: &io::Error) -> String {
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

/// Explains why an engine did not complete the handshake, given the lines it printed. Restarts it
/// to try the other protocol.
///
/// # Errors
/// Fails if the check is interrupted.
pub(super) fn explain_silence(
    context: &mut CheckContext<'_>,
    lines: &[String],
) -> StepOutcome<String> {
    let answer = context.by_protocol("uciok", "ugiok");
    let [other, command, other_answer] =
        context.by_protocol(["ugi", "ugi", "ugiok"], ["uci", "uci", "uciok"]);
    // Closing the input ends the engine, so its exit is examined first.
    let exit = context.exit_status();
    let is_buffered = lines.iter().all(|line| line.trim_end() != other_answer)
        && exit.is_none()
        && answers_at_end_of_input(context, answer)?;
    let stderr = context.stderr_tail();
    let speaks_other = !is_buffered
        && (lines.iter().any(|line| line.trim_end() == other_answer)
            || context.probe_handshake(command, other_answer)?);
    if speaks_other {
        return Ok(format!("speaks {}: try proto={other}", other.to_uppercase()));
    }
    if is_buffered {
        let reason = "answers only at the end of its input: flush the output after each line";
        return Ok(reason.to_owned());
    }
    let mut reason = match (exit, lines.iter().rev().find(|line| *line != "readyok")) {
        (Some(status), _) => exit_cause(status),
        (None, Some(line)) => format!("prints {} instead of {answer}", quote(line)),
        (None, None) if lines.is_empty() => {
            "prints nothing: speaks neither UCI nor UGI, or waits for something else".to_owned()
        }
        (None, None) => format!("answers isready, but not {}", context.handshake_command()),
    };
    if let Some(line) = stderr.as_deref().and_then(|text| text.lines().next_back()) {
        reason.push_str(&format!("; last line on stderr: {}", quote(line.trim())));
    }
    Ok(reason)
}

/// Closes the engine's input; returns whether the missing answer was only in its output buffer.
fn answers_at_end_of_input(context: &mut CheckContext<'_>, answer: &str) -> StepOutcome<bool> {
    const WAIT: Duration = Duration::from_millis(500);
    context.close_input();
    context.finds_line(WAIT, answer)
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
