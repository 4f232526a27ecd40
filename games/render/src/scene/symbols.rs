//! Draws the symbols of places and pieces in pictures.

use super::picture::{Drawer, Spot};
use super::{ScenePiece, ScenePlace, has};
use crate::svg::{Color, Font, Length, Palette, ShapeStyle, Sheet, Tint};

/// The names of the star colors, in the order of the palette.
pub(super) const STARS: [&str; 5] = ["blue", "green", "yellow", "orange", "red"];

/// The kinds of bodies that are shaded balls.
pub(super) const BALLS: [&str; 5] = ["earth", "friendly", "hostile", "dead", "death-star"];

impl Drawer<'_> {
    pub(super) fn body(&self, sheet: &mut Sheet, place: &ScenePlace, spot: Spot) {
        let palette = self.palette;
        let is = |state: &str| has(&place.states, state);
        let size = place_size(place);
        match place.kind.as_str() {
            "star" => self.star(sheet, place, spot),
            "death-star" => {
                ball(sheet, spot, size, &place.kind);
                let eye = ShapeStyle::fill(palette.halo).edge(palette.bad, 1.0);
                sheet.circle((spot.0 - 5.0, spot.1 - 5.0), 4.0, eye);
            }
            "asteroids" => asteroids(sheet, palette, spot),
            "world" | "homeworld" => self.world(sheet, place, spot),
            "portal" => self.portal(sheet, place, spot),
            "storm" | "nebula" => self.cloud(sheet, place, spot),
            "center" => {
                let tint = if place.owner.is_some() {
                    self.tint(place.owner)
                } else {
                    Tint::Flat(palette.nobody)
                };
                sheet.circle(spot, size, ShapeStyle::from(tint).edge(palette.text, 1.1));
            }
            "unknown" => {
                let font = Font::new(30.0, palette.faint).centered();
                sheet.text(spot.0, spot.1 + 12.0, font, "?");
            }
            "coast" => sheet.circle(spot, 12.0, Tint::Clear.into()),
            kind => ball(sheet, spot, size, kind),
        }
        if is("secret") && size > 0.0 {
            let ring = ShapeStyle::line(palette.faint, 1.0).dashed("3 3");
            sheet.circle(spot, size + 3.0, ring);
        }
    }

    pub(super) fn token(&self, sheet: &mut Sheet, piece: &ScenePiece, (x, y): Spot) {
        let palette = self.palette;
        let solid = ShapeStyle::from(self.tint(piece.owner));
        match piece.kind.as_str() {
            "army" => self.army(sheet, piece, (x, y)),
            "fleet" => self.fleet(sheet, piece, (x, y)),
            "ship" | "base" => self.ship(sheet, piece, (x, y)),
            "ships" | "waiting" if is_free(piece) => self.tag(sheet, piece, (x, y)),
            "ships" => self.ships(sheet, piece, (x, y)),
            "wreck" => {
                sheet.cross((x - 4.0, y + 0.5), 3.0, palette.halo, palette.bad);
                let font = Font::new(9.0, palette.bad).halo(palette.halo);
                sheet.text(x + 1.6, y + 4.2, font, &piece.count.to_string());
            }
            "colony" => self.colony(sheet, piece, (x, y)),
            "post" => sheet.flag((x, y), palette.text, solid),
            "flag" => {
                let mast = ShapeStyle::line(palette.text, 1.2);
                sheet.line((x, y - 6.0), (x, y + 8.0), mast);
                sheet.polygon(&[(x, y - 6.0), (x + 16.0, y - 1.5), (x, y + 3.0)], solid);
                let font = Font::new(7.0, palette.on_owner).bold();
                sheet.text(x + 1.5, y + 1.0, font, &piece.label);
            }
            _ => {
                let font =
                    Font::new(11.0, self.owner(piece.owner)).bold().halo(palette.halo).centered();
                sheet.text(x, y + 4.0, font, &piece.label);
            }
        }
    }

    fn letters(&self, piece: &ScenePiece) -> Font {
        let size = if piece.label.len() > 2 { 7.0 } else { 9.0 };
        Font::new(size, self.palette.on_owner).bold().centered()
    }

    fn star(&self, sheet: &mut Sheet, place: &ScenePlace, spot: Spot) {
        let palette = self.palette;
        let is = |state: &str| has(&place.states, state);
        let index = STARS.iter().position(|name| *name == place.color).unwrap_or_default();
        let color = palette.bodies.stars[index];
        sheet.circle(spot, 15.0, Tint::Shade(STARS[index]).into());
        if place.owner.is_some() {
            sheet.circle(spot, 11.0, ShapeStyle::line(self.owner(place.owner), 2.2));
        }
        if is("border") {
            let line = ShapeStyle::line(palette.warning, 1.4).dashed("1.5 3");
            sheet.circle(spot, 15.5, line);
        }
        if is("contested") {
            let line = ShapeStyle::line(palette.bad, 2.4).dashed("4 2.5");
            sheet.circle(spot, 15.5, line);
        }
        if is("explored") {
            sheet.circle(spot, 4.6, ShapeStyle::fill(color).edge(palette.text, 1.4));
        } else {
            let hollow = ShapeStyle::fill(palette.fields.stale.fill);
            sheet.circle(spot, 5.5, hollow.edge(color, 1.6));
        }
    }

    fn world(&self, sheet: &mut Sheet, place: &ScenePlace, spot: Spot) {
        let palette = self.palette;
        let is = |state: &str| has(&place.states, state);
        let size = place_size(place);
        let value = place.value.unwrap_or_default();
        let color = self.owner(place.owner);
        if is("blockaded") {
            let line = ShapeStyle::line(palette.warning, 2.0).dashed("4 3");
            sheet.circle(spot, size + 4.5, line);
        }
        if is("interdicted") {
            sheet.circle(spot, size + 4.5, ShapeStyle::line(palette.bad, 2.6));
        }
        if place.kind == "homeworld" {
            sheet.circle(spot, size + 2.4, ShapeStyle::line(color, 1.3));
        }
        sheet.circle(spot, size, self.tint(place.owner).into());
        sheet.circle(spot, size, Tint::Shade("light").into());
        let font = Font::new(9.5, palette.on_owner).bold().centered();
        sheet.text(spot.0, spot.1 + 3.4, font, &value.to_string());
    }

    fn portal(&self, sheet: &mut Sheet, place: &ScenePlace, spot: Spot) {
        let palette = self.palette;
        let is = |state: &str| has(&place.states, state);
        let size = place_size(place);
        let faint = palette.bodies.portal.towards(palette.page[1], 40);
        let ink = if is("navigable") { palette.bodies.portal } else { faint };
        sheet.circle(spot, size, ShapeStyle::line(ink, 1.6).dashed("5 2"));
        sheet.circle(spot, size * 0.55, ShapeStyle::line(ink, 1.6));
        if is("collapsed") {
            sheet.cross(spot, size * 0.9, palette.halo, palette.bad);
        }
    }

    fn cloud(&self, sheet: &mut Sheet, place: &ScenePlace, spot: Spot) {
        let palette = self.palette;
        let value = place.value.unwrap_or_default();
        let radius = f64::from(self.scene.hex_radius) * 0.86;
        let shade = if place.kind == "storm" { "storm" } else { "nebula" };
        for (dx, dy, scale) in [(-6.0, 3.0, 0.86), (7.0, -5.0, 0.78), (2.0, 9.0, 0.62)] {
            let spot = (spot.0 + dx, spot.1 + dy);
            sheet.circle(spot, radius * scale, Tint::Shade(shade).into());
        }
        if value > 0 {
            let aside = if has(&place.states, "small") { 22.0 } else { 0.0 };
            rating(sheet, palette, (spot.0 + aside, spot.1), value);
        }
    }

    fn unit(&self, piece: &ScenePiece) -> ShapeStyle {
        let is_dislodged = has(&piece.states, "dislodged");
        let edge = if is_dislodged { self.palette.bad } else { self.palette.halo };
        ShapeStyle::from(self.tint(piece.owner)).edge(edge, 1.6)
    }

    fn army(&self, sheet: &mut Sheet, piece: &ScenePiece, (x, y): Spot) {
        let palette = self.palette;
        sheet.circle((x, y), 9.5, self.unit(piece));
        sheet.text(x, y + 2.9, self.letters(piece), &piece.label);
        if piece.count > 1 {
            let font = Font::new(11.0, self.owner(piece.owner)).bold().halo(palette.halo);
            sheet.text(x + 12.0, y + 4.0, font, &piece.count.to_string());
        }
    }

    fn fleet(&self, sheet: &mut Sheet, piece: &ScenePiece, (x, y): Spot) {
        let finish = self.unit(piece);
        let sails = [(x - 1.0, y - 10.0), (x - 1.0, y - 0.5), (x - 9.5, y - 0.5)];
        sheet.polygon(&sails, finish);
        let sails = [(x + 1.5, y - 7.5), (x + 1.5, y - 0.5), (x + 8.5, y - 0.5)];
        sheet.polygon(&sails, finish);
        let hull = [(x - 12.5, y), (x + 12.5, y), (x + 8.0, y + 9.0), (x - 8.0, y + 9.0)];
        sheet.polygon(&hull, finish);
        sheet.text(x, y + 7.4, self.letters(piece), &piece.label);
    }

    fn ship(&self, sheet: &mut Sheet, piece: &ScenePiece, (x, y): Spot) {
        let palette = self.palette;
        let is = |state: &str| has(&piece.states, state);
        let color = self.owner(piece.owner);
        let solid = ShapeStyle::from(self.tint(piece.owner));
        let hollow = ShapeStyle::fill(palette.fields.stale.fill);
        let (finish, ink) = match (is("disrupted"), is("out")) {
            (true, _) => (hollow.edge(color, 1.5).dashed("3 2"), color),
            (_, true) => (hollow.edge(color, 2.0), color),
            (false, false) => (solid.edge(palette.halo, 1.0), palette.on_owner),
        };
        if piece.kind == "base" {
            sheet.rect((x - 8.0, y - 8.0), (16.0, 16.0), 0.0, finish);
        } else {
            let (back, side) = (x - 9.0, x + 5.0);
            let (top, bottom) = (y - 7.0, y + 7.0);
            let hull = [(back, top), (side, top), (x + 11.0, y), (side, bottom), (back, bottom)];
            sheet.polygon(&hull, finish);
        }
        let font = Font::new(10.0, ink).bold().centered();
        sheet.text(x, y + 3.5, font, &piece.label);
    }

    fn tag(&self, sheet: &mut Sheet, piece: &ScenePiece, (x, y): Spot) {
        let palette = self.palette;
        let is = |state: &str| has(&piece.states, state);
        let color = self.owner(piece.owner);
        let (width, height) = piece_size(piece);
        let faint = if is("old") { 0.7 } else { 0.9 };
        let shape = ShapeStyle::fill(palette.halo).edge(color, 1.1).faint(faint);
        let (left, top) = (x - width, y - height);
        sheet.rect((left, top), (2.0 * width, 2.0 * height), 4.0, shape);
        let direction = if is("own") { 1.0 } else { -1.0 };
        let (x, y) = (left + 7.0, top + 7.0);
        let (base, tip) = (y + 3.8 * direction, y - 4.2 * direction);
        let head = [(x - 3.8, base), (x + 3.8, base), (x, tip)];
        sheet.polygon(&head, ShapeStyle::fill(color));
        sheet.text(left + 13.0, top + 10.2, token_font(color), &piece.label);
    }

    fn ships(&self, sheet: &mut Sheet, piece: &ScenePiece, (x, y): Spot) {
        let palette = self.palette;
        let known = piece.owner.is_some();
        let tint = if known { self.tint(piece.owner) } else { Tint::Flat(palette.text) };
        let points =
            [(x - 8.0, y + 4.5), (x - 3.6, y - 5.0), (x + 0.8, y + 4.5), (x - 3.6, y + 2.2)];
        sheet.polygon(&points, ShapeStyle::from(tint).edge(palette.halo, 0.8));
        let ink = if known { self.owner(piece.owner) } else { palette.text };
        let font = Font::new(9.0, ink).bold().halo(palette.halo);
        sheet.text(x + 1.6, y + 4.2, font, &piece.count.to_string());
    }

    fn colony(&self, sheet: &mut Sheet, piece: &ScenePiece, (x, y): Spot) {
        let palette = self.palette;
        let is = |state: &str| has(&piece.states, state);
        let solid = ShapeStyle::from(self.tint(piece.owner));
        sheet.circle((x, y), 8.5, solid.edge(palette.halo, 1.2));
        if piece.holder.is_some() {
            sheet.circle((x, y), 10.0, ShapeStyle::line(self.owner(piece.holder), 2.0));
        }
        if is("besieged") {
            let line = ShapeStyle::line(palette.bad, 2.0).dashed("3 2");
            sheet.circle((x, y), 10.0, line);
        }
        if is("shielded") {
            sheet.circle((x, y), 11.5, ShapeStyle::line(palette.text, 1.0));
        }
        sheet.text(x, y + 3.2, self.letters(piece), &piece.label);
    }
}

