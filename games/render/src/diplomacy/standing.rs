//! The orders of this phase, the missing orders, and the report.

use heliopause_diplomacy::{Allowance, Order, Phase, Place, allowance};
use heliopause_kernel::Seat;

use super::atlas::Atlas;
use super::recent_orders::DrawnOrder;
use crate::document::{Block, Document, Section, Tone, Words};
use crate::scene::{Scene, report};
use crate::text::count;

/// Lists the viewer's orders, and the units without an order. Returns `None` if no orders are due.
pub(super) fn orders(atlas: &Atlas) -> Option<Document> {
    let seat = atlas.own().filter(|seat| atlas.table().owes(*seat))?;
    let orders = atlas.known_orders();
    let mut lead: Vec<Words> =
        orders.iter().map(|(_, order)| Words::plain(format!("  {order}"))).collect();
    lead.extend(atlas.conditionals().iter().map(|order| Words::plain(format!("  {order}"))));
    let missing = missing(atlas, seat);
    lead.push(match (missing.is_empty(), orders.is_empty()) {
        (true, _) => Words::plain("  ").and(
            "All orders are given. Type `ready`; you can change orders until the phase closes.",
            Tone::Faint,
        ),
        (false, _) => Words::plain("  ")
            .and(format!("without orders: {}", missing.join(", ")), Tone::Notice)
            .and(format!(" ({})", otherwise(atlas.table().phase)), Tone::Faint),
    });
    Some(Document {
        title: format!("Your orders ({})", atlas.power(seat).name),
        lead,
        sections: Vec::new(),
    })
}

fn otherwise(phase: Phase) -> &'static str {
    match phase {
        Phase::SpringMovement | Phase::FallMovement => "units without an order hold",
        Phase::SpringRetreat | Phase::FallRetreat => "units without an order are disbanded",
        Phase::Winter => "unordered builds are lost; unordered removals follow civil disorder",
    }
}

/// Lists the units without an order, or in winter the remaining builds or removals.
pub(super) fn missing(atlas: &Atlas, seat: Seat) -> Vec<String> {
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

fn is_at(one: Place, other: Place) -> bool {
    one.province() == other.province()
}

/// Returns the panels, and the latest results if a panel shows the current orders instead.
pub(super) fn report(atlas: &Atlas, scene: &Scene) -> Document {
    let mut document = report::document(scene);
    if atlas.has_orders() {
        let line = |drawn: &DrawnOrder| {
            let name = &atlas.power(drawn.seat).name;
            Words::plain(format!("{name}: {}: {}", drawn.order, drawn.told()))
        };
        let last = atlas.recent_orders.drawn.iter().map(line).collect();
        document.sections.extend(Section::new("The last results", Block::list(last)));
    }
    document
}
