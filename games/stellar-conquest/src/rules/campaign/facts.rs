//! Conditions and values that differ between variants. Each comment names the base rule, and the
//! rules of the variants that change it.

use heliopause_kernel::{Seat, SeatSet};

use crate::rules::campaign::fate::commission;
use crate::state::{Campaign, Colony, Fate, Grade, Level, Outfit, Payment, Power, Table};
use crate::tables::{Place, StarId, Tech};

impl Campaign {
    /// Returns the default outfit, with 3 Hex Speed, two scouts, and the rest for Industrial
    /// Technology (base 3.4). In The Fate of Empire, the default is a commission (fate 2).
    pub(crate) fn default_outfit(&self) -> Outfit {
        match self {
            Self::Conquest | Self::OuterSpace(_) => Outfit::Bonus {
                scouts: 2,
                corvettes: 0,
                research: vec![
                    Payment { tech: Tech::Speed3, points: 15 },
                    Payment { tech: Tech::IndustrialTechnology, points: 5 },
                ],
            },
            Self::Fate(_) => commission::default(),
        }
    }

    /// Returns whether the off-board post counts even for a seat with other posts (base 7.3). It
    /// does so only in The Fate of Empire (fate, FR-27).
    pub(crate) const fn off_board_post_always_counts(&self) -> bool {
        matches!(self, Self::Fate(_))
    }

    /// Returns whether two seats are enemies in a hex. Different seats always are (base 0), except
    /// pirates and independents to each other. In Alone in Outer Space, politics decides (space
    /// 7.1).
    pub(crate) fn are_enemies(&self, one: Seat, other: Seat, at: Place) -> bool {
        match self {
            Self::Conquest => one != other,
            Self::Fate(_) => one != other && (one == Fate::captain() || other == Fate::captain()),
            Self::OuterSpace(politics) => politics.fight_each_other(one, other, at),
        }
    }

    /// Returns whether ships stop for another seat's ships. They stop for enemies (base 5.4). In
    /// Alone in Outer Space, they stop for all powers except allies (space 7.1).
    pub(crate) fn stops(&self, seat: Seat, other: Seat, at: Place) -> bool {
        match self {
            Self::Conquest | Self::Fate(_) => self.are_enemies(seat, other, at),
            Self::OuterSpace(politics) => politics.stops(seat, other),
        }
    }

    /// Returns whether a colony can be attacked. Its owner must be an enemy (base 13.1). In Alone
    /// in Outer Space, an enemy must control the colony (space 8.5).
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

    /// Returns whether two seats defend together. Only allies in Alone in Outer Space do (base
    /// 12.1, space 8.5).
    pub(crate) fn fight_together(&self, one: Seat, other: Seat) -> bool {
        one == other || self.politics().is_some_and(|politics| politics.are_allies(one, other))
    }

    /// Returns whether players decide after every round. In the base game, the attacker must
    /// withdraw if no warships are left (base 12.7 ii). In The Fate of Empire, the player decides
    /// even then, and a die may drive the pirates off (fate 7.5, 7.7).
    pub(crate) const fn asks_after_every_round(&self) -> bool {
        matches!(self, Self::Fate(_))
    }

    /// Returns whether a defender may withdraw (base 12.7 iv). Pirates never may (fate 7, 12).
    pub(crate) fn may_withdraw(&self, seat: Seat) -> bool {
        match self {
            Self::Conquest | Self::OuterSpace(_) => true,
            Self::Fate(_) => seat == Fate::captain(),
        }
    }

    /// Returns whether an owner may destroy factories (base 13.5). Independents may not (fate,
    /// FR-25).
    pub(crate) fn may_scuttle(&self, seat: Seat) -> bool {
        match self {
            Self::Conquest | Self::OuterSpace(_) => true,
            Self::Fate(_) => seat == Fate::captain(),
        }
    }

    /// Returns whether conquered colonies produce without a garrison. They do (base 15.2), except
    /// in The Fate of Empire (fate 8.4).
    pub(crate) const fn conquered_colonies_produce(&self) -> bool {
        !matches!(self, Self::Fate(_))
    }

    /// Returns whether transports may join a colony (base 16.1). They may not join a dominion (fate
    /// 8.6).
    pub(crate) const fn may_join(&self, colony: &Colony) -> bool {
        match self {
            Self::Conquest | Self::OuterSpace(_) => true,
            Self::Fate(_) => !colony.is_dominion(),
        }
    }

    /// Returns the besieger of a colony, if any. Any seat with an enemy warship besieges (base 14,
    /// fate 10). In Alone in Outer Space, a seat at odds with the star's power besieges, even in a
    /// truce, unless that power or its allies have warships there (space, DR-44).
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

    /// Returns the new conqueror of an unguarded conquest, or `None` if the colony becomes free.
    /// The colony becomes free in the base game (base 15.5). In Alone in Outer Space, the claimant
    /// gets the colony, unless only the slaves' own power has warships there, as an enemy (space
    /// 10.5, DR-36).
    pub(crate) fn master(&self, owner: Seat, armed: &[Seat], star: StarId) -> Option<Seat> {
        let politics = self.politics()?;
        let master = politics.claimant(star).filter(|&claimant| claimant != owner)?;
        let freed = armed.contains(&owner)
            && politics.are_at_odds(owner, master, star.at())
            && !armed.iter().any(|&seat| seat == master || politics.are_allies(seat, master));
        (!freed).then_some(master)
    }

    /// Returns whether a seat scores for conquests at a star without a guard (base 19.2). A seat
    /// does so only for slaves in Alone in Outer Space (space, DR-16).
    pub(crate) fn scores_without_guard(&self, seat: Seat, star: StarId) -> bool {
        self.claimant(star) == Some(seat)
    }

    /// Returns whether a seat has turns. All do except eliminated powers (base 4; space, DR-42).
    pub(crate) fn plays(&self, seat: Seat) -> bool {
        !self.politics().is_some_and(|politics| politics.is_eliminated(seat))
    }

    /// Returns the victory points of The Fate of Empire (fate 11). `None` in other variants, where
    /// planets count (base 19.1).
    pub(crate) fn score(&self, power: &Power) -> Option<i64> {
        self.fate().map(|fate| fate.score(power).total())
    }

    /// Returns the winners. The players with the most points win (base 19.1). In The Fate of
    /// Empire, any level above a defeat wins (fate 11). In Alone in Outer Space, only remaining
    /// powers can win (space 11).
    pub(crate) fn judge_points(&self, points: &[i64]) -> (SeatSet, Option<Grade>) {
        let best = points.iter().max().copied().unwrap_or(0);
        match self {
            Self::Conquest => {
                let winners = points.iter().enumerate().filter(|&(_, &points)| points == best);
                (winners.map(|(index, _)| Seat::at(index)).collect(), None)
            }
            Self::OuterSpace(politics) => {
                let left =
                    || Seat::first(points.len()).filter(|&seat| !politics.is_eliminated(seat));
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
    pub(crate) fn meets_enemies(&self, seat: Seat, at: Place) -> bool {
        self.has_ships(seat, at)
            && self.others_at(seat, at).any(|other| self.campaign.are_enemies(seat, other, at))
    }
}
