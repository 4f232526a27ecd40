//! Expected values, type-checked against the contract.

use jiff::{SignedDuration, Timestamp};
use serde_json::Number;

use crate::contract::{Messages, Type, field, reasons, wrong_value};
use crate::json::{Flaws, Node, Place, Shape, unknown_field};
use crate::nearest::suggestion_or_list;

/// The operators that an expected value can use, and what to write after them.
const OPERATORS: [(&str, &str); 14] = [
    ("$any", "write `true` for any value, or a list of alternatives."),
    ("$absent", "write `true` or `false`."),
    ("$not", "write a pattern that must not match."),
    ("$contains", "write items of a list, or a part of a string."),
    ("$inOrder", "write a list of items; the value must be a list."),
    ("$only", "write a list of items; the value must be a list."),
    ("$lacks", "write items of a list, or a part of a string."),
    ("$all", "write a pattern for every item; the value must be a list."),
    ("$count", "write {\"of\": a pattern, \"is\": a number}; the value must be a list."),
    ("$length", "write a number; the value must be a list or a string."),
    ("$gt", "write a number, a time or a duration, like the value."),
    ("$gte", "write a number, a time or a duration, like the value."),
    ("$lt", "write a number, a time or a duration, like the value."),
    ("$lte", "write a number, a time or a duration, like the value."),
];

/// The test of a value, with its position in the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    pub at: Place,
    pub shown: String,
    pub test: Test,
}

/// A test of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// The value is equal, or the field is omitted if `or_left_out` is set.
    Is {
        value: Scalar,
        or_left_out: bool,
    },
    /// The field is not set: no message, an empty list, or zero in a field without presence.
    Absent,
    Present,
    Fields(Vec<Entry>),
    List(Vec<Pattern>),
    InOrder(Vec<Pattern>),
    /// Each pattern matches a different item of the list.
    Contains(Vec<Pattern>),
    Only(Vec<Pattern>),
    Lacks(Vec<Pattern>),
    /// The list has at least one item, and all items match.
    All(Box<Pattern>),
    Count {
        of: Box<Pattern>,
        is: Box<Pattern>,
    },
    Length(Box<Pattern>),
    Holds(String),
    HoldsNot(String),
    Compares(Order, Scalar),
    Either(Vec<Pattern>),
    Not(Box<Pattern>),
    Both(Vec<Pattern>),
    /// The test always passes. It is the mutation of an item that must be absent.
    Anything,
    /// The test never passes. It is the mutation of a value that has no alternative.
    Nothing,
}

/// A field of a message and its expected value.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub name: String,
    pub pattern: Pattern,
}

/// A comparison operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Above,
    AtLeast,
    Below,
    AtMost,
}

/// A scalar value.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar {
    Whole(i128),
    Real(f64),
    Text(String),
    Boolean(bool),
    /// An enum value, and the other values of the enum.
    Name(String, Vec<String>),
    Time(Timestamp),
    Span(SignedDuration),
}

/// Whether the zero value of a field differs from an omitted field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// The field is a message, a member of a oneof, `optional`, or an item of a list.
    Known,
    Unknown,
}

/// A compiler from JSON to patterns. It collects the errors of the file.
#[derive(Debug)]
pub struct Compiler<'a> {
    messages: &'a Messages,
    pub flaws: &'a mut Flaws,
}

impl<'a> Compiler<'a> {
    pub fn new(messages: &'a Messages, flaws: &'a mut Flaws) -> Self {
        Self { messages, flaws }
    }

    pub fn read(&mut self, node: &Node, kind: &Type, presence: Presence) -> Pattern {
        let test = self.test(node, kind, presence);
        Pattern { at: node.at.clone(), shown: node.value().to_string(), test }
    }

