//! Rewriting files by the names that the contract and scenarios have now. Formatting stays: only
//! names are replaced.

use std::path::Path;

use serde::Deserialize;

use crate::contract::{Messages, Type, message};
use crate::file::{CHOICES, WARNINGS};
use crate::json::{Flaws, Node, Place, Shape, parse};

/// What was renamed.
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
    place: Where,
    old: String,
    new: String,
}

/// Where a word stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Where {
    Top,
    Step,
    Expect,
    Events,
    Choices,
    Any,
}

impl Renames {
    /// The table that the program has with it.
    pub fn known() -> Result<Self, toml::de::Error> {
        toml::from_str(include_str!("renames.toml"))
    }

    fn word(&self, places: &[Where], name: &str) -> Option<&str> {
        let fits = |rename: &&WordRename| places.contains(&rename.place) && rename.old == name;
        self.word.iter().find(fits).map(|rename| rename.new.as_str())
    }

    /// Old and new names as a changelog writes them.
    pub fn rows(&self) -> impl Iterator<Item = (String, String)> {
        let short = |message: &str, field: &str| {
            format!("{}.{field}", message.rsplit('.').next().unwrap_or(message))
        };
        let fields = self.field.iter();
        let fields =
            fields.map(move |one| (short(&one.message, &one.old), short(&one.message, &one.new)));
        let plain = self.value.iter().chain(&self.refusal).chain(&self.reason);
        let words = self.word.iter().map(|one| (one.old.clone(), one.new.clone()));
        fields.chain(plain.map(|one| (one.old.clone(), one.new.clone()))).chain(words)
    }
}

/// A file with its names as they are now.
#[derive(Debug)]
pub struct Converted {
    pub text: String,
    /// How many names were replaced.
    pub names: usize,
}

/// Replaces the old names in a file's text.
pub fn convert(path: &Path, text: &str, renames: &Renames) -> Result<Converted, Flaws> {
    let node = parse(path, text)?;
    let game = game_of(path, &node, 0);
    let messages = game.and_then(|game| Messages::of(&game).ok());
    let mut walk = Walk { renames, messages: messages.as_ref(), edits: Vec::new() };
    walk.scenario(&node);
    let edits = walk.edits;
    Ok(Converted { text: edited(text, &edits), names: edits.len() })
}

/// The kind of game, which a file that extends another may leave to that.
fn game_of(path: &Path, node: &Node, depth: usize) -> Option<String> {
    if let Some(game) = node.get("game").and_then(Node::text) {
        return Some(game.to_owned());
    }
    let base = path.parent()?.join(node.get("extends")?.text()?);
    let text = std::fs::read_to_string(&base).ok().filter(|_| depth < 8)?;
    game_of(&base, &parse(&base, &text).ok()?, depth + 1)
}

