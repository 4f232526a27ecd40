//! The rules for which orders of the movement phase are possible (D3.1 to D3.6, 2 to 4).

use heliopause_kernel::Seat;
use heliopause_kernel::wire::Wire;
use heliopause_proto::diplomacy::v1 as proto;

use crate::board::{Node, Province, Provinces, Terrain, seas};
use crate::convoy;
use crate::fault::Fault;
use crate::order::{Named, Order, Place};
use crate::position::{Code, Kind, Position, Unit, Variant};

/// The adjudicator's form of a legal order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Task {
    Hold,
    Move {
        to: Node,
        /// Whether an army goes by convoy, either as ordered or because there is no land route.
        by_convoy: bool,
    },
    BeamUp,
    SupportHold {
        at: Province,
    },
    SupportMove {
        from: Origin,
        /// The destination, with a coast if one was named.
        to: Node,
    },
    Convoy {
        from: Province,
        to: Province,
    },
    Colonize {
        target: Province,
    },
}

#[derive(Wire, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[wire(kinds = proto::origin::Kind, message = proto::Origin)]
pub enum Origin {
    #[wire(name = Province)]
    Earth(Province),
    #[wire(name = Spacecraft)]
    Orbit(Seat),
}

/// The facts that legality depends on: units on the map and in orbit, and colonies.
pub struct Ground<'a> {
    position: &'a Position,
    fleets: Provinces,
}

impl<'a> Ground<'a> {
    pub fn new(position: &'a Position) -> Self {
        Self { position, fleets: position.occupied().intersection(seas()) }
    }

