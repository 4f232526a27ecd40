//! Builds the scene of a view from hexes, bodies, pieces, players and the moves of the last turn.

use std::fmt::Write as _;

use heliopause_kernel::Seat;
use heliopause_starships::{Base, Marker, Piece, Place, Ship, Target, letter};

use super::board::{Board, Cell, Move, coordinates};
use crate::scene::{
    Scene, SceneArea, SceneFrame, SceneGrid, SceneLabel, ScenePath, ScenePiece, ScenePlace,
    SceneSeat, SceneSight, label_at, legend, number, panel, piece_at, place_at, points, row,
    states, unit,
};
use crate::svg::to_f64;

/// The distance from the center of a hex to its corners.
const RADIUS: f64 = 62.0;
const CENTER: (f64, f64) = (390.0, 430.0);

pub(super) fn build(board: &Board) -> Scene {
    let mut scene = Scene {
        title: board.title.clone(),
        news: board.news.clone(),
        frame: Some(SceneFrame { left: 0.0, top: 0.0, width: 780.0, height: 860.0, starry: true }),
        hex_radius: unit(RADIUS),
        grid: SceneGrid::Hexes.into(),
        seats: board.names.iter().zip(0..).map(|(name, nth)| seat(Seat::at(nth), name)).collect(),
        ..Scene::default()
    };
    for (at, cell) in &board.cells {
        scene.areas.push(area(board, *at, cell));
        scene.places.push(place(*at, cell));
        labels(&mut scene, *at, cell);
        pieces(&mut scene, board, *at, cell);
    }
    scene.paths = board.moves.iter().enumerate().map(|(nth, one)| path(board, nth, *one)).collect();
    let rows = board.standings.clone();
    scene.panels.push(panel("players", "Players", "player | | planets | pieces | ", rows));
    if !board.rolls.is_empty() {
        let rows = board.rolls.iter().map(|roll| row([roll.clone()])).collect();
        scene.panels.push(panel("rolls", "Hidden rolls", "", rows));
    }
    let shows = |part: &str| match part {
        "secrets" => board.has_secrets(),
        "moves" => !board.moves.is_empty(),
        _ => true,
    };
    scene.legend = legend::read(include_str!("legend.txt"), [Some(Seat::at(0)); 2], shows);
    scene
}

fn seat(seat: Seat, name: &str) -> SceneSeat {
    let code = letter(seat).to_string();
    SceneSeat { seat: seat.number(), name: name.to_owned(), code, ..SceneSeat::default() }
}

pub(super) fn middle(at: Place) -> (f64, f64) {
    let (q, r) = (f64::from(at.hex().q), f64::from(at.hex().r));
    (CENTER.0 + 1.5 * RADIUS * q, CENTER.1 + 1.732 * RADIUS * (r + q / 2.0))
}

fn area(board: &Board, at: Place, cell: &Cell) -> SceneArea {
    let (x, y) = middle(at);
    let terrain = if cell.death_zone { "waste" } else { "space" };
    let sight = if cell.note.is_some() { SceneSight::Stale } else { SceneSight::Known };
    SceneArea {
        name: at.to_string(),
        title: told(board, at, cell),
        x: unit(x),
        y: unit(y),
        terrain: terrain.into(),
        sight: sight.into(),
        owner: number(cell.owner()),
        states: states([(cell.owner().is_some(), "owned-edge")]),
        column: at.hex().q.into(),
        row: at.hex().r.into(),
        ..SceneArea::default()
    }
}

/// Returns the tooltip of a hex.
fn told(board: &Board, place: Place, cell: &Cell) -> String {
    let mut told =
        format!("{place}: {}", cell.marker().map_or("unknown", |marker| words(marker)[1]));
    if let Some(owner) = cell.owner() {
        let _ = write!(told, ", owned by {} {}", letter(owner), board.name(owner));
    }
    if cell.note.is_some() && !cell.face_up {
        told.push_str(", known to you only");
    }
    if cell.death_zone {
        told.push_str(", Death Zone");
    }
    for seat in &cell.signs {
        let _ = write!(told, ", ownership marker of {}", letter(*seat));
    }
    told
}

/// Returns the kind, name and description of a marker.
fn words(marker: Marker) -> [&'static str; 3] {
    match marker {
        Marker::Earth => ["earth", "Earth", "Earth"],
        Marker::Friendly => ["friendly", "Friendly", "a Friendly planet"],
        Marker::Unfriendly => ["hostile", "Unfriendly", "an Unfriendly planet"],
        Marker::Dead => ["dead", "dead", "a dead planet"],
        Marker::Asteroids => ["asteroids", "Asteroids", "Asteroids"],
        Marker::Empty => ["empty", "empty", "empty space"],
        Marker::DeathStar => ["death-star", "DEATH STAR", "the Death Star"],
        Marker::Destroyed => ["destroyed", "destroyed", "a destroyed planet"],
    }
}

