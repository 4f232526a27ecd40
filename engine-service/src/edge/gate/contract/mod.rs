//! Checks of requests against the limits in the contract's descriptors.
//!
//! A message is checked before decoding, because two bytes on the wire can become hundreds in
//! memory.

use std::collections::{HashMap, HashSet};

use heliopause_proto::text::{Flaw, Profile, looks};
use prost::encoding::{DecodeContext, WireType, decode_key, decode_varint, skip_field};
use prost_reflect::{
    Cardinality, DescriptorPool, DynamicMessage, EnumValueDescriptor, FieldDescriptor, Kind,
    MessageDescriptor,
};

use crate::failure::Failure;
use crate::failure::reasons::extension;

/// The default limits of fields without limits of their own, as documented in `limits.proto`.
const ITEMS: u32 = 64;
const CHARACTERS: u32 = 256;
const BYTES: u32 = 64;
/// The maximum number of messages and repeated values in a request. It bounds the decoded size.
const ELEMENTS_MAX: usize = 200_000;
/// The maximum nesting of messages. The contract's messages nest far less deeply.
const DEPTH_MAX: usize = 32;

pub(crate) fn option(options: &DynamicMessage, pool: &DescriptorPool, name: &str) -> Option<u32> {
    extension(options, pool, &format!("limits.v1.{name}"))?.as_u32()
}

