//! Random messages of the contract: well-formed, with values that may or may not be meaningful.

use std::sync::LazyLock;

use heliopause_proto::POOL;
use prost::{Message, Name};
use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, Value};

use crate::source::Source;

const DEPTH: usize = 7;

/// Texts with a meaning somewhere in the contract, and texts that are hard to show.
static WORDS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let meaningful = include_str!("words.txt").lines();
    [""].into_iter().chain(meaningful).chain(["\u{202e}", "ü"]).collect()
});

/// Builds a message of this type.
pub fn message(of: &MessageDescriptor, source: &mut Source<'_>) -> DynamicMessage {
    made(of, source, DEPTH)
}

/// Builds a message of this type in which every oneof is set.
pub fn typed<M: Message + Name + Default>(source: &mut Source<'_>) -> M {
    let of = POOL.get_message_by_name(&M::full_name()).expect("a message of the contract");
    let bytes = message(&of, source).encode_to_vec();
    M::decode(bytes.as_slice()).expect("it was made by its descriptor")
}

fn made(of: &MessageDescriptor, source: &mut Source<'_>, depth: usize) -> DynamicMessage {
    let mut made = DynamicMessage::new(of.clone());
    if depth == 0 {
        return made;
    }
    for oneof in of.oneofs() {
        let fields: Vec<FieldDescriptor> = oneof.fields().collect();
        // An optional field is a oneof with one member.
        if fields.len() == 1 && !source.yes() {
            continue;
        }
        if let Some(field) = source.pick(&fields) {
            made.set_field(field, value(field, source, depth));
        }
    }
    for field in of.fields().filter(|field| field.containing_oneof().is_none()) {
        if field.is_map() {
            continue;
        }
        if field.is_list() {
            let count = [0, 1, 1, 2, 3][source.below(5)];
            let items = (0..count).map(|_| value(&field, source, depth)).collect();
            made.set_field(&field, Value::List(items));
        } else if source.below(8) != 7 {
            made.set_field(&field, value(&field, source, depth));
        }
    }
    made
}

fn number(source: &mut Source<'_>) -> i64 {
    match source.byte() {
        small @ 0..=239 => i64::from(small % 24),
        240..=247 => i64::from(source.byte()),
        248 => -1,
        249 => i64::from(i32::MAX),
        250 => i64::from(i32::MIN),
        251 => i64::from(u32::MAX),
        252 => i64::MAX,
        253 => i64::MIN,
        _ => i64::from(source.pair()),
    }
}

fn text(source: &mut Source<'_>) -> String {
    let which = usize::from(source.byte());
    WORDS.get(which % 64).map_or_else(
        || {
            let most = usize::from(source.byte() % 48);
            String::from_utf8_lossy(source.take(most)).into_owned()
        },
        |word| (*word).to_owned(),
    )
}

fn value(field: &FieldDescriptor, source: &mut Source<'_>, depth: usize) -> Value {
    match field.kind() {
        Kind::Message(of) => Value::Message(made(&of, source, depth - 1)),
        Kind::Enum(of) => {
            let known: Vec<i32> = of.values().map(|value| value.number()).collect();
            Value::EnumNumber(source.pick(&known).copied().unwrap_or_default())
        }
        Kind::String => Value::String(text(source)),
        Kind::Bytes => {
            let most = [0, 1, 8, 32][source.below(4)];
            Value::Bytes(bytes::Bytes::copy_from_slice(source.take(most)))
        }
        Kind::Bool => Value::Bool(source.yes()),
        Kind::Double => Value::F64(f64::from(number(source) as i32) / 16.0),
        Kind::Float => Value::F32(f32::from(number(source) as i16) / 16.0),
        Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => Value::I32(number(source) as i32),
        Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => Value::I64(number(source)),
        Kind::Uint32 | Kind::Fixed32 => Value::U32(number(source) as u32),
        Kind::Uint64 | Kind::Fixed64 => Value::U64(number(source).cast_unsigned()),
    }
}
