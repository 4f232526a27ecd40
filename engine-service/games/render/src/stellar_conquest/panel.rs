//! What stands beside the map in the picture: players, ships, colonies, legend.

use heliopause_kernel::Seat;
use heliopause_stellar_conquest::fate::tables::Sector;
use heliopause_stellar_conquest::{Colour, Stage};

use super::atlas::{Atlas, Group, Settled};
use super::{campaign, palette, politics, symbols, words};
use crate::svg::{Color, Column, Finish, Palette, Picture, Tint};

/// Draws the panel; answers where it ends.
pub(super) fn draw(picture: &mut Picture, atlas: &Atlas, from: (f64, f64), width: f64) -> f64 {
    let mut column = Column::new(picture, from, width);
    players(&mut column, atlas);
    situation(&mut column, atlas);
    sectors(&mut column, atlas);
    let palette = column.palette();
    list(&mut column, "Your ships", &own_ships(palette, atlas));
    let others = if atlas.own().is_some() { "Others' ships" } else { "Ships" };
    list(&mut column, others, &other_ships(palette, atlas));
    stars(&mut column);
    signs(&mut column, atlas);
    column.bottom()
}

fn players(column: &mut Column<'_>, atlas: &Atlas) {
    let table = &atlas.view.table;
    column.heading("Players");
    for seat in Seat::first(table.seats()) {
        let turn = if table.active == seat && table.stage != Stage::Over { "▶ " } else { "" };
        let own = if atlas.is_own(seat) { " (you)" } else { "" };
        let color = palette::seat_color(column.palette(), table, seat);
        column.lines(13.5, color, true, &format!("{turn}{}{own}", atlas.name(seat)));
    }
    column.skip(18.0);
}

/// The political situation, where there is one.
fn situation(column: &mut Column<'_>, atlas: &Atlas) {
    let color = column.palette().soft;
    let rows: Vec<_> = politics::sentences(atlas).into_iter().map(|told| (told, color)).collect();
    list(column, "Politics", &rows);
}

/// The sectors and what they score, where they do.
fn sectors(column: &mut Column<'_>, atlas: &Atlas) {
    let Some((_, power)) = atlas.own().filter(|_| atlas.view.table.campaign.fate().is_some())
    else {
        return;
    };
    let palette = column.palette();
    let row = |sector: Sector| {
        let held = campaign::held_in(power, sector).count();
        let (needed, points) = (sector.systems(), sector.points());
        let color = if held >= needed { palette.good } else { palette.soft };
        let name = campaign::sector_name(sector);
        (format!("{name}: {held} of {needed} systems, {points} points"), color)
    };
    list(column, "Sectors", &Sector::ALL.map(row));
}

fn list(column: &mut Column<'_>, title: &str, rows: &[(String, Color)]) {
    if rows.is_empty() {
        return;
    }
    column.heading(title);
    for (row, color) in rows {
        column.lines(12.0, *color, false, row);
    }
    column.skip(18.0);
}

/// The ships of the viewer, or of others, a row each.
fn rows_of(
    palette: &Palette,
    atlas: &Atlas,
    is_own: bool,
    told: impl Fn(&Group) -> String,
) -> Vec<(String, Color)> {
    let mut rows = Vec::new();
    for (at, sight) in &atlas.sights {
        for group in sight.groups.iter().filter(|group| atlas.is_own(group.seat) == is_own) {
            let color = palette::seat_color(palette, &atlas.view.table, group.seat);
            rows.push((format!("{}: {}", words::place(*at), told(group)), color));
        }
    }
    rows
}

fn own_ships(palette: &Palette, atlas: &Atlas) -> Vec<(String, Color)> {
    rows_of(palette, atlas, true, |group| {
        let bound: Vec<String> = group.bound.iter().map(|(star, _)| star.to_string()).collect();
        let fleet = group.fleet.map_or_else(String::new, words::fleet);
        if bound.is_empty() { fleet } else { format!("{fleet} to {}", words::row(&bound)) }
    })
}

fn other_ships(palette: &Palette, atlas: &Atlas) -> Vec<(String, Color)> {
    rows_of(palette, atlas, false, |group| {
        let what = group.fleet.map_or_else(|| "unknown".to_owned(), words::fleet);
        if group.age == 0 { what } else { format!("{what}, seen {}", words::age(group.age)) }
    })
}

fn stars(column: &mut Column<'_>) {
    let palette = column.palette();
    column.heading("Legend");
    for (colour, color) in Colour::ALL.into_iter().zip(palette.bodies.stars) {
        let meaning = match colour {
            Colour::Blue => "blue star, explored",
            Colour::Green => "green star, unexplored",
            Colour::Yellow | Colour::Orange | Colour::Red => colour.as_str(),
        };
        column.sign(meaning, |sheet, spot| {
            sheet.circle(spot, 10.0, symbols::glow(colour).into());
            symbols::star(sheet, palette, spot, color, colour == Colour::Blue);
        });
    }
    let note = "T terran, ST sub-terran, MT minimal terran, B barren; * mineral-rich";
    column.skip(4.0);
    column.lines(12.0, palette.soft, false, note);
}

fn signs(column: &mut Column<'_>, atlas: &Atlas) {
    let palette = column.palette();
    let table = &atlas.view.table;
    let [own, other] = [0, 1].map(|nth| palette.owner(Seat::at(nth)));
    let settled = |conqueror| Settled {
        seat: Seat::at(0),
        planet: None,
        conqueror,
        people: Some(20),
        besieged: false,
        shield: false,
    };
    let colonies = [
        (None, "colony, its millions; white ring: shielded, red: besieged"),
        (Some(Seat::at(1)), "held by conquest"),
    ];
    for (conqueror, meaning) in colonies {
        column.sign(meaning, |sheet, spot| {
            symbols::colony(sheet, palette, table, spot, &settled(conqueror));
        });
    }
    column.sign("command post", |sheet, (x, y)| {
        sheet.flag((x + 5.0, y), palette.text, Finish::fill(own));
    });
    column.sign("your ships", |sheet, spot| symbols::arrowhead(sheet, spot, own, true));
    column.sign("others; ~2: seen 2 turns ago", |sheet, spot| {
        symbols::arrowhead(sheet, spot, other, false);
    });
    column.sign("bound for a star", |sheet, (x, y)| {
        sheet.line((x - 12.0, y), (x + 12.0, y), Finish::line(own, 1.6).dashed("5 4"));
    });
    let square = |(x, y): (f64, f64)| (x - 6.0, y - 5.0);
    column.sign("gas and dust cloud", |sheet, spot| {
        sheet.rect(square(spot), (12.0, 11.0), 0.0, Tint::Shade("gas").into());
    });
    column.sign("in command range", |sheet, spot| {
        let field = palette.fields.known;
        let finish = Finish::fill(field.fill).edge(field.edge, 0.9);
        sheet.rect(square(spot), (12.0, 11.0), 0.0, finish);
    });
    if table.campaign.fate().is_some() {
        column.sign("border of a sector", |sheet, (x, y)| {
            let line = Finish::line(palette.warning, 2.0).dashed("7 4");
            sheet.line((x - 12.0, y), (x + 12.0, y), line);
        });
    }
    if table.campaign.politics().is_some() {
        let rings = [
            (Finish::line(own, 2.2), "claimed"),
            (symbols::border(palette), "border"),
            (symbols::contested(palette), "contested"),
        ];
        for (ring, meaning) in rings {
            column.sign(meaning, |sheet, spot| sheet.circle(spot, 7.0, ring));
        }
    }
}
