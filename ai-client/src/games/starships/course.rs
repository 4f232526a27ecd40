//! Where a starship is best sent: what each step leads to.

use heliopause_starships::{PLACES, Place, Ship};

use super::survey::Survey;

/// What is far is worth less: so many percent of the worth are left after each turn on the way.
const PATIENCE_PERCENT: i32 = 78;
/// What another starship is nearer to is worth so many percent to this one.
const CLAIMED_PERCENT: i32 = 30;
/// A warp disrupts every other starship, which costs it a turn.
const WARP_PERCENT: i32 = 92;

/// The goals of one starship.
pub(super) struct Course<'a> {
    survey: &'a Survey<'a>,
    from: Place,
    goals: [i32; PLACES],
    /// What staying offers.
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

    /// The best that a step leads to: what is there, or what lies beyond.
    pub(super) fn prospect(&self, step: Place) -> i32 {
        let mut best = 0;
        for goal in Place::all() {
            let worth = self.goals[goal.index()];
            let beyond = step.distance(goal);
            if worth > best && beyond <= self.from.distance(goal) {
                best = best.max(after(worth, beyond));
            }
        }
        // Of two ways, the one over unknown hexes learns more.
        best + i32::from(self.survey.view.marker(step).is_none())
    }

    /// What a warp to a hex is worth.
    pub(super) fn worth_by_warp(&self, to: Place) -> i32 {
        self.goals[to.index()] * WARP_PERCENT / 100
    }
}

/// What staying in a hex offers: what is still to be done there in the next turn.
pub(super) fn staying(survey: &Survey<'_>, at: Place) -> i32 {
    after(survey.worth(at), 1)
}

/// What is left of a worth after so many turns.
fn after(worth: i32, turns: u16) -> i32 {
    (0..turns).fold(worth, |worth, _| worth * PATIENCE_PERCENT / 100)
}

/// Whether a goal is rather another starship's: of equally near ones the first has it.
fn is_nearer(other: &Ship, ship: Ship, goal: Place) -> bool {
    let (theirs, mine) = (other.at.distance(goal), ship.at.distance(goal));
    other.id != ship.id && (theirs < mine || theirs == mine && other.id < ship.id)
}
