//! Rules 12.7, 12.8: withdrawals after a round and their destinations.

use std::collections::BTreeMap;

use heliopause_kernel::{Seat, SeatSet};

use crate::rules::battle::line::ships_of;
use crate::rules::battle::stages::Step;
use crate::rules::campaign::hooks::battle::{before_next_round, before_unarmed_withdrawal};
use crate::rules::inspection::notify_watchers;
use crate::rules::judge::{Verdict, refuse};
use crate::rules::movement::split_off;
use crate::rules::referee::Referee;
use crate::state::{
    Battle, BattleEvent, BattleStage, Event, OwnEvent, SeatView, Ship, ShipNumber, Side,
    TableEvent, Unit, UnitId, Withdrawal,
};
use crate::tables::{Fleet, Place, StarId};

impl SeatView<'_> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "nobody withdraws in other stages")]
    pub(crate) fn judge_withdraw(&self, groups: &[Withdrawal]) -> Verdict {
        let battle = self.asked_in_battle("12.7")?;
        let forced = match battle.stage {
            BattleStage::AttackerLeaves { forced } => forced,
            BattleStage::DefenderLeaves { .. } => false,
            _ => return refuse!("wrong-step/withdraw"),
        };
        if groups.iter().any(|group| group.units.is_empty()) {
            return refuse!("no-ships/group");
        }
        let units: Vec<UnitId> = groups.iter().flat_map(|group| &group.units).copied().collect();
        let mut leaves = vec![false; battle.units.len()];
        for &id in &units {
            let own = battle.unit(id).filter(|unit| unit.owner == self.seat && unit.is_fighting());
            if own.and_then(Unit::ship).is_none() {
                return refuse!("not-yours/withdrawing", id = id.0);
            }
            if std::mem::replace(&mut leaves[id.index()], true) {
                return refuse!("named-twice/unit", id = id.0);
            }
        }
        if forced && units.len() < self.own_units(battle).len() {
            return refuse!("all-must-leave");
        }
        if !units.is_empty() && !self.table.campaign.may_withdraw(self.seat) {
            return refuse!("never-withdraws");
        }
        if self.needs_no_destination() {
            return Ok(());
        }
        groups.iter().try_for_each(|group| self.judge_destination(battle, group.destination))
    }

    fn judge_destination(&self, battle: &Battle, destination: Option<StarId>) -> Verdict {
        match destination {
            None => refuse!("no-destination/withdrawing"),
            Some(star) if star.at() == battle.at => refuse!("back-again/withdrawing", star),
            Some(star) if self.is_open(star) || self.open_stars(battle.at).contains(&star) => {
                Ok(())
            }
            Some(star) => self.passage(star).verdict(star),
        }
    }

    pub(crate) fn judge_send_to(&self, at: Place) -> Verdict {
        let battle = self.asked_in_battle("12.8")?;
        if !matches!(battle.stage, BattleStage::Refuge { .. }) {
            return refuse!("wrong-step/refuge");
        }
        if battle.at.distance(at) != 1 {
            return refuse!("not-adjacent/refuge", at, battle = battle.at);
        }
        Ok(())
    }

    pub(crate) fn own_units(&self, battle: &Battle) -> Vec<UnitId> {
        let side = battle.fighting(battle.side(self.seat));
        side.filter(|(_, unit)| unit.owner == self.seat).map(|(id, _)| id).collect()
    }

    /// Returns the neighboring hex farthest from the entry hex of the withdrawing seat, preferably
    /// not a star hex. The first direction wins ties. The result depends only on public facts.
    pub(crate) fn default_refuge(&self, battle: &Battle) -> Place {
        let leaver = battle.leaving.first().and_then(|&id| battle.unit(id)).map(|unit| unit.owner);
        let entry = leaver.and_then(|seat| self.table.entry(seat)).unwrap_or(battle.at);
        let worth =
            |at: &Place| (StarId::in_hex(*at).is_some(), std::cmp::Reverse(at.distance(entry)));
        battle.at.neighbors().min_by_key(worth).unwrap_or(battle.at)
    }
}

pub(super) fn is_won(battle: &Battle) -> bool {
    [Side::Attacker, Side::Defender].iter().any(|&side| battle.fleet(side).is_empty())
}

/// Returns the next step if a side has no ships left (rule 12.7 i) or neither side has a warship
/// (rule 12.7 ii).
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

pub(super) fn next_round(referee: &mut Referee<'_>) -> Step {
    if let Some(step) = decision(referee) {
        return step;
    }
    if referee.battle().rounds > 0 && before_next_round(referee) { Step::Over } else { Step::Round }
}

/// Withdraws the groups of a seat. The opponent chooses the hex, once per battle (rule 12.8,
/// BR-12).
pub(super) fn leave(referee: &mut Referee<'_>, seat: Seat, groups: &[Withdrawal]) -> Step {
    let battle = referee.battle();
    let (at, side) = (battle.at, battle.side(seat));
    let defends = matches!(battle.stage, BattleStage::DefenderLeaves { .. });
    let waiting = if defends { battle.waits_for().without(seat) } else { SeatSet::EMPTY };
    let units: Vec<UnitId> = groups.iter().flat_map(|group| &group.units).copied().collect();
    if !units.is_empty() {
        referee.publish_battle(BattleEvent::Withdrawing { units });
    }
    for Withdrawal { units, destination } in groups {
        let ships = ships_of(referee, seat, referee.battle(), units);
        let destination = destination.filter(|_| !referee.seat_view(seat).needs_no_destination());
        let departed = StarId::in_hex(at);
        referee.publish_to_owner(OwnEvent::ShipsMoved {
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
        Some(refuge) => move_withdrawn(referee, side, refuge),
        None => Step::Leaving,
    }
}

pub(super) fn withdraw_to(referee: &mut Referee<'_>, at: Place) -> Option<Step> {
    if let BattleStage::Refuge { leaving } = referee.battle().stage {
        Some(move_withdrawn(referee, leaving, at))
    } else {
        None
    }
}

/// Moves withdrawing ships (rule 12.8). Neither range (BR-7) nor clouds affect them.
fn move_withdrawn(referee: &mut Referee<'_>, side: Side, to: Place) -> Step {
    let battle = referee.battle().clone();
    referee.publish_battle(BattleEvent::RefugeChosen { side, at: to });
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
        referee
            .publish_to_all(Event::Table(TableEvent::Passed { seat, path: vec![battle.at, to] }));
        split_off(referee, seat, &ships);
        let departed = StarId::in_hex(battle.at);
        for (destination, ships) in bound {
            referee.publish_to_owner(OwnEvent::ShipsMoved {
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
        notify_watchers(referee, seat, to, fleet);
    }
    after_leaving(referee, side)
}

fn after_leaving(referee: &mut Referee<'_>, side: Side) -> Step {
    match side {
        Side::Attacker if referee.battle().fleet(Side::Attacker).is_empty() => Step::Over,
        Side::Attacker => Step::Stayed { waiting: SeatSet::EMPTY },
        Side::Defender => next_round(referee),
    }
}