fn profile(options: &DynamicMessage, pool: &DescriptorPool) -> Profile {
    let text = extension(options, pool, "limits.v1.text").and_then(|text| text.as_enum_number());
    match text {
        None | Some(0 | 1) => Profile::Line,
        Some(2) => Profile::Lines,
        Some(3) => Profile::Title,
        Some(4) => Profile::Name,
        Some(other) => unreachable!("limits.proto has no Text {other}"),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Id(usize);

#[derive(Debug, Default)]
pub(crate) struct Rules {
    messages: Vec<Vec<Field>>,
    ids: HashMap<String, Id>,
}

#[derive(Debug)]
struct Field {
    number: u32,
    name: String,
    shape: Shape,
    items: u32,
    repeated: bool,
}

#[derive(Debug)]
enum Shape {
    Text {
        characters: u32,
        lines: Option<u32>,
        profile: Profile,
    },
    Bytes(u32),
    Message(Id),
    Varint,
    /// The known values of an enum.
    Enum(Vec<u64>),
    Fixed(usize),
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Violation {
    pub(crate) field: String,
    pub(crate) message: String,
    pub(crate) flaw: Option<Flaw>,
}

impl From<Flaw> for Violation {
    fn from(flaw: Flaw) -> Self {
        Self { field: String::new(), message: flaw.to_string(), flaw: Some(flaw) }
    }
}

impl From<Violation> for Failure {
    fn from(violation: Violation) -> Self {
        match violation.flaw {
            Some(flaw) => Self::from(flaw).in_field(&violation.field),
            None => Self::field(violation.field, violation.message),
        }
    }
}

impl Violation {
    fn new(message: impl Into<String>) -> Self {
        Self { field: String::new(), message: message.into(), flaw: None }
    }

    fn unreadable() -> Self {
        Self::new("The message does not have the request type of this call.")
    }

    fn within(mut self, field: &Field, nth: u32) -> Self {
        let name =
            if field.repeated { format!("{}[{nth}]", field.name) } else { field.name.clone() };
        self.field = if self.field.is_empty() { name } else { format!("{name}.{}", self.field) };
        self
    }
}

impl Rules {
    pub(crate) fn learn(&mut self, message: &MessageDescriptor) -> Id {
        if let Some(&id) = self.ids.get(message.full_name()) {
            return id;
        }
        let id = Id(self.messages.len());
        self.messages.push(Vec::new());
        self.ids.insert(message.full_name().to_owned(), id);
        let file = message.parent_file();
        let items =
            option(&file.options(), message.parent_pool(), "max_items_of_fields").unwrap_or(ITEMS);
        self.messages[id.0] = message.fields().map(|field| self.field(&field, items)).collect();
        id
    }

    fn field(&mut self, field: &FieldDescriptor, items_of_file: u32) -> Field {
        let options = field.options();
        let said = |name| option(&options, field.parent_message().parent_pool(), name);
        let shape = match field.kind() {
            Kind::String => {
                let profile = profile(&options, field.parent_message().parent_pool());
                Shape::Text {
                    characters: said("max_length").unwrap_or(CHARACTERS),
                    lines: said("max_lines"),
                    profile,
                }
            }
            Kind::Bytes => Shape::Bytes(said("max_length").unwrap_or(BYTES)),
            Kind::Message(message) => Shape::Message(self.learn(&message)),
            Kind::Double | Kind::Fixed64 | Kind::Sfixed64 => Shape::Fixed(8),
            Kind::Float | Kind::Fixed32 | Kind::Sfixed32 => Shape::Fixed(4),
            Kind::Enum(known) => {
                // Enum numbers are sign-extended to 64 bits on the wire.
                let number = |value: EnumValueDescriptor| i64::from(value.number()).cast_unsigned();
                Shape::Enum(known.values().map(number).collect())
            }
            Kind::Bool
            | Kind::Int32
            | Kind::Int64
            | Kind::Uint32
            | Kind::Uint64
            | Kind::Sint32
            | Kind::Sint64 => Shape::Varint,
        };
        let repeated = field.cardinality() == Cardinality::Repeated;
        let items = if repeated { said("max_items").unwrap_or(items_of_file) } else { 1 };
        Field { number: field.number(), name: field.name().to_owned(), shape, items, repeated }
    }

    pub(crate) fn check(&self, id: Id, message: &[u8]) -> Result<usize, Violation> {
        let mut walk = Walk { rules: self, elements: 0, counts: Vec::new(), names: HashSet::new() };
        walk.message(id, message, 0)?;
        Ok(walk.elements)
    }
}

struct Walk<'a> {
    rules: &'a Rules,
    elements: usize,
    /// The number of values read so far, for each field of the enclosing messages, innermost last.
    counts: Vec<u32>,
    /// The names read so far with their fields, normalized so that look-alike names are equal.
    names: HashSet<(Id, u32, String)>,
}

impl Walk<'_> {
    fn message(&mut self, id: Id, mut rest: &[u8], depth: usize) -> Result<(), Violation> {
        if depth > DEPTH_MAX {
            return Err(Violation::new(format!(
                "messages are nested too deeply; the limit is {DEPTH_MAX} levels"
            )));
        }
        let fields = &self.rules.messages[id.0];
        let counts = self.counts.len();
        self.counts.resize(counts + fields.len(), 0);
        while !rest.is_empty() {
            let (number, wire) = decode_key(&mut rest).map_err(|_| Violation::unreadable())?;
            let known = fields.iter().position(|field| field.number == number);
            let Some(position) = known else {
                skip_field(wire, number, &mut rest, DecodeContext::default())
                    .map_err(|_| Violation::unreadable())?;
                continue;
            };
            let (field, nth) = (&fields[position], self.counts[counts + position]);
            let values = if wire == WireType::LengthDelimited {
                let value = delimited(&mut rest)?;
                self.value(id, field, value, depth)
                    .map_err(|violation| violation.within(field, nth))?
            } else {
                let before = rest;
                skip_field(wire, number, &mut rest, DecodeContext::default())
                    .map_err(|_| Violation::unreadable())?;
                let value = &before[..before.len() - rest.len()];
                check_numbers(field, value).map_err(|violation| violation.within(field, nth))?;
                1
            };
            let values = nth.saturating_add(values);
            self.counts[counts + position] = values;
            check_count(field, values)?;
        }
        self.counts.truncate(counts);
        Ok(())
    }

    fn value(
        &mut self,
        id: Id,
        field: &Field,
        value: &[u8],
        depth: usize,
    ) -> Result<u32, Violation> {
        if field.repeated || matches!(field.shape, Shape::Message(_)) {
            self.elements += 1;
            if self.elements > ELEMENTS_MAX {
                return Err(Violation::new(format!(
                    "the request has too many messages and list items; the limit is {ELEMENTS_MAX}"
                )));
            }
        }
        match &field.shape {
            &Shape::Text { characters, lines, profile } => {
                let text = check_text(value, characters, lines)?;
                profile.check(text)?;
                if profile == Profile::Name {
                    self.name((id, field.number), text)?;
                }
            }
            &Shape::Bytes(most) => {
                let found = value.len();
                require(found <= most as usize, || {
                    format!("{found} bytes are too many; the limit is {most}")
                })?;
            }
            &Shape::Message(id) => self.message(id, value, depth + 1)?,
            // Count the last byte of each varint, whose highest bit is clear.
            Shape::Varint | Shape::Enum(_) => {
                check_numbers(field, value)?;
                return Ok(count(value.iter().filter(|&&byte| byte < 0x80).count()));
            }
            &Shape::Fixed(size) => return Ok(count(value.len() / size)),
        }
        Ok(1)
    }

    /// Records a name. Rejects a name that looks like an earlier one in the same field.
    fn name(&mut self, (id, number): (Id, u32), name: &str) -> Result<(), Violation> {
        let is_new = name.is_empty() || self.names.insert((id, number, looks(name)));
        require(is_new, || {
            format!("{name:?} looks like another name in this request; choose a different name")
        })
    }
}

fn count(values: usize) -> u32 {
    u32::try_from(values).unwrap_or(u32::MAX)
}

fn require(holds: bool, message: impl FnOnce() -> String) -> Result<(), Violation> {
    if holds { Ok(()) } else { Err(Violation::new(message())) }
}

fn delimited<'a>(rest: &mut &'a [u8]) -> Result<&'a [u8], Violation> {
    let length = decode_varint(rest).ok().and_then(|length| usize::try_from(length).ok());
    let (value, after) = length
        .and_then(|length| rest.split_at_checked(length))
        .ok_or_else(Violation::unreadable)?;
    *rest = after;
    Ok(value)
}

