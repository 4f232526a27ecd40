//! The classes of a sample. Classes that the viewer does not know get plausible ratings.

use crate::class::Class;
use crate::galaxy::Galaxy;
use crate::hull::{Hull, Ratings};
use crate::name::Name;
use crate::report::{Item, ShipNamed};
use crate::view::EmpireView;

pub(super) fn overwrite(galaxy: &mut Galaxy, own: &EmpireView) {
    for class in own.classes.iter().chain(&own.unknown_own_classes) {
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
    for news in &own.report.news {
        if let Item::Ship { ship: ShipNamed { class, .. }, .. } | Item::Class { class, .. } =
            news.item
        {
            add_unknown(galaxy, class, 10);
        }
    }
}

fn add(galaxy: &mut Galaxy, class: Class) {
    match galaxy.class_named(class.name) {
        Some(id) => galaxy.classes[usize::from(id.0)] = class,
        None => galaxy.classes.push(class),
    }
}

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
