//! Choices of step 1.

use std::collections::BTreeMap;

use crate::client::choices::kinds::{Choices, RouteChoice, VoyageChoices};
use crate::rules::movement::range::Command;
use crate::state::order::{Order, Voyage};
use crate::state::power::Eyes;
use crate::state::ship::{Load, Ship, ShipNumber};
use crate::tables::board::Place;
use crate::tables::routes::{Way, Ways, this_turn};
use crate::tables::stars::StarId;
use crate::tables::technology::Tech;

/// What makes ships alike for moving.
type Alike = (Option<Place>, bool, Option<StarId>, Option<StarId>, u8, Option<Load>);

/// Fastest ways from a hex, with so many steps moved. Ships of one hex share them.
type Atlas = BTreeMap<(Place, u8), Ways>;

/// Space 7.2: transports have a policy of their own, by what they carry.
fn alike(ship: &Ship, policy: bool) -> Alike {
    let load = ship.load().filter(|_| policy);
    (ship.at, ship.kind().is_range_bound(), ship.destination, ship.departed, ship.steps, load)
}

impl Eyes<'_> {
    /// 5 to 8: ways for all ships that can still move, and the end of the step.
    pub(super) fn offer_movement(&self, choices: &mut Choices) {
        if self.may_act(crate::state::table::Stage::Movement, "4").is_err() {
            return;
        }
        self.offer(
            choices,
            Order::EndMovement,
            "End the movement; stars are explored, and enemies fight.",
            "4",
        );
        let speed = self.power.research.owned.speed();
        let mut groups: Vec<(Alike, Vec<ShipNumber>)> = Vec::new();
        for ship in self.power.ships.iter().filter(|ship| !ship.halted && ship.steps < speed) {
            let key = alike(ship, self.table.campaign.politics().is_some());
            match groups.iter_mut().find(|(other, _)| *other == key) {
                Some((_, ships)) => ships.push(ship.number),
                None => groups.push((key, vec![ship.number])),
            }
        }
        let command = self.command();
        let mut ways = Atlas::new();
        for (key, ships) in groups {
            let voyages = Leg { eyes: *self, command: &command, speed, key, ships: &ships }
                .voyages(&mut ways);
            let some =
                |voyage: &VoyageChoices| !voyage.routes.is_empty() || !voyage.reach.is_empty();
            choices.voyages.extend(voyages.into_iter().filter(some));
        }
        self.offer_raids(choices);
    }
}

/// Alike ships that can move.
#[derive(Clone, Copy)]
struct Leg<'a> {
    eyes: Eyes<'a>,
    command: &'a Command,
    speed: u8,
    key: Alike,
    ships: &'a [ShipNumber],
}

