//! The map as a picture: the board on the left, players and legend on the right.

use std::fmt::Write as _;

use heliopause_kernel::Seat;
use heliopause_starships::{BaseId, Marker, Piece, Place, ShipId, Target, letter};

use super::board::{Board, Cell, Move, coordinates};
use super::panel;
use crate::svg::{
    Color, Finish, Font, Layer, Mark, Palette, Picture, Sheet, Theme, Tint, hexagon, to_f64,
};

/// The distance from the middle of a hex to its corners.
const RADIUS: f64 = 62.0;
/// The middle of the board.
const CENTER: (f64, f64) = (390.0, 505.0);
/// Where the panel of players begins, and how wide it is.
const PANEL: f64 = 790.0;
const PANEL_WIDTH: f64 = 310.0;
/// The picture has at least this height, so that the board has room.
const HEIGHT: f64 = 920.0;

/// A place in the picture.
type Spot = (f64, f64);

/// Draws the board.
pub(super) fn draw(board: &Board, theme: Theme) -> Picture {
    let mut picture = Picture::new(theme, &board.title, board.standings.len());
    define(&mut picture);
    heading(&mut picture, board);
    for (place, cell) in &board.cells {
        hex(&mut picture, board, *place, cell);
    }
    for (nth, one) in board.moves.iter().enumerate() {
        arrow(&mut picture, board, nth, *one);
    }
    let bottom = panel::draw(&mut picture, board, (PANEL, 30.0), PANEL_WIDTH);
    picture.sized(PANEL + PANEL_WIDTH + 20.0, HEIGHT.max(bottom + 20.0)).starry()
}

/// The bodies as balls, and the red of Death Zones.
fn define(picture: &mut Picture) {
    let palette = picture.palette;
    let bodies = &palette.bodies;
    let balls = [
        ("earth", bodies.ocean),
        ("friendly", bodies.friendly),
        ("hostile", bodies.hostile),
        ("dead", bodies.rock),
        ("deathstar", bodies.metal),
    ];
    for (name, color) in balls {
        picture.ball(name, color);
    }
    picture.stripes("zone", 12.0, palette.fields.waste.fill, palette.fields.waste.edge);
}

fn heading(picture: &mut Picture, board: &Board) {
    let (title, news) =
        (Font::new(26.0, picture.palette.text).bold(), Font::new(15.0, picture.palette.soft));
    let sheet = picture.on(Layer::Legend);
    sheet.text(28.0, 44.0, title, &board.title);
    for (index, line) in board.news.iter().enumerate() {
        sheet.text(28.0, 70.0 + 20.0 * to_f64(index), news, line);
    }
}

/// The middle of a hex.
fn middle(at: Place) -> Spot {
    let (q, r) = (f64::from(at.hex().q), f64::from(at.hex().r));
    (CENTER.0 + 1.5 * RADIUS * q, CENTER.1 + 1.732 * RADIUS * (r + q / 2.0))
}

fn hex(picture: &mut Picture, board: &Board, place: Place, cell: &Cell) {
    let palette = picture.palette;
    let (x, y) = middle(place);
    let ground = match cell.note {
        _ if cell.death_zone => Tint::Shade("zone"),
        None => Tint::Flat(palette.fields.known.fill),
        Some(_) => Tint::Flat(palette.fields.stale.fill),
    };
    let mark = Mark::place(place).of(cell.owner()).titled(told(board, place, cell));
    picture.on(Layer::Places).marked(&mark, |sheet| {
        let edged = Finish::from(ground).edge(palette.fields.known.edge, 1.5);
        sheet.polygon(&hexagon((x, y), RADIUS - 1.5), edged);
    });
    if let Some(owner) = cell.owner() {
        let border = Finish::line(palette.owner(owner), 3.0);
        picture.on(Layer::Regions).polygon(&hexagon((x, y), RADIUS - 4.0), border);
    }
    let font = Font::new(10.5, palette.faint).centered().halo(palette.halo);
    picture.on(Layer::Labels).text(x, y - 38.0, font, &coordinates(place));
    body(picture, place, cell);
    if cell.death_zone {
        let font = Font::new(11.0, palette.bad).bold().centered().halo(palette.halo);
        picture.on(Layer::Labels).text(x, y + 12.0, font, "DEATH ZONE");
    }
    pieces(picture, board, place, cell);
    signs(picture.on(Layer::Pieces), palette, (x, y), cell);
}

