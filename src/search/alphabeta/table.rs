//! The transposition table: search results by position, shared by all threads without locks.
//!
//! An entry is two words, the data and the key XORed with the data. A torn write leaves words that
//! do not match, which read as a miss (Hyatt and Mann, 2002). Four entries share a cache line; old
//! and shallow ones are replaced first.

use std::collections::TryReserveError;

use prefetch_index::prefetch_index;

use crate::search::points::{self, Points};
use crate::sync::atomic::{AtomicU64, Ordering};

const ENTRIES_PER_BUCKET: usize = 4;
const GENERATIONS: u8 = 64;

/// How a stored score relates to the true one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    /// The true score is at most this (fail low).
    Upper = 1,
    /// The true score is at least this (fail high).
    Lower = 2,
    /// It is the true score.
    Exact = 3,
}

/// A stored search result. Proven distances count from the stored position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TtEntry {
    /// The code of the best move, or [`TtEntry::NO_MOVE`].
    pub move_code: u16,
    pub points: Points,
    pub depth: u8,
    pub bound: Bound,
    /// The static evaluation, if it was computed.
    pub static_eval: Option<Points>,
}

impl TtEntry {
    /// No move raised alpha.
    pub(super) const NO_MOVE: u16 = u16::MAX;
    /// The static evaluation was not computed.
    const NO_EVAL: i16 = i16::MIN;

    /// Whether it proves a win or a loss, which holds whatever the depth.
    pub(super) fn is_proof(self) -> bool {
        self.bound != Bound::Upper && points::is_won(self.points)
            || self.bound != Bound::Lower && points::is_won(-self.points)
    }

    fn pack(self, generation: u8) -> u64 {
        u64::from(self.move_code)
            | u64::from(self.points as i16 as u16) << 16
            | u64::from(self.depth) << 32
            | (self.bound as u64) << 40
            | u64::from(generation) << 42
            | u64::from(self.static_eval.map_or(Self::NO_EVAL, |points| points as i16) as u16) << 48
    }

    /// Returns `None` for an entry that was never written.
    fn unpack(data: u64) -> Option<Self> {
        let bound = match data >> 40 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        let points = Points::from((data >> 16) as u16 as i16);
        let static_eval = Some((data >> 48) as u16 as i16)
            .filter(|points| *points != Self::NO_EVAL)
            .map(Points::from);
        Some(Self { move_code: data as u16, points, depth: (data >> 32) as u8, bound, static_eval })
    }
}

fn generation_of(data: u64) -> u8 {
    (data >> 42) as u8 & (GENERATIONS - 1)
}

#[derive(Debug, Default)]
struct TtSlot {
    check: AtomicU64,
    data: AtomicU64,
}

#[derive(Debug, Default)]
#[repr(align(64))]
struct TtBucket([TtSlot; ENTRIES_PER_BUCKET]);

/// The transposition table. Each search is a generation, so that older entries can be replaced.
#[derive(Debug)]
pub(super) struct TranspositionTable {
    buckets: Vec<TtBucket>,
    generation: u8,
}

