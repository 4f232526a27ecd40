//! Offers of the variants: raids, ships that may not stay, and ships for the Empire.

use heliopause_kernel::offer::{Draft, Slot, ValueId};

use crate::client::choices::kinds::Choices;
use crate::client::offers::slots::{
    heading, offer, offer_listed, place_slot, star_slot, star_value,
};
use crate::rules::campaign::outer_space::RAIDERS_MAX;
use crate::state::{Order, RaidOrder, SeatView, Ship, ShipNumber};
use crate::tables::{ShipKind, StarId};

impl SeatView<'_> {
    pub(super) fn offer_sorties(&self, draft: &mut Draft<Order>, choices: &Choices) {
        for raid in &choices.raids {
            let able = |ship: &&Ship| {
                ship.kind() != ShipKind::DeathStar && ship.load().is_none() && !ship.has_moved()
            };
            let able = self.power.ships_at(raid.from.at()).filter(able);
            let (armed, unarmed): (Vec<&Ship>, Vec<&Ship>) =
                able.partition(|ship| self.table.options.is_warship(ship.kind()));
            // A hex that a range-bound ship can reach is open to all the others.
            let bound = armed.iter().find(|ship| ship.kind().is_range_bound());
            let Some(judged) = bound.or(armed.first()) else { continue };
            let reached = |&target: &StarId| {
                let sortie =
                    RaidOrder { ships: vec![judged.number], target, rounds: 1, path: Vec::new() };
                self.judge_raid(&sortie).is_ok()
            };
            let targets: Vec<StarId> = raid.targets.iter().copied().filter(reached).collect();
            if targets.is_empty() {
                continue;
            }
            let numbers = |ships: &[&Ship]| -> Vec<ShipNumber> {
                ships.iter().map(|ship| ship.number).collect()
            };
            let (armed, unarmed) = (numbers(&armed), numbers(&unarmed));
            draft.group(heading(Some(raid.from.at())));
            let from = star_value(draft, raid.from);
            let target = star_slot(draft, "star", "which star", &targets);
            let rounds: Vec<ValueId> = [("1", "one round"), ("2", "two rounds")]
                .map(|(text, label)| draft.value(text, label))
                .into();
            let rounds = draft.word("rounds", "how long", rounds);
            let max = RAIDERS_MAX as u32;
            let alone = self.ships_slot(draft, "ships", &armed, 1, max.min(armed.len() as u32));
            let offer = offer!(draft, "raid").at([from]);
            offer.slot(target.clone()).slot(rounds.clone()).slot(alone);
            for lead in 1..max.min(armed.len() as u32 + 1) {
                if unarmed.is_empty() {
                    break;
                }
                let ships = self.ships_slot(draft, "ships", &armed, lead, lead);
                let others = self.ships_slot(
                    draft,
                    "others",
                    &unarmed,
                    1,
                    (max - lead).min(unarmed.len() as u32),
                );
                let offer = offer!(draft, "raid/others").at([from]);
                offer.slot(target.clone()).slot(rounds.clone()).slot(ships).slot(others);
            }
        }
    }

    pub(super) fn offer_placements(draft: &mut Draft<Order>, choices: &Choices) {
        let Some(places) = &choices.places else { return };
        draft.group("You must choose");
        let beside = place_slot(draft, "which hex", places.places.iter().copied());
        if places.destinations.is_empty() {
            offer!(draft, "place/anywhere").slot(beside);
        } else {
            let to = star_slot(draft, "star", "bound for", &places.destinations);
            offer!(draft, "place").slot(beside).slot(to);
        }
    }

    pub(super) fn offer_recalls(
        &self,
        draft: &mut Draft<Order>,
        choices: &Choices,
        owed: u32,
    ) -> bool {
        const WAYS_MAX: usize = 200;
        let Some((ships, _)) = &choices.recall else { return true };
        draft.group("Ships for the Empire");
        offer_listed(draft, choices);
        let of_kind = |kind| -> Vec<ShipNumber> {
            let same = |number: &ShipNumber| {
                self.power.ship(*number).is_some_and(|ship| ship.kind() == kind)
            };
            ships.iter().copied().filter(same).collect()
        };
        let kinds: Vec<Vec<ShipNumber>> =
            ShipKind::ALL.map(of_kind).into_iter().filter(|own| !own.is_empty()).collect();
        let value = |number| {
            self.power.ship(number).map_or(0, |ship| crate::tables::fate::half_points(ship.kind()))
        };
        let worth: Vec<(u32, u32)> =
            kinds.iter().map(|own| (value(own[0]), own.len() as u32)).collect();
        let mut ways = Vec::new();
        sums(&worth, self.recall_sum(owed), &mut Vec::new(), &mut ways, WAYS_MAX + 1);
        let complete = ways.len() <= WAYS_MAX;
        for counts in
            ways.iter().take(WAYS_MAX).filter(|counts| counts.iter().any(|count| *count > 0))
        {
            const NAMES: [&str; 5] = ["one", "two", "three", "four", "five"];
            let taken = counts.iter().zip(&kinds).zip(NAMES).filter(|((count, _), _)| **count > 0);
            let slots: Vec<Slot> = taken
                .map(|((&count, own), name)| self.ships_slot(draft, name, own, count, count))
                .collect();
            let names: Vec<String> =
                slots.iter().map(|slot| format!("{{{}}}", slot.name)).collect();
            let (notation, label) = (
                format!("recall {}", names.join(",")),
                format!("Send back {}", names.join(" and ")),
            );
            draft.offer("recall", notation, label, "fate-4.4").slots.extend(slots);
        }
        complete
    }
}

/// Collects the combinations that make up a sum, given the value and maximum count of each kind.
fn sums(
    kinds: &[(u32, u32)],
    left: u32,
    counts: &mut Vec<u32>,
    ways: &mut Vec<Vec<u32>>,
    most: usize,
) {
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
