//! Descriptions of events of The Fate of Empire.

use crate::client::describe::words::{Description, count, say};
use crate::state::{Fate, FateEvent};
use crate::tables::fate::{Cell, RandomEvent};
use crate::tables::texts::halves;
use crate::tables::{Fleet, ShipKind};

pub(super) fn describe(event: &FateEvent) -> Description {
    use FateEvent::{
        Counted, DebtChanged, DirectionRolled, DisengagementRolled, Elevated, EventRolled,
        IndependentFound, PirateDie, PlanetRolled, SwarmsSought, SwarmsStruck, WarChanged,
    };

    match *event {
        EventRolled { red, white, event, effective, ships, points } => {
            let points = count(points.into(), "ship point", "ship points");
            if effective || event == RandomEvent::None {
                say!(&format!("EventRolled.{event:?}"), red, white, ships, points)
            } else {
                say!("EventRolled.Ineffective", red, white, event)
            }
        }
        WarChanged { war: true } => say!("WarChanged.War"),
        WarChanged { war: false } => say!("WarChanged.Peace"),
        Elevated { .. } => say!("Elevated"),
        DebtChanged { half_points: 0 } => say!("DebtChanged.None"),
        DebtChanged { half_points } => say!("DebtChanged", points = halves(half_points)),
        SwarmsSought { red, white, star, orbit: None } => {
            say!("SwarmsSought.None", red, white, star)
        }
        SwarmsSought { red, white, star, orbit: Some(orbit) } => {
            say!("SwarmsSought", red, white, star, orbit)
        }
        SwarmsStruck { planet, die, factors, stopped } => {
            say!("SwarmsStruck", planet, die, factors, stopped)
        }
        PlanetRolled { planet, red, white, cell } => {
            say!("PlanetRolled", planet, red, white, contents = contents(&cell))
        }
        IndependentFound { planet, .. } => say!("IndependentFound", planet),
        PirateDie { star, die: die @ 1..=2 } => say!("PirateDie", star, die),
        PirateDie { star, die } => say!("PirateDie.None", star, die),
        DirectionRolled { at, direction } => {
            say!("DirectionRolled", at, direction = direction as u8 + 1)
        }
        DisengagementRolled { difference, die, leave: true, .. } => {
            say!("DisengagementRolled.Leave", difference, die)
        }
        DisengagementRolled { difference, die, leave: false, .. } => {
            say!("DisengagementRolled.Stay", difference, die)
        }
        Counted { of, kind, count: number } => {
            let ships = count(number as usize, kind.as_str(), &format!("{kind}s"));
            let by_pirates = of != Fate::pirates();
            say!(if by_pirates { "Counted.Lost" } else { "Counted.Pirates" }, ships)
        }
    }
}

fn contents(cell: &Cell) -> String {
    if cell.is_empty() {
        return "nothing".to_owned();
    }
    let mut found = Vec::new();
    if cell.population > 0 {
        let prime = if cell.prime { "a Prime world" } else { "an independent world" };
        found.push(format!("{prime} of {}M", cell.population));
    }
    let mut pirates = Fleet::NONE;
    pirates.add(ShipKind::Corvette, u32::from(cell.corvettes));
    pirates.add(ShipKind::Scout, u32::from(cell.scouts));
    if !pirates.is_empty() {
        found.push(format!("pirates with {pirates}"));
    }
    found.join(", and ")
}
