//! The game as a whole. It stands apart from the small parts, which the types of the rules name.

use heliopause_kernel::wire::{Read, Result, Write};
use heliopause_proto::starships_at_large::v1 as proto;

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
