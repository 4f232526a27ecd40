//! Rules 12, 13: the course of a battle, from its first round to its end. Every answer comes to a
//! step, and the table of stages says what follows.

use heliopause_kernel::{Seat, SeatSet};

use crate::rules::battle::assault::destroy_factories;
use crate::rules::battle::line::open_battle;
use crate::rules::battle::round::fight_round;
use crate::rules::battle::shields::{after_assault, seize};
use crate::rules::battle::stages;
use crate::rules::battle::stages::{Next, Step};
use crate::rules::battle::withdrawal::{decision, is_won, lead_away, leave, next_round};
use crate::rules::campaign::seams::battle::after_limited_round;
use crate::rules::inspection::see_each_other;
use crate::rules::referee::Referee;
use crate::state::battle::{Battle, BattleStage, Condition, Pursuit, Shot, Side, Subject};
use crate::state::event::BattleEvent;
use crate::state::order::Order;
use crate::state::table::Table;
use crate::tables::board::Place;
use crate::tables::ships::{Fleet, ShipKind};
use crate::tables::stars::StarId;

/// 12.1, 12.2: lines of battle; both sides see each other (10). BR-11: the attacker may be somebody
/// who withdrew, and other battles may follow this one. Gives the battle back if it is over at
/// once.
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
        see_each_other(referee, attacker, defender, at);
    }
    let seats: Vec<Seat> = std::iter::once(attacker).chain(defenders).collect();
    let battle = Battle { pursuits, ..Battle::new(at, attacker, Subject::Ships, Vec::new()) };
    open_battle(referee, &seats, battle);
    let step = next_round(referee);
    go(referee, step)
}

/// Takes an answer that the battle waits for. Gives the battle back if it is over.
pub(crate) fn answer(referee: &mut Referee<'_>, seat: Seat, answer: Order) -> Option<Battle> {
    let step = take_answer(referee, seat, answer)?;
    go(referee, step)
}

/// Goes from stage to stage, as the table says. Gives the battle back if it is over.
pub(crate) fn go(referee: &mut Referee<'_>, step: Step) -> Option<Battle> {
    let stage = referee.battle().stage;
    match stages::after(stage, step) {
        Some(Next::Stage(next)) => {
            if next != stage {
                referee.report_battle(BattleEvent::BattleStageChanged { stage: next });
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

/// Ends a battle, and tells what is left.
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
    referee.report_battle(BattleEvent::BattleEnded { at: battle.at, left });
    battle
}

/// 12.3: takes a seat's shots; when all have aimed the round is fought.
fn take_shots(referee: &mut Referee<'_>, seat: Seat, shots: Vec<Shot>) -> Option<Step> {
    if let BattleStage::Beams { waiting } = referee.battle().stage {
        return seize(referee, &shots, waiting.without(seat));
    }
    referee.report_battle(BattleEvent::Aimed { seat, shots });
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

/// Whoever is answered for at once: they have standing orders, or no choice.
pub(crate) fn standing_answer(referee: &Referee<'_>) -> Option<(Seat, Order)> {
    let waiting = referee.table().battle.as_ref()?.waits_for();
    waiting
        .iter()
        .find_map(|seat| referee.eyes(seat).standing_answer().map(|answer| (seat, answer)))
}

/// What an answer comes to.
fn take_answer(referee: &mut Referee<'_>, seat: Seat, answer: Order) -> Option<Step> {
    match answer {
        Order::Aim { shots } => take_shots(referee, seat, shots),
        Order::Withdraw { groups } => Some(leave(referee, seat, &groups)),
        Order::SendTo { at } => lead_away(referee, at),
        Order::Scuttle { factories } => destroy_factories(referee, seat, &factories),
        Order::BreakOff => Some(Step::Over),
        Order::Outfit(_)
        | Order::Standing(_)
        | Order::Watch { .. }
        | Order::Inspect { .. }
        | Order::Recall { .. }
        | Order::Move(_)
        | Order::Form { .. }
        | Order::Post { .. }
        | Order::EndMovement
        | Order::Fight { .. }
        | Order::Attack { .. }
        | Order::Raze { .. }
        | Order::Kill { .. }
        | Order::Land { .. }
        | Order::EndTurn
        | Order::Raid(_)
        | Order::Place { .. }
        | Order::Decree(_)
        | Order::Produce(_) => {
            debug_assert!(false, "a battle asks for nothing else");
            None
        }
    }
}

/// 12.7: what comes after a round, in order (i) to (v).
fn after_round(referee: &mut Referee<'_>) -> Option<Step> {
    match referee.battle().subject {
        Subject::Colonies { .. } => after_assault(referee),
        Subject::Ships if referee.battle().limit.is_some() => Some(after_limited_round(referee)),
        Subject::Ships if referee.table().campaign.asks_after_every_round() => {
            Some(if is_won(referee.battle()) { Step::Over } else { Step::Fought })
        }
        Subject::Ships => Some(decision(referee).unwrap_or(Step::Fought)),
    }
}

/// BR-11: who withdrew into a star hex with others attacks them there, before anything else; so
/// does an attacker who still shares the hex with a third seat. The first such battle, and those
/// that wait for its end.
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
