//! 4.4, 5.0, notes 3.1: an empire, apart from its ships, its worlds and its map.

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Dice, Draw, Seat, SeatSet};
use heliopause_proto::star_empires::v1 as proto;

use crate::geometry::{Frame, Sector};
use crate::ids::{ClassId, IdSet, PortalId, WorldId};
use crate::name::Name;
use crate::ship::{Code, Serial};
use crate::wire;

/// An empire. Its number is its seat.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::Empire, without(homeworld, classes, navigation, grants), with(SeatSet = wire::seats))]
pub struct Empire {
    /// Its name, unique in the session.
    #[wire(or_default)]
    pub name: Name,
    /// Its code, unique in the session.
    #[wire(or_default)]
    pub code: Code,
    /// Its frame of coordinates, fixed for good.
    #[wire(or_default)]
    pub frame: Frame,
    /// Its homeworld; `None` while it is homeless (7.0).
    #[wire(skip)]
    pub homeworld: Option<WorldId>,
    /// The sector of its homeworld, or of its last one.
    pub last_homeworld: Option<Sector>,
    /// The empires in its list of contacts; contact is one-way (notes 13).
    pub contacts: SeatSet,
    /// The empires whose names it has come across, contacts included, itself not.
    pub heard_of: SeatSet,
    /// The classes it knows.
    #[wire(skip)]
    pub classes: IdSet<ClassId>,
    /// The portals for which it holds navigation data.
    #[wire(skip)]
    pub navigation: IdSet<PortalId>,
    /// What it lets others see, by recipient in seat order; no entry is empty.
    #[wire(skip)]
    pub grants: Vec<Grant>,
    /// If it is abandoned, the number of the next update counted from then, from 1; else 0 (8.0).
    pub abandoned_turns: u32,
    /// The empires whose guns or missiles hit it in the last update.
    pub shot_by: SeatSet,
    /// What its serial numbers are made with.
    #[wire(part(serial_key, serials))]
    pub serials: Serials,
}

/// What an empire lets another see of its scans (6.8.2).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grant {
    pub to: Seat,
    pub scans: Granted,
}

/// What of the scans is shared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Granted {
    /// Everything.
    All,
    /// What is seen of some sectors, by some ships, and by ships of some classes. Each list is
    /// sorted.
    Some { sectors: Vec<Sector>, ships: Vec<Serial>, classes: Vec<ClassId> },
}

/// Where an empire's serial numbers come from: a keyed shuffle of all of them, dealt one by one. So
/// they look random, and no number comes twice, dead ships included, without a list of the dead.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Serials {
    /// The key of the shuffle.
    pub key: u32,
    /// How many were dealt.
    pub dealt: u32,
}

impl Serials {
    /// Draws the key of an empire.
    pub fn draw(seat: Seat, dice: &mut Dice) -> Self {
        let key = dice.roll(Draw::new("serial-numbers").of(u64::from(seat.number())), u32::MAX);
        Self { key, dealt: 0 }
    }

    /// The next number. After all of them it begins anew: the caller skips those that live ships
    /// bear.
    pub(crate) fn deal(&mut self) -> u32 {
        let number = shuffled(self.dealt % Serial::COUNT, self.key);
        self.dealt = self.dealt.wrapping_add(1);
        number
    }
}

/// A number's place in the keyed shuffle: four rounds of a Feistel network over its two halves of
/// ten bits.
fn shuffled(number: u32, key: u32) -> u32 {
    let (mut left, mut right) = (number >> 10, number & 0x3ff);
    for round in 0..4 {
        let mixed = (right ^ key.rotate_left(round * 8)).wrapping_mul(0x9e37_79b1);
        (left, right) = (right, left ^ (mixed >> 22));
    }
    left << 10 | right
}

impl Empire {
    /// What it shares with another, if anything.
    pub fn grant(&self, to: Seat) -> Option<&Granted> {
        self.grants.iter().find(|grant| grant.to == to).map(|grant| &grant.scans)
    }

    /// Whether it is homeless (7.0).
    pub fn is_homeless(&self) -> bool {
        self.homeworld.is_none()
    }

    /// Meets another empire: it is a contact from now on. Says whether that is new.
    pub(crate) fn meet(&mut self, other: Seat) -> bool {
        self.heard_of.insert(other);
        self.contacts.insert(other)
    }
}

/// R9: the code of an empire with this name, none of the taken ones.
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

/// Makes up the names, codes and keys for serial numbers that are not given; the names are those of
/// a list, as far as it goes. The same for the same empires.
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

/// The code that is the game master's.
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
