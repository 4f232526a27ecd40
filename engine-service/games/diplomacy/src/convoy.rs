//! Routes of convoys (D3.2, D3.5).

use crate::board::{Province, Provinces, Terrain};

/// Whether a chain of these fleets leads from one coast to another. Each fleet is named by the sea
/// in which it is.
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

/// Whether an army could be convoyed between these provinces by these fleets.
pub(crate) fn is_possible(fleets: Provinces, from: Province, to: Province) -> bool {
    from != to
        && from.terrain() == Terrain::Coastal
        && to.terrain() == Terrain::Coastal
        && leads(fleets, from, to)
}

/// D3.5: whether a fleet lies on a chain from which no fleet can be left out (6.G.19, 6.F.12).
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
    /// Whether a chain that has come to this sea can be completed through the fleet. What touches
    /// an earlier link of the chain is not free any more: the links between could be left out.
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
    fn d3_2_a_chain_of_fleets_is_needed() {
        let leads = |fleets, from, to| is_possible(set(fleets), province(from), province(to));
        assert!(leads("ENG", "Lon", "Bre") && leads("ENG MAO WES", "Lon", "Tun"));
        assert!(
            !leads("ENG WES", "Lon", "Tun")
                && !leads("ENG", "Lon", "Par")
                && !leads("ENG", "Lon", "Lon")
        );
    }

    #[test]
    fn d3_5_a_fleet_that_can_be_left_out_is_on_no_route() {
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
