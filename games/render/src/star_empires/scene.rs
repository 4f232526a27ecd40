//! Builds the scene of a view from sectors, objects, ships and the moves of the last turn.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use heliopause_kernel::Seat;
use heliopause_star_empires::{Coord, Insight, Name, Siege, Status, StormSeen, WorldSeen};

use super::atlas::{Atlas, Cell, Group, Portal};
use super::flights::Flight;
use super::panels;
use super::window::{Layer, Window};
use crate::scene::{
    Scene, SceneArea, SceneFrame, SceneGrid, SceneLabel, ScenePath, ScenePiece, ScenePlace,
    SceneSeat, SceneSight, SceneSign, label_at, legend, number, piece_at, place_at, points, states,
    unit,
};
use crate::svg::to_f64;
use crate::text::{count, listed};

/// The distance from the center of a hex to its corners.
const RADIUS: f64 = 39.0;
/// The heights of ships and objects above the center.
const SHIPS: f64 = 26.0;
const OBJECTS: f64 = 4.0;
/// The distances of names and coordinates below the center.
const NAMES: f64 = 21.0;
const COORDINATES: f64 = 30.5;
/// The minimum width and height of the board.
const LEAST: f64 = 420.0;
const NAME_MAX: usize = 13;
/// The number of tokens in the upper row of a hex.
const UPPER_ROW: usize = 4;

/// Builds the scene of a window. `most` limits the radius unless the window sets one.
pub(super) fn build(atlas: &Atlas, window: &Window, most: Option<u32>) -> Scene {
    let places = window.places(atlas, most);
    let mut scene = Scene {
        title: atlas.title.clone(),
        news: news(atlas, window, places.len()),
        frame: Some(frame(&places)),
        hex_radius: unit(RADIUS),
        grid: SceneGrid::Hexes.into(),
        seats: seats(atlas),
        ..Scene::default()
    };
    for (at, cell) in places.iter().filter_map(|at| Some((*at, atlas.cell(*at)?))) {
        scene.areas.push(area(atlas, window, at, cell));
        objects(&mut scene, atlas, at, cell, window.layer);
        labels(&mut scene, atlas, at, cell, window.layer);
        if window.layer.includes(Layer::Ships) {
            pieces(&mut scene, atlas, at, cell);
        }
    }
    let shown: BTreeSet<Coord> = places.iter().copied().collect();
    paths(&mut scene, atlas, &shown, window.layer);
    if !scene.areas.is_empty() {
        scene.panels = panels::build(atlas, window, &places, panels::NAMES_MAX);
        scene.legend = legend(atlas, window.layer);
    }
    scene
}

fn news(atlas: &Atlas, window: &Window, shown: usize) -> Vec<String> {
    let view = &atlas.view;
    if matches!(view.insight, Insight::Spectator) {
        return vec![
            "The galaxy is not visible to spectators during the game.".into(),
            "When the game is over, they see all of it.".into(),
        ];
    }
    let mut map = format!("Map {}", view.turn);
    match (&view.insight, atlas.seat) {
        (_, Some(seat)) => map = format!("{map} of {}", atlas.name(seat)),
        (Insight::Master(_), None) => map.push_str(" of the whole galaxy"),
        (Insight::Empire(_) | Insight::Spectator, None) => {}
    }
    if window.around.is_some() || shown < atlas.cells.len() {
        let _ = write!(map, ", around {}", window.middle(atlas));
    }
    if window.layer != Layer::All {
        let _ = write!(map, ", layer {}", window.layer);
    }
    let mut news = vec![format!("{map}.")];
    if let Some(ending) = view.ending {
        let winners: Vec<String> = ending.winners.iter().map(|seat| atlas.name(seat)).collect();
        let winners = if winners.is_empty() { "nobody".into() } else { listed(&winners) };
        news.push(format!("The game is over; the winner is {winners}."));
    }
    if shown == 0 {
        news.push("The sectors there are unknown.".into());
    } else if let (Some(own), None) = (view.own(), view.ending) {
        news.push(match &own.sheet {
            None => "No orders are stored yet.".into(),
            Some(sheet) => {
                format!("Stored for the next turn: {}.", count(sheet.lines.len(), "order"))
            }
        });
    }
    news
}

