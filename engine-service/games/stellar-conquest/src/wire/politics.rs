//! What Alone in Outer Space adds.

use heliopause_kernel::{Malformed, Seat, SeatSet};
use heliopause_proto::stellar_conquest::v1 as proto;

use super::names::{
    narrow, read_planet, read_seat, read_seat_set, read_seats, read_star, read_stars, read_word_or_first, write_names,
    write_planet, write_seat_set, write_word,
};
use super::sheet::{read_build, write_build};
use super::{ROWS_MAX, field, list, wrong};
use crate::campaign::outer_space::{
    DecreePlan, DecreeSheet, Departure, Era, Incident, POWERS_MAX, Politics, Quarrel, Raid, War, WarKind,
};
use crate::cards::PlanetId;
use crate::sheet::LINES_MAX;
use crate::stars::{STAR_COUNT, StarId};

pub(super) const ERAS: [(Era, proto::Era); 4] = [
    (Era::Expansion, proto::Era::Expansion),
    (Era::Growth, proto::Era::Growth),
    (Era::Tension, proto::Era::Tension),
    (Era::Empire, proto::Era::Empire),
];

pub(super) fn read_claim(message: &proto::Claim) -> Result<(StarId, Seat), Malformed> {
    Ok((field("star", read_star(&message.star))?, field("seat", read_seat(message.seat))?))
}

pub(super) fn write_claim(star: StarId, seat: Seat) -> proto::Claim {
    proto::Claim { star: star.to_string(), seat: seat.number() }
}

pub(super) fn read_pair(name: &str, numbers: &[u32]) -> Result<[Seat; 2], Malformed> {
    match read_seats(name, numbers)?[..] {
        [one, other] => Ok([one, other]),
        _ => field(name, wrong("name two seats")),
    }
}

pub(super) fn write_pair(pair: [Seat; 2]) -> Vec<u32> {
    pair.into_iter().map(Seat::number).collect()
}

pub(super) fn read_war(message: &proto::War) -> Result<War, Malformed> {
    let sides: [SeatSet; 2] =
        [read_seat_set("one_side", &message.one_side)?, read_seat_set("other_side", &message.other_side)?];
    let mut success = [0; POWERS_MAX];
    if message.success.len() > POWERS_MAX {
        return field("success", wrong("there are at most four powers"));
    }
    success[..message.success.len()].copy_from_slice(&message.success);
    let kind = if message.total { WarKind::Total } else { WarKind::Limited };
    Ok(War { kind, sides, truce: message.truce, success })
}

pub(super) fn write_war(war: &War) -> proto::War {
    proto::War {
        total: war.kind == WarKind::Total,
        one_side: write_seat_set(war.sides[0]),
        other_side: write_seat_set(war.sides[1]),
        truce: war.truce,
        success: war.success.to_vec(),
    }
}

pub(super) fn read_incident(message: &proto::Incident) -> Result<Incident, Malformed> {
    let pair = read_pair("pair", &message.pair)?;
    let quarrel = match (message.star.is_empty(), message.tension) {
        (true, tension) => Quarrel::Clash { tension },
        (false, 0) => Quarrel::Dispute { star: field("star", read_star(&message.star))? },
        (false, _) => return field("tension", wrong("a dispute has none")),
    };
    Ok(Incident { pair, quarrel })
}

pub(super) fn write_incident(incident: Incident) -> proto::Incident {
    let (star, tension) = match incident.quarrel {
        Quarrel::Clash { tension } => (String::new(), tension),
        Quarrel::Dispute { star } => (star.to_string(), 0),
    };
    proto::Incident { pair: write_pair(incident.pair), star, tension }
}

pub(super) fn read_raid(message: &proto::Raid) -> Result<Raid, Malformed> {
    Ok(Raid {
        seat: field("seat", read_seat(message.seat))?,
        other: field("other", read_seat(message.other))?,
        at: field("at", read_star(&message.at))?,
        from: field("from_star", read_star(&message.from_star))?,
        rounds: field("rounds", narrow(message.rounds))?,
        fought: message.fought,
    })
}

pub(super) fn write_raid(raid: Raid) -> proto::Raid {
    proto::Raid {
        seat: raid.seat.number(),
        other: raid.other.number(),
        at: raid.at.to_string(),
        from_star: raid.from.to_string(),
        rounds: u32::from(raid.rounds),
        fought: raid.fought,
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "lists are read by functions of one shape")]
fn read_departure(message: &proto::Departure) -> Result<Departure, Malformed> {
    Ok(Departure {
        seat: field("seat", read_seat(message.seat))?,
        from: field("stars_of", read_seat(message.stars_of))?,
    })
}

