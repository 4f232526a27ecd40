//! Public events of Alone in Outer Space.

use heliopause_kernel::Malformed;
use heliopause_proto::stellar_conquest::v1 as proto;
use proto::politics_event::Kind;

use super::names::{
    narrow, read_dice, read_die, read_planet, read_seat, read_seat_set, read_star, read_word, write_dice, write_planet,
    write_seat_set, write_word,
};
use super::politics::{
    ERAS, read_claim, read_incident, read_pair, read_raid, read_war, write_claim, write_incident, write_pair,
    write_raid, write_war,
};
use super::{field, need, wrong};
use crate::campaign::PoliticsEvent;
use crate::campaign::outer_space::Relation;
use crate::campaign::outer_space::tables::{Happening, Talks, Terms, Verdict};

const HAPPENINGS: [(Happening, proto::Happening); 5] = [
    (Happening::Talks, proto::Happening::Talks),
    (Happening::Blunder, proto::Happening::Blunder),
    (Happening::Dispute, proto::Happening::Dispute),
    (Happening::LimitedWar, proto::Happening::LimitedWar),
    (Happening::TotalWar, proto::Happening::TotalWar),
];

const RELATIONS: [(Relation, proto::Relation); 5] = [
    (Relation::Enemies, proto::Relation::Enemies),
    (Relation::Allies, proto::Relation::Allies),
    (Relation::OneAtWar, proto::Relation::OneAtWar),
    (Relation::NeutralToAWar, proto::Relation::NeutralToAWar),
    (Relation::AtPeace, proto::Relation::AtPeace),
];

const TALKS: [(Talks, proto::TalksResult); 3] = [
    (Talks::Failure, proto::TalksResult::Failure),
    (Talks::Truce, proto::TalksResult::Truce),
    (Talks::Treaty, proto::TalksResult::Treaty),
];

const VERDICTS: [(Verdict, proto::IncidentVerdict); 3] = [
    (Verdict::Ends, proto::IncidentVerdict::Ends),
    (Verdict::GoesOn, proto::IncidentVerdict::GoesOn),
    (Verdict::War, proto::IncidentVerdict::War),
];

const TERMS: [(Terms, proto::PeaceTerms); 4] = [
    (Terms::Stalemate, proto::PeaceTerms::Stalemate),
    (Terms::Marginal, proto::PeaceTerms::Marginal),
    (Terms::Substantial, proto::PeaceTerms::Substantial),
    (Terms::Decisive, proto::PeaceTerms::Decisive),
];

fn two_dice(numbers: &[u32]) -> Result<[u8; 2], Malformed> {
    if numbers.len() == 2 { read_dice(numbers) } else { wrong("there are two dice") }
}

pub(super) fn read(message: &proto::PoliticsEvent) -> Result<PoliticsEvent, Malformed> {
    let kind = field("kind", need(message.kind.as_ref()))?;
    read_incidents(kind).or_else(|| read_wars(kind)).unwrap_or_else(|| read_others(kind))
}

/// Nothing if it is another kind of event.
type Read = Option<Result<PoliticsEvent, Malformed>>;

fn read_incidents(kind: &Kind) -> Read {
    Some(match kind {
        Kind::IncidentBegan(event) => {
            field("incident_began", read_incident(event)).map(|incident| PoliticsEvent::IncidentBegan { incident })
        }
        Kind::IncidentRolled(event) => field("incident_rolled", read_incident_rolled(event)),
        Kind::IncidentEnded(event) => {
            field("incident_ended", read_pair("seats", &event.seats)).map(|pair| PoliticsEvent::IncidentEnded { pair })
        }
        Kind::TensionRose(event) => field("tension_rose", read_pair("pair", &event.pair))
            .map(|pair| PoliticsEvent::TensionRose { pair, by: event.by }),
        Kind::RaidLaunched(event) => {
            field("raid_launched", read_raid(event)).map(|raid| PoliticsEvent::RaidLaunched { raid })
        }
        Kind::RaidFought(event) => {
            field("raid_fought.at", read_star(&event.at)).map(|at| PoliticsEvent::RaidFought { at })
        }
        Kind::RaidEnded(event) => {
            field("raid_ended.at", read_star(&event.at)).map(|at| PoliticsEvent::RaidEnded { at })
        }
        _ => return None,
    })
}

