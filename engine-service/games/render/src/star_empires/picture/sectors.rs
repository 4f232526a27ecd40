//! The sectors of the picture, layer over layer, so that no hex hides what its neighbour holds.

use heliopause_star_empires::{Coord, Status};

use super::{Frame, SIDE, symbols};
use crate::star_empires::atlas::{Atlas, Cell};
use crate::star_empires::palette::color;
use crate::star_empires::window::Layer;
use crate::svg::{Picture, hexagon};

/// Draws the sectors and what is in them.
pub(super) fn draw(
    picture: &mut Picture,
    atlas: &Atlas,
    frame: &Frame,
    places: &[Coord],
    layer: Layer,
) {
    let mut known: Vec<(Coord, &Cell)> =
        places.iter().filter_map(|at| Some((*at, atlas.cell(*at)?))).collect();
    known.sort_by_key(|(_, cell)| cell.status);
    for (at, cell) in &known {
        ground(picture, frame.middle(*at), cell);
    }
    let wants = |one: Layer| layer == Layer::All || layer == one;
    for (at, cell) in &known {
        let middle = frame.middle(*at);
        if wants(Layer::Storms) {
            cell.storms.iter().for_each(|storm| symbols::storm(picture, middle, storm.rating));
        }
        coordinates(picture, middle, *at, cell);
    }
    if wants(Layer::Portals) {
        exits(picture, atlas, frame, places);
    }
    for (at, cell) in &known {
        contents(picture, atlas, frame.middle(*at), cell, layer);
    }
    for (at, cell) in &known {
        names(picture, frame.middle(*at), cell, layer);
    }
}

/// How well the sector is known, and whose world is in it.
fn ground(picture: &mut Picture, (x, y): (f64, f64), cell: &Cell) {
    let (fill, edge, width) = match cell.status {
        _ if cell.obscured => ("url(#hidden)", "#39436d", 1.0),
        Some(Status::Visible) => ("#2a3a69", "#8ea4e6", 1.4),
        Some(Status::Scanned) => ("#1b2646", "#465688", 1.0),
        Some(Status::Stale) | None => ("#0f1529", "#252f50", 1.0),
    };
    let shape = hexagon(x, y, SIDE - 1.2);
    picture.polygon(&shape, &format!(r#"fill="{fill}" stroke="{edge}" stroke-width="{width}""#));
    let owner = cell.world.and_then(|world| world.owner);
    if owner.is_some() {
        let tint = color(owner);
        let style = format!(
            r#"fill="{tint}" fill-opacity="0.16" stroke="{tint}" stroke-width="2" stroke-opacity="0.85""#
        );
        picture.polygon(&hexagon(x, y, SIDE - 3.4), &style);
    }
    if cell.shared {
        let style = r##"fill="none" stroke="#9fd8c4" stroke-width="0.9" stroke-dasharray="2 3""##;
        picture.polygon(&hexagon(x, y, SIDE - 3.4), style);
    }
}

fn coordinates(picture: &mut Picture, (x, y): (f64, f64), at: Coord, cell: &Cell) {
    let fill = if cell.status == Some(Status::Stale) { "#5b6690" } else { "#8894c4" };
    let style = format!(r#"font-size="7.5" fill="{fill}" text-anchor="middle""#);
    picture.text(x, y + 0.87 * SIDE - 5.5, &style, &format!("{},{}", at.o, at.y));
}

/// Known ways between portals: an arrow one way, a plain line both ways.
fn exits(picture: &mut Picture, atlas: &Atlas, frame: &Frame, places: &[Coord]) {
    let is_drawn = |at: &Coord| places.binary_search(at).is_ok();
    for (from, to) in atlas.exits.iter().filter(|(from, to)| is_drawn(from) && is_drawn(to)) {
        let both = atlas.exits.contains(&(*to, *from));
        if both && to < from {
            continue;
        }
        symbols::way(picture, frame.middle(*from), frame.middle(*to), !both);
    }
}

fn contents(picture: &mut Picture, atlas: &Atlas, (x, y): (f64, f64), cell: &Cell, layer: Layer) {
    let wants = |one: Layer| layer == Layer::All || layer == one;
    let has_world = cell.world.is_some() && wants(Layer::Owners);
    if let (Some(world), true) = (&cell.world, has_world) {
        symbols::world(picture, (x, y - 1.0), world);
    }
    if wants(Layer::Portals) {
        let left = if has_world { x - 23.0 } else { x };
        for (index, portal) in cell.portals.iter().take(2).enumerate() {
            let aside = if index == 0 { 0.0 } else { 10.0 };
            symbols::portal(picture, (left + aside, y - 1.0), portal, has_world);
        }
    }
    if wants(Layer::Storms) {
        let right = if has_world || !cell.portals.is_empty() { x + 22.0 } else { x };
        for storm in cell.storms.iter().take(1) {
            symbols::rating(picture, (right, y - 1.0), storm.rating);
        }
    }
    if wants(Layer::Ships) {
        symbols::ships(picture, atlas, (x, y - 19.5), cell);
    }
}

/// One name a sector: its world's, else its portal's, else its storm's.
fn names(picture: &mut Picture, (x, y): (f64, f64), cell: &Cell, layer: Layer) {
    let wants = |one: Layer| layer == Layer::All || layer == one;
    let world = cell.world.as_ref().filter(|_| wants(Layer::Owners));
    let portal = cell.portals.first().filter(|_| wants(Layer::Portals));
    let storm = cell.storms.first().filter(|_| wants(Layer::Storms));
    let (name, fill) = match (world, portal, storm) {
        (Some(world), _, _) => (world.name, color(world.owner)),
        (None, Some(portal), _) => (portal.name, "#d3bbff"),
        (None, None, Some(storm)) => (storm.name, "#ffc9a8"),
        (None, None, None) => return,
    };
    symbols::label(picture, (x, y + 18.6), name.as_str(), fill);
}
