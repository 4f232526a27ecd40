//! Named random sources. Drawing from one source does not affect the other sources.

use std::ops::Range;
use std::time::Duration;

/// Mixes the bits of a number (splitmix64).
pub const fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A source of random numbers.
#[derive(Clone, Debug, Default)]
pub struct Rng(u64);

impl Rng {
    pub fn of(seed: u64, name: &str) -> Self {
        Self(name.bytes().fold(mixed(seed), |state, byte| mixed(state ^ u64::from(byte))))
    }

    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.draw() % limit.max(1)
    }

    pub fn within(&mut self, range: Range<u64>) -> u64 {
        range.start + self.below(range.end - range.start)
    }

    pub fn millis(&mut self, range: Range<u64>) -> Duration {
        Duration::from_millis(self.within(range))
    }

    pub fn in_1000(&mut self, times: u64) -> bool {
        self.below(1_000) < times
    }

    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len() as u64) as usize]
    }
}
