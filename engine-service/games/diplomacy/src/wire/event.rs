//! Events.

use heliopause_kernel::{Malformed, Seat, SeatSet};
use heliopause_proto::diplomacy::v1 as proto;
use proto::event::Kind as Message;

use super::names::{
    read_owned, read_phase, read_piece, read_place, read_province, read_provinces, read_seat, read_seat_if, read_seats,
    read_small, read_unit, write_named, write_owned, write_phase, write_provinces, write_seat_if, write_seats,
    write_unit,
};
use super::report::read_fault;
use super::table::{read_attempt, read_dislodged, read_ending, write_attempt, write_dislodged, write_ending};
use super::{each, need, order, report, within, wrong};
use crate::adjustment::Adjusted;
use crate::board::Province;
use crate::event::{AdjustedLine, Event};
use crate::movement::Attempt;
use crate::order::{Named, Place};
use crate::position::Unit;
use crate::retreat::Fate;
use crate::turn_end::Colonizing;

pub(super) fn read(message: &proto::Event) -> Result<Event, Malformed> {
    match &message.kind {
        None => wrong("kind", "the event is empty"),
        Some(Message::Ordered(ordered)) => within("ordered", read_ordered(ordered)),
        Some(Message::PhaseBegan(began)) => within("phase_began", read_phase_began(*began)),
        Some(Message::Moved(moved)) => within("moved", read_moved(moved)),
        Some(Message::Retreated(retreated)) => {
            Ok(Event::Retreated { fates: each(&retreated.reports, "retreated.reports", read_fate)? })
        }
        Some(Message::TurnEnded(ended)) => within("turn_ended", read_turn_ended(ended)),
        Some(Message::Adjusted(adjusted)) => within("adjusted", read_adjusted(adjusted)),
        Some(Message::Eliminated(eliminated)) => {
            Ok(Event::Eliminated { seat: read_seat(eliminated.seat, "eliminated.seat")? })
        }
        Some(Message::Ended(ended)) => {
            let ending = need(ended.ending.as_ref(), "ended.ending")?;
            Ok(Event::Ended { ending: within("ended.ending", read_ending(ending))? })
        }
    }
}

fn read_ordered(message: &proto::Ordered) -> Result<Event, Malformed> {
    let command = order::read_command(need(message.order.as_ref(), "order")?);
    Ok(Event::Ordered { seat: read_seat(message.seat, "seat")?, command: within("order", command)? })
}

fn read_phase_began(message: proto::PhaseBegan) -> Result<Event, Malformed> {
    Ok(Event::PhaseBegan { year: read_small(message.year, "year")?, phase: read_phase(message.phase, "phase")? })
}

fn read_moved(message: &proto::Moved) -> Result<Event, Malformed> {
    Ok(Event::Moved {
        reports: each(&message.reports, "reports", report::read)?,
        dislodged: each(&message.dislodged, "dislodged", read_dislodged)?,
        contested: read_provinces(&message.contested, "contested")?,
    })
}

fn read_fate(message: &proto::RetreatReport) -> Result<(Unit, Fate), Malformed> {
    use proto::DisbandReason as Reason;
    use proto::retreat_report::Fate as Message;
    let unit = read_owned(message.unit.as_ref(), "unit")?;
    let fate = match &message.fate {
        None => return wrong("fate", "it is missing"),
        Some(Message::To(text)) => Fate::Retreated(read_place(text, "to")?),
        Some(Message::Disbanded(reason)) => match Reason::try_from(*reason) {
            Ok(Reason::Ordered) => Fate::Disbanded,
            Ok(Reason::NoOrder) => Fate::NoOrder,
            Ok(Reason::NoRetreat) => Fate::NoRetreat,
            Ok(Reason::Collided) => Fate::Collided,
            Ok(Reason::NoRoom) => Fate::NoRoom,
            Ok(Reason::Unspecified) | Err(_) => return wrong("disbanded", "there is no such reason"),
        },
    };
    if let Fate::Retreated(Place::Earth(at)) = fate
        && !unit.kind.can_stand(at)
    {
        return wrong("to", "such a unit cannot stand there");
    }
    Ok((unit, fate))
}

pub(super) fn write_fate((unit, fate): (Unit, Fate)) -> proto::RetreatReport {
    use proto::DisbandReason as Reason;
    use proto::retreat_report::Fate as Message;
    let gone = |reason: Reason| Message::Disbanded(reason.into());
    let message = match fate {
        Fate::Retreated(place) => Message::To(place.to_string()),
        Fate::Disbanded => gone(Reason::Ordered),
        Fate::NoOrder => gone(Reason::NoOrder),
        Fate::NoRetreat => gone(Reason::NoRetreat),
        Fate::Collided => gone(Reason::Collided),
        Fate::NoRoom => gone(Reason::NoRoom),
    };
    proto::RetreatReport { unit: Some(write_owned(unit)), fate: Some(message), rule: fate.rule().to_owned() }
}

fn read_turn_ended(message: &proto::TurnEnded) -> Result<Event, Malformed> {
    Ok(Event::TurnEnded {
        colonizing: each(&message.colonizing, "colonizing", read_colonizing)?,
        centers: each(&message.centers, "centers", read_center)?,
        eliminated: read_seats(&message.eliminated, "eliminated")?,
    })
}

