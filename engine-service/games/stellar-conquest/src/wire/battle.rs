//! Battles.

use heliopause_kernel::{Malformed, SeatSet};
use heliopause_proto::stellar_conquest::v1 as proto;

use super::names::{
    narrow, read_dice, read_nth, read_nths, read_place, read_place_if, read_seat, read_seat_set, read_unit_id,
    read_unit_ids, read_word, read_word_or_first, write_dice, write_if, write_nth, write_seat_set, write_unit_ids,
    write_word,
};
use super::{ROWS_MAX, field, list, need, wrong};
use crate::attack_table::Arm;
use crate::battle::{Battle, BattleStage, Condition, Pursuit, Shot, Side, Subject, Unit};
use crate::cards::PLANETS_MAX;
use crate::event::Volley;
use crate::shields::ShieldState;
use crate::ship::ShipKind;

const ARMS: [(Arm, proto::Arm); 8] = [
    (Arm::Ship(ShipKind::Scout), proto::Arm::Scout),
    (Arm::Ship(ShipKind::Transport), proto::Arm::ColonyTransport),
    (Arm::Ship(ShipKind::Corvette), proto::Arm::Corvette),
    (Arm::Ship(ShipKind::Fighter), proto::Arm::Fighter),
    (Arm::Ship(ShipKind::DeathStar), proto::Arm::DeathStar),
    (Arm::MissileBase, proto::Arm::MissileBase),
    (Arm::AdvancedMissileBase, proto::Arm::AdvancedMissileBase),
    (Arm::Shield, proto::Arm::PlanetShield),
];

const CONDITIONS: [(Condition, proto::Condition); 3] = [
    (Condition::Fighting, proto::Condition::Fighting),
    (Condition::Destroyed, proto::Condition::Destroyed),
    (Condition::Withdrawn, proto::Condition::Withdrawn),
];

pub(super) const SIDES: [(Side, proto::Side); 2] =
    [(Side::Attacker, proto::Side::Attacker), (Side::Defender, proto::Side::Defender)];

pub(super) fn read_unit(message: &proto::Unit) -> Result<Unit, Malformed> {
    let arm = field("arm", read_word(&ARMS, message.arm))?;
    let planet = if message.planet == 0 { None } else { Some(field("planet", read_nth(message.planet))?) };
    if planet.is_some() == matches!(arm, Arm::Ship(_)) {
        return field("planet", wrong("bases and shields stand on a planet, ships on none"));
    }
    let condition = field("condition", read_word_or_first(&CONDITIONS, message.condition))?;
    Ok(Unit { owner: field("owner", read_seat(message.owner))?, arm, planet, condition })
}

pub(super) fn write_unit(unit: Unit) -> proto::Unit {
    proto::Unit {
        owner: unit.owner.number(),
        arm: write_word(&ARMS, unit.arm),
        planet: unit.planet.map_or(0, write_nth),
        condition: write_word(&CONDITIONS, unit.condition),
    }
}

fn read_shot(message: proto::Shot) -> Result<Shot, Malformed> {
    Ok(Shot { by: field("by", read_unit_id(message.by))?, at: field("at", read_unit_id(message.at))? })
}

fn write_shot(shot: Shot) -> proto::Shot {
    proto::Shot { by: u32::from(shot.by.0), at: u32::from(shot.at.0) }
}

pub(super) fn read_shots(name: &str, shots: &[proto::Shot]) -> Result<Vec<Shot>, Malformed> {
    list(name, shots, ROWS_MAX, |shot| read_shot(*shot))
}

pub(super) fn write_shots(shots: &[Shot]) -> Vec<proto::Shot> {
    shots.iter().copied().map(write_shot).collect()
}

pub(super) fn read_volley(message: &proto::Volley) -> Result<Volley, Malformed> {
    let shot = field("shot", need(message.shot.as_ref()).and_then(|shot| read_shot(*shot)))?;
    let again = if message.again.is_empty() { None } else { Some(field("again", read_dice(&message.again))?) };
    Ok(Volley { shot, dice: field("dice", read_dice(&message.dice))?, again, hit: message.hit })
}

pub(super) fn write_volley(volley: &Volley) -> proto::Volley {
    proto::Volley {
        shot: Some(write_shot(volley.shot)),
        dice: write_dice(volley.dice),
        again: volley.again.map_or_else(Vec::new, write_dice),
        hit: volley.hit,
    }
}

/// The stage of a battle; `waiting` belongs to some of them.
pub(super) fn read_stage(stage: i32, waiting: &[u32]) -> Result<BattleStage, Malformed> {
    use proto::BattleStage as Stage;
    let waiting = read_seat_set("waiting", waiting)?;
    let stage = match Stage::try_from(stage) {
        Ok(Stage::AttackerAims) => BattleStage::AttackerAims,
        Ok(Stage::DefendersAim) => BattleStage::DefendersAim { waiting },
        Ok(Stage::AttackerLeaves) => BattleStage::AttackerLeaves { forced: false },
        Ok(Stage::AttackerMustLeave) => BattleStage::AttackerLeaves { forced: true },
        Ok(Stage::DefenderLeaves) => BattleStage::DefenderLeaves { waiting },
        Ok(Stage::Beams) => BattleStage::Beams { waiting },
        Ok(Stage::RefugeOfAttacker) => BattleStage::Refuge { leaving: Side::Attacker },
        Ok(Stage::RefugeOfDefender) => BattleStage::Refuge { leaving: Side::Defender },
        Ok(Stage::Scuttle) => BattleStage::Scuttle { waiting },
        Ok(Stage::GoesOn) => BattleStage::GoesOn,
        Ok(Stage::Unspecified) | Err(_) => return field("stage", wrong("it is not given, or not known")),
    };
    Ok(stage)
}

