//! What became of orders in movement.

use heliopause_kernel::Malformed;
use heliopause_proto::diplomacy::v1 as proto;
use proto::order_result::Kind as Message;

use super::names::{
    read_place_if, read_province, read_province_if, read_provinces, read_seat, read_small, write_province_if,
    write_provinces,
};
use super::{need, order, within, wrong};
use crate::fault::Fault;
use crate::movement::{Against, Given, Helpers, Origin, Outcome, Report};

pub(super) fn read(message: &proto::OrderReport) -> Result<Report, Malformed> {
    let given =
        Given { seat: read_seat(message.seat, "seat")?, order: order::read_needed(message.order.as_ref(), "order")? };
    Ok(Report {
        given,
        outcome: within("result", read_outcome(need(message.result.as_ref(), "result")?))?,
        by_convoy: message.by_convoy,
        dislodged: message.dislodged,
        helpers: Helpers {
            counted: read_provinces(&message.helped_from, "helped_from")?,
            cut: read_provinces(&message.cut_in, "cut_in")?,
            barred: read_provinces(&message.barred_from, "barred_from")?,
        },
    })
}

pub(super) fn write(report: &Report) -> proto::OrderReport {
    proto::OrderReport {
        seat: report.given.seat.number(),
        order: Some(order::write(&report.given.order)),
        notation: report.given.order.to_string(),
        result: Some(proto::OrderResult { kind: Some(write_outcome(report.outcome)) }),
        rule: report.outcome.rule().to_owned(),
        by_convoy: report.by_convoy,
        dislodged: report.dislodged,
        helped_from: write_provinces(report.helpers.counted),
        cut_in: write_provinces(report.helpers.cut),
        barred_from: write_provinces(report.helpers.barred),
    }
}

pub(super) fn read_fault(reason: &str, field: &str) -> Result<Fault, Malformed> {
    match Fault::with_reason(reason) {
        Some(fault) => Ok(fault),
        None => wrong(field, "there is no such reason"),
    }
}

fn read_outcome(message: &proto::OrderResult) -> Result<Outcome, Malformed> {
    Ok(match &message.kind {
        None => return wrong("kind", "it is missing"),
        Some(Message::Illegal(illegal)) => Outcome::Illegal(read_fault(&illegal.reason, "illegal.reason")?),
        Some(Message::Holds(_)) => Outcome::Holds,
        Some(Message::Succeeds(succeeds)) => Outcome::Succeeds { in_a_ring: succeeds.in_a_ring },
        Some(Message::Bounced(bounced)) => within("bounced", read_bounced(bounced))?,
        Some(Message::NoConvoy(no_convoy)) => {
            Outcome::NoConvoy { lost: read_province_if(&no_convoy.lost, "no_convoy.lost")? }
        }
        Some(Message::NoRoom(no_room)) => Outcome::NoRoom {
            wanted: read_small(no_room.wanted, "no_room.wanted")?,
            room: read_small(no_room.room, "no_room.room")?,
        },
        Some(Message::Given(_)) => Outcome::Given,
        Some(Message::Cut(cut)) => {
            Outcome::Cut { by: read_origin(cut.by.as_ref(), "cut.by")?, dislodged: cut.dislodged }
        }
        Some(Message::NotMatching(void)) => {
            Outcome::Void { instead: read_place_if(&void.instead, "not_matching.instead")? }
        }
        Some(Message::Disrupted(disrupted)) => {
            Outcome::Disrupted { by: read_origin(disrupted.by.as_ref(), "disrupted.by")? }
        }
        Some(Message::Paradox(_)) => Outcome::Paradox,
        Some(Message::Pending(_)) => Outcome::Pending,
    })
}

fn read_bounced(message: &proto::Bounced) -> Result<Outcome, Malformed> {
    use proto::bounced::Against as By;
    let against = match &message.against {
        None => return wrong("against", "it is missing"),
        Some(By::Holder(strength)) => Against::Holder(read_small(*strength, "holder")?),
        Some(By::HeadToHead(strength)) => Against::HeadToHead(read_small(*strength, "head_to_head")?),
        Some(By::OwnUnit(_)) => Against::OwnUnit,
        Some(By::Rival(rival)) => {
            let from = read_origin(rival.origin.as_ref(), "rival.origin")?;
            Against::Rival(from, read_small(rival.strength, "rival.strength")?)
        }
    };
    Ok(Outcome::Bounced { attack: read_small(message.attack, "attack")?, against })
}

fn read_origin(message: Option<&proto::Origin>, field: &str) -> Result<Origin, Malformed> {
    match &need(message, field)?.kind {
        None => wrong(field, "it is empty"),
        Some(proto::origin::Kind::Province(text)) => read_province(text, field).map(Origin::Earth),
        Some(proto::origin::Kind::Spacecraft(seat)) => read_seat(*seat, field).map(Origin::Orbit),
    }
}

fn write_origin(origin: Origin) -> proto::Origin {
    let kind = match origin {
        Origin::Earth(province) => proto::origin::Kind::Province(province.to_string()),
        Origin::Orbit(seat) => proto::origin::Kind::Spacecraft(seat.number()),
    };
    proto::Origin { kind: Some(kind) }
}

fn write_outcome(outcome: Outcome) -> Message {
    match outcome {
        Outcome::Illegal(fault) => Message::Illegal(proto::Illegal { reason: fault.reason().to_owned() }),
        Outcome::Holds => Message::Holds(proto::Holds {}),
        Outcome::Succeeds { in_a_ring } => Message::Succeeds(proto::Succeeds { in_a_ring }),
        Outcome::Bounced { attack, against } => {
            Message::Bounced(proto::Bounced { attack: attack.into(), against: Some(write_against(against)) })
        }
        Outcome::NoConvoy { lost } => Message::NoConvoy(proto::NoConvoy { lost: write_province_if(lost) }),
        Outcome::NoRoom { wanted, room } => Message::NoRoom(proto::NoRoom { wanted: wanted.into(), room: room.into() }),
        Outcome::Given => Message::Given(proto::Given {}),
        Outcome::Cut { by, dislodged } => Message::Cut(proto::Cut { by: Some(write_origin(by)), dislodged }),
        Outcome::Void { instead } => Message::NotMatching(proto::NotMatching {
            instead: instead.map_or_else(String::new, |place| place.to_string()),
        }),
        Outcome::Disrupted { by } => Message::Disrupted(proto::Disrupted { by: Some(write_origin(by)) }),
        Outcome::Paradox => Message::Paradox(proto::Paradox {}),
        Outcome::Pending => Message::Pending(proto::Pending {}),
    }
}

fn write_against(against: Against) -> proto::bounced::Against {
    use proto::bounced::Against as By;
    match against {
        Against::Holder(strength) => By::Holder(strength.into()),
        Against::HeadToHead(strength) => By::HeadToHead(strength.into()),
        Against::OwnUnit => By::OwnUnit(proto::OwnUnit {}),
        Against::Rival(from, strength) => {
            By::Rival(proto::Rival { origin: Some(write_origin(from)), strength: strength.into() })
        }
    }
}
