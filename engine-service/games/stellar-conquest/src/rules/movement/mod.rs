//! Rules 5, 6, 8: movement.

pub(crate) mod leg;
pub(crate) mod posts;
pub(crate) mod range;
pub(crate) mod task_forces;

use heliopause_kernel::{Refusal, Seat};

use crate::rules::campaign::seams::losses::after_losses;
use crate::rules::conquest::settle_star;
use crate::rules::inspection::be_watched;
use crate::rules::judge::{Verdict, refuse};
use crate::rules::movement::leg::{Leg, PATH_MAX};
use crate::rules::referee::Referee;
use crate::state::event::{Cause, Event, OwnEvent, TableEvent};
use crate::state::order::Voyage;
use crate::state::power::Eyes;
use crate::state::ship::{Ship, ShipNumber};
use crate::state::table::Stage;
use crate::tables::board::Place;
use crate::tables::routes::{Detour, Routes, may_round_clouds, this_turn};
use crate::tables::ships::Fleet;
use crate::tables::stars::{STAR_COUNT, StarId};

impl Eyes<'_> {
    /// 5 to 8: ships of one hex, at their speed (5.1), by a direct route (8.4) to a star that is
    /// not the one they left last (8.3), within range or with the loss accepted (7.5).
    pub(crate) fn judge_move(&self, voyage: &Voyage) -> Verdict {
        self.may_act(Stage::Movement, "5")?;
        let leg = self.plan(voyage)?;
        self.judge_politics_of(voyage, &leg)?;
        match leg.lost_at {
            Some(nth) if !voyage.accept_loss => {
                let at = leg.path[nth];
                let message =
                    format!("{at} is out of command range: these ships would be lost there.");
                refuse("out-of-range", "7.5", message)
            }
            _ => Ok(()),
        }
    }

    /// What a voyage comes to. What stops it is public, so that its owner knows this before
    /// ordering it.
    pub(crate) fn plan(&self, voyage: &Voyage) -> Result<Leg, Refusal> {
        if voyage.path.len() > PATH_MAX || voyage.avoiding.len() > STAR_COUNT {
            return refuse("too-long", "5.1", "No ship moves so far in a turn.");
        }
        let ships = self.together(&voyage.ships)?;
        if ships.iter().any(|ship| ship.halted) {
            return refuse(
                "halted",
                "5.4",
                "These ships move no more this turn: they met others, or entered a cloud.",
            );
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
        // Space 7.2: transports that policy has sent take room at their destination, even if they
        // could turn back.
        let sent = self.table.campaign.politics().is_some()
            && ships.iter().any(|ship| ship.load().is_some());
        let kept = StarId::in_hex(end).is_none() && (sent || !self.needs_no_destination());
        let destination = bound.filter(|_| kept);
        let halted = end.is_cloud() || self.is_stopped_at(end);
        Ok(Leg { from, path, bound, destination, halted, lost_at })
    }

    /// So many hexes at most of the way that ships would take, or fewer if they may not stop there;
    /// nothing if that is the whole way, or none.
    pub(crate) fn first_part(&self, voyage: &Voyage, hexes: usize) -> Vec<Place> {
        let Ok(Leg { mut path, bound, .. }) = self.plan(voyage) else { return voyage.path.clone() };
        if hexes >= path.len() {
            return voyage.path.clone();
        }
        path.truncate(hexes.max(1));
        self.cut_short(&mut path, bound);
        path
    }

    /// 8.1 to 8.3: the star for which ships are bound: given where they leave a star or enter the
    /// board, fixed in between.
    fn bound_for(&self, ships: &[&Ship], voyage: &Voyage) -> Result<Option<StarId>, Refusal> {
        let end = voyage.path.last().and_then(|&at| StarId::in_hex(at));
        let wanted = voyage.destination.or(end);
        if self.needs_no_destination() {
            return Ok(wanted);
        }
        let here = ships[0].at.and_then(StarId::in_hex);
        let carried = ships[0].destination.filter(|_| here.is_none());
        if here.is_none() && ships.iter().any(|ship| ship.destination != ships[0].destination) {
            return refuse(
                "bound-apart",
                "8.1",
                "These ships are bound for different stars: move them one by one.",
            );
        }
        if let Some(carried) = carried {
            return match voyage.destination {
                Some(star) if star != carried => refuse(
                    "destination-fixed",
                    "8.2",
                    format!("Between stars they stay bound for {carried}."),
                ),
                _ => Ok(Some(carried)),
            };
        }
        let Some(star) = wanted else {
            return refuse("no-destination", "8.1", "Name the star for which the ships are bound.");
        };
        if here == Some(star) {
            return refuse("already-there", "8.1", format!("They are at {star} already."));
        }
        if ships.iter().any(|ship| ship.departed == Some(star)) {
            return refuse("back-again", "8.3", format!("{star} is the star that they left last."));
        }
        Ok(Some(star))
    }

    /// 5.1, 5.2, 6.1, 8.4: the hexes that a voyage names, judged; or those of the fastest route.
    fn hexes(
        &self,
        ships: &[&Ship],
        bound: Option<StarId>,
        voyage: &Voyage,
    ) -> Result<Vec<Place>, Refusal> {
        let moved = ships.iter().map(|ship| ship.steps).max().unwrap_or(0);
        let Some(entry) = self.table.entry(self.seat) else {
            return refuse("no-entry-hex", "5.2", "You have no entry hex.");
        };
        // 5.2: the entry hex is the first hex of ships that wait.
        let waits = ships[0].at.is_none();
        let (start, moved_at_start) = ships[0].at.map_or((entry, 1), |at| (at, moved));
        let route = self.route(start, moved_at_start, bound, voyage)?;
        if voyage.path.is_empty() {
            let Some(routes) = route else {
                return refuse(
                    "no-path",
                    "5.1",
                    "Name the hexes that they enter, or where they are bound.",
                );
            };
            let mut path = self.fastest_leg(&routes, waits.then_some(entry), moved_at_start)?;
            self.cut_short(&mut path, bound);
            return Ok(path);
        }
        let path = &voyage.path;
        if waits && path[0] != entry {
            return refuse("enter-first", "5.2", format!("They enter the board at {entry}."));
        }
        let steps = if waits { &path[1..] } else { &path[..] };
        let mut last = start;
        for &at in steps {
            if last.distance(at) != 1 {
                return refuse("not-adjacent", "5.1", format!("{at} is no neighbour of {last}."));
            }
            let direct = route.as_ref().is_none_or(|routes| routes.is_direct(last, at));
            if !direct && !self.needs_no_destination() {
                return refuse(
                    "not-direct",
                    "8.4",
                    format!("The step from {last} to {at} is on no direct route."),
                );
            }
            last = at;
        }
        self.judge_speed(path, if waits { 0 } else { moved })?;
        Ok(path.clone())
    }

    /// 8.4: the ways to the star for which ships are bound.
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
            Detour { avoiding: voyage.avoiding.clone(), round_clouds: voyage.round_clouds };
        let bad = voyage.round_clouds && !self.needs_no_destination();
        if bad && !may_round_clouds(start, star.at(), &voyage.avoiding, speed, moved) {
            return refuse("no-gain", "8.4", "A way round clouds must save turns.");
        }
        let routes = Routes::new(start, star.at(), &detour);
        if routes.steps(start).is_none() {
            return refuse("no-route", "8.4", "No way leads there that avoids all this.");
        }
        Ok(Some(routes))
    }

    /// The fastest route as far as it goes this turn, from the entry hex on for ships that wait.
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
            return refuse("no-steps-left", "5.1", "They can move no further this turn.");
        }
        Ok(path)
    }

    /// 5.1, 6.1: whether a path can be moved in this turn.
    pub(crate) fn judge_speed(&self, path: &[Place], moved: u8) -> Verdict {
        let speed = self.power.research.owned.speed();
        let steps = this_turn(path, speed, moved);
        if steps == path.len() {
            return Ok(());
        }
        if path[steps].is_cloud() || (steps > 0 && path[steps - 1].is_cloud()) {
            let message =
                "A cloud is entered with the first step of a turn, which ends the movement.";
            return refuse("cloud", "6.1", message);
        }
        refuse("too-far", "5.1", format!("Your ships move {speed} hexes a turn."))
    }

    /// 7.5: the first hex of a path that ships which need a command post do not survive.
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

    /// 5.2: ships that wait off the board enter it first.
    pub(crate) fn judge_end_movement(&self) -> Verdict {
        self.may_act(Stage::Movement, "4")?;
        let waiting = self.power.ships.iter().filter(|ship| ship.at.is_none()).count();
        if waiting > 0 {
            return refuse(
                "ships-waiting",
                "5.2",
                format!("Ships that must still enter at your entry hex: {waiting}."),
            );
        }
        Ok(())
    }
}

