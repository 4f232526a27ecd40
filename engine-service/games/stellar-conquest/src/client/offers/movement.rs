//! Offers of step 1.

use heliopause_kernel::offer::{Draft, Kind, Range, Slot, ValueId, Weight};

use crate::client::choices::kinds::{Choices, RouteChoice, VoyageChoices};
use crate::client::offers::slots::{THE_TURN, heading, named, place_slot, star_slot, star_value};
use crate::state::order::{Order, Voyage};
use crate::state::power::Eyes;
use crate::state::ship::{Marker, Ship, ShipNumber};
use crate::tables::board::Place;
use crate::tables::stars::StarId;

/// How a voyage is ordered, besides where to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Manner {
    round_clouds: bool,
    accept_loss: bool,
    /// Whether ships can stop on the way.
    stops: bool,
}

impl Manner {
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
            (true, false) => ", round the clouds",
            (false, true) => "; out of range: lost",
            (true, true) => ", round the clouds; out of range: lost",
        }
    }

    const fn weight(self, usual: Weight) -> Weight {
        if self.accept_loss { Weight::Grave } else { usual }
    }
}

/// Ships that are alike in all that matters for moving, but that some may need to stay within
/// range.
struct Party<'a> {
    ships: Vec<ShipNumber>,
    /// How many of them can go at most.
    most: usize,
    voyage: &'a VoyageChoices,
    routes: Vec<&'a RouteChoice>,
}

