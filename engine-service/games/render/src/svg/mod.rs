//! Pictures as SVG that programs can read: layers with names, and marks on all places and pieces.
//!
//! | module | concern |
//! | --- | --- |
//! | `layer` | the layers, the same in all games |
//! | `length` | how numbers are written |
//! | `mark` | which place or piece an element shows, and whose it is |
//! | `finish` | how shapes are filled and edged, and how letters look |
//! | `palette` | themes and their colours |
//! | `outline` | outlines that are drawn at many places |
//! | `room` | where names go, so that nothing covers them |
//! | `sheet` | the shapes of one layer |
//! | `column` | what stands beside a map |
//!
//! A picture holds no script and refers to nothing outside. Each element is a line, and lines that
//! show the same are the same, so that the pictures of a game have most lines in common. All ids
//! begin with a number made of what they name: where two pictures on one page have an id in common,
//! it names the same in both.

use std::fmt::Write as _;

use crate::text::harmless;

mod column;
mod finish;
mod layer;
mod length;
mod mark;
mod outline;
mod palette;
mod room;
mod sheet;
#[cfg(test)]
mod vision;

pub use column::Column;
pub use finish::{Anchor, Finish, Font, Tint};
pub use layer::Layer;
pub use length::Length;
pub use mark::Mark;
pub use outline::Outline;
pub use palette::{Bodies, Color, Earth, Field, Fields, Palette, Theme};
pub use room::{Area, Room, around};
pub use sheet::{Sheet, stroke};

/// Stands for what ids begin with until that is known; no text of others can hold it.
const OWN_ID: char = '\u{1}';

/// How a picture is wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Its colours.
    pub theme: Theme,
    /// What is left out of it.
    pub hidden: Vec<Layer>,
}

/// A picture: a sheet for each layer, the lower ones first.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Its colours.
    pub palette: &'static Palette,
    title: String,
    definitions: String,
    sheets: [Sheet; Layer::ALL.len()],
    frame: Area,
}

impl Picture {
    /// An empty picture of a game with so many seats.
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

    /// The sheet of a layer.
    pub fn on(&mut self, layer: Layer) -> &mut Sheet {
        &mut self.sheets[layer as usize]
    }

