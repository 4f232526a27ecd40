//! The map as a picture: the board on the left, players and legend on the right.

use std::fmt::Write as _;

use heliopause_kernel::Seat;
use heliopause_starships::{MOST_PLAYERS, Marker, Place, letter};

use super::board::{Board, Cell, Standing, coordinates};
use crate::svg::{Picture, hexagon};

/// The distance from the middle of a hex to its corners.
const RADIUS: f64 = 62.0;
/// The middle of the board.
const CENTER: (f64, f64) = (390.0, 505.0);
/// Where the panel of players begins.
const PANEL: f64 = 790.0;
const WIDTH: f64 = 1120.0;
const HEIGHT: f64 = 920.0;

/// Light and shadow of the bodies, and the red of Death Zones.
const DEFINITIONS: &str = r##"
<radialGradient id="space" cx="0.35" cy="0.5" r="0.9"><stop offset="0" stop-color="#1a2138"/><stop offset="1" stop-color="#0a0d18"/></radialGradient>
<radialGradient id="earth" cx="0.35" cy="0.3" r="0.9"><stop offset="0" stop-color="#8fd0ff"/><stop offset="0.6" stop-color="#2f7fd6"/><stop offset="1" stop-color="#123a74"/></radialGradient>
<radialGradient id="friendly" cx="0.35" cy="0.3" r="0.9"><stop offset="0" stop-color="#d9ffe4"/><stop offset="0.6" stop-color="#58b87a"/><stop offset="1" stop-color="#1d5a39"/></radialGradient>
<radialGradient id="hostile" cx="0.35" cy="0.3" r="0.9"><stop offset="0" stop-color="#ffd9c4"/><stop offset="0.6" stop-color="#d8643d"/><stop offset="1" stop-color="#6d2413"/></radialGradient>
<radialGradient id="dead" cx="0.35" cy="0.3" r="0.9"><stop offset="0" stop-color="#f0f0f0"/><stop offset="0.6" stop-color="#9a9da6"/><stop offset="1" stop-color="#4a4d57"/></radialGradient>
<radialGradient id="deathstar" cx="0.35" cy="0.3" r="0.9"><stop offset="0" stop-color="#9aa0ad"/><stop offset="0.7" stop-color="#4d525e"/><stop offset="1" stop-color="#22252d"/></radialGradient>
<pattern id="zone" width="12" height="12" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="12" height="12" fill="#5c0f1c"/><rect width="6" height="12" fill="#a01b30"/></pattern>"##;

