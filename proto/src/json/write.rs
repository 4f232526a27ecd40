//! Messages into JSON.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use prost_reflect::{DynamicMessage, Kind, MapKey, ReflectMessage as _, Value};
use prost_types::{Duration, Timestamp};
use serde::ser::{Serialize, SerializeMap as _, Serializer};

use super::InText;

pub(super) fn to_value(message: &DynamicMessage) -> serde_json::Value {
    serde_json::to_value(Shown(message)).expect("every message has a JSON form")
}

pub(super) fn to_line(message: &DynamicMessage) -> String {
    serde_json::to_string(&Shown(message)).expect("every message has a JSON form")
}

struct Shown<'a>(&'a DynamicMessage);

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let readable = "a field of this type is one";
        match InText::of(&self.0.descriptor()) {
            Some(InText::Timestamp) => {
                serializer.collect_str(&self.0.transcode_to::<Timestamp>().expect(readable))
            }
            Some(InText::Duration) => {
                serializer.collect_str(&self.0.transcode_to::<Duration>().expect(readable))
            }
            None => {
                let mut map = serializer.serialize_map(None)?;
                for (field, value) in self.0.fields() {
                    let kind = field.kind();
                    map.serialize_entry(field.json_name(), &Item { kind: &kind, value })?;
                }
                map.end()
            }
        }
    }
}

/// A value in a field.
struct Item<'a> {
    kind: &'a Kind,
    value: &'a Value,
}

impl Serialize for Item<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.value {
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::I32(value) => serializer.serialize_i32(*value),
            Value::U32(value) => serializer.serialize_u32(*value),
            // Programs in JavaScript would lose digits of a number of 64 bits.
            Value::I64(value) => serializer.collect_str(value),
            Value::U64(value) => serializer.collect_str(value),
            Value::F32(value) => real(f64::from(*value), serializer),
            Value::F64(value) => real(*value, serializer),
            Value::String(value) => serializer.serialize_str(value),
            Value::Bytes(value) => serializer.serialize_str(&STANDARD.encode(value)),
            Value::EnumNumber(number) => match self.kind.as_enum() {
                Some(of) if let Some(known) = of.get_value(*number) => {
                    serializer.serialize_str(known.name())
                }
                Some(_) | None => serializer.serialize_i32(*number),
            },
            Value::Message(message) => Shown(message).serialize(serializer),
            Value::List(items) => {
                serializer.collect_seq(items.iter().map(|value| Item { kind: self.kind, value }))
            }
            Value::Map(entries) => {
                let kind = self.kind.as_message().expect("a map is a list of entries");
                let kind = kind.map_entry_value_field().kind();
                // In the order of its keys, so that the same message is the same text.
                let sorted: BTreeMap<&MapKey, &Value> = entries.iter().collect();
                serializer.collect_map(
                    sorted.into_iter().map(|(key, value)| (name(key), Item { kind: &kind, value })),
                )
            }
        }
    }
}

fn real<S: Serializer>(value: f64, serializer: S) -> Result<S::Ok, S::Error> {
    if value.is_finite() {
        serializer.serialize_f64(value)
    } else {
        let sign = if value.is_sign_negative() { "-" } else { "" };
        let text = if value.is_nan() { "NaN".to_owned() } else { format!("{sign}Infinity") };
        serializer.serialize_str(&text)
    }
}

fn name(key: &MapKey) -> String {
    match key {
        MapKey::Bool(key) => key.to_string(),
        MapKey::I32(key) => key.to_string(),
        MapKey::I64(key) => key.to_string(),
        MapKey::U32(key) => key.to_string(),
        MapKey::U64(key) => key.to_string(),
        MapKey::String(key) => key.clone(),
    }
}
