//! Events.

use heliopause_kernel::Malformed;
use heliopause_proto::stellar_conquest::v1 as proto;
use proto::event::Kind;

use super::board::{
    read_colony, read_marker, read_research, read_ship, write_colony, write_marker, write_research, write_ship,
};
use super::names::{
    narrow, read_die, read_place, read_places, read_planet, read_seat, read_seats, read_ship_number, read_ship_numbers,
    read_star, read_star_if, read_techs, read_word, write_if, write_names, write_planet, write_ship_numbers,
    write_techs, write_word,
};
use super::power::{
    read_card, read_glimpse, read_killed, read_sighting, read_survey, write_glimpse, write_killed, write_sighting,
    write_survey,
};
use super::sheet::{read_sheet, read_standing, write_sheet, write_standing};
use super::table::{
    read_ending, read_groups, read_post, read_stage, write_ending, write_groups, write_post, write_stage,
};
use super::{ROWS_MAX, event_battle, fate, field, list, need, politics_event};
use crate::event::{Cause, Change, Event, Gone, Source};
use crate::ship::ShipNumber;
use crate::table::Post;

const SOURCES: [(Source, proto::ShipSource); 6] = [
    (Source::Start, proto::ShipSource::Start),
    (Source::Built, proto::ShipSource::Built),
    (Source::Returned, proto::ShipSource::Returned),
    (Source::Empire, proto::ShipSource::Empire),
    (Source::Pirates, proto::ShipSource::Pirates),
    (Source::Surrendered, proto::ShipSource::Surrendered),
];

const CAUSES: [(Cause, proto::LossCause); 8] = [
    (Cause::Battle, proto::LossCause::Battle),
    (Cause::Exploration, proto::LossCause::Exploration),
    (Cause::OutOfRange, proto::LossCause::OutOfRange),
    (Cause::Landed, proto::LossCause::Landed),
    (Cause::Returned, proto::LossCause::Returned),
    (Cause::Recalled, proto::LossCause::Recalled),
    (Cause::Disengaged, proto::LossCause::Disengaged),
    (Cause::Surrendered, proto::LossCause::Surrendered),
];

const CHANGES: [(Change, proto::ColonyChange); 17] = [
    (Change::Landed, proto::ColonyChange::Landed),
    (Change::Grew, proto::ColonyChange::Grew),
    (Change::Produced, proto::ColonyChange::Produced),
    (Change::Overcrowded, proto::ColonyChange::Overcrowded),
    (Change::Siege, proto::ColonyChange::Siege),
    (Change::Conquered, proto::ColonyChange::Conquered),
    (Change::Freed, proto::ColonyChange::Freed),
    (Change::Settled, proto::ColonyChange::Settled),
    (Change::Bombarded, proto::ColonyChange::Bombarded),
    (Change::Scuttled, proto::ColonyChange::Scuttled),
    (Change::Razed, proto::ColonyChange::Razed),
    (Change::Killed, proto::ColonyChange::Killed),
    (Change::Watch, proto::ColonyChange::Watch),
    (Change::Found, proto::ColonyChange::Found),
    (Change::Garrisoned, proto::ColonyChange::Garrisoned),
    (Change::Swarms, proto::ColonyChange::Swarms),
    (Change::Enslaved, proto::ColonyChange::Enslaved),
];

const ENDS: [(Gone, proto::ColonyEnd); 4] = [
    (Gone::Abandoned, proto::ColonyEnd::Abandoned),
    (Gone::Garrisoned, proto::ColonyEnd::Garrisoned),
    (Gone::Evacuated, proto::ColonyEnd::Evacuated),
    (Gone::Annexed, proto::ColonyEnd::Annexed),
];

pub(super) fn read(message: &proto::Event) -> Result<Event, Malformed> {
    let kind = field("kind", need(message.kind.as_ref()))?;
    let read = read_public(kind).or_else(|| read_ships(kind)).or_else(|| read_seen(kind)).or_else(|| read_own(kind));
    read.unwrap_or_else(|| event_battle::read(kind))
}

/// Nothing if it is another kind of event.
type Read = Option<Result<Event, Malformed>>;

