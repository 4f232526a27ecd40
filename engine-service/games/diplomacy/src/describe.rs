//! A sentence for a person about each event and each order, and the rule that decided it.

use heliopause_kernel::{Seat, SeatSet};

use crate::adjustment::Adjusted;
use crate::board::Provinces;
use crate::command::Command;
use crate::event::{AdjustedLine, Event};
use crate::movement::{Against, Attempt, Dislodged, Helpers, Origin, Outcome, Report};
use crate::order::{Named, Order, Place, Site};
use crate::position::{Kind, Unit};
use crate::retreat::Fate;
use crate::table::{Ending, Phase};
use crate::turn_end::{CenterTaken, Colonizing};

/// What powers are called in a sentence.
pub type Names<'a> = &'a dyn Fn(Seat) -> String;

/// The sentence and the rule.
pub(crate) fn describe(event: &Event, names: Names<'_>) -> (String, &'static str) {
    match event {
        Event::Ordered { command: Command::Clear, .. } => {
            ("You take back all orders of this phase.".to_owned(), "4.D.1")
        }
        Event::Ordered { command: Command::Order(order), .. } => {
            (format!("You order {order}."), rule_of(order))
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

/// How the game ended.
pub(crate) fn ending(ending: Ending, names: Names<'_>) -> String {
    let all = |seats: SeatSet| seats.iter().map(names).collect::<Vec<_>>().join(", ");
    match ending {
        Ending::Centers(seat) => format!("{} owns the centers that win.", names(seat)),
        Ending::LastStanding(seat) => format!("{} is the last one left, and wins.", names(seat)),
        Ending::FellTogether(seats) => {
            format!("The last ones fall together: a draw of {}.", all(seats))
        }
        Ending::Stalemate(seats) => {
            format!("No center has changed hands for years: a draw of {}.", all(seats))
        }
        Ending::LastYear(seats) => format!("The last year is over: a draw of {}.", all(seats)),
        Ending::NobodyCanAct(seats) => {
            format!("Nobody can act any more: a draw of {}.", all(seats))
        }
    }
}

/// The report of a movement phase, one order a line.
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
        let to = if to.is_empty() { "nowhere".to_owned() } else { to.join(", ") };
        format!(
            "{}'s {} was driven out from {from} and can retreat to {to}.",
            names(one.unit.owner),
            one.unit
        )
    });
    let text = lines(results.chain(driven));
    if text.is_empty() { "Nobody gave an order.".to_owned() } else { text }
}

/// What became of an order, and why.
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
                    format!("{attack} against {strength} of the unit that comes the other way")
                }
                Against::OwnUnit => "an own unit is not driven out".to_owned(),
                Against::Rival { origin, strength } => {
                    format!("{attack} against {strength} {}", from(origin))
                }
            };
            format!("bounced: {against}{}", uncounted(helpers))
        }
        Outcome::NoConvoy { lost: Some(at) } => {
            format!("no convoy: the fleet in {at} was lost to it")
        }
        Outcome::NoConvoy { lost: None } => "no convoy".to_owned(),
        Outcome::NoRoom { wanted, room } => format!("no room: {wanted} for {room} places"),
        Outcome::Given => "given".to_owned(),
        Outcome::Cut { by, dislodged: true } => {
            format!("cut: the supporter was driven out {}", from(by))
        }
        Outcome::Cut { by, .. } => format!("cut by an attack {}", from(by)),
        Outcome::Void { instead: Some(place) } => format!("void: the unit was ordered to {place}"),
        Outcome::Void { instead: None } => "void: the unit did not do that".to_owned(),
        Outcome::Disrupted { by } => format!("disrupted: the fleet was driven out {}", from(by)),
        Outcome::Paradox => "stopped as part of a paradox".to_owned(),
        Outcome::Pending => "decided at the end of the turn".to_owned(),
    }
}

/// The supports that did not count.
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
        text += "; no support against its own power from ";
        text += &list(helpers.barred);
    }
    text
}

/// What became of a dislodged unit.
pub(crate) fn retreated(unit: Unit, fate: Fate, names: Names<'_>) -> String {
    let whose = names(unit.owner);
    match fate {
        Fate::Retreated(to) => format!("{whose}'s {unit} retreats to {to}."),
        Fate::Disbanded => format!("{whose}'s {unit} is disbanded."),
        Fate::NoRetreat => format!("{whose}'s {unit} has no retreat and is disbanded."),
        Fate::NoOrder => {
            format!("{whose}'s {unit} was given no order to retreat and is disbanded.")
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
            format!("{who} does not colonize {what}: {} stands there.", names(seat))
        }
        Colonizing::Spoiled(seat) => {
            format!("{who} does not colonize {what}: {} tried to enter it too.", names(seat))
        }
    }
}

