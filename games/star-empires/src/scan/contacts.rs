//! 6.8.5, notes 13: new contacts, which only an empire's own ships can find (R58).

use heliopause_kernel::{Seat, SeatSet};

use super::picture::SectorSnapshot;
use super::scan_index::ScanIndex;
use super::sighting::{Level, Sighting};

pub(crate) fn contacts(
    scan_index: &ScanIndex<'_>,
    reader: Seat,
    own: &[Sighting<'_>],
    pictures: &[SectorSnapshot],
) -> SeatSet {
    let galaxy = scan_index.galaxy;
    let mut met = SeatSet::EMPTY;
    for sighting in own.iter().filter(|sighting| sighting.level >= Level::Scanned) {
        let Some(place) = sighting.place else { continue };
        if let Some(owner) = place.world.and_then(|id| galaxy.world(id).owner) {
            met.insert(owner);
        }
        for ship in scan_index.ships(place) {
            if sighting.level == Level::Visible || ship.public || ship.identified.contains(reader) {
                met.insert(ship.owner);
            }
        }
    }
    for snapshot in pictures.iter().filter(|snapshot| snapshot.owner == reader) {
        let owner = snapshot.world.and_then(|world| world.owner);
        met = met.union(
            owner
                .into_iter()
                .chain(snapshot.ships.iter().map(|&(id, _)| galaxy.ship(id).owner))
                .collect(),
        );
    }
    met.without(reader)
}