    /// Defines a gradient from the middle of a thing to its edge; the name is that of a
    /// [`Tint::Shade`]. A stop has its place, its colour, and how much of it is seen.
    pub fn shade(&mut self, name: &str, stops: &[(f64, Color, f64)]) {
        self.gradient(name, r#"cx="0.5" cy="0.5" r="0.5""#, stops);
    }

    /// Defines a ball of this colour, lit from above.
    pub fn ball(&mut self, name: &str, color: Color) {
        let (white, black) = (Color::new(0xff_ffff), Color::new(0));
        let stops = [
            (0.0, color.towards(white, 70), 1.0),
            (0.6, color, 1.0),
            (1.0, color.towards(black, 60), 1.0),
        ];
        self.gradient(name, r#"cx="0.35" cy="0.3" r="0.9""#, &stops);
    }

    fn gradient(&mut self, name: &str, form: &str, stops: &[(f64, Color, f64)]) {
        let _ = write!(self.definitions, r#"<radialGradient id="{OWN_ID}{name}" {form}>"#);
        for (at, color, opacity) in stops {
            let _ = write!(
                self.definitions,
                r#"<stop offset="{at}" stop-color="{color}" stop-opacity="{opacity}"/>"#
            );
        }
        self.definitions.push_str("</radialGradient>\n");
    }

    /// Defines a ground with slanting stripes.
    pub fn stripes(&mut self, name: &str, width: f64, ground: Color, stripe: Color) {
        let half = width / 2.0;
        let _ = writeln!(
            self.definitions,
            r#"<pattern id="{OWN_ID}{name}" width="{width}" height="{width}" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="{width}" height="{width}" fill="{ground}"/><rect width="{half}" height="{width}" fill="{stripe}"/></pattern>"#
        );
    }

    /// The patterns of those who share their colour with others.
    fn define_patterns(&mut self, seats: usize) {
        let stroke = self.palette.on_owner;
        for (seat, color, pattern) in self.palette.patterns(seats) {
            let _ = writeln!(
                self.definitions,
                r#"<pattern id="{OWN_ID}seat{}" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" fill="{color}"/><path d="{pattern}" stroke="{stroke}" stroke-width="1.3" fill="none"/></pattern>"#,
                seat.number()
            );
        }
    }

    /// The layers on which there is something, the lower ones first.
    pub fn layers(&self) -> Vec<Layer> {
        let filled = |layer: &Layer| !self.sheets[*layer as usize].is_empty();
        Layer::ALL.into_iter().filter(filled).collect()
    }

    /// The same with a ground of this size.
    #[must_use]
    pub fn sized(self, width: f64, height: f64) -> Self {
        self.framed(Area { left: 0.0, top: 0.0, right: width, bottom: height })
    }

    /// The same with this ground.
    #[must_use]
    pub fn framed(mut self, frame: Area) -> Self {
        debug_assert!(frame.width() > 0.0 && frame.height() > 0.0, "a picture has room");
        let (right, bottom) = (frame.right.ceil(), frame.bottom.ceil());
        let frame = Area { left: frame.left.floor(), top: frame.top.floor(), right, bottom };
        self.frame = frame;
        let [inner, outer] = self.palette.page;
        self.gradient(
            "ground",
            r#"cx="0.4" cy="0.45" r="0.9""#,
            &[(0.0, inner, 1.0), (1.0, outer, 1.0)],
        );
        let (corner, size) = ((frame.left, frame.top), (frame.width(), frame.height()));
        self.on(Layer::Ground).rect(corner, size, 0.0, Tint::Shade("ground").into());
        self
    }

    /// The same with stars on the ground, always at the same places: a fixed sequence, not chance.
    /// By day there are none.
    #[must_use]
    pub fn starry(mut self) -> Self {
        let Some(color) = self.palette.sky else { return self };
        let frame = self.frame;
        let mut state: u32 = 20_190_705;
        let mut next = |range: f64| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(state >> 16) / 65_536.0 * range
        };
        for _ in 0..150 {
            let spot = (frame.left + next(frame.width()), frame.top + next(frame.height()));
            let size = 0.4 + next(0.8);
            self.on(Layer::Ground).circle(spot, size, Finish::fill(color).faint(0.4));
        }
        self
    }

    /// The document without the layers that are hidden.
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
            let touch = if layer.is_touched() { "" } else { r#" pointer-events="none""# };
            let _ = writeln!(document, r#"<g data-layer="{layer}"{touch}>"#);
            self.sheets[layer as usize].write(&id, &mut document);
            document.push_str("</g>\n");
        }
        document.push_str("</svg>\n");
        document
    }
}

/// Adds a part of a document, with ids that begin so.
fn push_named(document: &mut String, part: &str, id: &str) {
    for (index, part) in part.split(OWN_ID).enumerate() {
        if index > 0 {
            document.push_str(id);
        }
        document.push_str(part);
    }
}

/// A number that other contents hardly have: FNV-1a.
fn fingerprint(text: &str) -> u64 {
    const PRIME: u64 = 0x0100_0000_01b3;
    let start = 0xcbf2_9ce4_8422_2325;
    text.bytes().fold(start, |state: u64, byte| (state ^ u64::from(byte)).wrapping_mul(PRIME))
}

/// A count as a length in a picture.
pub fn to_f64(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Text that cannot be taken for markup, whoever wrote it.
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

/// The corners of a hex with its flat sides above and below.
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
        let font = Font::new(9.0, picture.palette.text);
        picture.on(Layer::Labels).text(0.0, 0.0, font, "<script>\"&");
        let hex = Outline::new(&hexagon((0.0, 0.0), 1.0));
        picture.shade("dot", &[(0.0, picture.palette.text, 1.0)]);
        let finish = Finish::from(Tint::Shade("dot"));
        for x in [5.0, 7.0] {
            let mark = Mark::place(x).of(Seat::at(0)).titled("\"place\"");
            picture.on(Layer::Places).place(&mark, &hex, (x, 5.0), finish);
            picture.on(Layer::Places).outline(&hex, (x, 8.0), finish);
        }
        let tint = picture.palette.tint(Seat::at(20));
        picture.on(Layer::Pieces).circle((1.0, 1.0), 1.0, tint.into());
        picture.sized(10.0, 10.0)
    }

    #[test]
    fn names_cannot_become_markup() {
        let svg = sample(Theme::Dark).document(&[]);
        assert!(svg.contains("&lt;script&gt;&quot;&amp;") && svg.contains("<title>&lt;t&gt;"));
    }

    #[test]
    fn a_layer_can_be_hidden_and_an_empty_one_is_none() {
        let picture = sample(Theme::Dark);
        assert_eq!(picture.layers(), [Layer::Ground, Layer::Places, Layer::Pieces, Layer::Labels]);
        let svg = picture.document(&[Layer::Labels]);
        assert!(svg.contains(r#"data-layer="ground""#) && !svg.contains("labels"), "{svg}");
    }

    #[test]
    fn ids_that_name_other_things_differ() {
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
    fn what_looks_alike_says_so_once() {
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
