//! Passage over the wire. The only place where the messages of the contract occur.

use heliopause_kernel::{Malformed, Wire};
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::choices::Choices;
use crate::event::Event;
use crate::options::Options;
use crate::order::Order;
use crate::position::StellarConquest;
use crate::view::View;

impl Wire for StellarConquest {
    type OptionsMessage = proto::Options;
    type OrderMessage = proto::Order;
    type EventMessage = proto::Event;
    type ViewMessage = proto::View;
    type ChoicesMessage = proto::Choices;
    type PositionMessage = proto::Position;

    fn read_options(_message: &proto::Options) -> Result<Options, Malformed> {
        todo!("wire/options.rs")
    }

    fn write_options(_options: &Options) -> proto::Options {
        todo!("wire/options.rs")
    }

    fn read_order(_message: &proto::Order) -> Result<Order, Malformed> {
        todo!("wire/order.rs")
    }

    fn write_order(_order: &Order) -> proto::Order {
        todo!("wire/order.rs")
    }

    fn read_event(_message: &proto::Event) -> Result<Event, Malformed> {
        todo!("wire/event.rs")
    }

    fn write_event(_event: &Event) -> proto::Event {
        todo!("wire/event.rs")
    }

    fn read_view(_message: &proto::View) -> Result<View, Malformed> {
        todo!("wire/view.rs")
    }

    fn write_view(_view: &View) -> proto::View {
        todo!("wire/view.rs")
    }

    fn write_choices(_choices: &Choices) -> proto::Choices {
        todo!("wire/choices.rs")
    }

    fn read_position(_message: &proto::Position) -> Result<Self, Malformed> {
        todo!("wire/position.rs")
    }

    fn write_position(&self) -> proto::Position {
        todo!("wire/position.rs")
    }
}
