//! Rule 1: the 54 stars.

use std::fmt;
use std::str::FromStr;

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

/// A star of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Star {
    pub name: &'static str,
    pub at: Place,
    pub color: StarColor,
}

const fn star(name: &'static str, at: &str, color: StarColor) -> Star {
    Star { name, at: Place::named(at), color }
}

/// The stars, column by column from the left.
pub const STARS: [Star; STAR_COUNT] = [
    star("Sirius", "B11", StarColor::Blue),
    star("Lalande", "B18", StarColor::Red),
    star("Indi", "D4", StarColor::Orange),
    star("Luyten", "D13", StarColor::Red),
    star("Kapetyn", "E7", StarColor::Red),
    star("Ceti", "E17", StarColor::Yellow),
    star("Diphda", "F9", StarColor::Yellow),
    star("Canis", "G5", StarColor::Yellow),
    star("Ophiuchi", "H2", StarColor::Red),
    star("Eridani", "H12", StarColor::Green),
    star("Mira", "H18", StarColor::Red),
    star("Deneb", "I8", StarColor::Blue),
    star("Ross", "I10", StarColor::Red),
    star("Rastaban", "I16", StarColor::Orange),
    star("Pherda", "J15", StarColor::Blue),
    star("Cephei", "L3", StarColor::Red),
    star("Mirfak", "L6", StarColor::Green),
    star("Alphard", "L10", StarColor::Orange),
    star("Lyrae", "L13", StarColor::Yellow),
    star("Alcor", "L18", StarColor::Yellow),
    star("Kochab", "N6", StarColor::Orange),
    star("Capella", "N8", StarColor::Yellow),
    star("Schedar", "O4", StarColor::Yellow),
    star("Lacaille", "O13", StarColor::Red),
    star("Sadir", "O16", StarColor::Green),
    star("Canopus", "P10", StarColor::Green),
    star("Hydrae", "P18", StarColor::Orange),
    star("Mizar", "Q2", StarColor::Blue),
    star("Crucis", "Q8", StarColor::Red),
    star("Draconis", "Q11", StarColor::Yellow),
    star("Zosca", "Q20", StarColor::Blue),
    star("Caph", "R6", StarColor::Green),
    star("Lupi", "R14", StarColor::Orange),
    star("Almach", "S10", StarColor::Orange),
    star("Antares", "T4", StarColor::Red),
    star("Scheat", "T12", StarColor::Red),
    star("Aurigae", "T16", StarColor::Yellow),
    star("Spica", "U8", StarColor::Yellow),
    star("Tauri", "V2", StarColor::Yellow),
    star("Procyon", "V19", StarColor::Green),
    star("Mirach", "W11", StarColor::Red),
    star("Cygni", "W13", StarColor::Yellow),
    star("Arcturus", "X5", StarColor::Orange),
    star("Vega", "X8", StarColor::Blue),
    star("Kruger", "X16", StarColor::Red),
    star("Wolf", "Y3", StarColor::Red),
    star("Altair", "Y14", StarColor::Blue),
    star("Wezen", "AA9", StarColor::Green),
    star("Hamal", "AA15", StarColor::Orange),
    star("Scorpii", "AA19", StarColor::Yellow),
    star("Bootis", "BB5", StarColor::Yellow),
    star("Dubhe", "CC12", StarColor::Yellow),
    star("Barnard", "CC17", StarColor::Red),
    star("Polaris", "EE10", StarColor::Green),
];

/// Other spellings in the sources, each with the name used in this program.
const ALIASES: [(&str, &str); 5] = [
    ("Lacalle", "Lacaille"),
    ("Boots", "Bootis"),
    ("Barnhard", "Barnard"),
    ("Alaphard", "Alphard"),
    ("Kocharb", "Kochab"),
];

const NONE: u8 = u8::MAX;

static STAR_AT: [u8; PLACES] = {
    let mut table = [NONE; PLACES];
    let mut star = 0;
    while star < STAR_COUNT {
        table[STARS[star].at.index()] = star as u8;
        star += 1;
    }
    table
};

/// A star, identified by its index in [`STARS`].
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

    pub const fn in_hex(place: Place) -> Option<Self> {
        match STAR_AT[place.index()] {
            NONE => None,
            star => Some(Self(star)),
        }
    }

    pub(crate) const fn named(name: &str) -> Self {
        let mut star = 0;
        while star < STAR_COUNT {
            if same(STARS[star].name.as_bytes(), name.as_bytes()) {
                return Self(star as u8);
            }
            star += 1;
        }
        panic!("no star has this name");
    }

    const fn star(self) -> &'static Star {
        &STARS[self.0 as usize]
    }

    pub const fn at(self) -> Place {
        self.star().at
    }

    pub const fn as_str(self) -> &'static str {
        self.star().name
    }

    pub const fn color(self) -> StarColor {
        self.star().color
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
    fn rule_1_number_of_stars_of_each_color() {
        let count = |color| STARS.iter().filter(|star| star.color == color).count();
        assert_eq!(StarColor::ALL.map(count), [7, 8, 15, 9, 15]);
    }

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
