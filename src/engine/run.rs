//! The loop: a line in, a command obeyed or refused.

use std::io::{self, BufRead};

use super::{EngineError, LogFile, Output, Session, registry};
use crate::protocol::{LineReader, RawLine, parse, reply};

/// Where a session begins.
#[derive(Debug, Clone)]
pub struct SessionStart {
    /// The game that is put up.
    pub game: &'static registry::Entry,
    /// The log that the option `Log File` steers.
    pub log: LogFile,
    /// Whether a line waits for a search that ends by itself: right for a script, whose lines are
    /// all there from the beginning, wrong for a client, who may want to say stop.
    pub patient: bool,
}

impl Default for SessionStart {
    fn default() -> Self {
        Self { game: &registry::GAMES[0], log: LogFile::default(), patient: false }
    }
}

/// Speaks the protocol until the client quits, the input ends or nobody reads the output; how many
/// lines were refused.
///
/// # Errors
/// When the input cannot be read.
pub fn run(input: impl BufRead, output: &Output, start: &SessionStart) -> io::Result<usize> {
    let mut session = Session::new(output.clone(), start.log.clone(), start.game);
    let mut lines = LineReader::new(input);
    let mut refused = 0;
    while let Some(raw) = lines.next_line()? {
        let result = obey(&mut session, &raw);
        if let Err(error) = &result {
            output.say(&reply::error_line(error));
            refused += 1;
        }
        if matches!(result, Ok(false)) || output.is_closed() {
            return Ok(refused);
        }
        if start.patient {
            session.wait();
        }
    }
    session.finish();
    Ok(refused)
}

fn obey(session: &mut Session, raw: &RawLine<'_>) -> Result<bool, EngineError> {
    let (RawLine::Complete(bytes) | RawLine::Cut(bytes)) = *raw;
    let line = String::from_utf8_lossy(bytes);
    tracing::debug!("< {line}");
    match parse(raw)? {
        Some(command) => session.obey(&command, &line),
        None => Ok(true),
    }
}
