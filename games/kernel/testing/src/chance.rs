//! Pseudorandom numbers.

use std::collections::VecDeque;

/// A pseudorandom generator from a seed, or from a fuzzer's bytes.
#[derive(Clone, Debug)]
pub struct Rng {
    bytes: VecDeque<u8>,
    state: u64,
}

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self { bytes: VecDeque::new(), state: seed }
    }

    /// Creates a generator that uses these bytes first.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self { bytes: bytes.iter().copied().collect(), state: 0 }
    }

    pub fn number(&mut self) -> u64 {
        if let Some(byte) = self.bytes.pop_front() {
            return byte.into();
        }
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.number() % limit.max(1) as u64) as usize
    }

    pub fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }

    /// Returns one of these items.
    ///
    /// # Panics
    /// If there are no items.
    pub fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    pub fn any<T: Clone>(&mut self, items: &[T]) -> Option<T> {
        (!items.is_empty()).then(|| self.pick(items))
    }

    /// Returns some of these items in order, at least one if there are any.
    pub fn some<T: Clone>(&mut self, items: &[T]) -> Vec<T> {
        let mut chosen: Vec<T> = items.iter().filter(|_| self.one_in(2)).cloned().collect();
        if chosen.is_empty() {
            chosen.extend(items.first().cloned());
        }
        chosen
    }
}

/// Returns a seed for dice, derived from a number.
pub fn seed(number: u64) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&number.to_le_bytes());
    bytes
}
