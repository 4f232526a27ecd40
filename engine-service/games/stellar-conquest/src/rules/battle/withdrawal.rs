//! Rule 12.7, 12.8: after a round: who withdraws, and where to.

use std::collections::BTreeMap;

use heliopause_kernel::{Seat, SeatSet};

use crate::rules::battle::combat::{advance_battle, begin_battle, next_battle, ships_of, wait_for};
use crate::rules::battle::shields::after_assault;
use crate::rules::campaign::seams::battle::{after_limited_round, before_next_round, before_unarmed_withdrawal};
use crate::rules::conquest::settle_star;
use crate::rules::inspection::{be_watched, survey};
use crate::rules::judge::{Verdict, refuse};
use crate::rules::movement::split_off;
use crate::rules::referee::Referee;
use crate::state::battle::{Battle, BattleStage, Condition, Pursuit, Side, Subject, Unit, UnitId};
use crate::state::event::{BattleEvent, Event, OwnEvent, TableEvent};
use crate::state::order::Withdrawal;
use crate::state::power::Eyes;
use crate::state::ship::{Ship, ShipNumber};
use crate::state::table::Stage;
use crate::tables::board::Place;
use crate::tables::ships::{Fleet, ShipKind};
use crate::tables::stars::StarId;

impl Eyes<'_> {
    /// 12.2, 12.7: own ships that fight, each once; all of them if nobody has a warship. 12.8: bound for a star other than
    /// that of the battle, which counts as the last they left.
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
                return refuse("not-yours", "12.7", "Only your own ships that still fight can withdraw.");
            }
            if std::mem::replace(&mut leaves[id.index()], true) {
                return refuse("named-twice", "12.7", "A ship is named twice.");
            }
        }
        if forced && units.len() < self.own_units(battle).len() {
            return refuse("all-must-leave", "12.2", "Nobody has a warship here: all your ships must withdraw.");
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
            None => refuse("no-destination", "12.8", "Name the star for which they are bound from then on."),
            Some(star) if star.at() == battle.at => {
                refuse("back-again", "8.3", format!("{star} is the star that they leave: name another one."))
            }
            Some(star) if self.is_open(star) || self.open_stars(battle.at).contains(&star) => Ok(()),
            Some(star) => self.passage(star).verdict(star),
        }
    }

    pub(crate) fn judge_send_to(&self, at: Place) -> Verdict {
        let battle = self.asked_in_battle("12.8")?;
        if !matches!(battle.stage, BattleStage::Refuge { .. }) {
            return refuse("wrong-step", "12.8", "Nobody withdraws now.");
        }
        if battle.at.distance(at) != 1 {
            return refuse("not-adjacent", "12.8", format!("{at} is no neighbour of {}.", battle.at));
        }
        Ok(())
    }

    /// This seat's units that still fight.
    pub(crate) fn own_units(&self, battle: &Battle) -> Vec<UnitId> {
        let side = battle.fighting(battle.side(self.seat));
        side.filter(|(_, unit)| unit.owner == self.seat).map(|(id, _)| id).collect()
    }

    /// `RefugePolicy::Away`: the neighbour farthest from the entry hex of those who leave, no star hex if there is another;
    /// the first direction among equals. Public knowledge.
    pub(crate) fn default_refuge(&self, battle: &Battle) -> Place {
        let leaver = battle.leaving.first().and_then(|&id| battle.unit(id)).map(|unit| unit.owner);
        let entry = leaver.and_then(|seat| self.table.entry(seat)).unwrap_or(battle.at);
        let worth = |at: &Place| (StarId::in_hex(*at).is_some(), std::cmp::Reverse(at.distance(entry)));
        battle.at.neighbours().min_by_key(worth).unwrap_or(battle.at)
    }
}

/// 12.7 i: a side without ships has lost. Says whether it was so.
fn is_won(referee: &mut Referee<'_>) -> bool {
    let won = [Side::Attacker, Side::Defender].iter().any(|&side| referee.battle().fleet(side).is_empty());
    if won {
        end_battle(referee);
    }
    won
}

/// 12.7 i, ii: a side without ships has lost; without a warship on either side the attacker withdraws. Says whether it
/// was so.
fn is_decided(referee: &mut Referee<'_>) -> bool {
    if is_won(referee) {
        return true;
    }
    let options = referee.table().options;
    let fleets = [Side::Attacker, Side::Defender].map(|side| referee.battle().fleet(side));
    if fleets.iter().any(|fleet| fleet.warships(&options) > 0) {
        return false;
    }
    if before_unarmed_withdrawal(referee) {
        end_battle(referee);
    } else {
        wait_for(referee, BattleStage::AttackerLeaves { forced: true });
    }
    true
}

/// 12.7: what comes after a round, in order (i) to (v).
pub(crate) fn after_round(referee: &mut Referee<'_>) {
    match referee.battle().subject {
        Subject::Colonies { .. } => after_assault(referee),
        Subject::Ships if referee.battle().limit.is_some() => after_limited_round(referee),
        Subject::Ships if referee.table().campaign.asks_after_every_round() => {
            if !is_won(referee) {
                wait_for(referee, BattleStage::AttackerLeaves { forced: false });
            }
        }
        Subject::Ships => {
            if !is_decided(referee) {
                wait_for(referee, BattleStage::AttackerLeaves { forced: false });
            }
        }
    }
}

/// 12.2, 12.7 v: the first round, or the next one.
pub(crate) fn next_round(referee: &mut Referee<'_>) {
    if is_decided(referee) {
        return;
    }
    if referee.battle().rounds > 0 && before_next_round(referee) {
        end_battle(referee);
    } else {
        wait_for(referee, BattleStage::AttackerAims);
    }
}

