//! The cord between a running search and the one who started it: stop, ponderhit, waiting.

use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use crate::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use crate::sync::{Condvar, Mutex};

/// What an answer waits for.
#[derive(Debug)]
struct AnswerGate {
    for_stop: bool,
    for_ponder_hit: bool,
}

impl AnswerGate {
    fn holds(&self) -> bool {
        self.for_stop || self.for_ponder_hit
    }
}

/// Shared between the search threads and the session.
#[derive(Debug)]
pub struct SearchControl {
    /// Told to stop; shared with the control it was made from.
    stop: Arc<AtomicBool>,
    /// Ended by itself.
    finished: AtomicBool,
    /// The opponent is thinking: the clock does not count yet.
    pondering: AtomicBool,
    /// No answer before it is asked for, even when nothing is left to search.
    held: Mutex<AnswerGate>,
    gate_changed: Condvar,
    started: Instant,
    /// Microseconds from the start until the clock began to count.
    clock_began: AtomicU64,
}

impl Default for SearchControl {
    /// A bounded search: the clock runs at once and nothing delays the answer.
    fn default() -> Self {
        Self::new(false, false)
    }
}

impl SearchControl {
    /// A search that starts now; `pondering` when clock and answer wait for ponderhit, `held` when
    /// the answer waits for stop, ponderhit or not.
    #[must_use]
    pub fn new(pondering: bool, held: bool) -> Self {
        Self {
            stop: Arc::default(),
            finished: AtomicBool::new(false),
            pondering: AtomicBool::new(pondering),
            held: Mutex::new(AnswerGate { for_stop: held, for_ponder_hit: pondering }),
            gate_changed: Condvar::new(),
            started: Instant::now(),
            clock_began: AtomicU64::new(0),
        }
    }

    /// For one search of several: it stops when this one is told to, and may finish alone.
    #[must_use]
    pub fn child(&self) -> Self {
        Self { stop: Arc::clone(&self.stop), ..Self::default() }
    }

    /// Ends the search soon and lets the answer out.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.update_gate(|hold| *hold = AnswerGate { for_stop: false, for_ponder_hit: false });
    }

    /// Ends the search soon; a held answer stays held. This is how a search ends itself.
    pub fn finish(&self) {
        self.finished.store(true, Ordering::Relaxed);
        self.update_gate(|_| {});
    }

    /// Sleeps until the search is over, or ends it when the clock shows `limit`. Where there are
    /// more threads than cores, a sleeper wakes in time when a searcher would wait for its turn.
    pub fn watch(&self, limit: Duration) {
        // The clock may begin to count while this sleeps, so it is looked at now and then.
        const NAP: Duration = Duration::from_millis(50);
        let mut guard = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.is_stopped() {
            if self.has_elapsed(limit) {
                self.finished.store(true, Ordering::Relaxed);
            } else {
                let left = limit.saturating_sub(self.clock()).max(Duration::from_millis(1));
                let waited = self.gate_changed.wait_timeout(guard, left.min(NAP));
                guard = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
        }
    }

    /// The awaited move was played: the clock starts. Does nothing unless pondering.
    pub fn ponder_hit(&self) {
        if self.is_pondering() {
            self.clock_began.store(self.started.elapsed().as_micros() as u64, Ordering::Relaxed);
            // Who sees that pondering is over also sees when.
            self.pondering.store(false, Ordering::Release);
            self.update_gate(|hold| hold.for_ponder_hit = false);
        }
    }

    /// Whether the search should end.
    #[inline]
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.finished.load(Ordering::Relaxed) || self.stop.load(Ordering::Relaxed)
    }

    /// The flag itself, for work that only knows flags.
    #[must_use]
    pub fn stop_flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// Time since the start.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Time on the clock: none while pondering, else since it began to count.
    #[must_use]
    pub fn clock(&self) -> Duration {
        if self.is_pondering() {
            return Duration::ZERO;
        }
        let began = Duration::from_micros(self.clock_began.load(Ordering::Relaxed));
        self.started.elapsed().saturating_sub(began)
    }

    /// Whether the answer has to wait for stop or ponderhit.
    #[must_use]
    pub fn is_gated(&self) -> bool {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).holds()
    }

    /// Whether the opponent is still thinking.
    #[must_use]
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Acquire)
    }

    /// Whether so much time is over; never while the opponent is still thinking.
    #[must_use]
    pub fn has_elapsed(&self, time: Duration) -> bool {
        !self.is_pondering() && self.clock() >= time
    }

    /// Waits until the answer may be given.
    pub fn wait_until_released(&self) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        while held.holds() {
            held = self.gate_changed.wait(held).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn update_gate(&self, change: impl FnOnce(&mut AnswerGate)) {
        change(&mut self.held.lock().unwrap_or_else(PoisonError::into_inner));
        self.gate_changed.notify_all();
    }
}
