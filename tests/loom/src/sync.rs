//! Replaces `src/sync.rs` with loom's atomics and locks.

pub(crate) use loom::sync::{Condvar, Mutex, atomic};

use atomic::AtomicU64;

pub(crate) fn zeroed_words(count: usize) -> Result<Box<[AtomicU64]>, ()> {
    Ok((0..count).map(|_| AtomicU64::new(0)).collect())
}
