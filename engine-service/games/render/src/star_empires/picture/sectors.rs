//! The sectors of the picture. What is in a sector has its place in the hex: ships above, worlds in
//! the middle, names and coordinates below; so nothing covers a name, its neighbours' included.

use std::fmt::Write as _;

use heliopause_star_empires::{Coord, Status};

use super::{Frame, SIDE, Spot, symbols};
use crate::star_empires::atlas::{Atlas, Cell};
use crate::star_empires::flights::Flight;
use crate::star_empires::window::Layer;
use crate::svg::{self, Finish, Font, Mark, Outline, Palette, Picture, Tint, hexagon};

/// How far above the middle ships stand, and worlds.
const SHIPS: f64 = 25.5;
const WORLDS: f64 = 4.0;
/// How far below the middle names stand, and coordinates.
const NAMES: f64 = 20.5;
const COORDINATES: f64 = 29.5;
/// The outlines of a sector and, within it, of whose it is.
struct Hexes {
    field: Outline,
    realm: Outline,
}

/// Draws the sectors and what is in them.
pub(super) fn draw(
    picture: &mut Picture,
    atlas: &Atlas,
    frame: &Frame,
    places: &[Coord],
    layer: Layer,
) {
    let wants = |one: Layer| layer == Layer::All || layer == one;
    let hex = |side| Outline::new(&hexagon((0.0, 0.0), side));
    let hexes = Hexes { field: hex(SIDE - 1.2), realm: hex(SIDE - 3.4) };
    for (at, cell) in places.iter().filter_map(|at| Some((*at, atlas.cell(*at)?))) {
        let spot = frame.middle(at);
        ground(picture, atlas, &hexes, spot, at, cell);
        if wants(Layer::Storms) {
            storms(picture, spot, cell);
        }
        contents(picture, atlas, spot, cell, layer);
        labels(picture, spot, at, cell, layer);
        if wants(Layer::Ships) {
            symbols::ships(picture, atlas, (spot.0, spot.1 - SHIPS), at, cell);
        }
    }
    let is_drawn = |at: &Coord| places.binary_search(at).is_ok();
    if wants(Layer::Portals) {
        exits(picture, atlas, frame, is_drawn);
    }
    if wants(Layer::Ships) {
        for flight in atlas.flights.iter().filter(|it| is_drawn(&it.from) && is_drawn(&it.to)) {
            arrow(picture, atlas, frame, flight);
        }
    }
}

/// How well the sector is known, and whose world is in it.
fn ground(picture: &mut Picture, atlas: &Atlas, hexes: &Hexes, spot: Spot, at: Coord, cell: &Cell) {
    let palette = picture.palette;
    let owner = cell.world.and_then(|world| world.owner);
    let mark = Mark::place(at).of(owner).titled(told(atlas, at, cell));
    picture.on(svg::Layer::Places).place(&mark, &hexes.field, spot, field(palette, cell));
    if owner.is_some() {
        let tint = Finish::from(palette.tint(owner)).faint(0.17);
        let edge = Finish::line(palette.owner(owner), 2.0).faint(0.85);
        let sheet = picture.on(svg::Layer::Regions);
        sheet.outline(&hexes.realm, spot, tint);
        sheet.outline(&hexes.realm, spot, edge);
    }
    if cell.shared {
        let edge = Finish::line(palette.good, 0.9).dashed("2 3");
        picture.on(svg::Layer::Regions).outline(&hexes.realm, spot, edge);
    }
}

/// How a hex looks.
fn field(palette: &Palette, cell: &Cell) -> Finish {
    let fields = &palette.fields;
    let of = |field: svg::Field| Finish::fill(field.fill).edge(field.edge, 1.0);
    match cell.status {
        _ if cell.obscured => Finish::from(Tint::Shade("hidden")).edge(fields.known.edge, 1.0),
        Some(Status::Visible) => of(fields.seen),
        Some(Status::Scanned) => of(fields.known),
        Some(Status::Stale) | None => of(fields.stale),
    }
}

/// What a pointer is told of a sector.
fn told(atlas: &Atlas, at: Coord, cell: &Cell) -> String {
    let mut told = at.to_string();
    match (cell.status, cell.scanned) {
        _ if cell.obscured => told.push_str(", hidden"),
        (Some(Status::Visible), _) => told.push_str(", seen"),
        (Some(Status::Scanned), _) => told.push_str(", scanned"),
        (Some(Status::Stale), Some(turn)) => {
            let _ = write!(told, ", last scanned for map {turn}");
        }
        (Some(Status::Stale), None) | (None, _) => {}
    }
    if let Some(world) = &cell.world {
        let _ = write!(told, "; {}, world of {}", world.name, atlas.owner(world.owner));
        let _ = write!(told, ", production {}", world.production);
    }
    for portal in &cell.portals {
        let _ = write!(told, "; portal {}", portal.name);
    }
    for storm in &cell.storms {
        let _ = write!(told, "; {} {}", symbols::storm_kind(storm.rating), storm.name);
    }
    told
}

