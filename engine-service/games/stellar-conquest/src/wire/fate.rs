//! What The Fate of Empire adds.

use heliopause_kernel::Malformed;
use heliopause_proto::stellar_conquest::v1 as proto;
use proto::fate_event::Kind;

use super::board::{SHIP_KINDS, read_fleet, write_fleet};
use super::names::{
    narrow, read_die, read_place, read_planet, read_seat, read_star, read_word, read_word_or_first, write_planet,
    write_word,
};
use super::{ROWS_MAX, field, list, need, wrong};
use crate::board::Direction;
use crate::campaign::fate::score::Score;
use crate::campaign::fate::tables::{Cell, RandomEvent};
use crate::campaign::{Fate, FateEvent, Level};
use crate::cards::PlanetId;

const EVENTS: [(RandomEvent, proto::RandomEvent); 10] = [
    (RandomEvent::None, proto::RandomEvent::Unspecified),
    (RandomEvent::Cadres, proto::RandomEvent::Cadres),
    (RandomEvent::Corvettes, proto::RandomEvent::Corvettes),
    (RandomEvent::Scouts, proto::RandomEvent::Scouts),
    (RandomEvent::SubProvince, proto::RandomEvent::SubProvince),
    (RandomEvent::Tension, proto::RandomEvent::Tension),
    (RandomEvent::LimitedWar, proto::RandomEvent::LimitedWar),
    (RandomEvent::FullWar, proto::RandomEvent::FullWar),
    (RandomEvent::Peace, proto::RandomEvent::Peace),
    (RandomEvent::Swarms, proto::RandomEvent::Swarms),
];

pub(super) const LEVELS: [(Level, proto::VictoryLevel); 4] = [
    (Level::Defeat, proto::VictoryLevel::Defeat),
    (Level::Marginal, proto::VictoryLevel::Marginal),
    (Level::Substantial, proto::VictoryLevel::Substantial),
    (Level::Decisive, proto::VictoryLevel::Decisive),
];

fn read_found(message: &proto::IndependentFound) -> Result<(PlanetId, u8), Malformed> {
    let planet = field("planet", read_planet(message.planet.as_ref()))?;
    Ok((planet, field("turn", narrow(message.turn))?))
}

fn write_found((planet, turn): (PlanetId, u8)) -> proto::IndependentFound {
    proto::IndependentFound { planet: Some(write_planet(planet)), turn: u32::from(turn) }
}

fn read_prime(message: Option<&proto::PlanetRef>) -> Result<Option<PlanetId>, Malformed> {
    message.map(|planet| read_planet(Some(planet))).transpose()
}

pub(super) fn read(message: Option<&proto::Fate>) -> Result<Fate, Malformed> {
    let Some(message) = message else { return Ok(Fate::default()) };
    let since: u8 = field("sub_province_since", narrow(message.sub_province_since))?;
    let mut found = list("found", &message.found, ROWS_MAX, read_found)?;
    found.sort_unstable();
    if found.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        return field("found", wrong("a planet is listed twice"));
    }
    let sub_terran = field("sub_terran_prime", read_prime(message.sub_terran_prime.as_ref()))?;
    let terran = field("terran_prime", read_prime(message.terran_prime.as_ref()))?;
    Ok(Fate {
        war: message.war,
        sub_province: Some(since).filter(|&turn| turn > 0),
        debt: message.debt_half_points,
        found,
        primes: [sub_terran, terran],
        destroyed: field("pirates_destroyed", read_fleet(message.pirates_destroyed.as_ref()))?,
        lost: field("ships_lost", read_fleet(message.ships_lost.as_ref()))?,
    })
}

pub(super) fn write(fate: &Fate) -> proto::Fate {
    proto::Fate {
        war: fate.war,
        sub_province_since: fate.sub_province.map_or(0, u32::from),
        debt_half_points: fate.debt,
        found: fate.found.iter().copied().map(write_found).collect(),
        sub_terran_prime: fate.primes[0].map(write_planet),
        terran_prime: fate.primes[1].map(write_planet),
        pirates_destroyed: Some(write_fleet(fate.destroyed)),
        ships_lost: Some(write_fleet(fate.lost)),
    }
}

