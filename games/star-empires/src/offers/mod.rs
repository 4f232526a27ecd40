//! The offers of an empire: the lines of a sheet, as sentences with slots.
//!
//! Offers agree with the check at submission: every way to fill in an offer gives a line that is
//! not rejected. Offers depend only on the knowledge of the empire.
//!
//! An empire has hundreds of ships, too many for one offer per ship and goal. Ships share an
//! offer if each of them forms an accepted line with each goal, even if some goals are out of
//! range for some ships.
//!
//! Offers are limited to lines that can succeed, now or after other lines of the sheet. The
//! following accepted lines are not offered:
//!
//! - lines with a warning that no other line removes: moves out of range, guns without a target,
//!   missing RU;
//! - contingent names (notes 4.1): classes and portal exits that are only expected;
//! - a carrier that is unloaded before it is loaded itself; `POOL` to a world that is taken only
//!   this turn; denying a grant that does not exist; missiles with too many guns or too heavy to be
//!   carried; sectors far off the map in `AUTHORIZE`;
//! - other notations: several ships or items per line, `MAX` for the largest number, a place for
//!   all ships there, an empire's code for its name, and a starbase for all of its class.

mod combat;
mod income;
mod logistics;
mod maintenance;
mod movement;
mod region;
mod research;
mod scanning;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use heliopause_kernel::offer::{
    Draft, FreeText, Kind, Offer, Offers, Phrase, Picks, Range, Slot, Stock, Value, ValueId, Weight,
};
use heliopause_kernel::{Seat, SeatSet};

use crate::chart::WorldSeen;
use crate::class::STARBASE;
use crate::geometry::Coord;
use crate::name::{LONGEST_NAME, Name};
use crate::objects::Siege;
use crate::order::{Order, Phase};
use crate::position::StarEmpires;
use crate::text::word;
use crate::validate::EmpireLookup;

/// The offers of `offers.txt` by name: weight, notation and label.
static FORMS: LazyLock<BTreeMap<&str, [&str; 3]>> = LazyLock::new(|| {
    let form = |line: &'static str| {
        let mut parts = line.split(" | ");
        let [name, weight, notation, label] =
            std::array::from_fn(|_| parts.next().expect("each offer has four parts"));
        (name, [weight, notation, label])
    };
    include_str!("offers.txt").lines().map(form).collect()
});

/// Maximum number of ships or worlds in one line. Any line is then far below the limit of a sheet.
const PICKS_MAX: usize = 2_000;

const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";

impl StarEmpires {
    pub(crate) fn offers_of(&self, seat: Seat) -> Offers<Order> {
        if self.ending.is_some() || seat.index() >= self.galaxy.empires.len() {
            return Offers::default();
        }
        let lookup = EmpireLookup::of(self, seat);
        let mut builder = OfferBuilder::new(&lookup);
        logistics::add_offers(&mut builder);
        combat::add_offers(&mut builder);
        movement::add_offers(&mut builder);
        research::add_offers(&mut builder);
        maintenance::add_offers(&mut builder);
        income::add_offers(&mut builder);
        scanning::add_offers(&mut builder);
        Offers { sheet: true, ..builder.draft.incomplete() }
    }
}

struct OfferBuilder<'a> {
    lookup: &'a EmpireLookup<'a>,
    draft: Draft<Order>,
    worlds: Vec<ValueId>,
    /// The empire's worlds that are not interdicted, with their RU.
    works: Vec<ValueId>,
    ships: Vec<ValueId>,
    /// Indices of the empire's ships, by sector. A loaded ship is in the sector of its carrier.
    fleets: BTreeMap<Coord, Vec<usize>>,
    classes: Vec<ValueId>,
    /// Empires that can receive messages, by seat. `others` has all known empires.
    contacts: Vec<ValueId>,
    others: Vec<ValueId>,
    /// The empire's ships except starbases, which are selected by class.
    crews: Vec<ValueId>,
    /// Object names that can replace the coordinates of a sector.
    landmarks: BTreeMap<Coord, Name>,
}

