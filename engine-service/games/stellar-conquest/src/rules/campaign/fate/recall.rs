//! Fate 4.4: ships that are withdrawn to the Empire, and debts.

use crate::rules::conquest::settle_holds;
use crate::rules::judge::{Verdict, refuse};
use crate::rules::referee::Referee;
use crate::state::campaign::CampaignStage;
use crate::state::campaign::fate::{Fate, FateEvent, RecallStep};
use crate::state::event::{Cause, OwnEvent};
use crate::state::power::Eyes;
use crate::state::ship::{Ship, ShipNumber};
use crate::state::table::Stage;
use crate::tables::board::Place;
use crate::tables::fate::half_points;
use crate::tables::stars::StarId;
use crate::tables::technology::Tech;

/// What is asked.
pub(crate) fn prompt(half_points: u32) -> String {
    format!("The Empire withdraws ships worth {}: choose which.", points(half_points))
}

/// Half ship points, as people write them.
fn points(half_points: u32) -> String {
    let half = if half_points % 2 == 1 { "½" } else { "" };
    match half_points {
        1 => "½ point".to_owned(),
        2 => "1 point".to_owned(),
        _ => format!("{}{half} points", half_points / 2),
    }
}

/// Which sums up to a limit some of the ships reach, from each place of the list on; the last row
/// is for no ship at all.
fn reach(values: &[u32], limit: u32) -> Vec<Vec<bool>> {
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

/// The least sum of ship values that reaches what is owed: exactly it if possible (FR-12), else the
/// smallest above it; all of them if that is less. In half ship points.
fn least_sum(values: &[u32], owed: u32) -> u32 {
    let total: u32 = values.iter().sum();
    if total <= owed {
        return total;
    }
    // Without any one of its ships the least sum would be less than what is owed.
    let limit = total.min(owed + values.iter().copied().max().unwrap_or(0));
    let sums = &reach(values, limit)[0];
    (owed..=limit).find(|&sum| sums[sum as usize]).unwrap_or(total)
}

/// The first ships of a list that are worth a sum which some of them reach, by their places.
fn first_worth(values: &[u32], sum: u32) -> Vec<usize> {
    let rows = reach(values, sum);
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

impl Eyes<'_> {
    /// The ships that can be withdrawn now: those in star hexes; with Unlimited Ship Communication
    /// all on the board. Transports are worth nothing, so they stay.
    pub(crate) fn recallable(&self) -> Vec<ShipNumber> {
        let anywhere = self.power.research.has(Tech::UnlimitedShipCommunication);
        let hears = |at: Place| anywhere || StarId::in_hex(at).is_some();
        let goes = |ship: &&Ship| half_points(ship.kind()) > 0 && ship.at.is_some_and(hears);
        self.power.ships.iter().filter(goes).map(|ship| ship.number).collect()
    }

    /// What each of one's ships is worth.
    fn values(&self, ships: &[ShipNumber]) -> Vec<u32> {
        let value = |&number: &ShipNumber| {
            self.power.ship(number).map_or(0, |ship| half_points(ship.kind()))
        };
        ships.iter().map(value).collect()
    }

    /// What the chosen ships are worth together if so much is owed.
    pub(crate) fn recall_sum(&self, owed: u32) -> u32 {
        least_sum(&self.values(&self.recallable()), owed)
    }

    /// The ships of who chooses none: scouts first, then the next weakest.
    pub(crate) fn weakest_worth(&self, owed: u32) -> Vec<ShipNumber> {
        let mut ships = self.recallable();
        ships.sort_by_key(|&number| {
            self.power.ship(number).map_or(0, |ship| half_points(ship.kind()))
        });
        let values = self.values(&ships);
        first_worth(&values, least_sum(&values, owed))
            .into_iter()
            .map(|place| ships[place])
            .collect()
    }

    /// 6b: whether a landing has to wait for a debt: one that can be paid, at least in part, and
    /// was not asked for in this player-turn. The player then ends their attacks by
    /// `Order::EndTurn`, which asks for it.
    pub(crate) fn judge_debt(&self) -> Verdict {
        let owed = self.table.campaign.fate().is_some_and(|fate| fate.debt > 0);
        if owed && !self.power.landing && !self.recallable().is_empty() {
            return refuse(
                "debt-first",
                "fate-4.4",
                "End your attacks first: the Empire is owed ships, then you land.",
            );
        }
        Ok(())
    }

    /// 4.4: ships that can go, each named once, worth what is owed or the least above it.
    pub(crate) fn judge_recall(&self, ships: &[ShipNumber]) -> Verdict {
        self.may_act(self.table.stage, "fate-4.4")?;
        let Stage::Campaign(CampaignStage::Recall { half_points: owed, .. }) = self.table.stage
        else {
            return refuse("wrong-step", "fate-4.4", "The Empire asks for no ships now.");
        };
        let can_go = self.recallable();
        let mut named = ships.to_vec();
        named.sort_unstable();
        if named.windows(2).any(|pair| pair[0] == pair[1]) {
            return refuse("named-twice", "fate-4.4", "A ship is named twice.");
        }
        if let Some(number) = named.iter().find(|number| can_go.binary_search(number).is_err()) {
            let message = format!(
                "Ship {number} is none of yours that can leave now: armed ships and scouts at \
                 stars can."
            );
            return refuse("cannot-leave", "fate-4.4", message);
        }
        let worth: u32 = self.values(&named).iter().sum();
        let due = least_sum(&self.values(&can_go), owed);
        if worth != due {
            let message = format!(
                "These ships are worth {}; choose ships worth {}.",
                points(worth),
                points(due)
            );
            return refuse("wrong-sum", "FR-12", message);
        }
        Ok(())
    }
}

/// 4.4: an event demands so many half ship points.
pub(super) fn demand(referee: &mut Referee<'_>, owed: u32) {
    if owed == 0 {
        return;
    }
    if let Some(rest) = call_in(referee, owed, RecallStep::Event).filter(|&rest| rest > 0) {
        let half_points = referee.fate().debt.saturating_add(rest);
        referee.proclaim(FateEvent::DebtChanged { half_points });
    }
}

/// Takes all ships that can go if they are worth no more than is owed, and says what is owed then;
/// otherwise asks which.
fn call_in(referee: &mut Referee<'_>, owed: u32, when: RecallStep) -> Option<u32> {
    let eyes = referee.eyes(Fate::captain());
    let ships = eyes.recallable();
    let worth: u32 = eyes.values(&ships).iter().sum();
    if worth > owed {
        referee.enter(Stage::Campaign(CampaignStage::Recall { half_points: owed, when }));
        return None;
    }
    send_home(referee, ships);
    Some(owed - worth)
}

/// Ships leave for the Empire. Planets that they guarded are settled at once (15.5).
fn send_home(referee: &mut Referee<'_>, ships: Vec<ShipNumber>) {
    if ships.is_empty() {
        return;
    }
    let seat = Fate::captain();
    let place = |&number: &ShipNumber| referee.power(seat).ship(number).and_then(|ship| ship.at);
    let mut places: Vec<Place> = ships.iter().filter_map(place).collect();
    places.sort_unstable();
    places.dedup();
    referee.whisper(OwnEvent::ShipsLost { seat, ships, cause: Cause::Recalled });
    for at in places {
        referee.show_groups(seat, at);
    }
    settle_holds(referee);
}

/// Withdraws ships that were judged; then the turn goes on with its movement, or with its landings.
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

/// Step 6b: asks for a debt that can be paid, once a player-turn, before the first landing. All
/// ships that can go are taken without asking if they are worth no more than the debt. Says whether
/// anything was paid or asked for: then the player-turn is not over, as landings had to wait for
/// it.
pub(crate) fn fate_collect_debt(referee: &mut Referee<'_>) -> bool {
    let (seat, debt) = (Fate::captain(), referee.fate().debt);
    if debt == 0 || referee.power(seat).landing || referee.eyes(seat).recallable().is_empty() {
        return false;
    }
    if let Some(rest) = call_in(referee, debt, RecallStep::Debt) {
        pay_debt(referee, rest);
    }
    true
}

/// What is left of the debt; then landings begin, so that it is not asked for again in this
/// player-turn.
fn pay_debt(referee: &mut Referee<'_>, rest: u32) {
    referee.proclaim(FateEvent::DebtChanged { half_points: rest });
    referee.whisper(OwnEvent::LandingBegan { seat: Fate::captain() });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::campaign::fate::scenes::{begin_turn, captain, conquered};
    use crate::state::colony::Hold;
    use crate::state::event::{Event, TableEvent};
    use crate::state::order::Order;
    use crate::tables::ships::Fleet;
    use crate::tables::ships::ShipKind;
    use crate::testing::{Scene, place};

    const SCOUT: u32 = half_points(ShipKind::Scout);
    const CORVETTE: u32 = half_points(ShipKind::Corvette);
    const FIGHTER: u32 = half_points(ShipKind::Fighter);

    fn owed(scene: &Scene) -> Option<u32> {
        match scene.game.table().stage {
            Stage::Campaign(CampaignStage::Recall { half_points, .. }) => Some(half_points),
            _ => None,
        }
    }

    fn recall(ships: &[ShipNumber]) -> Order {
        Order::Recall { ships: ships.to_vec() }
    }

    #[test]
    fn fr_12_the_least_sum() {
        assert_eq!(least_sum(&[FIGHTER, FIGHTER, CORVETTE, SCOUT], 10), 10);
        assert_eq!(least_sum(&[FIGHTER; 3], 10), 12);
        assert_eq!(least_sum(&[CORVETTE; 4], 18), 8);
        assert_eq!(least_sum(&[10, 10, FIGHTER], 12), 14);
        assert_eq!(least_sum(&[10], 2), 10);
        assert_eq!(least_sum(&[SCOUT; 9], 4), 4);
        assert_eq!(least_sum(&[], 4), 0);
        assert_eq!(least_sum(&[10; 400], u32::MAX), 4_000);
    }

    #[test]
    fn fate_4_4_the_default_are_the_fewest_points_scouts_first() {
        assert_eq!(first_worth(&[SCOUT, CORVETTE, FIGHTER, FIGHTER], 10), [1, 2, 3]);
        assert_eq!(first_worth(&[SCOUT, SCOUT, CORVETTE, CORVETTE], 4), [0, 1, 2]);
        assert_eq!(first_worth(&[FIGHTER, FIGHTER], 0), [0; 0]);
    }

    #[test]
    fn ft_04_five_points_of_two_fighters_a_corvette_and_a_scout() {
        let mut scene = Scene::fate();
        let kinds = [(ShipKind::Scout, 1), (ShipKind::Corvette, 1), (ShipKind::Fighter, 2)];
        let ships = scene.ships(captain(), "L18", &kinds);
        let [scout, corvette, one, two] = ships[..] else { panic!("there are four ships") };
        let (mut scene, _) = begin_turn(scene, 5, &[3, 1, 5]);
        assert_eq!(owed(&scene), Some(10));
        assert_eq!(scene.game.eyes(captain()).weakest_worth(10), [corvette, one, two]);
        assert_eq!(scene.refused(captain(), recall(&[one, two, scout])), "wrong-sum");
        assert_eq!(scene.refused(captain(), recall(&[one, two, corvette, scout])), "wrong-sum");
        assert_eq!(scene.refused(captain(), recall(&[one, one, corvette])), "named-twice");
        assert_eq!(scene.refused(Fate::pirates(), recall(&[])), "not-your-turn");
        assert!(scene.order(captain(), recall(&[two, corvette, one])).is_ok());
        assert_eq!(scene.power(captain()).fleet_at(place("L18")), Fleet::new([1, 0, 0, 0, 0]));
        assert_eq!((scene.game.table().stage, scene.fate_state().debt), (Stage::Movement, 0));
        assert_eq!(scene.fate_state().lost, Fleet::NONE);
        assert_eq!(scene.refused(captain(), recall(&[scout])), "wrong-step");
    }

    #[test]
    fn ft_05_no_sum_of_fighters_is_five() {
        let mut scene = Scene::fate();
        let ships = scene.ships(captain(), "L18", &[(ShipKind::Fighter, 3)]);
        let (mut scene, _) = begin_turn(scene, 5, &[3, 1, 5]);
        assert_eq!(scene.game.eyes(captain()).recall_sum(10), 12);
        assert_eq!(scene.refused(captain(), recall(&ships[..2])), "wrong-sum");
        assert!(scene.order(captain(), recall(&ships)).is_ok());
        assert_eq!(scene.fate_state().debt, 0, "what is above is not paid back");
    }

    #[test]
    fn ft_06_a_debt_is_paid_when_ships_arrive() {
        let mut scene = Scene::fate();
        scene.ships(captain(), "L18", &[(ShipKind::Corvette, 4), (ShipKind::Transport, 2)]);
        scene.ships(captain(), "M16", &[(ShipKind::Corvette, 6)]);
        let (mut scene, _) = begin_turn(scene, 5, &[3, 5, 4, 5]);
        assert_eq!((scene.game.table().stage, scene.fate_state().debt), (Stage::Movement, 10));
        assert_eq!(
            scene.power(captain()).fleet_at(place("L18")),
            Fleet::new([0, 2, 0, 0, 0]),
            "transports stay"
        );
        scene.ships(captain(), "O16", &[(ShipKind::Corvette, 3)]);
        scene.happen(&Event::Table(TableEvent::StageChanged { stage: Stage::Planets }));
        assert!(scene.game.eyes(captain()).judge_before_landing().is_err());
        assert!(scene.order(captain(), Order::EndTurn).is_ok());
        assert_eq!((scene.game.table().stage, scene.fate_state().debt), (Stage::Planets, 4));
        assert!(scene.game.eyes(captain()).judge_before_landing().is_ok(), "now they may land");
        assert_eq!(scene.power(captain()).fleet_at(place("M16")), Fleet::new([0, 0, 6, 0, 0]));
    }

    #[test]
    fn ft_06_with_unlimited_ship_communication_ships_between_stars_go_at_once() {
        let mut scene = Scene::fate();
        let mut ships = scene.ships(captain(), "L18", &[(ShipKind::Corvette, 4)]);
        ships.extend(scene.ships(captain(), "M16", &[(ShipKind::Corvette, 6)]));
        scene.owns(captain(), &[Tech::UnlimitedShipCommunication]);
        let (mut scene, _) = begin_turn(scene, 5, &[3, 5, 4, 5]);
        assert_eq!(owed(&scene), Some(18));
        assert_eq!(scene.refused(captain(), recall(&ships[..8])), "wrong-sum");
        assert!(scene.order(captain(), recall(&ships[..9])).is_ok());
        assert_eq!(scene.power(captain()).ships.len(), 1);
    }

    #[test]
    fn fate_4_4_ships_between_stars_and_off_the_board_cannot_go() {
        let mut scene = Scene::fate();
        scene.ships(captain(), "L18", &[(ShipKind::Corvette, 7)]);
        let far = scene.ships(captain(), "M16", &[(ShipKind::Corvette, 5)]);
        let (mut scene, _) = begin_turn(scene, 5, &[3, 1, 5]);
        assert_eq!(scene.refused(captain(), recall(&far)), "cannot-leave");
    }

    #[test]
    fn fate_4_4_of_ships_for_a_debt_the_player_chooses() {
        let mut scene = Scene::fate();
        scene.happen(&Event::Fate(FateEvent::DebtChanged { half_points: 3 }));
        let ships = scene.ships(captain(), "L18", &[(ShipKind::Scout, 2), (ShipKind::Corvette, 2)]);
        scene.happen(&Event::Table(TableEvent::StageChanged { stage: Stage::Planets }));
        assert!(scene.order(captain(), Order::EndTurn).is_ok());
        assert_eq!(owed(&scene), Some(3));
        assert!(scene.order(captain(), recall(&[ships[1], ships[3]])).is_ok());
        assert_eq!((scene.game.table().stage, scene.fate_state().debt), (Stage::Planets, 0));
        assert!(scene.power(captain()).landing, "landings have begun, attacks are over");
    }

    #[test]
    fn fate_4_4_debts_add_up() {
        let mut scene = Scene::fate();
        scene.happen(&Event::Fate(FateEvent::DebtChanged { half_points: 3 }));
        let (scene, _) = begin_turn(scene, 5, &[3, 1, 5]);
        assert_eq!(scene.fate_state().debt, 13);
    }

    #[test]
    fn fate_8_4_a_planet_whose_guard_is_withdrawn_is_independent_again() {
        let mut scene = Scene::fate();
        scene.explored(captain(), "Alcor", 25);
        scene.ships(captain(), "L18", &[(ShipKind::Corvette, 1)]);
        let planet = conquered(&mut scene, "Alcor", 0, |colony| colony);
        let (scene, _) = begin_turn(scene, 5, &[3, 1, 5]);
        assert!(scene.power(captain()).prizes.is_empty());
        assert_eq!(
            scene.power(Fate::independents()).colony(planet).map(|colony| colony.hold),
            Some(Hold::Free)
        );
    }

    #[test]
    fn fate_4_4_prompts() {
        assert_eq!(prompt(9), "The Empire withdraws ships worth 4½ points: choose which.");
        assert_eq!([points(1), points(2), points(4)], ["½ point", "1 point", "2 points"]);
    }
}
