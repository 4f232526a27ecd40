//! 4.4, 5.0, notes 3.1: empires, and the serial numbers of their ships.

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Dice, Draw, Seat, SeatSet};
use heliopause_proto::star_empires::v1 as proto;

use crate::class::STOCK;
use crate::fields;
use crate::geometry::{Frame, Sector};
use crate::ids::{ClassId, Id, IdSet, PortalId, WorldId};
use crate::name::Name;
use crate::ship::{Code, Serial};

/// An empire. Empires are stored in seat order.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::Empire, without(homeworld, classes, navigation, grants), with(SeatSet = fields::seats))]
pub struct Empire {
    /// Name and code are unique in the session.
    #[wire(or_default)]
    pub name: Name,
    #[wire(or_default)]
    pub code: Code,
    /// The empire's coordinate frame. It never changes.
    #[wire(or_default)]
    pub frame: Frame,
    /// `None` while the empire is homeless (7.0).
    #[wire(skip)]
    pub homeworld: Option<WorldId>,
    pub last_homeworld: Option<Sector>,
    /// Empires that this empire has contact with. Contact is one-way (notes 13).
    pub contacts: SeatSet,
    pub known_empires: SeatSet,
    #[wire(skip)]
    pub classes: IdSet<ClassId>,
    #[wire(skip)]
    pub navigation: IdSet<PortalId>,
    /// Scans that the empire shares, by recipient in seat order. No entry is empty.
    #[wire(skip)]
    pub grants: Vec<Grant>,
    /// Number of updates since the empire was abandoned, including the next one (8.0). 0 if the
    /// empire is not abandoned.
    pub abandoned_turns: u32,
    /// Empires whose guns or missiles hit this empire in the last update.
    pub attacked_by: SeatSet,
    #[wire(part(serial_key, serials))]
    pub serials: Serials,
}

/// The scans that one empire shares with another (6.8.2).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grant {
    pub to: Seat,
    pub scans: Granted,
}

/// The part of an empire's scans that a grant covers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Granted {
    All,
    /// Scans of these sectors, by these ships, and by ships of these classes. The lists are sorted.
    Some {
        sectors: Vec<Sector>,
        ships: Vec<Serial>,
        classes: Vec<ClassId>,
    },
}

/// Source of an empire's serial numbers: a keyed permutation of all numbers. The numbers look
/// random and repeat only after all were dealt. No list of used numbers is needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Serials {
    pub key: u32,
    pub dealt: u32,
}

impl Serials {
    pub fn draw(seat: Seat, dice: &mut Dice) -> Self {
        let key = dice.roll(Draw::new("serial-numbers").of(u64::from(seat.number())), u32::MAX);
        Self { key, dealt: 0 }
    }

    /// Returns the next number, which a ship may already have.
    pub(crate) fn deal(&mut self) -> u32 {
        let number = shuffled(self.dealt % Serial::COUNT, self.key);
        self.dealt = self.dealt.wrapping_add(1);
        number
    }
}

/// Permutes 20-bit numbers with a key: a Feistel network of four rounds over halves of ten bits.
fn shuffled(number: u32, key: u32) -> u32 {
    let (mut left, mut right) = (number >> 10, number & 0x3ff);
    for round in 0..4 {
        let mixed = (right ^ key.rotate_left(round * 8)).wrapping_mul(0x9e37_79b1);
        (left, right) = (right, left ^ (mixed >> 22));
    }
    left << 10 | right
}

impl Empire {
    /// Returns an empire without possessions, contacts and knowledge, except of the stock classes.
    /// The name determines its code, which differs from those of other empires.
    pub(crate) fn new(name: Name, others: &[Self], serials: Serials) -> Self {
        let taken: Vec<Code> = others.iter().map(|empire| empire.code).collect();
        Self {
            name,
            code: code_for(name, &taken),
            frame: Frame::GALACTIC,
            homeworld: None,
            last_homeworld: None,
            contacts: SeatSet::EMPTY,
            known_empires: SeatSet::EMPTY,
            classes: (0..STOCK).map(ClassId::at).collect(),
            navigation: IdSet::default(),
            grants: Vec::new(),
            abandoned_turns: 0,
            attacked_by: SeatSet::EMPTY,
            serials,
        }
    }

