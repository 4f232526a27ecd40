//! Effects that variants add between the steps of a turn.

use heliopause_kernel::Seat;

use crate::rules::campaign::fate::events::fate_before_movement;
use crate::rules::campaign::fate::pirates::fate_roll_refuge;
use crate::rules::campaign::fate::recall;
use crate::rules::campaign::fate::recall::fate_collect_debt;
use crate::rules::campaign::outer_space::landings::land_by_policy;
use crate::rules::campaign::outer_space::latecomers::space_before_battles;
use crate::rules::campaign::outer_space::stages::space_politics;
use crate::rules::referee::Referee;
use crate::state::{Battle, Campaign, CampaignStage, Order, SeatView};
use crate::tables::Place;

/// Returns the default hex for withdrawing enemies, as for `RefugePolicy::Away` (base 12.8). For
/// pirates, a die decides, rerolled if it points off the board (fate 7.5).
pub(crate) fn default_refuge_hex(referee: &mut Referee<'_>, seat: Seat, battle: &Battle) -> Place {
    if referee.table().campaign.may_withdraw(seat) {
        return referee.seat_view(seat).default_refuge(battle);
    }
    fate_roll_refuge(referee).unwrap_or(battle.at)
}

/// Runs before movement. Does nothing in the base game. In The Fate of Empire, plays the random
/// event, Swarms, the Sub-Province's corvette and withdrawals (fate 3).
pub(crate) fn before_movement(referee: &mut Referee<'_>) {
    match referee.table().campaign {
        Campaign::Conquest | Campaign::OuterSpace(_) => {}
        Campaign::Fate(_) => fate_before_movement(referee),
    }
}

/// Runs before the sheets of a production turn (base 17). In Alone in Outer Space, performs the
/// political steps (space 6). Returns whether the game continues.
pub(crate) fn before_sheets(referee: &mut Referee<'_>) -> bool {
    match referee.table().campaign {
        Campaign::Conquest | Campaign::Fate(_) => true,
        Campaign::OuterSpace(_) => space_politics(referee),
    }
}

/// Runs between exploration and battles (base 12). In Alone in Outer Space, handles raids and ships
/// that may not stay (space 7.1, 9.1). Returns whether a battle or decision must be completed
/// first.
pub(crate) fn before_battles(referee: &mut Referee<'_>) -> bool {
    match referee.table().campaign {
        Campaign::Conquest | Campaign::Fate(_) => false,
        Campaign::OuterSpace(_) => space_before_battles(referee),
    }
}

/// Lands the transports that policy sends at the end of a turn in Alone in Outer Space (space 7.2).
/// No transports land automatically in the base game (base 16.1).
pub(crate) fn land_remaining_transports(referee: &mut Referee<'_>, seat: Seat) {
    match referee.table().campaign {
        Campaign::Conquest | Campaign::Fate(_) => {}
        Campaign::OuterSpace(_) => land_by_policy(referee, seat),
    }
}

/// Runs between attacks and landings. In The Fate of Empire, collects debts (fate 3, 6b). Returns
/// whether a debt was paid or demanded. The player may then still land, and must end the turn
/// again.
pub(crate) fn before_landings(referee: &mut Referee<'_>) -> bool {
    match referee.table().campaign {
        Campaign::Conquest | Campaign::OuterSpace(_) => false,
        Campaign::Fate(_) => fate_collect_debt(referee),
    }
}

impl SeatView<'_> {
    pub(crate) fn campaign_default(&self, stage: CampaignStage) -> Order {
        match stage {
            CampaignStage::Recall { half_points, .. } => {
                Order::Recall { ships: self.default_recall(half_points) }
            }
            CampaignStage::Place { at } => self.default_place(at),
        }
    }

    pub(crate) fn campaign_prompt(stage: CampaignStage) -> String {
        match stage {
            CampaignStage::Recall { half_points, .. } => recall::prompt(half_points),
            CampaignStage::Place { at } => {
                let star = at.name();
                format!(
                    "Your ships cannot stay at {star}: choose a neighboring hex and a destination."
                )
            }
        }
    }
}
