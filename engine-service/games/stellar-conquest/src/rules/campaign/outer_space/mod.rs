//! Alone in Outer Space: politicians rule. Dice say who fights whom, and for what; decrees say what colonies do with their
//! people and their i.p. Whoever plays a power makes the choices that are left.
//!
//! | chapter | module |
//! | --- | --- |
//! | 1 general variations | crate-wide options: `shields`, `attack_table`, `colony` |
//! | 2, 3 claims, border stars | `claims` |
//! | 4 setup, 6.3 research | `research` |
//! | 5 stages, 6 the production turn | `stages` |
//! | 6.1 emigration | `emigration` |
//! | 6.2 economic priority | `decree`, `market` |
//! | 7.1 where ships go, latecomers | `passage`, `latecomers` |
//! | 7.2 transport policy | `transports` |
//! | 8 diplomacy | `diplomacy`, `war` |
//! | 9 incidents | `incidents`, `raids` |
//! | 10 peace | `peace`, `annexation` |
//! | 11 total conquest | `conquest` |
//!
//! All of `Politics` is public, but for the dice of priority. It changes by `PoliticsEvent` alone.

pub(crate) mod annexation;
pub(crate) mod claims;
pub(crate) mod conquest;
pub(crate) mod decree;
pub(crate) mod diplomacy;
pub(crate) mod emigration;
pub(crate) mod events;
pub(crate) mod incidents;
pub(crate) mod integrity;
pub(crate) mod latecomers;
pub(crate) mod market;
pub(crate) mod passage;
pub(crate) mod peace;
pub(crate) mod raids;
pub(crate) mod research;
#[cfg(test)]
pub(crate) mod situations;
pub(crate) mod stages;
pub mod tables;
pub(crate) mod transports;
pub(crate) mod war;

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Seat, SeatSet};
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::tables::board::Place;
use crate::tables::cards::PlanetId;
use crate::tables::stars::{STAR_COUNT, StarId};

pub use claims::borders;
pub use decree::{DecreeColony, DecreePlan, DecreeSheet};
pub use diplomacy::Relation;
pub use events::PoliticsEvent;
pub use raids::RAIDERS_MAX;
pub use stages::Era;
pub use tables::{Area, Happening, Terms};
pub use war::{War, WarKind};

/// The most powers.
pub const POWERS_MAX: usize = 4;

/// What lies between two neutral powers (9).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Quarrel {
    /// 9.1: each may raid the other.
    Clash {
        /// The Tension Number.
        tension: u32,
    },
    /// 9.2: the first of the pair claims a star of the second.
    Dispute {
        /// Which.
        star: StarId,
    },
}

/// An incident (9).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::Incident, with([Seat; 2] = crate::wire::numbers::pair))]
pub struct Incident {
    /// Between whom; in a dispute the claimant, then the owner.
    pub pair: [Seat; 2],
    /// What it is about.
    #[wire(part(star, tension))]
    pub quarrel: Quarrel,
}

impl Incident {
    /// Whether it is between these two.
    pub fn is_between(&self, one: Seat, other: Seat) -> bool {
        self.pair == [one, other] || self.pair == [other, one]
    }
}

/// A raid that is under way (9.1).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::Raid, with(Seat = crate::wire::numbers::seat))]
pub struct Raid {
    /// Who raids.
    pub seat: Seat,
    /// Whom.
    pub other: Seat,
    /// Where.
    pub at: StarId,
    /// The star from which the raiders came, for which they are bound afterwards.
    #[wire(name = from_star)]
    pub from: StarId,
    /// How many rounds are fought.
    pub rounds: u8,
    /// Whether they have been.
    pub fought: bool,
}

/// A power whose ships must leave another's stars with its next movement, since one of the two changed sides (8.2).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::Departure, with(Seat = crate::wire::numbers::seat))]
pub struct Departure {
    /// Whose ships.
    pub seat: Seat,
    /// Whose stars.
    #[wire(name = stars_of)]
    pub from: Seat,
}

/// The state of Alone in Outer Space. All of it is public, but for the dice of priority.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::Politics, or_default, with(SeatSet = crate::wire::numbers::seat_set))]
pub struct Politics {
    /// Who claims each star, by [`StarId::index`] (2).
    #[wire(with = crate::wire::campaign::claims)]
    pub claims: Box<[Option<Seat>; STAR_COUNT]>,
    /// The stage of the game (5).
    #[wire(or_default)]
    pub era: Era,
    /// The war, of which there is at most one (8.1).
    pub war: Option<War>,
    /// Incidents, oldest first (9).
    pub incidents: Vec<Incident>,
    /// Powers that are no more (11).
    pub fallen: SeatSet,
    /// The dice of priority of the production turn that is open, with what was added, by seat (6.2). Each is its owner's secret
    /// (DR-29): nobody else is told it.
    #[wire(with = crate::wire::campaign::by_power)]
    pub priorities: [Option<u8>; POWERS_MAX],
    /// Terran planets that were evacuated in this production turn, for a power that won (6.1).
    #[wire(most = PlanetId::COUNT)]
    pub vacated: Vec<PlanetId>,
    /// The raids that are under way, each against another power.
    #[wire(most = POWERS_MAX)]
    pub raids: Vec<Raid>,
    /// Whom the power on turn has raided: once a turn in each clash (DR-49).
    pub raided: SeatSet,
    /// Stars at which the power on turn has met others (7.1).
    pub met: Vec<StarId>,
    /// Who must leave whose stars.
    #[wire(most = POWERS_MAX * POWERS_MAX)]
    pub departures: Vec<Departure>,
}

