//! The positions that a certificate has expanded so far.

const ENTRIES_PER_BUCKET: usize = 4;
/// The bits of an entry's offset; those above hold the number of plies left.
const OFFSET_BITS: u32 = 56;

/// Finds positions that were expanded before. The table is limited: in a full bucket the entry with the
/// fewest plies left is replaced, since its proof is the shortest to repeat.
///
/// An entry is two words: the position's key, and the offset of its count with the plies left in the
/// high bits. Empty entries are zero, which no count has as its offset.
#[derive(Debug)]
pub(super) struct ExpandedPositions(Box<[[u64; 2]]>);

impl ExpandedPositions {
    /// Fails if the memory cannot be allocated.
    pub(super) fn new(bytes: usize) -> Result<Self, ()> {
        let buckets = (bytes / size_of::<[u64; 2]>() / ENTRIES_PER_BUCKET).max(1);
        bytemuck::allocation::try_zeroed_slice_box(buckets * ENTRIES_PER_BUCKET).map(Self)
    }

    /// The offset of a position's count.
    pub(super) fn find(&self, key: u64) -> Option<u64> {
        let bucket = &self.0[self.bucket(key)..][..ENTRIES_PER_BUCKET];
        let [_, data] = bucket.iter().find(|entry| entry[0] == key && entry[1] != 0)?;
        Some(data & ((1 << OFFSET_BITS) - 1))
    }

    /// Adds a position, or moves it to another offset.
    pub(super) fn insert(&mut self, key: u64, offset: u64, plies_left: u32) {
        let start = self.bucket(key);
        let bucket = &mut self.0[start..][..ENTRIES_PER_BUCKET];
        let plies = |data: u64| 1 + (data >> OFFSET_BITS);
        let priority = |entry: &[u64; 2]| if entry[0] == key { 0 } else { plies(entry[1]) };
        if let Some(entry) = bucket.iter_mut().min_by_key(|entry| priority(entry)) {
            let plies = u64::from(plies_left.min(u8::MAX.into()));
            *entry = [key, plies << OFFSET_BITS | offset];
        }
    }

    fn bucket(&self, key: u64) -> usize {
        let buckets = self.0.len() / ENTRIES_PER_BUCKET;
        ENTRIES_PER_BUCKET * ((u128::from(key) * buckets as u128) >> 64) as usize
    }
}
