//! JSON values with their positions in the file, so that errors can name a line.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use jsonc_parser::ast;
use jsonc_parser::common::Ranged as _;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::{Map, Number, Value};

use crate::nearest::suggestion_or_list;

/// A position in a file.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Place {
    pub file: Arc<Path>,
    pub line: usize,
    pub column: usize,
}

impl Place {
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

/// An error in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    pub at: Place,
    pub what: String,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.what)
    }
}

/// All errors of a file, in the order in which they were found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flaws(pub Vec<Flaw>);

impl Flaws {
    pub fn one(at: &Place, what: impl Into<String>) -> Self {
        Self(vec![Flaw { at: at.clone(), what: what.into() }])
    }

    pub fn note(&mut self, at: &Place, what: impl Into<String>) {
        self.0.push(Flaw { at: at.clone(), what: what.into() });
    }

    /// Notes an unexpected type of value.
    pub fn unexpected(&mut self, node: &Node, wanted: &str) {
        self.note(&node.at, format!("Expected {wanted}, found {}.", node.type_name()));
    }

    pub fn into_result<T>(self, value: T) -> Result<T, Self> {
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

/// A JSON value and its position.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub at: Place,
    pub shape: Shape,
}

/// The type and contents of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Node>),
    Object(Vec<Field>),
}

/// A field of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pub name: String,
    pub at: Place,
    pub value: Node,
}

impl Node {
    pub fn fields(&self) -> Option<&[Field]> {
        match &self.shape {
            Shape::Object(fields) => Some(fields),
            _ => None,
        }
    }

    pub fn items(&self) -> Option<&[Node]> {
        match &self.shape {
            Shape::List(items) => Some(items),
            _ => None,
        }
    }

    pub fn text(&self) -> Option<&str> {
        match &self.shape {
            Shape::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn get(&self, name: &str) -> Option<&Self> {
        self.fields()?.iter().find(|field| field.name == name).map(|field| &field.value)
    }

    /// Follows a field path, such as `units[2].place`. Returns the last node that exists.
    pub fn at_path(&self, path: &str) -> &Self {
        let parts = path.split(['.', '[', ']']).filter(|part| !part.is_empty());
        let mut found = self;
        for (depth, part) in parts.enumerate() {
            match found.inner(part) {
                Some(next) => found = next,
                // A game's message may be written without its envelope.
                None if depth == 0 => {}
                None => break,
            }
        }
        found
    }

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

    /// Returns a simple value as JSON, or the name of a compound type.
    pub fn shown(&self) -> String {
        match &self.shape {
            Shape::List(_) | Shape::Object(_) => self.type_name().to_owned(),
            _ => self.value().to_string(),
        }
    }

    /// Describes an unexpected type of value.
    pub fn unexpected(&self, wanted: &str) -> String {
        format!("expected {wanted}, found {}", self.type_name())
    }

    pub fn type_name(&self) -> &'static str {
        match self.shape {
            Shape::Null => "null",
            Shape::Bool(_) => "true or false",
            Shape::Number(_) => "a number",
            Shape::Text(_) => "a string",
            Shape::List(_) => "a list",
            Shape::Object(_) => "an object",
        }
    }
}

/// Parses JSON (RFC 8259). Rejects duplicate names in an object.
pub fn parse(path: &Path, text: &str) -> Result<Node, Flaws> {
    parse_from(path, 1, text)
}

/// Parses a part of a file that starts at the beginning of `line`.
pub fn parse_from(path: &Path, line: usize, text: &str) -> Result<Node, Flaws> {
    let file: Arc<Path> = Arc::from(path);
    let lines = Lines::of(&file, line, text);
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
            let Some(value) = parsed.value else {
                return Err(Flaws::one(&lines.place(0), "The file is empty."));
            };
            let node = lines.node(value, &mut flaws);
            flaws.into_result(node)
        }
        Err(error) => {
            let what = format!("The file is not valid JSON: {}.", error.kind());
            Err(Flaws::one(&lines.place(error.range().start), what))
        }
    }
}

/// The text of a file and the start of each of its lines, to convert offsets to positions.
pub struct Lines<'a> {
    file: Arc<Path>,
    text: &'a str,
    first: usize,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn of(file: &Arc<Path>, first: usize, text: &'a str) -> Self {
        let breaks =
            text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        let starts = std::iter::once(0).chain(breaks).collect();
        Self { file: Arc::clone(file), text, first, starts }
    }

    fn place(&self, byte: usize) -> Place {
        let line = self.starts.partition_point(|start| *start <= byte).max(1);
        let before = self.text.get(self.starts[line - 1]..byte).unwrap_or_default();
        let column = before.chars().count() + 1;
        Place { file: Arc::clone(&self.file), line: self.first + line - 1, column }
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
                        flaws.note(&at, format!("`{}` is not a number.", literal.value));
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
                        flaws.note(&at, format!("`{name}` is given twice."));
                    }
                    fields.push(Field { name, at, value: self.node(property.value, flaws) });
                }
                Shape::Object(fields)
            }
        };
        Node { at, shape }
    }
}

