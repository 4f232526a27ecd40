//! Passage over the wire. The only place where the messages of the contract occur.
//!
//! Readers name the field at fault relative to their own message; whoever calls them puts the path before it with [`field`].

mod battle;
mod board;
mod event;
mod event_battle;
mod fate;
mod names;
mod options;
mod order;
mod politics;
mod politics_event;
mod position;
mod power;
mod sheet;
mod table;
#[cfg(test)]
pub(crate) mod tests;
mod view;

use heliopause_kernel::{Edition, Malformed, Wire};
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::event::Event;
use crate::options::Options;
use crate::order::Order;
use crate::position::StellarConquest;
use crate::view::View;

/// The most rows of any list that a stranger sends: more ships, units or shots than a game can have.
const ROWS_MAX: usize = 16_384;

/// A field that must be there.
fn need<T>(value: Option<&T>) -> Result<&T, Malformed> {
    Malformed::need(value, "")
}

/// A message that cannot be read.
fn wrong<T>(message: impl Into<String>) -> Result<T, Malformed> {
    Err(Malformed::field("", message))
}

/// Puts the name of a field before the path of a fault inside it.
fn field<T>(name: &str, result: Result<T, Malformed>) -> Result<T, Malformed> {
    result.map_err(|fault| {
        let dot = if fault.field.is_empty() || fault.field.starts_with('[') { "" } else { "." };
        Malformed::field(format!("{name}{dot}{}", fault.field), fault.message)
    })
}

/// Reads the items of a list, of which there may be so many.
fn list<T, U>(
    name: &str,
    items: &[T],
    most: usize,
    read: impl Fn(&T) -> Result<U, Malformed>,
) -> Result<Vec<U>, Malformed> {
    if items.len() > most {
        return field(name, wrong(format!("there are more than {most}")));
    }
    let read = |(index, item)| read(item).map_err(|fault| (index, fault));
    let items: Result<Vec<U>, (usize, Malformed)> = items.iter().enumerate().map(read).collect();
    items.or_else(|(index, fault)| field(&format!("{name}[{index}]"), Err(fault)))
}

impl Wire for StellarConquest {
    type OptionsMessage = proto::Options;
    type OrderMessage = proto::Order;
    type EventMessage = proto::Event;
    type ViewMessage = proto::View;
    type PositionMessage = proto::Position;

    fn read_options(message: &proto::Options) -> Result<Options, Malformed> {
        options::read(*message)
    }

    fn read_options_of(edition: &Edition<Options>, message: &proto::Options) -> Result<Options, Malformed> {
        options::read_of(edition, *message)
    }

    fn write_options(options: &Options) -> proto::Options {
        options::write(*options)
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
