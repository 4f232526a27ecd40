//! The shapes of one layer.

use std::fmt::Write as _;

use super::finish::Finish;
use super::{Color, Font, Length, Mark, Outline, push_escaped, push_named};

/// The shapes of one layer, the lower ones first. What looks alike can share how it looks; it is
/// below all that does not.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    out: String,
    alike: Vec<Alike>,
}

/// What shapes have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Common {
    /// Places, each with its mark.
    Places(Finish),
    /// Outlines without marks, all in one.
    Outlines(Finish),
    /// Texts.
    Texts(Font),
}

/// Shapes that have something in common. They refer to nothing.
#[derive(Clone, Debug)]
struct Alike {
    common: Common,
    shapes: String,
}

impl Sheet {
    /// Adds itself to a document, with ids that begin so.
    pub(super) fn write(&self, id: &str, document: &mut String) {
        for Alike { common, shapes } in &self.alike {
            let (begin, end) = match common {
                Common::Places(finish) => (format!("<g {finish}>\n"), "</g>\n".to_owned()),
                Common::Texts(font) => (format!("<g {font}>\n"), "</g>\n".to_owned()),
                Common::Outlines(finish) => ("<path d=\"".to_owned(), format!("\" {finish}/>\n")),
            };
            push_named(document, &begin, id);
            document.push_str(shapes);
            push_named(document, &end, id);
        }
        push_named(document, &self.out, id);
    }

