//! Compares Diplomacy's adjudicator with the slow reference of its tests, and with itself after
//! changes that must not affect the result.

use std::collections::BTreeSet;

use heliopause_diplomacy::{Given, Kind, Movement, Place, Position, Province, Unit};
use heliopause_kernel::Seat;
use heliopause_samples::positions::{random, random_convoys};
use heliopause_samples::reference::compare;
use heliopause_testing::Rng;

use crate::source::Source;

/// Fuzzes adjudication. The bytes determine a position and orders.
pub fn diplomacy(data: &[u8]) {
    let mut source = Source::new(data);
    let how = source.byte();
    let (turn, shuffle) = (usize::from(source.byte()), source.byte());
    let chance = Rng::of_bytes(source.rest());
    let (position, orders) =
        if how.is_multiple_of(4) { random_convoys(chance) } else { random(chance) };
    if let Some(agreement) = compare(&position, &orders) {
        // Every paradox is circular.
        assert!(agreement.circular || !agreement.paradoxical);
    }
    renamed(&position, &orders, turn);
    reordered(&position, &orders, shuffle);
    with_distant_unit(&position, &orders);
}

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

/// Checks that results do not depend on the numbers of seats: each power moves to another seat with
/// its code, units and orders.
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

/// Checks that results do not depend on the sequence of lines. Lines for units in orbit keep their
/// sequence, because that sequence matters.
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

fn with_distant_unit(position: &Position, orders: &[Given]) {
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
