//! Rules 5.1, 6, 8.4: direct routes and travel times.

use crate::tables::board::{PLACES, Place};
use crate::tables::stars::StarId;

const UNREACHABLE: u8 = u8::MAX;

/// Hexes that a route avoids (rule 8.4).
#[derive(Clone, Debug, Default)]
pub struct RouteFilter {
    pub avoiding: Vec<StarId>,
    pub round_clouds: bool,
}

impl RouteFilter {
    /// Returns whether a hex is closed to routes that do not start or end there.
    fn closes(&self, at: Place) -> bool {
        (self.round_clouds && at.is_cloud())
            || StarId::in_hex(at).is_some_and(|star| self.avoiding.contains(&star))
    }

    pub fn is_none(&self) -> bool {
        self.avoiding.is_empty() && !self.round_clouds
    }
}

/// Distances of all hexes from a destination, given a start and hexes to avoid.
#[derive(Clone, Debug)]
pub struct Routes {
    /// `None` if no hex is closed, in which case the distance on the board applies.
    steps: Option<Box<[u8; PLACES]>>,
    start: Place,
    end: Place,
}

/// A time during a movement: completed turns, and steps moved in the current one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct TravelTime {
    turns: u16,
    steps: u8,
}

impl TravelTime {
    /// Returns the time after a step into a hex. A step into a cloud is the only one of its turn
    /// (rules 5.1, 6.1).
    fn enter(self, at: Place, speed: u8) -> Self {
        let next = Self { turns: self.turns + 1, steps: 0 };
        let from =
            if self.steps >= speed || (at.is_cloud() && self.steps > 0) { next } else { self };
        Self { steps: if at.is_cloud() { speed } else { from.steps + 1 }, ..from }
    }
}

impl Routes {
    pub fn new(start: Place, end: Place, detour: &RouteFilter) -> Self {
        if detour.is_none() {
            return Self { steps: None, start, end };
        }
        let mut steps = Box::new([UNREACHABLE; PLACES]);
        steps[end.index()] = 0;
        let mut ring = vec![end];
        while !ring.is_empty() {
            let mut next = Vec::new();
            for at in ring {
                let further = steps[at.index()] + 1;
                for neighbor in at.neighbors() {
                    if steps[neighbor.index()] == UNREACHABLE
                        && (neighbor == start || !detour.closes(neighbor))
                    {
                        steps[neighbor.index()] = further;
                        next.push(neighbor);
                    }
                }
            }
            ring = next;
        }
        Self { steps: Some(steps), start, end }
    }

    pub fn steps(&self, at: Place) -> Option<u8> {
        let steps =
            self.steps.as_ref().map_or_else(|| at.distance(self.end), |steps| steps[at.index()]);
        Some(steps).filter(|&steps| steps != UNREACHABLE)
    }

    pub fn is_direct(&self, from: Place, to: Place) -> bool {
        self.steps(to).is_some_and(|steps| Some(steps + 1) == self.steps(from))
    }

    /// Returns the fastest direct route after `moved` steps this turn, with the number of turns
    /// completed before arrival. The order of directions breaks ties. Returns `None` if no route
    /// avoids the closed hexes.
    pub fn fastest(&self, speed: u8, moved: u8) -> Option<(u16, Vec<Place>)> {
        let length = usize::from(self.steps(self.start)?);
        let begin = Stop { at: self.start, moment: TravelTime { turns: 0, steps: moved }, from: 0 };
        let mut rings = vec![vec![begin]];
        for nth in 0..length {
            rings.push(self.next_ring(&rings[nth], speed));
        }
        let turns = rings[length][0].moment.turns;
        let mut path = Vec::with_capacity(length);
        let mut place = 0;
        for ring in rings[1..].iter().rev() {
            path.push(ring[place].at);
            place = ring[place].from;
        }
        path.reverse();
        Some((turns, path))
    }

    fn next_ring(&self, ring: &[Stop], speed: u8) -> Vec<Stop> {
        let mut next: Vec<Stop> = Vec::new();
        for (from, stop) in ring.iter().enumerate() {
            for at in stop.at.neighbors().filter(|&at| self.is_direct(stop.at, at)) {
                let reached = Stop { at, moment: stop.moment.enter(at, speed), from };
                match next.iter_mut().find(|other| other.at == at) {
                    Some(other) if reached.moment < other.moment => *other = reached,
                    Some(_) => {}
                    None => next.push(reached),
                }
            }
        }
        next
    }
}

