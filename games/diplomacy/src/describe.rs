//! Sentences for players about events and orders, with the rules that apply.

pub use heliopause_kernel::sentence::Names;
use heliopause_kernel::sentence::{FactList, Facts};
use heliopause_kernel::{SeatSet, facts_as_text};

use crate::adjustment::Adjusted;
use crate::board::{Province, Provinces};
use crate::command::Command;
use crate::event::{AdjustedLine, Event};
use crate::fault::Fault;
use crate::movement::{Dislodged, Helpers, Origin, Outcome, Report};
use crate::notation::form_of;
use crate::order::{Named, Place};
use crate::position::{Kind, Unit};
use crate::retreat::Fate;
use crate::sentences::SENTENCES;
use crate::table::{Ending, Phase};
use crate::turn_end::{CenterTaken, ColonizeReport};

/// Returns the sentence for an event, and the rule that applies.
pub(crate) fn describe(event: &Event, names: Names<'_>) -> (String, &'static str) {
    match event {
        Event::Ordered { command: Command::Clear, .. } => {
            ("You withdraw all your orders for this phase.".to_owned(), "4.D.1")
        }
        Event::Ordered { command: Command::Order(order), .. } => {
            (format!("You order {order}."), form_of(order).0.rule)
        }
        Event::Ordered { command: Command::Conditional(order), .. } => {
            (format!("You order {order}."), "D3.8")
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
            let colonies = colonizing.iter().map(|one| colonized(one, names));
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
        Event::Ended { ending: how } => ending(*how, names),
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

/// Returns the sentence for the end of a game, and the rule that applies.
pub(crate) fn ending(ending: Ending, names: Names<'_>) -> (String, &'static str) {
    let mut facts = FactList::of(&ending.reason, names);
    facts.add_field("", "winners", &ending.winners);
    SENTENCES.describe(&facts)
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
    let list = |set: Provinces| {
        set.iter().map(|province| province.to_string()).collect::<Vec<_>>().join(", ")
    };
    let mut facts = FactList::of(&outcome, names);
    facts.add("cut", list(helpers.cut));
    facts.add("barred", list(helpers.barred));
    SENTENCES.describe(&facts).0
}

pub(crate) fn retreated(unit: Unit, fate: Fate, names: Names<'_>) -> String {
    let mut facts = FactList::of(&fate, names);
    facts.add_field("", "unit", &unit);
    SENTENCES.describe(&facts).0
}

fn colonized(report: &ColonizeReport, names: Names<'_>) -> String {
    let mut facts = FactList::of(&report.result, names);
    facts.add_field("", "seat", &report.attempt.seat);
    facts.add("at", report.attempt.at.name());
    SENTENCES.describe(&facts).0
}

facts_as_text!(Province, Place);

impl Facts for Fault {
    fn add_to(&self, list: &mut FactList<'_>, name: &str) {
        list.add(name, self.sentence());
    }
}

impl Facts for Unit {
    fn add_to(&self, list: &mut FactList<'_>, name: &str) {
        list.add(name, self.to_string());
        list.add_field(name, "owner", &self.owner);
    }
}

/// Adds the province, or the spacecraft.
impl Facts for Origin {
    fn add_to(&self, list: &mut FactList<'_>, name: &str) {
        let text = match self {
            Self::Earth(province) => province.to_string(),
            Self::Orbit(seat) => format!("the spacecraft of {}", list.name_of(*seat)),
        };
        list.add(name, text);
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
