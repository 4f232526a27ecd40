//! Draws orders and results as paths: arrows for moves, dashed lines for supports and convoys.

use heliopause_diplomacy::{Named, Node, Order, Place, Site};

use super::atlas::Atlas;
use super::geography::EUROPE;
use super::recent_orders::DrawnOrder;
use crate::scene::{ScenePath, number, points, states};

type Spot = (f64, f64);

/// The start of a beam-down arrow, relative to its destination.
const ORBIT: Spot = (-34.0, -62.0);

/// Returns the path of an order, or `None` if there is nothing to draw.
pub(super) fn path(atlas: &Atlas, drawn: &DrawnOrder) -> Option<ScenePath> {
    let (kind, spots) = line(atlas, drawn.order)?;
    let [from, to] = ends(drawn.order);
    let is_beaming = kind == "move" && (from == Some(Place::Orbit) || to == Some(Place::Orbit));
    let piece = piece(atlas, drawn)
        .or_else(|| drawn.order.unit().map(|unit| unit.to_string()))
        .unwrap_or_default();
    let name = |place: Option<Place>| place.map_or_else(String::new, |place| place.to_string());
    Some(ScenePath {
        kind: kind.into(),
        points: points(&spots),
        title: title(atlas, drawn),
        owner: number(drawn.seat),
        outcome: drawn.success.into(),
        piece,
        origin: name(from),
        destination: name(to.or(from)),
        states: states([(is_beaming, "portal"), (drawn.dislodged, "dislodged")]),
    })
}

fn title(atlas: &Atlas, drawn: &DrawnOrder) -> String {
    let dislodged = if drawn.dislodged { ", dislodged" } else { "" };
    let result =
        if drawn.result.is_empty() { String::new() } else { format!(": {}", drawn.result) };
    format!("{}: {}{result}{dislodged}", atlas.power(drawn.seat).name, drawn.order)
}

/// Returns the place of an order's unit, and its destination if it has one.
pub(super) fn ends(order: Order) -> [Option<Place>; 2] {
    let to = match order {
        Order::Move { to, .. } | Order::Retreat { to, .. } | Order::SupportMove { to, .. } => {
            Some(to)
        }
        Order::Convoy { to, .. } => Some(Place::Earth(to)),
        Order::SupportHold { other, .. } => Some(other.at),
        Order::Colonize { target, .. } => target.map(|target| Place::Earth(target.node())),
        Order::Hold { .. }
        | Order::Disband { .. }
        | Order::Build { .. }
        | Order::Remove { .. }
        | Order::Waive => None,
    };
    let site = order.site().map(|site| Place::Earth(site.at));
    [order.unit().map(|unit| unit.at).or(site), to]
}

/// Returns the name of an order's unit at its current place. Returns `None` if the unit is gone.
pub(super) fn piece(atlas: &Atlas, drawn: &DrawnOrder) -> Option<String> {
    let table = atlas.table();
    let at = |place: Place| {
        let Place::Earth(node) = place else {
            return (table.position.orbit(drawn.seat) > 0).then(|| Named::ORBITING.to_string());
        };
        let own = table.position.unit(node.province()).filter(|unit| unit.owner == drawn.seat);
        let dislodged = table
            .dislodged
            .iter()
            .map(|one| one.unit)
            .find(|unit| unit.owner == drawn.seat && unit.at.province() == node.province());
        dislodged.or(own).map(|unit| unit.to_string())
    };
    let [from, to] = ends(drawn.order);
    let moves = matches!(drawn.order, Order::Move { .. } | Order::Retreat { .. });
    let has_moved = moves && drawn.success == crate::scene::SceneOutcome::Success;
    let now = if has_moved { to } else { from };
    now.and_then(at)
}

/// Returns the kind and the points of an order's path.
fn line(atlas: &Atlas, order: Order) -> Option<(&'static str, Vec<Spot>)> {
    Some(match order {
        Order::Move { unit, to, .. } | Order::Retreat { unit, to } => ("move", travel(unit, to)?),
        Order::SupportHold { unit, other } => {
            ("support", vec![place(atlas, unit)?, place(atlas, other)?])
        }
        Order::SupportMove { unit, other, to: Place::Earth(to), .. } => {
            let end = middle(to);
            let from = place_before(other).unwrap_or((end.0 + ORBIT.0, end.1 + ORBIT.1));
            ("support", vec![place(atlas, unit)?, between(from, end, 0.6)])
        }
        Order::Convoy { unit, army, to } => {
            let end = middle(to.province().node());
            ("convoy", vec![place(atlas, unit)?, between(place_before(army)?, end, 0.5)])
        }
        Order::Colonize { unit, target } => {
            let target = target.map(|province| middle(province.node()));
            ("settle", place_before(unit).into_iter().chain(target).collect())
        }
        Order::Build { unit: Site { at, .. } } => ("build", vec![middle(at)]),
        Order::Remove { unit } | Order::Disband { unit } => ("remove", vec![place_before(unit)?]),
        Order::Hold { unit } => ("hold", vec![place_before(unit)?]),
        Order::SupportMove { .. } | Order::Waive => return None,
    })
}

fn travel(unit: Named, to: Place) -> Option<Vec<Spot>> {
    match (place_before(unit), to) {
        (Some(start), Place::Earth(to)) => Some(vec![start, middle(to)]),
        (None, Place::Earth(to)) => {
            let end = middle(to);
            Some(vec![(end.0 + ORBIT.0, end.1 + ORBIT.1), end])
        }
        (Some(start), Place::Orbit) => Some(vec![start, (start.0 - ORBIT.0, start.1 + ORBIT.1)]),
        (None, Place::Orbit) => None,
    }
}

fn place(atlas: &Atlas, unit: Named) -> Option<Spot> {
    let Place::Earth(node) = unit.at else { return None };
    let stands = atlas.table().position.unit(node.province()).map(|unit| unit.at);
    Some(middle(stands.unwrap_or(node)))
}

fn place_before(unit: Named) -> Option<Spot> {
    match unit.at {
        Place::Earth(node) => Some(middle(node)),
        Place::Orbit => None,
    }
}

fn middle(node: Node) -> Spot {
    EUROPE.middle(node)
}

fn between(start: Spot, end: Spot, part: f64) -> Spot {
    (start.0 + (end.0 - start.0) * part, start.1 + (end.1 - start.1) * part)
}