impl TranspositionTable {
    /// Creates an empty table of at most `bytes`, but at least one bucket.
    ///
    /// # Errors
    /// Fails if the allocation fails.
    pub(super) fn new(bytes: usize) -> Result<Self, TryReserveError> {
        let count = (bytes / size_of::<TtBucket>()).max(1);
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count)?;
        buckets.resize_with(count, TtBucket::default);
        Ok(Self { buckets, generation: 0 })
    }

    /// Removes all entries.
    pub(super) fn clear(&mut self) {
        self.buckets.fill_with(TtBucket::default);
        self.generation = 0;
    }

    /// Starts a new generation.
    pub(super) fn age(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    pub(super) fn probe(&self, key: u64) -> Option<TtEntry> {
        self.bucket(key).0.iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            let matches = slot.check.load(Ordering::Relaxed) ^ data == key;
            if matches { TtEntry::unpack(data) } else { None }
        })
    }

    /// Prefetches the bucket of a key.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        prefetch_index(&self.buckets, self.bucket_index(key));
    }

    /// Stores an entry. It replaces the same position's entry, else an empty or the least valuable
    /// one.
    pub(super) fn store(&self, key: u64, entry: TtEntry) {
        let mut lowest_priority = i32::MAX;
        let mut victim = &self.bucket(key).0[0];
        for slot in &self.bucket(key).0 {
            let data = slot.data.load(Ordering::Relaxed);
            let priority = match TtEntry::unpack(data) {
                None => i32::MIN,
                Some(old) if slot.check.load(Ordering::Relaxed) ^ data == key => {
                    // Keep a proof rather than an estimate, and a deep entry of this search rather than
                    // a much shallower bound.
                    let loses_proof = old.is_proof() && !entry.is_proof();
                    let is_current = generation_of(data) == self.generation;
                    let is_shallow = entry.bound != Bound::Exact && entry.depth + 4 < old.depth;
                    if loses_proof || is_current && is_shallow {
                        return;
                    }
                    victim = slot;
                    break;
                }
                // Each search since it was stored costs an entry as much as eight plies of depth.
                Some(old) => i32::from(old.depth) - 8 * i32::from(self.age_of(data)),
            };
            if priority < lowest_priority {
                (lowest_priority, victim) = (priority, slot);
            }
        }
        let data = entry.pack(self.generation);
        victim.data.store(data, Ordering::Relaxed);
        victim.check.store(key ^ data, Ordering::Relaxed);
    }

    /// Returns how much of the table holds entries of this search, in permille, from a sample.
    pub(super) fn fullness(&self) -> u16 {
        const SAMPLE: usize = 1000;
        let slots = || self.buckets.iter().flat_map(|bucket| &bucket.0).take(SAMPLE);
        let current = slots().map(|slot| slot.data.load(Ordering::Relaxed)).filter(|data| {
            TtEntry::unpack(*data).is_some() && generation_of(*data) == self.generation
        });
        (current.count() * 1000 / slots().count().max(1)) as u16
    }

    fn age_of(&self, data: u64) -> u8 {
        (GENERATIONS + self.generation - generation_of(data)) % GENERATIONS
    }

    #[inline]
    fn bucket(&self, key: u64) -> &TtBucket {
        &self.buckets[self.bucket_index(key)]
    }

    #[inline]
    fn bucket_index(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: u8) -> TtEntry {
        TtEntry {
            move_code: 77,
            points: -31_999,
            depth,
            bound: Bound::Lower,
            static_eval: Some(-12),
        }
    }

    #[test]
    fn probe_returns_the_stored_entry() {
        let table = TranspositionTable::new(1 << 20).unwrap();
        assert_eq!(table.probe(42), None);
        table.store(42, entry(9));
        assert_eq!(table.probe(42), Some(entry(9)));
        assert_eq!(table.probe(43), None);
    }

    #[test]
    fn proofs_are_replaced_by_proofs_only() {
        let mut table = TranspositionTable::new(1 << 20).unwrap();
        let loss = TtEntry { bound: Bound::Upper, ..entry(1) };
        table.store(42, loss);
        table.age();
        table.store(42, TtEntry { points: 9, bound: Bound::Exact, ..entry(20) });
        table.store(42, TtEntry { points: 31_900, ..loss });
        assert_eq!(table.probe(42), Some(loss), "an estimate and a mere bound");
        let slower = TtEntry { points: -31_990, ..loss };
        table.store(42, slower);
        assert_eq!(table.probe(42), Some(slower));
    }

    #[test]
    fn old_and_shallow_entries_are_replaced_first() {
        let mut table = TranspositionTable::new(1 << 20).unwrap();
        // These keys share the first bucket.
        (0..4).for_each(|key| table.store(key, entry(10 + key as u8)));
        table.age();
        table.store(4, entry(1));
        assert_eq!(table.probe(0), None, "the shallowest old entry is replaced");
        assert_eq!(table.probe(4), Some(entry(1)));
        assert_eq!(table.probe(3), Some(entry(13)));
    }

    #[test]
    fn fullness_counts_this_search_only() {
        let mut table = TranspositionTable::new(1 << 20).unwrap();
        assert_eq!(table.fullness(), 0);
        (0..1 << 16).for_each(|n| table.store(crate::rules::random::mix64(n), entry(1)));
        assert!(table.fullness() > 500);
        table.age();
        assert_eq!(table.fullness(), 0);
        table.clear();
        assert_eq!(table.probe(crate::rules::random::mix64(1)), None);
    }
}
