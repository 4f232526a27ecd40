//! Results of orders, and the worth of a position to each power.
//!
//! A power's prospects are the centers that it can expect to hold at the next count: those that it
//! owns, and shares of the others according to the units that are there or can enter. The worth of
//! a position to a power is the square of the power's prospects, divided by the sum of the squares
//! of all powers' prospects. So a leader gains most by extending its lead, and all others by
//! stopping the leader.

use heliopause_diplomacy::{
    Aftermath, Dislodged, Given, Movement, PROVINCES, Place, Position, Province, Provinces,
    SPACECRAFT, centers, colonize, take_centers,
};
use heliopause_kernel::{Seat, SeatSet};

use super::survey::{Survey, entered};
use super::values::Values;

/// Weights of a unit in a center, of a unit that can enter the center, and of ownership. `COMING`
/// is indexed by the number of foreign centers that the unit can enter.
const STANDING: f64 = 2.0;
const COMING: [f64; 7] = [1.0, 1.0, 0.9, 0.75, 0.65, 0.55, 0.5];
const OWNER: f64 = 0.75;
/// Weight of ownership if no unit of the owner is in the center or can enter it.
const ABSENT: f64 = 0.3;
/// Weight of a power's current centers in its prospects. The expected centers have the remaining
/// weight.
const SETTLED_FALL: f64 = 0.7;
const SETTLED_SPRING: f64 = 0.25;
const PLACE: f64 = 0.15;
const UNBUILT: f64 = 0.3;
const COLONY_CENTER: f64 = 0.15;
const COLONY: f64 = 0.02;
/// Expected share of a center per army in orbit, if the next count is this fall or a year later.
const LANDING_FALL: f64 = 0.75;
const LANDING_LATER: f64 = 0.4;

pub(super) struct Evaluation<'a> {
    survey: &'a Survey<'a>,
    values: &'a [Values],
    victory: usize,
}

impl<'a> Evaluation<'a> {
    pub(super) fn new(survey: &'a Survey<'a>, values: &'a [Values]) -> Self {
        Self { survey, values, victory: usize::from(survey.table.options.victory_centers) }
    }

    pub(super) fn after(&self, orders: &[Given]) -> Position {
        let movement = Movement::resolve(self.survey.position, orders);
        let Aftermath { mut position, dislodged, .. } = movement.aftermath();
        self.retreat(&mut position, &dislodged);
        if self.survey.in_space() {
            colonize(&mut position, &movement.attempts(orders));
        }
        self.count(&mut position);
        position
    }

    pub(super) fn count(&self, position: &mut Position) {
        if self.survey.is_fall() {
            take_centers(position);
        }
    }

    fn retreat(&self, position: &mut Position, dislodged: &[Dislodged]) {
        for one in dislodged {
            let mut unit = one.unit;
            let values = &self.values[unit.owner.index()];
            let free = one.retreats.iter().filter_map(|&place| match place {
                Place::Earth(at) if position.unit(at.province()).is_none() => {
                    Some((values.later(unit.kind, at), place))
                }
                Place::Orbit if position.orbit(unit.owner) < SPACECRAFT => Some((0.0, place)),
                _ => None,
            });
            match free.max_by(|(one, _), (other, _)| one.total_cmp(other)) {
                Some((_, Place::Earth(at))) => {
                    unit.at = at;
                    position.put(unit);
                }
                Some((_, Place::Orbit)) => *position.orbit_mut(unit.owner) += 1,
                None => {}
            }
        }
    }

    pub(super) fn worth(&self, position: &Position, seat: Seat) -> f64 {
        let worths = self.worths(position);
        worths[seat.index()]
    }

    /// Returns the worth of a position to each power, in seat order. The sum is 1.
    pub(super) fn worths(&self, position: &Position) -> Vec<f64> {
        let count = position.powers.len();
        let owned = owned(position);
        if self.survey.is_fall()
            && let Some(winner) = self.winner(&owned)
        {
            return (0..count).map(|index| f64::from(u8::from(index == winner))).collect();
        }
        let settled = if self.survey.is_fall() { SETTLED_FALL } else { SETTLED_SPRING };
        let mut worths = self.expected(position, &owned);
        for (worth, owned) in worths.iter_mut().zip(&owned) {
            *worth = settled * *owned as f64 + (1.0 - settled) * *worth;
        }
        for unit in position.units() {
            let index = unit.owner.index();
            worths[index] += PLACE * self.values[index].later(unit.kind, unit.at);
        }
        self.add_orbits(position, &mut worths);
        self.add_colonies(position, &mut worths);
        self.take_unbuilt(position, &owned, &mut worths);
        for worth in &mut worths {
            *worth = worth.max(0.0) * worth.max(0.0);
        }
        let total: f64 = worths.iter().sum();
        for worth in &mut worths {
            *worth /= total.max(1e-9);
        }
        worths
    }

