//! Pictures as pixels, for services that show only PNG files.
//!
//! Reads the documents that [`Picture::document`](super::Picture::document) writes, not SVG in
//! general: shapes with fills, gradients, edges and opacities. Patterns become flat colors, rounded
//! corners become sharp, and texts are omitted.

use std::collections::HashMap;

use super::shape::{self, Line, Spot};
use super::to_f64;

type Rgb = [f64; 3];

/// The number of samples of a pixel, one below the other.
const SAMPLES: usize = 4;

/// The color of a shape.
#[derive(Clone, Debug, PartialEq)]
enum Paint {
    Flat(Rgb),
    /// A gradient from the center of the shape: the center and radius as parts of the shape's size,
    /// and the stops with their distances and opacities.
    Radial {
        center: Spot,
        radius: f64,
        stops: Vec<(f64, Rgb, f64)>,
    },
}

#[derive(Clone, Debug)]
struct Style {
    fill: Option<Paint>,
    edge: Option<Rgb>,
    width: f64,
    dashes: Vec<f64>,
    opacity: f64,
}

impl Default for Style {
    fn default() -> Self {
        Self { fill: None, edge: None, width: 1.0, dashes: Vec::new(), opacity: 1.0 }
    }
}

/// The attributes of an element.
struct Attributes<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Attributes<'a> {
    fn read(text: &'a str) -> Self {
        let parts: Vec<&str> = text.split('"').collect();
        let name = |text: &'a str| text.trim().trim_end_matches('=');
        Self(parts.chunks_exact(2).map(|pair| (name(pair[0]), pair[1])).collect())
    }

    fn text(&self, name: &str) -> Option<&'a str> {
        self.0.iter().find(|(other, _)| *other == name).map(|(_, value)| *value)
    }

    fn number(&self, name: &str) -> f64 {
        self.text(name).and_then(|value| value.parse().ok()).unwrap_or_default()
    }

    fn shape(&self, element: &str) -> Option<Vec<Line>> {
        let spot = |x, y| (self.number(x), self.number(y));
        match element {
            "path" => Some(shape::path(self.text("d")?)),
            "polygon" => Some(shape::polygon(self.text("points")?)),
            "circle" => Some(shape::circle(spot("cx", "cy"), self.number("r"))),
            "rect" => Some(shape::rect(spot("x", "y"), spot("width", "height"))),
            _ => None,
        }
    }
}

/// Draws a document. `origin` is its point in the corner of the image.
pub(super) fn pixels(
    document: &str,
    origin: Spot,
    scale: f64,
    (width, height): (usize, usize),
) -> Vec<[u8; 3]> {
    let mut canvas = Canvas {
        origin,
        scale,
        width,
        height,
        pixels: vec![[0.0; 3]; width * height],
        coverage: vec![0.0; width],
    };
    let mut paints: HashMap<&str, Paint> = HashMap::new();
    // The id of the gradient or pattern that is being read.
    let mut defined = "";
    let mut styles = vec![Style::default()];
    for tag in document.split('<').skip(1) {
        let tag = tag.split('>').next().unwrap_or_default();
        let (element, rest) = tag.split_once(' ').unwrap_or((tag, ""));
        let attributes = Attributes::read(rest);
        match element {
            "radialGradient" => {
                defined = attributes.text("id").unwrap_or_default();
                let center = (attributes.number("cx"), attributes.number("cy"));
                let radius = attributes.number("r");
                paints.insert(defined, Paint::Radial { center, radius, stops: Vec::new() });
            }
            "stop" => {
                if let Some(Paint::Radial { stops, .. }) = paints.get_mut(defined) {
                    let color = attributes.text("stop-color").and_then(rgb).unwrap_or_default();
                    let opacity = attributes.number("stop-opacity");
                    stops.push((attributes.number("offset"), color, opacity));
                }
            }
            "pattern" => defined = attributes.text("id").unwrap_or_default(),
            "/pattern" | "/radialGradient" => defined = "",
            // The ground of a pattern precedes its strokes.
            _ if !defined.is_empty() => {
                if let Some(color) = attributes.text("fill").and_then(rgb) {
                    paints.entry(defined).or_insert(Paint::Flat(color));
                }
            }
            "g" => styles.push(derived(styles.last(), &attributes, &paints)),
            "/g" => drop(styles.pop()),
            _ => {
                if let Some(lines) = attributes.shape(element) {
                    canvas.draw(&lines, &derived(styles.last(), &attributes, &paints));
                }
            }
        }
    }
    let byte = |part: f64| part.round().clamp(0.0, 255.0) as u8;
    canvas.pixels.into_iter().map(|pixel| pixel.map(byte)).collect()
}

