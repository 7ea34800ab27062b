//! Finds the likely reason why an engine does not start or does not complete its handshake.

use std::io;
use std::path::{MAIN_SEPARATOR, Path};
use std::process::ExitStatus;
use std::time::Duration;

use super::engine_setup::EngineSetup;
use super::process::Process;
use crate::printing::quote;
use crate::protocol::reply::Dialect;

/// Explains why a program does not start.
pub(crate) fn explain_start_error(engine: &EngineSetup, error: &io::Error) -> String {
    /// Unix error number of a file that the system cannot execute.
    const EXEC_FORMAT_ERROR: i32 = 8;
    /// Windows error number of such a file.
    const BAD_EXE_FORMAT: i32 = 193;
    let path = Path::new(engine.dir.as_deref().unwrap_or(".")).join(&engine.cmd);
    let is_path = engine.cmd.contains(std::path::is_separator);
    if let Some(script) = batch_file(engine, &path) {
        return format!("no {}.exe: try cmd={script}", engine.cmd);
    }
    match error.kind() {
        _ if is_path && path.is_dir() => "a folder, not a program".to_owned(),
        // The blank may belong to the path.
        io::ErrorKind::NotFound if engine.args.first().is_some_and(|word| !word.starts_with('-')) => {
            let (cmd, first) = (&engine.cmd, &engine.args[0]);
            format!(
                "no program {}; a path with blanks is quoted: cmd='\"{cmd} {first}\"'",
                quote(cmd)
            )
        }
        io::ErrorKind::NotFound if !is_path && path.is_file() => {
            format!("no such program on the PATH: try cmd=.{MAIN_SEPARATOR}{}", engine.cmd)
        }
        io::ErrorKind::NotFound if !is_path => "no such program on the PATH".to_owned(),
        io::ErrorKind::NotFound if path.is_file() => {
            "the interpreter or loader that the file names does not exist".to_owned()
        }
        io::ErrorKind::NotFound => "no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "not executable: try chmod +x".to_owned(),
        _ if cfg!(unix) && error.raw_os_error() == Some(EXEC_FORMAT_ERROR) => {
            "neither a program for this machine nor a script that starts with #!".to_owned()
        }
        _ if cfg!(windows) && error.raw_os_error() == Some(BAD_EXE_FORMAT) => {
            "not a program for Windows: name the interpreter of a script, as in cmd=python args=bot.py"
                .to_owned()
        }
        _ => error.to_string(),
    }
}

/// Windows starts `eng` only if there is an `eng.exe`. Returns the batch file that was probably meant.
fn batch_file(engine: &EngineSetup, path: &Path) -> Option<String> {
    if !cfg!(windows) || path.extension().is_some() {
        return None;
    }
    let on_path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&on_path).map(|folder| folder.join(&engine.cmd));
    let programs: Vec<_> = std::iter::once(path.to_owned()).chain(folders).collect();
    let exists = |end: &&&str| programs.iter().any(|program| program.with_extension(end).is_file());
    ["bat", "cmd"].iter().find(exists).map(|end| format!("{}.{end}", engine.cmd))
}

/// Returns whether an engine could not be started because this process or the system has no more
/// file descriptors, processes or memory.
pub(crate) fn is_out_of_resources(error: &io::Error) -> bool {
    /// EMFILE and ENFILE: too many open files in this process or in the system.
    const TOO_MANY_FILES: [i32; 2] = [24, 23];
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::OutOfMemory)
        || cfg!(unix) && error.raw_os_error().is_some_and(|code| TOO_MANY_FILES.contains(&code))
}

/// Finds out why an engine did not complete the handshake, given the lines it printed: tries the
/// other protocol, then ends its input. `record` gets each line that is sent, with `>`, or read, with
/// `<`. Returns what to change, if that is known.
/// Returns what the engine does instead, if the remedy is not known.
pub(crate) fn explain_silence(
    process: &mut Process,
    dialect: Dialect,
    lines: &[String],
    timeout: Duration,
    mut record: impl FnMut(char, &str),
) -> Result<String, String> {
    const WAIT_FOR_OTHER: Duration = Duration::from_secs(2);
    const WAIT_AT_END: Duration = Duration::from_millis(500);
    let (other, answer) = (dialect.other(), dialect.handshake_answer());
    let mut finds_line = |process: &mut Process, sent: &str, time: Duration, expected: &str| {
        record('>', sent);
        let found = process.wait_for(time.min(timeout), |line, _| {
            record('<', line);
            (line.trim_end() == expected).then_some(())
        });
        found.is_ok()
    };
    let exit = process.own_exit();
    let mut speaks_other = lines.iter().any(|line| line.trim_end() == other.handshake_answer());
    if exit.is_none() && !speaks_other {
        process.send_line(other.handshake_command());
        speaks_other = finds_line(
            process,
            other.handshake_command(),
            WAIT_FOR_OTHER,
            other.handshake_answer(),
        );
        if !speaks_other {
            process.close_input();
            if finds_line(process, "(end of input)", WAIT_AT_END, answer) {
                let remedy = "flush the output after each line";
                return Ok(format!("answers only at the end of its input: {remedy}"));
            }
        }
    }
    if speaks_other {
        let name = other.handshake_command();
        return Ok(format!("speaks {}: try proto={name}", name.to_uppercase()));
    }
    if let Some(status) = exit {
        return Err(exit_cause(status));
    }
    Err(match lines.iter().rev().find(|line| *line != "readyok") {
        Some(line) => format!("prints {} instead of {answer}", quote(line)),
        None if lines.is_empty() => {
            "prints nothing: speaks neither UCI nor UGI, or waits for something else".to_owned()
        }
        None => format!("answers isready, but not {}", dialect.handshake_command()),
    })
}

pub(crate) fn exit_cause(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("killed by signal {signal}");
    }
    match status.code() {
        Some(code) => format!("exited with code {code}"),
        None => status.to_string(),
    }
}

/// Quotes the last line of the standard error: the end matters most, as in a Python traceback.
pub(crate) fn last_error_line(tail: &str) -> String {
    let line = tail.lines().last().unwrap_or_default();
    format!("last line on stderr: {}", quote(line.trim()))
}
