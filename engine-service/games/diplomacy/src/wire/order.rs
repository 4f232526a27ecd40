//! Orders.

use heliopause_kernel::Malformed;
use heliopause_proto::diplomacy::v1 as proto;
use proto::order::Kind as Message;

use super::names::{
    read_kind_if, read_named, read_node, read_place, read_province_if, write_kind, write_named, write_province_if,
};
use super::{each, need, within, wrong};
use crate::command::{Command, Sheet};
use crate::order::Order;
use crate::position::Code;

/// The most orders that a sheet can have: more than any power has units or centers.
const LONGEST_SHEET: usize = 128;

pub(super) fn read_command(message: &proto::Order) -> Result<Command, Malformed> {
    match &message.kind {
        Some(Message::Clear(_)) => Ok(Command::Clear),
        _ => read(message).map(Command::Order),
    }
}

pub(super) fn write_command(command: &Command) -> proto::Order {
    match command {
        Command::Order(order) => write(order),
        Command::Clear => proto::Order { kind: Some(Message::Clear(proto::Clear {})) },
    }
}

pub(super) fn read(message: &proto::Order) -> Result<Order, Malformed> {
    let Some(kind) = &message.kind else { return wrong("kind", "the order is empty") };
    Ok(match kind {
        Message::Hold(hold) => Order::Hold { unit: read_named(hold.unit.as_ref(), "hold.unit")? },
        Message::Move(order) => Order::Move {
            unit: read_named(order.unit.as_ref(), "move.unit")?,
            to: read_place(&order.to, "move.to")?,
            via_convoy: order.via_convoy,
        },
        Message::SupportHold(order) => Order::SupportHold {
            unit: read_named(order.unit.as_ref(), "support_hold.unit")?,
            other: read_named(order.other.as_ref(), "support_hold.other")?,
        },
        Message::SupportMove(order) => Order::SupportMove {
            unit: read_named(order.unit.as_ref(), "support_move.unit")?,
            other: read_named(order.other.as_ref(), "support_move.other")?,
            of: read_code_if(&order.of, "support_move.of")?,
            to: read_place(&order.to, "support_move.to")?,
        },
        Message::Convoy(order) => Order::Convoy {
            unit: read_named(order.unit.as_ref(), "convoy.unit")?,
            army: read_named(order.army.as_ref(), "convoy.army")?,
            to: read_node(&order.to, "convoy.to")?,
        },
        Message::Colonize(order) => Order::Colonize {
            unit: read_named(order.unit.as_ref(), "colonize.unit")?,
            target: read_province_if(&order.target, "colonize.target")?,
        },
        Message::Retreat(order) => Order::Retreat {
            unit: read_named(order.unit.as_ref(), "retreat.unit")?,
            to: read_place(&order.to, "retreat.to")?,
        },
        Message::Disband(order) => Order::Disband { unit: read_named(order.unit.as_ref(), "disband.unit")? },
        Message::Build(order) => {
            let unit = need(order.unit.as_ref(), "build.unit")?;
            let kind = read_kind_if(unit.kind, "build.unit.kind")?;
            Order::Build { kind, at: read_node(&unit.at, "build.unit.at")? }
        }
        Message::Remove(order) => Order::Remove { unit: read_named(order.unit.as_ref(), "remove.unit")? },
        Message::Waive(_) => Order::Waive,
        Message::Clear(_) => return wrong("kind", "this is no order for a unit"),
    })
}

fn read_code_if(text: &str, field: &str) -> Result<Option<Code>, Malformed> {
    match Code::read(text) {
        Some(code) => Ok(Some(code)),
        None if text.is_empty() => Ok(None),
        None => wrong(field, "expected the three letters of an empire"),
    }
}

pub(super) fn write(order: &Order) -> proto::Order {
    let named = |unit| Some(write_named(unit));
    let kind = match *order {
        Order::Hold { unit } => Message::Hold(proto::Hold { unit: named(unit) }),
        Order::Move { unit, to, via_convoy } => {
            Message::Move(proto::Move { unit: named(unit), to: to.to_string(), via_convoy })
        }
        Order::SupportHold { unit, other } => {
            Message::SupportHold(proto::SupportHold { unit: named(unit), other: named(other) })
        }
        Order::SupportMove { unit, other, of, to } => Message::SupportMove(proto::SupportMove {
            unit: named(unit),
            other: named(other),
            of: of.map_or_else(String::new, |code| code.to_string()),
            to: to.to_string(),
        }),
        Order::Convoy { unit, army, to } => {
            Message::Convoy(proto::Convoy { unit: named(unit), army: named(army), to: to.to_string() })
        }
        Order::Colonize { unit, target } => {
            Message::Colonize(proto::Colonize { unit: named(unit), target: write_province_if(target) })
        }
        Order::Retreat { unit, to } => Message::Retreat(proto::Retreat { unit: named(unit), to: to.to_string() }),
        Order::Disband { unit } => Message::Disband(proto::Disband { unit: named(unit) }),
        Order::Build { kind, at } => {
            let unit = proto::Unit { kind: write_kind(kind), at: at.to_string() };
            Message::Build(proto::Build { unit: Some(unit) })
        }
        Order::Remove { unit } => Message::Remove(proto::Remove { unit: named(unit) }),
        Order::Waive => Message::Waive(proto::Waive {}),
    };
    proto::Order { kind: Some(kind) }
}

/// An order that must be there.
pub(super) fn read_needed(message: Option<&proto::Order>, field: &str) -> Result<Order, Malformed> {
    within(field, read(need(message, field)?))
}

pub(super) fn read_sheet(sheet: &proto::Sheet) -> Result<Sheet, Malformed> {
    if sheet.orders.len() > LONGEST_SHEET {
        return wrong("orders", format!("there are more than {LONGEST_SHEET} orders"));
    }
    each(&sheet.orders, "orders", read)
}

pub(super) fn write_sheet(sheet: &Sheet) -> proto::Sheet {
    proto::Sheet { orders: sheet.iter().map(write).collect() }
}
