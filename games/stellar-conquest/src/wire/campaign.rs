//! The state of The Fate of Empire and Alone in Outer Space in wire format.

use heliopause_kernel::flag;
use heliopause_kernel::wire::{Part, Result, Write, field, wrong_field};
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::state::{Grade, Level, Quarrel, RecallStep, WarKind};

flag!(RecallStep, Self::Event, Self::Debt);
flag!(WarKind, Self::Limited, Self::Total);

heliopause_kernel::words!(
    Grade,
    Level::ALL.map(|level| (Self::Fate(level), Write::<i32>::write(&level)))
);

impl Part<proto::Incident> for Quarrel {
    fn read_part(message: &proto::Incident) -> Result<Self> {
        match (field("star", &message.star)?, message.tension) {
            (None, tension) => Ok(Self::Clash { tension }),
            (Some(star), 0) => Ok(Self::Dispute { star }),
            (Some(_), _) => wrong_field("tension", "not allowed for a dispute"),
        }
    }

    fn write_part(&self, message: &mut proto::Incident) {
        match self {
            Self::Clash { tension } => message.tension = *tension,
            Self::Dispute { star } => message.star = star.write(),
        }
    }
}