    pub fn grant(&self, to: Seat) -> Option<&Granted> {
        self.grants.iter().find(|grant| grant.to == to).map(|grant| &grant.scans)
    }

    pub fn is_homeless(&self) -> bool {
        self.homeworld.is_none()
    }

    pub(crate) fn meet(&mut self, other: Seat) -> bool {
        self.known_empires.insert(other);
        self.contacts.insert(other)
    }
}

/// R9: returns an unused code for an empire of this name.
pub(crate) fn code_for(name: Name, taken: &[Code]) -> Code {
    let text = name.as_str().to_ascii_uppercase();
    let text = text.strip_prefix("THE_").unwrap_or(&text);
    let letters: Vec<u8> = text.bytes().filter(u8::is_ascii_uppercase).collect();
    let pairs = (0..letters.len())
        .flat_map(|first| (first + 1..letters.len()).map(move |second| (first, second)));
    let own = pairs.map(|(first, second)| Code([letters[first], letters[second]]));
    let any =
        (b'A'..=b'Z').flat_map(|first| (b'A'..=b'Z').map(move |second| Code([first, second])));
    let free = |code: &Code| *code != MASTER && !taken.contains(code);
    own.chain(any).find(free).expect("there are more codes than seats")
}

/// Fills in missing names, codes and serial number keys, deterministically.
pub(crate) fn name_empires(empires: &mut [Empire], listed: &[Name]) {
    let mut codes: Vec<Code> = empires.iter().map(|empire| empire.code).collect();
    for (number, empire) in (1_u32..).zip(empires) {
        if empire.name.is_none() {
            let listed = listed.get(number as usize - 1).copied().filter(|name| !name.is_none());
            empire.name =
                listed.or_else(|| Name::new(&format!("Empire_{number}"))).unwrap_or_default();
        }
        if empire.code == Code::default() {
            empire.code = code_for(empire.name, &codes);
            codes.push(empire.code);
        }
        if empire.serials.key == 0 {
            empire.serials.key = number.wrapping_mul(0x9e37_79b1);
        }
    }
}

const MASTER: Code = Code(*b"GM");

#[cfg(test)]
mod tests {
    use super::*;

    fn code(name: &str, taken: &[&str]) -> String {
        let taken: Vec<Code> = taken.iter().map(|code| code.parse::<Code>().unwrap()).collect();
        code_for(Name::new(name).unwrap(), &taken).to_string()
    }

    #[test]
    fn r9_codes_come_from_the_letters_of_the_name() {
        assert_eq!(code("The Culture", &[]), "CU");
        assert_eq!(code("KRATOS", &[]), "KR");
        assert_eq!(code("KRATOS", &["KR"]), "KA");
        assert_eq!(code("KRA", &["KR", "KA"]), "RA");
        assert_eq!(code("KR9", &["KR"]), "AA");
        assert_eq!(code("7", &["AA"]), "AB");
        assert_eq!(code("GM", &[]), "AA");
    }

    #[test]
    fn serial_numbers_never_repeat_and_look_random() {
        let mut serials = Serials { key: 0x1234_5678, dealt: 0 };
        let mut seen = vec![false; Serial::COUNT as usize];
        let mut rising = 0;
        let mut last = 0;
        for _ in 0..Serial::COUNT {
            let number = serials.deal();
            assert!(!std::mem::replace(&mut seen[number as usize], true), "{number} came twice");
            rising += u32::from(number > last);
            last = number;
        }
        assert!((Serial::COUNT / 3..Serial::COUNT / 3 * 2).contains(&rising));
    }
}
