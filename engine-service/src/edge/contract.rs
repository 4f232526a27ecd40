//! What the contract says of requests, read from its descriptors: how large each field may be, and
//! what its text may hold.
//!
//! A message is checked as it came, before anything of it is decoded: two bytes on the wire can
//! become hundreds in memory.

use std::collections::{HashMap, HashSet};

use heliopause_text::{Flaw, Profile, looks};
use prost::encoding::{DecodeContext, WireType, decode_key, decode_varint, skip_field};
use prost_reflect::{
    Cardinality, DescriptorPool, DynamicMessage, EnumValueDescriptor, ExtensionDescriptor,
    FieldDescriptor, Kind, MessageDescriptor,
};

use super::errors::Failure;

/// What holds where the contract does not say it; `limits.proto` names these numbers.
const ITEMS: u32 = 64;
const CHARACTERS: u32 = 256;
const BYTES: u32 = 64;
/// How many messages and repeated values a request may have in all: what it may grow to when it is
/// decoded.
const ELEMENTS_MAX: usize = 200_000;
/// How deep messages may lie in each other; the contract's own are far from it.
const DEPTH_MAX: usize = 32;

/// One of the contract's own options, by its name in `limits.proto`.
pub(super) fn option(options: &DynamicMessage, pool: &DescriptorPool, name: &str) -> Option<u32> {
    let extension = extension(options, pool, name)?;
    options.get_extension(&extension).as_u32()
}

/// What a string may hold, by its options.
fn profile(options: &DynamicMessage, pool: &DescriptorPool) -> Profile {
    let said = extension(options, pool, "text")
        .and_then(|text| options.get_extension(&text).as_enum_number());
    match said {
        None | Some(0 | 1) => Profile::Line,
        Some(2) => Profile::Lines,
        Some(3) => Profile::Title,
        Some(4) => Profile::Name,
        Some(other) => unreachable!("limits.proto has no Text {other}"),
    }
}

/// One of the contract's own options, if it is said.
fn extension(
    options: &DynamicMessage,
    pool: &DescriptorPool,
    name: &str,
) -> Option<ExtensionDescriptor> {
    let extension = pool.get_extension_by_name(&format!("heliopause.limits.v1.{name}"))?;
    options.has_extension(&extension).then_some(extension)
}

/// Names a message's rules in [`Rules`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Id(usize);

/// What may be in each message that a client sends.
#[derive(Debug, Default)]
pub(super) struct Rules {
    messages: Vec<Vec<Field>>,
    ids: HashMap<String, Id>,
}

#[derive(Debug)]
struct Field {
    number: u32,
    name: String,
    shape: Shape,
    /// How many values; 1 for a field that is not repeated.
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
    /// A number; repeated ones may be packed.
    Varint,
    /// The same, and one of these.
    Enum(Vec<u64>),
    Fixed(usize),
}

/// What is wrong with a message, and where.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Breach {
    pub(super) field: String,
    pub(super) message: String,
    /// The character that is at fault, if one is.
    pub(super) flaw: Option<Flaw>,
}

impl From<Flaw> for Breach {
    fn from(flaw: Flaw) -> Self {
        Self { field: String::new(), message: flaw.to_string(), flaw: Some(flaw) }
    }
}

impl From<Breach> for Failure {
    fn from(breach: Breach) -> Self {
        match breach.flaw {
            Some(flaw) => Self::from(flaw).in_field(&breach.field),
            None => Self::field(breach.field, breach.message),
        }
    }
}

impl Breach {
    fn new(message: impl Into<String>) -> Self {
        Self { field: String::new(), message: message.into(), flaw: None }
    }

    fn unreadable() -> Self {
        Self::new("the message could not be read: it is not of this call's type")
    }

    /// The same, seen from the message around it.
    fn within(mut self, field: &Field, nth: u32) -> Self {
        let name =
            if field.repeated { format!("{}[{nth}]", field.name) } else { field.name.clone() };
        self.field = if self.field.is_empty() { name } else { format!("{name}.{}", self.field) };
        self
    }
}

impl Rules {
    /// Learns a message and all that can be in it.
    pub(super) fn learn(&mut self, message: &MessageDescriptor) -> Id {
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
                // On the wire a number with a sign has 64 bits.
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

    /// Checks an encoded message, and answers how many messages and repeated values are in it.
    pub(super) fn check(&self, id: Id, message: &[u8]) -> Result<usize, Breach> {
        let mut walk = Walk { rules: self, elements: 0, counts: Vec::new(), names: HashSet::new() };
        walk.message(id, message, 0)?;
        Ok(walk.elements)
    }
}

struct Walk<'a> {
    rules: &'a Rules,
    elements: usize,
    /// How many values were read of each field, of the messages that the walk is in: the innermost
    /// stands last.
    counts: Vec<u32>,
    /// How the names look that were read, each with its field.
    names: HashSet<(Id, u32, String)>,
}

