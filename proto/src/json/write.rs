//! Writing messages as JSON.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, MapKey, ReflectMessage as _, Value};
use prost_types::{Duration, Timestamp};
use serde::ser::{Serialize, SerializeMap as _, Serializer};

use super::StringForm;

pub(super) fn to_value(message: &DynamicMessage, fields: Fields) -> serde_json::Value {
    serde_json::to_value(Shown { message, fields }).expect("every message has a JSON form")
}

pub(super) fn to_line(message: &DynamicMessage, fields: Fields) -> String {
    serde_json::to_string(&Shown { message, fields }).expect("every message has a JSON form")
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fields {
    Set,
    /// All fields, except absent ones with presence: messages, oneofs, optional fields.
    All,
}

struct Shown<'a> {
    message: &'a DynamicMessage,
    fields: Fields,
}

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let readable = "a field of this type is one";
        match StringForm::of(&self.message.descriptor()) {
            Some(StringForm::Timestamp) => {
                serializer.collect_str(&self.message.transcode_to::<Timestamp>().expect(readable))
            }
            Some(StringForm::Duration) => {
                serializer.collect_str(&self.message.transcode_to::<Duration>().expect(readable))
            }
            None => {
                let mut map = serializer.serialize_map(None)?;
                let fields = self.fields;
                let mut entry = |field: &FieldDescriptor, value: &Value| {
                    let kind = field.kind();
                    map.serialize_entry(field.json_name(), &Item { kind: &kind, value, fields })
                };
                match fields {
                    Fields::Set => {
                        self.message
                            .fields()
                            .try_for_each(|(field, value)| entry(&field, value))?;
                    }
                    Fields::All => {
                        let mut all: Vec<FieldDescriptor> =
                            self.message.descriptor().fields().collect();
                        all.sort_by_key(FieldDescriptor::number);
                        for field in all {
                            if !field.supports_presence() || self.message.has_field(&field) {
                                let value = self.message.get_field(&field);
                                entry(&field, value.as_ref())?;
                            }
                        }
                    }
                }
                map.end()
            }
        }
    }
}

struct Item<'a> {
    kind: &'a Kind,
    value: &'a Value,
    fields: Fields,
}

impl Serialize for Item<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.value {
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::I32(value) => serializer.serialize_i32(*value),
            Value::U32(value) => serializer.serialize_u32(*value),
            // Proto3 JSON writes 64-bit numbers as strings, because JavaScript would lose digits.
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
            Value::Message(message) => Shown { message, fields: self.fields }.serialize(serializer),
            Value::List(items) => {
                serializer.collect_seq(items.iter().map(|value| Item { value, ..*self }))
            }
            Value::Map(entries) => {
                let kind = self.kind.as_message().expect("a map is a list of entries");
                let kind = kind.map_entry_value_field().kind();
                // Sort by key, so that the output is deterministic.
                let sorted: BTreeMap<&MapKey, &Value> = entries.iter().collect();
                serializer.collect_map(
                    sorted
                        .into_iter()
                        .map(|(key, value)| (name(key), Item { kind: &kind, value, ..*self })),
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