fn write_departure(departure: Departure) -> proto::Departure {
    proto::Departure { seat: departure.seat.number(), stars_of: departure.from.number() }
}

pub(super) fn read(message: Option<&proto::Politics>) -> Result<Politics, Malformed> {
    let Some(message) = message else { return Ok(Politics::default()) };
    let mut claims = Box::new([None; STAR_COUNT]);
    for (star, seat) in list("claims", &message.claims, STAR_COUNT, read_claim)? {
        if claims[star.index()].replace(seat).is_some() {
            return field("claims", wrong("a star is claimed twice"));
        }
    }
    if message.priorities.len() > POWERS_MAX {
        return field("priorities", wrong("there are at most four powers"));
    }
    let mut priorities = [None; POWERS_MAX];
    for (priority, &total) in priorities.iter_mut().zip(&message.priorities) {
        let total: u8 = field("priorities", narrow(total))?;
        *priority = Some(total).filter(|&total| total > 0);
    }
    let war = message.war.as_ref().map(|war| field("war", read_war(war)));
    Ok(Politics {
        claims,
        era: field("era", read_word_or_first(&ERAS, message.era))?,
        war: war.transpose()?,
        incidents: list("incidents", &message.incidents, ROWS_MAX, read_incident)?,
        fallen: read_seat_set("fallen", &message.fallen)?,
        priorities,
        vacated: list("vacated", &message.vacated, PlanetId::COUNT, |planet| read_planet(Some(planet)))?,
        raids: list("raids", &message.raids, POWERS_MAX, read_raid)?,
        raided: read_seat_set("raided", &message.raided)?,
        met: read_stars("met", &message.met)?,
        departures: list("departures", &message.departures, POWERS_MAX * POWERS_MAX, read_departure)?,
    })
}

/// One die of priority for each of so many powers.
pub(super) fn write(politics: &Politics, players: usize) -> proto::Politics {
    let claim = |star: StarId| politics.claimant(star).map(|seat| write_claim(star, seat));
    proto::Politics {
        claims: StarId::all().filter_map(claim).collect(),
        era: write_word(&ERAS, politics.era),
        war: politics.war.as_ref().map(write_war),
        incidents: politics.incidents.iter().copied().map(write_incident).collect(),
        fallen: write_seat_set(politics.fallen),
        priorities: politics.priorities.iter().take(players).map(|total| total.map_or(0, u32::from)).collect(),
        vacated: politics.vacated.iter().copied().map(write_planet).collect(),
        raids: politics.raids.iter().copied().map(write_raid).collect(),
        raided: write_seat_set(politics.raided),
        met: write_names(&politics.met),
        departures: politics.departures.iter().copied().map(write_departure).collect(),
    }
}

fn read_plan(message: &proto::DecreePlan) -> Result<DecreePlan, Malformed> {
    Ok(DecreePlan {
        planet: field("planet", read_planet(message.planet.as_ref()))?,
        budget: message.budget,
        weapons: list("weapons", &message.weapons, LINES_MAX, |build| read_build(*build))?,
    })
}

fn write_plan(plan: &DecreePlan) -> proto::DecreePlan {
    proto::DecreePlan {
        planet: Some(write_planet(plan.planet)),
        budget: plan.budget,
        weapons: plan.weapons.iter().copied().map(write_build).collect(),
    }
}

/// A decree. All its lines together have one limit, so that judging it is bounded.
pub(super) fn read_decree(message: &proto::Decree) -> Result<DecreeSheet, Malformed> {
    let lines: usize = message.plans.iter().map(|plan| plan.weapons.len() + 1).sum();
    if lines > LINES_MAX {
        return field("plans", wrong(format!("a sheet has at most {LINES_MAX} lines")));
    }
    let read_posts = |posts: &proto::PostPlan| read_stars("posts.stars", &posts.stars);
    Ok(DecreeSheet {
        plans: list("plans", &message.plans, LINES_MAX, read_plan)?,
        posts: message.posts.as_ref().map(read_posts).transpose()?,
    })
}

pub(super) fn write_decree(sheet: &DecreeSheet) -> proto::Decree {
    proto::Decree {
        plans: sheet.plans.iter().map(write_plan).collect(),
        posts: sheet.posts.as_ref().map(|stars| proto::PostPlan { stars: write_names(stars) }),
    }
}