fn place(at: Place, cell: &Cell) -> ScenePlace {
    let (x, y) = middle(at);
    let [kind, _, what] = cell.marker().map_or(["unknown", "", ""], words);
    let mut title = what.to_owned();
    if cell.face_up {
        title.push_str(", face up");
    }
    if let Some(owner) = cell.owner() {
        let _ = write!(title, ", owned by {}", letter(owner));
    }
    if cell.death_zone {
        title.push_str(", in a Death Zone");
    }
    let name = match cell.marker() {
        Some(Marker::DeathStar) => Target::DeathStar.to_string(),
        _ => at.to_string(),
    };
    ScenePlace {
        area: at.to_string(),
        title: title.trim_start_matches(", ").to_owned(),
        owner: number(cell.owner()),
        states: states([(cell.note.is_some() && !cell.face_up, "secret")]),
        ..place_at(name, kind, (x, y - 16.0))
    }
}

fn labels(scene: &mut Scene, at: Place, cell: &Cell) {
    let label = |text: String, kind: &str, offset: f64, priority: u32| SceneLabel {
        offset: unit(offset),
        priority,
        place: at.to_string(),
        ..label_at(text, kind, middle(at))
    };
    scene.labels.push(label(coordinates(at), "coordinates", -38.0, 1));
    if cell.death_zone {
        scene.labels.push(label("DEATH ZONE".into(), "note", 12.0, 3));
    } else if let Some(marker) = cell.marker() {
        let color = if cell.face_up { String::new() } else { "faint".into() };
        let label = label(words(marker)[1].into(), "name", 12.0, 2);
        scene.labels.push(SceneLabel { color, ..label });
    }
}

fn pieces(scene: &mut Scene, board: &Board, at: Place, cell: &Cell) {
    let (x, y) = middle(at);
    let bases = cell.bases.iter().map(|it| base(board, *it));
    let ships = cell.ships.iter().map(|it| ship(board, it));
    let tokens: Vec<ScenePiece> = bases.chain(ships).collect();
    let (per_row, step) = if tokens.len() <= 8 { (4, 23.0) } else { (6, 16.0) };
    let count = tokens.len();
    for (nth, token) in tokens.into_iter().enumerate() {
        let (row, column) = (nth / per_row, nth % per_row);
        let in_row = (count - row * per_row).min(per_row);
        let left = x - step * to_f64(in_row - 1) / 2.0;
        scene.pieces.push(ScenePiece {
            place: at.to_string(),
            x: unit(left + step * to_f64(column)),
            y: unit(y + 27.0 + 17.0 * to_f64(row)),
            ..token
        });
    }
    for (nth, seat) in cell.owner().iter().chain(&cell.signs).enumerate() {
        let spot = (x + 24.0 + 9.0 * to_f64(nth % 2), y - 30.0 + 13.0 * to_f64(nth));
        scene.pieces.push(ScenePiece {
            place: at.to_string(),
            title: format!("a marker of {}", letter(*seat)),
            label: letter(*seat).to_string(),
            ..piece_at("flag", *seat, spot)
        });
    }
}

fn base(board: &Board, base: Base) -> ScenePiece {
    let out = if base.is_out() { ", out" } else { "" };
    let piece = Piece::Base(base.id);
    ScenePiece {
        name: piece.to_string(),
        title: format!("The {piece}{out}, of {}", board.name(base.id.owner)),
        label: letter(base.id.owner).to_string(),
        states: states([(base.is_out(), "out")]),
        ..piece_at("base", base.id.owner, middle(base.at))
    }
}

fn ship(board: &Board, ship: &Ship) -> ScenePiece {
    let is_disrupted = ship.condition.is_disrupted();
    let disrupted = if is_disrupted { ", Disrupted" } else { "" };
    let piece = Piece::Ship(ship.id);
    ScenePiece {
        name: piece.to_string(),
        title: format!("Starship {piece}{disrupted}, of {}", board.name(ship.id.owner)),
        label: ship.id.to_string(),
        states: states([(is_disrupted, "disrupted")]),
        ..piece_at("ship", ship.id.owner, middle(ship.at))
    }
}

/// Returns the path of a move of the last turn. Moves along the same line are side by side.
fn path(board: &Board, nth: usize, one: Move) -> ScenePath {
    let owner = one.piece.owner();
    let through = one.via.map_or_else(String::new, |via| format!(" through {via}"));
    let told = format!("{} moved from {}{through} to {}", one.piece, one.from, one.to);
    let aside = 6.0 * (to_f64(nth % 3) - 1.0);
    let spot = |at: Place| (middle(at).0 + aside, middle(at).1 + aside);
    let spots: Vec<(f64, f64)> =
        [Some(one.from), one.via, Some(one.to)].into_iter().flatten().map(spot).collect();
    ScenePath {
        kind: "move".into(),
        points: points(&spots),
        title: format!("{told}, of {}", board.name(owner)),
        owner: number(owner),
        piece: one.piece.to_string(),
        origin: one.from.to_string(),
        destination: one.to.to_string(),
        ..ScenePath::default()
    }
}
