//! Rule 18: the research tree, with the classes, levels, predecessors and prices of technologies.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{NoSuchWord, vocabulary};
use heliopause_proto::stellar_conquest::v1 as proto;

use Predecessor::Owned;

use crate::tables::rulebook::{number, rows};

vocabulary! {
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Class {
        Speed = "speed",
        Weapons = "weapons",
        Technology = "technology",
    }
}

/// A technology, called a title in the rules.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(words = proto::Technology)]
pub enum Tech {
    Speed3,
    Speed4,
    Speed5,
    Speed6,
    Speed7,
    Speed8,
    MissileBase,
    Fighter,
    AdvancedMissileBase,
    DeathStar,
    /// Lets a unit that misses fire again (rule 12.6).
    ImprovedShipWeaponry,
    PlanetShield,
    /// Lets people live on barren planets (rule 16.3). Abbreviated as C.E.T.
    ControlledEnvironment,
    /// Allows one factory per million people.
    IndustrialTechnology,
    /// Allows two factories per million people.
    ImprovedIndustrialTechnology,
    /// Makes command posts unnecessary (rule 7.6).
    UnlimitedShipRange,
    /// Makes destinations unnecessary (rule 8.6).
    UnlimitedShipCommunication,
    /// Makes factories cheaper and unlimited in number.
    RoboticIndustry,
}

/// The condition for a lower price (rule 18.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Predecessor {
    Owned(Tech),
    /// A technology with at least this speed.
    Speed(u8),
}

/// An entry of the research chart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Title {
    pub name: &'static str,
    /// A short name, for the notation of orders.
    pub code: &'static str,
    pub class: Class,
    pub level: u8,
    pub cost: u32,
    pub discount: Option<(Predecessor, u32)>,
}

/// The research chart of rule 18.1, in the order of [`Tech::ALL`].
static TITLES: LazyLock<Vec<Title>> = LazyLock::new(|| {
    let rows = rows("18.1");
    let before = |name: &str| {
        if let Some(speed) = name.strip_prefix("speed ") {
            return Predecessor::Speed(number(speed.trim_end_matches(" or more")));
        }
        let index = rows.iter().skip(1).position(|row| row[2] == name);
        Owned(Tech::ALL[index.expect("a title of the research chart")])
    };
    let title = |row: &Vec<&'static str>| Title {
        name: row[2],
        code: row[row.len() - 1],
        class: row[0].parse().expect("a class"),
        level: number(row[1]),
        cost: number(row[3]),
        discount: row[4].split_once(" with ").map(|(cost, name)| (before(name), number(cost))),
    };
    rows.iter().skip(1).map(title).collect()
});

impl Tech {
    pub const COUNT: usize = 18;

    pub const ALL: [Self; Self::COUNT] = [
        Self::Speed3,
        Self::Speed4,
        Self::Speed5,
        Self::Speed6,
        Self::Speed7,
        Self::Speed8,
        Self::MissileBase,
        Self::Fighter,
        Self::AdvancedMissileBase,
        Self::DeathStar,
        Self::ImprovedShipWeaponry,
        Self::PlanetShield,
        Self::ControlledEnvironment,
        Self::IndustrialTechnology,
        Self::ImprovedIndustrialTechnology,
        Self::UnlimitedShipRange,
        Self::UnlimitedShipCommunication,
        Self::RoboticIndustry,
    ];

    pub const fn index(self) -> usize {
        self as usize
    }

    pub fn title(self) -> &'static Title {
        &TITLES[self.index()]
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "no other technology is a speed")]
    pub const fn speed(self) -> Option<u8> {
        match self {
            Self::Speed3 => Some(3),
            Self::Speed4 => Some(4),
            Self::Speed5 => Some(5),
            Self::Speed6 => Some(6),
            Self::Speed7 => Some(7),
            Self::Speed8 => Some(8),
            _ => None,
        }
    }

    pub fn as_str(self) -> &'static str {
        self.title().name
    }
}

impl fmt::Display for Tech {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Tech {
    type Err = NoSuchWord;

    fn from_str(text: &str) -> Result<Self, NoSuchWord> {
        let is = |title: &Title| [title.code, title.name].map(|own| own.eq_ignore_ascii_case(text));
        let found = Self::ALL.into_iter().find(|tech| is(tech.title()).contains(&true));
        found.ok_or(NoSuchWord::Like("a technology, such as speed3"))
    }
}

/// A set of technologies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct TechSet(u32);

impl TechSet {
    pub const NONE: Self = Self(0);

    pub const fn has(self, tech: Tech) -> bool {
        self.0 & (1 << tech.index()) != 0
    }

    #[must_use]
    pub const fn with(self, tech: Tech) -> Self {
        Self(self.0 | 1 << tech.index())
    }

