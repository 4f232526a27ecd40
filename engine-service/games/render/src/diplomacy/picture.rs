//! The map as a picture: Europe with its units, the orders as arrows and what became of them, the
//! powers at the right.

use heliopause_diplomacy::{
    Kind, Named, Node, Order, Outcome, Place, Province, Site, Terrain, Unit, Variant,
};

use super::atlas::{Atlas, Drawn};
use super::geography::{EUROPE, SIZE};
use super::panel;
use crate::svg::Picture;

/// Room for the title above the map.
const TOP: f64 = 58.0;
/// Where the panel begins.
pub(super) const PANEL: f64 = SIZE.0 + 18.0;
const WIDTH: f64 = SIZE.0 + 350.0;

const DEFINITIONS: &str = r##"
<linearGradient id="sea" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#a9c8dd"/><stop offset="1" stop-color="#c6dfee"/></linearGradient>
<pattern id="waste" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="8" height="8" fill="#b9b4a6"/><path d="M0 0V8" stroke="#a39e90" stroke-width="3"/></pattern>
<marker id="tip" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="5" markerHeight="5" orient="auto-start-reverse"><path d="M0 0L10 5L0 10Z" fill="context-stroke"/></marker>"##;

/// Draws the map.
pub(super) fn draw(atlas: &Atlas) -> String {
    let mut picture = Picture::default();
    let height = (SIZE.1 + TOP + 14.0).max(panel::height(atlas));
    picture.raw(&format!(r##"<rect width="{WIDTH:.0}" height="{height:.0}" fill="#fbf8f0"/>"##));
    picture.text(20.0, 38.0, r##"font-size="24" font-weight="bold" fill="#2b2a27""##, &atlas.title);
    let style = r##"font-size="17" fill="#5a564c" text-anchor="end""##;
    picture.text(SIZE.0 - 4.0, 38.0, style, &atlas.table().date());
    picture.raw(&format!(r#"<g transform="translate(0 {TOP:.0})">"#));
    lands(&mut picture, atlas);
    for province in Province::ALL {
        names(&mut picture, atlas, province);
    }
    for unit in atlas.table().position.units() {
        token(&mut picture, atlas, unit, false);
    }
    for one in &atlas.table().dislodged {
        token(&mut picture, atlas, one.unit, true);
    }
    for drawn in atlas.drawn() {
        order(&mut picture, atlas, &drawn);
    }
    picture.raw(&format!(
        r##"<rect width="{:.0}" height="{:.0}" fill="none" stroke="#6d675a" stroke-width="1.5"/></g>"##,
        SIZE.0, SIZE.1
    ));
    panel::draw(&mut picture, atlas);
    picture.document(WIDTH, height, &atlas.title, DEFINITIONS)
}

fn lands(picture: &mut Picture, atlas: &Atlas) {
    let position = &atlas.table().position;
    for outline in &EUROPE.wastes {
        picture.raw(&format!(
            r##"<path d="{outline}" fill="url(#waste)" stroke="#8d8778" stroke-width="0.8"/>"##
        ));
    }
    for (province, outline) in &EUROPE.lands {
        if province.terrain() == Terrain::Sea {
            picture.raw(&format!(
                r##"<path d="{outline}" fill="url(#sea)" stroke="#7fa3bb" stroke-width="0.9"/>"##
            ));
            continue;
        }
        picture.raw(&format!(
            r##"<path d="{outline}" fill="#f3ead2" stroke="#8d8368" stroke-width="1.1"/>"##
        ));
        // Home lands without a center in them stay plain; a colony is hatched by its edge.
        if let Some(owner) = position.centers[province.index()] {
            let color = atlas.color(owner);
            picture.raw(&format!(
                r#"<path d="{outline}" fill="{color}" fill-opacity="0.42" stroke="none"/>"#
            ));
        }
        if let Some(owner) = position.colonies[province.index()] {
            let color = atlas.color(owner);
            picture.raw(&format!(
                r#"<path d="{outline}" fill="none" stroke="{color}" stroke-width="3" stroke-dasharray="7 4" stroke-opacity="0.9"/>"#
            ));
        }
    }
}

/// The name below the middle of a province, and its supply center.
fn names(picture: &mut Picture, atlas: &Atlas, province: Province) {
    let (x, y) = EUROPE.middle(province.node());
    let fill = if province.terrain() == Terrain::Sea { "#33607d" } else { "#3b372c" };
    let style = format!(r#"font-size="9.5" fill="{fill}" text-anchor="middle""#);
    picture.text(x, y + 19.0, &style, province.as_str());
    if province.is_center() {
        let (x, y) = (x + 14.0, y + 15.5);
        let fill = atlas.table().position.centers[province.index()]
            .map_or("#ffffff".to_owned(), |seat| atlas.color(seat));
        picture.circle(
            x,
            y,
            3.6,
            &format!(r##"fill="{fill}" stroke="#2b2a27" stroke-width="1.1""##),
        );
    }
}

/// An army as a round shield, a fleet as a hull with a sail; dislodged ones aside, with a red edge.
fn token(picture: &mut Picture, atlas: &Atlas, unit: Unit, dislodged: bool) {
    let (mut x, mut y) = EUROPE.middle(unit.at);
    if dislodged {
        (x, y) = (x + 15.0, y - 13.0);
    }
    let (fill, edge) = (atlas.color(unit.owner), if dislodged { "#d0021b" } else { "#1e1d1a" });
    let style = format!(r#"fill="{fill}" stroke="{edge}" stroke-width="1.6""#);
    match unit.kind {
        Kind::Army => picture.circle(x, y, 9.0, &style),
        Kind::Fleet => {
            let hull =
                [(x - 12.0, y + 1.0), (x + 12.0, y + 1.0), (x + 7.0, y + 8.5), (x - 7.0, y + 8.5)];
            picture.polygon(&[(x - 1.0, y - 10.0), (x - 1.0, y), (x - 9.5, y)], &style);
            picture.polygon(&[(x + 1.5, y - 7.0), (x + 1.5, y), (x + 8.5, y)], &style);
            picture.polygon(&hull, &style);
        }
    }
    let label = r##"font-size="8.5" font-weight="bold" fill="#ffffff" text-anchor="middle""##;
    let letters = if atlas.is_in_space() {
        &atlas.power(unit.owner).code
    } else {
        &unit.kind.as_str().to_string()
    };
    if unit.kind == Kind::Army {
        let small = r##"font-size="7" font-weight="bold" fill="#ffffff" text-anchor="middle""##;
        picture.text(x, y + 2.8, if atlas.is_in_space() { small } else { label }, letters);
    } else if atlas.is_in_space() {
        picture.text(
            x,
            y + 7.6,
            r##"font-size="6.5" font-weight="bold" fill="#ffffff" text-anchor="middle""##,
            letters,
        );
    }
}

/// Where a unit is that an order names.
fn place(atlas: &Atlas, unit: Named) -> Option<(f64, f64)> {
    match unit.at {
        Place::Earth(node) => {
            let stands = atlas.table().position.unit(node.province()).map(|unit| unit.at);
            let node = stands.filter(|at| at.province() == node.province()).unwrap_or(node);
            Some(EUROPE.middle(node))
        }
        Place::Orbit => None,
    }
}

fn middle(node: Node) -> (f64, f64) {
    EUROPE.middle(node)
}

/// An order as an arrow, with a mark where it failed.
fn order(picture: &mut Picture, atlas: &Atlas, drawn: &Drawn) {
    let color = atlas.color(drawn.seat);
    let failed = drawn.outcome.is_some_and(|outcome| {
        !matches!(
            outcome,
            Outcome::Succeeds { .. } | Outcome::Given | Outcome::Holds | Outcome::Pending
        )
    });
    match drawn.order {
        Order::Move { unit, to: Place::Earth(to), .. }
        | Order::Retreat { unit, to: Place::Earth(to) } => {
            // What comes from orbit falls from above.
            let end = middle(to);
            let start = place_before(unit).unwrap_or((end.0 - 34.0, end.1 - 62.0));
            let dashes = if unit.at == Place::Orbit { "2 3" } else { "" };
            arrow(picture, start, end, &color, dashes, failed);
        }
        Order::Move { unit, to: Place::Orbit, .. } | Order::Retreat { unit, to: Place::Orbit } => {
            if let Some(start) = place_before(unit) {
                arrow(picture, start, (start.0 + 34.0, start.1 - 62.0), &color, "2 3", failed);
            }
        }
        Order::SupportHold { unit, other } => {
            if let (Some(start), Some(end)) = (place(atlas, unit), place(atlas, other)) {
                help(picture, start, end, &color, failed);
            }
        }
        Order::SupportMove { unit, other, to: Place::Earth(to), .. } => {
            let end = middle(to);
            let from = place_before(other).unwrap_or((end.0 - 34.0, end.1 - 62.0));
            if let Some(start) = place(atlas, unit) {
                help(picture, start, between(from, end, 0.6), &color, failed);
            }
        }
        Order::Convoy { unit, army, to } => {
            if let (Some(start), Some(from)) = (place(atlas, unit), place_before(army)) {
                help(
                    picture,
                    start,
                    between(from, middle(to.province().node()), 0.5),
                    &color,
                    failed,
                );
            }
        }
        Order::Colonize { unit, target } => {
            let at = target.map(|province| middle(province.node())).or_else(|| place_before(unit));
            if let Some((x, y)) = at {
                picture.circle(
                    x,
                    y,
                    14.0,
                    &format!(
                        r#"fill="none" stroke="{color}" stroke-width="2.4" stroke-dasharray="3 3""#
                    ),
                );
            }
        }
        Order::Build { unit: Site { at, .. } } => {
            let (x, y) = middle(at);
            picture.circle(x, y, 13.0, r##"fill="none" stroke="#1d8a3a" stroke-width="2.6""##);
        }
        Order::Remove { unit } | Order::Disband { unit } => {
            if let Some((x, y)) = place_before(unit) {
                cross(picture, x, y, 9.0);
            }
        }
        Order::Hold { unit } => {
            if let Some((x, y)) = place_before(unit) {
                picture.circle(
                    x,
                    y,
                    12.5,
                    &format!(r#"fill="none" stroke="{color}" stroke-width="1.6""#),
                );
            }
        }
        Order::SupportMove { .. } | Order::Waive => {}
    }
    if drawn.dislodged
        && let Some((x, y)) = drawn.order.unit().and_then(place_before)
    {
        picture.circle(x, y, 15.0, r##"fill="none" stroke="#d0021b" stroke-width="2.4""##);
    }
}

/// Where a unit was when it was ordered.
fn place_before(unit: Named) -> Option<(f64, f64)> {
    match unit.at {
        Place::Earth(node) => Some(middle(node)),
        Place::Orbit => None,
    }
}

fn between(start: (f64, f64), end: (f64, f64), part: f64) -> (f64, f64) {
    (start.0 + (end.0 - start.0) * part, start.1 + (end.1 - start.1) * part)
}

/// A line from one place to the other that leaves room for the units at its ends.
fn shortened(
    start: (f64, f64),
    end: (f64, f64),
    before: f64,
    after: f64,
) -> ((f64, f64), (f64, f64)) {
    let length = (end.0 - start.0).hypot(end.1 - start.1).max(1.0);
    let cut = |room: f64| (room / length).min(0.4);
    (between(start, end, cut(before)), between(start, end, 1.0 - cut(after)))
}

fn arrow(
    picture: &mut Picture,
    start: (f64, f64),
    end: (f64, f64),
    color: &str,
    dashes: &str,
    failed: bool,
) {
    let (start, end) = shortened(start, end, 10.0, if failed { 24.0 } else { 11.0 });
    for (shade, width) in [("#ffffff", 5.0), (color, 3.0)] {
        let tip = if shade == color { r#" marker-end="url(#tip)""# } else { "" };
        picture.raw(&format!(
            r#"<path d="M{:.1} {:.1}L{:.1} {:.1}" stroke="{shade}" stroke-width="{width}" stroke-dasharray="{dashes}" fill="none"{tip}/>"#,
            start.0, start.1, end.0, end.1
        ));
    }
    if failed {
        let (x, y) = between(start, end, 0.8);
        cross(picture, x, y, 6.0);
    }
}

/// A support or a convoy: dashed, with a dot at its end; a red cross if it was cut or did not
/// serve.
fn help(picture: &mut Picture, start: (f64, f64), end: (f64, f64), color: &str, failed: bool) {
    let (start, end) = shortened(start, end, 10.0, 2.0);
    picture.raw(&format!(
        r#"<path d="M{:.1} {:.1}L{:.1} {:.1}" stroke="{color}" stroke-width="2.2" stroke-dasharray="5 3.5" fill="none"/>"#,
        start.0, start.1, end.0, end.1
    ));
    picture.circle(end.0, end.1, 3.4, &format!(r#"fill="{color}""#));
    if failed {
        let (x, y) = between(start, end, 0.45);
        cross(picture, x, y, 5.5);
    }
}

fn cross(picture: &mut Picture, x: f64, y: f64, size: f64) {
    for (shade, width) in [("#ffffff", 5.0), ("#d0021b", 2.8)] {
        picture.raw(&format!(
            r#"<path d="M{:.1} {:.1}L{:.1} {:.1}M{:.1} {:.1}L{:.1} {:.1}" stroke="{shade}" stroke-width="{width}" stroke-linecap="round"/>"#,
            x - size, y - size, x + size, y + size, x - size, y + size, x + size, y - size
        ));
    }
}

/// What the map is called by itself.
pub(super) fn legend(variant: Variant) -> Vec<&'static str> {
    let mut lines = vec![
        "arrow: move; red cross: failed",
        "dashes: support or convoy; red cross: cut or useless",
        "red ring: dislodged; dot: supply center",
    ];
    if variant == Variant::OuterSpace {
        lines.push("dotted arrow: beaming; dashed border: colony");
    }
    lines
}
