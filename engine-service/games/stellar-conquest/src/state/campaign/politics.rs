//! Alone in Outer Space: its state, and how powers stand to each other.

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Seat, SeatSet};
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::state::campaign::war::{War, WarKind};
use crate::tables::board::Place;
use crate::tables::borders::borders;
use crate::tables::cards::PlanetId;
use crate::tables::outer_space::POWERS_MAX;
use crate::tables::stars::{STAR_COUNT, StarId};

/// A stage of the game (5).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[wire(words = proto::Era)]
pub enum Era {
    /// I: until all stars are claimed.
    #[default]
    Expansion,
    /// II: until 600 million people live on planets.
    Growth,
    /// III: until 1200 million do.
    Tension,
    /// IV: to the end.
    Empire,
}

impl Era {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Expansion, Self::Growth, Self::Tension, Self::Empire];

    /// What it adds to the dice of diplomacy; nothing if they are not rolled (5.3).
    pub const fn modifier(self) -> Option<u8> {
        match self {
            Self::Expansion => None,
            Self::Growth => Some(0),
            Self::Tension => Some(2),
            Self::Empire => Some(4),
        }
    }

    /// 5.1: the stage that so many million people bring. It never goes back.
    pub(crate) const fn with(self, millions: u32) -> Self {
        match self {
            Self::Growth | Self::Tension if millions >= 1200 => Self::Empire,
            Self::Growth if millions >= 600 => Self::Tension,
            Self::Expansion | Self::Growth | Self::Tension | Self::Empire => self,
        }
    }
}

/// How two powers stand to each other (8.2).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(words = proto::Relation)]
pub enum Relation {
    /// On different sides of the war.
    Enemies,
    /// On the same side.
    Allies,
    OneAtWar,
    /// Both are neutral, and there is a war between others.
    NeutralToAWar,
    /// Both are neutral, and there is no war.
    AtPeace,
}

/// What lies between two neutral powers (9).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Quarrel {
    /// 9.1: each may raid the other.
    Clash {
        /// The Tension Number.
        tension: u32,
    },
    /// 9.2: the first of the pair claims a star of the second.
    Dispute { star: StarId },
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

/// A raid that is under way (9.1).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::Raid, with(Seat = crate::wire::numbers::seat))]
pub struct Raid {
    /// Who raids.
    pub seat: Seat,
    pub other: Seat,
    pub at: StarId,
    /// The star from which the raiders came, for which they are bound afterwards.
    #[wire(name = from_star)]
    pub from: StarId,
    /// How many rounds are fought.
    pub rounds: u8,
    /// Whether they have been.
    pub fought: bool,
}

/// A power whose ships must leave another's stars with its next movement, since one of the two
/// changed sides (8.2).
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
    #[wire(with = crate::wire::lists::claims)]
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
    /// The dice of priority of the production turn that is open, with what was added, by seat
    /// (6.2). Each is its owner's secret (DR-29): nobody else is told it.
    #[wire(with = crate::wire::lists::by_power)]
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

impl Incident {
    /// Whether it is between these two.
    pub fn is_between(&self, one: Seat, other: Seat) -> bool {
        self.pair == [one, other] || self.pair == [other, one]
    }
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
        StarId::ALL.into_iter().filter(move |&star| self.claimant(star) == Some(seat))
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
        let from = |from| {
            self.departures.contains(&Departure { seat, from }) && self.are_allies(seat, from)
        };
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

