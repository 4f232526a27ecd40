//! Passage over the wire. The only place where the messages of the contract occur.

mod adjudication;
mod event;
mod names;
mod options;
mod order;
mod position;
mod report;
mod table;
mod view;

use heliopause_kernel::{Edition, Malformed, Wire};
use heliopause_proto::diplomacy::v1 as proto;

pub use adjudication::{MOST_LINES, MOST_SITUATIONS, adjudicate};

use crate::command::Command;
use crate::event::Event;
use crate::game::Diplomacy;
use crate::options::Options;
use crate::view::View;

/// A field that must be there.
fn need<'a, T>(value: Option<&'a T>, field: &str) -> Result<&'a T, Malformed> {
    value.ok_or_else(|| Malformed::field(field.to_owned(), "it is missing"))
}

fn wrong<T>(field: &str, message: impl Into<String>) -> Result<T, Malformed> {
    Err(Malformed::field(field.to_owned(), message))
}

/// A fault within a part of a message, with the path to that part before its field.
fn within<T>(path: &str, result: Result<T, Malformed>) -> Result<T, Malformed> {
    result.map_err(|fault| {
        let field = if fault.field.is_empty() { path.to_owned() } else { format!("{path}.{}", fault.field) };
        Malformed::field(field, fault.message)
    })
}

/// Reads every element of a list; a fault names its index.
fn each<'a, M, T>(
    list: &'a [M],
    field: &str,
    read: impl Fn(&'a M) -> Result<T, Malformed>,
) -> Result<Vec<T>, Malformed> {
    list.iter().enumerate().map(|(index, message)| within(&format!("{field}[{index}]"), read(message))).collect()
}

impl Wire for Diplomacy {
    type OptionsMessage = proto::Options;
    type OrderMessage = proto::Order;
    type EventMessage = proto::Event;
    type ViewMessage = proto::View;
    type PositionMessage = proto::Position;

    fn read_options(message: &proto::Options) -> Result<Options, Malformed> {
        options::read(message)
    }

    fn read_options_of(edition: &Edition<Options>, message: &proto::Options) -> Result<Options, Malformed> {
        options::read_of(edition, message)
    }

    fn write_options(options: &Options) -> proto::Options {
        options::write(options)
    }

    fn read_order(message: &proto::Order) -> Result<Command, Malformed> {
        order::read_command(message)
    }

    fn write_order(command: &Command) -> proto::Order {
        order::write_command(command)
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
