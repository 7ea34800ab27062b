//! What the prover remembers of positions.
//!
//! An entry holds what is proven of the position, for good, and how far the question that was last
//! asked of it is from its two answers. The key is kept whole: a position taken for another would
//! make a false proof. Four entries share a cache line; what took the least work makes room first.

use std::collections::TryReserveError;

use super::{Bounds, Question};
use crate::rules::Value;

const ENTRIES: usize = 4;

/// How much has to be settled, the right way, for an answer: open positions, each counted as more
/// the less it promises.
pub(super) type Number = u32;

/// No number of positions will do: the other answer is right.
pub(super) const NEVER: Number = (1 << 24) - 1;

/// How far the mover's wish is from being proven and from being disproven. The mover wishes for
/// "yes" if it is the first player, for "no" if it is the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Distance {
    pub proof: Number,
    pub disproof: Number,
}

impl Distance {
    pub(super) const PROVEN: Self = Self { proof: 0, disproof: NEVER };
    pub(super) const DISPROVEN: Self = Self { proof: NEVER, disproof: 0 };

    pub(super) fn settled(wish_comes_true: bool) -> Self {
        if wish_comes_true { Self::PROVEN } else { Self::DISPROVEN }
    }

    /// Whether the wish comes true, once that is known.
    pub(super) fn verdict(self) -> Option<bool> {
        match self {
            Self { proof: 0, .. } => Some(true),
            Self { disproof: 0, .. } => Some(false),
            _ => None,
        }
    }
}

/// What is remembered of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    /// What is proven of the first player's value.
    pub bounds: Bounds,
    /// The question that was asked last, …
    pub question: Question,
    /// … and how far its answers are.
    pub distance: Distance,
    /// The most work that went in at a time: twice its binary logarithm, one more if it is proven.
    pub work: u8,
}

const VALUES: [Value; 3] = [Value::Loss, Value::Draw, Value::Win];

impl Entry {
    fn pack(self) -> u64 {
        u64::from(self.distance.proof)
            | u64::from(self.distance.disproof) << 24
            | u64::from(self.work) << 48
            | (self.question as u64) << 56
            | (self.bounds.least as u64) << 57
            | (self.bounds.most as u64) << 59
            // Not nought, whatever the rest.
            | 1 << 63
    }

    fn unpack(data: u64) -> Self {
        let value = |shift: u32| VALUES[((data >> shift) as usize & 3).min(2)];
        Self {
            bounds: Bounds { least: value(57), most: value(59) },
            question: if data >> 56 & 1 == 0 { Question::Wins } else { Question::Holds },
            distance: Distance {
                proof: data as Number & NEVER,
                disproof: (data >> 24) as Number & NEVER,
            },
            work: (data >> 48) as u8,
        }
    }
}

/// An entry with its key; no data where there is none.
#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    key: u64,
    data: u64,
}

#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
struct Bucket([Slot; ENTRIES]);

#[derive(Debug)]
pub(super) struct Table {
    buckets: Vec<Bucket>,
}

impl Table {
    /// An empty table of at most this size, but of one bucket at least.
    pub(super) fn new(bytes: usize) -> Result<Self, TryReserveError> {
        let count = (bytes / size_of::<Bucket>()).max(1);
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count)?;
        buckets.resize(count, Bucket::default());
        Ok(Self { buckets })
    }

    pub(super) fn clear(&mut self) {
        self.buckets.fill(Bucket::default());
    }

    pub(super) fn probe(&self, key: u64) -> Option<Entry> {
        let bucket = &self.buckets[self.index(key)];
        let slot = bucket.0.iter().find(|slot| slot.key == key && slot.data != 0)?;
        Some(Entry::unpack(slot.data))
    }

    pub(super) fn store(&mut self, key: u64, entry: Entry) {
        let index = self.index(key);
        let slots = &mut self.buckets[index].0;
        let own = slots.iter().position(|slot| slot.key == key || slot.data == 0);
        let work = |index: &usize| Entry::unpack(slots[*index].data).work;
        let index = own.unwrap_or_else(|| (0..ENTRIES).min_by_key(work).unwrap_or(0));
        slots[index] = Slot { key, data: entry.pack() };
    }

    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(work: u8) -> Entry {
        Entry {
            bounds: Bounds { least: Value::Loss, most: Value::Draw },
            question: Question::Holds,
            distance: Distance { proof: 123_456, disproof: NEVER },
            work,
        }
    }

    #[test]
    fn returns_what_was_stored() {
        let mut table = Table::new(1 << 12).unwrap();
        for (least, question) in [(Value::Loss, Question::Wins), (Value::Draw, Question::Holds)] {
            let entry = Entry { bounds: Bounds { least, ..entry(0).bounds }, question, ..entry(9) };
            assert_eq!(table.probe(42).filter(|known| *known == entry), None);
            table.store(42, entry);
            assert_eq!(table.probe(42), Some(entry));
        }
        assert_eq!(table.probe(0), None, "an empty slot is no position with key 0");
        table.clear();
        assert_eq!(table.probe(42), None);
    }

    #[test]
    fn what_took_the_least_work_makes_room() {
        let mut table = Table::new(0).unwrap();
        for key in 1..=4 {
            table.store(key, entry(10 - key as u8));
        }
        table.store(5, entry(1));
        assert_eq!(table.probe(4), None);
        assert!([1, 2, 3, 5].iter().all(|key| table.probe(*key).is_some()));
    }
}