    /// The star of a hex where ships of these two, who differ, are at odds: enemies in the war, in
    /// a truce too, where the war is fought, or both parties of a dispute over that star (7.1).
    pub(crate) fn are_at_odds(&self, one: Seat, other: Seat, at: Place) -> bool {
        let Some(star) = StarId::in_hex(at).filter(|_| one != other) else { return false };
        let disputed = self
            .incident(one, other)
            .is_some_and(|incident| incident.quarrel == Quarrel::Dispute { star });
        disputed
            || self
                .war
                .as_ref()
                .is_some_and(|war| war.are_enemies(one, other) && self.is_battleground(war, star))
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

    /// How two powers stand to each other.
    pub fn relation(&self, one: Seat, other: Seat) -> Relation {
        let Some(war) = &self.war else { return Relation::AtPeace };
        match (war.side_of(one), war.side_of(other)) {
            (Some(side), Some(also)) if side == also => Relation::Allies,
            (Some(_), Some(_)) => Relation::Enemies,
            (None, None) => Relation::NeutralToAWar,
            _ => Relation::OneAtWar,
        }
    }

    /// 8.3: what is added to the dice of talks.
    pub(crate) fn talks_modifier(&self, powers: SeatSet) -> u8 {
        let Some(war) = &self.war else { return 0 };
        let neutral = powers.iter().filter(|&seat| war.side_of(seat).is_none()).count() as u8;
        neutral + if war.kind == WarKind::Limited { 2 } else { 0 }
    }

    /// 3.3: whether a star borders one that a power claims.
    pub fn is_on_border(&self, star: StarId, towards: Seat) -> bool {
        let mut claimed = self.claims_of(towards);
        claimed.any(|other| borders(star, other))
    }

    /// 6.2: what is added to the die of priority.
    pub(crate) fn priority_modifier(&self, seat: Seat) -> u8 {
        let truce = self.war.as_ref().is_some_and(|war| war.truce && war.side_of(seat).is_some());
        if self.fights(seat) { 2 } else { u8::from(truce || self.is_in_incident(seat)) }
    }

    /// 7.1, 5.4: whether ships stop for those of another power: an ally's do not stop them.
    pub(crate) fn stops(&self, seat: Seat, other: Seat) -> bool {
        seat != other && !self.are_allies(seat, other)
    }

    /// 7.1, 8.5: whether the war may be fought at a star: one side claims it, and in a limited war
    /// it borders the other one.
    pub(crate) fn is_battleground(&self, war: &War, star: StarId) -> bool {
        let Some(side) = self.claimant(star).and_then(|seat| war.side_of(seat)) else {
            return false;
        };
        war.kind == WarKind::Total
            || war.sides[1 - side].iter().any(|enemy| self.is_on_border(star, enemy))
    }

    /// 3.3, 9.2: whether a star is disputed, or lies on the border between the two sides of the
    /// war.
    pub fn is_contested(&self, star: StarId) -> bool {
        let disputed =
            self.incidents.iter().any(|incident| incident.quarrel == Quarrel::Dispute { star });
        let claimed_from = |war: &War| self.claimant(star).map(|seat| war.enemies_of(seat));
        let enemies = self.war.as_ref().and_then(claimed_from).unwrap_or_default();
        disputed || enemies.iter().any(|enemy| self.is_on_border(star, enemy))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn star(name: &str) -> StarId {
        StarId::named(name)
    }

    #[test]
    fn space_3_3_only_claims_make_a_border_star() {
        let mut politics = Politics::default();
        politics.claims[star("Alcor").index()] = Some(Seat::at(0));
        assert!(politics.is_on_border(star("Sadir"), Seat::at(0)));
        assert!(!politics.is_on_border(star("Sadir"), Seat::at(1)));
        assert!(!politics.is_on_border(star("Lupi"), Seat::at(0)));
    }

    #[test]
    fn space_8_5_a_limited_war_is_fought_on_borders() {
        let [a, b] = [0, 1].map(Seat::at);
        let mut politics = Politics::default();
        for (name, seat) in [("Alcor", a), ("Sadir", b), ("Lupi", b)] {
            politics.claims[StarId::named(name).index()] = Some(seat);
        }
        let mut war = War::between(a, b, WarKind::Limited, 4);
        let fought = |war: &War, name| politics.is_battleground(war, StarId::named(name));
        assert!(
            fought(&war, "Sadir")
                && fought(&war, "Alcor")
                && !fought(&war, "Lupi")
                && !fought(&war, "Mira")
        );
        war.kind = WarKind::Total;
        assert!(fought(&war, "Lupi") && !fought(&war, "Mira"));
    }

    #[test]
    fn space_3_3_contested_stars_lie_on_the_border_of_enemies_or_are_disputed() {
        let [a, b] = [0, 1].map(Seat::at);
        let mut politics = Politics::default();
        for (name, seat) in [("Alcor", a), ("Sadir", b), ("Lupi", b)] {
            politics.claims[StarId::named(name).index()] = Some(seat);
        }
        let contested = |politics: &Politics| {
            ["Alcor", "Sadir", "Lupi"].map(|name| politics.is_contested(StarId::named(name)))
        };
        assert_eq!(contested(&politics), [false; 3]);
        let disputed = Quarrel::Dispute { star: StarId::named("Lupi") };
        politics.incidents.push(Incident { pair: [a, b], quarrel: disputed });
        assert_eq!(contested(&politics), [false, false, true]);
        politics.incidents.clear();
        politics.war = Some(War::between(a, b, WarKind::Total, 4));
        assert_eq!(contested(&politics), [true, true, false]);
    }

    #[test]
    fn space_5_dt_24_stages_begin_by_population_and_never_return() {
        assert_eq!(Era::Growth.with(590), Era::Growth);
        assert_eq!(Era::Growth.with(612), Era::Tension);
        assert_eq!(Era::Growth.with(1300), Era::Empire);
        assert_eq!(Era::Tension.with(580), Era::Tension);
        assert_eq!(Era::Expansion.with(2000), Era::Expansion);
        assert_eq!(Era::ALL.map(Era::modifier), [None, Some(0), Some(2), Some(4)]);
    }
}
