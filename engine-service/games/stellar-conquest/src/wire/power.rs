//! What one seat alone has and knows.

use heliopause_kernel::Malformed;
use heliopause_proto::stellar_conquest::v1 as proto;

use super::board::{
    PLANET_TYPES, read_colony, read_fleet, read_research, read_seen, read_ship, write_colony, write_fleet,
    write_research, write_seen, write_ship,
};
use super::names::{
    narrow, read_place, read_planet, read_seat, read_ship_numbers, read_star, read_stars, read_techs, write_names,
    write_planet, write_ship_numbers, write_techs, write_word,
};
use super::sheet::{read_sheet, read_standing, write_sheet, write_standing};
use super::{ROWS_MAX, field, list, need, wrong};
use crate::cards::{CardId, PLANETS_MAX, Planet, PlanetId};
use crate::power::{Chart, ColonySeen, Glimpse, Power, Prize, Sighting};
use crate::ship::ShipNumber;
use crate::stars::{STAR_COUNT, StarId};

/// A card's number; 0 is none.
pub(super) fn read_card_if(number: u32) -> Result<Option<CardId>, Malformed> {
    if number == 0 { Ok(None) } else { read_card(number).map(Some) }
}

pub(super) fn read_card(number: u32) -> Result<CardId, Malformed> {
    CardId::numbered(number).map_or_else(|| wrong("cards are numbered from 1 to 78"), Ok)
}

/// Colonies of others at one star, by their place on the card.
pub(super) fn read_survey(
    name: &str,
    messages: &[proto::ColonySeen],
) -> Result<[Option<ColonySeen>; PLANETS_MAX], Malformed> {
    let mut colonies = [None; PLANETS_MAX];
    for (nth, seen) in list(name, messages, PLANETS_MAX, read_seen)? {
        colonies[usize::from(nth)] = Some(seen);
    }
    Ok(colonies)
}

pub(super) fn write_survey(colonies: &[Option<ColonySeen>; PLANETS_MAX]) -> Vec<proto::ColonySeen> {
    let all = colonies.iter().enumerate();
    all.filter_map(|(nth, seen)| seen.as_ref().map(|seen| write_seen(nth as u8, seen))).collect()
}

fn write_card_planet(planet: Planet) -> proto::CardPlanet {
    proto::CardPlanet {
        orbit: u32::from(planet.orbit),
        r#type: write_word(&PLANET_TYPES, planet.kind),
        capacity: u32::from(planet.capacity),
        mineral_rich: planet.mineral_rich,
    }
}

fn read_chart(message: &proto::Chart) -> Result<(StarId, Chart), Malformed> {
    let star = field("star", read_star(&message.star))?;
    let card = field("card", read_card_if(message.card))?;
    Ok((star, Chart { card, colonies: read_survey("colonies", &message.colonies)? }))
}

/// A chart; nothing for a star of which nothing is known.
fn write_chart(star: StarId, chart: &Chart) -> Option<proto::Chart> {
    let planets = chart.card.map_or(&[][..], CardId::planets);
    (*chart != Chart::default()).then(|| proto::Chart {
        star: star.to_string(),
        card: chart.card.map_or(0, CardId::number),
        planets: planets.iter().copied().map(write_card_planet).collect(),
        colonies: write_survey(&chart.colonies),
    })
}

fn read_charts(messages: &[proto::Chart]) -> Result<Box<[Chart; STAR_COUNT]>, Malformed> {
    let mut charts = Box::new([Chart::default(); STAR_COUNT]);
    for (star, chart) in list("charts", messages, STAR_COUNT, read_chart)? {
        charts[star.index()] = chart;
    }
    Ok(charts)
}

pub(super) fn read_sighting(message: Option<&proto::Sighting>) -> Result<Sighting, Malformed> {
    let message = need(message)?;
    Ok(Sighting {
        at: field("at", read_place(&message.at))?,
        of: field("seat", read_seat(message.seat))?,
        fleet: field("fleet", read_fleet(message.fleet.as_ref()))?,
        turn: field("turn", narrow(message.turn))?,
    })
}

pub(super) fn write_sighting(sighting: &Sighting) -> proto::Sighting {
    proto::Sighting {
        at: sighting.at.to_string(),
        seat: sighting.of.number(),
        fleet: Some(write_fleet(sighting.fleet)),
        turn: u32::from(sighting.turn),
    }
}

pub(super) fn read_glimpse(message: Option<&proto::Glimpse>) -> Result<Glimpse, Malformed> {
    let message = need(message)?;
    Ok(Glimpse {
        number: message.number,
        star: field("star", read_star(&message.star))?,
        of: field("seat", read_seat(message.seat))?,
        turn: field("turn", narrow(message.turn))?,
    })
}

pub(super) fn write_glimpse(glimpse: Glimpse) -> proto::Glimpse {
    proto::Glimpse {
        number: glimpse.number,
        star: glimpse.star.to_string(),
        seat: glimpse.of.number(),
        turn: u32::from(glimpse.turn),
    }
}

