//! Legal orders of a movement phase, linked to their units and to each other (D3, "matching").

use heliopause_kernel::Seat;

use super::legality::{Ground, Origin, Task};
use crate::board::{PROVINCES, Province};
use crate::fault::Fault;
use crate::order::{Order, Place};
use crate::position::{Kind, Position, SPACECRAFT, Unit};

/// An order and the seat of its power.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Given {
    pub seat: Seat,
    pub order: Order,
}

/// The index of a unit in [`Field::actors`], on the map or in orbit.
pub(crate) type Id = u16;

pub(crate) const NOBODY: Id = Id::MAX;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Actor {
    pub(crate) owner: Seat,
    pub(crate) kind: Kind,
    /// The unit's province. `None` in orbit.
    pub(crate) at: Option<Province>,
    pub(crate) task: Task,
    /// Whether a support or convoy matches the other unit's task. Otherwise the order is void.
    pub(crate) matched: bool,
    pub(crate) opponent: Id,
    /// The first unit that supports this one. `next_support` links the others.
    pub(crate) first_support: Id,
    pub(crate) next_support: Id,
    /// The next unit that moves into the same province, or that beams up to the same spacecraft.
    pub(crate) next_rival: Id,
    line: Option<u32>,
    /// Whether a second, different order was given (D3.6).
    conflicting: bool,
}

impl Actor {
    fn new(owner: Seat, kind: Kind, at: Option<Province>) -> Self {
        Self {
            owner,
            kind,
            at,
            task: Task::Hold,
            matched: false,
            opponent: NOBODY,
            first_support: NOBODY,
            next_support: NOBODY,
            next_rival: NOBODY,
            line: None,
            conflicting: false,
        }
    }

    pub(crate) fn goes_to(&self) -> Option<Province> {
        if let Task::Move { to, .. } = self.task { Some(to.province()) } else { None }
    }

    pub(crate) fn leaves(&self) -> bool {
        matches!(self.task, Task::Move { .. } | Task::BeamUp)
    }

    pub(crate) fn goes_by_convoy(&self) -> bool {
        matches!(self.task, Task::Move { by_convoy: true, .. })
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    pub(crate) actor: Id,
    pub(crate) fault: Option<Fault>,
}

pub(crate) struct Field<'a> {
    pub(crate) position: &'a Position,
    pub(crate) actors: Vec<Actor>,
    pub(crate) lines: Vec<Line>,
    at: [Id; PROVINCES],
    first_into: [Id; PROVINCES],
    beam_ups: Vec<Id>,
    orbits: Vec<Id>,
}

impl<'a> Field<'a> {
    pub(crate) fn new(position: &'a Position, orders: &[Given]) -> Self {
        let mut field = Self::of_units(position);
        field.take_orders(&Ground::new(position), orders);
        field.choose_convoys();
        field.tie_moves();
        field.tie_supports();
        field.tie_convoys();
        field
    }

    fn of_units(position: &'a Position) -> Self {
        let mut field = Self {
            position,
            actors: Vec::with_capacity(48),
            lines: Vec::new(),
            at: [NOBODY; PROVINCES],
            first_into: [NOBODY; PROVINCES],
            beam_ups: vec![NOBODY; position.powers.len()],
            orbits: vec![NOBODY; position.powers.len()],
        };
        for Unit { owner, kind, at } in position.units() {
            field.at[at.province().index()] = field.actors.len() as Id;
            field.actors.push(Actor::new(owner, kind, Some(at.province())));
        }
        for seat in position.seats() {
            field.orbits[seat.index()] = field.actors.len() as Id;
            let armies = 0..position.orbit(seat);
            field.actors.extend(armies.map(|_| Actor::new(seat, Kind::Army, None)));
        }
        field
    }

