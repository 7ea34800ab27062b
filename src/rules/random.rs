//! SplitMix64 (Steele, Lea, Flood 2014), a small seeded random number generator.
//!
//! It is implemented here because the games compute hash keys with it in `const fn`, and because
//! the option `Seed` promises the same moves in every release, which random-number crates do not.

/// The output function of SplitMix64: a bijective mixing of 64 bits.
#[inline]
#[must_use]
pub const fn mix64(counter: u64) -> u64 {
    let mut bits = counter;
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// A seeded random number generator.
#[derive(Debug, Clone)]
pub struct SplitMix {
    counter: u64,
}

impl SplitMix {
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { counter: seed }
    }

    /// The seed of a generator that goes on where this one is.
    #[must_use]
    pub const fn state(&self) -> u64 {
        self.counter
    }

    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.counter = self.counter.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix64(self.counter)
    }

    /// Returns a number below `limit`, which must not be 0; the bias is below `limit` / 2^32.
    #[inline]
    pub fn below(&mut self, limit: usize) -> usize {
        (((self.bits() >> 32) * limit as u64) >> 32) as usize
    }

    /// Shuffles items (Fisher-Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in 0..items.len() {
            items.swap(at, at + self.below(items.len() - at));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_matches_the_reference_implementation() {
        // The reference implementation's test vector for seed 1234567.
        let mut random = SplitMix::new(1_234_567);
        assert_eq!(random.bits(), 6_457_827_717_110_365_317);
        assert_eq!(random.bits(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn below_reaches_every_number_under_the_limit() {
        let mut random = SplitMix::new(1);
        let mut seen = [false; 7];
        for _ in 0..200 {
            seen[random.below(7)] = true;
        }
        assert_eq!(seen, [true; 7]);
    }
}
