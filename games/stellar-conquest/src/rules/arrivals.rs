//! Creation of new ships, on or off the board.

use heliopause_kernel::Seat;

use crate::rules::referee::Referee;
use crate::state::{Hull, Load, OwnEvent, Ship, ShipNumber, Source};
use crate::tables::{Fleet, Place, ShipKind, Tech};

/// Gives ships to a seat. Transports are loaded, and equipped if the seat owns C.E.T. (BR-29).
pub(crate) fn bring(
    referee: &mut Referee<'_>,
    seat: Seat,
    fleet: Fleet,
    at: Option<Place>,
    source: Source,
) {
    let cet = referee.power(seat).research.has(Tech::ControlledEnvironment);
    add_ships(referee, seat, fleet, at, Load { cet, ..Load::default() }, source);
}

pub(crate) const fn hull(kind: ShipKind, load: Load) -> Hull {
    match kind {
        ShipKind::Scout => Hull::Scout,
        ShipKind::Transport => Hull::Transport(load),
        ShipKind::Corvette => Hull::Corvette,
        ShipKind::Fighter => Hull::Fighter,
        ShipKind::DeathStar => Hull::DeathStar,
    }
}

/// Gives ships with a given load to a seat, in a hex.
pub(crate) fn launch(referee: &mut Referee<'_>, seat: Seat, fleet: Fleet, at: Place, load: Load) {
    add_ships(referee, seat, fleet, Some(at), load, Source::Built);
}

fn add_ships(
    referee: &mut Referee<'_>,
    seat: Seat,
    fleet: Fleet,
    at: Option<Place>,
    load: Load,
    source: Source,
) {
    let kinds =
        ShipKind::ALL.into_iter().flat_map(|kind| (0..fleet.count(kind)).map(move |_| kind));
    let first = referee.power(seat).next_ship.0;
    let ship = |(kind, number)| Ship::new(ShipNumber(number), hull(kind, load), at);
    let ships: Vec<Ship> = kinds.zip(first..).map(ship).collect();
    if ships.is_empty() {
        return;
    }
    referee.publish_to_owner(OwnEvent::ShipsCame { seat, ships, source });
    if let Some(at) = at {
        referee.show_groups(seat, at);
    }
}
