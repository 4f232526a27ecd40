//! Seats of a game.

use std::fmt;

/// A seat of a game. Numbers start at 1 and are for people and messages. Indices start at 0 and are
/// for arrays.
///
/// ```
/// use heliopause_kernel::Seat;
///
/// let first = Seat::numbered(1).unwrap();
/// assert_eq!(first, Seat::at(0));
/// assert_eq!(first.to_string(), "seat 1");
/// assert_eq!(Seat::numbered(0), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Seat(u8);

impl Seat {
    /// Maximum number of seats, including automated ones: the number of bits in a [`SeatSet`].
    pub const MAX: usize = 64;

    /// Returns the seat with an index.
    ///
    /// # Panics
    /// If the index is [`Seat::MAX`] or more.
    pub fn at(index: usize) -> Self {
        assert!(index < Self::MAX, "a table has at most {} seats", Self::MAX);
        Self(index as u8)
    }

    pub fn numbered(number: u32) -> Option<Self> {
        let index = usize::try_from(number.checked_sub(1)?).ok()?;
        (index < Self::MAX).then(|| Self::at(index))
    }

    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    pub fn number(self) -> u32 {
        u32::from(self.0) + 1
    }

    pub fn first(count: usize) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        debug_assert!(count <= Self::MAX, "a table has at most {} seats", Self::MAX);
        (0..count).map(Self::at)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {}", self.number())
    }
}

/// Defines a set of items, each with a number as its only field, as a bit mask.
#[macro_export]
macro_rules! bit_set {
    ($(#[$doc:meta])* $set:ident($bits:ty) of $item:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $set($bits);

        impl $set {
            pub const EMPTY: Self = Self(0);

            pub fn one(item: $item) -> Self {
                Self(1 << item.0)
            }

            pub fn contains(self, item: $item) -> bool {
                self.0 & (1 << item.0) != 0
            }

            pub fn insert(&mut self, item: $item) -> bool {
                let new = !self.contains(item);
                self.0 |= 1 << item.0;
                new
            }

            pub fn remove(&mut self, item: $item) -> bool {
                let there = self.contains(item);
                self.0 &= !(1 << item.0);
                there
            }

            #[must_use]
            pub fn union(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }

            #[must_use]
            pub fn intersection(self, other: Self) -> Self {
                Self(self.0 & other.0)
            }

            #[must_use]
            pub fn difference(self, other: Self) -> Self {
                Self(self.0 & !other.0)
            }

            pub fn is_empty(self) -> bool {
                self.0 == 0
            }

            pub fn len(self) -> usize {
                self.0.count_ones() as usize
            }

            pub fn iter(self) -> impl Iterator<Item = $item> {
                let mut rest = self.0;
                std::iter::from_fn(move || {
                    let lowest = (rest != 0).then(|| rest.trailing_zeros() as u8)?;
                    rest &= rest - 1;
                    Some($item(lowest))
                })
            }
        }

        impl FromIterator<$item> for $set {
            fn from_iter<I: IntoIterator<Item = $item>>(items: I) -> Self {
                items.into_iter().fold(Self::EMPTY, |set, item| Self(set.0 | 1 << item.0))
            }
        }

        impl std::fmt::Debug for $set {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_set().entries(self.iter().map(|item| item.to_string())).finish()
            }
        }
    };
}

bit_set! {
    /// A set of seats.
    ///
    /// ```
    /// use heliopause_kernel::{Seat, SeatSet};
    ///
    /// let others = SeatSet::first(3).without(Seat::at(1));
    /// assert_eq!(others.iter().map(Seat::number).collect::<Vec<_>>(), [1, 3]);
    /// ```
    SeatSet(u64) of Seat
}

impl SeatSet {
    pub fn first(count: usize) -> Self {
        Seat::first(count).collect()
    }

    pub fn bits(self) -> u64 {
        self.0
    }

    /// Creates a set from a bit mask with seat 1 in the lowest bit.
    pub fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    #[must_use]
    pub fn with(mut self, seat: Seat) -> Self {
        self.insert(seat);
        self
    }

    #[must_use]
    pub fn without(mut self, seat: Seat) -> Self {
        self.remove(seat);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seat_numbers_start_at_one() {
        assert_eq!(Seat::numbered(1), Some(Seat::at(0)));
        assert_eq!(Seat::numbered(0), None);
        assert_eq!(Seat::numbered(64).map(Seat::number), Some(64));
        assert_eq!(Seat::numbered(65), None);
        assert_eq!(Seat::numbered(u32::MAX), None);
    }

    #[test]
    fn seat_sets_support_set_operations() {
        let mut set = SeatSet::first(3);
        assert!(!set.insert(Seat::at(0)));
        assert!(set.insert(Seat::at(63)));
        assert!(set.remove(Seat::at(1)));
        assert!(!set.remove(Seat::at(1)));
        assert_eq!(set.iter().map(Seat::number).collect::<Vec<_>>(), [1, 3, 64]);
        assert_eq!(set.len(), 3);
        assert_eq!(set.difference(SeatSet::one(Seat::at(63))).len(), 2);
        assert_eq!(SeatSet::from_bits(set.bits()), set);
        assert_eq!(SeatSet::first(2).union(SeatSet::first(3)), SeatSet::first(3));
        let (two, last) = (Seat::at(1), Seat::at(63));
        assert_eq!(
            SeatSet::first(2).with(last).intersection(SeatSet::one(last).with(two)),
            SeatSet::one(two).with(last)
        );
        assert_eq!(SeatSet::first(2).without(two), SeatSet::first(1));
        assert!(SeatSet::first(1).without(Seat::at(0)).is_empty());
        assert!(!SeatSet::one(last).is_empty());
    }

    #[test]
    fn seats_and_sets_are_displayed_as_numbers() {
        assert_eq!(Seat::at(2).to_string(), "seat 3");
        assert_eq!(
            format!("{:?}", SeatSet::first(2).with(Seat::at(63))),
            r#"{"seat 1", "seat 2", "seat 64"}"#
        );
    }
}
