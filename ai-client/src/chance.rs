//! Random numbers that are the same on every machine.

use rand::{Rng as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

/// A bot's own randomness, fixed by the seed of the decision.
#[derive(Clone, Debug)]
pub struct Chance(Pcg64Mcg);

impl Chance {
    /// The numbers that belong to a seed of any length, and to one use of it: two uses are
    /// independent of each other.
    pub fn new(seed: &[u8], purpose: &str) -> Self {
        let mut hasher = blake3::Hasher::new_derive_key("heliopause ai-client chance v1");
        hasher.update(&(purpose.len() as u64).to_le_bytes());
        hasher.update(purpose.as_bytes());
        hasher.update(seed);
        let mut state = [0; 16];
        hasher.finalize_xof().fill(&mut state);
        Self(Pcg64Mcg::from_seed(state))
    }

    /// Any number.
    pub fn number(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below the limit. The bias of the multiplication is below limit / 2^64: no game can
    /// be long enough to show it.
    ///
    /// # Panics
    /// If the limit is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        assert!(limit > 0, "nothing to choose from");
        ((u128::from(self.number()) * limit as u128) >> 64) as usize
    }

    /// One of the items; `None` if there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { items.get(self.below(items.len())) }
    }

    /// 32 bytes, to seed dice with.
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
    fn the_numbers_belong_to_the_seed_and_the_purpose() {
        let numbers = |seed: &[u8], purpose| {
            let mut chance = Chance::new(seed, purpose);
            [chance.number(), chance.number()]
        };
        assert_eq!(numbers(b"seed", "search"), numbers(b"seed", "search"));
        assert_ne!(numbers(b"seed", "search"), numbers(b"seed", "random"));
        assert_ne!(numbers(b"seed", "search"), numbers(b"Seed", "search"));
    }

    #[test]
    fn every_item_comes_up_about_equally() {
        let mut chance = Chance::new(b"fair", "test");
        let mut counts = [0_u32; 5];
        for _ in 0..50_000 {
            counts[*chance.pick(&[0, 1, 2, 3, 4]).unwrap()] += 1;
        }
        // Five standard deviations around 10,000; the seed is fixed, so this cannot flicker.
        assert!(counts.iter().all(|&count| (9_553..10_447).contains(&count)), "{counts:?}");
        assert_eq!(chance.pick::<u8>(&[]), None);
    }
}
