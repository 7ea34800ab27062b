//! The transposition table of the proof-number search, shared by all threads without locks.
//!
//! An entry holds proven bounds of the position's value and the proof numbers of the goal searched
//! last. The full key is stored, xored with the data (Hyatt and Mann, 2002): a torn write matches no
//! key, and a mistaken match would make a false proof. 64-bit keys can still collide: with 2^26
//! entries (1 GiB), 10^9 failed probes find a wrong entry once in 270 runs, and few of those matter.
//! The verification (`verify`) compares whole positions. Four entries share a cache line; within it,
//! entries of earlier proofs (the generation cycles through four) and then those of least work are
//! replaced first.

use super::proof_numbers::{INFINITE, Number, ProofNumbers};
use super::{ProofGoal, ValueBounds};
use crate::rules::Value;
use crate::sync::atomic::{AtomicU64, Ordering};
use crate::sync::zeroed_words;

const ENTRIES_PER_BUCKET: usize = 4;
/// Words of a bucket: two per entry, the key xored with the data and the data.
const WORDS_PER_BUCKET: usize = 2 * ENTRIES_PER_BUCKET;
/// Size of a bucket in bytes, one cache line.
const BUCKET_BYTES: usize = WORDS_PER_BUCKET * size_of::<u64>();
const GENERATIONS: u8 = 4;
/// The approximate initial number of buckets (16 MiB); the table grows as it fills. Spreading entries
/// over more memory than needed made small proofs take twice as long.
const INITIAL_BUCKETS: usize = 1 << 18;
/// The fill level at which the table grows, in permille.
const GROWTH_LOAD: u16 = 500;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ProofEntry {
    /// Proven bounds of the first player's value.
    pub bounds: ValueBounds,
    /// The goal searched last.
    pub goal: ProofGoal,
    pub numbers: ProofNumbers,
    /// The effort of the longest search of the position: twice the binary logarithm of its nodes, plus
    /// one if it is solved.
    pub work: u8,
}

const VALUES: [Value; 3] = [Value::Loss, Value::Draw, Value::Win];

impl ProofEntry {
    fn pack(self, generation: u8) -> u64 {
        pack_number(self.numbers.proof)
            | pack_number(self.numbers.disproof) << 24
            | u64::from(self.work & 127) << 48
            | u64::from(generation) << 55
            | (self.goal as u64) << 57
            | (self.bounds.lower as u64) << 58
            | (self.bounds.upper as u64) << 60
            // Distinguishes an entry from an empty slot.
            | 1 << 63
    }

    /// Unpacks an entry from a checkpoint; `None` if no entry packs to this data.
    pub(super) fn checked(data: u64) -> Option<Self> {
        let entry = Self::unpack(data);
        let packed = entry.pack((data >> 55) as u8 % GENERATIONS);
        (packed == data && entry.bounds.lower <= entry.bounds.upper).then_some(entry)
    }

    fn unpack(data: u64) -> Self {
        let value = |shift: u32| VALUES[((data >> shift) as usize & 3).min(2)];
        Self {
            bounds: ValueBounds { lower: value(58), upper: value(60) },
            goal: if data >> 57 & 1 == 0 { ProofGoal::Win } else { ProofGoal::AtLeastDraw },
            numbers: ProofNumbers {
                proof: unpack_number(data),
                disproof: unpack_number(data >> 24),
            },
            work: (data >> 48) as u8 & 127,
        }
    }
}

/// The number of leading binary digits that are stored.
const DIGITS: u32 = 19;

impl ProofNumbers {
    /// The numbers as an entry stores them, rounded down.
    pub(super) fn as_stored(self) -> Self {
        let kept = |number| unpack_number(pack_number(number));
        Self { proof: kept(self.proof), disproof: kept(self.disproof) }
    }
}

/// Packs a number into 24 bits, as a small float: leading digits and an exponent.
fn pack_number(number: Number) -> u64 {
    if number == INFINITE {
        return (1 << 24) - 1;
    }
    let doublings = (Number::BITS - DIGITS).saturating_sub(number.leading_zeros());
    u64::from(number >> doublings) | u64::from(doublings) << DIGITS
}

fn unpack_number(bits: u64) -> Number {
    match bits & ((1 << 24) - 1) {
        0xff_ffff => INFINITE,
        bits => (bits as Number & ((1 << DIGITS) - 1)) << (bits >> DIGITS),
    }
}

