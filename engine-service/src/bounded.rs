//! A map of bounded size.

use std::borrow::Borrow;
use std::hash::Hash;

use crate::maps::Map;

/// A map that keeps recently used entries and drops the others.
///
/// The map has two generations. A used entry moves to the young generation. When the young
/// generation is full, it replaces the old one. The map therefore contains at least the `capacity`
/// most recently used keys, and at most twice as many keys. Every operation takes constant time,
/// without the linked list of an LRU cache.
#[derive(Debug)]
pub(crate) struct Generations<K, V> {
    capacity: usize,
    young: Map<K, V>,
    old: Map<K, V>,
}

impl<K: Eq + Hash, V> Generations<K, V> {
    pub(crate) fn new(capacity: usize) -> Self {
        assert!(capacity > 0, "the capacity must be at least 1");
        Self { capacity, young: Map::default(), old: Map::default() }
    }

    /// Returns the value of a key. Counts as a use of the entry.
    pub(crate) fn get_mut<Q>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        if let Some((key, value)) = self.old.remove_entry(key) {
            self.insert(key, value);
        }
        self.young.get_mut(key)
    }

    pub(crate) fn insert(&mut self, key: K, value: V) {
        if self.young.len() >= self.capacity {
            self.old = std::mem::take(&mut self.young);
        }
        self.old.remove(&key);
        self.young.insert(key, value);
    }

    pub(crate) fn remove<Q>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        self.young.remove(key).or_else(|| self.old.remove(key))
    }

    pub(crate) fn clear(&mut self) {
        self.young.clear();
        self.old.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::Generations;

    #[test]
    fn used_entries_stay_and_others_are_dropped() {
        let mut map = Generations::new(10);
        map.insert(0, "kept");
        for key in 1..1_000 {
            map.insert(key, "passing");
            assert_eq!(map.get_mut(&0), Some(&mut "kept"), "after {key}");
            assert!(map.young.len() + map.old.len() <= 20, "{map:?}");
        }
        assert_eq!(map.get_mut(&1), None);
        assert_eq!(map.get_mut(&999), Some(&mut "passing"));
    }

    #[test]
    fn a_key_is_in_one_generation_only() {
        let mut map = Generations::new(1);
        map.insert("a", 1);
        map.insert("b", 2);
        map.insert("a", 3);
        assert_eq!(map.remove("a"), Some(3));
        assert_eq!(map.remove("a"), None);
    }
}
