//! Rule 12.7, 12.8: after a round: who withdraws, and where to.

use std::collections::BTreeMap;

use heliopause_kernel::{Seat, SeatSet};

use crate::rules::battle::line::ships_of;
use crate::rules::battle::stages::Step;
use crate::rules::campaign::seams::battle::{before_next_round, before_unarmed_withdrawal};
use crate::rules::inspection::be_watched;
use crate::rules::judge::{Verdict, refuse};
use crate::rules::movement::split_off;
use crate::rules::referee::Referee;
use crate::state::battle::{Battle, BattleStage, Side, Unit, UnitId};
use crate::state::event::{BattleEvent, Event, OwnEvent, TableEvent};
use crate::state::order::Withdrawal;
use crate::state::power::Eyes;
use crate::state::ship::{Ship, ShipNumber};
use crate::tables::board::Place;
use crate::tables::ships::Fleet;
use crate::tables::stars::StarId;

impl Eyes<'_> {
    /// 12.2, 12.7: own ships that fight, each once; all of them if nobody has a warship. 12.8:
    /// bound for a star other than that of the battle, which counts as the last they left.
    pub(crate) fn judge_withdraw(&self, groups: &[Withdrawal]) -> Verdict {
        let battle = self.asked_in_battle("12.7")?;
        let forced = match battle.stage {
            BattleStage::AttackerLeaves { forced } => forced,
            BattleStage::DefenderLeaves { .. } => false,
            BattleStage::AttackerAims
            | BattleStage::DefendersAim { .. }
            | BattleStage::Beams { .. }
            | BattleStage::Refuge { .. }
            | BattleStage::Scuttle { .. }
            | BattleStage::GoesOn => return refuse("wrong-step", "12.7", "Nobody withdraws now."),
        };
        if groups.iter().any(|group| group.units.is_empty()) {
            return refuse("no-ships", "12.7", "Name the ships that withdraw.");
        }
        let units: Vec<UnitId> = groups.iter().flat_map(|group| &group.units).copied().collect();
        let mut leaves = vec![false; battle.units.len()];
        for &id in &units {
            let own = battle.unit(id).filter(|unit| unit.owner == self.seat && unit.is_fighting());
            if own.and_then(Unit::ship).is_none() {
                return refuse(
                    "not-yours",
                    "12.7",
                    "Only your own ships that still fight can withdraw.",
                );
            }
            if std::mem::replace(&mut leaves[id.index()], true) {
                return refuse("named-twice", "12.7", "A ship is named twice.");
            }
        }
        if forced && units.len() < self.own_units(battle).len() {
            return refuse(
                "all-must-leave",
                "12.2",
                "Nobody has a warship here: all your ships must withdraw.",
            );
        }
        if !units.is_empty() && !self.table.campaign.may_withdraw(self.seat) {
            return refuse("never-withdraws", "fate-7", "Pirates never withdraw.");
        }
        if self.needs_no_destination() {
            return Ok(());
        }
        groups.iter().try_for_each(|group| self.judge_bound(battle, group.destination))
    }

    /// 12.8: a star other than that of the battle, and one that is open.
    fn judge_bound(&self, battle: &Battle, destination: Option<StarId>) -> Verdict {
        match destination {
            None => refuse(
                "no-destination",
                "12.8",
                "Name the star for which they are bound from then on.",
            ),
            Some(star) if star.at() == battle.at => refuse(
                "back-again",
                "8.3",
                format!("{star} is the star that they leave: name another one."),
            ),
            Some(star) if self.is_open(star) || self.open_stars(battle.at).contains(&star) => {
                Ok(())
            }
            Some(star) => self.passage(star).verdict(star),
        }
    }

    pub(crate) fn judge_send_to(&self, at: Place) -> Verdict {
        let battle = self.asked_in_battle("12.8")?;
        if !matches!(battle.stage, BattleStage::Refuge { .. }) {
            return refuse("wrong-step", "12.8", "Nobody withdraws now.");
        }
        if battle.at.distance(at) != 1 {
            return refuse(
                "not-adjacent",
                "12.8",
                format!("{at} is no neighbour of {}.", battle.at),
            );
        }
        Ok(())
    }

    /// This seat's units that still fight.
    pub(crate) fn own_units(&self, battle: &Battle) -> Vec<UnitId> {
        let side = battle.fighting(battle.side(self.seat));
        side.filter(|(_, unit)| unit.owner == self.seat).map(|(id, _)| id).collect()
    }

    /// `RefugePolicy::Away`: the neighbour farthest from the entry hex of those who leave, no star
    /// hex if there is another; the first direction among equals. Public knowledge.
    pub(crate) fn default_refuge(&self, battle: &Battle) -> Place {
        let leaver = battle.leaving.first().and_then(|&id| battle.unit(id)).map(|unit| unit.owner);
        let entry = leaver.and_then(|seat| self.table.entry(seat)).unwrap_or(battle.at);
        let worth =
            |at: &Place| (StarId::in_hex(*at).is_some(), std::cmp::Reverse(at.distance(entry)));
        battle.at.neighbours().min_by_key(worth).unwrap_or(battle.at)
    }
}

