//! Draws scenes as SVG pictures.

use std::collections::{BTreeMap, HashSet};

use heliopause_kernel::Seat;

use super::symbols::{is_free, piece_size, place_size};
use super::{
    Scene, SceneArea, SceneLabel, SceneOutcome, ScenePath, ScenePiece, ScenePlace, SceneSight, has,
    scene_sign, spots,
};
use crate::svg::{
    Area, Color, Column, Font, LabelSpace, Layer, Length, Mark, Outline, Palette, Picture,
    ShapeStyle, Sheet, Theme, Tint, around, hexagon, stroke,
};

pub(super) type Spot = (f64, f64);

pub(super) const TOP: f64 = 78.0;
const MARGIN: f64 = 24.0;
pub(super) const PANEL_WIDTH: f64 = 320.0;

/// Draws a scene, with its panels and its legend on the right.
pub fn draw(scene: &Scene, theme: Theme) -> Picture {
    let seats = scene.seats.iter().map(|seat| seat.seat as usize).max().unwrap_or_default();
    Drawer::new(scene, theme).draw(Picture::new(theme, &scene.title, seats))
}

/// Draws only the board of a scene. With a ratio of width to height, the ground fills a picture of
/// this ratio; otherwise the heading is above the board.
pub fn draw_board(scene: &Scene, theme: Theme, ratio: Option<f64>) -> Picture {
    let seats = scene.seats.iter().map(|seat| seat.seat as usize).max().unwrap_or_default();
    let mut picture = Picture::new(theme, &scene.title, seats);
    let mut drawer = Drawer::new(scene, theme);
    drawer.board(&mut picture);
    let Area { left, top, right, bottom } = drawer.frame();
    let margin = |space| Area {
        left: left - MARGIN,
        top: top - space,
        right: right + MARGIN,
        bottom: bottom + MARGIN,
    };
    let area = if let Some(ratio) = ratio {
        let area = margin(MARGIN);
        let wide = area.width().max(area.height() * ratio);
        let high = area.height().max(area.width() / ratio);
        let middle = (f64::midpoint(left, right), f64::midpoint(top, bottom));
        Area::around(middle, wide / 2.0, high / 2.0)
    } else {
        drawer.heading(&mut picture, (left, top));
        margin(TOP)
    };
    drawer.framed(picture, area)
}

pub(super) struct Drawer<'a> {
    pub(super) palette: &'static Palette,
    pub(super) scene: &'a Scene,
    space: LabelSpace,
}

impl<'a> Drawer<'a> {
    pub(super) fn new(scene: &'a Scene, theme: Theme) -> Self {
        Self { palette: Palette::of(theme), scene, space: LabelSpace::default() }
    }

    fn draw(&mut self, mut picture: Picture) -> Picture {
        let scene = self.scene;
        self.board(&mut picture);
        let Area { left, top, right, bottom } = self.frame();
        self.heading(&mut picture, (left, top));
        let mut column = Column::new(&mut picture, (right + 18.0, top - TOP + 20.0), PANEL_WIDTH);
        for panel in scene.panels.iter().filter(|panel| !panel.folded) {
            self.panel(&mut column, panel);
        }
        self.legend(&mut column);
        let bottom = column.bottom().max(bottom) + MARGIN;
        let right = right + 18.0 + PANEL_WIDTH + MARGIN;
        self.framed(picture, Area { left: left - MARGIN, top: top - TOP, right, bottom })
    }

    fn board(&mut self, picture: &mut Picture) {
        let scene = self.scene;
        picture.define(&self.kinds());
        for area in &scene.areas {
            self.area(picture, area);
        }
        for path in &scene.paths {
            self.path(picture, path);
        }
        for place in &scene.places {
            self.place(picture, place);
        }
        for piece in scene.pieces.iter().filter(|piece| !is_free(piece)) {
            let area = reach(piece.x, piece.y, piece_size(piece));
            self.space.take(area);
            self.piece(picture, piece, (f64::from(piece.x), f64::from(piece.y)));
        }
        for piece in scene.pieces.iter().filter(|piece| is_free(piece)) {
            let spot = self.free_spot(piece);
            self.piece(picture, piece, spot);
        }
        self.labels(picture);
    }

