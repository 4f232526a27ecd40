//! Samples: random states that are consistent with a view and have the same view for its viewer.
//!
//! A new galaxy is generated from the options. Then everything that the viewer knows replaces the
//! generated contents. Known sectors contain what the map shows, and the rest is random. Look-ahead
//! on a sample cannot use anything that the viewer does not know.

mod classes;
mod objects;
mod ships;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use heliopause_kernel::{Dice, Seat, SeatSet, Setup};

use crate::chart::Chart;
use crate::empire::{Grant, Granted, code_for};
use crate::galaxy::Galaxy;
use crate::geometry::Sector;
use crate::ids::{ClassId, Id};
use crate::index::{ObjectIndex, ShipIndex};
use crate::name::Name;
use crate::options::Options;
use crate::phases::map_without_history;
use crate::position::{Knowledge, StarEmpires};
use crate::view::{EmpireView, GrantSeen, Insight, View};

pub(crate) fn sample(view: &View, rng: &mut dyn FnMut() -> u64) -> StarEmpires {
    let galaxy = match &view.insight {
        Insight::Master(all) => all.galaxy.clone(),
        Insight::Empire(_) | Insight::Spectator => galaxy_like(view, rng),
    };
    let mut game = StarEmpires::unseen(Arc::clone(&view.options), galaxy);
    (game.turn, game.ending) = (view.turn, view.ending);
    match &view.insight {
        Insight::Master(all) => {
            game.waiting.clone_from(&all.waiting);
            game.alliances.clone_from(&all.alliances);
        }
        Insight::Empire(own) => overwrite(&mut game, own, rng),
        Insight::Spectator => {}
    }
    sample_maps(&mut game);
    if let Insight::Empire(own) = &view.insight {
        let knowledge = Knowledge { chart: own.chart.clone(), report: Arc::clone(&own.report) };
        game.knowledge[own.status.seat.index()] = knowledge;
    }
    game
}

fn galaxy_like(view: &View, rng: &mut dyn FnMut() -> u64) -> Galaxy {
    let mut seed = [0; 32];
    for part in seed.chunks_mut(8) {
        part.copy_from_slice(&rng().to_le_bytes());
    }
    let mut dice = Dice::new(seed);
    let made = |options: Options, dice: &mut Dice| {
        crate::setup::set_up(&Setup { options, players: view.empires }, dice)
            .map(|game| game.galaxy)
    };
    // Removes the names that players chose: the viewer may not know them, and known names are
    // applied later. The galaxy of a scenario stays, because it is public.
    let options = Options { names: Vec::new(), ..(*view.options).clone() };
    let drawn = made(options, &mut dice).or_else(|_| made(Options::default(), &mut dice));
    let mut galaxy = drawn.expect("the default options allow 2 to 60 empires, like every game");
    for seat in galaxy.seats() {
        let empire = galaxy.empire_mut(seat);
        (empire.contacts, empire.known_empires) = (SeatSet::EMPTY, SeatSet::EMPTY);
    }
    galaxy
}

fn overwrite(game: &mut StarEmpires, own: &EmpireView, rng: &mut dyn FnMut() -> u64) {
    let seat = own.status.seat;
    name_empires(&mut game.galaxy, own);
    classes::overwrite(&mut game.galaxy, own);
    objects::overwrite(&mut game.galaxy, own, rng);
    ships::overwrite(&mut game.galaxy, own, rng);
    overwrite_status(&mut game.galaxy, own);
    game.sheets[seat.index()].clone_from(&own.sheet);
    if !own.status.allies.is_empty() {
        game.alliances = vec![own.status.allies.with(seat)];
    }
}

