//! Atomics, locks and shared words: those of the standard library. `tests/loom` puts others in their
//! place, which try the threads in every order.

pub(crate) use std::sync::{Condvar, Mutex, atomic};

use atomic::AtomicU64;

/// So many words of nought. The system gives the memory as it is written to.
///
/// # Errors
/// When the memory is not to be had.
pub(crate) fn zeroed_words(count: usize) -> Result<Box<[AtomicU64]>, ()> {
    bytemuck::allocation::try_zeroed_slice_box(count)
}