    /// Returns the area of the board.
    fn frame(&self) -> Area {
        let frame = self.scene.frame.unwrap_or_default();
        let [left, top, width, height] =
            [frame.left, frame.top, frame.width, frame.height].map(f64::from);
        Area { left, top, right: left + width, bottom: top + height }
    }

    fn framed(&self, picture: Picture, area: Area) -> Picture {
        let picture = picture.framed(area);
        let is_starry = self.scene.frame.is_some_and(|frame| frame.starry);
        if is_starry { picture.starry() } else { picture }
    }

    /// Returns the kinds of places, the terrains and the sights that need gradients or patterns.
    fn kinds(&self) -> HashSet<&str> {
        let samples = self.scene.legend.iter().filter_map(|sign| match &sign.sample {
            Some(scene_sign::Sample::Place(place)) => Some(place),
            _ => None,
        });
        let places = self.scene.places.iter().chain(samples).map(|place| place.kind.as_str());
        let areas = self.scene.areas.iter().flat_map(|area| {
            let is_hidden = area.sight() == SceneSight::Hidden;
            [area.terrain.as_str(), if is_hidden { "hidden" } else { "" }]
        });
        places.chain(areas).collect()
    }

    pub(super) fn star(&self, color: &str) -> Color {
        self.palette.find(&format!("{color}-star")).unwrap_or_else(|| self.color("blue-star"))
    }

    pub(super) fn color(&self, name: &str) -> Color {
        self.palette.color(name)
    }

    pub(super) fn owner(&self, seat: Option<u32>) -> Color {
        let Some(number) = seat else { return self.color("nobody") };
        match self.special_color(number) {
            Some("enemy") => self.color("bad"),
            Some(power) => self.palette.power(power_index(power)),
            None => self.palette.owner(Seat::numbered(number)),
        }
    }

    pub(super) fn tint(&self, seat: Option<u32>) -> Tint {
        match seat.and_then(|number| self.special_color(number)) {
            Some(_) => Tint::Flat(self.owner(seat)),
            None => self.palette.tint(seat.and_then(Seat::numbered)),
        }
    }

    fn special_color(&self, seat: u32) -> Option<&str> {
        let seat = self.scene.seats.iter().find(|one| one.seat == seat)?;
        Some(seat.color.as_str()).filter(|color| !color.is_empty())
    }

    pub(super) fn field(&self, area: &SceneArea) -> ShapeStyle {
        let fill = |name: &str| ShapeStyle::fill(self.color(&format!("{name}-fill")));
        let flat = |name: &str| fill(name).edge(self.color(&format!("{name}-edge")), 1.0);
        let shaded = |shade, edge: &str, width| {
            ShapeStyle::from(Tint::Shade(shade)).edge(self.color(edge), width)
        };
        let in_reach = has(&area.states, "in-reach");
        match (area.terrain.as_str(), area.sight()) {
            ("sea" | "land", _) => flat(&area.terrain),
            ("barred", _) => shaded("barred", "barred-edge", 0.8),
            ("waste", _) => shaded("waste", "known-edge", 1.5),
            ("cloud", _) if in_reach => shaded("cloud", "seen-edge", 0.9),
            ("cloud", _) => shaded("cloud", "cloud-edge", 0.9),
            (_, SceneSight::Hidden) => shaded("hidden", "known-edge", 1.0),
            (_, SceneSight::Visible) => flat("seen"),
            (_, SceneSight::Stale) => flat("stale"),
            (_, SceneSight::Known | SceneSight::Unspecified) => flat("known"),
        }
    }

