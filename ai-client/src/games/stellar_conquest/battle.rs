//! Decisions of battles: whom to fire at, when to leave, where to send those who leave.

use heliopause_stellar_conquest::{
    Arm, Bases, Battle, BattleStage, Colony, Factories, Fleet, Order, Place, PlanetId, Shot, Side,
    StarId, StellarConquest, Subject, Tech, Unit, UnitId,
};

use super::forecast::{Encounter, Line, menace, targets};
use super::strike::Stakes;
use super::survey::Survey;
use crate::chance::Chance;

/// How likely the fall of a colony is, for its owner to give its factories up.
const AS_GOOD_AS_LOST: f64 = 0.75;

/// What holding a star is worth in a battle for it.
pub(super) type Worth<'w> = &'w dyn Fn(&Survey<'_>, StarId) -> f64;

/// The answer to what a battle asks the seat; `None` if it asks nothing.
pub(super) fn answer(
    survey: &Survey<'_>,
    stakes: Stakes,
    worth: Worth<'_>,
    chance: &mut Chance,
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
        BattleStage::Refuge { .. } => Order::SendTo { at: refuge(survey, battle) },
        BattleStage::Scuttle { .. } => scuttle(survey, battle, stakes, chance),
        BattleStage::GoesOn => go_on(survey, battle, stakes, worth, chance),
    })
}

fn stay() -> Order {
    Order::withdraw(Vec::new(), None)
}

/// 12.3: every gun at what it takes most from.
fn aim(survey: &Survey<'_>, battle: &Battle) -> Vec<Shot> {
    let side = battle.side(survey.me);
    let own = |(_, unit): &(UnitId, &Unit)| unit.owner == survey.me;
    let guns: Vec<(UnitId, Arm)> =
        battle.in_line(side).filter(own).map(|(id, unit)| (id, unit.arm)).collect();
    let open = battle.in_line(side.other()).filter(|(_, unit)| !battle.is_sheltered(unit));
    let others: Vec<(UnitId, Arm)> = open.map(|(id, unit)| (id, unit.arm)).collect();
    let arms = |units: &[(UnitId, Arm)]| units.iter().map(|&(_, arm)| arm).collect::<Vec<Arm>>();
    let improved = survey.has(Tech::ImprovedShipWeaponry);
    let aims = targets(&arms(&guns), improved, &arms(&others), survey.table.options, menace);
    let shot = |(gun, at): (&(UnitId, Arm), Option<usize>)| {
        at.map(|at| Shot { by: gun.0, at: others[at].0 })
    };
    guns.iter().zip(aims).filter_map(shot).collect()
}

/// What of the other side the battle still has.
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

/// 12.7: whether the fight is worth going on with.
fn stays(
    survey: &Survey<'_>,
    battle: &Battle,
    stakes: Stakes,
    worth: Worth<'_>,
    chance: &mut Chance,
) -> bool {
    let side = battle.side(survey.me);
    let prize = StarId::in_hex(battle.at).map_or(0.0, |star| worth(survey, star));
    let own = battle.fleet(side);
    own.warships(&survey.table.options) > 0
        && stakes.net(survey, own, others(battle, side.other()), prize, chance) > 0.0
}

/// 12.7, 12.8: everybody leaves, bound for the nearest own colony; else the nearest star that
/// nobody else's ships hold.
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

/// 12.8: enemies are sent where it takes them longest to come back: into clouds, away from stars
/// and from where they entered.
pub(super) fn refuge(survey: &Survey<'_>, battle: &Battle) -> Place {
    let leaver = battle.leaving.first().and_then(|&id| battle.unit(id)).map(|unit| unit.owner);
    let entry = leaver.and_then(|seat| survey.table.entry(seat)).unwrap_or(battle.at);
    let worth = |at: &Place| (StarId::in_hex(*at).is_none(), at.is_cloud(), at.distance(entry));
    battle.at.neighbours().max_by_key(worth).unwrap_or(battle.at)
}

/// 13.5: factories of a colony that is as good as lost are destroyed, so that they do not work for
/// its conqueror.
fn scuttle(survey: &Survey<'_>, battle: &Battle, stakes: Stakes, chance: &mut Chance) -> Order {
    let attacked = |colony: &&Colony| match &battle.subject {
        Subject::Colonies { planets } => {
            colony.planet.star.at() == battle.at
                && planets.contains(&colony.planet.nth)
                && colony.factories > 0
        }
        Subject::Ships => false,
    };
    // The attacker's technology is their secret.
    let attackers = Line::ships(battle.fleet(Side::Attacker), false);
    let falls = |colony: &&Colony, chance: &mut Chance| {
        let (options, own) = (survey.table.options, attackers.clone());
        let encounter =
            Encounter { options, own, others: vec![Line::bases(colony.bases)], pirates: false };
        encounter.fight(stakes.tries, chance).win > AS_GOOD_AS_LOST
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

/// 13.4: another round against the same colonies, or none.
fn go_on(
    survey: &Survey<'_>,
    battle: &Battle,
    stakes: Stakes,
    worth: Worth<'_>,
    chance: &mut Chance,
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
