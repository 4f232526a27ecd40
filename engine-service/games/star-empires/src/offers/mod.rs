//! What an empire may order: the lines of a sheet, as sentences with slots.
//!
//! | chapter | module |
//! | --- | --- |
//! | 6.2 logistics | `logistics` |
//! | 6.3 combat | `combat` |
//! | 6.4 movement | `movement`, `field` |
//! | 6.5 research | `research` |
//! | 6.6 maintenance | `maintenance` |
//! | 6.7 income | `income` |
//! | 6.8 scanning | `scanning` |
//!
//! What a sheet is told at submission decides: every filling of every offer is a line that is not
//! rejected. They are made of what the empire knows alone.
//!
//! An offer for each ship and each goal would be too much: an empire has hundreds of ships. So
//! ships share a sentence where each of them and each goal make a line that is not rejected, even
//! if some of the goals are too far away for some of them.
//!
//! What is offered can succeed, as things stand or after other lines of the sheet. What is accepted
//! beyond that is not offered, so the offers are not complete:
//!
//! - what is warned of and no line makes good: moves out of reach, guns without a target, RU that
//!   are not there;
//! - contingent names (notes 4.1): classes, and exits of portals, that are only expected;
//! - a carrier that is unloaded before it is loaded itself; `POOL` to a world that is only taken
//!   this turn; a denial of what was not granted; missiles with too many guns or too heavy to be
//!   carried; sectors far off the map in `AUTHORIZE`.
//!
//! Other ways of writing are left out as well: several ships or things a line, `MAX` for the
//! largest number, a place for all that are there, an empire's code for its name, and a starbase
//! for all of its class.

mod combat;
mod field;
mod income;
mod logistics;
mod maintenance;
mod movement;
mod research;
mod scanning;

use std::collections::{BTreeMap, BTreeSet};

use heliopause_kernel::offer::{
    Draft, FreeText, Kind, Offer, Offers, Phrase, Picks, Range, Slot, ValueId,
};
use heliopause_kernel::{Seat, SeatSet};

use crate::class::STARBASE;
use crate::geometry::Coord;
use crate::name::{LONGEST_NAME, Name};
use crate::objects::Siege;
use crate::order::{Order, Phase};
use crate::position::StarEmpires;
use crate::text::word;
use crate::validate::Knows;

/// A line lists so many ships or worlds at most; more are another line. So a line of any filling is
/// well below the limit of a sheet.
const PICKS_MAX: usize = 2_000;

/// What names are made of.
const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";

impl StarEmpires {
    /// What an empire may order, by what it knows.
    pub(crate) fn offers_of(&self, seat: Seat) -> Offers<Order> {
        if self.ending.is_some() || seat.index() >= self.galaxy.empires.len() {
            return Offers::default();
        }
        let knows = Knows::of(self, seat);
        let mut teller = Teller::new(&knows);
        logistics::tell(&mut teller);
        combat::tell(&mut teller);
        movement::tell(&mut teller);
        research::tell(&mut teller);
        maintenance::tell(&mut teller);
        income::tell(&mut teller);
        scanning::tell(&mut teller);
        Offers { sheet: true, ..teller.draft.incomplete() }
    }
}

/// What offers are made with.
struct Teller<'a> {
    knows: &'a Knows<'a>,
    draft: Draft<Order>,
    /// The own worlds, by name.
    worlds: Vec<ValueId>,
    /// Those of them that are not interdicted.
    works: Vec<ValueId>,
    /// The own ships, by their places among them.
    ships: Vec<ValueId>,
    /// The own ships by sector; a loaded ship is where its carrier is.
    fleets: BTreeMap<Coord, Vec<usize>>,
    /// The classes that are known, by name.
    classes: Vec<ValueId>,
    /// The empires that can be written to, and those that were heard of, by seat.
    contacts: Vec<ValueId>,
    others: Vec<ValueId>,
    /// The own ships but starbases, which are few: they go by their class.
    crews: Vec<ValueId>,
    /// What lies in a sector and can be named instead of it.
    landmarks: BTreeMap<Coord, Name>,
}

impl<'a> Teller<'a> {
    fn new(knows: &'a Knows<'a>) -> Self {
        let mut draft = Draft::new();
        let mut own: Vec<_> = knows.own_worlds().collect();
        own.sort_by_key(|row| row.name);
        own.dedup_by_key(|row| row.name);
        let worlds = own.iter().map(|row| draft.value(word(row.name), "")).collect();
        let works = own.iter().filter(|row| row.siege != Some(Siege::Interdicted));
        let works = works.map(|row| draft.value(word(row.name), "")).collect();
        let heard_of = knows.empire.heard_of.union(knows.empire.contacts).without(knows.seat);
        let mut empires = |seats: SeatSet| -> Vec<ValueId> {
            let known =
                seats.iter().filter(|other| other.index() < knows.game.galaxy.empires.len());
            known.map(|other| draft.value(word(knows.game.galaxy.empire(other).name), "")).collect()
        };
        let (contacts, others) =
            (empires(knows.empire.contacts.without(knows.seat)), empires(heard_of));
        let classes =
            knows.known_classes().map(|class| draft.value(word(class.name), "")).collect();
        // A ship goes by its name, unless that could mean another one.
        let handle = |(index, ship): (usize, &crate::ship::Ship)| {
            let handle = ship.handle();
            if knows.ship(handle) == Some(index) { handle } else { ship.serial.to_name() }
        };
        let ships: Vec<ValueId> = knows
            .ships
            .iter()
            .enumerate()
            .map(|ship| draft.value(word(handle(ship)), ""))
            .collect();
        let crews = knows.ships.iter().zip(&ships).filter(|(ship, _)| ship.class != STARBASE);
        let crews = crews.map(|(_, value)| *value).collect();
        let mut fleets: BTreeMap<Coord, Vec<usize>> = BTreeMap::new();
        for (index, ship) in knows.ships.iter().enumerate() {
            fleets.entry(knows.at(ship)).or_default().push(index);
        }
        let landmarks = landmarks(knows);
        Self {
            knows,
            draft,
            worlds,
            works,
            ships,
            fleets,
            classes,
            contacts,
            others,
            crews,
            landmarks,
        }
    }