    /// Assigns orders to units. Even an illegal order for an army in orbit uses up an army (2).
    fn take_orders(&mut self, ground: &Ground<'_>, orders: &[Given]) {
        let mut beamed = [0_u8; Seat::MAX];
        self.lines.reserve(orders.len());
        for (number, given) in orders.iter().enumerate() {
            let judged = ground.judge(given.seat, &given.order);
            let actor = match given.order.unit().map(|unit| unit.at) {
                Some(Place::Orbit) => {
                    self.next_in_orbit(given.seat, &mut beamed[given.seat.index()])
                }
                Some(Place::Earth(node)) => self.at[node.province().index()],
                None => NOBODY,
            };
            let fault = match judged {
                Ok(_) if actor == NOBODY => Some(Fault::TooManyLines),
                Ok(task) => self.take_order(actor, number as u32, task),
                Err(fault) => Some(fault),
            };
            self.lines.push(Line { actor, fault });
        }
    }

    fn next_in_orbit(&self, seat: Seat, beamed: &mut u8) -> Id {
        if *beamed >= self.position.orbit(seat) {
            return NOBODY;
        }
        *beamed += 1;
        self.orbits[seat.index()] + Id::from(*beamed - 1)
    }

    /// Assigns an order to its unit. If the unit already has a different order, neither order
    /// counts, and both orders get the returned fault (D3.6).
    fn take_order(&mut self, id: Id, number: u32, task: Task) -> Option<Fault> {
        let actor = &mut self.actors[usize::from(id)];
        if actor.conflicting {
            return Some(Fault::Conflicting);
        }
        let Some(earlier) = actor.line else {
            actor.line = Some(number);
            actor.task = task;
            return None;
        };
        if actor.task == task {
            return None;
        }
        actor.conflicting = true;
        actor.task = Task::Hold;
        self.lines[earlier as usize].fault = Some(Fault::Conflicting);
        Some(Fault::Conflicting)
    }

    /// Makes armies go by convoy if a fleet of their own power convoys exactly that move (4.A.3).
    fn choose_convoys(&mut self) {
        for index in 0..self.actors.len() {
            let fleet = self.actors[index];
            let Task::Convoy { from, to } = fleet.task else { continue };
            let Some(army) = self.actor_at(from) else { continue };
            let army = &mut self.actors[usize::from(army)];
            if army.owner == fleet.owner && army.goes_to() == Some(to) {
                army.task = Task::Move { to: to.node(), by_convoy: true };
            }
        }
    }

    fn tie_moves(&mut self) {
        for id in (0..self.actors.len() as Id).rev() {
            let actor = self.actors[usize::from(id)];
            match actor.task {
                Task::Move { to, by_convoy } => {
                    let first = &mut self.first_into[to.province().index()];
                    self.actors[usize::from(id)].next_rival = std::mem::replace(first, id);
                    if !by_convoy {
                        self.actors[usize::from(id)].opponent =
                            self.opponent(&actor, to.province());
                    }
                }
                Task::BeamUp => {
                    let first = &mut self.beam_ups[actor.owner.index()];
                    self.actors[usize::from(id)].next_rival = std::mem::replace(first, id);
                }
                Task::Hold
                | Task::SupportHold { .. }
                | Task::SupportMove { .. }
                | Task::Convoy { .. }
                | Task::Colonize { .. } => {}
            }
        }
    }

    /// Returns the unit that moves in the opposite direction without a convoy (D4), or [`NOBODY`].
    fn opponent(&self, actor: &Actor, to: Province) -> Id {
        let Some(other) = self.actor_at(to) else { return NOBODY };
        let there = self.actor(other);
        let meets = there.goes_to().is_some_and(|goes_to| actor.at == Some(goes_to))
            && !there.goes_by_convoy();
        if meets { other } else { NOBODY }
    }