/// A score. It is far from the limits of the message.
pub(super) fn write_score(score: &Score) -> proto::FateScore {
    proto::FateScore {
        pirates: score.pirates as i32,
        planets: score.planets as i32,
        primes: score.primes as i32,
        sectors: score.sectors as i32,
        losses: score.losses as i32,
        total: score.total() as i32,
        level: write_word(&LEVELS, Level::of(score.total())),
    }
}

fn read_cell(message: Option<&proto::PlanetCell>) -> Result<Cell, Malformed> {
    let Some(cell) = message else { return Ok(Cell::default()) };
    Ok(Cell {
        population: field("population", narrow(cell.population))?,
        factories: field("factories", narrow(cell.factories))?,
        robotic: field("robotic_factories", narrow(cell.robotic_factories))?,
        missile: field("missile_bases", narrow(cell.missile_bases))?,
        advanced: field("advanced_missile_bases", narrow(cell.advanced_missile_bases))?,
        corvettes: field("corvettes", narrow(cell.corvettes))?,
        scouts: field("scouts", narrow(cell.scouts))?,
        prime: cell.prime,
    })
}

fn write_cell(cell: &Cell) -> proto::PlanetCell {
    proto::PlanetCell {
        population: u32::from(cell.population),
        factories: u32::from(cell.factories),
        robotic_factories: u32::from(cell.robotic),
        missile_bases: u32::from(cell.missile),
        advanced_missile_bases: u32::from(cell.advanced),
        corvettes: u32::from(cell.corvettes),
        scouts: u32::from(cell.scouts),
        prime: cell.prime,
    }
}

pub(super) fn read_event(message: &proto::FateEvent) -> Result<FateEvent, Malformed> {
    match field("kind", need(message.kind.as_ref()))? {
        Kind::EventRolled(event) => field("event_rolled", read_rolled(event)),
        Kind::WarChanged(event) => Ok(FateEvent::WarChanged { war: event.war }),
        Kind::Elevated(event) => Ok(FateEvent::Elevated { turn: field("elevated.turn", narrow(event.turn))? }),
        Kind::DebtChanged(event) => Ok(FateEvent::DebtChanged { half_points: event.half_points }),
        Kind::SwarmsSought(event) => field("swarms_sought", read_sought(event)),
        Kind::SwarmsStruck(event) => field("swarms_struck", read_struck(event)),
        Kind::PlanetRolled(event) => field("planet_rolled", read_planet_rolled(event)),
        Kind::PirateDie(event) => {
            let star = field("pirate_die.star", read_star(&event.star))?;
            Ok(FateEvent::PirateDie { star, die: field("pirate_die.die", read_die(event.die))? })
        }
        Kind::DirectionRolled(event) => {
            let at = field("direction_rolled.at", read_place(&event.at))?;
            let die = field("direction_rolled.die", read_die(event.die))?;
            Ok(FateEvent::DirectionRolled { at, direction: Direction::of_die(die) })
        }
        Kind::DisengagementRolled(event) => field("disengagement_rolled", read_disengagement(event)),
        Kind::Counted(event) => {
            if event.count as usize > ROWS_MAX {
                return field("counted.count", wrong("there are too many ships"));
            }
            let kind = field("counted.kind", read_word(&SHIP_KINDS, event.kind))?;
            Ok(FateEvent::Counted { of: field("counted.seat", read_seat(event.seat))?, kind, count: event.count })
        }
        Kind::IndependentFound(event) => {
            let (planet, turn) = field("independent_found", read_found(event))?;
            Ok(FateEvent::IndependentFound { planet, turn })
        }
    }
}

fn read_rolled(event: &proto::EventRolled) -> Result<FateEvent, Malformed> {
    Ok(FateEvent::EventRolled {
        red: field("red", read_die(event.red))?,
        white: field("white", read_die(event.white))?,
        event: field("event", read_word_or_first(&EVENTS, event.event))?,
        effective: event.effective,
        ships: field("ships", narrow(event.ships))?,
        points: field("points", narrow(event.points))?,
    })
}

