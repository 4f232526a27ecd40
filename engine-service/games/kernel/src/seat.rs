//! Seats: the places at a table.

use std::fmt;

/// One place at the table. Seats are numbered from 1 for people and on the wire, from 0 in arrays.
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
    /// The most seats a table can have, automated ones included: as many as a [`SeatSet`] has bits.
    pub const MAX: usize = 64;

    /// The seat at an array index.
    ///
    /// # Panics
    /// If the index is [`Seat::MAX`] or more.
    pub fn at(index: usize) -> Self {
        assert!(index < Self::MAX, "a table has at most {} seats", Self::MAX);
        Self(index as u8)
    }

    /// The seat with a number as people count, from 1.
    pub fn numbered(number: u32) -> Option<Self> {
        let index = usize::try_from(number.checked_sub(1)?).ok()?;
        (index < Self::MAX).then(|| Self::at(index))
    }

    /// The array index, from 0.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The number as people count, from 1.
    pub fn number(self) -> u32 {
        u32::from(self.0) + 1
    }

    /// The first `count` seats in order.
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

/// A set of seats.
///
/// ```
/// use heliopause_kernel::{Seat, SeatSet};
///
/// let others = SeatSet::first(3).without(Seat::at(1));
/// assert_eq!(others.iter().map(Seat::number).collect::<Vec<_>>(), [1, 3]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct SeatSet(u64);

impl SeatSet {
    /// No seat.
    pub const EMPTY: Self = Self(0);

    /// The first `count` seats.
    pub fn first(count: usize) -> Self {
        Seat::first(count).collect()
    }

    /// Only this seat.
    pub fn one(seat: Seat) -> Self {
        Self(1 << seat.0)
    }

    /// The set as a bit mask, seat 1 in the lowest bit.
    pub fn bits(self) -> u64 {
        self.0
    }

    /// The set of a bit mask, seat 1 in the lowest bit.
    pub fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// Whether the seat is in the set.
    pub fn contains(self, seat: Seat) -> bool {
        self.0 & (1 << seat.0) != 0
    }

    /// Adds a seat; says whether it was new.
    pub fn insert(&mut self, seat: Seat) -> bool {
        let new = !self.contains(seat);
        self.0 |= 1 << seat.0;
        new
    }

    /// Removes a seat; says whether it was there.
    pub fn remove(&mut self, seat: Seat) -> bool {
        let there = self.contains(seat);
        self.0 &= !(1 << seat.0);
        there
    }

    /// This set with one seat more.
    #[must_use]
    pub fn with(mut self, seat: Seat) -> Self {
        self.insert(seat);
        self
    }

    /// This set without a seat.
    #[must_use]
    pub fn without(mut self, seat: Seat) -> Self {
        self.remove(seat);
        self
    }

    /// Seats in either set.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Seats in both sets.
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Seats in this set that are not in the other.
    #[must_use]
    pub fn difference(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether no seat is in the set.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many seats are in the set.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The seats in order.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let seat = (left != 0).then(|| Seat::at(left.trailing_zeros() as usize))?;
            left &= left - 1;
            Some(seat)
        })
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Self {
        seats.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl fmt::Debug for SeatSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Seat::number)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_count_from_one() {
        assert_eq!(Seat::numbered(1), Some(Seat::at(0)));
        assert_eq!(Seat::numbered(0), None);
        assert_eq!(Seat::numbered(64).map(Seat::number), Some(64));
        assert_eq!(Seat::numbered(65), None);
        assert_eq!(Seat::numbered(u32::MAX), None);
    }

    #[test]
    fn a_set_behaves_like_a_set() {
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
    fn seats_and_sets_read_as_numbers() {
        assert_eq!(Seat::at(2).to_string(), "seat 3");
        assert_eq!(format!("{:?}", SeatSet::first(2).with(Seat::at(63))), "{1, 2, 64}");
    }
}