    /// Returns the power that has enough centers to win and more than any other power (D8.7).
    fn winner(&self, owned: &[usize]) -> Option<usize> {
        let most = owned.iter().copied().max().filter(|&most| most >= self.victory)?;
        let mut leaders = (0..owned.len()).filter(|&index| owned[index] == most);
        leaders.next().filter(|_| leaders.next().is_none())
    }

    fn expected(&self, position: &Position, owned: &[usize]) -> Vec<f64> {
        let count = owned.len();
        let mut weights = vec![0.0; count * PROVINCES];
        for unit in position.units() {
            let (row, at) = (unit.owner.index() * PROVINCES, unit.at.province());
            if at.is_center() {
                weights[row + at.index()] += STANDING;
            }
            if !self.survey.active.contains(unit.owner) {
                continue;
            }
            let reach = entered(unit.kind, unit.at).intersection(centers());
            let foreign =
                reach.iter().filter(|to| position.centers[to.index()] != Some(unit.owner)).count();
            for to in reach.iter() {
                let own = position.centers[to.index()] == Some(unit.owner);
                weights[row + to.index()] +=
                    COMING[if own { 1 } else { foreign.min(COMING.len() - 1) }];
            }
        }
        let mut expected = vec![0.0; count];
        for center in centers().iter() {
            let (owner, holder) =
                (position.centers[center.index()], position.unit(center).map(|unit| unit.owner));
            if let Some(owner) = owner
                && holder.is_none_or(|holder| holder == owner)
            {
                let weight = &mut weights[owner.index() * PROVINCES + center.index()];
                *weight += if *weight > 0.0 { OWNER } else { ABSENT };
            }
            let weight = |index: usize| weights[index * PROVINCES + center.index()];
            let total: f64 = (0..count).map(|index| weight(index) * weight(index)).sum();
            if total > 0.0 {
                for (index, expected) in expected.iter_mut().enumerate() {
                    *expected += weight(index) * weight(index) / total;
                }
            }
        }
        expected
    }

    fn add_orbits(&self, position: &Position, worths: &mut [f64]) {
        if !self.survey.in_space() {
            return;
        }
        let all: usize = position.seats().map(|seat| usize::from(position.orbit(seat))).sum();
        if all == 0 {
            return;
        }
        let part = if self.survey.is_fall() { LANDING_LATER } else { LANDING_FALL };
        let empty: Provinces = centers().iter().filter(|&at| position.unit(at).is_none()).collect();
        for seat in position.seats().filter(|&seat| position.orbit(seat) > 0) {
            let open = |at: &Province| {
                position.centers[at.index()] != Some(seat)
                    && position.colonies[at.index()].is_none_or(|owner| owner == seat)
            };
            let open = empty.iter().filter(open).count();
            let each = (open as f64 / all as f64).min(1.0);
            worths[seat.index()] += part * each * f64::from(position.orbit(seat));
        }
    }

    fn add_colonies(&self, position: &Position, worths: &mut [f64]) {
        if !self.survey.in_space() {
            return;
        }
        for (index, owner) in position.colonies.iter().enumerate() {
            if let Some(owner) = owner {
                let own = position.centers[index] == Some(*owner);
                worths[owner.index()] += if own { COLONY_CENTER } else { COLONY };
            }
        }
    }

    fn take_unbuilt(&self, position: &Position, owned: &[usize], worths: &mut [f64]) {
        if !self.survey.is_fall() {
            return;
        }
        let mut units = vec![0; owned.len()];
        position.units().for_each(|unit| units[unit.owner.index()] += 1);
        for seat in position.seats().filter(|&seat| self.survey.active.contains(seat)) {
            let index = seat.index();
            let due = owned[index].saturating_sub(units[index] + usize::from(position.orbit(seat)));
            if due > 0 {
                let sites = heliopause_diplomacy::sites(position, seat).len();
                worths[index] -= UNBUILT * due.saturating_sub(sites) as f64;
            }
        }
    }
}

fn owned(position: &Position) -> Vec<usize> {
    let mut owned = vec![0; position.powers.len()];
    position.centers.iter().flatten().for_each(|owner| owned[owner.index()] += 1);
    owned
}

pub(super) fn values(survey: &Survey<'_>) -> Vec<Values> {
    survey.position.seats().map(|seat| Values::new(survey, seat)).collect()
}

pub(super) fn others(survey: &Survey<'_>, seat: Seat) -> SeatSet {
    survey
        .active
        .iter()
        .filter(|&other| other != seat && survey.position.strength(other) > 0)
        .collect()
}
