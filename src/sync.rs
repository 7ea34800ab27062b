//! Synchronization primitives and shared memory. `tests/loom` substitutes loom's versions to explore
//! every thread interleaving.

pub(crate) use std::sync::{Condvar, Mutex, atomic};

use atomic::AtomicU64;

/// Allocates `count` zeroed words; the OS commits pages on first write. Fails if the allocation
/// fails.
pub(crate) fn zeroed_words(count: usize) -> Result<Box<[AtomicU64]>, ()> {
    bytemuck::allocation::try_zeroed_slice_box(count)
}