    fn area(&self, picture: &mut Picture, area: &SceneArea) {
        let mark = Mark::place(&area.name)
            .of(area.owner.or(area.claim).and_then(Seat::numbered))
            .titled(&area.title);
        let field = self.field(area);
        let spot = (f64::from(area.x), f64::from(area.y));
        let color = self.owner(area.owner);
        let tint = ShapeStyle::from(self.tint(area.owner));
        if area.outlines.is_empty() {
            let radius = f64::from(self.scene.hex_radius);
            let hex = |inset: f64| Outline::new(&hexagon((0.0, 0.0), radius - inset));
            picture.on(Layer::Places).place(&mark, &hex(0.9), spot, field);
            let sheet = picture.on(Layer::Regions);
            if area.owner.is_some() {
                if !has(&area.states, "owned-edge") {
                    sheet.outline(&hex(3.4), spot, tint.faint(0.17));
                }
                sheet.outline(&hex(3.4), spot, ShapeStyle::line(color, 2.4).faint(0.85));
            }
            if has(&area.states, "shared") {
                let line = ShapeStyle::line(self.color("good"), 0.9).dashed("2 3");
                sheet.outline(&hex(3.4), spot, line);
            }
            return;
        }
        let outlines: Vec<String> =
            area.outlines.iter().map(|outline| closed(&spots(&outline.points))).collect();
        if area.name.is_empty() {
            let sheet = picture.on(Layer::Ground);
            for outline in &outlines {
                sheet.path(outline, field);
            }
            return;
        }
        picture.on(Layer::Places).marked(&mark, |sheet| {
            for outline in &outlines {
                sheet.path(outline, field);
            }
        });
        let sheet = picture.on(Layer::Regions);
        for outline in &outlines {
            if area.owner.is_some() {
                sheet.path(outline, tint.faint(0.42));
            }
            if area.claim.is_some() {
                let edge = ShapeStyle::line(self.owner(area.claim), 3.0).dashed("7 4");
                sheet.path(outline, edge.faint(0.9));
            }
        }
    }

    fn place(&mut self, picture: &mut Picture, place: &ScenePlace) {
        let mark =
            Mark::place(&place.name).of(place.owner.and_then(Seat::numbered)).titled(&place.title);
        let size = place_size(place);
        self.space.take(reach(place.x, place.y, (size, size)));
        let spot = (f64::from(place.x), f64::from(place.y));
        picture.on(Layer::Bodies).marked(&mark, |sheet| self.body(sheet, place, spot));
    }

    /// Chooses a free position for a token at its point, or else above, below or beside it.
    fn free_spot(&mut self, piece: &ScenePiece) -> Spot {
        let (x, y) = (f64::from(piece.x), f64::from(piece.y));
        let (width, height) = piece_size(piece);
        let frame = self.scene.frame.unwrap_or_default();
        let (left, right) = (f64::from(frame.left), f64::from(frame.left + frame.width));
        let x = x.min(right - width).max(left + width);
        let is_star = self
            .scene
            .places
            .iter()
            .any(|place| place.kind == "star" && (place.x, place.y) == (piece.x, piece.y));
        let start = if is_star { -16.0 } else { 0.0 };
        let above = (0..4).map(|nth| (x, y + start - 14.0 * f64::from(nth)));
        let below = (1..4).map(|nth| (x, y - start + 14.0 * f64::from(nth)));
        let aside = [(x + width + 26.0, y), (x - width - 24.0, y)];
        let candidates = above.chain(below).chain(aside);
        let area = self.space.stand(candidates.map(|spot| Area::around(spot, width, height)));
        (f64::midpoint(area.left, area.right), f64::midpoint(area.top, area.bottom))
    }

