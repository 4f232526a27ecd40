//! The end of a turn, once retreats are done: colonies, and in fall the owners of centers (3, 6,
//! D2).

use heliopause_kernel::Seat;
use heliopause_kernel::wire::Wire;
use heliopause_proto::diplomacy::v1 as proto;

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

/// An order to colonize, and what became of it.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(message = proto::ColonizeReport, always(rule = result.rule().to_owned()))]
pub struct ColonizeReport {
    /// The order.
    pub attempt: Attempt,
    /// What became of it.
    #[wire(part(fault, by))]
    pub result: Colonizing,
}

/// A center that changed hands.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(message = proto::CenterTaken)]
pub struct CenterTaken {
    pub center: Province,
    pub former_owner: Option<Seat>,
    /// Whose it is now.
    pub new_owner: Seat,
}

/// Judges the orders to colonize among the attempts of the turn, all on the same position, and
/// makes the colonies.
pub fn colonize(position: &mut Position, attempts: &[Attempt]) -> Vec<ColonizeReport> {
    let results: Vec<ColonizeReport> = attempts
        .iter()
        .filter(|attempt| attempt.colonizes())
        .map(|&attempt| ColonizeReport { attempt, result: judge(position, attempts, attempt) })
        .collect();
    for ColonizeReport { attempt, result } in &results {
        if *result == Colonizing::Colonized {
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

/// D2, 6: each center with a unit on it goes to that unit's power. Says which ones changed.
pub fn take_centers(position: &mut Position) -> Vec<CenterTaken> {
    let mut taken = Vec::new();
    for center in centers().iter() {
        let Some(unit) = position.unit(center) else { continue };
        let (owner, new_owner) = (&mut position.centers[center.index()], unit.owner);
        if *owner != Some(new_owner) {
            taken.push(CenterTaken { center, former_owner: owner.replace(new_owner), new_owner });
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