pub(super) fn token_font(color: Color) -> Font {
    Font::new(9.0, color).bold()
}

/// Returns whether a token may be placed beside its point.
pub(super) fn is_free(piece: &ScenePiece) -> bool {
    ["ships", "waiting"].contains(&piece.kind.as_str()) && !piece.label.is_empty()
}

/// Returns half the width and height of a token.
pub(super) fn piece_size(piece: &ScenePiece) -> (f64, f64) {
    match piece.kind.as_str() {
        _ if is_free(piece) => {
            (f64::midpoint(17.0, token_font(Color::new(0)).width(&piece.label)), 6.5)
        }
        "army" | "fleet" => (12.5, 11.0),
        "colony" => (11.5, 11.5),
        _ => (9.0, 8.0),
    }
}

pub(super) fn place_size(place: &ScenePlace) -> f64 {
    match place.kind.as_str() {
        "earth" | "death-star" => 16.0,
        "friendly" | "hostile" | "asteroids" => 15.0,
        "dead" => 13.0,
        "world" | "homeworld" => {
            let production = f64::from(place.value.unwrap_or_default().clamp(0, 40));
            (6.2 + 1.5 * production.sqrt()).min(13.0)
        }
        "portal" if has(&place.states, "small") => 5.5,
        "portal" => 9.0,
        "star" => 7.0,
        "center" => 3.6,
        _ => 0.0,
    }
}

