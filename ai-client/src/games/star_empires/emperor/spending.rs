//! Spending of RU: designs, builds, repairs and pooling.

use std::collections::BTreeMap;

use heliopause_star_empires::{Class, Coord, Hull, Name, WorldSeen};

use super::doctrine::Role;
use super::garrison::{present, wanted};
use super::missile_stock;
use super::plan::Plan;
use super::settlers::open_worlds;
use super::strikes::{STRIKE_ROLES, is_warship, staging};
use crate::games::star_empires::survey::{Survey, Unit};

const WORTH_REPAIR: u32 = 15;
/// Number of settlers in addition to those with a world to take.
const SPARE_SETTLERS: u32 = 3;
const SETTLERS_MAX: u32 = 40;

struct Funds {
    left: BTreeMap<Coord, (WorldSeen, u32)>,
    classes: BTreeMap<Role, Class>,
}

impl Funds {
    fn at(&self, at: Coord) -> u32 {
        self.left.get(&at).map_or(0, |(_, stock)| *stock)
    }

    fn build(&mut self, plan: &mut Plan<'_>, at: Coord, role: Role, most: u32) -> u32 {
        let (Some(class), Some((world, stock))) = (self.classes.get(&role), self.left.get_mut(&at))
        else {
            return 0;
        };
        let count = most.min(*stock / class.cost.max(1));
        *stock -= count * class.cost.max(1);
        plan.lines.build(world.name, count, class.name);
        count
    }

    fn richest(&self) -> Option<Coord> {
        self.left.iter().max_by_key(|(at, (_, stock))| (*stock, **at)).map(|(&at, _)| at)
    }
}

pub(super) fn spending(plan: &mut Plan<'_>) {
    let able = plan.survey.own_worlds().filter(|world| Survey::can_work(world));
    let left = able.map(|world| (world.at, (*world, world.stockpile.unwrap_or(0)))).collect();
    let mut funds = Funds { left, classes: BTreeMap::new() };
    design(plan, &mut funds);
    guard(plan, &mut funds);
    store_missiles(plan, &mut funds);
    let reserved = repairs(plan, &mut funds);
    build_settlers(plan, &mut funds);
    let staging = staging(plan);
    let full = |(at, (world, stock)): (&Coord, &(WorldSeen, u32))| {
        (Some(*at) == staging || *stock >= idle(world)).then_some(*at)
    };
    let arming: Vec<Coord> = funds.left.iter().filter_map(full).collect();
    for at in arming {
        arm(plan, &mut funds, at);
    }
    for (ship, world) in reserved {
        plan.lines.repair(ship, world);
    }
    if let Some(at) = staging {
        pool(plan, &funds, at);
    }
}

/// Returns the stockpile from which a world builds warships even if it is not the staging world.
fn idle(world: &WorldSeen) -> u32 {
    2 * world.production.min(1000) + 10
}

/// Designs settlers at once, and other classes after the first turn, to save RU (6.5.2).
fn design(plan: &mut Plan<'_>, funds: &mut Funds) {
    let (own, doctrine) = (plan.survey.own, plan.doctrine);
    let code =
        own.empires.iter().find(|empire| empire.seat == plan.survey.me).map(|empire| empire.code);
    let Some(at) = funds.richest() else { return };
    for (role, design) in doctrine.roles() {
        if let Some(class) = doctrine.class(own, role) {
            funds.classes.insert(role, *class);
            continue;
        }
        let turn = plan.survey.view.turn;
        let (Some(code), Some((world, stock))) = (code, funds.left.get_mut(&at)) else { continue };
        // R38 rejects a name that another empire has taken, so each attempt uses a new one.
        let Some(name) = Name::new(&format!("{code}{role}{turn}")) else { continue };
        let Ok(class) = design.class(name) else { continue };
        let urgent = role == Role::Settler;
        if (urgent || turn > 0) && *stock >= class.fee() + class.cost {
            *stock -= class.fee();
            plan.lines.design(world.name, name, design);
            funds.classes.insert(role, class);
        }
    }
}

/// Builds garrisons (6.6.1). Their first ships relieve the settlers that took the world.
fn guard(plan: &mut Plan<'_>, funds: &mut Funds) {
    let worlds: Vec<WorldSeen> = funds.left.values().map(|(world, _)| *world).collect();
    for world in worlds {
        for round in 0.. {
            let missing = missing(plan, &world, 0).saturating_sub(round * strength_of(funds));
            let role = if round % 2 == 0 && funds.classes.contains_key(&Role::Shield) {
                Role::Shield
            } else {
                Role::Guard
            };
            if missing == 0 || funds.build(plan, world.at, role, 1) == 0 {
                break;
            }
        }
    }
}

fn store_missiles(plan: &mut Plan<'_>, funds: &mut Funds) {
    let places: Vec<Coord> = funds.left.keys().copied().collect();
    for at in places {
        let most = missile_stock::wanted(plan, at);
        funds.build(plan, at, Role::Missile, most);
    }
}

