//! What is expected, read against the contract: no name, value or operator in it that could not be.

use jiff::{SignedDuration, Timestamp};
use serde_json::Number;

use crate::contract::{Messages, Type, field, reasons, wrong_value};
use crate::json::{Flaws, Node, Place, Shape};
use crate::nearest::did_you_mean;

/// Every operator.
pub const OPERATORS: [&str; 14] = [
    "$any",
    "$absent",
    "$not",
    "$contains",
    "$inOrder",
    "$only",
    "$lacks",
    "$all",
    "$count",
    "$length",
    "$gt",
    "$gte",
    "$lt",
    "$lte",
];

/// What a value shall be like.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    /// Where it stands in the file.
    pub at: Place,
    /// What stands there.
    pub shown: String,
    pub test: Test,
}

/// How a value is tested.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// It is this value, or the zero value of a field that does not know whether it was set.
    Is {
        value: Scalar,
        /// Whether it may be left out.
        or_left_out: bool,
    },
    /// It is not there: no message, an empty list, the zero value of a field that does not know
    /// whether it was set.
    Absent,
    /// It is there.
    Present,
    /// A message that is there, with these fields.
    Fields(Vec<Entry>),
    /// A list of exactly these items.
    List(Vec<Pattern>),
    /// A list that has these items in this order; others may stand between.
    InOrder(Vec<Pattern>),
    /// A list that has these items, each one of its own.
    Contains(Vec<Pattern>),
    /// A list of exactly these items, in any order.
    Only(Vec<Pattern>),
    /// A list without such items.
    Lacks(Vec<Pattern>),
    /// A list with items, all of them like this.
    All(Box<Pattern>),
    /// A list with so many items like this.
    Count {
        /// What an item is like.
        of: Box<Pattern>,
        /// How many there are.
        is: Box<Pattern>,
    },
    /// A list or a text so long.
    Length(Box<Pattern>),
    /// A text that holds this one.
    Holds(String),
    /// A text that does not hold this one.
    HoldsNot(String),
    /// A number or time that compares so.
    Compares(Order, Scalar),
    /// One of these, at least.
    Either(Vec<Pattern>),
    Not(Box<Pattern>),
    /// All of these.
    Both(Vec<Pattern>),
    /// Anything: what an alteration makes of an item that must not be there.
    Anything,
    /// Nothing: what an alteration makes of a value for which there is no other.
    Nothing,
}

/// A field that is expected.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its name in JSON.
    pub name: String,
    /// What it shall be.
    pub pattern: Pattern,
}

/// How a number compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Greater.
    Above,
    /// Greater or the same.
    AtLeast,
    /// Less.
    Below,
    /// Less or the same.
    AtMost,
}

/// A value without parts.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar {
    /// A whole number.
    Whole(i128),
    /// Any number.
    Real(f64),
    Text(String),
    /// True or false.
    Truth(bool),
    /// The name of an enum's value, and all its other names.
    Name(String, Vec<String>),
    Time(Timestamp),
    Span(SignedDuration),
}

/// Whether the field around a value knows whether it was set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// It does: a message, a part of a oneof, an `optional` field, an item of a list.
    Known,
    /// It does not: the zero value is left out.
    Unknown,
}

/// Reads what is expected of a value of a type.
#[derive(Debug)]
pub struct Compiler<'a> {
    messages: &'a Messages,
    /// What is wrong.
    pub flaws: &'a mut Flaws,
}

impl<'a> Compiler<'a> {
    /// For one kind of game.
    pub fn new(messages: &'a Messages, flaws: &'a mut Flaws) -> Self {
        Self { messages, flaws }
    }

    /// Reads an expectation.
    pub fn read(&mut self, node: &Node, kind: &Type, presence: Presence) -> Pattern {
        let test = self.test(node, kind, presence);
        Pattern { at: node.at.clone(), shown: node.value().to_string(), test }
    }

    /// Reads what a list shall hold, where a bare list is short for `$inOrder`, and an empty one
    /// says that there is nothing.
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
                        let hint = did_you_mean(&given.name, known.iter().map(|(name, _)| *name));
                        format!("There is no field `{}` here{hint}.", given.name)
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

