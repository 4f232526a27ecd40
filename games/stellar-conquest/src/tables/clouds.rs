//! Rule 6: gas and dust clouds, read from the list in rule 6.3 (BR-2).

use std::sync::LazyLock;

use crate::tables::board::{PLACES, Place};
use crate::tables::rulebook::RULEBOOK;

static IS_CLOUD: LazyLock<[bool; PLACES]> = LazyLock::new(|| {
    let mut table = [false; PLACES];
    let (_, names) =
        RULEBOOK.text("6.3").and_then(|text| text.split_once("Cloud hexes:")).expect("the clouds");
    for name in names.split_whitespace() {
        table[Place::named(name).index()] = true;
    }
    table
});

impl Place {
    /// Returns whether the hex is part of a cloud. Only the first step of a turn can enter a cloud,
    /// and the movement ends there (rule 6.1).
    pub fn is_cloud(self) -> bool {
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
        assert_eq!(left.len(), 60);
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
