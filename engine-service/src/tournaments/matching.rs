//! Perfect matchings of a graph, with Edmonds' algorithm.

use std::collections::VecDeque;

const NONE: usize = usize::MAX;

/// A graph and a matching of its points.
pub(super) struct Matching {
    edges: Vec<Vec<bool>>,
    /// Whether a point is still part of the graph.
    free: Vec<bool>,
    mate: Vec<usize>,
}

impl Matching {
    /// Finds a perfect matching. Returns `None` if the graph has none.
    pub(super) fn perfect(edges: Vec<Vec<bool>>) -> Option<Self> {
        let points = edges.len();
        let mut matching = Self { edges, free: vec![true; points], mate: vec![NONE; points] };
        let all = (0..points).all(|point| matching.mate[point] != NONE || matching.augment(point));
        all.then_some(matching)
    }

    /// Removes two points from the graph, if they have an edge and the others still have a perfect
    /// matching. Otherwise changes nothing.
    pub(super) fn take(&mut self, one: usize, other: usize) -> bool {
        if !self.edges[one][other] {
            return false;
        }
        let before = self.mate.clone();
        let (lonely, lost) = (self.mate[one], self.mate[other]);
        self.free[one] = false;
        self.free[other] = false;
        if lonely == other {
            return true;
        }
        for point in [one, other, lonely, lost] {
            self.mate[point] = NONE;
        }
        if self.augment(lonely) {
            return true;
        }
        self.mate = before;
        self.free[one] = true;
        self.free[other] = true;
        false
    }

    /// Matches one more pair of points, so that `root` has a mate. Returns false if that is
    /// impossible.
    fn augment(&mut self, root: usize) -> bool {
        let points = self.mate.len();
        let mut search = Search {
            seen: vec![false; points],
            parent: vec![NONE; points],
            base: (0..points).collect(),
        };
        search.seen[root] = true;
        let mut queue = VecDeque::from([root]);
        while let Some(point) = queue.pop_front() {
            for next in 0..points {
                let is_edge = self.free[next] && self.edges[point][next];
                if !is_edge || search.base[point] == search.base[next] || self.mate[point] == next {
                    continue;
                }
                let mate = self.mate[next];
                if next == root || (mate != NONE && search.parent[mate] != NONE) {
                    search.contract(&self.mate, point, next, &mut queue);
                } else if search.parent[next] == NONE {
                    search.parent[next] = point;
                    if mate == NONE {
                        self.flip(&search.parent, next);
                        return true;
                    }
                    search.seen[mate] = true;
                    queue.push_back(mate);
                }
            }
        }
        false
    }

    /// Exchanges matched and unmatched edges on the path from a point to the root.
    fn flip(&mut self, parent: &[usize], mut point: usize) {
        while point != NONE {
            let before = parent[point];
            let next = self.mate[before];
            self.mate[point] = before;
            self.mate[before] = point;
            point = next;
        }
    }
}

/// The search for an alternating path.
struct Search {
    /// Whether a point is at an even distance from the root.
    seen: Vec<bool>,
    parent: Vec<usize>,
    /// The base of the blossom that contains a point.
    base: Vec<usize>,
}

impl Search {
    fn contract(&mut self, mate: &[usize], one: usize, other: usize, queue: &mut VecDeque<usize>) {
        let base = self.common_base(mate, one, other);
        let mut inside = vec![false; mate.len()];
        self.mark(mate, one, base, other, &mut inside);
        self.mark(mate, other, base, one, &mut inside);
        for point in 0..mate.len() {
            if inside[self.base[point]] {
                self.base[point] = base;
                if !self.seen[point] {
                    self.seen[point] = true;
                    queue.push_back(point);
                }
            }
        }
    }

    fn common_base(&self, mate: &[usize], mut one: usize, mut other: usize) -> usize {
        let mut passed = vec![false; mate.len()];
        loop {
            one = self.base[one];
            passed[one] = true;
            if mate[one] == NONE {
                break;
            }
            one = self.parent[mate[one]];
        }
        loop {
            other = self.base[other];
            if passed[other] {
                return other;
            }
            other = self.parent[mate[other]];
        }
    }

    fn mark(
        &mut self,
        mate: &[usize],
        mut point: usize,
        base: usize,
        mut child: usize,
        inside: &mut [bool],
    ) {
        while self.base[point] != base {
            inside[self.base[point]] = true;
            inside[self.base[mate[point]]] = true;
            self.parent[point] = child;
            child = mate[point];
            point = self.parent[mate[point]];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::lots::Lots;
    use super::*;

    /// Tries all matchings.
    fn exists(edges: &[Vec<bool>], left: &[usize]) -> bool {
        let Some((&first, rest)) = left.split_first() else { return true };
        rest.iter().any(|&other| {
            let others: Vec<usize> = rest.iter().copied().filter(|&one| one != other).collect();
            edges[first][other] && exists(edges, &others)
        })
    }

    fn graph(points: usize, lots: &mut Lots, share: usize) -> Vec<Vec<bool>> {
        let mut edges = vec![vec![false; points]; points];
        for (one, other) in (0..points).flat_map(|one| (0..one).map(move |other| (one, other))) {
            let is_edge = lots.below(100) < share;
            edges[one][other] = is_edge;
            edges[other][one] = is_edge;
        }
        edges
    }

    #[test]
    fn a_perfect_matching_is_found_if_there_is_one() {
        let mut lots = Lots::new(1);
        let (mut found, mut missing) = (0, 0);
        for case in 0..3_000 {
            let points = 2 * (1 + case % 5);
            let edges = graph(points, &mut lots, 20 + case % 60);
            let all: Vec<usize> = (0..points).collect();
            let expected = exists(&edges, &all);
            let matching = Matching::perfect(edges.clone());
            assert_eq!(matching.is_some(), expected, "{edges:?}");
            let Some(mut matching) = matching else {
                missing += 1;
                continue;
            };
            found += 1;
            // Taking pairs never loses the perfect matching of the others.
            let mut left = all;
            while let Some(&first) = left.first() {
                let partner = left[1..].iter().copied().find(|&other| {
                    let rest: Vec<usize> =
                        left.iter().copied().filter(|&one| one != first && one != other).collect();
                    let expected = edges[first][other] && exists(&edges, &rest);
                    assert_eq!(matching.take(first, other), expected, "{edges:?}");
                    expected
                });
                let partner = partner.expect("the graph has a perfect matching");
                left.retain(|&one| one != first && one != partner);
            }
        }
        assert!(found > 500 && missing > 500, "{found} {missing}");
    }
}
