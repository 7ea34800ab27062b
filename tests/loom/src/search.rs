//! The files of `src/search` that threads share, as they are, and what must hold of them.

#[path = "../../../src/search/control.rs"]
mod control;
#[path = "../../../src/search/table.rs"]
mod table;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

pub(crate) use control::SearchControl;
use loom::thread;
use table::Bound;

type Points = i32;

/// What a client says to a search.
pub(crate) type Word = fn(&SearchControl);

fn searched(points: i32) -> table::TtEntry {
    let (depth, bound) = (points as u8, Bound::Exact);
    table::TtEntry { move_code: points as u16, points, depth, bound, static_eval: Some(points) }
}

/// Whoever asks for a position is told nothing, or all of what one thread said of it, whoever writes meanwhile.
pub(crate) fn entries_are_never_mixed(keys: [u64; 2]) {
    let table = Arc::new(table::TranspositionTable::new(0).unwrap());
    let writers = keys.map(|key| {
        let table = Arc::clone(&table);
        thread::spawn(move || table.store(key, searched(key as i32 % 7 + 3)))
    });
    for key in [keys[0], keys[1]] {
        let found = table.probe(key);
        assert!(found.is_none_or(|entry| entry == searched(key as i32 % 7 + 3)), "{found:?}");
    }
    writers.into_iter().for_each(|writer| writer.join().unwrap());
}

/// Two who write down different things of one position.
pub(crate) fn one_position_is_written_twice() {
    let table = Arc::new(table::TranspositionTable::new(0).unwrap());
    let writers = [3, 9].map(|points| {
        let table = Arc::clone(&table);
        thread::spawn(move || table.store(42, searched(points)))
    });
    let found = table.probe(42);
    assert!(found.is_none_or(|entry| [searched(3), searched(9)].contains(&entry)), "{found:?}");
    writers.into_iter().for_each(|writer| writer.join().unwrap());
}

/// What a search does, and what its client says; every search answers once, and not before it may.
pub(crate) fn a_search_answers(
    pondering: bool,
    held: bool,
    said: &[Word],
    may_wait_for_stop: bool,
) {
    let control = Arc::new(SearchControl::new(pondering, held));
    let told = Arc::new(AtomicBool::new(false));
    let searcher = {
        let (control, told) = (Arc::clone(&control), Arc::clone(&told));
        thread::spawn(move || {
            // It has found all there is to find.
            control.finish();
            control.wait_until_released();
            // Nobody answers before the last thing is being said, if it is what releases.
            assert!(!may_wait_for_stop || told.load(Ordering::SeqCst));
        })
    };
    for (number, say) in said.iter().enumerate() {
        if number + 1 == said.len() {
            told.store(true, Ordering::SeqCst);
        }
        say(&control);
    }
    searcher.join().unwrap();
    assert!(control.is_stopped());
}

/// A sleeper that watches the time wakes when the search ends otherwise.
pub(crate) fn a_watcher_wakes(end: fn(&SearchControl)) {
    let control = Arc::new(SearchControl::default());
    let watcher = {
        let control = Arc::clone(&control);
        thread::spawn(move || control.stop_at(Duration::from_secs(3600)))
    };
    end(&control);
    watcher.join().unwrap();
}

/// Who sees that pondering is over also sees since when the clock counts.
pub(crate) fn the_clock_begins_with_the_hit() {
    let control = Arc::new(SearchControl::new(true, false));
    std::thread::sleep(Duration::from_millis(2));
    // No thread of the model: it only takes the time.
    let hit = Arc::new(std::sync::OnceLock::new());
    let searcher = {
        let (control, hit) = (Arc::clone(&control), Arc::clone(&hit));
        thread::spawn(move || {
            let clock = control.clock_time();
            let since: Option<Duration> = hit.get().map(Instant::elapsed);
            // Told in whole microseconds.
            let most = since.map_or(Duration::ZERO, |since| since + Duration::from_micros(1));
            assert!(clock <= most, "{clock:?} of {most:?}");
        })
    };
    hit.set(Instant::now()).unwrap();
    control.ponder_hit();
    searcher.join().unwrap();
}
