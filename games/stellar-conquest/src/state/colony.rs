//! Rules 14 to 17: the state of a colony, its growth and its output.

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Seat, vocabulary};
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::tables::{Planet, PlanetId, PlanetType, TechSet, factory_limit};

/// The numbers of a colony's missile bases and advanced missile bases.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[wire(message = proto::Bases, or_default)]
pub struct Bases {
    #[wire(name = missile_bases)]
    pub missile: u32,
    #[wire(name = advanced_missile_bases)]
    pub advanced: u32,
}

impl Bases {
    pub const NONE: Self = Self { missile: 0, advanced: 0 };

    pub const fn total(self) -> u32 {
        self.missile + self.advanced
    }
}

/// The control of a colony (rules 14, 15).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Hold {
    #[default]
    Free,
    /// Under siege: the owner cannot build ships, and the colony gives no command range (rule 14).
    Besieged,
    Occupied(Occupation),
}

/// The conqueror of a colony, and whether the colony has yet to produce for the conqueror (rule
/// 15).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Occupation {
    pub by: Seat,
    /// Whether the first production turn after the conquest is still to come (rule 15.2).
    pub waits: bool,
}

vocabulary! {
    /// The owner's setting for ships that enter the colony's star hex (rule 10).
    #[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
    #[wire(words = proto::Watch)]
    pub enum Watch {
        /// Lets ships pass, and the colony stays hidden.
        #[default]
        Never = "never",
        /// Inspects ships, which reveals the colony to all players.
        Always = "always",
        Ask = "ask",
    }
}

/// A colony, stored in the power of its owner even if another seat has conquered it.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::Colony)]
pub struct Colony {
    pub planet: PlanetId,
    #[wire(part(planet_type, capacity, mineral_rich, orbit))]
    pub world: Planet,
    /// Millions of the owner's people. On a dominion, the garrison.
    pub population: u16,
    /// Millions of subject people. A colony with subjects is a dominion (fate 8.5).
    pub subjects: u16,
    pub factories: u32,
    pub bases: Bases,
    pub shield: bool,
    #[wire(part(control, conqueror, first_production_pending))]
    pub control: Hold,
    #[wire(or_default)]
    pub watch: Watch,
    /// Sequence number of the colony among its owner's colonies.
    pub founded: u16,
    /// Growth in the current production turn, which determines the bonus of emigrants (rule 17.4).
    pub grown: u16,
}

impl Colony {
    pub const fn new(planet: PlanetId, world: Planet, population: u16, founded: u16) -> Self {
        Self {
            planet,
            world,
            population,
            subjects: 0,
            factories: 0,
            bases: Bases::NONE,
            shield: false,
            control: Hold::Free,
            watch: Watch::Never,
            founded,
            grown: 0,
        }
    }

    /// Returns whether the colony has no conqueror. A besieged colony is free (rule 0).
    pub const fn is_free(&self) -> bool {
        !matches!(self.control, Hold::Occupied(_))
    }

    pub const fn is_besieged(&self) -> bool {
        matches!(self.control, Hold::Besieged)
    }

    pub const fn conqueror(&self) -> Option<Seat> {
        match self.control {
            Hold::Occupied(occupation) => Some(occupation.by),
            Hold::Free | Hold::Besieged => None,
        }
    }

    pub const fn is_dominion(&self) -> bool {
        self.subjects > 0
    }

    pub const fn workers(&self) -> u16 {
        if self.is_dominion() { self.subjects } else { self.population }
    }

    pub const fn growth(&self) -> u16 {
        if !self.is_free() || self.is_dominion() {
            return 0;
        }
        match self.world.kind {
            PlanetType::Terran => self.population / 5,
            PlanetType::SubTerran => self.population / 10,
            PlanetType::MinimalTerran | PlanetType::Barren => 0,
        }
    }

    /// Returns the certain growth, the remainder, and the number of dice. The growth is one more if
    /// the dice total at most the remainder (space 1.3).
    pub const fn growth_with_fractions(&self) -> (u16, u16, u8) {
        if !self.is_free() || self.is_dominion() {
            return (0, 0, 0);
        }
        let (people, dice) = match self.world.kind {
            PlanetType::Terran => (5, 1),
            PlanetType::SubTerran => (10, 2),
            PlanetType::MinimalTerran => (15, 3),
            PlanetType::Barren => return (0, 0, 0),
        };
        (self.population / people, self.population % people, dice)
    }

