//! The map as a picture: sectors in the reader's own frame, and a panel with the empires and the
//! legend.

use std::fmt::Write as _;

use heliopause_star_empires::Coord;

use super::atlas::Atlas;
use super::window::{Layer, Window};
use crate::svg::Picture;

mod panel;
mod sectors;
mod symbols;

/// The distance from the middle of a hex to its corners.
const SIDE: f64 = 38.0;
/// Free space around the map.
const MARGIN: f64 = 34.0;
/// Where the map begins, below the heading.
const TOP: f64 = 84.0;
/// Room for the panel.
const PANEL: f64 = 300.0;
/// The picture is at least so high, so that the legend has room.
const LEAST: f64 = 560.0;

const DEFINITIONS: &str = r##"
<radialGradient id="space" cx="0.4" cy="0.4" r="0.9"><stop offset="0" stop-color="#141a30"/><stop offset="1" stop-color="#070a14"/></radialGradient>
<radialGradient id="nebula"><stop offset="0" stop-color="#a07cff" stop-opacity="0.62"/><stop offset="0.55" stop-color="#6f7cf0" stop-opacity="0.34"/><stop offset="1" stop-color="#6f7cf0" stop-opacity="0"/></radialGradient>
<radialGradient id="storm"><stop offset="0" stop-color="#ffb066" stop-opacity="0.7"/><stop offset="0.5" stop-color="#ff5a4d" stop-opacity="0.42"/><stop offset="1" stop-color="#ff5a4d" stop-opacity="0"/></radialGradient>
<radialGradient id="light" cx="0.32" cy="0.28" r="0.85"><stop offset="0" stop-color="#ffffff" stop-opacity="0.75"/><stop offset="0.45" stop-color="#ffffff" stop-opacity="0.08"/><stop offset="1" stop-color="#000000" stop-opacity="0.45"/></radialGradient>
<pattern id="hidden" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="6" height="6" fill="#141a30"/><rect width="1.4" height="6" fill="#39436d"/></pattern>
<marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" fill="#b48cff"/></marker>"##;

/// Where hexes go in the picture.
pub(super) struct Frame {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

impl Frame {
    fn new(places: &[Coord]) -> Self {
        let spots: Vec<(f64, f64)> = places.iter().map(|at| plane(*at)).collect();
        let least = |of: fn(&(f64, f64)) -> f64| spots.iter().map(of).fold(f64::INFINITY, f64::min);
        let most =
            |of: fn(&(f64, f64)) -> f64| spots.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
        let (x, y) = (|spot: &(f64, f64)| spot.0, |spot: &(f64, f64)| spot.1);
        if spots.is_empty() {
            return Self { left: 0.0, top: 0.0, width: 0.0, height: 0.0 };
        }
        Self {
            left: least(x) - SIDE,
            top: least(y) - SIDE * 0.87,
            width: most(x) - least(x) + 2.0 * SIDE,
            height: most(y) - least(y) + 1.74 * SIDE,
        }
    }

    /// The middle of a hex in the picture.
    fn middle(&self, at: Coord) -> (f64, f64) {
        let (x, y) = plane(at);
        (x - self.left + MARGIN, y - self.top + TOP)
    }
}

/// Notes 8.1: the middle of a hex on a plane with x to the right and y down.
fn plane(at: Coord) -> (f64, f64) {
    let (oblique, y) = (f64::from(at.o), f64::from(at.y));
    (1.5 * SIDE * oblique, 3.0_f64.sqrt() * SIDE * (oblique / 2.0 - y))
}

/// Draws a part of the map.
pub(super) fn draw(atlas: &Atlas, window: &Window) -> String {
    let places = window.places(atlas, None);
    let frame = Frame::new(&places);
    let width = frame.width + 2.0 * MARGIN + PANEL;
    let height = (frame.height + TOP + MARGIN).max(LEAST.max(panel::height(atlas)));
    let mut picture = Picture::default();
    picture.raw(&format!(r#"<rect width="{width:.0}" height="{height:.0}" fill="url(#space)"/>"#));
    stars(&mut picture, width, height);
    heading(&mut picture, atlas, window);
    sectors::draw(&mut picture, atlas, &frame, &places, window.layer);
    panel::draw(&mut picture, atlas, width - PANEL + 6.0);
    let title = format!("{}, map {}", atlas.title, atlas.view.turn);
    picture.document(width, height, &title, DEFINITIONS)
}

fn heading(picture: &mut Picture, atlas: &Atlas, window: &Window) {
    picture.text(
        MARGIN,
        40.0,
        r##"font-size="24" font-weight="bold" fill="#f2f4ff""##,
        &atlas.title,
    );
    let whose = atlas.seat.map_or_else(|| "the whole galaxy".to_owned(), |seat| atlas.name(seat));
    let mut told = format!("Map {} of {whose}", atlas.view.turn);
    if let Some(around) = window.around {
        let _ = write!(told, ", around {around}");
    }
    if window.layer != Layer::All {
        let _ = write!(told, ", layer {}", window.layer);
    }
    picture.text(MARGIN, 62.0, r##"font-size="14" fill="#b9c2e0""##, &told);
}

/// A sky that is the same in every picture: a fixed sequence, not chance.
fn stars(picture: &mut Picture, width: f64, height: f64) {
    let mut state: u32 = 20_190_705;
    let mut next = |range: f64| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 16) / 65_536.0 * range
    };
    let mut sky = String::new();
    for _ in 0..160 {
        let (x, y, size) = (next(width), next(height), 0.4 + next(0.8));
        let _ = write!(sky, r#"<circle cx="{x:.0}" cy="{y:.0}" r="{size:.1}"/>"#);
    }
    picture.raw(&format!(r##"<g fill="#ffffff" opacity="0.35">{sky}</g>"##));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn north_is_up_and_oblique_goes_to_the_south_east() {
        let (home, north, east) =
            (plane(Coord::new(0, 0)), plane(Coord::new(0, 1)), plane(Coord::new(1, 0)));
        assert!(north.1 < home.1 && (north.0 - home.0).abs() < 0.01);
        assert!(east.0 > home.0 && east.1 > home.1);
    }
}
