//! More places where an article replaces a rule: landings on conquered planets, defaults at a deadline, the end of the game.

use heliopause_kernel::{Seat, SeatSet};

use crate::rules::campaign::fate::independents::fate_garrison;
use crate::rules::campaign::fate::pirates::fate_roll_refuge;
use crate::rules::campaign::fate::recall::recall;
use crate::rules::campaign::outer_space::latecomers::place;
use crate::rules::judge::{Verdict, refuse};
use crate::rules::referee::Referee;
use crate::state::battle::Battle;
use crate::state::campaign::fate::{Fate, Level};
use crate::state::campaign::{Campaign, CampaignStage, Grade};
use crate::state::order::Order;
use crate::state::power::{Eyes, Power, Prize};
use crate::state::ship::ShipNumber;
use crate::tables::board::Place;

impl Campaign {
    /// Base 19.1: planets count. Fate 11: the article's own points.
    pub(crate) fn score(&self, power: &Power) -> Option<i64> {
        self.fate().map(|fate| fate.score(power).total())
    }

    /// Base 19.1: most points win, ties share. Fate 11: levels; only a defeat does not win. Space 11: of the powers left.
    pub(crate) fn judge_points(&self, points: &[i64]) -> (SeatSet, Option<Grade>) {
        let best = points.iter().max().copied().unwrap_or(0);
        match self {
            Self::Conquest => {
                let winners = points.iter().enumerate().filter(|&(_, &points)| points == best);
                (winners.map(|(index, _)| Seat::at(index)).collect(), None)
            }
            Self::OuterSpace(politics) => {
                let left = || Seat::first(points.len()).filter(|&seat| !politics.is_fallen(seat));
                let best = left().map(|seat| points[seat.index()]).max();
                (left().filter(|seat| Some(points[seat.index()]) == best).collect(), None)
            }
            Self::Fate(_) => {
                let level = Level::of(best);
                let winners = if level == Level::Defeat { SeatSet::EMPTY } else { SeatSet::one(Fate::captain()) };
                (winners, Some(Grade::Fate(level)))
            }
        }
    }
}

impl Eyes<'_> {
    /// Base 16.2: nobody lands on a conquered colony. Fate 8.5: a garrison does.
    pub(crate) fn judge_landing_on_prize(&self, ships: &[ShipNumber], prize: &Prize) -> Verdict {
        match self.table.campaign {
            Campaign::Conquest | Campaign::OuterSpace(_) => {
                refuse("conquered", "16.2", "Your own people do not land on a conquered colony.")
            }
            Campaign::Fate(_) => self.judge_garrison(ships, prize),
        }
    }
}

/// Base 16.2: nobody lands there. Fate 8.5: a garrison lands.
pub(crate) fn land_on_prize(referee: &mut Referee<'_>, ships: &[ShipNumber], prize: Prize) {
    match referee.table().campaign {
        Campaign::Conquest | Campaign::OuterSpace(_) => {}
        Campaign::Fate(_) => fate_garrison(referee, ships, prize),
    }
}

/// Base 12.8, `RefugePolicy::Away`. Fate 7.5: pirates let a die choose; off the board it is rolled again.
pub(crate) fn choose_refuge(referee: &mut Referee<'_>, seat: Seat, battle: &Battle) -> Place {
    if referee.table().campaign.may_withdraw(seat) {
        return referee.eyes(seat).default_refuge(battle);
    }
    fate_roll_refuge(referee).unwrap_or(battle.at)
}

/// The default for a decision that only a variant knows.
pub(crate) fn take_campaign_default(referee: &mut Referee<'_>, stage: CampaignStage) {
    match stage {
        CampaignStage::Recall { half_points, .. } => {
            let ships = referee.eyes(referee.table().active).weakest_worth(half_points);
            recall(referee, &ships);
        }
        CampaignStage::Place { at } => {
            if let Order::Place { at, destination } = referee.eyes(referee.table().active).default_place(at) {
                place(referee, at, destination);
            }
        }
    }
}