    pub fn iter(self) -> impl Iterator<Item = Tech> {
        Tech::ALL.into_iter().filter(move |&tech| self.has(tech))
    }

    pub fn speed(self) -> u8 {
        self.iter().filter_map(Tech::speed).max().unwrap_or(2)
    }

    pub fn cost(self, tech: Tech) -> u32 {
        let title = tech.title();
        match title.discount {
            Some((Owned(before), cost)) if self.has(before) => cost,
            Some((Predecessor::Speed(hexes), cost)) if self.speed() >= hexes => cost,
            _ => title.cost,
        }
    }

    /// Returns whether a technology is open. Above level 1, this needs a technology of the same
    /// class one level lower (rule 18.1, BR-5).
    pub fn opens(self, tech: Tech) -> bool {
        let title = tech.title();
        let below = |owned: Tech| {
            owned.title().class == title.class && owned.title().level + 1 == title.level
        };
        title.level == 1 || self.iter().any(below)
    }
}

impl FromIterator<Tech> for TechSet {
    fn from_iter<I: IntoIterator<Item = Tech>>(techs: I) -> Self {
        techs.into_iter().fold(Self::NONE, Self::with)
    }
}

impl fmt::Debug for TechSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(techs: impl IntoIterator<Item = Tech>) -> TechSet {
        techs.into_iter().collect()
    }

    #[test]
    fn rule_18_1_every_class_has_three_levels_of_two_titles() {
        for class in Class::ALL {
            for level in 1..=3 {
                let titles = Tech::ALL.map(Tech::title);
                let count = titles
                    .iter()
                    .filter(|title| title.class == class && title.level == level)
                    .count();
                assert_eq!(count, 2, "{class:?} {level}");
            }
        }
        assert!(Tech::ALL.into_iter().enumerate().all(|(index, tech)| tech.index() == index));
        for tech in Tech::ALL {
            assert_eq!(tech.title().code.to_uppercase().parse(), Ok(tech));
            assert_eq!(tech.as_str().parse(), Ok(tech));
        }
    }

    #[test]
    fn rule_18_1_a_level_opens_with_one_title_below_it() {
        assert!(set([]).opens(Tech::Speed4));
        assert!(!set([]).opens(Tech::Speed5));
        assert!(set([Tech::Speed3]).opens(Tech::Speed6));
        assert!(!set([Tech::Speed3]).opens(Tech::Speed7));
        assert!(!set([Tech::Fighter]).opens(Tech::Speed5));
        // BR-5: level 3 needs a technology of level 2 in the same class.
        assert!(!set([Tech::MissileBase, Tech::Fighter]).opens(Tech::PlanetShield));
        assert!(set([Tech::DeathStar]).opens(Tech::PlanetShield));
        assert!(set([Tech::UnlimitedShipRange]).opens(Tech::RoboticIndustry));
    }

    #[test]
    fn rule_18_2_predecessors_make_titles_cheaper() {
        for (owned, tech, cost) in [
            (None, Tech::Speed3, 15),
            (None, Tech::Speed4, 40),
            (Some(Tech::Speed3), Tech::Speed4, 30),
            (Some(Tech::Speed4), Tech::Speed5, 40),
            (Some(Tech::Speed3), Tech::Speed5, 55),
            (Some(Tech::Speed5), Tech::Speed6, 50),
            (Some(Tech::Speed6), Tech::Speed7, 60),
            (Some(Tech::Speed7), Tech::Speed8, 70),
            (Some(Tech::MissileBase), Tech::AdvancedMissileBase, 40),
            (Some(Tech::Fighter), Tech::DeathStar, 75),
            (Some(Tech::DeathStar), Tech::ImprovedShipWeaponry, 100),
            (Some(Tech::DeathStar), Tech::PlanetShield, 130),
            (Some(Tech::IndustrialTechnology), Tech::ImprovedIndustrialTechnology, 40),
            (Some(Tech::IndustrialTechnology), Tech::RoboticIndustry, 85),
            (None, Tech::RoboticIndustry, 100),
            (Some(Tech::Speed4), Tech::UnlimitedShipRange, 60),
            (Some(Tech::Speed5), Tech::UnlimitedShipRange, 40),
            (Some(Tech::Speed8), Tech::UnlimitedShipRange, 40),
            (None, Tech::UnlimitedShipCommunication, 70),
        ] {
            assert_eq!(set(owned).cost(tech), cost, "{owned:?} {tech}");
        }
    }

    #[test]
    fn rule_18_4_the_highest_speed_counts() {
        assert_eq!(TechSet::NONE.speed(), 2);
        assert_eq!(set([Tech::Speed5, Tech::Speed3]).speed(), 5);
    }
}
