//! Passage over the wire, where it is not said on the types: messages that have another shape.

mod adjudication;
mod names;
mod options;
mod report;

use heliopause_kernel::Edition;
use heliopause_kernel::wire::{Read, Result, Write};
use heliopause_proto::diplomacy::v1 as proto;

pub use adjudication::adjudicate;

use crate::command::Command;
use crate::event::Event;
use crate::game::Diplomacy;
use crate::options::Options;
use crate::sheet::{PositionSheet, Sight};
use crate::view::View;

impl heliopause_kernel::Wire for Diplomacy {
    type OptionsMessage = proto::Options;
    type OrderMessage = proto::Order;
    type EventMessage = proto::Event;
    type ViewMessage = proto::View;
    type PositionMessage = proto::Position;

    fn read_options(message: &proto::Options) -> Result<Options> {
        Options::read(message)
    }

    fn read_options_of(edition: &Edition<Options>, message: &proto::Options) -> Result<Options> {
        options::read_of(edition, message)
    }

    fn write_options(options: &Options) -> proto::Options {
        options.write()
    }

    fn read_order(message: &proto::Order) -> Result<Command> {
        Command::read(message)
    }

    fn write_order(command: &Command) -> proto::Order {
        command.write()
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
        PositionSheet::read(message)?.game()
    }

    fn write_position(&self) -> proto::Position {
        PositionSheet::of(self).write()
    }
}