    pub const fn output(&self, owned: TechSet) -> u32 {
        if let Hold::Occupied(Occupation { waits: true, .. }) = self.control {
            return 0;
        }
        let workers = self.workers() as u32;
        let limit = factory_limit(workers, owned);
        let operating = if self.factories < limit { self.factories } else { limit };
        let output = workers.saturating_add(operating);
        if self.world.mineral_rich { output.saturating_mul(2) } else { output }
    }

    pub const fn bonus(&self, emigrants: u16) -> u16 {
        if !self.is_free() || self.is_dominion() {
            return 0;
        }
        let limit = self.grown + 3;
        (if emigrants < limit { emigrants } else { limit }) / 3
    }

    pub(crate) const fn exceeds_capacity(&self) -> bool {
        self.population > self.world.capacity && !self.is_dominion()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::{StarId, Tech};

    fn colony(kind: PlanetType, population: u16) -> Colony {
        let planet = PlanetId { star: StarId::named("Alcor"), nth: 0 };
        Colony::new(
            planet,
            Planet { orbit: 3, kind, capacity: 80, mineral_rich: false },
            population,
            0,
        )
    }

    #[test]
    fn rule_17_1_growth() {
        assert_eq!(colony(PlanetType::Terran, 39).growth(), 7);
        assert_eq!(colony(PlanetType::SubTerran, 39).growth(), 3);
        assert_eq!(colony(PlanetType::MinimalTerran, 39).growth(), 0);
        assert_eq!(colony(PlanetType::Barren, 20).growth(), 0);
        let by = Seat::at(1);
        let hold = Hold::Occupied(Occupation { by, waits: false });
        assert_eq!(Colony { control: hold, ..colony(PlanetType::Terran, 39) }.growth(), 0);
        assert_eq!(Colony { subjects: 20, ..colony(PlanetType::Terran, 5) }.growth(), 0);
    }

    #[test]
    fn space_1_3_dt_01_certain_growth_and_remainder() {
        let growth = |kind, population| colony(kind, population).growth_with_fractions();
        assert_eq!(growth(PlanetType::SubTerran, 27), (2, 7, 2));
        assert_eq!(growth(PlanetType::Terran, 50), (10, 0, 1));
        assert_eq!(growth(PlanetType::MinimalTerran, 29), (1, 14, 3));
        assert_eq!(growth(PlanetType::MinimalTerran, 14), (0, 14, 3));
        assert_eq!(growth(PlanetType::Terran, 4), (0, 4, 1));
        assert_eq!(growth(PlanetType::Barren, 20), (0, 0, 0));
    }

    #[test]
    fn rule_17_3_output_bt_28_bt_29() {
        let rich = Planet { mineral_rich: true, ..colony(PlanetType::MinimalTerran, 30).world };
        let none = TechSet::NONE;
        assert_eq!(
            Colony { world: rich, factories: 10, ..colony(PlanetType::MinimalTerran, 30) }
                .output(none),
            80
        );
        assert_eq!(Colony { factories: 10, ..colony(PlanetType::Terran, 36) }.output(none), 46);
        let twenty = Colony { factories: 20, ..colony(PlanetType::MinimalTerran, 14) };
        assert_eq!(twenty.output(none.with(Tech::IndustrialTechnology)), 28);
        assert_eq!(twenty.output(none.with(Tech::ImprovedIndustrialTechnology)), 34);
        assert_eq!(
            Colony { factories: 90, ..twenty }.output(none.with(Tech::RoboticIndustry)),
            104
        );
    }

    #[test]
    fn rule_17_4_bonus_of_emigrants() {
        let sub_terran = Colony { grown: 3, ..colony(PlanetType::SubTerran, 42) };
        assert_eq!(sub_terran.bonus(6), 2);
        let terran = Colony { grown: 5, ..colony(PlanetType::Terran, 32) };
        assert_eq!(
            [0, 2, 3, 6, 8, 9, 30].map(|emigrants| terran.bonus(emigrants)),
            [0, 0, 1, 2, 2, 2, 2]
        );
    }

    #[test]
    fn fate_10_a_dominion_works_with_its_subjects() {
        let dominion = Colony { subjects: 30, factories: 10, ..colony(PlanetType::Terran, 5) };
        assert_eq!(dominion.output(TechSet::NONE.with(Tech::IndustrialTechnology)), 40);
        assert_eq!(dominion.bonus(9), 0);
    }
}