/// Draws the board.
pub(super) fn draw(board: &Board) -> String {
    let mut picture = Picture::default();
    picture.raw(&format!(r#"<rect width="{WIDTH}" height="{HEIGHT}" fill="url(#space)"/>"#));
    stars(&mut picture);
    picture.text(28.0, 44.0, r##"font-size="26" font-weight="bold" fill="#f2f4ff""##, &board.title);
    for (index, line) in board.news.iter().enumerate() {
        let y = 70.0 + 20.0 * to_f64(index);
        picture.text(28.0, y, r##"font-size="15" fill="#b9c2e0""##, line);
    }
    for (place, cell) in &board.cells {
        hex(&mut picture, *place, cell);
    }
    let below = players(&mut picture, &board.standings);
    legend(&mut picture, below + 26.0);
    picture.document(WIDTH, HEIGHT, &board.title, DEFINITIONS)
}

fn to_f64(index: usize) -> f64 {
    f64::from(u32::try_from(index).unwrap_or(u32::MAX))
}

/// A sky that is the same in every picture: a fixed sequence, not chance.
fn stars(picture: &mut Picture) {
    let mut state: u32 = 20_220_110;
    let mut next = |range: f64| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 16) / 65_536.0 * range
    };
    let mut sky = String::new();
    for _ in 0..140 {
        let (x, y, size) = (next(WIDTH), next(HEIGHT), 0.4 + next(0.9));
        let _ = write!(sky, r#"<circle cx="{x:.1}" cy="{y:.1}" r="{size:.1}"/>"#);
    }
    picture.raw(&format!(r##"<g fill="#ffffff" opacity="0.45">{sky}</g>"##));
}

/// The middle of a hex.
fn middle(at: Place) -> (f64, f64) {
    let (q, r) = (f64::from(at.hex().q), f64::from(at.hex().r));
    (CENTER.0 + 1.5 * RADIUS * q, CENTER.1 + 1.732 * RADIUS * (r + q / 2.0))
}

fn hex(picture: &mut Picture, place: Place, cell: &Cell) {
    let (x, y) = middle(place);
    let fill = match cell.note {
        _ if cell.death_zone => "url(#zone)",
        None => "#20263d",
        Some(_) if cell.face_up => "#141a2e",
        Some(_) => "#1a2036",
    };
    let edge = r##"stroke="#4a5580" stroke-width="1.5""##;
    picture.polygon(&hexagon(x, y, RADIUS - 1.5), &format!(r#"fill="{fill}" {edge}"#));
    if let Some(owner) = cell.owner() {
        let style = format!(r#"fill="none" stroke="{}" stroke-width="4""#, color(owner));
        picture.polygon(&hexagon(x, y, RADIUS - 5.5), &style);
    }
    picture.text(
        x,
        y - 40.0,
        r##"font-size="11" fill="#8b95bd" text-anchor="middle""##,
        &coordinates(place),
    );
    body(picture, x, y - 16.0, cell);
    if cell.death_zone {
        picture.text(
            x,
            y + 12.0,
            r##"font-size="11" font-weight="bold" fill="#ffd0d6" text-anchor="middle""##,
            "DEATH ZONE",
        );
    }
    pieces(picture, x, y, cell);
    signs(picture, x, y, cell);
}

/// What lies in a hex. What only the viewer knows is drawn fainter and called so by its dashed
/// ring.
fn body(picture: &mut Picture, x: f64, y: f64, cell: &Cell) {
    let Some(marker) = cell.marker() else {
        if !cell.death_zone {
            picture.text(
                x,
                y + 12.0,
                r##"font-size="30" fill="#5d6896" text-anchor="middle""##,
                "?",
            );
        }
        return;
    };
    let (gradient, name, radius) = match marker {
        Marker::Asteroids => {
            asteroids(picture, x, y);
            ("", "Asteroids", 15.0)
        }
        Marker::Empty => ("", "empty", 0.0),
        Marker::Destroyed => ("", "destroyed", 0.0),
        Marker::Earth => ("earth", "Earth", 17.0),
        Marker::Friendly => ("friendly", "Friendly", 15.0),
        Marker::Unfriendly => ("hostile", "Unfriendly", 15.0),
        Marker::Dead => ("dead", "dead", 13.0),
        Marker::DeathStar => ("deathstar", "DEATH STAR", 18.0),
    };
    if !gradient.is_empty() {
        picture.circle(x, y, radius, &format!(r#"fill="url(#{gradient})""#));
    }
    if marker == Marker::DeathStar {
        picture.circle(
            x - 5.0,
            y - 6.0,
            4.0,
            r##"fill="#2b2f39" stroke="#ff5a5a" stroke-width="1""##,
        );
    }
    if !cell.face_up && radius > 0.0 {
        let ring = r##"fill="none" stroke="#8b95bd" stroke-width="1" stroke-dasharray="3 3""##;
        picture.circle(x, y, radius + 4.0, ring);
    }
    if !cell.death_zone {
        let shade = if cell.face_up { "#e6eaff" } else { "#98a2c9" };
        let style = format!(r#"font-size="11" fill="{shade}" text-anchor="middle""#);
        picture.text(x, y + 28.0, &style, name);
    }
}

fn asteroids(picture: &mut Picture, x: f64, y: f64) {
    for (dx, dy, size) in
        [(-10.0, -3.0, 4.5), (2.0, -8.0, 3.0), (8.0, 2.0, 5.0), (-3.0, 7.0, 3.5), (11.0, -9.0, 2.0)]
    {
        picture.circle(
            x + dx,
            y + dy,
            size,
            r##"fill="#b39b72" stroke="#6f5d3c" stroke-width="1""##,
        );
    }
}

/// Bases and starships, in rows below the middle.
fn pieces(picture: &mut Picture, x: f64, y: f64, cell: &Cell) {
    let mut tokens: Vec<(String, Seat, &str)> = Vec::new();
    for base in &cell.bases {
        let owner = base.id.owner;
        tokens.push((
            letter(owner).to_string(),
            owner,
            if base.is_out() { "base out" } else { "base" },
        ));
    }
    for ship in &cell.ships {
        let shape = if ship.condition.is_disrupted() { "disrupted" } else { "ship" };
        tokens.push((ship.id.to_string(), ship.id.owner, shape));
    }
    let (per_row, step) = if tokens.len() <= 8 { (4, 23.0) } else { (6, 16.0) };
    for (row, tokens) in tokens.chunks(per_row).enumerate() {
        let left = x - step * to_f64(tokens.len() - 1) / 2.0;
        for (index, (name, owner, shape)) in tokens.iter().enumerate() {
            token(
                picture,
                left + step * to_f64(index),
                y + 27.0 + 17.0 * to_f64(row),
                name,
                *owner,
                shape,
            );
        }
    }
}

fn token(picture: &mut Picture, x: f64, y: f64, name: &str, owner: Seat, shape: &str) {
    let fill = color(owner);
    let style = match shape {
        "disrupted" => {
            format!(r##"fill="#2a3048" stroke="{fill}" stroke-width="1.5" stroke-dasharray="3 2""##)
        }
        "base out" => format!(r##"fill="#2a3048" stroke="{fill}" stroke-width="2""##),
        _ => format!(r##"fill="{fill}" stroke="#0a0d18" stroke-width="1""##),
    };
    let points = if shape.starts_with("base") {
        vec![(x - 8.0, y - 8.0), (x + 8.0, y - 8.0), (x + 8.0, y + 8.0), (x - 8.0, y + 8.0)]
    } else {
        vec![
            (x - 9.0, y - 7.0),
            (x + 5.0, y - 7.0),
            (x + 11.0, y),
            (x + 5.0, y + 7.0),
            (x - 9.0, y + 7.0),
        ]
    };
    picture.polygon(&points, &style);
    let ink = if matches!(shape, "disrupted" | "base out") { fill } else { "#0a0d18" };
    let style = format!(r#"font-size="10" font-weight="bold" fill="{ink}" text-anchor="middle""#);
    picture.text(x, y + 3.5, &style, name);
}

/// Ownership markers: the owner's and other players' flags at the upper edges.
fn signs(picture: &mut Picture, x: f64, y: f64, cell: &Cell) {
    for (index, seat) in cell.owner().iter().chain(&cell.signs).enumerate() {
        let (x, y) = (x + 24.0 + 9.0 * to_f64(index % 2), y - 34.0 + 13.0 * to_f64(index));
        flag(picture, x, y, *seat);
    }
}

fn flag(picture: &mut Picture, x: f64, y: f64, seat: Seat) {
    picture.raw(&format!(
        r##"<path d="M{x:.1} {:.1}V{:.1}" stroke="#e6eaff" stroke-width="1.2"/>"##,
        y - 6.0,
        y + 8.0
    ));
    let points = [(x, y - 6.0), (x + 16.0, y - 1.5), (x, y + 3.0)];
    picture.polygon(&points, &format!(r#"fill="{}""#, color(seat)));
    let style = r##"font-size="7" font-weight="bold" fill="#0a0d18""##;
    picture.text(x + 1.5, y + 1.0, style, &letter(seat).to_string());
}

/// The panel of players; answers where it ends.
fn players(picture: &mut Picture, standings: &[Standing]) -> f64 {
    let mut y = 44.0;
    picture.text(PANEL, y, r##"font-size="18" font-weight="bold" fill="#f2f4ff""##, "Players");
    for standing in standings {
        y += 30.0;
        let shade = if standing.out { "#6b7393" } else { color(standing.seat) };
        let turn = if standing.on_turn { "▶ " } else { "" };
        let name = format!("{turn}{}  {}", letter(standing.seat), standing.name);
        picture.text(
            PANEL,
            y,
            &format!(r#"font-size="16" font-weight="bold" fill="{shade}""#),
            &name,
        );
        let notes = if standing.notes.is_empty() {
            String::new()
        } else {
            format!(" · {}", standing.notes)
        };
        let lines = [
            format!("{} · planets: {}{notes}", standing.status, standing.planets),
            standing.pieces.clone(),
        ];
        for line in lines.iter().flat_map(|line| {
            crate::text::wrap(line, 50, 0).lines().map(str::to_owned).collect::<Vec<_>>()
        }) {
            y += 17.0;
            picture.text(PANEL, y, r##"font-size="12.5" fill="#b9c2e0""##, &line);
        }
    }
    y
}

fn legend(picture: &mut Picture, top: f64) {
    picture.text(PANEL, top, r##"font-size="14" font-weight="bold" fill="#f2f4ff""##, "Legend");
    let bodies = [
        ("earth", "Earth"),
        ("friendly", "Friendly planet"),
        ("hostile", "Unfriendly planet"),
        ("dead", "dead planet"),
        ("deathstar", "Death Star"),
    ];
    for (index, (gradient, name)) in bodies.iter().enumerate() {
        let y = top + 22.0 + 22.0 * to_f64(index);
        picture.circle(PANEL + 9.0, y - 4.0, 8.0, &format!(r#"fill="url(#{gradient})""#));
        entry(picture, PANEL + 28.0, y, name);
    }
    let (right, anybody) = (PANEL + 160.0, Seat::at(0));
    let row = |index: usize| top + 22.0 + 22.0 * to_f64(index);
    token(picture, right, row(0) - 4.0, "A1", anybody, "ship");
    token(picture, right, row(1) - 4.0, "A1", anybody, "disrupted");
    token(picture, right, row(2) - 4.0, "A", anybody, "base");
    token(picture, right, row(3) - 4.0, "A", anybody, "base out");
    flag(picture, right - 6.0, row(4) - 5.0, anybody);
    for (index, name) in
        ["starship", "Disrupted", "base", "base that is out", "ownership marker"].iter().enumerate()
    {
        entry(picture, right + 20.0, row(index), name);
    }
    let y = row(5);
    picture.circle(
        PANEL + 9.0,
        y - 4.0,
        7.0,
        r##"fill="none" stroke="#8b95bd" stroke-width="1" stroke-dasharray="3 3""##,
    );
    entry(picture, PANEL + 28.0, y, "known to you only");
    picture.polygon(&hexagon(right, y - 4.0, 9.0), r#"fill="url(#zone)""#);
    entry(picture, right + 20.0, y, "Death Zone");
    let y = row(6);
    picture.polygon(
        &hexagon(PANEL + 9.0, y - 4.0, 9.0),
        &format!(r#"fill="none" stroke="{}" stroke-width="3""#, color(anybody)),
    );
    entry(picture, PANEL + 28.0, y, "owned planet, in its owner's colour");
}

fn entry(picture: &mut Picture, x: f64, y: f64, text: &str) {
    picture.text(x, y, r##"font-size="12.5" fill="#b9c2e0""##, text);
}

/// The colours of the players by seat; never the red of the enemy, which is the Death Star's.
const COLORS: [&str; MOST_PLAYERS] =
    ["#4fd1e8", "#f5d547", "#7ee06b", "#e08af0", "#ff9d45", "#7ea2ff"];

fn color(seat: Seat) -> &'static str {
    COLORS.get(seat.index()).copied().unwrap_or("#ff5a5a")
}
