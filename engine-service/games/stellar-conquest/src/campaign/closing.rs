//! More places where an article replaces a rule: landings on conquered planets, defaults at a deadline, the end of the game.

use heliopause_kernel::{Seat, SeatSet};

use crate::battle::Battle;
use crate::board::{Direction, Place};
use crate::campaign::{Campaign, CampaignStage, Fate, FateEvent, Grade, Level};
use crate::event::Event;
use crate::judge::{Verdict, refuse};
use crate::power::{Eyes, Power, Prize};
use crate::referee::Referee;
use crate::ship::{ShipKind, ShipNumber};

use super::fate::recall;

impl Campaign {
    /// Base 19.1: planets count. Fate 11: the article's own points.
    pub(crate) fn score(&self, power: &Power) -> Option<i64> {
        self.fate().map(|fate| fate.score(power).total())
    }

    /// Base 19.1: most points win, ties share. Fate 11: levels; only a defeat does not win.
    pub(crate) fn judge_points(&self, points: &[i64]) -> (SeatSet, Option<Grade>) {
        let best = points.iter().max().copied().unwrap_or(0);
        match self {
            Self::Conquest => {
                let winners = points.iter().enumerate().filter(|&(_, &points)| points == best);
                (winners.map(|(index, _)| Seat::at(index)).collect(), None)
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
            Campaign::Conquest => refuse("conquered", "16.2", "Your own people do not land on a conquered colony."),
            Campaign::Fate(_) => self.judge_garrison(ships, prize),
        }
    }

    /// Fate 4.4: what is withdrawn by default: the fewest points that are enough, scouts first.
    fn default_recall(&self, owed: u32) -> Vec<ShipNumber> {
        let worth = |kind| match kind {
            ShipKind::Scout => 1,
            ShipKind::Transport => 0,
            ShipKind::Corvette => 2,
            ShipKind::Fighter => 4,
            ShipKind::DeathStar => 10,
        };
        let power = self.power;
        let kinds = self.recallable().into_iter().filter_map(|number| power.ship(number));
        let mut ships: Vec<(u32, ShipNumber)> = kinds.map(|ship| (worth(ship.kind()), ship.number)).collect();
        ships.retain(|&(value, _)| value > 0);
        ships.sort_unstable();
        let values: Vec<u32> = ships.iter().map(|&(value, _)| value).collect();
        let mut left = recall::least_sum(&values, owed) as usize;
        // Which sums the ships from each one on can still reach.
        let mut reach = vec![vec![false; left + 1]; ships.len() + 1];
        reach[ships.len()][0] = true;
        for (nth, &value) in values.iter().enumerate().rev() {
            for sum in 0..=left {
                let with = sum.checked_sub(value as usize).is_some_and(|rest| reach[nth + 1][rest]);
                reach[nth][sum] = reach[nth + 1][sum] || with;
            }
        }
        let mut chosen = Vec::new();
        for (nth, &(value, number)) in ships.iter().enumerate() {
            if let Some(rest) = left.checked_sub(value as usize).filter(|&rest| reach[nth + 1][rest]) {
                chosen.push(number);
                left = rest;
            }
        }
        chosen
    }
}

impl Referee<'_> {
    /// Base 16.2: nobody lands there. Fate 8.5: a garrison lands.
    pub(crate) fn land_on_prize(&mut self, ships: &[ShipNumber], prize: Prize) {
        match self.table().campaign {
            Campaign::Conquest => {}
            Campaign::Fate(_) => self.fate_garrison(ships, prize),
        }
    }

    /// Base 12.8, `RefugePolicy::Away`. Fate 7.5: pirates let a die choose; off the board it is rolled again.
    pub(crate) fn choose_refuge(&mut self, seat: Seat, battle: &Battle) -> Place {
        let at = battle.at;
        if self.table().campaign.may_withdraw(seat) {
            return self.eyes(seat).default_refuge(battle);
        }
        let object = ((at.index() as u64) << 16) | u64::from(battle.rounds);
        let mut nth = 0;
        loop {
            let direction = Direction::of_die(self.roll("direction", object, nth));
            self.announce(Event::Fate(FateEvent::DirectionRolled { at, direction }));
            if let Some(refuge) = at.step(direction) {
                return refuge;
            }
            nth += 1;
        }
    }

    /// The default for a decision that only a variant knows.
    pub(crate) fn take_campaign_default(&mut self, stage: CampaignStage) {
        match stage {
            CampaignStage::Recall { half_points, .. } => {
                let ships = self.eyes(self.table().active).default_recall(half_points);
                self.recall(&ships);
            }
        }
    }
}
