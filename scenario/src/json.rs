//! JSON whose values know where they stand, so that every message can name a line.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use jsonc_parser::ast;
use jsonc_parser::common::Ranged as _;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::{Map, Number, Value};

use crate::nearest::did_you_mean;

/// A place in a file.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Place {
    pub file: Arc<Path>,
    /// The line, from 1.
    pub line: usize,
    /// The character in it, from 1.
    pub column: usize,
}

impl Place {
    /// The beginning of a file.
    pub fn start(file: &Path) -> Self {
        Self { file: Arc::from(file), line: 1, column: 1 }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file.display(), self.line, self.column)
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Something in a file that cannot be so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    pub at: Place,
    /// What is wrong, as a sentence.
    pub what: String,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.what)
    }
}

/// Everything that is wrong with a file, in the order in which it was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flaws(pub Vec<Flaw>);

impl Flaws {
    /// Notes one more.
    pub fn note(&mut self, at: &Place, what: impl Into<String>) {
        self.0.push(Flaw { at: at.clone(), what: what.into() });
    }

    /// The value, if nothing was wrong.
    pub fn unless<T>(self, value: T) -> Result<T, Self> {
        if self.0.is_empty() { Ok(value) } else { Err(self) }
    }
}

impl fmt::Display for Flaws {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, flaw) in self.0.iter().enumerate() {
            let gap = if index == 0 { "" } else { "\n" };
            write!(f, "{gap}{flaw}")?;
        }
        Ok(())
    }
}

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Where it begins.
    pub at: Place,
    pub shape: Shape,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    Null,
    /// `true` or `false`.
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Node>),
    /// An object, its fields in the order of the file.
    Object(Vec<Field>),
}

/// A field of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pub name: String,
    /// Where the name stands.
    pub at: Place,
    pub value: Node,
}

impl Node {
    /// The fields, if it is an object.
    pub fn fields(&self) -> Option<&[Field]> {
        match &self.shape {
            Shape::Object(fields) => Some(fields),
            _ => None,
        }
    }

    /// The items, if it is a list.
    pub fn items(&self) -> Option<&[Node]> {
        match &self.shape {
            Shape::List(items) => Some(items),
            _ => None,
        }
    }

    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match &self.shape {
            Shape::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The value of a field, if it is an object that has it.
    pub fn get(&self, name: &str) -> Option<&Self> {
        self.fields()?.iter().find(|field| field.name == name).map(|field| &field.value)
    }

    /// What a path of the contract leads to, such as `units[2].place`: the last part of it that is
    /// there.
    pub fn at_path(&self, path: &str) -> &Self {
        let parts = path.split(['.', '[', ']']).filter(|part| !part.is_empty());
        let mut found = self;
        for (depth, part) in parts.enumerate() {
            match found.inner(part) {
                Some(next) => found = next,
                // The envelope around a game's message may be left out.
                None if depth == 0 => {}
                None => break,
            }
        }
        found
    }

    /// An item by its index, or a field by its name in any spelling.
    fn inner(&self, part: &str) -> Option<&Self> {
        let plain = |name: &str| name.replace('_', "").to_lowercase();
        match &self.shape {
            Shape::List(items) => items.get(part.parse::<usize>().ok()?),
            Shape::Object(fields) => {
                let field = fields.iter().find(|field| plain(&field.name) == plain(part));
                field.map(|field| &field.value)
            }
            _ => None,
        }
    }

    /// The same without the places.
    pub fn value(&self) -> Value {
        match &self.shape {
            Shape::Null => Value::Null,
            Shape::Bool(is) => Value::Bool(*is),
            Shape::Number(number) => Value::Number(number.clone()),
            Shape::Text(text) => Value::String(text.clone()),
            Shape::List(items) => Value::Array(items.iter().map(Self::value).collect()),
            Shape::Object(fields) => {
                let pairs = fields.iter().map(|field| (field.name.clone(), field.value.value()));
                Value::Object(pairs.collect::<Map<_, _>>())
            }
        }
    }

    /// What it is, for a message: `a text`.
    pub fn is_a(&self) -> &'static str {
        match self.shape {
            Shape::Null => "null",
            Shape::Bool(_) => "true or false",
            Shape::Number(_) => "a number",
            Shape::Text(_) => "a text",
            Shape::List(_) => "a list",
            Shape::Object(_) => "an object",
        }
    }
}

