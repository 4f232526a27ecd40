//! The galaxy in sentences, sector by sector.

use heliopause_star_empires::Coord;

use super::atlas::{Atlas, Cell, spoken};
use super::window::Window;
use crate::text::{count, listed};

/// A line for each sector of the window that holds anything, the nearest to its middle first.
pub(super) fn lines(atlas: &Atlas, window: &Window) -> Vec<String> {
    let middle = window.middle(atlas);
    let mut places: Vec<(Coord, &Cell)> = window
        .places(atlas, None)
        .into_iter()
        .filter_map(|at| Some((at, atlas.cell(at)?)))
        .filter(|(_, cell)| !contents(atlas, cell).is_empty())
        .collect();
    places.sort_by_key(|(at, _)| (at.distance(middle), *at));
    let mut lines = vec![format!("{}, map {}.", atlas.title, atlas.view.turn)];
    lines.extend(places.into_iter().map(|(at, cell)| {
        format!("{at}, {} away: {}.", at.distance(middle), listed(&contents(atlas, cell)))
    }));
    lines
}

fn contents(atlas: &Atlas, cell: &Cell) -> Vec<String> {
    let mut found = Vec::new();
    if let Some(world) = &cell.world {
        found.push(format!("world {} of {}", spoken(world.name), atlas.owner(world.owner)));
    }
    found.extend(cell.portals.iter().map(|portal| {
        let collapsed = if portal.collapsed { ", collapsed" } else { "" };
        format!("portal {}{collapsed}", spoken(portal.name))
    }));
    if !cell.storms.is_empty() {
        found.push("a storm or nebula".to_owned());
    }
    found.extend(atlas.groups(cell).into_iter().map(|(owner, group)| {
        let ships = count(group.ships as usize, "ship");
        format!("{ships} of {}, {} t", atlas.owner(owner), group.tonnage)
    }));
    found
}
