//! 3.0, notes 8.1: sectors, distances, and the coordinate frames of empires.

use std::cmp::Ordering;
use std::fmt;

use heliopause_kernel::wire::{self, Wire};
use heliopause_kernel::{Dice, Draw};
use heliopause_proto::star_empires::v1 as proto;

use crate::fields;

/// Maximum distance of any object from `(0,0)`. Space has no edge (R44), but coordinates must not
/// overflow in any frame.
pub const FARTHEST: u32 = 10_000;

/// A sector in galactic coordinates, ordered by the first coordinate, then by the second.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[wire(message = proto::Sector, with(i16 = fields::coordinate), check = in_bounds)]
pub struct Sector {
    /// The oblique coordinate, which increases to the south-east.
    #[wire(name = oblique)]
    pub o: i16,
    /// The coordinate that increases to the north.
    pub y: i16,
}

/// Checks that the coordinates are small enough for a conversion between any two frames.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "the wire macro passes a reference")]
fn in_bounds(sector: &Sector) -> wire::Result<()> {
    if sector.distance(Sector::CENTER) <= 2 * FARTHEST {
        Ok(())
    } else {
        fields::out_of_bounds(sector)
    }
}

/// A sector in one empire's frame, or in the galactic frame on the game master's map. Ordered by
/// the first coordinate, then by the second.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[wire(message = proto::Sector, with(i16 = fields::coordinate))]
pub struct Coord {
    #[wire(name = oblique)]
    pub o: i16,
    pub y: i16,
}

/// Offsets of the neighboring sectors: N, NE, SE, S, SW, NW.
pub const STEPS: [(i16, i16); 6] = [(0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0)];

impl Sector {
    pub const CENTER: Self = Self::new(0, 0);

    pub fn is_in_bounds(self) -> bool {
        self.distance(Self::CENTER) <= FARTHEST
    }

    /// Returns the sectors in bounds at exactly this distance, clockwise from the north.
    pub fn ring(self, radius: u16) -> impl Iterator<Item = Self> {
        let last = if radius == 0 { 1 } else { u32::from(radius) * 6 };
        (0..last)
            .filter_map(move |index| self.on_ring(radius, index))
            .filter(|sector| sector.is_in_bounds())
    }

    pub fn within(self, radius: u16) -> impl Iterator<Item = Self> {
        (0..=radius).flat_map(move |ring| self.ring(ring))
    }

    pub fn on_ring(self, radius: u16, index: u32) -> Option<Self> {
        let d = i32::from(radius);
        if d == 0 {
            return Some(self);
        }
        let index = index.cast_signed();
        let i = index % d;
        let (o, y) = match index / d {
            0 => (i, d),
            1 => (d, d - i),
            2 => (d - i, -i),
            3 => (-i, -d),
            4 => (-d, -d + i),
            _ => (-d + i, i),
        };
        let o = i16::try_from(i32::from(self.o) + o).ok()?;
        let y = i16::try_from(i32::from(self.y) + y).ok()?;
        Some(Self::new(o, y))
    }
}

/// Packs both coordinates into one number, because updates compare sectors very often.
fn rank(o: i16, y: i16) -> u32 {
    // Flipping the sign bits makes negative numbers sort first.
    (u32::from(o as u16) << 16 | u32::from(y as u16)) ^ 0x8000_8000
}

/// Implements what sectors have in common in all frames.
macro_rules! coordinates {
    ($($name:ident),+) => {
        $(
            impl $name {
                pub const fn new(o: i16, y: i16) -> Self {
                    Self { o, y }
                }

                pub fn distance(self, other: Self) -> u32 {
                    distance(self.o, self.y, other.o, other.y)
                }

                pub(crate) fn rank(self) -> u32 {
                    rank(self.o, self.y)
                }
            }

            impl PartialOrd for $name {
                fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                    Some(self.cmp(other))
                }
            }

            impl Ord for $name {
                fn cmp(&self, other: &Self) -> Ordering {
                    self.rank().cmp(&other.rank())
                }
            }

            impl fmt::Display for $name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    write!(f, "({},{})", self.o, self.y)
                }
            }
        )+
    };
}
coordinates!(Sector, Coord);