/// Reads a file's text: JSON as RFC 8259 has it, without a name twice in one object.
pub fn parse(path: &Path, text: &str) -> Result<Node, Flaws> {
    let file: Arc<Path> = Arc::from(path);
    let lines = Lines::of(&file, text);
    let mut flaws = Flaws::default();
    let options = ParseOptions {
        allow_comments: false,
        allow_loose_object_property_names: false,
        allow_trailing_commas: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    match parse_to_ast(text, &CollectOptions::default(), &options) {
        Ok(parsed) => {
            let node = parsed.value.map(|value| lines.node(value, &mut flaws));
            let Some(node) = node else {
                flaws.note(&lines.place(0), "The file is empty.");
                return Err(flaws);
            };
            flaws.unless(node)
        }
        Err(error) => {
            flaws.note(
                &lines.place(error.range().start),
                format!("This is no JSON: {}.", error.kind()),
            );
            Err(flaws)
        }
    }
}

/// Where the lines of a text begin.
pub struct Lines<'a> {
    file: Arc<Path>,
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn of(file: &Arc<Path>, text: &'a str) -> Self {
        let breaks =
            text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        Self { file: Arc::clone(file), text, starts: std::iter::once(0).chain(breaks).collect() }
    }

    fn place(&self, byte: usize) -> Place {
        let line = self.starts.partition_point(|start| *start <= byte).max(1);
        let before = self.text.get(self.starts[line - 1]..byte).unwrap_or_default();
        Place { file: Arc::clone(&self.file), line, column: before.chars().count() + 1 }
    }

    fn node(&self, value: ast::Value<'_>, flaws: &mut Flaws) -> Node {
        let at = self.place(value.range().start);
        let shape = match value {
            ast::Value::NullKeyword(_) => Shape::Null,
            ast::Value::BooleanLit(literal) => Shape::Bool(literal.value),
            ast::Value::NumberLit(literal) => {
                let number = literal.value.parse::<Number>();
                number.map_or_else(
                    |_| {
                        flaws.note(&at, format!("`{}` is no number.", literal.value));
                        Shape::Null
                    },
                    Shape::Number,
                )
            }
            ast::Value::StringLit(literal) => Shape::Text(literal.value.into_owned()),
            ast::Value::Array(list) => {
                Shape::List(list.elements.into_iter().map(|item| self.node(item, flaws)).collect())
            }
            ast::Value::Object(object) => {
                let mut fields: Vec<Field> = Vec::with_capacity(object.properties.len());
                for property in object.properties {
                    let at = self.place(property.range.start);
                    let name = property.name.into_string();
                    if fields.iter().any(|field| field.name == name) {
                        flaws.note(&at, format!("`{name}` stands here twice."));
                    }
                    fields.push(Field { name, at, value: self.node(property.value, flaws) });
                }
                Shape::Object(fields)
            }
        };
        Node { at, shape }
    }
}

/// Reads fields of an object and notes what is wrong with them.
pub struct Reader<'a> {
    /// The object.
    pub node: &'a Node,
    flaws: &'a mut Flaws,
}

impl<'a> Reader<'a> {
    /// Begins to read an object that may have these fields.
    pub fn new(node: &'a Node, known: &[&str], flaws: &'a mut Flaws) -> Self {
        match node.fields() {
            None => flaws.note(&node.at, format!("Here an object belongs, not {}.", node.is_a())),
            Some(fields) => {
                for field in fields.iter().filter(|field| !known.contains(&field.name.as_str())) {
                    let hint = did_you_mean(&field.name, known.iter().copied());
                    flaws
                        .note(&field.at, format!("There is no field `{}` here{hint}.", field.name));
                }
            }
        }
        Self { node, flaws }
    }

    /// Notes that something is wrong.
    pub fn note(&mut self, at: &Place, what: impl Into<String>) {
        self.flaws.note(at, what);
    }

    /// Where flaws are noted.
    pub fn flaws(&mut self) -> &mut Flaws {
        self.flaws
    }

