//! The right side of the picture: the powers with their centers and units, and what the signs mean.

use heliopause_diplomacy::{Kind, Named, Place};
use heliopause_kernel::Seat;

use super::atlas::{Atlas, Power};
use super::picture::token;
use crate::svg::{Column, Finish, Font, Mark, Picture};

/// With more powers than these the rows are narrow, and players are left out.
const MANY: usize = 24;

/// Draws the panel; answers where it ends.
pub(super) fn draw(picture: &mut Picture, atlas: &Atlas, from: (f64, f64), width: f64) -> f64 {
    let mut column = Column::new(picture, from, width);
    powers(&mut column, atlas);
    column.skip(24.0);
    legend(&mut column, atlas);
    column.bottom()
}

/// What is counted of a power.
#[derive(Clone, Copy)]
enum Count {
    Centers,
    Units,
    Orbit,
    Colonies,
}

impl Count {
    fn heading(self) -> &'static str {
        match self {
            Self::Centers => "centers",
            Self::Units => "units",
            Self::Orbit => "orbit",
            Self::Colonies => "colonies",
        }
    }

    fn of(self, atlas: &Atlas, seat: Seat) -> usize {
        let position = &atlas.table().position;
        match self {
            Self::Centers => position.centers_of(seat).len(),
            Self::Units => position.units_of(seat).count(),
            Self::Orbit => usize::from(position.orbit(seat)),
            Self::Colonies => position.colonies_of(seat).len(),
        }
    }
}

/// The columns, and where the middle of each is.
fn columns(atlas: &Atlas) -> &'static [(f64, Count)] {
    if atlas.is_in_space() {
        &[
            (160.0, Count::Centers),
            (206.0, Count::Units),
            (246.0, Count::Orbit),
            (292.0, Count::Colonies),
        ]
    } else {
        &[(200.0, Count::Centers), (260.0, Count::Units)]
    }
}

fn powers(column: &mut Column<'_>, atlas: &Atlas) {
    let palette = column.palette();
    let font = Font::new(12.0, palette.faint).centered();
    column.row(12.0, |sheet, (x, y)| {
        for (at, count) in columns(atlas) {
            sheet.text(x + at, y, font, count.heading());
        }
    });
    let step = if atlas.powers.len() > MANY { 17.0 } else { 20.0 };
    for power in &atlas.powers {
        column.row(step, |sheet, at| row(sheet, palette, atlas, power, at));
        if !power.player.is_empty() && atlas.powers.len() <= MANY {
            let player: String = power.player.chars().take(34).collect();
            let font = Font::new(10.0, palette.faint);
            column.row(11.0, |sheet, (x, y)| sheet.text(x + 22.0, y, font, &player));
        }
    }
}

fn row(
    sheet: &mut crate::svg::Sheet,
    palette: &crate::svg::Palette,
    atlas: &Atlas,
    power: &Power,
    (x, y): (f64, f64),
) {
    let is_out = atlas.table().eliminated.contains(power.seat);
    let shield = Finish::from(atlas.tint(palette, power.seat)).edge(palette.halo, 1.0);
    sheet.circle((x + 7.0, y - 5.0), 6.5, shield);
    let name = if atlas.is_in_space() {
        format!("{} {}", power.code, power.name)
    } else {
        power.name.clone()
    };
    let name: String = name.chars().take(17).collect();
    let color = if is_out { palette.faint } else { palette.text };
    let font = Font::new(14.0, color).bold_if(atlas.own() == Some(power.seat));
    sheet.text(x + 22.0, y, font, &name);
    for (at, count) in columns(atlas) {
        let number = count.of(atlas, power.seat);
        let text = number.to_string();
        let spot = (x + at, y);
        match count {
            Count::Orbit if number > 0 => {
                let mark = Mark::piece(Named::ORBITING, Place::Orbit).of(power.seat);
                let title = format!("Armies of {} in orbit: {number}", power.name);
                sheet.marked(&mark.titled(title), |sheet| {
                    sheet.text(spot.0, spot.1, font.centered(), &text);
                });
            }
            Count::Orbit | Count::Centers | Count::Units | Count::Colonies => {
                sheet.text(spot.0, spot.1, font.centered(), &text);
            }
        }
    }
}

fn legend(column: &mut Column<'_>, atlas: &Atlas) {
    let (palette, anybody) = (column.palette(), Seat::at(0));
    let color = atlas.color(palette, anybody);
    column.heading("Legend");
    for (kind, meaning) in [(Kind::Army, "army"), (Kind::Fleet, "fleet")] {
        column.sign(meaning, |sheet, spot| {
            let finish = Finish::fill(color).edge(palette.halo, 1.6);
            token(sheet, palette, spot, kind, finish, "");
        });
    }
    column.sign("supply center", |sheet, spot| {
        sheet.circle(spot, 3.6, Finish::fill(color).edge(palette.text, 1.1));
    });
    let line = Finish::line(color, 3.0);
    let (left, right) = (-14.0, 10.0);
    column.sign("move", |sheet, (x, y)| {
        sheet.arrow((x + left, y), (x + right, y), palette.halo, line);
    });
    column.sign("support or convoy", |sheet, (x, y)| {
        sheet.line((x + left, y), (x + right, y), Finish::line(color, 2.2).dashed("5 3.5"));
        sheet.circle((x + right, y), 3.4, Finish::fill(color));
    });
    column.sign("failed, cut, useless, or removed", |sheet, spot| {
        sheet.cross(spot, 6.0, palette.halo, palette.bad);
    });
    column.sign("holds", |sheet, spot| sheet.circle(spot, 9.0, Finish::line(color, 2.0)));
    column.sign("dislodged", |sheet, spot| {
        sheet.circle(spot, 9.0, Finish::line(palette.bad, 2.4));
    });
    column.sign("built", |sheet, spot| sheet.circle(spot, 9.0, Finish::line(palette.good, 2.6)));
    if atlas.is_in_space() {
        column.sign("beaming", |sheet, (x, y)| {
            sheet.arrow((x + left, y), (x + right, y), palette.halo, line.dashed("2 3"));
        });
        column.sign("colony", |sheet, (x, y)| {
            let edge = Finish::line(color, 3.0).dashed("7 4");
            sheet.rect((x - 10.0, y - 7.0), (20.0, 14.0), 0.0, edge);
        });
    }
}
