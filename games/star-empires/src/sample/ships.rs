//! The ships of a sample: own ships, seen ships, and random ships in unknown sectors.

use std::collections::BTreeSet;

use heliopause_kernel::{Seat, SeatSet};

use crate::chart::{FleetSeen, ShipSeen, Status};
use crate::galaxy::Galaxy;
use crate::geometry::{Frame, Sector};
use crate::ids::{ClassId, Id, ShipId};
use crate::name::Name;
use crate::ship::{Carrier, Serial, Ship};
use crate::view::{EmpireView, OwnShip};

use super::below;
use super::classes::add_unknown;

pub(super) fn overwrite(galaxy: &mut Galaxy, own: &EmpireView, rng: &mut dyn FnMut() -> u64) {
    let seat = own.status.seat;
    let frame = galaxy.empire(seat).frame;
    let seen = own.chart.sectors.iter().filter(|row| row.status > Status::Stale);
    let mut seen: Vec<Sector> = seen.filter_map(|row| frame.galactic(row.at)).collect();
    seen.sort_unstable();
    galaxy.ships.retain(|ship| ship.owner != seat && seen.binary_search(&ship.at).is_err());
    let taken: Vec<_> = own.chart.ships.iter().map(|row| (row.owner, row.serial)).collect();
    galaxy.ships.retain(|ship| !taken.contains(&(ship.owner, ship.serial)));
    let mut names: BTreeSet<(Seat, Name)> =
        galaxy.ships.iter().map(|ship| (ship.owner, ship.name)).collect();
    for row in own.chart.ships.iter().filter(|row| !row.wreck && row.owner != seat) {
        add_seen(galaxy, row, frame, &mut names);
    }
    let mut serials: BTreeSet<(Seat, Serial)> = galaxy.ships.iter().map(Ship::sort_key).collect();
    for fleet in &own.chart.fleets {
        add_fleet(galaxy, fleet, own, frame, &mut serials, rng);
    }
    let first = galaxy.ships.len();
    for ship in &own.ships {
        add_own(galaxy, ship, seat, frame);
    }
    for (place, ship) in own.ships.iter().enumerate() {
        let carrier = ship
            .carrier
            .and_then(|serial| own.ships.binary_search_by_key(&serial, |other| other.serial).ok());
        let carrier = carrier.map(|carrier| Carrier::new(ShipId::at(first + carrier)));
        if let Some(added) = galaxy.ships.get_mut(first + place) {
            added.carrier = carrier;
        }
    }
    galaxy.compact_ships();
}

fn add_own(galaxy: &mut Galaxy, row: &OwnShip, seat: Seat, frame: Frame) {
    let class = galaxy.class_named(row.class).unwrap_or(ClassId(0));
    let at = frame.galactic(row.at).unwrap_or_default();
    let (identified, concealed, public) = (row.identified, row.concealed, row.public);
    let ship = Ship::new(seat, row.serial, row.name, class, row.dp, at);
    galaxy.ships.push(Ship { identified, concealed, public, ..ship });
}

fn add_seen(galaxy: &mut Galaxy, row: &ShipSeen, frame: Frame, names: &mut BTreeSet<(Seat, Name)>) {
    let (Some(class), Some(at)) = (galaxy.class_named(row.class), frame.galactic(row.at)) else {
        return;
    };
    let full = galaxy.class(class).ratings.dp;
    // The operational rating is the square root of the share of points left.
    let share = u64::from(row.permille) * u64::from(row.permille) * u64::from(full);
    let dp = row.dp.unwrap_or((share / 1_000_000) as u16).clamp(1, full);
    let name = if names.insert((row.owner, row.name)) { row.name } else { Name::NONE };
    galaxy.ships.push(Ship::new(row.owner, row.serial, name, class, dp, at));
}

/// Adds the ships of a long-range scan. Unidentified ships get a class of the average tonnage.
fn add_fleet(
    galaxy: &mut Galaxy,
    fleet: &FleetSeen,
    own: &EmpireView,
    frame: Frame,
    serials: &mut BTreeSet<(Seat, Serial)>,
    rng: &mut dyn FnMut() -> u64,
) {
    let Some(at) = frame.galactic(fleet.at) else { return };
    let seat = own.status.seat;
    let mut left = fleet.tonnage;
    for nth in 0..fleet.count {
        let average = (left / u64::from(fleet.count - nth)) as u32;
        left -= u64::from(average);
        let (owner, class) = match fleet.identity {
            Some((owner, class)) => (owner, class),
            None => (foreign_ship(galaxy, seat, rng), unknown(galaxy, average)),
        };
        let Some(class) = galaxy.class_named(class) else { continue };
        let dp = galaxy.class(class).ratings.dp;
        let serial = galaxy.deal_serial(owner, |serial| serials.contains(&(owner, serial)));
        serials.insert((owner, serial));
        let identified = if fleet.identity.is_some() { SeatSet::one(seat) } else { SeatSet::EMPTY };
        galaxy
            .ships
            .push(Ship { identified, ..Ship::new(owner, serial, Name::NONE, class, dp, at) });
    }
}

fn foreign_ship(galaxy: &Galaxy, seat: Seat, rng: &mut dyn FnMut() -> u64) -> Seat {
    let others: Vec<Seat> = galaxy.seats().filter(|&other| other != seat).collect();
    others[below(rng, others.len())]
}

fn unknown(galaxy: &mut Galaxy, tonnage: u32) -> Name {
    if let Some(class) = galaxy.classes.iter().find(|class| class.tonnage == tonnage) {
        return class.name;
    }
    let name = Name::new(&format!("unseen_{tonnage}")).unwrap_or_default();
    add_unknown(galaxy, name, tonnage);
    name
}
