//! The classes of a sample: those the viewer knows, and likely ones behind names that the viewer
//! only saw.

use crate::class::Class;
use crate::galaxy::Galaxy;
use crate::hull::{Hull, Ratings};
use crate::name::Name;
use crate::report::Item;
use crate::view::EmpireView;

/// Adds every class that the view names.
pub(super) fn lay_over(galaxy: &mut Galaxy, own: &EmpireView) {
    for class in own.classes.iter().chain(&own.flown) {
        add(galaxy, *class);
    }
    for seen in &own.chart.ships {
        add_unknown(galaxy, seen.class, seen.tonnage);
    }
    for fleet in &own.chart.fleets {
        let average = fleet.tonnage / u64::from(fleet.count.max(1));
        if let Some((_, class)) = fleet.identity {
            add_unknown(galaxy, class, average as u32);
        }
    }
    for name in own.report.news.iter().filter_map(|news| match news.item {
        Item::Ship { ship, .. } => Some(ship.class),
        Item::Class { class, .. } => Some(class),
        Item::Owner { .. }
        | Item::Siege { .. }
        | Item::Portal { .. }
        | Item::Homeworld { .. }
        | Item::Navigation { .. }
        | Item::Delivery { .. }
        | Item::Production { .. }
        | Item::Contact { .. } => None,
    }) {
        add_unknown(galaxy, name, 10);
    }
}

fn add(galaxy: &mut Galaxy, class: Class) {
    match galaxy.class_named(class.name) {
        Some(id) => galaxy.classes[usize::from(id.0)] = class,
        None => galaxy.classes.push(class),
    }
}

/// A class of which only the name and the tonnage are known: about as strong as its mass lets one
/// expect.
pub(super) fn add_unknown(galaxy: &mut Galaxy, name: Name, tonnage: u32) {
    if galaxy.class_named(name).is_some() || name.is_none() {
        return;
    }
    let tonnage = tonnage.clamp(1, crate::class::SIZE_MAX);
    let strength = (tonnage + 5).min(500) as u16;
    let ratings = Ratings { guns: strength, dp: strength, engines: 2, scan: 1, racks: 1 };
    let class =
        Class { name, hull: Hull::Gunship, ratings, tonnage, cost: tonnage, unbuildable: false };
    galaxy.classes.push(class);
}