/// The text with other names at some places, each of which begins with a quotation mark.
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

    /// Every field with the name that it has now.
    fn words<'n>(&mut self, node: &'n Node, places: &[Where]) -> Vec<(String, &'n Node)> {
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
        for (name, value) in self.words(node, &[Where::Top]) {
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
                // Nobody knows of which type a named value is; names of values are the same
                // everywhere.
                ("let", _) => self.untyped(value),
                _ => {}
            }
        }
    }

    fn step(&mut self, node: &Node) {
        let messages = self.messages;
        for (name, value) in self.words(node, &[Where::Step]) {
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
        for (name, value) in self.words(node, &[Where::Expect]) {
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
                        self.items(&seat.value, Where::Events, "heliopause.v1.Event");
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
                        self.items(&seat.value, Where::Choices, CHOICES.1);
                    }
                }
                word if word == WARNINGS.0 => self.items(value, Where::Any, WARNINGS.1),
                _ => {}
            }
        }
    }

    fn items(&mut self, node: &Node, place: Where, kind: &str) {
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
                // An operator's operand is of its list's type, or of its items'.
                for (_, operand) in self.words(node, &[Where::Any]) {
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
            // `$count` holds its item under `of`; a lone item stands for a list of one.
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
    fn names_are_replaced_where_they_mean_something_and_nothing_else_is()
    -> Result<(), toml::de::Error> {
        let renames: Renames = toml::from_str(
            r#"
            [[field]]
            message = "heliopause.v1.Game"
            old = "state"
            new = "status"
            [[field]]
            message = "heliopause.v1.Seat"
            old = "no"
            new = "number"
            [[value]]
            old = "GAME_STATUS_OVER"
            new = "GAME_STATUS_ENDED"
            [[refusal]]
            old = "too-far"
            new = "out-of-range"
            [[reason]]
            old = "RULE"
            new = "RULE_VIOLATION"
            [[word]]
            in = "step"
            old = "player"
            new = "seat"
            [[word]]
            in = "any"
            old = "$has"
            new = "$contains"
            "#,
        )?;
        let before = r#"{ "name": "GAME_STATUS_OVER", "game":"starships-at-large",
  "steps": [
    { "player": 1,   "order": "state", "note": "é \"no\"",
      "expect": { "game": {"state": {"$any": ["GAME_STATUS_OVER", "GAME_STATUS_PAUSED"]}, "seats": { "$has": { "no": 2 } } } } },
    { "repeat": 2, "steps": [ { "player": 2, "order": "x", "expect": { "refused": { "refusal": "too-far", "reason": "RULE", "message": "RULE" } } } ] }
  ],
  "let": { "s": "GAME_STATUS_OVER" }
}
"#;
        let after = r#"{ "name": "GAME_STATUS_OVER", "game":"starships-at-large",
  "steps": [
    { "seat": 1,   "order": "state", "note": "é \"no\"",
      "expect": { "game": {"status": {"$any": ["GAME_STATUS_ENDED", "GAME_STATUS_PAUSED"]}, "seats": { "$contains": { "number": 2 } } } } },
    { "repeat": 2, "steps": [ { "seat": 2, "order": "x", "expect": { "refused": { "refusal": "out-of-range", "reason": "RULE_VIOLATION", "message": "RULE" } } } ] }
  ],
  "let": { "s": "GAME_STATUS_ENDED" }
}
"#;
        assert_eq!(converted(before, &renames), after);
        assert_eq!(converted(after, &renames), after, "what is new already stays");
        Ok(())
    }

    #[test]
    fn the_shipped_table_is_read_and_makes_files_that_are_valid()
    -> Result<(), Box<dyn std::error::Error>> {
        let renames = Renames::known()?;
        let old = r#"{ "name": "x", "game": "diplomacy", "players": 7, "steps": [{ "close": true, "expect": {
            "events": { "1": { "contains": [{ "text": "a" }], "lacks": [{ "text": "b" }] } } } }] }"#;
        let new = converted(old, &renames);
        assert!(
            new.contains(r#"{ "$inOrder": [{ "text": "a" }], "$lacks": [{ "text": "b" }] }"#),
            "{new}"
        );
        crate::file::File::parse(Path::new("x"), &new).map_err(|flaws| flaws.to_string())?;
        Ok(())
    }

    #[test]
    fn the_changelog_has_a_row_for_every_name() -> Result<(), toml::de::Error> {
        let changelog = include_str!("../../CHANGELOG.md");
        let rows: Vec<Vec<&str>> = changelog
            .lines()
            .filter(|line| line.starts_with('|'))
            .map(|line| line.split('|').collect())
            .collect();
        for (old, new) in Renames::known()?.rows() {
            let (old, new) = (format!("`{old}`"), format!("`{new}`"));
            let there = rows
                .iter()
                .any(|cells| cells.len() > 3 && cells[1].contains(&old) && cells[2].contains(&new));
            assert!(there, "the changelog's table lacks: | {old} | {new} |");
        }
        Ok(())
    }
}
