//! The map as a picture: the board on the left, players, ships and legend on the right.

use std::fmt::Write as _;

use heliopause_stellar_conquest::{Colour, Place, StarId};

use super::atlas::{Atlas, Group, Settled};
use super::politics::{self, Ground};
use super::{palette, panel, words};
use crate::svg::{Picture, hexagon};

/// The distance from the middle of a hex to its corners.
const RADIUS: f64 = 23.0;
/// The middle of hex A1.
const FIRST: (f64, f64) = (48.0, 112.0);
/// Where the panel begins.
pub(super) const PANEL: f64 = 1205.0;
/// The ring of a star over which powers are at odds.
pub(super) const CONTESTED: &str =
    r##"fill="none" stroke="#ff4d4d" stroke-width="2.4" stroke-dasharray="4 2.5""##;
/// The ring of a star on a border.
pub(super) const BORDER: &str =
    r##"fill="none" stroke="#ffb454" stroke-width="1.4" stroke-dasharray="1.5 3""##;
const WIDTH: f64 = 1590.0;
const HEIGHT: f64 = 985.0;

/// The glow of stars, and the gas of clouds.
fn definitions() -> String {
    let mut text = String::from(
        r##"
<radialGradient id="space" cx="0.4" cy="0.5" r="0.9"><stop offset="0" stop-color="#141a30"/><stop offset="1" stop-color="#080a14"/></radialGradient>
<radialGradient id="gas" cx="0.5" cy="0.5" r="0.75"><stop offset="0" stop-color="#6d5a9c"/><stop offset="1" stop-color="#41386b"/></radialGradient>"##,
    );
    for colour in Colour::ALL {
        let (name, shade) = (colour.as_str(), palette::star_color(colour));
        let _ = write!(
            text,
            r##"
<radialGradient id="{name}"><stop offset="0" stop-color="#ffffff"/><stop offset="0.35" stop-color="{shade}"/><stop offset="1" stop-color="{shade}" stop-opacity="0"/></radialGradient>"##
        );
    }
    text
}

