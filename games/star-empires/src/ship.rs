//! 4.4, 4.5: ships, their serial numbers, and the codes of empires.

use std::str::FromStr;

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{NoSuchWord, Seat, SeatSet};
use heliopause_proto::star_empires::v1 as proto;

use crate::fields;
use crate::geometry::Sector;
use crate::ids::{ClassId, ShipId};
use crate::name::{Name, shown_as_text};

/// A serial number (4.4): the owner's code and five hexadecimal digits. The default represents a
/// missing number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Serial([u8; 7]);

impl Serial {
    pub const COUNT: u32 = 1 << 20;

    pub fn new(code: Code, number: u32) -> Self {
        assert!(number < Self::COUNT, "a serial number has five hexadecimal digits");
        let mut text = *b"??00000";
        text[..2].copy_from_slice(&code.0);
        for (place, byte) in text[2..].iter_mut().enumerate() {
            *byte = b"0123456789abcdef"[(number >> (16 - 4 * place) & 15) as usize];
        }
        Self(text)
    }

    pub fn code(self) -> Code {
        Code([self.0[0], self.0[1]])
    }

    pub(crate) fn with_code(mut self, code: Code) -> Self {
        self.0[..2].copy_from_slice(&code.0);
        self
    }

    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }

    pub fn to_name(self) -> Name {
        Name::new(self.as_str()).unwrap_or_default()
    }
}

impl FromStr for Serial {
    type Err = NoSuchWord;

    fn from_str(text: &str) -> Result<Self, NoSuchWord> {
        let fault = NoSuchWord::Like("two letters and five hexadecimal digits");
        let (code, digits) = text.split_at_checked(2).ok_or(fault)?;
        let code = code.parse().map_err(|_| fault)?;
        if digits.len() != 5 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(fault);
        }
        u32::from_str_radix(digits, 16).map(|number| Self::new(code, number)).map_err(|_| fault)
    }
}

shown_as_text!(Serial, Code);

/// The two-letter code of an empire (4.4, R9). The default represents a missing code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Code(pub(crate) [u8; 2]);

impl Code {
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }

    /// Returns whether a name looks like a serial number with this code.
    pub(crate) fn begins_serial(self, name: Name) -> bool {
        name.as_str().parse::<Serial>().is_ok_and(|serial| serial.code() == self)
    }
}

impl FromStr for Code {
    type Err = NoSuchWord;

    fn from_str(text: &str) -> Result<Self, NoSuchWord> {
        let letters = |bytes: &[u8; 2]| bytes.iter().all(u8::is_ascii_alphabetic);
        let bytes = <[u8; 2]>::try_from(text.as_bytes()).ok().filter(letters);
        bytes
            .map(|bytes| Self(bytes.map(|byte| byte.to_ascii_uppercase())))
            .ok_or(NoSuchWord::Like("two letters"))
    }
}

/// Maximum number of ships per empire. The rules have no limit, but memory must be bounded.
pub(crate) const SHIPS_MAX: u32 = 100_000;

/// A ship. The type fits in a cache line, because a galaxy may have 60,000 ships.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(message = proto::Ship, without(ship_class, carrier), with(Seat = fields::seat, SeatSet = fields::seats))]
pub struct Ship {
    /// Empires to which the transponder identifies the ship. This set and `concealed` are disjoint,
    /// and both are kept in public mode (6.6.3).
    pub identified: SeatSet,
    pub concealed: SeatSet,
    /// The sector. A loaded ship is in the sector of its carrier.
    pub at: Sector,
    /// The carrier of a loaded ship. The carrier has the same owner and sector, and is not loaded
    /// itself.
    #[wire(skip)]
    pub carrier: Option<Carrier>,
    #[wire(skip)]
    pub class: ClassId,
    /// Damage points. They are 0 only within an update, for a lost ship.
    pub dp: u16,
    pub owner: Seat,
    /// Whether the transponder is in public mode (4.5).
    #[wire(name = public_mode)]
    pub public: bool,
    #[wire(or_default)]
    pub serial: Serial,
    #[wire(or_default)]
    pub name: Name,
}

/// Returns the handle of a ship (4.4): its name if it has one, else its serial number.
pub fn handle(name: Name, serial: Serial) -> Name {
    if name.is_none() { serial.to_name() } else { name }
}

/// A carrier's id, stored so that `Option<Carrier>` needs no extra space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Carrier(std::num::NonZeroU32);

impl Carrier {
    pub fn new(id: ShipId) -> Self {
        Self(std::num::NonZeroU32::MIN.saturating_add(id.0))
    }

    pub fn id(self) -> ShipId {
        ShipId(self.0.get() - 1)
    }
}

impl Ship {
    /// Returns a new ship, which is loose and private, with two empty transponder sets.
    pub(crate) fn new(
        owner: Seat,
        serial: Serial,
        name: Name,
        class: ClassId,
        dp: u16,
        at: Sector,
    ) -> Self {
        let (identified, concealed) = (SeatSet::EMPTY, SeatSet::EMPTY);
        Self {
            identified,
            concealed,
            at,
            carrier: None,
            class,
            dp,
            owner,
            public: false,
            serial,
            name,
        }
    }

    pub fn handle(&self) -> Name {
        handle(self.name, self.serial)
    }

    pub fn is_loaded(&self) -> bool {
        self.carrier.is_some()
    }

    /// Returns whether the ship exists. Between updates, all ships exist.
    pub fn is_live(&self) -> bool {
        self.dp > 0
    }

    pub fn is_loose(&self) -> bool {
        self.is_live() && !self.is_loaded()
    }

    pub(crate) fn sort_key(&self) -> (Seat, Serial) {
        (self.owner, self.serial)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serial_numbers_read_back_in_any_case() {
        let code = "kr".parse::<Code>().unwrap();
        let serial = Serial::new(code, 0x0005_f09d);
        assert_eq!(serial.as_str(), "KR5f09d");
        assert_eq!("kr5F09D".parse(), Ok(serial));
        assert_eq!(serial.code(), code);
        for text in ["KR5f09", "K15f09d", "KR5g09d", "KR+f09d", "KR5f09d0", "Kéf09d"] {
            assert!(text.parse::<Serial>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_ship_is_small_and_a_carrier_reads_back() {
        assert_eq!(size_of::<Ship>(), 64);
        for id in [0, 1, 77_000] {
            assert_eq!(Carrier::new(ShipId(id)).id(), ShipId(id));
        }
    }
}