/// A hex on a direct route, with its earliest time and its predecessor in the previous ring.
#[derive(Clone, Copy, Debug)]
struct Stop {
    at: Place,
    moment: TravelTime,
    from: usize,
}

/// The fastest direct routes from one hex to all others. Every part of a direct route is direct, so
/// each hex is visited once, at its earliest time.
#[derive(Clone, Debug)]
pub struct DirectRoutes {
    start: Place,
    /// The earliest time and predecessor of each hex. The order of directions breaks ties.
    reached: Box<[Option<(TravelTime, Place)>; PLACES]>,
}

impl DirectRoutes {
    pub fn new(start: Place, detour: &RouteFilter, speed: u8, moved: u8) -> Self {
        Self::within(start, detour, speed, moved, |_, _| true)
    }

    /// Computes direct routes without forbidden steps. A longer route around them is not direct.
    fn within(
        start: Place,
        detour: &RouteFilter,
        speed: u8,
        moved: u8,
        allows: impl Fn(Place, Place) -> bool,
    ) -> Self {
        let begin = TravelTime { turns: 0, steps: moved };
        let mut reached = Box::new([None; PLACES]);
        let mut steps = [UNREACHABLE; PLACES];
        steps[start.index()] = 0;
        let mut ring = vec![(start, Some(begin))];
        for further in 1..UNREACHABLE {
            let mut next = Vec::new();
            for (from, moment) in ring {
                for to in from.neighbors() {
                    let known = &mut steps[to.index()];
                    if *known == UNREACHABLE {
                        *known = further;
                        next.push(to);
                    }
                    let Some(moment) = moment.filter(|_| *known == further && allows(from, to))
                    else {
                        continue;
                    };
                    let entered: TravelTime = moment.enter(to, speed);
                    let place: &mut Option<(TravelTime, Place)> = &mut reached[to.index()];
                    if place.is_none_or(|(earliest, _)| entered < earliest) {
                        *place = Some((entered, from));
                    }
                }
            }
            // A route may end in an avoided hex, but not continue from it.
            let open = next.into_iter().filter(|&at| !detour.closes(at));
            ring = open.map(|at| (at, reached[at.index()].map(|(moment, _)| moment))).collect();
            if ring.is_empty() {
                break;
            }
        }
        Self { start, reached }
    }

    /// Returns the number of turns completed before arrival and the hexes of the route, or `None`
    /// without a route.
    pub fn to(&self, end: Place) -> Option<(u16, Vec<Place>)> {
        let mut path = Vec::new();
        let mut turns = 0;
        let mut at = end;
        while at != self.start {
            let (moment, from) = self.reached[at.index()]?;
            turns = turns.max(moment.turns);
            path.push(at);
            at = from;
        }
        path.reverse();
        Some((turns, path))
    }
}

/// A legal route to a hex.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LegalRoute {
    /// Turns completed before arrival.
    pub turns: u16,
    pub path: Vec<Place>,
    /// Whether the route avoids clouds. The order must state this (rule 8.4 b).
    pub round_clouds: bool,
}

/// The fastest legal routes from one hex to all others. Routes are direct, or go around clouds if
/// that saves turns (rule 8.4).
#[derive(Clone, Debug)]
pub struct LegalRoutes {
    direct: DirectRoutes,
    around: DirectRoutes,
    /// The direct routes without restrictions, if `direct` is restricted. Routes around clouds must
    /// be faster than these.
    all: Option<DirectRoutes>,
}

impl LegalRoutes {
    pub fn new(start: Place, avoiding: &[StarId], speed: u8, moved: u8) -> Self {
        let [straight, round] = Self::detours(avoiding);
        Self {
            direct: DirectRoutes::new(start, &straight, speed, moved),
            around: DirectRoutes::new(start, &round, speed, moved),
            all: None,
        }
    }

