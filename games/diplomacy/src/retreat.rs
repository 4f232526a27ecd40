//! The retreat phase (D7, 5).

use heliopause_kernel::Seat;
use heliopause_kernel::sentence::Facts;
use heliopause_kernel::wire::{Result as Read, Wire, wrong_field};
use heliopause_proto::diplomacy::v1 as proto;

use crate::fault::Fault;
use crate::movement::{Dislodged, Given, reached_by_fleet};
use crate::order::{Order, Place};
use crate::position::{IMPOSSIBLE_UNIT, Kind, Position, SPACECRAFT, Unit};
use crate::sentences::rule_of;

#[derive(Facts, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fate {
    Retreated(Place),
    Disbanded,
    NoRetreat,
    NoOrder,
    Collided,
    /// Removed because too many units retreated to the spacecraft (R13).
    NoRoom,
}

impl Fate {
    pub fn rule(self) -> &'static str {
        rule_of(&self)
    }
}

#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(message = proto::RetreatReport, always(rule = fate.rule().to_owned()), check = Self::can_stand)]
pub struct RetreatReport {
    pub unit: Unit,
    #[wire(oneof)]
    pub fate: Fate,
}

impl RetreatReport {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "the wire macro passes a reference")]
    fn can_stand(&self) -> Read<()> {
        if let Fate::Retreated(Place::Earth(at)) = self.fate
            && !self.unit.kind.can_stand(at)
        {
            let kind = self.unit.kind.as_str();
            return wrong_field("to", format!("{kind} {at} {IMPOSSIBLE_UNIT}"));
        }
        Ok(())
    }
}

/// Judges an order of a retreat phase, ignoring other orders. Returns the index of the unit, and
/// the place to retreat to, or `None` for a unit that disbands.
pub fn judge(
    dislodged: &[Dislodged],
    seat: Seat,
    order: &Order,
) -> Result<(usize, Option<Place>), Fault> {
    let (unit, to) = match *order {
        Order::Retreat { unit, to } => (unit, Some(to)),
        Order::Disband { unit } => (unit, None),
        Order::Hold { .. }
        | Order::Move { .. }
        | Order::SupportHold { .. }
        | Order::SupportMove { .. }
        | Order::Convoy { .. }
        | Order::Colonize { .. }
        | Order::Build { .. }
        | Order::Remove { .. }
        | Order::Waive => return Err(Fault::WrongPhase),
    };
    let at = unit.at.province().ok_or(Fault::NotDislodged)?;
    let mine = |other: &Dislodged| other.unit.at.province() == at && other.unit.owner == seat;
    let index = dislodged.iter().position(mine).ok_or(Fault::NotDislodged)?;
    let retreating = &dislodged[index];
    let to = match to {
        Some(Place::Earth(node)) if retreating.unit.kind == Kind::Army => {
            Some(Place::Earth(node.province().node()))
        }
        Some(Place::Earth(node)) => Some(Place::Earth(reached_by_fleet(retreating.unit.at, node)?)),
        other => other,
    };
    if to.is_some_and(|to| !retreating.retreats.contains(&to)) {
        return Err(Fault::NoRetreat);
    }
    Ok((index, to))
}

/// Resolves the retreats and returns the fates, in the order of `dislodged`. The position must not
/// contain the dislodged units. If a unit has two different legal orders, neither counts (D3.6).
pub fn resolve(position: &mut Position, dislodged: &[Dislodged], orders: &[Given]) -> Vec<Fate> {
    let mut chosen: Vec<Option<Option<Place>>> = vec![None; dislodged.len()];
    let mut conflicting = vec![false; dislodged.len()];
    for given in orders {
        if let Ok((index, to)) = judge(dislodged, given.seat, &given.order) {
            conflicting[index] |= chosen[index].is_some_and(|earlier| earlier != to);
            chosen[index] = Some(to);
        }
    }
    let goes = |index: usize| if conflicting[index] { None } else { chosen[index].flatten() };
    let fate = |index: usize| match chosen[index] {
        Some(None) if !conflicting[index] => Fate::Disbanded,
        _ => match goes(index) {
            None if dislodged[index].retreats.is_empty() => Fate::NoRetreat,
            None => Fate::NoOrder,
            Some(to) => {
                let owner = dislodged[index].unit.owner;
                let others = (0..dislodged.len()).filter_map(|other| Some((other, goes(other)?)));
                match to {
                    Place::Earth(node) => {
                        let province = node.province();
                        let alone =
                            others.filter(|(_, to)| to.province() == Some(province)).count() == 1;
                        if alone { Fate::Retreated(to) } else { Fate::Collided }
                    }
                    Place::Orbit => {
                        let up = others.filter(|&(other, to)| {
                            to == Place::Orbit && dislodged[other].unit.owner == owner
                        });
                        let all = up.count() + usize::from(position.orbit(owner));
                        if all <= usize::from(SPACECRAFT) {
                            Fate::Retreated(to)
                        } else {
                            Fate::NoRoom
                        }
                    }
                }
            }
        },
    };
    let fates: Vec<Fate> = (0..dislodged.len()).map(fate).collect();
    for (retreating, fate) in dislodged.iter().zip(&fates) {
        let mut unit = retreating.unit;
        match *fate {
            Fate::Retreated(Place::Earth(to)) => {
                unit.at = to;
                position.put(unit);
            }
            Fate::Retreated(Place::Orbit) => *position.orbit_mut(unit.owner) += 1,
            Fate::Disbanded | Fate::NoRetreat | Fate::NoOrder | Fate::Collided | Fate::NoRoom => {}
        }
    }
    fates
}