fn missing(plan: &Plan<'_>, world: &WorldSeen, built: u32) -> u32 {
    wanted(plan, world).saturating_sub(present(plan, world.at) + built)
}

fn strength_of(funds: &Funds) -> u32 {
    funds
        .classes
        .get(&Role::Guard)
        .map_or(10, |class| u32::from(class.ratings.guns + class.ratings.dp))
        .max(1)
}

/// Reserves RU for repairs, because builds come first (6.6.2).
fn repairs(plan: &Plan<'_>, funds: &mut Funds) -> Vec<(Name, Name)> {
    let mut list = Vec::new();
    let dear =
        |unit: &&Unit| unit.class.cost >= WORTH_REPAIR || unit.class.name == plan.survey.starbase;
    let mended = |unit: &Unit| (unit.dp + unit.class.auto_repair()).min(unit.class.ratings.dp);
    for unit in plan.survey.units.iter().filter(dear) {
        let missing = u32::from(unit.class.ratings.dp - mended(unit));
        let Some((world, stock)) = funds.left.get_mut(&unit.at) else { continue };
        if missing == 0 || *stock < 2 {
            continue;
        }
        let rate = if unit.class.hull == Hull::Orbital { 3 } else { 2 };
        *stock -= missing.div_ceil(rate).min(*stock / 2);
        list.push((unit.name(), world.name));
    }
    list
}

fn build_settlers(plan: &mut Plan<'_>, funds: &mut Funds) {
    let about = |unit: &&Unit| unit.engines() > 0 && unit.is_armed() && !is_warship(unit);
    let have = plan.survey.units.iter().filter(about).count() as u32;
    let open = open_worlds(plan).len() as u32;
    // Settlers that hold a world until a guard is built cannot be sent elsewhere.
    let holding = plan.worlds.len().saturating_sub(1) as u32;
    let early = plan.survey.view.turn < 2;
    let target = open + SPARE_SETTLERS + if early { worlds_a_share(plan) } else { holding / 2 };
    let Some(at) = funds.richest() else { return };
    let wanted = target.min(SETTLERS_MAX).saturating_sub(have);
    let rest = if early { 0 } else { funds.at(at) / 2 };
    let affordable = (funds.at(at) - rest)
        .div_ceil(funds.classes.get(&Role::Settler).map_or(1, |class| class.cost.max(1)));
    funds.build(plan, at, Role::Settler, wanted.min(affordable));
}

fn worlds_a_share(plan: &Plan<'_>) -> u32 {
    let (options, empires) = (&plan.survey.view.options.generator, plan.survey.view.empires.max(2));
    let radius = u32::from(options.radius_for(empires));
    let sectors = 3 * radius * (radius + 1) + 1;
    sectors * u32::from(options.world_percent) / 100 / empires as u32
}

/// Builds guards and shields for carriers, or warships if the doctrine has them.
fn arm(plan: &mut Plan<'_>, funds: &mut Funds, at: Coord) {
    if !STRIKE_ROLES.iter().any(|role| funds.classes.contains_key(role)) {
        return;
    }
    funds.build(plan, at, Role::Striker, u32::MAX);
    let count = |hull: Hull| {
        plan.survey.units.iter().filter(|unit| unit.at == at && unit.class.hull == hull).count()
            as u32
    };
    let racks =
        plan.survey.units.iter().filter(|unit| unit.at == at && is_warship(unit)).count() as u32;
    let staying =
        funds.left.get(&at).map_or(0, |(world, _)| wanted(plan, world) / strength_of(funds));
    let spare_wings = count(Hull::Wing).saturating_sub(racks + staying);
    let stock = funds.at(at);
    let (Some(mule), Some(guard)) =
        (funds.classes.get(&Role::Carrier), funds.classes.get(&Role::Guard))
    else {
        return;
    };
    let pairs = stock.saturating_sub(spare_wings * mule.cost) / (mule.cost + guard.cost).max(1);
    let shields = pairs / 2;
    funds.build(plan, at, Role::Carrier, pairs + spare_wings);
    funds.build(plan, at, Role::Guard, pairs - shields);
    funds.build(plan, at, Role::Shield, shields);
}

/// Pools RU at a world, except the RU of worlds that need a garrison (6.7.2).
fn pool(plan: &mut Plan<'_>, funds: &Funds, at: Coord) {
    let Some((world, _)) = funds.left.get(&at) else { return };
    if plan.worlds.len() < 2 {
        return;
    }
    let keeps = |other: &&WorldSeen| other.at != at && missing(plan, other, 0) > 0;
    let except: Vec<Name> =
        plan.survey.own_worlds().filter(keeps).map(|world| world.name).collect();
    // A world that will be taken this turn needs RU for its first guard.
    let taking = open_worlds(plan).into_iter().filter(|(at, _)| plan.arrives(*at));
    let taking: Vec<Name> = taking
        .filter_map(|(at, _)| plan.survey.own.chart.world_at(at))
        .map(|world| world.name)
        .collect();
    plan.lines.pool(world.name, [except, taking].concat());
}