    fn piece(&self, picture: &mut Picture, piece: &ScenePiece, spot: Spot) {
        let owner = piece.owner.and_then(Seat::numbered);
        let mark = if piece.name.is_empty() {
            Mark::group(&piece.place)
        } else {
            Mark::piece(&piece.name, &piece.place)
        };
        let mark = mark.of(owner).titled(&piece.title);
        picture.on(Layer::Pieces).marked(&mark, |sheet| {
            for member in &piece.members {
                sheet.member(&Mark::piece(&member.name, &piece.place).of(owner));
            }
            self.token(sheet, piece, spot);
        });
    }

    fn path(&self, picture: &mut Picture, path: &ScenePath) {
        let points = spots(&path.points);
        let layer = match path.kind.as_str() {
            "way" => Layer::Ways,
            "border" => Layer::Regions,
            _ => Layer::Orders,
        };
        let owner = path.owner.and_then(Seat::numbered);
        if layer == Layer::Orders {
            let mark = Mark::order().of(owner).titled(&path.title);
            picture.on(layer).marked(&mark, |sheet| self.line(sheet, path, &points));
        } else {
            self.line(picture.on(layer), path, &points);
        }
    }

    pub(super) fn line(&self, sheet: &mut Sheet, path: &ScenePath, points: &[Spot]) {
        let color = self.owner(path.owner);
        let failed = path.outcome() == SceneOutcome::Failure;
        let is = |state: &str| has(&path.states, state);
        let (Some(first), Some(last)) = (points.first().copied(), points.last().copied()) else {
            return;
        };
        let dashes = if is("portal") { "2 3" } else { "" };
        match path.kind.as_str() {
            "move" => {
                let before = points.iter().rev().nth(1).copied().unwrap_or(first);
                let line = ShapeStyle::line(color, 2.6).dashed(dashes);
                for pair in points.windows(2).take(points.len().saturating_sub(2)) {
                    sheet.line(pair[0], pair[1], line);
                }
                let (start, end) = shortened(before, last, 10.0, if failed { 24.0 } else { 14.0 });
                sheet.arrow(start, end, self.color("halo"), line);
                if failed {
                    sheet.cross(
                        between(start, end, 0.8),
                        6.0,
                        self.color("halo"),
                        self.color("bad"),
                    );
                }
            }
            "flight" => {
                let (start, end) = shortened(first, last, 15.0, 15.0);
                let line = ShapeStyle::line(color, 2.2).dashed(dashes);
                sheet.curve(start, end, 4.0, true, line);
            }
            "support" | "convoy" => {
                let (start, end) = shortened(first, last, 10.0, 2.0);
                sheet.line(start, end, ShapeStyle::line(self.color("halo"), 4.2));
                sheet.line(start, end, ShapeStyle::line(color, 2.2).dashed("5 3.5"));
                sheet.circle(end, 3.4, ShapeStyle::fill(color).edge(self.color("halo"), 0.8));
                if failed {
                    sheet.cross(
                        between(start, end, 0.45),
                        5.5,
                        self.color("halo"),
                        self.color("bad"),
                    );
                }
            }
            "course" => {
                sheet.line(first, last, ShapeStyle::line(color, 1.6).dashed("5 4").faint(0.8));
            }
            "way" => {
                let (start, end) = shortened(first, last, 11.0, 11.0);
                let bend = ((last.0 - first.0).hypot(last.1 - first.1) * 0.07).min(23.0);
                let line = ShapeStyle::line(self.color("portal"), 1.6).dashed("7 4").faint(0.8);
                sheet.curve(start, end, bend, is("one-way"), line);
            }
            "border" => {
                let line = ShapeStyle::line(self.color("warning"), 2.0).dashed("7 4").faint(0.75);
                let strokes: String =
                    points.chunks_exact(2).map(|it| stroke(it[0], it[1])).collect();
                sheet.path(&strokes, line);
            }
            "hold" => sheet.circle(first, 13.0, ShapeStyle::line(color, 2.0)),
            "settle" => sheet.circle(last, 14.5, ShapeStyle::line(color, 2.0).dashed("3 3")),
            "build" => sheet.circle(first, 13.5, ShapeStyle::line(self.color("good"), 2.6)),
            "remove" => sheet.cross(first, 12.0, self.color("halo"), self.color("bad")),
            _ => {}
        }
        if is("dislodged") {
            sheet.circle(first, 15.0, ShapeStyle::line(self.color("bad"), 2.4));
        }
    }

