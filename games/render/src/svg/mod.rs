//! Pictures as machine-readable SVG: named layers, and marks on all places and pieces.
//!
//! | module | concern |
//! | --- | --- |
//! | `length` | formatting of numbers |
//! | `mark` | the place or piece of an element, and its owner |
//! | `finish` | fill and edge of shapes, style of text |
//! | `palette` | themes and their colors |
//! | `room` | placement of names without overlaps |
//! | `sheet` | the shapes of one layer |
//! | `column` | the column beside a map |
//! | `raster`, `shape`, `png` | pictures as pixels |
//!
//! A picture contains no script and no external references. Each element is one line, and equal
//! elements have equal lines, so the pictures of a game share most lines. All ids start with a hash
//! of their content. If two pictures on a page share an id, it refers to the same content.

use std::collections::HashSet;
use std::fmt::Write as _;

use crate::text::harmless;

mod column;
mod finish;
mod length;
mod mark;
mod palette;
mod png;
mod raster;
mod room;
mod shape;
mod sheet;
#[cfg(test)]
mod vision;

pub use column::Column;
pub use finish::{Anchor, Font, ShapeStyle, Tint};
pub use length::Length;
pub use mark::Mark;
pub use palette::{Color, Palette, Theme};
pub use room::{Area, LabelSpace, around};
pub use sheet::{Outline, Sheet, stroke};

/// A placeholder for the prefix of ids until it is known. It cannot occur in other text.
const ID_PLACEHOLDER: char = '\u{1}';
/// The gradients and patterns for a [`Tint::Shade`], by the kinds of what they show.
const SHADES: &str = include_str!("shades.txt");

heliopause_kernel::vocabulary! {
    /// A layer of a picture. The layers are the same in all games and may be empty.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Layer {
        Ground = "ground",
        /// Hexes, provinces and sectors. Each has a mark.
        Places = "places",
        Regions = "regions",
        /// Permanent connections between places.
        Ways = "ways",
        /// Natural objects: stars, planets, storms, supply centers.
        Bodies = "bodies",
        Orders = "orders",
        /// Ships, armies, bases and colonies. Each has a mark.
        Pieces = "pieces",
        Labels = "labels",
        Legend = "legend",
    }
}

