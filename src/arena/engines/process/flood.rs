//! Limits the rate at which an engine's output is read, so that a flood cannot take the runner's
//! time from other games. A flooding engine is throttled first, since it blocks while its output is
//! not read; if it does not stop, it is at fault.

use std::time::{Duration, Instant};

/// How much output an engine may send. Each command adds to the budget, because instant engines
/// answer thousands of commands per second.
#[derive(Debug, Clone, Copy)]
pub(super) struct OutputBudget {
    unit: &'static str,
    /// The amount that may be sent at once.
    burst: f64,
    /// The amount that may be sent per second.
    per_second: f64,
}

/// The budget for standard output. A line counts once for each [`BYTES_PER_LINE`] begun.
pub(super) const OUTPUT_BUDGET: OutputBudget =
    OutputBudget { unit: "lines of 256 bytes", burst: 20_000.0, per_second: 2_000.0 };

/// The budget for standard error, in KiB. It is larger because only the end of standard error is
/// kept, which makes it cheaper to read.
pub(super) const STDERR_BUDGET: OutputBudget =
    OutputBudget { unit: "KiB on stderr", burst: 65_536.0, per_second: 4_096.0 };

/// Returns the number of lines that a command adds to the budget. Many engines report thousands of
/// lines in the first milliseconds of each search.
pub(super) fn command_credit(command: &[u8]) -> u32 {
    if command.starts_with(b"go") { 5_000 } else { 100 }
}

const BYTES_PER_LINE: usize = 256;

/// Returns how much a line of output counts.
pub(super) fn line_weight(length: usize) -> f64 {
    (1 + length / BYTES_PER_LINE) as f64
}

/// How long an engine may be throttled in all, unless its budget fills up in between.
const MAX_THROTTLED: Duration = Duration::from_secs(5);

/// How long a reader sleeps each time the budget is used up.
const THROTTLE_INTERVAL: Duration = Duration::from_millis(20);

/// Measures the output of an engine against its budget.
pub(super) struct FloodMeter {
    budget: OutputBudget,
    left: f64,
    updated: Instant,
    /// When the budget was last full, and what was sent since then.
    full: Instant,
    sent: f64,
    throttled: Duration,
}

/// The description of a flood that did not stop.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Flood(pub(super) String);

impl FloodMeter {
    pub(super) fn new(budget: OutputBudget, now: Instant) -> Self {
        let left = budget.burst;
        Self { budget, left, updated: now, full: now, sent: 0.0, throttled: Duration::ZERO }
    }

    /// Counts output that was read; `credit` is what commands sent since the last call add to the
    /// budget. Returns how long to wait before reading more.
    /// Fails if the engine has been throttled for too long.
    pub(super) fn count(
        &mut self,
        amount: f64,
        credit: u32,
        now: Instant,
    ) -> Result<Duration, Flood> {
        let OutputBudget { unit, burst, per_second } = self.budget;
        let seconds = now.saturating_duration_since(self.updated).as_secs_f64();
        self.updated = now;
        self.left += per_second * seconds + f64::from(credit);
        if self.left >= burst {
            self.left = burst;
            (self.full, self.sent, self.throttled) = (now, 0.0, Duration::ZERO);
        }
        self.left -= amount;
        self.sent += amount;
        if self.left >= 0.0 {
            return Ok(Duration::ZERO);
        }
        if self.throttled >= MAX_THROTTLED {
            let time = now.saturating_duration_since(self.full).as_secs_f64();
            return Err(Flood(format!(
                "{:.0} {unit} in {time:.1}s, more than {per_second:.0} per second",
                self.sent
            )));
        }
        self.throttled += THROTTLE_INTERVAL;
        Ok(THROTTLE_INTERVAL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sends `lines` lines at once in each of `steps` intervals, and obeys the meter; returns the
    /// time it was throttled.
    fn send(steps: u32, lines: u32, interval: Duration, credit: u32) -> Result<Duration, Flood> {
        let mut now = Instant::now();
        let mut meter = FloodMeter::new(OUTPUT_BUDGET, now);
        let mut throttled = Duration::ZERO;
        for _ in 0..steps {
            now += interval;
            for line in 0..lines {
                let wait = meter.count(1.0, if line == 0 { credit } else { 0 }, now)?;
                now += wait;
                throttled += wait;
            }
        }
        Ok(throttled)
    }

    #[test]
    fn bursts_and_answers_are_not_throttled() {
        let second = Duration::from_secs(1);
        assert_eq!(send(1, 20_000, second, 0), Ok(Duration::ZERO));
        assert_eq!(send(3600, 2_000, second, 0), Ok(Duration::ZERO));
        // Instant moves, and thousands of lines at the start of each search.
        let credit = command_credit(b"isready") + command_credit(b"go nodes 1");
        assert_eq!(send(100_000, 8, second / 10_000, credit), Ok(Duration::ZERO));
        assert_eq!(send(1000, 5_000, second / 20, credit), Ok(Duration::ZERO));
    }

    #[test]
    fn endless_output_is_throttled_then_a_fault() {
        let interval = Duration::from_micros(1);
        let throttled = send(1, 25_000, interval, 0).unwrap();
        assert!(throttled > Duration::from_secs(2), "{throttled:?}");
        let Err(Flood(reason)) = send(1_000_000, 1, interval, 0) else { panic!("no flood") };
        assert!(
            reason.ends_with("lines of 256 bytes in 5.0s, more than 2000 per second"),
            "{reason}"
        );
    }

    #[test]
    fn pauses_between_floods_do_not_hide_them() {
        assert!(send(100, 9_000, Duration::from_secs(1), 5_100).is_err());
    }

    #[test]
    fn long_lines_count_more_than_once() {
        assert_eq!([0, 255, 256, 65_536].map(line_weight), [1.0, 1.0, 2.0, 257.0]);
    }
}
