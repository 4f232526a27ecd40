//! Chapter 11: elimination of powers without free people, and their heirs.

use heliopause_kernel::{Seat, SeatSet};

use crate::rules::campaign::outer_space::annexation::enslave;
use crate::rules::campaign::outer_space::partings::{drop_incidents, free_conquests};
use crate::rules::campaign::outer_space::peace::{by_success, conqueror_of};
use crate::rules::conquest::update_control;
use crate::rules::referee::Referee;
use crate::state::{Cause, Colony, OwnEvent, PoliticsEvent, Ship, ShipNumber, Source, War};
use crate::tables::{Place, StarId};

pub(super) fn eliminate(referee: &mut Referee<'_>) {
    while let Some((seat, war)) = lost_power(referee) {
        fall(referee, seat, &war);
    }
}

/// Returns a power at war with neither a free colony nor its own people in transports, if any, and
/// the war (DR-21).
fn lost_power(referee: &Referee<'_>) -> Option<(Seat, War)> {
    let war = referee.politics().war.as_ref()?;
    let at_war = war.sides[0].union(war.sides[1]);
    let lost = at_war.iter().find(|&seat| {
        let power = referee.power(seat);
        let is_own = |ship: &Ship| ship.load().is_some_and(|load| load.captives_of.is_none());
        !power.colonies.iter().any(Colony::is_free) && !power.ships.iter().any(is_own)
    });
    lost.map(|seat| (seat, war.clone()))
}

fn fall(referee: &mut Referee<'_>, seat: Seat, war: &War) {
    let victors = war.enemies_of(seat);
    let ranked = by_success(referee, victors, &war.success);
    let heirs = heirs(referee, seat, victors, &ranked);
    referee.publish_politics(PoliticsEvent::Fell { seat });
    for &(star, heir) in &heirs {
        enslave(referee, star, heir);
    }
    surrender(referee, seat, &heirs, ranked.first().copied());
    referee.publish_politics(PoliticsEvent::LeftWar { seat });
    let sides = referee.politics().war.as_ref().map(|war| war.sides);
    if let Some([one, other]) = sides.filter(|sides| sides.iter().any(|side| side.is_empty())) {
        referee.publish_politics(PoliticsEvent::WarEnded);
        free_conquests(referee, one, other);
    }
    drop_incidents(referee);
}

/// Returns the heir of each star of the loser: the star's conqueror or occupier, or else the next
/// victor in order of success.
fn heirs(
    referee: &Referee<'_>,
    loser: Seat,
    victors: SeatSet,
    ranked: &[Seat],
) -> Vec<(StarId, Seat)> {
    let mut next = ranked.iter().cycle();
    let stars: Vec<StarId> = referee.politics().claims_of(loser).collect();
    let heir = |star: StarId| {
        let conqueror = conqueror_of(referee, star, victors, SeatSet::one(loser));
        let occupied = || {
            let colonies = referee.power(loser).colonies_of(star).filter_map(Colony::conqueror);
            colonies.into_iter().find(|&by| victors.contains(by))
        };
        conqueror.or_else(occupied).or_else(|| next.next().copied()).map(|heir| (star, heir))
    };
    stars.into_iter().filter_map(heir).collect()
}

fn surrender(
    referee: &mut Referee<'_>,
    loser: Seat,
    heirs: &[(StarId, Seat)],
    first: Option<Seat>,
) {
    let ships: Vec<Ship> = referee.power(loser).ships.clone();
    if ships.is_empty() {
        return;
    }
    let numbers = ships.iter().map(|ship| ship.number).collect();
    referee.lose_ships(loser, numbers, Cause::Surrendered);
    let mut places: Vec<Place> = ships.iter().filter_map(|ship| ship.at).collect();
    places.sort_unstable();
    places.dedup();
    for at in places {
        referee.show_groups(loser, at);
        let nearest =
            heirs.iter().min_by_key(|(star, _)| star.at().distance(at)).map(|&(_, heir)| heir);
        let Some(heir) = nearest.or(first) else { continue };
        let number = referee.power(heir).next_ship.0;
        let there = ships.iter().filter(|ship| ship.at == Some(at));
        let taken = there.zip(number..).map(|(ship, number)| Ship {
            destination: ship.destination,
            departed: ship.departed,
            ..Ship::new(ShipNumber(number), ship.hull, Some(at))
        });
        let ships = taken.collect();
        referee.publish_to_owner(OwnEvent::ShipsCame {
            seat: heir,
            ships,
            source: Source::Surrendered,
        });
        referee.show_groups(heir, at);
    }
    update_control(referee);
}
