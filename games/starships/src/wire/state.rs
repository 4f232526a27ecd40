//! Conversion of the parts of a state whose messages have another structure.

use heliopause_kernel::wire::{self, Part, Read, Result, Write};
use heliopause_kernel::{Seat, flag, message, words};
use heliopause_proto::starships_at_large::v1 as proto;

use super::player;
use crate::board::Place;
use crate::knowledge::Owed;
use crate::order::Means;
use crate::pieces::Condition;
use crate::table::{Credits, MAX_PLAYERS, Purpose, Resume, Status, Tokens};

words!(
    Purpose,
    [
        (Purpose::Asteroids, proto::RollPurpose::Asteroids),
        (Purpose::Ambush, proto::RollPurpose::Ambush),
        (Purpose::Fire, proto::RollPurpose::Fire),
        (Purpose::Attempt(Means::Diplomacy), proto::RollPurpose::Diplomacy),
        (Purpose::Attempt(Means::Force), proto::RollPurpose::Force),
    ]
);

flag!(Resume, Self::Turn, Self::EndOfRound);

impl Part<proto::StatusChanged> for Status {
    fn read_part(message: &proto::StatusChanged) -> Result<Self> {
        Ok(Self::of(wire::field("status", &message.status)?, wire::field("round", &message.round)?))
    }

    fn write_part(&self, message: &mut proto::StatusChanged) {
        let (standing, round) = self.standing();
        (message.status, message.round) = (standing.write(), round.into());
    }
}

impl Part<proto::Starship> for Condition {
    fn read_part(message: &proto::Starship) -> Result<Self> {
        Ok(match (message.disrupted, message.disrupted_this_turn) {
            (_, true) => Self::JustDisrupted,
            (true, false) => Self::Disrupted,
            (false, false) => Self::Fit,
        })
    }

    fn write_part(&self, message: &mut proto::Starship) {
        (message.disrupted, message.disrupted_this_turn) =
            (self.is_disrupted(), *self == Self::JustDisrupted);
    }
}

pub(crate) mod death_star {
    use heliopause_kernel::wire::{self, Result, Write};
    use heliopause_proto::starships_at_large::v1 as proto;
    use proto::DeathStarState as State;

    use super::player;
    use crate::table::DeathStar;

    pub(crate) fn read(message: &Option<proto::DeathStar>) -> Result<Option<DeathStar>> {
        let Some(star) = message else { return Ok(None) };
        Ok(match State::try_from(star.state) {
            Ok(State::Unspecified) => None,
            Ok(State::Undisturbed) => Some(DeathStar::Undisturbed),
            Ok(State::Active) => Some(DeathStar::Active {
                provoker: wire::inside("provoker", player::read(&star.provoker))?,
                just_now: star.activated_this_turn,
            }),
            Ok(State::Gone) => Some(DeathStar::Gone),
            Err(_) => return wire::inside("state", wire::unknown()),
        })
    }

    pub(crate) fn write(star: &Option<DeathStar>) -> Option<proto::DeathStar> {
        let (state, provoker, activated_this_turn) = match (*star)? {
            DeathStar::Undisturbed => (State::Undisturbed, None, false),
            DeathStar::Active { provoker, just_now } => (State::Active, Some(provoker), just_now),
            DeathStar::Gone => (State::Gone, None, false),
        };
        Some(proto::DeathStar {
            state: state.into(),
            provoker: provoker.write(),
            activated_this_turn,
        })
    }
}

/// The message has one number per player, in seat order.
impl Read<Vec<u32>> for Credits {
    fn read(message: &Vec<u32>) -> Result<Self> {
        let mut credits = Self::none(message.len());
        for (index, number) in wire::rows(message, MAX_PLAYERS)?.into_iter().enumerate() {
            credits.give(Seat::at(index), number);
        }
        Ok(credits)
    }
}

impl Write<Vec<u32>> for Credits {
    fn write(&self) -> Vec<u32> {
        self.all().iter().copied().map(u32::from).collect()
    }
}

impl Read<Vec<u32>> for Tokens {
    fn read(message: &Vec<u32>) -> Result<Self> {
        let mut tokens = Self::default();
        for (index, number) in message.iter().enumerate() {
            tokens.put(wire::inside(&format!("[{index}]"), player::read(number))?);
        }
        Ok(tokens)
    }
}

impl Write<Vec<u32>> for Tokens {
    fn write(&self) -> Vec<u32> {
        self.iter().map(Seat::number).collect()
    }
}

impl Read<proto::PendingDecision> for Owed {
    fn read(message: &proto::PendingDecision) -> Result<Self> {
        use proto::pending_decision::Kind;
        let Some(kind) = &message.kind else { return wire::inside("kind", wire::missing()) };
        Ok(match kind {
            Kind::Fire(piece) => Self::Fire(wire::field("fire", piece)?),
            Kind::Sacrifice(count) => Self::Sacrifice(wire::field("sacrifice", count)?),
            Kind::ChooseStarshipOf(seat) => {
                Self::ChooseShip(wire::inside("choose_starship_of", player::read(seat))?)
            }
            Kind::ChoosePlanetOf(seat) => {
                Self::ChoosePlanet(wire::inside("choose_planet_of", player::read(seat))?)
            }
            Kind::CedePlanetTo(seat) => {
                Self::CedePlanet(wire::inside("cede_planet_to", player::read(seat))?)
            }
            Kind::Zones(left) => Self::Zones {
                left: wire::field("zones", left)?,
                entered: wire::field("zone_entered", &message.zone_entered)?,
            },
            Kind::Growth(growth) => {
                let field = |name: &str, hexes| wire::inside("growth", wire::field(name, hexes));
                Self::Growth {
                    sources: field("sources", &growth.sources)?,
                    entered: field("entered", &growth.entered)?,
                    barred: field("barred", &growth.barred)?,
                }
            }
        })
    }
}

impl Write<proto::PendingDecision> for Owed {
    fn write(&self) -> proto::PendingDecision {
        use proto::pending_decision::Kind;
        let mut zone_entered: Option<Place> = None;
        let kind = match *self {
            Self::Fire(piece) => Kind::Fire(piece.write()),
            Self::Sacrifice(count) => Kind::Sacrifice(count.into()),
            Self::ChooseShip(breaker) => Kind::ChooseStarshipOf(breaker.number()),
            Self::ChoosePlanet(breaker) => Kind::ChoosePlanetOf(breaker.number()),
            Self::CedePlanet(offended) => Kind::CedePlanetTo(offended.number()),
            Self::Zones { left, entered } => {
                zone_entered = entered;
                Kind::Zones(left.into())
            }
            Self::Growth { sources, entered, barred } => Kind::Growth(proto::Growth {
                sources: sources.write(),
                entered: entered.write(),
                barred: barred.write(),
            }),
        };
        proto::PendingDecision { kind: Some(kind), zone_entered: zone_entered.write() }
    }
}

message!(Owed, proto::PendingDecision);