/// What a pointer is told of a hex.
fn told(board: &Board, place: Place, cell: &Cell) -> String {
    let mut told = format!("{place}: {}", cell.marker().map_or("unknown", name));
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

/// What a hex holds, for people.
fn name(marker: Marker) -> &'static str {
    match marker {
        Marker::Asteroids => "Asteroids",
        Marker::Empty => "empty",
        Marker::Destroyed => "destroyed",
        Marker::Earth => "Earth",
        Marker::Friendly => "Friendly",
        Marker::Unfriendly => "Unfriendly",
        Marker::Dead => "dead",
        Marker::DeathStar => "DEATH STAR",
    }
}

/// What lies in a hex. What only the viewer knows has a dashed ring and a fainter name.
fn body(picture: &mut Picture, place: Place, cell: &Cell) {
    let palette = picture.palette;
    let (x, y) = middle(place);
    let spot = (x, y - 16.0);
    let Some(marker) = cell.marker() else {
        if !cell.death_zone {
            let font = Font::new(30.0, palette.faint).centered();
            picture.on(Layer::Bodies).text(x, y - 4.0, font, "?");
        }
        return;
    };
    let sheet = picture.on(Layer::Bodies);
    let radius = match marker {
        Marker::Asteroids => {
            asteroids(sheet, palette, spot);
            15.0
        }
        Marker::Empty | Marker::Destroyed => 0.0,
        Marker::Earth => ball(sheet, spot, 16.0, "earth"),
        Marker::Friendly => ball(sheet, spot, 15.0, "friendly"),
        Marker::Unfriendly => ball(sheet, spot, 15.0, "hostile"),
        Marker::Dead => ball(sheet, spot, 13.0, "dead"),
        Marker::DeathStar => {
            let mark = Mark::piece(Target::DeathStar, place).titled("The Death Star");
            sheet.marked(&mark, |sheet| death_star(sheet, palette, spot));
            16.0
        }
    };
    if !cell.face_up && radius > 0.0 {
        let ring = Finish::line(palette.faint, 1.0).dashed("3 3");
        sheet.circle(spot, radius + 3.0, ring);
    }
    if !cell.death_zone {
        let shade = if cell.face_up { palette.text } else { palette.faint };
        let font = Font::new(11.0, shade).centered().halo(palette.halo);
        picture.on(Layer::Labels).text(x, y + 12.0, font, name(marker));
    }
}

/// A planet; answers its radius.
pub(super) fn ball(sheet: &mut Sheet, spot: Spot, radius: f64, shade: &'static str) -> f64 {
    sheet.circle(spot, radius, Tint::Shade(shade).into());
    radius
}

fn death_star(sheet: &mut Sheet, palette: &Palette, spot: Spot) {
    ball(sheet, spot, 16.0, "deathstar");
    let eye = Finish::fill(palette.halo).edge(palette.bad, 1.0);
    sheet.circle((spot.0 - 5.0, spot.1 - 5.0), 4.0, eye);
}

fn asteroids(sheet: &mut Sheet, palette: &Palette, (x, y): Spot) {
    let rock = Finish::fill(palette.bodies.rock).edge(palette.halo, 1.0);
    for (dx, dy, size) in
        [(-10.0, -3.0, 4.5), (2.0, -8.0, 3.0), (8.0, 2.0, 5.0), (-3.0, 7.0, 3.5), (11.0, -9.0, 2.0)]
    {
        sheet.circle((x + dx, y + dy), size, rock);
    }
}

/// How a token looks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    Ship,
    Disrupted,
    Base,
    BaseOut,
}

impl Token {
    fn told(self) -> &'static str {
        match self {
            Self::Ship | Self::Base => "",
            Self::Disrupted => ", Disrupted",
            Self::BaseOut => ", out",
        }
    }
}

