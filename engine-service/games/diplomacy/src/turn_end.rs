//! The end of a turn, once retreats are done: colonies, and in fall the owners of centers (3, 6, D2).

use heliopause_kernel::Seat;

use crate::board::{Province, centers};
use crate::movement::Attempt;
use crate::position::Position;

/// What became of an order to colonize (3).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Colonizing {
    /// The province is a colony of the empire now.
    Colonized,
    /// Another empire's unit is there.
    Occupied(Seat),
    /// The province is empty, but another empire moved there or tried to colonize it.
    Spoiled(Seat),
}

impl Colonizing {
    /// The number of the rule that decided it.
    pub fn rule(self) -> &'static str {
        match self {
            Self::Colonized | Self::Occupied(_) => "3",
            Self::Spoiled(_) => "R9",
        }
    }
}

/// Judges the orders to colonize among the attempts of the turn, all on the same position, and makes the colonies.
pub fn colonize(position: &mut Position, attempts: &[Attempt]) -> Vec<(Attempt, Colonizing)> {
    let results: Vec<(Attempt, Colonizing)> = attempts
        .iter()
        .filter(|attempt| attempt.colonizes)
        .map(|&attempt| (attempt, judge(position, attempts, attempt)))
        .collect();
    for &(attempt, result) in &results {
        if result == Colonizing::Colonized {
            position.colonies[attempt.at.index()] = Some(attempt.seat);
        }
    }
    results
}

fn judge(position: &Position, attempts: &[Attempt], attempt: Attempt) -> Colonizing {
    match position.unit(attempt.at).map(|unit| unit.owner) {
        Some(owner) if owner == attempt.seat => Colonizing::Colonized,
        Some(owner) => Colonizing::Occupied(owner),
        None => {
            let spoils = |other: &&Attempt| other.at == attempt.at && other.seat != attempt.seat;
            match attempts.iter().find(spoils) {
                Some(other) => Colonizing::Spoiled(other.seat),
                None => Colonizing::Colonized,
            }
        }
    }
}

/// D2, 6: each center with a unit on it goes to that unit's power. Says which ones changed, with their former owners.
pub fn take_centers(position: &mut Position) -> Vec<(Province, Option<Seat>)> {
    let mut taken = Vec::new();
    for center in centers().iter() {
        let Some(unit) = position.unit(center) else { continue };
        let owner = &mut position.centers[center.index()];
        if *owner != Some(unit.owner) {
            taken.push((center, owner.replace(unit.owner)));
        }
    }
    taken
}

/// 6, R16: the colonies of an empire that is out become neutral.
pub fn free_colonies(position: &mut Position, seat: Seat) {
    for colony in &mut position.colonies {
        if *colony == Some(seat) {
            *colony = None;
        }
    }
}
