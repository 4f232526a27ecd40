//! A seat's private state in wire format.

use heliopause_kernel::wire::{Part, Read, Result, inside};
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::state::Power;
use crate::state::chart::charts;
use crate::tables::{CardId, PlanetId, STAR_COUNT, StarId};

/// Reads a seat's private state. Derived values may be missing and lists unsorted. The check of the
/// whole state finds duplicates. `cards` contains the cards that the caller knows, by star.
pub(super) fn read(message: &proto::Power, cards: &[Option<CardId>; STAR_COUNT]) -> Result<Power> {
    // Cards missing in `cards` come from the seat's charts.
    let charts = inside("charts", charts::read(&message.charts))?;
    let card = |star: StarId| cards[star.index()].or(charts[star.index()].card);
    let mut power = Power::read(&filled_in(message.clone(), &card))?;
    power.ships.sort_by_key(|ship| ship.number);
    power.colonies.sort_by_key(|colony| colony.planet);
    power.conquered_colonies.sort_by_key(|prize| prize.colony.planet);
    power.sightings.sort_by_key(|seen| (seen.at, seen.of));
    Ok(power)
}

/// Fills in optional values: data of planets with known cards, and the next numbers.
fn filled_in(mut message: proto::Power, card: &dyn Fn(StarId) -> Option<CardId>) -> proto::Power {
    let prizes = message.conquered_colonies.iter_mut().filter_map(|prize| prize.colony.as_mut());
    for colony in message.colonies.iter_mut().chain(prizes) {
        let planet = PlanetId::read(&colony.planet);
        if let Some(world) = planet.ok().and_then(|planet| planet.on(card(planet.star)?)) {
            world.write_part(colony);
        }
    }
    let next = |number: u32| number.saturating_add(1);
    if message.next_ship == 0 {
        message.next_ship = next(message.ships.iter().map(|ship| ship.number).max().unwrap_or(0));
    }
    if message.next_colony == 0 {
        message.next_colony =
            message.colonies.iter().map(|colony| next(colony.founded)).max().unwrap_or(0);
    }
    message
}
