//! The sectors of The Fate of Empire on the board.

use std::sync::LazyLock;

use heliopause_stellar_conquest::fate::tables::Sector;
use heliopause_stellar_conquest::{Place, StarId};

use super::scene::{RADIUS, Spot, middle};
use crate::scene::{SceneLabel, ScenePath, label_at, points};
use crate::svg::{hexagon, to_f64};

/// The borders between sectors, as pairs of points.
static BORDERS: LazyLock<Vec<f32>> = LazyLock::new(borders);

/// Returns the sector of the star nearest to a point.
fn sector_at((x, y): Spot) -> Sector {
    let distance = |star: &StarId| {
        let (star_x, star_y) = middle(star.at());
        (star_x - x).hypot(star_y - y)
    };
    let nearest =
        StarId::ALL.into_iter().min_by(|one, other| distance(one).total_cmp(&distance(other)));
    nearest.map_or(Sector::Central, Sector::of)
}

fn borders() -> Vec<f32> {
    let mut borders = Vec::new();
    for at in Place::all() {
        let spot = middle(at);
        let own = sector_at(spot);
        let corners = hexagon(spot, RADIUS);
        for (nth, from) in corners.into_iter().enumerate() {
            let to = corners[(nth + 1) % corners.len()];
            // The center of the neighbor is the center of this hex, reflected at the edge.
            let beyond = (from.0 + to.0 - spot.0, from.1 + to.1 - spot.1);
            // Only one of the two hexes draws their border.
            if (own as u8) < sector_at(beyond) as u8 {
                borders.extend(points(&[from, to]));
            }
        }
    }
    borders
}

pub(super) fn path() -> ScenePath {
    ScenePath {
        kind: "border".into(),
        points: BORDERS.clone(),
        title: "Borders of the sectors".into(),
        ..ScenePath::default()
    }
}

pub(super) fn label(sector: Sector) -> SceneLabel {
    let spots: Vec<Spot> = sector.stars().iter().map(|star| middle(star.at())).collect();
    let count = to_f64(spots.len());
    let sum = spots.iter().fold((0.0, 0.0), |sum, spot| (sum.0 + spot.0, sum.1 + spot.1));
    let text = match sector {
        Sector::One => "1",
        Sector::Two => "2",
        Sector::Three => "3",
        Sector::Four => "4",
        Sector::Central => "C",
    };
    SceneLabel {
        full_text: format!("Sector {}", super::campaign::sector_name(sector)),
        offset: 22.0,
        ..label_at(text, "region", (sum.0 / count, sum.1 / count))
    }
}
