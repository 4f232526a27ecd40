//! Lots for pairings. The same seed gives the same lots on every engine.

/// A sequence of lots (SplitMix64).
pub(super) struct Lots(u64);

impl Lots {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut lot = self.0;
        lot = (lot ^ (lot >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        lot = (lot ^ (lot >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        lot ^ (lot >> 31)
    }

    /// Returns a number below `most`, which must not be 0.
    pub(super) fn below(&mut self, most: usize) -> usize {
        // The bias is below 1 in 2^50 for the numbers of entrants that a tournament allows.
        (self.next() % most as u64) as usize
    }

    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for index in (1..items.len()).rev() {
            items.swap(index, self.below(index + 1));
        }
    }
}
