//! What an article says of who is whose enemy, and of other facts that the chapters ask for. Each
//! function names the base rule first.

use heliopause_kernel::{Seat, SeatSet};

use crate::rules::campaign::fate::commission;
use crate::state::campaign::fate::{Fate, Level};
use crate::state::campaign::{Campaign, Grade};
use crate::state::colony::Colony;
use crate::state::power::Power;
use crate::state::sheet::Outfit;
use crate::state::table::Table;
use crate::tables::board::Place;
use crate::tables::stars::StarId;

impl Campaign {
    /// Base 3.4: the default is chosen there. Fate 2: a commission.
    pub(crate) fn default_outfit(&self) -> Option<Outfit> {
        match self {
            Self::Conquest | Self::OuterSpace(_) => None,
            Self::Fate(_) => Some(commission::default()),
        }
    }

    /// Base 7.3: the post off the board counts only while none stands on the board. Fate, FR-27:
    /// always.
    pub(crate) const fn off_board_post_always_counts(&self) -> bool {
        matches!(self, Self::Fate(_))
    }

    /// Base 0: everybody else is an enemy. Fate: pirates and independents leave each other alone.
    /// Space 7.1: who fights where is politics.
    pub(crate) fn are_enemies(&self, one: Seat, other: Seat, at: Place) -> bool {
        match self {
            Self::Conquest => one != other,
            Self::Fate(_) => one != other && (one == Fate::captain() || other == Fate::captain()),
            Self::OuterSpace(politics) => politics.fight_each_other(one, other, at),
        }
    }

    /// Base 5.4: ships stop for those of everybody else. Fate: the same. Space 7.1: but for allies.
    pub(crate) fn stops(&self, seat: Seat, other: Seat, at: Place) -> bool {
        match self {
            Self::Conquest | Self::Fate(_) => self.are_enemies(seat, other, at),
            Self::OuterSpace(politics) => politics.stops(seat, other),
        }
    }

    /// Base 13.1: the colony of an enemy can be attacked. Space 8.5: it counts who commands it now.
    pub(crate) fn is_target(
        &self,
        seat: Seat,
        owner: Seat,
        conqueror: Option<Seat>,
        at: Place,
    ) -> bool {
        match self {
            Self::Conquest | Self::Fate(_) => self.are_enemies(seat, owner, at),
            Self::OuterSpace(_) => {
                owner != seat
                    && self.are_enemies(
                        seat,
                        conqueror.filter(|&by| by != seat).unwrap_or(owner),
                        at,
                    )
            }
        }
    }

    /// Base 12.1: the others are fought one after the other. Space 8.5: allies are attacked
    /// together.
    pub(crate) fn fight_together(&self, one: Seat, other: Seat) -> bool {
        one == other || self.politics().is_some_and(|politics| politics.are_allies(one, other))
    }

    /// Base 12.7 ii: when a round leaves neither side a warship, the attacker withdraws. Fate 7.5,
    /// 7.7: they are asked as after every round, and a die may drive the pirates off before it
    /// comes to that.
    pub(crate) const fn asks_after_every_round(&self) -> bool {
        matches!(self, Self::Fate(_))
    }

    /// Base 12.7 iv: a defender may withdraw. Fate 7, 12: pirates never do.
    pub(crate) fn may_withdraw(&self, seat: Seat) -> bool {
        match self {
            Self::Conquest | Self::OuterSpace(_) => true,
            Self::Fate(_) => seat == Fate::captain(),
        }
    }

    /// Base 13.5: an owner may destroy factories. Fate, FR-25: independents never do.
    pub(crate) fn may_scuttle(&self, seat: Seat) -> bool {
        match self {
            Self::Conquest | Self::OuterSpace(_) => true,
            Self::Fate(_) => seat == Fate::captain(),
        }
    }

    /// Base 15.2: a conquered colony yields from its second production turn on. Fate 8.4: nothing
    /// without a garrison.
    pub(crate) const fn conquered_colonies_produce(&self) -> bool {
        !matches!(self, Self::Fate(_))
    }

    /// Base 16.1: transports may land on a free colony of their owner. Fate 8.6: a garrison never
    /// grows.
    pub(crate) const fn may_join(&self, colony: &Colony) -> bool {
        match self {
            Self::Conquest | Self::OuterSpace(_) => true,
            Self::Fate(_) => !colony.is_dominion(),
        }
    }

    /// Base 14: a siege takes a warship of anybody else, of those who have some in the hex. Fate
    /// 10: of pirates; the same, as independents have no ships. Space, DR-44: of who is at odds
    /// with the colony's power there, in a truce too, while that power and its allies have none.
    pub(crate) fn besieger(&self, owner: Seat, armed: &[Seat], star: StarId) -> Option<Seat> {
        let at = star.at();
        let Self::OuterSpace(politics) = self else {
            return armed.iter().copied().find(|&seat| self.are_enemies(seat, owner, at));
        };
        let power = politics.claimant(star).unwrap_or(owner);
        let guarded = armed.iter().any(|&seat| seat == power || politics.are_allies(seat, power));
        let besieges = |seat: &Seat| *seat != owner && politics.are_at_odds(*seat, power, at);
        armed.iter().copied().find(besieges).filter(|_| !guarded)
    }

    /// Base 15.5: a colony without a guard is its owner's. Space 10.5, DR-36: slaves are their
    /// claimant's, but while their own power alone has warships there as the claimant's enemy.
    pub(crate) fn master(&self, owner: Seat, armed: &[Seat], star: StarId) -> Option<Seat> {
        let politics = self.politics()?;
        let master = politics.claimant(star).filter(|&claimant| claimant != owner)?;
        let freed = armed.contains(&owner)
            && politics.are_at_odds(owner, master, star.at())
            && !armed.iter().any(|&seat| seat == master || politics.are_allies(seat, master));
        (!freed).then_some(master)
    }

    /// Base 19.2: a conquered planet needs a warship. Space, DR-16: slaves do not.
    pub(crate) fn scores_without_guard(&self, seat: Seat, star: StarId) -> bool {
        self.politics().is_some_and(|politics| politics.claimant(star) == Some(seat))
    }

    /// Base 4: everybody has turns. Space, DR-42: a power that is no more has none.
    pub(crate) fn plays(&self, seat: Seat) -> bool {
        !self.politics().is_some_and(|politics| politics.is_fallen(seat))
    }

    /// Base 19.1: planets count. Fate 11: the article's own points.
    pub(crate) fn score(&self, power: &Power) -> Option<i64> {
        self.fate().map(|fate| fate.score(power).total())
    }

    /// Base 19.1: most points win, ties share. Fate 11: levels; only a defeat does not win. Space
    /// 11: of the powers left.
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
                let winners = if level == Level::Defeat {
                    SeatSet::EMPTY
                } else {
                    SeatSet::one(Fate::captain())
                };
                (winners, Some(Grade::Fate(level)))
            }
        }
    }
}

impl Table {
    /// 12.1: whether a seat's ships share a hex with ships of an enemy.
    pub(crate) fn meets_enemies(&self, seat: Seat, at: Place) -> bool {
        self.has_ships(seat, at)
            && self.others_at(seat, at).any(|other| self.campaign.are_enemies(seat, other, at))
    }
}