/// Draws the board.
pub(super) fn draw(atlas: &Atlas) -> String {
    let mut picture = Picture::default();
    picture.raw(&format!(r#"<rect width="{WIDTH}" height="{HEIGHT}" fill="url(#space)"/>"#));
    picture.text(28.0, 38.0, r##"font-size="25" font-weight="bold" fill="#f2f4ff""##, &atlas.title);
    picture.text(28.0, 62.0, r##"font-size="15" fill="#b9c2e0""##, &atlas.news.join(" "));
    heads(&mut picture);
    for at in Place::all() {
        hex(&mut picture, atlas, at);
    }
    courses(&mut picture, atlas);
    for star in StarId::ALL {
        body(&mut picture, atlas, star);
    }
    for (at, sight) in &atlas.sights {
        let is_star = StarId::in_hex(*at).is_some();
        settled(&mut picture, atlas, *at, &sight.colonies);
        for (nth, seat) in sight.posts.iter().enumerate() {
            let (x, y) = middle(*at);
            flag(
                &mut picture,
                x - 11.0 - 8.0 * to_f64(nth),
                y + 2.0,
                palette::seat_color(&atlas.view.table, *seat),
            );
        }
        for (nth, group) in sight.groups.iter().enumerate() {
            let (x, y) = middle(*at);
            let y = if is_star { y - 13.0 - 14.0 * to_f64(nth) } else { y - 14.0 * to_f64(nth) };
            token(&mut picture, atlas, x, y, group);
        }
    }
    entries(&mut picture, atlas);
    panel::draw(&mut picture, atlas);
    picture.document(WIDTH, HEIGHT, &atlas.title, &definitions())
}

pub(super) fn to_f64(index: usize) -> f64 {
    f64::from(u32::try_from(index).unwrap_or(u32::MAX))
}

/// The middle of a hex.
fn middle(at: Place) -> (f64, f64) {
    let (column, row) = (f64::from(at.column()) - 1.0, f64::from(at.row()) - 1.0);
    let lower = if at.column().is_multiple_of(2) { 0.5 } else { 0.0 };
    (FIRST.0 + 1.5 * RADIUS * column, FIRST.1 + 1.732 * RADIUS * (row + lower))
}

fn heads(picture: &mut Picture) {
    let style = r##"font-size="10" fill="#8b95bd" text-anchor="middle""##;
    for at in Place::all() {
        let (x, y) = middle(at);
        let name = at.to_string();
        let split = name.find(|char: char| char.is_ascii_digit()).unwrap_or(name.len());
        if at.row() == 1 {
            picture.text(x, FIRST.1 - 24.0, style, &name[..split]);
        }
        if at.column() == 1 {
            picture.text(x - 34.0, y + 4.0, style, &name[split..]);
        }
    }
}

fn hex(picture: &mut Picture, atlas: &Atlas, at: Place) {
    let (x, y) = middle(at);
    let reached = atlas.command.as_ref().is_some_and(|command| command.reaches(at));
    let (fill, edge) = match (at.is_cloud(), reached) {
        (true, true) => ("url(#gas)", "#7d72ad"),
        (true, false) => ("url(#gas)", "#4b437a"),
        (false, true) => ("#1c2647", "#3d4c80"),
        (false, false) => ("#0e1222", "#232b47"),
    };
    picture.polygon(
        &hexagon(x, y, RADIUS - 0.6),
        &format!(r#"fill="{fill}" stroke="{edge}" stroke-width="0.9""#),
    );
}

/// Dashed lines from own ships to where they are bound.
fn courses(picture: &mut Picture, atlas: &Atlas) {
    for (at, sight) in &atlas.sights {
        for group in &sight.groups {
            let color = palette::seat_color(&atlas.view.table, group.seat);
            for (star, _) in &group.bound {
                let ((x, y), (to_x, to_y)) = (middle(*at), middle(star.at()));
                picture.raw(&format!(
                    r#"<path d="M{x:.1} {y:.1}L{to_x:.1} {to_y:.1}" stroke="{color}" stroke-width="1.6" stroke-dasharray="5 4" opacity="0.8" fill="none"/>"#
                ));
            }
        }
    }
}

/// A star with its name; explored ones with their planets.
fn body(picture: &mut Picture, atlas: &Atlas, star: StarId) {
    let (x, y) = middle(star.at());
    let explored = atlas.has_explored(star);
    let color = palette::star_color(star.colour());
    picture.circle(x, y, 15.0, &format!(r#"fill="url(#{})""#, star.colour().as_str()));
    if let Some((seat, ground)) = politics::claim(atlas, star) {
        let ring = palette::seat_color(&atlas.view.table, seat);
        picture.circle(x, y, 11.0, &format!(r#"fill="none" stroke="{ring}" stroke-width="2.2""#));
        match ground {
            Ground::Inner => {}
            Ground::Border => picture.circle(x, y, 15.5, BORDER),
            Ground::Contested => picture.circle(x, y, 15.5, CONTESTED),
        }
    }
    if explored {
        picture.circle(x, y, 4.6, r##"fill="#ffffff""##);
    } else {
        picture.circle(
            x,
            y,
            5.5,
            &format!(r##"fill="#0e1222" stroke="{color}" stroke-width="1.6""##),
        );
    }
    let halo = r##"paint-order="stroke" stroke="#080a14" stroke-width="3""##;
    let style =
        format!(r#"font-size="11" font-weight="bold" fill="{color}" text-anchor="middle" {halo}"#);
    picture.text(x, y + 21.0, &style, star.as_str());
    let planets = planets(atlas, star);
    if !planets.is_empty() {
        let style = format!(r##"font-size="8.5" fill="#c9d1ee" text-anchor="middle" {halo}"##);
        picture.text(x, y + 31.0, &style, &planets);
    }
}

/// What the viewer knows of a star's planets: "T60 B10*"; a star for minerals.
fn planets(atlas: &Atlas, star: StarId) -> String {
    let Some((_, power)) = atlas.own() else { return String::new() };
    let Some(card) = power.chart(star).card else { return String::new() };
    if card.planets().is_empty() {
        return "no planets".into();
    }
    let planet = |planet: &heliopause_stellar_conquest::Planet| {
        format!(
            "{}{}{}",
            planet.kind.letters(),
            planet.capacity,
            if planet.mineral_rich { "*" } else { "" }
        )
    };
    card.planets().iter().map(planet).collect::<Vec<_>>().join(" ")
}

/// Colonies as discs at the right of their star, with their people.
fn settled(picture: &mut Picture, atlas: &Atlas, at: Place, colonies: &[Settled]) {
    let (x, y) = middle(at);
    for (nth, colony) in colonies.iter().enumerate() {
        let (x, y) = (x + 15.0, y + 17.0 * to_f64(nth) - 8.5 * to_f64(colonies.len() - 1));
        let color = palette::seat_color(&atlas.view.table, colony.seat);
        picture.circle(
            x,
            y,
            8.5,
            &format!(r##"fill="{color}" stroke="#080a14" stroke-width="1.2""##),
        );
        if let Some(by) = colony.conqueror {
            let ring = palette::seat_color(&atlas.view.table, by);
            picture.circle(x, y, 10.0, &format!(r#"fill="none" stroke="{ring}" stroke-width="2""#));
        }
        if colony.besieged {
            picture.circle(
                x,
                y,
                10.0,
                r##"fill="none" stroke="#ff4d4d" stroke-width="2" stroke-dasharray="3 2""##,
            );
        }
        if colony.shield {
            picture.circle(x, y, 11.5, r##"fill="none" stroke="#ffffff" stroke-width="1""##);
        }
        let style = r##"font-size="9" font-weight="bold" fill="#080a14" text-anchor="middle""##;
        let people = colony.people.map_or_else(|| "?".to_owned(), |people| people.to_string());
        picture.text(x, y + 3.2, style, &people);
    }
}

pub(super) fn flag(picture: &mut Picture, x: f64, y: f64, color: &str) {
    picture.raw(&format!(
        r##"<path d="M{x:.1} {:.1}V{:.1}" stroke="#e6eaff" stroke-width="1.2"/>"##,
        y - 7.0,
        y + 7.0
    ));
    picture.polygon(&[(x, y - 7.0), (x - 11.0, y - 3.5), (x, y)], &format!(r#"fill="{color}""#));
}

/// Ships: own ones as an arrow, others as an arrow downwards; what they are, and how old that news
/// is.
fn token(picture: &mut Picture, atlas: &Atlas, x: f64, y: f64, group: &Group) {
    let color = palette::seat_color(&atlas.view.table, group.seat);
    let what = group.fleet.map_or_else(|| "?".to_owned(), words::fleet);
    let age = if group.age > 0 { format!(" ~{}", group.age) } else { String::new() };
    let text = format!("{what}{age}");
    let width = 17.0 + 5.4 * to_f64(text.chars().count());
    let left = x - width / 2.0;
    let opacity = if group.age > 0 { 0.75 } else { 1.0 };
    picture.raw(&format!(
        r##"<rect x="{left:.1}" y="{:.1}" width="{width:.1}" height="13" rx="4" fill="#080a14" fill-opacity="0.82" stroke="{color}" stroke-width="1.1" opacity="{opacity}"/>"##,
        y - 7.0
    ));
    let tip = left + 7.0;
    let points = if atlas.is_own(group.seat) {
        [(tip - 3.8, y + 3.8), (tip + 3.8, y + 3.8), (tip, y - 4.2)]
    } else {
        [(tip - 3.8, y - 3.8), (tip + 3.8, y - 3.8), (tip, y + 4.2)]
    };
    picture.polygon(&points, &format!(r#"fill="{color}""#));
    picture.text(
        left + 13.0,
        y + 3.2,
        &format!(r#"font-size="9" font-weight="bold" fill="{color}""#),
        &text,
    );
}

/// The corners at which players enter, and who waits there.
fn entries(picture: &mut Picture, atlas: &Atlas) {
    let table = &atlas.view.table;
    for (index, at) in table.entries.iter().enumerate() {
        let seat = heliopause_kernel::Seat::at(index);
        let (x, y) = middle(*at);
        let color = palette::seat_color(table, seat);
        let style = format!(r#"fill="none" stroke="{color}" stroke-width="2""#);
        picture.polygon(&hexagon(x, y, RADIUS - 3.0), &style);
        let waiting = if atlas.is_own(seat) {
            atlas.waiting()
        } else {
            heliopause_stellar_conquest::Fleet::NONE
        };
        if !waiting.is_empty() {
            let anchor = if at.column() > 16 { "end" } else { "start" };
            let text = format!("waiting: {}", words::fleet(waiting));
            let below = if at.row() > 10 { y + 36.0 } else { y - 26.0 };
            let x = if at.column() > 16 { x + RADIUS } else { x - RADIUS };
            let style = format!(
                r#"font-size="11" font-weight="bold" fill="{color}" text-anchor="{anchor}""#
            );
            picture.text(x, below, &style, &text);
        }
    }
}
