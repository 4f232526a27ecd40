//! The content of a picture, parsed from its lines.

use std::collections::HashSet;

use heliopause_render::svg::{Area, Color, Font};

#[derive(Default)]
pub(crate) struct Drawn {
    pub(crate) places: HashSet<String>,
    pub(crate) pieces: HashSet<String>,
    pub(crate) labels: Vec<(String, Area)>,
    pub(crate) badges: Vec<Area>,
}

impl Drawn {
    pub(crate) fn read(svg: &str) -> Self {
        let (mut drawn, mut layer, mut font) = (Self::default(), "", "");
        for line in svg.lines() {
            if line.starts_with("<g font-size") {
                font = line;
            }
            if let Some(new) = attribute(line, "data-layer") {
                layer = new;
            }
            let plain = |text: &str| text.replace("&quot;", "\"").replace("&amp;", "&");
            if let Some(piece) = attribute(line, "data-piece") {
                drawn.pieces.insert(plain(piece));
            } else if let Some(place) = attribute(line, "data-place") {
                drawn.places.insert(plain(place));
            }
            match (layer, area(line, font)) {
                ("labels", Some(area)) => drawn.labels.push((content(line).to_owned(), area)),
                ("pieces", Some(area)) => drawn.badges.push(area),
                _ => {}
            }
        }
        drawn
    }
}

fn attribute<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let (_, value) = line.split_once(&format!(" {name}=\""))?;
    Some(value.split_once('"')?.0)
}

fn number(line: &str, name: &str) -> f64 {
    attribute(line, name).and_then(|text| text.parse().ok()).unwrap_or_default()
}

fn content(line: &str) -> &str {
    let inner = line.split_once('>').map_or("", |(_, inner)| inner);
    inner.split_once("</").map_or("", |(inner, _)| inner)
}

/// Returns the area of a shape. Text may inherit the font of its parent.
fn area(line: &str, around: &str) -> Option<Area> {
    let tag = line.strip_prefix('<')?.split(' ').next()?;
    match tag {
        "text" => {
            let look = if attribute(line, "font-size").is_some() { line } else { around };
            let font = Font::new(number(look, "font-size"), Color::new(0));
            let font = font.bold_if(attribute(look, "font-weight").is_some());
            let font = match attribute(look, "text-anchor") {
                Some("middle") => font.centered(),
                Some("end") => font.at_end(),
                _ => font,
            };
            Some(Area::of_text((number(line, "x"), number(line, "y")), &font, content(line)))
        }
        "circle" => {
            let radius = number(line, "r");
            Some(Area::around((number(line, "cx"), number(line, "cy")), radius, radius))
        }
        "rect" => {
            let (left, top) = (number(line, "x"), number(line, "y"));
            let (right, bottom) = (left + number(line, "width"), top + number(line, "height"));
            Some(Area { left, top, right, bottom })
        }
        "polygon" => enclosing(attribute(line, "points")?),
        "path" => enclosing(attribute(line, "d")?),
        _ => None,
    }
}

fn enclosing(outline: &str) -> Option<Area> {
    let numbers = outline.split(|char: char| !char.is_ascii_digit() && !"-.".contains(char));
    let numbers: Vec<f64> = numbers.filter_map(|number| number.parse().ok()).collect();
    let mut spots = numbers.chunks_exact(2).map(|spot| (spot[0], spot[1]));
    let first = Area::around(spots.next()?, 0.0, 0.0);
    Some(spots.fold(first, |area, (x, y)| Area {
        left: area.left.min(x),
        top: area.top.min(y),
        right: area.right.max(x),
        bottom: area.bottom.max(y),
    }))
}
