//! The state of Alone in Outer Space, and the relations between powers.

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Seat, SeatSet};
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::state::campaign::war::{War, WarKind};
use crate::tables::borders::borders;
use crate::tables::outer_space::POWERS_MAX;
use crate::tables::{Place, PlanetId, STAR_COUNT, StarId};

/// A stage of the game (5).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[wire(words = proto::Era)]
pub enum Era {
    /// Stage I, which lasts until all stars are claimed.
    #[default]
    Expansion,
    /// Stage II, which lasts until 600 million people live on planets.
    Growth,
    /// Stage III, which lasts until 1200 million people live on planets.
    Tension,
    /// Stage IV, which lasts until the end of the game.
    Empire,
}

impl Era {
    pub const ALL: [Self; 4] = [Self::Expansion, Self::Growth, Self::Tension, Self::Empire];

    /// Returns the modifier of the diplomacy dice, or `None` if they are not rolled (5.3).
    pub const fn modifier(self) -> Option<u8> {
        match self {
            Self::Expansion => None,
            Self::Growth => Some(0),
            Self::Tension => Some(2),
            Self::Empire => Some(4),
        }
    }

    /// Returns the stage for a number of people in millions. Stages never revert (5.1).
    pub(crate) const fn with(self, millions: u32) -> Self {
        match self {
            Self::Growth | Self::Tension if millions >= 1200 => Self::Empire,
            Self::Growth if millions >= 600 => Self::Tension,
            Self::Expansion | Self::Growth | Self::Tension | Self::Empire => self,
        }
    }
}

/// The relation of two powers (8.2).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(words = proto::Relation)]
pub enum Relation {
    /// The powers are on opposite sides of the war.
    Enemies,
    /// The powers are on the same side of the war.
    Allies,
    OneAtWar,
    /// Both powers are neutral while others are at war.
    NeutralToAWar,
    /// Both powers are neutral, and there is no war.
    AtPeace,
}

/// The subject of an incident between two neutral powers (9).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Quarrel {
    /// A clash, in which each power may raid the other (9.1).
    Clash { tension: u32 },
    /// A dispute, in which the first power of the pair claims a star of the second (9.2).
    Dispute { star: StarId },
}

/// A clash or dispute between two neutral powers (9).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::Incident, with([Seat; 2] = crate::tables::numbers::pair))]
pub struct Incident {
    /// The two powers. In a dispute, the claimant and then the owner.
    pub pair: [Seat; 2],
    #[wire(part(star, tension))]
    pub quarrel: Quarrel,
}

/// A raid in progress (9.1).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::Raid, with(Seat = crate::tables::numbers::seat))]
pub struct Raid {
    pub seat: Seat,
    pub other: Seat,
    pub at: StarId,
    /// The raiders' origin, to which they return afterwards.
    #[wire(name = from_star)]
    pub from: StarId,
    pub rounds: u8,
    pub fought: bool,
}

/// A power that must leave another's stars in its next movement, after changing sides (8.2).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::Departure, with(Seat = crate::tables::numbers::seat))]
pub struct Departure {
    /// The owner of the ships.
    pub seat: Seat,
    /// The owner of the stars.
    #[wire(name = stars_of)]
    pub from: Seat,
}

/// The state of Alone in Outer Space, public except for the priority dice.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::Politics, or_default, with(SeatSet = crate::tables::numbers::seat_set))]
pub struct Politics {
    /// The claimant of each star, by [`StarId::index`] (2).
    #[wire(with = crate::state::lists::claims)]
    pub claims: Box<[Option<Seat>; STAR_COUNT]>,
    #[wire(or_default)]
    pub era: Era,
    /// The current war, if any (8.1).
    pub war: Option<War>,
    /// Incidents, oldest first (9).
    pub incidents: Vec<Incident>,
    pub fallen: SeatSet,
    /// Priority dice with modifiers, by seat (6.2). Visible only to their owners (DR-29).
    #[wire(with = crate::state::lists::by_power)]
    pub priorities: [Option<u8>; POWERS_MAX],
    /// Terran planets evacuated in this production turn for a victorious power (6.1).
    #[wire(most = PlanetId::COUNT)]
    pub vacated: Vec<PlanetId>,
    /// Raids in progress, each against a different power.
    #[wire(most = POWERS_MAX)]
    pub raids: Vec<Raid>,
    /// Powers that the active player has raided. Each clash allows one raid per turn (DR-49).
    pub raided: SeatSet,
    pub met: Vec<StarId>,
    #[wire(most = POWERS_MAX * POWERS_MAX)]
    pub departures: Vec<Departure>,
}

impl Incident {
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
    pub fn claimant(&self, star: StarId) -> Option<Seat> {
        self.claims[star.index()]
    }

