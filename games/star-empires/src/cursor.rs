//! Parallel iteration over sorted lists in key order, faster than looking up every key.

pub(crate) trait Keyed {
    type Key: Copy + Ord;
    fn key(&self) -> Self::Key;
}

impl<K: Copy + Ord, V> Keyed for (K, V) {
    type Key = K;

    fn key(&self) -> K {
        self.0
    }
}

pub(crate) struct Cursor<'a, T>(&'a [T]);

impl<'a, T: Keyed> Cursor<'a, T> {
    pub(crate) fn new(list: &'a [T]) -> Self {
        Self(list)
    }

    pub(crate) fn next(&self) -> Option<T::Key> {
        self.0.first().map(Keyed::key)
    }

    /// Returns the entries with this key. Skips entries with lower keys.
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

    /// Returns the entries with this key. Skips these entries and those with lower keys.
    #[inline]
    pub(crate) fn to(&mut self, key: T::Key) -> &'a [T] {
        let found = self.at(key);
        self.0 = &self.0[found.len()..];
        found
    }
}

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
    fn a_cursor_visits_every_entry_once() {
        let list = [(1, 'a'), (3, 'b'), (3, 'c'), (7, 'd'), (9, 'e')];
        let mut cursor = Cursor::new(&list);
        assert_eq!((cursor.next(), cursor.to(0)), (Some(1), &list[..0]));
        assert_eq!((cursor.to(3), cursor.next()), (&list[1..3], Some(7)));
        assert_eq!(
            (cursor.at(3), cursor.at(9), cursor.at(9)),
            (&list[..0], &list[4..], &list[4..])
        );
        assert_eq!((cursor.to(9), cursor.to(9), cursor.next()), (&list[4..], &list[..0], None));
    }

    #[test]
    fn finished_cursors_are_ignored() {
        assert_eq!(lowest([None, Some(3), Some(2), None]), Some(2));
        assert_eq!(lowest::<u8, 2>([None, None]), None);
    }
}
