//! Waiting for a line of an engine's output. Pauses of the runner itself extend the deadline.

use std::time::{Duration, Instant};

use super::output::{EngineOutput, TimedOutput, is_unknown_line};
use super::{MAX_UNREAD_LINES, Process, WaitError};
use crate::printing::quote;

/// More unknown lines than this during one wait are a fault; a banner or a warning is not.
const MAX_UNKNOWN_LINES: usize = 1000;

/// The runner was paused, by SIGSTOP or Ctrl-Z, if it wakes up this much later than requested. The
/// scheduler of a busy machine delays a sleeping thread only by some tens of milliseconds.
const PAUSE_THRESHOLD: Duration = Duration::from_millis(500);

/// A wait for a line, which may take several calls of [`Process::poll`].
pub(crate) struct OutputWait {
    deadline: Instant,
    last_poll: Instant,
    /// How long the runner was paused meanwhile.
    pub(crate) paused: Duration,
    unknown_lines: usize,
    /// Whether the process had exited at the last poll.
    has_exited: bool,
}

impl OutputWait {
    /// Starts a wait of at most `time`.
    pub(crate) fn new(time: Duration) -> Self {
        let now = Instant::now();
        Self {
            deadline: now + time,
            last_poll: now,
            paused: Duration::ZERO,
            unknown_lines: 0,
            has_exited: false,
        }
    }

    /// Extends the deadline if the runner was paused between the last poll and `until`, beyond the
    /// time it meant to sleep.
    fn detect_pause(&mut self, until: Instant, sleep: Duration) {
        let pause = until.saturating_duration_since(self.last_poll).saturating_sub(sleep);
        self.last_poll = Instant::now();
        if pause > PAUSE_THRESHOLD {
            self.paused += pause;
            self.deadline += pause;
        }
    }
}

impl Process {
    /// Waits for at most `interval` until `parse` accepts a line; returns the result and the time at
    /// which the line arrived. `parse` sees every line in order with its time, including the first
    /// late one, which does not count.
    /// Fails if no line can be accepted any more. A process that has exited is not reaped yet.
    pub(crate) fn poll<T>(
        &mut self,
        wait: &mut OutputWait,
        interval: Duration,
        mut parse: impl FnMut(&str, Instant) -> Option<T>,
    ) -> Result<Option<(T, Instant)>, WaitError> {
        let end = Instant::now() + interval;
        for _ in 0..=MAX_UNREAD_LINES {
            let now = Instant::now();
            let sleep = end.min(wait.deadline).saturating_duration_since(now);
            let received = self.receive(sleep);
            let until = received.as_ref().map_or_else(Instant::now, |output| output.at);
            wait.detect_pause(until, sleep);
            match received {
                // Lines count by their arrival in the pipe, not by the time they are handled here.
                Some(TimedOutput { at, output }) if at > wait.deadline => {
                    if let EngineOutput::Line(line) = output {
                        parse(&line, at);
                    }
                    return Err(WaitError::Timeout);
                }
                None if until >= wait.deadline && self.has_exited() => {
                    return Err(WaitError::Closed);
                }
                None if until >= wait.deadline => return Err(WaitError::Timeout),
                // A child process may hold the pipe open. The engine had exited before this silent
                // interval, so all of its own output has been received.
                None if wait.has_exited => return Err(WaitError::Closed),
                None => {
                    wait.has_exited = self.has_exited();
                    break;
                }
                Some(TimedOutput { output: EngineOutput::End, .. }) => {
                    return Err(WaitError::Closed);
                }
                Some(TimedOutput { output: EngineOutput::Malformed(description), .. }) => {
                    return Err(WaitError::Malformed(description));
                }
                Some(TimedOutput { output: EngineOutput::Line(line), at }) => {
                    if let Some(answer) = parse(&line, at) {
                        return Ok(Some((answer, at)));
                    }
                    wait.unknown_lines += usize::from(is_unknown_line(&line));
                    if wait.unknown_lines > MAX_UNKNOWN_LINES {
                        let description = format!(
                            "{} unknown lines, such as {}",
                            wait.unknown_lines,
                            quote(&line)
                        );
                        return Err(WaitError::Malformed(description));
                    }
                }
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_gaps_between_polls_are_pauses() {
        let mut wait = OutputWait::new(Duration::from_secs(1));
        let (start, deadline) = (wait.last_poll, wait.deadline);
        wait.detect_pause(start + Duration::from_millis(590), Duration::from_millis(100));
        assert_eq!((wait.paused, wait.deadline), (Duration::ZERO, deadline));
        wait.last_poll = start;
        wait.detect_pause(start + Duration::from_secs(61), Duration::from_secs(1));
        let minute = Duration::from_secs(60);
        assert_eq!((wait.paused, wait.deadline), (minute, deadline + minute));
    }
}