/// 12.7 i: whether a side has no ships left, and so has lost.
pub(super) fn is_won(battle: &Battle) -> bool {
    [Side::Attacker, Side::Defender].iter().any(|&side| battle.fleet(side).is_empty())
}

/// 12.7 i, ii: a side without ships has lost; without a warship on either side the attacker
/// withdraws. Nothing if neither is so.
pub(super) fn decision(referee: &mut Referee<'_>) -> Option<Step> {
    if is_won(referee.battle()) {
        return Some(Step::Over);
    }
    let options = referee.table().options;
    let fleets = [Side::Attacker, Side::Defender].map(|side| referee.battle().fleet(side));
    if fleets.iter().any(|fleet| fleet.warships(&options) > 0) {
        return None;
    }
    Some(if before_unarmed_withdrawal(referee) { Step::Over } else { Step::Disarmed })
}

/// 12.2, 12.7 v: the first round, or the next one.
pub(super) fn next_round(referee: &mut Referee<'_>) -> Step {
    if let Some(step) = decision(referee) {
        return step;
    }
    if referee.battle().rounds > 0 && before_next_round(referee) { Step::Over } else { Step::Round }
}

/// 12.7: who leaves is bound for a star from now on, each for one of its own (12.8); the hex is
/// chosen by the opponent, once a battle (BR-12).
pub(super) fn leave(referee: &mut Referee<'_>, seat: Seat, groups: &[Withdrawal]) -> Step {
    let battle = referee.battle();
    let (at, side) = (battle.at, battle.side(seat));
    let defends = matches!(battle.stage, BattleStage::DefenderLeaves { .. });
    let waiting = if defends { battle.waits_for().without(seat) } else { SeatSet::EMPTY };
    let units: Vec<UnitId> = groups.iter().flat_map(|group| &group.units).copied().collect();
    if !units.is_empty() {
        referee.report_battle(BattleEvent::Withdrawing { units });
    }
    for Withdrawal { units, destination } in groups {
        let ships = ships_of(referee, seat, referee.battle(), units);
        let destination = destination.filter(|_| !referee.eyes(seat).needs_no_destination());
        let departed = StarId::in_hex(at);
        referee.whisper(OwnEvent::Sailed {
            seat,
            ships,
            to: at,
            steps: 0,
            halted: false,
            destination,
            departed,
        });
    }
    let battle = referee.battle();
    match battle.refuges[side.index()] {
        _ if !waiting.is_empty() => Step::Stayed { waiting },
        _ if battle.leaving.is_empty() => after_leaving(referee, side),
        Some(refuge) => depart(referee, side, refuge),
        None => Step::Leaving,
    }
}

/// 12.8: the opponent of those who withdraw has chosen the hex.
pub(super) fn lead_away(referee: &mut Referee<'_>, at: Place) -> Option<Step> {
    match referee.battle().stage {
        BattleStage::Refuge { leaving } => Some(depart(referee, leaving, at)),
        BattleStage::AttackerAims
        | BattleStage::DefendersAim { .. }
        | BattleStage::AttackerLeaves { .. }
        | BattleStage::DefenderLeaves { .. }
        | BattleStage::Beams { .. }
        | BattleStage::Scuttle { .. }
        | BattleStage::GoesOn => None,
    }
}

/// 12.8: moves those who leave; range does not kill them (BR-7), clouds do not hinder them.
fn depart(referee: &mut Referee<'_>, side: Side, to: Place) -> Step {
    let battle = referee.battle().clone();
    referee.report_battle(BattleEvent::RefugeChosen { side, at: to });
    let owners: SeatSet =
        battle.leaving.iter().filter_map(|&id| battle.unit(id)).map(|unit| unit.owner).collect();
    for seat in owners.iter() {
        let ships = ships_of(referee, seat, &battle, &battle.leaving);
        let power = referee.power(seat);
        let fleet: Fleet =
            ships.iter().filter_map(|&number| power.ship(number)).map(Ship::kind).collect();
        let mut bound: BTreeMap<Option<StarId>, Vec<ShipNumber>> = BTreeMap::new();
        for ship in ships.iter().filter_map(|&number| power.ship(number)) {
            let destination = ship.destination.filter(|_| StarId::in_hex(to).is_none());
            bound.entry(destination).or_default().push(ship.number);
        }
        referee.announce(Event::Table(TableEvent::Passed { seat, path: vec![battle.at, to] }));
        split_off(referee, seat, &ships);
        let departed = StarId::in_hex(battle.at);
        for (destination, ships) in bound {
            referee.whisper(OwnEvent::Sailed {
                seat,
                ships,
                to,
                steps: 0,
                halted: false,
                destination,
                departed,
            });
        }
        referee.show_groups(seat, battle.at);
        referee.show_groups(seat, to);
        be_watched(referee, seat, to, fleet);
    }
    after_leaving(referee, side)
}

/// 12.7 iv, v: after the attacker has said who leaves, the defender may, if anybody stays to fight;
/// then the next round.
fn after_leaving(referee: &mut Referee<'_>, side: Side) -> Step {
    match side {
        Side::Attacker if referee.battle().fleet(Side::Attacker).is_empty() => Step::Over,
        Side::Attacker => Step::Stayed { waiting: SeatSet::EMPTY },
        Side::Defender => next_round(referee),
    }
}
