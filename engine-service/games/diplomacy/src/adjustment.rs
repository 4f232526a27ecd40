//! Winter adjustments (D8, 6).

use heliopause_kernel::Seat;

use crate::board::{Node, PROVINCES, Province, Provinces, Terrain, centers};
use crate::fault::Fault;
use crate::movement::Given;
use crate::order::{Named, Order, Place, Site};
use crate::position::{Kind, Position, Unit, Variant};

/// What became of a line of adjustments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Adjusted {
    /// The unit was built.
    Built(Unit),
    /// The unit was taken off: where it was.
    Removed(Kind, Place),
    /// A build was not used.
    Waived,
    /// The line could not be carried out.
    Fails(Fault),
}

/// What a power may or must do in a winter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Allowance {
    /// It may build so many units.
    Builds(usize),
    /// It must remove so many units.
    Removals(usize),
}

/// What a power may or must do: the difference of its centers and its units, armies in orbit
/// included (R14).
pub fn allowance(position: &Position, seat: Seat) -> Allowance {
    let (centers, units) = (position.centers_of(seat).len(), position.strength(seat));
    if units > centers {
        Allowance::Removals(units - centers)
    } else {
        Allowance::Builds(centers - units)
    }
}

/// Whether a power has anything to decide: a removal, or a build with a site for it (D2).
pub fn is_owed(position: &Position, seat: Seat) -> bool {
    match allowance(position, seat) {
        Allowance::Removals(count) => count > 0,
        Allowance::Builds(count) => count > 0 && !sites(position, seat).is_empty(),
    }
}

/// The centers where a power can build.
pub fn sites(position: &Position, seat: Seat) -> Provinces {
    centers().iter().filter(|&center| judge_site(position, seat, center).is_ok()).collect()
}

/// D8: own home centers that are still owned and empty. 6: own colonies instead of homes.
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

/// Judges a build by itself: the unit that it makes.
pub(crate) fn judge_build(
    position: &Position,
    seat: Seat,
    kind: Option<Kind>,
    at: Node,
) -> Result<Unit, Fault> {
    let province = at.province();
    judge_site(position, seat, province)?;
    // 4.C.3: without a letter, an army inland, and a fleet if a coast is named.
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

/// Judges a removal by itself.
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

/// Carries out one power's lines, in their order; lines that cannot be carried out are skipped.
/// What it must remove and does not is removed by the rule of civil disorder: those results have no
/// line. Says what became of each line first.
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
                civil_removal(position, seat).expect("who has to remove units has units");
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

/// Judges a line by what is still allowed: what it would do.
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

/// The unit that civil disorder removes next. Armies in orbit first (R15); then, off supply centers
/// before on them, the farthest from the nearest own center; fleets before armies; then by the
/// English name (4.D.8).
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

/// How many borders lie between each province and the nearest of these, whoever may cross them.
fn distances(from: Provinces) -> [usize; PROVINCES] {
    let mut distances = [usize::MAX; PROVINCES];
    let (mut reached, mut edge, mut steps) = (from, from, 0);
    while !edge.is_empty() {
        edge.iter().for_each(|province| distances[province.index()] = steps);
        let next =
            edge.iter().fold(Provinces::EMPTY, |all, province| all.union(province.neighbours()));
        edge = next.difference(reached);
        reached = reached.union(edge);
        steps += 1;
    }
    distances
}
