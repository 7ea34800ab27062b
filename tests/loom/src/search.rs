//! Models of the shared files of `src/search`.

#[path = "../../../src/search/control.rs"]
mod control;
#[path = "../../../src/search/alphabeta/table.rs"]
mod table;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

pub(crate) use control::SearchControl;
use loom::thread;
use table::Bound;

type Points = i32;

/// A signal of the session to a search.
pub(crate) type Signal = fn(&SearchControl);

fn entry_with(points: i32) -> table::TtEntry {
    let (depth, bound) = (points as u8, Bound::Exact);
    table::TtEntry { move_code: points as u16, points, depth, bound, static_eval: Some(points) }
}

/// A probe during writes returns nothing or a complete entry of one thread.
pub(crate) fn entries_are_never_mixed(keys: [u64; 2]) {
    let table = Arc::new(table::TranspositionTable::new(0).unwrap());
    let writers = keys.map(|key| {
        let table = Arc::clone(&table);
        thread::spawn(move || table.store(key, entry_with(key as i32 % 7 + 3)))
    });
    for key in [keys[0], keys[1]] {
        let found = table.probe(key);
        assert!(found.is_none_or(|entry| entry == entry_with(key as i32 % 7 + 3)), "{found:?}");
    }
    writers.into_iter().for_each(|writer| writer.join().unwrap());
}

/// Two threads store different entries for one position.
pub(crate) fn one_position_is_written_twice() {
    let table = Arc::new(table::TranspositionTable::new(0).unwrap());
    let writers = [3, 9].map(|points| {
        let table = Arc::clone(&table);
        thread::spawn(move || table.store(42, entry_with(points)))
    });
    let found = table.probe(42);
    assert!(found.is_none_or(|entry| [entry_with(3), entry_with(9)].contains(&entry)), "{found:?}");
    writers.into_iter().for_each(|writer| writer.join().unwrap());
}

/// Every search answers, and not before the signal that releases its answer.
pub(crate) fn search_answers_once_released(
    pondering: bool,
    infinite: bool,
    signals: &[Signal],
    last_signal_releases: bool,
) {
    let control = Arc::new(SearchControl::new(pondering, infinite));
    let last_sent = Arc::new(AtomicBool::new(false));
    let searcher = {
        let (control, last_sent) = (Arc::clone(&control), Arc::clone(&last_sent));
        thread::spawn(move || {
            // The search has nothing left to do.
            control.finish();
            control.wait_until_released();
            // No answer before the last signal, if that is the one that releases.
            assert!(!last_signal_releases || last_sent.load(Ordering::SeqCst));
        })
    };
    for (number, signal) in signals.iter().enumerate() {
        if number + 1 == signals.len() {
            last_sent.store(true, Ordering::SeqCst);
        }
        signal(&control);
    }
    searcher.join().unwrap();
    assert!(control.is_stopped());
}

/// The thread that waits for the deadline wakes when the search ends earlier.
pub(crate) fn deadline_thread_wakes(end: fn(&SearchControl)) {
    let control = Arc::new(SearchControl::default());
    let watcher = {
        let control = Arc::clone(&control);
        thread::spawn(move || control.stop_at(Duration::from_secs(3600)))
    };
    end(&control);
    watcher.join().unwrap();
}

/// A thread that sees the end of pondering also sees the start of the clock.
pub(crate) fn clock_starts_at_ponder_hit() {
    let control = Arc::new(SearchControl::new(true, false));
    std::thread::sleep(Duration::from_millis(2));
    // Not part of the model: it only measures time.
    let hit = Arc::new(std::sync::OnceLock::new());
    let searcher = {
        let (control, hit) = (Arc::clone(&control), Arc::clone(&hit));
        thread::spawn(move || {
            let clock = control.clock_time();
            let since: Option<Duration> = hit.get().map(Instant::elapsed);
            // The clock has microsecond resolution.
            let most = since.map_or(Duration::ZERO, |since| since + Duration::from_micros(1));
            assert!(clock <= most, "{clock:?} of {most:?}");
        })
    };
    hit.set(Instant::now()).unwrap();
    control.ponder_hit();
    searcher.join().unwrap();
}
