//! The outlines of Europe: where provinces lie, and where their units stand. The lands are
//! schematic: their shapes follow the continent, and all borders of the game are borders here.

use std::sync::LazyLock;

use heliopause_diplomacy::{NODES, Node, Province};

use crate::svg::{Area, Color, Font, Room, around};

/// How large the map is.
pub(super) const SIZE: (f64, f64) = (1180.0, 840.0);

/// One shape a line: name, the middle, the outline. Names that begin with `_` are no provinces;
/// those with a coast have no outline of their own.
const SHAPES: &str = include_str!("europe.txt");

/// What is drawn.
pub(super) struct Geography {
    /// The outlines of provinces.
    pub(super) lands: Vec<(Province, &'static str)>,
    /// Lands that nobody enters.
    pub(super) wastes: Vec<&'static str>,
    middles: [(f64, f64); NODES],
    /// Where the names of provinces stand: below the middle of each, unless units have their place
    /// there.
    names: Vec<(f64, f64)>,
}

/// Room for a unit around its middle, to each side and up and down.
const UNIT: (f64, f64) = (13.0, 11.5);
/// Where a dislodged unit stands beside the one that came.
pub(super) const ASIDE: (f64, f64) = (15.0, -13.0);

/// The letters of the names.
pub(super) fn name_font(color: Color) -> Font {
    Font::new(10.0, color).bold().centered()
}

/// The map of Europe.
pub(super) static EUROPE: LazyLock<Geography> = LazyLock::new(Geography::read);

impl Geography {
    fn read() -> Self {
        let mut geography = Self {
            lands: Vec::new(),
            wastes: Vec::new(),
            middles: [(0.0, 0.0); NODES],
            names: Vec::new(),
        };
        for line in SHAPES.lines() {
            let cells: Vec<&'static str> = line.split('|').collect();
            let [name, middle, outline] = cells[..] else { continue };
            let Some(node) = name.parse::<Node>().ok() else {
                geography.wastes.push(outline);
                continue;
            };
            let mut numbers = middle.split(' ').filter_map(|number| number.parse().ok());
            geography.middles[node.index()] =
                (numbers.next().unwrap_or_default(), numbers.next().unwrap_or_default());
            if node.coast().is_none() {
                geography.lands.push((node.province(), outline));
            }
        }
        geography.names = geography.places_of_names();
        geography
    }

    /// Each name with its supply center, where no unit can stand.
    fn places_of_names(&self) -> Vec<(f64, f64)> {
        let mut room = Room::default();
        for middle in self.middles {
            room.take(Area::around(middle, UNIT.0, UNIT.1));
            room.shun(Area::around((middle.0 + ASIDE.0, middle.1 + ASIDE.1), UNIT.0, UNIT.1));
        }
        let font = name_font(Color::new(0));
        let place = |province: Province| {
            let name = if province.is_center() { "MMMMM" } else { "MMM" };
            room.place(&font, name, around(self.middle(province.node()), &font, name, 11.0))
        };
        Province::ALL.into_iter().map(place).collect()
    }

    /// Where the name of a province stands.
    pub(super) fn name(&self, province: Province) -> (f64, f64) {
        self.names[province.index()]
    }

    /// Where a unit stands, or an arrow ends.
    pub(super) fn middle(&self, node: Node) -> (f64, f64) {
        self.middles[node.index()]
    }
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
            let outlines = EUROPE.lands.iter().filter(|(land, _)| *land == province);
            assert!(outlines.map(|(_, outline)| outline.len()).sum::<usize>() > 20, "{province}");
        }
        assert!(EUROPE.wastes.len() >= 3);
    }
}