pub(crate) fn withdraw(referee: &mut Referee<'_>, seat: Seat, groups: &[Withdrawal]) {
    leave(referee, seat, groups);
    advance_battle(referee);
}

/// 12.7: who leaves is bound for a star from now on, each for one of its own (12.8); the hex is chosen by the opponent, once a
/// battle (BR-12).
pub(crate) fn leave(referee: &mut Referee<'_>, seat: Seat, groups: &[Withdrawal]) {
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
        referee.whisper(OwnEvent::Sailed { seat, ships, to: at, steps: 0, halted: false, destination, departed });
    }
    let battle = referee.battle();
    match battle.refuges[side.index()] {
        _ if !waiting.is_empty() => wait_for(referee, BattleStage::DefenderLeaves { waiting }),
        _ if battle.leaving.is_empty() => after_leaving(referee, side),
        Some(refuge) => depart(referee, side, refuge),
        None => wait_for(referee, BattleStage::Refuge { leaving: side }),
    }
}

pub(crate) fn send_to(referee: &mut Referee<'_>, at: Place) {
    lead_away(referee, at);
    advance_battle(referee);
}

pub(crate) fn lead_away(referee: &mut Referee<'_>, at: Place) {
    if let BattleStage::Refuge { leaving } = referee.battle().stage {
        depart(referee, leaving, at);
    }
}

/// 12.8: moves those who leave; range does not kill them (BR-7), clouds do not hinder them.
fn depart(referee: &mut Referee<'_>, side: Side, to: Place) {
    let battle = referee.battle().clone();
    referee.report_battle(BattleEvent::RefugeChosen { side, at: to });
    let owners: SeatSet = battle.leaving.iter().filter_map(|&id| battle.unit(id)).map(|unit| unit.owner).collect();
    for seat in owners.iter() {
        let ships = ships_of(referee, seat, &battle, &battle.leaving);
        let power = referee.power(seat);
        let fleet: Fleet = ships.iter().filter_map(|&number| power.ship(number)).map(Ship::kind).collect();
        let mut bound: BTreeMap<Option<StarId>, Vec<ShipNumber>> = BTreeMap::new();
        for ship in ships.iter().filter_map(|&number| power.ship(number)) {
            let destination = ship.destination.filter(|_| StarId::in_hex(to).is_none());
            bound.entry(destination).or_default().push(ship.number);
        }
        referee.announce(Event::Table(TableEvent::Passed { seat, path: vec![battle.at, to] }));
        split_off(referee, seat, &ships);
        let departed = StarId::in_hex(battle.at);
        for (destination, ships) in bound {
            referee.whisper(OwnEvent::Sailed { seat, ships, to, steps: 0, halted: false, destination, departed });
        }
        referee.show_groups(seat, battle.at);
        referee.show_groups(seat, to);
        be_watched(referee, seat, to, fleet);
    }
    after_leaving(referee, side);
}

/// 12.7 iv, v: after the attacker has said who leaves, the defender may, if anybody stays to fight; then the next round.
fn after_leaving(referee: &mut Referee<'_>, side: Side) {
    match side {
        Side::Attacker if referee.battle().fleet(Side::Attacker).is_empty() => end_battle(referee),
        Side::Attacker => wait_for(referee, BattleStage::DefenderLeaves { waiting: SeatSet::EMPTY }),
        Side::Defender => next_round(referee),
    }
}

/// Ends a battle, tells what is left, and goes on with the turn.
pub(crate) fn end_battle(referee: &mut Referee<'_>) {
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
    let Some(star) = StarId::in_hex(battle.at) else { return };
    settle_star(referee, star);
    match &battle.subject {
        _ if battle.limit.is_some() => next_battle(referee),
        Subject::Ships if fight_on(referee, &battle) => {}
        Subject::Ships => next_battle(referee),
        Subject::Colonies { planets } => {
            if referee.table().has_ships(battle.attacker, battle.at) {
                let bases = battle.units.iter().filter_map(|unit| unit.planet);
                let shown: Vec<u8> = bases.chain(planets.iter().copied()).collect();
                survey(referee, battle.attacker, star, &shown);
            }
            referee.enter(Stage::Planets);
        }
    }
}

/// BR-11: who withdrew into a star hex with others attacks them there, before anything else; so does an attacker who
/// still shares the hex with a third seat. Says whether such a battle began. Those that wait for its end are kept with it.
fn fight_on(referee: &mut Referee<'_>, battle: &Battle) -> bool {
    let mut pursuits: Vec<Pursuit> = Vec::new();
    for side in [Side::Defender, Side::Attacker] {
        let Some(at) = battle.refuges[side.index()].filter(|&at| StarId::in_hex(at).is_some()) else { continue };
        let withdrawn = battle.units.iter().filter(|unit| unit.condition == Condition::Withdrawn);
        let seats: SeatSet = withdrawn.map(|unit| unit.owner).filter(|&seat| battle.side(seat) == side).collect();
        pursuits.extend(seats.iter().map(|seat| Pursuit { seat, at }));
    }
    pursuits.push(Pursuit { seat: battle.attacker, at: battle.at });
    pursuits.extend_from_slice(&battle.pursuits);
    pursuits.retain(|pursuit| referee.table().meets_enemies(pursuit.seat, pursuit.at));
    if pursuits.is_empty() {
        return false;
    }
    let Pursuit { seat, at } = pursuits.remove(0);
    pursuits.retain(|other| *other != Pursuit { seat, at });
    begin_battle(referee, seat, at, pursuits);
    true
}