fn read_public(kind: &Kind) -> Read {
    Some(match kind {
        Kind::Seated(event) => field("seated", read_seated(event)),
        Kind::TurnBegan(event) => field("turn_began", read_turn(*event)),
        Kind::StageChanged(event) => {
            field("stage_changed.stage", read_stage(event.stage.as_ref())).map(|stage| Event::StageChanged { stage })
        }
        Kind::Ended(event) => {
            field("ended.ending", read_ending(event.ending.as_ref())).map(|ending| Event::Ended { ending })
        }
        Kind::Grouped(event) => field("grouped.groups", need(event.groups.as_ref()).and_then(read_groups))
            .map(|(seat, at, groups)| Event::Grouped { seat, at, groups }),
        Kind::Passed(event) => field("passed", read_passed(event)),
        Kind::PostChanged(event) => field("post_changed.post", need(event.post.as_ref()).and_then(read_post))
            .map(|Post { seat, star }| Event::PostChanged { seat, star, up: event.up }),
        Kind::ColonyShown(event) => field("colony_shown.colony", need(event.colony.as_ref()).and_then(read_post))
            .map(|Post { seat, star }| Event::ColonyShown { seat, star }),
        Kind::Fate(event) => field("fate", fate::read_event(event)).map(Event::Fate),
        Kind::Politics(event) => field("politics", politics_event::read(event)).map(Event::Politics),
        _ => return None,
    })
}

fn read_seated(event: &proto::Seated) -> Result<Event, Malformed> {
    Ok(Event::Seated { order: read_seats("order", &event.order)?, entries: read_places("entries", &event.entries)? })
}

fn read_turn(event: proto::TurnBegan) -> Result<Event, Malformed> {
    Ok(Event::TurnBegan { turn: field("turn", narrow(event.turn))?, seat: field("seat", read_seat(event.seat))? })
}

fn read_passed(event: &proto::Passed) -> Result<Event, Malformed> {
    Ok(Event::Passed { seat: field("seat", read_seat(event.seat))?, path: read_places("path", &event.path)? })
}

fn read_ships(kind: &Kind) -> Read {
    Some(match kind {
        Kind::ShipsCame(event) => field("ships_came", read_came(event)),
        Kind::Sailed(event) => field("sailed", read_sailed(event)),
        Kind::Formed(event) => field("formed", read_formed(event)),
        Kind::ShipsLost(event) => field("ships_lost", read_lost(event)),
        Kind::RiskRolled(event) => field("risk_rolled", read_risk(event)),
        Kind::Engaged(event) => field("engaged", read_engaged(event)),
        _ => return None,
    })
}

fn read_came(event: &proto::ShipsCame) -> Result<Event, Malformed> {
    Ok(Event::ShipsCame {
        seat: field("seat", read_seat(event.seat))?,
        ships: list("ships", &event.ships, ROWS_MAX, read_ship)?,
        source: field("source", read_word(&SOURCES, event.source))?,
    })
}

fn read_sailed(event: &proto::Sailed) -> Result<Event, Malformed> {
    Ok(Event::Sailed {
        seat: field("seat", read_seat(event.seat))?,
        ships: read_ship_numbers("ships", &event.ships)?,
        to: field("to", read_place(&event.to))?,
        steps: field("steps", narrow(event.steps))?,
        halted: event.halted,
        destination: field("destination", read_star_if(&event.destination))?,
        departed: field("departed", read_star_if(&event.departed))?,
    })
}

fn read_formed(event: &proto::Formed) -> Result<Event, Malformed> {
    let marker = field("task_force", read_marker(event.task_force))?;
    let seat = field("seat", read_seat(event.seat))?;
    Ok(Event::Formed { seat, ships: read_ship_numbers("ships", &event.ships)?, marker })
}

fn read_lost(event: &proto::ShipsLost) -> Result<Event, Malformed> {
    Ok(Event::ShipsLost {
        seat: field("seat", read_seat(event.seat))?,
        ships: read_ship_numbers("ships", &event.ships)?,
        cause: field("cause", read_word(&CAUSES, event.cause))?,
    })
}

