//! Sentences for players about events and orders, with the rules that apply.

use heliopause_kernel::{Seat, SeatSet};

use crate::adjustment::Adjusted;
use crate::board::Provinces;
use crate::command::Command;
use crate::event::{AdjustedLine, Event};
use crate::movement::{Against, Attempt, Dislodged, Helpers, Origin, Outcome, Report};
use crate::notation::form_of;
use crate::order::{Named, Place};
use crate::position::{Kind, Unit};
use crate::retreat::Fate;
use crate::table::{Ending, Phase};
use crate::turn_end::{CenterTaken, Colonizing};

/// A function that returns the name of a power for use in a sentence.
pub type Names<'a> = &'a dyn Fn(Seat) -> String;

/// Returns the sentence for an event, and the rule that applies.
pub(crate) fn describe(event: &Event, names: Names<'_>) -> (String, &'static str) {
    match event {
        Event::Ordered { command: Command::Clear, .. } => {
            ("You withdraw all your orders for this phase.".to_owned(), "4.D.1")
        }
        Event::Ordered { command: Command::Order(order), .. } => {
            (format!("You order {order}."), form_of(order).0.rule)
        }
        Event::PhaseBegan { year, phase } => {
            let begins = match phase {
                Phase::SpringMovement | Phase::FallMovement => "begins",
                Phase::SpringRetreat | Phase::FallRetreat | Phase::Winter => "begin",
            };
            (format!("{} of {year} {begins}.", phase_name(*phase)), "D2")
        }
        Event::Moved { reports, dislodged, .. } => (moved(reports, dislodged, names), "D4"),
        Event::Retreated { fates } => {
            (lines(fates.iter().map(|one| retreated(one.unit, one.fate, names))), "D7")
        }
        Event::TurnEnded { colonizing, centers, eliminated } => {
            let colonies = colonizing.iter().map(|one| colonized(&one.attempt, one.result, names));
            let centers = centers.iter().map(|&CenterTaken { center, former_owner, new_owner }| {
                match former_owner {
                    Some(former) => format!(
                        "{} takes {} from {}.",
                        names(new_owner),
                        center.name(),
                        names(former)
                    ),
                    None => format!("{} takes {}.", names(new_owner), center.name()),
                }
            });
            let text = lines(colonies.chain(centers).chain(out(*eliminated, names)));
            (if text.is_empty() { "The turn ends.".to_owned() } else { text }, "D2")
        }
        Event::Adjusted { lines: adjusted, eliminated } => {
            let text = lines(
                adjusted.iter().map(|line| adjustment(line, names)).chain(out(*eliminated, names)),
            );
            (if text.is_empty() { "Nothing is built or removed.".to_owned() } else { text }, "D8")
        }
        Event::Eliminated { seat } => (
            format!(
                "You are eliminated: {} has neither units nor supply centers left.",
                names(*seat)
            ),
            "R16",
        ),
        Event::Ended { ending: how } => (ending(*how, names), how.rule()),
    }
}

fn phase_name(phase: Phase) -> String {
    phase.to_string().replace(", ", " ")
}

fn lines(lines: impl Iterator<Item = String>) -> String {
    lines.collect::<Vec<_>>().join("\n")
}

fn out(seats: SeatSet, names: Names<'_>) -> impl Iterator<Item = String> {
    seats
        .iter()
        .collect::<Vec<_>>()
        .into_iter()
        .map(move |seat| format!("{} is eliminated.", names(seat)))
}

pub(crate) fn ending(ending: Ending, names: Names<'_>) -> String {
    let all = |seats: SeatSet| seats.iter().map(names).collect::<Vec<_>>().join(", ");
    match ending {
        Ending::Centers(seat) => format!("{} owns enough centers to win.", names(seat)),
        Ending::LastStanding(seat) => format!("{} is the last power left and wins.", names(seat)),
        Ending::FellTogether(seats) => {
            format!("The last powers are eliminated together: a draw between {}.", all(seats))
        }
        Ending::Stalemate(seats) => {
            format!("No center has changed hands for years: a draw between {}.", all(seats))
        }
        Ending::LastYear(seats) => format!("The last year is over: a draw between {}.", all(seats)),
        Ending::NobodyCanAct(seats) => {
            format!("No power can act any more: a draw between {}.", all(seats))
        }
    }
}

fn moved(reports: &[Report], dislodged: &[Dislodged], names: Names<'_>) -> String {
    let results = reports.iter().map(|report| {
        let gone = if report.dislodged { "; dislodged" } else { "" };
        let Report { given, outcome, .. } = report;
        format!(
            "{}: {}: {}{gone}.",
            names(given.seat),
            given.order,
            result(*outcome, &report.helpers, names)
        )
    });
    let driven = dislodged.iter().map(|one| {
        let from = one.from.map_or_else(|| "orbit".to_owned(), |from| from.to_string());
        let to: Vec<String> = one.retreats.iter().map(ToString::to_string).collect();
        let retreat = if to.is_empty() {
            "cannot retreat".to_owned()
        } else {
            format!("can retreat to {}", to.join(", "))
        };
        format!(
            "{}'s {} was dislodged by an attack from {from} and {retreat}.",
            names(one.unit.owner),
            one.unit
        )
    });
    let text = lines(results.chain(driven));
    if text.is_empty() { "No orders were given.".to_owned() } else { text }
}

