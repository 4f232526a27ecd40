//! Parts of views whose messages have another shape.

use heliopause_kernel::wire::{Part, Result, Write, field};
use heliopause_proto::star_empires::v1 as proto;
use proto::view::Viewer;

use crate::name::Name;
use crate::view::Insight;

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

/// The standing of an empire (7.0), which follows from its homeworld.
pub(crate) fn standing(homeworld: &Option<Name>) -> i32 {
    let standing = if homeworld.is_some() { proto::Standing::Active } else { proto::Standing::Homeless };
    standing.into()
}
