//! Writing SVG: escaping, and the few shapes that maps are made of.

use std::fmt::Write as _;

use crate::text::harmless;

/// A picture under way.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    body: String,
}

impl Picture {
    /// Adds an element as it is.
    pub fn raw(&mut self, element: &str) {
        self.body.push_str(element);
        self.body.push('\n');
    }

    /// Adds a text. `style` holds further attributes.
    pub fn text(&mut self, x: f64, y: f64, style: &str, text: &str) {
        debug_assert!(x.is_finite() && y.is_finite(), "a text stands somewhere");
        let text = escaped(text);
        let _ = writeln!(self.body, r#"<text x="{x:.1}" y="{y:.1}" {style}>{text}</text>"#);
    }

    /// Adds a circle.
    pub fn circle(&mut self, x: f64, y: f64, radius: f64, style: &str) {
        debug_assert!(
            x.is_finite() && y.is_finite() && radius.is_finite() && radius >= 0.0,
            "a circle has a place and a size"
        );
        let _ = writeln!(self.body, r#"<circle cx="{x:.1}" cy="{y:.1}" r="{radius:.1}" {style}/>"#);
    }

    /// Adds a polygon.
    pub fn polygon(&mut self, points: &[(f64, f64)], style: &str) {
        debug_assert!(
            points.len() > 2 && points.iter().all(|(x, y)| x.is_finite() && y.is_finite()),
            "a polygon has corners, each in some place"
        );
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(self.body, r#"<polygon points="{}" {style}/>"#, points.join(" "));
    }

    /// The finished document.
    pub fn document(&self, width: f64, height: f64, title: &str, definitions: &str) -> String {
        debug_assert!(width > 0.0 && height > 0.0, "a picture has room");
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             width=\"{width:.0}\" \
             height=\"{height:.0}\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n\
             <title>{}</title>\n<defs>{definitions}</defs>\n{}</svg>\n",
            escaped(title),
            self.body
        )
    }
}

/// Text that cannot be taken for markup, whoever wrote it.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for char in harmless(text).chars() {
        match char {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            char => safe.push(char),
        }
    }
    safe
}

/// The corners of a hex with its flat sides above and below.
pub fn hexagon(x: f64, y: f64, radius: f64) -> Vec<(f64, f64)> {
    const UNIT: [(f64, f64); 6] =
        [(1.0, 0.0), (0.5, 0.866), (-0.5, 0.866), (-1.0, 0.0), (-0.5, -0.866), (0.5, -0.866)];
    UNIT.iter().map(|(dx, dy)| (x + dx * radius, y + dy * radius)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_become_markup() {
        let mut picture = Picture::default();
        picture.text(0.0, 0.0, "", "<script>\"&");
        assert!(picture.document(1.0, 1.0, "<t>", "").contains("&lt;script&gt;&quot;&amp;"));
    }
}
