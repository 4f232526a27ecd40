//! Checks the messages in a scenario file before the scenario runs.

use heliopause_proto::json;
use prost::{Message, Name};
use prost_reflect::MessageDescriptor;

use crate::contract::{Messages, Type, field, wrong_value};
use crate::json::{Flaws, Node, Shape};
use heliopause_client::envelope::in_envelope;

/// Checks the fields, types and enum values of a message in proto3 JSON.
pub fn message(node: &Node, message: &MessageDescriptor, flaws: &mut Flaws) {
    let Some(fields) = node.fields() else {
        return flaws.unexpected(node, &Type::Message(message.clone()).type_name());
    };
    for given in fields {
        match field(message, &given.name) {
            Err(what) => flaws.note(&given.at, what),
            Ok(known) => value(&given.value, &Type::of(&known), flaws),
        }
    }
}

fn value(node: &Node, kind: &Type, flaws: &mut Flaws) {
    match (kind, &node.shape) {
        (_, Shape::Null)
        | (Type::Boolean, Shape::Bool(_))
        | (Type::Text | Type::Time | Type::Span, Shape::Text(_))
        | (Type::Whole(..) | Type::Real, Shape::Number(_) | Shape::Text(_))
        | (Type::Enum(_), Shape::Number(_)) => {}
        (Type::Message(kind), _) => message(node, kind, flaws),
        (Type::List(kind), Shape::List(items)) => {
            for item in items {
                value(item, kind, flaws);
            }
        }
        (Type::Map(kind), Shape::Object(fields)) => {
            for field in fields {
                value(&field.value, kind, flaws);
            }
        }
        (Type::Enum(values), Shape::Text(name)) => {
            if let Some(what) = wrong_value(values, name) {
                flaws.note(&node.at, what);
            }
        }
        _ => flaws.unexpected(node, &kind.type_name()),
    }
}

/// Checks and reads a message. Returns `None` if the message has errors. An error without a
/// position is reported at the start of the message.
pub fn read<M: Message + Name + Default>(
    node: &Node,
    kind: &MessageDescriptor,
    flaws: &mut Flaws,
) -> Option<M> {
    parsed(node, (node, kind), &node.value(), flaws)
}

/// Returns a game's message without its envelope, if it has one.
pub fn own<'n>(node: &'n Node, of: &Messages) -> &'n Node {
    match node.fields() {
        Some([only]) if only.name == of.field => &only.value,
        _ => node,
    }
}

/// Checks and reads a message of a game, with or without its envelope. Returns `None` if the
/// message has errors.
pub fn read_own<M: Message + Name + Default>(
    node: &Node,
    kind: &MessageDescriptor,
    of: &Messages,
    flaws: &mut Flaws,
) -> Option<M> {
    parsed(node, (own(node, of), kind), &in_envelope(&of.kind, node.value()), flaws)
}

fn parsed<M: Message + Name + Default>(
    node: &Node,
    (checked, kind): (&Node, &MessageDescriptor),
    value: &serde_json::Value,
    flaws: &mut Flaws,
) -> Option<M> {
    let before = flaws.0.len();
    message(checked, kind, flaws);
    if flaws.0.len() > before {
        return None;
    }
    match json::from_value(value) {
        Ok(message) => Some(message),
        Err(error) => {
            flaws.note(&node.at, format!("The message is not valid: {error}."));
            None
        }
    }
}
