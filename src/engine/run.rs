//! The input loop: reads lines and passes them to a session.

use std::io::{self, BufRead};

use super::{ClientOutput, LineStatus, Session, SessionConfig};
use crate::protocol::LineReader;

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
        let status = session.receive(&raw);
        refused += usize::from(status == LineStatus::Refused);
        if status == LineStatus::Quit || output.is_closed() {
            return Ok(refused);
        }
        if config.sequential {
            session.wait_for_bounded_job();
        }
    }
    session.finish();
    Ok(refused)
}
