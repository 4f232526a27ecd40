//! Diplomacy's adjudicator against the slow reference of its tests, and against itself under
//! relabellings that the rules are blind to.
//!
//! Provinces have no symmetry, so powers are renamed, lines are given in another order, and a unit
//! is set far away from all others.

#[path = "../../../engine-service/games/diplomacy/tests/reference/model.rs"]
mod model;
#[path = "../../../engine-service/games/diplomacy/tests/reference/random.rs"]
mod random;

use std::collections::BTreeSet;

use heliopause_diplomacy::{Given, Kind, Movement, Place, Position, Province, Unit};
use heliopause_kernel::Seat;
use random::{Chance, random, random_convoys};

use crate::source::Source;

/// A position and its orders by bytes.
pub fn diplomacy(data: &[u8]) {
    let mut source = Source::new(data);
    let how = source.byte();
    let (turn, shuffle) = (usize::from(source.byte()), source.byte());
    let chance = Chance::of_bytes(source.rest());
    let (position, orders) =
        if how.is_multiple_of(4) { random_convoys(chance) } else { random(chance) };
    if let Some(agreement) = model::compare(&position, &orders) {
        // A paradox is a circle too.
        assert!(agreement.circular || !agreement.paradoxical);
    }
    renamed(&position, &orders, turn);
    reordered(&position, &orders, shuffle);
    with_a_stranger(&position, &orders);
}

/// What becomes of a position: its units, by the seat that owns them, and the results of lines.
type Outcome = (BTreeSet<(Seat, Kind, Province)>, Vec<u8>, BTreeSet<(Place, &'static str)>);

fn outcome(position: &Position, orders: &[Given], name: impl Fn(Seat) -> Seat) -> Outcome {
    let movement = Movement::resolve(position, orders);
    let after = movement.aftermath().position;
    let units = after.units().map(|unit| (name(unit.owner), unit.kind, unit.at.province()));
    let orbits = {
        let mut orbits: Vec<(Seat, u8)> =
            after.seats().map(|seat| (name(seat), after.orbit(seat))).collect();
        orbits.sort_unstable();
        orbits.into_iter().map(|(_, orbit)| orbit).collect()
    };
    let reports = movement.reports(orders);
    let on_earth = reports.iter().filter_map(|report| {
        let at = report.given.order.unit()?.at;
        (at != Place::Orbit).then(|| (at, report.outcome.name()))
    });
    (units.collect(), orbits, on_earth.collect())
}

/// Seats change places; each power keeps its code, its units and its orders.
fn renamed(position: &Position, orders: &[Given], turn: usize) {
    let seats = position.powers.len();
    let moved = |seat: Seat| Seat::at((seat.index() + turn) % seats);
    let back = |seat: Seat| Seat::at((seat.index() + seats - turn % seats) % seats);
    let codes: Vec<_> =
        Seat::first(seats).map(|seat| position.powers[back(seat).index()].code).collect();
    let mut other = Position::empty(position.variant, codes);
    for unit in position.units() {
        other.put(Unit { owner: moved(unit.owner), ..unit });
    }
    for seat in position.seats() {
        *other.orbit_mut(moved(seat)) = position.orbit(seat);
    }
    let given: Vec<Given> =
        orders.iter().map(|given| Given { seat: moved(given.seat), order: given.order }).collect();
    assert_eq!(
        outcome(position, orders, |seat| seat),
        outcome(&other, &given, back),
        "the names of seats matter: {orders:#?}"
    );
}

/// Lines come in another order. Those of a unit in orbit count in the order in which its power gave
/// them, so they stay behind each other.
fn reordered(position: &Position, orders: &[Given], by: u8) {
    let is_beam = |given: &Given| given.order.unit().is_none_or(|unit| unit.at == Place::Orbit);
    let (beams, mut others): (Vec<Given>, Vec<Given>) = orders.iter().copied().partition(is_beam);
    if !others.is_empty() {
        let middle = usize::from(by) % others.len();
        others.rotate_left(middle);
        if by & 1 == 1 {
            others.reverse();
        }
    }
    let given: Vec<Given> = others.into_iter().chain(beams).collect();
    assert_eq!(
        outcome(position, orders, |seat| seat),
        outcome(position, &given, |seat| seat),
        "the order of lines matters: {orders:#?}"
    );
}

/// A unit that is far away and has no order changes nothing for the others.
fn with_a_stranger(position: &Position, orders: &[Given]) {
    let Some(far) = far_from(position, orders) else { return };
    let stranger = Unit { owner: Seat::at(0), kind: Kind::Army, at: far.node() };
    let mut other = position.clone();
    other.put(stranger);
    let (mut units, orbits, results) = outcome(&other, orders, |seat| seat);
    assert!(units.remove(&(stranger.owner, stranger.kind, far)), "the stranger stays");
    assert_eq!(
        outcome(position, orders, |seat| seat),
        (units, orbits, results),
        "a stranger in {far} matters: {orders:#?}"
    );
}

/// A land that no unit stands in, and that no order names.
fn far_from(position: &Position, orders: &[Given]) -> Option<Province> {
    let named: Vec<String> = orders.iter().map(|given| given.order.to_string()).collect();
    ["Syr", "Fin", "Por", "Naf", "Ukr", "Mos"]
        .into_iter()
        .filter_map(|text| text.parse::<Province>().ok())
        .find(|&land| {
            let name = land.to_string();
            position.unit(land).is_none() && named.iter().all(|line| !line.contains(&name))
        })
}