fn frame(places: &[Coord]) -> SceneFrame {
    let spots: Vec<(f64, f64)> = places.iter().map(|at| middle(*at)).collect();
    let (left, width) = extent(spots.iter().map(|spot| spot.0), RADIUS);
    let (top, height) = extent(spots.iter().map(|spot| spot.1), RADIUS * 0.87);
    SceneFrame {
        left: unit(left),
        top: unit(top),
        width: unit(width),
        height: unit(height),
        starry: true,
    }
}

/// Returns the start and the length of an axis with all centers in its middle.
fn extent(centers: impl Iterator<Item = f64>, margin: f64) -> (f64, f64) {
    let (least, most) = centers
        .fold(None, |range, at| match range {
            None => Some((at, at)),
            Some((least, most)) => Some((at.min(least), at.max(most))),
        })
        .unwrap_or_default();
    let length = (most - least + 2.0 * margin).max(LEAST);
    ((least + most - length) / 2.0, length)
}

/// Returns the center of a hex, with x to the right and y down (notes 8.1).
pub(super) fn middle(at: Coord) -> (f64, f64) {
    let (oblique, y) = (f64::from(at.o), f64::from(at.y));
    (1.5 * RADIUS * oblique, 3.0_f64.sqrt() * RADIUS * (oblique / 2.0 - y))
}

/// Returns the known empires, and all other empires that own something on the map.
fn seats(atlas: &Atlas) -> Vec<SceneSeat> {
    let mut seats: BTreeSet<Seat> = atlas.empires.keys().copied().collect();
    for cell in atlas.cells.values() {
        seats.extend(cell.world.and_then(|world| world.owner));
        seats.extend(cell.ships.keys().flatten());
    }
    let seat = |seat: Seat| SceneSeat {
        seat: seat.number(),
        name: atlas.name(seat),
        code: atlas.code(seat),
        ..SceneSeat::default()
    };
    seats.into_iter().map(seat).collect()
}

fn area(atlas: &Atlas, window: &Window, at: Coord, cell: &Cell) -> SceneArea {
    let (x, y) = middle(at);
    let sight = match cell.status {
        _ if cell.obscured => SceneSight::Hidden,
        Some(Status::Visible) => SceneSight::Visible,
        Some(Status::Scanned) => SceneSight::Known,
        Some(Status::Stale) | None => SceneSight::Stale,
    };
    let world = cell.world.filter(|_| window.layer.includes(Layer::Owners));
    let owner = world.and_then(|world| world.owner);
    SceneArea {
        name: at.to_string(),
        title: told(atlas, at, cell),
        x: unit(x),
        y: unit(y),
        terrain: "space".into(),
        sight: sight.into(),
        owner: number(owner),
        states: states([(cell.shared, "shared"), (window.around == Some(at), "focus")]),
        column: at.o.into(),
        row: -i32::from(at.y),
        ..SceneArea::default()
    }
}

/// Returns the tooltip of a sector.
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
    let worlds = cell.world.iter().map(|world| world_title(atlas, world));
    let portals = cell.portals.iter().map(|portal| portal_title(atlas, portal));
    let storms = cell.storms.iter().map(|storm| storm_title(atlas, storm));
    for object in worlds.chain(portals).chain(storms) {
        let _ = write!(told, "; {object}");
    }
    told
}

pub(super) fn world_title(atlas: &Atlas, world: &WorldSeen) -> String {
    let what = if world.homeworld { "homeworld" } else { "world" };
    let whose =
        world.owner.map_or_else(|| "unowned".into(), |seat| format!("of {}", atlas.name(seat)));
    let mut title = match world.owner {
        Some(_) => format!("{}, {what} {whose}", world.name),
        None => format!("{}, {whose} {what}", world.name),
    };
    let _ = write!(title, ", production {}", world.production);
    if let Some(stockpile) = world.stockpile {
        let _ = write!(title, ", {stockpile} RU in stock");
    }
    let siege = siege(world.siege);
    if !siege.is_empty() {
        let _ = write!(title, ", {siege}");
    }
    title
}

