//! What the prover remembers of positions, shared by all threads without locks.
//!
//! An entry holds what is proven of the position, for good, and how far the question that was last
//! asked of it is from its two answers. The key is kept whole, xored with the data: a position taken
//! for another would make a false proof, and a torn write fits no key (Hyatt and Mann, 2002). Keys
//! of 64 bits can still agree by chance: among 2^26 entries (1 GiB) a thousand million look-ups in
//! vain find one that is not theirs once in 270 times, and it matters once in many of those. A second
//! look (`verify`) compares whole positions. Four entries share a cache line; within it, what an
//! earlier proof left (of the last three) and what took the least work makes room first.

use super::proof_numbers::{INFINITE, Number, ProofNumbers};
use super::{ProofGoal, ValueBounds};
use crate::rules::Value;
use crate::sync::atomic::{AtomicU64, Ordering};
use crate::sync::zeroed_words;

const ENTRIES: usize = 4;
/// Check and data of each entry.
const WORDS: usize = 2 * ENTRIES;
const LINE: usize = WORDS * size_of::<u64>();
const GENERATIONS: u8 = 4;
/// A table begins with so many buckets, about, and grows when they fill up: 16 MiB. What is spread
/// over more memory than it needs is slower to be had, twice as slow for small proofs.
const FIRST_BUCKETS: usize = 1 << 18;
/// How full it gets before it grows, in thousandths.
const CROWDED: u16 = 500;

/// What is remembered of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ProofEntry {
    /// What is proven of the first player's value.
    pub bounds: ValueBounds,
    /// The question that was asked last, …
    pub question: ProofGoal,
    /// … and how far its answers are.
    pub distance: ProofNumbers,
    /// The most work that went in at a time: twice its binary logarithm, one more if it is proven.
    pub work: u8,
}

const VALUES: [Value; 3] = [Value::Loss, Value::Draw, Value::Win];

impl ProofEntry {
    fn pack(self, generation: u8) -> u64 {
        pack_number(self.distance.proof)
            | pack_number(self.distance.disproof) << 24
            | u64::from(self.work & 127) << 48
            | u64::from(generation) << 55
            | (self.question as u64) << 57
            | (self.bounds.least as u64) << 58
            | (self.bounds.most as u64) << 60
            // Not nought, whatever the rest.
            | 1 << 63
    }

    /// The entry that was packed into such data; `None` where none can have been.
    pub(super) fn read(data: u64) -> Option<Self> {
        let entry = Self::unpack(data);
        let packed = entry.pack((data >> 55) as u8 % GENERATIONS);
        (packed == data && entry.bounds.least <= entry.bounds.most).then_some(entry)
    }

    fn unpack(data: u64) -> Self {
        let value = |shift: u32| VALUES[((data >> shift) as usize & 3).min(2)];
        Self {
            bounds: ValueBounds { least: value(58), most: value(60) },
            question: if data >> 57 & 1 == 0 { ProofGoal::Wins } else { ProofGoal::Holds },
            distance: ProofNumbers {
                proof: unpack_number(data),
                disproof: unpack_number(data >> 24),
            },
            work: (data >> 48) as u8 & 127,
        }
    }
}

/// Digits of a number that are kept, in binary.
const DIGITS: u32 = 19;

impl ProofNumbers {
    /// What is left of it in a table.
    pub(super) fn as_remembered(self) -> Self {
        let kept = |number| unpack_number(pack_number(number));
        Self { proof: kept(self.proof), disproof: kept(self.disproof) }
    }
}

/// A number in 24 bits: what it begins with, and how often that is doubled.
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

/// A table that any number of threads read and write.
#[derive(Debug)]
pub(super) struct ProofTable {
    words: Box<[AtomicU64]>,
    /// Where the first bucket begins, so that each is one cache line.
    first: usize,
    /// How many are in use, …
    buckets: usize,
    /// … and how many there can be.
    most: usize,
    generation: u8,
}

impl ProofTable {
    /// An empty table of at most this size, but of one bucket at least. The system gives the memory
    /// as it is written to.
    pub(super) fn new(bytes: usize) -> Result<Self, ()> {
        let most = (bytes / LINE).max(2) - 1;
        let words = zeroed_words((most + 1) * WORDS)?;
        // Within a line of the beginning, or not to be had; then buckets lie across lines.
        let first = words.as_ptr().align_offset(LINE).min(WORDS);
        let table = Self { words, first, buckets: first_buckets(most), most, generation: 0 };
        table.claim(0);
        Ok(table)
    }

    /// Has the system give the memory of the buckets from this one on, by a write to each page. Where a
    /// page is read before it is written to, the system gives it twice and stops the other threads the
    /// second time: without this two threads proved 1.5 times as much as one, with it 1.8.
    fn claim(&self, from: usize) {
        const PAGE: usize = 4096 / size_of::<u64>();
        let words = &self.words[self.first..][from * WORDS..self.buckets * WORDS];
        words.iter().step_by(PAGE).for_each(|word| word.store(0, Ordering::Relaxed));
    }

