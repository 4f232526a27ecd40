//! Rule 1: the 78 star cards and their planets.

use heliopause_kernel::vocabulary;
use heliopause_kernel::wire::Wire;
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::tables::stars::{Colour, PLANETS_MAX, STAR_COUNT, StarId};

/// How many star cards there are.
pub const CARD_COUNT: usize = 78;

vocabulary! {
    /// What a planet is like, the best first.
    #[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    #[wire(words = proto::PlanetType)]
    pub enum PlanetType {
        /// Grows by one in five.
        Terran = "Terran",
        /// Grows by one in ten.
        SubTerran = "Sub-Terran",
        /// Never grows.
        MinimalTerran = "Minimal Terran",
        /// Never grows, and needs Controlled Environment Technology.
        Barren = "Barren",
    }
}

impl PlanetType {
    /// The letters that the rules use.
    pub const fn letters(self) -> &'static str {
        match self {
            Self::Terran => "T",
            Self::SubTerran => "ST",
            Self::MinimalTerran => "MT",
            Self::Barren => "B",
        }
    }
}

/// A planet as its card describes it.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::CardPlanet)]
pub struct Planet {
    /// Its orbit, 1 to 7. Only the Swarms care (fate 5.2).
    pub orbit: u8,
    /// What it is like.
    #[wire(name = r#type)]
    pub kind: PlanetType,
    /// How many millions it holds.
    pub capacity: u16,
    /// Whether its output is doubled (17.3).
    pub mineral_rich: bool,
}

/// A star card.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StarCard {
    /// The colour of its deck.
    pub colour: Colour,
    /// Its planets, by orbit.
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

const fn card(colour: Colour, planets: &'static [Planet]) -> StarCard {
    StarCard { colour, planets }
}

/// The cards, from number 1 on.
pub const STAR_CARDS: [StarCard; CARD_COUNT] = [
    card(Colour::Blue, &[]),
    card(Colour::Blue, &[]),
    card(Colour::Blue, &[rich(barren(3, 10)), sub_terran(4, 20)]),
    card(Colour::Blue, &[sub_terran(5, 20)]),
    card(Colour::Blue, &[minimal(3, 10), rich(barren(5, 10))]),
    card(Colour::Blue, &[rich(barren(4, 10)), minimal(6, 40)]),
    card(Colour::Blue, &[minimal(4, 20), rich(barren(5, 20))]),
    card(Colour::Blue, &[barren(3, 10), rich(minimal(5, 20))]),
    card(Colour::Blue, &[minimal(4, 10), rich(minimal(5, 40))]),
    card(Colour::Blue, &[rich(barren(3, 20))]),
    card(Colour::Blue, &[rich(barren(6, 20)), rich(barren(7, 10))]),
    card(Colour::Green, &[terran(4, 60), minimal(5, 10), barren(6, 20)]),
    card(Colour::Green, &[]),
    card(Colour::Green, &[]),
    card(Colour::Green, &[sub_terran(4, 20), terran(5, 40)]),
    card(Colour::Green, &[rich(barren(3, 10)), terran(4, 60)]),
    card(Colour::Green, &[sub_terran(4, 40), barren(5, 20)]),
    card(Colour::Green, &[rich(barren(4, 10)), sub_terran(5, 60)]),
    card(Colour::Green, &[rich(barren(3, 20))]),
    card(Colour::Green, &[barren(2, 10), rich(sub_terran(3, 40))]),
    card(Colour::Green, &[minimal(3, 20), rich(barren(6, 10))]),
    card(Colour::Green, &[minimal(5, 40)]),
    card(Colour::Green, &[barren(4, 20)]),
    card(Colour::Yellow, &[terran(3, 80), sub_terran(4, 40)]),
    card(Colour::Yellow, &[terran(3, 80)]),
    card(Colour::Yellow, &[terran(5, 60)]),
    card(Colour::Yellow, &[minimal(3, 40), rich(barren(4, 20))]),
    card(Colour::Yellow, &[terran(3, 80)]),
    card(Colour::Yellow, &[terran(3, 60)]),
    card(Colour::Yellow, &[terran(5, 60)]),
    card(Colour::Yellow, &[minimal(2, 40)]),
    card(Colour::Yellow, &[terran(4, 80), barren(5, 10)]),
    card(Colour::Yellow, &[terran(3, 60)]),
    card(Colour::Yellow, &[terran(5, 40)]),
    card(Colour::Yellow, &[barren(3, 20)]),
    card(Colour::Yellow, &[terran(4, 80)]),
    card(Colour::Yellow, &[barren(3, 20), terran(4, 60)]),
    card(Colour::Yellow, &[sub_terran(3, 40), minimal(4, 20)]),
    card(Colour::Yellow, &[minimal(4, 20), terran(5, 60)]),
    card(Colour::Yellow, &[terran(4, 80), barren(5, 10)]),
    card(Colour::Yellow, &[sub_terran(4, 60), rich(barren(5, 10))]),
    card(Colour::Yellow, &[terran(5, 60)]),
    card(Colour::Yellow, &[terran(4, 80)]),
    card(Colour::Orange, &[sub_terran(2, 40), sub_terran(3, 40), barren(5, 10)]),
    card(Colour::Orange, &[terran(2, 60), sub_terran(3, 20)]),
    card(Colour::Orange, &[terran(3, 40), minimal(4, 10)]),
    card(Colour::Orange, &[sub_terran(2, 60), rich(barren(5, 10))]),
    card(Colour::Orange, &[sub_terran(3, 40), rich(minimal(4, 10))]),
    card(Colour::Orange, &[barren(2, 10), sub_terran(3, 40)]),
    card(Colour::Orange, &[minimal(3, 20), barren(5, 20)]),
    card(Colour::Orange, &[]),
    card(Colour::Orange, &[sub_terran(4, 40), barren(5, 10)]),
    card(Colour::Orange, &[sub_terran(4, 40), barren(5, 10)]),
    card(Colour::Orange, &[rich(minimal(4, 20)), barren(6, 20)]),
    card(Colour::Orange, &[]),
    card(Colour::Orange, &[minimal(5, 40), rich(barren(6, 20))]),
    card(Colour::Red, &[terran(3, 40)]),
    card(Colour::Red, &[sub_terran(1, 40)]),
    card(Colour::Red, &[rich(barren(1, 10)), minimal(4, 40)]),
    card(Colour::Red, &[minimal(1, 10), barren(3, 10)]),
    card(Colour::Red, &[sub_terran(2, 20), barren(3, 20)]),
    card(Colour::Red, &[sub_terran(2, 60), barren(4, 20)]),
    card(Colour::Red, &[minimal(1, 20), barren(3, 10)]),
    card(Colour::Red, &[minimal(2, 10), barren(4, 20)]),
    card(Colour::Red, &[sub_terran(3, 40)]),
    card(Colour::Red, &[sub_terran(3, 60)]),
    card(Colour::Red, &[minimal(2, 20)]),
    card(Colour::Red, &[minimal(3, 10)]),
    card(Colour::Red, &[barren(1, 10), sub_terran(4, 40)]),
    card(Colour::Red, &[minimal(1, 40), barren(3, 20)]),
    card(Colour::Red, &[minimal(3, 20), barren(4, 10)]),
    card(Colour::Red, &[barren(2, 10), minimal(4, 10)]),
    card(Colour::Red, &[sub_terran(1, 40)]),
    card(Colour::Red, &[rich(minimal(2, 40))]),
    card(Colour::Red, &[minimal(4, 10), barren(5, 20)]),
    card(Colour::Red, &[]),
    card(Colour::Red, &[sub_terran(2, 40), rich(barren(5, 20))]),
    card(Colour::Red, &[barren(1, 10), minimal(3, 40)]),
];