impl Default for Politics {
    fn default() -> Self {
        Self {
            claims: Box::new([None; STAR_COUNT]),
            era: Era::Expansion,
            war: None,
            incidents: Vec::new(),
            fallen: SeatSet::EMPTY,
            priorities: [None; POWERS_MAX],
            vacated: Vec::new(),
            raids: Vec::new(),
            raided: SeatSet::EMPTY,
            met: Vec::new(),
            departures: Vec::new(),
        }
    }
}

impl Politics {
    /// Who claims a star.
    pub fn claimant(&self, star: StarId) -> Option<Seat> {
        self.claims[star.index()]
    }

    /// The stars that a seat claims.
    pub fn claims_of(&self, seat: Seat) -> impl Iterator<Item = StarId> {
        StarId::all().filter(move |&star| self.claimant(star) == Some(seat))
    }

    /// Whether a power is no more (11).
    pub fn is_fallen(&self, seat: Seat) -> bool {
        self.fallen.contains(seat)
    }

    /// The incident between two powers.
    pub fn incident(&self, one: Seat, other: Seat) -> Option<&Incident> {
        self.incidents.iter().find(|incident| incident.is_between(one, other))
    }

    /// Whether a power is in any incident.
    pub fn is_in_incident(&self, seat: Seat) -> bool {
        self.incidents.iter().any(|incident| incident.pair.contains(&seat))
    }

    /// 6.1: whether a power is in a war with hostilities.
    pub fn fights(&self, seat: Seat) -> bool {
        self.war.as_ref().is_some_and(|war| !war.truce && war.side_of(seat).is_some())
    }

    /// Whether two powers stand on different sides of the war, in a truce too.
    pub fn is_enemy(&self, one: Seat, other: Seat) -> bool {
        self.relation(one, other) == Relation::Enemies
    }

    /// 9.1: the tension between two powers; none without a clash.
    pub fn tension(&self, one: Seat, other: Seat) -> u32 {
        match self.incident(one, other).map(|incident| incident.quarrel) {
            Some(Quarrel::Clash { tension }) => tension,
            _ => 0,
        }
    }

    /// The raid against a star that is under way.
    pub fn raid_at(&self, star: StarId) -> Option<&Raid> {
        self.raids.iter().find(|raid| raid.at == star)
    }

    /// 8.2: whether a power's ships must leave a star of an old enemy that is its ally now.
    pub(crate) fn departs(&self, seat: Seat, star: StarId) -> bool {
        let from = |from| self.departures.contains(&Departure { seat, from }) && self.are_allies(seat, from);
        self.claimant(star).is_some_and(from)
    }

    /// The dice of priority that these seats may know.
    pub(crate) fn keep_priorities_of(&mut self, seats: SeatSet) {
        for (seat, priority) in Seat::first(POWERS_MAX).zip(&mut self.priorities) {
            *priority = priority.filter(|_| seats.contains(seat));
        }
    }

    /// Whether two powers stand on one side of the war.
    pub fn are_allies(&self, one: Seat, other: Seat) -> bool {
        self.relation(one, other) == Relation::Allies
    }

    /// The star of a hex where ships of these two, who differ, are at odds: enemies in the war, in a truce too, where the
    /// war is fought, or both parties of a dispute over that star (7.1).
    pub(crate) fn are_at_odds(&self, one: Seat, other: Seat, at: Place) -> bool {
        let Some(star) = StarId::in_hex(at).filter(|_| one != other) else { return false };
        let disputed = self.incident(one, other).is_some_and(|incident| incident.quarrel == Quarrel::Dispute { star });
        disputed || self.war.as_ref().is_some_and(|war| war.are_enemies(one, other) && self.is_battleground(war, star))
    }

    /// 7.1: whether ships of these two fight where they meet.
    pub(crate) fn fight_each_other(&self, one: Seat, other: Seat, at: Place) -> bool {
        let truce = self.war.as_ref().is_some_and(|war| war.truce && war.are_enemies(one, other));
        !truce && self.are_at_odds(one, other, at)
    }

    pub(crate) fn apply_turn(&mut self) {
        self.raids.clear();
        self.raided = SeatSet::EMPTY;
        self.met.clear();
    }
}
