//! 4.4, 4.5: ships.

use std::fmt;
use std::str::FromStr;

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{NoSuchWord, Seat, SeatSet};
use heliopause_proto::star_empires::v1 as proto;

use crate::geometry::Sector;
use crate::ids::{ClassId, ShipId};
use crate::name::Name;
use crate::wire;

/// A serial number (4.4): the owner's code and five hexadecimal digits. The default is that of a
/// ship that has none yet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Serial([u8; 7]);

impl Serial {
    /// How many serial numbers an empire has.
    pub const COUNT: u32 = 1 << 20;

    /// The serial number of an empire with this code.
    pub fn new(code: Code, number: u32) -> Self {
        assert!(number < Self::COUNT, "a serial number has five hexadecimal digits");
        let mut text = *b"??00000";
        text[..2].copy_from_slice(&code.0);
        for (place, byte) in text[2..].iter_mut().enumerate() {
            *byte = b"0123456789abcdef"[(number >> (16 - 4 * place) & 15) as usize];
        }
        Self(text)
    }

    /// The owner's code.
    pub fn code(self) -> Code {
        Code([self.0[0], self.0[1]])
    }

    /// The same number of an empire with another code.
    pub(crate) fn with_code(mut self, code: Code) -> Self {
        self.0[..2].copy_from_slice(&code.0);
        self
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }

    /// As a name, which it can stand for in orders.
    pub fn to_name(self) -> Name {
        Name::new(self.as_str()).unwrap_or_default()
    }
}

impl FromStr for Serial {
    type Err = NoSuchWord;

    /// Reads a serial number, in any case.
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

impl fmt::Display for Serial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Serial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The two letters that stand for an empire (4.4, R9). The default is that of an empire that has
/// none yet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Code(pub(crate) [u8; 2]);

impl Code {
    /// As text.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl FromStr for Code {
    type Err = NoSuchWord;

    /// Reads a code, in any case.
    fn from_str(text: &str) -> Result<Self, NoSuchWord> {
        let letters = |bytes: &[u8; 2]| bytes.iter().all(u8::is_ascii_alphabetic);
        let bytes = <[u8; 2]>::try_from(text.as_bytes()).ok().filter(letters);
        bytes
            .map(|bytes| Self(bytes.map(|byte| byte.to_ascii_uppercase())))
            .ok_or(NoSuchWord::Like("two letters"))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The most ships that an empire can have: no rule of the game, but everything is bounded.
pub(crate) const SHIPS_MAX: u32 = 100_000;

/// A ship. A plain value of one cache line: a galaxy may have 60,000.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(message = proto::Ship, without(ship_class, carrier), with(Seat = wire::seat, SeatSet = wire::seats))]
pub struct Ship {
    /// The empires to which its transponder identifies it. Both sets are kept in public mode
    /// (6.6.3), and no empire is in both.
    pub identified: SeatSet,
    /// The empires from which it is concealed.
    pub concealed: SeatSet,
    /// Where it is. A loaded ship is where its carrier is.
    pub at: Sector,
    /// Its carrier, if it is loaded; its owner's, in the same sector, and not loaded itself.
    #[wire(skip)]
    pub carrier: Option<Carrier>,
    #[wire(skip)]
    pub class: ClassId,
    /// Its damage points; 0 only within an update, of a ship that is lost.
    pub dp: u16,
    pub owner: Seat,
    /// Whether its transponder is in public mode (4.5).
    #[wire(name = public_mode)]
    pub public: bool,
    /// Its serial number.
    #[wire(or_default)]
    pub serial: Serial,
    /// Its name, or none.
    #[wire(or_default)]
    pub name: Name,
}

/// The handle of a ship (4.4): its name if it has one, else its serial number.
pub fn handle(name: Name, serial: Serial) -> Name {
    if name.is_none() { serial.to_name() } else { name }
}

/// A carrier: a ship's number, kept so that "no carrier" needs no room of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Carrier(std::num::NonZeroU32);

impl Carrier {
    /// The carrier with this id.
    pub fn new(id: ShipId) -> Self {
        Self(std::num::NonZeroU32::MIN.saturating_add(id.0))
    }

    /// Which ship it is.
    pub fn id(self) -> ShipId {
        ShipId(self.0.get() - 1)
    }
}

impl Ship {
    /// A new ship at full strength: loose, private, both sets empty.
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

    /// Its handle. Sorts as orders do.
    pub fn handle(&self) -> Name {
        handle(self.name, self.serial)
    }

    /// Whether it is on a carrier.
    pub fn is_loaded(&self) -> bool {
        self.carrier.is_some()
    }

    /// Whether it still exists. Between updates every ship does.
    pub fn is_live(&self) -> bool {
        self.dp > 0
    }

    /// Whether it exists and is on no carrier.
    pub fn is_loose(&self) -> bool {
        self.is_live() && !self.is_loaded()
    }

    /// The order of ships between updates.
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
