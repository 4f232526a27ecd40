//! 6.8.4, notes 8.7: the parts of this turn's scans that an empire shares.

use heliopause_kernel::Seat;

use super::coverage::collect;
use super::picture::SectorSnapshot;
use super::scan_index::ScanIndex;
use super::sighting::Sighting;
use crate::empire::Granted;
use crate::ids::ShipId;
use crate::ship::Ship;

/// Adds what all other empires share with a reader: sightings by donor and sector, pictures by
/// donor in the order taken. `collected` has each empire's own sightings, by seat.
pub(crate) fn share<'a>(
    scan_index: &'a ScanIndex<'_>,
    reader: Seat,
    collected: &[Vec<Sighting<'a>>],
    taken: &'a [SectorSnapshot],
    sightings: &mut Vec<Sighting<'a>>,
    pictures: &mut Vec<&'a SectorSnapshot>,
) {
    for donor in scan_index.galaxy.seats() {
        let Some(grant) = scan_index.galaxy.empire(donor).grant(reader) else { continue };
        let own = &collected[donor.index()];
        match grant {
            Granted::All => sightings.extend_from_slice(own),
            Granted::Some { sectors: listed, ships, classes } => {
                sightings.extend(
                    own.iter().filter(|sighting| listed.binary_search(&sighting.at).is_ok()),
                );
                let is_listed = |id: ShipId| {
                    let ship = scan_index.galaxy.ship(id);
                    ships.binary_search(&ship.serial).is_ok()
                        || classes.binary_search(&ship.class).is_ok()
                };
                sightings.extend(collect(scan_index, donor, is_listed));
            }
        }
        pictures.extend(
            taken
                .iter()
                .filter(|snapshot| snapshot.owner == donor && covers(scan_index, grant, snapshot)),
        );
    }
}

fn covers(scan_index: &ScanIndex<'_>, grant: &Granted, snapshot: &SectorSnapshot) -> bool {
    let Granted::Some { sectors, ships, classes } = grant else { return true };
    let is_listed = |&id: &ShipId| {
        let ship = scan_index.galaxy.ship(id);
        ships.binary_search(&ship.serial).is_ok() || classes.binary_search(&ship.class).is_ok()
    };
    sectors.binary_search(&snapshot.at).is_ok() || snapshot.lost_ships.iter().any(is_listed)
}

/// R53: returns whether an empire's own ship appears in the scans that the empire shares with a
/// reader.
pub(super) fn is_shown(ship: &Ship, reader: Seat) -> bool {
    let neutral = ship.identified.is_empty() && !ship.concealed.contains(reader);
    ship.public || ship.identified.contains(reader) || neutral
}
