//! Random numbers that are the same on every machine.

use rand::{Rng as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

/// A bot's random number generator, seeded for one decision.
#[derive(Clone, Debug)]
pub struct Rng(Pcg64Mcg);

impl Rng {
    /// Creates a generator. The purpose makes generators with the same seed independent.
    pub fn new(seed: &[u8], purpose: &str) -> Self {
        let mut hasher = blake3::Hasher::new_derive_key("heliopause ai-client chance v1");
        hasher.update(&(purpose.len() as u64).to_le_bytes());
        hasher.update(purpose.as_bytes());
        hasher.update(seed);
        let mut state = [0; 16];
        hasher.finalize_xof().fill(&mut state);
        Self(Pcg64Mcg::from_seed(state))
    }

    pub fn number(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Returns a number below the limit. The bias is below limit / 2^64.
    ///
    /// # Panics
    /// If the limit is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        assert!(limit > 0, "the limit must be at least 1");
        ((u128::from(self.number()) * limit as u128) >> 64) as usize
    }

    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { items.get(self.below(items.len())) }
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    pub fn seed(&mut self) -> [u8; 32] {
        let mut seed = [0; 32];
        for part in seed.chunks_exact_mut(8) {
            part.copy_from_slice(&self.number().to_le_bytes());
        }
        seed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_depend_on_seed_and_purpose() {
        let numbers = |seed: &[u8], purpose| {
            let mut chance = Rng::new(seed, purpose);
            [chance.number(), chance.number()]
        };
        assert_eq!(numbers(b"seed", "search"), numbers(b"seed", "search"));
        assert_ne!(numbers(b"seed", "search"), numbers(b"seed", "random"));
        assert_ne!(numbers(b"seed", "search"), numbers(b"Seed", "search"));
    }

    #[test]
    fn pick_is_uniform() {
        let mut chance = Rng::new(b"fair", "test");
        let mut counts = [0_u32; 5];
        for _ in 0..50_000 {
            counts[*chance.pick(&[0, 1, 2, 3, 4]).unwrap()] += 1;
        }
        // Five standard deviations around 10,000.
        assert!(counts.iter().all(|&count| (9_553..10_447).contains(&count)), "{counts:?}");
        assert_eq!(chance.pick::<u8>(&[]), None);
    }
}