    pub fn position(&self) -> &'a Position {
        self.position
    }

    /// Judges an order of a power, ignoring all other orders.
    pub fn judge(&self, seat: Seat, order: &Order) -> Result<Task, Fault> {
        let named = order.unit().ok_or(Fault::WrongPhase)?;
        if self.position.variant == Variant::Standard && is_of_space(order) {
            return Err(Fault::NotInThisGame);
        }
        match named.at {
            Place::Orbit => self.judge_orbit(seat, order),
            Place::Earth(node) => {
                let unit = self.position.unit(node.province()).ok_or(Fault::NoSuchUnit)?;
                if unit.owner != seat {
                    return Err(Fault::NotYours);
                }
                self.judge_unit(unit, order)
            }
        }
    }

    /// R2: judges an order of an army in orbit. The army can only hold or beam down.
    fn judge_orbit(&self, seat: Seat, order: &Order) -> Result<Task, Fault> {
        if self.position.orbit(seat) == 0 {
            return Err(Fault::NoSuchUnit);
        }
        match *order {
            Order::Hold { .. } => Ok(Task::Hold),
            Order::Move { to: Place::Orbit, .. } => Err(Fault::SamePlace),
            Order::Move { to: Place::Earth(to), .. } => {
                self.beam_down(seat, to.province())?;
                Ok(Task::Move { to: to.province().node(), by_convoy: false })
            }
            Order::SupportHold { .. }
            | Order::SupportMove { .. }
            | Order::Convoy { .. }
            | Order::Colonize { .. } => Err(Fault::OrbitHoldsOrBeams),
            Order::Retreat { .. }
            | Order::Disband { .. }
            | Order::Build { .. }
            | Order::Remove { .. }
            | Order::Waive => Err(Fault::WrongPhase),
        }
    }

    /// Judges a beam-down. Any land is allowed except another empire's colony (2, 4).
    fn beam_down(&self, seat: Seat, to: Province) -> Result<(), Fault> {
        if !to.is_land() {
            return Err(Fault::WrongTerrain);
        }
        match self.position.colonies[to.index()] {
            Some(owner) if owner != seat => Err(Fault::Jammed),
            _ => Ok(()),
        }
    }

    fn judge_unit(&self, unit: Unit, order: &Order) -> Result<Task, Fault> {
        match *order {
            Order::Hold { .. } => Ok(Task::Hold),
            Order::Move { to: Place::Orbit, .. } => match unit.kind {
                Kind::Army => Ok(Task::BeamUp),
                Kind::Fleet => Err(Fault::FleetsAreNotBeamed),
            },
            Order::Move { to: Place::Earth(to), via_convoy, .. } => {
                self.judge_move(unit, to, via_convoy)
            }
            Order::SupportHold { other, .. } => self.judge_support_hold(unit, other),
            Order::SupportMove { other, of, to, .. } => {
                self.judge_support_move(unit, other, of, to)
            }
            Order::Convoy { army, to, .. } => self.judge_convoy(unit, army, to.province()),
            Order::Colonize { target, .. } => judge_colonize(unit, target),
            Order::Retreat { .. }
            | Order::Disband { .. }
            | Order::Build { .. }
            | Order::Remove { .. }
            | Order::Waive => Err(Fault::WrongPhase),
        }
    }

    /// D3.2: judges a move.
    fn judge_move(&self, unit: Unit, to: Node, via_convoy: bool) -> Result<Task, Fault> {
        let (from, province) = (unit.at.province(), to.province());
        if from == province {
            return Err(Fault::SamePlace);
        }
        if unit.kind == Kind::Fleet {
            return Ok(Task::Move { to: reached_by_fleet(unit.at, to)?, by_convoy: false });
        }
        if !province.is_land() {
            return Err(Fault::WrongTerrain);
        }
        let by_land = from.by_army().contains(province) && !via_convoy;
        if !by_land && !convoy::is_possible(self.fleets, from, province) {
            let coasts =
                from.terrain() == Terrain::Coastal && province.terrain() == Terrain::Coastal;
            return Err(if coasts || via_convoy {
                Fault::NoConvoyPossible
            } else {
                Fault::NotAdjacent
            });
        }
        Ok(Task::Move { to: province.node(), by_convoy: !by_land })
    }

    /// D3.3: judges the support of a unit that stays.
    fn judge_support_hold(&self, unit: Unit, other: Named) -> Result<Task, Fault> {
        let Place::Earth(node) = other.at else { return Err(Fault::NoSupportInOrbit) };
        let at = node.province();
        if at == unit.at.province() {
            return Err(Fault::SupportsItself);
        }
        if self.position.unit(at).is_none() {
            return Err(Fault::NobodyToSupport);
        }
        can_enter(unit, at)?;
        Ok(Task::SupportHold { at })
    }

    /// D3.4: judges the support of a move.
    fn judge_support_move(
        &self,
        unit: Unit,
        other: Named,
        of: Option<Code>,
        to: Place,
    ) -> Result<Task, Fault> {
        let Place::Earth(to) = to else { return Err(Fault::NoSupportInOrbit) };
        let from = match other.at {
            Place::Orbit => self.supported_beam(unit.owner, of, to.province())?,
            Place::Earth(node) => self.supported_move(unit, node.province(), to)?,
        };
        if to.province() == unit.at.province() {
            return Err(Fault::SupportsItself);
        }
        can_enter(unit, to.province())?;
        let is_army = matches!(from, Origin::Orbit(_)) || self.kind_at(from) == Some(Kind::Army);
        // 4.B.6: a coast named for an army does not matter.
        Ok(Task::SupportMove { from, to: if is_army { to.province().node() } else { to } })
    }

    fn kind_at(&self, from: Origin) -> Option<Kind> {
        match from {
            Origin::Earth(province) => self.position.unit(province).map(|unit| unit.kind),
            Origin::Orbit(_) => Some(Kind::Army),
        }
    }

    /// Returns the origin of the supported beam-down, or why it is impossible (R4).
    fn supported_beam(&self, own: Seat, of: Option<Code>, to: Province) -> Result<Origin, Fault> {
        let empire = match of {
            Some(code) => self.position.power_called(code).ok_or(Fault::NoSuchEmpire)?,
            None => own,
        };
        if self.position.orbit(empire) == 0 {
            return Err(Fault::NobodyInOrbit);
        }
        self.beam_down(empire, to)?;
        Ok(Origin::Orbit(empire))
    }

    /// Returns the origin of the supported move, or why the move is impossible. A convoy must be
    /// possible without the supporter (6.D.31).
    fn supported_move(&self, unit: Unit, from: Province, to: Node) -> Result<Origin, Fault> {
        if from == unit.at.province() {
            return Err(Fault::SupportsItself);
        }
        let other = self.position.unit(from).ok_or(Fault::NobodyToSupport)?;
        let province = to.province();
        let possible = match other.kind {
            Kind::Fleet if to.coast().is_some() => other.at.by_fleet().contains(to),
            Kind::Fleet => other.at.fleet_provinces().contains(province),
            Kind::Army if from.by_army().contains(province) => true,
            Kind::Army => {
                let mut fleets = self.fleets;
                fleets.remove(unit.at.province());
                convoy::is_possible(fleets, from, province)
            }
        };
        if possible { Ok(Origin::Earth(from)) } else { Err(Fault::SupportedMoveImpossible) }
    }

    /// D3.5: judges a convoy.
    fn judge_convoy(&self, unit: Unit, army: Named, to: Province) -> Result<Task, Fault> {
        if unit.kind != Kind::Fleet {
            return Err(Fault::NotAFleet);
        }
        let at = unit.at.province();
        if at.terrain() != Terrain::Sea {
            return Err(Fault::NotAtSea);
        }
        let Place::Earth(from) = army.at else { return Err(Fault::NoArmyToConvoy) };
        let from = from.province();
        let is_army = self.position.unit(from).is_some_and(|unit| unit.kind == Kind::Army);
        if !is_army || from.terrain() != Terrain::Coastal {
            return Err(Fault::NoArmyToConvoy);
        }
        if from == to
            || to.terrain() != Terrain::Coastal
            || !convoy::is_useful(at, self.fleets, from, to)
        {
            return Err(Fault::NotOnRoute);
        }
        Ok(Task::Convoy { from, to })
    }
}

