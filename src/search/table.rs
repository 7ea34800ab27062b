//! The transposition table: what was found out about a position, shared by all threads without
//! locks.
//!
//! An entry is two words, the data and the key xored with the data. A torn write leaves a pair
//! that does not fit together and is read as a miss (Hyatt and Mann, 2002). Four entries share a
//! cache line; within it, old and shallow ones make room first.

use std::collections::TryReserveError;

use super::Points;
use crate::sync::atomic::{AtomicU64, Ordering};

const ENTRIES: usize = 4;
const GENERATIONS: u8 = 64;

/// What a stored score says about the true one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    /// The true score is at most this.
    Upper = 1,
    /// The true score is at least this.
    Lower = 2,
    /// It is the true score.
    Exact = 3,
}

/// What is remembered of a position. Decided scores are counted from the position itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TtEntry {
    /// The code of the best move.
    pub move_code: u16,
    pub points: Points,
    pub depth: u8,
    pub bound: Bound,
    /// What the evaluation said of the position, if it was asked.
    pub evaluation: Option<Points>,
}

impl TtEntry {
    /// In place of a move code: none was better than the others.
    pub(super) const NO_MOVE: u16 = u16::MAX;
    /// In place of an evaluation: it was not asked.
    const NO_EVALUATION: i16 = i16::MIN;

    fn pack(self, generation: u8) -> u64 {
        u64::from(self.move_code)
            | u64::from(self.points as i16 as u16) << 16
            | u64::from(self.depth) << 32
            | (self.bound as u64) << 40
            | u64::from(generation) << 42
            | u64::from(self.evaluation.map_or(Self::NO_EVALUATION, |points| points as i16) as u16)
                << 48
    }

    /// `None` for an entry that was never written.
    fn unpack(data: u64) -> Option<Self> {
        let bound = match data >> 40 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        let points = Points::from((data >> 16) as u16 as i16);
        let evaluation = Some((data >> 48) as u16 as i16)
            .filter(|points| *points != Self::NO_EVALUATION)
            .map(Points::from);
        Some(Self { move_code: data as u16, points, depth: (data >> 32) as u8, bound, evaluation })
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
struct TtBucket([TtSlot; ENTRIES]);

/// The table. Searches of one game belong to generations, so that old entries can be told.
#[derive(Debug)]
pub(super) struct TranspositionTable {
    buckets: Vec<TtBucket>,
    generation: u8,
}

impl TranspositionTable {
    /// An empty table of at most this size, but of one bucket at least.
    ///
    /// # Errors
    /// When the memory is not to be had.
    pub(super) fn new(bytes: usize) -> Result<Self, TryReserveError> {
        let count = (bytes / size_of::<TtBucket>()).max(1);
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count)?;
        buckets.resize_with(count, TtBucket::default);
        Ok(Self { buckets, generation: 0 })
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.buckets.fill_with(TtBucket::default);
        self.generation = 0;
    }

    /// A new search begins: what is stored from now on is younger than what is there.
    pub(super) fn age(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    pub(super) fn probe(&self, key: u64) -> Option<TtEntry> {
        self.bucket(key).0.iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            let fits = slot.check.load(Ordering::Relaxed) ^ data == key;
            if fits { TtEntry::unpack(data) } else { None }
        })
    }

    pub(super) fn store(&self, key: u64, entry: TtEntry) {
        let mut least_worth = i32::MAX;
        let mut victim = &self.bucket(key).0[0];
        for slot in &self.bucket(key).0 {
            let data = slot.data.load(Ordering::Relaxed);
            let worth = match TtEntry::unpack(data) {
                None => i32::MIN,
                Some(old) if slot.check.load(Ordering::Relaxed) ^ data == key => {
                    // A deep entry of this search outlives a much shallower bound for the same
                    // position.
                    let young = generation_of(data) == self.generation;
                    if young && entry.bound != Bound::Exact && entry.depth + 4 < old.depth {
                        return;
                    }
                    victim = slot;
                    break;
                }
                Some(old) => i32::from(old.depth) - 8 * i32::from(self.age_of(data)),
            };
            if worth < least_worth {
                (least_worth, victim) = (worth, slot);
            }
        }
        let data = entry.pack(self.generation);
        victim.data.store(data, Ordering::Relaxed);
        victim.check.store(key ^ data, Ordering::Relaxed);
    }

    /// How full the table is of entries from this search, in thousandths, by a sample.
    pub(super) fn fullness(&self) -> u16 {
        const SAMPLE: usize = 1000;
        let slots = || self.buckets.iter().flat_map(|bucket| &bucket.0).take(SAMPLE);
        let young = slots().map(|slot| slot.data.load(Ordering::Relaxed)).filter(|data| {
            TtEntry::unpack(*data).is_some() && generation_of(*data) == self.generation
        });
        (young.count() * 1000 / slots().count().max(1)) as u16
    }

    fn age_of(&self, data: u64) -> u8 {
        (GENERATIONS + self.generation - generation_of(data)) % GENERATIONS
    }

    #[inline]
    fn bucket(&self, key: u64) -> &TtBucket {
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
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
            evaluation: Some(-12),
        }
    }

    #[test]
    fn returns_what_was_stored() {
        let table = TranspositionTable::new(1 << 20).unwrap();
        assert_eq!(table.probe(42), None);
        table.store(42, entry(9));
        assert_eq!(table.probe(42), Some(entry(9)));
        assert_eq!(table.probe(43), None);
    }

    #[test]
    fn old_and_shallow_entries_make_room() {
        let mut table = TranspositionTable::new(1 << 20).unwrap();
        // These keys share the first bucket.
        (0..4).for_each(|key| table.store(key, entry(10 + key as u8)));
        table.age();
        table.store(4, entry(1));
        assert_eq!(table.probe(0), None, "the shallowest of the old ones went");
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
