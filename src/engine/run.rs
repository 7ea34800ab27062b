//! The input loop: reads lines, executes commands, reports errors.

use std::io::{self, BufRead};

use super::{ClientOutput, LogFile, OptionPolicy, Session};
use crate::protocol::{LineReader, RawLine, parse};
use crate::thinking::{EngineError, registry};

/// The configuration of a session.
#[derive(Debug, Clone)]
pub struct SessionConfig {
    /// The initial game.
    pub game: &'static registry::GameEntry,
    /// The log controlled by the option `Log File`.
    pub log: LogFile,
    /// Whether each command waits for a bounded search to finish. Right for a script, whose commands
    /// are all available at once; wrong for an interactive client, which may send `stop`.
    pub sequential: bool,
    /// Which options the client may set.
    pub policy: OptionPolicy,
}

impl Default for SessionConfig {
    fn default() -> Self {
        Self {
            game: registry::DEFAULT_GAME,
            log: LogFile::default(),
            sequential: false,
            policy: OptionPolicy::default(),
        }
    }
}

/// Runs a session until the client quits, the input ends or the output is closed; returns the
/// number of refused lines.
///
/// # Errors
/// Fails if the input cannot be read.
pub fn run(
    input: impl BufRead,
    output: &ClientOutput,
    config: &SessionConfig,
) -> io::Result<usize> {
    let mut session = Session::new(output.clone(), config);
    let mut lines = LineReader::new(input);
    let mut refused = 0;
    while let Some(raw) = lines.next_line()? {
        let outcome = session.receive(&raw);
        refused += usize::from(outcome == LineStatus::Refused);
        if outcome == LineStatus::Quit || output.is_closed() {
            return Ok(refused);
        }
        if config.sequential {
            session.wait_for_bounded_job();
        }
    }
    session.finish();
    Ok(refused)
}

/// The outcome of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineStatus {
    /// It was executed, or is empty.
    Accepted,
    /// It was refused; the reason was sent to the client.
    Refused,
    /// It ended the session.
    Quit,
}

impl Session {
    /// Executes a line of the client. Searches continue in the background.
    pub fn receive(&mut self, raw: &RawLine<'_>) -> LineStatus {
        match execute_line(self, raw) {
            Ok(true) => LineStatus::Accepted,
            Ok(false) => LineStatus::Quit,
            Err(error) => {
                self.refuse(&error);
                LineStatus::Refused
            }
        }
    }
}

/// Executes a line; returns `false` if it ends the session.
fn execute_line(session: &mut Session, raw: &RawLine<'_>) -> Result<bool, EngineError> {
    let (RawLine::Complete(bytes) | RawLine::Truncated(bytes)) = *raw;
    let line = String::from_utf8_lossy(bytes);
    tracing::debug!("< {line}");
    match parse(raw)? {
        Some(command) => session.execute(&command, &line),
        None => Ok(true),
    }
}
