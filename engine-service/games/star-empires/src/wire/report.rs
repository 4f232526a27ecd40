//! Parts of turn reports and maps whose messages have another shape.

use heliopause_kernel::wire::{Part, Result, Write, inside, unknown};
use heliopause_proto::star_empires::v1 as proto;

use super::seat;
use crate::report::Source;

impl Part<proto::ClassNews> for Source {
    fn read_part(message: &proto::ClassNews) -> Result<Self> {
        match proto::Source::try_from(message.source) {
            Ok(proto::Source::Salvaged) => Ok(Self::Salvaged),
            Ok(proto::Source::Designed) => Ok(Self::Designed),
            Ok(proto::Source::Given) => inside("from_empire", seat::read(&message.from_empire)).map(Self::Given),
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

/// The owner and class of ships on a scan; nothing of unidentified ships.
pub(crate) mod identity {
    use heliopause_kernel::Seat;
    use heliopause_kernel::wire::{Result, Write, field, inside, optional, wrong_field};
    use heliopause_proto::star_empires::v1 as proto;

    use super::seat;
    use crate::name::Name;

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
