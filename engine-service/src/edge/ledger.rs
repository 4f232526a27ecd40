//! Who uses how much of the server now.

use std::hash::Hash;
use std::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Semaphore;

use super::lanes;
use crate::maps::Map;

/// A number of things in use.
#[derive(Debug, Default)]
pub(super) struct Count(AtomicUsize);

impl Count {
    /// Takes so many more, but never more than `most` in all.
    pub(super) fn take(&self, more: usize, most: usize) -> bool {
        let sum = |used: usize| used.checked_add(more).filter(|&sum| sum <= most);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, sum).is_ok()
    }

    /// Gives so many back.
    pub(super) fn give(&self, back: usize) {
        let used = self.0.fetch_sub(back, Ordering::Relaxed);
        debug_assert!(used >= back, "what is given back was taken");
    }

    /// How many are in use.
    pub(super) fn now(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

/// What an account, or an address, uses now.
#[derive(Debug)]
pub(super) struct Used {
    pub(super) calls: Count,
    pub(super) streams: Count,
    pub(super) connections: Count,
    pub(super) conversations: Count,
    pub(super) watches: Count,
    pub(super) files: Count,
    pub(super) bytes: Count,
    pub(super) before_calls: Count,
    /// Looks at tokens that are not known yet.
    pub(super) lookups: Semaphore,
    /// Places for calls that are not light.
    pub(super) middle: Semaphore,
    pub(super) heavy: Semaphore,
}

impl Default for Used {
    fn default() -> Self {
        Self {
            calls: Count::default(),
            streams: Count::default(),
            connections: Count::default(),
            conversations: Count::default(),
            watches: Count::default(),
            files: Count::default(),
            bytes: Count::default(),
            before_calls: Count::default(),
            lookups: Semaphore::new(lanes::LOOKUPS_OF_ONE),
            middle: Semaphore::new(lanes::MIDDLE_OF_ONE),
            heavy: Semaphore::new(lanes::HEAVY_OF_ONE),
        }
    }
}

/// What each of many uses now. Whoever uses nothing is forgotten.
#[derive(Debug)]
pub(super) struct Ledger<K>(Mutex<Map<K, Arc<Used>>>);

impl<K> Default for Ledger<K> {
    fn default() -> Self {
        Self(Mutex::new(Map::default()))
    }
}

impl<K: Eq + Hash + Clone> Ledger<K> {
    fn lock(&self) -> MutexGuard<'_, Map<K, Arc<Used>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One that uses something.
    pub(super) fn open(self: &Arc<Self>, key: K) -> Party<K> {
        let used = Arc::clone(self.lock().entry(key.clone()).or_default());
        Party { ledger: Arc::clone(self), key, used }
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.lock().len()
    }
}

/// One that uses something; it is remembered for as long as this is held.
#[derive(Debug)]
pub(super) struct Party<K: Eq + Hash + Clone> {
    ledger: Arc<Ledger<K>>,
    key: K,
    used: Arc<Used>,
}

impl<K: Eq + Hash + Clone> Deref for Party<K> {
    type Target = Used;

    fn deref(&self) -> &Used {
        &self.used
    }
}

impl<K: Eq + Hash + Clone> Drop for Party<K> {
    fn drop(&mut self) {
        let mut parties = self.ledger.lock();
        // The ledger's own, and this one: others come to it only by the ledger, which is locked.
        if Arc::strong_count(&self.used) == 2 {
            parties.remove(&self.key);
        }
        // A map never gives memory back by itself.
        if parties.capacity() > 1_024 && parties.len() < parties.capacity() / 8 {
            parties.shrink_to_fit();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_has_an_end() {
        let count = Count::default();
        assert!(count.take(2, 3) && !count.take(2, 3) && count.take(1, 3));
        count.give(2);
        assert!(count.take(2, 3) && count.now() == 3);
        assert!(!count.take(usize::MAX, usize::MAX), "no overflow");
    }

    #[test]
    fn whoever_uses_nothing_is_forgotten() {
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
