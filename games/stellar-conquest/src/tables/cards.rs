//! Rule 1: the 78 star cards and their planets.

use std::fmt;

use heliopause_kernel::vocabulary;
use heliopause_kernel::wire::Wire;
use heliopause_proto::stellar_conquest::v1 as proto;

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

/// A star card with its planets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StarCard {
    pub color: StarColor,
    pub planets: &'static [Planet],
}

const fn terran(orbit: u8, capacity: u16) -> Planet {
    Planet { orbit, kind: PlanetType::Terran, capacity, mineral_rich: false }
}

const fn sub_terran(orbit: u8, capacity: u16) -> Planet {
    Planet { orbit, kind: PlanetType::SubTerran, capacity, mineral_rich: false }
}

const fn minimal(orbit: u8, capacity: u16) -> Planet {
    Planet { orbit, kind: PlanetType::MinimalTerran, capacity, mineral_rich: false }
}

const fn barren(orbit: u8, capacity: u16) -> Planet {
    Planet { orbit, kind: PlanetType::Barren, capacity, mineral_rich: false }
}

const fn rich(planet: Planet) -> Planet {
    Planet { mineral_rich: true, ..planet }
}

const fn card(color: StarColor, planets: &'static [Planet]) -> StarCard {
    StarCard { color, planets }
}

