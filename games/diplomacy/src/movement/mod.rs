//! The movement phase, in which all orders are resolved simultaneously (D3, D4; 2 to 4).

mod field;
mod legality;
mod outcome;
mod resolve;
#[cfg(test)]
mod tests;

use heliopause_kernel::Seat;
use heliopause_kernel::wire::Wire;
use heliopause_proto::diplomacy::v1 as proto;

use crate::board::{Node, Nodes, Province, Provinces, Terrain};
use crate::order::{Order, Place};
use crate::position::{Kind, Position, SPACECRAFT, Unit, Variant};
use field::{Field, Id, NOBODY};
use resolve::Decisions;

pub use field::Given;
pub(crate) use legality::reached_by_fleet;
pub use legality::{Ground, Origin, Task};
pub use outcome::{Against, Helpers, Outcome, Report};

pub struct Movement<'a> {
    field: Field<'a>,
    decisions: Decisions,
}

/// A dislodged unit that must retreat (D7).
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::Dislodged)]
pub struct Dislodged {
    /// The unit, with its location before the retreat.
    pub unit: Unit,
    pub by: Seat,
    /// The attacker's origin. `None` if the attacker came from orbit.
    #[wire(name = attacked_from)]
    pub from: Option<Province>,
    pub by_convoy: bool,
    /// The possible retreats. The spacecraft is last.
    pub retreats: Vec<Place>,
}

/// Why a dislodged unit cannot retreat to a neighboring province (D7, 5).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Barred {
    Occupied,
    AttackersOrigin,
    /// A standoff left the province empty.
    Contested,
    NotAColony,
}

/// The map after movement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Aftermath {
    /// The position without the dislodged units.
    pub position: Position,
    /// The dislodged units, sorted by province.
    pub dislodged: Vec<Dislodged>,
    /// The provinces left empty by standoffs.
    pub contested: Provinces,
}

/// A legal attempt to enter or colonize a province. Attempts decide at the end of the turn which
/// orders to colonize succeed (R9).
#[derive(Wire, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[wire(message = proto::Attempt)]
pub struct Attempt {
    pub seat: Seat,
    pub at: Province,
    pub order: Order,
}

impl Attempt {
    pub fn colonizes(&self) -> bool {
        matches!(self.order, Order::Colonize { .. })
    }
}

impl<'a> Movement<'a> {
    /// Resolves the orders of all powers. Illegal orders are ignored, and units without an order
    /// hold. The sequence matters only among orders for armies in the same spacecraft.
    pub fn resolve(position: &'a Position, orders: &[Given]) -> Self {
        let field = Field::new(position, orders);
        let decisions = resolve::resolve(&field);
        Self { field, decisions }
    }

    pub fn aftermath(&self) -> Aftermath {
        let field = &self.field;
        let mut position = field.position.clone();
        let mut dislodged: Vec<(Unit, Id)> = Vec::new();
        let (mut contested, mut arrivals) = (Provinces::EMPTY, Vec::with_capacity(16));
        for (id, actor) in field.actors.iter().enumerate() {
            let id = id as Id;
            if self.decisions.succeeds(id) && actor.leaves() {
                match actor.at {
                    Some(from) => drop(position.take(from)),
                    None => *position.orbit_mut(actor.owner) -= 1,
                }
                arrivals.push(id);
            } else if let Some(at) = actor.at
                && let Some(attacker) =
                    field.units_entering(at).find(|&attacker| self.decisions.succeeds(attacker))
            {
                let unit = position.take(at).expect("a dislodged unit was in the province");
                dislodged.push((unit, attacker));
            }
            if let Some(to) = actor.goes_to()
                && !self.decisions.succeeds(id)
                && self.prevents(id, to)
            {
                contested.insert(to);
            }
        }
        for id in arrivals {
            let actor = field.actor(id);
            if let Task::Move { to, .. } = actor.task {
                position.put(Unit { owner: actor.owner, kind: actor.kind, at: to });
            } else {
                *position.orbit_mut(actor.owner) += 1;
            }
        }
        debug_assert!(
            position.seats().all(|seat| {
                let lost = dislodged.iter().filter(|(unit, _)| unit.owner == seat).count();
                position.strength(seat) + lost == field.position.strength(seat)
            }),
            "movement adds no units, and removes only the dislodged ones from the map"
        );
        let mut after = Aftermath { position, dislodged: Vec::new(), contested };
        after.contested = after.contested.difference(after.position.occupied());
        after.dislodged = dislodged
            .into_iter()
            .map(|(unit, attacker)| self.dislodge(&after, unit, attacker))
            .collect();
        after
    }

