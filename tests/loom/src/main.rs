//! What the threads of a search share, in every order in which they can run and see each other's writes: the two tables
//! without locks, and the cord by which a search is stopped. The files are those of the program; only `sync` is another.
//!
//! `cargo run --release` tries all; the first that fails ends it with the order in which it happened.
#![allow(dead_code)]

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

/// Tries a model in all orders and tells how many there were.
fn try_all(name: &str, preemptions: Option<usize>, model: impl Fn() + Send + Sync + 'static) {
    let orders = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&orders);
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = preemptions;
    builder.check(move || {
        counted.fetch_add(1, Ordering::Relaxed);
        model();
    });
    println!("{name}: {} orders", orders.load(Ordering::Relaxed));
}

fn main() {
    // Both fall into the one bucket there is, the first two into the same words of it.
    try_all("two positions", Some(3), || search::entries_are_never_mixed([5, 6]));
    try_all("one position", Some(3), search::one_position_is_written_twice);
    try_all("two proofs", Some(3), || proof::entries_are_never_mixed([5, 6]));
    try_all("one proof", Some(3), || proof::entries_are_never_mixed([5, 5]));
    let (stop, hit): (search::Word, search::Word) =
        (search::SearchControl::stop, search::SearchControl::ponder_hit);
    try_all("stop", None, move || search::a_search_answers(false, true, &[stop], true));
    try_all("ponderhit", None, move || search::a_search_answers(true, false, &[hit], true));
    try_all("ponderhit, stop", None, move || {
        search::a_search_answers(true, true, &[hit, stop], true)
    });
    try_all("stop twice", None, move || {
        search::a_search_answers(false, true, &[stop, stop], false)
    });
    try_all("no ponder, ponderhit, stop", None, move || {
        search::a_search_answers(false, true, &[hit, stop], true)
    });
    try_all("a bounded search", None, move || {
        search::a_search_answers(false, false, &[stop], false)
    });
    try_all("watch, stop", None, || search::a_watcher_wakes(search::SearchControl::stop));
    try_all("watch, finish", None, || search::a_watcher_wakes(search::SearchControl::finish));
    try_all("the clock of ponderhit", None, search::the_clock_begins_with_the_hit);
}
