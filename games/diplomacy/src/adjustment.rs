//! Winter adjustments: builds, removals and civil disorder (D8, 6).

use heliopause_kernel::Seat;

use crate::board::{Node, PROVINCES, Province, Provinces, Terrain, centers};
use crate::fault::Fault;
use crate::movement::Given;
use crate::order::{Named, Order, Place, Site};
use crate::position::{Kind, Position, Unit, Variant};

/// The result of a winter order, or an automatic removal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Adjusted {
    Built(Unit),
    Removed(Kind, Place),
    Waived,
    Fails(Fault),
}

/// The builds that a power may make, or the removals that it must make, in a winter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Allowance {
    Builds(usize),
    Removals(usize),
}

/// Returns the difference between a power's centers and its units, including armies in orbit (R14).
pub fn allowance(position: &Position, seat: Seat) -> Allowance {
    let (centers, units) = (position.centers_of(seat).len(), position.strength(seat));
    if units > centers {
        Allowance::Removals(units - centers)
    } else {
        Allowance::Builds(centers - units)
    }
}

/// Returns whether a power must remove a unit, or may build and has a free site (D2).
pub fn has_adjustment(position: &Position, seat: Seat) -> bool {
    match allowance(position, seat) {
        Allowance::Removals(count) => count > 0,
        Allowance::Builds(count) => count > 0 && !sites(position, seat).is_empty(),
    }
}

/// Returns the centers where a power can build.
pub fn sites(position: &Position, seat: Seat) -> Provinces {
    centers().iter().filter(|&center| judge_site(position, seat, center).is_ok()).collect()
}

/// Returns the units that a power can build.
pub(crate) fn builds(position: &Position, seat: Seat) -> Vec<Site> {
    let mut builds = Vec::new();
    for site in sites(position, seat).iter() {
        for at in std::iter::once(site.node()).chain(site.coasts()) {
            for kind in [Kind::Army, Kind::Fleet] {
                let plain = kind == Kind::Fleet || at.coast().is_none();
                if plain && judge_build(position, seat, Some(kind), at).is_ok() {
                    builds.push(Site { kind: Some(kind), at });
                }
            }
        }
    }
    builds
}

/// Checks that a power can build at a province. It must be an empty supply center of the power. In
/// the standard game it must be a home center (D8), otherwise a colony (6).
fn judge_site(position: &Position, seat: Seat, at: Province) -> Result<(), Fault> {
    if !at.is_center() {
        return Err(Fault::NotACenter);
    }
    let (own, fault) = match position.variant {
        Variant::Standard => (at.home() == Some(seat.index()), Fault::NotAHome),
        Variant::OuterSpace => (position.colonies[at.index()] == Some(seat), Fault::NotAColony),
    };
    if !own {
        return Err(fault);
    }
    if position.centers[at.index()] != Some(seat) {
        return Err(Fault::NotOwned);
    }
    if position.unit(at).is_some() {
        return Err(Fault::Occupied);
    }
    Ok(())
}

/// Judges a build, ignoring other orders. Returns the new unit.
pub(crate) fn judge_build(
    position: &Position,
    seat: Seat,
    kind: Option<Kind>,
    at: Node,
) -> Result<Unit, Fault> {
    let province = at.province();
    judge_site(position, seat, province)?;
    // 4.C.3: without a unit letter, build an army inland, or a fleet if a coast is named.
    let kind = match kind {
        Some(kind) => kind,
        None if province.terrain() == Terrain::Inland => Kind::Army,
        None if at.coast().is_some() => Kind::Fleet,
        None => return Err(Fault::KindMissing),
    };
    let at = if kind == Kind::Army { province.node() } else { at };
    if kind == Kind::Fleet && province.terrain() == Terrain::Inland {
        return Err(Fault::WrongTerrain);
    }
    if !kind.can_stand(at) {
        return Err(Fault::CoastMissing);
    }
    Ok(Unit { owner: seat, kind, at })
}

/// Judges a removal, ignoring other orders. Returns the kind and place of the unit.
pub(crate) fn judge_removal(
    position: &Position,
    seat: Seat,
    unit: Named,
) -> Result<(Kind, Place), Fault> {
    match unit.at {
        Place::Orbit if position.orbit(seat) > 0 => Ok((Kind::Army, Place::Orbit)),
        Place::Orbit => Err(Fault::NoSuchUnit),
        Place::Earth(node) => match position.unit(node.province()) {
            Some(unit) if unit.owner == seat => Ok((unit.kind, Place::Earth(unit.at))),
            Some(_) => Err(Fault::NotYours),
            None => Err(Fault::NoSuchUnit),
        },
    }
}

