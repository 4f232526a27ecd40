//! Slots, values and headings shared by offers.

use std::collections::BTreeMap;

use heliopause_kernel::offer::{Draft, Kind, Picks, Range, Slot, ValueId, Weight};

pub(super) use crate::client::notation::write::write_planet;
use crate::client::notation::write::write_ships;
use crate::state::{Order, SeatView, ShipNumber};
use crate::tables::{Place, PlanetId, StarId};

pub(crate) const TURN_HEADING: &str = "The turn";

pub(crate) struct Named {
    pub(super) key: &'static str,
    pub(super) heading: &'static str,
    pub(super) weight: Weight,
}

pub(crate) fn named(key: &'static str, heading: &'static str, weight: Weight) -> Named {
    Named { key, heading, weight }
}

pub(crate) fn star_value(draft: &mut Draft<Order>, star: StarId) -> ValueId {
    draft.value(star.as_str(), "")
}

pub(crate) fn star_slot(
    draft: &mut Draft<Order>,
    name: &'static str,
    asked: &'static str,
    stars: &[StarId],
) -> Slot {
    let values: Vec<ValueId> = stars.iter().map(|&star| star_value(draft, star)).collect();
    draft.place(name, asked, values)
}

pub(crate) fn stars_slot(draft: &mut Draft<Order>, stars: &[StarId]) -> Slot {
    let values: Vec<ValueId> = stars.iter().map(|&star| star_value(draft, star)).collect();
    let (most, list) = (values.len() as u32, draft.list(values));
    Slot::new("stars", "where", Kind::Places(Picks { list, least: 1, most, separator: " ".into() }))
}

pub(crate) fn place_value(draft: &mut Draft<Order>, at: Place) -> ValueId {
    draft.value(at.to_string(), place_name(at))
}

pub(crate) fn place_slot(
    draft: &mut Draft<Order>,
    asked: &'static str,
    places: impl IntoIterator<Item = Place>,
) -> Slot {
    let values: Vec<ValueId> = places.into_iter().map(|at| place_value(draft, at)).collect();
    draft.place("place", asked, values)
}

pub(crate) fn number_slot(asked: &'static str, least: u32, most: u32) -> Slot {
    Slot::new("number", asked, Kind::Number(Range::of(signed(least)..=signed(most))))
}

pub(crate) fn signed(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

pub(crate) fn place_name(at: Place) -> String {
    StarId::in_hex(at).map_or_else(|| at.to_string(), |star| format!("{star} ({at})"))
}

pub(crate) fn colony_name(planet: PlanetId) -> String {
    format!("Colony on {planet}")
}

pub(crate) fn heading(at: Option<Place>) -> String {
    at.map_or_else(|| "Ships off the board".to_owned(), |at| format!("Ships at {}", place_name(at)))
}

pub(crate) fn several(draft: &mut Draft<Order>, values: Vec<ValueId>, least: u32) -> Picks {
    let (most, list) = (values.len() as u32, draft.list(values));
    Picks { list, least, most, separator: " ".into() }
}

pub(crate) fn words(name: &'static str, asked: &'static str, picks: Picks) -> Slot {
    Slot::new(name, asked, Kind::Words(picks))
}

pub(crate) fn shares_slot(
    name: &'static str,
    asked: &'static str,
    shares: heliopause_kernel::offer::Shares,
) -> Slot {
    Slot::new(name, asked, Kind::Shares(shares))
}

impl SeatView<'_> {
    fn ship_value(&self, draft: &mut Draft<Order>, number: ShipNumber) -> ValueId {
        let kind = self.power.ship(number).map_or("", |ship| ship.kind().letters());
        draft.noted(number.to_string(), format!("{kind}{}", number.0), kind)
    }

    pub(crate) fn ships_slot(
        &self,
        draft: &mut Draft<Order>,
        name: &'static str,
        ships: &[ShipNumber],
        least: u32,
        most: u32,
    ) -> Slot {
        let values: Vec<ValueId> =
            ships.iter().map(|&number| self.ship_value(draft, number)).collect();
        let list = draft.list(values);
        let picks = Picks { list, least, most, separator: ",".into() };
        Slot::new(name, self.ships_prompt(ships), Kind::Pieces(picks))
    }

    pub(crate) fn any_ships(&self, draft: &mut Draft<Order>, ships: &[ShipNumber]) -> Slot {
        self.ships_slot(draft, "ships", ships, 1, ships.len() as u32)
    }

    /// Returns the prompt of a slot: the number of ships of each type, with their numbers if they
    /// are few.
    fn ships_prompt(&self, ships: &[ShipNumber]) -> String {
        const CHARS_MAX: usize = 40;
        if ships.len() < 2 {
            return "which".to_owned();
        }
        let mut kinds: BTreeMap<&str, Vec<ShipNumber>> = BTreeMap::new();
        for &number in ships {
            let kind = self.power.ship(number).map_or("", |ship| ship.kind().letters());
            kinds.entry(kind).or_default().push(number);
        }
        let listed = |with_numbers: bool| {
            let one = |(kind, ships): (&&str, &Vec<ShipNumber>)| {
                let numbers =
                    if with_numbers { format!(" {}", write_ships(ships)) } else { String::new() };
                format!("{}{kind}{numbers}", ships.len())
            };
            kinds.iter().map(one).collect::<Vec<_>>().join(", ")
        };
        let named = listed(true);
        let prompt = if named.len() <= CHARS_MAX { named } else { listed(false) };
        format!("which of {prompt}")
    }
}