    /// Reads a pattern for a list. A plain list means `$inOrder`. An empty list means no items.
    pub fn read_items(&mut self, node: &Node, item: &Type) -> Pattern {
        let kind = Type::List(Box::new(item.clone()));
        match node.items() {
            Some(items) if !items.is_empty() => {
                let patterns = self.list(items, item);
                let shown = node.value().to_string();
                Pattern { at: node.at.clone(), shown, test: Test::InOrder(patterns) }
            }
            _ => self.read(node, &kind, Presence::Unknown),
        }
    }

    fn test(&mut self, node: &Node, kind: &Type, presence: Presence) -> Test {
        if let Some(fields) = node.fields()
            && fields.iter().any(|field| field.name.starts_with('$'))
        {
            return self.operators(node, kind, presence);
        }
        match (&node.shape, kind) {
            (Shape::Null, _) => Test::Absent,
            (Shape::Object(_), Type::Message(_) | Type::Record(_) | Type::Map(_)) => {
                self.fields(node, kind)
            }
            (Shape::List(items), Type::List(item)) => Test::List(self.list(items, item)),
            _ => match self.scalar(node, kind) {
                Some(value) => {
                    let or_left_out = presence == Presence::Unknown && value.is_zero();
                    Test::Is { value, or_left_out }
                }
                None => Test::Nothing,
            },
        }
    }

    fn fields(&mut self, node: &Node, kind: &Type) -> Test {
        let mut entries = Vec::new();
        for given in node.fields().unwrap_or_default() {
            let found = match kind {
                Type::Message(message) => field(message, &given.name).map(|field| {
                    let implicit =
                        !field.is_list() && !field.is_map() && !field.supports_presence();
                    let presence = if implicit { Presence::Unknown } else { Presence::Known };
                    (field.json_name().to_owned(), self.messages.type_of(&field), presence)
                }),
                Type::Record(known) => {
                    let found = known.iter().find(|(name, _)| *name == given.name);
                    let found = found
                        .map(|(name, kind)| ((*name).to_owned(), kind.clone(), Presence::Unknown));
                    found.ok_or_else(|| {
                        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
                        unknown_field(&given.name, &names)
                    })
                }
                Type::Map(value) => Ok((given.name.clone(), (**value).clone(), Presence::Known)),
                _ => continue,
            };
            match found {
                Ok((name, kind, presence)) => {
                    let pattern = self.read(&given.value, &kind, presence);
                    entries.push(Entry { name, pattern });
                }
                Err(what) => self.flaws.note(&given.at, what),
            }
        }
        Test::Fields(entries)
    }

    fn list(&mut self, items: &[Node], kind: &Type) -> Vec<Pattern> {
        items.iter().map(|item| self.read(item, kind, Presence::Known)).collect()
    }

    fn some(&mut self, node: &Node, kind: &Type) -> Vec<Pattern> {
        match node.items() {
            Some(items) => self.list(items, kind),
            None => vec![self.read(node, kind, Presence::Known)],
        }
    }

    fn operators(&mut self, node: &Node, kind: &Type, presence: Presence) -> Test {
        let fields = node.fields().unwrap_or_default();
        let mut tests = Vec::with_capacity(fields.len());
        for given in fields {
            if !given.name.starts_with('$') {
                let what = "is a field next to an operator; use fields or operators, not both.";
                self.flaws.note(&given.at, format!("`{}` {what}", given.name));
                continue;
            }
            let Some((_, usage)) = OPERATORS.iter().find(|(name, _)| *name == given.name) else {
                let names = OPERATORS.map(|(name, _)| name);
                let hint = suggestion_or_list(&given.name, &names, "operators");
                self.flaws.note(&given.at, format!("Unknown operator `{}`{hint}", given.name));
                continue;
            };
            let Some(test) = self.operator(&given.name, &given.value, kind, presence) else {
                let (operand, kind) = (given.value.type_name(), kind.type_name());
                let what = format!("with {operand} does not apply to {kind}: {usage}");
                self.flaws.note(&given.at, format!("`{}` {what}", given.name));
                continue;
            };
            let shown = format!("{{\"{}\":{}}}", given.name, given.value.value());
            tests.push(Pattern { at: given.at.clone(), shown, test });
        }
        match (tests.len(), tests.pop()) {
            (1, Some(only)) => only.test,
            (_, last) => {
                tests.extend(last);
                Test::Both(tests)
            }
        }
    }

