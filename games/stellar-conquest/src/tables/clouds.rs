//! Rule 6: gas and dust clouds. The list is data, so a correction needs no code (BR-2).

use crate::tables::board::{PLACES, Place};

const CLOUDS: [&str; 60] = [
    "A10", "A11", "A12", "A13", "B10", "B11", "B12", "C11", "I7", "I8", "I13", "I14", "J6", "J7",
    "J8", "J12", "J13", "J14", "K6", "K7", "K14", "K15", "K16", "L5", "L15", "O1", "O20", "P1",
    "P19", "P20", "Q1", "Q2", "Q20", "R1", "R2", "R19", "U6", "V5", "V6", "V14", "V15", "W6", "W7",
    "W15", "X6", "X7", "X8", "X13", "X14", "Y12", "Y13", "Y14", "DD7", "EE8", "EE9", "EE11", "FF8",
    "FF9", "FF10", "FF11",
];

static IS_CLOUD: [bool; PLACES] = {
    let mut table = [false; PLACES];
    let mut cloud = 0;
    while cloud < CLOUDS.len() {
        table[Place::named(CLOUDS[cloud]).index()] = true;
        cloud += 1;
    }
    table
};

impl Place {
    /// Returns whether the hex is part of a cloud. Only the first step of a turn can enter a cloud,
    /// and the movement ends there (rule 6.1).
    pub const fn is_cloud(self) -> bool {
        IS_CLOUD[self.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::stars::StarId;

    #[test]
    fn rule_2_5_the_clouds_are_eight_patches_of_five_to_nine_hexes() {
        let mut left: Vec<Place> = Place::all().filter(|place| place.is_cloud()).collect();
        assert_eq!(left.len(), CLOUDS.len());
        let mut sizes = Vec::new();
        while let Some(first) = left.pop() {
            let mut patch = vec![first];
            let mut next = 0;
            while next < patch.len() {
                let neighbors: Vec<Place> =
                    patch[next].neighbors().filter(|place| left.contains(place)).collect();
                left.retain(|place| !neighbors.contains(place));
                patch.extend(neighbors);
                next += 1;
            }
            sizes.push(patch.len());
        }
        assert_eq!(sizes.len(), 8, "{sizes:?}");
        assert!(sizes.iter().all(|size| (5..=9).contains(size)), "{sizes:?}");
    }

    #[test]
    fn rule_6_3_stars_inside_clouds() {
        let inside: Vec<&str> = StarId::ALL
            .into_iter()
            .filter(|star| star.at().is_cloud())
            .map(StarId::as_str)
            .collect();
        assert_eq!(inside, ["Sirius", "Deneb", "Mizar", "Zosca", "Vega", "Altair"]);
    }

    #[test]
    fn br_2_pherda_and_polaris_touch_clouds_but_are_clear() {
        let touches =
            |star| StarId::named(star).at().neighbors().filter(|place| place.is_cloud()).count();
        assert_eq!((touches("Pherda"), touches("Polaris")), (3, 4));
        assert!(!StarId::named("Pherda").at().is_cloud());
    }
}
