//! Retreats of dislodged units.

use heliopause_diplomacy::{
    Dislodged, Given, Order, Place, Province, SPACECRAFT, colonize, resolve_retreats,
};
use heliopause_kernel::Seat;

use super::evaluation::{Evaluation, values};
use super::survey::{Piece, Survey};
use super::values::Values;

const TRIES: usize = 300;

pub(super) fn likely(survey: &Survey<'_>, values: &Values, seat: Seat) -> Vec<Order> {
    let mut taken: Vec<Province> = Vec::new();
    let mut room = usize::from(SPACECRAFT).saturating_sub(usize::from(survey.position.orbit(seat)));
    let mut orders = Vec::new();
    for one in of(survey, seat) {
        let worth = |place: &Place| match *place {
            Place::Earth(at) => values.now(one.unit.kind, at),
            Place::Orbit => values.orbit,
        };
        let is_free = |place: &Place| match place.province() {
            Some(at) => !taken.contains(&at) && !survey.is_closed(seat, at),
            None => room > 0,
        };
        let places = one.retreats.iter().copied().filter(is_free);
        let best = places.max_by(|one, other| worth(one).total_cmp(&worth(other)));
        match best.map(Place::province) {
            Some(Some(at)) => taken.push(at),
            Some(None) => room -= 1,
            None => {}
        }
        orders.push(order(one, best));
    }
    orders
}

/// Returns the best of up to `TRIES` combinations of retreats against the likely retreats of the
/// other powers.
pub(super) fn best(survey: &Survey<'_>) -> Vec<Order> {
    let values = values(survey);
    let evaluation = Evaluation::new(survey, &values);
    let given =
        |seat: Seat, orders: Vec<Order>| orders.into_iter().map(move |order| Given { seat, order });
    let others = survey.position.seats().filter(|&seat| seat != survey.me);
    let others: Vec<Given> =
        others.flat_map(|seat| given(seat, likely(survey, &values[seat.index()], seat))).collect();
    let mut best = likely(survey, &values[survey.me.index()], survey.me);
    let mut most = f64::MIN;
    for orders in std::iter::once(best.clone()).chain(ways(survey)).take(TRIES) {
        let mut position = survey.position.clone();
        let all: Vec<Given> =
            given(survey.me, orders.clone()).chain(others.iter().copied()).collect();
        resolve_retreats(&mut position, &survey.table.dislodged, &all);
        if survey.in_space() {
            colonize(&mut position, &survey.table.attempts);
        }
        evaluation.count(&mut position);
        let worth = evaluation.worth(&position, survey.me);
        if worth > most {
            (best, most) = (orders, worth);
        }
    }
    best
}

fn ways(survey: &Survey<'_>) -> Vec<Vec<Order>> {
    let mut ways: Vec<Vec<Order>> = vec![Vec::new()];
    for one in of(survey, survey.me) {
        let open =
            |place: &Place| place.province().is_none_or(|at| !survey.is_closed(survey.me, at));
        let places: Vec<Option<Place>> =
            one.retreats.iter().copied().filter(open).map(Some).chain([None]).collect();
        if ways.len() * places.len() > TRIES {
            break;
        }
        let longer = |way: &Vec<Order>| {
            let with = |&place: &Option<Place>| {
                way.iter().copied().chain([order(one, place)]).collect::<Vec<Order>>()
            };
            places.iter().map(with).collect::<Vec<_>>()
        };
        ways = ways.iter().flat_map(longer).collect();
    }
    let complete = of(survey, survey.me).count();
    ways.retain(|way| way.len() == complete);
    ways
}

fn of<'a>(survey: &'a Survey<'_>, seat: Seat) -> impl Iterator<Item = &'a Dislodged> {
    survey.table.dislodged.iter().filter(move |one| one.unit.owner == seat)
}

fn order(one: &Dislodged, to: Option<Place>) -> Order {
    let unit = Piece { kind: one.unit.kind, at: Some(one.unit.at) }.named();
    match to {
        Some(to) => Order::Retreat { unit, to },
        None => Order::Disband { unit },
    }
}
