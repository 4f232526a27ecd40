//! Rule 1: the 54 stars.

use std::fmt;
use std::str::FromStr;

use heliopause_kernel::vocabulary;
use heliopause_kernel::wire::Wire;

use crate::tables::board::{PLACES, Place};

/// How many stars there are.
pub const STAR_COUNT: usize = 54;

vocabulary! {
    /// The colour of a star and of its cards, in the order of the card numbers.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Colour {
        /// Few planets, many minerals.
        Blue = "blue",
        /// Planets of every type.
        Green = "green",
        /// Terran planets.
        Yellow = "yellow",
        /// Sub-terran planets, mostly.
        Orange = "orange",
        /// Poor planets, mostly.
        Red = "red",
    }
}

/// A star of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Star {
    pub name: &'static str,
    /// Its hex.
    pub at: Place,
    pub colour: Colour,
}

const fn star(name: &'static str, at: &str, colour: Colour) -> Star {
    Star { name, at: Place::named(at), colour }
}

/// The stars, column by column from the left.
pub const STARS: [Star; STAR_COUNT] = [
    star("Sirius", "B11", Colour::Blue),
    star("Lalande", "B18", Colour::Red),
    star("Indi", "D4", Colour::Orange),
    star("Luyten", "D13", Colour::Red),
    star("Kapetyn", "E7", Colour::Red),
    star("Ceti", "E17", Colour::Yellow),
    star("Diphda", "F9", Colour::Yellow),
    star("Canis", "G5", Colour::Yellow),
    star("Ophiuchi", "H2", Colour::Red),
    star("Eridani", "H12", Colour::Green),
    star("Mira", "H18", Colour::Red),
    star("Deneb", "I8", Colour::Blue),
    star("Ross", "I10", Colour::Red),
    star("Rastaban", "I16", Colour::Orange),
    star("Pherda", "J15", Colour::Blue),
    star("Cephei", "L3", Colour::Red),
    star("Mirfak", "L6", Colour::Green),
    star("Alphard", "L10", Colour::Orange),
    star("Lyrae", "L13", Colour::Yellow),
    star("Alcor", "L18", Colour::Yellow),
    star("Kochab", "N6", Colour::Orange),
    star("Capella", "N8", Colour::Yellow),
    star("Schedar", "O4", Colour::Yellow),
    star("Lacaille", "O13", Colour::Red),
    star("Sadir", "O16", Colour::Green),
    star("Canopus", "P10", Colour::Green),
    star("Hydrae", "P18", Colour::Orange),
    star("Mizar", "Q2", Colour::Blue),
    star("Crucis", "Q8", Colour::Red),
    star("Draconis", "Q11", Colour::Yellow),
    star("Zosca", "Q20", Colour::Blue),
    star("Caph", "R6", Colour::Green),
    star("Lupi", "R14", Colour::Orange),
    star("Almach", "S10", Colour::Orange),
    star("Antares", "T4", Colour::Red),
    star("Scheat", "T12", Colour::Red),
    star("Aurigae", "T16", Colour::Yellow),
    star("Spica", "U8", Colour::Yellow),
    star("Tauri", "V2", Colour::Yellow),
    star("Procyon", "V19", Colour::Green),
    star("Mirach", "W11", Colour::Red),
    star("Cygni", "W13", Colour::Yellow),
    star("Arcturus", "X5", Colour::Orange),
    star("Vega", "X8", Colour::Blue),
    star("Kruger", "X16", Colour::Red),
    star("Wolf", "Y3", Colour::Red),
    star("Altair", "Y14", Colour::Blue),
    star("Wezen", "AA9", Colour::Green),
    star("Hamal", "AA15", Colour::Orange),
    star("Scorpii", "AA19", Colour::Yellow),
    star("Bootis", "BB5", Colour::Yellow),
    star("Dubhe", "CC12", Colour::Yellow),
    star("Barnard", "CC17", Colour::Red),
    star("Polaris", "EE10", Colour::Green),
];

/// Other spellings in the sources, and the star that each means.
const ALIASES: [(&str, &str); 5] = [
    ("Lacalle", "Lacaille"),
    ("Boots", "Bootis"),
    ("Barnhard", "Barnard"),
    ("Alaphard", "Alphard"),
    ("Kocharb", "Kochab"),
];

/// No star, in the table of hexes.
const NONE: u8 = u8::MAX;

/// The star in every hex, so that looking one up is no search.
static STAR_AT: [u8; PLACES] = {
    let mut table = [NONE; PLACES];
    let mut star = 0;
    while star < STAR_COUNT {
        table[STARS[star].at.index()] = star as u8;
        star += 1;
    }
    table
};

/// A star, by its place in [`STARS`].
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[wire(text)]
pub struct StarId(u8);

impl StarId {
    /// The star with an array index.
    pub fn of_index(index: usize) -> Option<Self> {
        (index < STAR_COUNT).then_some(Self(index as u8))
    }

    /// The array index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Every star, in the order of [`STARS`].
    pub const ALL: [Self; STAR_COUNT] = {
        let mut all = [Self(0); STAR_COUNT];
        let mut index = 0;
        while index < STAR_COUNT {
            all[index] = Self(index as u8);
            index += 1;
        }
        all
    };

    /// The star in a hex.
    pub const fn in_hex(place: Place) -> Option<Self> {
        match STAR_AT[place.index()] {
            NONE => None,
            star => Some(Self(star)),
        }
    }

    /// The star with a canonical name, for tables that are constants.
    pub(crate) const fn named(name: &str) -> Self {
        let mut star = 0;
        while star < STAR_COUNT {
            if same(STARS[star].name.as_bytes(), name.as_bytes()) {
                return Self(star as u8);
            }
            star += 1;
        }
        panic!("there is such a star");
    }

    /// What stands on the board.
    const fn star(self) -> &'static Star {
        &STARS[self.0 as usize]
    }

    /// Its hex.
    pub const fn at(self) -> Place {
        self.star().at
    }

    /// Its name.
    pub const fn as_str(self) -> &'static str {
        self.star().name
    }

    /// Its colour.
    pub const fn colour(self) -> Colour {
        self.star().colour
    }
}

const fn same(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let mut at = 0;
    while at < one.len() {
        if one[at] != other[at] {
            return false;
        }
        at += 1;
    }
    true
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

/// A text that names no star.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoSuchStar;

impl fmt::Display for NoSuchStar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there is no star of that name")
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

/// The most planets of a star.
pub const PLANETS_MAX: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_1_there_are_so_many_of_each_colour() {
        let count = |colour| STARS.iter().filter(|star| star.colour == colour).count();
        assert_eq!(Colour::ALL.map(count), [7, 8, 15, 9, 15]);
    }

    #[test]
    fn rule_1_names_read_back_in_every_spelling() {
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
