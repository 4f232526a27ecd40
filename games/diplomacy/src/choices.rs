//! Every legal order of a seat's units, as the adjudicator accepts them.
//!
//! Each order is listed in one notation only. The destination of a fleet includes the coast, and
//! that of an army does not. The code of the seat's own empire is omitted.

use heliopause_kernel::Seat;

use crate::adjustment::{Allowance, allowance, builds};
use crate::board::{Node, Province, Terrain};
use crate::command::Sheet;
use crate::conditional::Conditional;
use crate::order::{Named, Order, Place};
use crate::position::{Kind, Unit, Variant};
use crate::table::{Phase, Table};

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Choices {
    /// One group per unit. In winter there is one group, of builds or removals.
    pub groups: Vec<Group>,
    /// The possible conditional orders, each with all its choices.
    pub conditionals: Vec<Conditional>,
    pub builds: u32,
    pub removals: u32,
    pub clear: bool,
}

/// The legal orders of one unit, or of a winter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// `None` in winter.
    pub unit: Option<Named>,
    /// The number of identical units. It exceeds 1 only for armies in orbit.
    pub count: u32,
    pub orders: Vec<Order>,
}

impl Table {
    /// Returns the legal orders of a seat that has already given the orders in `sheet`. Returns no
    /// orders if the seat has no decision in this phase.
    pub(crate) fn choices(&self, seat: Seat, sheet: &Sheet) -> Choices {
        if !self.owes(seat) {
            return Choices::default();
        }
        let conditionals = self.conditionals(seat);
        let mut choices = Choices { conditionals, clear: !sheet.is_empty(), ..Choices::default() };
        let candidates = match self.phase {
            Phase::SpringMovement | Phase::FallMovement => self.movement_choices(seat),
            Phase::SpringRetreat | Phase::FallRetreat => self.retreat_choices(seat),
            Phase::Winter => {
                match allowance(&self.position, seat) {
                    Allowance::Builds(count) => choices.builds = count as u32,
                    Allowance::Removals(count) => choices.removals = count as u32,
                }
                vec![self.winter_choices(seat)]
            }
        };
        for mut group in candidates {
            group.orders.retain(|order| self.judge_order(seat, &sheet.orders, order).is_ok());
            if !group.orders.is_empty() {
                choices.groups.push(group);
            }
        }
        choices
    }

    fn movement_choices(&self, seat: Seat) -> Vec<Group> {
        let group =
            |unit: Unit| Group { unit: Some(unit.into()), count: 1, orders: self.candidates(unit) };
        let mut groups: Vec<Group> = self.position.units_of(seat).map(group).collect();
        let count = self.position.orbit(seat).into();
        if count > 0 {
            let unit = Named::ORBITING;
            let beams = Province::ALL.into_iter().map(|to| Order::Move {
                unit,
                to: Place::Earth(to.node()),
                via_convoy: false,
            });
            let orders = std::iter::once(Order::Hold { unit }).chain(beams).collect();
            groups.push(Group { unit: Some(unit), count, orders });
        }
        groups
    }

    fn candidates(&self, unit: Unit) -> Vec<Order> {
        let named = Named::from(unit);
        let mut orders = vec![Order::Hold { unit: named }];
        candidate_moves(unit, &mut orders);
        for other in self.position.units().filter(|other| other.at != unit.at) {
            orders.push(Order::SupportHold { unit: named, other: other.into() });
            for to in supportable(unit) {
                if other.kind == Kind::Fleet || to.coast().is_none() {
                    let to = Place::Earth(to);
                    orders.push(Order::SupportMove {
                        unit: named,
                        other: other.into(),
                        of: None,
                        to,
                    });
                }
            }
            if unit.kind == Kind::Fleet
                && unit.at.province().terrain() == Terrain::Sea
                && other.kind == Kind::Army
            {
                let coasts =
                    Province::ALL.into_iter().filter(|to| to.terrain() == Terrain::Coastal);
                let convoy =
                    |to: Province| Order::Convoy { unit: named, army: other.into(), to: to.node() };
                orders.extend(coasts.map(convoy));
            }
        }
        if self.position.variant == Variant::OuterSpace {
            self.candidates_of_space(unit, &mut orders);
        }
        orders
    }

    fn candidates_of_space(&self, unit: Unit, orders: &mut Vec<Order>) {
        let named = Named::from(unit);
        orders.push(Order::Move { unit: named, to: Place::Orbit, via_convoy: false });
        orders.push(Order::Colonize { unit: named, target: None });
        let reach =
            crate::movement::reach(unit).map(Node::province).collect::<crate::board::Provinces>();
        orders.extend(reach.iter().map(|to| Order::Colonize { unit: named, target: Some(to) }));
        for empire in self.position.seats() {
            let of = (empire != unit.owner).then(|| self.position.powers[empire.index()].code);
            let support = |to: Province| Order::SupportMove {
                unit: named,
                other: Named::ORBITING,
                of,
                to: Place::Earth(to.node()),
            };
            orders.extend(reach.iter().map(support));
        }
    }

    fn retreat_choices(&self, seat: Seat) -> Vec<Group> {
        let own = self.dislodged.iter().filter(|one| one.unit.owner == seat);
        own.map(|one| {
            let unit = Named::from(one.unit);
            let retreats = one.retreats.iter().map(|&to| Order::Retreat { unit, to });
            Group {
                unit: Some(unit),
                count: 1,
                orders: retreats.chain([Order::Disband { unit }]).collect(),
            }
        })
        .collect()
    }

    fn winter_choices(&self, seat: Seat) -> Group {
        let position = &self.position;
        let mut orders = Vec::new();
        if let Allowance::Removals(_) = allowance(position, seat) {
            orders.extend(position.units_of(seat).map(|unit| Order::Remove { unit: unit.into() }));
            if position.orbit(seat) > 0 {
                orders.push(Order::Remove { unit: Named::ORBITING });
            }
        } else {
            orders.extend(builds(position, seat).into_iter().map(|unit| Order::Build { unit }));
            orders.push(Order::Waive);
        }
        Group { unit: None, count: 1, orders }
    }
}

fn candidate_moves(unit: Unit, orders: &mut Vec<Order>) {
    let named = Named::from(unit);
    let go = |to: Node, via_convoy| Order::Move { unit: named, to: Place::Earth(to), via_convoy };
    match unit.kind {
        Kind::Fleet => orders.extend(unit.at.by_fleet().iter().map(|to| go(to, false))),
        Kind::Army => {
            for to in Province::ALL {
                orders.push(go(to.node(), false));
                orders.push(go(to.node(), true));
            }
        }
    }
}

fn supportable(unit: Unit) -> impl Iterator<Item = Node> {
    let reach =
        crate::movement::reach(unit).map(Node::province).collect::<crate::board::Provinces>();
    reach.iter().flat_map(|to| std::iter::once(to.node()).chain(to.coasts()))
}
