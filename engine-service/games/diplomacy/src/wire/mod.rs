//! Passage over the wire, where it is not said on the types: messages that have another shape.

mod adjudication;
mod names;
mod options;
mod report;

use heliopause_kernel::wire::Result;
use heliopause_kernel::{Edition, written_as};
use heliopause_proto::diplomacy::v1 as proto;

pub use adjudication::adjudicate;

use crate::game::Diplomacy;
use crate::options::Options;
use crate::sheet::{PositionSheet, Sight};
use crate::view::View;

written_as!(View = proto::View, Sight: of, view);
written_as!(Diplomacy = proto::Position, PositionSheet: of, game);
heliopause_kernel::passage!(Diplomacy, proto, {
    fn read_options_of(edition: &Edition<Options>, message: &proto::Options) -> Result<Options> {
        options::read_of(edition, message)
    }
});