impl Eyes<'_> {
    /// 5 to 9: where ships can go, task forces, and the end of the step. Says whether that is all:
    /// no ship can move any more. Else an order may name longer ways, stars to keep away from, and
    /// ships that were not alike so far.
    pub(super) fn offer_voyages(&self, draft: &mut Draft<Order>, choices: &Choices) -> bool {
        if self.may_act(crate::state::table::Stage::Movement, "9").is_err() {
            return true;
        }
        Self::offer_listed(draft, choices, |order| {
            (*order == Order::EndMovement).then(|| named("end-movement", THE_TURN, Weight::End))
        });
        for party in self.parties(&choices.voyages) {
            self.offer_voyage(draft, &party);
        }
        self.offer_sorties(draft, choices);
        self.offer_task_forces(draft);
        let speed = self.power.research.owned.speed();
        self.power.ships.iter().all(|ship| ship.halted || ship.steps >= speed)
    }

    /// Who can go together. Of transports that policy sends to a star only so many can as find room
    /// there (space 7.2).
    fn parties<'a>(&self, voyages: &'a [VoyageChoices]) -> Vec<Party<'a>> {
        let policy = self.table.campaign.politics().is_some();
        let key = |ship: &Ship| {
            (ship.at, ship.destination, ship.departed, ship.steps, ship.load().filter(|_| policy))
        };
        let mut parties: Vec<(_, Party<'_>)> = Vec::new();
        for voyage in voyages {
            let Some(first) = voyage.ships.first().and_then(|&number| self.power.ship(number))
            else {
                continue;
            };
            let (alike, most) = (key(first), voyage.ships.len());
            let sent = policy && first.load().is_some();
            let same = |(other, party): &&mut (_, Party<'_>)| {
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
                    parties.push((alike, Party { ships, most, voyage, routes }));
                }
            }
        }
        let sorted = |(_, mut party): (_, Party<'a>)| {
            party.ships.sort_unstable();
            party
        };
        parties.into_iter().map(sorted).collect()
    }

    /// Where all of a party go; and where only those go who need no command post, or only those who
    /// do.
    fn offer_voyage(&self, draft: &mut Draft<Order>, party: &Party<'_>) {
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

    /// How ships may go somewhere, if they may.
    fn manner(&self, go: &Voyage, ships: &[ShipNumber]) -> Option<Manner> {
        let round_clouds = go.round_clouds;
        let go = |accept_loss| Voyage { ships: ships.to_vec(), accept_loss, ..go.clone() };
        let lose = [false, true].into_iter().find(|&lose| self.judge_move(&go(lose)).is_ok())?;
        Some(Manner { round_clouds, accept_loss: lose, stops: false })
    }

    /// 8: to stars by the fastest way, or so far of it; with Unlimited Ship Communication also to
    /// any hex beside.
    fn offer_ways(
        &self,
        draft: &mut Draft<Order>,
        party: &Party<'_>,
        ships: &[ShipNumber],
        manner: impl Fn(&Voyage) -> Option<Manner>,
    ) {
        let at = party.voyage.at.map(|at| hex_value(draft, at));
        let ships = self.ships_slot(draft, "ships", ships, 1, party.most.min(ships.len()) as u32);
        let go = |destination, path, round_clouds| Voyage {
            ships: Vec::new(),
            path,
            destination,
            avoiding: Vec::new(),
            round_clouds,
            accept_loss: false,
        };
        let whole = |route: &&RouteChoice| {
            let manner = manner(&go(route.destination, Vec::new(), route.round_clouds))?;
            Some((Manner { stops: self.has_stops(route), ..manner }, route.destination?))
        };
        let speed = i32::from(self.power.research.owned.speed());
        for (manner, stars) in by_manner(&party.routes, whole) {
            let to = star_slot(draft, "star", "star", &stars);
            let stop = manner.stops.then(|| {
                let hexes = Slot::new("n", "hexes", Kind::Number(Range::of(1..=speed - 1)));
                hexes.within(" stop {}", ", stop after {}").optional()
            });
            let rest = if stop.is_some() { "{n}" } else { "" };
            let notation = format!("move {{ships}} to {{star}}{rest}{}", manner.words());
            let label = format!("Move {{ships}} to {{star}}{rest}{}", manner.says());
            let offer = draft.offer("move", notation, label, "8.4");
            offer
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
            Some(at) => at.neighbours().collect(),
            None => self.table.entry(self.seat).into_iter().collect(),
        };
        let open = |step: &Place| Some((manner(&go(None, vec![*step], false))?, *step));
        for (manner, places) in by_manner(&steps, open) {
            let to = place_slot(draft, "where to", places);
            let notation = format!("move {{ships}} via {{place}}{}", manner.words());
            let label = format!("Move {{ships}} one hex to {{place}}{}", manner.says());
            let offer = draft.offer("step", notation, label, "8.6");
            offer.weighs(manner.weight(Weight::Usual)).at(at).slot(ships.clone()).slot(to);
        }
    }

    /// Whether ships can stop in some hex of a way before its end. Space 7.1: in the first one they
    /// may not if it is a star that is closed to them.
    fn has_stops(&self, route: &RouteChoice) -> bool {
        let star = route.path.first().and_then(|&at| StarId::in_hex(at));
        route.path.len() > 1 && star.is_none_or(|star| self.is_open(star))
    }

    /// 9: ships of one hex form a task force that stands nowhere else, or leave theirs.
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
            let offer = draft.offer("form", "form {ships} {force}", "Form {ships}: {force}", "9");
            offer.weighs(Weight::Minor).at([place]).slot(ships).slot(force);
        }
    }
}

/// A hex, as its star if it has one.
fn hex_value(draft: &mut Draft<Order>, at: Place) -> ValueId {
    match StarId::in_hex(at) {
        Some(star) => star_value(draft, star),
        None => draft.value(at.to_string(), ""),
    }
}

/// Those that can be ordered, by the manner in which they must be.
fn by_manner<T, V>(all: &[T], judged: impl Fn(&T) -> Option<(Manner, V)>) -> Vec<(Manner, Vec<V>)> {
    let mut groups: Vec<(Manner, Vec<V>)> = Vec::new();
    for (manner, value) in all.iter().filter_map(judged) {
        match groups.iter_mut().find(|(other, _)| *other == manner) {
            Some((_, values)) => values.push(value),
            None => groups.push((manner, vec![value])),
        }
    }
    groups.sort_by_key(|(manner, _)| *manner);
    groups
}