impl<'a> OfferBuilder<'a> {
    fn new(lookup: &'a EmpireLookup<'a>) -> Self {
        let mut draft = Draft::new();
        let mut own: Vec<_> = lookup.own_worlds().collect();
        own.sort_by_key(|row| row.name);
        own.dedup_by_key(|row| row.name);
        let worlds = own.iter().map(|row| draft.value(word(row.name), "")).collect();
        let works = own.iter().filter(|row| row.siege != Some(Siege::Interdicted));
        let works = works.map(|row| stocked(&mut draft, row)).collect();
        let heard_of =
            lookup.empire.known_empires.union(lookup.empire.contacts).without(lookup.seat);
        let galaxy = &lookup.game.galaxy;
        let mut empires = |seats: SeatSet| -> Vec<ValueId> {
            let known = seats.iter().filter(|other| other.index() < galaxy.empires.len());
            known.map(|other| draft.value(word(galaxy.empire(other).name), "")).collect()
        };
        let (contacts, others) =
            (empires(lookup.empire.contacts.without(lookup.seat)), empires(heard_of));
        let classes =
            lookup.known_classes().map(|class| draft.value(word(class.name), "")).collect();
        // Use the ship's handle unless it could also refer to another ship.
        let handle = |(index, ship): (usize, &crate::ship::Ship)| {
            let handle = ship.handle();
            if lookup.ship(handle) == Some(index) { handle } else { ship.serial.to_name() }
        };
        let ships: Vec<ValueId> = lookup
            .ships
            .iter()
            .enumerate()
            .map(|ship| draft.value(word(handle(ship)), ""))
            .collect();
        let crews = lookup.ships.iter().zip(&ships).filter(|(ship, _)| ship.class != STARBASE);
        let crews = crews.map(|(_, value)| *value).collect();
        let mut fleets: BTreeMap<Coord, Vec<usize>> = BTreeMap::new();
        for (index, ship) in lookup.ships.iter().enumerate() {
            fleets.entry(lookup.at(ship)).or_default().push(index);
        }
        let landmarks = landmarks(lookup);
        Self {
            lookup,
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

    fn offer<const N: usize>(&mut self, name: &'static str, slots: [Slot; N]) -> &mut Offer<Order> {
        self.offer_with(name, &[], slots)
    }

    /// Adds an offer from `offers.txt`: its name with its key up to a slash, weight, notation and
    /// label. `fixed` gives the texts of places in the notation and label that have no slot.
    fn offer_with(
        &mut self,
        name: &'static str,
        fixed: &[(&str, &str)],
        slots: impl IntoIterator<Item = Slot>,
    ) -> &mut Offer<Order> {
        let [weight, notation, label] = *FORMS.get(name).expect("offers.txt has every offer");
        let weight = match weight {
            "main" => Weight::Main,
            "minor" => Weight::Minor,
            "grave" => Weight::Grave,
            _ => Weight::Usual,
        };
        let verb = notation.split([' ', '{']).next().unwrap_or_default();
        let phase: Phase = verb.parse().expect("a notation begins with the word of its phase");
        let filled = |text: &'static str| {
            let place = |text: Phrase, (name, value): &(&str, &str)| -> Phrase {
                text.replace(&format!("{{{name}}}"), value).into()
            };
            fixed.iter().fold(Phrase::from(text), place)
        };
        let key = name.split('/').next().unwrap_or(name);
        let offer = self.draft.offer(key, filled(notation), filled(label), phase.number());
        slots.into_iter().fold(offer.weighs(weight), |offer, slot| offer.slot(slot))
    }

    fn one(&mut self, values: &[ValueId]) -> Picks {
        Picks::one(self.draft.list(values.iter().copied()))
    }

    fn some(&mut self, values: &[ValueId]) -> Picks {
        let most = values.len().min(PICKS_MAX) as u32;
        Picks { most, separator: " ".into(), ..self.one(values) }
    }

    fn ship(&mut self, values: &[ValueId]) -> Slot {
        Slot::new("ship", "ship", Kind::Pieces(self.one(values)))
    }

    fn ships(&mut self, values: &[ValueId]) -> Slot {
        Slot::new("ships", "ships", Kind::Pieces(self.some(values)))
    }

    fn empires(&mut self, values: &[ValueId]) -> Slot {
        Slot::new("empires", "empires", Kind::Words(self.some(values)))
    }

    fn world(&mut self, name: &'static str, values: &[ValueId]) -> Slot {
        Slot::new(name, "world", Kind::Places(self.one(values)))
    }

    /// Makes a slot for a new name. The notation quotes the name, so a keyword is allowed.
    fn new_name(&mut self, name: &'static str, label: &'static str, taken: &[ValueId]) -> Slot {
        let free = |number: u32| format!("new{number}");
        let is_free = |text: &String| {
            let named = Name::new(text).unwrap_or_default();
            !self.lookup.has_seen_class(named) && self.lookup.ship(named).is_none()
        };
        let example = (1..=u32::from(u16::MAX)).map(free).find(is_free).unwrap_or_default();
        let taken = (!taken.is_empty()).then(|| self.draft.list(taken.iter().copied()));
        let most = LONGEST_NAME as u32;
        let (alphabet, initials) = (LETTERS.into(), "".into());
        let (least, lines, example) = (1, 1, example.into());
        let text = FreeText { least, most, alphabet, initials, lines, taken, example };
        Slot::new(name, label, Kind::Free(text))
    }

    fn place(&mut self, at: Coord) -> ValueId {
        match self.landmarks.get(&at) {
            Some(&name) => self.draft.value(word(name), ""),
            None => self.draft.value(at.to_string(), ""),
        }
    }

    /// Returns the values of names as written in orders.
    fn names(&mut self, names: impl IntoIterator<Item = Name>) -> Vec<ValueId> {
        names.into_iter().map(|name| self.draft.value(word(name), "")).collect()
    }

    fn sectors(&mut self, sectors: impl IntoIterator<Item = Coord>) -> Vec<ValueId> {
        sectors.into_iter().map(|at| self.draft.value(at.to_string(), "")).collect()
    }

    fn ships_that(&self, holds: impl Fn(usize) -> bool) -> Vec<ValueId> {
        (0..self.ships.len()).filter(|&index| holds(index)).map(|index| self.ships[index]).collect()
    }
}

/// Adds a world with its RU. Orders that cost more are legal (R40).
fn stocked(draft: &mut Draft<Order>, row: &WorldSeen) -> ValueId {
    let name = word(row.name);
    let stock = row.stockpile.map(|amount| {
        draft.stock(Stock { partial: true, ..Stock::new(name.clone(), amount, "RU") })
    });
    draft.add(Value { stock, ..Value::new(name, "") })
}

fn number(name: &'static str, label: &'static str, least: i32, most: i32) -> Slot {
    Slot::new(name, label, Kind::Number(Range::of(least..=most)))
}

fn count(name: &'static str, label: &'static str, most: u32) -> Slot {
    number(name, label, 1, i32::try_from(most).unwrap_or(i32::MAX))
}

/// Returns the lowest and highest coordinates at these distances from sectors.
fn extent(reaches: impl Iterator<Item = (Coord, i16)>) -> Option<(Coord, Coord)> {
    let corners = reaches.map(|(at, reach)| {
        let low = Coord::new(at.o.saturating_sub(reach), at.y.saturating_sub(reach));
        (low, Coord::new(at.o.saturating_add(reach), at.y.saturating_add(reach)))
    });
    corners.reduce(|(least, most), (low, high)| {
        let least = Coord::new(least.o.min(low.o), least.y.min(low.y));
        (least, Coord::new(most.o.max(high.o), most.y.max(high.y)))
    })
}

fn landmarks(lookup: &EmpireLookup<'_>) -> BTreeMap<Coord, Name> {
    let latest = lookup.chart.places();
    let mut named = BTreeMap::new();
    for (name, at) in lookup.chart.named() {
        if latest.get(&name) == Some(&at) {
            named.entry(at).or_insert(name);
        }
    }
    named
}

fn distinct(values: impl IntoIterator<Item = ValueId>) -> Vec<ValueId> {
    let mut seen = BTreeSet::new();
    values.into_iter().filter(|value| seen.insert(*value)).collect()
}
