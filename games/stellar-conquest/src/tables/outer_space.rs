//! The tables of Alone in Outer Space.

use heliopause_kernel::vocabulary;
use heliopause_kernel::wire::Wire;
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::tables::attack_table::Arm;
use crate::tables::cards::{Planet, PlanetType};
use crate::tables::ships::ShipKind;

vocabulary! {
    /// An area of spending (6.2).
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Area {
        Factories = "factories",
        Research = "research",
        Weapons = "weapons",
    }
}

/// Returns the areas by priority for a modified die (6.2).
pub const fn priorities(total: u8) -> [Area; 3] {
    match total {
        0..=1 => [Area::Factories, Area::Research, Area::Weapons],
        2..=4 => [Area::Research, Area::Weapons, Area::Factories],
        _ => [Area::Weapons, Area::Research, Area::Factories],
    }
}

/// A diplomatic event (8.1).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(words = proto::DiplomaticEvent)]
pub enum Happening {
    /// The powers at war hold talks, if there is a war.
    Talks,
    Blunder,
    /// One power claims a star of the other.
    Dispute,
    LimitedWar,
    TotalWar,
}

impl Happening {
    /// Returns the event for two dice and the stage's modifier (8.1).
    pub const fn of(total: u8) -> Self {
        match total {
            0..=8 => Self::Talks,
            9 => Self::Blunder,
            10..=11 => Self::Dispute,
            12..=13 => Self::LimitedWar,
            _ => Self::TotalWar,
        }
    }
}

/// The result of talks (8.3).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(words = proto::TalksResult)]
pub enum Talks {
    Failure,
    Truce,
    Treaty,
}

impl Talks {
    pub const fn of(total: u8) -> Self {
        match total {
            0..=5 => Self::Failure,
            6 => Self::Truce,
            _ => Self::Treaty,
        }
    }
}

/// The result of an incident at a production turn (9).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(words = proto::IncidentVerdict)]
pub enum Verdict {
    /// A clash is over, or a dispute is arbitrated.
    Ends,
    GoesOn,
    War,
}

impl Verdict {
    pub const fn of_clash(dice: u8, tension: u32) -> Self {
        let dice = dice as u32;
        if dice > tension {
            Self::Ends
        } else if dice + 2 <= tension {
            Self::War
        } else {
            Self::GoesOn
        }
    }

    /// Returns the result of a dispute. `total` is the sum of two dice, plus 2 if the star is
    /// conquered (9.2).
    pub const fn of_dispute(total: u8) -> Self {
        match total {
            0..=8 => Self::Ends,
            9..=10 => Self::GoesOn,
            _ => Self::War,
        }
    }
}

/// The terms of a peace (10.3).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(words = proto::PeaceTerms)]
pub enum Terms {
    Stalemate,
    Marginal,
    Substantial,
    /// Half of the conquered stars, at least three, are annexed with their people.
    Decisive,
}

impl Terms {
    pub const fn of(difference: u32) -> Self {
        match difference {
            0..=10 => Self::Stalemate,
            11..=25 => Self::Marginal,
            26..=50 => Self::Substantial,
            _ => Self::Decisive,
        }
    }

    pub const fn stars(self, conquered: usize) -> usize {
        match self {
            Self::Stalemate => 0,
            Self::Marginal => 1,
            Self::Substantial => 2,
            Self::Decisive => {
                let half = conquered.div_ceil(2);
                if half < 3 { 3 } else { half }
            }
        }
    }
}

/// Returns the points for a planet of a conquered star (10.2).
pub const fn conquest_points(planet: &Planet) -> u32 {
    match (planet.kind, planet.mineral_rich) {
        (PlanetType::Terran, _) => 12,
        (PlanetType::SubTerran, _) => 8,
        (PlanetType::MinimalTerran, true) => 6,
        (PlanetType::MinimalTerran, false) => 3,
        (PlanetType::Barren, true) => 4,
        (PlanetType::Barren, false) => 2,
    }
}

/// Returns the points for a destroyed unit, in half points (10.2).
pub const fn destruction_half_points(arm: Arm) -> u32 {
    match arm {
        Arm::Shield | Arm::Ship(ShipKind::DeathStar) => 8,
        Arm::AdvancedMissileBase | Arm::Ship(ShipKind::Fighter) => 4,
        Arm::MissileBase | Arm::Ship(ShipKind::Corvette) => 2,
        Arm::Ship(ShipKind::Scout) => 1,
        Arm::Ship(ShipKind::Transport) => 0,
    }
}

