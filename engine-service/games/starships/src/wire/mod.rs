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

use crate::event::Event;
use crate::game::Starships;
use crate::options::Options;
use crate::order::Order;
use crate::sheet::{Sheet, Sight};
use crate::view::View;

impl heliopause_kernel::Wire for Starships {
    type OptionsMessage = proto::Options;
    type OrderMessage = proto::Order;
    type EventMessage = proto::Event;
    type ViewMessage = proto::View;
    type PositionMessage = proto::Position;

    fn read_options(message: &proto::Options) -> Result<Options> {
        Options::read(message)
    }

    fn write_options(options: &Options) -> proto::Options {
        options.write()
    }

    fn read_order(message: &proto::Order) -> Result<Order> {
        Order::read(message)
    }

    fn write_order(order: &Order) -> proto::Order {
        order.write()
    }

    fn read_event(message: &proto::Event) -> Result<Event> {
        Event::read(message)
    }

    fn write_event(event: &Event) -> proto::Event {
        event.write()
    }

    fn read_view(message: &proto::View) -> Result<View> {
        Sight::read(message)?.view()
    }

    fn write_view(view: &View) -> proto::View {
        Sight::of(view).write()
    }

    fn read_position(message: &proto::Position) -> Result<Self> {
        Sheet::read(message)?.game()
    }

    fn write_position(&self) -> proto::Position {
        Sheet::of_game(self).write()
    }
}
