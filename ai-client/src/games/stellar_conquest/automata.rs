//! The two seats of The Fate of Empire that only automation plays. The article prescribes nearly
//! everything.

use std::collections::BTreeMap;

use heliopause_stellar_conquest::{
    Arm, BattleStage, InterchangeableTargets, Order, PrescribedChoices, Shot, StellarConquest,
    UnitId, View,
};

use super::survey::Survey;
use super::{battle, random, turn};
use crate::bot::{Answer, Bot, Level, Question};
use crate::chance::Rng;

pub(super) struct Automaton;

impl Bot<StellarConquest> for Automaton {
    fn decide(&self, question: &Question<'_, StellarConquest>) -> Answer<StellarConquest> {
        let view = question.view;
        let mut chance = Rng::new(question.seed, "automaton");
        let order = match question.level {
            Level::Random => {
                shuffled_targets(view, &mut chance).or_else(|| random::order(view, &mut chance))
            }
            Level::Standard => prescribed(view).map(|choices| Order::Aim { shots: choices.shots }),
            Level::Strong => spread_shots(view),
        };
        turn::answer(view, order.or_else(|| send_withdrawing(view)).into_iter().collect())
    }
}

fn prescribed(view: &View) -> Option<PrescribedChoices> {
    StellarConquest::choices_of(view).prescribed
}

fn shuffled_targets(view: &View, chance: &mut Rng) -> Option<Order> {
    let PrescribedChoices { shots, alike } = prescribed(view)?;
    let mut orders = vec![shots.clone()];
    for InterchangeableTargets { ships, guns } in &alike {
        let mut other = ships.clone();
        chance.shuffle(&mut other);
        let exchange = |shot: &Shot| match ships.iter().position(|target| *target == shot.at) {
            Some(place) if guns.contains(&shot.by) => Shot { at: other[place], ..*shot },
            _ => *shot,
        };
        let last = orders.last().cloned().unwrap_or_default();
        orders.push(last.iter().map(exchange).collect());
    }
    let legal = |order: &Order| StellarConquest::judge_view(view, order).is_ok();
    orders.into_iter().rev().map(|shots| Order::Aim { shots }).find(legal)
}

/// Returns the prescribed shots, spread over equivalent targets, because two hits on one target
/// destroy only one unit.
fn spread_shots(view: &View) -> Option<Order> {
    let PrescribedChoices { shots, .. } = prescribed(view)?;
    let battle = view.table.battle.as_deref()?;
    let arm = |id: UnitId| battle.unit(id).map(|unit| unit.arm);
    // The article prescribes the shares of shots, but not which target gets which share.
    let mut shares: BTreeMap<(Arm, Arm), BTreeMap<UnitId, u32>> = BTreeMap::new();
    for shot in &shots {
        if let (Some(gun), Some(target)) = (arm(shot.by), arm(shot.at)) {
            *shares.entry((gun, target)).or_default().entry(shot.at).or_default() += 1;
        }
    }
    let mut aimed: BTreeMap<UnitId, u32> = BTreeMap::new();
    let mut spread_shots = Vec::new();
    for ((gun, target), counts) in shares.into_iter().rev() {
        let mut counts: Vec<u32> = counts.into_values().collect();
        counts.sort_unstable_by_key(|&count| std::cmp::Reverse(count));
        let alike = battle.all().filter(|(_, unit)| unit.is_fighting() && unit.arm == target);
        let own = |id: &UnitId| battle.unit(*id).is_some_and(|unit| unit.owner == battle.attacker);
        let mut targets: Vec<UnitId> = alike.map(|(id, _)| id).filter(own).collect();
        targets.sort_by_key(|id| (aimed.get(id).copied().unwrap_or(0), *id));
        let guns =
            shots.iter().filter(|shot| arm(shot.by) == Some(gun) && arm(shot.at) == Some(target));
        let aims = targets
            .iter()
            .zip(counts)
            .flat_map(|(&at, count)| std::iter::repeat_n(at, count as usize));
        for (shot, at) in guns.zip(aims) {
            *aimed.entry(at).or_default() += 1;
            spread_shots.push(Shot { by: shot.by, at });
        }
    }
    let order = Order::Aim { shots: spread_shots };
    let legal = StellarConquest::judge_view(view, &order).is_ok();
    Some(if legal { order } else { Order::Aim { shots } })
}

fn send_withdrawing(view: &View) -> Option<Order> {
    let survey = Survey::new(view)?;
    let battle = view.table.battle.as_deref()?;
    matches!(battle.stage, BattleStage::Refuge { .. })
        .then(|| Order::SendTo { at: battle::withdrawal_hex(&survey, battle) })
}