impl Walk<'_> {
    fn message(&mut self, id: Id, mut rest: &[u8], depth: usize) -> Result<(), Breach> {
        if depth > DEPTH_MAX {
            return Err(Breach::new("messages lie too deep in each other"));
        }
        let fields = &self.rules.messages[id.0];
        let counts = self.counts.len();
        self.counts.resize(counts + fields.len(), 0);
        while !rest.is_empty() {
            let (number, wire) = decode_key(&mut rest).map_err(|_| Breach::unreadable())?;
            let known = fields.iter().position(|field| field.number == number);
            let Some(position) = known else {
                skip_field(wire, number, &mut rest, DecodeContext::default())
                    .map_err(|_| Breach::unreadable())?;
                continue;
            };
            let (field, nth) = (&fields[position], self.counts[counts + position]);
            let values = if wire == WireType::LengthDelimited {
                let value = delimited(&mut rest)?;
                self.value(id, field, value, depth).map_err(|breach| breach.within(field, nth))?
            } else {
                let before = rest;
                skip_field(wire, number, &mut rest, DecodeContext::default())
                    .map_err(|_| Breach::unreadable())?;
                let value = &before[..before.len() - rest.len()];
                check_numbers(field, value).map_err(|breach| breach.within(field, nth))?;
                1
            };
            let values = nth.saturating_add(values);
            self.counts[counts + position] = values;
            check_count(field, values)?;
        }
        self.counts.truncate(counts);
        Ok(())
    }

    /// Checks a value with a length, and answers how many values it is.
    fn value(&mut self, id: Id, field: &Field, value: &[u8], depth: usize) -> Result<u32, Breach> {
        if field.repeated || matches!(field.shape, Shape::Message(_)) {
            self.elements += 1;
            if self.elements > ELEMENTS_MAX {
                return Err(Breach::new(format!(
                    "a message holds at most {ELEMENTS_MAX} things in all"
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
                require(value.len() <= most as usize, || format!("it has more than {most} bytes"))?;
            }
            &Shape::Message(id) => self.message(id, value, depth + 1)?,
            // Every packed number ends with a byte whose highest bit is not set.
            Shape::Varint | Shape::Enum(_) => {
                check_numbers(field, value)?;
                return Ok(count(value.iter().filter(|&&byte| byte < 0x80).count()));
            }
            &Shape::Fixed(size) => return Ok(count(value.len() / size)),
        }
        Ok(1)
    }

    /// Notes a name, which must not look like another in the same field.
    fn name(&mut self, (id, number): (Id, u32), name: &str) -> Result<(), Breach> {
        let is_new = name.is_empty() || self.names.insert((id, number, looks(name)));
        require(is_new, || "it looks like another name of this request".to_owned())
    }
}

fn count(values: usize) -> u32 {
    u32::try_from(values).unwrap_or(u32::MAX)
}

fn require(holds: bool, message: impl FnOnce() -> String) -> Result<(), Breach> {
    if holds { Ok(()) } else { Err(Breach::new(message())) }
}

/// Takes a value with its length off what is left of a message.
fn delimited<'a>(rest: &mut &'a [u8]) -> Result<&'a [u8], Breach> {
    let length = decode_varint(rest).ok().and_then(|length| usize::try_from(length).ok());
    let (value, after) =
        length.and_then(|length| rest.split_at_checked(length)).ok_or_else(Breach::unreadable)?;
    *rest = after;
    Ok(value)
}

/// A text, if it is one and not too long.
fn check_text(text: &[u8], characters: u32, lines: Option<u32>) -> Result<&str, Breach> {
    // Whatever continues a character begins with the bits 10.
    let length = text.iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
    require(length <= characters as usize, || format!("it has more than {characters} characters"))?;
    if let Some(most) = lines {
        // The end of the last line begins no other.
        let lines = text.strip_suffix(b"\n").unwrap_or(text).split(|&byte| byte == b'\n').count();
        require(text.is_empty() || lines <= most as usize, || {
            format!("it has more than {most} lines")
        })?;
    }
    std::str::from_utf8(text).map_err(|_| Breach::new("it is not text in UTF-8"))
}

/// The numbers of an enum, one after the other: each is a value that the contract has. A client that
/// is newer than the server learns so that it was not understood.
fn check_numbers(field: &Field, mut numbers: &[u8]) -> Result<(), Breach> {
    let Shape::Enum(known) = &field.shape else { return Ok(()) };
    while !numbers.is_empty() {
        let number = decode_varint(&mut numbers).map_err(|_| Breach::unreadable())?;
        require(known.contains(&number), || {
            format!("its enum has no value {}", number.cast_signed())
        })?;
    }
    Ok(())
}

/// Values of a number that is not repeated replace each other; messages would be joined, and their
/// lists with them.
fn check_count(field: &Field, values: u32) -> Result<(), Breach> {
    let joins = field.repeated || matches!(field.shape, Shape::Message(_));
    if !joins || values <= field.items {
        return Ok(());
    }
    let message = if field.repeated {
        format!("it has more than {} values", field.items)
    } else {
        "it is there twice".to_owned()
    };
    Err(Breach { field: field.name.clone(), ..Breach::new(message) })
}

#[cfg(test)]
pub(super) mod tests;