fn read_risk(event: &proto::RiskRolled) -> Result<Event, Malformed> {
    let read = |roll: &proto::RiskRoll| -> Result<(ShipNumber, u8), Malformed> {
        Ok((field("ship", read_ship_number(roll.ship))?, field("die", read_die(roll.die))?))
    };
    Ok(Event::RiskRolled {
        seat: field("seat", read_seat(event.seat))?,
        star: field("star", read_star(&event.star))?,
        rolls: list("rolls", &event.rolls, ROWS_MAX, read)?,
    })
}

fn read_engaged(event: &proto::Engaged) -> Result<Event, Malformed> {
    Ok(Event::Engaged { seat: field("seat", read_seat(event.seat))?, ships: read_ship_numbers("ships", &event.ships)? })
}

fn read_seen(kind: &Kind) -> Read {
    Some(match kind {
        Kind::Explored(event) => field("explored", read_explored(event)),
        Kind::Surveyed(event) => field("surveyed", read_surveyed(event)),
        Kind::Sighted(event) => field("sighted", read_sighted(event)),
        Kind::Glimpsed(event) => field("glimpsed", read_glimpsed(event)),
        Kind::GlimpseKept(event) => field("glimpse_kept", read_kept(event)),
        Kind::GlimpseEnded(event) => field("glimpse_ended.seat", read_seat(event.seat))
            .map(|seat| Event::GlimpseEnded { seat, number: event.number }),
        _ => return None,
    })
}

fn read_explored(event: &proto::Explored) -> Result<Event, Malformed> {
    Ok(Event::Explored {
        seat: field("seat", read_seat(event.seat))?,
        star: field("star", read_star(&event.star))?,
        card: field("card", read_card(event.card))?,
    })
}

fn read_surveyed(event: &proto::Surveyed) -> Result<Event, Malformed> {
    Ok(Event::Surveyed {
        seat: field("seat", read_seat(event.seat))?,
        star: field("star", read_star(&event.star))?,
        colonies: read_survey("colonies", &event.colonies)?,
    })
}

fn read_sighted(event: &proto::Sighted) -> Result<Event, Malformed> {
    let sighting = field("sighting", read_sighting(event.sighting.as_ref()))?;
    Ok(Event::Sighted { seat: field("seat", read_seat(event.seat))?, sighting })
}

fn read_glimpsed(event: &proto::Glimpsed) -> Result<Event, Malformed> {
    let glimpse = field("glimpse", read_glimpse(event.glimpse.as_ref()))?;
    Ok(Event::Glimpsed { seat: field("seat", read_seat(event.seat))?, glimpse })
}

fn read_kept(event: &proto::GlimpseKept) -> Result<Event, Malformed> {
    let sighting = field("sighting", read_sighting(event.sighting.as_ref()))?;
    Ok(Event::GlimpseKept { seat: field("seat", read_seat(event.seat))?, number: event.number, sighting })
}

fn read_own(kind: &Kind) -> Read {
    Some(match kind {
        Kind::ColonyChanged(event) => field("colony_changed", read_changed(event)),
        Kind::ColonyGone(event) => field("colony_gone", read_gone(event)),
        Kind::Researched(event) => field("researched", read_researched(event)),
        Kind::GrantChanged(event) => field("grant_changed.seat", read_seat(event.seat))
            .map(|seat| Event::GrantChanged { seat, points: event.points }),
        Kind::StandingChanged(event) => field("standing_changed", read_standing_changed(event)),
        Kind::SheetStored(event) => field("sheet_stored", read_stored(event)),
        Kind::LandingBegan(event) => {
            field("landing_began.seat", read_seat(event.seat)).map(|seat| Event::LandingBegan { seat })
        }
        Kind::Slain(event) => field("slain", read_slain(event)),
        Kind::AgendaSet(event) => field("agenda_set", read_agenda(event)),
        _ => return None,
    })
}

fn read_agenda(event: &proto::AgendaSet) -> Result<Event, Malformed> {
    Ok(Event::AgendaSet { seat: field("seat", read_seat(event.seat))?, titles: read_techs("titles", &event.titles)? })
}

