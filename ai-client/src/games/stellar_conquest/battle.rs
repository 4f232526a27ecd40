//! Decisions in battles: shots, withdrawals and their destinations.

use heliopause_stellar_conquest::{
    Arm, Bases, Battle, BattleStage, Colony, Factories, Fleet, Order, Place, PlanetId, Shot, Side,
    StarId, StellarConquest, Subject, Tech, Unit, UnitId,
};

use super::forecast::{Encounter, Line, targets, threat_value};
use super::strike::Stakes;
use super::survey::Survey;
use crate::chance::Rng;

/// Probability of losing a colony above which its factories are destroyed.
const LOSS_PROBABILITY: f64 = 0.75;

pub(super) type Worth<'w> = &'w dyn Fn(&Survey<'_>, StarId) -> f64;

pub(super) fn answer(
    survey: &Survey<'_>,
    stakes: Stakes,
    worth: Worth<'_>,
    chance: &mut Rng,
) -> Option<Order> {
    let battle = survey.table.battle.as_deref()?;
    if !battle.waits_for().contains(survey.me) {
        return None;
    }
    Some(match battle.stage {
        BattleStage::AttackerAims | BattleStage::DefendersAim { .. } => {
            Order::Aim { shots: aim(survey, battle) }
        }
        BattleStage::AttackerLeaves { forced: true } => leave(survey, battle),
        BattleStage::AttackerLeaves { forced: false } | BattleStage::DefenderLeaves { .. } => {
            if stays(survey, battle, stakes, worth, chance) {
                stay()
            } else {
                leave(survey, battle)
            }
        }
        BattleStage::Beams { .. } => StellarConquest::default_order(survey.view)?,
        BattleStage::Refuge { .. } => Order::SendTo { at: withdrawal_hex(survey, battle) },
        BattleStage::Scuttle { .. } => destroy_factories(survey, battle, stakes, chance),
        BattleStage::GoesOn => continue_attack(survey, battle, stakes, worth, chance),
    })
}

fn stay() -> Order {
    Order::withdraw(Vec::new(), None)
}

fn aim(survey: &Survey<'_>, battle: &Battle) -> Vec<Shot> {
    let side = battle.side(survey.me);
    let own = |(_, unit): &(UnitId, &Unit)| unit.owner == survey.me;
    let guns: Vec<(UnitId, Arm)> =
        battle.in_line(side).filter(own).map(|(id, unit)| (id, unit.arm)).collect();
    let open = battle.in_line(side.other()).filter(|(_, unit)| !battle.is_sheltered(unit));
    let others: Vec<(UnitId, Arm)> = open.map(|(id, unit)| (id, unit.arm)).collect();
    let arms = |units: &[(UnitId, Arm)]| units.iter().map(|&(_, arm)| arm).collect::<Vec<Arm>>();
    let improved = survey.has(Tech::ImprovedShipWeaponry);
    let aims = targets(&arms(&guns), improved, &arms(&others), survey.table.options, threat_value);
    let shot = |(gun, at): (&(UnitId, Arm), Option<usize>)| {
        at.map(|at| Shot { by: gun.0, at: others[at].0 })
    };
    guns.iter().zip(aims).filter_map(shot).collect()
}

fn others(battle: &Battle, side: Side) -> (Fleet, Bases) {
    let mut bases = Bases::NONE;
    for (_, unit) in battle.fighting(side).filter(|(_, unit)| battle.takes_part(unit)) {
        match unit.arm {
            Arm::MissileBase => bases.missile += 1,
            Arm::AdvancedMissileBase => bases.advanced += 1,
            Arm::Ship(_) | Arm::Shield => {}
        }
    }
    (battle.fleet(side), bases)
}

fn stays(
    survey: &Survey<'_>,
    battle: &Battle,
    stakes: Stakes,
    worth: Worth<'_>,
    chance: &mut Rng,
) -> bool {
    let side = battle.side(survey.me);
    let prize = StarId::in_hex(battle.at).map_or(0.0, |star| worth(survey, star));
    let own = battle.fleet(side);
    own.warships(&survey.table.options) > 0
        && stakes.net(survey, own, others(battle, side.other()), prize, chance) > 0.0
}

/// Withdraws to a star, preferring stars in reach, then without foreign ships, then with an own
/// colony, then near (12.7, 12.8). If no star is possible, withdraws without a destination.
fn leave(survey: &Survey<'_>, battle: &Battle) -> Order {
    let side = battle.fighting(battle.side(survey.me)).filter(|(_, unit)| unit.owner == survey.me);
    let units: Vec<UnitId> = side.map(|(id, _)| id).collect();
    let home = |star: &StarId| survey.free_colonies().any(|colony| colony.planet.star == *star);
    let mut stars: Vec<StarId> =
        StarId::ALL.into_iter().filter(|star| star.at() != battle.at).collect();
    stars.sort_by_key(|star| {
        let far = !survey.command.reaches(star.at());
        (far, survey.is_hostile(star.at()), !home(star), battle.at.distance(star.at()))
    });
    let bound = |star: &StarId| {
        let order = Order::withdraw(units.clone(), Some(*star));
        StellarConquest::judge_view(survey.view, &order).ok().map(|()| order)
    };
    stars.iter().find_map(bound).unwrap_or_else(|| Order::withdraw(units.clone(), None))
}

/// Returns a neighboring hex from which the enemies need long to return (12.8).
pub(super) fn withdrawal_hex(survey: &Survey<'_>, battle: &Battle) -> Place {
    let leaver = battle.leaving.first().and_then(|&id| battle.unit(id)).map(|unit| unit.owner);
    let entry = leaver.and_then(|seat| survey.table.entry(seat)).unwrap_or(battle.at);
    let worth = |at: &Place| (StarId::in_hex(*at).is_none(), at.is_cloud(), at.distance(entry));
    battle.at.neighbors().max_by_key(worth).unwrap_or(battle.at)
}

/// Destroys factories of colonies that are almost certainly lost (13.5).
fn destroy_factories(
    survey: &Survey<'_>,
    battle: &Battle,
    stakes: Stakes,
    chance: &mut Rng,
) -> Order {
    let attacked = |colony: &&Colony| match &battle.subject {
        Subject::Colonies { planets } => {
            colony.planet.star.at() == battle.at
                && planets.contains(&colony.planet.nth)
                && colony.factories > 0
        }
        Subject::Ships => false,
    };
    // The attacker's technology is secret, so no second shots are assumed.
    let attackers = Line::ships(battle.fleet(Side::Attacker), false);
    let falls = |colony: &&Colony, chance: &mut Rng| {
        let (options, own) = (survey.table.options, attackers.clone());
        let encounter =
            Encounter { options, own, others: vec![Line::bases(colony.bases)], pirates: false };
        encounter.fight(stakes.tries, chance).win > LOSS_PROBABILITY
    };
    let own = survey.free_colonies().filter(attacked);
    let lost: Vec<&Colony> = own.filter(|colony| falls(colony, chance)).collect();
    Order::Scuttle {
        factories: lost
            .iter()
            .map(|colony| Factories { planet: colony.planet, count: colony.factories })
            .collect(),
    }
}

fn continue_attack(
    survey: &Survey<'_>,
    battle: &Battle,
    stakes: Stakes,
    worth: Worth<'_>,
    chance: &mut Rng,
) -> Order {
    let (Subject::Colonies { planets }, Some(star)) = (&battle.subject, StarId::in_hex(battle.at))
    else {
        return Order::BreakOff;
    };
    let (_, bases) = others(battle, Side::Defender);
    let own = battle.fleet(Side::Attacker);
    let again =
        Order::Attack { planets: planets.iter().map(|&nth| PlanetId { star, nth }).collect() };
    let pays = stakes.net(survey, own, (Fleet::NONE, bases), worth(survey, star), chance) > 0.0;
    let legal = StellarConquest::judge_view(survey.view, &again).is_ok();
    if pays && legal { again } else { Order::BreakOff }
}
