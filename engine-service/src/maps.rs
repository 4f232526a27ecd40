//! Maps that every call looks into.

use std::collections::HashMap;

/// A map with a fast hash, seeded anew by every process.
///
/// The standard library's hash stands up to whoever chooses all keys and watches the time that each
/// takes. Nobody can do that here: the keys are ids that the engine gave, hashes of secrets, and
/// addresses, or there are few of them.
pub(crate) type Map<K, V> = HashMap<K, V, foldhash::fast::RandomState>;
