//! Rules 12, 13: the course of a battle. Each answer results in a step, and `stages` determines the
//! next stage.

use heliopause_kernel::{Seat, SeatSet};

use crate::rules::battle::assault::{break_off, destroy_factories};
use crate::rules::battle::line::open_battle;
use crate::rules::battle::round::fight_round;
use crate::rules::battle::shields::{after_assault, seize};
use crate::rules::battle::stages;
use crate::rules::battle::stages::{Next, Step};
use crate::rules::battle::withdrawal::{decision, is_won, leave, next_round, withdraw_to};
use crate::rules::campaign::hooks::battle::after_limited_round;
use crate::rules::inspection::reveal_ships;
use crate::rules::referee::Referee;
use crate::state::{
    Battle, BattleEvent, BattleStage, Condition, Order, Pursuit, Shot, Side, Subject, Table,
};
use crate::tables::{Fleet, Place, ShipKind, StarId};

/// Starts a battle and shows both sides to each other (rules 10, 12.1, 12.2). `pursuits` are the
/// battles that follow this one (BR-11). Returns the battle if it is over at once, and `None` if it
/// continues or there is no enemy.
pub(crate) fn begin_battle(
    referee: &mut Referee<'_>,
    attacker: Seat,
    at: Place,
    pursuits: Vec<Pursuit>,
) -> Option<Battle> {
    let table = referee.table();
    let enemy = |other: &Seat| table.campaign.are_enemies(attacker, *other, at);
    let first = table.others_at(attacker, at).find(enemy)?;
    let defends = |other: &Seat| enemy(other) && table.campaign.fight_together(first, *other);
    let defenders: Vec<Seat> = table.others_at(attacker, at).filter(defends).collect();
    for &defender in &defenders {
        reveal_ships(referee, attacker, defender, at);
    }
    let seats: Vec<Seat> = std::iter::once(attacker).chain(defenders).collect();
    let battle = Battle { pursuits, ..Battle::new(at, attacker, Subject::Ships, Vec::new()) };
    open_battle(referee, &seats, battle);
    let step = next_round(referee);
    go(referee, step)
}

/// Applies a seat's answer to the pending decision. Returns the battle if it is over.
pub(crate) fn answer(referee: &mut Referee<'_>, seat: Seat, answer: Order) -> Option<Battle> {
    let step = take_answer(referee, seat, answer)?;
    go(referee, step)
}

/// Enters the stage that follows a step. Returns the battle if it is over.
pub(crate) fn go(referee: &mut Referee<'_>, step: Step) -> Option<Battle> {
    let stage = referee.battle().stage;
    match stages::after(stage, step) {
        Some(Next::Stage(next)) => {
            if next != stage {
                referee.publish_battle(BattleEvent::BattleStageChanged { stage: next });
            }
            None
        }
        Some(Next::End) => Some(end(referee)),
        None => {
            debug_assert!(false, "{step:?} never happens at {stage:?}");
            None
        }
    }
}

fn end(referee: &mut Referee<'_>) -> Battle {
    let battle = referee.battle().clone();
    let mut left = [Fleet::NONE; 2];
    for seat in battle.participants().iter() {
        let fleet = referee.power(seat).fleet_at(battle.at);
        let side = &mut left[battle.side(seat).index()];
        for kind in ShipKind::ALL {
            side.add(kind, fleet.count(kind));
        }
    }
    referee.publish_battle(BattleEvent::BattleEnded { at: battle.at, left });
    battle
}

fn take_shots(referee: &mut Referee<'_>, seat: Seat, shots: Vec<Shot>) -> Option<Step> {
    if let BattleStage::Beams { waiting } = referee.battle().stage {
        return seize(referee, &shots, waiting.without(seat));
    }
    referee.publish_battle(BattleEvent::Aimed { seat, shots });
    let battle = referee.battle();
    let waiting: SeatSet = if let BattleStage::DefendersAim { waiting } = battle.stage {
        waiting.without(seat)
    } else {
        battle.in_line(Side::Defender).map(|(_, unit)| unit.owner).collect()
    };
    if !waiting.is_empty() {
        return Some(Step::Aimed { waiting });
    }
    fight_round(referee);
    after_round(referee)
}

pub(crate) fn standing_answer(referee: &Referee<'_>) -> Option<(Seat, Order)> {
    let waiting = referee.table().battle.as_ref()?.waits_for();
    waiting
        .iter()
        .find_map(|seat| referee.seat_view(seat).standing_answer().map(|answer| (seat, answer)))
}

#[expect(clippy::wildcard_enum_match_arm, reason = "a battle asks for nothing else")]
fn take_answer(referee: &mut Referee<'_>, seat: Seat, answer: Order) -> Option<Step> {
    match answer {
        Order::Aim { shots } => take_shots(referee, seat, shots),
        Order::Withdraw { groups } => Some(leave(referee, seat, &groups)),
        Order::SendTo { at } => withdraw_to(referee, at),
        Order::Scuttle { factories } => destroy_factories(referee, seat, &factories),
        Order::BreakOff => Some(break_off(referee)),
        _ => {
            debug_assert!(false, "a battle asks for nothing else");
            None
        }
    }
}

/// Returns the step after a round. Between ships, the cases (i) to (v) of rule 12.7 are checked in
/// order.
fn after_round(referee: &mut Referee<'_>) -> Option<Step> {
    match referee.battle().subject {
        Subject::Colonies { .. } => after_assault(referee),
        Subject::Ships if referee.battle().last_round.is_some() => {
            Some(after_limited_round(referee))
        }
        Subject::Ships if referee.table().campaign.asks_after_every_round() => {
            Some(if is_won(referee.battle()) { Step::Over } else { Step::Fought })
        }
        Subject::Ships => Some(decision(referee).unwrap_or(Step::Fought)),
    }
}

/// Returns the next battle caused by a withdrawal, if any, and the battles after it (BR-11).
/// Withdrawn ships attack others in their star hex. An attacker also attacks a third seat that
/// shares its hex.
pub(crate) fn next_pursuit(table: &Table, battle: &Battle) -> Option<(Pursuit, Vec<Pursuit>)> {
    let mut pursuits: Vec<Pursuit> = Vec::new();
    for side in [Side::Defender, Side::Attacker] {
        let Some(at) = battle.refuges[side.index()].filter(|&at| StarId::in_hex(at).is_some())
        else {
            continue;
        };
        let withdrawn = battle.units.iter().filter(|unit| unit.condition == Condition::Withdrawn);
        let seats: SeatSet =
            withdrawn.map(|unit| unit.owner).filter(|&seat| battle.side(seat) == side).collect();
        pursuits.extend(seats.iter().map(|seat| Pursuit { seat, at }));
    }
    pursuits.push(Pursuit { seat: battle.attacker, at: battle.at });
    pursuits.extend_from_slice(&battle.pursuits);
    pursuits.retain(|pursuit| table.meets_enemies(pursuit.seat, pursuit.at));
    let first = *pursuits.first()?;
    pursuits.remove(0);
    pursuits.retain(|other| *other != first);
    Some((first, pursuits))
}
