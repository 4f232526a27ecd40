//! What is several fields of a message, or a message of another shape.

use heliopause_kernel::Seat;
use heliopause_kernel::wire::{
    Part, Read, Result, Write, field, inside, missing, optional, unknown, wrong_field,
};
use heliopause_proto::star_empires::v1 as proto;
use proto::view::Viewer;

use super::seat;
use crate::class::Design;
use crate::empire::Serials;
use crate::hull::{Hull, Ratings};
use crate::name::Name;
use crate::objects::{Pattern, STEPS_MAX};
use crate::report::Source;
use crate::view::Insight;

/// Of a missile only the guns are read.
impl Part<proto::Design> for Design {
    fn read_part(message: &proto::Design) -> Result<Self> {
        let hull: Hull = field("hull", &message.hull)?;
        if hull != Hull::Missile {
            return Ok(Self::Ship(hull, field("ratings", &message.ratings)?));
        }
        let Some(ratings) = &message.ratings else { return inside("ratings", missing()) };
        let guns = inside("ratings", field("guns", &ratings.guns))?;
        Ok(Self::Missile { guns, tonnage: message.tonnage })
    }

    fn write_part(&self, message: &mut proto::Design) {
        let (hull, ratings, tonnage) = match *self {
            Self::Ship(hull, ratings) => (hull, ratings, 0),
            Self::Missile { guns, tonnage } => {
                (Hull::Missile, Ratings { guns, ..Hull::Missile.base() }, tonnage)
            }
        };
        (message.hull, message.ratings, message.tonnage) = (hull.write(), ratings.write(), tonnage);
    }
}

/// What is not given is constant.
impl Read<proto::Fluctuation> for Pattern {
    fn read(message: &proto::Fluctuation) -> Result<Self> {
        use proto::StormPattern as Word;
        match (Word::try_from(message.pattern), message.steps.as_slice()) {
            (Ok(Word::Unspecified | Word::Constant), []) => Ok(Self::Constant),
            (Ok(Word::Random), []) => Ok(Self::Random),
            (Ok(Word::Cyclic), steps) if (1..=STEPS_MAX).contains(&steps.len()) => {
                Ok(Self::Cyclic(steps.into()))
            }
            (Ok(Word::Cyclic), _) => wrong_field("steps", "a cyclic storm has 1 to 100 steps"),
            (Ok(Word::Unspecified | Word::Constant | Word::Random), _) => {
                wrong_field("steps", "only a cyclic storm has steps")
            }
            (Err(_), _) => inside("pattern", unknown()),
        }
    }
}

impl Write<proto::Fluctuation> for Pattern {
    fn write(&self) -> proto::Fluctuation {
        let (pattern, steps) = match self {
            Self::Constant => (proto::StormPattern::Constant, Vec::new()),
            Self::Cyclic(steps) => (proto::StormPattern::Cyclic, steps.to_vec()),
            Self::Random => (proto::StormPattern::Random, Vec::new()),
        };
        proto::Fluctuation { pattern: pattern.into(), steps }
    }
}

heliopause_kernel::message!(Pattern, proto::Fluctuation);

impl Part<proto::Storm> for Pattern {
    fn read_part(message: &proto::Storm) -> Result<Self> {
        Self::read(&proto::Fluctuation { pattern: message.pattern, steps: message.steps.clone() })
    }

    fn write_part(&self, message: &mut proto::Storm) {
        proto::Fluctuation { pattern: message.pattern, steps: message.steps } = self.write();
    }
}

impl Part<proto::Empire> for Serials {
    fn read_part(message: &proto::Empire) -> Result<Self> {
        Ok(Self { key: message.serial_key, dealt: message.serials })
    }

    fn write_part(&self, message: &mut proto::Empire) {
        (message.serial_key, message.serials) = (self.key, self.dealt);
    }
}

impl Part<proto::ClassNews> for Source {
    fn read_part(message: &proto::ClassNews) -> Result<Self> {
        match proto::Source::try_from(message.source) {
            Ok(proto::Source::Salvaged) => Ok(Self::Salvaged),
            Ok(proto::Source::Designed) => Ok(Self::Designed),
            Ok(proto::Source::Given) => {
                inside("from_empire", seat::read(&message.from_empire)).map(Self::Given)
            }
            Ok(proto::Source::Master) => Ok(Self::Master),
            Ok(proto::Source::Unspecified) | Err(_) => inside("source", unknown()),
        }
    }

    fn write_part(&self, message: &mut proto::ClassNews) {
        let (source, from) = match self {
            Self::Salvaged => (proto::Source::Salvaged, None),
            Self::Designed => (proto::Source::Designed, None),
            Self::Given(from) => (proto::Source::Given, Some(*from)),
            Self::Master => (proto::Source::Master, None),
        };
        (message.source, message.from_empire) = (source.into(), from.write());
    }
}

/// Nothing is a spectator's.
impl Part<proto::View> for Insight {
    fn read_part(message: &proto::View) -> Result<Self> {
        Ok(match &message.viewer {
            None => Self::Spectator,
            Some(Viewer::Empire(own)) => Self::Empire(field("empire", own)?),
            Some(Viewer::Master(all)) => Self::Master(field("master", all)?),
        })
    }

    fn write_part(&self, message: &mut proto::View) {
        message.viewer = match self {
            Self::Empire(own) => Some(Viewer::Empire(own.write())),
            Self::Spectator => None,
            Self::Master(all) => Some(Viewer::Master(all.write())),
        };
    }
}

/// The owner and class of ships on a scan; nothing of unidentified ships.
pub(crate) mod identity {
    use super::*;

    pub(crate) fn read_part(message: &proto::FleetSeen) -> Result<Option<(Seat, Name)>> {
        let owner = inside("owner", optional(&message.owner, seat::read))?;
        match owner {
            Some(owner) => Ok(Some((owner, field("ship_class", &message.ship_class)?))),
            None if message.ship_class.is_empty() => Ok(None),
            None => wrong_field("ship_class", "unidentified ships have no class"),
        }
    }

    pub(crate) fn write_part(identity: &Option<(Seat, Name)>, message: &mut proto::FleetSeen) {
        if let Some((owner, class)) = identity {
            (message.owner, message.ship_class) = (owner.number(), class.write());
        }
    }
}