fn storms(picture: &mut Picture, spot: Spot, cell: &Cell) {
    for storm in &cell.storms {
        let title = match storm.rating {
            0 => format!("{}, a nebula", storm.name),
            rating => format!("{}, an ion storm of {rating}", storm.name),
        };
        let mark = Mark::place(storm.name).titled(title);
        let sheet = picture.on(svg::Layer::Bodies);
        sheet.marked(&mark, |sheet| symbols::cloud(sheet, spot, storm.rating));
    }
}

fn contents(picture: &mut Picture, atlas: &Atlas, (x, y): Spot, cell: &Cell, layer: Layer) {
    let palette = picture.palette;
    let sheet = picture.on(svg::Layer::Bodies);
    let wants = |one: Layer| layer == Layer::All || layer == one;
    let middle = y - WORLDS;
    let world = cell.world.as_ref().filter(|_| wants(Layer::Owners));
    if let Some(world) = world {
        let what = if world.homeworld { "homeworld" } else { "world" };
        let whose = atlas.owner(world.owner);
        let title = format!("{}, {what} of {whose}, production {}", world.name, world.production);
        let mark = Mark::place(world.name).of(world.owner).titled(title);
        sheet.marked(&mark, |sheet| symbols::world(sheet, palette, (x, middle), world));
    }
    if wants(Layer::Portals) {
        let left = if world.is_some() { x - 23.0 } else { x };
        for (index, portal) in cell.portals.iter().enumerate() {
            let state = if portal.collapsed { ", collapsed" } else { "" };
            let mark = Mark::place(portal.name).titled(format!("{}, portal{state}", portal.name));
            let spot = (left + 10.0 * svg::to_f64(index), middle);
            sheet.marked(&mark, |sheet| {
                symbols::portal(sheet, palette, spot, portal, world.is_some());
            });
        }
    }
    if wants(Layer::Storms) {
        let aside = if world.is_some() || !cell.portals.is_empty() { 22.0 } else { 0.0 };
        for storm in cell.storms.iter().take(1) {
            symbols::rating(sheet, palette, (x + aside, middle), storm.rating);
        }
    }
}

/// The coordinates, and one name: that of the world, else of the portal, else of the storm.
fn labels(picture: &mut Picture, (x, y): Spot, at: Coord, cell: &Cell, layer: Layer) {
    let palette = picture.palette;
    let wants = |one: Layer| layer == Layer::All || layer == one;
    let sheet = picture.on(svg::Layer::Labels);
    let shade = if cell.status == Some(Status::Stale) { palette.faint } else { palette.soft };
    let font = |size, color| Font::new(size, color).centered().halo(palette.halo);
    let numbers = format!("{},{}", at.o, at.y);
    sheet.label((x, y + COORDINATES), font(8.5, shade), &numbers);
    let world = cell.world.as_ref().filter(|_| wants(Layer::Owners));
    let portal = cell.portals.first().filter(|_| wants(Layer::Portals));
    let storm = cell.storms.first().filter(|_| wants(Layer::Storms));
    let (name, color) = match (world, portal, storm) {
        (Some(world), _, _) => (world.name, palette.owner(world.owner)),
        (None, Some(portal), _) => (portal.name, palette.bodies.portal),
        (None, None, Some(storm)) => (storm.name, symbols::storm_color(palette, storm.rating)),
        (None, None, None) => return,
    };
    let short = shortened(name.as_str());
    sheet.label((x, y + NAMES), font(9.0, color), &short);
}

/// A name; one that is too long ends in dots.
fn shortened(name: &str) -> String {
    if name.chars().count() > 13 {
        name.chars().take(12).chain(['…']).collect()
    } else {
        name.to_owned()
    }
}

/// Known ways between portals: an arrow one way, a plain line both ways.
fn exits(picture: &mut Picture, atlas: &Atlas, frame: &Frame, is_drawn: impl Fn(&Coord) -> bool) {
    let palette = picture.palette;
    let sheet = picture.on(svg::Layer::Ways);
    for (from, to) in atlas.exits.iter().filter(|(from, to)| is_drawn(from) && is_drawn(to)) {
        let both = atlas.exits.contains(&(*to, *from));
        if !both || from <= to {
            symbols::way(sheet, palette, frame.middle(*from), frame.middle(*to), !both);
        }
    }
}

/// A move of the last turn.
fn arrow(picture: &mut Picture, atlas: &Atlas, frame: &Frame, flight: &Flight) {
    let palette = picture.palette;
    let (from, to) = (frame.middle(flight.from), frame.middle(flight.to));
    let ships = crate::text::count(flight.ships as usize, "ship");
    let way = if flight.by_portal { " through portals" } else { "" };
    let whose = atlas.name(flight.owner);
    let title = format!("{ships} of {whose} went from {} to {}{way}", flight.from, flight.to);
    let mark = Mark::order().of(flight.owner).titled(title);
    let dashes = if flight.by_portal { "2 3" } else { "" };
    let line = Finish::line(palette.owner(flight.owner), 2.2).dashed(dashes);
    picture.on(svg::Layer::Orders).marked(&mark, |sheet| {
        let (start, end) = symbols::between(from, to, 15.0);
        sheet.bow(start, end, 4.0, true, line);
    });
}
