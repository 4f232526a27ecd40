//! How the levels build and fight.

use heliopause_kernel::vocabulary;
use heliopause_star_empires::{Class, Design, EmpireView, Hull, Ratings};

use crate::bot::Level;

vocabulary! {
    /// What a class is for.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub(super) enum Role {
        /// Explores, and takes worlds that nobody holds.
        Settler = "settler",
        /// Stays and shoots.
        Guard = "sting",
        /// Stays and is shot at.
        Shield = "shield",
        /// Goes and shoots.
        Striker = "lance",
        /// Carries guards and shields to a fight.
        Mule = "mule",
        /// Lies on a starbase's racks.
        Missile = "javelin",
    }
}

/// How a level builds and fights.
#[derive(Clone, Copy, Debug)]
pub(super) struct Doctrine {
    /// What is built for each role; a role may have none.
    designs: &'static [(Role, Design)],
    /// How much stronger in hundredths a strike must be than what is seen at its target, at first.
    margin: u32,
    /// By how many hundredths less every turn: who waits for ever for a better chance ends nothing.
    impatience: u32,
    /// For how many hundredths of what could come from nearby guards are built. Guards cost less
    /// than ships that move, so empires that answer everything with guards have nothing left to
    /// attack with, and stare at each other.
    pub(super) alarm: u32,
    /// Whether strikes are aimed at several worlds at once.
    pub(super) raids: bool,
}

const fn ship(hull: Hull, guns: u16, dp: u16, engines: u16, scan: u16, racks: u16) -> Design {
    Design::Ship(hull, Ratings::new(guns, dp, engines, scan, racks))
}

/// Stock settlers and guards, and the cheap capital ship that a point less of everything makes
/// (notes 2.6).
const STANDARD: Doctrine = Doctrine {
    designs: &[
        (Role::Settler, ship(Hull::Scout, 1, 1, 3, 3, 0)),
        (Role::Guard, ship(Hull::Wing, 5, 5, 0, 0, 0)),
        (Role::Striker, ship(Hull::CapitalShip, 34, 39, 2, 1, 0)),
    ],
    margin: 150,
    impatience: 2,
    alarm: 25,
    raids: false,
};

/// Classes for 1 RU, the least that anything costs (R2): each gives up what it does not need for
/// what it does. A wing has three times the guns, or the damage points, of a fighter; a scout
/// carries it to where it is wanted.
const STRONG: Doctrine = Doctrine {
    designs: &[
        (Role::Settler, ship(Hull::Scout, 1, 1, 3, 2, 0)),
        (Role::Shield, ship(Hull::Wing, 4, 15, 0, 0, 0)),
        (Role::Guard, ship(Hull::Wing, 15, 4, 0, 0, 0)),
        (Role::Mule, ship(Hull::Scout, 1, 4, 2, 0, 1)),
        // Two of them fill a starbase's racks, and each destroys any ship of the standard doctrine.
        (Role::Missile, Design::Missile { guns: 46, tonnage: 5 }),
    ],
    margin: 130,
    impatience: 0,
    alarm: 100,
    raids: true,
};

impl Doctrine {
    /// That of a level that plans.
    pub(super) fn of(level: Level) -> &'static Self {
        match level {
            Level::Random | Level::Standard => &STANDARD,
            Level::Strong => &STRONG,
        }
    }

    /// How much stronger in hundredths a strike must be in this turn: never less than what it
    /// meets.
    pub(super) fn margin(&self, turn: u32) -> u32 {
        self.margin.saturating_sub(self.impatience.saturating_mul(turn)).max(100)
    }

    /// The design for a role.
    pub(super) fn design(&self, role: Role) -> Option<Design> {
        self.designs.iter().find(|(other, _)| *other == role).map(|&(_, design)| design)
    }

    /// The roles that have a design, most urgent first.
    pub(super) fn roles(&self) -> impl Iterator<Item = (Role, Design)> + use<'_> {
        self.designs.iter().copied()
    }

    /// The class of a role that the empire knows.
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
    fn who_waits_dares_more_but_never_against_the_stronger() {
        assert_eq!([0, 10, 25, u32::MAX].map(|turn| STANDARD.margin(turn)), [150, 130, 100, 100]);
    }

    #[test]
    fn every_design_is_allowed_and_the_strong_ones_cost_one() {
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
            assert_eq!(
                (class.cost, class.fee()),
                (1, u32::from(role != Role::Missile)),
                "{role:?}"
            );
        }
        let tonnage =
            |role| STRONG.design(role).unwrap().class(Name::new("x").unwrap()).unwrap().tonnage;
        assert_eq!((tonnage(Role::Guard), tonnage(Role::Shield)), (1, 1), "a rack carries one");
    }
}
