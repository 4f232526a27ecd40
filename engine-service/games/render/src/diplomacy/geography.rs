//! The outlines of Europe: where provinces lie, and where their units stand. The lands are
//! schematic: their shapes follow the continent, and all borders of the game are borders here.

use std::sync::LazyLock;

use heliopause_diplomacy::{NODES, Node, Province};

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
}

/// The map of Europe.
pub(super) static EUROPE: LazyLock<Geography> = LazyLock::new(Geography::read);

impl Geography {
    fn read() -> Self {
        let mut geography =
            Self { lands: Vec::new(), wastes: Vec::new(), middles: [(0.0, 0.0); NODES] };
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
        geography
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
