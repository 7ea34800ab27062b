//! Replaces `src/platform` with what the models need.

pub(crate) use std::time::Instant;

use crate::sync::{Condvar, Mutex};

pub(crate) fn poll() {}

pub(crate) fn wait_until<T>(
    value: &Mutex<T>,
    changed: &Condvar,
    condition: impl Fn(&mut T) -> bool,
) {
    let mut guard = value.lock().unwrap();
    while !condition(&mut guard) {
        guard = changed.wait(guard).unwrap();
    }
}
