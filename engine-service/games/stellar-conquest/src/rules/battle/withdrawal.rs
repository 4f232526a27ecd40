//! Rule 12.7, 12.8: after a round: who withdraws, and where to.

use std::collections::BTreeMap;

use heliopause_kernel::{Seat, SeatSet};

use crate::rules::judge::{Verdict, refuse};
use crate::rules::referee::Referee;
use crate::state::battle::{Battle, BattleStage, Condition, Pursuit, Side, Subject, Unit, UnitId};
use crate::state::event::{BattleEvent, Event, OwnEvent, TableEvent};
use crate::state::order::Withdrawal;
use crate::state::power::Eyes;
use crate::state::ship::{Fleet, Ship, ShipKind, ShipNumber};
use crate::state::table::Stage;
use crate::tables::board::Place;
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

impl Referee<'_> {
    /// 12.7 i: a side without ships has lost. Says whether it was so.
    fn is_won(&mut self) -> bool {
        let won = [Side::Attacker, Side::Defender].iter().any(|&side| self.battle().fleet(side).is_empty());
        if won {
            self.end_battle();
        }
        won
    }

    /// 12.7 i, ii: a side without ships has lost; without a warship on either side the attacker withdraws. Says whether it
    /// was so.
    fn is_decided(&mut self) -> bool {
        if self.is_won() {
            return true;
        }
        let options = self.table().options;
        let fleets = [Side::Attacker, Side::Defender].map(|side| self.battle().fleet(side));
        if fleets.iter().any(|fleet| fleet.warships(&options) > 0) {
            return false;
        }
        if self.before_unarmed_withdrawal() {
            self.end_battle();
        } else {
            self.wait_for(BattleStage::AttackerLeaves { forced: true });
        }
        true
    }

    /// 12.7: what comes after a round, in order (i) to (v).
    pub(crate) fn after_round(&mut self) {
        match self.battle().subject {
            Subject::Colonies { .. } => self.after_assault(),
            Subject::Ships if self.battle().limit.is_some() => self.after_limited_round(),
            Subject::Ships if self.table().campaign.asks_after_every_round() => {
                if !self.is_won() {
                    self.wait_for(BattleStage::AttackerLeaves { forced: false });
                }
            }
            Subject::Ships => {
                if !self.is_decided() {
                    self.wait_for(BattleStage::AttackerLeaves { forced: false });
                }
            }
        }
    }

    /// 12.2, 12.7 v: the first round, or the next one.
    pub(crate) fn next_round(&mut self) {
        if self.is_decided() {
            return;
        }
        if self.battle().rounds > 0 && self.before_next_round() {
            self.end_battle();
        } else {
            self.wait_for(BattleStage::AttackerAims);
        }
    }

    pub(crate) fn withdraw(&mut self, seat: Seat, groups: &[Withdrawal]) {
        self.leave(seat, groups);
        self.advance_battle();
    }

    /// 12.7: who leaves is bound for a star from now on, each for one of its own (12.8); the hex is chosen by the opponent, once a
    /// battle (BR-12).
    pub(crate) fn leave(&mut self, seat: Seat, groups: &[Withdrawal]) {
        let battle = self.battle();
        let (at, side) = (battle.at, battle.side(seat));
        let defends = matches!(battle.stage, BattleStage::DefenderLeaves { .. });
        let waiting = if defends { battle.waits_for().without(seat) } else { SeatSet::EMPTY };
        let units: Vec<UnitId> = groups.iter().flat_map(|group| &group.units).copied().collect();
        if !units.is_empty() {
            self.report_battle(BattleEvent::Withdrawing { units });
        }
        for Withdrawal { units, destination } in groups {
            let ships = self.ships_of(seat, self.battle(), units);
            let destination = destination.filter(|_| !self.eyes(seat).needs_no_destination());
            let departed = StarId::in_hex(at);
            self.whisper(OwnEvent::Sailed { seat, ships, to: at, steps: 0, halted: false, destination, departed });
        }
        let battle = self.battle();
        match battle.refuges[side.index()] {
            _ if !waiting.is_empty() => self.wait_for(BattleStage::DefenderLeaves { waiting }),
            _ if battle.leaving.is_empty() => self.after_leaving(side),
            Some(refuge) => self.depart(side, refuge),
            None => self.wait_for(BattleStage::Refuge { leaving: side }),
        }
    }

    pub(crate) fn send_to(&mut self, at: Place) {
        self.lead_away(at);
        self.advance_battle();
    }

    pub(crate) fn lead_away(&mut self, at: Place) {
        if let BattleStage::Refuge { leaving } = self.battle().stage {
            self.depart(leaving, at);
        }
    }

    /// 12.8: moves those who leave; range does not kill them (BR-7), clouds do not hinder them.
    fn depart(&mut self, side: Side, to: Place) {
        let battle = self.battle().clone();
        self.report_battle(BattleEvent::RefugeChosen { side, at: to });
        let owners: SeatSet = battle.leaving.iter().filter_map(|&id| battle.unit(id)).map(|unit| unit.owner).collect();
        for seat in owners.iter() {
            let ships = self.ships_of(seat, &battle, &battle.leaving);
            let power = self.power(seat);
            let fleet: Fleet = ships.iter().filter_map(|&number| power.ship(number)).map(Ship::kind).collect();
            let mut bound: BTreeMap<Option<StarId>, Vec<ShipNumber>> = BTreeMap::new();
            for ship in ships.iter().filter_map(|&number| power.ship(number)) {
                let destination = ship.destination.filter(|_| StarId::in_hex(to).is_none());
                bound.entry(destination).or_default().push(ship.number);
            }
            self.announce(Event::Table(TableEvent::Passed { seat, path: vec![battle.at, to] }));
            self.split_off(seat, &ships);
            let departed = StarId::in_hex(battle.at);
            for (destination, ships) in bound {
                self.whisper(OwnEvent::Sailed { seat, ships, to, steps: 0, halted: false, destination, departed });
            }
            self.show_groups(seat, battle.at);
            self.show_groups(seat, to);
            self.be_watched(seat, to, fleet);
        }
        self.after_leaving(side);
    }

    /// 12.7 iv, v: after the attacker has said who leaves, the defender may, if anybody stays to fight; then the next round.
    fn after_leaving(&mut self, side: Side) {
        match side {
            Side::Attacker if self.battle().fleet(Side::Attacker).is_empty() => self.end_battle(),
            Side::Attacker => self.wait_for(BattleStage::DefenderLeaves { waiting: SeatSet::EMPTY }),
            Side::Defender => self.next_round(),
        }
    }

    /// Ends a battle, tells what is left, and goes on with the turn.
    pub(crate) fn end_battle(&mut self) {
        let battle = self.battle().clone();
        let mut left = [Fleet::NONE; 2];
        for seat in battle.participants().iter() {
            let fleet = self.power(seat).fleet_at(battle.at);
            let side = &mut left[battle.side(seat).index()];
            for kind in ShipKind::ALL {
                side.add(kind, fleet.count(kind));
            }
        }
        self.report_battle(BattleEvent::BattleEnded { at: battle.at, left });
        let Some(star) = StarId::in_hex(battle.at) else { return };
        self.settle_star(star);
        match &battle.subject {
            _ if battle.limit.is_some() => self.next_battle(),
            Subject::Ships if self.fight_on(&battle) => {}
            Subject::Ships => self.next_battle(),
            Subject::Colonies { planets } => {
                if self.table().has_ships(battle.attacker, battle.at) {
                    let bases = battle.units.iter().filter_map(|unit| unit.planet);
                    let shown: Vec<u8> = bases.chain(planets.iter().copied()).collect();
                    self.survey(battle.attacker, star, &shown);
                }
                self.enter(Stage::Planets);
            }
        }
    }

    /// BR-11: who withdrew into a star hex with others attacks them there, before anything else; so does an attacker who
    /// still shares the hex with a third seat. Says whether such a battle began. Those that wait for its end are kept with it.
    fn fight_on(&mut self, battle: &Battle) -> bool {
        let mut pursuits: Vec<Pursuit> = Vec::new();
        for side in [Side::Defender, Side::Attacker] {
            let Some(at) = battle.refuges[side.index()].filter(|&at| StarId::in_hex(at).is_some()) else { continue };
            let withdrawn = battle.units.iter().filter(|unit| unit.condition == Condition::Withdrawn);
            let seats: SeatSet = withdrawn.map(|unit| unit.owner).filter(|&seat| battle.side(seat) == side).collect();
            pursuits.extend(seats.iter().map(|seat| Pursuit { seat, at }));
        }
        pursuits.push(Pursuit { seat: battle.attacker, at: battle.at });
        pursuits.extend_from_slice(&battle.pursuits);
        pursuits.retain(|pursuit| self.table().meets_enemies(pursuit.seat, pursuit.at));
        if pursuits.is_empty() {
            return false;
        }
        let Pursuit { seat, at } = pursuits.remove(0);
        pursuits.retain(|other| *other != Pursuit { seat, at });
        self.begin_battle(seat, at, pursuits);
        true
    }
}
