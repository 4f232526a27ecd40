//! The shortest routes through space and wormnets (notes 15, step 5).

use heliopause_star_empires::{Coord, Name};

use super::survey::Survey;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Route {
    /// Number of hexes to move. Hops through portals are free.
    pub(super) cost: u32,
    /// Portals to enter and exit, in pairs.
    pub(super) portals: Vec<Name>,
}

struct Hop {
    entry: (Name, Coord),
    exit: (Name, Coord),
}

pub(super) struct Wormnets {
    hops: Vec<Hop>,
}

impl Wormnets {
    pub(super) fn new(survey: &Survey<'_>) -> Self {
        let open = |name: Name| {
            let portal = survey.portal(name).filter(|portal| portal.collapsed != Some(true))?;
            Some((name, portal.at))
        };
        let mut hops = Vec::new();
        for portal in &survey.own.navigation {
            let Some(entry) = open(portal.portal) else { continue };
            hops.extend(
                portal.exits.iter().filter_map(|&exit| Some(Hop { entry, exit: open(exit)? })),
            );
        }
        Self { hops }
    }

    /// Returns the best route to each place. Ties go to the fewest hops, then to the first portal
    /// names.
    pub(super) fn routes(&self, from: Coord, places: &[Coord]) -> Vec<Route> {
        let mut exits: Vec<Option<Route>> = vec![None; self.hops.len()];
        for _ in 0..self.hops.len() {
            let mut better = false;
            for (index, hop) in self.hops.iter().enumerate() {
                let mut route = self.best(from, hop.entry.1, &exits);
                route.portals.extend([hop.entry.0, hop.exit.0]);
                if exits[index].as_ref().is_none_or(|old| route.key() < old.key()) {
                    exits[index] = Some(route);
                    better = true;
                }
            }
            if !better {
                break;
            }
        }
        places.iter().map(|&place| self.best(from, place, &exits)).collect()
    }

    fn best(&self, from: Coord, to: Coord, exits: &[Option<Route>]) -> Route {
        let by_hop = self.hops.iter().zip(exits).filter_map(|(hop, route)| {
            let route = route.as_ref()?;
            Some((
                route.cost + hop.exit.1.distance(to),
                route.portals.len(),
                route.portals.as_slice(),
            ))
        });
        let (cost, _, portals) =
            by_hop.chain([(from.distance(to), 0, [].as_slice())]).min().unwrap_or_default();
        Route { cost, portals: portals.to_vec() }
    }

    pub(super) fn entry(&self, name: Name) -> Option<Coord> {
        self.hops.iter().find(|hop| hop.entry.0 == name).map(|hop| hop.entry.1)
    }
}

impl Route {
    fn key(&self) -> (u32, usize, &[Name]) {
        (self.cost, self.portals.len(), &self.portals)
    }
}

/// Returns the sector at this distance on a shortest path. Ties go to the smallest coordinates.
pub(super) fn toward(from: Coord, goal: Coord, range: u32) -> Coord {
    let whole = from.distance(goal);
    if whole <= range {
        return goal;
    }
    let reach = i16::try_from(range).unwrap_or(i16::MAX);
    let ring = ring(from, reach);
    ring.filter(|at| at.distance(goal) == whole - range).min().unwrap_or(from)
}

pub(super) fn ring(center: Coord, radius: i16) -> impl Iterator<Item = Coord> {
    // The six corners, each with the step to the next one.
    let sides = [
        ((0, 1), (1, 0)),
        ((1, 1), (0, -1)),
        ((1, 0), (-1, -1)),
        ((0, -1), (-1, 0)),
        ((-1, -1), (0, 1)),
        ((-1, 0), (1, 1)),
    ];
    let own = (radius == 0).then_some(center);
    let around = sides.into_iter().flat_map(move |(corner, step)| {
        (0..radius).map(move |index| {
            let o = center.o.saturating_add(corner.0 * radius).saturating_add(step.0 * index);
            let y = center.y.saturating_add(corner.1 * radius).saturating_add(step.1 * index);
            Coord::new(o, y)
        })
    });
    own.into_iter().chain(around)
}

pub(super) fn disc(center: Coord, radius: i16) -> impl Iterator<Item = Coord> {
    (0..=radius).flat_map(move |radius| ring(center, radius))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn ring_returns_every_sector_at_its_distance() {
        let center = Coord::new(3, -2);
        for radius in 0..6_i16 {
            let ring: BTreeSet<Coord> = ring(center, radius).collect();
            assert_eq!(ring.len(), if radius == 0 { 1 } else { 6 * radius as usize });
            assert!(ring.iter().all(|at| at.distance(center) == radius as u32), "{radius}");
        }
    }

    #[test]
    fn toward_stays_on_a_shortest_way() {
        let (from, goal) = (Coord::new(0, 0), Coord::new(5, 2));
        for range in 1..8 {
            let step = toward(from, goal, range);
            assert_eq!(from.distance(step) + step.distance(goal), 5);
            assert_eq!(from.distance(step), range.min(5));
        }
    }
}
