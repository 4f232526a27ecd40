//! Fate 4.4: ships withdrawn to the Empire, and debts.

use crate::rules::conquest::update_control;
use crate::rules::judge::{Verdict, refuse};
use crate::rules::referee::Referee;
use crate::state::{
    CampaignStage, Cause, Fate, FateEvent, OwnEvent, RecallStep, SeatView, Ship, ShipNumber, Stage,
};
use crate::tables::fate::half_points;
use crate::tables::texts::halves;
use crate::tables::{Place, StarId, Tech};

pub(crate) fn prompt(half_points: u32) -> String {
    format!("The Empire withdraws ships worth {}: choose which.", points(half_points))
}

fn points(half_points: u32) -> String {
    match half_points {
        1 => "½ point".to_owned(),
        2 => "1 point".to_owned(),
        _ => format!("{} points", halves(half_points)),
    }
}

/// Returns which sums up to `limit` are possible. Row `i` holds, for each sum, whether some of
/// `values[i..]` add up to the sum.
fn possible_sums(values: &[u32], limit: u32) -> Vec<Vec<bool>> {
    let limit = limit as usize;
    let mut rows = Vec::with_capacity(values.len() + 1);
    let mut row = vec![false; limit + 1];
    row[0] = true;
    for &value in values.iter().rev() {
        let reaches =
            |sum: usize| row[sum] || sum.checked_sub(value as usize).is_some_and(|rest| row[rest]);
        let next: Vec<bool> = (0..=limit).map(reaches).collect();
        rows.push(std::mem::replace(&mut row, next));
    }
    rows.push(row);
    rows.reverse();
    rows
}

/// Returns the smallest sum that covers `owed` (FR-12), or the total if that is less.
fn required_sum(values: &[u32], owed: u32) -> u32 {
    let total: u32 = values.iter().sum();
    if total <= owed {
        return total;
    }
    // Without any of its values, the smallest sum would not cover `owed`, so this limit suffices.
    let limit = total.min(owed + values.iter().copied().max().unwrap_or(0));
    let sums = &possible_sums(values, limit)[0];
    (owed..=limit).find(|&sum| sums[sum as usize]).unwrap_or(total)
}

/// Returns the indices of values that add up to `sum`, preferring earlier values. Such values must
/// exist.
fn first_with_sum(values: &[u32], sum: u32) -> Vec<usize> {
    let rows = possible_sums(values, sum);
    let mut left = sum as usize;
    let mut chosen = Vec::new();
    for (place, &value) in values.iter().enumerate() {
        match left.checked_sub(value as usize) {
            Some(rest) if value > 0 && rows[place + 1][rest] => {
                chosen.push(place);
                left = rest;
            }
            _ => {}
        }
    }
    chosen
}

impl SeatView<'_> {
    /// Returns the ships that can be withdrawn now: those in star hexes, or all on the board with
    /// Unlimited Ship Communication. Transports are worth nothing and stay.
    pub(crate) fn recallable(&self) -> Vec<ShipNumber> {
        let anywhere = self.power.research.has(Tech::UnlimitedShipCommunication);
        let hears = |at: Place| anywhere || StarId::in_hex(at).is_some();
        let goes = |ship: &&Ship| half_points(ship.kind()) > 0 && ship.at.is_some_and(hears);
        self.power.ships.iter().filter(goes).map(|ship| ship.number).collect()
    }

    fn values(&self, ships: &[ShipNumber]) -> Vec<u32> {
        let value = |&number: &ShipNumber| {
            self.power.ship(number).map_or(0, |ship| half_points(ship.kind()))
        };
        ships.iter().map(value).collect()
    }

    pub(crate) fn recall_sum(&self, owed: u32) -> u32 {
        required_sum(&self.values(&self.recallable()), owed)
    }

    pub(crate) fn default_recall(&self, owed: u32) -> Vec<ShipNumber> {
        let mut ships = self.recallable();
        ships.sort_by_key(|&number| {
            self.power.ship(number).map_or(0, |ship| half_points(ship.kind()))
        });
        let values = self.values(&ships);
        first_with_sum(&values, required_sum(&values, owed))
            .into_iter()
            .map(|place| ships[place])
            .collect()
    }

    /// Rejects landings while a debt can be paid. `Order::EndTurn` ends the attacks and triggers
    /// the demand (step 6b).
    pub(crate) fn judge_debt(&self) -> Verdict {
        let owed = self.table.campaign.fate().map_or(0, |fate| fate.debt);
        if owed > 0 && !self.power.landing && !self.recallable().is_empty() {
            return refuse!("debt-first", points = points(owed));
        }
        Ok(())
    }

    pub(crate) fn judge_recall(&self, ships: &[ShipNumber]) -> Verdict {
        self.may_act(self.table.stage, "fate-4.4")?;
        let Stage::Campaign(CampaignStage::Recall { half_points: owed, .. }) = self.table.stage
        else {
            return refuse!("wrong-step/recall");
        };
        let can_go = self.recallable();
        let mut named = ships.to_vec();
        named.sort_unstable();
        if let Some([twice, ..]) = named.windows(2).find(|pair| pair[0] == pair[1]) {
            return refuse!("named-twice/ship", rule = "fate-4.4", twice);
        }
        if let Some(number) = named.iter().find(|number| can_go.binary_search(number).is_err()) {
            let place = if self.power.research.has(Tech::UnlimitedShipCommunication) {
                "on the board"
            } else {
                "at stars"
            };
            return refuse!("cannot-leave", number, place);
        }
        let worth: u32 = self.values(&named).iter().sum();
        let due = required_sum(&self.values(&can_go), owed);
        if worth != due {
            return refuse!("wrong-sum", worth = points(worth), due = points(due));
        }
        Ok(())
    }
}