/// Sorts by sector with a stable counting sort, which is fast because coordinates span few values.
pub(crate) fn sort_by_sector<T: Copy>(list: Vec<T>, sector: impl Fn(&T) -> (i16, i16)) -> Vec<T> {
    let by_second = sort_by_number(list, |item| sector(item).1);
    sort_by_number(by_second, |item| sector(item).0)
}

fn sort_by_number<T: Copy>(list: Vec<T>, number: impl Fn(&T) -> i16) -> Vec<T> {
    let Some(first) = list.first().map(&number) else { return list };
    let widen = |(least, most): (i16, i16), number: i16| (least.min(number), most.max(number));
    let (least, most) = list.iter().map(&number).fold((first, first), widen);
    let bucket = |item: &T| usize::from(number(item).abs_diff(least));
    let mut places = vec![0_u32; usize::from(most.abs_diff(least)) + 2];
    for item in &list {
        places[bucket(item) + 1] += 1;
    }
    for index in 1..places.len() {
        places[index] += places[index - 1];
    }
    let mut sorted = list.clone();
    for item in list {
        let place = &mut places[bucket(&item)];
        sorted[*place as usize] = item;
        *place += 1;
    }
    sorted
}

fn distance(o1: i16, y1: i16, o2: i16, y2: i16) -> u32 {
    let o = i32::from(o1) - i32::from(o2);
    let y = i32::from(y1) - i32::from(y2);
    o.unsigned_abs().max(y.unsigned_abs()).max((o - y).unsigned_abs())
}

/// An empire's coordinate frame: the position of `(0,0)` and the direction of the axes.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[wire(message = proto::Frame)]
pub struct Frame {
    pub origin: Sector,
    /// Number of rotations by 60 degrees, 0 to 5.
    #[wire(check = fields::rotation)]
    pub rotation: u8,
    /// Whether the oblique axis is mirrored (`v`).
    #[wire(name = mirrored_oblique)]
    pub mirrored_o: bool,
    /// Whether the `y` axis is mirrored (`h`).
    pub mirrored_y: bool,
}

impl Frame {
    /// The galactic frame. Every empire uses this frame if local frames are off.
    pub const GALACTIC: Self =
        Self { origin: Sector::CENTER, rotation: 0, mirrored_o: false, mirrored_y: false };

    pub fn draw(origin: Sector, empire: u64, dice: &mut Dice) -> Self {
        let setting = dice.roll(Draw::new("frame").of(empire), 24) - 1;
        Self::setting(origin, setting as u8)
    }

    /// Returns the frame with this origin and one of the 24 combinations of rotation and mirroring.
    pub fn setting(origin: Sector, setting: u8) -> Self {
        Self {
            origin,
            rotation: setting % 6,
            mirrored_o: setting / 6 % 2 == 1,
            mirrored_y: setting / 12 % 2 == 1,
        }
    }

    pub fn local(self, sector: Sector) -> Coord {
        let mut o = i32::from(sector.o) - i32::from(self.origin.o);
        let mut y = i32::from(sector.y) - i32::from(self.origin.y);
        for _ in 0..self.rotation {
            (o, y) = (y, y - o);
        }
        if self.mirrored_o {
            (o, y) = mirror_o(o, y);
        }
        if self.mirrored_y {
            (o, y) = mirror_y(o, y);
        }
        // Both sectors are in bounds, so no coordinate exceeds twice `FARTHEST`.
        Coord::new(o as i16, y as i16)
    }

    /// Returns the frame that converts sectors in frame `other` to this frame.
    pub(crate) fn relative_to(self, other: Self) -> Self {
        let moved = |sector: Sector| {
            let local = other.local(sector);
            Sector::new(local.o, local.y)
        };
        let near = |(o, y): (i16, i16)| Sector::new(self.origin.o + o, self.origin.y + y);
        let fits = |frame: &Self| {
            STEPS.iter().all(|&step| frame.local(moved(near(step))) == self.local(near(step)))
        };
        let mut settings = (0..24).map(|setting| Self::setting(moved(self.origin), setting));
        settings.find(fits).expect("each rotated and mirrored frame equals one of the settings")
    }