/// Draws a shaded ball if this kind of body is one.
pub(super) fn ball(sheet: &mut Sheet, spot: Spot, radius: f64, kind: &str) {
    if let Some(shade) = BALLS.into_iter().find(|ball| *ball == kind) {
        sheet.circle(spot, radius, Tint::Shade(shade).into());
    }
}

pub(super) fn asteroids(sheet: &mut Sheet, palette: &Palette, (x, y): Spot) {
    let rock = ShapeStyle::fill(palette.bodies.rock).edge(palette.halo, 1.0);
    for (dx, dy, size) in
        [(-10.0, -3.0, 4.5), (2.0, -8.0, 3.0), (8.0, 2.0, 5.0), (-3.0, 7.0, 3.5), (11.0, -9.0, 2.0)]
    {
        sheet.circle((x + dx, y + dy), size, rock);
    }
}

/// Draws the rating of a storm between its arms.
pub(super) fn rating(sheet: &mut Sheet, palette: &Palette, (x, y): Spot, rating: i32) {
    let [left, above, right, below] = [x - 9.0, y - 0.5, x + 9.0, y + 0.5].map(Length);
    let arms = format!("M{left} {above}a9 9 0 0 1 13 -6M{right} {below}a9 9 0 0 1 -13 6");
    sheet.path(&arms, ShapeStyle::line(palette.warning, 1.6));
    let font = Font::new(10.0, palette.text).bold().centered().halo(palette.halo);
    sheet.text(x, y + 3.5, font, &rating.to_string());
}