fn read_sought(event: &proto::SwarmsSought) -> Result<FateEvent, Malformed> {
    let orbit: u8 = field("orbit", narrow(event.orbit))?;
    Ok(FateEvent::SwarmsSought {
        red: field("red", read_die(event.red))?,
        white: field("white", read_die(event.white))?,
        star: field("star", read_star(&event.star))?,
        orbit: Some(orbit).filter(|&orbit| orbit > 0),
    })
}

fn read_struck(event: &proto::SwarmsStruck) -> Result<FateEvent, Malformed> {
    Ok(FateEvent::SwarmsStruck {
        planet: field("planet", read_planet(event.planet.as_ref()))?,
        die: field("die", read_die(event.die))?,
        factors: field("factors", narrow(event.factors))?,
        stopped: field("stopped", narrow(event.stopped))?,
    })
}

fn read_planet_rolled(event: &proto::PlanetRolled) -> Result<FateEvent, Malformed> {
    Ok(FateEvent::PlanetRolled {
        planet: field("planet", read_planet(event.planet.as_ref()))?,
        red: field("red", read_die(event.red))?,
        white: field("white", read_die(event.white))?,
        cell: field("cell", read_cell(event.cell.as_ref()))?,
    })
}

fn read_disengagement(event: &proto::DisengagementRolled) -> Result<FateEvent, Malformed> {
    Ok(FateEvent::DisengagementRolled {
        at: field("at", read_place(&event.at))?,
        difference: event.difference,
        die: field("die", read_die(event.die))?,
        leave: event.leave,
    })
}

pub(super) fn write_event(event: &FateEvent) -> proto::FateEvent {
    let kind = match *event {
        FateEvent::EventRolled { red, white, event, effective, ships, points } => {
            Kind::EventRolled(proto::EventRolled {
                red: u32::from(red),
                white: u32::from(white),
                event: write_word(&EVENTS, event),
                effective,
                ships: u32::from(ships),
                points: u32::from(points),
            })
        }
        FateEvent::WarChanged { war } => Kind::WarChanged(proto::WarChanged { war }),
        FateEvent::Elevated { turn } => Kind::Elevated(proto::Elevated { turn: u32::from(turn) }),
        FateEvent::DebtChanged { half_points } => Kind::DebtChanged(proto::DebtChanged { half_points }),
        FateEvent::IndependentFound { planet, turn } => Kind::IndependentFound(write_found((planet, turn))),
        FateEvent::DirectionRolled { at, direction } => {
            Kind::DirectionRolled(proto::DirectionRolled { at: at.to_string(), die: direction as u32 + 1 })
        }
        FateEvent::Counted { of, kind, count } => {
            Kind::Counted(proto::Counted { seat: of.number(), kind: write_word(&SHIP_KINDS, kind), count })
        }
        _ => write_rolled(event),
    };
    proto::FateEvent { kind: Some(kind) }
}

/// Events with dice at planets and stars. Whatever else there is was written before.
fn write_rolled(event: &FateEvent) -> Kind {
    match event {
        FateEvent::SwarmsSought { red, white, star, orbit } => Kind::SwarmsSought(proto::SwarmsSought {
            red: u32::from(*red),
            white: u32::from(*white),
            star: star.to_string(),
            orbit: orbit.map_or(0, u32::from),
        }),
        FateEvent::SwarmsStruck { planet, die, factors, stopped } => Kind::SwarmsStruck(proto::SwarmsStruck {
            planet: Some(write_planet(*planet)),
            die: u32::from(*die),
            factors: u32::from(*factors),
            stopped: u32::from(*stopped),
        }),
        FateEvent::PlanetRolled { planet, red, white, cell } => Kind::PlanetRolled(proto::PlanetRolled {
            planet: Some(write_planet(*planet)),
            red: u32::from(*red),
            white: u32::from(*white),
            cell: Some(write_cell(cell)),
        }),
        FateEvent::PirateDie { star, die } => {
            Kind::PirateDie(proto::PirateDie { star: star.to_string(), die: u32::from(*die) })
        }
        FateEvent::DisengagementRolled { at, difference, die, leave } => {
            Kind::DisengagementRolled(proto::DisengagementRolled {
                at: at.to_string(),
                difference: *difference,
                die: u32::from(*die),
                leave: *leave,
            })
        }
        _ => Kind::WarChanged(proto::WarChanged { war: false }),
    }
}
