//! The public position on the board: units on the map and in orbit, centers and colonies.

use std::fmt;
use std::str::FromStr;

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{NoSuchWord, Seat, vocabulary};
use heliopause_proto::diplomacy::v1 as proto;

use crate::board::{Node, PROVINCES, Province, Provinces, Terrain};

#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[wire(words = proto::Variant)]
pub enum Variant {
    #[default]
    #[wire(absent)]
    Standard,
    OuterSpace,
}

/// The capacity of a spacecraft, in armies (2).
pub const SPACECRAFT: u8 = 3;

vocabulary! {
    #[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    #[wire(words = proto::UnitKind)]
    pub enum Kind in any case {
        Army = "A",
        Fleet = "F",
    }
}

impl Kind {
    /// Returns whether a unit of this kind can be at a node (D1). An army must be on land, without
    /// a coast. A fleet must be at sea or on a coast, which is given if the province has two.
    pub fn can_stand(self, at: Node) -> bool {
        match self {
            Self::Army => at.province().is_land() && at.coast().is_none(),
            Self::Fleet => {
                at.province().terrain() != Terrain::Inland
                    && at.province().has_two_coasts() == at.coast().is_some()
            }
        }
    }
}

/// The reason why [`Kind::can_stand`] is `false`, as the rest of a sentence about a unit.
pub(crate) const IMPOSSIBLE_UNIT: &str = "is not possible: an army must be on land, without a \
    coast, and a fleet at sea or on a coast, which must be given if the province has two";

/// A unit on the map.
///
/// ```
/// use heliopause_diplomacy::Unit;
/// use heliopause_kernel::Seat;
///
/// let fleet = Unit::read(Seat::at(0), "F Spa/sc").unwrap();
/// assert_eq!(fleet.to_string(), "F Spa/sc");
/// assert_eq!(Unit::read(Seat::at(0), "F Par"), None, "a fleet cannot be inland");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Unit {
    pub owner: Seat,
    pub kind: Kind,
    pub at: Node,
}

impl Unit {
    /// Parses a unit such as `A Par` or `F Spa/nc`. Returns `None` for any other text, and for an
    /// impossible unit.
    pub fn read(owner: Seat, text: &str) -> Option<Self> {
        let (kind, at) = text.split_once(' ')?;
        let (kind, at) = (kind.parse::<Kind>().ok()?, at.parse::<Node>().ok()?);
        kind.can_stand(at).then_some(Self { owner, kind, at })
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind.as_str(), self.at)
    }
}

/// The abbreviation of a power or empire in orders: a letter and two letters or digits (R20).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(text)]
pub struct Code([u8; 3]);

impl FromStr for Code {
    type Err = NoSuchWord;

    fn from_str(text: &str) -> Result<Self, NoSuchWord> {
        let good = |bytes: &[u8; 3]| {
            bytes[0].is_ascii_alphabetic() && bytes.iter().all(u8::is_ascii_alphanumeric)
        };
        let bytes = <[u8; 3]>::try_from(text.as_bytes()).ok().filter(good);
        bytes
            .map(|bytes| Self(bytes.map(|byte| byte.to_ascii_uppercase())))
            .ok_or(NoSuchWord::Like("the code of an empire, such as VEL"))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|&byte| write!(f, "{}", char::from(byte)))
    }
}

/// The code of a power or empire, and the number of its armies in orbit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Power {
    pub code: Code,
    /// The number of armies in the spacecraft, at most [`SPACECRAFT`]. 0 in the standard game.
    pub orbit: u8,
}

/// The position on the board.
///
/// ```
/// use heliopause_diplomacy::{Position, Unit, Variant};
/// use heliopause_kernel::Seat;
///
/// let france = Seat::at(0);
/// let mut position = Position::empty(Variant::Standard, ["FRA".parse().unwrap()]);
/// position.put(Unit::read(france, "A Par").unwrap());
/// assert_eq!(position.power_called("fra".parse().unwrap()), Some(france));
/// assert_eq!(position.strength(france), 1);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    pub variant: Variant,
    pub powers: Vec<Power>,
    pub centers: [Option<Seat>; PROVINCES],
    pub colonies: [Option<Seat>; PROVINCES],
    units: [Option<Unit>; PROVINCES],
}