/// The cards, starting with number 1.
pub const STAR_CARDS: [StarCard; CARD_COUNT] = [
    card(StarColor::Blue, &[]),
    card(StarColor::Blue, &[]),
    card(StarColor::Blue, &[rich(barren(3, 10)), sub_terran(4, 20)]),
    card(StarColor::Blue, &[sub_terran(5, 20)]),
    card(StarColor::Blue, &[minimal(3, 10), rich(barren(5, 10))]),
    card(StarColor::Blue, &[rich(barren(4, 10)), minimal(6, 40)]),
    card(StarColor::Blue, &[minimal(4, 20), rich(barren(5, 20))]),
    card(StarColor::Blue, &[barren(3, 10), rich(minimal(5, 20))]),
    card(StarColor::Blue, &[minimal(4, 10), rich(minimal(5, 40))]),
    card(StarColor::Blue, &[rich(barren(3, 20))]),
    card(StarColor::Blue, &[rich(barren(6, 20)), rich(barren(7, 10))]),
    card(StarColor::Green, &[terran(4, 60), minimal(5, 10), barren(6, 20)]),
    card(StarColor::Green, &[]),
    card(StarColor::Green, &[]),
    card(StarColor::Green, &[sub_terran(4, 20), terran(5, 40)]),
    card(StarColor::Green, &[rich(barren(3, 10)), terran(4, 60)]),
    card(StarColor::Green, &[sub_terran(4, 40), barren(5, 20)]),
    card(StarColor::Green, &[rich(barren(4, 10)), sub_terran(5, 60)]),
    card(StarColor::Green, &[rich(barren(3, 20))]),
    card(StarColor::Green, &[barren(2, 10), rich(sub_terran(3, 40))]),
    card(StarColor::Green, &[minimal(3, 20), rich(barren(6, 10))]),
    card(StarColor::Green, &[minimal(5, 40)]),
    card(StarColor::Green, &[barren(4, 20)]),
    card(StarColor::Yellow, &[terran(3, 80), sub_terran(4, 40)]),
    card(StarColor::Yellow, &[terran(3, 80)]),
    card(StarColor::Yellow, &[terran(5, 60)]),
    card(StarColor::Yellow, &[minimal(3, 40), rich(barren(4, 20))]),
    card(StarColor::Yellow, &[terran(3, 80)]),
    card(StarColor::Yellow, &[terran(3, 60)]),
    card(StarColor::Yellow, &[terran(5, 60)]),
    card(StarColor::Yellow, &[minimal(2, 40)]),
    card(StarColor::Yellow, &[terran(4, 80), barren(5, 10)]),
    card(StarColor::Yellow, &[terran(3, 60)]),
    card(StarColor::Yellow, &[terran(5, 40)]),
    card(StarColor::Yellow, &[barren(3, 20)]),
    card(StarColor::Yellow, &[terran(4, 80)]),
    card(StarColor::Yellow, &[barren(3, 20), terran(4, 60)]),
    card(StarColor::Yellow, &[sub_terran(3, 40), minimal(4, 20)]),
    card(StarColor::Yellow, &[minimal(4, 20), terran(5, 60)]),
    card(StarColor::Yellow, &[terran(4, 80), barren(5, 10)]),
    card(StarColor::Yellow, &[sub_terran(4, 60), rich(barren(5, 10))]),
    card(StarColor::Yellow, &[terran(5, 60)]),
    card(StarColor::Yellow, &[terran(4, 80)]),
    card(StarColor::Orange, &[sub_terran(2, 40), sub_terran(3, 40), barren(5, 10)]),
    card(StarColor::Orange, &[terran(2, 60), sub_terran(3, 20)]),
    card(StarColor::Orange, &[terran(3, 40), minimal(4, 10)]),
    card(StarColor::Orange, &[sub_terran(2, 60), rich(barren(5, 10))]),
    card(StarColor::Orange, &[sub_terran(3, 40), rich(minimal(4, 10))]),
    card(StarColor::Orange, &[barren(2, 10), sub_terran(3, 40)]),
    card(StarColor::Orange, &[minimal(3, 20), barren(5, 20)]),
    card(StarColor::Orange, &[]),
    card(StarColor::Orange, &[sub_terran(4, 40), barren(5, 10)]),
    card(StarColor::Orange, &[sub_terran(4, 40), barren(5, 10)]),
    card(StarColor::Orange, &[rich(minimal(4, 20)), barren(6, 20)]),
    card(StarColor::Orange, &[]),
    card(StarColor::Orange, &[minimal(5, 40), rich(barren(6, 20))]),
    card(StarColor::Red, &[terran(3, 40)]),
    card(StarColor::Red, &[sub_terran(1, 40)]),
    card(StarColor::Red, &[rich(barren(1, 10)), minimal(4, 40)]),
    card(StarColor::Red, &[minimal(1, 10), barren(3, 10)]),
    card(StarColor::Red, &[sub_terran(2, 20), barren(3, 20)]),
    card(StarColor::Red, &[sub_terran(2, 60), barren(4, 20)]),
    card(StarColor::Red, &[minimal(1, 20), barren(3, 10)]),
    card(StarColor::Red, &[minimal(2, 10), barren(4, 20)]),
    card(StarColor::Red, &[sub_terran(3, 40)]),
    card(StarColor::Red, &[sub_terran(3, 60)]),
    card(StarColor::Red, &[minimal(2, 20)]),
    card(StarColor::Red, &[minimal(3, 10)]),
    card(StarColor::Red, &[barren(1, 10), sub_terran(4, 40)]),
    card(StarColor::Red, &[minimal(1, 40), barren(3, 20)]),
    card(StarColor::Red, &[minimal(3, 20), barren(4, 10)]),
    card(StarColor::Red, &[barren(2, 10), minimal(4, 10)]),
    card(StarColor::Red, &[sub_terran(1, 40)]),
    card(StarColor::Red, &[rich(minimal(2, 40))]),
    card(StarColor::Red, &[minimal(4, 10), barren(5, 20)]),
    card(StarColor::Red, &[]),
    card(StarColor::Red, &[sub_terran(2, 40), rich(barren(5, 20))]),
    card(StarColor::Red, &[barren(1, 10), minimal(3, 40)]),
];

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

    pub const fn card(self) -> &'static StarCard {
        &STAR_CARDS[self.0 as usize]
    }

    pub const fn planets(self) -> &'static [Planet] {
        self.card().planets
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
    fn rule_1_types_and_minerals_have_the_stated_frequencies() {
        let terran = |color| {
            CardId::deck(color)
                .flat_map(CardId::planets)
                .filter(|planet| planet.kind == PlanetType::Terran)
                .count()
        };
        assert_eq!(StarColor::ALL.map(terran), [0, 3, 15, 2, 1]);
        let rich = |color| {
            CardId::deck(color)
                .flat_map(CardId::planets)
                .filter(|planet| planet.mineral_rich)
                .count()
        };
        assert_eq!(
            (rich(StarColor::Blue), StarColor::ALL.map(rich).iter().sum::<usize>()),
            (9, 23)
        );
        let range = |kind| {
            let mut all: Vec<u16> = STAR_CARDS
                .iter()
                .flat_map(|card| card.planets)
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
        assert_eq!(planets(24), [terran(3, 80), sub_terran(4, 40)]);
        assert_eq!(planets(39), [minimal(4, 20), terran(5, 60)]);
        assert_eq!(planets(11), [rich(barren(6, 20)), rich(barren(7, 10))]);
        assert_eq!(CardId::numbered(0), None);
        assert_eq!(CardId::numbered(79), None);
    }
}
