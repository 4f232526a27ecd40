//! Draws the symbols of places and pieces in pictures, from a file of shapes.

use std::sync::LazyLock;

use super::picture::{Drawer, Spot};
use super::subject::{self, Subject, Symbols};
use super::{ScenePiece, ScenePlace, has};
use crate::svg::{Color, Font, Length, ShapeStyle, Sheet, Tint};

static SYMBOLS: LazyLock<Symbols<Shape>> =
    LazyLock::new(|| subject::read(include_str!("symbols.txt"), Shape::read));

/// A line of the file.
#[derive(Clone, Debug)]
struct Shape {
    form: &'static str,
    /// Each number as a multiple of the symbol's size, and a distance to add.
    numbers: Vec<(f64, f64)>,
    /// The names and values of the attributes.
    attributes: Vec<(&'static str, &'static str)>,
}

impl Shape {
    fn read(line: &'static str) -> Self {
        let mut attributes = line.split("; ");
        let mut words = attributes.next().unwrap_or_default().split(' ');
        Self {
            form: words.next().unwrap_or_default(),
            numbers: words.map(number).collect(),
            attributes: attributes.map(|it| it.split_once(' ').unwrap_or((it, ""))).collect(),
        }
    }

    fn attribute(&self, name: &str) -> Option<&'static str> {
        self.attributes.iter().find(|(other, _)| *other == name).map(|(_, value)| *value)
    }
}

fn number(text: &str) -> (f64, f64) {
    let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("{text} is not a number"));
    match text.split_once('s') {
        Some((times, plus)) => {
            let number = |text: &str, default| if text.is_empty() { default } else { number(text) };
            (number(times, 1.0), number(plus, 0.0))
        }
        None => (0.0, number(text)),
    }
}

