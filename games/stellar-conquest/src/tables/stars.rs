//! Rule 1: the 54 stars.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use heliopause_kernel::vocabulary;
use heliopause_kernel::wire::Wire;

use crate::tables::board::{PLACES, Place};

/// Number of stars.
pub const STAR_COUNT: usize = 54;

vocabulary! {
    /// The colors of stars and of their cards, in the order of card numbers.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum StarColor {
        Blue = "blue",
        Green = "green",
        Yellow = "yellow",
        Orange = "orange",
        Red = "red",
    }
}

struct Star {
    name: &'static str,
    at: Place,
    color: StarColor,
}

impl Star {
    fn read(line: &'static str) -> Self {
        let mut words = line.split(' ');
        let mut word = || words.next().expect("a name, a hex and a color");
        let (name, at, color) = (word(), word(), word());
        Self { name, at: Place::named(at), color: color.parse().expect("a color of stars") }
    }
}

/// The stars, column by column from the left.
static STARS: LazyLock<Vec<Star>> =
    LazyLock::new(|| include_str!("stars.txt").lines().map(Star::read).collect());

/// Other spellings in the sources, each with the name used in this program.
const ALIASES: [(&str, &str); 5] = [
    ("Lacalle", "Lacaille"),
    ("Boots", "Bootis"),
    ("Barnhard", "Barnard"),
    ("Alaphard", "Alphard"),
    ("Kocharb", "Kochab"),
];

/// A star, identified by its index, column by column from the left.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[wire(text)]
pub struct StarId(u8);

impl StarId {
    pub fn of_index(index: usize) -> Option<Self> {
        (index < STAR_COUNT).then_some(Self(index as u8))
    }

    pub const fn index(self) -> usize {
        self.0 as usize
    }

    pub const ALL: [Self; STAR_COUNT] = {
        let mut all = [Self(0); STAR_COUNT];
        let mut index = 0;
        while index < STAR_COUNT {
            all[index] = Self(index as u8);
            index += 1;
        }
        all
    };

    pub fn in_hex(place: Place) -> Option<Self> {
        STAR_IN_HEX[place.index()]
    }

    #[cfg(test)]
    pub(crate) fn named(name: &str) -> Self {
        name.parse().expect("a star")
    }

    fn star(self) -> &'static Star {
        &STARS[self.index()]
    }

    pub fn at(self) -> Place {
        self.star().at
    }

    pub fn as_str(self) -> &'static str {
        self.star().name
    }

    pub fn color(self) -> StarColor {
        self.star().color
    }
}

static STAR_IN_HEX: LazyLock<[Option<StarId>; PLACES]> = LazyLock::new(|| {
    let mut table = [None; PLACES];
    for star in StarId::ALL {
        table[star.at().index()] = Some(star);
    }
    table
});

impl Place {
    /// Returns the name of the star in the hex, or of the hex if it has no star.
    pub(crate) fn name(self) -> String {
        StarId::in_hex(self).map_or_else(|| self.to_string(), |star| star.to_string())
    }
}

impl fmt::Display for StarId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for StarId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The error for a string that does not name a star.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoSuchStar;

impl fmt::Display for NoSuchStar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no star has that name")
    }
}

impl std::error::Error for NoSuchStar {}

impl FromStr for StarId {
    type Err = NoSuchStar;

    fn from_str(text: &str) -> Result<Self, NoSuchStar> {
        let alias = ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(text));
        let name = alias.map_or(text, |&(_, name)| name);
        Self::ALL
            .into_iter()
            .find(|star| star.as_str().eq_ignore_ascii_case(name))
            .ok_or(NoSuchStar)
    }
}

/// Maximum number of planets of a star.
pub const PLANETS_MAX: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_1_names_round_trip_in_every_spelling() {
        for star in StarId::ALL {
            assert_eq!(star.as_str().parse(), Ok(star));
            assert_eq!(star.as_str().to_lowercase().parse(), Ok(star));
            assert_eq!(StarId::in_hex(star.at()), Some(star));
        }
        for (alias, name) in ALIASES {
            assert_eq!(alias.parse(), Ok(StarId::named(name)));
        }
        assert_eq!("Sol".parse::<StarId>(), Err(NoSuchStar));
        assert_eq!(
            Place::all().filter(|&place| StarId::in_hex(place).is_some()).count(),
            STAR_COUNT
        );
    }

    #[test]
    fn rule_2_6_only_two_pairs_of_stars_touch() {
        let pairs = StarId::ALL
            .into_iter()
            .flat_map(|one| StarId::ALL.into_iter().map(move |other| (one, other)));
        let touching =
            pairs.filter(|(one, other)| one < other && one.at().distance(other.at()) == 1);
        let names: Vec<_> = touching.map(|(one, other)| (one.as_str(), other.as_str())).collect();
        assert_eq!(names, [("Rastaban", "Pherda"), ("Canopus", "Draconis")]);
    }

    #[test]
    fn rule_2_5_distances_of_stars() {
        let steps = |one, other| StarId::named(one).at().distance(StarId::named(other).at());
        for (one, other, distance) in [
            ("Hydrae", "Sadir", 3),
            ("Hydrae", "Aurigae", 4),
            ("Hydrae", "Alcor", 4),
            ("Hydrae", "Lupi", 5),
            ("Lupi", "Aurigae", 3),
            ("Lupi", "Scheat", 3),
            ("Lupi", "Lacaille", 3),
            ("Lupi", "Sadir", 3),
            ("Lupi", "Draconis", 4),
            ("Draconis", "Scheat", 3),
            ("Draconis", "Lacaille", 3),
            ("Draconis", "Canopus", 1),
            ("Draconis", "Almach", 2),
        ] {
            assert_eq!(steps(one, other), distance, "{one} {other}");
        }
    }
}
