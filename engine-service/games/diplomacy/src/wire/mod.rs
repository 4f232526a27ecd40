//! Passage over the wire, where it is not said on the types: messages that have another shape.

mod adjudication;
mod names;
mod options;
mod report;

use heliopause_kernel::Edition;
use heliopause_kernel::wire::{Read, Result, Write};
use heliopause_proto::diplomacy::v1 as proto;

pub use adjudication::adjudicate;

use crate::game::Diplomacy;
use crate::options::Options;
use crate::sheet::{PositionSheet, Sight};
use crate::view::View;

impl Read<proto::View> for View {
    fn read(message: &proto::View) -> Result<Self> {
        Sight::read(message)?.view()
    }
}

impl Write<proto::View> for View {
    fn write(&self) -> proto::View {
        Sight::of(self).write()
    }
}

impl Read<proto::Position> for Diplomacy {
    fn read(message: &proto::Position) -> Result<Self> {
        PositionSheet::read(message)?.game()
    }
}

impl Write<proto::Position> for Diplomacy {
    fn write(&self) -> proto::Position {
        PositionSheet::of(self).write()
    }
}

heliopause_kernel::passage!(Diplomacy, proto, {
    fn read_options_of(edition: &Edition<Options>, message: &proto::Options) -> Result<Options> {
        options::read_of(edition, message)
    }
});
