//! The result of each order, and the reason for it.

use heliopause_kernel::Seat;
use heliopause_kernel::sentence::Facts;
use heliopause_kernel::wire::Wire;
use heliopause_proto::diplomacy::v1 as proto;

use super::Movement;
use super::field::{Actor, Given, Id, NOBODY};
use super::legality::{Origin, Task};
use super::resolve::Resolver;
use crate::board::{Province, Provinces};
use crate::fault::Fault;
use crate::order::Place;
use crate::sentences::rule_of;

#[derive(Wire, Facts, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[wire(kinds = proto::order_result::Kind, message = proto::OrderResult)]
pub enum Outcome {
    /// The order was ignored (4.E.1).
    Illegal(Fault),
    Holds,
    Succeeds {
        /// Whether the unit is part of a closed ring of moves, each into the province of the next.
        in_a_ring: bool,
    },
    Bounced {
        attack: u16,
        #[wire(oneof)]
        against: Against,
    },
    NoConvoy {
        /// A fleet of the convoy that was dislodged, or stopped by the paradox rule (4.A.2). `None`
        /// if the fleets that were ordered to convoy the army form no chain.
        lost: Option<Province>,
    },
    /// The spacecraft has no room (R7).
    NoRoom {
        wanted: u16,
        room: u16,
    },
    Given,
    Cut {
        by: Origin,
        dislodged: bool,
    },
    /// The other unit's order does not match this support or convoy.
    #[wire(name = NotMatching)]
    Void {
        /// The other unit's ordered destination, if it has one.
        instead: Option<Place>,
    },
    Disrupted {
        by: Origin,
    },
    /// The paradox rule stopped the convoy (4.A.2).
    Paradox,
    /// An order to colonize, decided at the end of the turn (3).
    Pending,
}

/// The obstacle that kept a unit out of a province.
#[derive(Wire, Facts, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[wire(kinds = proto::bounced::Against)]
pub enum Against {
    Holder(u16),
    HeadToHead(u16),
    /// A unit of the mover's own power, which is never dislodged (D4).
    OwnUnit,
    Rival {
        origin: Origin,
        strength: u16,
    },
}

/// The supports of a unit, by the supporters' provinces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Helpers {
    pub counted: Provinces,
    pub cut: Provinces,
    /// Supports excluded because they would help against a unit of the supporter's own power (D4).
    pub barred: Provinces,
}

/// An order and its result.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(message = proto::OrderReport)]
#[wire(always(notation = given.order.to_string(), rule = outcome.rule().to_owned()))]
pub struct Report {
    #[wire(part(seat, order))]
    pub given: Given,
    #[wire(name = result)]
    pub outcome: Outcome,
    /// Whether the adjudicator moves the unit by convoy (4.A.3).
    pub by_convoy: bool,
    pub dislodged: bool,
    #[wire(part(supported_from, supports_cut, supports_barred))]
    pub helpers: Helpers,
}

impl Outcome {
    pub fn rule(&self) -> &'static str {
        if let Self::Illegal(fault) = self { fault.rule() } else { rule_of(self) }
    }

    /// Returns the short name of the result, as in the notation of recorded cases.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Illegal(_) => "illegal",
            Self::Holds => "holds",
            Self::Succeeds { .. } => "succeeds",
            Self::Bounced { .. } => "bounced",
            Self::NoConvoy { .. } => "no-convoy",
            Self::NoRoom { .. } => "no-room",
            Self::Given => "given",
            Self::Cut { .. } => "cut",
            Self::Void { .. } => "void",
            Self::Disrupted { .. } | Self::Paradox => "disrupted",
            Self::Pending => "pending",
        }
    }
}

