//! The value of each step of a starship.

use heliopause_starships::{PLACES, Place, Ship};

use super::survey::Survey;

/// Percentage of a goal's worth that remains after each turn of travel.
const DISTANCE_PERCENT: i32 = 78;
/// Percentage of a goal's worth that remains if another starship is nearer.
const CLAIMED_PERCENT: i32 = 30;
/// Percentage of a goal's worth that remains after a warp, because half of all warps Disrupt the
/// starship for a turn.
const WARP_PERCENT: i32 = 92;

pub(super) struct Course<'a> {
    survey: &'a Survey<'a>,
    from: Place,
    goals: [i32; PLACES],
    pub(super) stay: i32,
}

impl<'a> Course<'a> {
    pub(super) fn new(survey: &'a Survey<'a>, ship: Ship, fleet: &[Ship]) -> Self {
        let mut goals = [0; PLACES];
        for goal in Place::all() {
            let worth = survey.worth(goal);
            let left_to_other = worth > 0 && fleet.iter().any(|other| is_nearer(other, ship, goal));
            goals[goal.index()] = if left_to_other { worth * CLAIMED_PERCENT / 100 } else { worth };
        }
        Self { survey, from: ship.at, goals, stay: staying(survey, ship.at) }
    }

    pub(super) fn prospect(&self, step: Place) -> i32 {
        let mut best = 0;
        for goal in Place::all() {
            let worth = self.goals[goal.index()];
            let beyond = step.distance(goal);
            if worth > best && beyond <= self.from.distance(goal) {
                best = best.max(after(worth, beyond));
            }
        }
        // Of two equal paths, the one over unknown hexes reveals more.
        best + i32::from(self.survey.view.marker(step).is_none())
    }

    pub(super) fn worth_by_warp(&self, to: Place) -> i32 {
        self.goals[to.index()] * WARP_PERCENT / 100
    }
}

pub(super) fn staying(survey: &Survey<'_>, at: Place) -> i32 {
    after(survey.worth(at), 1)
}

fn after(worth: i32, turns: u16) -> i32 {
    (0..turns).fold(worth, |worth, _| worth * DISTANCE_PERCENT / 100)
}

/// Returns whether another starship should take the goal. The lower id breaks ties.
fn is_nearer(other: &Ship, ship: Ship, goal: Place) -> bool {
    let (theirs, mine) = (other.at.distance(goal), ship.at.distance(goal));
    other.id != ship.id && (theirs < mine || theirs == mine && other.id < ship.id)
}
