//! The hash map for hot paths.

use std::collections::HashMap;
use std::hash::BuildHasher;
use std::sync::LazyLock;

use foldhash::SharedSeed;
use foldhash::fast::{FoldHasher, SeedableRandomState};

/// A map with a fast hash and a random seed for each process.
///
/// The standard library's hash resists attackers who choose all keys and measure the time of each
/// access. Here the keys are ids created by the engine, hashes of secrets, or addresses, or there
/// are only a few keys.
pub(crate) type Map<K, V> = HashMap<K, V, Seeded>;

/// A hasher with one random seed for the whole process. The library's default seed depends on
/// memory addresses, so it is not reproducible.
#[derive(Clone, Debug)]
pub(crate) struct Seeded(SeedableRandomState);

impl Default for Seeded {
    fn default() -> Self {
        static SEED: LazyLock<(u64, SharedSeed)> = LazyLock::new(|| {
            let [own, shared] = crate::random::hash_seeds();
            (own, SharedSeed::from_u64(shared))
        });
        Self(SeedableRandomState::with_seed(SEED.0, &SEED.1))
    }
}

impl BuildHasher for Seeded {
    type Hasher = FoldHasher<'static>;

    fn build_hasher(&self) -> Self::Hasher {
        self.0.build_hasher()
    }
}