/// Bases and starships, in rows below the middle.
fn pieces(picture: &mut Picture, board: &Board, place: Place, cell: &Cell) {
    let palette = picture.palette;
    let (x, y) = middle(place);
    let base = |id: BaseId, out| {
        (
            Piece::Base(id),
            letter(id.owner).to_string(),
            if out { Token::BaseOut } else { Token::Base },
        )
    };
    let ship = |id: ShipId, disrupted| {
        (Piece::Ship(id), id.to_string(), if disrupted { Token::Disrupted } else { Token::Ship })
    };
    let bases = cell.bases.iter().map(|it| base(it.id, it.is_out()));
    let ships = cell.ships.iter().map(|it| ship(it.id, it.condition.is_disrupted()));
    let tokens: Vec<(Piece, String, Token)> = bases.chain(ships).collect();
    let (per_row, step) = if tokens.len() <= 8 { (4, 23.0) } else { (6, 16.0) };
    for (row, tokens) in tokens.chunks(per_row).enumerate() {
        let left = x - step * to_f64(tokens.len() - 1) / 2.0;
        for (index, (piece, name, shape)) in tokens.iter().enumerate() {
            let spot = (left + step * to_f64(index), y + 27.0 + 17.0 * to_f64(row));
            let owner = piece.owner();
            let what = if matches!(piece, Piece::Ship(_)) { "Starship " } else { "The " };
            let title = format!("{what}{piece}{}, of {}", shape.told(), board.name(owner));
            let mark = Mark::piece(piece, place).of(owner).titled(title);
            let sheet = picture.on(Layer::Pieces);
            sheet.marked(&mark, |sheet| token(sheet, palette, spot, name, owner, *shape));
        }
    }
}

pub(super) fn token(
    sheet: &mut Sheet,
    palette: &Palette,
    (x, y): Spot,
    name: &str,
    owner: Seat,
    shape: Token,
) {
    let color = palette.owner(owner);
    let hollow = Finish::fill(palette.fields.stale.fill);
    let (finish, ink) = match shape {
        Token::Ship | Token::Base => {
            (Finish::from(palette.tint(owner)).edge(palette.halo, 1.0), palette.on_owner)
        }
        Token::Disrupted => (hollow.edge(color, 1.5).dashed("3 2"), color),
        Token::BaseOut => (hollow.edge(color, 2.0), color),
    };
    match shape {
        Token::Base | Token::BaseOut => sheet.rect((x - 8.0, y - 8.0), (16.0, 16.0), 0.0, finish),
        Token::Ship | Token::Disrupted => {
            let (back, tip) = (x - 9.0, x + 11.0);
            let points = [
                (back, y - 7.0),
                (x + 5.0, y - 7.0),
                (tip, y),
                (x + 5.0, y + 7.0),
                (back, y + 7.0),
            ];
            sheet.polygon(&points, finish);
        }
    }
    sheet.text(x, y + 3.5, Font::new(10.0, ink).bold().centered(), name);
}

/// Ownership markers: the owner's and other players' flags at the upper edges.
fn signs(sheet: &mut Sheet, palette: &Palette, (x, y): Spot, cell: &Cell) {
    for (index, seat) in cell.owner().iter().chain(&cell.signs).enumerate() {
        let spot = (x + 24.0 + 9.0 * to_f64(index % 2), y - 30.0 + 13.0 * to_f64(index));
        flag(sheet, palette, spot, *seat);
    }
}

pub(super) fn flag(sheet: &mut Sheet, palette: &Palette, (x, y): Spot, seat: Seat) {
    sheet.line((x, y - 6.0), (x, y + 8.0), Finish::line(palette.text, 1.2));
    let cloth = [(x, y - 6.0), (x + 16.0, y - 1.5), (x, y + 3.0)];
    sheet.polygon(&cloth, palette.tint(seat).into());
    let font = Font::new(7.0, palette.on_owner).bold();
    sheet.text(x + 1.5, y + 1.0, font, &letter(seat).to_string());
}

/// A move of the last turn. Those along one way stand side by side.
fn arrow(picture: &mut Picture, board: &Board, nth: usize, one: Move) {
    let owner = one.piece.owner();
    let (color, halo): (Color, Color) = (picture.palette.owner(owner), picture.palette.halo);
    let through = one.via.map_or_else(String::new, |via| format!(" through {via}"));
    let told = format!("{} came from {}{through} to {}", one.piece, one.from, one.to);
    let mark = Mark::order().of(owner).titled(format!("{told}, of {}", board.name(owner)));
    let aside = 6.0 * (to_f64(nth % 3) - 1.0);
    let spot = |at: Place| (middle(at).0 + aside, middle(at).1 + aside);
    picture.on(Layer::Orders).marked(&mark, |sheet| {
        let finish = Finish::line(color, 2.4);
        let mut from = spot(one.from);
        if let Some(via) = one.via {
            sheet.line(from, spot(via), finish);
            from = spot(via);
        }
        sheet.arrow(from, spot(one.to), halo, finish);
    });
}