    /// A field.
    pub fn get(&self, name: &str) -> Option<&'a Node> {
        self.node.get(name)
    }

    /// A field that must be there.
    pub fn need(&mut self, name: &str) -> Option<&'a Node> {
        let found = self.get(name);
        if found.is_none() && self.node.fields().is_some() {
            self.note(&self.node.at.clone(), format!("`{name}` is missing."));
        }
        found
    }

    /// A text.
    pub fn text(&mut self, name: &str) -> Option<&'a str> {
        let node = self.get(name)?;
        let text = node.text();
        if text.is_none() {
            self.note(&node.at, format!("`{name}` is a text, not {}.", node.is_a()));
        }
        text
    }

    /// A yes or no.
    pub fn truth(&mut self, name: &str) -> Option<bool> {
        let node = self.get(name)?;
        if let Shape::Bool(is) = node.shape {
            return Some(is);
        }
        self.note(&node.at, format!("`{name}` is true or false, not {}.", node.is_a()));
        None
    }

    /// A whole number within bounds.
    pub fn whole(&mut self, name: &str, least: u32, most: u32) -> Option<u32> {
        let node = self.get(name)?;
        let number = whole(node).filter(|number| (least..=most).contains(number));
        if number.is_none() {
            self.note(&node.at, format!("`{name}` is a whole number from {least} to {most}."));
        }
        number
    }

    /// A list of whole numbers within bounds; empty if it is not there.
    pub fn wholes(&mut self, name: &str, least: u32, most: u32) -> Vec<u32> {
        let Some(node) = self.get(name) else { return Vec::new() };
        let Some(items) = node.items() else {
            self.note(&node.at, format!("`{name}` is a list of numbers, not {}.", node.is_a()));
            return Vec::new();
        };
        let mut numbers = Vec::with_capacity(items.len());
        for item in items {
            if let Some(number) = whole(item).filter(|number| (least..=most).contains(number)) {
                numbers.push(number);
            } else {
                let upper = if most == u32::MAX { String::new() } else { format!(" to {most}") };
                self.note(&item.at, format!("`{name}` holds whole numbers from {least}{upper}."));
            }
        }
        numbers
    }
}

/// A whole number, if the value is one.
pub fn whole(node: &Node) -> Option<u32> {
    match &node.shape {
        Shape::Number(number) => number.as_u64().and_then(|number| u32::try_from(number).ok()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flaw(text: &str) -> String {
        parse(Path::new("a.json"), text).err().unwrap_or_default().to_string()
    }

    #[test]
    fn values_know_their_places() -> Result<(), Flaws> {
        let node = parse(Path::new("a.json"), "{\n  \"é\": 1, \"b\": [\n    true ]\n}")?;
        let places: Vec<String> =
            node.fields().unwrap_or_default().iter().map(|field| field.at.to_string()).collect();
        assert_eq!(places, ["a.json:2:3", "a.json:2:11"]);
        let item = &node.get("b").and_then(Node::items).unwrap_or_default()[0];
        assert_eq!((item.at.line, item.at.column), (3, 5));
        assert_eq!(node.value(), serde_json::json!({ "é": 1, "b": [true] }));
        Ok(())
    }

    #[test]
    fn only_json_is_read_and_every_name_once() {
        for text in [
            "{\"a\": 1,}",
            "{a: 1}",
            "// x\n{}",
            "{'a': 1}",
            "[1 2]",
            "[+1]",
            "[0x1]",
            "[.5]",
            "",
            "{} {}",
        ] {
            assert!(flaw(text).starts_with("a.json:"), "{text}: {}", flaw(text));
        }
        assert_eq!(flaw("{\"a\": 1,\n\"a\": 2}"), "a.json:2:1: `a` stands here twice.");
    }

    #[test]
    fn a_field_that_is_not_known_is_told_with_the_nearest_one() -> Result<(), Flaws> {
        let node = parse(Path::new("a.json"), "{ \"saet\": 1 }")?;
        let mut flaws = Flaws::default();
        let _ = Reader::new(&node, &["seat", "order"], &mut flaws);
        assert_eq!(
            flaws.to_string(),
            "a.json:1:3: There is no field `saet` here; did you mean `seat`."
        );
        Ok(())
    }
}
