//! A map that never grows without bound.

use std::borrow::Borrow;
use std::hash::Hash;

use crate::maps::Map;

/// A map that keeps what was used lately and forgets the rest.
///
/// It has two generations: what is used moves into the young one, and when that is full it becomes
/// the old one, whose entries are forgotten. So at least the last `capacity` keys that were used
/// are there, at most twice as many, and every operation takes constant time, which no chain of
/// neighbours as in an LRU list is needed for.
#[derive(Debug)]
pub(crate) struct Generations<K, V> {
    capacity: usize,
    young: Map<K, V>,
    old: Map<K, V>,
}

impl<K: Eq + Hash, V> Generations<K, V> {
    /// An empty map that remembers at least `capacity` keys.
    pub(crate) fn new(capacity: usize) -> Self {
        assert!(capacity > 0, "a map that remembers nothing");
        Self { capacity, young: Map::default(), old: Map::default() }
    }

    /// The value of a key, which counts as a use.
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

    /// Sets the value of a key.
    pub(crate) fn insert(&mut self, key: K, value: V) {
        if self.young.len() >= self.capacity {
            self.old = std::mem::take(&mut self.young);
        }
        self.old.remove(&key);
        self.young.insert(key, value);
    }

    /// Forgets a key.
    pub(crate) fn remove<Q>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        self.young.remove(key).or_else(|| self.old.remove(key))
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.young.clear();
        self.old.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::Generations;

    #[test]
    fn what_is_used_stays_and_the_rest_is_forgotten() {
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