    /// Reads an operator with its operand. Returns `None` if the operator does not apply to the
    /// type or to the operand.
    fn operator(
        &mut self,
        name: &str,
        operand: &Node,
        kind: &Type,
        presence: Presence,
    ) -> Option<Test> {
        Some(match (name, &operand.shape, kind) {
            ("$any", Shape::Bool(true), _) | ("$absent", Shape::Bool(false), _) => Test::Present,
            ("$absent", Shape::Bool(true), _) => Test::Absent,
            ("$any", Shape::List(list), _) if !list.is_empty() => {
                Test::Either(list.iter().map(|one| self.read(one, kind, presence)).collect())
            }
            ("$not", ..) => Test::Not(Box::new(self.read(operand, kind, presence))),
            ("$contains", Shape::Text(text), Type::Text | Type::MetadataValue)
                if !text.is_empty() =>
            {
                Test::Holds(text.clone())
            }
            ("$lacks", Shape::Text(text), Type::Text | Type::MetadataValue) if !text.is_empty() => {
                Test::HoldsNot(text.clone())
            }
            ("$contains", _, Type::List(item)) => Test::Contains(self.some(operand, item)),
            ("$lacks", _, Type::List(item)) => Test::Lacks(self.some(operand, item)),
            ("$inOrder", Shape::List(items), Type::List(item)) => {
                Test::InOrder(self.list(items, item))
            }
            ("$only", Shape::List(items), Type::List(item)) => Test::Only(self.list(items, item)),
            ("$all", _, Type::List(item)) => {
                Test::All(Box::new(self.read(operand, item, Presence::Known)))
            }
            ("$count", Shape::Object(_), Type::List(item)) => {
                let (of, is) = (operand.get("of")?, operand.get("is")?);
                if operand.fields().is_some_and(|fields| fields.len() > 2) {
                    return None;
                }
                let of = Box::new(self.read(of, item, Presence::Known));
                Test::Count { of, is: Box::new(self.read(is, &COUNT, Presence::Known)) }
            }
            ("$length", _, Type::List(_) | Type::Text) => {
                Test::Length(Box::new(self.read(operand, &COUNT, Presence::Known)))
            }
            (
                "$gt" | "$gte" | "$lt" | "$lte",
                _,
                Type::Whole(..) | Type::Real | Type::Time | Type::Span,
            ) => {
                let order = match name {
                    "$gt" => Order::Above,
                    "$gte" => Order::AtLeast,
                    "$lt" => Order::Below,
                    _ => Order::AtMost,
                };
                Test::Compares(order, self.scalar(operand, kind)?)
            }
            _ => return None,
        })
    }