fn read_changed(event: &proto::ColonyChanged) -> Result<Event, Malformed> {
    Ok(Event::ColonyChanged {
        owner: field("owner", read_seat(event.owner))?,
        colony: field("colony", read_colony(event.colony.as_ref(), &|_| None))?,
        change: field("change", read_word(&CHANGES, event.change))?,
    })
}

fn read_gone(event: &proto::ColonyGone) -> Result<Event, Malformed> {
    Ok(Event::ColonyGone {
        owner: field("owner", read_seat(event.owner))?,
        planet: field("planet", read_planet(event.planet.as_ref()))?,
        gone: field("end", read_word(&ENDS, event.end))?,
    })
}

fn read_researched(event: &proto::Researched) -> Result<Event, Malformed> {
    Ok(Event::Researched {
        seat: field("seat", read_seat(event.seat))?,
        research: field("research", read_research(event.research.as_ref()))?,
        acquired: read_techs("acquired", &event.acquired)?.into_iter().collect(),
    })
}

fn read_standing_changed(event: &proto::StandingChanged) -> Result<Event, Malformed> {
    let standing = field("standing_orders", read_standing(event.standing_orders.as_ref()))?;
    Ok(Event::StandingChanged { seat: field("seat", read_seat(event.seat))?, standing })
}

fn read_stored(event: &proto::SheetStored) -> Result<Event, Malformed> {
    let sheet = field("sheet", read_sheet(event.sheet.as_ref()))?;
    Ok(Event::SheetStored { seat: field("seat", read_seat(event.seat))?, sheet })
}

fn read_slain(event: &proto::Slain) -> Result<Event, Malformed> {
    let (star, millions) = field("killed", read_killed(event.killed.as_ref()))?;
    Ok(Event::Slain { seat: field("seat", read_seat(event.seat))?, star, millions })
}

pub(super) fn write(event: &Event) -> proto::Event {
    let kind = write_public(event).or_else(|| write_ships(event)).or_else(|| write_seen(event));
    let kind = kind.or_else(|| write_own(event)).unwrap_or_else(|| event_battle::write(event));
    proto::Event { kind: Some(kind) }
}

fn write_public(event: &Event) -> Option<Kind> {
    Some(match event {
        Event::Seated { order, entries } => Kind::Seated(proto::Seated {
            order: order.iter().map(|seat| seat.number()).collect(),
            entries: write_names(entries),
        }),
        Event::TurnBegan { turn, seat } => {
            Kind::TurnBegan(proto::TurnBegan { turn: u32::from(*turn), seat: seat.number() })
        }
        Event::StageChanged { stage } => Kind::StageChanged(proto::StageChanged { stage: Some(write_stage(*stage)) }),
        Event::Ended { ending } => Kind::Ended(proto::Ended { ending: Some(write_ending(ending)) }),
        Event::Grouped { seat, at, groups } => {
            Kind::Grouped(proto::Grouped { groups: Some(write_groups(*seat, *at, *groups)) })
        }
        Event::Passed { seat, path } => Kind::Passed(proto::Passed { seat: seat.number(), path: write_names(path) }),
        Event::PostChanged { seat, star, up } => {
            let post = write_post(Post { seat: *seat, star: *star });
            Kind::PostChanged(proto::PostChanged { post: Some(post), up: *up })
        }
        Event::ColonyShown { seat, star } => {
            let colony = write_post(Post { seat: *seat, star: *star });
            Kind::ColonyShown(proto::ColonyShown { colony: Some(colony) })
        }
        Event::Fate(event) => Kind::Fate(fate::write_event(event)),
        Event::Politics(event) => Kind::Politics(politics_event::write(event)),
        Event::AgendaSet { seat, titles } => {
            Kind::AgendaSet(proto::AgendaSet { seat: seat.number(), titles: write_techs(titles.iter().copied()) })
        }
        _ => return None,
    })
}

