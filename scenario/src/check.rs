//! Whether a message that is sent is one: its names, its enum values, the shapes of its values,
//! each with its line.

use heliopause_proto::json;
use prost::{Message, Name};
use prost_reflect::MessageDescriptor;

use crate::contract::{Messages, Type, field, wrong_value};
use crate::json::{Flaws, Node, Shape};
use heliopause_client::envelope::in_envelope;

/// Checks a message in proto3 JSON.
pub fn message(node: &Node, message: &MessageDescriptor, flaws: &mut Flaws) {
    let Some(fields) = node.fields() else {
        return flaws
            .note(&node.at, format!("Here a {} belongs, not {}.", message.name(), node.is_a()));
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
        | (Type::Truth, Shape::Bool(_))
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
        _ => flaws.note(&node.at, format!("Here {} belongs, not {}.", kind.is_a(), node.is_a())),
    }
}

/// Reads a message that has been checked. What is still wrong with it is told at its beginning.
pub fn read<M: Message + Name + Default>(
    node: &Node,
    kind: &MessageDescriptor,
    flaws: &mut Flaws,
) -> Option<M> {
    let before = flaws.0.len();
    message(node, kind, flaws);
    if flaws.0.len() > before {
        return None;
    }
    parsed(node, &node.value(), flaws)
}

/// The game's own message, without the envelope that may be around it.
pub fn own<'n>(node: &'n Node, of: &Messages) -> &'n Node {
    match node.fields() {
        Some([only]) if only.name == of.field => &only.value,
        _ => node,
    }
}

/// Reads a message of a game, with or without the envelope around it.
pub fn read_own<M: Message + Name + Default>(
    node: &Node,
    kind: &MessageDescriptor,
    of: &Messages,
    flaws: &mut Flaws,
) -> Option<M> {
    let before = flaws.0.len();
    message(own(node, of), kind, flaws);
    if flaws.0.len() > before {
        return None;
    }
    parsed(node, &in_envelope(&of.kind, node.value()), flaws)
}

fn parsed<M: Message + Name + Default>(
    node: &Node,
    value: &serde_json::Value,
    flaws: &mut Flaws,
) -> Option<M> {
    match json::from_value(value) {
        Ok(message) => Some(message),
        Err(error) => {
            flaws.note(&node.at, format!("This message cannot be read: {error}."));
            None
        }
    }
}
