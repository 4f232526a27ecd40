//! The chances of one galaxy.

use heliopause_kernel::{Dice, Draw};

/// A stream of numbers that follows from a key of the dice: SplitMix64.
pub(super) struct Chance(u64);

impl Chance {
    /// Draws the key of a galaxy.
    pub(super) fn draw(dice: &mut Dice) -> Self {
        let mut half = |nth| u64::from(dice.roll(Draw::new("galaxy").nth(nth), u32::MAX));
        Self(half(0) << 32 | half(1))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below the limit, which is at least 1. The bias is below one in 2^32.
    pub(super) fn below(&mut self, limit: u32) -> u32 {
        (((self.next() >> 32) * u64::from(limit)) >> 32) as u32
    }

    /// A number between the two, both included.
    pub(super) fn between(&mut self, least: u32, most: u32) -> u32 {
        least + self.below(most - least + 1)
    }

    /// Whether something comes true that does so in so many of a hundred cases.
    pub(super) fn percent(&mut self, percent: u8) -> bool {
        self.below(100) < u32::from(percent)
    }

    /// Shuffles a slice.
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }
}