    fn tie_supports(&mut self) {
        for id in (0..self.actors.len() as Id).rev() {
            let supported = match self.actor(id).task {
                Task::SupportHold { at } => {
                    self.actor_at(at).filter(|&other| !self.actor(other).leaves())
                }
                Task::SupportMove { from: Origin::Earth(from), to } => {
                    self.actor_at(from).filter(|&other| {
                        matches_move(
                            self.actor(other).task,
                            to.province(),
                            to.coast().is_some().then_some(to),
                        )
                    })
                }
                Task::SupportMove { from: Origin::Orbit(empire), to } => {
                    self.beaming_to(empire, to.province())
                }
                Task::Hold
                | Task::Move { .. }
                | Task::BeamUp
                | Task::Convoy { .. }
                | Task::Colonize { .. } => None,
            };
            if let Some(other) = supported {
                let first = &mut self.actors[usize::from(other)].first_support;
                let next = std::mem::replace(first, id);
                let support = &mut self.actors[usize::from(id)];
                support.next_support = next;
                support.matched = true;
            }
        }
    }

    /// Returns the first of the empire's armies that beams down to this province (R5), or `None`.
    fn beaming_to(&self, empire: Seat, to: Province) -> Option<Id> {
        let armies = self.in_orbit(empire);
        armies
            .filter(|&army| self.actor(army).goes_to() == Some(to))
            .min_by_key(|&army| self.actor(army).line)
    }

    fn tie_convoys(&mut self) {
        for index in 0..self.actors.len() {
            if let Task::Convoy { from, to } = self.actors[index].task {
                let army = self.actor_at(from).map(|army| self.actor(army));
                self.actors[index].matched =
                    army.is_some_and(|army| army.goes_by_convoy() && army.goes_to() == Some(to));
            }
        }
    }

    pub(crate) fn actor(&self, id: Id) -> &Actor {
        &self.actors[usize::from(id)]
    }

    pub(crate) fn actor_at(&self, at: Province) -> Option<Id> {
        let id = self.at[at.index()];
        (id != NOBODY).then_some(id)
    }

    pub(crate) fn in_orbit(&self, empire: Seat) -> impl Iterator<Item = Id> + use<> {
        let first = self.orbits.get(empire.index());
        let (first, armies) = first.map_or((0, 0), |&first| (first, self.position.orbit(empire)));
        first..first + Id::from(armies)
    }

    pub(crate) fn units_entering(&self, to: Province) -> impl Iterator<Item = Id> {
        self.follow(self.first_into[to.index()], |actor| actor.next_rival)
    }

    pub(crate) fn supports(&self, id: Id) -> impl Iterator<Item = Id> {
        self.follow(self.actor(id).first_support, |actor| actor.next_support)
    }

    pub(crate) fn beam_ups(&self, empire: Seat) -> impl Iterator<Item = Id> {
        self.follow(self.beam_ups[empire.index()], |actor| actor.next_rival)
    }

    pub(crate) fn room(&self, empire: Seat) -> u8 {
        SPACECRAFT.saturating_sub(self.position.orbit(empire))
    }

    fn follow(&self, first: Id, next: impl Fn(&Actor) -> Id) -> impl Iterator<Item = Id> {
        let mut at = first;
        std::iter::from_fn(move || {
            let here = at;
            (here != NOBODY).then(|| {
                at = next(self.actor(here));
                here
            })
        })
    }

    pub(crate) fn convoys_of(&self, army: Province, to: Province) -> impl Iterator<Item = Id> {
        let carries =
            move |actor: &Actor| actor.matched && actor.task == Task::Convoy { from: army, to };
        (0..self.actors.len() as Id).filter(move |&id| carries(self.actor(id)))
    }
}

/// Returns whether a task is the move that a support names (D3, "matching"). Compares coasts only
/// if the support names one.
fn matches_move(task: Task, to: Province, coast: Option<crate::board::Node>) -> bool {
    if let Task::Move { to: goes_to, .. } = task {
        return goes_to.province() == to && coast.is_none_or(|coast| coast == goes_to);
    }
    false
}
