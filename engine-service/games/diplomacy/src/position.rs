//! What stands on the map and in orbit, and whom the centers and colonies belong to. All of it is
//! public.

use std::fmt;
use std::str::FromStr;

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{NoSuchWord, Seat, vocabulary};
use heliopause_proto::diplomacy::v1 as proto;

use crate::board::{Node, PROVINCES, Province, Provinces, Terrain};

/// Which of the two games is played.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[wire(words = proto::Variant)]
pub enum Variant {
    /// The standard game of seven powers.
    #[default]
    #[wire(absent)]
    Standard,
    /// "...It Came From Outer Space!": empires with spacecraft.
    OuterSpace,
}

/// The armies that a spacecraft holds (2).
pub const SPACECRAFT: u8 = 3;

vocabulary! {
    /// What a unit is.
    #[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    #[wire(words = proto::UnitKind)]
    pub enum Kind in any case {
        /// On land.
        Army = "A",
        /// At sea and along coasts.
        Fleet = "F",
    }
}

impl Kind {
    /// Whether such a unit can stand there: armies on land without a coast, fleets at sea or on
    /// exactly one coast (D1).
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

/// A unit on the map.
///
/// ```
/// use heliopause_diplomacy::Unit;
/// use heliopause_kernel::Seat;
///
/// let fleet = Unit::read(Seat::at(0), "F Spa/sc").unwrap();
/// assert_eq!(fleet.to_string(), "F Spa/sc");
/// assert_eq!(Unit::read(Seat::at(0), "F Par"), None, "no fleet stands inland");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Unit {
    pub owner: Seat,
    pub kind: Kind,
    /// Where it stands.
    pub at: Node,
}

impl Unit {
    /// Reads `A Par` or `F Spa/nc`: a unit where it can stand.
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

/// Three letters or digits that stand for a power in orders (R20).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(text)]
pub struct Code([u8; 3]);

impl FromStr for Code {
    type Err = NoSuchWord;

    /// Reads a letter and two letters or digits, in any case.
    fn from_str(text: &str) -> Result<Self, NoSuchWord> {
        let good = |bytes: &[u8; 3]| {
            bytes[0].is_ascii_alphabetic() && bytes.iter().all(u8::is_ascii_alphanumeric)
        };
        let bytes = <[u8; 3]>::try_from(text.as_bytes()).ok().filter(good);
        bytes
            .map(|bytes| Self(bytes.map(|byte| byte.to_ascii_uppercase())))
            .ok_or(NoSuchWord::Like("the three letters of an empire"))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|&byte| write!(f, "{}", char::from(byte)))
    }
}

/// A power or an empire.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Power {
    /// What orders call it.
    pub code: Code,
    /// The armies in its spacecraft, at most [`SPACECRAFT`]; none in the standard game.
    pub orbit: u8,
}

/// Everything on the board.
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
    /// Which game it is.
    pub variant: Variant,
    /// The powers, in seat order.
    pub powers: Vec<Power>,
    /// The owner of each center.
    pub centers: [Option<Seat>; PROVINCES],
    /// Whose colony each province is (3).
    pub colonies: [Option<Seat>; PROVINCES],
    units: [Option<Unit>; PROVINCES],
}

impl Position {
    /// An empty map.
    pub fn empty(variant: Variant, codes: impl IntoIterator<Item = Code>) -> Self {
        Self {
            variant,
            powers: codes.into_iter().map(|code| Power { code, orbit: 0 }).collect(),
            centers: [None; PROVINCES],
            colonies: [None; PROVINCES],
            units: [None; PROVINCES],
        }
    }

    /// The seats of the powers.
    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        Seat::first(self.powers.len())
    }

    /// The power that orders call so.
    pub fn power_called(&self, code: Code) -> Option<Seat> {
        self.powers.iter().position(|power| power.code == code).map(Seat::at)
    }

    /// The unit in a province.
    pub fn unit(&self, at: Province) -> Option<Unit> {
        self.units[at.index()]
    }

    /// All units on the map, by province.
    pub fn units(&self) -> impl Iterator<Item = Unit> {
        self.units.iter().copied().flatten()
    }

    /// The units of one power on the map.
    pub fn units_of(&self, seat: Seat) -> impl Iterator<Item = Unit> {
        self.units().filter(move |unit| unit.owner == seat)
    }

    /// The provinces with a unit in them.
    pub fn occupied(&self) -> Provinces {
        self.units().map(|unit| unit.at.province()).collect()
    }

    /// Puts a unit into an empty province.
    pub fn put(&mut self, unit: Unit) {
        let place = &mut self.units[unit.at.province().index()];
        assert!(
            place.is_none() && unit.kind.can_stand(unit.at),
            "{unit} stands where a unit can stand alone"
        );
        *place = Some(unit);
    }

    /// Puts a unit into a province, in place of any that is there.
    pub(crate) fn set(&mut self, unit: Unit) {
        self.units[unit.at.province().index()] = Some(unit);
    }

    /// Takes a unit off the map.
    pub fn take(&mut self, from: Province) -> Option<Unit> {
        self.units[from.index()].take()
    }

    /// The armies in a power's spacecraft.
    pub fn orbit(&self, seat: Seat) -> u8 {
        self.powers.get(seat.index()).map_or(0, |power| power.orbit)
    }

    /// The armies in a power's spacecraft, to change.
    pub fn orbit_mut(&mut self, seat: Seat) -> &mut u8 {
        &mut self.powers[seat.index()].orbit
    }

    /// How many units a power has, armies in orbit included (R14).
    pub fn strength(&self, seat: Seat) -> usize {
        self.units_of(seat).count() + usize::from(self.orbit(seat))
    }

    /// The centers that a power owns.
    pub fn centers_of(&self, seat: Seat) -> Provinces {
        Province::ALL
            .into_iter()
            .filter(|province| self.centers[province.index()] == Some(seat))
            .collect()
    }

    /// The colonies of a power.
    pub fn colonies_of(&self, seat: Seat) -> Provinces {
        Province::ALL
            .into_iter()
            .filter(|province| self.colonies[province.index()] == Some(seat))
            .collect()
    }

    /// Whether a power is out: no unit anywhere and no center (D8, R16).
    pub fn is_eliminated(&self, seat: Seat) -> bool {
        self.strength(seat) == 0 && self.centers_of(seat).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d1_units_stand_where_they_can() {
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