/// Returns the rank of a planet as a destination, or `None` if transports cannot go there (7.2).
pub fn transport_rank(planet: &Planet, people: u16) -> Option<u8> {
    let percent = |part: u32| u32::from(people) * 100 < u32::from(planet.capacity) * part;
    if people >= planet.capacity {
        return None;
    }
    match (planet.kind, people) {
        (_, 1..) if planet.mineral_rich => Some(1),
        (_, 0) if planet.mineral_rich => Some(2),
        (PlanetType::Terran, 0) => Some(3),
        (PlanetType::Terran, _) if percent(50) => Some(4),
        (PlanetType::Terran, _) if percent(75) => Some(5),
        (PlanetType::SubTerran, 0) => Some(7),
        (PlanetType::SubTerran, _) if percent(75) => Some(6),
        (PlanetType::MinimalTerran, _) => Some(8),
        _ => None,
    }
}

/// Maximum number of powers.
pub const POWERS_MAX: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn space_6_2_dt_21_the_priority_table() {
        assert_eq!(priorities(4)[0], Area::Research);
        assert_eq!(priorities(4 + 1)[0], Area::Weapons);
        assert_eq!(priorities(4 + 2)[0], Area::Weapons);
        assert_eq!(priorities(1), [Area::Factories, Area::Research, Area::Weapons]);
        assert_eq!(priorities(1 + 2)[0], Area::Research);
        assert_eq!(priorities(8), [Area::Weapons, Area::Research, Area::Factories]);
    }

    #[test]
    fn space_8_1_dt_25_the_table_of_events() {
        let of = |range: std::ops::RangeInclusive<u8>| range.map(Happening::of).collect::<Vec<_>>();
        assert!(of(2..=8).iter().all(|happening| *happening == Happening::Talks));
        assert_eq!(of(9..=11), [Happening::Blunder, Happening::Dispute, Happening::Dispute]);
        assert!(of(12..=13).iter().all(|happening| *happening == Happening::LimitedWar));
        assert!(of(14..=16).iter().all(|happening| *happening == Happening::TotalWar));
    }

    #[test]
    fn space_9_1_dt_29_tension_decides_a_clash() {
        let of = |tension| {
            (2..=12).map(move |dice| Verdict::of_clash(dice, tension)).collect::<Vec<_>>()
        };
        assert!(of(8)[..5].iter().all(|verdict| *verdict == Verdict::War));
        assert_eq!(of(8)[5..7], [Verdict::GoesOn, Verdict::GoesOn]);
        assert!(of(8)[7..].iter().all(|verdict| *verdict == Verdict::Ends));
        assert!(of(0).iter().all(|verdict| *verdict == Verdict::Ends));
        assert!(of(14).iter().all(|verdict| *verdict == Verdict::War));
    }

    #[test]
    fn space_9_2_dt_31_the_dispute_table() {
        assert_eq!(Verdict::of_dispute(8), Verdict::Ends);
        assert_eq!(Verdict::of_dispute(7 + 2), Verdict::GoesOn);
        assert_eq!(
            [10, 11, 14].map(Verdict::of_dispute),
            [Verdict::GoesOn, Verdict::War, Verdict::War]
        );
    }

    #[test]
    fn space_10_3_dt_33_the_terms_of_peace() {
        assert_eq!([10, 11, 25, 26, 50, 51].map(Terms::of), {
            use Terms::{Decisive, Marginal, Stalemate, Substantial};
            [Stalemate, Marginal, Marginal, Substantial, Substantial, Decisive]
        });
        assert_eq!(
            [0, 1, 4, 6, 7].map(|conquered| Terms::Decisive.stars(conquered)),
            [3, 3, 3, 3, 4]
        );
    }

    #[test]
    fn space_7_2_the_ranks_of_planets() {
        let planet = |kind, mineral_rich| Planet { orbit: 3, kind, capacity: 40, mineral_rich };
        let terran = planet(PlanetType::Terran, false);
        assert_eq!(
            [0, 19, 20, 29, 30, 40].map(|people| transport_rank(&terran, people)),
            [Some(3), Some(4), Some(5), Some(5), None, None]
        );
        let sub = planet(PlanetType::SubTerran, false);
        assert_eq!(
            [0, 29, 30].map(|people| transport_rank(&sub, people)),
            [Some(7), Some(6), None]
        );
        let minimal = planet(PlanetType::MinimalTerran, false);
        assert_eq!(
            [0, 39, 40].map(|people| transport_rank(&minimal, people)),
            [Some(8), Some(8), None]
        );
        let rich = planet(PlanetType::Barren, true);
        assert_eq!(
            [0, 39, 40].map(|people| transport_rank(&rich, people)),
            [Some(2), Some(1), None]
        );
        assert_eq!(transport_rank(&planet(PlanetType::Barren, false), 0), None);
    }
}
