//! What the picture is made of: worlds, portals, storms, ships, names.

use heliopause_kernel::Seat;
use heliopause_star_empires::{Coord, Siege, WorldSeen};

use super::{SIDE, Spot};
use crate::star_empires::atlas::{Atlas, Cell, Group, Portal};
use crate::svg::{Color, Finish, Font, Layer, Length, Mark, Palette, Picture, Sheet, Tint, to_f64};
use crate::text::count;

/// A world: the larger the more it produces, in its owner's colour, ringed if it is a homeworld.
pub(super) fn world(sheet: &mut Sheet, palette: &Palette, spot: Spot, world: &WorldSeen) {
    let production = f64::from(world.production.min(40));
    let radius = (6.2 + 1.5 * production.sqrt()).min(13.0);
    let siege = match world.siege {
        Some(Siege::Blockaded) => Some(Finish::line(palette.warning, 2.0).dashed("4 3")),
        Some(Siege::Interdicted) => Some(Finish::line(palette.bad, 2.6)),
        Some(Siege::None) | None => None,
    };
    if let Some(ring) = siege {
        sheet.circle(spot, radius + 4.5, ring);
    }
    if world.homeworld {
        sheet.circle(spot, radius + 2.4, Finish::line(palette.owner(world.owner), 1.3));
    }
    sheet.circle(spot, radius, palette.tint(world.owner).into());
    sheet.circle(spot, radius, Tint::Shade("light").into());
    let font = Font::new(9.5, palette.on_owner).bold().centered();
    sheet.text(spot.0, spot.1 + 3.4, font, &world.production.to_string());
}

/// A portal: rings, the outer one broken; crossed out while it is collapsed.
pub(super) fn portal(
    sheet: &mut Sheet,
    palette: &Palette,
    spot: Spot,
    portal: &Portal,
    is_small: bool,
) {
    let radius = if is_small { 5.5 } else { 9.0 };
    let faint = palette.bodies.portal.towards(palette.page[1], 40);
    let ink = if portal.navigable { palette.bodies.portal } else { faint };
    sheet.circle(spot, radius, Finish::line(ink, 1.6).dashed("5 2"));
    sheet.circle(spot, radius * 0.55, Finish::line(ink, 1.6));
    if portal.collapsed {
        sheet.cross(spot, radius * 0.9, palette.halo, palette.bad);
    }
}

/// What a storm of this rating is called.
pub(super) fn storm_kind(rating: u32) -> &'static str {
    if rating == 0 { "nebula" } else { "ion storm" }
}

/// In which colour its name is.
pub(super) fn storm_color(palette: &Palette, rating: u32) -> Color {
    let body = if rating == 0 { palette.bodies.nebula } else { palette.bodies.storm };
    body.towards(palette.text, 45)
}

/// The cloud of a storm or nebula.
pub(super) fn cloud(sheet: &mut Sheet, (x, y): Spot, rating: u32) {
    let fill = if rating == 0 { "nebula" } else { "storm" };
    for (dx, dy, scale) in [(-6.0, 3.0, 0.86), (7.0, -5.0, 0.78), (2.0, 9.0, 0.62)] {
        sheet.circle((x + dx, y + dy), SIDE * 0.86 * scale, Tint::Shade(fill).into());
    }
}

/// The rating of a storm, between its arms; a nebula has none.
pub(super) fn rating(sheet: &mut Sheet, palette: &Palette, (x, y): Spot, rating: u32) {
    if rating == 0 {
        return;
    }
    let [left, above, right, below] = [x - 9.0, y - 0.5, x + 9.0, y + 0.5].map(Length);
    let arms = format!("M{left} {above}a9 9 0 0 1 13 -6M{right} {below}a9 9 0 0 1 -13 6");
    sheet.path(&arms, Finish::line(palette.warning, 1.6));
    let font = Font::new(10.0, palette.text).bold().centered().halo(palette.halo);
    sheet.text(x, y + 3.5, font, &rating.to_string());
}

