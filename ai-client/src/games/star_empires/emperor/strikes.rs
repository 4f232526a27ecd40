//! Strikes: targets, forces and the staging world.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use heliopause_star_empires::{Coord, Name, WorldSeen};

use super::doctrine::Role;
use super::garrison::THREAT_RANGE;
use super::memory::force_at;
use super::plan::Plan;
use crate::games::star_empires::strength::Force;
use crate::games::star_empires::survey::Unit;

/// Maximum number of guns of a settler. Mobile ships with more are warships.
const MAX_SETTLER_GUNS: u16 = 3;
const SECTORS_PER_TURN: u32 = 2;
const STRIKE_RANGE: u32 = 24;

#[derive(Clone, Debug)]
struct Team {
    ship: Unit,
    aboard: Vec<Unit>,
    to_load: Vec<Unit>,
}

impl Team {
    fn force(&self) -> Force {
        let boarding_order = self.aboard.iter().chain(&self.to_load).filter(|unit| unit.is_armed());
        Force::of(boarding_order) + Force::one(&self.ship)
    }
}

pub(super) fn strike(plan: &mut Plan<'_>) {
    let targets = targets(plan);
    let staging = staging(plan);
    let mut aimed = BTreeSet::new();
    let mut groups: Vec<(Coord, Vec<Team>)> = plan
        .survey
        .loose
        .keys()
        .map(|&at| (at, teams(plan, at)))
        .filter(|(_, teams)| !teams.is_empty())
        .collect();
    groups.sort_by_key(|(at, teams)| (Reverse(strength(teams).weight()), *at));
    for (at, mut teams) in groups {
        attack(plan, at, &mut teams, &targets, &mut aimed);
        gather(plan, at, &teams, staging);
    }
}

fn strength(teams: &[Team]) -> Force {
    teams.iter().fold(Force::default(), |sum, team| sum + team.force())
}

pub(super) fn is_warship(unit: &Unit) -> bool {
    unit.engines() > 0
        && unit.is_armed()
        && (unit.class.ratings.racks > 0 || unit.class.ratings.guns > MAX_SETTLER_GUNS)
}

/// Forms teams of the free warships at a world, strongest first. Each warship loads free wings
/// while it has free racks.
fn teams(plan: &Plan<'_>, at: Coord) -> Vec<Team> {
    let free = plan.free_at(at);
    let mut wings = boarding_order(
        free.iter().filter(|unit| unit.engines() == 0 && unit.is_armed() && unit.is_wing()),
    );
    let mut teams: Vec<Team> = Vec::new();
    // A ship with damaged engines would slow down the others, so it repairs itself first.
    let able = |unit: &&Unit| is_warship(unit) && unit.engines() == unit.class.ratings.engines;
    for &ship in free.iter().filter(able) {
        let aboard: Vec<Unit> = plan.survey.cargo_of(ship.serial).copied().collect();
        let mut racks = plan.survey.free_racks(&ship);
        let mut to_load = Vec::new();
        while let Some(wing) = wings.pop_if(|wing| wing.class.tonnage <= racks) {
            racks -= wing.class.tonnage;
            to_load.push(wing);
        }
        teams.push(Team { ship, aboard, to_load });
    }
    teams.sort_by_key(|team| (Reverse(team.force().weight()), team.ship.serial));
    teams
}

/// Returns the wings in reverse boarding order. Guards and shields board alternately.
fn boarding_order<'u>(wings: impl Iterator<Item = &'u Unit>) -> Vec<Unit> {
    let (mut guards, mut shields): (Vec<Unit>, Vec<Unit>) =
        wings.copied().partition(|wing| wing.class.ratings.guns >= wing.class.ratings.dp);
    let mut list = Vec::with_capacity(guards.len() + shields.len());
    while !guards.is_empty() || !shields.is_empty() {
        list.extend(guards.pop());
        list.extend(shields.pop());
    }
    list.reverse();
    list
}

fn targets(plan: &Plan<'_>) -> Vec<(WorldSeen, Force)> {
    let calm =
        plan.survey.own.chart.worlds.iter().filter(|world| !plan.storms.contains_key(&world.at));
    let held = |at| force_at(plan.survey, at, |owner| plan.survey.is_hostile(owner));
    let worlds = calm.filter(|world| match world.owner {
        Some(owner) => plan.survey.is_hostile(owner),
        None => !held(world.at).is_none(),
    });
    let expected = |world: &WorldSeen| match world.owner {
        Some(_) => plan.memory.expected(plan.survey, world.at, 0),
        None => held(world.at),
    };
    worlds.map(|world| (*world, expected(world))).collect()
}

fn merit(world: &WorldSeen, expected: Force, distance: u32) -> u64 {
    let turns = u64::from(distance.div_ceil(SECTORS_PER_TURN));
    let effort = 10 + turns * 10 + u64::from((expected.guns + expected.dp).min(1 << 20)) / 20;
    u64::from(world.production.min(1 << 20)) * 10_000 / effort
}

