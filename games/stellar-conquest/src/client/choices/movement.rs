//! Choices in the movement step (step 1).

use std::collections::BTreeMap;

use crate::client::choices::kinds::{Choices, RouteChoice, VoyageChoices};
use crate::rules::movement::range::Command;
use crate::state::{Load, Order, SeatView, Ship, ShipNumber, Voyage};
use crate::tables::{LegalRoute, LegalRoutes, Place, StarId, Tech, this_turn};

/// A grouping key. Ships with equal keys have the same moves.
type MoveKey = (Option<Place>, bool, Option<StarId>, Option<StarId>, u8, Option<Load>);

/// Fastest routes by start hex and steps already moved, shared by all ships in a hex.
type RouteCache = BTreeMap<(Place, u8), LegalRoutes>;

/// Returns the key of a ship. With `policy`, transports with different loads have different keys
/// (space 7.2).
fn alike(ship: &Ship, policy: bool) -> MoveKey {
    let load = ship.load().filter(|_| policy);
    (ship.at, ship.kind().is_range_bound(), ship.destination, ship.departed, ship.steps, load)
}

impl SeatView<'_> {
    pub(super) fn offer_movement(&self, choices: &mut Choices) {
        if self.may_act(crate::state::table::Stage::Movement, "4").is_err() {
            return;
        }
        self.list(choices, Order::EndMovement, "end-movement", &[]);
        let speed = self.power.research.owned.speed();
        let mut groups: Vec<(MoveKey, Vec<ShipNumber>)> = Vec::new();
        for ship in self.power.ships.iter().filter(|ship| !ship.halted && ship.steps < speed) {
            let key = alike(ship, self.table.campaign.politics().is_some());
            match groups.iter_mut().find(|(other, _)| *other == key) {
                Some((_, ships)) => ships.push(ship.number),
                None => groups.push((key, vec![ship.number])),
            }
        }
        let command = self.command();
        let mut ways = RouteCache::new();
        for (key, ships) in groups {
            let voyages =
                MoveGroup { seat_view: *self, command: &command, speed, key, ships: &ships }
                    .voyages(&mut ways);
            let some =
                |voyage: &VoyageChoices| !voyage.routes.is_empty() || !voyage.reach.is_empty();
            choices.voyages.extend(voyages.into_iter().filter(some));
        }
        self.offer_raids(choices);
    }
}

#[derive(Clone, Copy)]
struct MoveGroup<'a> {
    seat_view: SeatView<'a>,
    command: &'a Command,
    speed: u8,
    key: MoveKey,
    ships: &'a [ShipNumber],
}

impl MoveGroup<'_> {
    fn voyages(&self, ways: &mut RouteCache) -> Vec<VoyageChoices> {
        let Some(stars) = self.policy() else { return vec![self.choices(ways)] };
        let voyage = |(star, room): (StarId, usize)| {
            let leg = MoveGroup { ships: &self.ships[..room.min(self.ships.len())], ..*self };
            let routes: Vec<RouteChoice> = leg.route(star, ways).into_iter().collect();
            VoyageChoices { ships: leg.ships.to_vec(), at: self.key.0, routes, reach: Vec::new() }
        };
        stars.into_iter().map(voyage).collect()
    }

    /// Returns the stars to which policy sends these transports, with the room at each (space 7.2).
    /// Returns `None` for other ships, for ships between stars, and if the transports may go
    /// anywhere.
    fn policy(&self) -> Option<Vec<(StarId, usize)>> {
        let (at, .., load) = self.key;
        let between = at.is_some_and(|at| StarId::in_hex(at).is_none())
            && !self.seat_view.needs_no_destination();
        load.filter(|_| !between)?;
        let ships: Vec<&Ship> =
            self.ships.iter().filter_map(|&number| self.seat_view.power.ship(number)).collect();
        self.seat_view.transport_stars(&ships)
    }

    fn choices(&self, ways: &mut RouteCache) -> VoyageChoices {
        let (at, ..) = self.key;
        let free = self.seat_view.power.research.has(Tech::UnlimitedShipCommunication);
        let routes =
            self.destinations(free).into_iter().filter_map(|star| self.route(star, ways)).collect();
        let reach = if free { self.reach() } else { Vec::new() };
        VoyageChoices { ships: self.ships.to_vec(), at, routes, reach }
    }

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

    /// Returns the start hex, the steps already taken, and the hexes of the path so far. Ships off
    /// the board start with the entry hex, which counts as their first step (rule 5.2). Returns
    /// `None` if the seat has no entry hex.
    fn start(&self) -> Option<(Place, u8, Vec<Place>)> {
        let (at, _, _, _, steps, _) = self.key;
        match at {
            Some(at) => Some((at, steps, Vec::new())),
            None => self
                .seat_view
                .table
                .entry(self.seat_view.seat)
                .map(|entry| (entry, steps + 1, vec![entry])),
        }
    }

    fn stops(&self, at: Place) -> bool {
        let (seat_view, campaign) = (&self.seat_view, &self.seat_view.table.campaign);
        StarId::in_hex(at).is_some()
            && seat_view
                .table
                .others_at(seat_view.seat, at)
                .any(|other| campaign.stops(seat_view.seat, other, at))
    }

    fn route(&self, star: StarId, ways: &mut RouteCache) -> Option<RouteChoice> {
        let (start, moved, mut path) = self.start()?;
        let from_here = || LegalRoutes::new(start, &[], self.speed, moved);
        let LegalRoute { turns, path: way, round_clouds } =
            ways.entry((start, moved)).or_insert_with(from_here).to(star.at())?;
        let now = this_turn(&way, self.speed, moved);
        path.extend(&way[..now]);
        if let Some(stop) = path.iter().position(|&at| self.stops(at)) {
            path.truncate(stop + 1);
        }
        self.seat_view.cut_short(&mut path, Some(star));
        if path.is_empty() {
            return None;
        }
        let safe = self.safe(&path);
        let route =
            RouteChoice { destination: Some(star), path, round_clouds, turns: turns + 1, safe };
        let voyage =
            Voyage { accept_loss: safe.is_some(), ..route.voyage(self.ships.to_vec(), usize::MAX) };
        self.seat_view.judge_move(&voyage).ok()?;
        Some(route)
    }

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

    fn reach(&self) -> Vec<Place> {
        let Some((start, moved, before)) = self.start() else { return Vec::new() };
        let (_, range_bound, ..) = self.key;
        let mut reached = before;
        let mut ring = vec![start];
        for step in moved..self.speed {
            let mut next = Vec::new();
            for from in ring {
                for to in from.neighbors().filter(|&to| to != start) {
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
        let closed =
            |at: &Place| StarId::in_hex(*at).is_some_and(|star| !self.seat_view.is_open(star));
        reached.retain(|at| !closed(at));
        reached.sort_unstable();
        reached
    }
}
