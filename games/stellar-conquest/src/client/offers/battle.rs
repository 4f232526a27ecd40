//! Offers of battle orders: hexes, shots, withdrawals, factories and further rounds.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use heliopause_kernel::offer::{Draft, Kind, ListId, Picks, Share, Shares, Slot, ValueId, Weight};

use crate::client::choices::kinds::{Choices, PrescribedChoices, WithdrawChoices};
use crate::client::notation::notate;
use crate::client::notation::words::write_planet;
use crate::client::offers::slots::{
    offer, offer_listed, place_name, place_slot, place_value, several, shares_slot, signed,
    star_slot,
};
use crate::rules::campaign::fate::pirates::InterchangeableTargets;
use crate::state::{Battle, BattleStage, Factories, Order, SeatView, Shot, Side, Unit, UnitId};
use crate::tables::Arm;

const BATTLE_HEADING: &str = "Battle";

/// Returns a slot that assigns one listed ship to each gun, and the unit numbers of the guns.
fn one_each(guns: &[UnitId], list: ListId) -> (Slot, String) {
    let names: Vec<String> = guns.iter().map(|by| by.0.to_string()).collect();
    let names = names.join(",");
    let many = guns.len() as u32;
    let picks = Picks { list, least: many, most: many, separator: ",".into() };
    let about = format!("targets of {names}, one each");
    (Slot::new(format!("guns{}", guns[0].0), about, Kind::Pieces(picks)), names)
}

fn is_in(group: &InterchangeableTargets, shot: Shot) -> bool {
    group.guns.contains(&shot.by)
}

