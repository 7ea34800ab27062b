//! Turns of a running CodinGame bot.

use std::time::{Duration, Instant};

use super::{EngineFault, Player, PlayerError};
use crate::arena::engines::process::WaitError;
use crate::printing::quote;
use crate::protocol::codingame::{BotAnswer, parse_answer};
use crate::records::Termination;

/// How long to wait for an answer after the time limit, to tell a late bot from a silent one.
const LATE_WAIT: Duration = Duration::from_secs(1);

impl Player {
    /// Sends a turn to a CodinGame bot. `allowed` is the time its move may take.
    /// [`Player::poll_search`] returns the answer, whose move is `ROW COL`.
    pub fn start_turn(&mut self, turn: &str, allowed: Option<Duration>) {
        self.start_search(turn, allowed);
    }

    /// Returns how the process ended, if it exits within `time` without input.
    pub fn early_exit(&mut self, time: Duration) -> Option<String> {
        let has_exited = self.process.exits_within(time, &self.options.stop);
        has_exited.then(|| self.process.exit_reason())
    }

    /// Returns the fault of a bot whose time is over. `answered` is when its move arrived, if it was
    /// only late; otherwise the bot gets a moment longer to answer.
    pub(super) fn overtime_fault(
        &mut self,
        started: Instant,
        answered: Option<Instant>,
        exceeded: EngineFault,
    ) -> PlayerError {
        let late = match answered {
            Some(at) => Ok(((), at)),
            None => self.process.wait_for(LATE_WAIT, &self.options.stop, |line, _| {
                (!line.trim().is_empty()).then_some(())
            }),
        };
        let EngineFault { reason, .. } = exceeded;
        let (termination, reason) = match late {
            Ok(((), at)) => {
                let taken = at.saturating_duration_since(started).as_secs_f64();
                (Termination::Time, format!("{reason}; it answered after {taken:.3}s"))
            }
            Err(WaitError::Timeout) => {
                let wait = LATE_WAIT.as_secs();
                (Termination::Stall, format!("{reason}, nor in another {wait}s"))
            }
            Err(WaitError::Interrupted) => return PlayerError::Interrupted,
            Err(WaitError::Closed | WaitError::Garbage(_)) => (Termination::Time, reason),
        };
        PlayerError::Fault(EngineFault { termination, reason, is_fatal: false })
    }
}

/// Reads a line of a bot: its move as `ROW COL`, or why the line is not an answer. Blank lines are
/// ignored. A line is `early` if it arrived before the bot's turn.
pub(super) fn read_answer(line: &str, is_early: bool) -> Option<Result<String, String>> {
    if line.is_empty() {
        return None;
    }
    if is_early {
        return Some(Err(format!("sent {} before its turn", quote(line))));
    }
    Some(match parse_answer(line) {
        Some(BotAnswer::Square(square)) => Ok(square.to_string()),
        Some(BotAnswer::OffBoard(row, column)) => Ok(format!("{row} {column}")),
        None => Err(format!("sent {}, expected a move as ROW COL", quote(line))),
    })
}
