//! Stop, ponder and timing signals shared by a search and its session.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use crate::platform::{Instant, poll, wait_until};
use crate::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use crate::sync::{Condvar, Mutex};

/// Delays the answer until `stop` or `ponderhit` in infinite and ponder searches.
#[derive(Debug)]
struct AnswerGate {
    until_stop: bool,
    until_ponder_hit: bool,
}

impl AnswerGate {
    fn is_closed(&self) -> bool {
        self.until_stop || self.until_ponder_hit
    }
}

/// Controls one search; shared by its threads and the session.
#[derive(Debug)]
pub struct SearchControl {
    /// Set by `stop`; shared with the control this one was derived from.
    stop: Arc<AtomicBool>,
    /// Set when the search has ended itself.
    finished: AtomicBool,
    /// While the opponent is thinking, the clock does not run.
    pondering: AtomicBool,
    gate: Mutex<AnswerGate>,
    gate_changed: Condvar,
    started: Instant,
    /// Microseconds from the start of the search to the start of the clock.
    clock_start: AtomicU64,
}

impl Default for SearchControl {
    /// A bounded search: the clock runs at once and nothing delays the answer.
    fn default() -> Self {
        Self::new(false, false)
    }
}

impl SearchControl {
    /// Starts a search now. If `pondering`, clock and answer wait for `ponderhit`; if `infinite`, the
    /// answer waits for `stop`.
    #[must_use]
    pub fn new(pondering: bool, infinite: bool) -> Self {
        Self {
            stop: Arc::default(),
            finished: AtomicBool::new(false),
            pondering: AtomicBool::new(pondering),
            gate: Mutex::new(AnswerGate { until_stop: infinite, until_ponder_hit: pondering }),
            gate_changed: Condvar::new(),
            started: Instant::now(),
            clock_start: AtomicU64::new(0),
        }
    }

    /// Returns a control for one of several searches: stopping this one stops it too, but it can
    /// finish alone.
    #[must_use]
    pub fn child(&self) -> Self {
        Self { stop: Arc::clone(&self.stop), ..Self::default() }
    }

    /// Stops the search and releases its answer.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.update_gate(|gate| *gate = AnswerGate { until_stop: false, until_ponder_hit: false });
    }

    /// Stops the search without releasing its answer; called by the search itself.
    pub fn finish(&self) {
        self.finished.store(true, Ordering::Relaxed);
        self.update_gate(|_| {});
    }

    /// Sleeps until the search is over, or ends it when the clock reaches `limit`. With more threads
    /// than cores a sleeping thread wakes in time, while a searching one may have to wait for its
    /// time slice.
    pub fn stop_at(&self, limit: Duration) {
        // The clock may start while this thread sleeps, so it wakes now and then.
        const MAX_SLEEP: Duration = Duration::from_millis(50);
        let mut guard = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.is_stopped() {
            if self.has_elapsed(limit) {
                self.finished.store(true, Ordering::Relaxed);
            } else {
                let left = limit.saturating_sub(self.clock_time()).max(Duration::from_millis(1));
                let waited = self.gate_changed.wait_timeout(guard, left.min(MAX_SLEEP));
                guard = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
        }
    }

    /// Starts the clock after the expected move was played. Does nothing unless pondering.
    pub fn ponder_hit(&self) {
        if self.is_pondering() {
            self.clock_start.store(self.started.elapsed().as_micros() as u64, Ordering::Relaxed);
            // Release: a thread that sees the end of pondering also sees the start of the clock.
            self.pondering.store(false, Ordering::Release);
            self.update_gate(|gate| gate.until_ponder_hit = false);
        }
    }

    /// Whether the search should end.
    #[inline]
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        poll();
        self.finished.load(Ordering::Relaxed) || self.stop.load(Ordering::Relaxed)
    }

    /// The stop flag, for work that only polls a flag.
    #[must_use]
    pub fn stop_flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// Time since the start of the search.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Time on the clock: zero while pondering.
    #[must_use]
    pub fn clock_time(&self) -> Duration {
        if self.is_pondering() {
            return Duration::ZERO;
        }
        let start = Duration::from_micros(self.clock_start.load(Ordering::Relaxed));
        self.started.elapsed().saturating_sub(start)
    }

    /// Whether the answer has to wait for `stop` or `ponderhit`.
    #[must_use]
    pub fn is_gated(&self) -> bool {
        self.gate.lock().unwrap_or_else(PoisonError::into_inner).is_closed()
    }

    /// Whether the opponent is still thinking.
    #[must_use]
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Acquire)
    }

    /// Whether the clock has reached `time`; never while pondering.
    #[must_use]
    pub fn has_elapsed(&self, time: Duration) -> bool {
        !self.is_pondering() && self.clock_time() >= time
    }

    /// Blocks until the answer may be sent.
    pub fn wait_until_released(&self) {
        wait_until(&self.gate, &self.gate_changed, |gate| !gate.is_closed());
    }

    fn update_gate(&self, change: impl FnOnce(&mut AnswerGate)) {
        change(&mut self.gate.lock().unwrap_or_else(PoisonError::into_inner));
        self.gate_changed.notify_all();
    }
}
