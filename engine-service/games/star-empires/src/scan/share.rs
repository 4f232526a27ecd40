//! 6.8.4, notes 8.7: what an empire lets another see of what its ships collected this turn.

use heliopause_kernel::Seat;

use super::{Frozen, Glimpse, Sky, collect};
use crate::empire::Granted;
use crate::ids::ShipId;
use crate::ship::Ship;

/// Adds what a reader is given by all others: sectors by donor and sector, and pictures in the
/// order in which they were taken. `collected` is what each empire's own ships see, by seat.
pub(crate) fn share<'a>(
    sky: &'a Sky<'_>,
    reader: Seat,
    collected: &[Vec<Glimpse<'a>>],
    taken: &'a [Frozen],
    glimpses: &mut Vec<Glimpse<'a>>,
    pictures: &mut Vec<&'a Frozen>,
) {
    for donor in sky.galaxy.seats() {
        let Some(grant) = sky.galaxy.empire(donor).grant(reader) else { continue };
        let own = &collected[donor.index()];
        match grant {
            Granted::All => glimpses.extend_from_slice(own),
            Granted::Some { sectors: listed, ships, classes } => {
                glimpses
                    .extend(own.iter().filter(|glimpse| listed.binary_search(&glimpse.at).is_ok()));
                let is_listed = |id: ShipId| {
                    let ship = sky.galaxy.ship(id);
                    ships.binary_search(&ship.serial).is_ok()
                        || classes.binary_search(&ship.class).is_ok()
                };
                glimpses.extend(collect(sky, donor, is_listed));
            }
        }
        pictures.extend(
            taken.iter().filter(|frozen| frozen.owner == donor && covers(sky, grant, frozen)),
        );
    }
}

/// Whether a grant covers what lost ships saw: by their sector, by one of them, or by its class.
fn covers(sky: &Sky<'_>, grant: &Granted, frozen: &Frozen) -> bool {
    let Granted::Some { sectors, ships, classes } = grant else { return true };
    let is_listed = |&id: &ShipId| {
        let ship = sky.galaxy.ship(id);
        ships.binary_search(&ship.serial).is_ok() || classes.binary_search(&ship.class).is_ok()
    };
    sectors.binary_search(&frozen.at).is_ok() || frozen.eyes.iter().any(is_listed)
}

/// R53: whether an empire's own ship appears in what it shares with a reader: in public mode; or
/// identified to them; or neutral towards them, as long as it is identified to nobody else.
pub(super) fn is_shown(ship: &Ship, reader: Seat) -> bool {
    let neutral = ship.identified.is_empty() && !ship.concealed.contains(reader);
    ship.public || ship.identified.contains(reader) || neutral
}
