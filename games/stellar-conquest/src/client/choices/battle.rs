//! Choices in a battle: the next hex, targets, withdrawals, factories and further rounds.

use std::collections::BTreeMap;

use crate::client::choices::kinds::{Choices, PrescribedChoices, WithdrawChoices};
use crate::rules::campaign::fate::pirates::alike;
use crate::state::{
    Battle, BattleStage, Factories, Order, SeatView, Shot, Side, Stage, Unit, UnitId,
};
use crate::tables::{Arm, PlanetId, StarId};

impl SeatView<'_> {
    pub(super) fn offer_battles(&self, choices: &mut Choices) {
        if self.may_act(Stage::Combat, "12.1").is_err() {
            return;
        }
        for at in self.battle_hexes() {
            self.list(choices, Order::Fight { at }, "fight", &[("place", &at.name())]);
        }
    }

    pub(super) fn offer_battle(&self, choices: &mut Choices) {
        let Ok(battle) = self.asked_in_battle("12") else { return };
        match battle.stage {
            BattleStage::AttackerAims | BattleStage::DefendersAim { .. } => {
                self.offer_aims(choices, battle);
            }
            BattleStage::AttackerLeaves { forced } => {
                self.offer_withdrawal(choices, battle, forced);
            }
            BattleStage::DefenderLeaves { .. } => self.offer_withdrawal(choices, battle, false),
            BattleStage::Beams { .. } => self.offer_beams(choices, battle),
            BattleStage::Refuge { .. } => self.offer_refuges(choices, battle),
            BattleStage::Scuttle { .. } => self.offer_scuttling(choices, battle),
            BattleStage::GoesOn => self.offer_rounds(choices, battle),
        }
    }

    fn offer_aims(&self, choices: &mut Choices, battle: &Battle) {
        if let Some(shots) = self.prescribed_shots(battle) {
            let alike = alike(battle, &shots);
            let order = Order::Aim { shots: shots.clone() };
            self.list(choices, order, "aim-as-prescribed", &[]);
            choices.prescribed = Some(PrescribedChoices { shots, alike });
            return;
        }
        let side = battle.side(self.seat);
        let targets: Vec<(UnitId, &Unit)> = battle.fighting(side.other()).collect();
        let mut verdicts = BTreeMap::new();
        for (by, gun) in battle.fighting(side).filter(|(_, unit)| unit.owner == self.seat) {
            let mut aims = Vec::new();
            for &(at, target) in &targets {
                let odds = self.table.options.odds(gun.arm, target.arm).of_36();
                let key = (gun.arm, gun.planet, target.arm, target.planet, target.owner);
                let judged = || self.judge_aim(&[Shot { by, at }]).is_ok();
                if odds > 0 && *verdicts.entry(key).or_insert_with(judged) {
                    aims.push((at, odds));
                }
            }
            if !aims.is_empty() {
                choices.aims.push((by, aims));
            }
        }
        let shots = self.shots_by_policy();
        if !shots.is_empty() {
            self.list(choices, Order::Aim { shots }, "fire-by-standing-orders", &[]);
        }
        self.list(choices, Order::Aim { shots: Vec::new() }, "hold", &[]);
    }

    fn offer_beams(&self, choices: &mut Choices, battle: &Battle) {
        for (by, _) in battle.beams().filter(|(_, unit)| unit.owner == self.seat) {
            let prey = battle
                .fighting(Side::Attacker)
                .filter(|&(at, _)| self.judge_aim(&[Shot { by, at }]).is_ok());
            let aims: Vec<(UnitId, u8)> = prey
                .map(|(at, unit)| (at, self.table.options.odds(Arm::Shield, unit.arm).of_36()))
                .collect();
            if !aims.is_empty() {
                choices.aims.push((by, aims));
            }
        }
        let shots = self.beams_by_policy(battle);
        self.list(choices, Order::Aim { shots }, "seize-most-dangerous", &[]);
        self.list(choices, Order::Aim { shots: Vec::new() }, "seize-nobody", &[]);
    }

    fn offer_withdrawal(&self, choices: &mut Choices, battle: &Battle, forced: bool) {
        let own =
            battle.fighting(battle.side(self.seat)).filter(|(_, unit)| unit.owner == self.seat);
        let units: Vec<UnitId> = own.map(|(id, _)| id).collect();
        let leave = |destination| Order::withdraw(units.clone(), destination);
        self.list(choices, Order::Withdraw { groups: Vec::new() }, "stay", &[]);
        self.list(choices, leave(None), "withdraw-all", &[]);
        let needless = self.judge(&leave(None)).is_ok();
        let mut destinations = Vec::new();
        if !needless {
            destinations = StarId::ALL
                .into_iter()
                .filter(|&star| self.judge(&leave(Some(star))).is_ok())
                .collect();
        }
        if needless || !destinations.is_empty() {
            choices.withdraw = Some(WithdrawChoices { units, forced, destinations });
        }
    }

    fn offer_refuges(&self, choices: &mut Choices, battle: &Battle) {
        for at in battle.at.neighbors() {
            self.list(choices, Order::SendTo { at }, "send", &[("at", &at)]);
        }
    }

    fn offer_scuttling(&self, choices: &mut Choices, battle: &Battle) {
        for planet in battle.attacked() {
            let Some(colony) = self.power.colony(planet).filter(|colony| colony.factories > 0)
            else {
                continue;
            };
            let factories = Factories { planet, count: colony.factories };
            if self.judge_scuttle(&[factories]).is_ok() {
                choices.scuttle.push(factories);
            }
        }
        self.list(choices, Order::Scuttle { factories: Vec::new() }, "scuttle-none", &[]);
        if !choices.scuttle.is_empty() {
            let factories = choices.scuttle.clone();
            self.list(choices, Order::Scuttle { factories }, "scuttle-all", &[]);
        }
    }

    fn offer_rounds(&self, choices: &mut Choices, battle: &Battle) {
        self.list(choices, Order::BreakOff, "break-off", &[]);
        if let Some(star) = StarId::in_hex(battle.at) {
            self.offer_attacks(choices, star);
        }
        let planets = battle.attacked();
        if planets.len() > 1 {
            self.list(choices, Order::Attack { planets }, "attack-again", &[]);
        }
    }

    pub(super) fn offer_attacks(&self, choices: &mut Choices, star: StarId) {
        let Some(card) = self.power.chart(star).card else { return };
        for nth in 0..card.planets().len() {
            let planet = PlanetId { star, nth: nth as u8 };
            if self.judge_attack(&[planet]).is_ok() {
                choices.attacks.push(planet);
                let order = Order::Attack { planets: vec![planet] };
                self.list(choices, order, "attack", &[("planet", &planet)]);
            }
        }
    }
}
