//! Messages as proto3 JSON, by their descriptors: one writer and one reader for all messages.
//!
//! Code that is generated for each message would be five sixths of this crate.

mod read;
mod write;

use std::fmt;

use prost::{Message, Name};
use prost_reflect::{DynamicMessage, MessageDescriptor};
use serde_json::Value;

use crate::POOL;

pub use read::Fault;
use write::Fields;

/// A message as a JSON value.
pub fn to_value<M: Message + Name>(message: &M) -> Value {
    write::to_value(&reflected(&M::full_name(), &message.encode_to_vec()), Fields::Set)
}

/// A message as one line of JSON, its fields in the order of their numbers.
pub fn to_line<M: Message + Name>(message: &M) -> String {
    write::to_line(&reflected(&M::full_name(), &message.encode_to_vec()), Fields::Set)
}

/// A message as a JSON value with every field that cannot be absent: empty lists, zeros.
pub fn to_whole_value<M: Message + Name>(message: &M) -> Value {
    write::to_value(&reflected(&M::full_name(), &message.encode_to_vec()), Fields::All)
}

/// The same as one line.
pub fn to_whole_line<M: Message + Name>(message: &M) -> String {
    write::to_line(&reflected(&M::full_name(), &message.encode_to_vec()), Fields::All)
}

/// Reads a message from a JSON value.
pub fn from_value<M: Message + Name + Default>(value: &Value) -> Result<M, Fault> {
    let bytes = read::message(&descriptor(&M::full_name()), value)?.encode_to_vec();
    // Only what is nested too deeply cannot be decoded.
    M::decode(bytes.as_slice()).map_err(|error| Fault::new(error.to_string()))
}

/// Reads a message from a text of JSON.
pub fn from_text<M: Message + Name + Default>(text: &str) -> Result<M, Fault> {
    from_value(&serde_json::from_str(text).map_err(|error| Fault::new(error.to_string()))?)
}

fn reflected(name: &str, bytes: &[u8]) -> DynamicMessage {
    DynamicMessage::decode(descriptor(name), bytes).expect("the code is made of the same contract")
}

fn descriptor(name: &str) -> MessageDescriptor {
    POOL.get_message_by_name(name).expect("the code is made of the same contract")
}

/// The messages that JSON writes as texts.
#[derive(Clone, Copy)]
enum InText {
    Timestamp,
    Duration,
}

impl InText {
    fn of(message: &MessageDescriptor) -> Option<Self> {
        match message.full_name() {
            "google.protobuf.Timestamp" => Some(Self::Timestamp),
            "google.protobuf.Duration" => Some(Self::Duration),
            _ => None,
        }
    }
}

impl fmt::Display for InText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Timestamp => "a time such as \"2030-01-31T20:00:00Z\"",
            Self::Duration => "a length of time such as \"90s\"",
        })
    }
}

#[cfg(test)]
mod tests;