fn write_ships(event: &Event) -> Option<Kind> {
    Some(match event {
        Event::ShipsCame { seat, ships, source } => Kind::ShipsCame(proto::ShipsCame {
            seat: seat.number(),
            ships: ships.iter().map(write_ship).collect(),
            source: write_word(&SOURCES, *source),
        }),
        Event::Sailed { seat, ships, to, steps, halted, destination, departed } => Kind::Sailed(proto::Sailed {
            seat: seat.number(),
            ships: write_ship_numbers(ships),
            to: to.to_string(),
            steps: u32::from(*steps),
            halted: *halted,
            destination: write_if(*destination),
            departed: write_if(*departed),
        }),
        Event::Formed { seat, ships, marker } => Kind::Formed(proto::Formed {
            seat: seat.number(),
            ships: write_ship_numbers(ships),
            task_force: write_marker(*marker),
        }),
        Event::ShipsLost { seat, ships, cause } => Kind::ShipsLost(proto::ShipsLost {
            seat: seat.number(),
            ships: write_ship_numbers(ships),
            cause: write_word(&CAUSES, *cause),
        }),
        Event::RiskRolled { seat, star, rolls } => {
            let roll = |&(ship, die): &(ShipNumber, u8)| proto::RiskRoll { ship: ship.0, die: u32::from(die) };
            Kind::RiskRolled(proto::RiskRolled {
                seat: seat.number(),
                star: star.to_string(),
                rolls: rolls.iter().map(roll).collect(),
            })
        }
        Event::Engaged { seat, ships } => {
            Kind::Engaged(proto::Engaged { seat: seat.number(), ships: write_ship_numbers(ships) })
        }
        _ => return None,
    })
}

fn write_seen(event: &Event) -> Option<Kind> {
    Some(match event {
        Event::Explored { seat, star, card } => {
            Kind::Explored(proto::Explored { seat: seat.number(), star: star.to_string(), card: card.number() })
        }
        Event::Surveyed { seat, star, colonies } => Kind::Surveyed(proto::Surveyed {
            seat: seat.number(),
            star: star.to_string(),
            colonies: write_survey(colonies),
        }),
        Event::Sighted { seat, sighting } => {
            Kind::Sighted(proto::Sighted { seat: seat.number(), sighting: Some(write_sighting(sighting)) })
        }
        Event::Glimpsed { seat, glimpse } => {
            Kind::Glimpsed(proto::Glimpsed { seat: seat.number(), glimpse: Some(write_glimpse(*glimpse)) })
        }
        Event::GlimpseKept { seat, number, sighting } => Kind::GlimpseKept(proto::GlimpseKept {
            seat: seat.number(),
            number: *number,
            sighting: Some(write_sighting(sighting)),
        }),
        Event::GlimpseEnded { seat, number } => {
            Kind::GlimpseEnded(proto::GlimpseEnded { seat: seat.number(), number: *number })
        }
        _ => return None,
    })
}

fn write_own(event: &Event) -> Option<Kind> {
    Some(match event {
        Event::ColonyChanged { owner, colony, change } => Kind::ColonyChanged(proto::ColonyChanged {
            owner: owner.number(),
            colony: Some(write_colony(colony)),
            change: write_word(&CHANGES, *change),
        }),
        Event::ColonyGone { owner, planet, gone } => Kind::ColonyGone(proto::ColonyGone {
            owner: owner.number(),
            planet: Some(write_planet(*planet)),
            end: write_word(&ENDS, *gone),
        }),
        Event::Researched { seat, research, acquired } => Kind::Researched(proto::Researched {
            seat: seat.number(),
            research: Some(write_research(research)),
            acquired: write_techs(acquired.iter()),
        }),
        Event::GrantChanged { seat, points } => {
            Kind::GrantChanged(proto::GrantChanged { seat: seat.number(), points: *points })
        }
        Event::StandingChanged { seat, standing } => Kind::StandingChanged(proto::StandingChanged {
            seat: seat.number(),
            standing_orders: Some(write_standing(*standing)),
        }),
        Event::SheetStored { seat, sheet } => {
            Kind::SheetStored(proto::SheetStored { seat: seat.number(), sheet: write_sheet(sheet) })
        }
        Event::LandingBegan { seat } => Kind::LandingBegan(proto::LandingBegan { seat: seat.number() }),
        Event::Slain { seat, star, millions } => {
            Kind::Slain(proto::Slain { seat: seat.number(), killed: Some(write_killed((*star, *millions))) })
        }
        _ => return None,
    })
}