/// A table that any number of threads read and write concurrently.
#[derive(Debug)]
pub(super) struct ProofTable {
    words: Box<[AtomicU64]>,
    /// Index of the first bucket's first word, aligned so that each bucket is one cache line.
    first: usize,
    /// The number of buckets in use.
    buckets: usize,
    max_buckets: usize,
    generation: u8,
}

impl ProofTable {
    /// Creates an empty table of at most this size, but at least one bucket. Fails if the allocation
    /// fails. The OS commits pages on first write.
    pub(super) fn new(bytes: usize) -> Result<Self, ()> {
        let max_buckets = (bytes / BUCKET_BYTES).max(2) - 1;
        let words = zeroed_words((max_buckets + 1) * WORDS_PER_BUCKET)?;
        // If the words cannot be aligned, buckets straddle cache lines.
        let first = words.as_ptr().align_offset(BUCKET_BYTES).min(WORDS_PER_BUCKET);
        let table = Self {
            words,
            first,
            buckets: initial_buckets(max_buckets),
            max_buckets,
            generation: 0,
        };
        table.commit(0);
        Ok(table)
    }

    /// Commits the memory of the buckets from `from` on by writing to each page. A page that is read
    /// before its first write faults twice, and the second fault stalls the other threads: with this
    /// and separate cache lines, two threads search 1.85 instead of 1.61 times as fast as one
    /// (`research/prover.md`).
    fn commit(&self, from: usize) {
        const PAGE: usize = 4096 / size_of::<u64>();
        let words =
            &self.words[self.first..][from * WORDS_PER_BUCKET..self.buckets * WORDS_PER_BUCKET];
        words.iter().step_by(PAGE).for_each(|word| word.store(0, Ordering::Relaxed));
    }

    /// Doubles the buckets in use if the table is half full and memory is left.
    pub(super) fn grow_if_full(&mut self) {
        self.grow_above(GROWTH_LOAD);
    }

    /// Doubles the buckets in use if the table is fuller than `load` permille and memory is left.
    pub(super) fn grow_above(&mut self, load: u16) {
        if 2 * self.buckets <= self.max_buckets && self.load_factor() > load {
            self.grow();
        }
    }

    /// The size in bytes of a table that these entries fill to about half.
    pub(super) fn size_for(entries: u64) -> u64 {
        entries.div_ceil(ENTRIES_PER_BUCKET as u64) * 2 * BUCKET_BYTES as u64
    }

    /// Doubles the number of buckets. Buckets are ordered by key, so the entries of one bucket move to
    /// two adjacent ones.
    fn grow(&mut self) {
        let old = self.buckets;
        self.buckets = 2 * old;
        self.commit(old);
        for index in (0..old).rev() {
            let start = self.first + index * WORDS_PER_BUCKET;
            let words: [u64; WORDS_PER_BUCKET] =
                std::array::from_fn(|word| self.words[start + word].swap(0, Ordering::Relaxed));
            for slot in words.chunks_exact(2).filter(|slot| slot[1] != 0) {
                self.put(slot[0] ^ slot[1], slot[1]);
            }
        }
    }

    pub(super) fn clear(&mut self) {
        // Writing zeros to untouched pages would commit them.
        for word in self.words.iter().filter(|word| word.load(Ordering::Relaxed) != 0) {
            word.store(0, Ordering::Relaxed);
        }
        self.buckets = initial_buckets(self.max_buckets);
        self.generation = 0;
    }