impl Layer {
    /// Returns whether the pointer hits marks of the layer. Other layers are transparent to it.
    pub fn has_marks(self) -> bool {
        match self {
            Self::Places | Self::Bodies | Self::Orders | Self::Pieces | Self::Legend => true,
            Self::Ground | Self::Regions | Self::Ways | Self::Labels => false,
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Look {
    pub theme: Theme,
    pub hidden: Vec<Layer>,
}

/// A picture: a sheet for each layer, from bottom to top.
#[derive(Clone, Debug)]
pub struct Picture {
    pub palette: &'static Palette,
    title: String,
    definitions: String,
    sheets: [Sheet; Layer::ALL.len()],
    frame: Area,
}

impl Picture {
    pub fn new(theme: Theme, title: &str, seats: usize) -> Self {
        let mut picture = Self {
            palette: Palette::of(theme),
            title: title.to_owned(),
            definitions: String::new(),
            sheets: std::array::from_fn(|_| Sheet::default()),
            frame: Area::default(),
        };
        picture.define_patterns(seats);
        picture
    }

    pub fn on(&mut self, layer: Layer) -> &mut Sheet {
        &mut self.sheets[layer as usize]
    }

    /// Defines the gradients and patterns of these kinds.
    pub fn define(&mut self, kinds: &HashSet<&str>) {
        let lines = SHADES.lines().filter(|line| !line.starts_with('#'));
        for (names, shade) in lines.filter_map(|line| line.split_once(": ")) {
            if names.split(' ').any(|kind| kinds.contains(kind)) {
                self.shade(shade);
            }
        }
    }

    fn shade(&mut self, shade: &str) {
        let mut parts = shade.split(" | ").map(|part| part.split(' ').collect::<Vec<_>>());
        let (palette, out) = (self.palette, &mut self.definitions);
        let head = parts.next().unwrap_or_default();
        let form = match head[..] {
            ["ball", _] => r#"cx="0.35" cy="0.3" r="0.9""#,
            ["page", _] => r#"cx="0.4" cy="0.45" r="0.9""#,
            ["stripes", name, width, ground, stripe] => {
                let half = width.parse().unwrap_or(6.0) / 2.0;
                let (ground, stripe) = (palette.color(ground), palette.color(stripe));
                let _ = writeln!(
                    out,
                    r#"<pattern id="{ID_PLACEHOLDER}{name}" width="{width}" height="{width}" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="{width}" height="{width}" fill="{ground}"/><rect width="{half}" height="{width}" fill="{stripe}"/></pattern>"#
                );
                return;
            }
            _ => r#"cx="0.5" cy="0.5" r="0.5""#,
        };
        let _ = write!(out, r#"<radialGradient id="{ID_PLACEHOLDER}{}" {form}>"#, head[1]);
        for stop in parts {
            let (at, color, opacity) = (stop[0], palette.color(stop[1]), stop[2]);
            let _ = write!(
                out,
                r#"<stop offset="{at}" stop-color="{color}" stop-opacity="{opacity}"/>"#
            );
        }
        out.push_str("</radialGradient>\n");
    }

    fn define_patterns(&mut self, seats: usize) {
        let stroke = self.palette.color("on-owner");
        for (seat, color, pattern) in self.palette.patterns(seats) {
            let _ = writeln!(
                self.definitions,
                r#"<pattern id="{ID_PLACEHOLDER}seat{}" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" fill="{color}"/><path d="{pattern}" stroke="{stroke}" stroke-width="1.3" fill="none"/></pattern>"#,
                seat.number()
            );
        }
    }

    /// Returns the layers with content, from bottom to top.
    pub fn layers(&self) -> Vec<Layer> {
        let filled = |layer: &Layer| !self.sheets[*layer as usize].is_empty();
        Layer::ALL.into_iter().filter(filled).collect()
    }

    #[must_use]
    pub fn framed(mut self, frame: Area) -> Self {
        debug_assert!(frame.width() > 0.0 && frame.height() > 0.0, "a picture has room");
        let (right, bottom) = (frame.right.ceil(), frame.bottom.ceil());
        let frame = Area { left: frame.left.floor(), top: frame.top.floor(), right, bottom };
        self.frame = frame;
        self.define(&HashSet::from(["ground"]));
        let (corner, size) = ((frame.left, frame.top), (frame.width(), frame.height()));
        self.on(Layer::Ground).rect(corner, size, 0.0, Tint::Shade("ground").into());
        self
    }

    /// Adds stars to the ground in dark themes. Their positions are a fixed sequence.
    #[must_use]
    pub fn starry(mut self) -> Self {
        let Some(color) = self.palette.find("sky") else { return self };
        let frame = self.frame;
        let mut state: u32 = 20_190_705;
        let mut next = |range: f64| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(state >> 16) / 65_536.0 * range
        };
        for _ in 0..150 {
            let spot = (frame.left + next(frame.width()), frame.top + next(frame.height()));
            let size = 0.4 + next(0.8);
            self.on(Layer::Ground).circle(spot, size, ShapeStyle::fill(color).faint(0.4));
        }
        self
    }

    /// Returns the picture as a PNG file of this size, without texts.
    pub fn png(&self, width: usize, height: usize) -> Vec<u8> {
        let wide = to_f64(width) / self.frame.width();
        let scale = wide.max(to_f64(height) / self.frame.height());
        let origin = (self.frame.left, self.frame.top);
        let pixels = raster::pixels(&self.document(&[]), origin, scale, (width, height));
        png::encoded(&pixels, width)
    }

    pub fn document(&self, hidden: &[Layer]) -> String {
        let (Area { left, top, .. }, width, height) =
            (self.frame, self.frame.width(), self.frame.height());
        let shown = || self.layers().into_iter().filter(|layer| !hidden.contains(layer));
        let length: usize = shown().map(|layer| self.sheets[layer as usize].len()).sum();
        let mut document = String::with_capacity(length + length / 8 + 8192);
        let _ = writeln!(
            document,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{left:.0} {top:.0} {width:.0} {height:.0}\" \
             width=\"{width:.0}\" height=\"{height:.0}\" \
             font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n\
             <title>{}</title>\n<defs>",
            escaped(&self.title)
        );
        let id = format!("m{:x}-", fingerprint(&self.definitions));
        push_named(&mut document, &self.definitions, &id);
        document.push_str("</defs>\n");
        for layer in shown() {
            let touch = if layer.has_marks() { "" } else { r#" pointer-events="none""# };
            let _ = writeln!(document, r#"<g data-layer="{layer}"{touch}>"#);
            self.sheets[layer as usize].write(&id, &mut document);
            document.push_str("</g>\n");
        }
        document.push_str("</svg>\n");
        document
    }
}

fn push_named(document: &mut String, part: &str, id: &str) {
    for (index, part) in part.split(ID_PLACEHOLDER).enumerate() {
        if index > 0 {
            document.push_str(id);
        }
        document.push_str(part);
    }
}

/// Returns the FNV-1a hash of a string.
fn fingerprint(text: &str) -> u64 {
    const PRIME: u64 = 0x0100_0000_01b3;
    let start = 0xcbf2_9ce4_8422_2325;
    text.bytes().fold(start, |state: u64, byte| (state ^ u64::from(byte)).wrapping_mul(PRIME))
}

pub fn to_f64(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Escapes text for use in markup.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    push_escaped(&mut safe, text);
    safe
}

fn push_escaped(safe: &mut String, text: &str) {
    let is_plain = |byte: u8| {
        byte.is_ascii_alphanumeric()
            || matches!(
                byte,
                b' ' | b'.' | b',' | b':' | b';' | b'(' | b')' | b'-' | b'+' | b'/' | b'#'
            )
    };
    if text.bytes().all(is_plain) {
        safe.push_str(text);
        return;
    }
    for char in harmless(text).chars() {
        match char {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            char => safe.push(char),
        }
    }
}

pub fn hexagon((x, y): (f64, f64), radius: f64) -> [(f64, f64); 6] {
    const UNIT: [(f64, f64); 6] =
        [(1.0, 0.0), (0.5, 0.866), (-0.5, 0.866), (-1.0, 0.0), (-0.5, -0.866), (0.5, -0.866)];
    UNIT.map(|(dx, dy)| (x + dx * radius, y + dy * radius))
}

#[cfg(test)]
mod tests {
    use heliopause_kernel::Seat;

    use super::*;

    fn sample(theme: Theme) -> Picture {
        let mut picture = Picture::new(theme, "<t>", 30);
        let font = Font::new(9.0, picture.palette.color("text"));
        picture.on(Layer::Labels).text(0.0, 0.0, font, "<script>\"&");
        let hex = Outline::new(&hexagon((0.0, 0.0), 1.0));
        picture.define(&HashSet::from(["world"]));
        let finish = ShapeStyle::from(Tint::Shade("light"));
        for x in [5.0, 7.0] {
            let mark = Mark::place(x).of(Seat::at(0)).titled("\"place\"");
            picture.on(Layer::Places).place(&mark, &hex, (x, 5.0), finish);
            picture.on(Layer::Places).outline(&hex, (x, 8.0), finish);
        }
        let tint = picture.palette.tint(Seat::at(20));
        picture.on(Layer::Pieces).circle((1.0, 1.0), 1.0, tint.into());
        picture.framed(Area { left: 0.0, top: 0.0, right: 10.0, bottom: 10.0 })
    }

    #[test]
    fn names_are_escaped() {
        let svg = sample(Theme::Dark).document(&[]);
        assert!(svg.contains("&lt;script&gt;&quot;&amp;") && svg.contains("<title>&lt;t&gt;"));
    }

    #[test]
    fn hidden_and_empty_layers_are_omitted() {
        let picture = sample(Theme::Dark);
        assert_eq!(picture.layers(), [Layer::Ground, Layer::Places, Layer::Pieces, Layer::Labels]);
        let svg = picture.document(&[Layer::Labels]);
        assert!(svg.contains(r#"data-layer="ground""#) && !svg.contains("labels"), "{svg}");
    }

    #[test]
    fn ids_differ_for_different_content() {
        let ids = |theme| -> Vec<String> {
            let svg = sample(theme).document(&[]);
            let after = svg.split(" id=\"").skip(1);
            after.filter_map(|at| Some(at.split_once('"')?.0.to_owned())).collect()
        };
        let (dark, light) = (ids(Theme::Dark), ids(Theme::Light));
        assert!(dark.len() > 1 && dark.iter().all(|id| !light.contains(id)), "{dark:?} {light:?}");
        let svg = sample(Theme::Dark).document(&[]);
        for used in svg.split("url(#").skip(1) {
            let id = used.split(')').next().unwrap_or_default();
            assert!(dark.iter().any(|other| other == id), "{id} is defined");
        }
    }
    #[test]
    fn shared_styles_are_written_once() {
        let svg = sample(Theme::Dark).document(&[]);
        let places = svg.lines().skip_while(|line| !line.contains("data-layer=\"places\""));
        let lines: Vec<&str> = places.take_while(|line| *line != "</g></g>").take(6).collect();
        let [_, group, one, other, end, outlines] = lines[..] else { panic!("{svg}") };
        assert!(group.starts_with("<g fill=\"url(#m") && end == "</g>", "{svg}");
        for (place, x) in [(one, 5), (other, 7)] {
            assert!(place.starts_with("<path d=\"M") && !place.contains("fill"), "{place}");
            let told =
                format!("data-place=\"{x}\" data-owner=\"1\"><title>&quot;place&quot;</title>");
            assert!(place.contains(&told), "{place}");
        }
        assert_eq!(outlines.matches('M').count(), 2, "{outlines}");
    }
}
