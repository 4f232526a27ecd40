//! Ships, fleets, colonies and research.

use heliopause_kernel::Malformed;
use heliopause_proto::stellar_conquest::v1 as proto;

use super::names::{
    TECHNOLOGIES, narrow, read_nth, read_place_if, read_planet, read_seat, read_seat_if, read_ship_number,
    read_star_if, read_techs, read_word, read_word_or_first, write_if, write_nth, write_planet, write_seat_if,
    write_techs, write_word,
};
use super::{field, list, need, wrong};
use crate::cards::{Planet, PlanetId, PlanetType};
use crate::colony::{Bases, Colony, Hold, Occupation, Watch};
use crate::power::{ColonySeen, People};
use crate::research::Research;
use crate::ship::{Fleet, Hull, Load, Marker, Ship, ShipKind};
use crate::technology::{Tech, TechSet};

pub(super) const SHIP_KINDS: [(ShipKind, proto::ShipKind); 5] = [
    (ShipKind::Scout, proto::ShipKind::Scout),
    (ShipKind::Transport, proto::ShipKind::ColonyTransport),
    (ShipKind::Corvette, proto::ShipKind::Corvette),
    (ShipKind::Fighter, proto::ShipKind::Fighter),
    (ShipKind::DeathStar, proto::ShipKind::DeathStar),
];

pub(super) const PLANET_TYPES: [(PlanetType, proto::PlanetType); 4] = [
    (PlanetType::Terran, proto::PlanetType::Terran),
    (PlanetType::SubTerran, proto::PlanetType::SubTerran),
    (PlanetType::MinimalTerran, proto::PlanetType::MinimalTerran),
    (PlanetType::Barren, proto::PlanetType::Barren),
];

pub(super) const WATCHES: [(Watch, proto::Watch); 3] =
    [(Watch::Never, proto::Watch::Never), (Watch::Always, proto::Watch::Always), (Watch::Ask, proto::Watch::Ask)];

pub(super) fn read_fleet(message: Option<&proto::Fleet>) -> Result<Fleet, Malformed> {
    let Some(fleet) = message else { return Ok(Fleet::NONE) };
    let counts = [fleet.scouts, fleet.colony_transports, fleet.corvettes, fleet.fighters, fleet.death_stars];
    if counts.iter().any(|&count| count as usize > super::ROWS_MAX) {
        return wrong("there are too many ships");
    }
    Ok(Fleet::new(counts))
}

pub(super) fn write_fleet(fleet: Fleet) -> proto::Fleet {
    let [scouts, colony_transports, corvettes, fighters, death_stars] = fleet.counts();
    proto::Fleet { scouts, colony_transports, corvettes, fighters, death_stars }
}

fn read_load(message: Option<&proto::Load>) -> Result<Load, Malformed> {
    let Some(load) = message else { return Ok(Load::default()) };
    let from = load.origin.as_ref().map(|from| field("origin", read_planet(Some(from)))).transpose()?;
    Ok(Load { cet: load.cet, from, captives_of: field("captives_of", read_seat_if(load.captives_of))? })
}

fn write_load(load: Load) -> proto::Load {
    proto::Load { cet: load.cet, origin: load.from.map(write_planet), captives_of: write_seat_if(load.captives_of) }
}

fn read_hull(message: &proto::Ship) -> Result<Hull, Malformed> {
    let kind = field("kind", read_word(&SHIP_KINDS, message.kind))?;
    if kind != ShipKind::Transport && message.load.is_some() {
        return field("load", wrong("only colony transports carry anything"));
    }
    Ok(match kind {
        ShipKind::Scout => Hull::Scout,
        ShipKind::Transport => Hull::Transport(field("load", read_load(message.load.as_ref()))?),
        ShipKind::Corvette => Hull::Corvette,
        ShipKind::Fighter => Hull::Fighter,
        ShipKind::DeathStar => Hull::DeathStar,
    })
}

/// A task force; 0 is none.
pub(super) fn read_marker(number: u32) -> Result<Option<Marker>, Malformed> {
    match Marker::numbered(number) {
        None if number > 0 => wrong("task forces are numbered from 1 to 15"),
        marker => Ok(marker),
    }
}

pub(super) fn write_marker(marker: Option<Marker>) -> u32 {
    marker.map_or(0, Marker::number)
}

pub(super) fn read_ship(message: &proto::Ship) -> Result<Ship, Malformed> {
    Ok(Ship {
        number: field("number", read_ship_number(message.number))?,
        hull: read_hull(message)?,
        at: field("at", read_place_if(&message.at))?,
        marker: field("task_force", read_marker(message.task_force))?,
        destination: field("destination", read_star_if(&message.destination))?,
        departed: field("departed", read_star_if(&message.departed))?,
        steps: field("steps", narrow(message.steps))?,
        halted: message.halted,
    })
}

pub(super) fn write_ship(ship: &Ship) -> proto::Ship {
    proto::Ship {
        number: ship.number.0,
        kind: write_word(&SHIP_KINDS, ship.kind()),
        load: ship.load().map(write_load),
        at: write_if(ship.at),
        task_force: write_marker(ship.marker),
        destination: write_if(ship.destination),
        departed: write_if(ship.departed),
        steps: u32::from(ship.steps),
        halted: ship.halted,
    }
}

pub(super) fn read_bases(message: Option<&proto::Bases>) -> Bases {
    message.map_or(Bases::NONE, |bases| Bases { missile: bases.missile_bases, advanced: bases.advanced_missile_bases })
}

pub(super) fn write_bases(bases: Bases) -> proto::Bases {
    proto::Bases { missile_bases: bases.missile, advanced_missile_bases: bases.advanced }
}