fn read_incident_rolled(event: &proto::IncidentRolled) -> Result<PoliticsEvent, Malformed> {
    Ok(PoliticsEvent::IncidentRolled {
        incident: field("incident", need(event.incident.as_ref()).and_then(read_incident))?,
        dice: field("dice", two_dice(&event.dice))?,
        modifier: field("modifier", narrow(event.modifier))?,
        verdict: field("verdict", read_word(&VERDICTS, event.verdict))?,
    })
}

fn read_wars(kind: &Kind) -> Read {
    Some(match kind {
        Kind::WarBegan(event) => field("war_began", read_war(event)).map(|war| PoliticsEvent::WarBegan { war }),
        Kind::Escalated(_) => Ok(PoliticsEvent::Escalated),
        Kind::Joined(event) => field("joined", read_joined(*event)),
        Kind::ChangedSides(event) => {
            field("changed_sides.seat", read_seat(event.seat)).map(|seat| PoliticsEvent::ChangedSides { seat })
        }
        Kind::Departed(event) => {
            field("departed.seat", read_seat(event.seat)).map(|seat| PoliticsEvent::Departed { seat })
        }
        Kind::LeftWar(event) => {
            field("left_war.seat", read_seat(event.seat)).map(|seat| PoliticsEvent::LeftWar { seat })
        }
        Kind::TruceChanged(event) => Ok(PoliticsEvent::TruceChanged { truce: event.truce }),
        Kind::Scored(event) => field("scored.seat", read_seat(event.seat))
            .map(|seat| PoliticsEvent::Scored { seat, half_points: event.half_points }),
        Kind::PeaceMade(event) => field("peace_made", read_peace(event)),
        Kind::WarEnded(_) => Ok(PoliticsEvent::WarEnded),
        _ => return None,
    })
}

fn read_joined(event: proto::Joined) -> Result<PoliticsEvent, Malformed> {
    let against = field("against", read_seat(event.against))?;
    Ok(PoliticsEvent::Joined { seat: field("seat", read_seat(event.seat))?, against })
}

fn read_peace(event: &proto::PeaceMade) -> Result<PoliticsEvent, Malformed> {
    let winner = match event.winner {
        0 => None,
        1 => Some(0),
        2 => Some(1),
        _ => return field("winner", wrong("there are two sides")),
    };
    let [one, other] = event.half_points[..] else { return field("half_points", wrong("there are two sides")) };
    Ok(PoliticsEvent::PeaceMade {
        sides: [read_seat_set("one_side", &event.one_side)?, read_seat_set("other_side", &event.other_side)?],
        half_points: [one, other],
        terms: field("terms", read_word(&TERMS, event.terms))?,
        winner,
    })
}

fn read_others(kind: &Kind) -> Result<PoliticsEvent, Malformed> {
    match kind {
        Kind::Claimed(event) => {
            field("claimed", read_claim(event)).map(|(star, seat)| PoliticsEvent::Claimed { seat, star })
        }
        Kind::EraBegan(event) => {
            field("era_began.era", read_word(&ERAS, event.era)).map(|era| PoliticsEvent::EraBegan { era })
        }
        Kind::Encountered(event) => field("encountered", read_encounter(event)),
        Kind::Rolled(event) => field("rolled", read_rolled(event)),
        Kind::Talked(event) => field("talked", read_talked(event)),
        Kind::Ceded(event) => field("ceded", read_ceded(event)),
        Kind::Vacated(event) => {
            field("vacated.planet", read_planet(event.planet.as_ref())).map(|planet| PoliticsEvent::Vacated { planet })
        }
        Kind::Fell(event) => field("fell.seat", read_seat(event.seat)).map(|seat| PoliticsEvent::Fell { seat }),
        Kind::PriorityRolled(event) => field("priority_rolled", read_priority(*event)),
        Kind::ProductionEnded(_) => Ok(PoliticsEvent::ProductionEnded),
        _ => field("kind", wrong("the event is not known")),
    }
}