    /// Converts to a galactic sector. Returns `None` if the sector is out of bounds.
    pub fn galactic(self, coord: Coord) -> Option<Sector> {
        let (mut o, mut y) = (i32::from(coord.o), i32::from(coord.y));
        if self.mirrored_y {
            (o, y) = mirror_y(o, y);
        }
        if self.mirrored_o {
            (o, y) = mirror_o(o, y);
        }
        for _ in self.rotation..6 {
            (o, y) = (y, y - o);
        }
        let o = i16::try_from(o + i32::from(self.origin.o)).ok()?;
        let y = i16::try_from(y + i32::from(self.origin.y)).ok()?;
        Some(Sector::new(o, y)).filter(|sector| sector.is_in_bounds())
    }
}

fn mirror_o(o: i32, y: i32) -> (i32, i32) {
    (-o, y - o)
}

fn mirror_y(o: i32, y: i32) -> (i32, i32) {
    (o, o - y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counting_sort_matches_comparison_sort() {
        let number = |seed: u32| (seed.wrapping_mul(2_654_435_761) >> 16) as i16;
        for spread in [1, 3, 100, i16::MAX] {
            let items: Vec<(i16, i16, u32)> = (0..200)
                .map(|nth| (number(nth) % spread, number(nth + 1000) % spread, nth))
                .collect();
            let mut expected = items.clone();
            expected.sort_by_key(|&(o, y, _)| Sector::new(o, y));
            assert_eq!(sort_by_sector(items, |&(o, y, _)| (o, y)), expected);
        }
        let ends = vec![(i16::MAX, i16::MIN), (i16::MIN, i16::MAX)];
        assert_eq!(
            sort_by_sector(ends, |&ends| ends),
            [(i16::MIN, i16::MAX), (i16::MAX, i16::MIN)]
        );
        assert_eq!(sort_by_sector(Vec::<(i16, i16)>::new(), |&none| none), []);
    }

    #[test]
    fn sectors_sort_by_the_first_coordinate_then_by_the_second() {
        let numbers = [i16::MIN, -10_000, -1, 0, 1, 7, i16::MAX];
        for (o1, y1) in numbers.iter().flat_map(|&o| numbers.map(|y| (o, y))) {
            for (o2, y2) in numbers.iter().flat_map(|&o| numbers.map(|y| (o, y))) {
                let expected = (o1, y1).cmp(&(o2, y2));
                assert_eq!(Sector::new(o1, y1).cmp(&Sector::new(o2, y2)), expected);
                assert_eq!(Coord::new(o1, y1).cmp(&Coord::new(o2, y2)), expected);
            }
        }
    }

    const fn at(o: i16, y: i16) -> Sector {
        Sector::new(o, y)
    }

    #[test]
    fn a_ring_is_complete_and_starts_in_the_north() {
        for radius in 1..6 {
            let ring: Vec<Sector> = at(1, -2).ring(radius).collect();
            assert_eq!(ring[0], at(1, -2 + radius.cast_signed()));
            assert_eq!(ring.len(), usize::from(radius) * 6);
            assert!(ring.iter().all(|sector| sector.distance(at(1, -2)) == u32::from(radius)));
            let next = |index: usize| ring[(index + 1) % ring.len()];
            assert!(
                (0..ring.len()).all(|index| ring[index].distance(next(index)) == 1),
                "neighbors follow each other"
            );
        }
    }

    #[test]
    fn situation_10_frames_preserve_distances_and_round_trip() {
        let home = at(10, 4);
        for setting in 0..24 {
            let frame = Frame::setting(home, setting);
            assert_eq!(frame.local(home), Coord::new(0, 0));
            for sector in home.within(5) {
                let local = frame.local(sector);
                assert_eq!(frame.galactic(local), Some(sector));
                for other in at(7, 7).within(2) {
                    assert_eq!(local.distance(frame.local(other)), sector.distance(other));
                }
            }
        }
    }

    #[test]
    fn r44_far_space_is_out_of_bounds_and_never_overflows() {
        let frame = Frame::setting(at(10_000, 0), 9);
        assert_eq!(frame.galactic(Coord::new(i16::MAX, i16::MIN)), None);
        for corner in [at(10_000, 0), at(0, -10_000), at(10_000, 10_000), at(-10_000, -10_000)] {
            assert!(corner.is_in_bounds());
            assert_eq!(frame.galactic(frame.local(corner)), Some(corner));
        }
        assert!(!at(10_000, -1).is_in_bounds());
    }
}