/// Moves ships hex by hex: they stop before other ships in star hexes (5.4), in clouds (6.1), and
/// at their speed; colonies look at them (10). What the rest of the path was is forfeited (BR-10).
pub(crate) fn move_ships(referee: &mut Referee<'_>, seat: Seat, voyage: &Voyage) {
    let Ok(leg) = referee.eyes(seat).plan(voyage) else { return };
    travel(referee, seat, &voyage.ships, &leg);
}

/// Moves ships along a leg.
pub(crate) fn travel(referee: &mut Referee<'_>, seat: Seat, ships: &[ShipNumber], leg: &Leg) {
    let power = referee.power(seat);
    let ships: Vec<Ship> = ships.iter().filter_map(|&number| power.ship(number).copied()).collect();
    let is_lost = |ship: &Ship| leg.lost_at.is_some() && ship.kind().is_range_bound();
    let (lost, going): (Vec<Ship>, Vec<Ship>) = ships.into_iter().partition(is_lost);
    referee.announce(Event::Table(TableEvent::Passed {
        seat,
        path: leg.from.iter().chain(&leg.path).copied().collect(),
    }));
    if !lost.is_empty() {
        let numbers = lost.iter().map(|ship| ship.number).collect();
        referee.whisper(OwnEvent::ShipsLost { seat, ships: numbers, cause: Cause::OutOfRange });
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
        be_watched(referee, seat, at, fleet);
    }
    if let Some(star) = leg.from.and_then(StarId::in_hex) {
        settle_star(referee, star);
    }
}

/// Tells the owner where their ships are now, those with the same last star together.
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
        referee.whisper(OwnEvent::Sailed { seat, ships, to, steps, halted, destination, departed });
    }
}

/// 9: a marker stays where others of its task force stay: who goes without them leaves it.
pub(crate) fn split_off(referee: &mut Referee<'_>, seat: Seat, going: &[ShipNumber]) {
    let power = referee.power(seat);
    let stays = |marker| {
        power.ships.iter().any(|ship| ship.marker == Some(marker) && !going.contains(&ship.number))
    };
    let marker = |number| power.ship(number).and_then(|ship| ship.marker);
    let ships: Vec<ShipNumber> =
        going.iter().copied().filter(|&number| marker(number).is_some_and(stays)).collect();
    if !ships.is_empty() {
        referee.whisper(OwnEvent::Formed { seat, ships, marker: None });
    }
}