fn read_encounter(event: &proto::Encountered) -> Result<PoliticsEvent, Malformed> {
    Ok(PoliticsEvent::Encountered {
        seat: field("seat", read_seat(event.seat))?,
        star: field("star", read_star(&event.star))?,
        dice: field("dice", two_dice(&event.dice))?,
    })
}

fn read_rolled(event: &proto::DiplomacyRolled) -> Result<PoliticsEvent, Malformed> {
    let pair = if event.pair.is_empty() { None } else { Some(read_pair("pair", &event.pair)?) };
    let relation =
        if event.relation == 0 { None } else { Some(field("relation", read_word(&RELATIONS, event.relation))?) };
    Ok(PoliticsEvent::Rolled {
        dice: field("dice", two_dice(&event.dice))?,
        modifier: field("modifier", narrow(event.modifier))?,
        happening: field("happening", read_word(&HAPPENINGS, event.happening))?,
        pair,
        relation,
    })
}

fn read_talked(event: &proto::Talked) -> Result<PoliticsEvent, Malformed> {
    Ok(PoliticsEvent::Talked {
        dice: field("dice", two_dice(&event.dice))?,
        modifier: field("modifier", narrow(event.modifier))?,
        talks: field("result", read_word(&TALKS, event.result))?,
    })
}

fn read_ceded(event: &proto::Ceded) -> Result<PoliticsEvent, Malformed> {
    let (star, to) = (field("star", read_star(&event.star))?, field("to", read_seat(event.to))?);
    Ok(PoliticsEvent::Ceded { star, to, enslaved: event.enslaved })
}

fn read_priority(event: proto::PriorityRolled) -> Result<PoliticsEvent, Malformed> {
    let modifier: u8 = field("modifier", narrow(event.modifier))?;
    if modifier > 2 {
        return field("modifier", wrong("at most 2 is added"));
    }
    let seat = field("seat", read_seat(event.seat))?;
    Ok(PoliticsEvent::PriorityRolled { seat, die: field("die", read_die(event.die))?, modifier })
}

pub(super) fn write(event: &PoliticsEvent) -> proto::PoliticsEvent {
    proto::PoliticsEvent { kind: Some(write_kind(event)) }
}

fn write_kind(event: &PoliticsEvent) -> Kind {
    match event {
        PoliticsEvent::Claimed { seat, star } => Kind::Claimed(write_claim(*star, *seat)),
        PoliticsEvent::EraBegan { era } => Kind::EraBegan(proto::EraBegan { era: write_word(&ERAS, *era) }),
        PoliticsEvent::IncidentBegan { incident } => Kind::IncidentBegan(write_incident(*incident)),
        PoliticsEvent::IncidentEnded { pair } => Kind::IncidentEnded(proto::SeatPair { seats: write_pair(*pair) }),
        PoliticsEvent::TensionRose { pair, by } => {
            Kind::TensionRose(proto::TensionRose { pair: write_pair(*pair), by: *by })
        }
        PoliticsEvent::RaidLaunched { raid } => Kind::RaidLaunched(write_raid(*raid)),
        PoliticsEvent::RaidFought { at } => Kind::RaidFought(proto::RaidFought { at: at.to_string() }),
        PoliticsEvent::RaidEnded { at } => Kind::RaidEnded(proto::RaidEnded { at: at.to_string() }),
        PoliticsEvent::WarBegan { war } => Kind::WarBegan(write_war(war)),
        PoliticsEvent::Escalated => Kind::Escalated(proto::Escalated {}),
        PoliticsEvent::WarEnded => Kind::WarEnded(proto::WarEnded {}),
        PoliticsEvent::ProductionEnded => Kind::ProductionEnded(proto::ProductionEnded {}),
        PoliticsEvent::TruceChanged { truce } => Kind::TruceChanged(proto::TruceChanged { truce: *truce }),
        PoliticsEvent::Vacated { planet } => Kind::Vacated(proto::Vacated { planet: Some(write_planet(*planet)) }),
        PoliticsEvent::Ceded { star, to, enslaved } => {
            Kind::Ceded(proto::Ceded { star: star.to_string(), to: to.number(), enslaved: *enslaved })
        }
        other => write_seats(other),
    }
}