impl Movement<'_> {
    pub fn reports(&self, orders: &[Given]) -> Vec<Report> {
        let mut why = Explanation {
            movement: self,
            strengths: Resolver::resolved(&self.field, &self.decisions),
        };
        orders
            .iter()
            .zip(&self.field.lines)
            .map(|(&given, line)| match line.fault {
                Some(fault) => Report {
                    given,
                    outcome: Outcome::Illegal(fault),
                    by_convoy: false,
                    dislodged: line.actor != NOBODY && self.is_dislodged(line.actor),
                    helpers: Helpers::default(),
                },
                None => why.report(given, line.actor),
            })
            .collect()
    }

    fn is_dislodged(&self, id: Id) -> bool {
        self.dislodger(id).is_some()
    }

    fn dislodger(&self, id: Id) -> Option<Id> {
        let actor = self.field.actor(id);
        if actor.leaves() && self.decisions.succeeds(id) {
            return None;
        }
        self.field.units_entering(actor.at?).find(|&attacker| self.decisions.succeeds(attacker))
    }

    fn origin(&self, id: Id) -> Origin {
        let actor = self.field.actor(id);
        actor.at.map_or(Origin::Orbit(actor.owner), Origin::Earth)
    }

    fn is_in_a_ring(&self, id: Id) -> bool {
        let mut at = id;
        for _ in 0..self.field.actors.len() {
            let actor = self.field.actor(at);
            if !self.decisions.succeeds(at) {
                return false;
            }
            let Some(next) = actor.goes_to().and_then(|to| self.field.actor_at(to)) else {
                return false;
            };
            if next == id {
                return true;
            }
            at = next;
        }
        false
    }
}

struct Explanation<'m> {
    movement: &'m Movement<'m>,
    strengths: Resolver<'m>,
}