    pub fn within(
        start: Place,
        avoiding: &[StarId],
        speed: u8,
        moved: u8,
        allows: impl Fn(Place, Place) -> bool,
    ) -> Self {
        let [straight, round] = Self::detours(avoiding);
        Self {
            direct: DirectRoutes::within(start, &straight, speed, moved, &allows),
            around: DirectRoutes::within(start, &round, speed, moved, &allows),
            all: Some(DirectRoutes::new(start, &straight, speed, moved)),
        }
    }

    fn detours(avoiding: &[StarId]) -> [RouteFilter; 2] {
        [false, true].map(|round_clouds| RouteFilter { avoiding: avoiding.to_vec(), round_clouds })
    }

    /// Returns the fastest route to a hex, if any. Direct routes win ties.
    pub fn to(&self, end: Place) -> Option<LegalRoute> {
        let way = |round_clouds| move |(turns, path)| LegalRoute { turns, path, round_clouds };
        let direct = self.direct.to(end).map(way(false));
        let around = self.around.to(end).map(way(true));
        let through = self.all.as_ref().unwrap_or(&self.direct).to(end);
        let saves =
            |around: &LegalRoute| through.as_ref().is_none_or(|(turns, _)| around.turns < *turns);
        around.filter(saves).or(direct)
    }
}

/// Returns whether a path is a legal route to its last hex (rule 8.4). The path must be direct when
/// all stars that it does not enter are avoided. A path around clouds, which must save turns, may
/// also be direct when only the `named` stars or no stars are avoided.
pub fn is_legal_route(
    start: Place,
    path: &[Place],
    named: &[StarId],
    speed: u8,
    moved: u8,
) -> bool {
    let Some(&end) = path.last() else { return false };
    let beside: Vec<StarId> = StarId::ALL
        .into_iter()
        .filter(|star| star.at() != start && !path.contains(&star.at()))
        .collect();
    let is_direct = |avoiding: &[StarId], round_clouds| {
        let routes =
            Routes::new(start, end, &RouteFilter { avoiding: avoiding.to_vec(), round_clouds });
        let mut last = start;
        path.iter().all(|&at| routes.is_direct(std::mem::replace(&mut last, at), at))
    };
    let avoids_clouds = |avoiding: &[StarId]| {
        may_avoid_clouds(start, end, avoiding, speed, moved) && is_direct(avoiding, true)
    };
    is_direct(&beside, false) || [&[], named, &beside[..]].into_iter().any(avoids_clouds)
}

/// Returns the number of hexes of a path that ships move this turn (rules 5.1, 6.1). Rule 5.4 may
/// stop them earlier.
pub fn this_turn(path: &[Place], speed: u8, moved: u8) -> usize {
    let mut moment = TravelTime { turns: 0, steps: moved };
    for (nth, &at) in path.iter().enumerate() {
        moment = moment.enter(at, speed);
        if moment.turns > 0 {
            return nth;
        }
    }
    path.len()
}