impl SeatView<'_> {
    pub(super) fn offer_fights(draft: &mut Draft<Order>, choices: &Choices) {
        let hexes = choices.listed.iter().filter_map(|listed| {
            if let Order::Fight { at } = listed.order { Some(at) } else { None }
        });
        let hexes: Vec<_> = hexes.collect();
        if !hexes.is_empty() {
            draft.group("Battles");
            let slot = place_slot(draft, "where", hexes);
            offer!(draft, "fight").slot(slot);
        }
    }

    pub(super) fn offer_battle_orders(&self, draft: &mut Draft<Order>, choices: &Choices) -> bool {
        let Ok(battle) = self.asked_in_battle("12") else { return true };
        draft.group(format!("Battle at {}", place_name(battle.at)));
        match battle.stage {
            BattleStage::AttackerAims | BattleStage::DefendersAim { .. } => {
                return self.offer_shots(draft, choices, battle);
            }
            BattleStage::Beams { .. } => self.offer_seizures(draft, choices, battle),
            BattleStage::AttackerLeaves { .. } | BattleStage::DefenderLeaves { .. } => {
                Self::offer_withdrawals(draft, choices, battle);
            }
            BattleStage::Refuge { .. } => {
                let refuges: Vec<_> =
                    battle.at.neighbors().filter(|&at| self.judge_send_to(at).is_ok()).collect();
                let slot = place_slot(draft, "where to", refuges);
                offer!(draft, "send").slot(slot);
            }
            BattleStage::Scuttle { .. } => Self::offer_demolition(draft, choices),
            BattleStage::GoesOn => {
                offer_listed(draft, choices);
                Self::offer_assaults(draft, choices);
            }
        }
        true
    }

    fn unit_name(battle: &Battle, id: UnitId) -> String {
        let Some(unit) = battle.unit(id) else { return id.0.to_string() };
        let sides = battle.participants().len();
        let of =
            if sides > 2 { format!(" of player {}", unit.owner.number()) } else { String::new() };
        format!("{}{}{of}", unit.arm.letters(), id.0)
    }

    fn offer_shots(&self, draft: &mut Draft<Order>, choices: &Choices, battle: &Battle) -> bool {
        if let Some(prescribed) = &choices.prescribed {
            return self.offer_prescribed_shots(draft, battle, prescribed);
        }
        let side = battle.side(self.seat);
        let targets: Vec<(UnitId, &Unit)> =
            battle.in_line(side.other()).filter(|(_, unit)| !battle.is_sheltered(unit)).collect();
        let guns = battle
            .in_line(side)
            .filter(|(_, unit)| unit.owner == self.seat && self.fires(unit.arm));
        let guns: Vec<(UnitId, &Unit)> = guns.collect();
        self.offer_gunnery(draft, battle, &guns, &targets, ("Fire", "12.3"));
        offer_listed(draft, choices);
        true
    }

    fn offer_seizures(&self, draft: &mut Draft<Order>, choices: &Choices, battle: &Battle) {
        let beams: Vec<(UnitId, &Unit)> =
            battle.beams().filter(|(_, unit)| unit.owner == self.seat).collect();
        let prey = battle.fighting(Side::Attacker).filter(|(_, unit)| unit.ship().is_some());
        let prey: Vec<(UnitId, &Unit)> = prey.collect();
        self.offer_gunnery(draft, battle, &beams, &prey, ("Seize", "space-1.1"));
        offer_listed(draft, choices);
    }

    fn offer_gunnery(
        &self,
        draft: &mut Draft<Order>,
        battle: &Battle,
        guns: &[(UnitId, &Unit)],
        targets: &[(UnitId, &Unit)],
        (verb, rule): (&'static str, &'static str),
    ) {
        if guns.is_empty() || targets.is_empty() {
            return;
        }
        let mut lists: BTreeMap<Arm, Vec<ValueId>> = BTreeMap::new();
        let (mut notation, mut label) = ("aim".to_owned(), format!("{verb}:"));
        let mut slots = Vec::with_capacity(guns.len());
        for &(by, gun) in guns {
            let values = lists.entry(gun.arm).or_insert_with(|| {
                let target = |&(at, target): &(UnitId, &Unit)| {
                    let odds = self.table.options.odds(gun.arm, target.arm).of_36();
                    draft.value(
                        at.0.to_string(),
                        format!("{} ({odds}/36)", Self::unit_name(battle, at)),
                    )
                };
                targets.iter().map(target).collect()
            });
            let (name, arm) = (by.0.to_string(), gun.arm.letters());
            let _ = write!(notation, "{{{name}}}");
            let _ = write!(label, "{{{name}}}");
            let list = draft.list(values.iter().copied());
            let slot = Slot::new(name, format!("{arm}{}", by.0), Kind::Pieces(Picks::one(list)));
            slots.push(
                slot.within(format!(" {}>{{}}", by.0), format!(" {arm}{} at {{}};", by.0))
                    .optional(),
            );
        }
        draft
            .offer("aim", notation, label, rule)
            .titled("Fire")
            .weighs(Weight::Main)
            .slots
            .extend(slots);
    }

    /// Offers the prescribed shots (fate 7.2, 8.3). Identical targets get equal numbers of shots,
    /// and the player chooses which targets get an additional one. The player does not choose
    /// between identical guns.
    fn offer_prescribed_shots(
        &self,
        draft: &mut Draft<Order>,
        battle: &Battle,
        prescribed: &PrescribedChoices,
    ) -> bool {
        let PrescribedChoices { shots, alike } = prescribed;
        let order = Order::Aim { shots: shots.clone() };
        if self.judge(&order).is_err() {
            return true;
        }
        let (mut notation, mut label) = ("aim".to_owned(), "Fire as prescribed:".to_owned());
        let (mut slots, mut complete) = (Vec::new(), true);
        let mut tell = |by: UnitId, at: UnitId| {
            let _ = write!(notation, " {}>{}", by.0, at.0);
            let _ = write!(
                label,
                " {} at {};",
                Self::unit_name(battle, by),
                Self::unit_name(battle, at)
            );
        };
        let free = |shot: &&Shot| !alike.iter().any(|group| group.guns.contains(&shot.by));
        shots.iter().filter(free).for_each(|shot| tell(shot.by, shot.at));
        let mut chosen = Vec::new();
        for group in alike {
            let (each, more) =
                (group.guns.len() / group.ships.len(), group.guns.len() % group.ships.len());
            let counts = group
                .ships
                .iter()
                .map(|ship| shots.iter().filter(|shot| is_in(group, **shot) && shot.at == *ship));
            complete &= counts
                .map(Iterator::count)
                .all(|count| count == each || (more > 0 && count == each + 1));
            let (rest, fixed) = group.guns.split_at(more);
            let targets = group.ships.iter().cycle();
            fixed.iter().zip(targets).for_each(|(&by, &at)| tell(by, at));
            if more > 0 {
                chosen.push((group, rest));
            }
        }
        for (group, guns) in chosen {
            let values = group
                .ships
                .iter()
                .map(|&at| draft.value(at.0.to_string(), Self::unit_name(battle, at)));
            let values: Vec<ValueId> = values.collect();
            let (slot, names) = one_each(guns, draft.list(values));
            let _ = write!(notation, " {names}>{{{}}}", slot.name);
            let _ = write!(label, " {names} at {{{}}};", slot.name);
            slots.push(slot);
        }
        if slots.is_empty() {
            notation = notate(&order);
            let says =
                if shots.is_empty() { "Hold fire as prescribed" } else { "Fire as prescribed" };
            says.clone_into(&mut label);
        }
        let offer = draft
            .offer("aim-as-prescribed", notation, label, "fate-12")
            .titled("Fire as prescribed");
        offer.weighs(Weight::Main);
        if slots.is_empty() {
            offer.is(order);
        } else {
            offer.slots = slots;
        }
        complete
    }

    fn offer_withdrawals(draft: &mut Draft<Order>, choices: &Choices, battle: &Battle) {
        offer_listed(draft, choices);
        let Some(WithdrawChoices { units, forced, destinations }) = &choices.withdraw else {
            return;
        };
        if units.is_empty() {
            return;
        }
        draft.group(BATTLE_HEADING);
        let values: Vec<ValueId> = units
            .iter()
            .map(|&id| draft.value(id.0.to_string(), Self::unit_name(battle, id)))
            .collect();
        let least = if *forced { units.len() as u32 } else { 1 };
        let who =
            Slot::new("units", "which ships", Kind::Pieces(several(draft, values.clone(), least)));
        if destinations.is_empty() {
            offer!(draft, "withdraw/anywhere").slot(who);
            return;
        }
        let to = star_slot(draft, "star", "bound for", destinations);
        offer!(draft, "withdraw").slot(who).slot(to);
        if units.len() < 2 {
            return;
        }
        let stays = (!forced).then(|| draft.value("stay", "stays"));
        let leave = destinations
            .iter()
            .map(|star| draft.value(format!("to {star}"), format!("leaves, bound for {star}")));
        let leave: Vec<ValueId> = leave.collect();
        let fates = draft.list(stays.into_iter().chain(leave));
        let slots: Vec<Slot> = units
            .iter()
            .map(|&id| {
                let of = battle.unit(id).map_or("", |unit| unit.arm.letters());
                Slot::new(id.0.to_string(), format!("{of}{}", id.0), Kind::Words(Picks::one(fates)))
            })
            .collect();
        let each = |separator: &str, write: &dyn Fn(&Slot, &UnitId) -> String| {
            slots
                .iter()
                .zip(units)
                .map(|(slot, id)| write(slot, id))
                .collect::<Vec<_>>()
                .join(separator)
        };
        let notation =
            format!("withdraw {}", each("; ", &|slot, id| format!("{} {{{}}}", id.0, slot.name)));
        let label = each("; ", &|slot, _| format!("{} {{{}}}", slot.label, slot.name));
        draft
            .offer("withdraw-apart", notation, label, "12.8")
            .titled("Withdraw separately")
            .weighs(Weight::Minor)
            .slots
            .extend(slots);
    }

    fn offer_demolition(draft: &mut Draft<Order>, choices: &Choices) {
        offer_listed(draft, choices);
        if choices.scuttle.is_empty() {
            return;
        }
        let share = |&Factories { planet, count: most }: &Factories| Share {
            text: format!("{} {{}}", write_planet(planet)).into(),
            label: format!("factories on {planet}").into(),
            phrase: format!("{{}} factories on {planet}").into(),
            singular: format!("1 factory on {planet}").into(),
            most: signed(most),
            cost: 1,
            ..Share::default()
        };
        let shares: Vec<Share> = choices.scuttle.iter().map(share).collect();
        let most = shares.iter().map(|share| share.most).sum();
        let stars: Vec<ValueId> = choices
            .scuttle
            .first()
            .map(|scuttled| place_value(draft, scuttled.planet.star.at()))
            .into_iter()
            .collect();
        let shares = Shares { shares, least: 1, most, separator: " ".into(), zeros: false };
        draft.group(BATTLE_HEADING);
        let slot = shares_slot("factories", "how many on each planet", shares);
        offer!(draft, "scuttle").at(stars).slot(slot);
    }
}
