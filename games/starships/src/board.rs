//! Rule 1: the board, the hexes within three steps of Earth.

use std::fmt;

use heliopause_kernel::Hex;

/// The distance of the board's edge from Earth, in hexes.
pub const RADIUS: i16 = 3;
/// The number of hexes on the board.
pub const PLACES: usize = 37;

/// A hex of the board. Hexes are ordered by q, then r, and this order breaks ties (R38).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place(u8);

const HEXES: [Hex; PLACES] = hexes();
const NEIGHBORS: [Places; PLACES] = rings(1);
const TWO_AWAY: [Places; PLACES] = rings(2);

const fn hexes() -> [Hex; PLACES] {
    let mut all = [Hex::ORIGIN; PLACES];
    let (mut index, mut q) = (0, -RADIUS);
    while q <= RADIUS {
        let mut r = -RADIUS;
        while r <= RADIUS {
            if (q + r).unsigned_abs() <= RADIUS.unsigned_abs() {
                all[index] = Hex::new(q, r);
                index += 1;
            }
            r += 1;
        }
        q += 1;
    }
    all
}

const fn steps(a: Hex, b: Hex) -> u16 {
    let (q, r) = (a.q - b.q, a.r - b.r);
    let (dq, dr, ds) = (q.unsigned_abs(), r.unsigned_abs(), (q + r).unsigned_abs());
    let most = if dq > dr { dq } else { dr };
    if most > ds { most } else { ds }
}

const fn rings(distance: u16) -> [Places; PLACES] {
    let mut all = [Places(0); PLACES];
    let mut from = 0;
    while from < PLACES {
        let mut to = 0;
        while to < PLACES {
            if steps(HEXES[from], HEXES[to]) == distance {
                all[from].0 |= 1 << to;
            }
            to += 1;
        }
        from += 1;
    }
    all
}

impl Place {
    pub const EARTH: Self = Self(18);

    pub fn new(hex: Hex) -> Option<Self> {
        if hex.distance(Hex::ORIGIN) > u32::from(RADIUS.unsigned_abs()) {
            return None;
        }
        HEXES.binary_search(&hex).ok().map(|index| Self(index as u8))
    }

    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..PLACES as u8).map(Self)
    }

    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    pub fn hex(self) -> Hex {
        HEXES[self.index()]
    }

    pub fn rank(self) -> u16 {
        self.distance(Self::EARTH)
    }

    pub fn distance(self, other: Self) -> u16 {
        steps(self.hex(), other.hex())
    }

    pub fn neighbors(self) -> Places {
        NEIGHBORS[self.index()]
    }

    /// Returns the hexes exactly two steps away, where a warp can end.
    pub fn two_away(self) -> Places {
        TWO_AWAY[self.index()]
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.hex().fmt(f)
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.hex().fmt(f)
    }
}

/// A set of hexes.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Places(u64);

impl Places {
    pub const NONE: Self = Self(0);

    pub fn all() -> Self {
        Self((1 << PLACES) - 1)
    }

    pub fn contains(self, place: Place) -> bool {
        self.0 & (1 << place.0) != 0
    }

    pub fn insert(&mut self, place: Place) {
        self.0 |= 1 << place.0;
    }

    pub fn remove(&mut self, place: Place) -> bool {
        let there = self.contains(place);
        self.0 &= !(1 << place.0);
        there
    }

    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn iter(self) -> impl Iterator<Item = Place> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            (left != 0).then(|| {
                let index = left.trailing_zeros();
                left &= left - 1;
                Place(index as u8)
            })
        })
    }
}

impl FromIterator<Place> for Places {
    fn from_iter<I: IntoIterator<Item = Place>>(places: I) -> Self {
        places.into_iter().fold(Self::NONE, |mut set, place| {
            set.insert(place);
            set
        })
    }
}

impl fmt::Debug for Places {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_has_37_hexes_in_order_with_earth_in_the_middle() {
        assert_eq!(Place::EARTH.hex(), Hex::ORIGIN);
        assert!(HEXES.windows(2).all(|pair| pair[0] < pair[1]));
        let mut per_rank = [0; 4];
        for place in Place::all() {
            assert_eq!(Place::new(place.hex()), Some(place));
            per_rank[usize::from(place.rank())] += 1;
        }
        assert_eq!(per_rank, [1, 6, 12, 18]);
        assert_eq!(Place::new(Hex::new(4, 0)), None);
        assert_eq!(Place::new(Hex::new(2, 2)), None);
        assert_eq!(Place::new(Hex::new(i16::MIN, i16::MAX)), None);
    }

    #[test]
    fn distances_equal_those_of_the_kernel() {
        for a in Place::all() {
            for b in Place::all() {
                assert_eq!(u32::from(a.distance(b)), a.hex().distance(b.hex()));
                assert_eq!(a.neighbors().contains(b), a.distance(b) == 1);
                assert_eq!(a.two_away().contains(b), a.distance(b) == 2);
            }
        }
    }

    #[test]
    fn sets_iterate_in_order() {
        let set: Places = [Place(30), Place::EARTH, Place(2)].into_iter().collect();
        assert_eq!(set.iter().map(Place::index).collect::<Vec<_>>(), [2, 18, 30]);
        assert_eq!(Places::all().len(), PLACES);
        assert_eq!(set.without(Places::all()), Places::NONE);
    }
}
