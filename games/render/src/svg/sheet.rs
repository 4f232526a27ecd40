//! The shapes of one layer.

use std::fmt::Write as _;

use super::finish::ShapeStyle;
use super::{Color, Font, Length, Mark, push_escaped, push_named};

/// A closed outline. Its path after the first corner is the same for all places.
#[derive(Clone, Debug)]
pub struct Outline {
    first: (f64, f64),
    rest: String,
}

impl Outline {
    pub fn new(corners: &[(f64, f64)]) -> Self {
        debug_assert!(corners.len() > 2, "an outline encloses something");
        let mut rest = String::new();
        for pair in corners.windows(2) {
            let step = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
            let _ = write!(rest, "l{} {}", Length(step.0), Length(step.1));
        }
        rest.push('z');
        Self { first: corners.first().copied().unwrap_or_default(), rest }
    }

    pub(super) fn write(&self, (x, y): (f64, f64), out: &mut String) {
        debug_assert!(x.is_finite() && y.is_finite(), "an outline is somewhere");
        let (x, y) = (Length(x + self.first.0), Length(y + self.first.1));
        let _ = write!(out, "M{x} {y}{}", self.rest);
    }
}

/// The shapes of one layer, from bottom to top. Shapes with a shared style are below all others.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    out: String,
    style_group: Vec<StyleGroup>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum SharedStyle {
    /// Places with their marks.
    Places(ShapeStyle),
    /// Outlines without marks, combined in one path.
    Outlines(ShapeStyle),
    Texts(Font),
}

/// The shapes with one shared style. They contain no ids.
#[derive(Clone, Debug)]
struct StyleGroup {
    common: SharedStyle,
    shapes: String,
}

impl Sheet {
    /// Writes the sheet to a document, with `id` as the prefix of ids.
    pub(super) fn write(&self, id: &str, document: &mut String) {
        for StyleGroup { common, shapes } in &self.style_group {
            let (begin, end) = match common {
                SharedStyle::Places(finish) => (format!("<g {finish}>\n"), "</g>\n".to_owned()),
                SharedStyle::Texts(font) => (format!("<g {font}>\n"), "</g>\n".to_owned()),
                SharedStyle::Outlines(finish) => {
                    ("<path d=\"".to_owned(), format!("\" {finish}/>\n"))
                }
            };
            push_named(document, &begin, id);
            document.push_str(shapes);
            push_named(document, &end, id);
        }
        push_named(document, &self.out, id);
    }