/// A reader for the fields of an object. It collects errors.
pub struct Reader<'a> {
    pub node: &'a Node,
    flaws: &'a mut Flaws,
}

impl<'a> Reader<'a> {
    /// Creates a reader for an object. Another type of value, or a field that is not `known`, is an
    /// error.
    pub fn new(node: &'a Node, known: &[&str], flaws: &'a mut Flaws) -> Self {
        match node.fields() {
            None => flaws.unexpected(node, "an object"),
            Some(fields) => {
                for field in fields.iter().filter(|field| !known.contains(&field.name.as_str())) {
                    flaws.note(&field.at, unknown_field(&field.name, known));
                }
            }
        }
        Self { node, flaws }
    }

    pub fn note(&mut self, at: &Place, what: impl Into<String>) {
        self.flaws.note(at, what);
    }

    pub fn flaws(&mut self) -> &mut Flaws {
        self.flaws
    }

    pub fn get(&self, name: &str) -> Option<&'a Node> {
        self.node.get(name)
    }

    pub fn required(&mut self, name: &str) -> Option<&'a Node> {
        let found = self.get(name);
        if found.is_none() && self.node.fields().is_some() {
            self.note(&self.node.at.clone(), format!("`{name}` is missing."));
        }
        found
    }

    /// Returns a value, or notes that the field contains something else, which `shown` describes.
    fn found<T>(
        &mut self,
        value: Option<T>,
        name: &str,
        wanted: &str,
        at: &Place,
        shown: impl fmt::Display,
    ) -> Option<T> {
        if value.is_none() {
            self.note(at, format!("`{name}`: expected {wanted}, found {shown}."));
        }
        value
    }

    pub fn text(&mut self, name: &str) -> Option<&'a str> {
        let node = self.get(name)?;
        self.found(node.text(), name, "a string", &node.at, node.type_name())
    }

    pub fn boolean(&mut self, name: &str) -> Option<bool> {
        let node = self.get(name)?;
        let value = if let Shape::Bool(is) = node.shape { Some(is) } else { None };
        self.found(value, name, "true or false", &node.at, node.type_name())
    }

    pub fn whole(&mut self, name: &str, least: u32, most: u32) -> Option<u32> {
        let node = self.get(name)?;
        let number = whole(node).filter(|number| (least..=most).contains(number));
        let wanted = format!("an integer from {least} to {most}");
        self.found(number, name, &wanted, &node.at, node.shown())
    }

    pub fn wholes(&mut self, name: &str, least: u32, most: u32) -> Vec<u32> {
        let Some(node) = self.get(name) else { return Vec::new() };
        let items = self.found(node.items(), name, "a list of numbers", &node.at, node.type_name());
        let upper = if most == u32::MAX { String::new() } else { format!(" to {most}") };
        let wanted = format!("integers from {least}{upper}");
        let number = |item: &Node| {
            let number = whole(item).filter(|number| (least..=most).contains(number));
            self.found(number, name, &wanted, &item.at, item.shown())
        };
        items.unwrap_or_default().iter().filter_map(number).collect()
    }
}

/// Returns the error for an unknown field: a suggestion, or the known fields.
pub fn unknown_field(name: &str, known: &[&str]) -> String {
    format!("Unknown field `{name}`{}", suggestion_or_list(name, known, "fields"))
}

/// Returns an integer from 0 to the maximum of `u32`, or `None` for any other value.
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
    fn values_have_places() -> Result<(), Flaws> {
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
    fn invalid_json_and_duplicate_names_are_rejected() {
        let texts = r#"{"a": 1,};{a: 1};/* x */ {};{'a': 1};[1 2];[+1];[0x1];[.5];;{} {}"#;
        for text in texts.split(';') {
            assert!(flaw(text).starts_with("a.json:"), "{text}: {}", flaw(text));
        }
        assert_eq!(flaw("{\"a\": 1,\n\"a\": 2}"), "a.json:2:1: `a` is given twice.");
    }

    #[test]
    fn an_unknown_field_is_reported_with_the_nearest() -> Result<(), Flaws> {
        let node = parse(Path::new("a.json"), "{ \"saet\": 1 }")?;
        let mut flaws = Flaws::default();
        let _ = Reader::new(&node, &["seat", "order"], &mut flaws);
        assert_eq!(flaws.to_string(), "a.json:1:3: Unknown field `saet`. Did you mean `seat`?");
        Ok(())
    }
}
