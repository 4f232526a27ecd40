//! Encodings of types whose messages have a different structure than the Rust type.

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
use crate::sheet::{PositionSheet, ViewSheet};
use crate::view::View;

written_as!(View = proto::View, ViewSheet: of, view);
written_as!(Diplomacy = proto::Position, PositionSheet: of, game);
heliopause_kernel::passage!(Diplomacy, proto, {
    fn read_options_of(edition: &Edition<Options>, message: &proto::Options) -> Result<Options> {
        options::read_of(edition, message)
    }
});
