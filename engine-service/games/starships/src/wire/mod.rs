//! Passage over the wire, where it is not said on the types: messages that have another shape.

// What reads and writes a field gets a reference, whatever the field is.
#![allow(clippy::trivially_copy_pass_by_ref, clippy::ref_option)]

mod names;
mod options;
mod state;

use heliopause_kernel::wire::{Read, Result, Write};
use heliopause_proto::starships_at_large::v1 as proto;

pub(crate) use names::{dice, die, player, seat};
pub(crate) use state::death_star;

use crate::game::Starships;
use crate::sheet::{Sheet, Sight};
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

impl Read<proto::Position> for Starships {
    fn read(message: &proto::Position) -> Result<Self> {
        Sheet::read(message)?.game()
    }
}

impl Write<proto::Position> for Starships {
    fn write(&self) -> proto::Position {
        Sheet::of_game(self).write()
    }
}

heliopause_kernel::passage!(Starships, proto, {});
