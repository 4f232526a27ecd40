//! Converts files to the current names of the contract and of scenarios. Keeps the formatting.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use heliopause_proto::POOL;
use prost_reflect::EnumDescriptor;
use serde::Deserialize;

use crate::contract::{Messages, Type, message};
use crate::file::{CHOICES, WARNINGS};
use crate::json::{Flaws, Node, Place, Shape, parse};

/// The renamed fields, enum values, reasons and keywords.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Renames {
    #[serde(default)]
    field: Vec<FieldRename>,
    #[serde(default)]
    value: Vec<Rename>,
    #[serde(default)]
    refusal: Vec<Rename>,
    #[serde(default)]
    reason: Vec<Rename>,
    #[serde(default)]
    word: Vec<WordRename>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FieldRename {
    message: String,
    old: String,
    new: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rename {
    old: String,
    new: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WordRename {
    #[serde(rename = "in")]
    place: Section,
    old: String,
    new: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Section {
    Top,
    Step,
    Expect,
    Events,
    Choices,
    Any,
}

struct ContractRename<'a> {
    kind: &'a str,
    parent: &'a str,
    old: &'a str,
    new: &'a str,
}

impl<'a> ContractRename<'a> {
    fn of(line: &'a str) -> Option<Self> {
        let mut columns = line.split('\t').filter(|_| !line.starts_with('#'));
        let (kind, (parent, old)) = (columns.next()?, columns.next()?.rsplit_once('.')?);
        Some(Self { kind, parent, old, new: columns.next()? })
    }
}

/// Converts a field's name to its form in JSON: `game_id` to `gameId`.
pub fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let mut letters = word.chars();
        let initial = letters.next().map(|letter| letter.to_ascii_uppercase());
        name.chars().chain(initial).chain(letters).collect()
    })
}

/// Returns the prefix of an enum's values: `SHIP_EVENT_KIND_` for `ShipEventKind`.
fn prefix(name: &str) -> String {
    let mut prefix = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !prefix.is_empty() {
            prefix.push('_');
        }
        prefix.push(letter.to_ascii_uppercase());
    }
    prefix + "_"
}

impl Renames {
    pub fn known() -> Result<Self, toml::de::Error> {
        let mut renames: Self = toml::from_str(include_str!("renames.toml"))?;
        renames.add_contract(include_str!("../../../proto/renames.tsv"));
        Ok(renames)
    }