/// Events that are little but a seat, and those of dice. Whatever else there is was written before.
fn write_seats(event: &PoliticsEvent) -> Kind {
    match event {
        PoliticsEvent::Joined { seat, against } => {
            Kind::Joined(proto::Joined { seat: seat.number(), against: against.number() })
        }
        PoliticsEvent::ChangedSides { seat } => Kind::ChangedSides(proto::ChangedSides { seat: seat.number() }),
        PoliticsEvent::Departed { seat } => Kind::Departed(proto::Departed { seat: seat.number() }),
        PoliticsEvent::LeftWar { seat } => Kind::LeftWar(proto::LeftWar { seat: seat.number() }),
        PoliticsEvent::Fell { seat } => Kind::Fell(proto::PowerFell { seat: seat.number() }),
        PoliticsEvent::Scored { seat, half_points } => {
            Kind::Scored(proto::Scored { seat: seat.number(), half_points: *half_points })
        }
        PoliticsEvent::PriorityRolled { seat, die, modifier } => Kind::PriorityRolled(proto::PriorityRolled {
            seat: seat.number(),
            die: u32::from(*die),
            modifier: u32::from(*modifier),
        }),
        PoliticsEvent::Encountered { seat, star, dice } => Kind::Encountered(proto::Encountered {
            seat: seat.number(),
            star: star.to_string(),
            dice: write_dice(*dice),
        }),
        other => write_dice_events(other),
    }
}

fn write_dice_events(event: &PoliticsEvent) -> Kind {
    match event {
        PoliticsEvent::Rolled { dice, modifier, happening, pair, relation } => Kind::Rolled(proto::DiplomacyRolled {
            dice: write_dice(*dice),
            modifier: u32::from(*modifier),
            happening: write_word(&HAPPENINGS, *happening),
            pair: pair.map_or_else(Vec::new, write_pair),
            relation: relation.map_or(0, |relation| write_word(&RELATIONS, relation)),
        }),
        PoliticsEvent::Talked { dice, modifier, talks } => Kind::Talked(proto::Talked {
            dice: write_dice(*dice),
            modifier: u32::from(*modifier),
            result: write_word(&TALKS, *talks),
        }),
        PoliticsEvent::IncidentRolled { incident, dice, modifier, verdict } => {
            Kind::IncidentRolled(proto::IncidentRolled {
                incident: Some(write_incident(*incident)),
                dice: write_dice(*dice),
                modifier: u32::from(*modifier),
                verdict: write_word(&VERDICTS, *verdict),
            })
        }
        PoliticsEvent::PeaceMade { sides, half_points, terms, winner } => Kind::PeaceMade(proto::PeaceMade {
            one_side: write_seat_set(sides[0]),
            other_side: write_seat_set(sides[1]),
            half_points: half_points.to_vec(),
            terms: write_word(&TERMS, *terms),
            winner: winner.map_or(0, |side| u32::from(side) + 1),
        }),
        other => unreachable!("{other:?} is written in another function"),
    }
}
