//! 6.8.5, notes 13: whom an empire meets. Only what its own ships saw counts, never what was shared
//! (R58).

use heliopause_kernel::{Seat, SeatSet};

use super::{Frozen, Glimpse, Level, Sky};

/// The empires that a reader's own scans of this turn show: owners of worlds in scanned and visible
/// sectors, of loose ships in visible ones, and of ships in scanned ones that identify themselves
/// to the reader; and all of that in what the reader's lost ships saw.
pub(crate) fn contacts(
    sky: &Sky<'_>,
    reader: Seat,
    own: &[Glimpse<'_>],
    pictures: &[Frozen],
) -> SeatSet {
    let galaxy = sky.galaxy;
    let mut met = SeatSet::EMPTY;
    for glimpse in own.iter().filter(|glimpse| glimpse.level >= Level::Scanned) {
        let Some(place) = glimpse.place else { continue };
        if let Some(owner) = place.world.and_then(|id| galaxy.world(id).owner) {
            met.insert(owner);
        }
        for ship in sky.ships(place) {
            if glimpse.level == Level::Visible || ship.public || ship.identified.contains(reader) {
                met.insert(ship.owner);
            }
        }
    }
    for frozen in pictures.iter().filter(|frozen| frozen.owner == reader) {
        let owner = frozen.world.and_then(|world| world.owner);
        met = met.union(
            owner
                .into_iter()
                .chain(frozen.ships.iter().map(|&(id, _)| galaxy.ship(id).owner))
                .collect(),
        );
    }
    met.without(reader)
}
