//! The map as a picture: sectors in the reader's own frame, and a panel with the empires and the
//! legend.

use std::fmt::Write as _;

use heliopause_star_empires::{Coord, Insight};

use super::atlas::Atlas;
use super::window::{Layer, Window};
use crate::svg::{self, Color, Font, Picture, Theme};

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
/// The map has at least this size.
const LEAST: (f64, f64) = (420.0, 560.0);

/// A place in the picture.
type Spot = (f64, f64);

/// Where hexes go in the picture.
pub(super) struct Frame {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

impl Frame {
    fn new(places: &[Coord]) -> Self {
        let spots: Vec<Spot> = places.iter().map(|at| plane(*at)).collect();
        let least = |of: fn(&Spot) -> f64| spots.iter().map(of).fold(f64::INFINITY, f64::min);
        let most = |of: fn(&Spot) -> f64| spots.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
        let (x, y) = (|spot: &Spot| spot.0, |spot: &Spot| spot.1);
        if spots.is_empty() {
            return Self { left: 0.0, top: 0.0, width: LEAST.0, height: LEAST.1 };
        }
        Self {
            left: least(x) - SIDE,
            top: least(y) - SIDE * 0.87,
            width: (most(x) - least(x) + 2.0 * SIDE).max(LEAST.0),
            height: most(y) - least(y) + 1.74 * SIDE,
        }
    }

    /// The middle of a hex in the picture.
    fn middle(&self, at: Coord) -> Spot {
        let (x, y) = plane(at);
        (x - self.left + MARGIN, y - self.top + TOP)
    }
}

/// Notes 8.1: the middle of a hex on a plane with x to the right and y down.
fn plane(at: Coord) -> Spot {
    let (oblique, y) = (f64::from(at.o), f64::from(at.y));
    (1.5 * SIDE * oblique, 3.0_f64.sqrt() * SIDE * (oblique / 2.0 - y))
}

/// Draws a part of the map.
pub(super) fn draw(atlas: &Atlas, window: &Window, theme: Theme) -> Picture {
    let places = window.places(atlas, None);
    let frame = Frame::new(&places);
    let mut picture = Picture::new(theme, &atlas.title, atlas.view.empires);
    define(&mut picture);
    heading(&mut picture, atlas, window);
    sectors::draw(&mut picture, atlas, &frame, &places, window.layer);
    let left = frame.width + 2.0 * MARGIN;
    if places.is_empty() {
        unseen(&mut picture);
        return picture.sized(left, LEAST.1).starry();
    }
    let bottom = panel::draw(&mut picture, atlas, (left + 6.0, TOP - 14.0), PANEL - 26.0);
    let height = (frame.height + TOP + MARGIN).max(LEAST.1).max(bottom + MARGIN);
    picture.sized(left + PANEL, height).starry()
}

/// The gas of storms and nebulae, the light on worlds, and what is hidden.
fn define(picture: &mut Picture) {
    let palette = picture.palette;
    let (storm, nebula) = (palette.bodies.storm, palette.bodies.nebula);
    let (white, black) = (Color::new(0xff_ffff), Color::new(0));
    let eye = storm.towards(palette.warning, 60);
    picture.shade("storm", &[(0.0, eye, 0.7), (0.5, storm, 0.42), (1.0, storm, 0.0)]);
    picture.shade("nebula", &[(0.0, nebula, 0.62), (0.55, nebula, 0.34), (1.0, nebula, 0.0)]);
    picture.shade("light", &[(0.0, white, 0.55), (0.5, white, 0.06), (1.0, black, 0.35)]);
    picture.stripes("hidden", 6.0, palette.fields.stale.fill, palette.fields.known.fill);
}

fn heading(picture: &mut Picture, atlas: &Atlas, window: &Window) {
    let (title, soft) =
        (Font::new(24.0, picture.palette.text).bold(), Font::new(14.0, picture.palette.soft));
    let mut told = format!("Map {}", atlas.view.turn);
    match (&atlas.view.insight, atlas.seat) {
        (_, Some(seat)) => told = format!("{told} of {}", atlas.name(seat)),
        (Insight::Master(_), None) => told.push_str(" of the whole galaxy"),
        (Insight::Empire(_) | Insight::Spectator, None) => {}
    }
    if let Some(around) = window.around {
        let _ = write!(told, ", around {around}");
    }
    if window.layer != Layer::All {
        let _ = write!(told, ", layer {}", window.layer);
    }
    let sheet = picture.on(svg::Layer::Legend);
    sheet.text(MARGIN, 40.0, title, &atlas.title);
    sheet.text(MARGIN, 62.0, soft, &told);
}

/// What stands in the place of a map of which the viewer sees nothing.
fn unseen(picture: &mut Picture) {
    let font = Font::new(16.0, picture.palette.soft).centered();
    let sheet = picture.on(svg::Layer::Legend);
    let lines = [
        "Spectators see nothing of the galaxy",
        "while it is played.",
        "Once the game is over, the whole galaxy",
        "can be looked at.",
    ];
    for (nth, line) in lines.iter().enumerate() {
        let y = TOP + 180.0 + 24.0 * svg::to_f64(nth);
        sheet.text(MARGIN + LEAST.0 / 2.0, y, font, line);
    }
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