/// Returns whether a route may avoid clouds because it is then faster than the others (rule 8.4 b).
pub fn may_avoid_clouds(
    start: Place,
    end: Place,
    avoiding: &[StarId],
    speed: u8,
    moved: u8,
) -> bool {
    let turns = |round_clouds| {
        let detour = RouteFilter { avoiding: avoiding.to_vec(), round_clouds };
        Routes::new(start, end, &detour).fastest(speed, moved).map(|(turns, _)| turns)
    };
    match (turns(true), turns(false)) {
        (Some(around), Some(through)) => around < through,
        (around, None) => around.is_some(),
        (None, Some(_)) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(name: &str) -> Place {
        name.parse().unwrap()
    }

    #[test]
    fn rule_8_4_a_direct_route_never_turns_back() {
        let routes = Routes::new(place("P18"), place("L18"), &RouteFilter::default());
        assert!(
            routes.is_direct(place("P18"), place("O17"))
                && routes.is_direct(place("P18"), place("O18"))
        );
        assert!(!routes.is_direct(place("P18"), place("P17")));
        assert_eq!(routes.fastest(2, 0).unwrap().0, 1);
        assert_eq!(routes.fastest(2, 2).unwrap().0, 2);
    }

    #[test]
    fn rule_8_4_a_stars_on_the_way_may_be_avoided() {
        let (start, end) = (place("Q12"), place("P9"));
        let direct = Routes::new(start, end, &RouteFilter::default());
        let avoiding = vec![StarId::named("Draconis"), StarId::named("Canopus")];
        let around = Routes::new(start, end, &RouteFilter { avoiding, round_clouds: false });
        assert!(around.steps(start) >= direct.steps(start));
        assert_eq!(around.steps(place("Q11")), None);
        // Start and destination are never avoided.
        let avoiding = vec![StarId::named("Draconis"), StarId::named("Canopus")];
        let between =
            Routes::new(place("Q11"), place("P10"), &RouteFilter { avoiding, round_clouds: true });
        assert_eq!(between.steps(place("Q11")), Some(1));
    }

    #[test]
    fn rule_8_4_routes_to_one_hex_equal_routes_to_all() {
        let avoiding =
            vec![StarId::named("Sadir"), StarId::named("Draconis"), StarId::named("Canopus")];
        let detours = [
            RouteFilter::default(),
            RouteFilter { avoiding: Vec::new(), round_clouds: true },
            RouteFilter { avoiding: avoiding.clone(), round_clouds: false },
            RouteFilter { avoiding, round_clouds: true },
        ];
        for (start, detour) in
            Place::all().step_by(13).flat_map(|start| detours.iter().map(move |to| (start, to)))
        {
            for (speed, moved) in [(2, 0), (3, 2), (8, 5)] {
                let fan = DirectRoutes::new(start, detour, speed, moved);
                for star in StarId::ALL {
                    let alone = Routes::new(start, star.at(), detour).fastest(speed, moved);
                    assert_eq!(alone, fan.to(star.at()), "{start} to {star}, {detour:?}");
                }
            }
        }
    }

    /// Each route is legal, and as fast as the faster of the direct and the cloudless route.
    #[test]
    fn rule_8_4_routes_avoid_clouds_if_that_saves_turns() {
        let mut round = 0;
        for start in StarId::ALL.into_iter().map(StarId::at) {
            for speed in 2..=8 {
                let ways = LegalRoutes::new(start, &[], speed, 0);
                for end in StarId::ALL.into_iter().map(StarId::at).filter(|&end| end != start) {
                    let way = ways.to(end).unwrap();
                    let fastest = |round_clouds| {
                        let detour = RouteFilter { avoiding: Vec::new(), round_clouds };
                        Routes::new(start, end, &detour).fastest(speed, 0).map(|(turns, _)| turns)
                    };
                    let best = [fastest(false), fastest(true)].into_iter().flatten().min();
                    assert_eq!(Some(way.turns), best, "{start} {end} {speed}");
                    assert_eq!(way.round_clouds, may_avoid_clouds(start, end, &[], speed, 0));
                    assert!(
                        is_legal_route(start, &way.path, &[], speed, 0),
                        "{start} {end} {speed}"
                    );
                    round += u32::from(way.round_clouds);
                }
            }
        }
        assert!(round > 1000, "{round} combinations are faster round clouds");
    }

    #[test]
    fn rule_8_4_restricted_routes_are_legal() {
        let (start, end) = (place("P18"), place("L18"));
        let shut = place("O18");
        let ways = LegalRoutes::within(start, &[], 4, 0, |_, to| to != shut);
        let way = ways.to(end).unwrap();
        assert_eq!((way.turns, way.path.len()), (0, 4));
        assert!(!way.path.contains(&shut) && is_legal_route(start, &way.path, &[], 4, 0));
        assert_eq!(LegalRoutes::within(start, &[], 4, 0, |_, _| false).to(end), None);
        let back: Vec<Place> = ["P17", "O17", "N17", "M17", "L18"].map(place).to_vec();
        assert!(!is_legal_route(start, &back, &[], 8, 0));
    }

    #[test]
    fn every_star_is_reached_from_every_entry_hex() {
        for entry in crate::tables::board::ENTRY_HEXES {
            for star in StarId::ALL {
                let routes = Routes::new(entry, star.at(), &RouteFilter::default());
                let (turns, path) = routes.fastest(2, 0).unwrap();
                assert_eq!(path.len(), usize::from(entry.distance(star.at())));
                assert!(usize::from(turns) + 1 >= path.len().div_ceil(2), "{entry} {star}");
            }
        }
    }
}
