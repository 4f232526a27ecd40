//! Offers of battles.

use std::collections::BTreeMap;

use heliopause_kernel::offer::{Draft, Kind, Picks, Share, Shares, Slot, ValueId, Weight};

use super::movement::several;
use super::planets::shares_slot;
use super::{named, place_name, place_slot, place_value, signed, star_slot, write_planet};
use crate::attack_table::Arm;
use crate::battle::{Battle, BattleStage, Shot, Side, Unit, UnitId};
use crate::choices::{AlikeTargets, Choices, WithdrawChoices};
use crate::order::Order;
use crate::power::Eyes;

/// The heading of battles.
const BATTLE: &str = "Battle";

const fn arm_name(arm: Arm) -> &'static str {
    match arm {
        Arm::Ship(kind) => kind.name(),
        Arm::MissileBase => "missile base",
        Arm::AdvancedMissileBase => "advanced missile base",
        Arm::Shield => "shield",
    }
}

impl Eyes<'_> {
    /// 12.1: the hexes of the next battle.
    pub(super) fn offer_fights(&self, draft: &mut Draft<Order>, choices: &Choices) {
        let hexes = choices.listed.iter().filter_map(|listed| match listed.order {
            Order::Fight { at } => Some(at),
            _ => None,
        });
        let hexes: Vec<_> = hexes.collect();
        if !hexes.is_empty() {
            draft.group("Battles");
            let slot = place_slot(draft, "where", hexes);
            draft.offer("fight", "fight {place}", "Fight at {place} next", "12.1").weighs(Weight::Main).slot(slot);
        }
    }

    /// 12, 13: what the battle asks of this seat. Says whether every answer is offered.
    pub(super) fn offer_battle_orders(&self, draft: &mut Draft<Order>, choices: &Choices) -> bool {
        let Ok(battle) = self.asked_in_battle("12") else { return true };
        draft.group(format!("Battle at {}", place_name(battle.at)));
        match battle.stage {
            BattleStage::AttackerAims | BattleStage::DefendersAim { .. } => return self.offer_shots(draft, choices, battle),
            BattleStage::Beams { .. } => self.offer_seizures(draft, choices, battle),
            BattleStage::AttackerLeaves { .. } | BattleStage::DefenderLeaves { .. } => {
                self.offer_leaving(draft, choices, battle);
            }
            BattleStage::Refuge { .. } => {
                let refuges: Vec<_> = battle.at.neighbours().filter(|&at| self.judge_send_to(at).is_ok()).collect();
                let slot = place_slot(draft, "where to", refuges);
                let offer = draft.offer("send", "send {place}", "They withdraw to {place}", "12.8");
                offer.weighs(Weight::Main).slot(slot);
            }
            BattleStage::Scuttle { .. } => self.offer_demolition(draft, choices),
            BattleStage::GoesOn => {
                self.offer_listed(draft, choices, |order| match order {
                    Order::BreakOff => named("break-off", BATTLE, Weight::Usual),
                    _ => None,
                });
                self.offer_assaults(draft, choices);
            }
        }
        true
    }

    fn unit_name(battle: &Battle, id: UnitId) -> String {
        let (of, name) = battle.unit(id).map_or((0, "unit"), |unit| (unit.owner.number(), arm_name(unit.arm)));
        format!("{name} {} of player {of}", id.0)
    }

    /// 12.3: every gun at any target, or at none; where an article prescribes shots, those, and others alike.
    fn offer_shots(&self, draft: &mut Draft<Order>, choices: &Choices, battle: &Battle) -> bool {
        if let Some(prescribed) = &choices.prescribed {
            return self.offer_prescribed_shots(draft, battle, &prescribed.shots, &prescribed.alike);
        }
        let side = battle.side(self.seat);
        let targets: Vec<(UnitId, &Unit)> =
            battle.in_line(side.other()).filter(|(_, unit)| !battle.is_sheltered(unit)).collect();
        let guns = battle.in_line(side).filter(|(_, unit)| unit.owner == self.seat && self.fires(unit.arm));
        let guns: Vec<(UnitId, &Unit)> = guns.collect();
        self.offer_gunnery(draft, battle, &guns, &targets, ("Fire", "fires at", "12.3"));
        self.offer_aimed(draft, choices, "hold", "fire-by-standing-orders");
        true
    }

    /// Space 1.1: ships that tractor beams can seize.
    fn offer_seizures(&self, draft: &mut Draft<Order>, choices: &Choices, battle: &Battle) {
        let beams: Vec<(UnitId, &Unit)> = battle.beams().filter(|(_, unit)| unit.owner == self.seat).collect();
        let prey = battle.fighting(Side::Attacker).filter(|(_, unit)| unit.ship().is_some());
        let prey: Vec<(UnitId, &Unit)> = prey.collect();
        self.offer_gunnery(draft, battle, &beams, &prey, ("Seize", "seizes", "space-1.1"));
        self.offer_aimed(draft, choices, "seize-nobody", "seize-most-dangerous");
    }

    /// A slot for each gun.
    fn offer_gunnery(
        &self,
        draft: &mut Draft<Order>,
        battle: &Battle,
        guns: &[(UnitId, &Unit)],
        targets: &[(UnitId, &Unit)],
        (verb, does, rule): (&'static str, &'static str, &'static str),
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
                    draft.value(at.0.to_string(), format!("{} ({odds} of 36)", Self::unit_name(battle, at)))
                };
                targets.iter().map(target).collect()
            });
            let (name, arm) = (format!("gun{}", by.0), arm_name(gun.arm));
            notation.push_str(&format!("{{{name}}}"));
            label.push_str(&format!("{{{name}}}"));
            let list = draft.list(values.iter().copied());
            let slot = Slot::new(name, format!("at whom {arm} {} {}", by.0, verb.to_lowercase()), Kind::Pieces(Picks::one(list)));
            slots.push(slot.within(format!(" {}>{{}}", by.0), format!(" {arm} {} {does} {{}};", by.0)).optional());
        }
        draft.offer("aim", notation, label, rule).weighs(Weight::Main).slots.extend(slots);
    }

    /// Shots that are chosen already, and none.
    fn offer_aimed(&self, draft: &mut Draft<Order>, choices: &Choices, none: &'static str, by_policy: &'static str) {
        self.offer_listed(draft, choices, |order| match order {
            Order::Aim { shots } if shots.is_empty() => named(none, BATTLE, Weight::Minor),
            Order::Aim { .. } => named(by_policy, BATTLE, Weight::Usual),
            _ => None,
        });
    }

    /// Fate 7.2, 8.3: the prescribed shots, where each gun that has alike targets of its own may take any of them; and the same
    /// shots with the targets of all guns exchanged in turn. Says whether there are no others.
    fn offer_prescribed_shots(
        &self,
        draft: &mut Draft<Order>,
        battle: &Battle,
        shots: &[Shot],
        alike: &[AlikeTargets],
    ) -> bool {
        let order = Order::Aim { shots: shots.to_vec() };
        if self.judge(&order).is_err() {
            return true;
        }
        let (mut notation, mut label) = ("aim".to_owned(), "Fire as the article says:".to_owned());
        let mut slots = Vec::new();
        for shot in shots {
            let group = alike.iter().find(|group| group.guns == [shot.by]);
            let name = Self::unit_name(battle, shot.by);
            if let Some(group) = group {
                let values = group.ships.iter().map(|&at| draft.value(at.0.to_string(), Self::unit_name(battle, at)));
                let list: Vec<ValueId> = values.collect();
                let list = draft.list(list);
                let slot = format!("gun{}", shot.by.0);
                notation.push_str(&format!(" {}>{{{slot}}}", shot.by.0));
                label.push_str(&format!(" {name} at {{{slot}}};"));
                slots.push(Slot::new(slot, format!("at whom {name} fires"), Kind::Pieces(Picks::one(list))));
            } else {
                notation.push_str(&format!(" {}>{}", shot.by.0, shot.at.0));
                label.push_str(&format!(" {name} at {};", Self::unit_name(battle, shot.at)));
            }
        }
        if shots.is_empty() {
            notation = "hold".to_owned();
            "Nobody fires, as the article says".clone_into(&mut label);
        }
        let offer = draft.offer("aim-as-prescribed", notation, label, "fate-12");
        offer.weighs(Weight::Main);
        if slots.is_empty() {
            offer.is(order);
        } else {
            offer.slots = slots;
        }
        let shared: Vec<&AlikeTargets> = alike.iter().filter(|group| group.guns.len() > 1).collect();
        for group in &shared {
            for by in 1..group.ships.len() {
                let exchanged = |shot: &Shot| {
                    let place = group.ships.iter().position(|&ship| ship == shot.at);
                    let at = place.filter(|_| group.guns.contains(&shot.by));
                    Shot { at: at.map_or(shot.at, |at| group.ships[(at + by) % group.ships.len()]), ..*shot }
                };
                let order = Order::Aim { shots: shots.iter().map(exchanged).collect() };
                if self.judge(&order).is_ok() {
                    let label = format!("The same, at those that come {by} later among alike targets");
                    let offer = draft.offer("aim-at-others", crate::notation::notate(&order), label, "fate-12");
                    offer.weighs(Weight::Minor).is(order);
                }
            }
        }
        shared.is_empty()
    }

    /// 12.7, 12.8: who leaves, and for which star.
    fn offer_leaving(&self, draft: &mut Draft<Order>, choices: &Choices, battle: &Battle) {
        self.offer_listed(draft, choices, |order| match order {
            Order::Withdraw { groups } if groups.is_empty() => named("stay", BATTLE, Weight::Main),
            _ => None,
        });
        let Some(WithdrawChoices { units, forced, destinations }) = &choices.withdraw else { return };
        if units.is_empty() {
            return;
        }
        draft.group(BATTLE);
        let values: Vec<ValueId> =
            units.iter().map(|&id| draft.value(id.0.to_string(), Self::unit_name(battle, id))).collect();
        let least = if *forced { units.len() as u32 } else { 1 };
        let who = Slot::new("units", "which ships", Kind::Pieces(several(draft, values.clone(), least)));
        if destinations.is_empty() {
            let offer = draft.offer("withdraw", "withdraw {units}", "{units} withdraw", "12.7");
            offer.weighs(Weight::Usual).slot(who);
            return;
        }
        let to = star_slot(draft, "star", "bound for", destinations);
        let label = "{units} withdraw, bound for {star}";
        draft.offer("withdraw", "withdraw {units} to {star}", label, "12.8").weighs(Weight::Usual).slot(who).slot(to);
        if units.len() < 2 {
            return;
        }
        let stays = (!forced).then(|| draft.value("stay", "stays"));
        let leave = destinations.iter().map(|star| draft.value(format!("to {star}"), format!("leaves, bound for {star}")));
        let leave: Vec<ValueId> = leave.collect();
        let fates = draft.list(stays.into_iter().chain(leave));
        let slots: Vec<Slot> = units
            .iter()
            .map(|&id| {
                let asked = format!("what {} does", Self::unit_name(battle, id));
                Slot::new(format!("unit{}", id.0), asked, Kind::Words(Picks::one(fates)))
            })
            .collect();
        let each = |separator: &str, write: &dyn Fn(&Slot, &UnitId) -> String| {
            slots.iter().zip(units).map(|(slot, id)| write(slot, id)).collect::<Vec<_>>().join(separator)
        };
        let notation = format!("withdraw {}", each("; ", &|slot, id| format!("{} {{{}}}", id.0, slot.name)));
        let label = each("; ", &|slot, id| format!("{} {{{}}}", Self::unit_name(battle, *id), slot.name));
        draft.offer("withdraw-apart", notation, label, "12.8").weighs(Weight::Minor).slots.extend(slots);
    }

    /// 13.5: factories that can be destroyed.
    fn offer_demolition(&self, draft: &mut Draft<Order>, choices: &Choices) {
        self.offer_listed(draft, choices, |order| match order {
            Order::Scuttle { factories } if factories.is_empty() => named("scuttle-none", BATTLE, Weight::Main),
            _ => None,
        });
        if choices.scuttle.is_empty() {
            return;
        }
        let share = |&(planet, most)| Share {
            text: format!("{} {{}}", write_planet(planet)).into(),
            label: format!("factories on planet {} of {}", planet.nth + 1, planet.star).into(),
            least: 0,
            most: signed(most),
            cost: 1,
        };
        let shares: Vec<Share> = choices.scuttle.iter().map(share).collect();
        let most = shares.iter().map(|share| share.most).sum();
        let stars: Vec<ValueId> =
            choices.scuttle.first().map(|(planet, _)| place_value(draft, planet.star.at())).into_iter().collect();
        let shares = Shares { shares, least: 1, most, separator: " ".into(), zeros: false };
        draft.group(BATTLE);
        let slot = shares_slot("factories", "how many where", shares);
        let offer = draft.offer("scuttle", "scuttle {factories}", "Destroy factories: {factories}", "13.5");
        offer.weighs(Weight::Grave).at(stars).slot(slot);
    }
}
