//! Conditional orders: retreats and adjustments that a power orders before they are due (D3.8).

use std::mem::{Discriminant, discriminant};

use heliopause_kernel::Seat;
use heliopause_kernel::wire::Wire;
use heliopause_proto::diplomacy::v1 as proto;

use crate::adjustment::{builds, judge_build, judge_removal};
use crate::board::{PROVINCES, Province, centers};
use crate::command::replaced;
use crate::fault::Fault;
use crate::movement::{Dislodged, reach};
use crate::order::{Named, Order, Place, Site};
use crate::position::{Kind, Position, SPACECRAFT, Unit, Variant};
use crate::retreat::judge as judge_retreat;
use crate::table::Table;

/// An order for a case that may arise later in the turn. Its choices are in order of preference.
#[derive(Wire, Clone, PartialEq, Eq, Hash, Debug)]
#[wire(kinds = proto::order::Kind, message = proto::Order)]
pub enum Conditional {
    /// Where a unit retreats if it is dislodged, and whether it is otherwise disbanded (D7, 5).
    #[wire(name = IfDislodged)]
    Dislodged { unit: Named, retreats: Vec<Place>, disband: bool },
    /// What the power builds if it can, and whether it waives the remaining builds (D8, 6).
    #[wire(name = IfBuilding)]
    Building { builds: Vec<Site>, waive: bool },
    /// Where the power removes units if it must (D8, 6).
    #[wire(name = IfRemoving)]
    Removing { removals: Vec<Place> },
}

impl Conditional {
    /// Returns the case of the order. An order replaces an earlier one for the same case.
    pub(crate) fn case(&self) -> (Discriminant<Self>, Option<Province>) {
        let unit = if let Self::Dislodged { unit, .. } = self { unit.at.province() } else { None };
        (discriminant(self), unit)
    }

    /// Returns the choices as orders in a position. There are as many waivers as can be needed.
    fn orders(&self, position: &Position) -> Vec<Order> {
        match self {
            Self::Dislodged { unit, retreats, disband } => {
                let unit = *unit;
                let retreats = retreats.iter().map(|&to| Order::Retreat { unit, to });
                retreats.chain(disband.then_some(Order::Disband { unit })).collect()
            }
            Self::Building { builds, waive } => {
                let waivers = if *waive { PROVINCES } else { 0 };
                let builds = builds.iter().map(|&unit| Order::Build { unit });
                builds.chain(std::iter::repeat_n(Order::Waive, waivers)).collect()
            }
            Self::Removing { removals } => {
                let named = |&at: &Place| match at.province() {
                    Some(province) => position.unit(province).map(Named::from),
                    None => Some(Named::ORBITING),
                };
                removals.iter().filter_map(named).map(|unit| Order::Remove { unit }).collect()
            }
        }
    }

    /// Drops choices at random.
    pub(crate) fn retain(&mut self, mut keeps: impl FnMut() -> bool) {
        match self {
            Self::Dislodged { retreats, disband, .. } => {
                retreats.retain(|_| keeps());
                *disband = keeps();
            }
            Self::Building { builds, waive } => {
                builds.retain(|_| keeps());
                *waive = keeps();
            }
            Self::Removing { removals } => removals.retain(|_| keeps()),
        }
    }

    /// Returns the field of the order that a fault is about.
    pub(crate) fn field(&self, fault: Fault) -> &'static str {
        if fault == Fault::WrongPhase {
            return fault.field();
        }
        match self {
            Self::Dislodged { .. } if fault.field() == "order.unit" => "order.unit",
            Self::Dislodged { .. } => "order.retreats",
            Self::Building { .. } => "order.builds",
            Self::Removing { .. } => "order.removals",
        }
    }
}

impl Table {
    /// Returns the conditional orders that a seat can give now, each with all its choices. A
    /// conditional order lasts until the end of the turn, so that adjustments are only for fall.
    pub(crate) fn conditionals(&self, seat: Seat) -> Vec<Conditional> {
        let mut all = Vec::new();
        if self.phase.is_movement() {
            let retreats = self.position.units_of(seat).filter_map(|unit| {
                let unit = Named::from(unit);
                let retreats = self.if_dislodged(seat, unit).ok()?.retreats;
                Some(Conditional::Dislodged { unit, retreats, disband: true })
            });
            all.extend(retreats);
        }
        if self.phase.is_fall() {
            let builds = builds(&self.if_building(seat), seat);
            all.push(Conditional::Building { builds, waive: true });
            let in_orbit = self.position.variant == Variant::OuterSpace;
            let places = Province::ALL.into_iter().map(|at| Place::Earth(at.node()));
            let removals = places.chain(in_orbit.then_some(Place::Orbit)).collect();
            all.push(Conditional::Removing { removals });
        }
        all
    }

