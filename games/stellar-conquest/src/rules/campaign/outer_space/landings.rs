//! Rule 7.2: transports that land where policy sends them.

use heliopause_kernel::Seat;

use crate::rules::campaign::outer_space::transports::best_at;
use crate::rules::colonisation::land;
use crate::rules::referee::Referee;
use crate::state::{Load, ShipNumber};
use crate::tables::{PlanetId, StarId};

pub(crate) fn land_by_policy(referee: &mut Referee<'_>, seat: Seat) {
    let own: Vec<StarId> = referee.politics().claims_of(seat).collect();
    for star in own {
        while let Some((ships, planet)) = compulsory_landing(referee, seat, star) {
            let before = referee.power(seat).ships.len();
            land(referee, seat, &ships, planet);
            if referee.power(seat).ships.len() == before {
                break;
            }
        }
    }
}

/// Returns transports at a star that must land, and their planet, if any. Transports must land if
/// they arrived this turn (DR-28) or if the star has a planet of the first rank.
fn compulsory_landing(
    referee: &Referee<'_>,
    seat: Seat,
    star: StarId,
) -> Option<(Vec<ShipNumber>, PlanetId)> {
    let seat_view = referee.seat_view(seat);
    let transports =
        || seat_view.power.ships_at(star.at()).filter_map(|ship| Some((ship, ship.load()?)));
    let mut groups: Vec<(bool, Load)> =
        transports().map(|(ship, load)| (ship.has_moved(), load)).collect();
    groups.sort_unstable();
    groups.dedup();
    let all: Vec<ShipNumber> = transports().map(|(ship, _)| ship.number).collect();
    let settlement_sites = seat_view.settled();
    groups.into_iter().rev().find_map(|(arrived, load)| {
        let first = || seat_view.first_rank(star.at(), 0, &[load], &all).into_iter();
        let here = best_at(&settlement_sites, star, &[load])
            .filter(|_| arrived || first().any(|haven| haven.planet.star == star))?;
        let alike =
            transports().filter(|(ship, other)| *other == load && ship.has_moved() == arrived);
        let ships: Vec<ShipNumber> =
            alike.map(|(ship, _)| ship.number).take(usize::from(here.room())).collect();
        (seat_view.judge_settlement(&ships, here.planet).is_ok()).then_some((ships, here.planet))
    })
}
