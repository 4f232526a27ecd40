//! The sectors of The Fate of Empire in the picture: which part of the board belongs to which.

use std::sync::LazyLock;

use heliopause_stellar_conquest::fate::tables::Sector;
use heliopause_stellar_conquest::{Place, StarId};

use super::atlas::Atlas;
use super::grid::{RADIUS, Spot, middle};
use crate::svg::{Finish, Font, Layer, Picture, hexagon, stroke};

/// The borders as a path, and the middle of each sector.
struct Bounds {
    borders: String,
    middles: Vec<(Sector, Spot)>,
}

static BOUNDS: LazyLock<Bounds> = LazyLock::new(Bounds::new);

/// A hex belongs to the sector of the nearest star.
fn sector_at((x, y): Spot) -> Sector {
    let distance = |star: &StarId| {
        let (star_x, star_y) = middle(star.at());
        (star_x - x).hypot(star_y - y)
    };
    let nearest =
        StarId::ALL.into_iter().min_by(|one, other| distance(one).total_cmp(&distance(other)));
    nearest.map_or(Sector::Central, Sector::of)
}

impl Bounds {
    fn new() -> Self {
        let mut borders = String::new();
        for at in Place::all() {
            let spot = middle(at);
            let own = sector_at(spot);
            let corners = hexagon(spot, RADIUS);
            for (nth, from) in corners.into_iter().enumerate() {
                let to = corners[(nth + 1) % corners.len()];
                // The neighbour lies as far behind the edge as this hex lies before it.
                let beyond = (from.0 + to.0 - spot.0, from.1 + to.1 - spot.1);
                // Each border is drawn from one side.
                if (own as u8) < sector_at(beyond) as u8 {
                    borders.push_str(&stroke(from, to));
                }
            }
        }
        Self { borders, middles: Sector::ALL.into_iter().map(|it| (it, centre(it))).collect() }
    }
}

/// The middle of a sector's stars.
fn centre(sector: Sector) -> Spot {
    let spots: Vec<Spot> = sector.stars().iter().map(|star| middle(star.at())).collect();
    let count = crate::svg::to_f64(spots.len());
    let sum = spots.iter().fold((0.0, 0.0), |sum, spot| (sum.0 + spot.0, sum.1 + spot.1));
    (sum.0 / count, sum.1 / count)
}

/// What a sector is called on the map.
fn name(sector: Sector) -> &'static str {
    match sector {
        Sector::One => "1",
        Sector::Two => "2",
        Sector::Three => "3",
        Sector::Four => "4",
        Sector::Central => "C",
    }
}

/// Draws the borders of the sectors, in games where sectors score.
pub(super) fn draw(picture: &mut Picture, atlas: &Atlas) {
    if atlas.view.table.campaign.fate().is_none() {
        return;
    }
    let palette = picture.palette;
    let sheet = picture.on(Layer::Regions);
    let edge = Finish::line(palette.warning, 2.0).dashed("7 4").faint(0.75);
    sheet.path(&BOUNDS.borders, edge);
    let font = Font::new(64.0, palette.fields.stale.edge).bold().centered();
    for (sector, (x, y)) in &BOUNDS.middles {
        sheet.text(*x, y + 22.0, font, name(*sector));
    }
}