/// What became of a line of adjustments.
pub(crate) fn adjustment(line: &AdjustedLine, names: Names<'_>) -> String {
    let who = names(line.seat);
    match (line.result, line.order) {
        (Adjusted::Built(unit), _) => format!("{who} builds {unit}."),
        (Adjusted::Removed(kind, at), Some(_)) => format!("{who} removes {} {at}.", kind.as_str()),
        (Adjusted::Removed(kind, at), None) => {
            format!("{who} loses {} {at} by civil disorder.", kind.as_str())
        }
        (Adjusted::Waived, _) => format!("{who} does not use a build."),
        (Adjusted::Fails(fault), Some(order)) => {
            format!("{who}: {order} fails: {}", fault.sentence())
        }
        (Adjusted::Fails(fault), None) => format!("{who}: {}", fault.sentence()),
    }
}

/// What an order does, in few words.
pub(crate) fn label(order: &Order) -> String {
    match *order {
        Order::Hold { unit } => format!("{} holds", name(unit)),
        Order::Move { unit, to: Place::Orbit, .. } => format!("{} beams up", name(unit)),
        Order::Move { unit, to, .. } if unit.at == Place::Orbit => {
            format!("An army beams down to {}", place(to))
        }
        Order::Move { unit, to, via_convoy } => {
            format!(
                "{} moves to {}{}",
                name(unit),
                place(to),
                if via_convoy { " by convoy" } else { "" }
            )
        }
        Order::SupportHold { unit, other } => format!("{} supports {}", name(unit), name(other)),
        Order::SupportMove { unit, other, of, to } => {
            let of = of.map_or_else(String::new, |code| format!(" of {code}"));
            format!("{} supports {}{of} to {}", name(unit), name(other), place(to))
        }
        Order::Convoy { unit, army, to } => {
            format!("{} convoys {} to {}", name(unit), name(army), to.province().name())
        }
        Order::Colonize { unit, target: None } => format!("{} colonizes its province", name(unit)),
        Order::Colonize { unit, target: Some(target) } => {
            format!("{} colonizes {}", name(unit), target.name())
        }
        Order::Retreat { unit, to } => format!("{} retreats to {}", name(unit), place(to)),
        Order::Disband { unit } => format!("{} is disbanded", name(unit)),
        Order::Build { unit: Site { kind: Some(Kind::Fleet), at } } => {
            format!("Build a fleet in {}", place(Place::Earth(at)))
        }
        Order::Build { unit: Site { at, .. } } => {
            format!("Build an army in {}", place(Place::Earth(at)))
        }
        Order::Remove { unit } => format!("Remove {}", name(unit)),
        Order::Waive => "Do not use a build".to_owned(),
    }
}

/// What a unit is called.
pub(crate) fn name(unit: Named) -> String {
    let kind = match unit.kind {
        Some(Kind::Army) => "Army",
        Some(Kind::Fleet) => "Fleet",
        None => "Unit",
    };
    format!("{kind} {}", place(unit.at))
}

/// What a place is called.
pub(crate) fn place(place: Place) -> String {
    match place {
        Place::Orbit => "in orbit".to_owned(),
        Place::Earth(node) => match node.coast() {
            Some(coast) => format!("{} ({})", node.province().name(), coast.as_str()),
            None => node.province().name().to_owned(),
        },
    }
}

/// The rule that allows an order.
pub(crate) fn rule_of(order: &Order) -> &'static str {
    match *order {
        Order::Hold { .. } => "D3",
        Order::Move { unit, to, .. } if unit.at == Place::Orbit || to == Place::Orbit => "2",
        Order::Move { .. } => "D3.2",
        Order::SupportHold { .. } => "D3.3",
        Order::SupportMove { other, .. } if other.at == Place::Orbit => "R4",
        Order::SupportMove { .. } => "D3.4",
        Order::Convoy { .. } => "D3.5",
        Order::Colonize { .. } => "3",
        Order::Retreat { to: Place::Orbit, .. } => "5",
        Order::Retreat { .. } | Order::Disband { .. } => "D7",
        Order::Build { .. } | Order::Remove { .. } | Order::Waive => "D8",
    }
}