    /// A sentence of a phase.
    fn say(
        &mut self,
        phase: Phase,
        key: &'static str,
        notation: impl Into<Phrase>,
        label: impl Into<Phrase>,
    ) -> &mut Offer<Order> {
        self.draft.offer(key, notation, label, phase.number())
    }

    /// One of these.
    fn one(&mut self, values: &[ValueId]) -> Picks {
        Picks::one(self.draft.list(values.iter().copied()))
    }

    /// Some of these.
    fn some(&mut self, values: &[ValueId]) -> Picks {
        let most = values.len().min(PICKS_MAX) as u32;
        Picks { most, separator: " ".into(), ..self.one(values) }
    }

    /// One own ship.
    fn ship(&mut self, values: &[ValueId]) -> Slot {
        Slot::new("ship", "who", Kind::Pieces(self.one(values)))
    }

    /// Own ships.
    fn ships(&mut self, values: &[ValueId]) -> Slot {
        Slot::new("ships", "who", Kind::Pieces(self.some(values)))
    }

    /// Other empires.
    fn empires(&mut self, values: &[ValueId]) -> Slot {
        Slot::new("empires", "whom", Kind::Words(self.some(values)))
    }

    /// One world.
    fn world(&mut self, name: &'static str, values: &[ValueId]) -> Slot {
        Slot::new(name, "world", Kind::Places(self.one(values)))
    }

    /// A new name that is not one of these. The notation has it between quotes, so that it may be a
    /// word of orders.
    fn fresh(&mut self, name: &'static str, label: &'static str, taken: &[ValueId]) -> Slot {
        let free = |number: u32| format!("new{number}");
        let is_free = |text: &String| {
            let named = Name::new(text).unwrap_or_default();
            !self.knows.has_seen_class(named) && self.knows.ship(named).is_none()
        };
        let example = (1..=u32::from(u16::MAX)).map(free).find(is_free).unwrap_or_default();
        let taken = (!taken.is_empty()).then(|| self.draft.list(taken.iter().copied()));
        let most = LONGEST_NAME as u32;
        let (alphabet, initials) = (LETTERS.into(), "".into());
        let text = FreeText {
            least: 1,
            most,
            alphabet,
            initials,
            lines: 1,
            taken,
            example: example.into(),
        };
        Slot::new(name, label, Kind::Free(text))
    }

    /// A sector, by the name of what lies there if it has one.
    fn place(&mut self, at: Coord) -> ValueId {
        match self.landmarks.get(&at) {
            Some(&name) => self.draft.value(word(name), ""),
            None => self.draft.value(at.to_string(), ""),
        }
    }

    /// The values of own ships that something holds of.
    fn ships_that(&self, holds: impl Fn(usize) -> bool) -> Vec<ValueId> {
        (0..self.ships.len()).filter(|&index| holds(index)).map(|index| self.ships[index]).collect()
    }
}

/// From one number to another.
fn number(name: &'static str, label: &'static str, least: i32, most: i32) -> Slot {
    Slot::new(name, label, Kind::Number(Range::of(least..=most)))
}

/// A number that is written as it is counted.
fn count(name: &'static str, label: &'static str, most: u32) -> Slot {
    number(name, label, 1, i32::try_from(most).unwrap_or(i32::MAX))
}

/// What each sector of the map can be called by: a name that is no keyword, and that means this
/// sector.
fn landmarks(knows: &Knows<'_>) -> BTreeMap<Coord, Name> {
    let latest = knows.chart.places();
    let worlds = knows.chart.worlds.iter().map(|row| (row.at, row.name));
    let portals = knows.chart.portals.iter().map(|row| (row.at, row.name));
    let storms = knows.chart.storms.iter().map(|row| (row.at, row.name));
    let mut named = BTreeMap::new();
    for (at, name) in worlds.chain(portals).chain(storms) {
        if latest.get(&name) == Some(&at) {
            named.entry(at).or_insert(name);
        }
    }
    named
}

/// Values without those that come twice, in the order in which they come first.
fn distinct(values: impl IntoIterator<Item = ValueId>) -> Vec<ValueId> {
    let mut seen = BTreeSet::new();
    values.into_iter().filter(|value| seen.insert(*value)).collect()
}