    fn add_contract(&mut self, table: &str) {
        let rows: Vec<ContractRename<'_>> = table.lines().filter_map(ContractRename::of).collect();
        let of_messages = rows.iter().filter(|row| row.kind == "message");
        let full = |row: &ContractRename<'_>, name: &str| format!("{}.{name}", row.parent);
        let messages: HashMap<String, String> =
            of_messages.map(|row| (full(row, row.old), full(row, row.new))).collect();
        for row in &rows {
            let (old, new) = (row.old.to_owned(), row.new.to_owned());
            match row.kind {
                "field" => {
                    let message = messages.get(row.parent).map_or(row.parent, String::as_str);
                    let new = camel(row.new);
                    // Files may use either form of a field's name.
                    for old in BTreeSet::from([camel(row.old), old]) {
                        let (message, new) = (message.to_owned(), new.clone());
                        self.field.push(FieldRename { message, old, new });
                    }
                }
                "enum_value" => {
                    let reason = |name: &str| name.strip_prefix("ERROR_REASON_").map(str::to_owned);
                    if let (Some(old), Some(new)) = (reason(row.old), reason(row.new)) {
                        self.reason.push(Rename { old, new });
                    }
                    self.value.push(Rename { old, new });
                }
                "enum" => {
                    let values = POOL.get_enum_by_name(&format!("{}.{}", row.parent, row.new));
                    let (before, after) = (prefix(row.old), prefix(row.new));
                    for value in values.iter().flat_map(EnumDescriptor::values) {
                        if let Some(rest) = value.name().strip_prefix(&after) {
                            let (old, new) = (format!("{before}{rest}"), value.name().to_owned());
                            self.value.push(Rename { old, new });
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn word(&self, places: &[Section], name: &str) -> Option<&str> {
        let fits = |rename: &&WordRename| places.contains(&rename.place) && rename.old == name;
        self.word.iter().find(fits).map(|rename| rename.new.as_str())
    }
}

/// A converted file.
#[derive(Debug)]
pub struct Converted {
    pub text: String,
    pub names: usize,
}

/// Replaces the old names in a file with the current ones. Returns an error if the file is not
/// valid JSON.
pub fn convert(path: &Path, text: &str, renames: &Renames) -> Result<Converted, Flaws> {
    let node = parse(path, text)?;
    let game = game_of(path, &node, 0);
    let messages = game.and_then(|game| Messages::of(&game).ok());
    let mut walk = Walk { renames, messages: messages.as_ref(), edits: Vec::new() };
    walk.scenario(&node);
    let edits = walk.edits;
    Ok(Converted { text: edited(text, &edits), names: edits.len() })
}

fn game_of(path: &Path, node: &Node, depth: usize) -> Option<String> {
    if let Some(game) = node.get("game").and_then(Node::text) {
        return Some(game.to_owned());
    }
    let base = path.parent()?.join(node.get("extends")?.text()?);
    let text = std::fs::read_to_string(&base).ok().filter(|_| depth < 8)?;
    game_of(&base, &parse(&base, &text).ok()?, depth + 1)
}

fn edited(text: &str, edits: &[(Place, String)]) -> String {
    let mut edits: Vec<_> = edits.iter().collect();
    edits.sort_by_key(|(at, _)| (at.line, at.column));
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    for (at, new) in edits.into_iter().rev() {
        let line = &mut lines[at.line - 1];
        let Some((start, _)) = line.char_indices().nth(at.column - 1) else { continue };
        let inner = &line[start + 1..];
        let mut escaped = false;
        let end = inner.char_indices().find(|(_, character)| {
            let ends = *character == '"' && !escaped;
            escaped = *character == '\\' && !escaped;
            ends
        });
        if let Some((end, _)) = end {
            line.replace_range(start + 1..start + 1 + end, new);
        }
    }
    lines.join("\n")
}

struct Walk<'a> {
    renames: &'a Renames,
    messages: Option<&'a Messages>,
    edits: Vec<(Place, String)>,
}

impl Walk<'_> {
    fn rename(&mut self, at: &Place, new: &str) {
        self.edits.push((at.clone(), new.to_owned()));
    }

    fn words<'n>(&mut self, node: &'n Node, places: &[Section]) -> Vec<(String, &'n Node)> {
        let mut found = Vec::new();
        for field in node.fields().unwrap_or_default() {
            let new = self.renames.word(places, &field.name).map(str::to_owned);
            if let Some(new) = &new {
                self.rename(&field.at, new);
            }
            found.push((new.unwrap_or_else(|| field.name.clone()), &field.value));
        }
        found
    }

    fn scenario(&mut self, node: &Node) {
        let messages = self.messages;
        for (name, value) in self.words(node, &[Section::Top]) {
            match (name.as_str(), messages) {
                ("options", Some(messages)) => self.own(value, &messages.options),
                ("position", Some(messages)) => self.own(value, &messages.position),
                ("pace", _) => self.contract(value, "heliopause.v1.Pace"),
                ("cases", _) => {
                    value.items().unwrap_or_default().iter().for_each(|case| self.scenario(case));
                }
                ("steps", _) => {
                    value.items().unwrap_or_default().iter().for_each(|step| self.step(step));
                }
                // The type is unknown here, but enum values have the same renames everywhere.
                ("let", _) => self.untyped(value),
                _ => {}
            }
        }
    }

    fn step(&mut self, node: &Node) {
        let messages = self.messages;
        for (name, value) in self.words(node, &[Section::Step]) {
            match (name.as_str(), messages) {
                ("order" | "orders" | "validate" | "master", Some(messages)) => match value.items()
                {
                    Some(items) => items.iter().for_each(|order| self.own(order, &messages.order)),
                    None => self.own(value, &messages.order),
                },
                ("steps", _) => {
                    value.items().unwrap_or_default().iter().for_each(|step| self.step(step));
                }
                ("expect", _) => self.expect(value),
                _ => {}
            }
        }
    }

    fn expect(&mut self, node: &Node) {
        for (name, value) in self.words(node, &[Section::Expect]) {
            let each = || value.fields().unwrap_or_default();
            match name.as_str() {
                "refused" => self.refused(value),
                "game" => self.contract(value, "heliopause.v1.Game"),
                "outcome" => self.contract(value, "heliopause.v1.Outcome"),
                "decision" => each()
                    .iter()
                    .for_each(|seat| self.contract(&seat.value, "heliopause.v1.Decision")),
                "events" => {
                    for seat in each() {
                        self.items(&seat.value, Section::Events, "heliopause.v1.Event");
                    }
                }
                "view" => {
                    for viewer in each() {
                        if let Some(messages) = self.messages {
                            let kind = if viewer.name == "gm" {
                                &messages.position
                            } else {
                                &messages.view
                            };
                            self.own(&viewer.value, kind);
                        }
                    }
                }
                word if word == CHOICES.0 => {
                    for seat in each() {
                        self.items(&seat.value, Section::Choices, CHOICES.1);
                    }
                }
                word if word == WARNINGS.0 => self.items(value, Section::Any, WARNINGS.1),
                _ => {}
            }
        }
    }

    fn items(&mut self, node: &Node, place: Section, kind: &str) {
        if let Ok(kind) = message(kind) {
            let kind = Type::List(Box::new(Type::Message(kind)));
            let words: Vec<_> = self.words(node, &[place]);
            if words.is_empty() {
                return self.typed(node, &kind);
            }
            for (_, value) in &words {
                self.typed(value, &kind);
            }
        }
    }

    fn refused(&mut self, node: &Node) {
        let renames = self.renames;
        for field in node.fields().unwrap_or_default() {
            let table = match field.name.as_str() {
                "refusal" => &renames.refusal,
                "reason" => &renames.reason,
                _ => continue,
            };
            self.value(&field.value, table);
        }
    }

    fn value(&mut self, node: &Node, table: &[Rename]) {
        if let Some(new) = table.iter().find(|rename| node.text() == Some(&rename.old)) {
            self.rename(&node.at, &new.new);
        }
    }

    fn own(&mut self, node: &Node, kind: &prost_reflect::MessageDescriptor) {
        self.typed(node, &Type::Message(kind.clone()));
    }

    fn contract(&mut self, node: &Node, kind: &str) {
        if let Ok(kind) = message(kind) {
            self.typed(node, &Type::Message(kind));
        }
    }

    fn typed(&mut self, node: &Node, kind: &Type) {
        let renames = self.renames;
        match (&node.shape, kind) {
            (Shape::Object(fields), _)
                if fields.iter().any(|field| field.name.starts_with('$')) =>
            {
                // The operand has the type of the compared list or of its items.
                for (_, operand) in self.words(node, &[Section::Any]) {
                    self.typed(operand, kind);
                }
            }
            (Shape::Object(fields), Type::Message(message)) => {
                for field in fields {
                    let renamed = renames
                        .field
                        .iter()
                        .find(|one| one.message == message.full_name() && one.old == field.name);
                    if let Some(renamed) = renamed {
                        self.rename(&field.at, &renamed.new);
                    }
                    let name = renamed.map_or(field.name.as_str(), |renamed| &renamed.new);
                    if let Ok(known) = crate::contract::field(message, name) {
                        let kind = self
                            .messages
                            .map_or_else(|| Type::of(&known), |messages| messages.type_of(&known));
                        self.typed(&field.value, &kind);
                    }
                }
            }
            (Shape::Object(fields), Type::Map(value)) => {
                for field in fields {
                    self.typed(&field.value, value);
                }
            }
            // `$count` has the pattern of an item in `of`. Any other object is itself the pattern
            // of an item.
            (Shape::Object(_), Type::List(item)) => match node.get("of") {
                Some(of) => self.typed(of, item),
                None => self.typed(node, item),
            },
            (Shape::List(items), Type::List(item)) => {
                for one in items {
                    self.typed(one, item);
                }
            }
            (Shape::List(items), _) => items.iter().for_each(|one| self.typed(one, kind)),
            (Shape::Text(_), Type::Enum(_)) => self.value(node, &renames.value),
            (Shape::Text(_), Type::List(item)) => self.typed(node, item),
            _ => {}
        }
    }

    fn untyped(&mut self, node: &Node) {
        let renames = self.renames;
        match &node.shape {
            Shape::Text(_) => self.value(node, &renames.value),
            Shape::List(items) => items.iter().for_each(|item| self.untyped(item)),
            Shape::Object(fields) => fields.iter().for_each(|field| self.untyped(&field.value)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn converted(text: &str, renames: &Renames) -> String {
        convert(Path::new("x.json"), text, renames).unwrap_or_else(|flaws| panic!("{flaws}")).text
    }

    #[test]
    fn only_meaningful_names_are_replaced() -> Result<(), toml::de::Error> {
        for (renames, before, after) in [
            (
                toml::from_str(include_str!("testdata/convert/renames.toml"))?,
                include_str!("testdata/convert/before.json"),
                include_str!("testdata/convert/after.json"),
            ),
            // Names from before the first version.
            (
                Renames::known()?,
                include_str!("testdata/convert/first_before.json"),
                include_str!("testdata/convert/first_after.json"),
            ),
        ] {
            assert_eq!(converted(before, &renames), after);
            assert_eq!(converted(after, &renames), after, "what is new already stays");
        }
        Ok(())
    }

    #[test]
    fn the_shipped_table_produces_valid_files() -> Result<(), Box<dyn std::error::Error>> {
        let new = converted(include_str!("testdata/convert/lists_before.json"), &Renames::known()?);
        assert!(
            new.contains(r#"{ "$inOrder": [{ "text": "a" }], "$lacks": [{ "text": "b" }] }"#),
            "{new}"
        );
        crate::file::File::parse(Path::new("x"), &new).map_err(|flaws| flaws.to_string())?;
        Ok(())
    }

    #[test]
    fn the_contract_has_all_new_names() {
        let table = include_str!("../../../proto/renames.tsv");
        let mut renames = Renames::default();
        renames.add_contract(table);
        for row in table.lines().filter_map(ContractRename::of) {
            if row.kind == "message" || row.kind == "enum" {
                let name = format!("{}.{}", row.parent, row.new);
                let known = POOL.get_message_by_name(&name).is_some()
                    || POOL.get_enum_by_name(&name).is_some();
                assert!(known, "{name}");
            }
        }
        for field in &renames.field {
            let known = message(&field.message)
                .and_then(|message| crate::contract::field(&message, &field.new));
            assert!(known.is_ok(), "{field:?}");
        }
        let values: Vec<String> = POOL
            .all_enums()
            .flat_map(|one| one.values().map(|value| value.name().to_owned()).collect::<Vec<_>>())
            .collect();
        for value in &renames.value {
            assert!(values.contains(&value.new), "{value:?}");
        }
    }
}