    /// Draws labels, the most important first. Places a detail next to the name of its place if
    /// there is space.
    fn labels(&mut self, picture: &mut Picture) {
        let mut labels: Vec<&SceneLabel> = self.scene.labels.iter().collect();
        labels.sort_by_key(|label| std::cmp::Reverse(label.priority));
        let mut names: BTreeMap<&str, Spot> = BTreeMap::new();
        for label in labels {
            let font = self.font(label);
            let spot = (f64::from(label.x), f64::from(label.y));
            let offset = f64::from(label.offset);
            let at = if label.free {
                let mut candidates = Vec::new();
                if let (Some((x, y)), "detail") =
                    (names.get(label.place.as_str()).copied(), label.kind.as_str())
                {
                    candidates.extend([(x, y + 10.0), (x, y - 11.0)]);
                }
                candidates.extend(around(spot, &font, &label.text, offset));
                self.space.place(&font, &label.text, candidates)
            } else {
                (spot.0, spot.1 + offset)
            };
            if label.kind == "name" {
                names.insert(&label.place, at);
            }
            let layer = if label.kind == "region" { Layer::Regions } else { Layer::Labels };
            picture.on(layer).label(at, font, &label.text);
        }
    }

    fn font(&self, label: &SceneLabel) -> Font {
        let color = match (label.color.as_str(), label.owner) {
            ("", Some(_)) => self.owner(label.owner),
            ("", None) => self.color("text"),
            (cloud @ ("storm" | "nebula"), _) => self.color(&format!("{cloud}+45%text")),
            ("sea", _) => self.color("sea-name"),
            (color @ ("portal" | "faint" | "nobody"), _) => self.color(color),
            (star, _) => self.star(star),
        };
        let halo = |font: Font| font.centered().halo(self.color("halo"));
        match label.kind.as_str() {
            "detail" => halo(Font::new(8.5, self.color("soft"))),
            "coordinates" => halo(Font::new(9.0, self.color("faint"))),
            "region" => Font::new(64.0, self.color("stale-edge")).bold().centered(),
            "note" if label.owner.is_none() && label.color.is_empty() => {
                halo(Font::new(11.0, self.color("bad")).bold())
            }
            _ => halo(Font::new(10.5, color).bold()),
        }
    }
}

fn power_index(power: &str) -> Seat {
    let number = power.rsplit('-').next().and_then(|number| number.parse().ok());
    number.and_then(Seat::numbered).unwrap_or(Seat::at(0))
}

fn reach(x: f32, y: f32, (width, height): (f64, f64)) -> Area {
    Area::around((f64::from(x), f64::from(y)), width, height)
}

fn closed(points: &[Spot]) -> String {
    let corners = points.iter().map(|(x, y)| format!("{} {}", Length(*x), Length(*y)));
    format!("M{}Z", corners.collect::<Vec<_>>().join("L"))
}

fn between(start: Spot, end: Spot, part: f64) -> Spot {
    (start.0 + (end.0 - start.0) * part, start.1 + (end.1 - start.1) * part)
}

/// Shortens a line at both ends, by at most 40 % each.
fn shortened(start: Spot, end: Spot, before: f64, after: f64) -> (Spot, Spot) {
    let length = (end.0 - start.0).hypot(end.1 - start.1).max(1.0);
    let cut = |room: f64| (room / length).min(0.4);
    (between(start, end, cut(before)), between(start, end, 1.0 - cut(after)))
}