impl Explanation<'_> {
    fn report(&mut self, given: Given, id: Id) -> Report {
        let actor = self.movement.field.actor(id);
        let outcome = match actor.task {
            Task::Hold => Outcome::Holds,
            Task::Colonize { .. } => Outcome::Pending,
            Task::Move { to, .. } => self.of_move(id, to.province()),
            Task::BeamUp => self.of_beam_up(id, actor.owner),
            Task::SupportHold { at } => self.of_support(id, actor, at, at),
            Task::SupportMove { from: Origin::Earth(from), to } => {
                self.of_support(id, actor, from, to.province())
            }
            Task::SupportMove { from: Origin::Orbit(_), to } if actor.matched => {
                self.of_support(id, actor, to.province(), to.province())
            }
            Task::SupportMove { .. } => Outcome::Void { instead: None },
            Task::Convoy { from, .. } => self.of_convoy(id, actor, from),
        };
        Report {
            given,
            outcome,
            by_convoy: actor.goes_by_convoy(),
            dislodged: self.movement.is_dislodged(id),
            helpers: self.helpers(id, actor),
        }
    }

    fn helpers(&self, id: Id, actor: &Actor) -> Helpers {
        let (field, decisions) = (&self.movement.field, &self.movement.decisions);
        let attacked = actor.goes_to().and_then(|to| field.actor_at(to));
        let attacked = attacked.filter(|&holder| {
            actor.opponent == holder
                || !(field.actor(holder).leaves() && decisions.succeeds(holder))
        });
        let owner = attacked.map(|holder| field.actor(holder).owner);
        let mut helpers = Helpers::default();
        for support in field.supports(id) {
            let Some(at) = field.actor(support).at else { continue };
            if !decisions.succeeds(support) {
                helpers.cut.insert(at);
            } else if owner == Some(field.actor(support).owner) {
                helpers.barred.insert(at);
            } else {
                helpers.counted.insert(at);
            }
        }
        helpers
    }

    fn of_move(&mut self, id: Id, to: Province) -> Outcome {
        let (field, decisions) = (&self.movement.field, &self.movement.decisions);
        if decisions.succeeds(id) {
            return Outcome::Succeeds { in_a_ring: self.movement.is_in_a_ring(id) };
        }
        if self.strengths.path(id) == super::resolve::Truth::No {
            let from = field.actor(id).at.unwrap_or(to);
            let mut fleets = field.convoys_of(from, to).filter(|&fleet| !decisions.succeeds(fleet));
            return Outcome::NoConvoy { lost: fleets.find_map(|fleet| field.actor(fleet).at) };
        }
        let holder = field.actor_at(to).unwrap_or(NOBODY);
        let left = holder == NOBODY || field.actor(holder).leaves() && decisions.succeeds(holder);
        let attack =
            self.strengths.attack(id, holder, left && field.actor(id).opponent == NOBODY).least;
        let opposing = self.strengths.opposing(id, holder, left).least;
        let head_to_head = field.actor(id).opponent != NOBODY;
        if (!left || head_to_head) && attack <= opposing {
            let against = if field.actor(holder).owner == field.actor(id).owner {
                Against::OwnUnit
            } else if head_to_head {
                Against::HeadToHead(opposing)
            } else {
                Against::Holder(opposing)
            };
            return Outcome::Bounced { attack, against };
        }
        let rivals = field.units_entering(to).filter(|&rival| rival != id);
        let strongest =
            rivals.map(|rival| (self.strengths.prevent(rival, holder, left).least, rival)).max();
        let (strength, rival) =
            strongest.expect("a move that no holder stopped was stopped by a rival");
        Outcome::Bounced {
            attack,
            against: Against::Rival { origin: self.movement.origin(rival), strength },
        }
    }

    fn of_beam_up(&self, id: Id, empire: Seat) -> Outcome {
        let (field, decisions) = (&self.movement.field, &self.movement.decisions);
        if decisions.succeeds(id) {
            return Outcome::Succeeds { in_a_ring: false };
        }
        let freed = field.in_orbit(empire).filter(|&army| decisions.succeeds(army)).count() as u16;
        let wanted = field.beam_ups(empire).count() as u16;
        Outcome::NoRoom { wanted, room: freed + u16::from(field.room(empire)) }
    }

    fn instead(&self, at: Province) -> Option<Place> {
        let actor = self.movement.field.actor(self.movement.field.actor_at(at)?);
        match actor.task {
            Task::Move { to, .. } => Some(Place::Earth(to)),
            Task::BeamUp => Some(Place::Orbit),
            Task::Hold
            | Task::SupportHold { .. }
            | Task::SupportMove { .. }
            | Task::Convoy { .. }
            | Task::Colonize { .. } => None,
        }
    }

    fn of_support(
        &self,
        id: Id,
        actor: &Actor,
        supported: Province,
        directed_into: Province,
    ) -> Outcome {
        let (field, decisions) = (&self.movement.field, &self.movement.decisions);
        if !actor.matched {
            return Outcome::Void { instead: self.instead(supported) };
        }
        if decisions.succeeds(id) {
            return Outcome::Given;
        }
        let at = actor.at.expect("supporters are on the map");
        let dislodger = self.movement.dislodger(id);
        let cuts = |&attacker: &Id| {
            let other = field.actor(attacker);
            other.owner != actor.owner
                && if other.at == Some(directed_into) {
                    decisions.succeeds(attacker)
                } else {
                    !other.goes_by_convoy() || self.movement.has_path(attacker, at)
                }
        };
        let by = dislodger
            .or_else(|| field.units_entering(at).find(cuts))
            .expect("an attacker cut the support");
        Outcome::Cut { by: self.movement.origin(by), dislodged: dislodger.is_some() }
    }

    fn of_convoy(&self, id: Id, actor: &Actor, army: Province) -> Outcome {
        let at = actor.at.expect("convoying fleets are at sea");
        if !actor.matched {
            return Outcome::Void { instead: self.instead(army) };
        }
        match self.movement.dislodger(id) {
            Some(by) => Outcome::Disrupted { by: self.movement.origin(by) },
            None if self.movement.decisions.stopped_by_paradox.contains(at) => Outcome::Paradox,
            None => Outcome::Given,
        }
    }
}
