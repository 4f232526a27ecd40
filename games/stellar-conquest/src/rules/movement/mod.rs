//! Rules 5, 6, 8: judging voyages and moving ships.

pub(crate) mod leg;
pub(crate) mod posts;
pub(crate) mod range;
pub(crate) mod task_forces;

use heliopause_kernel::{Refusal, Seat};

use crate::rules::campaign::hooks::losses::after_losses;
use crate::rules::conquest::update_star_control;
use crate::rules::inspection::notify_watchers;
use crate::rules::judge::{Verdict, refuse};
use crate::rules::movement::leg::{Leg, PATH_MAX};
use crate::rules::referee::Referee;
use crate::state::{Cause, Event, OwnEvent, SeatView, Ship, ShipNumber, Stage, TableEvent, Voyage};
use crate::tables::{
    Fleet, Place, RouteFilter, Routes, STAR_COUNT, StarId, may_avoid_clouds, this_turn,
};

impl SeatView<'_> {
    pub(crate) fn judge_move(&self, voyage: &Voyage) -> Verdict {
        self.may_act(Stage::Movement, "5")?;
        let leg = self.plan(voyage)?;
        self.judge_politics_of(voyage, &leg)?;
        match leg.lost_at {
            Some(nth) if !voyage.accept_loss => {
                let at = leg.path[nth];
                refuse!("out-of-range", at)
            }
            _ => Ok(()),
        }
    }

    /// Returns this turn's part of a voyage, or the reason why the voyage is illegal. Forced stops
    /// are public, so the result is certain.
    pub(crate) fn plan(&self, voyage: &Voyage) -> Result<Leg, Refusal> {
        if voyage.path.len() > PATH_MAX {
            return refuse!("too-long/route", hexes = voyage.path.len(), PATH_MAX);
        }
        if voyage.avoiding.len() > STAR_COUNT {
            return refuse!("too-long/avoiding", stars = voyage.avoiding.len(), STAR_COUNT);
        }
        let ships = self.together(&voyage.ships)?;
        if ships.iter().any(|ship| ship.halted) {
            return refuse!("halted");
        }
        let bound = self.bound_for(&ships, voyage)?;
        let mut path = self.hexes(&ships, bound, voyage)?;
        if let Some(stop) = path.iter().position(|&at| self.is_stopped_at(at)) {
            path.truncate(stop + 1);
        }
        let from = ships[0].at;
        let lost_at = self.lost_at(&ships, from, &path);
        if let Some(nth) = lost_at.filter(|_| ships.iter().all(|ship| ship.kind().is_range_bound()))
        {
            path.truncate(nth + 1);
        }
        let end = path[path.len() - 1];
        // Transports sent by policy reserve space even if they could turn back (space 7.2).
        let sent = self.table.campaign.politics().is_some()
            && ships.iter().any(|ship| ship.load().is_some());
        let kept = StarId::in_hex(end).is_none() && (sent || !self.needs_no_destination());
        let destination = bound.filter(|_| kept);
        let halted = end.is_cloud() || self.is_stopped_at(end);
        Ok(Leg { from, path, bound, destination, halted, lost_at })
    }

    /// Returns the first `hexes` hexes of the route, or fewer if the ships may not stop there.
    /// Returns the voyage's own path if the route is not longer, or is illegal.
    pub(crate) fn path_prefix(&self, voyage: &Voyage, hexes: usize) -> Vec<Place> {
        let Ok(Leg { mut path, bound, .. }) = self.plan(voyage) else { return voyage.path.clone() };
        if hexes >= path.len() {
            return voyage.path.clone();
        }
        path.truncate(hexes.max(1));
        self.cut_short(&mut path, bound);
        path
    }

    fn bound_for(&self, ships: &[&Ship], voyage: &Voyage) -> Result<Option<StarId>, Refusal> {
        let end = voyage.path.last().and_then(|&at| StarId::in_hex(at));
        let wanted = voyage.destination.or(end);
        if self.needs_no_destination() {
            return Ok(wanted);
        }
        let here = ships[0].at.and_then(StarId::in_hex);
        let carried = ships[0].destination.filter(|_| here.is_none());
        if here.is_none() && ships.iter().any(|ship| ship.destination != ships[0].destination) {
            return refuse!("bound-apart");
        }
        if let Some(carried) = carried {
            return match voyage.destination {
                Some(star) if star != carried => refuse!("destination-fixed", carried),
                _ => Ok(Some(carried)),
            };
        }
        let Some(star) = wanted else {
            return refuse!("no-destination");
        };
        if here == Some(star) {
            return refuse!("already-there", star);
        }
        if ships.iter().any(|ship| ship.departed == Some(star)) {
            return refuse!("back-again", star);
        }
        Ok(Some(star))
    }

    fn hexes(
        &self,
        ships: &[&Ship],
        bound: Option<StarId>,
        voyage: &Voyage,
    ) -> Result<Vec<Place>, Refusal> {
        let moved = ships.iter().map(|ship| ship.steps).max().unwrap_or(0);
        let Some(entry) = self.table.entry(self.seat) else {
            return refuse!("no-entry-hex");
        };
        // Waiting ships count the entry hex as their first hex (rule 5.2).
        let waits = ships[0].at.is_none();
        let (start, moved_at_start) = ships[0].at.map_or((entry, 1), |at| (at, moved));
        let route = self.route(start, moved_at_start, bound, voyage)?;
        if voyage.path.is_empty() {
            let Some(routes) = route else {
                return refuse!("no-path");
            };
            let mut path = self.fastest_leg(&routes, waits.then_some(entry), moved_at_start)?;
            self.cut_short(&mut path, bound);
            return Ok(path);
        }
        let path = &voyage.path;
        if waits && path[0] != entry {
            return refuse!("enter-first", entry);
        }
        let steps = if waits { &path[1..] } else { &path[..] };
        let mut last = start;
        for &at in steps {
            if last.distance(at) != 1 {
                return refuse!("not-adjacent", at, last);
            }
            let direct = route.as_ref().is_none_or(|routes| routes.is_direct(last, at));
            if !direct && !self.needs_no_destination() {
                return refuse!("not-direct", last, at);
            }
            last = at;
        }
        self.judge_speed(path, if waits { 0 } else { moved })?;
        Ok(path.clone())
    }

    fn route(
        &self,
        start: Place,
        moved: u8,
        bound: Option<StarId>,
        voyage: &Voyage,
    ) -> Result<Option<Routes>, Refusal> {
        let Some(star) = bound else { return Ok(None) };
        let speed = self.power.research.owned.speed();
        let detour =
            RouteFilter { avoiding: voyage.avoiding.clone(), round_clouds: voyage.round_clouds };
        let bad = voyage.round_clouds && !self.needs_no_destination();
        if bad && !may_avoid_clouds(start, star.at(), &voyage.avoiding, speed, moved) {
            return refuse!("no-gain", star);
        }
        let routes = Routes::new(start, star.at(), &detour);
        if routes.steps(start).is_none() {
            return refuse!("no-route", star);
        }
        Ok(Some(routes))
    }

    fn fastest_leg(
        &self,
        routes: &Routes,
        entry: Option<Place>,
        moved: u8,
    ) -> Result<Vec<Place>, Refusal> {
        let speed = self.power.research.owned.speed();
        let mut path: Vec<Place> = entry.into_iter().collect();
        if let Some((_, hexes)) = routes.fastest(speed, moved) {
            path.extend_from_slice(&hexes[..this_turn(&hexes, speed, moved)]);
        }
        if path.is_empty() {
            return refuse!("no-steps-left");
        }
        Ok(path)
    }

    pub(crate) fn judge_speed(&self, path: &[Place], moved: u8) -> Verdict {
        let speed = self.power.research.owned.speed();
        let steps = this_turn(path, speed, moved);
        if steps == path.len() {
            return Ok(());
        }
        if path[steps].is_cloud() || (steps > 0 && path[steps - 1].is_cloud()) {
            return refuse!("cloud");
        }
        let total = usize::from(moved) + path.len();
        refuse!("too-far", speed, total)
    }

    pub(crate) fn lost_at(
        &self,
        ships: &[&Ship],
        from: Option<Place>,
        path: &[Place],
    ) -> Option<usize> {
        if !ships.iter().any(|ship| ship.kind().is_range_bound()) {
            return None;
        }
        let command = self.command();
        let mut last = from;
        path.iter().position(|&at| {
            let survives = command.allows(last, at);
            last = Some(at);
            !survives
        })
    }

    pub(crate) fn judge_end_movement(&self) -> Verdict {
        self.may_act(Stage::Movement, "4")?;
        let waiting = self.power.ships.iter().filter(|ship| ship.at.is_none()).count();
        if waiting > 0 {
            let entry = self
                .table
                .entry(self.seat)
                .map_or_else(|| "your entry hex".to_owned(), |at| at.to_string());
            return refuse!("ships-waiting", entry, waiting);
        }
        Ok(())
    }
}

