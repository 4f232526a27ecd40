//! Reading messages from JSON.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::alphabet::{STANDARD, URL_SAFE};
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use prost::Message as _;
use prost_reflect::{
    DynamicMessage, EnumDescriptor, FieldDescriptor, Kind, MapKey, MessageDescriptor, Value,
};
use prost_types::{Duration, Timestamp};
use serde_json::Value as Json;

use super::StringForm;

/// The reason why JSON is not a valid message, and the location of the error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    path: String,
    what: String,
}

impl Fault {
    pub(super) fn new(what: String) -> Self {
        Self { path: String::new(), what }
    }

    /// Prepends an index such as `[2]`, or a field name.
    fn within(self, place: &str) -> Self {
        let dot = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        Self { path: format!("{place}{dot}{}", self.path), ..self }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, what } = self;
        if path.is_empty() { f.write_str(what) } else { write!(f, "{path}: {what}") }
    }
}

impl std::error::Error for Fault {}

pub(super) fn message(kind: &MessageDescriptor, json: &Json) -> Result<DynamicMessage, Fault> {
    if let Some(form) = StringForm::of(kind) {
        return text(form, kind, json);
    }
    let mut message = DynamicMessage::new(kind.clone());
    let mut given: Vec<FieldDescriptor> = Vec::new();
    for (name, value) in json.as_object().ok_or_else(|| wrong("an object", json))? {
        let field = field(kind, name)?;
        if value.is_null() {
            continue;
        }
        if let Some(other) = given.iter().find(|other| share_oneof(other, &field)) {
            return Err(Fault::new(format!(
                "`{}` and `{name}` cannot be combined",
                other.json_name()
            )));
        }
        let read = if field.is_list() {
            list(&field.kind(), value)
        } else if field.is_map() {
            map(&field.kind(), value)
        } else {
            single(&field.kind(), value)
        };
        message.set_field(&field, read.map_err(|fault| fault.within(name))?);
        given.push(field);
    }
    Ok(message)
}

fn text(form: StringForm, kind: &MessageDescriptor, json: &Json) -> Result<DynamicMessage, Fault> {
    let text = json.as_str();
    let bytes = match form {
        StringForm::Timestamp => text.and_then(timestamp).map(|time| time.encode_to_vec()),
        StringForm::Duration => {
            text.and_then(|text| text.parse().ok()).map(|length: Duration| length.encode_to_vec())
        }
    };
    let message = bytes.and_then(|bytes| DynamicMessage::decode(kind.clone(), &*bytes).ok());
    message.ok_or_else(|| wrong(&form.to_string(), json))
}

fn field(kind: &MessageDescriptor, name: &str) -> Result<FieldDescriptor, Fault> {
    let found = kind.get_field_by_json_name(name).or_else(|| kind.get_field_by_name(name));
    found.ok_or_else(|| {
        let known: Vec<String> =
            kind.fields().map(|field| format!("`{}`", field.json_name())).collect();
        let known = match known.as_slice() {
            [] => format!("{} has no fields", kind.name()),
            known => format!("expected one of {}", known.join(", ")),
        };
        Fault::new(format!("unknown field `{name}`, {known}"))
    })
}

fn share_oneof(one: &FieldDescriptor, other: &FieldDescriptor) -> bool {
    let choice = one.containing_oneof();
    one == other || choice.is_some() && choice == other.containing_oneof()
}

fn list(kind: &Kind, json: &Json) -> Result<Value, Fault> {
    let items = json.as_array().ok_or_else(|| wrong("a list", json))?;
    let item = |(index, item): (usize, &Json)| {
        single(kind, item).map_err(|fault| fault.within(&format!("[{index}]")))
    };
    items.iter().enumerate().map(item).collect::<Result<_, _>>().map(Value::List)
}

fn map(kind: &Kind, json: &Json) -> Result<Value, Fault> {
    let kind = kind.as_message().expect("a map is a list of entries");
    let (keys, values) = (kind.map_entry_key_field().kind(), kind.map_entry_value_field().kind());
    let mut entries: HashMap<MapKey, Value> = HashMap::new();
    for (name, value) in json.as_object().ok_or_else(|| wrong("an object", json))? {
        let key = single(&keys, &Json::String(name.clone()));
        let key = key.map(|key| key.into_map_key().expect("keys are texts and whole numbers"));
        let entry = key.and_then(|key| Ok((key, single(&values, value)?)));
        entries.extend([entry.map_err(|fault| fault.within(name))?]);
    }
    Ok(Value::Map(entries))
}

fn single(kind: &Kind, json: &Json) -> Result<Value, Fault> {
    let (value, expected) = match kind {
        Kind::Message(kind) => return message(kind, json).map(Value::Message),
        Kind::Enum(kind) => return choice(kind, json),
        Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => {
            (number(json).map(Value::I32), "a whole number of 32 bits")
        }
        Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => {
            (number(json).map(Value::I64), "a whole number of 64 bits")
        }
        Kind::Uint32 | Kind::Fixed32 => {
            (number(json).map(Value::U32), "a whole number of 32 bits, 0 or more")
        }
        Kind::Uint64 | Kind::Fixed64 => {
            (number(json).map(Value::U64), "a whole number of 64 bits, 0 or more")
        }
        Kind::Float => (number(json).map(Value::F32), "a number"),
        Kind::Double => (number(json).map(Value::F64), "a number"),
        Kind::Bool => (json.as_bool().map(Value::Bool), "true or false"),
        Kind::String => (json.as_str().map(|text| Value::String(text.to_owned())), "a string"),
        Kind::Bytes => {
            (json.as_str().and_then(bytes).map(|bytes| Value::Bytes(bytes.into())), "base64")
        }
    };
    value.ok_or_else(|| wrong(expected, json))
}

fn number<T: FromStr>(json: &Json) -> Option<T> {
    match json {
        Json::Number(number) => number.to_string().parse().ok(),
        Json::String(text) => text.parse().ok(),
        Json::Null | Json::Bool(_) | Json::Array(_) | Json::Object(_) => None,
    }
}

fn choice(kind: &EnumDescriptor, json: &Json) -> Result<Value, Fault> {
    let known = || {
        let names: Vec<String> = kind.values().map(|value| format!("`{}`", value.name())).collect();
        format!("one of {}", names.join(", "))
    };
    let by_name = |name: &str| kind.get_value_by_name(name).map(|value| value.number());
    let read = match json {
        Json::String(name) => by_name(name),
        Json::Number(_) => number(json),
        Json::Null | Json::Bool(_) | Json::Array(_) | Json::Object(_) => None,
    };
    read.map(Value::EnumNumber).ok_or_else(|| wrong(&known(), json))
}

/// Reads base64 in either alphabet, with or without padding.
fn bytes(text: &str) -> Option<Vec<u8>> {
    let alphabet = if text.contains(['-', '_']) { &URL_SAFE } else { &STANDARD };
    let config =
        GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    GeneralPurpose::new(alphabet, config).decode(text).ok()
}

/// Parses RFC 3339. The type's own parser would also accept a date without a time or an offset.
fn timestamp(text: &str) -> Option<Timestamp> {
    let (_, time) = text.split_once(['T', 't'])?;
    time.contains(['Z', 'z', '+', '-']).then(|| text.parse().ok())?
}

fn wrong(expected: &str, found: &Json) -> Fault {
    const SHOWN: usize = 60;
    let text = found.to_string();
    let found = match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    };
    Fault::new(format!("expected {expected}, found {found}"))
}