    /// One item, or several in a list.
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
                let what = format!(
                    "`{}` is a field and stands beside an operator; write one or the other.",
                    given.name
                );
                self.flaws.note(&given.at, what);
                continue;
            }
            if !OPERATORS.contains(&given.name.as_str()) {
                let hint = did_you_mean(&given.name, OPERATORS);
                self.flaws.note(&given.at, format!("There is no operator `{}`{hint}.", given.name));
                continue;
            }
            let Some(test) = self.operator(&given.name, &given.value, kind, presence) else {
                let operand = given.value.is_a();
                let what = format!(
                    "`{}` with {operand} does not go with {}: {}",
                    given.name,
                    kind.is_a(),
                    usage(&given.name)
                );
                self.flaws.note(&given.at, what);
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

    /// What an operator tests; nothing if it does not go with the type or with what it was given.
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
            ("$any", Shape::List(alternatives), _) if !alternatives.is_empty() => Test::Either(
                alternatives.iter().map(|one| self.read(one, kind, presence)).collect(),
            ),
            ("$not", ..) => Test::Not(Box::new(self.read(operand, kind, presence))),
            ("$contains", Shape::Text(text), Type::Text | Type::Word) if !text.is_empty() => {
                Test::Holds(text.clone())
            }
            ("$lacks", Shape::Text(text), Type::Text | Type::Word) if !text.is_empty() => {
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
                // What is wrong with the number itself is noted where it is read.
                Test::Compares(order, self.scalar(operand, kind)?)
            }
            _ => return None,
        })
    }

    fn scalar(&mut self, node: &Node, kind: &Type) -> Option<Scalar> {
        let found = match (&node.shape, kind) {
            (Shape::Bool(is), Type::Truth) => Ok(Scalar::Truth(*is)),
            (Shape::Text(text), Type::Text | Type::Word) => Ok(Scalar::Text(text.clone())),
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
                    Ok(Scalar::Name(
                        name.clone(),
                        known.into_iter().filter(|other| other != name).collect(),
                    ))
                } else {
                    let hint = did_you_mean(name, known.iter().map(String::as_str));
                    Err(format!("There is no reason `{name}`{hint}."))
                }
            }
            (Shape::Number(number), Type::Word) => Ok(Scalar::Text(number.to_string())),
            (Shape::Text(text), Type::Time) => text
                .parse()
                .map(Scalar::Time)
                .map_err(|_| format!("`{text}` is no time; write 2026-01-31T12:00:00Z.")),
            (Shape::Text(text), Type::Span) => {
                let span = span(text).map(Scalar::Span);
                span.ok_or_else(|| {
                    format!("`{text}` is no duration; write seconds, as in \"3600s\".")
                })
            }
            _ => Err(format!("Here {} belongs, not {}.", kind.is_a(), node.is_a())),
        };
        found.map_err(|what| self.flaws.note(&node.at, what)).ok()
    }
}

/// What a number of things is.
const COUNT: Type = Type::Whole(0, u32::MAX as i128);

fn whole(text: &str, least: i128, most: i128) -> Result<Scalar, String> {
    match text.parse::<i128>() {
        Ok(number) if (least..=most).contains(&number) => Ok(Scalar::Whole(number)),
        Ok(number) => Err(format!("{number} cannot be: this number goes from {least} to {most}.")),
        Err(_) => Err(format!("`{text}` is no whole number.")),
    }
}

fn real(number: &Number) -> Result<Scalar, String> {
    number.as_f64().map(Scalar::Real).ok_or_else(|| format!("{number} is too large."))
}

/// A duration as proto3 JSON writes it: seconds and an `s`.
pub fn span(text: &str) -> Option<SignedDuration> {
    let seconds = text.strip_suffix('s')?.parse::<f64>().ok()?;
    SignedDuration::try_from_secs_f64(seconds).ok()
}