    pub fn claims_of(&self, seat: Seat) -> impl Iterator<Item = StarId> {
        StarId::ALL.into_iter().filter(move |&star| self.claimant(star) == Some(seat))
    }

    pub fn is_eliminated(&self, seat: Seat) -> bool {
        self.fallen.contains(seat)
    }

    pub fn incident(&self, one: Seat, other: Seat) -> Option<&Incident> {
        self.incidents.iter().find(|incident| incident.is_between(one, other))
    }

    pub fn is_in_incident(&self, seat: Seat) -> bool {
        self.incidents.iter().any(|incident| incident.pair.contains(&seat))
    }

    /// Returns whether a power is in a war without a truce (6.1).
    pub fn fights(&self, seat: Seat) -> bool {
        self.war.as_ref().is_some_and(|war| !war.truce && war.side_of(seat).is_some())
    }

    pub fn is_enemy(&self, one: Seat, other: Seat) -> bool {
        self.relation(one, other) == Relation::Enemies
    }

    pub fn tension(&self, one: Seat, other: Seat) -> u32 {
        match self.incident(one, other).map(|incident| incident.quarrel) {
            Some(Quarrel::Clash { tension }) => tension,
            _ => 0,
        }
    }

    pub fn raid_at(&self, star: StarId) -> Option<&Raid> {
        self.raids.iter().find(|raid| raid.at == star)
    }

    pub(crate) fn departs(&self, seat: Seat, star: StarId) -> bool {
        let from = |from| {
            self.departures.contains(&Departure { seat, from }) && self.are_allies(seat, from)
        };
        self.claimant(star).is_some_and(from)
    }

    pub(crate) fn keep_priorities_of(&mut self, seats: SeatSet) {
        for (seat, priority) in Seat::first(POWERS_MAX).zip(&mut self.priorities) {
            *priority = priority.filter(|_| seats.contains(seat));
        }
    }

    pub fn are_allies(&self, one: Seat, other: Seat) -> bool {
        self.relation(one, other) == Relation::Allies
    }

    /// Returns whether two powers are at odds at the star in a hex (7.1). Enemies are at odds where
    /// the war is fought, even in a truce. Parties of a dispute are at odds at the disputed star.
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

    /// Returns whether ships of two powers fight when they meet (7.1).
    pub(crate) fn fight_each_other(&self, one: Seat, other: Seat, at: Place) -> bool {
        let truce = self.war.as_ref().is_some_and(|war| war.truce && war.are_enemies(one, other));
        !truce && self.are_at_odds(one, other, at)
    }

    pub(crate) fn apply_turn(&mut self) {
        self.raids.clear();
        self.raided = SeatSet::EMPTY;
        self.met.clear();
    }

    pub fn relation(&self, one: Seat, other: Seat) -> Relation {
        let Some(war) = &self.war else { return Relation::AtPeace };
        match (war.side_of(one), war.side_of(other)) {
            (Some(side), Some(also)) if side == also => Relation::Allies,
            (Some(_), Some(_)) => Relation::Enemies,
            (None, None) => Relation::NeutralToAWar,
            _ => Relation::OneAtWar,
        }
    }

    pub(crate) fn talks_modifier(&self, powers: SeatSet) -> u8 {
        let Some(war) = &self.war else { return 0 };
        let neutral = powers.iter().filter(|&seat| war.side_of(seat).is_none()).count() as u8;
        neutral + if war.kind == WarKind::Limited { 2 } else { 0 }
    }

    pub fn is_on_border(&self, star: StarId, towards: Seat) -> bool {
        let mut claimed = self.claims_of(towards);
        claimed.any(|other| borders(star, other))
    }

    pub(crate) fn priority_modifier(&self, seat: Seat) -> u8 {
        let truce = self.war.as_ref().is_some_and(|war| war.truce && war.side_of(seat).is_some());
        if self.fights(seat) { 2 } else { u8::from(truce || self.is_in_incident(seat)) }
    }

    pub(crate) fn stops(&self, seat: Seat, other: Seat) -> bool {
        seat != other && !self.are_allies(seat, other)
    }

    /// Returns whether a war may be fought at a star. A limited war may be fought only at border
    /// stars (7.1, 8.5).
    pub(crate) fn is_battleground(&self, war: &War, star: StarId) -> bool {
        let Some(side) = self.claimant(star).and_then(|seat| war.side_of(seat)) else {
            return false;
        };
        war.kind == WarKind::Total
            || war.sides[1 - side].iter().any(|enemy| self.is_on_border(star, enemy))
    }

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
    fn space_3_3_contested_stars_are_disputed_or_on_enemy_borders() {
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
