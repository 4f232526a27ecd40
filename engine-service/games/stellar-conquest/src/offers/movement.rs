//! Offers of step 1.

use heliopause_kernel::offer::{Draft, Kind, Picks, Slot, ValueId, Weight};

use super::{THE_TURN, named, place_name, place_slot, place_value, star_slot, star_value};
use crate::board::Place;
use crate::campaign::outer_space::RAIDERS_MAX;
use crate::choices::{Choices, VoyageChoices};
use crate::order::{Order, Sortie, Voyage};
use crate::power::Eyes;
use crate::ship::{Marker, Ship, ShipKind, ShipNumber};
use crate::stars::StarId;

/// How a voyage is ordered, besides where to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Manner {
    round_clouds: bool,
    accept_loss: bool,
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
            (false, true) => ", though those out of range are lost",
            (true, true) => ", round the clouds, though those out of range are lost",
        }
    }

    const fn weight(self, usual: Weight) -> Weight {
        if self.accept_loss { Weight::Grave } else { usual }
    }
}

impl Eyes<'_> {
    /// 5 to 9: where ships can go, task forces, and the end of the step.
    pub(super) fn offer_voyages(&self, draft: &mut Draft<Order>, choices: &Choices) {
        self.offer_listed(draft, choices, |order| match order {
            Order::EndMovement => named("end-movement", THE_TURN, Weight::End),
            _ => None,
        });
        for voyage in &choices.voyages {
            self.offer_voyage(draft, voyage);
        }
        self.offer_sorties(draft, choices);
        self.offer_task_forces(draft);
    }

    fn offer_voyage(&self, draft: &mut Draft<Order>, voyage: &VoyageChoices) {
        draft.group(match voyage.at {
            Some(at) => format!("Ships at {}", place_name(at)),
            None => "Ships off the board".to_owned(),
        });
        let at = voyage.at.map(|at| place_value(draft, at));
        let ships = self.any_ships(draft, &voyage.ships);
        let stars: Vec<StarId> = voyage.routes.iter().filter_map(|route| route.destination).collect();
        let legal = |star: Option<StarId>, path: Vec<Place>, round_clouds| {
            let manner = |accept_loss| Manner { round_clouds, accept_loss };
            let go = |accept_loss| Voyage {
                ships: voyage.ships.clone(),
                path: path.clone(),
                destination: star,
                avoiding: Vec::new(),
                round_clouds,
                accept_loss,
            };
            [false, true].into_iter().find(|&lose| self.judge_move(&go(lose)).is_ok()).map(manner)
        };
        for (manner, stars) in by_manner(&voyage.routes, |route| {
            Some((legal(route.destination, Vec::new(), route.round_clouds)?, route.destination?))
        }) {
            let to = star_slot(draft, "star", "where to", &stars);
            let notation = format!("move {{ships}} to {{star}}{}", manner.words());
            let label = format!("Move {{ships}} to {{star}}{}", manner.says());
            let offer = draft.offer("move", notation, label, "8.4");
            offer.weighs(manner.weight(Weight::Main)).at(at).slot(ships.clone()).slot(to);
        }
        let steps: Vec<Place> = match voyage.at {
            Some(at) => at.neighbours().collect(),
            None => self.table.entry(self.seat).into_iter().collect(),
        };
        if self.needs_no_destination() {
            let open = |step: &Place| Some((legal(None, vec![*step], false)?, *step));
            for (manner, places) in by_manner(&steps, open) {
                let to = place_slot(draft, "where to", places);
                let notation = format!("move {{ships}} via {{place}}{}", manner.words());
                let label = format!("Move {{ships}} one hex to {{place}}{}", manner.says());
                let offer = draft.offer("step", notation, label, "8.6");
                offer.weighs(manner.weight(Weight::Usual)).at(at).slot(ships.clone()).slot(to);
            }
            return;
        }
        for step in steps {
            let open = |star: &StarId| Some((legal(Some(*star), vec![step], false)?, *star));
            for (manner, stars) in by_manner(&stars, open) {
                let beside = place_value(draft, step);
                let to = star_slot(draft, "star", "bound for", &stars);
                let notation = format!("move {{ships}} via {step} to {{star}}{}", manner.words());
                let label = format!("Move {{ships}} one hex to {}, bound for {{star}}{}", place_name(step), manner.says());
                let offer = draft.offer("step", notation, label, "8.4");
                offer.weighs(manner.weight(Weight::Usual)).at(at.into_iter().chain([beside]));
                offer.slot(ships.clone()).slot(to);
            }
        }
    }

    /// 9: ships of one hex form a task force that stands nowhere else, or leave theirs.
    fn offer_task_forces(&self, draft: &mut Draft<Order>) {
        if self.may_act(crate::table::Stage::Movement, "9").is_err() {
            return;
        }
        let mut hexes: Vec<Place> = self.power.ships.iter().filter_map(|ship| ship.at).collect();
        hexes.sort_unstable();
        hexes.dedup();
        draft.group("Task forces");
        for at in hexes {
            let ships: Vec<ShipNumber> = self.power.ships_at(at).map(|ship| ship.number).collect();
            let elsewhere = |marker| move |ship: &Ship| ship.marker == Some(marker) && ship.at != Some(at);
            let free = |marker: &Marker| !self.power.ships.iter().any(elsewhere(*marker));
            let mut forces = vec![draft.value("loose", "no task force")];
            for marker in (1..).map_while(Marker::numbered).filter(free) {
                forces.push(draft.value(marker.number().to_string(), format!("task force {}", marker.number())));
            }
            let (place, force) = (place_value(draft, at), draft.word("force", "which task force", forces));
            let ships = self.any_ships(draft, &ships);
            let label = format!("At {}, put {{ships}} into {{force}}", place_name(at));
            let offer = draft.offer("form", "form {ships} {force}", label, "9");
            offer.weighs(Weight::Minor).at([place]).slot(ships).slot(force);
        }
    }

    /// Space 9.1: raids that can set out: up to five ships, a warship among them.
    fn offer_sorties(&self, draft: &mut Draft<Order>, choices: &Choices) {
        for raid in &choices.raids {
            let able = |ship: &&Ship| ship.kind() != ShipKind::DeathStar && ship.load().is_none() && !ship.has_moved();
            let able = self.power.ships_at(raid.from.at()).filter(able);
            let (armed, unarmed): (Vec<&Ship>, Vec<&Ship>) =
                able.partition(|ship| self.table.options.is_warship(ship.kind()));
            // Whoever needs range goes where all others go, too.
            let bound = armed.iter().find(|ship| ship.kind().is_range_bound());
            let Some(judged) = bound.or(armed.first()) else { continue };
            let reached = |&target: &StarId| {
                let sortie = Sortie { ships: vec![judged.number], target, rounds: 1, path: Vec::new() };
                self.judge_raid(&sortie).is_ok()
            };
            let targets: Vec<StarId> = raid.targets.iter().copied().filter(reached).collect();
            if targets.is_empty() {
                continue;
            }
            let numbers = |ships: &[&Ship]| -> Vec<ShipNumber> { ships.iter().map(|ship| ship.number).collect() };
            let (armed, unarmed) = (numbers(&armed), numbers(&unarmed));
            draft.group(format!("Ships at {}", place_name(raid.from.at())));
            let from = star_value(draft, raid.from);
            let target = star_slot(draft, "star", "which star", &targets);
            let rounds: Vec<ValueId> =
                [("1", "one round"), ("2", "two rounds")].map(|(text, label)| draft.value(text, label)).into();
            let rounds = draft.word("rounds", "how long", rounds);
            let max = RAIDERS_MAX as u32;
            let alone = self.ships_slot(draft, "ships", &armed, 1, max.min(armed.len() as u32));
            let offer = draft.offer("raid", "raid {star} {rounds} {ships}", "Raid {star} for {rounds} with {ships}", "space-9.1");
            offer.at([from]).slot(target.clone()).slot(rounds.clone()).slot(alone);
            for lead in 1..max.min(armed.len() as u32 + 1) {
                if unarmed.is_empty() {
                    break;
                }
                let ships = self.ships_slot(draft, "ships", &armed, lead, lead);
                let others = self.ships_slot(draft, "others", &unarmed, 1, (max - lead).min(unarmed.len() as u32));
                let notation = "raid {star} {rounds} {ships},{others}";
                let label = "Raid {star} for {rounds} with {ships} and {others}";
                let offer = draft.offer("raid", notation, label, "space-9.1");
                offer.weighs(Weight::Minor).at([from]);
                offer.slot(target.clone()).slot(rounds.clone()).slot(ships).slot(others);
            }
        }
    }

    /// Space 7.1, 9.1: where ships go that may not stay.
    pub(super) fn offer_placings(&self, draft: &mut Draft<Order>, choices: &Choices) {
        let Some(places) = &choices.places else { return };
        draft.group("You must choose");
        let beside = place_slot(draft, "which hex", places.places.iter().copied());
        if places.destinations.is_empty() {
            let offer = draft.offer("place", "place {place}", "They go on to {place}", "space-7.1");
            offer.weighs(Weight::Main).slot(beside);
        } else {
            let to = star_slot(draft, "star", "bound for", &places.destinations);
            let label = "They go on to {place}, bound for {star}";
            let offer = draft.offer("place", "place {place} to {star}", label, "space-7.1");
            offer.weighs(Weight::Main).slot(beside).slot(to);
        }
    }

    /// Fate 4.4: ships for the Empire that are worth what is owed. Says whether every choice is offered.
    pub(super) fn offer_recalls(&self, draft: &mut Draft<Order>, choices: &Choices, owed: u32) -> bool {
        /// The most ways to make up the sum that are offered.
        const WAYS_MAX: usize = 200;
        let Some((ships, _)) = &choices.recall else { return true };
        draft.group("Ships for the Empire");
        self.offer_listed(draft, choices, |order| match order {
            Order::Recall { .. } => named("recall-weakest", "Ships for the Empire", Weight::Main),
            _ => None,
        });
        let of_kind = |kind| -> Vec<ShipNumber> {
            let same = |number: &ShipNumber| self.power.ship(*number).is_some_and(|ship| ship.kind() == kind);
            ships.iter().copied().filter(same).collect()
        };
        let kinds: Vec<Vec<ShipNumber>> = ShipKind::ALL.map(of_kind).into_iter().filter(|own| !own.is_empty()).collect();
        let value = |number| self.power.ship(number).map_or(0, |ship| crate::campaign::fate::tables::half_points(ship.kind()));
        let worth: Vec<(u32, u32)> = kinds.iter().map(|own| (value(own[0]), own.len() as u32)).collect();
        let mut ways = Vec::new();
        sums(&worth, self.recall_sum(owed), &mut Vec::new(), &mut ways, WAYS_MAX + 1);
        let complete = ways.len() <= WAYS_MAX;
        for counts in ways.iter().take(WAYS_MAX).filter(|counts| counts.iter().any(|count| *count > 0)) {
            const NAMES: [&str; 5] = ["one", "two", "three", "four", "five"];
            let taken = counts.iter().zip(&kinds).zip(NAMES).filter(|((count, _), _)| **count > 0);
            let slots: Vec<Slot> =
                taken.map(|((&count, own), name)| self.ships_slot(draft, name, own, count, count)).collect();
            let names: Vec<String> = slots.iter().map(|slot| format!("{{{}}}", slot.name)).collect();
            let (notation, label) = (format!("recall {}", names.join(",")), format!("{} go", names.join(" and ")));
            draft.offer("recall", notation, label, "fate-4.4").slots.extend(slots);
        }
        complete
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

/// In how many ways so many things of such worth, each kind at most so often, make up a sum.
fn sums(kinds: &[(u32, u32)], left: u32, counts: &mut Vec<u32>, ways: &mut Vec<Vec<u32>>, most: usize) {
    if ways.len() >= most {
        return;
    }
    let Some((&(value, own), rest)) = kinds.split_first() else {
        if left == 0 {
            ways.push(counts.clone());
        }
        return;
    };
    let room: u32 = rest.iter().map(|(value, own)| value * own).sum();
    for count in 0..=own.min(left.checked_div(value).unwrap_or(0)) {
        if left - count * value <= room {
            counts.push(count);
            sums(rest, left - count * value, counts, ways, most);
            counts.pop();
        }
    }
}

/// One or several of a list.
pub(super) fn several(draft: &mut Draft<Order>, values: Vec<ValueId>, least: u32) -> Picks {
    let (most, list) = (values.len() as u32, draft.list(values));
    Picks { list, least, most, separator: " ".into() }
}

/// Words of which several can be taken.
pub(super) fn words(name: &'static str, asked: &'static str, picks: Picks) -> Slot {
    Slot::new(name, asked, Kind::Words(picks))
}
