//! Maps that every call looks into.

use std::collections::HashMap;
use std::hash::BuildHasher;
use std::sync::LazyLock;

use foldhash::SharedSeed;
use foldhash::fast::{FoldHasher, SeedableRandomState};

/// A map with a fast hash, seeded anew by every process.
///
/// The standard library's hash stands up to whoever chooses all keys and watches the time that each
/// takes. Nobody can do that here: the keys are ids that the engine gave, hashes of secrets, and
/// addresses, or there are few of them.
pub(crate) type Map<K, V> = HashMap<K, V, Seeded>;

/// The fast hash with a seed from the operating system. Its own default takes the addresses of
/// things in memory for chance, which nobody can repeat.
#[derive(Clone, Debug)]
pub(crate) struct Seeded(SeedableRandomState);

impl Default for Seeded {
    fn default() -> Self {
        static SEED: LazyLock<(u64, SharedSeed)> = LazyLock::new(|| {
            let [own, shared] = crate::fresh::hash_seeds();
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