fn is_of_space(order: &Order) -> bool {
    match *order {
        Order::Colonize { .. } => true,
        Order::Move { unit, to, .. } | Order::Retreat { unit, to } => {
            unit.at == Place::Orbit || to == Place::Orbit
        }
        Order::SupportHold { unit, other } => unit.at == Place::Orbit || other.at == Place::Orbit,
        Order::SupportMove { unit, other, to, .. } => {
            [unit.at, other.at, to].contains(&Place::Orbit)
        }
        Order::Convoy { unit, army, .. } => unit.at == Place::Orbit || army.at == Place::Orbit,
        Order::Hold { unit } | Order::Disband { unit } | Order::Remove { unit } => {
            unit.at == Place::Orbit
        }
        Order::Build { .. } | Order::Waive => false,
    }
}

/// Returns a fleet's destination, including the coast, or why the fleet cannot reach it (4.B.1 to
/// 4.B.3).
pub(crate) fn reached_by_fleet(from: Node, to: Node) -> Result<Node, Fault> {
    let province = to.province();
    if province.terrain() == Terrain::Inland {
        return Err(Fault::WrongTerrain);
    }
    if !from.fleet_provinces().contains(province) {
        return Err(Fault::NotAdjacent);
    }
    let reach = from.by_fleet();
    if !province.has_two_coasts() {
        return Ok(province.node());
    }
    if to.coast().is_some() {
        return if reach.contains(to) { Ok(to) } else { Err(Fault::CoastUnreachable) };
    }
    let mut coasts = province.coasts().filter(|&coast| reach.contains(coast));
    match (coasts.next(), coasts.next()) {
        (Some(only), None) => Ok(only),
        _ => Err(Fault::CoastMissing),
    }
}

/// Checks that a unit could itself move to a province, on any coast and without a convoy (D3.3,
/// D3.4).
fn can_enter(unit: Unit, to: Province) -> Result<(), Fault> {
    let reach = match unit.kind {
        Kind::Army => unit.at.province().by_army(),
        Kind::Fleet => unit.at.fleet_provinces(),
    };
    if reach.contains(to) { Ok(()) } else { Err(Fault::CannotReachSupported) }
}

/// Judges an order to colonize the unit's own province, or a province that the unit could enter
/// without a convoy (3, R11).
fn judge_colonize(unit: Unit, target: Option<Province>) -> Result<Task, Fault> {
    let here = unit.at.province();
    let target = target.unwrap_or(here);
    if !target.is_land() {
        return Err(Fault::SeaIsNoColony);
    }
    if target != here {
        can_enter(unit, target).map_err(|_| Fault::NotAdjacent)?;
    }
    Ok(Task::Colonize { target })
}
