//! Offers of voyages and task forces (step 1).

use heliopause_kernel::offer::{Draft, Kind, Range, Slot, ValueId, Weight};

use crate::client::choices::kinds::{Choices, RouteChoice, VoyageChoices};
use crate::client::offers::slots::{
    heading, offer, offer_listed, place_slot, star_slot, star_value,
};
use crate::state::{Marker, Order, SeatView, Ship, ShipNumber, Voyage};
use crate::tables::{Place, StarId};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct VoyageManner {
    round_clouds: bool,
    accept_loss: bool,
    stops: bool,
}

impl VoyageManner {
    const fn words(self) -> &'static str {
        match (self.round_clouds, self.accept_loss) {
            (false, false) => "",
            (true, false) => " clouds",
            (false, true) => " lose",
            (true, true) => " clouds lose",
        }
    }

    const fn says(self) -> &'static str {
        match (self.round_clouds, self.accept_loss) {
            (false, false) => "",
            (true, false) => ", around clouds",
            (false, true) => "; ships out of range are lost",
            (true, true) => ", around clouds; ships out of range are lost",
        }
    }

    const fn weight(self, usual: Weight) -> Weight {
        if self.accept_loss { Weight::Grave } else { usual }
    }
}

/// Ships with the same moves. One group can contain range-bound ships and others.
struct TravelGroup<'a> {
    ships: Vec<ShipNumber>,
    most: usize,
    voyage: &'a VoyageChoices,
    routes: Vec<&'a RouteChoice>,
}