pub(super) fn portal_title(atlas: &Atlas, portal: &Portal) -> String {
    let collapsed = if portal.collapsed { ", collapsed" } else { "" };
    format!("{}, portal{collapsed}{}", portal.name, atlas.remark(portal.name))
}

pub(super) fn storm_title(atlas: &Atlas, storm: &StormSeen) -> String {
    let remark = atlas.remark(storm.name);
    match storm.rating {
        0 => format!("{}, nebula{remark}", storm.name),
        rating => format!("{}, ion storm of {rating}{remark}", storm.name),
    }
}

pub(super) fn group_title(atlas: &Atlas, owner: Option<Seat>, group: Group) -> String {
    let ships = counted(group.ships, "ship");
    match owner {
        Some(seat) => format!("{ships} of {}, {} t", atlas.name(seat), group.tonnage),
        None => format!("{ships}, unidentified, {} t", group.tonnage),
    }
}

pub(super) fn siege(siege: Option<Siege>) -> &'static str {
    match siege {
        Some(Siege::None) | None => "",
        Some(Siege::Blockaded) => "blockaded",
        Some(Siege::Interdicted) => "interdicted",
    }
}

pub(super) fn counted(number: u32, noun: &str) -> String {
    count(usize::try_from(number).unwrap_or(usize::MAX), noun)
}

