//! Current resource usage of each account and address.

use std::hash::Hash;
use std::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Semaphore;

use super::executors;
use crate::maps::Map;

#[derive(Debug, Default)]
pub(crate) struct Count(AtomicUsize);

impl Count {
    pub(crate) fn take(&self, more: usize, most: usize) -> bool {
        let sum = |used: usize| used.checked_add(more).filter(|&sum| sum <= most);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, sum).is_ok()
    }

    pub(crate) fn release(&self, back: usize) {
        let used = self.0.fetch_sub(back, Ordering::Relaxed);
        debug_assert!(used >= back, "what is given back was taken");
    }

    pub(crate) fn now(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

#[derive(Debug)]
pub(crate) struct Usage {
    pub(crate) calls: Count,
    pub(crate) streams: Count,
    pub(crate) connections: Count,
    pub(crate) conversations: Count,
    pub(crate) watches: Count,
    pub(crate) files: Count,
    pub(crate) bytes: Count,
    pub(crate) unassigned_bytes: Count,
    pub(crate) lookups: Semaphore,
    pub(crate) middle: Semaphore,
    pub(crate) heavy: Semaphore,
}

impl Default for Usage {
    fn default() -> Self {
        Self {
            calls: Count::default(),
            streams: Count::default(),
            connections: Count::default(),
            conversations: Count::default(),
            watches: Count::default(),
            files: Count::default(),
            bytes: Count::default(),
            unassigned_bytes: Count::default(),
            lookups: Semaphore::new(executors::LOOKUPS_PER_ADDRESS),
            middle: Semaphore::new(executors::MIDDLE_PER_ACCOUNT),
            heavy: Semaphore::new(executors::HEAVY_PER_ACCOUNT),
        }
    }
}

/// The current usage by account or address. Unused entries are removed.
#[derive(Debug)]
pub(crate) struct Ledger<K>(Mutex<Map<K, Arc<Usage>>>);

impl<K> Default for Ledger<K> {
    fn default() -> Self {
        Self(Mutex::new(Map::default()))
    }
}

impl<K: Eq + Hash + Clone> Ledger<K> {
    fn lock(&self) -> MutexGuard<'_, Map<K, Arc<Usage>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn open(self: &Arc<Self>, key: K) -> LedgerEntry<K> {
        let used = Arc::clone(self.lock().entry(key.clone()).or_default());
        LedgerEntry { ledger: Arc::clone(self), key, used }
    }

    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.lock().len()
    }
}

/// A handle to the usage of an account or address, which the ledger keeps while a handle exists.
#[derive(Debug)]
pub(crate) struct LedgerEntry<K: Eq + Hash + Clone> {
    ledger: Arc<Ledger<K>>,
    key: K,
    used: Arc<Usage>,
}

impl<K: Eq + Hash + Clone> Deref for LedgerEntry<K> {
    type Target = Usage;

    fn deref(&self) -> &Usage {
        &self.used
    }
}

impl<K: Eq + Hash + Clone> Drop for LedgerEntry<K> {
    fn drop(&mut self) {
        let mut entries = self.ledger.lock();
        // Only the ledger and this handle remain. The locked ledger cannot create another handle.
        if Arc::strong_count(&self.used) == 2 {
            entries.remove(&self.key);
        }
        // A map does not shrink automatically.
        if entries.capacity() > 1_024 && entries.len() < entries.capacity() / 8 {
            entries.shrink_to_fit();
        }
    }
}

#[derive(Debug)]
pub(crate) struct UsageGuard<K: Eq + Hash + Clone> {
    usage: LedgerEntry<K>,
    count: fn(&Usage) -> &Count,
}

impl<K: Eq + Hash + Clone> UsageGuard<K> {
    pub(crate) fn take(
        usage: LedgerEntry<K>,
        count: fn(&Usage) -> &Count,
        most: usize,
    ) -> Option<Self> {
        count(&usage).take(1, most).then(|| Self { usage, count })
    }
}

impl<K: Eq + Hash + Clone> Deref for UsageGuard<K> {
    type Target = Usage;

    fn deref(&self) -> &Usage {
        &self.usage
    }
}

impl<K: Eq + Hash + Clone> Drop for UsageGuard<K> {
    fn drop(&mut self) {
        (self.count)(&self.usage).release(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn count_is_limited() {
        let count = Count::default();
        assert!(count.take(2, 3) && !count.take(2, 3) && count.take(1, 3));
        count.release(2);
        assert!(count.take(2, 3) && count.now() == 3);
        assert!(!count.take(usize::MAX, usize::MAX), "no overflow");
    }

    #[test]
    fn unused_entries_are_removed() {
        let ledger = Arc::new(Ledger::default());
        let first = ledger.open("ann");
        let second = ledger.open("ann");
        assert!(first.calls.take(1, 1) && !second.calls.take(1, 1), "they are one");
        drop(first);
        assert_eq!(ledger.len(), 1);
        drop(second);
        assert_eq!(ledger.len(), 0);
    }
}