/// Moves ships hex by hex up to a forced stop (rules 5.4, 6.1) or the limit of their speed. The
/// rest of the path is forfeited (BR-10).
pub(crate) fn move_ships(referee: &mut Referee<'_>, seat: Seat, voyage: &Voyage) {
    let Ok(leg) = referee.seat_view(seat).plan(voyage) else { return };
    travel(referee, seat, &voyage.ships, &leg);
}

pub(crate) fn travel(referee: &mut Referee<'_>, seat: Seat, ships: &[ShipNumber], leg: &Leg) {
    let power = referee.power(seat);
    let ships: Vec<Ship> = ships.iter().filter_map(|&number| power.ship(number).copied()).collect();
    let is_lost = |ship: &Ship| leg.lost_at.is_some() && ship.kind().is_range_bound();
    let (lost, going): (Vec<Ship>, Vec<Ship>) = ships.into_iter().partition(is_lost);
    referee.publish_to_all(Event::Table(TableEvent::Passed {
        seat,
        path: leg.from.iter().chain(&leg.path).copied().collect(),
    }));
    if !lost.is_empty() {
        let numbers = lost.iter().map(|ship| ship.number).collect();
        referee.lose_ships(seat, numbers, Cause::OutOfRange);
        after_losses(referee, seat, lost.iter().map(Ship::kind).collect());
    }
    sail(referee, seat, &going, leg);
    let end = leg.path[leg.path.len() - 1];
    for at in leg.from.into_iter().chain([end]) {
        referee.show_groups(seat, at);
    }
    let survivors: Fleet = going.iter().map(Ship::kind).collect();
    let all: Fleet = going.iter().chain(&lost).map(Ship::kind).collect();
    for (nth, &at) in leg.path.iter().enumerate() {
        let fleet = if leg.lost_at.is_some_and(|lost| nth >= lost) { survivors } else { all };
        notify_watchers(referee, seat, at, fleet);
    }
    if let Some(star) = leg.from.and_then(StarId::in_hex) {
        update_star_control(referee, star);
    }
}