fn read_colonizing(message: &proto::ColonizeReport) -> Result<(Attempt, Colonizing), Malformed> {
    use proto::ColonizeFault as Reason;
    let attempt = within("attempt", read_attempt(need(message.attempt.as_ref(), "attempt")?))?;
    let result = match Reason::try_from(message.fault) {
        Ok(Reason::Unspecified) => Colonizing::Colonized,
        Ok(Reason::Occupied) => Colonizing::Occupied(read_seat(message.by, "by")?),
        Ok(Reason::Spoiled) => Colonizing::Spoiled(read_seat(message.by, "by")?),
        Err(_) => return wrong("fault", "there is no such reason"),
    };
    Ok((attempt, result))
}

fn write_colonizing((attempt, result): &(Attempt, Colonizing)) -> proto::ColonizeReport {
    use proto::ColonizeFault as Reason;
    let (fault, by) = match result {
        Colonizing::Colonized => (Reason::Unspecified, None),
        Colonizing::Occupied(seat) => (Reason::Occupied, Some(*seat)),
        Colonizing::Spoiled(seat) => (Reason::Spoiled, Some(*seat)),
    };
    proto::ColonizeReport {
        attempt: Some(write_attempt(attempt)),
        fault: fault.into(),
        by: write_seat_if(by),
        rule: result.rule().to_owned(),
    }
}

fn read_center(message: &proto::CenterTaken) -> Result<(Province, Option<Seat>, Seat), Malformed> {
    Ok((
        read_province(&message.center, "center")?,
        read_seat_if(message.former_owner, "former_owner")?,
        read_seat(message.new_owner, "new_owner")?,
    ))
}

fn read_adjusted(message: &proto::Adjusted) -> Result<Event, Malformed> {
    Ok(Event::Adjusted {
        lines: each(&message.reports, "reports", read_adjustment)?,
        eliminated: read_seats(&message.eliminated, "eliminated")?,
    })
}

fn read_adjustment(message: &proto::AdjustmentReport) -> Result<AdjustedLine, Malformed> {
    use proto::adjustment_report::Result as Message;
    let seat = read_seat(message.seat, "seat")?;
    let order = message.order.as_ref().map(|line| within("order", order::read(line))).transpose()?;
    let result = match &message.result {
        None => return wrong("result", "it is missing"),
        Some(Message::Built(unit)) => Adjusted::Built(read_unit(seat, Some(unit), "built")?),
        Some(Message::Removed(unit)) => {
            let (kind, at) = read_piece(Some(unit), "removed")?;
            Adjusted::Removed(kind, at)
        }
        Some(Message::Waived(_)) => Adjusted::Waived,
        Some(Message::Fails(reason)) => Adjusted::Fails(read_fault(reason, "fails")?),
    };
    Ok(AdjustedLine { seat, order, result })
}

fn write_adjustment(line: &AdjustedLine) -> proto::AdjustmentReport {
    use proto::adjustment_report::Result as Message;
    let result = match line.result {
        Adjusted::Built(unit) => Message::Built(write_unit(unit)),
        Adjusted::Removed(kind, at) => Message::Removed(write_named(Named { kind: Some(kind), at })),
        Adjusted::Waived => Message::Waived(proto::Waive {}),
        Adjusted::Fails(fault) => Message::Fails(fault.reason().to_owned()),
    };
    proto::AdjustmentReport {
        seat: line.seat.number(),
        order: line.order.as_ref().map(order::write),
        result: Some(result),
    }
}

pub(super) fn write(event: &Event) -> proto::Event {
    let kind = match event {
        Event::Ordered { seat, command } => {
            Message::Ordered(proto::Ordered { seat: seat.number(), order: Some(order::write_command(command)) })
        }
        Event::PhaseBegan { year, phase } => {
            Message::PhaseBegan(proto::PhaseBegan { year: (*year).into(), phase: write_phase(*phase) })
        }
        Event::Moved { reports, dislodged, contested } => Message::Moved(proto::Moved {
            reports: reports.iter().map(report::write).collect(),
            dislodged: dislodged.iter().map(write_dislodged).collect(),
            contested: write_provinces(*contested),
        }),
        Event::Retreated { fates } => {
            Message::Retreated(proto::Retreated { reports: fates.iter().copied().map(write_fate).collect() })
        }
        Event::TurnEnded { colonizing, centers, eliminated } => {
            Message::TurnEnded(write_turn_ended(colonizing, centers, *eliminated))
        }
        Event::Adjusted { lines, eliminated } => Message::Adjusted(proto::Adjusted {
            reports: lines.iter().map(write_adjustment).collect(),
            eliminated: write_seats(*eliminated),
        }),
        Event::Eliminated { seat } => Message::Eliminated(proto::Eliminated { seat: seat.number() }),
        Event::Ended { ending } => Message::Ended(proto::Ended { ending: Some(write_ending(*ending)) }),
    };
    proto::Event { kind: Some(kind) }
}

pub(super) fn write_turn_ended(
    colonizing: &[(Attempt, Colonizing)],
    centers: &[(Province, Option<Seat>, Seat)],
    eliminated: SeatSet,
) -> proto::TurnEnded {
    proto::TurnEnded {
        colonizing: colonizing.iter().map(write_colonizing).collect(),
        centers: centers.iter().copied().map(write_center).collect(),
        eliminated: write_seats(eliminated),
    }
}

fn write_center((center, from, to): (Province, Option<Seat>, Seat)) -> proto::CenterTaken {
    proto::CenterTaken { center: center.to_string(), former_owner: write_seat_if(from), new_owner: to.number() }
}