impl SeatView<'_> {
    /// Offers the orders of the movement step. Returns whether the offers are complete. They are
    /// not complete while a ship can move, because an order may also name longer routes, stars to
    /// avoid, and ships that are not identical.
    pub(super) fn offer_voyages(&self, draft: &mut Draft<Order>, choices: &Choices) -> bool {
        if self.may_act(crate::state::table::Stage::Movement, "9").is_err() {
            return true;
        }
        offer_listed(draft, choices);
        for party in self.parties(&choices.voyages) {
            self.offer_voyage(draft, &party);
        }
        self.offer_sorties(draft, choices);
        self.offer_task_forces(draft);
        let speed = self.power.research.owned.speed();
        self.power.ships.iter().all(|ship| ship.halted || ship.steps >= speed)
    }

    /// Groups ships that can travel together. Policy limits how many transports may go to a star,
    /// so groups of transports also have the same limit (space 7.2).
    fn parties<'a>(&self, voyages: &'a [VoyageChoices]) -> Vec<TravelGroup<'a>> {
        let policy = self.table.campaign.politics().is_some();
        let key = |ship: &Ship| {
            (ship.at, ship.destination, ship.departed, ship.steps, ship.load().filter(|_| policy))
        };
        let mut parties: Vec<(_, TravelGroup<'_>)> = Vec::new();
        for voyage in voyages {
            let Some(first) = voyage.ships.first().and_then(|&number| self.power.ship(number))
            else {
                continue;
            };
            let (alike, most) = (key(first), voyage.ships.len());
            let sent = policy && first.load().is_some();
            let same = |(other, party): &&mut (_, TravelGroup<'_>)| {
                *other == alike && (!sent || party.most == most)
            };
            match parties.iter_mut().find(same) {
                Some((_, party)) if sent => party.routes.extend(&voyage.routes),
                Some((_, party)) => {
                    let known: Vec<_> =
                        party.routes.iter().map(|route| route.destination).collect();
                    let new =
                        voyage.routes.iter().filter(|route| !known.contains(&route.destination));
                    party.routes.extend(new);
                    party.ships.extend(&voyage.ships);
                    party.most += most;
                }
                None => {
                    let able = |ship: &&Ship| !ship.halted && key(ship) == alike;
                    let all = self.power.ships.iter().filter(able).map(|ship| ship.number);
                    let ships = if sent { all.collect() } else { voyage.ships.clone() };
                    let routes = voyage.routes.iter().collect();
                    parties.push((alike, TravelGroup { ships, most, voyage, routes }));
                }
            }
        }
        let sorted = |(_, mut party): (_, TravelGroup<'a>)| {
            party.ships.sort_unstable();
            party
        };
        parties.into_iter().map(sorted).collect()
    }

    fn offer_voyage(&self, draft: &mut Draft<Order>, party: &TravelGroup<'_>) {
        draft.group(heading(party.voyage.at));
        let bound = |number: &ShipNumber| {
            self.power.ship(*number).is_some_and(|ship| ship.kind().is_range_bound())
        };
        let (bound, free): (Vec<ShipNumber>, Vec<ShipNumber>) =
            party.ships.iter().partition(|number| bound(number));
        if bound.is_empty() || free.is_empty() {
            return self.offer_ways(draft, party, &party.ships, |go| {
                self.manner(go, &party.ships[..party.most])
            });
        }
        let together = |go: &Voyage| {
            let manner = self.manner(go, &party.ships)?;
            (self.manner(go, &bound) == Some(manner)).then_some(manner)
        };
        self.offer_ways(draft, party, &party.ships, together);
        for some in [&free, &bound] {
            let alone =
                |go: &Voyage| self.manner(go, some).filter(|manner| together(go) != Some(*manner));
            self.offer_ways(draft, party, some, alone);
        }
    }

    fn manner(&self, go: &Voyage, ships: &[ShipNumber]) -> Option<VoyageManner> {
        let round_clouds = go.round_clouds;
        let go = |accept_loss| Voyage { ships: ships.to_vec(), accept_loss, ..go.clone() };
        let lose = [false, true].into_iter().find(|&lose| self.judge_move(&go(lose)).is_ok())?;
        Some(VoyageManner { round_clouds, accept_loss: lose, stops: false })
    }

    /// Offers the moves of a group to its destinations and, with Unlimited Ship Communication, to
    /// each neighboring hex (rule 8).
    fn offer_ways(
        &self,
        draft: &mut Draft<Order>,
        party: &TravelGroup<'_>,
        ships: &[ShipNumber],
        manner: impl Fn(&Voyage) -> Option<VoyageManner>,
    ) {
        let at = party.voyage.at.map(|at| hex_value(draft, at));
        let ships = self.ships_slot(draft, "ships", ships, 1, party.most.min(ships.len()) as u32);
        let go = |destination, path, round_clouds| Voyage {
            path,
            destination,
            round_clouds,
            ..Voyage::new(Vec::new())
        };
        let whole = |route: &&RouteChoice| {
            let manner = manner(&go(route.destination, Vec::new(), route.round_clouds))?;
            Some((VoyageManner { stops: self.has_stops(route), ..manner }, route.destination?))
        };
        let speed = i32::from(self.power.research.owned.speed());
        for (manner, stars) in by_manner(&party.routes, whole) {
            let to = star_slot(draft, "star", "star", &stars);
            let stop = manner.stops.then(|| {
                let hexes = Slot::new("n", "hexes", Kind::Number(Range::of(1..=speed - 1)));
                hexes.within(" stop {}", ", stop after {}").optional()
            });
            let rest = if stop.is_some() { "{n}" } else { "" };
            let says = manner.says();
            offer!(draft, "move", rest, manner = manner.words(), says)
                .weighs(manner.weight(Weight::Main))
                .at(at)
                .slot(ships.clone())
                .slot(to)
                .slots
                .extend(stop);
        }
        if !self.needs_no_destination() {
            return;
        }
        let steps: Vec<Place> = match party.voyage.at {
            Some(at) => at.neighbors().collect(),
            None => self.table.entry(self.seat).into_iter().collect(),
        };
        let open = |step: &Place| Some((manner(&go(None, vec![*step], false))?, *step));
        for (manner, places) in by_manner(&steps, open) {
            let to = place_slot(draft, "where to", places);
            let offer = offer!(draft, "step", manner = manner.words(), says = manner.says());
            offer.weighs(manner.weight(Weight::Usual)).at(at).slot(ships.clone()).slot(to);
        }
    }

    /// Returns whether ships can stop before the end of the route. Ships cannot stop early on a
    /// route of one hex or on one that starts with a closed star (space 7.1).
    fn has_stops(&self, route: &RouteChoice) -> bool {
        let star = route.path.first().and_then(|&at| StarId::in_hex(at));
        route.path.len() > 1 && star.is_none_or(|star| self.is_open(star))
    }

    fn offer_task_forces(&self, draft: &mut Draft<Order>) {
        let mut hexes: Vec<Place> = self.power.ships.iter().filter_map(|ship| ship.at).collect();
        hexes.sort_unstable();
        hexes.dedup();
        for at in hexes {
            let ships: Vec<ShipNumber> = self.power.ships_at(at).map(|ship| ship.number).collect();
            let elsewhere =
                |marker| move |ship: &Ship| ship.marker == Some(marker) && ship.at != Some(at);
            let free = |marker: &Marker| !self.power.ships.iter().any(elsewhere(*marker));
            let mut forces = vec![draft.value("loose", "no task force")];
            for marker in (1..).map_while(Marker::numbered).filter(free) {
                forces.push(draft.value(marker.number().to_string(), ""));
            }
            draft.group(heading(Some(at)));
            let (place, force) = (hex_value(draft, at), draft.word("force", "force", forces));
            let ships = self.any_ships(draft, &ships);
            offer!(draft, "form").at([place]).slot(ships).slot(force);
        }
    }
}

fn hex_value(draft: &mut Draft<Order>, at: Place) -> ValueId {
    match StarId::in_hex(at) {
        Some(star) => star_value(draft, star),
        None => draft.value(at.to_string(), ""),
    }
}

fn by_manner<T, V>(
    all: &[T],
    judged: impl Fn(&T) -> Option<(VoyageManner, V)>,
) -> Vec<(VoyageManner, Vec<V>)> {
    let mut groups: Vec<(VoyageManner, Vec<V>)> = Vec::new();
    for (manner, value) in all.iter().filter_map(judged) {
        match groups.iter_mut().find(|(other, _)| *other == manner) {
            Some((_, values)) => values.push(value),
            None => groups.push((manner, vec![value])),
        }
    }
    groups.sort_by_key(|(manner, _)| *manner);
    groups
}