    /// Starts a new generation: entries stored so far are replaced first.
    pub(super) fn age(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    /// Prefetches the buckets of these keys. Probing them one by one would wait for each cache miss in
    /// turn; prefetching makes proofs 4 % faster.
    pub(super) fn prefetch(&self, keys: impl Iterator<Item = u64>) {
        let words = keys.map(|key| self.bucket(key)[0].load(Ordering::Relaxed));
        std::hint::black_box(words.fold(0, std::ops::BitXor::bitxor));
    }

    #[inline]
    pub(super) fn probe(&self, key: u64) -> Option<ProofEntry> {
        self.bucket(key).chunks_exact(2).find_map(|slot| {
            let data = slot[1].load(Ordering::Relaxed);
            let matches = slot[0].load(Ordering::Relaxed) ^ data == key && data != 0;
            matches.then(|| ProofEntry::unpack(data))
        })
    }

    /// Stores an entry; returns whether it replaced one of another position.
    pub(super) fn store(&self, key: u64, entry: ProofEntry) -> bool {
        self.put(key, entry.pack(self.generation))
    }

    fn put(&self, key: u64, data: u64) -> bool {
        let bucket = self.bucket(key);
        let (mut lowest_priority, mut victim, mut replaces) = (u8::MAX, 0, true);
        for slot in 0..ENTRIES_PER_BUCKET {
            let old = bucket[2 * slot + 1].load(Ordering::Relaxed);
            if old == 0 || bucket[2 * slot].load(Ordering::Relaxed) ^ old == key {
                (victim, replaces) = (slot, false);
                break;
            }
            let is_current = (old >> 55) as u8 % GENERATIONS == self.generation;
            let priority = (if is_current { 128 } else { 0 }) + ProofEntry::unpack(old).work;
            if priority < lowest_priority {
                (lowest_priority, victim) = (priority, slot);
            }
        }
        bucket[2 * victim].store(key ^ data, Ordering::Relaxed);
        bucket[2 * victim + 1].store(data, Ordering::Relaxed);
        replaces
    }

    /// Key and data of all entries with at least this much work.
    pub(super) fn entries(&self, min_work: u8) -> impl Iterator<Item = (u64, u64)> {
        let slots = self.words[self.first..][..self.buckets * WORDS_PER_BUCKET].chunks_exact(2);
        slots.filter_map(move |slot| {
            let data = slot[1].load(Ordering::Relaxed);
            let key = slot[0].load(Ordering::Relaxed) ^ data;
            (data != 0 && ProofEntry::unpack(data).work >= min_work).then_some((key, data))
        })
    }

    /// The used part of the maximum size in permille, estimated from a sample.
    pub(super) fn fullness(&self) -> u16 {
        (u64::from(self.load_factor()) * self.buckets as u64 / self.max_buckets as u64) as u16
    }

    /// The fill level of the buckets in use in permille, estimated from a sample.
    fn load_factor(&self) -> u16 {
        const SAMPLE: usize = 1000;
        let slots = || {
            self.words[self.first..][..self.buckets * WORDS_PER_BUCKET].chunks_exact(2).take(SAMPLE)
        };
        let used = slots().filter(|slot| slot[1].load(Ordering::Relaxed) != 0).count();
        (used * 1000 / slots().count().max(1)) as u16
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[AtomicU64] {
        let index = ((u128::from(key) * self.buckets as u128) >> 64) as usize;
        &self.words[self.first + index * WORDS_PER_BUCKET..][..WORDS_PER_BUCKET]
    }
}

/// The initial number of buckets, such that repeated doubling ends close to the maximum.
fn initial_buckets(max: usize) -> usize {
    max >> (max / INITIAL_BUCKETS).checked_ilog2().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(work: u8) -> ProofEntry {
        ProofEntry {
            bounds: ValueBounds { lower: Value::Loss, upper: Value::Draw },
            goal: ProofGoal::AtLeastDraw,
            numbers: ProofNumbers { proof: 123_456, disproof: INFINITE },
            work,
        }
    }

    #[test]
    fn probe_returns_the_stored_entry() {
        let mut table = ProofTable::new(1 << 12).unwrap();
        for (lower, goal) in [(Value::Loss, ProofGoal::Win), (Value::Draw, ProofGoal::AtLeastDraw)]
        {
            let entry =
                ProofEntry { bounds: ValueBounds { lower, ..entry(0).bounds }, goal, ..entry(9) };
            assert_eq!(table.probe(42).filter(|found| *found == entry), None);
            table.store(42, entry);
            assert_eq!(table.probe(42), Some(entry));
        }
        assert_eq!(table.probe(0), None, "an empty slot must not match key 0");
        table.clear();
        assert_eq!(table.probe(42), None);
    }

    #[test]
    fn data_that_no_entry_packs_to_is_rejected() {
        let is_valid = |data: u64| ProofEntry::checked(data).is_some();
        assert!(!is_valid(0));
        let data = entry(9).pack(3);
        for (lower, upper) in (0..16).map(|both| (both & 3, both >> 2)) {
            let changed = data & !(15 << 58) | lower << 58 | upper << 60;
            let expected = lower <= upper && upper < 3;
            assert_eq!(is_valid(changed), expected, "{lower} {upper}");
            assert!(!is_valid(changed & !(1 << 63)) && !is_valid(changed | 1 << 62));
        }
        // The same number with a non-canonical exponent.
        let numbers = ProofNumbers { proof: 1 << DIGITS, disproof: 1 };
        let data = ProofEntry { numbers, ..entry(9) }.pack(1);
        let non_canonical = data + (1 << DIGITS) - (1 << (DIGITS - 2));
        assert_eq!(ProofEntry::unpack(non_canonical).numbers, numbers);
        assert!(is_valid(data) && !is_valid(non_canonical));
    }

    #[test]
    fn sampled_load_counts_the_used_slots() {
        let mut table = ProofTable::new(1 << 12).unwrap();
        assert_eq!((table.load_factor(), table.fullness()), (0, 0));
        let slots = (table.buckets * ENTRIES_PER_BUCKET) as u64;
        for key in 0..slots / 4 {
            table.store(key << 58 | key >> 2, entry(1));
        }
        let used = table.entries(0).count() as u64;
        assert_eq!(u64::from(table.load_factor()), used * 1000 / slots);
        table.clear();
        assert_eq!(table.load_factor(), 0);
    }

    #[test]
    fn packed_numbers_keep_their_leading_digits() {
        for number in [0, 1, 64, (1 << DIGITS) - 1, INFINITE] {
            assert_eq!(unpack_number(pack_number(number)), number);
        }
        for number in [1 << DIGITS, 12_345_678, 1 << 31, INFINITE - 1] {
            let stored = unpack_number(pack_number(number));
            assert!(
                stored <= number && number - stored <= number >> (DIGITS - 1),
                "{number} {stored}"
            );
        }
    }

    #[test]
    fn old_entries_and_least_work_are_replaced_first() {
        let mut table = ProofTable::new(0).unwrap();
        for key in 1..=4 {
            table.store(key, entry(10 - key as u8));
        }
        table.store(5, entry(1));
        assert_eq!(table.probe(4), None);
        assert!([1, 2, 3, 5].iter().all(|key| table.probe(*key).is_some()));
        // Entries of an earlier generation are replaced whatever their work.
        table.age();
        for key in 11..=14 {
            table.store(key, entry(0));
        }
        assert!([1, 2, 3, 5].iter().all(|key| table.probe(*key).is_none()));
    }

    #[test]
    fn growing_keeps_all_entries() {
        const NUMBER: u64 = 100_000;
        let mut table = ProofTable::new(1 << 26).unwrap();
        let before = table.buckets;
        let key = crate::rules::random::mix64;
        for number in 0..NUMBER {
            table.store(key(number), entry((number % 100) as u8));
        }
        table.grow_if_full();
        assert_eq!(table.buckets, before, "not full yet");
        let all = |table: &ProofTable| (0..NUMBER).map(|number| table.probe(key(number))).collect();
        let before_growing: Vec<Option<ProofEntry>> = all(&table);
        table.grow();
        assert_eq!(table.buckets, 2 * before);
        assert!(all(&table) == before_growing && before_growing.iter().flatten().count() > 99_900);
        table.clear();
        assert_eq!((table.buckets, table.probe(key(7))), (before, None));
    }

    #[test]
    fn table_grows_as_it_fills_up_to_its_maximum() {
        let mut table = ProofTable::new(1 << 26).unwrap();
        let before = table.buckets;
        for number in 0..8 * before as u64 {
            table.store(crate::rules::random::mix64(number), entry(0));
            if number.is_multiple_of(1 << 12) {
                table.grow_if_full();
            }
        }
        assert_eq!(table.buckets, 2 * before);
        assert!(table.buckets <= table.max_buckets && table.max_buckets < 2 * table.buckets);
        let [load, fullness] = [table.load_factor(), table.fullness()].map(u32::from);
        let expected = load * table.buckets as u32 / table.max_buckets as u32;
        assert!(fullness == expected && load > 500, "{fullness} and {load}");
    }

    #[test]
    fn buckets_are_aligned_to_cache_lines() {
        let table = ProofTable::new(1 << 16).unwrap();
        assert!(table.bucket(1 << 60).as_ptr().addr().is_multiple_of(BUCKET_BYTES));
        assert!(table.words.len() * 8 <= 1 << 16);
    }
}
