//! Routes of convoys (D3.2, D3.5).

use crate::board::{Province, Provinces, Terrain};

/// Returns whether a chain of these fleets connects two coasts. `fleets` contains their seas.
pub(crate) fn leads(fleets: Provinces, from: Province, to: Province) -> bool {
    let goal = to.by_sea().intersection(fleets);
    let mut reached = from.by_sea().intersection(fleets);
    let mut edge = reached;
    while reached.intersection(goal).is_empty() {
        let next = edge.iter().fold(Provinces::EMPTY, |all, sea| all.union(sea.by_sea()));
        edge = next.intersection(fleets).difference(reached);
        if edge.is_empty() {
            return false;
        }
        reached = reached.union(edge);
    }
    true
}

pub(crate) fn is_possible(fleets: Provinces, from: Province, to: Province) -> bool {
    from != to
        && from.terrain() == Terrain::Coastal
        && to.terrain() == Terrain::Coastal
        && leads(fleets, from, to)
}

/// Returns whether a fleet is part of a chain that needs each of its fleets (D3.5, 6.G.19, 6.F.12).
pub(crate) fn is_useful(fleet: Province, fleets: Provinces, from: Province, to: Province) -> bool {
    let first = from.by_sea().intersection(fleets);
    let last = to.by_sea().intersection(fleets);
    let search = Search { fleet, last };
    first.iter().any(|sea| search.completes(sea, fleets.difference(first), sea == fleet))
}

struct Search {
    fleet: Province,
    last: Provinces,
}

impl Search {
    /// Returns whether a chain ending at `at` can be completed through the fleet. Neighbors of
    /// earlier links are not in `free`, because a chain through them could skip the links between.
    fn completes(&self, at: Province, free: Provinces, passed: bool) -> bool {
        if self.last.contains(at) {
            return passed;
        }
        if !passed && !free.contains(self.fleet) {
            return false;
        }
        let next = at.by_sea().intersection(free);
        let free = free.difference(next);
        next.iter().any(|sea| self.completes(sea, free, passed || sea == self.fleet))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> Provinces {
        text.split_whitespace().map(province).collect()
    }

    fn province(text: &str) -> Province {
        text.parse::<Province>().unwrap()
    }

    #[test]
    fn d3_2_convoys_need_a_chain_of_fleets() {
        let leads = |fleets, from, to| is_possible(set(fleets), province(from), province(to));
        assert!(leads("ENG", "Lon", "Bre") && leads("ENG MAO WES", "Lon", "Tun"));
        assert!(
            !leads("ENG WES", "Lon", "Tun")
                && !leads("ENG", "Lon", "Par")
                && !leads("ENG", "Lon", "Lon")
        );
    }

    #[test]
    fn d3_5_redundant_fleets_are_not_on_a_route() {
        let useful = |fleet, fleets, from, to| {
            is_useful(province(fleet), set(fleets), province(from), province(to))
        };
        assert!(useful("ENG", "ENG NTH", "Lon", "Bel") && useful("NTH", "ENG NTH", "Lon", "Bel"));
        assert!(!useful("IRI", "ENG IRI", "Lon", "Bel"), "6.G.19");
        assert!(
            useful("MAO", "ENG MAO WES", "Lon", "Tun")
                && !useful("NTH", "ENG MAO WES NTH", "Wal", "Tun")
        );
        assert!(
            useful("NAO", "NAO IRI MAO", "Lvp", "Por")
                && useful("IRI", "NAO IRI MAO", "Lvp", "Por")
        );
    }
}
