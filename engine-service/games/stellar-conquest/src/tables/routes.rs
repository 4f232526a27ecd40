//! Rules 5.1, 6, 8.4: ways over the board: what a direct route is, and in how many turns ships
//! arrive.

use crate::tables::board::{PLACES, Place};
use crate::tables::stars::StarId;

/// No way leads there.
const FAR: u8 = u8::MAX;

/// What a route keeps away from (8.4).
#[derive(Clone, Debug, Default)]
pub struct Detour {
    /// Stars that it avoids.
    pub avoiding: Vec<StarId>,
    /// Whether it goes round clouds.
    pub round_clouds: bool,
}

impl Detour {
    /// Whether a hex is closed to routes that do not start or end there.
    fn closes(&self, at: Place) -> bool {
        (self.round_clouds && at.is_cloud())
            || StarId::in_hex(at).is_some_and(|star| self.avoiding.contains(&star))
    }

    /// Whether it changes nothing.
    pub fn is_none(&self) -> bool {
        self.avoiding.is_empty() && !self.round_clouds
    }
}

/// How far every hex is from a destination, for ships that start somewhere and keep away from some
/// hexes.
#[derive(Clone, Debug)]
pub struct Routes {
    /// Nothing where no hex is closed: then it is the distance over the board.
    steps: Option<Box<[u8; PLACES]>>,
    start: Place,
    end: Place,
}

/// A moment in a movement over several turns: turns that are over, and steps moved in the one that
/// is not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Moment {
    turns: u16,
    steps: u8,
}

impl Moment {
    /// 5.1, 6.1: when ships with a speed have entered a hex. A cloud is entered with the first step
    /// of a turn, and ends it.
    fn enter(self, at: Place, speed: u8) -> Self {
        let next = Self { turns: self.turns + 1, steps: 0 };
        let from =
            if self.steps >= speed || (at.is_cloud() && self.steps > 0) { next } else { self };
        Self { steps: if at.is_cloud() { speed } else { from.steps + 1 }, ..from }
    }
}

impl Routes {
    /// The ways from one hex to another.
    pub fn new(start: Place, end: Place, detour: &Detour) -> Self {
        if detour.is_none() {
            return Self { steps: None, start, end };
        }
        let mut steps = Box::new([FAR; PLACES]);
        steps[end.index()] = 0;
        let mut ring = vec![end];
        while !ring.is_empty() {
            let mut next = Vec::new();
            for at in ring {
                let further = steps[at.index()] + 1;
                for neighbour in at.neighbours() {
                    if steps[neighbour.index()] == FAR
                        && (neighbour == start || !detour.closes(neighbour))
                    {
                        steps[neighbour.index()] = further;
                        next.push(neighbour);
                    }
                }
            }
            ring = next;
        }
        Self { steps: Some(steps), start, end }
    }

    /// How many steps the destination is away; `None` if no way leads there.
    pub fn steps(&self, at: Place) -> Option<u8> {
        let steps =
            self.steps.as_ref().map_or_else(|| at.distance(self.end), |steps| steps[at.index()]);
        Some(steps).filter(|&steps| steps != FAR)
    }

    /// 8.4: whether a step is on a direct route.
    pub fn is_direct(&self, from: Place, to: Place) -> bool {
        self.steps(to).is_some_and(|steps| Some(steps + 1) == self.steps(from))
    }

