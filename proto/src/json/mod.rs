//! Proto3 JSON for all messages, using their descriptors. Generated conversions would make up five
//! sixths of this crate.

mod read;
mod write;

use std::fmt;

use prost::{Message, Name};
use prost_reflect::{DynamicMessage, MessageDescriptor};
use serde_json::Value;

use crate::POOL;

pub use read::Fault;
use write::Fields;

/// Converts a message to a JSON value.
pub fn to_value<M: Message + Name>(message: &M) -> Value {
    write::to_value(&reflected(&M::full_name(), &message.encode_to_vec()), Fields::Set)
}

/// Converts a message to one line of JSON, with fields in the order of their numbers.
pub fn to_line<M: Message + Name>(message: &M) -> String {
    write::to_line(&reflected(&M::full_name(), &message.encode_to_vec()), Fields::Set)
}

/// Converts a message to a JSON value including fields with default values.
pub fn to_full_value<M: Message + Name>(message: &M) -> Value {
    write::to_value(&reflected(&M::full_name(), &message.encode_to_vec()), Fields::All)
}

/// Converts a message to one line of JSON including fields with default values.
pub fn to_full_line<M: Message + Name>(message: &M) -> String {
    write::to_line(&reflected(&M::full_name(), &message.encode_to_vec()), Fields::All)
}

/// Reads a message from a JSON value.
pub fn from_value<M: Message + Name + Default>(value: &Value) -> Result<M, Fault> {
    let bytes = read::message(&descriptor(&M::full_name()), value)?.encode_to_vec();
    // Decoding fails only if the nesting is too deep.
    M::decode(bytes.as_slice()).map_err(|error| Fault::new(error.to_string()))
}

/// Reads a message from JSON text.
pub fn from_text<M: Message + Name + Default>(text: &str) -> Result<M, Fault> {
    from_value(&serde_json::from_str(text).map_err(|error| Fault::new(error.to_string()))?)
}

fn reflected(name: &str, bytes: &[u8]) -> DynamicMessage {
    DynamicMessage::decode(descriptor(name), bytes).expect("the code is made of the same contract")
}

fn descriptor(name: &str) -> MessageDescriptor {
    POOL.get_message_by_name(name).expect("the code is made of the same contract")
}

#[derive(Clone, Copy)]
enum StringForm {
    Timestamp,
    Duration,
}

impl StringForm {
    fn of(message: &MessageDescriptor) -> Option<Self> {
        match message.full_name() {
            "google.protobuf.Timestamp" => Some(Self::Timestamp),
            "google.protobuf.Duration" => Some(Self::Duration),
            _ => None,
        }
    }
}

impl fmt::Display for StringForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Timestamp => "a time such as \"2030-01-31T20:00:00Z\"",
            Self::Duration => "a duration such as \"90s\"",
        })
    }
}

#[cfg(test)]
mod tests;
