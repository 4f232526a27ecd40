//! What one seat alone has and knows.

use heliopause_kernel::wire::{Part, Read, Result, Write, field, inside, rows};
use heliopause_proto::stellar_conquest::v1 as proto;

use super::numbers::nth;
use crate::state::power::{Chart, ColonySeen, Power};
use crate::tables::cards::{CardId, PlanetId};
use crate::tables::stars::{PLANETS_MAX, STAR_COUNT, StarId};

/// A colony of somebody else, and its place on the card.
struct Seen(u8, ColonySeen);

impl Read<proto::ColonySeen> for Seen {
    fn read(message: &proto::ColonySeen) -> Result<Self> {
        Ok(Self(inside("number", nth::read(&message.number))?, Read::read(message)?))
    }
}

/// Colonies of others at one star, by their place on the card.
pub(crate) mod survey {
    use super::*;

    pub(crate) fn read(message: &[proto::ColonySeen]) -> Result<[Option<ColonySeen>; PLANETS_MAX]> {
        let mut colonies = [None; PLANETS_MAX];
        for Seen(nth, seen) in rows(message, PLANETS_MAX)? {
            colonies[usize::from(nth)] = Some(seen);
        }
        Ok(colonies)
    }

    pub(crate) fn write(colonies: &[Option<ColonySeen>; PLANETS_MAX]) -> Vec<proto::ColonySeen> {
        let seen = |(number, seen): (u32, &Option<ColonySeen>)| -> Option<proto::ColonySeen> {
            Some(proto::ColonySeen { number, ..seen.as_ref()?.write() })
        };
        (1..).zip(colonies).filter_map(seen).collect()
    }
}

/// What is known of the stars of which anything is.
pub(crate) mod charts {
    use super::*;

    type Charts = Box<[Chart; STAR_COUNT]>;

    /// A star and what is known of it.
    struct Row(StarId, Chart);

    impl Read<proto::Chart> for Row {
        fn read(message: &proto::Chart) -> Result<Self> {
            Ok(Self(field("star", &message.star)?, Read::read(message)?))
        }
    }

    pub(crate) fn read(message: &[proto::Chart]) -> Result<Charts> {
        let mut charts = Box::new([Chart::default(); STAR_COUNT]);
        rows(message, STAR_COUNT)?
            .into_iter()
            .for_each(|Row(star, chart)| charts[star.index()] = chart);
        Ok(charts)
    }

    pub(crate) fn write(charts: &Charts) -> Vec<proto::Chart> {
        let known = StarId::ALL
            .into_iter()
            .zip(charts.iter())
            .filter(|&(_, chart)| *chart != Chart::default());
        let write = |(star, chart): (StarId, &Chart)| {
            let planets =
                chart.card.map_or(&[][..], CardId::planets).iter().map(Write::write).collect();
            proto::Chart { star: star.write(), planets, ..chart.write() }
        };
        known.map(write).collect()
    }
}

/// A seat's own part. What follows from the rest may be left out, and what is sorted may stand in
/// any order, so that positions can be written by hand; what is named twice is found by the check
/// of the whole state. `cards` are those of the stars, as far as they are known from elsewhere.
pub(super) fn read(message: &proto::Power, cards: &[Option<CardId>; STAR_COUNT]) -> Result<Power> {
    // A seat that is not told all cards knows its own from its charts.
    let charts = inside("charts", charts::read(&message.charts))?;
    let card = |star: StarId| cards[star.index()].or(charts[star.index()].card);
    let mut power = Power::read(&filled_in(message.clone(), &card))?;
    power.ships.sort_by_key(|ship| ship.number);
    power.colonies.sort_by_key(|colony| colony.planet);
    power.prizes.sort_by_key(|prize| prize.colony.planet);
    power.sightings.sort_by_key(|seen| (seen.at, seen.of));
    Ok(power)
}

/// What may be left out: what planets are like whose cards are known, and the next numbers.
fn filled_in(mut message: proto::Power, card: &dyn Fn(StarId) -> Option<CardId>) -> proto::Power {
    let prizes = message.prizes.iter_mut().filter_map(|prize| prize.colony.as_mut());
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