fn read_hold(message: &proto::Colony) -> Result<Hold, Malformed> {
    let conqueror = field("conqueror", read_seat_if(message.conqueror))?;
    match (proto::Hold::try_from(message.hold), conqueror) {
        (Ok(proto::Hold::Free | proto::Hold::Unspecified), None) => Ok(Hold::Free),
        (Ok(proto::Hold::Besieged), None) => Ok(Hold::Besieged),
        (Ok(proto::Hold::Occupied), Some(by)) => Ok(Hold::Occupied(Occupation { by, waits: message.waits })),
        _ => field("hold", wrong("a colony is free, besieged, or occupied by a conqueror")),
    }
}

fn write_hold(hold: Hold) -> (proto::Hold, Option<Occupation>) {
    match hold {
        Hold::Free => (proto::Hold::Free, None),
        Hold::Besieged => (proto::Hold::Besieged, None),
        Hold::Occupied(occupation) => (proto::Hold::Occupied, Some(occupation)),
    }
}

/// The planet as the message describes it.
fn read_world(message: &proto::Colony) -> Result<Planet, Malformed> {
    Ok(Planet {
        orbit: field("orbit", narrow(message.orbit))?,
        kind: field("planet_type", read_word(&PLANET_TYPES, message.planet_type))?,
        capacity: field("capacity", narrow(message.capacity))?,
        mineral_rich: message.mineral_rich,
    })
}

/// A colony. What its planet is like is taken from its star's card where that is known, else from the message.
pub(super) fn read_colony(
    message: Option<&proto::Colony>,
    world: &dyn Fn(PlanetId) -> Option<Planet>,
) -> Result<Colony, Malformed> {
    let message = need(message)?;
    let planet = field("planet", read_planet(message.planet.as_ref()))?;
    let known = world(planet);
    Ok(Colony {
        planet,
        world: known.map_or_else(|| read_world(message), Ok)?,
        population: field("population", narrow(message.population))?,
        subjects: field("subjects", narrow(message.subjects))?,
        factories: message.factories,
        bases: read_bases(message.bases.as_ref()),
        shield: message.shield,
        hold: read_hold(message)?,
        watch: field("watch", read_word_or_first(&WATCHES, message.watch))?,
        founded: field("founded", narrow(message.founded))?,
        grown: field("grown", narrow(message.grown))?,
    })
}

pub(super) fn write_colony(colony: &Colony) -> proto::Colony {
    let (hold, occupation) = write_hold(colony.hold);
    proto::Colony {
        planet: Some(write_planet(colony.planet)),
        population: u32::from(colony.population),
        subjects: u32::from(colony.subjects),
        factories: colony.factories,
        bases: Some(write_bases(colony.bases)),
        shield: colony.shield,
        hold: hold.into(),
        conqueror: write_seat_if(occupation.map(|occupation| occupation.by)),
        waits: occupation.is_some_and(|occupation| occupation.waits),
        watch: write_word(&WATCHES, colony.watch),
        founded: u32::from(colony.founded),
        grown: u32::from(colony.grown),
        planet_type: write_word(&PLANET_TYPES, colony.world.kind),
        capacity: u32::from(colony.world.capacity),
        mineral_rich: colony.world.mineral_rich,
        orbit: u32::from(colony.world.orbit),
    }
}

/// What was found out of somebody's colony, with the planet's place on the card.
pub(super) fn read_seen(message: &proto::ColonySeen) -> Result<(u8, ColonySeen), Malformed> {
    let seen = ColonySeen {
        owner: field("owner", read_seat(message.owner))?,
        conqueror: field("conqueror", read_seat_if(message.conqueror))?,
        shield: message.shield,
        bases: message.bases.as_ref().map(|bases| read_bases(Some(bases))),
        people: message.people.map(|people| field("people", read_people(people))).transpose()?,
        turn: field("turn", narrow(message.turn))?,
    };
    Ok((field("number", read_nth(message.number))?, seen))
}

pub(super) fn write_seen(nth: u8, seen: &ColonySeen) -> proto::ColonySeen {
    proto::ColonySeen {
        number: write_nth(nth),
        owner: seen.owner.number(),
        conqueror: write_seat_if(seen.conqueror),
        shield: seen.shield,
        bases: seen.bases.map(write_bases),
        people: seen.people.map(write_people),
        turn: u32::from(seen.turn),
    }
}

fn read_people(message: proto::People) -> Result<People, Malformed> {
    Ok(People { millions: field("millions", narrow(message.millions))?, factories: message.factories })
}

fn write_people(people: People) -> proto::People {
    proto::People { millions: u32::from(people.millions), factories: people.factories }
}

pub(super) fn read_research(message: Option<&proto::Research>) -> Result<Research, Malformed> {
    let Some(message) = message else { return Ok(Research::default()) };
    let owned: TechSet = read_techs("owned", &message.owned)?.into_iter().collect();
    let read = |payment: &proto::Payment| -> Result<(Tech, u32), Malformed> {
        Ok((field("technology", read_word(&TECHNOLOGIES, payment.technology))?, payment.points))
    };
    let payments = list("payments", &message.payments, Tech::COUNT, read)?;
    match Research::restore(owned, payments) {
        Some(research) => Ok(research),
        None => field("payments", wrong("each is into another technology that is not owned, and less than its cost")),
    }
}

pub(super) fn write_research(research: &Research) -> proto::Research {
    let payment = |(tech, points): (Tech, u32)| proto::Payment { technology: write_word(&TECHNOLOGIES, tech), points };
    proto::Research { owned: write_techs(research.owned.iter()), payments: research.payments().map(payment).collect() }
}