    /// Takes more of the memory into use, if it is time to and there is more.
    pub(super) fn make_room(&mut self) {
        if 2 * self.buckets <= self.most && self.crowding() > CROWDED {
            self.grow();
        }
    }

    /// Doubles the number of buckets. Keys are shared out over the buckets in their order, so that
    /// the entries of one go into two that lie next to each other.
    fn grow(&mut self) {
        let old = self.buckets;
        self.buckets = 2 * old;
        self.claim(old);
        for index in (0..old).rev() {
            let start = self.first + index * WORDS;
            let words: [u64; WORDS] =
                std::array::from_fn(|word| self.words[start + word].swap(0, Ordering::Relaxed));
            for slot in words.chunks_exact(2).filter(|slot| slot[1] != 0) {
                self.put(slot[0] ^ slot[1], slot[1]);
            }
        }
    }

    pub(super) fn clear(&mut self) {
        // What was never written to is not to be made memory by writing noughts.
        for word in self.words.iter().filter(|word| word.load(Ordering::Relaxed) != 0) {
            word.store(0, Ordering::Relaxed);
        }
        self.buckets = first_buckets(self.most);
        self.generation = 0;
    }

    /// What is stored from now on is worth more than what is there.
    pub(super) fn age(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    /// Has the machine fetch the entries of these keys, all at the same time. Who probes them one
    /// after the other waits for each: fetched, proofs take 0.95 of the time.
    pub(super) fn fetch(&self, keys: impl Iterator<Item = u64>) {
        let words = keys.map(|key| self.bucket(key)[0].load(Ordering::Relaxed));
        std::hint::black_box(words.fold(0, std::ops::BitXor::bitxor));
    }

    #[inline]
    pub(super) fn probe(&self, key: u64) -> Option<ProofEntry> {
        self.bucket(key).chunks_exact(2).find_map(|slot| {
            let data = slot[1].load(Ordering::Relaxed);
            let fits = slot[0].load(Ordering::Relaxed) ^ data == key && data != 0;
            fits.then(|| ProofEntry::unpack(data))
        })
    }

    pub(super) fn store(&self, key: u64, entry: ProofEntry) {
        self.put(key, entry.pack(self.generation));
    }

    fn put(&self, key: u64, data: u64) {
        let bucket = self.bucket(key);
        let (mut least, mut victim) = (u8::MAX, 0);
        for slot in 0..ENTRIES {
            let old = bucket[2 * slot + 1].load(Ordering::Relaxed);
            if old == 0 || bucket[2 * slot].load(Ordering::Relaxed) ^ old == key {
                victim = slot;
                break;
            }
            let young = (old >> 55) as u8 % GENERATIONS == self.generation;
            let worth = if young { 128 } else { 0 } + ProofEntry::unpack(old).work;
            if worth < least {
                (least, victim) = (worth, slot);
            }
        }
        bucket[2 * victim].store(key ^ data, Ordering::Relaxed);
        bucket[2 * victim + 1].store(data, Ordering::Relaxed);
    }

    /// The entries, key and data, in which at least so much work went.
    pub(super) fn entries(&self, least_work: u8) -> impl Iterator<Item = (u64, u64)> {
        let slots = self.words[self.first..][..self.buckets * WORDS].chunks_exact(2);
        slots.filter_map(move |slot| {
            let data = slot[1].load(Ordering::Relaxed);
            let key = slot[0].load(Ordering::Relaxed) ^ data;
            (data != 0 && ProofEntry::unpack(data).work >= least_work).then_some((key, data))
        })
    }

    /// How much of what it may take is full, in thousandths, by a sample.
    pub(super) fn fullness(&self) -> u16 {
        (u64::from(self.crowding()) * self.buckets as u64 / self.most as u64) as u16
    }

    /// How full the buckets are that are in use, in thousandths, by a sample.
    fn crowding(&self) -> u16 {
        const SAMPLE: usize = 1000;
        let slots =
            || self.words[self.first..][..self.buckets * WORDS].chunks_exact(2).take(SAMPLE);
        let used = slots().filter(|slot| slot[1].load(Ordering::Relaxed) != 0).count();
        (used * 1000 / slots().count().max(1)) as u16
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[AtomicU64] {
        let index = ((u128::from(key) * self.buckets as u128) >> 64) as usize;
        &self.words[self.first + index * WORDS..][..WORDS]
    }
}

/// With how many buckets a table begins, so that doubling them leads close to the most.
fn first_buckets(most: usize) -> usize {
    most >> (most / FIRST_BUCKETS).checked_ilog2().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(work: u8) -> ProofEntry {
        ProofEntry {
            bounds: ValueBounds { least: Value::Loss, most: Value::Draw },
            question: ProofGoal::Holds,
            distance: ProofNumbers { proof: 123_456, disproof: INFINITE },
            work,
        }
    }

    #[test]
    fn returns_what_was_stored() {
        let mut table = ProofTable::new(1 << 12).unwrap();
        for (least, question) in [(Value::Loss, ProofGoal::Wins), (Value::Draw, ProofGoal::Holds)] {
            let entry = ProofEntry {
                bounds: ValueBounds { least, ..entry(0).bounds },
                question,
                ..entry(9)
            };
            assert_eq!(table.probe(42).filter(|known| *known == entry), None);
            table.store(42, entry);
            assert_eq!(table.probe(42), Some(entry));
        }
        assert_eq!(table.probe(0), None, "an empty slot is no position with key 0");
        table.clear();
        assert_eq!(table.probe(42), None);
    }

    #[test]
    fn what_cannot_have_been_stored_is_seen() {
        let is_valid = |data: u64| ProofEntry::read(data).is_some();
        assert!(!is_valid(0));
        let data = entry(9).pack(3);
        for (least, most) in (0..16).map(|both| (both & 3, both >> 2)) {
            let changed = data & !(15 << 58) | least << 58 | most << 60;
            let is_right = least <= most && most < 3;
            assert_eq!(is_valid(changed), is_right, "{least} {most}");
            assert!(!is_valid(changed & !(1 << 63)) && !is_valid(changed | 1 << 62));
        }
        // The same number, doubled once more than it is.
        let distance = ProofNumbers { proof: 1 << DIGITS, disproof: 1 };
        let data = ProofEntry { distance, ..entry(9) }.pack(1);
        let again = data + (1 << DIGITS) - (1 << (DIGITS - 2));
        assert_eq!(ProofEntry::unpack(again).distance, distance);
        assert!(is_valid(data) && !is_valid(again));
    }

    #[test]
    fn it_is_as_full_as_it_is() {
        let mut table = ProofTable::new(1 << 12).unwrap();
        assert_eq!((table.crowding(), table.fullness()), (0, 0));
        let slots = (table.buckets * ENTRIES) as u64;
        (0..slots / 4).for_each(|key| table.store(key << 58 | key >> 2, entry(1)));
        let used = table.entries(0).count() as u64;
        assert_eq!(u64::from(table.crowding()), used * 1000 / slots);
        table.clear();
        assert_eq!(table.crowding(), 0);
    }

    #[test]
    fn numbers_keep_their_first_digits() {
        for number in [0, 1, 64, (1 << DIGITS) - 1, INFINITE] {
            assert_eq!(unpack_number(pack_number(number)), number);
        }
        for number in [1 << DIGITS, 12_345_678, 1 << 31, INFINITE - 1] {
            let kept = unpack_number(pack_number(number));
            assert!(kept <= number && number - kept <= number >> (DIGITS - 1), "{number} {kept}");
        }
    }

    #[test]
    fn what_took_the_least_work_makes_room() {
        let mut table = ProofTable::new(0).unwrap();
        for key in 1..=4 {
            table.store(key, entry(10 - key as u8));
        }
        table.store(5, entry(1));
        assert_eq!(table.probe(4), None);
        assert!([1, 2, 3, 5].iter().all(|key| table.probe(*key).is_some()));
        // Of an earlier proof even the work of years makes room.
        table.age();
        for key in 11..=14 {
            table.store(key, entry(0));
        }
        assert!([1, 2, 3, 5].iter().all(|key| table.probe(*key).is_none()));
    }

    #[test]
    fn nothing_is_lost_when_it_grows() {
        const NUMBER: u64 = 100_000;
        let mut table = ProofTable::new(1 << 26).unwrap();
        let before = table.buckets;
        let key = crate::rules::random::mix64;
        (0..NUMBER).for_each(|number| table.store(key(number), entry((number % 100) as u8)));
        table.make_room();
        assert_eq!(table.buckets, before, "there is room");
        let all = |table: &ProofTable| (0..NUMBER).map(|number| table.probe(key(number))).collect();
        let known: Vec<Option<ProofEntry>> = all(&table);
        table.grow();
        assert_eq!(table.buckets, 2 * before);
        assert!(all(&table) == known && known.iter().flatten().count() > 99_900);
        table.clear();
        assert_eq!((table.buckets, table.probe(key(7))), (before, None));
    }

    #[test]
    fn it_grows_when_it_fills_up_and_no_farther_than_it_may() {
        let mut table = ProofTable::new(1 << 26).unwrap();
        let before = table.buckets;
        for number in 0..8 * before as u64 {
            table.store(crate::rules::random::mix64(number), entry(0));
            if number.is_multiple_of(1 << 12) {
                table.make_room();
            }
        }
        assert_eq!(table.buckets, 2 * before);
        assert!(table.buckets <= table.most && table.most < 2 * table.buckets);
        let [part, all] = [table.crowding(), table.fullness()].map(u32::from);
        let expected = part * table.buckets as u32 / table.most as u32;
        assert!(all == expected && part > 500, "{all} and {part}");
    }

    #[test]
    fn buckets_lie_within_cache_lines() {
        let table = ProofTable::new(1 << 16).unwrap();
        assert!(table.bucket(1 << 60).as_ptr().addr().is_multiple_of(LINE));
        assert!(table.words.len() * 8 <= 1 << 16);
    }
}