/// Sends teams to targets, best target first: as many teams as needed if the doctrine raids, and
/// otherwise all.
fn attack(
    plan: &mut Plan<'_>,
    at: Coord,
    teams: &mut Vec<Team>,
    targets: &[(WorldSeen, Force)],
    aimed: &mut BTreeSet<Coord>,
) {
    let near = |target: &&(WorldSeen, Force)| {
        target.0.at != at && target.0.at.distance(at) <= STRIKE_RANGE
    };
    let mut list: Vec<&(WorldSeen, Force)> = targets.iter().filter(near).collect();
    list.sort_by_key(|(world, expected)| {
        (Reverse(merit(world, *expected, at.distance(world.at))), world.at)
    });
    for (world, expected) in list {
        if teams.is_empty() || aimed.contains(&world.at) {
            continue;
        }
        let turns = at.distance(world.at).div_ceil(SECTORS_PER_TURN);
        let coming = if world.owner.is_some() {
            plan.memory.expected(plan.survey, world.at, turns)
        } else {
            *expected
        };
        let needed = scaled(coming, plan.doctrine.margin(plan.survey.view.turn));
        let Some(count) = enough(teams, needed) else { continue };
        let count = if plan.doctrine.raids { count } else { teams.len() };
        let party: Vec<Team> = teams.drain(..count).collect();
        aimed.insert(world.at);
        go(plan, &party, world.at);
    }
}

fn scaled(force: Force, percent: u32) -> Force {
    let scale = |part: u32| (u64::from(part) * u64::from(percent) / 100).min(1 << 30) as u32;
    Force { guns: scale(force.guns), dp: scale(force.dp), count: force.count }
}

fn enough(teams: &[Team], needed: Force) -> Option<usize> {
    let mut sum = Force::default();
    teams
        .iter()
        .position(|team| {
            sum += team.force();
            sum.guns >= needed.dp && sum.beats(needed)
        })
        .map(|last| last + 1)
}

/// Moves teams at the speed of the slowest, so that they arrive together.
fn go(plan: &mut Plan<'_>, party: &[Team], goal: Coord) {
    let Some(first) = party.first() else { return };
    let slowest = party.iter().map(|team| team.ship.engines()).min().unwrap_or(0);
    let weakest = party.iter().map(|team| team.ship.dp).min().unwrap_or(0);
    let Some(leg) = plan.leg(first.ship.at, goal, slowest, weakest) else { return };
    for team in party {
        let names: Vec<Name> = team.to_load.iter().map(Unit::name).collect();
        plan.lines.load(&names, team.ship.name());
        for wing in &team.to_load {
            plan.commit(wing);
        }
    }
    let ships: Vec<Unit> = party.iter().map(|team| team.ship).collect();
    plan.travel(&ships, leg);
}

/// Moves teams to the staging world. Teams at a world that expects an attack stay.
fn gather(plan: &mut Plan<'_>, at: Coord, teams: &[Team], staging: Option<Coord>) {
    let Some(staging) = staging.or_else(|| nearest_own_world(plan, at)) else { return };
    let afraid = plan.worlds.contains(&at)
        && plan.threat(at, THREAT_RANGE).guns > plan.survey.friendly_dp(at);
    if at != staging && !afraid {
        go(plan, teams, staging);
    }
    for team in teams {
        plan.commit(&team.ship);
    }
}

/// Returns the world where strikes start and RU are pooled: a safe world near the best target, or
/// the homeworld if there is none. Returns `None` if the empire has no world.
pub(super) fn staging(plan: &Plan<'_>) -> Option<Coord> {
    let home = plan.survey.own.status.homeworld;
    let home =
        plan.survey.own_worlds().find(|world| Some(world.name) == home).map(|world| world.at);
    let from = home.or_else(|| plan.worlds.first().copied())?;
    let list = targets(plan);
    let best = list.iter().max_by_key(|(world, expected)| {
        (merit(world, *expected, from.distance(world.at)), world.at)
    });
    let Some((target, _)) = best else { return Some(from) };
    let safe = |at: &&Coord| plan.threat(**at, THREAT_RANGE).guns <= plan.survey.friendly_dp(**at);
    // The homeworld has a starbase and cannot be interdicted, so it may be two sectors farther.
    let distance = |at: Coord| at.distance(target.at) + if Some(at) == home { 0 } else { 2 };
    plan.worlds.iter().filter(safe).copied().min_by_key(|&at| (distance(at), at)).or(Some(from))
}

pub(super) fn nearest_own_world(plan: &Plan<'_>, at: Coord) -> Option<Coord> {
    plan.worlds
        .iter()
        .copied()
        .filter(|&world| world != at)
        .min_by_key(|&world| (world.distance(at), world))
}

pub(super) const STRIKE_ROLES: [Role; 4] =
    [Role::Striker, Role::Carrier, Role::Guard, Role::Shield];