/// Describes the result of an order and its reason.
pub fn result(outcome: Outcome, helpers: &Helpers, names: Names<'_>) -> String {
    let from = |origin: Origin| match origin {
        Origin::Earth(province) => format!("from {province}"),
        Origin::Orbit(seat) => format!("from the spacecraft of {}", names(seat)),
    };
    match outcome {
        Outcome::Illegal(fault) => format!("illegal: {}", fault.sentence()),
        Outcome::Holds => "holds".to_owned(),
        Outcome::Succeeds { in_a_ring: true } => "succeeds, in a ring of moves".to_owned(),
        Outcome::Succeeds { .. } => "succeeds".to_owned(),
        Outcome::Bounced { attack, against } => {
            let against = match against {
                Against::Holder(strength) => {
                    format!("{attack} against {strength} of the unit there")
                }
                Against::HeadToHead(strength) => {
                    format!("{attack} against {strength} of the unit moving the other way")
                }
                Against::OwnUnit => "a power cannot dislodge its own unit".to_owned(),
                Against::Rival { origin, strength } => {
                    format!("{attack} against {strength} {}", from(origin))
                }
            };
            format!("bounced: {against}{}", uncounted(helpers))
        }
        Outcome::NoConvoy { lost: Some(at) } => {
            format!("no convoy: the fleet in {at} could not convoy")
        }
        Outcome::NoConvoy { lost: None } => {
            "no convoy: the fleets that were ordered to convoy form no chain".to_owned()
        }
        Outcome::NoRoom { wanted, room } => {
            format!("no room: {wanted} to beam up, but room for only {room}")
        }
        Outcome::Given => "given".to_owned(),
        Outcome::Cut { by, dislodged: true } => {
            format!("cut: an attack {} dislodged the supporter", from(by))
        }
        Outcome::Cut { by, .. } => format!("cut by an attack {}", from(by)),
        Outcome::Void { instead: Some(place) } => format!("void: the unit was ordered to {place}"),
        Outcome::Void { instead: None } => "void: the unit did not take that action".to_owned(),
        Outcome::Disrupted { by } => {
            format!("disrupted: an attack {} dislodged the fleet", from(by))
        }
        Outcome::Paradox => "stopped by a convoy paradox".to_owned(),
        Outcome::Pending => "decided at the end of the turn".to_owned(),
    }
}

fn uncounted(helpers: &Helpers) -> String {
    let list = |set: Provinces| {
        set.iter().map(|province| province.to_string()).collect::<Vec<_>>().join(", ")
    };
    let mut text = String::new();
    if !helpers.cut.is_empty() {
        text += "; support cut in ";
        text += &list(helpers.cut);
    }
    if !helpers.barred.is_empty() {
        text += "; support not counted against its own power: ";
        text += &list(helpers.barred);
    }
    text
}

pub(crate) fn retreated(unit: Unit, fate: Fate, names: Names<'_>) -> String {
    let whose = names(unit.owner);
    match fate {
        Fate::Retreated(to) => format!("{whose}'s {unit} retreats to {to}."),
        Fate::Disbanded => format!("{whose}'s {unit} is disbanded."),
        Fate::NoRetreat => format!("{whose}'s {unit} cannot retreat and is disbanded."),
        Fate::NoOrder => {
            format!("{whose}'s {unit} has no retreat order and is disbanded.")
        }
        Fate::Collided => {
            format!("{whose}'s {unit} is disbanded: others retreated to the same province.")
        }
        Fate::NoRoom => {
            format!("{whose}'s {unit} is disbanded: too many retreated to the spacecraft.")
        }
    }
}

fn colonized(attempt: &Attempt, result: Colonizing, names: Names<'_>) -> String {
    let (who, what) = (names(attempt.seat), attempt.at.name());
    match result {
        Colonizing::Colonized => format!("{who} colonizes {what}."),
        Colonizing::Occupied(seat) => {
            format!("{who} fails to colonize {what}: {} has a unit there.", names(seat))
        }
        Colonizing::Spoiled(seat) => {
            format!("{who} fails to colonize {what}: {} tried to enter it too.", names(seat))
        }
    }
}

pub(crate) fn adjustment(line: &AdjustedLine, names: Names<'_>) -> String {
    let who = names(line.seat);
    match (line.result, line.order) {
        (Adjusted::Built(unit), _) => format!("{who} builds {unit}."),
        (Adjusted::Removed(kind, at), Some(_)) => format!("{who} removes {} {at}.", kind.as_str()),
        (Adjusted::Removed(kind, at), None) => {
            format!("{who} loses {} {at} by civil disorder.", kind.as_str())
        }
        (Adjusted::Waived, _) => format!("{who} waives a build."),
        (Adjusted::Fails(fault), Some(order)) => {
            format!("{who}: {order} fails: {}", fault.sentence())
        }
        (Adjusted::Fails(fault), None) => format!("{who}: {}", fault.sentence()),
    }
}

pub(crate) fn name(unit: Named) -> String {
    let kind = match unit.kind {
        Some(Kind::Army) => "Army",
        Some(Kind::Fleet) => "Fleet",
        None => "Unit",
    };
    format!("{kind} {}", place(unit.at))
}

pub(crate) fn place(place: Place) -> String {
    match place {
        Place::Orbit => "in orbit".to_owned(),
        Place::Earth(node) => match node.coast() {
            Some(coast) => format!("{} ({})", node.province().name(), coast.as_str()),
            None => node.province().name().to_owned(),
        },
    }
}
