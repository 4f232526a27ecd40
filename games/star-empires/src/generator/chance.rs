//! Random numbers for generating a galaxy.

use heliopause_kernel::{Dice, Draw};

pub(super) struct Rng(u64);

impl Rng {
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

    /// Returns a number below `limit`. `limit` must be at least 1. The bias is below one in 2^32.
    pub(super) fn below(&mut self, limit: u32) -> u32 {
        (((self.next() >> 32) * u64::from(limit)) >> 32) as u32
    }

    pub(super) fn between(&mut self, least: u32, most: u32) -> u32 {
        least + self.below(most - least + 1)
    }

    pub(super) fn percent(&mut self, percent: u8) -> bool {
        self.below(100) < u32::from(percent)
    }

    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }
}
