//! Whom to attack, with how much, and from where.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use heliopause_star_empires::{Coord, Name, WorldSeen};

use super::doctrine::Role;
use super::garrison::ALARM;
use super::memory::force_at;
use super::plan::Plan;
use crate::games::star_empires::strength::Force;
use crate::games::star_empires::survey::Unit;

/// Guns from which a ship that moves is a warship and no settler.
const WARSHIP: u16 = 3;
/// How many sectors a strike moves a turn.
const PACE: u32 = 2;
/// No strike goes farther, in sectors.
const FARTHEST: u32 = 24;

/// A carrier with what it has loaded, and what it is to load; or a warship alone.
#[derive(Clone, Debug)]
struct Team {
    ship: Unit,
    aboard: Vec<Unit>,
    to_load: Vec<Unit>,
}

impl Team {
    fn force(&self) -> Force {
        let riders = self.aboard.iter().chain(&self.to_load).filter(|unit| unit.is_armed());
        Force::of(riders) + Force::one(&self.ship)
    }
}

/// Sends out what is strong enough, and gathers the rest.
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

/// Whether a ship goes to war rather than to settle.
pub(super) fn is_warship(unit: &Unit) -> bool {
    unit.engines() > 0
        && unit.is_armed()
        && (unit.class.ratings.racks > 0 || unit.class.ratings.guns > WARSHIP)
}

/// The free teams of a sector: warships, and carriers with the wings that are free there. Whoever
/// has cargo comes first.
fn teams(plan: &Plan<'_>, at: Coord) -> Vec<Team> {
    let free = plan.free_at(at);
    let mut wings =
        riders(free.iter().filter(|unit| unit.engines() == 0 && unit.is_armed() && unit.is_wing()));
    let mut teams: Vec<Team> = Vec::new();
    // Whoever is lamed would hold up the others: it repairs itself first.
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

/// Wings in the order in which they board, last first: those that shoot and those that are shot at
/// by turns.
fn riders<'u>(wings: impl Iterator<Item = &'u Unit>) -> Vec<Unit> {
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

/// Hostile worlds, and unowned ones that hostile ships hold against us, with what is expected
/// there.
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

/// What taking a world is worth from so far, and against so much: the more the better.
fn merit(world: &WorldSeen, expected: Force, distance: u32) -> u64 {
    let turns = u64::from(distance.div_ceil(PACE));
    let effort = 10 + turns * 10 + u64::from((expected.guns + expected.dp).min(1 << 20)) / 20;
    u64::from(world.production.min(1 << 20)) * 10_000 / effort
}

/// Sends teams against what they beat: each target gets as many as it takes, or all if raids are
/// not planned.
fn attack(
    plan: &mut Plan<'_>,
    at: Coord,
    teams: &mut Vec<Team>,
    targets: &[(WorldSeen, Force)],
    aimed: &mut BTreeSet<Coord>,
) {
    let near =
        |target: &&(WorldSeen, Force)| target.0.at != at && target.0.at.distance(at) <= FARTHEST;
    let mut list: Vec<&(WorldSeen, Force)> = targets.iter().filter(near).collect();
    list.sort_by_key(|(world, expected)| {
        (Reverse(merit(world, *expected, at.distance(world.at))), world.at)
    });
    for (world, expected) in list {
        if teams.is_empty() || aimed.contains(&world.at) {
            continue;
        }
        let turns = at.distance(world.at).div_ceil(PACE);
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

/// How many of the teams, in order, beat so much together.
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

/// Loads and moves teams, all as far as the slowest, so that they arrive together.
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

/// What attacks nobody goes where the next strike begins; from a world that fears an attack nobody
/// leaves.
fn gather(plan: &mut Plan<'_>, at: Coord, teams: &[Team], staging: Option<Coord>) {
    let Some(staging) = staging.or_else(|| nearest_own_world(plan, at)) else { return };
    let afraid =
        plan.worlds.contains(&at) && plan.threat(at, ALARM).guns > plan.survey.friendly_dp(at);
    if at != staging && !afraid {
        go(plan, teams, staging);
    }
    for team in teams {
        plan.commit(&team.ship);
    }
}

/// The own world from which strikes begin, and to which RU flow: near to what is worth attacking,
/// and not under attack.
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
    let safe = |at: &&Coord| plan.threat(**at, ALARM).guns <= plan.survey.friendly_dp(**at);
    // The homeworld has a starbase and is never interdicted: another place must be clearly nearer.
    let distance = |at: Coord| at.distance(target.at) + if Some(at) == home { 0 } else { 2 };
    plan.worlds.iter().filter(safe).copied().min_by_key(|&at| (distance(at), at)).or(Some(from))
}

/// The own world that is nearest to a sector.
pub(super) fn nearest_own_world(plan: &Plan<'_>, at: Coord) -> Option<Coord> {
    plan.worlds
        .iter()
        .copied()
        .filter(|&world| world != at)
        .min_by_key(|&world| (world.distance(at), world))
}

/// The roles of the ships that strikes are made of.
pub(super) const STRIKING: [Role; 4] = [Role::Striker, Role::Mule, Role::Guard, Role::Shield];
