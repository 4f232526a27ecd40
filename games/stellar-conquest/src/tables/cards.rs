//! Rule 1: the 78 star cards and their planets.

use std::fmt;
use std::sync::LazyLock;

use heliopause_kernel::vocabulary;
use heliopause_kernel::wire::Wire;
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::tables::rulebook::number;
use crate::tables::stars::{PLANETS_MAX, STAR_COUNT, StarColor, StarId};

/// Number of star cards.
pub const CARD_COUNT: usize = 78;

vocabulary! {
    /// The types of planets, best first.
    #[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    #[wire(words = proto::PlanetType)]
    pub enum PlanetType {
        /// The population grows by one in five.
        Terran = "Terran",
        /// The population grows by one in ten.
        SubTerran = "Sub-Terran",
        /// The population grows only with the option of fractional growth (space 1.3).
        MinimalTerran = "Minimal Terran",
        /// The population never grows. Settlers need Controlled Environment Technology.
        Barren = "Barren",
    }
}

impl PlanetType {
    pub const fn letters(self) -> &'static str {
        match self {
            Self::Terran => "T",
            Self::SubTerran => "ST",
            Self::MinimalTerran => "MT",
            Self::Barren => "B",
        }
    }
}

/// A planet as described on its card.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::CardPlanet)]
pub struct Planet {
    /// The orbit, 1 to 7. Used only for Swarms (fate 5.2).
    pub orbit: u8,
    #[wire(name = r#type)]
    pub kind: PlanetType,
    /// Capacity in millions.
    pub capacity: u16,
    /// Whether the planet's output is doubled (rule 17.3).
    pub mineral_rich: bool,
}

impl Planet {
    /// Reads a planet such as `ST4:20*`: its type, orbit and capacity, and `*` if it is rich.
    fn read(word: &str) -> Self {
        let (kind, numbers) = word.split_at(word.find(char::is_numeric).expect("an orbit"));
        let (orbit, capacity) = numbers.split_once(':').expect("a capacity");
        let is_kind = |own: &PlanetType| own.letters() == kind;
        Self {
            orbit: number(orbit),
            kind: PlanetType::ALL.into_iter().find(is_kind).expect("a type of planets"),
            capacity: number(capacity.trim_end_matches('*')),
            mineral_rich: capacity.ends_with('*'),
        }
    }
}

/// A star card with its planets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StarCard {
    pub color: StarColor,
    pub planets: Vec<Planet>,
}

impl StarCard {
    fn read(line: &str) -> Self {
        let (color, planets) = line.split_once(' ').unwrap_or((line, ""));
        Self {
            color: color.parse().expect("a color of stars"),
            planets: planets.split_whitespace().map(Planet::read).collect(),
        }
    }
}

/// The cards, starting with number 1.
static STAR_CARDS: LazyLock<Vec<StarCard>> =
    LazyLock::new(|| include_str!("cards.txt").lines().map(StarCard::read).collect());

/// A star card, identified by its number from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CardId(u8);

impl CardId {
    pub fn numbered(number: u32) -> Option<Self> {
        let index = usize::try_from(number.checked_sub(1)?).ok()?;
        (index < CARD_COUNT).then_some(Self(index as u8))
    }

    pub fn number(self) -> u32 {
        u32::from(self.0) + 1
    }

    pub fn card(self) -> &'static StarCard {
        &STAR_CARDS[self.0 as usize]
    }

    pub fn planets(self) -> &'static [Planet] {
        &self.card().planets
    }

    pub fn deck(color: StarColor) -> impl Iterator<Item = Self> {
        (0..CARD_COUNT as u8).map(Self).filter(move |card| card.card().color == color)
    }
}

/// A planet: a star, and the position of the planet on the star's card.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::PlanetRef)]
pub struct PlanetId {
    pub star: StarId,
    /// The position on the card, from 0, by orbit. Less than [`PLANETS_MAX`].
    #[wire(name = number, with = crate::tables::numbers::nth)]
    pub nth: u8,
}

impl PlanetId {
    /// Exclusive upper bound on [`PlanetId::index`], for arrays.
    pub const COUNT: usize = STAR_COUNT * PLANETS_MAX;

    pub const fn index(self) -> usize {
        self.star.index() * PLANETS_MAX + self.nth as usize
    }

    pub fn on(self, card: CardId) -> Option<&'static Planet> {
        card.planets().get(usize::from(self.nth))
    }
}

impl fmt::Display for PlanetId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "planet {} of {}", self.nth + 1, self.star)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_1_there_are_119_planets_on_78_cards() {
        assert_eq!(STAR_CARDS.iter().map(|card| card.planets.len()).sum::<usize>(), 119);
        let bare = |number: &u32| CardId::numbered(*number).unwrap().planets().is_empty();
        assert_eq!((1..=78).filter(bare).collect::<Vec<_>>(), [1, 2, 13, 14, 51, 55, 76]);
        assert!(STAR_CARDS.iter().all(|card| card.planets.len() <= PLANETS_MAX));
        let by_orbit =
            |card: &StarCard| card.planets.windows(2).all(|pair| pair[0].orbit < pair[1].orbit);
        assert!(STAR_CARDS.iter().all(by_orbit));
    }

    #[test]
    fn rule_1_a_deck_holds_more_cards_than_there_are_stars_of_its_color() {
        assert_eq!(StarColor::ALL.map(|color| CardId::deck(color).count()), [11, 12, 20, 13, 22]);
        let first = StarColor::ALL.map(|color| CardId::deck(color).next().unwrap().number());
        assert_eq!(first, [1, 12, 24, 44, 57]);
    }

    #[test]
    fn rule_1_each_type_has_the_stated_range_of_capacities() {
        let range = |kind| {
            let mut all: Vec<u16> = STAR_CARDS
                .iter()
                .flat_map(|card| &card.planets)
                .filter(|planet| planet.kind == kind)
                .map(|planet| planet.capacity)
                .collect();
            all.sort_unstable();
            (all[0], all[all.len() - 1])
        };
        assert_eq!(PlanetType::ALL.map(range), [(40, 80), (20, 60), (10, 40), (10, 20)]);
    }

    #[test]
    fn rule_1_cards_used_in_situations() {
        let planets = |number| CardId::numbered(number).unwrap().planets();
        let planet =
            |orbit, kind, capacity, mineral_rich| Planet { orbit, kind, capacity, mineral_rich };
        let terran = planet(3, PlanetType::Terran, 80, false);
        assert_eq!(planets(24), [terran, planet(4, PlanetType::SubTerran, 40, false)]);
        let rich = |orbit, capacity| planet(orbit, PlanetType::Barren, capacity, true);
        assert_eq!(planets(11), [rich(6, 20), rich(7, 10)]);
        assert_eq!(CardId::numbered(0), None);
        assert_eq!(CardId::numbered(79), None);
    }
}