/// Applies the names of known empires. Other empires keep their names unless those are taken.
fn name_empires(galaxy: &mut Galaxy, own: &EmpireView) {
    let known = |seat: Seat| own.empires.iter().find(|seen| seen.seat == seat);
    let mut codes: Vec<_> = own.empires.iter().map(|seen| seen.code).collect();
    let mut names: Vec<Name> = own.empires.iter().map(|seen| seen.name).collect();
    for seat in galaxy.seats() {
        let empire = galaxy.empire_mut(seat);
        if let Some(seen) = known(seat) {
            (empire.name, empire.code) = (seen.name, seen.code);
        } else {
            let spare = (1..).filter_map(|number| Name::new(&format!("Unmet_{number}")));
            let free = std::iter::once(empire.name).chain(spare).find(|name| !names.contains(name));
            empire.name = free.unwrap_or(empire.name);
            if codes.contains(&empire.code) {
                empire.code = code_for(empire.name, &codes);
            }
            names.push(empire.name);
            codes.push(empire.code);
        }
        let code = empire.code;
        for ship in galaxy.ships.iter_mut().filter(|ship| ship.owner == seat) {
            ship.serial = ship.serial.with_code(code);
        }
    }
}

fn overwrite_status(galaxy: &mut Galaxy, own: &EmpireView) {
    let seat = own.status.seat;
    let met = own.empires.iter().filter(|seen| seen.contact).map(|seen| seen.seat).collect();
    let heard_of: SeatSet = own.empires.iter().map(|seen| seen.seat).collect();
    let classes = own.classes.iter().filter_map(|class| galaxy.class_named(class.name)).collect();
    let navigation =
        own.navigation.iter().filter_map(|held| galaxy.portal_named(held.portal)).collect();
    let homeworld = own.status.homeworld.and_then(|name| galaxy.world_named(name));
    let grants = own.status.grants.iter().map(|grant| read_grant(galaxy, seat, grant)).collect();
    let last = homeworld.map(|world| galaxy.world(world).at);
    let empire = galaxy.empire_mut(seat);
    (empire.contacts, empire.known_empires) = (met, heard_of.without(seat));
    (empire.classes, empire.navigation, empire.grants) = (classes, navigation, grants);
    (empire.abandoned_turns, empire.attacked_by) =
        (own.status.abandoned_turns, own.status.attacked_by);
    (empire.homeworld, empire.last_homeworld) = (homeworld, last.or(empire.last_homeworld));
}

fn read_grant(galaxy: &Galaxy, seat: Seat, grant: &GrantSeen) -> Grant {
    if grant.all {
        return Grant { to: grant.to, scans: Granted::All };
    }
    let frame = galaxy.empire(seat).frame;
    let mut sectors: Vec<Sector> =
        grant.sectors.iter().filter_map(|&at| frame.galactic(at)).collect();
    sectors.sort_unstable();
    let mut classes: Vec<ClassId> =
        grant.classes.iter().filter_map(|&name| galaxy.class_named(name)).collect();
    classes.sort_unstable();
    Grant { to: grant.to, scans: Granted::Some { sectors, ships: grant.ships.clone(), classes } }
}

/// Gives the other empires the maps that they would have on the first turn.
fn sample_maps(game: &mut StarEmpires) {
    let (ships, objects) = (ShipIndex::build(&game.galaxy), ObjectIndex::build(&game.galaxy));
    let maps: Vec<Chart> = game
        .galaxy
        .seats()
        .map(|seat| map_without_history(&game.galaxy, &ships, &objects, seat, game.turn))
        .collect();
    for (knowledge, chart) in game.knowledge.iter_mut().zip(maps) {
        knowledge.chart = chart;
    }
}

fn below(rng: &mut dyn FnMut() -> u64, limit: usize) -> usize {
    (rng() % limit.max(1) as u64) as usize
}

fn new_ids<I: Id>(keeps: &[bool]) -> Vec<Option<I>> {
    let mut next = 0;
    keeps
        .iter()
        .map(|&keep| {
            let id = keep.then(|| I::at(next));
            next += usize::from(keep);
            id
        })
        .collect()
}