    /// The fastest direct route for ships with a speed that have moved so many steps this turn: in
    /// how many turns it arrives, 0 being this one, and its hexes; of equally fast ways, the first
    /// in the order of directions.
    pub fn fastest(&self, speed: u8, moved: u8) -> Option<(u16, Vec<Place>)> {
        let length = usize::from(self.steps(self.start)?);
        let begin = Stop { at: self.start, moment: Moment { turns: 0, steps: moved }, from: 0 };
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

    /// The hexes that direct routes enter next, each at its earliest.
    fn next_ring(&self, ring: &[Stop], speed: u8) -> Vec<Stop> {
        let mut next: Vec<Stop> = Vec::new();
        for (from, stop) in ring.iter().enumerate() {
            for at in stop.at.neighbours().filter(|&at| self.is_direct(stop.at, at)) {
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

/// A hex on a direct route: when it is reached at the earliest, and from which hex of the ring
/// before.
#[derive(Clone, Copy, Debug)]
struct Stop {
    at: Place,
    moment: Moment,
    from: usize,
}

/// The fastest direct routes from one hex to all others. Every part of a direct route is one, so a
/// hex that is reached at its earliest need not be looked at again.
#[derive(Clone, Debug)]
pub struct Fan {
    start: Place,
    /// When ships reach each hex at the earliest, and from where; of equally fast ways, the first
    /// in the order of directions.
    reached: Box<[Option<(Moment, Place)>; PLACES]>,
}

impl Fan {
    /// The ways of ships with a speed that have moved so many steps this turn.
    pub fn new(start: Place, detour: &Detour, speed: u8, moved: u8) -> Self {
        Self::within(start, detour, speed, moved, |_, _| true)
    }

    /// The same of those routes whose steps are all allowed. What is not allowed makes no other
    /// route direct.
    fn within(
        start: Place,
        detour: &Detour,
        speed: u8,
        moved: u8,
        allows: impl Fn(Place, Place) -> bool,
    ) -> Self {
        let begin = Moment { turns: 0, steps: moved };
        let mut reached = Box::new([None; PLACES]);
        let mut steps = [FAR; PLACES];
        steps[start.index()] = 0;
        let mut ring = vec![(start, Some(begin))];
        for further in 1..FAR {
            let mut next = Vec::new();
            for (from, moment) in ring {
                for to in from.neighbours() {
                    let known = &mut steps[to.index()];
                    if *known == FAR {
                        *known = further;
                        next.push(to);
                    }
                    let Some(moment) = moment.filter(|_| *known == further && allows(from, to))
                    else {
                        continue;
                    };
                    let entered: Moment = moment.enter(to, speed);
                    let place: &mut Option<(Moment, Place)> = &mut reached[to.index()];
                    if place.is_none_or(|(earliest, _)| entered < earliest) {
                        *place = Some((entered, from));
                    }
                }
            }
            // Routes end in hexes that they keep away from, and lead no farther.
            let open = next.into_iter().filter(|&at| !detour.closes(at));
            ring = open.map(|at| (at, reached[at.index()].map(|(moment, _)| moment))).collect();
            if ring.is_empty() {
                break;
            }
        }
        Self { start, reached }
    }

    /// In how many turns the ships arrive, 0 being this one, and the hexes of the route; `None` if
    /// none leads there.
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

/// A legal way to a hex.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Way {
    /// In how many turns the ships arrive, 0 being this one.
    pub turns: u16,
    /// The hexes that they enter.
    pub path: Vec<Place>,
    /// Whether it goes round clouds (8.4 b); the order must say so.
    pub round_clouds: bool,
}

/// 8.4: the fastest legal ways from one hex to all others: direct ones, or those round clouds where
/// these save turns. Whatever asks how soon ships can be somewhere asks this.
#[derive(Clone, Debug)]
pub struct Ways {
    direct: Fan,
    around: Fan,
    /// All direct ways, where only some steps are allowed: these are what a way round clouds is
    /// compared with.
    all: Option<Fan>,
}

impl Ways {
    /// The ways of ships with a speed that have moved so many steps this turn and keep away from
    /// these stars.
    pub fn new(start: Place, avoiding: &[StarId], speed: u8, moved: u8) -> Self {
        let [straight, round] = Self::detours(avoiding);
        Self {
            direct: Fan::new(start, &straight, speed, moved),
            around: Fan::new(start, &round, speed, moved),
            all: None,
        }
    }

    /// The same of those ways whose steps are all allowed.
    pub fn within(
        start: Place,
        avoiding: &[StarId],
        speed: u8,
        moved: u8,
        allows: impl Fn(Place, Place) -> bool,
    ) -> Self {
        let [straight, round] = Self::detours(avoiding);
        Self {
            direct: Fan::within(start, &straight, speed, moved, &allows),
            around: Fan::within(start, &round, speed, moved, &allows),
            all: Some(Fan::new(start, &straight, speed, moved)),
        }
    }

    fn detours(avoiding: &[StarId]) -> [Detour; 2] {
        [false, true].map(|round_clouds| Detour { avoiding: avoiding.to_vec(), round_clouds })
    }

    /// The fastest way to a hex; `None` if none leads there. Of equally fast ones the direct one.
    pub fn to(&self, end: Place) -> Option<Way> {
        let way = |round_clouds| move |(turns, path)| Way { turns, path, round_clouds };
        let direct = self.direct.to(end).map(way(false));
        let around = self.around.to(end).map(way(true));
        let through = self.all.as_ref().unwrap_or(&self.direct).to(end);
        let saves = |around: &Way| through.as_ref().is_none_or(|(turns, _)| around.turns < *turns);
        around.filter(saves).or(direct)
    }
}

/// 8.4: whether a path is a legal route to its last hex: direct if it keeps away from all stars
/// that it does not enter; or round clouds that would cost turns, while it keeps away from all of
/// these stars, from some that are named, or from none.
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
        let routes = Routes::new(start, end, &Detour { avoiding: avoiding.to_vec(), round_clouds });
        let mut last = start;
        path.iter().all(|&at| routes.is_direct(std::mem::replace(&mut last, at), at))
    };
    let goes_round = |avoiding: &[StarId]| {
        may_round_clouds(start, end, avoiding, speed, moved) && is_direct(avoiding, true)
    };
    is_direct(&beside, false) || [&[], named, &beside[..]].into_iter().any(goes_round)
}

/// 5.1, 6.1: how much of a path ships move this turn: they stop at their speed, before a cloud that
/// is not their first step, and in a cloud. Rule 5.4 may stop them earlier.
pub fn this_turn(path: &[Place], speed: u8, moved: u8) -> usize {
    let mut moment = Moment { turns: 0, steps: moved };
    for (nth, &at) in path.iter().enumerate() {
        moment = moment.enter(at, speed);
        if moment.turns > 0 {
            return nth;
        }
    }
    path.len()
}

/// 8.4 b: whether going round clouds is allowed: only if it arrives in fewer turns than the fastest
/// other route.
pub fn may_round_clouds(
    start: Place,
    end: Place,
    avoiding: &[StarId],
    speed: u8,
    moved: u8,
) -> bool {
    let turns = |round_clouds| {
        let detour = Detour { avoiding: avoiding.to_vec(), round_clouds };
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

    fn fastest(start: &str, end: &str, detour: &Detour, speed: u8) -> (u16, Vec<String>) {
        let (turns, path) =
            Routes::new(place(start), place(end), detour).fastest(speed, 0).unwrap();
        (turns, path.iter().map(Place::to_string).collect())
    }

    #[test]
    fn bt_06_a_cloud_star_is_entered_in_a_turn_of_its_own() {
        let (turns, path) = fastest("P18", "Q20", &Detour::default(), 8);
        assert_eq!((turns, path.as_slice()), (1, ["Q19".to_owned(), "Q20".to_owned()].as_slice()));
        let path: Vec<Place> = path.iter().map(|name| place(name)).collect();
        assert_eq!(this_turn(&path, 8, 0), 1);
        assert_eq!(this_turn(&path[1..], 8, 0), 1);
    }

    #[test]
    fn bt_07_going_round_a_cloud_is_allowed_if_it_saves_a_turn() {
        let (straight, _) = fastest("L3", "L6", &Detour::default(), 2);
        let (around, path) =
            fastest("L3", "L6", &Detour { round_clouds: true, ..Detour::default() }, 2);
        assert_eq!((straight, around, path.len()), (2, 1, 4));
        assert!(may_round_clouds(place("L3"), place("L6"), &[], 2, 0));
        assert!(!may_round_clouds(place("P18"), place("O16"), &[], 2, 0));
    }

    #[test]
    fn bt_08_bt_09_clouds_cost_their_turn_on_the_way_in_only() {
        let path = |names: &[&str]| names.iter().map(|name| place(name)).collect::<Vec<_>>();
        assert_eq!(this_turn(&path(&["I9", "I10", "I11", "I12"]), 3, 0), 3);
        assert_eq!(this_turn(&path(&["A9", "A10"]), 3, 0), 1);
        assert_eq!(this_turn(&path(&["A10", "A11"]), 3, 0), 1);
        assert_eq!(this_turn(&path(&["A10"]), 3, 1), 0);
    }

    #[test]
    fn rule_8_4_a_direct_route_never_turns_back() {
        let routes = Routes::new(place("P18"), place("L18"), &Detour::default());
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
        let direct = Routes::new(start, end, &Detour::default());
        let avoiding = vec![StarId::named("Draconis"), StarId::named("Canopus")];
        let around = Routes::new(start, end, &Detour { avoiding, round_clouds: false });
        assert!(around.steps(start) >= direct.steps(start));
        assert_eq!(around.steps(place("Q11")), None);
        // Start and destination are never avoided.
        let avoiding = vec![StarId::named("Draconis"), StarId::named("Canopus")];
        let between =
            Routes::new(place("Q11"), place("P10"), &Detour { avoiding, round_clouds: true });
        assert_eq!(between.steps(place("Q11")), Some(1));
    }

    #[test]
    fn rule_8_4_the_way_to_one_hex_is_the_same_as_among_the_ways_to_all() {
        let avoiding =
            vec![StarId::named("Sadir"), StarId::named("Draconis"), StarId::named("Canopus")];
        let detours = [
            Detour::default(),
            Detour { avoiding: Vec::new(), round_clouds: true },
            Detour { avoiding: avoiding.clone(), round_clouds: false },
            Detour { avoiding, round_clouds: true },
        ];
        for (start, detour) in
            Place::all().step_by(13).flat_map(|start| detours.iter().map(move |to| (start, to)))
        {
            for (speed, moved) in [(2, 0), (3, 2), (8, 5)] {
                let fan = Fan::new(start, detour, speed, moved);
                for star in StarId::ALL {
                    let alone = Routes::new(start, star.at(), detour).fastest(speed, moved);
                    assert_eq!(alone, fan.to(star.at()), "{start} to {star}, {detour:?}");
                }
            }
        }
    }

    /// Every way is one that an order may name, and none is slower than the fastest of both kinds.
    #[test]
    fn rule_8_4_ways_go_round_clouds_where_that_saves_turns() {
        let mut round = 0;
        for start in StarId::ALL.into_iter().map(StarId::at) {
            for speed in 2..=8 {
                let ways = Ways::new(start, &[], speed, 0);
                for end in StarId::ALL.into_iter().map(StarId::at).filter(|&end| end != start) {
                    let way = ways.to(end).unwrap();
                    let fastest = |round_clouds| {
                        let detour = Detour { avoiding: Vec::new(), round_clouds };
                        Routes::new(start, end, &detour).fastest(speed, 0).map(|(turns, _)| turns)
                    };
                    let best = [fastest(false), fastest(true)].into_iter().flatten().min();
                    assert_eq!(Some(way.turns), best, "{start} {end} {speed}");
                    assert_eq!(way.round_clouds, may_round_clouds(start, end, &[], speed, 0));
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
    fn rule_8_4_a_way_that_stays_within_steps_is_one_of_the_direct_ones() {
        let (start, end) = (place("P18"), place("L18"));
        let shut = place("O18");
        let ways = Ways::within(start, &[], 4, 0, |_, to| to != shut);
        let way = ways.to(end).unwrap();
        assert_eq!((way.turns, way.path.len()), (0, 4));
        assert!(!way.path.contains(&shut) && is_legal_route(start, &way.path, &[], 4, 0));
        assert_eq!(Ways::within(start, &[], 4, 0, |_, _| false).to(end), None);
        let back: Vec<Place> = ["P17", "O17", "N17", "M17", "L18"].map(place).to_vec();
        assert!(!is_legal_route(start, &back, &[], 8, 0));
    }

    #[test]
    fn every_star_is_reached_from_every_entry_hex() {
        for entry in crate::tables::board::ENTRY_HEXES {
            for star in StarId::ALL {
                let routes = Routes::new(entry, star.at(), &Detour::default());
                let (turns, path) = routes.fastest(2, 0).unwrap();
                assert_eq!(path.len(), usize::from(entry.distance(star.at())));
                assert!(usize::from(turns) + 1 >= path.len().div_ceil(2), "{entry} {star}");
            }
        }
    }
}
