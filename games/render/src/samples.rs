//! Reads messages for tests from JSON files.

use heliopause_proto::json;
use prost::{Message, Name};
use serde_json::Value;

/// Returns a message of a file with a message for each name.
pub(crate) fn read<M: Message + Name + Default>(file: &str, name: &str) -> M {
    let messages: Value = serde_json::from_str(file).expect("the samples are JSON");
    json::from_value(&messages[name]).expect("the sample is well formed")
}
