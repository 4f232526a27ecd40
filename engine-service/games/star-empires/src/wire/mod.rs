//! Passage over the wire. The only place where the messages of the contract occur.

mod chart;
mod event;
mod galaxy;
mod master;
mod names;
mod options;
mod order;
mod position;
mod report;
mod ships;
#[cfg(test)]
mod tests;
mod view;

use heliopause_kernel::{Malformed, Wire};
use heliopause_proto::star_empires::v1 as proto;

use crate::event::Event;
use crate::options::Options;
use crate::order::Order;
use crate::position::StarEmpires;
use crate::view::View;

fn wrong<T>(field: &str, message: &str) -> Result<T, Malformed> {
    Err(Malformed::field(field.to_owned(), message.to_owned()))
}

impl Wire for StarEmpires {
    type OptionsMessage = proto::Options;
    type OrderMessage = proto::Order;
    type EventMessage = proto::Event;
    type ViewMessage = proto::View;
    type PositionMessage = proto::Position;

    fn read_options(message: &proto::Options) -> Result<Options, Malformed> {
        options::read(message)
    }

    fn write_options(options: &Options) -> proto::Options {
        options::write(options)
    }

    fn read_order(message: &proto::Order) -> Result<Order, Malformed> {
        order::read(message)
    }

    fn write_order(order: &Order) -> proto::Order {
        order::write(order)
    }

    fn read_event(message: &proto::Event) -> Result<Event, Malformed> {
        event::read(message)
    }

    fn write_event(event: &Event) -> proto::Event {
        event::write(event)
    }

    fn read_view(message: &proto::View) -> Result<View, Malformed> {
        view::read(message)
    }

    fn write_view(view: &View) -> proto::View {
        view::write(view)
    }

    fn read_position(message: &proto::Position) -> Result<Self, Malformed> {
        position::read(message)
    }

    fn write_position(&self) -> proto::Position {
        position::write(self)
    }
}
