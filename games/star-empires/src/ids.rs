//! Ids of objects, ships and classes in a galaxy, and sets of ids.
//!
//! Ids are indices into the arrays of [`Galaxy`](crate::Galaxy) and never leave the game. Viewers
//! get names and serial numbers, because the order of creation is secret.

use std::marker::PhantomData;
use std::ops::RangeInclusive;

pub const EMPIRES: RangeInclusive<usize> = 2..=60;

/// An index into one of the galaxy's arrays.
pub trait Id: Copy + Ord {
    fn at(index: usize) -> Self;
    fn index(self) -> usize;
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $number:ty) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        pub struct $name(pub $number);

        impl Id for $name {
            fn at(index: usize) -> Self {
                Self(index as $number)
            }

            fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// Id of a ship. Stable only within an update, which ends by removing and sorting ships.
    ShipId, u32
);
id!(
    /// Id of a class. Always stable, because classes are never removed.
    ClassId, u16
);
id!(
    /// Id of a world. Stable unless the game master removes worlds (6.1.1).
    WorldId, u32
);
id!(
    /// Id of a portal. Stable unless the game master removes portals (6.1.1).
    PortalId, u32
);
id!(
    /// Id of a storm or nebula. Stable unless the game master removes storms (6.1.1).
    StormId, u32
);

/// A set of ids as a bit mask. It has no trailing zero words, so equal sets compare equal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IdSet<I> {
    words: Vec<u64>,
    of: PhantomData<I>,
}

impl<I> Default for IdSet<I> {
    fn default() -> Self {
        Self { words: Vec::new(), of: PhantomData }
    }
}

impl<I: Id> IdSet<I> {
    pub fn contains(&self, id: I) -> bool {
        self.words.get(id.index() / 64).is_some_and(|word| word & (1 << (id.index() % 64)) != 0)
    }

    pub fn insert(&mut self, id: I) -> bool {
        let (word, bit) = (id.index() / 64, 1 << (id.index() % 64));
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        new
    }

    pub fn remove(&mut self, id: I) -> bool {
        let there = self.contains(id);
        if there {
            self.words[id.index() / 64] &= !(1 << (id.index() % 64));
            while self.words.last() == Some(&0) {
                self.words.pop();
            }
        }
        there
    }

    pub fn iter(&self) -> impl Iterator<Item = I> + '_ {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
                left &= left - 1;
                Some(I::at(index * 64 + bit))
            })
        })
    }

    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Removes an id and decrements all higher ids.
    pub(crate) fn close_gap(&mut self, gone: I) {
        let moved = self.iter().filter(|&id| id != gone);
        *self = moved.map(|id| if id > gone { I::at(id.index() - 1) } else { id }).collect();
    }
}

impl<I: Id> FromIterator<I> for IdSet<I> {
    fn from_iter<T: IntoIterator<Item = I>>(ids: T) -> Self {
        let mut set = Self::default();
        for id in ids {
            set.insert(id);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_behaves_like_a_set_and_closes_gaps() {
        let mut set: IdSet<PortalId> =
            [PortalId(3), PortalId(64), PortalId(200)].into_iter().collect();
        assert!(!set.insert(PortalId(3)));
        assert_eq!(set.len(), 3);
        set.close_gap(PortalId(3));
        assert_eq!(set.iter().collect::<Vec<_>>(), [PortalId(63), PortalId(199)]);
        assert!(set.remove(PortalId(199)) && !set.remove(PortalId(199)));
        assert!(set.remove(PortalId(63)));
        assert_eq!(set, IdSet::default());
    }
}
