//! Rules 10.1 to 10.3, 10.6: success, terms and annexations.

use heliopause_kernel::{Seat, SeatSet};

use crate::rules::campaign::outer_space::annexation::{annex, enslave};
use crate::rules::campaign::outer_space::lots::draw_lot;
use crate::rules::campaign::outer_space::partings::{drop_incidents, free_conquests};
use crate::rules::referee::Referee;
use crate::state::{Colony, PoliticsEvent, War};
use crate::tables::StarId;
use crate::tables::outer_space::{Terms, conquest_points};

#[derive(Clone, Copy, Debug)]
struct Conquest {
    star: StarId,
    by: Seat,
}

/// Returns the power of `side` that has conquered a star claimed by an enemy, if any. The power
/// must have a warship there, and no enemy may have a ship or an unconquered colony there (10.1).
pub(super) fn conqueror_of(
    referee: &Referee<'_>,
    star: StarId,
    side: SeatSet,
    enemies: SeatSet,
) -> Option<Seat> {
    let table = referee.table();
    let claimed = referee.politics().claimant(star).is_some_and(|seat| enemies.contains(seat));
    let at = star.at();
    if !claimed || enemies.iter().any(|enemy| table.has_ships(enemy, at)) {
        return None;
    }
    let commands =
        |owner: Seat, colony: &Colony| enemies.contains(colony.conqueror().unwrap_or(owner));
    let powers = || Seat::first(table.seats());
    let resists =
        |owner: Seat| referee.power(owner).colonies_of(star).any(|colony| commands(owner, colony));
    if powers().any(resists) {
        return None;
    }
    // If several powers qualify, prefer one that has conquered a colony there.
    let guards = |&seat: &Seat| {
        side.contains(seat) && referee.power(seat).has_warship_at(at, &table.options)
    };
    let conquerors = powers()
        .flat_map(|owner| referee.power(owner).colonies_of(star))
        .filter_map(Colony::conqueror);
    conquerors.chain(side.iter()).find(guards)
}

fn conquests(referee: &Referee<'_>, war: &War, side: usize) -> Vec<Conquest> {
    let all = StarId::ALL.into_iter().filter_map(|star| {
        let by = conqueror_of(referee, star, war.sides[side], war.sides[1 - side])?;
        Some(Conquest { star, by })
    });
    all.collect()
}

fn star_points(referee: &Referee<'_>, star: StarId) -> u32 {
    let planets = referee.game.truth.secrets.card(star).planets();
    if planets.is_empty() { 1 } else { planets.iter().map(conquest_points).sum() }
}

pub(super) fn make_peace(referee: &mut Referee<'_>) {
    let Some(war) = referee.politics().war.clone() else { return };
    let conquests = [0, 1].map(|side| conquests(referee, &war, side));
    let own = success(referee, &war, &conquests);
    let points = war.sides.map(|side| side.iter().map(|seat| own[seat.index()]).sum::<u32>());
    let terms = Terms::of(points[0].abs_diff(points[1]) / 2);
    let winner = usize::from(points[1] > points[0]);
    let ceded = if terms == Terms::Stalemate {
        Vec::new()
    } else {
        annexed_stars(referee, &war, winner, &conquests[winner], terms, &own)
    };
    let named = (terms != Terms::Stalemate).then_some(winner as u8);
    referee.publish_politics(PoliticsEvent::PeaceMade {
        sides: war.sides,
        half_points: points,
        terms,
        winner: named,
    });
    for Conquest { star, by } in ceded {
        if terms == Terms::Decisive {
            enslave(referee, star, by);
        } else {
            for planet in annex(referee, star, by) {
                referee.publish_politics(PoliticsEvent::Vacated { planet });
            }
        }
    }
    free_conquests(referee, war.sides[0], war.sides[1]);
    drop_incidents(referee);
}

/// Returns the success of each power in half points, by seat (10.2).
fn success(referee: &Referee<'_>, war: &War, conquests: &[Vec<Conquest>; 2]) -> Vec<u32> {
    let mut own = war.success.clone();
    for conquest in conquests.iter().flatten() {
        own[conquest.by.index()] += 2 * star_points(referee, conquest.star);
    }
    own
}

fn annexed_stars(
    referee: &mut Referee<'_>,
    war: &War,
    winner: usize,
    conquests: &[Conquest],
    terms: Terms,
    own: &[u32],
) -> Vec<Conquest> {
    let taken: Vec<StarId> = conquests.iter().map(|conquest| conquest.star).collect();
    let others: Vec<StarId> = war.sides[1 - winner]
        .iter()
        .flat_map(|loser| referee.politics().claims_of(loser).collect::<Vec<_>>())
        .collect();
    let others = others.into_iter().filter(|star| !taken.contains(star)).collect();
    let mut stars = nearest_first(referee, taken, war.sides[winner]);
    stars.extend(nearest_first(referee, others, war.sides[winner]));
    stars.truncate(terms.stars(conquests.len()));
    let ranked = by_success(referee, war.sides[winner], own);
    let sharers = if terms == Terms::Marginal { 1 } else { ranked.len() };
    let sharers = &ranked[..sharers.min(ranked.len())];
    stars.into_iter().zip(sharers.iter().cycle()).map(|(star, &by)| Conquest { star, by }).collect()
}

/// Sorts stars by distance to the nearest star that a side claims, ties by lot (10.3, DR-14).
fn nearest_first(referee: &mut Referee<'_>, mut stars: Vec<StarId>, side: SeatSet) -> Vec<StarId> {
    let politics = referee.politics();
    let home: Vec<StarId> =
        side.iter().flat_map(|seat| politics.claims_of(seat).collect::<Vec<_>>()).collect();
    let far = |star: &StarId| home.iter().map(|other| other.at().distance(star.at())).min();
    shuffle_by_lots(referee, "ceded", &mut stars);
    stars.sort_by_key(far);
    stars
}

pub(super) fn by_success(referee: &mut Referee<'_>, side: SeatSet, own: &[u32]) -> Vec<Seat> {
    let mut seats: Vec<Seat> = side.iter().collect();
    shuffle_by_lots(referee, "sharing", &mut seats);
    seats.sort_by_key(|seat| std::cmp::Reverse(own[seat.index()]));
    seats
}

fn shuffle_by_lots<T>(referee: &mut Referee<'_>, purpose: &'static str, items: &mut [T]) {
    for last in (1..items.len()).rev() {
        let other = draw_lot(referee, purpose, last as u64, last + 1);
        items.swap(last, other);
    }
}
