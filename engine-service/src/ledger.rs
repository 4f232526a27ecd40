//! Counts of what is in use, by key. Unused entries are removed.

use std::hash::Hash;
use std::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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

/// The usage by key, for example by account or address.
#[derive(Debug)]
pub(crate) struct Ledger<K, U>(Mutex<Map<K, Arc<U>>>);

impl<K, U> Default for Ledger<K, U> {
    fn default() -> Self {
        Self(Mutex::new(Map::default()))
    }
}

impl<K: Eq + Hash + Clone, U> Ledger<K, U> {
    fn lock(&self) -> MutexGuard<'_, Map<K, Arc<U>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn open(self: &Arc<Self>, key: K) -> LedgerEntry<K, U>
    where
        U: Default,
    {
        let used = Arc::clone(self.lock().entry(key.clone()).or_default());
        LedgerEntry { ledger: Arc::clone(self), key, used }
    }

    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.lock().len()
    }
}

/// A handle to the usage of a key, which the ledger keeps while a handle exists.
#[derive(Debug)]
pub(crate) struct LedgerEntry<K: Eq + Hash + Clone, U> {
    ledger: Arc<Ledger<K, U>>,
    key: K,
    used: Arc<U>,
}

impl<K: Eq + Hash + Clone, U> Deref for LedgerEntry<K, U> {
    type Target = U;

    fn deref(&self) -> &U {
        &self.used
    }
}

impl<K: Eq + Hash + Clone, U> Drop for LedgerEntry<K, U> {
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

/// One unit of a count in use, until the guard is dropped.
#[derive(Debug)]
pub(crate) struct UsageGuard<K: Eq + Hash + Clone, U> {
    usage: LedgerEntry<K, U>,
    count: fn(&U) -> &Count,
}

impl<K: Eq + Hash + Clone, U> UsageGuard<K, U> {
    pub(crate) fn take(
        usage: LedgerEntry<K, U>,
        count: fn(&U) -> &Count,
        most: usize,
    ) -> Option<Self> {
        count(&usage).take(1, most).then(|| Self { usage, count })
    }
}

impl<K: Eq + Hash + Clone, U> Deref for UsageGuard<K, U> {
    type Target = U;

    fn deref(&self) -> &U {
        &self.usage
    }
}

impl<K: Eq + Hash + Clone, U> Drop for UsageGuard<K, U> {
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
        let ledger = Arc::new(Ledger::<_, Count>::default());
        let take = |key| UsageGuard::take(ledger.open(key), |count| count, 2);
        let (first, second) = (take("ann"), take("ann"));
        assert!(first.is_some() && second.is_some() && take("ann").is_none());
        assert!(take("bob").is_some(), "another key has its own count");
        drop(first);
        assert!(take("ann").is_some());
        assert_eq!(ledger.len(), 1);
        drop(second);
        assert_eq!(ledger.len(), 0);
    }
}