pub(super) fn read_killed(message: Option<&proto::Killed>) -> Result<(StarId, u16), Malformed> {
    let message = need(message)?;
    Ok((field("star", read_star(&message.star))?, field("millions", narrow(message.millions))?))
}

pub(super) fn write_killed((star, millions): (StarId, u16)) -> proto::Killed {
    proto::Killed { star: star.to_string(), millions: u32::from(millions) }
}

/// What planets are like, where that is known from the cards of their stars.
type Worlds<'a> = &'a dyn Fn(PlanetId) -> Option<Planet>;

/// A seat's own part. What is sorted is sorted here, so that positions can be written by hand in any order; what is named
/// twice is found by the check of the whole state.
pub(super) fn read(message: &proto::Power, worlds: Worlds<'_>) -> Result<Power, Malformed> {
    let charts = read_charts(&message.charts)?;
    // A seat that is not told all cards knows its own from its charts.
    let world = |planet: PlanetId| worlds(planet).or_else(|| planet.on(charts[planet.star.index()].card?).copied());
    let colony = |colony: &proto::Colony| read_colony(Some(colony), &world);
    let read_prize = |prize: &proto::Prize| -> Result<Prize, Malformed> {
        let owner = field("owner", read_seat(prize.owner))?;
        Ok(Prize { owner, colony: field("colony", read_colony(prize.colony.as_ref(), &world))? })
    };
    let mut ships = list("ships", &message.ships, ROWS_MAX, read_ship)?;
    ships.sort_by_key(|ship| ship.number);
    let mut colonies = list("colonies", &message.colonies, PlanetId::COUNT, colony)?;
    colonies.sort_by_key(|colony| colony.planet);
    let mut prizes = list("prizes", &message.prizes, PlanetId::COUNT, read_prize)?;
    prizes.sort_by_key(|prize| prize.colony.planet);
    let mut sightings = list("sightings", &message.sightings, ROWS_MAX, |seen| read_sighting(Some(seen)))?;
    sightings.sort_by_key(|seen| (seen.at, seen.of));
    let after = ships.last().map_or(1, |ship| ship.number.0.saturating_add(1));
    let next_colony: u16 = field("next_colony", narrow(message.next_colony))?;
    let youngest = colonies.iter().map(|colony| colony.founded.saturating_add(1)).max().unwrap_or(0);
    Ok(Power {
        next_ship: ShipNumber(if message.next_ship == 0 { after } else { message.next_ship }),
        next_colony: if next_colony == 0 { youngest } else { next_colony },
        ships,
        colonies,
        prizes,
        research: field("research", read_research(message.research.as_ref()))?,
        grant: message.grant,
        charts,
        sightings,
        glimpses: list("glimpses", &message.glimpses, ROWS_MAX, |glimpse| read_glimpse(Some(glimpse)))?,
        standing: field("standing_orders", read_standing(message.standing_orders.as_ref()))?,
        sheet: field("sheet", read_sheet(message.sheet.as_ref()))?,
        engaged: read_ship_numbers("engaged", &message.engaged)?,
        landing: message.landing,
        attacked: read_stars("attacked", &message.attacked)?,
        killed: list("killed", &message.killed, STAR_COUNT, |killed| read_killed(Some(killed)))?,
        faltered: list("faltered", &message.faltered, PlanetId::COUNT, |planet| read_planet(Some(planet)))?,
        repelled: list("repelled", &message.repelled, PlanetId::COUNT, |planet| read_planet(Some(planet)))?,
        agenda: read_techs("agenda", &message.agenda)?,
    })
}

pub(super) fn write(power: &Power) -> proto::Power {
    let prize = |prize: &Prize| proto::Prize { owner: prize.owner.number(), colony: Some(write_colony(&prize.colony)) };
    proto::Power {
        ships: power.ships.iter().map(write_ship).collect(),
        next_ship: power.next_ship.0,
        colonies: power.colonies.iter().map(write_colony).collect(),
        next_colony: u32::from(power.next_colony),
        prizes: power.prizes.iter().map(prize).collect(),
        research: Some(write_research(&power.research)),
        grant: power.grant,
        charts: StarId::all().filter_map(|star| write_chart(star, power.chart(star))).collect(),
        sightings: power.sightings.iter().map(write_sighting).collect(),
        glimpses: power.glimpses.iter().copied().map(write_glimpse).collect(),
        standing_orders: Some(write_standing(power.standing)),
        sheet: write_sheet(&power.sheet),
        engaged: write_ship_numbers(&power.engaged),
        landing: power.landing,
        killed: power.killed.iter().copied().map(write_killed).collect(),
        attacked: write_names(&power.attacked),
        faltered: power.faltered.iter().copied().map(write_planet).collect(),
        repelled: power.repelled.iter().copied().map(write_planet).collect(),
        agenda: write_techs(power.agenda.iter().copied()),
    }
}
