//! Orders of settlers: worlds to take, and sectors to explore.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use heliopause_star_empires::{Coord, Name};

use super::exploration::ExplorationMap;
use super::plan::Plan;
use super::strikes::is_warship;
use crate::games::star_empires::routes::disc;
use crate::games::star_empires::survey::Unit;

const EXPLORE_RANGE: i16 = 12;
const PORTAL_RANGE: u32 = 8;
const SETTLE_RANGE: u32 = 30;

pub(super) fn settle(plan: &mut Plan<'_>) {
    let mut settlers: Vec<Unit> =
        plan.survey.units.iter().filter(|unit| is_settler(plan, unit)).copied().collect();
    take_worlds(plan, &mut settlers);
    try_portals(plan, &mut settlers);
    explore(plan, settlers);
}

fn is_settler(plan: &Plan<'_>, unit: &Unit) -> bool {
    unit.is_loose()
        && unit.engines() > 0
        && unit.is_armed()
        && !is_warship(unit)
        && plan.is_free(unit)
}

pub(super) fn open_worlds(plan: &Plan<'_>) -> Vec<(Coord, u32)> {
    let worlds = plan.survey.own.chart.worlds.iter().filter(|world| world.owner.is_none());
    let open = |at: Coord| plan.hostile_at(at).is_none() && !plan.storms.contains_key(&at);
    worlds.filter(|world| open(world.at)).map(|world| (world.at, world.production)).collect()
}

/// Assigns settlers to open worlds, nearest first, then by production.
fn take_worlds(plan: &mut Plan<'_>, settlers: &mut Vec<Unit>) {
    let worlds = open_worlds(plan);
    let mut pairs: Vec<(u32, Reverse<u32>, Coord, usize)> = Vec::new();
    for (index, unit) in settlers.iter().enumerate() {
        for &(at, production) in &worlds {
            let distance = unit.at.distance(at);
            if distance <= SETTLE_RANGE {
                let turns = distance.div_ceil(u32::from(unit.engines()));
                pairs.push((turns, Reverse(production), at, index));
            }
        }
    }
    pairs.sort_unstable();
    let (mut taken, mut sent) = (BTreeSet::new(), BTreeSet::new());
    for (_, _, at, index) in pairs {
        if taken.contains(&at) || sent.contains(&index) {
            continue;
        }
        let unit = settlers[index];
        if unit.at == at {
            plan.commit(&unit);
        } else if let Some(leg) = plan.leg(unit.at, at, unit.engines(), unit.dp) {
            plan.travel(&[unit], leg);
        } else {
            continue;
        }
        taken.insert(at);
        sent.insert(index);
    }
    settlers.retain(|unit| plan.is_free(unit));
}

fn try_portals(plan: &mut Plan<'_>, settlers: &mut Vec<Unit>) {
    let own = plan.survey.own;
    let known = |name: Name| own.navigation.iter().any(|data| data.portal == name);
    let blocked = |at: Coord| plan.storms.contains_key(&at);
    let portals: Vec<_> = own
        .chart
        .portals
        .iter()
        .filter(|portal| {
            !known(portal.name) && portal.collapsed != Some(true) && !blocked(portal.at)
        })
        .copied()
        .collect();
    for portal in portals {
        if failed(plan, portal.name) {
            continue;
        }
        let near = settlers.iter().filter(|unit| unit.at.distance(portal.at) <= PORTAL_RANGE);
        let nearest = near.min_by_key(|unit| (unit.at.distance(portal.at), unit.serial)).copied();
        if let Some(unit) = nearest
            && plan.probe_portal(unit, portal.name, portal.at)
        {
            settlers.retain(|other| other.serial != unit.serial);
        }
    }
}

fn failed(plan: &Plan<'_>, portal: Name) -> bool {
    use heliopause_star_empires::{Fate, Line};
    let results = &plan.survey.own.report.results;
    results.iter().any(|result| {
        matches!(&result.line, Line::Traverse { entry, .. } if *entry == portal)
            && result.fate == Fate::Refused
    })
}

/// Sends settlers to unexplored sectors. Settlers that find none keep watch.
fn explore(plan: &mut Plan<'_>, settlers: Vec<Unit>) {
    let mut exploration = ExplorationMap::new(plan.survey);
    for unit in settlers {
        if exploration.is_explored() {
            return;
        }
        let (engines, scan) = (u32::from(unit.engines()), unit.class.ratings.scan);
        let worth = |at: Coord| {
            let turns = unit.at.distance(at).div_ceil(engines).max(1);
            exploration.gain(at, scan) * 60 / (turns + 1)
        };
        let calm = |at: &Coord| {
            *at != unit.at && !plan.storms.contains_key(at) && plan.hostile_at(*at).is_none()
        };
        let best = disc(unit.at, EXPLORE_RANGE)
            .filter(calm)
            .map(|at| (worth(at), at))
            .max_by_key(|&(worth, at)| (worth, Reverse(at)));
        let Some((_, goal)) = best.filter(|(worth, _)| *worth > 0) else { continue };
        if let Some(leg) = plan.leg(unit.at, goal, unit.engines(), unit.dp) {
            exploration.claim(goal, scan);
            plan.travel(&[unit], leg);
        }
    }
}
