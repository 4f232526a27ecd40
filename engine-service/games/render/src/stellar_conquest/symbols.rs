//! What the picture is made of: stars, colonies, flags, ships.

use heliopause_kernel::Seat;
use heliopause_stellar_conquest::{Colour, Table};

use super::atlas::{Group, Settled};
use super::grid::Spot;
use super::{palette, words};
use crate::svg::{Area, Color, Finish, Font, Palette, Sheet, Tint};

/// The letters on tokens.
fn token_font(color: Color) -> Font {
    Font::new(9.0, color).bold()
}

/// The ring of a star over which powers are at odds.
pub(super) fn contested(palette: &Palette) -> Finish {
    Finish::line(palette.bad, 2.4).dashed("4 2.5")
}

/// The ring of a star on a border.
pub(super) fn border(palette: &Palette) -> Finish {
    Finish::line(palette.warning, 1.4).dashed("1.5 3")
}

/// The glow of a star by its colour.
pub(super) fn glow(colour: Colour) -> Tint {
    Tint::Shade(colour.as_str())
}

/// The star itself: full if it is explored.
pub(super) fn star(sheet: &mut Sheet, palette: &Palette, spot: Spot, color: Color, explored: bool) {
    if explored {
        sheet.circle(spot, 4.6, Finish::fill(color).edge(palette.text, 1.4));
    } else {
        sheet.circle(spot, 5.5, Finish::fill(palette.fields.stale.fill).edge(color, 1.6));
    }
}

/// A colony with its people.
pub(super) fn colony(
    sheet: &mut Sheet,
    palette: &Palette,
    table: &Table,
    spot: Spot,
    colony: &Settled,
) {
    sheet.circle(spot, 8.5, seat_finish(palette, table, colony.seat).edge(palette.halo, 1.2));
    if let Some(by) = colony.conqueror {
        sheet.circle(spot, 10.0, Finish::line(palette::seat_color(palette, table, by), 2.0));
    }
    if colony.besieged {
        sheet.circle(spot, 10.0, Finish::line(palette.bad, 2.0).dashed("3 2"));
    }
    if colony.shield {
        sheet.circle(spot, 11.5, Finish::line(palette.text, 1.0));
    }
    let people = colony.people.map_or_else(|| "?".to_owned(), |people| people.to_string());
    let font = Font::new(9.0, palette.on_owner).bold().centered();
    sheet.text(spot.0, spot.1 + 3.2, font, &people);
}

/// A seat's colour as it fills a shape.
pub(super) fn seat_finish(palette: &Palette, table: &Table, seat: Seat) -> Finish {
    Finish::fill(palette::seat_color(palette, table, seat))
}

/// What a token of ships says: what they are, and how old that news is.
pub(super) fn said(group: &Group) -> String {
    let what = group.fleet.map_or_else(|| "?".to_owned(), words::fleet);
    if group.age > 0 { format!("{what} ~{}", group.age) } else { what }
}

/// What a token covers whose middle is there.
pub(super) fn token_area((x, y): Spot, said: &str) -> Area {
    let width = 17.0 + token_font(Color::new(0)).width(said);
    Area { left: x - width / 2.0, top: y - 7.0, right: x + width / 2.0, bottom: y + 6.0 }
}

/// Ships: own ones with an arrow upwards, others with an arrow downwards.
pub(super) fn token(
    sheet: &mut Sheet,
    palette: &Palette,
    area: Area,
    color: Color,
    (said, is_old, is_own): (&str, bool, bool),
) {
    let box_of = Finish::fill(palette.halo).edge(color, 1.1).faint(if is_old { 0.7 } else { 0.9 });
    sheet.rect((area.left, area.top), (area.width(), area.height()), 4.0, box_of);
    arrowhead(sheet, (area.left + 7.0, area.top + 7.0), color, is_own);
    sheet.text(area.left + 13.0, area.top + 10.2, token_font(color), said);
}

/// Upwards for own ships, downwards for others'.
pub(super) fn arrowhead(sheet: &mut Sheet, (x, y): Spot, color: Color, is_own: bool) {
    let (base, tip) = if is_own { (3.8, -4.2) } else { (-3.8, 4.2) };
    let points = [(x - 3.8, y + base), (x + 3.8, y + base), (x, y + tip)];
    sheet.polygon(&points, Finish::fill(color));
}
