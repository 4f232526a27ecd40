//! 6.3.6, 6.4.7 to 6.4.10, notes 7: who holds a world, and how safe it is: shared by combat, movement and maintenance.

use heliopause_kernel::Seat;

use crate::geometry::Sector;
use crate::update::Update;

/// Notes 1: how one empire stands in a sector. Only conquering ships count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Situation {
    /// Operational guns of the empire.
    pub friendly_guns: u64,
    /// Damage points of the empire.
    pub friendly_dp: u64,
    /// Operational guns of all others together.
    pub foreign_guns: u64,
    /// Damage points of all others together.
    pub foreign_dp: u64,
}

impl Situation {
    /// Compares safety: friendly damage points to foreign guns, without foreign guns the safest of all.
    pub(crate) fn cmp_safety(&self, other: &Self) -> std::cmp::Ordering {
        match (self.foreign_guns, other.foreign_guns) {
            (0, 0) => std::cmp::Ordering::Equal,
            (0, _) => std::cmp::Ordering::Greater,
            (_, 0) => std::cmp::Ordering::Less,
            (own, others) => (self.friendly_dp * others).cmp(&(other.friendly_dp * own)),
        }
    }
}

impl Update<'_> {
    /// The situation of an empire in a sector now.
    pub(crate) fn situation(&self, seat: Seat, at: Sector) -> Situation {
        let galaxy = self.galaxy();
        let mut situation = Situation::default();
        for ship in self.index.in_sector(at).map(|id| galaxy.ship(id)) {
            let guns = if galaxy.class_of(ship).is_missile() || !ship.is_loose() { 0 } else { galaxy.guns(ship) };
            let (guns, dp) = if guns == 0 { continue } else { (u64::from(guns), u64::from(ship.dp)) };
            if ship.owner == seat {
                situation.friendly_guns += guns;
                situation.friendly_dp += dp;
            } else {
                situation.foreign_guns += guns;
                situation.foreign_dp += dp;
            }
        }
        situation
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cmp::Ordering;

    #[test]
    fn situation_51_safety_is_damage_points_to_foreign_guns() {
        let situation = |friendly_dp, foreign_guns| Situation { friendly_dp, foreign_guns, ..Situation::default() };
        assert_eq!(situation(40, 10).cmp_safety(&situation(10, 0)), Ordering::Less);
        assert_eq!(situation(40, 10).cmp_safety(&situation(8, 2)), Ordering::Equal);
        assert_eq!(situation(1, 0).cmp_safety(&situation(9, 0)), Ordering::Equal);
        assert_eq!(situation(5, 1).cmp_safety(&situation(9, 2)), Ordering::Greater);
    }
}
