//! The worlds, portals and storms of a sample: known ones, and random ones in unknown sectors.

use crate::chart::{Chart, WorldSeen};
use crate::galaxy::Galaxy;
use crate::geometry::{Frame, Sector};
use crate::ids::{Id, PortalId, WorldId};
use crate::name::Name;
use crate::objects::{Portal, Storm, World};
use crate::view::EmpireView;

use super::{below, new_ids};

pub(super) fn overwrite(galaxy: &mut Galaxy, own: &EmpireView, rng: &mut dyn FnMut() -> u64) {
    let frame = galaxy.empire(own.status.seat).frame;
    let mut known: Vec<Sector> =
        own.chart.sectors.iter().filter_map(|row| frame.galactic(row.at)).collect();
    known.sort_unstable();
    let mut names = shown_names(own);
    names.sort_unstable();
    clear(galaxy, &known, &names);
    add_worlds(galaxy, own, frame);
    add_storms(galaxy, &own.chart, frame);
    add_portals(galaxy, own, frame, rng);
}

fn shown_names(own: &EmpireView) -> Vec<Name> {
    let chart = &own.chart;
    let worlds = chart.worlds.iter().map(|row| row.name).chain(own.status.homeworld);
    let portals = chart
        .portals
        .iter()
        .map(|row| row.name)
        .chain(own.navigation.iter().map(|held| held.portal));
    worlds.chain(portals).chain(chart.storms.iter().map(|row| row.name)).collect()
}

/// Removes random objects in known sectors, and random objects that use a name on the map.
fn clear(galaxy: &mut Galaxy, known: &[Sector], names: &[Name]) {
    let keeps = |at: Sector, name: Name| {
        known.binary_search(&at).is_err() && names.binary_search(&name).is_err()
    };
    let kept: Vec<bool> = galaxy.worlds.iter().map(|world| keeps(world.at, world.name)).collect();
    let moved: Vec<Option<WorldId>> = new_ids(&kept);
    for empire in &mut galaxy.empires {
        empire.homeworld = empire.homeworld.and_then(|id| moved[id.index()]);
    }
    galaxy.worlds.retain(|world| keeps(world.at, world.name));
    let kept: Vec<bool> =
        galaxy.portals.iter().map(|portal| keeps(portal.at, portal.name)).collect();
    let moved: Vec<Option<PortalId>> = new_ids(&kept);
    galaxy.portals.retain(|portal| keeps(portal.at, portal.name));
    for portal in &mut galaxy.portals {
        portal.exits = portal.exits.iter().filter_map(|exit| moved[exit.index()]).collect();
    }
    for empire in &mut galaxy.empires {
        empire.navigation = empire.navigation.iter().filter_map(|id| moved[id.index()]).collect();
    }
    galaxy.storms.retain(|storm| keeps(storm.at, storm.name));
}

/// Returns whether this is the latest sector of an object. An object that the game master moved can
/// be on a map twice.
fn is_latest(chart: &Chart, name: Name, at: crate::geometry::Coord) -> bool {
    chart.object(name) == Some(at)
}

fn add_worlds(galaxy: &mut Galaxy, own: &EmpireView, frame: Frame) {
    let world = |row: &WorldSeen, at: Sector| World {
        name: row.name,
        at,
        production: row.production,
        stockpile: row.stockpile.unwrap_or(row.production),
        owner: row.owner,
        siege: row.siege.filter(|_| row.owner.is_some()).unwrap_or_default(),
    };
    for row in own.chart.worlds.iter().filter(|row| is_latest(&own.chart, row.name, row.at)) {
        let Some(at) = frame.galactic(row.at) else { continue };
        let id = WorldId::at(galaxy.worlds.len());
        galaxy.worlds.push(world(row, at));
        if let Some(owner) = row.owner.filter(|_| row.homeworld) {
            let empire = galaxy.empire_mut(owner);
            (empire.homeworld, empire.last_homeworld) = (Some(id), Some(at));
        }
    }
    if let Some(name) = own.status.homeworld.filter(|&name| galaxy.world_named(name).is_none()) {
        let at = Sector::CENTER
            .within(u16::MAX)
            .find(|&at| galaxy.world_at(at).is_none())
            .unwrap_or_default();
        let owner = Some(own.status.seat);
        galaxy.worlds.push(World { name, at, production: 1, owner, ..World::default() });
    }
}

fn add_storms(galaxy: &mut Galaxy, chart: &Chart, frame: Frame) {
    for row in chart.storms.iter().filter(|row| is_latest(chart, row.name, row.at)) {
        let (Some(at), rating) = (frame.galactic(row.at), row.rating) else { continue };
        if galaxy.is_free(row.name) {
            let name = row.name;
            galaxy.storms.push(Storm { name, at, rating, initial: rating, ..Storm::default() });
        }
    }
}

/// Adds portals on the map or with navigation data. The data defines all of their connections.
fn add_portals(galaxy: &mut Galaxy, own: &EmpireView, frame: Frame, rng: &mut dyn FnMut() -> u64) {
    let first = galaxy.portals.len();
    let portal = |name, at, collapsed| Portal { name, at, collapsed, ..Portal::default() };
    for row in own.chart.portals.iter().filter(|row| is_latest(&own.chart, row.name, row.at)) {
        if let Some(at) = frame.galactic(row.at).filter(|_| galaxy.is_free(row.name)) {
            galaxy.portals.push(portal(row.name, at, row.collapsed == Some(true)));
        }
    }
    for held in &own.navigation {
        if galaxy.is_free(held.portal) {
            let at = Sector::new(below(rng, 9) as i16, below(rng, 9) as i16);
            galaxy.portals.push(portal(held.portal, at, false));
        }
    }
    for held in &own.navigation {
        let exits = held.exits.iter().filter_map(|&exit| galaxy.portal_named(exit));
        let mut exits: Vec<PortalId> = exits.collect();
        exits.sort_unstable();
        if let Some(id) = galaxy.portal_named(held.portal) {
            galaxy.portals[id.index()].exits = exits;
        }
    }
    connect_the_rest(galaxy, own, first, rng);
}

/// Connects each added portal at random with another portal, if neither has navigation data.
fn connect_the_rest(
    galaxy: &mut Galaxy,
    own: &EmpireView,
    first: usize,
    rng: &mut dyn FnMut() -> u64,
) {
    let is_held = |name: Name| own.navigation.iter().any(|held| held.portal == name);
    let open: Vec<usize> =
        (0..galaxy.portals.len()).filter(|&id| !is_held(galaxy.portals[id].name)).collect();
    for index in first..galaxy.portals.len() {
        let other = open.get(below(rng, open.len())).copied();
        let Some(other) =
            other.filter(|&other| other != index && !is_held(galaxy.portals[index].name))
        else {
            continue;
        };
        for (entry, exit) in [(index, other), (other, index)] {
            let exits = &mut galaxy.portals[entry].exits;
            exits.push(PortalId::at(exit));
            exits.sort_unstable();
            exits.dedup();
        }
    }
}