pub(super) fn demand(referee: &mut Referee<'_>, owed: u32) {
    if owed == 0 {
        return;
    }
    if let Some(rest) = demand_ships(referee, owed, RecallStep::Event).filter(|&rest| rest > 0) {
        let half_points = referee.fate().debt.saturating_add(rest);
        referee.publish_fate(FateEvent::DebtChanged { half_points });
    }
}

/// Withdraws all ships if they are worth at most `owed`, and returns the unpaid rest. Otherwise
/// asks the player to choose the ships, and returns `None`.
fn demand_ships(referee: &mut Referee<'_>, owed: u32, when: RecallStep) -> Option<u32> {
    let seat_view = referee.seat_view(Fate::captain());
    let ships = seat_view.recallable();
    let worth: u32 = seat_view.values(&ships).iter().sum();
    if worth > owed {
        referee.enter(Stage::Campaign(CampaignStage::Recall { half_points: owed, when }));
        return None;
    }
    send_home(referee, ships);
    Some(owed - worth)
}

/// Withdraws ships to the Empire, and updates the control of the planets that the ships guarded
/// (15.5).
fn send_home(referee: &mut Referee<'_>, ships: Vec<ShipNumber>) {
    if ships.is_empty() {
        return;
    }
    let seat = Fate::captain();
    let place = |&number: &ShipNumber| referee.power(seat).ship(number).and_then(|ship| ship.at);
    let mut places: Vec<Place> = ships.iter().filter_map(place).collect();
    places.sort_unstable();
    places.dedup();
    referee.lose_ships(seat, ships, Cause::Recalled);
    for at in places {
        referee.show_groups(seat, at);
    }
    update_control(referee);
}

pub(crate) fn recall(referee: &mut Referee<'_>, ships: &[ShipNumber]) {
    let Stage::Campaign(CampaignStage::Recall { when, .. }) = referee.table().stage else { return };
    send_home(referee, ships.to_vec());
    match when {
        RecallStep::Event => referee.enter(Stage::Movement),
        RecallStep::Debt => {
            pay_debt(referee, 0);
            referee.enter(Stage::Planets);
        }
    }
}

/// Collects the debt in step 6b, once per player-turn, before the first landing. Returns whether
/// anything was paid or demanded. In that case the turn continues, because the player may now land.
pub(crate) fn fate_collect_debt(referee: &mut Referee<'_>) -> bool {
    let (seat, debt) = (Fate::captain(), referee.fate().debt);
    if debt == 0 || referee.power(seat).landing || referee.seat_view(seat).recallable().is_empty() {
        return false;
    }
    if let Some(rest) = demand_ships(referee, debt, RecallStep::Debt) {
        pay_debt(referee, rest);
    }
    true
}

/// Stores the rest of the debt and starts the landings, which prevents another demand.
fn pay_debt(referee: &mut Referee<'_>, rest: u32) {
    referee.publish_fate(FateEvent::DebtChanged { half_points: rest });
    referee.publish_to_owner(OwnEvent::LandingBegan { seat: Fate::captain() });
}
