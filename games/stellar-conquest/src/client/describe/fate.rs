//! Descriptions of events of The Fate of Empire.

use crate::client::describe::words::{Description, count, halves};
use crate::state::{Fate, FateEvent};
use crate::tables::fate::{Cell, RandomEvent};
use crate::tables::{Fleet, ShipKind};

pub(super) fn describe(event: &FateEvent) -> Description {
    use FateEvent::{
        Counted, DebtChanged, DirectionRolled, DisengagementRolled, Elevated, EventRolled,
        IndependentFound, PirateDie, PlanetRolled, SwarmsSought, SwarmsStruck, WarChanged,
    };

    match *event {
        EventRolled { red, white, event, effective, ships, points } => {
            let dice = format!("The dice show {red} and {white}");
            (format!("{dice}: {}.", random_event(event, effective, ships, points)), "fate-4.2")
        }
        WarChanged { war: true } => ("The Empire is at full-scale war.".to_owned(), "fate-4.2"),
        WarChanged { war: false } => ("The full-scale war is over.".to_owned(), "fate-4.2"),
        Elevated { .. } => ("The Captaincy-General is now a Sub-Province.".to_owned(), "fate-4.2"),
        DebtChanged { half_points: 0 } => {
            ("The Empire is owed no more ships.".to_owned(), "fate-4.4")
        }
        DebtChanged { half_points } => {
            (format!("Ship points still owed to the Empire: {}.", halves(half_points)), "fate-4.4")
        }
        SwarmsSought { red, white, star, orbit: None } => {
            (format!("Swarms ({red}, {white}) look for prey at {star} and find none."), "fate-5.2")
        }
        SwarmsSought { red, white, star, orbit: Some(orbit) } => {
            (format!("Swarms ({red}, {white}) look at orbit {orbit} of {star}."), "fate-5.2")
        }
        SwarmsStruck { planet: at, die, factors, stopped } => (
            format!(
                "Swarms attack {at}. A roll of {die} gives {factors} factors; the defenses \
                     stop {stopped}."
            ),
            "fate-5.3",
        ),
        PlanetRolled { planet: at, red, white, cell } => {
            (format!("On {at} the dice show {red} and {white}: {}.", contents(&cell)), "fate-6.2")
        }
        IndependentFound { planet: at, .. } => {
            (format!("An independent world is found on {at}."), "fate-6.2")
        }
        PirateDie { star, die } => {
            let comes = if die <= 2 { "a pirate corvette appears" } else { "no pirates appear" };
            (format!("At {star} the die shows {die}: {comes}."), "fate-6.5")
        }
        DirectionRolled { at, direction } => (
            format!("The ships that withdraw from {at} go in direction {}.", direction as u8 + 1),
            "fate-7.5",
        ),
        DisengagementRolled { difference, die, leave, .. } => {
            let leave = if leave { "the pirates leave the game" } else { "the pirates stay" };
            (format!("The difference is {difference}, the die shows {die}: {leave}."), "fate-7.6")
        }
        Counted { of, kind, count: number } => {
            let ships = count(number as usize, kind.as_str(), &format!("{kind}s"));
            if of == Fate::pirates() {
                (format!("Victory points for pirates destroyed: {ships}."), "fate-7.8")
            } else {
                (format!("Ships lost by the Empire: {ships}."), "fate-11")
            }
        }
    }
}

fn owed(points: u8) -> String {
    count(points.into(), "ship point", "ship points")
}

fn random_event(event: RandomEvent, effective: bool, ships: u8, points: u8) -> String {
    if !effective && event != RandomEvent::None {
        return format!("event {event}, without effect now");
    }
    match event {
        RandomEvent::None => "nothing happens".to_owned(),
        RandomEvent::Cadres => "A, technical cadres arrive".to_owned(),
        RandomEvent::Corvettes => format!("B, corvettes arrive: {ships}"),
        RandomEvent::Scouts => format!("C, scouts arrive: {ships}"),
        RandomEvent::SubProvince => "D, a Sub-Province is founded".to_owned(),
        RandomEvent::Tension => format!("E, tension at the frontier takes {}", owed(points)),
        RandomEvent::LimitedWar => format!("F, a limited war takes {}", owed(points)),
        RandomEvent::FullWar => format!("G, a full-scale war takes {}", owed(points)),
        RandomEvent::Peace => "H, which ends a war or, in peace, brings Swarms".to_owned(),
        RandomEvent::Swarms => "I, Swarms arrive".to_owned(),
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