    /// D7: returns whether a failed move causes a standoff in its destination. The move must have a
    /// path and must not have lost a head-to-head battle.
    fn prevents(&self, id: Id, to: Province) -> bool {
        let actor = self.field.actor(id);
        let lost = actor.opponent != NOBODY && self.decisions.succeeds(actor.opponent);
        !lost && (!actor.goes_by_convoy() || self.has_path(id, to))
    }

    fn has_path(&self, id: Id, to: Province) -> bool {
        let from = self.field.actor(id).at.expect("a convoy starts on a coast, not in orbit");
        let fleets =
            self.field.convoys_of(from, to).filter(|&fleet| self.decisions.succeeds(fleet));
        let seas = fleets.filter_map(|fleet| self.field.actor(fleet).at).collect();
        crate::convoy::leads(seas, from, to)
    }

    fn dislodge(&self, after: &Aftermath, unit: Unit, attacker: Id) -> Dislodged {
        let attacker = self.field.actor(attacker);
        let mut dislodged = Dislodged {
            unit,
            by: attacker.owner,
            from: attacker.at,
            by_convoy: attacker.goes_by_convoy(),
            retreats: Vec::new(),
        };
        dislodged.retreats = after.retreats(&dislodged);
        dislodged
    }

    /// Returns the orders to colonize, and the moves to land that have a path (R9).
    pub fn attempts(&self, orders: &[Given]) -> Vec<Attempt> {
        let mut attempts = Vec::new();
        if self.field.position.variant == Variant::Standard {
            return attempts;
        }
        for (known, given) in self.field.lines.iter().zip(orders) {
            if known.fault.is_some() {
                continue;
            }
            let actor = self.field.actor(known.actor);
            let at = match actor.task {
                Task::Colonize { target } => target,
                Task::Move { to, by_convoy }
                    if !by_convoy || self.has_path(known.actor, to.province()) =>
                {
                    to.province()
                }
                Task::Hold
                | Task::Move { .. }
                | Task::BeamUp
                | Task::SupportHold { .. }
                | Task::SupportMove { .. }
                | Task::Convoy { .. } => continue,
            };
            if at.is_land() {
                attempts.push(Attempt { seat: actor.owner, at, order: given.order });
            }
        }
        attempts
    }
}

impl Aftermath {
    fn retreats(&self, dislodged: &Dislodged) -> Vec<Place> {
        let mut places: Vec<Place> = reach(dislodged.unit)
            .filter(|node| self.bar(dislodged, node.province()).is_none())
            .map(Place::Earth)
            .collect();
        let unit = dislodged.unit;
        let has_spacecraft =
            self.position.variant == Variant::OuterSpace && unit.kind == Kind::Army;
        if has_spacecraft && self.position.orbit(unit.owner) < SPACECRAFT {
            places.push(Place::Orbit);
        }
        places
    }

    pub fn bar(&self, dislodged: &Dislodged, to: Province) -> Option<Barred> {
        let owner = dislodged.unit.owner;
        let needs_colony =
            self.position.variant == Variant::OuterSpace && to.terrain() != Terrain::Sea;
        if self.position.unit(to).is_some() {
            Some(Barred::Occupied)
        } else if dislodged.from == Some(to) && !dislodged.by_convoy {
            Some(Barred::AttackersOrigin)
        } else if self.contested.contains(to) {
            Some(Barred::Contested)
        } else if needs_colony && self.position.colonies[to.index()] != Some(owner) {
            Some(Barred::NotAColony)
        } else {
            None
        }
    }
}

/// Returns the destinations that a unit can move to without a convoy.
pub(crate) fn reach(unit: Unit) -> impl Iterator<Item = Node> {
    let army =
        if unit.kind == Kind::Army { unit.at.province().by_army() } else { Provinces::EMPTY };
    let fleet = if unit.kind == Kind::Fleet { unit.at.by_fleet() } else { Nodes::EMPTY };
    army.iter().map(Province::node).chain(fleet.iter())
}