impl Position {
    pub fn empty(variant: Variant, codes: impl IntoIterator<Item = Code>) -> Self {
        Self {
            variant,
            powers: codes.into_iter().map(|code| Power { code, orbit: 0 }).collect(),
            centers: [None; PROVINCES],
            colonies: [None; PROVINCES],
            units: [None; PROVINCES],
        }
    }

    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        Seat::first(self.powers.len())
    }

    pub fn power_called(&self, code: Code) -> Option<Seat> {
        self.powers.iter().position(|power| power.code == code).map(Seat::at)
    }

    pub fn unit(&self, at: Province) -> Option<Unit> {
        self.units[at.index()]
    }

    pub fn units(&self) -> impl Iterator<Item = Unit> {
        self.units.iter().copied().flatten()
    }

    pub fn units_of(&self, seat: Seat) -> impl Iterator<Item = Unit> {
        self.units().filter(move |unit| unit.owner == seat)
    }

    pub fn occupied(&self) -> Provinces {
        self.units().map(|unit| unit.at.province()).collect()
    }

    /// Places a unit in an empty province.
    pub fn put(&mut self, unit: Unit) {
        let place = &mut self.units[unit.at.province().index()];
        assert!(
            place.is_none() && unit.kind.can_stand(unit.at),
            "{unit} must be in an empty province"
        );
        *place = Some(unit);
    }

    pub(crate) fn set(&mut self, unit: Unit) {
        self.units[unit.at.province().index()] = Some(unit);
    }

    pub fn take(&mut self, from: Province) -> Option<Unit> {
        self.units[from.index()].take()
    }

    pub fn orbit(&self, seat: Seat) -> u8 {
        self.powers.get(seat.index()).map_or(0, |power| power.orbit)
    }

    pub fn orbit_mut(&mut self, seat: Seat) -> &mut u8 {
        &mut self.powers[seat.index()].orbit
    }

    /// Counts a power's units, including armies in orbit (R14).
    pub fn strength(&self, seat: Seat) -> usize {
        self.units_of(seat).count() + usize::from(self.orbit(seat))
    }

    pub fn centers_of(&self, seat: Seat) -> Provinces {
        Province::ALL
            .into_iter()
            .filter(|province| self.centers[province.index()] == Some(seat))
            .collect()
    }

    pub fn colonies_of(&self, seat: Seat) -> Provinces {
        Province::ALL
            .into_iter()
            .filter(|province| self.colonies[province.index()] == Some(seat))
            .collect()
    }

    /// Returns whether a power has neither a unit nor a center (D8, R16).
    pub fn is_eliminated(&self, seat: Seat) -> bool {
        self.strength(seat) == 0 && self.centers_of(seat).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d1_units_are_placed_on_valid_terrain() {
        let can = |kind: Kind, at: &str| kind.can_stand(at.parse::<Node>().unwrap());
        assert!(can(Kind::Army, "Par") && can(Kind::Army, "Spa") && !can(Kind::Army, "NTH"));
        assert!(!can(Kind::Army, "Spa/nc"), "an army has no coast");
        assert!(can(Kind::Fleet, "NTH") && can(Kind::Fleet, "Bre") && !can(Kind::Fleet, "Par"));
        assert!(
            can(Kind::Fleet, "Spa/nc") && !can(Kind::Fleet, "Spa"),
            "a fleet stands on exactly one coast"
        );
    }

    #[test]
    fn r20_codes_are_a_letter_and_two_letters_or_digits() {
        assert_eq!("zor".parse::<Code>().unwrap().to_string(), "ZOR");
        assert_eq!("E13".parse::<Code>().unwrap().to_string(), "E13");
        assert!(
            ["13E", "ZO", "ZORG", "Z R", "Zö"].iter().all(|text| text.parse::<Code>().is_err())
        );
    }
}