/// A star card, by its number from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CardId(u8);

impl CardId {
    /// The card with a number from 1.
    pub fn numbered(number: u32) -> Option<Self> {
        let index = usize::try_from(number.checked_sub(1)?).ok()?;
        (index < CARD_COUNT).then_some(Self(index as u8))
    }

    /// The number, from 1.
    pub fn number(self) -> u32 {
        u32::from(self.0) + 1
    }

    /// What stands on it.
    pub const fn card(self) -> &'static StarCard {
        &STAR_CARDS[self.0 as usize]
    }

    /// Its planets, by orbit.
    pub const fn planets(self) -> &'static [Planet] {
        self.card().planets
    }

    /// The cards of a colour, which are its deck before it is shuffled (3.1).
    pub fn deck(colour: Colour) -> impl Iterator<Item = Self> {
        (0..CARD_COUNT as u8).map(Self).filter(move |card| card.card().colour == colour)
    }
}

/// A planet of the board: a star, and the place of the planet on the star's card.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::PlanetRef)]
pub struct PlanetId {
    pub star: StarId,
    /// Which planet of its card, from 0, by orbit; below [`PLANETS_MAX`].
    #[wire(name = number, with = crate::wire::numbers::nth)]
    pub nth: u8,
}

impl PlanetId {
    /// How many there can be, for arrays.
    pub const COUNT: usize = STAR_COUNT * PLANETS_MAX;

    /// The array index, below [`PlanetId::COUNT`].
    pub const fn index(self) -> usize {
        self.star.index() * PLANETS_MAX + self.nth as usize
    }

    /// What the star's card says of it.
    pub fn on(self, card: CardId) -> Option<&'static Planet> {
        card.planets().get(usize::from(self.nth))
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
    fn rule_1_a_deck_holds_more_cards_than_there_are_stars_of_its_colour() {
        assert_eq!(Colour::ALL.map(|colour| CardId::deck(colour).count()), [11, 12, 20, 13, 22]);
        let first = Colour::ALL.map(|colour| CardId::deck(colour).next().unwrap().number());
        assert_eq!(first, [1, 12, 24, 44, 57]);
    }

    #[test]
    fn rule_1_types_and_minerals_are_as_frequent_as_the_page_says() {
        let terran = |colour| {
            CardId::deck(colour)
                .flat_map(CardId::planets)
                .filter(|planet| planet.kind == PlanetType::Terran)
                .count()
        };
        assert_eq!(Colour::ALL.map(terran), [0, 3, 15, 2, 1]);
        let rich = |colour| {
            CardId::deck(colour)
                .flat_map(CardId::planets)
                .filter(|planet| planet.mineral_rich)
                .count()
        };
        assert_eq!((rich(Colour::Blue), Colour::ALL.map(rich).iter().sum::<usize>()), (9, 23));
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
    fn rule_1_the_cards_that_situations_name() {
        let planets = |number| CardId::numbered(number).unwrap().planets();
        assert_eq!(planets(24), [terran(3, 80), sub_terran(4, 40)]);
        assert_eq!(planets(39), [minimal(4, 20), terran(5, 60)]);
        assert_eq!(planets(11), [rich(barren(6, 20)), rich(barren(7, 10))]);
        assert_eq!(CardId::numbered(0), None);
        assert_eq!(CardId::numbered(79), None);
    }
}
