//! Rules 17.5, 17.6: items, their prices and required technologies.

use heliopause_kernel::vocabulary;
use heliopause_kernel::wire::Wire;
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::tables::technology::{Tech, TechSet};

vocabulary! {
    /// An item that a colony can build.
    #[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    #[wire(words = proto::Item)]
    pub enum Item {
        /// A loaded transport, built only by emigration. No message can express buying one.
        #[wire(skip)]
        ColonyTransport = "colony transport",
        Scout = "scout",
        Corvette = "corvette",
        Fighter = "fighter",
        DeathStar = "death star",
        Factory = "factory",
        MissileBase = "missile base",
        AdvancedMissileBase = "advanced missile base",
        PlanetShield = "planet shield",
    }
}

impl Item {
    /// Returns the price of `count` items for one colony in one production turn. Scouts are cheaper
    /// in pairs (rule 17.5), and factories with Robotic Industry (rule 17.6).
    pub const fn price(self, count: u32, owned: TechSet) -> u32 {
        let each = match self {
            Self::Scout => return (count / 2).saturating_mul(5).saturating_add(count % 2 * 3),
            Self::ColonyTransport => 1,
            Self::Corvette => 8,
            Self::Fighter => 20,
            Self::DeathStar => 40,
            Self::Factory if owned.has(Tech::RoboticIndustry) => 3,
            Self::Factory | Self::MissileBase => 4,
            Self::AdvancedMissileBase => 10,
            Self::PlanetShield => 30,
        };
        count.saturating_mul(each)
    }

    pub const fn is_allowed(self, owned: TechSet) -> bool {
        match self {
            Self::ColonyTransport | Self::Scout | Self::Corvette => true,
            Self::Fighter => owned.has(Tech::Fighter),
            Self::DeathStar => owned.has(Tech::DeathStar),
            Self::Factory => {
                owned.has(Tech::IndustrialTechnology)
                    || owned.has(Tech::ImprovedIndustrialTechnology)
                    || owned.has(Tech::RoboticIndustry)
            }
            Self::MissileBase => owned.has(Tech::MissileBase),
            Self::AdvancedMissileBase => owned.has(Tech::AdvancedMissileBase),
            Self::PlanetShield => owned.has(Tech::PlanetShield),
        }
    }
}

/// Returns how many factories a population can operate, which is also the limit for buying (rules
/// 17.3, 17.6, BR-18).
pub const fn factory_limit(millions: u32, owned: TechSet) -> u32 {
    if owned.has(Tech::RoboticIndustry) {
        u32::MAX
    } else if owned.has(Tech::ImprovedIndustrialTechnology) {
        millions.saturating_mul(2)
    } else {
        millions
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: TechSet = {
        let mut set = TechSet::NONE;
        let mut index = 0;
        while index < Tech::COUNT {
            set = set.with(Tech::ALL[index]);
            index += 1;
        }
        set
    };

    #[test]
    fn rule_18_prices() {
        let each = Item::ALL.map(|item| item.price(1, TechSet::NONE));
        assert_eq!(each, [1, 3, 8, 20, 40, 4, 4, 10, 30]);
        assert_eq!(Item::Factory.price(1, ALL), 3);
        assert_eq!(Item::Scout.price(u32::MAX, ALL), Item::Scout.price(u32::MAX, TechSet::NONE));
    }

    #[test]
    fn rule_17_5_items_without_required_technology() {
        let free: Vec<Item> =
            Item::ALL.into_iter().filter(|item| item.is_allowed(TechSet::NONE)).collect();
        assert_eq!(free, [Item::ColonyTransport, Item::Scout, Item::Corvette]);
        assert!(Item::ALL.into_iter().all(|item| item.is_allowed(ALL)));
    }

    #[test]
    fn rule_17_6_any_industry_allows_factories() {
        for tech in
            [Tech::IndustrialTechnology, Tech::ImprovedIndustrialTechnology, Tech::RoboticIndustry]
        {
            assert!(Item::Factory.is_allowed(TechSet::NONE.with(tech)));
        }
    }

    #[test]
    fn br_18_factory_limits() {
        assert_eq!(factory_limit(20, TechSet::NONE), 20);
        assert_eq!(factory_limit(20, TechSet::NONE.with(Tech::IndustrialTechnology)), 20);
        assert_eq!(factory_limit(20, TechSet::NONE.with(Tech::ImprovedIndustrialTechnology)), 40);
        assert_eq!(factory_limit(0, ALL), u32::MAX);
    }
}
