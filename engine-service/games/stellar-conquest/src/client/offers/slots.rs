//! Slots and values that offers share.

use heliopause_kernel::offer::{Draft, Kind, Picks, Range, Slot, ValueId, Weight};

use crate::client::notation::write::write_ships;
use crate::state::order::Order;
use crate::state::power::Eyes;
use crate::state::ship::ShipNumber;
use crate::tables::board::Place;
use crate::tables::cards::PlanetId;
use crate::tables::stars::StarId;

/// The heading of what ends a step or a turn.
pub(crate) const THE_TURN: &str = "The turn";

/// How an order that stands by itself is shown.
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

/// Several of these stars.
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

/// Slots count in signed numbers.
pub(crate) fn signed(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

pub(crate) fn place_name(at: Place) -> String {
    StarId::in_hex(at).map_or_else(|| at.to_string(), |star| format!("{star} ({at})"))
}

pub(crate) fn write_planet(planet: PlanetId) -> String {
    format!("{} {}", planet.star, planet.nth + 1)
}

pub(crate) fn colony_name(planet: PlanetId) -> String {
    format!("Colony on planet {} of {}", planet.nth + 1, planet.star)
}

/// The heading of ships that stand together.
pub(crate) fn heading(at: Option<Place>) -> String {
    at.map_or_else(|| "Ships off the board".to_owned(), |at| format!("Ships at {}", place_name(at)))
}

/// One or several of a list.
pub(crate) fn several(draft: &mut Draft<Order>, values: Vec<ValueId>, least: u32) -> Picks {
    let (most, list) = (values.len() as u32, draft.list(values));
    Picks { list, least, most, separator: " ".into() }
}

/// Words of which several can be taken.
pub(crate) fn words(name: &'static str, asked: &'static str, picks: Picks) -> Slot {
    Slot::new(name, asked, Kind::Words(picks))
}

/// Several numbers in one place.
pub(crate) fn shares_slot(
    name: &'static str,
    asked: &'static str,
    shares: heliopause_kernel::offer::Shares,
) -> Slot {
    Slot::new(name, asked, Kind::Shares(shares))
}

impl Eyes<'_> {
    fn ship_value(&self, draft: &mut Draft<Order>, number: ShipNumber) -> ValueId {
        let kind = self.power.ship(number).map_or("", |ship| ship.kind().letters());
        draft.value(number.to_string(), format!("{kind}{}", number.0))
    }

    /// So many of these ships.
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
        Slot::new(name, which_of(ships), Kind::Pieces(picks))
    }

    /// Any of these ships, at least one.
    pub(crate) fn any_ships(&self, draft: &mut Draft<Order>, ships: &[ShipNumber]) -> Slot {
        self.ships_slot(draft, "ships", ships, 1, ships.len() as u32)
    }
}

/// What is asked for: which of these ships, where they can be named in few words. Offers of the
/// same hex differ by it.
fn which_of(ships: &[ShipNumber]) -> String {
    const CHARS_MAX: usize = 24;
    let named = write_ships(ships);
    if ships.len() > 1 && named.len() <= CHARS_MAX {
        format!("which of {named}")
    } else {
        "which".to_owned()
    }
}