/// How an operator is written.
fn usage(name: &str) -> &'static str {
    match name {
        "$any" => "write `true` for whatever is there, or a list of alternatives.",
        "$absent" => "write `true` or `false`.",
        "$contains" | "$lacks" => "it takes items of a list, or a part of a text.",
        "$inOrder" | "$only" => "it takes a list of items, for a list.",
        "$all" => "it takes what each item of a list is like.",
        "$count" => "write {\"of\": an item, \"is\": a number}, for a list.",
        "$length" => "it takes a number, for a list or a text.",
        "$gt" | "$gte" | "$lt" | "$lte" => {
            "it takes a number for a number, a time for a time, a duration for a duration."
        }
        _ => "it takes what shall not be.",
    }
}

impl Scalar {
    /// Whether proto3 JSON leaves it out where a field does not know whether it was set.
    fn is_zero(&self) -> bool {
        match self {
            Self::Whole(number) => *number == 0,
            Self::Real(number) => *number == 0.0,
            Self::Text(text) => text.is_empty(),
            Self::Truth(is) => !is,
            Self::Name(name, _) => name.ends_with("_UNSPECIFIED"),
            Self::Time(_) | Self::Span(_) => false,
        }
    }
}

impl Test {
    /// Whether everything is like this, so that it says nothing.
    pub fn is_void(&self) -> bool {
        match self {
            Self::Fields(entries) => entries.is_empty(),
            Self::Contains(items) | Self::InOrder(items) | Self::Lacks(items) => items.is_empty(),
            Self::Both(tests) => tests.iter().all(|one| one.test.is_void()),
            Self::Anything => true,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::contract::message;
    use crate::json::parse;

    fn flaws(text: &str) -> String {
        let messages = Messages::of("starships-at-large").unwrap_or_else(|error| panic!("{error}"));
        let node = parse(Path::new("x"), text).unwrap_or_else(|flaws| panic!("{flaws}"));
        let mut flaws = Flaws::default();
        let kind =
            Type::Message(message("heliopause.v1.Game").unwrap_or_else(|error| panic!("{error}")));
        Compiler::new(&messages, &mut flaws).read(&node, &kind, Presence::Known);
        flaws.to_string()
    }

    #[test]
    fn names_and_values_are_those_of_the_contract() {
        assert_eq!(
            flaws(
                r#"{ "status": "GAME_STATUS_ENDED", "seats": [{ "number": 1 }], "yourSeat": 0 }"#
            ),
            ""
        );
        assert!(flaws(r#"{ "statuss": { "$absent": true } }"#).contains("did you mean `status`"));
        assert!(
            flaws("{\n \"status\": \"GAME_STATUS_ENDD\" }")
                .starts_with("x:2:12: GameStatus has no value")
        );
        assert!(
            flaws(r#"{ "seats": { "$lacks": [{ "nmber": 2 }] } }"#)
                .contains("did you mean `number`")
        );
        assert!(flaws(r#"{ "yourSeat": -1 }"#).contains("cannot be"));
        assert!(flaws(r#"{ "yourSeat": "x" }"#).contains("no whole number"));
        assert!(flaws(r#"{ "name": 3 }"#).contains("a text belongs, not a number"));
        assert!(flaws(r#"{ "createTime": "soon" }"#).contains("no time"));
    }

    #[test]
    fn operators_go_with_their_types_and_are_known() {
        assert!(flaws(r#"{ "name": { "$contain": "x" } }"#).contains("did you mean `$contains`"));
        assert!(flaws(r#"{ "name": { "$gte": 3 } }"#).contains("does not go with a text"));
        assert!(
            flaws(r#"{ "name": { "$any": true, "status": "x" } }"#).contains("beside an operator")
        );
        assert!(flaws(r#"{ "name": { "$any": false } }"#).contains("does not go"));
        assert!(
            flaws(r#"{ "seats": { "$count": { "of": { "number": 1 } } } }"#).contains("$count")
        );
        assert_eq!(
            flaws(
                r#"{ "yourSeat": { "$gte": 0, "$lt": 3 }, "name": { "$length": { "$gt": 2 } } }"#
            ),
            ""
        );
    }
}