    pub(super) fn len(&self) -> usize {
        self.out.len()
            + self.style_group.iter().map(|style_group| style_group.shapes.len()).sum::<usize>()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn style_group(&mut self, common: SharedStyle) -> &mut String {
        let known = self.style_group.iter().position(|style_group| style_group.common == common);
        let index = known.unwrap_or(self.style_group.len());
        if known.is_none() {
            self.style_group.push(StyleGroup { common, shapes: String::new() });
        }
        &mut self.style_group[index].shapes
    }

    /// Adds a place in a shared style.
    pub fn place(&mut self, mark: &Mark, outline: &Outline, at: (f64, f64), finish: ShapeStyle) {
        let out = self.style_group(SharedStyle::Places(finish));
        out.push_str("<path d=\"");
        outline.write(at, out);
        out.push('"');
        mark.write_attributes(out);
        out.push('>');
        mark.write_title(out);
        out.push_str("</path>\n");
    }

    /// Adds an outline without a mark, in a shared style.
    pub fn outline(&mut self, outline: &Outline, at: (f64, f64), finish: ShapeStyle) {
        outline.write(at, self.style_group(SharedStyle::Outlines(finish)));
    }

    pub fn label(&mut self, (x, y): (f64, f64), font: Font, text: &str) {
        debug_assert!(x.is_finite() && y.is_finite(), "a text stands somewhere");
        let out = self.style_group(SharedStyle::Texts(font));
        let _ = write!(out, r#"<text x="{}" y="{}">"#, Length(x), Length(y));
        push_escaped(out, text);
        out.push_str("</text>\n");
    }

    pub fn marked(&mut self, mark: &Mark, draw: impl FnOnce(&mut Self)) {
        mark.open(&mut self.out);
        self.out.push('\n');
        draw(self);
        self.out.push_str("</g>\n");
    }

    /// Adds the mark of a piece that shares the token of its group.
    pub fn member(&mut self, mark: &Mark) {
        mark.open(&mut self.out);
        self.out.push_str("</g>\n");
    }

    pub fn text(&mut self, x: f64, y: f64, font: Font, text: &str) {
        debug_assert!(x.is_finite() && y.is_finite(), "a text stands somewhere");
        let _ = write!(self.out, r#"<text x="{}" y="{}" {font}>"#, Length(x), Length(y));
        push_escaped(&mut self.out, text);
        self.out.push_str("</text>\n");
    }

    pub fn circle(&mut self, (x, y): (f64, f64), radius: f64, finish: ShapeStyle) {
        debug_assert!(
            x.is_finite() && y.is_finite() && radius.is_finite() && radius >= 0.0,
            "a circle has a place and a size"
        );
        let (x, y, radius) = (Length(x), Length(y), Length(radius));
        let _ = writeln!(self.out, r#"<circle cx="{x}" cy="{y}" r="{radius}" {finish}/>"#);
    }

    pub fn polygon(&mut self, points: &[(f64, f64)], finish: ShapeStyle) {
        debug_assert!(
            points.len() > 2 && points.iter().all(|(x, y)| x.is_finite() && y.is_finite()),
            "a polygon has corners, each in some place"
        );
        let corner = |(x, y): &(f64, f64)| format!("{},{}", Length(*x), Length(*y));
        let corners = points.iter().map(corner).collect::<Vec<_>>().join(" ");
        let _ = writeln!(self.out, r#"<polygon points="{corners}" {finish}/>"#);
    }

    pub fn rect(&mut self, (x, y): (f64, f64), size: (f64, f64), round: f64, finish: ShapeStyle) {
        let (width, height) = size;
        debug_assert!(width >= 0.0 && height >= 0.0, "a rectangle has a size");
        let (x, y, width, height) = (Length(x), Length(y), Length(width), Length(height));
        let _ = writeln!(
            self.out,
            r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{round}" {finish}/>"#
        );
    }

    pub fn path(&mut self, outline: &str, finish: ShapeStyle) {
        let _ = writeln!(self.out, r#"<path d="{outline}" {finish}/>"#);
    }

    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), finish: ShapeStyle) {
        self.path(&stroke(from, to), finish);
    }

    /// Adds a line that curves to the left, with a tip if `tip` is set.
    pub fn curve(
        &mut self,
        from: (f64, f64),
        to: (f64, f64),
        bend: f64,
        tip: bool,
        finish: ShapeStyle,
    ) {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = dx.hypot(dy).max(1.0);
        let (ux, uy) = (dx / length, dy / length);
        let middle = (
            f64::midpoint(from.0, to.0) - uy * bend * 2.0,
            f64::midpoint(from.1, to.1) + ux * bend * 2.0,
        );
        let path = format!("M{}Q{} {}", spot(from), spot(middle), spot(to));
        self.path(&path, finish);
        if let (true, Some(color)) = (tip, finish.line_color()) {
            self.tip(middle, to, color);
        }
    }

    pub fn arrow(&mut self, from: (f64, f64), to: (f64, f64), halo: Color, finish: ShapeStyle) {
        self.line(from, to, ShapeStyle::line(halo, 5.0));
        self.line(from, to, finish);
        if let Some(color) = finish.line_color() {
            self.tip(from, to, color);
        }
    }

    fn tip(&mut self, from: (f64, f64), to: (f64, f64), color: Color) {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = dx.hypot(dy).max(1.0);
        let (ux, uy) = (dx / length, dy / length);
        let side = |aside: f64| (to.0 - 7.0 * ux - aside * uy, to.1 - 7.0 * uy + aside * ux);
        self.polygon(
            &[(to.0 + 3.0 * ux, to.1 + 3.0 * uy), side(5.0), side(-5.0)],
            ShapeStyle::fill(color),
        );
    }

    pub fn cross(&mut self, (x, y): (f64, f64), arm: f64, halo: Color, color: Color) {
        let [falling, rising] =
            [arm, -arm].map(|arm| stroke((x - arm.abs(), y - arm), (x + arm.abs(), y + arm)));
        let path = falling + &rising;
        self.path(&path, ShapeStyle::line(halo, 5.0));
        self.path(&path, ShapeStyle::line(color, 2.6));
    }
}

pub fn stroke(from: (f64, f64), to: (f64, f64)) -> String {
    format!("M{}L{}", spot(from), spot(to))
}

fn spot((x, y): (f64, f64)) -> String {
    format!("{} {}", Length(x), Length(y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outline_goes_from_corner_to_corner() {
        let outline = Outline::new(&[(4.0, 0.0), (0.0, 3.0), (-4.5, 0.0)]);
        let mut out = String::new();
        outline.write((100.0, 50.0), &mut out);
        assert_eq!(out, "M104 50l-4 3l-4.5 -3z");
    }
}
