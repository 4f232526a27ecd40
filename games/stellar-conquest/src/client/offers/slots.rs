//! Slots, values and headings shared by offers.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use heliopause_kernel::listed;
use heliopause_kernel::offer::{Draft, Kind, Offer, Picks, Range, Slot, Value, ValueId, Weight};

use crate::client::choices::kinds::Choices;
use crate::client::describe::words::count;
use crate::client::notation::notate;
use crate::client::notation::words::write_ships;
use crate::state::{Order, SeatView, ShipNumber};
use crate::tables::texts::{Values, fill, table};
use crate::tables::{Place, PlanetId, ShipKind, StarId};

/// The rows of `offers.tsv`: weight, rule, title, notation and label of each offer.
static OFFERS: LazyLock<BTreeMap<&str, [&str; 5]>> =
    LazyLock::new(|| table(include_str!("offers.tsv")));

/// Adds the offer of a row of `offers.tsv`, such as by `offer!(draft, "attack", at = star)`. A word
/// after a slash tells offers with the same key apart. Names without a value are slots.
macro_rules! offer {
    ($draft:ident, $key:expr $(, $name:ident $(= $value:expr)?)* $(,)?) => {
        $crate::client::offers::slots::add_offer(
            $draft,
            $key,
            $crate::tables::texts::values![$(, $name $(= $value)?)*],
        )
    };
}
pub(crate) use offer;

pub(crate) fn add_offer<'d>(
    draft: &'d mut Draft<Order>,
    key: &'static str,
    values: Values<'_>,
) -> &'d mut Offer<Order> {
    let [weight, rule, title, notation, label] = OFFERS[key];
    let [notation, label] = [notation, label].map(|template| fill(template, values));
    let offer = draft.offer(key.split('/').next().unwrap_or_default(), notation, label, rule);
    if !title.is_empty() {
        offer.titled(title);
    }
    offer.weighs(weight_named(weight))
}

pub(crate) fn weight_named(name: &str) -> Weight {
    match name {
        "Main" => Weight::Main,
        "Minor" => Weight::Minor,
        "End" => Weight::End,
        "Grave" => Weight::Grave,
        _ => Weight::Usual,
    }
}

/// Adds the listed orders that have a heading.
pub(crate) fn offer_listed(draft: &mut Draft<Order>, choices: &Choices) {
    for listed in choices.listed.iter().filter(|listed| !listed.heading.is_empty()) {
        draft.group(listed.heading);
        let label = listed.label.trim_end_matches('.').to_owned();
        let key = listed.key.split('/').next().unwrap_or_default();
        let offer = draft.offer(key, notate(&listed.order), label, listed.rule);
        offer.weighs(weight_named(listed.weight)).is(listed.order.clone());
    }
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

/// Returns a slot for a number of i.p. or of items that cost 1 i.p. each.
pub(crate) fn points_slot(asked: &'static str, least: u32, most: u32) -> Slot {
    let points = Range { cost: 1, ..Range::of(signed(least)..=signed(most)) };
    Slot::new("number", asked, Kind::Number(points))
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
        let named = Value::new(number.to_string(), format!("{kind}{}", number.0));
        draft.add(Value { note: kind.to_owned(), ..named })
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
        const CHARS_MAX: usize = 60;
        if ships.len() < 2 {
            return "which".to_owned();
        }
        let mut kinds: BTreeMap<ShipKind, Vec<ShipNumber>> = BTreeMap::new();
        for ship in ships.iter().filter_map(|&number| self.power.ship(number)) {
            kinds.entry(ship.kind()).or_default().push(ship.number);
        }
        let by_type = |with_numbers: bool| {
            let one = |(kind, ships): (&ShipKind, &Vec<ShipNumber>)| {
                let counted = count(ships.len(), kind.as_str(), &format!("{kind}s"));
                if with_numbers { format!("{counted} ({})", write_ships(ships)) } else { counted }
            };
            listed(&kinds.iter().map(one).collect::<Vec<_>>())
        };
        let of = [by_type(true), by_type(false), format!("{} ships", ships.len())];
        let fits = |prompt: &&String| prompt.len() <= CHARS_MAX;
        format!("which of {}", of.iter().find(fits).unwrap_or(&of[2]))
    }
}