fn sail(referee: &mut Referee<'_>, seat: Seat, going: &[Ship], leg: &Leg) {
    let mut groups: Vec<(Option<StarId>, Vec<ShipNumber>)> = Vec::new();
    for ship in going {
        let departed = leg.departed().or(ship.departed);
        match groups.iter_mut().find(|(star, _)| *star == departed) {
            Some((_, ships)) => ships.push(ship.number),
            None => groups.push((departed, vec![ship.number])),
        }
    }
    let numbers: Vec<ShipNumber> = going.iter().map(|ship| ship.number).collect();
    split_off(referee, seat, &numbers);
    let Leg { destination, halted, .. } = *leg;
    let (to, steps) = (leg.path[leg.path.len() - 1], leg.path.len() as u8);
    for (departed, ships) in groups {
        referee.publish_to_owner(OwnEvent::ShipsMoved {
            seat,
            ships,
            to,
            steps,
            halted,
            destination,
            departed,
        });
    }
}

/// Removes the marker of ships that leave the rest of their task force (rule 9).
pub(crate) fn split_off(referee: &mut Referee<'_>, seat: Seat, going: &[ShipNumber]) {
    let power = referee.power(seat);
    let stays = |marker| {
        power.ships.iter().any(|ship| ship.marker == Some(marker) && !going.contains(&ship.number))
    };
    let marker = |number| power.ship(number).and_then(|ship| ship.marker);
    let ships: Vec<ShipNumber> =
        going.iter().copied().filter(|&number| marker(number).is_some_and(stays)).collect();
    if !ships.is_empty() {
        referee.publish_to_owner(OwnEvent::Formed { seat, ships, marker: None });
    }
}