pub(super) fn value(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

fn objects(scene: &mut Scene, atlas: &Atlas, at: Coord, cell: &Cell, layer: Layer) {
    let (x, y) = (middle(at).0, middle(at).1 - OBJECTS);
    let place = |name: Name, title: String, kind: &str, aside: f64| ScenePlace {
        area: at.to_string(),
        title,
        ..place_at(name, kind, (x + aside, y))
    };
    let world = cell.world.as_ref().filter(|_| layer.includes(Layer::Owners));
    let portals = if layer.includes(Layer::Portals) { cell.portals.as_slice() } else { &[] };
    let storms = if layer.includes(Layer::Storms) { cell.storms.as_slice() } else { &[] };
    for storm in storms {
        let kind = if storm.rating == 0 { "nebula" } else { "storm" };
        scene.places.push(ScenePlace {
            value: Some(value(storm.rating)),
            states: states([(world.is_some() || !portals.is_empty(), "small")]),
            ..place(storm.name, storm_title(atlas, storm), kind, 0.0)
        });
    }
    if let Some(world) = world {
        let kind = if world.homeworld { "homeworld" } else { "world" };
        scene.places.push(ScenePlace {
            owner: number(world.owner),
            value: Some(value(world.production)),
            states: states([
                (world.siege == Some(Siege::Blockaded), "blockaded"),
                (world.siege == Some(Siege::Interdicted), "interdicted"),
            ]),
            ..place(world.name, world_title(atlas, world), kind, 0.0)
        });
    }
    let left = if world.is_some() { -23.0 } else { 0.0 };
    for (nth, portal) in portals.iter().enumerate() {
        let aside = left + 10.0 * to_f64(nth);
        scene.places.push(ScenePlace {
            states: states([
                (portal.navigable, "navigable"),
                (portal.collapsed, "collapsed"),
                (world.is_some(), "small"),
            ]),
            ..place(portal.name, portal_title(atlas, portal), "portal", aside)
        });
    }
}

fn labels(scene: &mut Scene, atlas: &Atlas, at: Coord, cell: &Cell, layer: Layer) {
    let label = |text: String, kind: &str, offset: f64, priority: u32| SceneLabel {
        offset: unit(offset),
        priority,
        place: at.to_string(),
        ..label_at(text, kind, middle(at))
    };
    let numbers = label(format!("{},{}", at.o, at.y), "coordinates", COORDINATES, 1);
    scene.labels.push(SceneLabel { min_zoom: 0.7, ..numbers });
    let world = cell.world.filter(|_| layer.includes(Layer::Owners));
    let portal = cell.portals.first().filter(|_| layer.includes(Layer::Portals));
    let storm = cell.storms.first().filter(|_| layer.includes(Layer::Storms));
    let named = match (world, portal, storm) {
        (Some(world), _, _) => {
            let color = if world.owner.is_some() { "" } else { "nobody" };
            Some((world.name, number(world.owner), color))
        }
        (None, Some(portal), _) => Some((portal.name, None, "portal")),
        (None, None, Some(storm)) => {
            Some((storm.name, None, if storm.rating == 0 { "nebula" } else { "storm" }))
        }
        (None, None, None) => None,
    };
    if let Some((name, owner, color)) = named {
        let (name, short) = (name.to_string(), shortened(name.as_str()));
        let full_text = if short == name { String::new() } else { name };
        let color = color.into();
        let label = label(short, "name", NAMES, 2);
        scene.labels.push(SceneLabel { full_text, owner, color, min_zoom: 0.45, ..label });
    }
    if let Some((text, owner)) = note(atlas, cell, layer) {
        let offset = if layer == Layer::Owners { 4.0 - SHIPS } else { 4.0 };
        let color = if owner.is_some() { String::new() } else { "nobody".into() };
        scene.labels.push(SceneLabel { owner, color, ..label(text, "note", offset, 3) });
    }
}

/// Returns the note that a layer adds to a sector, and the seat that gives its color.
fn note(atlas: &Atlas, cell: &Cell, layer: Layer) -> Option<(String, Option<u32>)> {
    match layer {
        Layer::Owners => cell.world.map(|world| {
            let code = world.owner.map_or_else(|| "free".into(), |seat| atlas.code(seat));
            (code, number(world.owner))
        }),
        Layer::Ships if !cell.ships.is_empty() => {
            let tonnage = cell.ships.values().map(|group| group.tonnage);
            Some((format!("{}t", tonnage.fold(0, u64::saturating_add)), None))
        }
        Layer::Scans => {
            let shared = if cell.shared { "+" } else { "" };
            let text = match (cell.status, cell.scanned) {
                _ if cell.obscured => return Some(("hidden".into(), None)),
                (Some(Status::Visible), _) => "seen".into(),
                (Some(Status::Scanned), _) => "scan".into(),
                (_, Some(turn)) => format!("T{turn}"),
                (_, None) => "never".into(),
            };
            Some((format!("{text}{shared}"), None))
        }
        Layer::All | Layer::Ships | Layer::Storms | Layer::Portals => None,
    }
}

fn shortened(name: &str) -> String {
    if name.chars().count() > NAME_MAX {
        name.chars().take(NAME_MAX - 1).chain(['…']).collect()
    } else {
        name.to_owned()
    }
}

fn pieces(scene: &mut Scene, atlas: &Atlas, at: Coord, cell: &Cell) {
    let groups: Vec<(Option<Seat>, Group)> =
        atlas.groups(cell).into_iter().filter(|(_, group)| group.ships > 0).collect();
    let wrecks: u32 = cell.ships.values().map(|group| group.wrecks).sum();
    let tokens = groups.len() + usize::from(wrecks > 0);
    let age = match (cell.status, cell.scanned) {
        (Some(Status::Stale), Some(turn)) => atlas.view.turn.saturating_sub(turn),
        (Some(_) | None, _) => 0,
    };
    let token = |nth: usize, kind: &str, owner: Option<Seat>, count: u32, title: String| {
        let piece = piece_at(kind, owner, token_spot(middle(at), tokens, nth));
        ScenePiece { place: at.to_string(), title, count, ..piece }
    };
    for (nth, (owner, group)) in groups.iter().enumerate() {
        let is_own = owner.is_some() && *owner == atlas.seat;
        let age = if is_own { 0 } else { age };
        let members = owner.and_then(|seat| atlas.ships.get(&(at, seat)));
        scene.pieces.push(ScenePiece {
            states: states([(is_own, "own"), (age > 0, "old")]),
            members: members.cloned().unwrap_or_default(),
            age,
            ..token(nth, "ships", *owner, group.ships, group_title(atlas, *owner, *group))
        });
    }
    if wrecks > 0 {
        let title = counted(wrecks, "wreck");
        scene.pieces.push(token(groups.len(), "wreck", None, wrecks, title));
    }
}

/// Returns the position of a token in a hex. Tokens that do not fit into the upper row are below
/// it.
fn token_spot((x, y): (f64, f64), tokens: usize, nth: usize) -> (f64, f64) {
    let upper = tokens.min(UPPER_ROW);
    let (nth, in_row, step, above) = if nth < upper {
        (nth, upper, if upper > 3 { 15.5 } else { 17.0 }, SHIPS)
    } else {
        let in_row = tokens - upper;
        (nth - upper, in_row, 17.0 / (to_f64(in_row) - 1.0).max(1.0), SHIPS - 11.5)
    };
    (x + step * (to_f64(nth) - (to_f64(in_row) - 1.0) / 2.0), y - above)
}

fn paths(scene: &mut Scene, atlas: &Atlas, shown: &BTreeSet<Coord>, layer: Layer) {
    if layer.includes(Layer::Portals) {
        let exits: BTreeSet<(Coord, Coord)> = atlas.exits.iter().copied().collect();
        for (from, to) in &exits {
            let both = exits.contains(&(*to, *from));
            if shown.contains(from) && shown.contains(to) && (!both || from <= to) {
                let way = path("way", *from, *to);
                scene.paths.push(ScenePath { states: states([(!both, "one-way")]), ..way });
            }
        }
    }
    if layer.includes(Layer::Ships) {
        let is_shown = |it: &&Flight| shown.contains(&it.from) && shown.contains(&it.to);
        scene.paths.extend(atlas.flights.iter().filter(is_shown).map(|it| flight(atlas, it)));
    }
}

fn path(kind: &str, from: Coord, to: Coord) -> ScenePath {
    ScenePath {
        kind: kind.into(),
        points: points(&[middle(from), middle(to)]),
        origin: from.to_string(),
        destination: to.to_string(),
        ..ScenePath::default()
    }
}

fn flight(atlas: &Atlas, flight: &Flight) -> ScenePath {
    let Flight { owner, from, to, by_portal, ships } = *flight;
    let (ships, whose) = (counted(ships, "ship"), atlas.name(owner));
    let way = if by_portal { " through portals" } else { "" };
    ScenePath {
        title: format!("{ships} of {whose} moved from {from} to {to}{way}"),
        owner: number(owner),
        states: states([(by_portal, "portal")]),
        ..path("flight", from, to)
    }
}

fn legend(atlas: &Atlas, layer: Layer) -> Vec<SceneSign> {
    let other = atlas.empires.keys().copied().find(|seat| Some(*seat) != atlas.seat);
    let reader = atlas.seat.unwrap_or(Seat::at(0));
    let shows = |part: &str| match part {
        "owners" => layer.includes(Layer::Owners),
        "portals" => layer.includes(Layer::Portals),
        "storms" => layer.includes(Layer::Storms),
        "ships" => layer.includes(Layer::Ships),
        "own ships" => layer.includes(Layer::Ships) && atlas.seat.is_some(),
        "ships of others" => layer.includes(Layer::Ships) && other.is_some(),
        "only owners" => layer == Layer::Owners,
        "only ships" => layer == Layer::Ships,
        "only scans" => layer == Layer::Scans,
        _ => true,
    };
    let mut signs = legend::read(include_str!("legend.txt"), [Some(reader), other], shows);
    let name = other.map_or_else(String::new, |seat| atlas.name(seat));
    for sign in &mut signs {
        sign.meaning = sign.meaning.replace("OTHER", &name);
    }
    signs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn north_is_up_and_oblique_goes_to_the_south_east() {
        let (home, north, east) =
            (middle(Coord::new(0, 0)), middle(Coord::new(0, 1)), middle(Coord::new(1, 0)));
        assert!(north.1 < home.1 && (north.0 - home.0).abs() < 0.01);
        assert!(east.0 > home.0 && east.1 > home.1);
    }
}