    fn scalar(&mut self, node: &Node, kind: &Type) -> Option<Scalar> {
        let found = match (&node.shape, kind) {
            (Shape::Bool(is), Type::Boolean) => Ok(Scalar::Boolean(*is)),
            (Shape::Text(text), Type::Text | Type::MetadataValue) => Ok(Scalar::Text(text.clone())),
            (Shape::Number(number), Type::Whole(least, most)) => {
                whole(&number.to_string(), *least, *most)
            }
            (Shape::Text(text), Type::Whole(least, most)) => whole(text, *least, *most),
            (Shape::Number(number), Type::Real) => real(number),
            (Shape::Text(name), Type::Enum(values)) => match wrong_value(values, name) {
                None => {
                    let others = values
                        .values()
                        .map(|value| value.name().to_owned())
                        .filter(|other| other != name);
                    Ok(Scalar::Name(name.clone(), others.collect()))
                }
                Some(what) => Err(what),
            },
            (Shape::Text(name), Type::Reason) => {
                let known = reasons();
                if known.contains(name) {
                    let others = known.into_iter().filter(|other| other != name);
                    Ok(Scalar::Name(name.clone(), others.collect()))
                } else {
                    let known: Vec<&str> = known.iter().map(String::as_str).collect();
                    let hint = suggestion_or_list(name, &known, "reasons");
                    Err(format!("Unknown reason `{name}`{hint}"))
                }
            }
            (Shape::Number(number), Type::MetadataValue) => Ok(Scalar::Text(number.to_string())),
            (Shape::Text(text), Type::Time) => text.parse().map(Scalar::Time).map_err(|_| {
                format!("`{text}` is not a time; expected a time such as 2026-01-31T12:00:00Z.")
            }),
            (Shape::Text(text), Type::Span) => {
                let span = span(text).map(Scalar::Span);
                span.ok_or_else(|| {
                    format!("`{text}` is not a duration; expected seconds, for example \"3600s\".")
                })
            }
            _ => Err(format!("Expected {}, found {}.", kind.type_name(), node.type_name())),
        };
        found.map_err(|what| self.flaws.note(&node.at, what)).ok()
    }
}

const COUNT: Type = Type::Whole(0, u32::MAX as i128);

fn whole(text: &str, least: i128, most: i128) -> Result<Scalar, String> {
    match text.parse::<i128>() {
        Ok(number) if (least..=most).contains(&number) => Ok(Scalar::Whole(number)),
        Ok(number) => Err(format!("{number} is out of range; the range is {least} to {most}.")),
        Err(_) => Err(format!("`{text}` is not an integer.")),
    }
}

fn real(number: &Number) -> Result<Scalar, String> {
    number.as_f64().map(Scalar::Real).ok_or_else(|| format!("{number} is too large."))
}

/// Parses a duration in proto3 JSON: seconds and an `s`. Returns `None` for other text.
pub fn span(text: &str) -> Option<SignedDuration> {
    let seconds = text.strip_suffix('s')?.parse::<f64>().ok()?;
    SignedDuration::try_from_secs_f64(seconds).ok()
}

impl Scalar {
    fn is_zero(&self) -> bool {
        match self {
            Self::Whole(number) => *number == 0,
            Self::Real(number) => *number == 0.0,
            Self::Text(text) => text.is_empty(),
            Self::Boolean(is) => !is,
            Self::Name(name, _) => name.ends_with("_UNSPECIFIED"),
            Self::Time(_) | Self::Span(_) => false,
        }
    }
}

impl Test {
    /// Returns whether the test accepts every value of its type.
    pub fn matches_everything(&self) -> bool {
        match self {
            Self::Fields(entries) => entries.is_empty(),
            Self::Contains(items) | Self::InOrder(items) | Self::Lacks(items) => items.is_empty(),
            Self::Both(tests) => tests.iter().all(|one| one.test.matches_everything()),
            Self::Anything => true,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::Value;

    use super::*;
    use crate::contract::message;
    use crate::json::parse;

    #[test]
    fn patterns_are_checked_against_the_contract() -> Result<(), serde_json::Error> {
        let messages = Messages::of("starships-at-large").unwrap_or_else(|error| panic!("{error}"));
        let game = message("heliopause.v1.Game").unwrap_or_else(|error| panic!("{error}"));
        let cases = include_str!("testdata/patterns.json");
        for (pattern, fault) in serde_json::from_str::<Vec<(Value, String)>>(cases)? {
            let node = parse(Path::new("x"), &pattern.to_string()).expect("it is JSON");
            let mut flaws = Flaws::default();
            let kind = Type::Message(game.clone());
            Compiler::new(&messages, &mut flaws).read(&node, &kind, Presence::Known);
            let found = flaws.to_string();
            assert!(found.contains(&fault), "{pattern}: {found}");
            assert_eq!(found.is_empty(), fault.is_empty(), "{pattern}: {found}");
        }
        Ok(())
    }
}
