//! The strength of ships, with estimates for unknown classes.

use std::ops::{Add, AddAssign};

use heliopause_star_empires::{Class, FleetSeen, Hull, Name, Ratings};

use super::survey::Unit;

/// Tonnage of a starbase. No other class has as much.
const STARBASE_TONNES: u64 = 999;
const STARBASE: (u32, u32) = (150, 200);
/// Typical difference between the guns or damage points of a class and its tonnage.
const BEYOND_TONNAGE: u32 = 6;
const GUESS_MAX: u32 = 200;

/// A force of ships: its guns as firepower per turn, and its damage points as the firepower needed
/// to destroy all ships.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Force {
    /// Guns of all ships except missiles.
    pub(super) guns: u32,
    pub(super) dp: u32,
    pub(super) count: u32,
}

impl Force {
    pub(super) fn of<'a>(units: impl IntoIterator<Item = &'a Unit>) -> Self {
        units.into_iter().fold(Self::default(), |force, unit| force + Self::one(unit))
    }

    pub(super) fn one(unit: &Unit) -> Self {
        let guns = if unit.is_missile() { 0 } else { u32::from(unit.guns()) };
        Self { guns, dp: u32::from(unit.dp), count: 1 }
    }

    pub(super) fn of_fleet(fleet: &FleetSeen) -> Self {
        let bases = u32::from(fleet.tonnage >= STARBASE_TONNES);
        let tonnes = (fleet.tonnage - STARBASE_TONNES * u64::from(bases)).min(1_000_000) as u32;
        let each = BEYOND_TONNAGE * (fleet.count.saturating_sub(bases)) + tonnes;
        Self { guns: each + STARBASE.0 * bases, dp: each + STARBASE.1 * bases, count: fleet.count }
    }

    pub(super) fn is_none(self) -> bool {
        self.count == 0
    }

    /// Returns a weight by Lanchester's square law.
    pub(super) fn weight(self) -> u64 {
        u64::from(self.guns) * u64::from(self.dp)
    }

    pub(super) fn beats(self, other: Self) -> bool {
        self.guns >= other.dp && self.dp > other.guns || self.weight() * 2 >= other.weight() * 3
    }
}

impl Add for Force {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            guns: self.guns + other.guns,
            dp: self.dp + other.dp,
            count: self.count + other.count,
        }
    }
}

impl AddAssign for Force {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

pub(super) fn guessed(name: Name, tonnage: u32) -> Class {
    let each = (BEYOND_TONNAGE + tonnage).min(GUESS_MAX) as u16;
    let ratings = Ratings::new(each, each, 2, 0, 0);
    Class { name, hull: Hull::CapitalShip, ratings, tonnage, cost: tonnage, unbuildable: true }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heliopause_star_empires::Coord;

    #[test]
    fn a_fleet_on_long_range_scan_is_weighed_by_tonnage() {
        let fleet = |count, tonnage| {
            Force::of_fleet(&FleetSeen { at: Coord::new(0, 0), identity: None, count, tonnage })
        };
        assert_eq!(fleet(1, 999), Force { guns: 150, dp: 200, count: 1 });
        assert_eq!(fleet(1, 30), Force { guns: 36, dp: 36, count: 1 });
        assert_eq!(fleet(3, 1001), Force { guns: 164, dp: 214, count: 3 });
    }

    #[test]
    fn a_force_that_destroys_all_and_survives_beats_the_other() {
        let force = |guns, dp| Force { guns, dp, count: 1 };
        assert!(force(40, 36).beats(force(35, 40)));
        assert!(!force(35, 40).beats(force(35, 41)));
        assert!(force(30, 200).beats(force(20, 60)), "it takes two turns, and survives them");
    }
}
