//! How each level builds and fights.

use heliopause_kernel::vocabulary;
use heliopause_star_empires::{Class, Design, EmpireView, Hull, Ratings};

use crate::bot::Level;

vocabulary! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub(super) enum Role {
        /// Explores, and takes unowned worlds.
        Settler = "settler",
        /// Stationary firepower.
        Guard = "sting",
        /// Stationary damage points.
        Shield = "shield",
        /// Mobile firepower.
        Striker = "lance",
        /// Carries guards and shields to a fight.
        Carrier = "mule",
        /// Waits on a starbase's racks.
        Missile = "javelin",
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Doctrine {
    designs: &'static [(Role, Design)],
    /// Strength required for a strike at first, as a percentage of the expected force.
    margin: u32,
    /// Decrease of `margin` per turn, because otherwise two cautious empires would wait forever.
    impatience: u32,
    /// Percentage of the nearby threat that guards must match. Empires that match every threat with
    /// guards cannot afford attacks, and the game stalls.
    pub(super) threat_response: u32,
    pub(super) raids: bool,
}

const fn ship(hull: Hull, guns: u16, dp: u16, engines: u16, scan: u16, racks: u16) -> Design {
    Design::Ship(hull, Ratings::new(guns, dp, engines, scan, racks))
}

/// Designs with a cheap capital ship. All its ratings except the engines are a point below those of
/// the stock class (notes 2.6).
const STANDARD: Doctrine = Doctrine {
    designs: &[
        (Role::Settler, ship(Hull::Scout, 1, 1, 3, 3, 0)),
        (Role::Guard, ship(Hull::Wing, 5, 5, 0, 0, 0)),
        (Role::Striker, ship(Hull::CapitalShip, 34, 39, 2, 1, 0)),
    ],
    margin: 150,
    impatience: 2,
    threat_response: 25,
    raids: false,
};

/// Classes for 1 RU, the minimum cost (R2), with only the ratings that they need.
const STRONG: Doctrine = Doctrine {
    designs: &[
        (Role::Settler, ship(Hull::Scout, 1, 1, 3, 2, 0)),
        (Role::Shield, ship(Hull::Wing, 4, 15, 0, 0, 0)),
        (Role::Guard, ship(Hull::Wing, 15, 4, 0, 0, 0)),
        (Role::Carrier, ship(Hull::Scout, 1, 4, 2, 0, 1)),
        // Two missiles fill a starbase's racks. Each destroys any ship of the standard doctrine.
        (Role::Missile, Design::Missile { guns: 46, tonnage: 5 }),
    ],
    margin: 130,
    impatience: 0,
    threat_response: 100,
    raids: true,
};

pub(super) const RUSH: Doctrine = Doctrine { margin: 100, threat_response: 0, ..STRONG };

impl Doctrine {
    pub(super) fn of(level: Level) -> &'static Self {
        match level {
            Level::Random | Level::Standard => &STANDARD,
            Level::Strong => &STRONG,
        }
    }

    pub(super) fn margin(&self, turn: u32) -> u32 {
        self.margin.saturating_sub(self.impatience.saturating_mul(turn)).max(100)
    }

    pub(super) fn design(&self, role: Role) -> Option<Design> {
        self.designs.iter().find(|(other, _)| *other == role).map(|&(_, design)| design)
    }

    /// Returns the roles that have a design, most urgent first.
    pub(super) fn roles(&self) -> impl Iterator<Item = (Role, Design)> + use<'_> {
        self.designs.iter().copied()
    }

    pub(super) fn class<'a>(&self, own: &'a EmpireView, role: Role) -> Option<&'a Class> {
        let is_it = |class: &&Class| match self.design(role) {
            Some(Design::Ship(hull, ratings)) => class.hull == hull && class.ratings == ratings,
            Some(Design::Missile { guns, tonnage }) => {
                class.hull == Hull::Missile
                    && class.ratings.guns == guns
                    && class.tonnage == tonnage
            }
            None => false,
        };
        own.classes.iter().find(|class| is_it(class) && !class.unbuildable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heliopause_star_empires::Name;

    #[test]
    fn the_margin_declines_with_time_but_not_below_equality() {
        assert_eq!([0, 10, 25, u32::MAX].map(|turn| STANDARD.margin(turn)), [150, 130, 100, 100]);
    }

    #[test]
    fn every_design_is_legal_and_strong_designs_cost_one() {
        for doctrine in [&STANDARD, &STRONG] {
            for (role, design) in doctrine.roles() {
                let class =
                    design.class(Name::new("x").unwrap()).unwrap_or_else(|_| panic!("{role:?}"));
                assert!(class.ratings.guns > 0, "{role:?} holds a world");
                assert!(doctrine.margin < 150 || class.cost <= 20);
            }
        }
        for (role, design) in STRONG.roles() {
            let class = design.class(Name::new("x").unwrap()).unwrap();
            let fee = u32::from(role != Role::Missile);
            assert_eq!((class.cost, class.fee()), (1, fee), "{role:?}");
        }
        let tonnage =
            |role| STRONG.design(role).unwrap().class(Name::new("x").unwrap()).unwrap().tonnage;
        assert_eq!((tonnage(Role::Guard), tonnage(Role::Shield)), (1, 1), "a rack carries one");
    }
}
