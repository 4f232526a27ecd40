//! The draft of an order sheet: the ships that have no orders yet, and their routes.

use std::collections::{BTreeMap, BTreeSet};

use heliopause_star_empires::{Coord, Name, Serial};

use super::doctrine::Doctrine;
use super::memory::{Memory, force_at};
use crate::games::star_empires::lines::Lines;
use crate::games::star_empires::routes::{Wormnets, disc, toward};
use crate::games::star_empires::strength::Force;
use crate::games::star_empires::survey::{Survey, Unit};

const MIN_PORTAL_SAVING: u32 = 4;

/// Divides the force of ships at owned worlds, because most of them stay there.
const GUARD_DIVISOR: u32 = 3;

pub(super) struct Plan<'a> {
    pub(super) survey: &'a Survey<'a>,
    pub(super) doctrine: &'static Doctrine,
    pub(super) memory: &'a Memory,
    pub(super) lines: Lines,
    pub(super) storms: BTreeMap<Coord, u32>,
    /// Potentially hostile ships, including those of empires at peace.
    pub(super) hostile: BTreeMap<Coord, Force>,
    free: Vec<bool>,
    pub(super) worlds: BTreeSet<Coord>,
    nets: Wormnets,
    arrivals: BTreeSet<Coord>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Leg {
    pub(super) to: Coord,
    /// The portal to enter at the destination, and its exit if known.
    hop: Option<(Name, Option<Name>)>,
}

impl<'a> Plan<'a> {
    pub(super) fn new(
        survey: &'a Survey<'a>,
        doctrine: &'static Doctrine,
        memory: &'a Memory,
    ) -> Self {
        let chart = &survey.own.chart;
        let mut storms = BTreeMap::<Coord, u32>::new();
        for storm in chart.storms.iter().filter(|storm| storm.rating > 0) {
            *storms.entry(storm.at).or_default() += storm.rating;
        }
        let sectors =
            survey.foreign.keys().copied().chain(chart.fleets.iter().map(|fleet| fleet.at));
        let sectors: BTreeSet<Coord> = sectors.collect();
        let danger = |at| force_at(survey, at, |owner| survey.is_danger(owner));
        let hostile = sectors.into_iter().map(|at| (at, danger(at)));
        Self {
            survey,
            doctrine,
            memory,
            lines: Lines::default(),
            storms,
            hostile: hostile.filter(|(_, force)| !force.is_none()).collect(),
            free: vec![true; survey.units.len()],
            worlds: survey.own_worlds().map(|world| world.at).collect(),
            nets: Wormnets::new(survey),
            arrivals: BTreeSet::new(),
        }
    }

    pub(super) fn is_free(&self, unit: &Unit) -> bool {
        self.index(unit.serial).is_some_and(|index| self.free[index])
    }

    pub(super) fn commit(&mut self, unit: &Unit) {
        if let Some(index) = self.index(unit.serial) {
            self.free[index] = false;
        }
    }

    fn index(&self, serial: Serial) -> Option<usize> {
        self.survey.units.binary_search_by_key(&serial, |unit| unit.serial).ok()
    }

    pub(super) fn free_at(&self, at: Coord) -> Vec<Unit> {
        self.survey.loose_at(at).filter(|unit| self.is_free(unit)).copied().collect()
    }

    pub(super) fn hostile_at(&self, at: Coord) -> Force {
        self.hostile.get(&at).copied().unwrap_or_default()
    }

    /// Estimates the hostile force that can arrive from `within` sectors. Counts only a part of the
    /// ships at other owned worlds.
    pub(super) fn threat(&self, at: Coord, within: u32) -> Force {
        let near = self.hostile.iter().filter(|(place, _)| place.distance(at) <= within);
        let guards = |place: &Coord| {
            self.survey.own.chart.world_at(*place).is_some_and(|world| world.owner.is_some())
        };
        near.fold(Force::default(), |sum, (place, &force)| {
            let part = if *place != at && guards(place) { GUARD_DIVISOR } else { 1 };
            sum + Force { guns: force.guns / part, dp: force.dp / part, count: force.count }
        })
    }

    /// Returns the next leg towards a goal, through a portal if that saves enough sectors. Returns
    /// `None` if the ship cannot get nearer.
    pub(super) fn leg(&self, from: Coord, goal: Coord, engines: u16, dp: u16) -> Option<Leg> {
        let engines = u32::from(engines);
        if engines == 0 || from == goal {
            return None;
        }
        let direct = from.distance(goal);
        if direct > MIN_PORTAL_SAVING
            && let Some(leg) = self.leg_by_portal(from, goal, engines, dp)
        {
            return Some(leg);
        }
        Some(Leg { to: self.step(from, goal, engines, dp)?, hop: None })
    }

    fn leg_by_portal(&self, from: Coord, goal: Coord, engines: u32, dp: u16) -> Option<Leg> {
        let route = self.nets.routes(from, &[goal]).pop()?;
        if route.cost + MIN_PORTAL_SAVING > from.distance(goal) {
            return None;
        }
        let &[entry, exit, ..] = route.portals.as_slice() else { return None };
        let at = self.nets.entry(entry)?;
        if from.distance(at) <= engines {
            return Some(Leg { to: at, hop: Some((entry, Some(exit))) });
        }
        Some(Leg { to: self.step(from, at, engines, dp)?, hop: None })
    }

    /// Returns the next stop, avoiding storms that would do great damage.
    fn step(&self, from: Coord, goal: Coord, engines: u32, dp: u16) -> Option<Coord> {
        let harmful =
            |at: &Coord| self.storms.get(at).is_some_and(|&rating| rating * 2 >= u32::from(dp));
        let straight = toward(from, goal, engines);
        if !harmful(&straight) {
            return Some(straight);
        }
        let near = disc(from, engines.min(12) as i16)
            .filter(|at| !harmful(at) && at.distance(goal) < from.distance(goal));
        near.min_by_key(|at| (at.distance(goal), *at))
    }

    pub(super) fn travel(&mut self, ships: &[Unit], leg: Leg) {
        let Some(first) = ships.first() else { return };
        let names: Vec<Name> = ships.iter().map(Unit::name).collect();
        if leg.to != first.at {
            self.lines.go(&names, leg.to);
        }
        if let Some((entry, exit)) = leg.hop {
            self.lines.traverse(&names, entry, exit);
        }
        self.arrivals.insert(leg.to);
        for ship in ships {
            self.commit(ship);
        }
    }

    pub(super) fn arrives(&self, at: Coord) -> bool {
        self.arrivals.contains(&at)
    }

    pub(super) fn probe_portal(&mut self, ship: Unit, portal: Name, at: Coord) -> bool {
        let engines = u32::from(ship.engines());
        let Some(to) =
            (if ship.at == at { Some(at) } else { self.step(ship.at, at, engines, ship.dp) })
        else {
            return false;
        };
        let hop = (to == at).then_some((portal, None));
        self.travel(&[ship], Leg { to, hop });
        true
    }
}
