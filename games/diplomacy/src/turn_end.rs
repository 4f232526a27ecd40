//! The end of a turn, after retreats: colonies and, in fall, the ownership of centers (3, 6, D2).

use heliopause_kernel::Seat;
use heliopause_kernel::sentence::Facts;
use heliopause_kernel::wire::Wire;
use heliopause_proto::diplomacy::v1 as proto;

use crate::board::{Province, centers};
use crate::movement::Attempt;
use crate::position::Position;
use crate::sentences::rule_of;

/// The result of an order to colonize (3).
#[derive(Facts, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Colonizing {
    Colonized,
    Occupied(Seat),
    /// Another empire moved into the empty province or also tried to colonize it.
    Spoiled(Seat),
}

impl Colonizing {
    pub fn rule(self) -> &'static str {
        rule_of(&self)
    }
}

#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(message = proto::ColonizeReport, always(rule = result.rule().to_owned()))]
pub struct ColonizeReport {
    pub attempt: Attempt,
    #[wire(part(fault, by))]
    pub result: Colonizing,
}

#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(message = proto::CenterTaken)]
pub struct CenterTaken {
    pub center: Province,
    pub former_owner: Option<Seat>,
    pub new_owner: Seat,
}

/// Adds the colonies of the turn, and returns the result of each order to colonize. All orders are
/// judged before any colony is added.
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

/// Gives each occupied center to the owner of the unit (D2, 6). Returns the changes.
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

/// Makes the colonies of an eliminated empire neutral (6, R16).
pub fn free_colonies(position: &mut Position, seat: Seat) {
    for colony in &mut position.colonies {
        if *colony == Some(seat) {
            *colony = None;
        }
    }
}
