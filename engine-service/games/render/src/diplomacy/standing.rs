//! What a player reads beside the map: the orders of this phase, and how everybody stands.

use heliopause_diplomacy::{Allowance, Order, Phase, Place, allowance};
use heliopause_kernel::Seat;

use super::atlas::Atlas;
use crate::document::{Block, Document, Section, Tone, Words};
use crate::text::count;

/// The orders that the viewer has given, and what is still without one.
pub(super) fn orders(atlas: &Atlas) -> Option<Document> {
    let seat = atlas.own().filter(|seat| atlas.table().owes(*seat))?;
    let orders = atlas.known_orders();
    let mut lead: Vec<Words> =
        orders.iter().map(|(_, order)| Words::plain(format!("  {order}"))).collect();
    let missing = missing(atlas, seat);
    lead.push(match (missing.is_empty(), orders.is_empty()) {
        (true, _) => Words::new(
            "  All done: `ready` says so; until the phase closes you may change them.",
            Tone::Faint,
        ),
        (false, _) => Words::new(format!("  still to order: {}", missing.join(", ")), Tone::Notice)
            .and(format!(" ({})", otherwise(atlas.table().phase)), Tone::Faint),
    });
    Some(Document {
        title: format!("Your orders ({})", atlas.power(seat).name),
        lead,
        sections: Vec::new(),
    })
}

/// What becomes of units without orders.
fn otherwise(phase: Phase) -> &'static str {
    match phase {
        Phase::SpringMovement | Phase::FallMovement => "units without an order hold",
        Phase::SpringRetreat | Phase::FallRetreat => "units without an order are disbanded",
        Phase::Winter => {
            "builds that are not ordered are lost, removals follow the rule of civil disorder"
        }
    }
}

/// The units without an order; in winter how many builds or removals are left.
fn missing(atlas: &Atlas, seat: Seat) -> Vec<String> {
    let table = atlas.table();
    let orders: Vec<Order> = atlas.known_orders().into_iter().map(|(_, order)| order).collect();
    let ordered = |at: Place| {
        orders.iter().filter(|order| order.unit().is_some_and(|unit| is_at(unit.at, at))).count()
    };
    match table.phase {
        Phase::SpringMovement | Phase::FallMovement => {
            let units =
                table.position.units_of(seat).filter(|unit| ordered(Place::Earth(unit.at)) == 0);
            let mut missing: Vec<String> = units.map(|unit| unit.to_string()).collect();
            let orbit =
                usize::from(table.position.orbit(seat)).saturating_sub(ordered(Place::Orbit));
            missing.extend((0..orbit).map(|_| "A ORB".to_owned()));
            missing
        }
        Phase::SpringRetreat | Phase::FallRetreat => {
            let own = table
                .dislodged
                .iter()
                .filter(|one| one.unit.owner == seat && !one.retreats.is_empty());
            own.filter(|one| ordered(Place::Earth(one.unit.at)) == 0)
                .map(|one| one.unit.to_string())
                .collect()
        }
        Phase::Winter => {
            let left = |all: usize, what: &str| {
                let left = all.saturating_sub(orders.len());
                if left == 0 { Vec::new() } else { vec![count(left, what)] }
            };
            match allowance(&table.position, seat) {
                Allowance::Builds(all) => left(all, "build"),
                Allowance::Removals(all) => left(all, "removal"),
            }
        }
    }
}

/// Whether two names mean the same unit, whatever the coast.
fn is_at(one: Place, other: Place) -> bool {
    one.province() == other.province()
}

/// How everybody stands: centers, units, colonies.
pub(super) fn report(atlas: &Atlas) -> Document {
    let rows = atlas.powers.iter().map(|power| {
        let position = &atlas.table().position;
        let list = |all: Vec<String>| if all.is_empty() { "-".to_owned() } else { all.join(" ") };
        let mut units: Vec<String> =
            position.units_of(power.seat).map(|unit| unit.to_string()).collect();
        units.extend((0..position.orbit(power.seat)).map(|_| "A ORB".to_owned()));
        let centers: Vec<String> =
            position.centers_of(power.seat).iter().map(|center| center.to_string()).collect();
        let colonies: Vec<String> =
            position.colonies_of(power.seat).iter().map(|one| one.to_string()).collect();
        let strengths = format!("{} / {}", centers.len(), position.strength(power.seat));
        let mut row = vec![
            Words::new(&power.name, Tone::Strong),
            Words::plain(strengths),
            Words::plain(list(units).replace("A ", "A\u{a0}").replace("F ", "F\u{a0}")),
            Words::plain(list(centers)),
        ];
        if atlas.is_in_space() {
            row.push(Words::plain(list(colonies)));
        }
        row
    });
    let mut headings = vec!["", "centers / units", "units", "centers"];
    if atlas.is_in_space() {
        headings.push("colonies");
    }
    let sections = Section::new("Powers", vec![Block::Table(headings, rows.collect())]);
    let last = atlas.reports.iter().map(|report| {
        let names = |seat: Seat| atlas.power(seat).name.clone();
        let what = heliopause_diplomacy::explain(report.outcome, &report.helpers, &names);
        let text = format!("{}: {}: {what}", names(report.given.seat), report.given.order);
        Words::plain(if report.dislodged { format!("{text}; dislodged") } else { text })
    });
    let last: Vec<Words> = last.collect();
    let last = if last.is_empty() { Vec::new() } else { vec![Block::List(last)] };
    Document {
        title: format!("{}: {}", atlas.title, atlas.table().date()),
        lead: Vec::new(),
        sections: sections.into_iter().chain(Section::new("The last movement", last)).collect(),
    }
}
