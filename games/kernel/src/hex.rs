//! Hexes in axial coordinates.

use std::fmt;

/// A hex in axial coordinates.
///
/// ```
/// use heliopause_kernel::Hex;
///
/// let hex = Hex::new(2, -1);
/// assert_eq!(hex.distance(Hex::ORIGIN), 2);
/// assert_eq!(Hex::ORIGIN.within(2).count(), 19);
/// assert!(hex.neighbors().all(|next| next.distance(hex) == 1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Hex {
    pub q: i16,
    pub r: i16,
}

/// The offsets of the six neighbors. All lists of neighbors use this order.
pub const DIRECTIONS: [Hex; 6] = [
    Hex::new(1, 0),
    Hex::new(1, -1),
    Hex::new(0, -1),
    Hex::new(-1, 0),
    Hex::new(-1, 1),
    Hex::new(0, 1),
];

impl Hex {
    pub const ORIGIN: Self = Self::new(0, 0);

    pub const fn new(q: i16, r: i16) -> Self {
        Self { q, r }
    }

    fn step(self, by: Self) -> Option<Self> {
        Some(Self::new(self.q.checked_add(by.q)?, self.r.checked_add(by.r)?))
    }

    /// Returns the neighbors in the order of [`DIRECTIONS`], without those whose coordinates would
    /// overflow.
    pub fn neighbors(self) -> impl Iterator<Item = Self> {
        DIRECTIONS.into_iter().filter_map(move |step| self.step(step))
    }

    pub fn distance(self, other: Self) -> u32 {
        let q = i32::from(self.q) - i32::from(other.q);
        let r = i32::from(self.r) - i32::from(other.r);
        q.unsigned_abs().max(r.unsigned_abs()).max((q + r).unsigned_abs())
    }

    /// Returns all hexes within a radius, nearest ring first.
    ///
    /// # Panics
    /// If a coordinate overflows.
    pub fn within(self, radius: u16) -> Spiral {
        let farthest = self.q.unsigned_abs().max(self.r.unsigned_abs());
        let reaches = u32::from(farthest) + u32::from(radius);
        assert!(reaches <= 10_000, "the numbers of a ring and of its hexes fit into 16 bits");
        Spiral { center: self, radius, ring: 0, index: 0 }
    }
}

impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({},{})", self.q, self.r)
    }
}

/// An iterator over the hexes around a center, ring by ring.
#[derive(Clone, Debug)]
pub struct Spiral {
    center: Hex,
    radius: u16,
    ring: u16,
    index: u16,
}

impl Iterator for Spiral {
    type Item = Hex;

    fn next(&mut self) -> Option<Hex> {
        if self.ring > self.radius {
            return None;
        }
        if self.ring == 0 {
            self.ring = 1;
            return Some(self.center);
        }
        // A ring starts at the corner in direction 4 and follows one side in each direction.
        let (side, along) = (self.index / self.ring, (self.index % self.ring).cast_signed());
        let ring = self.ring.cast_signed();
        let mut hex = Hex::new(self.center.q - ring, self.center.r + ring);
        for step in &DIRECTIONS[..usize::from(side)] {
            hex = Hex::new(hex.q + step.q * ring, hex.r + step.r * ring);
        }
        let step = DIRECTIONS[usize::from(side)];
        self.index += 1;
        if self.index == 6 * self.ring {
            self.ring += 1;
            self.index = 0;
        }
        Some(Hex::new(hex.q + step.q * along, hex.r + step.r * along))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spiral_visits_every_hex_once_nearest_first() {
        let center = Hex::new(2, -5);
        let hexes: Vec<Hex> = center.within(3).collect();
        assert_eq!(hexes.len(), 37);
        let mut sorted = hexes.clone();
        sorted.sort();
        sorted.dedup();
        assert_eq!(sorted.len(), 37);
        assert!(hexes.windows(2).all(|pair| pair[0].distance(center) <= pair[1].distance(center)));
        assert!(hexes.iter().all(|hex| hex.distance(center) <= 3));
    }

    #[test]
    fn a_spiral_beyond_the_coordinate_range_panics() {
        assert_eq!(Hex::new(0, -9_999).within(1).count(), 7);
        for (center, radius) in [(Hex::new(9_999, 0), 2), (Hex::ORIGIN, 10_001)] {
            let beyond = std::panic::catch_unwind(|| center.within(radius));
            assert!(beyond.is_err(), "{center} and {radius}");
        }
    }

    #[test]
    fn a_hex_is_displayed_as_its_coordinates() {
        assert_eq!(Hex::new(2, -1).to_string(), "(2,-1)");
    }

    #[test]
    fn neighbors_are_one_step_away() {
        let hex = Hex::new(-1, 3);
        assert_eq!(hex.neighbors().count(), 6);
        assert!(hex.neighbors().all(|other| other.distance(hex) == 1));
        assert_eq!(Hex::new(i16::MAX, i16::MAX).neighbors().count(), 2);
        assert_eq!(Hex::new(i16::MIN, 0).distance(Hex::new(i16::MAX, 0)), 65_535);
    }
}