pub(super) fn write_stage(stage: BattleStage) -> (i32, Vec<u32>) {
    use proto::BattleStage as Stage;
    let (stage, waiting) = match stage {
        BattleStage::AttackerAims => (Stage::AttackerAims, SeatSet::EMPTY),
        BattleStage::DefendersAim { waiting } => (Stage::DefendersAim, waiting),
        BattleStage::AttackerLeaves { forced: false } => (Stage::AttackerLeaves, SeatSet::EMPTY),
        BattleStage::AttackerLeaves { forced: true } => (Stage::AttackerMustLeave, SeatSet::EMPTY),
        BattleStage::DefenderLeaves { waiting } => (Stage::DefenderLeaves, waiting),
        BattleStage::Beams { waiting } => (Stage::Beams, waiting),
        BattleStage::Refuge { leaving: Side::Attacker } => (Stage::RefugeOfAttacker, SeatSet::EMPTY),
        BattleStage::Refuge { leaving: Side::Defender } => (Stage::RefugeOfDefender, SeatSet::EMPTY),
        BattleStage::Scuttle { waiting } => (Stage::Scuttle, waiting),
        BattleStage::GoesOn => (Stage::GoesOn, SeatSet::EMPTY),
    };
    (stage.into(), write_seat_set(waiting))
}

pub(super) fn read(message: Option<&proto::Battle>) -> Result<Battle, Malformed> {
    let message = need(message)?;
    let planets = read_nths("planets", &message.planets)?;
    let subject = if message.colonies { Subject::Colonies { planets } } else { Subject::Ships };
    let attackers = field("refuge_of_attacker", read_place_if(&message.refuge_of_attacker))?;
    let defenders = field("refuge_of_defender", read_place_if(&message.refuge_of_defender))?;
    Ok(Battle {
        at: field("at", read_place(&message.at))?,
        attacker: field("attacker", read_seat(message.attacker))?,
        subject,
        rounds: field("rounds", narrow(message.rounds))?,
        units: list("units", &message.units, ROWS_MAX, read_unit)?,
        shots: read_shots("shots", &message.shots)?,
        refuges: [attackers, defenders],
        leaving: read_unit_ids("leaving", &message.leaving)?,
        stage: read_stage(message.stage, &message.waiting)?,
        pursuits: list("pursuits", &message.pursuits, ROWS_MAX, read_pursuit)?,
        shields: list("shields", &message.shields, PLANETS_MAX, read_shield)?,
        limit: Some(field("limit", narrow(message.limit))?).filter(|&round| round > 0),
    })
}

pub(super) fn write(battle: &Battle) -> proto::Battle {
    let (stage, waiting) = write_stage(battle.stage);
    let planets = match &battle.subject {
        Subject::Ships => Vec::new(),
        Subject::Colonies { planets } => planets.iter().copied().map(write_nth).collect(),
    };
    proto::Battle {
        at: battle.at.to_string(),
        attacker: battle.attacker.number(),
        colonies: battle.subject != Subject::Ships,
        planets,
        rounds: u32::from(battle.rounds),
        units: battle.units.iter().copied().map(write_unit).collect(),
        shots: write_shots(&battle.shots),
        refuge_of_attacker: write_if(battle.refuges[Side::Attacker.index()]),
        refuge_of_defender: write_if(battle.refuges[Side::Defender.index()]),
        leaving: write_unit_ids(&battle.leaving),
        stage,
        waiting,
        pursuits: battle.pursuits.iter().copied().map(write_pursuit).collect(),
        shields: battle.shields.iter().copied().map(write_shield).collect(),
        limit: battle.limit.map_or(0, u32::from),
    }
}

fn read_shield(message: &proto::ShieldState) -> Result<ShieldState, Malformed> {
    let fell: u16 = field("fell", narrow(message.fell))?;
    Ok(ShieldState {
        planet: field("planet", read_nth(message.planet))?,
        damage: field("damage", narrow(message.damage))?,
        dry: field("dry", narrow(message.dry))?,
        fell: Some(fell).filter(|&round| round > 0),
    })
}

fn write_shield(shield: ShieldState) -> proto::ShieldState {
    proto::ShieldState {
        planet: write_nth(shield.planet),
        damage: u32::from(shield.damage),
        dry: u32::from(shield.dry),
        fell: shield.fell.map_or(0, u32::from),
    }
}

fn read_pursuit(message: &proto::Pursuit) -> Result<Pursuit, Malformed> {
    Ok(Pursuit { seat: field("seat", read_seat(message.seat))?, at: field("at", read_place(&message.at))? })
}

fn write_pursuit(pursuit: Pursuit) -> proto::Pursuit {
    proto::Pursuit { seat: pursuit.seat.number(), at: pursuit.at.to_string() }
}
