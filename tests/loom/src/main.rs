//! Loom models of the state that search threads share: the two lock-free tables and the search control. They run the
//! program's own files in every interleaving and memory order; only `sync` and `platform` are replaced.
//!
//! `cargo run --release` explores all models and stops at the first failure with the interleaving that caused it.
#![allow(dead_code)]

mod platform;
mod proof;
mod search;
mod sync;

mod rules {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub(crate) enum Value {
        Loss,
        Draw,
        Win,
    }
}

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Explores a model in all interleavings and prints their number.
fn explore(name: &str, preemptions: Option<usize>, model: impl Fn() + Send + Sync + 'static) {
    let interleavings = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&interleavings);
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = preemptions;
    builder.check(move || {
        counted.fetch_add(1, Ordering::Relaxed);
        model();
    });
    println!("{name}: {} interleavings", interleavings.load(Ordering::Relaxed));
}

fn main() {
    // The tables have one bucket; the first two positions compete for the same words in it.
    explore("two positions", Some(3), || search::entries_are_never_mixed([5, 6]));
    explore("one position", Some(3), search::one_position_is_written_twice);
    explore("two proofs", Some(3), || proof::entries_are_never_mixed([5, 6]));
    explore("one proof", Some(3), || proof::entries_are_never_mixed([5, 5]));
    let (stop, hit): (search::Signal, search::Signal) =
        (search::SearchControl::stop, search::SearchControl::ponder_hit);
    explore("stop", None, move || search::search_answers_once_released(false, true, &[stop], true));
    explore("ponderhit", None, move || {
        search::search_answers_once_released(true, false, &[hit], true)
    });
    explore("ponderhit, stop", None, move || {
        search::search_answers_once_released(true, true, &[hit, stop], true)
    });
    explore("stop twice", None, move || {
        search::search_answers_once_released(false, true, &[stop, stop], false)
    });
    explore("no ponder, ponderhit, stop", None, move || {
        search::search_answers_once_released(false, true, &[hit, stop], true)
    });
    explore("a bounded search", None, move || {
        search::search_answers_once_released(false, false, &[stop], false)
    });
    explore("watch, stop", None, || search::deadline_thread_wakes(search::SearchControl::stop));
    explore("watch, finish", None, || search::deadline_thread_wakes(search::SearchControl::finish));
    explore("the clock of ponderhit", None, search::clock_starts_at_ponder_hit);
}
