//! What the picture is made of: worlds, portals, storms, ships, names.

use heliopause_kernel::Seat;
use heliopause_star_empires::{Siege, WorldSeen};

use super::SIDE;
use crate::star_empires::atlas::{Atlas, Cell, Group, Portal};
use crate::star_empires::palette::color;
use crate::svg::Picture;

/// A place in the picture.
type Spot = (f64, f64);

/// Around text that stands on anything.
const HALO: &str =
    r##"paint-order="stroke" stroke="#080b16" stroke-width="2.6" stroke-linejoin="round""##;

/// A world: the larger the more it produces, in its owner's colour, ringed if it is a homeworld.
pub(super) fn world(picture: &mut Picture, (x, y): Spot, world: &WorldSeen) {
    let production = f64::from(world.production.min(40));
    let radius = (6.2 + 1.5 * production.sqrt()).min(13.0);
    match world.siege {
        Some(Siege::Blockaded) => {
            let style = r##"fill="none" stroke="#ffb03a" stroke-width="2" stroke-dasharray="4 3""##;
            picture.circle(x, y, radius + 4.5, style);
        }
        Some(Siege::Interdicted) => {
            picture.circle(
                x,
                y,
                radius + 4.5,
                r##"fill="none" stroke="#ff4d4d" stroke-width="2.6""##,
            );
        }
        Some(Siege::None) | None => {}
    }
    if world.homeworld {
        let style = format!(r#"fill="none" stroke="{}" stroke-width="1.3""#, color(world.owner));
        picture.circle(x, y, radius + 2.4, &style);
    }
    picture.circle(x, y, radius, &format!(r#"fill="{}""#, color(world.owner)));
    picture.circle(x, y, radius, r#"fill="url(#light)""#);
    let style = r##"font-size="9.5" font-weight="bold" fill="#0a0d18" text-anchor="middle""##;
    picture.text(x, y + 3.4, style, &world.production.to_string());
}

/// A portal: rings, the outer one broken; crossed out while it is collapsed.
pub(super) fn portal(picture: &mut Picture, (x, y): Spot, portal: &Portal, is_small: bool) {
    let radius = if is_small { 5.5 } else { 9.0 };
    let ink = if portal.navigable { "#c79bff" } else { "#8069b5" };
    let ring = format!(r#"fill="none" stroke="{ink}" stroke-width="1.6""#);
    picture.circle(x, y, radius, &format!(r#"{ring} stroke-dasharray="5 2""#));
    picture.circle(x, y, radius * 0.55, &ring);
    if portal.collapsed {
        let arm = radius * 0.9;
        let path = format!(
            "M{:.1} {:.1}l{d:.1} {d:.1}m0 -{d:.1}l-{d:.1} {d:.1}",
            x - arm,
            y - arm,
            d = 2.0 * arm
        );
        picture
            .raw(&format!(r##"<path d="{path}" stroke="#ff6b6b" stroke-width="2" fill="none"/>"##));
    }
}

/// The cloud of a storm or nebula.
pub(super) fn storm(picture: &mut Picture, (x, y): Spot, rating: u32) {
    let fill = if rating == 0 { "nebula" } else { "storm" };
    for (dx, dy, scale) in [(-6.0, 3.0, 0.86), (7.0, -5.0, 0.78), (2.0, 9.0, 0.62)] {
        picture.circle(x + dx, y + dy, SIDE * 0.86 * scale, &format!(r#"fill="url(#{fill})""#));
    }
}

/// The rating of a storm, between its arms; a nebula has none.
pub(super) fn rating(picture: &mut Picture, (x, y): Spot, rating: u32) {
    if rating == 0 {
        return;
    }
    let arms = format!(
        "M{:.1} {:.1}a9 9 0 0 1 13 -6M{:.1} {:.1}a9 9 0 0 1 -13 6",
        x - 9.0,
        y - 0.5,
        x + 9.0,
        y + 0.5
    );
    picture.raw(&format!(
        r##"<path d="{arms}" stroke="#ffd2b0" stroke-width="1.6" stroke-linecap="round" fill="none"/>"##
    ));
    let style = format!(
        r##"font-size="10" font-weight="bold" fill="#fff0e4" text-anchor="middle" {HALO}"##
    );
    picture.text(x, y + 3.5, &style, &rating.to_string());
}

/// A known way between two portals.
pub(super) fn way(picture: &mut Picture, from: Spot, to: Spot, is_one_way: bool) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(1.0);
    let (ux, uy) = (dx / length, dy / length);
    let (start, end) =
        ((from.0 + 10.0 * ux, from.1 + 10.0 * uy), (to.0 - 11.0 * ux, to.1 - 11.0 * uy));
    let bow = (length * 0.14).min(46.0);
    let bend = (f64::midpoint(from.0, to.0) - uy * bow, f64::midpoint(from.1, to.1) + ux * bow);
    let arrow = if is_one_way { r#" marker-end="url(#arrow)""# } else { "" };
    picture.raw(&format!(
        r##"<path d="M{:.1} {:.1}Q{:.1} {:.1} {:.1} {:.1}" stroke="#b48cff" stroke-width="1.6" stroke-dasharray="7 4" stroke-opacity="0.8" fill="none"{arrow}/>"##,
        start.0, start.1, bend.0, bend.1, end.0, end.1
    ));
}

/// Ships of each owner as an arrowhead with their number; wrecks as a cross.
pub(super) fn ships(picture: &mut Picture, atlas: &Atlas, (x, y): Spot, cell: &Cell) {
    let groups = atlas.groups(cell).into_iter().filter(|(_, group)| group.ships > 0);
    let groups: Vec<(Option<Seat>, Group)> = groups.collect();
    let wrecks: u32 = cell.ships.values().map(|group| group.wrecks).sum();
    let shown = groups.len().min(3);
    let badges = shown + usize::from(wrecks > 0);
    let step = if badges > 3 { 13.0 } else { 17.0 };
    let mut left = x - step * (super::panel::to_f64(badges) - 1.0) / 2.0;
    for (owner, group) in groups.iter().take(shown) {
        badge(picture, (left, y), *owner, group.ships);
        left += step;
    }
    if wrecks > 0 {
        wreck(picture, (left, y), wrecks);
    }
}

/// Ships of one owner.
pub(super) fn badge(picture: &mut Picture, (x, y): Spot, owner: Option<Seat>, ships: u32) {
    let points = [(x - 8.0, y + 4.5), (x - 3.6, y - 5.0), (x + 0.8, y + 4.5), (x - 3.6, y + 2.2)];
    let ink = if owner.is_none() { "#e8ebf5" } else { color(owner) };
    picture.polygon(&points, &format!(r##"fill="{ink}" stroke="#080b16" stroke-width="0.8""##));
    let style = format!(r#"font-size="9" font-weight="bold" fill="{ink}" {HALO}"#);
    picture.text(x + 1.6, y + 4.2, &style, &ships.to_string());
}

/// Wrecks of this turn.
pub(super) fn wreck(picture: &mut Picture, (x, y): Spot, wrecks: u32) {
    let path = format!("M{:.1} {:.1}l6 6m0 -6l-6 6", x - 7.0, y - 2.5);
    picture.raw(&format!(
        r##"<path d="{path}" stroke="#ff7a7a" stroke-width="1.8" stroke-linecap="round"/>"##
    ));
    let style = format!(r##"font-size="9" fill="#ff9c9c" {HALO}"##);
    picture.text(x + 1.6, y + 4.2, &style, &wrecks.to_string());
}

/// A name below what it belongs to; one that is too long ends in dots.
pub(super) fn label(picture: &mut Picture, (x, y): Spot, name: &str, fill: &str) {
    let short = if name.chars().count() > 13 {
        name.chars().take(12).chain(['…']).collect()
    } else {
        name.to_owned()
    };
    let style = format!(r#"font-size="9" fill="{fill}" text-anchor="middle" {HALO}"#);
    picture.text(x, y, &style, &short);
}
