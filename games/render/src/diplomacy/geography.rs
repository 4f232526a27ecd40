//! A schematic map of Europe. Provinces that are adjacent in the game are also adjacent on the map.

use std::sync::LazyLock;

use heliopause_diplomacy::{NODES, Node, PROVINCES, Province};

use crate::scene::{SceneArea, SceneOutline, unit};
use crate::svg::{Area, Color, Font, LabelSpace, around};

pub(super) const SIZE: (f64, f64) = (1180.0, 840.0);

/// One shape per line: name, center, outline. Names that begin with `_` are not provinces. Coasts
/// have no outline.
const SHAPES: &str = include_str!("europe.txt");

/// The tiles of the text map by row, from north to south. `.` is an empty tile.
const TILES: &str = include_str!("tiles.txt");

/// The default radius of a partial text map, in rows of tiles.
pub(super) const ROWS_AROUND: u32 = 2;

pub(super) struct Geography {
    /// The shape of each province, by province index: position on both maps, outlines, neighbors.
    lands: Vec<SceneArea>,
    pub(super) impassable: Vec<SceneArea>,
    middles: [(f64, f64); NODES],
    /// The position of each province's name, by province index.
    names: Vec<(f64, f64)>,
}

/// Half the width and height of a unit.
const UNIT: (f64, f64) = (13.0, 11.5);
/// The offset of a dislodged unit from the unit that dislodged it.
pub(super) const DISLODGED_OFFSET: (f64, f64) = (15.0, -13.0);

pub(super) static EUROPE: LazyLock<Geography> = LazyLock::new(Geography::read);

impl Geography {
    fn read() -> Self {
        let mut geography = Self {
            lands: Province::ALL.into_iter().map(blank).collect(),
            impassable: Vec::new(),
            middles: [(0.0, 0.0); NODES],
            names: Vec::new(),
        };
        for line in SHAPES.lines() {
            let cells: Vec<&'static str> = line.split('|').collect();
            let [name, middle, outline] = cells[..] else { continue };
            let mut numbers = middle.split(' ').filter_map(|number| number.parse().ok());
            let (x, y) = (numbers.next().unwrap_or_default(), numbers.next().unwrap_or_default());
            let Some(node) = name.parse::<Node>().ok() else {
                let area = SceneArea { terrain: "barred".into(), ..SceneArea::default() };
                geography.impassable.push(shaped(area, (x, y), outline));
                continue;
            };
            geography.middles[node.index()] = (x, y);
            if node.coast().is_none() {
                let land = &mut geography.lands[node.province().index()];
                *land = shaped(std::mem::take(land), (x, y), outline);
            }
        }
        geography.names = geography.place_names();
        geography
    }

    /// Chooses a position for each name and its supply center, clear of the units.
    fn place_names(&self) -> Vec<(f64, f64)> {
        let mut room = LabelSpace::default();
        for middle in self.middles {
            room.take(Area::around(middle, UNIT.0, UNIT.1));
            room.reserve(Area::around(
                (middle.0 + DISLODGED_OFFSET.0, middle.1 + DISLODGED_OFFSET.1),
                UNIT.0,
                UNIT.1,
            ));
        }
        let font = Font::new(10.0, Color::new(0)).bold().centered();
        let place = |province: Province| {
            let name = if province.is_center() { "MMMMM" } else { "MMM" };
            room.place(&font, name, around(self.middle(province.node()), &font, name, 11.0))
        };
        Province::ALL.into_iter().map(place).collect()
    }

    pub(super) fn land(&self, province: Province) -> SceneArea {
        self.lands[province.index()].clone()
    }

    pub(super) fn name(&self, province: Province) -> (f64, f64) {
        self.names[province.index()]
    }

    pub(super) fn middle(&self, node: Node) -> (f64, f64) {
        self.middles[node.index()]
    }
}

fn blank(province: Province) -> SceneArea {
    let (column, row) = tiles()[province.index()];
    SceneArea {
        name: province.to_string(),
        terrain: if province.is_land() { "land" } else { "sea" }.into(),
        column,
        row,
        neighbors: province.neighbors().iter().map(|other| other.to_string()).collect(),
        ..SceneArea::default()
    }
}

fn shaped(area: SceneArea, (x, y): (f64, f64), outline: &str) -> SceneArea {
    let points = |part: &str| -> Vec<f32> {
        let numbers = part.split(|char: char| !char.is_ascii_digit() && char != '.');
        numbers.filter_map(|number| number.parse().ok()).collect()
    };
    let parts = outline.split('Z').map(points).filter(|points| !points.is_empty());
    let outlines = parts.map(|points| SceneOutline { points }).collect();
    SceneArea { x: unit(x), y: unit(y), outlines, ..area }
}

/// Returns the column and row of each province on the text map, by province index.
fn tiles() -> [(i32, i32); PROVINCES] {
    let mut tiles = [(-1, -1); PROVINCES];
    for (cells, row) in TILES.lines().zip(0..) {
        for (name, column) in cells.split_whitespace().zip(0..) {
            if let Ok(province) = name.parse::<Province>() {
                tiles[province.index()] = (column, row);
            }
        }
    }
    tiles
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_province_and_coast_has_its_place() {
        for node in Node::ALL {
            let (x, y) = EUROPE.middle(node);
            assert!(x > 0.0 && y > 0.0 && x < SIZE.0 && y < SIZE.1, "{node}");
        }
        for province in Province::ALL {
            let outlines = EUROPE.land(province).outlines;
            assert!(outlines.iter().all(|outline| outline.points.len() > 6), "{province}");
            assert!(!outlines.is_empty(), "{province}");
        }
        assert!(EUROPE.impassable.len() >= 3);
    }

    #[test]
    fn every_province_has_one_tile() {
        let mut tiles = tiles().to_vec();
        tiles.sort_unstable();
        tiles.dedup();
        assert!(tiles.len() == PROVINCES && tiles.iter().all(|(column, _)| *column >= 0));
        assert!(TILES.lines().all(|row| row.split_whitespace().count() == 10));
    }
}