impl Drawer<'_> {
    pub(super) fn body(&self, sheet: &mut Sheet, place: &ScenePlace, spot: Spot) {
        let is_cloud = ["storm", "nebula"].contains(&place.kind.as_str());
        let cloud = f64::from(self.scene.hex_radius) * 0.86;
        let size = if is_cloud { cloud } else { place_size(place) };
        let subject = Subject { size, ..Subject::place(place) };
        self.symbol(sheet, &place.kind, &subject, spot);
        for state in ["secret", "guess"] {
            if subject.has(state) && place_size(place) > 0.0 {
                self.symbol(sheet, state, &subject, spot);
            }
        }
    }

    /// Draws a body at a size that fits the legend.
    pub(super) fn sample(&self, sheet: &mut Sheet, place: &ScenePlace, spot: Spot) {
        let name = format!("{}-sample", place.kind);
        if SYMBOLS.contains_key(name.as_str()) {
            self.symbol(sheet, &name, &Subject::place(place), spot);
        } else {
            self.body(sheet, place, spot);
        }
    }

    pub(super) fn token(&self, sheet: &mut Sheet, piece: &ScenePiece, spot: Spot) {
        let name = match piece.kind.as_str() {
            _ if is_free(piece) => "tag",
            kind if SYMBOLS.contains_key(kind) => kind,
            _ => "other",
        };
        let subject = Subject::piece(piece);
        self.symbol(sheet, name, &subject, spot);
        if subject.has("guess") {
            self.symbol(sheet, "guess", &subject, spot);
        }
    }

    fn symbol(&self, sheet: &mut Sheet, name: &str, subject: &Subject<'_>, (x, y): Spot) {
        for shape in subject.lines(&SYMBOLS, name) {
            let numbers = shape.numbers.iter().map(|(times, plus)| times * subject.size + plus);
            let numbers: Vec<f64> = numbers.collect();
            let spots = numbers.chunks_exact(2).map(|pair| (x + pair[0], y + pair[1]));
            let spots: Vec<Spot> = spots.collect();
            let style = self.style(shape, subject);
            match shape.form {
                "circle" => sheet.circle(spots[0], numbers[2], style),
                "rect" => sheet.rect(spots[0], (numbers[2], numbers[3]), numbers[4], style),
                "polygon" => sheet.polygon(&spots, style),
                "line" => sheet.line(spots[0], spots[1], style),
                "cross" => sheet.cross(spots[0], numbers[2], self.color("halo"), self.color("bad")),
                "rating" => self.rating(sheet, spots[0], subject.value),
                _ => self.text(sheet, shape, subject, spots[0]),
            }
        }
    }

    fn style(&self, shape: &Shape, subject: &Subject<'_>) -> ShapeStyle {
        let fill = match shape.attribute("fill") {
            None => Tint::None,
            Some("clear") => Tint::Clear,
            Some("tint") => self.tint(subject.owner),
            Some(fill) => match fill.strip_prefix('~') {
                Some(shade) => Tint::Shade(shade),
                None => Tint::Flat(self.symbol_color(fill, subject)),
            },
        };
        let mut style = ShapeStyle::from(fill);
        if let Some((color, width)) = shape.attribute("edge").and_then(|it| it.split_once(' ')) {
            style = style.edge(self.symbol_color(color, subject), number(width).1);
        }
        let opacity = shape.attribute("opacity").map_or(1.0, |opacity| number(opacity).1);
        style.dashed(shape.attribute("dash").unwrap_or_default()).faint(opacity)
    }

    fn symbol_color(&self, name: &str, subject: &Subject<'_>) -> Color {
        match name {
            "owner" => self.owner(subject.owner),
            "holder" => self.owner(subject.holder),
            "star" => self.star(subject.color),
            "rim" => self.color(if subject.has("dislodged") { "bad" } else { "halo" }),
            name => self.color(name),
        }
    }

    fn text(&self, sheet: &mut Sheet, shape: &Shape, subject: &Subject<'_>, (x, y): Spot) {
        let has = |name| shape.attribute(name).is_some();
        let color = self.symbol_color(shape.attribute("color").unwrap_or("text"), subject);
        let mut font = Font::new(shape.attribute("size").map_or(9.0, |size| number(size).1), color);
        font = font.bold_if(has("bold"));
        font = if has("centered") { font.centered() } else { font };
        font = if has("halo") { font.halo(self.color("halo")) } else { font };
        let text = match shape.attributes.first().map_or("", |(name, _)| *name) {
            "label" => subject.label.to_owned(),
            "count" => subject.count.to_string(),
            "value" => subject.value.to_string(),
            text => text.to_owned(),
        };
        sheet.text(x, y, font, &text);
    }

    /// Draws the rating of a storm between its arms.
    fn rating(&self, sheet: &mut Sheet, (x, y): Spot, rating: i32) {
        let [left, above, right, below] = [x - 9.0, y - 0.5, x + 9.0, y + 0.5].map(Length);
        let arms = format!("M{left} {above}a9 9 0 0 1 13 -6M{right} {below}a9 9 0 0 1 -13 6");
        sheet.path(&arms, ShapeStyle::line(self.color("warning"), 1.6));
        let font = Font::new(10.0, self.color("text")).bold().centered().halo(self.color("halo"));
        sheet.text(x, y + 3.5, font, &rating.to_string());
    }
}

/// Returns whether a token may be placed beside its point.
pub(super) fn is_free(piece: &ScenePiece) -> bool {
    ["ships", "waiting"].contains(&piece.kind.as_str()) && !piece.label.is_empty()
}

/// Returns half the width and height of a token.
pub(super) fn piece_size(piece: &ScenePiece) -> (f64, f64) {
    match piece.kind.as_str() {
        _ if is_free(piece) => {
            let font = Font::new(9.0, Color::new(0)).bold();
            (f64::midpoint(17.0, font.width(&piece.label)), 6.5)
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

#[cfg(test)]
mod tests {
    use super::super::Scene;
    use super::*;
    use crate::svg::Theme;

    #[test]
    fn every_shape_of_the_file_can_be_drawn() {
        for theme in Theme::ALL {
            let scene = Scene::default();
            let drawer = Drawer::new(&scene, theme);
            for (name, shapes) in &*SYMBOLS {
                for (states, shape) in shapes {
                    let states = states.iter().filter(|state| !state.starts_with('!'));
                    let states: Vec<&str> = states.copied().collect();
                    let subject = Subject { states, color: "red", size: 9.0, ..Subject::default() };
                    let mut sheet = Sheet::default();
                    drawer.symbol(&mut sheet, name, &subject, (20.0, 20.0));
                    assert!(!sheet.is_empty(), "{name}: {shape:?}");
                }
            }
        }
    }
}
