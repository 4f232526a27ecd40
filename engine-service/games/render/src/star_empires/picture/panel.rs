//! The panel beside the map: the empires with what is known of them, and the legend.

use std::collections::BTreeMap;

use heliopause_kernel::Seat;
use heliopause_star_empires::{Coord, Name, Siege, WorldSeen};

use super::symbols;
use crate::star_empires::atlas::{Atlas, Portal, spoken};
use crate::svg::{Column, Finish, Font, Picture, Tint, hexagon};

/// Draws the panel; answers where it ends.
pub(super) fn draw(picture: &mut Picture, atlas: &Atlas, from: (f64, f64), width: f64) -> f64 {
    let mut column = Column::new(picture, from, width);
    if !atlas.empires.is_empty() {
        empires(&mut column, atlas, width);
        column.skip(20.0);
    }
    legend(&mut column);
    column.bottom()
}

fn empires(column: &mut Column<'_>, atlas: &Atlas, width: f64) {
    let palette = column.palette();
    let mut owned: BTreeMap<Seat, (u32, u32)> = BTreeMap::new();
    for world in atlas.cells.values().filter_map(|cell| cell.world.as_ref()) {
        if let Some(owner) = world.owner {
            let (worlds, production) = owned.entry(owner).or_default();
            *worlds += 1;
            *production += world.production;
        }
    }
    column.heading("Empires");
    for (seat, empire) in &atlas.empires {
        let (worlds, production) = owned.get(seat).copied().unwrap_or_default();
        let name: String = spoken(empire.name).chars().take(20).collect();
        let font = Font::new(13.0, palette.text).bold_if(Some(*seat) == atlas.seat);
        let small = Font::new(12.0, palette.faint).at_end();
        column.row(20.0, |sheet, (x, y)| {
            sheet.rect((x, y - 9.5), (11.0, 11.0), 2.5, palette.tint(*seat).into());
            sheet.text(x + 18.0, y, font, &format!("{} {name}", empire.code));
            sheet.text(x + width, y, small, &format!("{worlds} · {production} RU"));
        });
    }
}

fn world(owner: Option<Seat>, homeworld: bool, siege: Siege) -> WorldSeen {
    let (at, name) = (Coord::default(), Name::NONE);
    WorldSeen { at, name, production: 6, owner, stockpile: None, homeworld, siege: Some(siege) }
}

fn legend(column: &mut Column<'_>) {
    let palette = column.palette();
    let anybody = Some(Seat::at(0));
    column.heading("Legend");
    let worlds = [
        (world(None, false, Siege::None), "world and its production; nobody's"),
        (world(anybody, true, Siege::None), "homeworld, in its owner's colour"),
        (world(anybody, false, Siege::Blockaded), "blockaded"),
        (world(anybody, false, Siege::Interdicted), "interdicted"),
    ];
    for (world, meaning) in &worlds {
        column.sign(meaning, |sheet, spot| symbols::world(sheet, palette, spot, world));
        column.skip(4.0);
    }
    for (collapsed, meaning) in
        [(false, "portal; its known exits are dashed"), (true, "collapsed portal")]
    {
        let portal = Portal { name: Name::NONE, collapsed, navigable: true };
        column.sign(meaning, |sheet, spot| symbols::portal(sheet, palette, spot, &portal, false));
    }
    column.sign("ion storm and its rating", |sheet, spot| {
        sheet.circle(spot, 13.0, Tint::Shade("storm").into());
        symbols::rating(sheet, palette, spot, 6);
    });
    column.sign("nebula, or dormant storm", |sheet, spot| {
        sheet.circle(spot, 14.0, Tint::Shade("nebula").into());
    });
    column.sign("ships; unidentified ones have no colour", |sheet, spot| {
        symbols::badge(sheet, palette, spot, anybody, 3);
    });
    column.sign("move of the last turn", |sheet, (x, y)| {
        let line = Finish::line(palette.owner(anybody), 2.2);
        sheet.bow((x - 13.0, y + 3.0), (x + 10.0, y + 3.0), -4.0, true, line);
    });
    column.sign("wrecks of this turn", |sheet, spot| symbols::wreck(sheet, palette, spot, 2));
    grounds(column);
}

/// How well sectors are known.
fn grounds(column: &mut Column<'_>) {
    let fields = &column.palette().fields;
    let grounds = [
        (Tint::Flat(fields.seen.fill), fields.seen.edge, "seen"),
        (Tint::Flat(fields.known.fill), fields.known.edge, "scanned"),
        (Tint::Flat(fields.stale.fill), fields.stale.edge, "stale"),
        (Tint::Shade("hidden"), fields.known.edge, "hidden"),
    ];
    for (tint, edge, meaning) in grounds {
        column.sign(meaning, |sheet, spot| {
            sheet.polygon(&hexagon(spot, 11.0), Finish::from(tint).edge(edge, 1.3));
        });
    }
    let shared = Finish::line(column.palette().good, 1.0).dashed("2 3");
    column.sign("known from shared data", |sheet, spot| {
        sheet.polygon(&hexagon(spot, 11.0), shared);
    });
}
