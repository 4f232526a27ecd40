//! The value of places to each power. The value of each center spreads over the map, so that a unit
//! far from every center has a direction.

use heliopause_diplomacy::{Kind, NODES, Node, PROVINCES, Province, Provinces, centers};
use heliopause_kernel::Seat;

use super::survey::{Survey, reach, stands};

const STEPS: usize = 9;
/// In each step, the value of a place becomes this fraction of the sum of its own value and those
/// of its neighbors.
const SPREAD: f64 = 0.2;
/// Weights by distance in steps. `SPRING` and `FALL` are for moves in those seasons, because
/// centers change owners only after the fall. `LATER` is for the places of units after the turn.
const SPRING: [f64; STEPS] = [0.1, 1.0, 0.06, 0.03, 0.02, 0.012, 0.008, 0.005, 0.003];
const FALL: [f64; STEPS] = [1.0, 0.2, 0.06, 0.03, 0.02, 0.012, 0.008, 0.005, 0.003];
const LATER: [f64; STEPS] = [0.1, 0.3, 0.18, 0.1, 0.06, 0.035, 0.02, 0.012, 0.008];

/// Values of other centers: `NEUTRAL` without an owner, and otherwise `FOREIGN` plus `PER_CENTER`
/// for each center of the owner.
const NEUTRAL: f64 = 1.2;
const FOREIGN: f64 = 0.9;
const PER_CENTER: f64 = 0.05;
/// Addition for a home center that the power does not own.
const HOME: f64 = 0.3;
/// Addition for a center of the power that the viewer attacks first.
const VICTIM: f64 = 3.0;
/// Values of a center that the power owns: `SAFE` if no unit threatens it, otherwise `THREATENED`
/// plus `PER_THREAT` for each threatening unit.
const SAFE: f64 = 0.05;
const THREATENED: f64 = 0.4;
const PER_THREAT: f64 = 0.15;
/// Minimum value of an owned center without a colony. No unit can be built there.
const UNSETTLED: f64 = 0.6;
const ORBIT_SPRING: f64 = 0.22;
const ORBIT_FALL: f64 = 0.05;

#[derive(Clone, Debug)]
pub(super) struct Values {
    pub(super) base: [f64; PROVINCES],
    now: [[f64; NODES]; 2],
    later: [[f64; NODES]; 2],
    pub(super) orbit: f64,
    pub(super) threat: [usize; PROVINCES],
}

impl Values {
    pub(super) fn new(survey: &Survey<'_>, seat: Seat) -> Self {
        let threat = std::array::from_fn(|index| survey.threat(seat, Province::at(index)));
        let mut base = [0.0; PROVINCES];
        for center in centers().iter().filter(|&center| !survey.is_closed(seat, center)) {
            base[center.index()] = worth(survey, seat, center, threat[center.index()]);
        }
        let season = if survey.is_fall() { &FALL } else { &SPRING };
        let (now, later) = ([[0.0; NODES]; 2], [[0.0; NODES]; 2]);
        let mut values = Self { base, now, later, orbit: 0.0, threat };
        for kind in [Kind::Army, Kind::Fleet] {
            let spread = spread(&base, kind);
            for &at in stands(kind) {
                let weighed = |weights: &[f64; STEPS]| -> f64 {
                    spread
                        .iter()
                        .zip(weights)
                        .map(|(values, weight)| values[at.index()] * weight)
                        .sum()
                };
                values.now[kind as usize][at.index()] = weighed(season);
                values.later[kind as usize][at.index()] = weighed(&LATER);
            }
        }
        values.normalize();
        if survey.in_space() {
            let part = if survey.is_fall() { ORBIT_FALL } else { ORBIT_SPRING };
            values.orbit = part
                * landings(survey, seat)
                    .iter()
                    .map(|at| values.base[at.index()])
                    .fold(0.0, f64::max);
        }
        values
    }

    /// Scales the values so that the best place after the turn has value 1.
    fn normalize(&mut self) {
        let best = self.later.iter().flatten().copied().fold(1e-9, f64::max);
        self.later.iter_mut().flatten().for_each(|value| *value /= best);
    }

    pub(super) fn now(&self, kind: Kind, at: Node) -> f64 {
        self.now[kind as usize][at.index()]
    }

    pub(super) fn later(&self, kind: Kind, at: Node) -> f64 {
        self.later[kind as usize][at.index()]
    }
}

pub(super) fn landings(survey: &Survey<'_>, seat: Seat) -> Provinces {
    let wanted = |at: &Province| {
        let own = survey.position.centers[at.index()] == Some(seat);
        let held = survey.position.unit(*at).is_some_and(|unit| unit.owner == seat);
        let needed = !own
            || survey.position.colonies[at.index()] != Some(seat)
            || survey.threat(seat, *at) > 0;
        survey.can_land(seat, *at) && !held && needed && !survey.is_closed(seat, *at)
    };
    centers().iter().filter(wanted).collect()
}

fn worth(survey: &Survey<'_>, seat: Seat, center: Province, threat: usize) -> f64 {
    let position = survey.position;
    let home = if center.home() == Some(seat.index()) && !survey.in_space() { HOME } else { 0.0 };
    match position.centers[center.index()] {
        None => NEUTRAL + home,
        Some(owner) if owner == seat => {
            let kept =
                if threat > 0 { THREATENED + PER_THREAT * threat.min(4) as f64 } else { SAFE };
            let settled = !survey.in_space() || position.colonies[center.index()] == Some(seat);
            if settled { kept } else { kept.max(UNSETTLED) }
        }
        Some(owner) => {
            let is_victim = seat == survey.me && survey.victim == Some(owner);
            let first = if is_victim { VICTIM } else { 0.0 };
            FOREIGN + PER_CENTER * position.centers_of(owner).len() as f64 + home + first
        }
    }
}

fn spread(base: &[f64; PROVINCES], kind: Kind) -> [[f64; NODES]; STEPS] {
    let mut spread = [[0.0; NODES]; STEPS];
    for &at in stands(kind) {
        spread[0][at.index()] = base[at.province().index()];
    }
    for step in 1..STEPS {
        let (before, after) = spread.split_at_mut(step);
        for &at in stands(kind) {
            let around: f64 =
                reach(kind, at).iter().map(|next| before[step - 1][next.index()]).sum();
            after[0][at.index()] = SPREAD * (before[step - 1][at.index()] + around);
        }
    }
    spread
}