/// Applies one power's orders in sequence, skipping those that fail. Civil disorder then removes
/// units until none is in excess. Returns the results of the orders, then the automatic removals.
pub fn adjust(
    position: &mut Position,
    seat: Seat,
    orders: &[Given],
) -> (Vec<Adjusted>, Vec<Adjusted>) {
    let mut allowance = allowance(position, seat);
    let results =
        orders.iter().map(|given| carry_out(position, seat, &mut allowance, given)).collect();
    let mut automatic = Vec::new();
    if let Allowance::Removals(count) = allowance {
        for _ in 0..count {
            let (kind, at) =
                civil_removal(position, seat).expect("a power that must remove units has units");
            remove(position, seat, at);
            automatic.push(Adjusted::Removed(kind, at));
        }
    }
    (results, automatic)
}

fn carry_out(
    position: &mut Position,
    seat: Seat,
    allowance: &mut Allowance,
    given: &Given,
) -> Adjusted {
    let done = if given.seat == seat {
        judge(position, seat, *allowance, &given.order)
    } else {
        Err(Fault::NotYours)
    };
    match done {
        Err(fault) => return Adjusted::Fails(fault),
        Ok(Adjusted::Built(unit)) => position.put(unit),
        Ok(Adjusted::Removed(_, at)) => remove(position, seat, at),
        Ok(_) => {}
    }
    match allowance {
        Allowance::Builds(count) | Allowance::Removals(count) => *count -= 1,
    }
    done.unwrap_or_else(Adjusted::Fails)
}

/// Judges an order within the remaining allowance and returns the effect.
pub fn judge(
    position: &Position,
    seat: Seat,
    allowance: Allowance,
    order: &Order,
) -> Result<Adjusted, Fault> {
    match *order {
        Order::Build { .. } | Order::Waive if !matches!(allowance, Allowance::Builds(1..)) => {
            Err(Fault::NothingToBuild)
        }
        Order::Remove { .. } if !matches!(allowance, Allowance::Removals(1..)) => {
            Err(Fault::NothingToRemove)
        }
        Order::Build { unit: Site { kind, at } } => {
            judge_build(position, seat, kind, at).map(Adjusted::Built)
        }
        Order::Waive => Ok(Adjusted::Waived),
        Order::Remove { unit } => {
            judge_removal(position, seat, unit).map(|(kind, at)| Adjusted::Removed(kind, at))
        }
        Order::Hold { .. }
        | Order::Move { .. }
        | Order::SupportHold { .. }
        | Order::SupportMove { .. }
        | Order::Convoy { .. }
        | Order::Colonize { .. }
        | Order::Retreat { .. }
        | Order::Disband { .. } => Err(Fault::WrongPhase),
    }
}

fn remove(position: &mut Position, seat: Seat, at: Place) {
    match at {
        Place::Orbit => *position.orbit_mut(seat) -= 1,
        Place::Earth(node) => drop(position.take(node.province())),
    }
}

/// Returns the unit that civil disorder removes next. Armies in orbit are first (R15), then units
/// off supply centers, then those farthest from the power's nearest center, then fleets, then by
/// English name of the province (4.D.8). Returns `None` if the power has no units.
fn civil_removal(position: &Position, seat: Seat) -> Option<(Kind, Place)> {
    if position.orbit(seat) > 0 {
        return Some((Kind::Army, Place::Orbit));
    }
    let distances = distances(position.centers_of(seat));
    let first = position.units_of(seat).min_by_key(|unit| {
        let at = unit.at.province();
        let farthest = std::cmp::Reverse(distances[at.index()]);
        (at.is_center(), farthest, unit.kind == Kind::Army, at)
    });
    first.map(|unit| (unit.kind, Place::Earth(unit.at)))
}

fn distances(from: Provinces) -> [usize; PROVINCES] {
    let mut distances = [usize::MAX; PROVINCES];
    let (mut reached, mut edge, mut steps) = (from, from, 0);
    while !edge.is_empty() {
        edge.iter().for_each(|province| distances[province.index()] = steps);
        let next =
            edge.iter().fold(Provinces::EMPTY, |all, province| all.union(province.neighbors()));
        edge = next.difference(reached);
        reached = reached.union(edge);
        steps += 1;
    }
    distances
}
