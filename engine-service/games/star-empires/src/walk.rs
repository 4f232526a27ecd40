//! Sorted lists that are gone through side by side, from the lowest key up: where every key has its
//! turn, that is far cheaper than to look each of them up.

/// An entry of a list that is sorted by a key.
pub(crate) trait Keyed {
    /// What it is sorted by.
    type Key: Copy + Ord;
    /// Its key.
    fn key(&self) -> Self::Key;
}

impl<K: Copy + Ord, V> Keyed for (K, V) {
    type Key = K;

    fn key(&self) -> K {
        self.0
    }
}

/// What is left of a list.
pub(crate) struct Walk<'a, T>(&'a [T]);

impl<'a, T: Keyed> Walk<'a, T> {
    /// A walk through a list from its start.
    pub(crate) fn new(list: &'a [T]) -> Self {
        Self(list)
    }

    /// The lowest key that is left.
    pub(crate) fn next(&self) -> Option<T::Key> {
        self.0.first().map(Keyed::key)
    }

    /// The entries with a key. Those below them are left behind.
    #[inline]
    pub(crate) fn at(&mut self, key: T::Key) -> &'a [T] {
        let mut start = 0;
        while self.0.get(start).is_some_and(|entry| entry.key() < key) {
            start += 1;
        }
        self.0 = &self.0[start..];
        let mut end = 0;
        while self.0.get(end).is_some_and(|entry| entry.key() == key) {
            end += 1;
        }
        &self.0[..end]
    }

    /// The entries with a key. They are left behind, and all that are below them.
    #[inline]
    pub(crate) fn to(&mut self, key: T::Key) -> &'a [T] {
        let found = self.at(key);
        self.0 = &self.0[found.len()..];
        found
    }
}

/// The lowest of the keys to which walks come next.
#[inline]
pub(crate) fn lowest<K: Copy + Ord, const N: usize>(nexts: [Option<K>; N]) -> Option<K> {
    nexts.into_iter().fold(None, |lowest, next| match (lowest, next) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_comes_by_every_entry_once() {
        let list = [(1, 'a'), (3, 'b'), (3, 'c'), (7, 'd'), (9, 'e')];
        let mut walk = Walk::new(&list);
        assert_eq!((walk.next(), walk.to(0)), (Some(1), &list[..0]));
        assert_eq!((walk.to(3), walk.next()), (&list[1..3], Some(7)));
        assert_eq!((walk.at(3), walk.at(9), walk.at(9)), (&list[..0], &list[4..], &list[4..]));
        assert_eq!((walk.to(9), walk.to(9), walk.next()), (&list[4..], &list[..0], None));
    }

    #[test]
    fn walks_at_their_end_are_left_out() {
        assert_eq!(lowest([None, Some(3), Some(2), None]), Some(2));
        assert_eq!(lowest::<u8, 2>([None, None]), None);
    }
}