/// A line between two places that leaves room for what is there.
pub(super) fn between(from: Spot, to: Spot, room: f64) -> (Spot, Spot) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(1.0);
    let (ux, uy) = (dx / length * room, dy / length * room);
    ((from.0 + ux, from.1 + uy), (to.0 - ux, to.1 - uy))
}

/// A known way between two portals.
pub(super) fn way(sheet: &mut Sheet, palette: &Palette, from: Spot, to: Spot, is_one_way: bool) {
    let (start, end) = between(from, to, 11.0);
    let bow = ((to.0 - from.0).hypot(to.1 - from.1) * 0.14).min(46.0);
    let line = Finish::line(palette.bodies.portal, 1.6).dashed("7 4").faint(0.8);
    sheet.bow(start, end, bow / 2.0, is_one_way, line);
}

/// Ships of each owner as an arrowhead with their number; wrecks as a cross.
pub(super) fn ships(picture: &mut Picture, atlas: &Atlas, (x, y): Spot, at: Coord, cell: &Cell) {
    if cell.ships.is_empty() {
        return;
    }
    let palette = picture.palette;
    let sheet = picture.on(Layer::Pieces);
    let groups = atlas.groups(cell).into_iter().filter(|(_, group)| group.ships > 0);
    let groups: Vec<(Option<Seat>, Group)> = groups.collect();
    let wrecks: u32 = cell.ships.values().map(|group| group.wrecks).sum();
    let shown = groups.len().min(3);
    let badges = shown + usize::from(wrecks > 0);
    let step = if badges > 3 { 15.5 } else { 17.0 };
    let mut left = x - step * (to_f64(badges) - 1.0) / 2.0;
    for (nth, (owner, group)) in groups.iter().enumerate() {
        let whose = owner.map_or_else(|| "unidentified".to_owned(), |seat| atlas.name(seat));
        let title =
            format!("{} of {whose}, {} t", count(group.ships as usize, "ship"), group.tonnage);
        let mark = Mark::group(at).of(*owner).titled(title);
        sheet.marked(&mark, |sheet| {
            let listed = owner.and_then(|seat| Some((seat, atlas.ships.get(&(at, seat))?)));
            for (seat, name) in
                listed.iter().flat_map(|(seat, all)| all.iter().map(|it| (*seat, it)))
            {
                sheet.member(&Mark::piece(name, at).of(seat));
            }
            if nth < shown {
                badge(sheet, palette, (left, y), *owner, group.ships);
            }
        });
        left += step;
    }
    if wrecks > 0 {
        let left = x + step * (to_f64(badges) - 1.0) / 2.0;
        let mark = Mark::group(at).titled(count(wrecks as usize, "wreck"));
        sheet.marked(&mark, |sheet| wreck(sheet, palette, (left, y), wrecks));
    }
}

/// Ships of one owner.
pub(super) fn badge(
    sheet: &mut Sheet,
    palette: &Palette,
    (x, y): Spot,
    owner: Option<Seat>,
    ships: u32,
) {
    let points = [(x - 8.0, y + 4.5), (x - 3.6, y - 5.0), (x + 0.8, y + 4.5), (x - 3.6, y + 2.2)];
    let (tint, ink) = match owner {
        Some(_) => (palette.tint(owner), palette.owner(owner)),
        None => (Tint::Flat(palette.text), palette.text),
    };
    sheet.polygon(&points, Finish::from(tint).edge(palette.halo, 0.8));
    let font = Font::new(9.0, ink).bold().halo(palette.halo);
    sheet.text(x + 1.6, y + 4.2, font, &ships.to_string());
}

/// Wrecks of this turn.
pub(super) fn wreck(sheet: &mut Sheet, palette: &Palette, (x, y): Spot, wrecks: u32) {
    sheet.cross((x - 4.0, y + 0.5), 3.0, palette.halo, palette.bad);
    let font = Font::new(9.0, palette.bad).halo(palette.halo);
    sheet.text(x + 1.6, y + 4.2, font, &wrecks.to_string());
}
