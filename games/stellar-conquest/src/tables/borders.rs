//! Space 3: the stars that border each other.

use std::sync::LazyLock;

use crate::tables::stars::{STAR_COUNT, StarId};

static BORDERS: LazyLock<[u64; STAR_COUNT]> = LazyLock::new(|| {
    let mut borders = [0; STAR_COUNT];
    for one in StarId::ALL {
        for other in StarId::ALL.into_iter().filter(|&other| other != one && is_border(one, other))
        {
            borders[one.index()] |= 1 << other.index();
        }
    }
    borders
});

/// Returns whether no third star is nearer to both stars than they are to each other (3.1, DR-4).
fn is_border(one: StarId, other: StarId) -> bool {
    let far = one.at().distance(other.at());
    StarId::ALL
        .into_iter()
        .all(|third| third.at().distance(one.at()) >= far || third.at().distance(other.at()) >= far)
}

/// Returns whether two stars border each other (3.1).
pub fn borders(one: StarId, other: StarId) -> bool {
    BORDERS[one.index()] & (1 << other.index()) != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn star(name: &str) -> StarId {
        StarId::named(name)
    }

    #[test]
    fn space_3_dt_10_borders_are_mutual_and_there_are_95() {
        let count = StarId::ALL
            .into_iter()
            .flat_map(|one| StarId::ALL.into_iter().map(move |other| (one, other)));
        let pairs: Vec<_> =
            count.filter(|&(one, other)| one < other && borders(one, other)).collect();
        assert_eq!(pairs.len(), 95);
        assert!(StarId::ALL.into_iter().all(|one| {
            StarId::ALL.into_iter().all(|other| borders(one, other) == borders(other, one))
        }));
        let alcor = StarId::ALL.into_iter().filter(|&other| borders(star("Alcor"), other));
        let mut alcor: Vec<&str> = alcor.map(StarId::as_str).collect();
        alcor.sort_unstable();
        assert_eq!(alcor, ["Hydrae", "Mira", "Pherda", "Rastaban", "Sadir"]);
    }

    #[test]
    fn space_3_2_the_examples_of_the_article() {
        for (one, others, none) in [
            ("Hydrae", &["Aurigae", "Sadir", "Alcor"][..], "Lupi"),
            ("Lupi", &["Aurigae", "Scheat", "Lacaille", "Sadir"], "Draconis"),
            ("Draconis", &["Canopus", "Almach", "Scheat", "Lacaille"], "Lupi"),
        ] {
            assert!(others.iter().all(|other| borders(star(one), star(other))), "{one}");
            assert!(!borders(star(one), star(none)), "{one} {none}");
        }
    }
}