/// Returns the style of an element in a group.
fn derived(
    group: Option<&Style>,
    attributes: &Attributes<'_>,
    paints: &HashMap<&str, Paint>,
) -> Style {
    let mut style = group.cloned().unwrap_or_default();
    if let Some(fill) = attributes.text("fill") {
        let named = fill.strip_prefix("url(#").and_then(|fill| fill.strip_suffix(')'));
        style.fill = match named {
            Some(name) => paints.get(name).cloned(),
            None => rgb(fill).map(Paint::Flat),
        };
    }
    if attributes.text("fill-opacity").is_some() {
        style.fill = None;
    }
    if let Some(edge) = attributes.text("stroke") {
        style.edge = rgb(edge);
        style.width = attributes.number("stroke-width");
    }
    if let Some(dashes) = attributes.text("stroke-dasharray") {
        style.dashes = dashes.split(' ').filter_map(|dash| dash.parse().ok()).collect();
    }
    if attributes.text("opacity").is_some() {
        style.opacity *= attributes.number("opacity");
    }
    style
}

/// Reads a color such as `#0a0b0c`.
fn rgb(text: &str) -> Option<Rgb> {
    let number = u32::from_str_radix(text.strip_prefix('#')?, 16).ok()?;
    let [_, parts @ ..] = number.to_be_bytes();
    Some(parts.map(f64::from))
}

struct Canvas {
    origin: Spot,
    scale: f64,
    width: usize,
    height: usize,
    pixels: Vec<Rgb>,
    /// The covered part of each pixel of the current row.
    coverage: Vec<f64>,
}

/// A side of a polygon, from top to bottom.
struct Side {
    top: Spot,
    bottom: Spot,
    turn: i32,
}

impl Canvas {
    fn draw(&mut self, lines: &[Line], style: &Style) {
        if let Some(fill) = &style.fill {
            self.fill(lines, fill, style.opacity);
        }
        if let Some(edge) = style.edge {
            let covers = shape::stroke(lines, style.width, &style.dashes);
            self.fill(&covers, &Paint::Flat(edge), style.opacity);
        }
    }

    fn at(&self, (x, y): Spot) -> Spot {
        ((x - self.origin.0) * self.scale, (y - self.origin.1) * self.scale)
    }

    /// Fills polygons by the nonzero rule.
    fn fill(&mut self, lines: &[Line], paint: &Paint, opacity: f64) {
        let mut sides = Vec::new();
        let (mut least, mut most) = ((f64::MAX, f64::MAX), (f64::MIN, f64::MIN));
        for line in lines {
            let spots: Vec<Spot> = line.spots.iter().map(|spot| self.at(*spot)).collect();
            for (nth, &(x, y)) in spots.iter().enumerate() {
                (least, most) = ((least.0.min(x), least.1.min(y)), (most.0.max(x), most.1.max(y)));
                let next = spots[(nth + 1) % spots.len()];
                if y < next.1 {
                    sides.push(Side { top: (x, y), bottom: next, turn: 1 });
                } else if next.1 < y {
                    sides.push(Side { top: next, bottom: (x, y), turn: -1 });
                }
            }
        }
        sides.sort_by(|one, other| other.top.1.total_cmp(&one.top.1));
        let size = (most.0 - least.0, most.1 - least.1);
        let first = least.1.max(0.0) as usize;
        let end = (most.1.max(0.0).ceil() as usize).min(self.height);
        let mut crossed: Vec<Side> = Vec::new();
        for row in first..end {
            self.coverage.fill(0.0);
            for sample in 0..SAMPLES {
                let y = to_f64(row) + (to_f64(sample) + 0.5) / to_f64(SAMPLES);
                while let Some(side) = sides.pop_if(|side| side.top.1 <= y) {
                    crossed.push(side);
                }
                crossed.retain(|side| side.bottom.1 > y);
                self.cover(&crossed, y);
            }
            for column in 0..self.width {
                let part = self.coverage[column].min(1.0) * opacity;
                if part > 0.0 {
                    let (x, y) = (to_f64(column) + 0.5, to_f64(row) + 0.5);
                    let place = ((x - least.0) / size.0, (y - least.1) / size.1);
                    let (color, alpha) = paint.color(place);
                    mix(&mut self.pixels[row * self.width + column], color, part * alpha);
                }
            }
        }
    }

    /// Adds the parts of pixels that are inside on a line of samples.
    fn cover(&mut self, sides: &[Side], y: f64) {
        let crossing = |side: &Side| {
            let part = (y - side.top.1) / (side.bottom.1 - side.top.1);
            (shape::between(side.top, side.bottom, part).0, side.turn)
        };
        let mut crossings: Vec<(f64, i32)> = sides.iter().map(crossing).collect();
        crossings.sort_by(|one, other| one.0.total_cmp(&other.0));
        let (mut turns, mut start) = (0, 0.0);
        for (x, turn) in crossings {
            if turns == 0 {
                start = x;
            }
            turns += turn;
            if turns == 0 {
                self.span(start, x);
            }
        }
    }

