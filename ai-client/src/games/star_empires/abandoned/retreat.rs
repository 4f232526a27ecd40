//! Retreats to the nearest of the empire's worlds (notes 15, step 5).

use std::cmp::Reverse;
use std::collections::BTreeMap;

use heliopause_star_empires::{Coord, Name, WorldSeen};

use crate::games::star_empires::lines::Lines;
use crate::games::star_empires::routes::{Route, Wormnets, toward};
use crate::games::star_empires::survey::{Survey, Unit};

/// Sends ships home, or lets them hold if the empire has no world left.
pub(super) fn retreat(survey: &Survey<'_>, ships: &[Unit], lines: &mut Lines) {
    let nets = Wormnets::new(survey);
    let mut groups: BTreeMap<(Coord, u16), Vec<Name>> = BTreeMap::new();
    for ship in ships.iter().filter(|ship| ship.engines() > 0) {
        groups.entry((ship.at, ship.engines())).or_default().push(ship.name());
    }
    let mut hops = Vec::new();
    let mut known: Option<(Coord, Option<(Coord, Route)>)> = None;
    for ((at, engines), names) in groups {
        // Groups in the same sector are adjacent.
        if known.as_ref().is_none_or(|(place, _)| *place != at) {
            known = Some((at, way_home(survey, &nets, at)));
        }
        let Some((_, Some((home, route)))) = &known else { continue };
        let entry = route.portals.first().and_then(|&name| nets.entry(name));
        let goal = entry.unwrap_or(*home);
        let to = toward(at, goal, u32::from(engines));
        if to != at {
            lines.go(&names, to);
        }
        if to == goal && entry.is_some() {
            hops.push((names, route.portals[0], route.portals.get(1).copied()));
        }
    }
    for (names, entry, exit) in hops {
        lines.traverse(&names, entry, exit);
    }
}

fn way_home(survey: &Survey<'_>, nets: &Wormnets, from: Coord) -> Option<(Coord, Route)> {
    let worlds: Vec<&WorldSeen> = survey.own_worlds().collect();
    let places: Vec<Coord> = worlds.iter().map(|world| world.at).collect();
    let routes = nets.routes(from, &places).into_iter();
    let mut ways: Vec<(&WorldSeen, Route)> = worlds.into_iter().zip(routes).collect();
    ways.sort_by(|(one, first), (other, second)| {
        first.cost.cmp(&second.cost).then_with(|| safest_first(survey, one, other))
    });
    ways.into_iter().next().map(|(world, route)| (world.at, route))
}

/// Compares worlds by safety ratio (notes 1), then by friendly damage points, highest first.
pub(super) fn safest_first(
    survey: &Survey<'_>,
    one: &WorldSeen,
    other: &WorldSeen,
) -> std::cmp::Ordering {
    let situation = |world: &WorldSeen| {
        (u64::from(survey.friendly_dp(world.at)), u64::from(survey.foreign_guns(world.at)))
    };
    let ((dp, guns), (other_dp, other_guns)) = (situation(one), situation(other));
    let by_ratio = match (guns, other_guns) {
        (0, 0) => std::cmp::Ordering::Equal,
        (0, _) => std::cmp::Ordering::Less,
        (_, 0) => std::cmp::Ordering::Greater,
        _ => (other_dp * guns).cmp(&(dp * other_guns)),
    };
    let then = (Reverse(dp), Reverse(one.production), one.name).cmp(&(
        Reverse(other_dp),
        Reverse(other.production),
        other.name,
    ));
    by_ratio.then(then)
}