    /// Judges a conditional order. A choice is refused only if it can never be legal.
    pub(crate) fn judge_conditional(&self, seat: Seat, order: &Conditional) -> Result<(), Fault> {
        let is_due = match order {
            Conditional::Dislodged { .. } => self.phase.is_movement(),
            Conditional::Building { .. } | Conditional::Removing { .. } => self.phase.is_fall(),
        };
        if !is_due || self.ending.is_some() {
            return Err(Fault::WrongPhase);
        }
        let mut choices = order.choices();
        let count = choices.len();
        choices.sort();
        choices.dedup();
        if count == 0 || choices.len() < count {
            return Err(Fault::BadChoices);
        }
        match order {
            Conditional::Dislodged { unit, retreats, .. } => {
                let dislodged = [self.if_dislodged(seat, *unit)?];
                retreats.iter().try_for_each(|&to| {
                    let order = Order::Retreat { unit: *unit, to };
                    judge_retreat(&dislodged, seat, &order).map(drop)
                })
            }
            Conditional::Building { builds, .. } => {
                let position = self.if_building(seat);
                builds
                    .iter()
                    .try_for_each(|site| judge_build(&position, seat, site.kind, site.at).map(drop))
            }
            Conditional::Removing { removals } => {
                let is_standard = self.position.variant == Variant::Standard;
                let is_beamed = is_standard && removals.contains(&Place::Orbit);
                if is_beamed { Err(Fault::NotInThisGame) } else { Ok(()) }
            }
        }
    }

    /// Returns a unit of a power as if it were dislodged and could retreat wherever it can go.
    fn if_dislodged(&self, seat: Seat, unit: Named) -> Result<Dislodged, Fault> {
        let (kind, Place::Earth(at)) = judge_removal(&self.position, seat, unit)? else {
            return Err(Fault::NoSuchUnit);
        };
        let unit = Unit { owner: seat, kind, at };
        let is_beamed = self.position.variant == Variant::OuterSpace && kind == Kind::Army;
        let orbit = is_beamed.then_some(Place::Orbit);
        let retreats = reach(unit).map(Place::Earth).chain(orbit).collect();
        Ok(Dislodged { unit, by: seat, from: None, by_convoy: false, retreats })
    }

    /// Returns an empty map of which a power owns each center, also as its colony.
    fn if_building(&self, seat: Seat) -> Position {
        let codes = self.position.powers.iter().map(|power| power.code);
        let mut position = Position::empty(self.position.variant, codes);
        for center in centers().iter() {
            position.centers[center.index()] = Some(seat);
            position.colonies[center.index()] = Some(seat);
        }
        position
    }

    /// Returns the orders that the conditional orders of a seat become in a phase that opens: the
    /// first choices that are legal. Retreats leave out a place without room (D7.4, R13).
    pub(crate) fn orders_from(&self, seat: Seat, conditionals: &[Conditional]) -> Vec<Order> {
        let mut orders: Vec<Order> = Vec::new();
        if !self.owes(seat) {
            return orders;
        }
        for order in conditionals.iter().flat_map(|one| one.orders(&self.position)) {
            let is_first = replaced(&orders, &order).is_none();
            let has_room = retreat(&order).is_none_or(|to| self.has_room(seat, &orders, to));
            if is_first && has_room && self.judge_order(seat, &orders, &order).is_ok() {
                orders.push(order);
            }
        }
        orders
    }

    fn has_room(&self, seat: Seat, orders: &[Order], to: Place) -> bool {
        let goals = orders.iter().filter_map(retreat);
        let taken = goals.filter(|other| other.province() == to.province()).count();
        let room = match to {
            Place::Earth(_) => 1,
            Place::Orbit => SPACECRAFT.saturating_sub(self.position.orbit(seat)),
        };
        taken < usize::from(room)
    }
}

fn retreat(order: &Order) -> Option<Place> {
    if let Order::Retreat { to, .. } = *order { Some(to) } else { None }
}
