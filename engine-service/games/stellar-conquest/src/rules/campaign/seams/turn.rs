//! Where articles put something between the steps of a turn.

use heliopause_kernel::Seat;

use crate::rules::campaign::fate::events::fate_before_movement;
use crate::rules::campaign::fate::pirates::fate_roll_refuge;
use crate::rules::campaign::fate::recall;
use crate::rules::campaign::fate::recall::fate_collect_debt;
use crate::rules::campaign::outer_space::landings::land_by_policy;
use crate::rules::campaign::outer_space::latecomers::space_before_battles;
use crate::rules::campaign::outer_space::stages::space_politics;
use crate::rules::referee::Referee;
use crate::state::battle::Battle;
use crate::state::campaign::{Campaign, CampaignStage};
use crate::state::order::Order;
use crate::state::power::Eyes;
use crate::tables::board::Place;
use crate::tables::stars::StarId;

/// Base 12.8, `RefugePolicy::Away`. Fate 7.5: pirates let a die choose; off the board it is rolled
/// again.
pub(crate) fn choose_refuge(referee: &mut Referee<'_>, seat: Seat, battle: &Battle) -> Place {
    if referee.table().campaign.may_withdraw(seat) {
        return referee.eyes(seat).default_refuge(battle);
    }
    fate_roll_refuge(referee).unwrap_or(battle.at)
}

/// Base: nothing comes before the movement. Fate 3: the random event, Swarms, the Sub-Province's
/// corvette, withdrawals.
pub(crate) fn before_movement(referee: &mut Referee<'_>) {
    match referee.table().campaign {
        Campaign::Conquest | Campaign::OuterSpace(_) => {}
        Campaign::Fate(_) => fate_before_movement(referee),
    }
}

/// Base 17: after growth the sheets are open. Space 6: politics come first. Says whether the game
/// goes on.
pub(crate) fn before_sheets(referee: &mut Referee<'_>) -> bool {
    match referee.table().campaign {
        Campaign::Conquest | Campaign::Fate(_) => true,
        Campaign::OuterSpace(_) => space_politics(referee),
    }
}

/// Base 12: nothing comes between exploration and battles. Space 7.1, 9.1: raids, and ships that
/// may not stay where they are. Says whether that is to be settled first.
pub(crate) fn before_battles(referee: &mut Referee<'_>) -> bool {
    match referee.table().campaign {
        Campaign::Conquest | Campaign::Fate(_) => false,
        Campaign::OuterSpace(_) => space_before_battles(referee),
    }
}

/// Base 16.1: landing is free. Space 7.2: transports land where policy has sent them.
pub(crate) fn land_the_last(referee: &mut Referee<'_>, seat: Seat) {
    match referee.table().campaign {
        Campaign::Conquest | Campaign::Fate(_) => {}
        Campaign::OuterSpace(_) => land_by_policy(referee, seat),
    }
}

/// Base: nothing comes between attacks and landings. Fate 3, 6b: debts are paid. Says whether one
/// was paid, or is asked for: then the player may still land, and ends their turn once more.
pub(crate) fn before_landings(referee: &mut Referee<'_>) -> bool {
    match referee.table().campaign {
        Campaign::Conquest | Campaign::OuterSpace(_) => false,
        Campaign::Fate(_) => fate_collect_debt(referee),
    }
}

impl Eyes<'_> {
    /// The default for a decision that only a variant knows.
    pub(crate) fn campaign_default(&self, stage: CampaignStage) -> Order {
        match stage {
            CampaignStage::Recall { half_points, .. } => {
                Order::Recall { ships: self.weakest_worth(half_points) }
            }
            CampaignStage::Place { at } => self.default_place(at),
        }
    }

    /// What is asked at a stage of a variant.
    pub(crate) fn campaign_prompt(stage: CampaignStage) -> String {
        match stage {
            CampaignStage::Recall { half_points, .. } => recall::prompt(half_points),
            CampaignStage::Place { at } => {
                let star =
                    StarId::in_hex(at).map_or_else(|| at.to_string(), |star| star.to_string());
                format!(
                    "Your ships may not stay at {star}: choose a hex beside it, and where they are \
                     bound."
                )
            }
        }
    }
}