    fn span(&mut self, start: f64, end: f64) {
        let share = 1.0 / to_f64(SAMPLES);
        let (start, end) = (start.max(0.0), end.min(to_f64(self.width)));
        let mut at = start;
        while at < end {
            let column = at as usize;
            let next = (to_f64(column) + 1.0).min(end);
            self.coverage[column] += (next - at) * share;
            at = next;
        }
    }
}

impl Paint {
    /// Returns the color and the opacity at a place, given as parts of the shape's size.
    fn color(&self, (x, y): Spot) -> (Rgb, f64) {
        let (center, radius, stops) = match self {
            Self::Flat(color) => return (*color, 1.0),
            Self::Radial { center, radius, stops } => (center, radius, stops),
        };
        let distance = (x - center.0).hypot(y - center.1) / radius;
        let after = stops.iter().position(|(offset, ..)| *offset > distance);
        let last =
            || stops.last().map_or(([0.0; 3], 0.0), |(_, color, opacity)| (*color, *opacity));
        let Some(after) = after else { return last() };
        let (to, mut color, mut opacity) = stops[after];
        if let Some((from, before, faint)) = after.checked_sub(1).map(|before| stops[before]) {
            let part = (distance - from) / (to - from);
            opacity = faint + (opacity - faint) * part;
            let end = color;
            color = before;
            mix(&mut color, end, part);
        }
        (color, opacity)
    }
}

/// Moves a color towards another.
fn mix(color: &mut Rgb, other: Rgb, part: f64) {
    for (own, other) in color.iter_mut().zip(other) {
        *own += (other - *own) * part;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(content: &str) -> Vec<[u8; 3]> {
        pixels(&format!("<svg viewBox=\"0 0 8 8\">\n{content}</svg>"), (0.0, 0.0), 1.0, (8, 8))
    }

    #[test]
    fn shapes_cover_their_pixels_in_order() {
        let image = drawn(
            "<rect x=\"0\" y=\"0\" width=\"8\" height=\"8\" fill=\"#102030\"/>\n\
             <g fill=\"none\" data-place=\"x\"><title>A</title>\n\
             <polygon points=\"2,2 6,2 6,6 2,6\" fill=\"#ff0000\" opacity=\"0.5\"/>\n\
             <rect x=\"0\" y=\"6.5\" width=\"8\" height=\"1\" fill=\"#ffffff\"/></g>\n\
             <path d=\"M0 1L8 1\" fill=\"none\" stroke=\"#00ff00\" stroke-width=\"2\" \
             stroke-dasharray=\"2 4\"/>\n<text x=\"1\" y=\"1\" fill=\"#ffffff\">A &lt; B</text>\n",
        );
        let at = |x: usize, y: usize| image[y * 8 + x];
        assert_eq!(at(0, 4), [16, 32, 48]);
        assert_eq!(at(3, 3), [136, 16, 24]);
        assert_eq!(at(4, 6), [136, 144, 152], "half of the pixel is covered");
        assert_eq!([at(1, 0), at(1, 1)], [[0, 255, 0]; 2]);
        assert_eq!(at(3, 0), [16, 32, 48], "between dashes");
        assert_eq!(at(6, 0), [0, 255, 0]);
    }

    #[test]
    fn gradients_and_patterns_have_their_colors() {
        let image = drawn(
            "<defs><radialGradient id=\"m1-glow\" cx=\"0.5\" cy=\"0.5\" r=\"0.5\">\
             <stop offset=\"0\" stop-color=\"#ff0000\" stop-opacity=\"1\"/>\
             <stop offset=\"1\" stop-color=\"#ff0000\" stop-opacity=\"0\"/></radialGradient>\n\
             <pattern id=\"m1-seat9\" width=\"6\" height=\"6\"><rect width=\"6\" height=\"6\" \
             fill=\"#0000ff\"/><path d=\"M0 0L6 6\" stroke=\"#00ff00\" fill=\"none\"/></pattern>\n\
             </defs>\n<circle cx=\"2\" cy=\"2\" r=\"2\" fill=\"url(#m1-glow)\"/>\n\
             <path d=\"M4 4L8 4L8 8L4 8Z\" fill=\"url(#m1-seat9)\" fill-rule=\"x\"/>\n\
             <circle cx=\"2\" cy=\"6\" r=\"1\" fill-opacity=\"0\"/>\n",
        );
        let at = |x: usize, y: usize| image[y * 8 + x];
        assert!(at(1, 1)[0] > 150 && at(0, 1)[0] < 100, "{:?} {:?}", at(1, 1), at(0, 1));
        assert_eq!(at(6, 6), [0, 0, 255]);
        assert_eq!(at(1, 5), [0, 0, 0], "a clear shape is not drawn");
    }
}