    pub(super) fn len(&self) -> usize {
        self.out.len() + self.alike.iter().map(|alike| alike.shapes.len()).sum::<usize>()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The shapes that have this in common.
    fn alike(&mut self, common: Common) -> &mut String {
        let known = self.alike.iter().position(|alike| alike.common == common);
        let index = known.unwrap_or_else(|| {
            self.alike.push(Alike { common, shapes: String::new() });
            self.alike.len() - 1
        });
        &mut self.alike[index].shapes
    }

    /// A place, below all that does not look like it.
    pub fn place(&mut self, mark: &Mark, outline: &Outline, at: (f64, f64), finish: Finish) {
        let out = self.alike(Common::Places(finish));
        out.push_str("<path d=\"");
        outline.write(at, out);
        out.push('"');
        mark.write_attributes(out);
        out.push('>');
        mark.write_title(out);
        out.push_str("</path>\n");
    }

    /// An outline that needs no mark, below all that does not look like it.
    pub fn outline(&mut self, outline: &Outline, at: (f64, f64), finish: Finish) {
        outline.write(at, self.alike(Common::Outlines(finish)));
    }

    /// A text like many others, below all that does not look like it.
    pub fn label(&mut self, (x, y): (f64, f64), font: Font, text: &str) {
        debug_assert!(x.is_finite() && y.is_finite(), "a text stands somewhere");
        let out = self.alike(Common::Texts(font));
        out.push_str("<text x=\"");
        Length(x).push(out);
        out.push_str("\" y=\"");
        Length(y).push(out);
        out.push_str("\">");
        push_escaped(out, text);
        out.push_str("</text>\n");
    }

    /// Draws what a mark is about; all that is drawn bears it.
    pub fn marked(&mut self, mark: &Mark, draw: impl FnOnce(&mut Self)) {
        mark.open(&mut self.out);
        self.out.push('\n');
        draw(self);
        self.out.push_str("</g>\n");
    }

    /// A piece that has no shape of its own: the token around stands for it and others.
    pub fn member(&mut self, mark: &Mark) {
        mark.open(&mut self.out);
        self.out.push_str("</g>\n");
    }

    /// A text.
    pub fn text(&mut self, x: f64, y: f64, font: Font, text: &str) {
        debug_assert!(x.is_finite() && y.is_finite(), "a text stands somewhere");
        let _ = write!(self.out, r#"<text x="{}" y="{}" {font}>"#, Length(x), Length(y));
        push_escaped(&mut self.out, text);
        self.out.push_str("</text>\n");
    }

    /// A circle.
    pub fn circle(&mut self, (x, y): (f64, f64), radius: f64, finish: Finish) {
        debug_assert!(
            x.is_finite() && y.is_finite() && radius.is_finite() && radius >= 0.0,
            "a circle has a place and a size"
        );
        let (x, y, radius) = (Length(x), Length(y), Length(radius));
        let _ = writeln!(self.out, r#"<circle cx="{x}" cy="{y}" r="{radius}" {finish}/>"#);
    }

    /// A polygon.
    pub fn polygon(&mut self, points: &[(f64, f64)], finish: Finish) {
        debug_assert!(
            points.len() > 2 && points.iter().all(|(x, y)| x.is_finite() && y.is_finite()),
            "a polygon has corners, each in some place"
        );
        self.out.push_str("<polygon points=\"");
        for (index, (x, y)) in points.iter().enumerate() {
            if index > 0 {
                self.out.push(' ');
            }
            Length(*x).push(&mut self.out);
            self.out.push(',');
            Length(*y).push(&mut self.out);
        }
        let _ = writeln!(self.out, "\" {finish}/>");
    }

    /// A rectangle with round corners.
    pub fn rect(&mut self, (x, y): (f64, f64), size: (f64, f64), round: f64, finish: Finish) {
        let (width, height) = size;
        debug_assert!(width >= 0.0 && height >= 0.0, "a rectangle has a size");
        let (x, y, width, height) = (Length(x), Length(y), Length(width), Length(height));
        let _ = writeln!(
            self.out,
            r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{round}" {finish}/>"#
        );
    }

    /// An outline in the words of SVG.
    pub fn path(&mut self, outline: &str, finish: Finish) {
        let _ = writeln!(self.out, r#"<path d="{outline}" {finish}/>"#);
    }

    /// A line.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), finish: Finish) {
        self.path(&stroke(from, to), finish);
    }

    /// A line that is bent to its left, with a tip at its end if it leads one way.
    pub fn bow(&mut self, from: (f64, f64), to: (f64, f64), bend: f64, tip: bool, finish: Finish) {
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

    /// An arrow, edged so that it shows on anything.
    pub fn arrow(&mut self, from: (f64, f64), to: (f64, f64), halo: Color, finish: Finish) {
        self.line(from, to, Finish::line(halo, 5.0));
        self.line(from, to, finish);
        if let Some(color) = finish.line_color() {
            self.tip(from, to, color);
        }
    }

    /// The tip of an arrow that comes from somewhere.
    fn tip(&mut self, from: (f64, f64), to: (f64, f64), color: Color) {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = dx.hypot(dy).max(1.0);
        let (ux, uy) = (dx / length, dy / length);
        let side = |aside: f64| (to.0 - 7.0 * ux - aside * uy, to.1 - 7.0 * uy + aside * ux);
        self.polygon(
            &[(to.0 + 3.0 * ux, to.1 + 3.0 * uy), side(5.0), side(-5.0)],
            Finish::fill(color),
        );
    }

    /// Two strokes across something.
    pub fn cross(&mut self, (x, y): (f64, f64), arm: f64, halo: Color, color: Color) {
        let [falling, rising] =
            [arm, -arm].map(|arm| stroke((x - arm.abs(), y - arm), (x + arm.abs(), y + arm)));
        let path = falling + &rising;
        self.path(&path, Finish::line(halo, 5.0));
        self.path(&path, Finish::line(color, 2.6));
    }

    /// A flag with its mast at its right.
    pub fn flag(&mut self, (x, y): (f64, f64), mast: Color, finish: Finish) {
        self.line((x, y - 7.0), (x, y + 7.0), Finish::line(mast, 1.2));
        self.polygon(&[(x, y - 7.0), (x - 11.0, y - 3.5), (x, y)], finish);
    }
}

/// The path of a line.
pub fn stroke(from: (f64, f64), to: (f64, f64)) -> String {
    format!("M{}L{}", spot(from), spot(to))
}

/// A place in a path.
fn spot((x, y): (f64, f64)) -> String {
    format!("{} {}", Length(x), Length(y))
}
