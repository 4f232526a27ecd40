//! The panel beside the map: the empires with what is known of them, and the legend.

use heliopause_kernel::Seat;
use heliopause_star_empires::{Coord, Name, Siege, WorldSeen};

use super::{TOP, symbols};
use crate::star_empires::atlas::{Atlas, Portal, spoken};
use crate::star_empires::palette::color;
use crate::svg::{Picture, hexagon};

/// More empires than these are only counted.
const EMPIRES_MAX: usize = 24;
/// How high the legend is.
const LEGEND: f64 = 400.0;
const ROW: f64 = 20.0;

/// How high a picture must be for this panel.
pub(super) fn height(atlas: &Atlas) -> f64 {
    TOP + ROW * to_f64(atlas.empires.len().min(EMPIRES_MAX + 1)) + LEGEND + 40.0
}

/// A small number for drawing.
pub(super) fn to_f64(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}

/// Draws the panel.
pub(super) fn draw(picture: &mut Picture, atlas: &Atlas, x: f64) {
    let mut y = TOP;
    if !atlas.empires.is_empty() {
        heading(picture, x, y, "Empires");
    }
    for (seat, empire) in atlas.empires.iter().take(EMPIRES_MAX) {
        y += ROW;
        let worlds = || {
            atlas
                .cells
                .values()
                .filter_map(|cell| cell.world.as_ref())
                .filter(|world| world.owner == Some(*seat))
        };
        let production: u32 = worlds().map(|world| world.production).sum();
        picture.raw(&format!(
            r#"<rect x="{x:.1}" y="{:.1}" width="11" height="11" rx="2.5" fill="{}"/>"#,
            y - 9.5,
            color(Some(*seat))
        ));
        let name: String = spoken(empire.name).chars().take(20).collect();
        let weight = if Some(*seat) == atlas.seat { r#" font-weight="bold""# } else { "" };
        let style = format!(r##"font-size="13" fill="#e8ecfb"{weight}"##);
        picture.text(x + 18.0, y, &style, &format!("{} {name}", empire.code));
        let known = format!("{} · {production} RU", worlds().count());
        picture.text(x + 270.0, y, r##"font-size="12" fill="#97a2c9" text-anchor="end""##, &known);
    }
    let more = atlas.empires.len().saturating_sub(EMPIRES_MAX);
    if more > 0 {
        y += ROW;
        picture.text(
            x + 18.0,
            y,
            r##"font-size="12" fill="#97a2c9""##,
            &format!("and {more} more"),
        );
    }
    legend(picture, x, y + 42.0);
}

fn heading(picture: &mut Picture, x: f64, y: f64, text: &str) {
    picture.text(x, y, r##"font-size="15" font-weight="bold" fill="#f2f4ff""##, text);
}

fn entry(picture: &mut Picture, x: f64, y: f64, text: &str) {
    picture.text(x + 34.0, y + 4.0, r##"font-size="12.5" fill="#b9c2e0""##, text);
}

fn world(owner: Option<Seat>, homeworld: bool, siege: Siege) -> WorldSeen {
    let (at, name) = (Coord::default(), Name::NONE);
    WorldSeen { at, name, production: 6, owner, stockpile: None, homeworld, siege: Some(siege) }
}

fn legend(picture: &mut Picture, x: f64, top: f64) {
    heading(picture, x, top, "Legend");
    let middle = x + 14.0;
    let row = |index: usize| top + 24.0 + 26.0 * to_f64(index);
    let anybody = Some(Seat::at(0));
    let worlds = [
        (world(None, false, Siege::None), "world and its production; nobody's"),
        (world(anybody, true, Siege::None), "homeworld, in its owner's colour"),
        (world(anybody, false, Siege::Blockaded), "blockaded"),
        (world(anybody, false, Siege::Interdicted), "interdicted"),
    ];
    for (index, (world, text)) in worlds.iter().enumerate() {
        symbols::world(picture, (middle, row(index)), world);
        entry(picture, x, row(index), text);
    }
    let portal = |collapsed| Portal { name: Name::NONE, collapsed, navigable: true };
    symbols::portal(picture, (middle, row(4)), &portal(false), false);
    entry(picture, x, row(4), "portal; its known exits are dashed");
    symbols::portal(picture, (middle, row(5)), &portal(true), false);
    entry(picture, x, row(5), "collapsed portal");
    picture.circle(middle, row(6), 13.0, r#"fill="url(#storm)""#);
    symbols::rating(picture, (middle, row(6)), 6);
    entry(picture, x, row(6), "ion storm and its rating");
    picture.circle(middle, row(7), 14.0, r#"fill="url(#nebula)""#);
    entry(picture, x, row(7), "nebula, or dormant storm");
    symbols::badge(picture, (middle, row(8)), anybody, 3);
    entry(picture, x, row(8), "ships; white is unidentified");
    symbols::wreck(picture, (middle, row(9)), 2);
    entry(picture, x, row(9), "wrecks of this turn");
    grounds(picture, x, row(10) + 4.0);
}

/// How well sectors are known, side by side.
fn grounds(picture: &mut Picture, x: f64, y: f64) {
    let grounds = [
        ("#2a3a69", "#8ea4e6", "seen"),
        ("#1b2646", "#465688", "scanned"),
        ("#0f1529", "#252f50", "stale"),
        ("url(#hidden)", "#39436d", "hidden"),
    ];
    for (index, (fill, edge, text)) in grounds.iter().enumerate() {
        let left = x + 14.0 + 68.0 * to_f64(index);
        picture.polygon(
            &hexagon(left, y, 14.0),
            &format!(r#"fill="{fill}" stroke="{edge}" stroke-width="1.3""#),
        );
        let style = r##"font-size="12" fill="#b9c2e0" text-anchor="middle""##;
        picture.text(left, y + 28.0, style, text);
    }
    let style = r##"fill="none" stroke="#9fd8c4" stroke-width="1" stroke-dasharray="2 3""##;
    picture.polygon(&hexagon(x + 14.0, y + 52.0, 12.0), style);
    entry(picture, x, y + 52.0, "known from shared data");
}
