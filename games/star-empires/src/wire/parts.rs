//! Encodings of types as several fields of a message, or as a message of a different structure.

use heliopause_kernel::wire::{
    Part, Read, Result, Write, field, inside, missing, unknown, wrong_field,
};
use heliopause_proto::star_empires::v1 as proto;
use proto::view::Viewer;

use crate::class::Design;
use crate::empire::Serials;
use crate::fields::seat;
use crate::hull::{Hull, Ratings};
use crate::objects::{Pattern, STEPS_MAX};
use crate::report::Source;
use crate::view::Insight;

/// Of a missile's ratings, only the guns are read.
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

/// Reads an absent pattern as constant.
impl Read<proto::Fluctuation> for Pattern {
    fn read(message: &proto::Fluctuation) -> Result<Self> {
        use proto::StormPattern as Word;
        match (Word::try_from(message.pattern), message.steps.as_slice()) {
            (Ok(Word::Unspecified | Word::Constant), []) => Ok(Self::Constant),
            (Ok(Word::Random), []) => Ok(Self::Random),
            (Ok(Word::Cyclic), steps) if (1..=STEPS_MAX).contains(&steps.len()) => {
                Ok(Self::Cyclic(steps.into()))
            }
            (Ok(Word::Cyclic), _) => {
                let count = message.steps.len();
                let text = format!("a cyclic storm must have 1 to {STEPS_MAX} steps, not {count}");
                wrong_field("steps", text)
            }
            (Ok(Word::Unspecified | Word::Constant | Word::Random), _) => {
                wrong_field("steps", "only a cyclic storm can have steps")
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

/// A spectator's insight has no fields.
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