fn check_text(text: &[u8], characters: u32, lines: Option<u32>) -> Result<&str, Violation> {
    // Count characters, not bytes: UTF-8 continuation bytes start with the bits 10.
    let length = text.iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
    require(length <= characters as usize, || {
        format!("{length} characters are too many; the limit is {characters}")
    })?;
    if let Some(most) = lines {
        // A final line break does not start another line.
        let lines = text.strip_suffix(b"\n").unwrap_or(text).split(|&byte| byte == b'\n').count();
        require(text.is_empty() || lines <= most as usize, || {
            format!("{lines} lines are too many; the limit is {most}")
        })?;
    }
    std::str::from_utf8(text).map_err(|_| Violation::new("expected text in UTF-8"))
}

/// Rejects unknown enum numbers, so that newer clients notice unsupported values.
fn check_numbers(field: &Field, mut numbers: &[u8]) -> Result<(), Violation> {
    let Shape::Enum(known) = &field.shape else { return Ok(()) };
    while !numbers.is_empty() {
        let number = decode_varint(&mut numbers).map_err(|_| Violation::unreadable())?;
        require(known.contains(&number), || {
            format!("the value {} is unknown; use a value of the contract", number.cast_signed())
        })?;
    }
    Ok(())
}

/// Rejects a field with too many values. A singular message must occur only once, because decoders
/// would merge repeated messages and their lists. A singular scalar may be repeated: the last value
/// counts.
fn check_count(field: &Field, values: u32) -> Result<(), Violation> {
    let joins = field.repeated || matches!(field.shape, Shape::Message(_));
    if !joins || values <= field.items {
        return Ok(());
    }
    let message = if field.repeated {
        format!("the field has too many values; the limit is {}", field.items)
    } else {
        "the field occurs more than once; send it once".to_owned()
    };
    Err(Violation { field: field.name.clone(), ..Violation::new(message) })
}

#[cfg(test)]
pub(crate) mod tests;