impl Leg<'_> {
    /// The choices; of transports one for each star to which policy sends them, with as many as
    /// find room.
    fn voyages(&self, ways: &mut Atlas) -> Vec<VoyageChoices> {
        let Some(stars) = self.policy() else { return vec![self.choices(ways)] };
        let voyage = |(star, room): (StarId, usize)| {
            let leg = Leg { ships: &self.ships[..room.min(self.ships.len())], ..*self };
            let routes: Vec<RouteChoice> = leg.route(star, ways).into_iter().collect();
            VoyageChoices { ships: leg.ships.to_vec(), at: self.key.0, routes, reach: Vec::new() }
        };
        stars.into_iter().map(voyage).collect()
    }

    /// Space 7.2: the stars to which policy sends these transports when they leave a star.
    fn policy(&self) -> Option<Vec<(StarId, usize)>> {
        let (at, .., load) = self.key;
        let between =
            at.is_some_and(|at| StarId::in_hex(at).is_none()) && !self.eyes.needs_no_destination();
        load.filter(|_| !between)?;
        let ships: Vec<&Ship> =
            self.ships.iter().filter_map(|&number| self.eyes.power.ship(number)).collect();
        self.eyes.transport_stars(&ships)
    }

    fn choices(&self, ways: &mut Atlas) -> VoyageChoices {
        let (at, ..) = self.key;
        let free = self.eyes.power.research.has(Tech::UnlimitedShipCommunication);
        let routes =
            self.destinations(free).into_iter().filter_map(|star| self.route(star, ways)).collect();
        let reach = if free { self.reach() } else { Vec::new() };
        VoyageChoices { ships: self.ships.to_vec(), at, routes, reach }
    }

    /// 8.1 to 8.3: the stars for which the ships can be bound now.
    fn destinations(&self, free: bool) -> Vec<StarId> {
        let (at, _, destination, departed, ..) = self.key;
        let here = at.and_then(StarId::in_hex);
        match (at, here) {
            (Some(_), None) if !free => destination.into_iter().collect(),
            _ => StarId::ALL
                .into_iter()
                .filter(|&star| Some(star) != here && (free || Some(star) != departed))
                .collect(),
        }
    }

    /// Where the ships start, the steps that they have taken there, and the hexes that come before:
    /// off the board the entry hex is the first step (5.2).
    fn start(&self) -> Option<(Place, u8, Vec<Place>)> {
        let (at, _, _, _, steps, _) = self.key;
        match at {
            Some(at) => Some((at, steps, Vec::new())),
            None => {
                self.eyes.table.entry(self.eyes.seat).map(|entry| (entry, steps + 1, vec![entry]))
            }
        }
    }

    /// 5.4: whether ships stop in a hex.
    fn stops(&self, at: Place) -> bool {
        let (eyes, campaign) = (&self.eyes, &self.eyes.table.campaign);
        StarId::in_hex(at).is_some()
            && eyes.table.others_at(eyes.seat, at).any(|other| campaign.stops(eyes.seat, other, at))
    }

    /// The fastest legal way to a star, as far as it goes this turn.
    fn route(&self, star: StarId, ways: &mut Atlas) -> Option<RouteChoice> {
        let (start, moved, mut path) = self.start()?;
        let from_here = || Ways::new(start, &[], self.speed, moved);
        let Way { turns, path: way, round_clouds } =
            ways.entry((start, moved)).or_insert_with(from_here).to(star.at())?;
        let now = this_turn(&way, self.speed, moved);
        path.extend(&way[..now]);
        if let Some(stop) = path.iter().position(|&at| self.stops(at)) {
            path.truncate(stop + 1);
        }
        self.eyes.cut_short(&mut path, Some(star));
        if path.is_empty() {
            return None;
        }
        let safe = self.safe(&path);
        let route =
            RouteChoice { destination: Some(star), path, round_clouds, turns: turns + 1, safe };
        let voyage =
            Voyage { accept_loss: safe.is_some(), ..route.voyage(self.ships.to_vec(), usize::MAX) };
        self.eyes.judge_move(&voyage).ok()?;
        Some(route)
    }

    /// 7.5: how many of these hexes lie within range, if not all do.
    fn safe(&self, path: &[Place]) -> Option<usize> {
        let (at, range_bound, ..) = self.key;
        let mut from = at;
        for (nth, &to) in path.iter().enumerate() {
            if range_bound && !self.command.allows(from, to) {
                return Some(nth);
            }
            from = Some(to);
        }
        None
    }

    /// 8.6: every hex that the ships can reach this turn without loss.
    fn reach(&self) -> Vec<Place> {
        let Some((start, moved, before)) = self.start() else { return Vec::new() };
        let (_, range_bound, ..) = self.key;
        let mut reached = before;
        let mut ring = vec![start];
        for step in moved..self.speed {
            let mut next = Vec::new();
            for from in ring {
                for to in from.neighbours().filter(|&to| to != start) {
                    let open = !to.is_cloud() || step == 0;
                    let near = !range_bound || self.command.allows(Some(from), to);
                    if !open || !near || reached.contains(&to) {
                        continue;
                    }
                    reached.push(to);
                    if !to.is_cloud() && !self.stops(to) {
                        next.push(to);
                    }
                }
            }
            ring = next;
        }
        let closed = |at: &Place| StarId::in_hex(*at).is_some_and(|star| !self.eyes.is_open(star));
        reached.retain(|at| !closed(at));
        reached.sort_unstable();
        reached
    }
}
