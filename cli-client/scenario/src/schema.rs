//! The JSON Schema of scenario files, generated from the contract.
//!
//! A test compares the schema with `docs/scenario.schema.json`.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use heliopause_proto::POOL;
use heliopause_table::registry;
use prost_reflect::{EnumDescriptor, FieldDescriptor, MessageDescriptor};
use serde_json::{Map, Value, json};

use crate::contract::{Messages, Type, message, reasons};
use crate::file::{CHOICES, REFUSED, WARNINGS};

/// The descriptions of the format itself. `GAME` is replaced by the package of a game.
const TEMPLATE: &str = include_str!("schema.template.json");
const DESCRIPTION_MAX: usize = 100;

/// Returns the schema as JSON with one definition per line.
pub fn text() -> String {
    let mut schema = Schema::new();
    let root = schema.root();
    let mut text = String::from("{\n");
    for (name, value) in entries(&root) {
        let _ = writeln!(text, "  {}: {value},", json!(name));
    }
    text.push_str("  \"$defs\": {\n");
    let last = schema.definitions.len().saturating_sub(1);
    for (index, (name, definition)) in schema.definitions.iter().enumerate() {
        let comma = if index == last { "" } else { "," };
        let _ = writeln!(text, "    {}: {definition}{comma}", json!(name));
    }
    text.push_str("  }\n}\n");
    text
}

/// The use of a message: it is sent, or it is an expectation that may contain operators.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Sent,
    Expected,
}

struct Schema {
    template: Value,
    definitions: BTreeMap<String, Value>,
    comments: HashMap<String, String>,
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}

fn entries(value: &Value) -> impl Iterator<Item = (String, Value)> {
    value.as_object().cloned().unwrap_or_default().into_iter()
}

fn short(full: &str) -> String {
    full.replace("heliopause.v1.", "").replace("heliopause.", "").replace(".v1.", ".")
}

impl Schema {
    fn new() -> Self {
        let template: Value = serde_json::from_str(TEMPLATE).unwrap_or_default();
        let definitions = entries(&template["definitions"]).collect();
        Self { template, definitions, comments: comments() }
    }

    fn root(&mut self) -> Value {
        let fields_by_game = self.fields_by_game();
        self.define(["Pace"], Use::Sent);
        let (mut file, mut case) = (self.template["file"].take(), self.template["case"].take());
        for (name, field) in entries(&self.template["common"]) {
            file["properties"][&name] = field.clone();
            case["properties"][&name] = field;
        }
        self.definitions.insert("case".to_owned(), case);
        let ids: Vec<&str> = registry::KINDS.iter().map(|kind| kind.id).collect();
        file["properties"]["game"]["enum"] = json!(ids);
        file["allOf"] = json!(fields_by_game);
        file
    }

    fn fields_by_game(&mut self) -> Vec<Value> {
        let mut kinds: BTreeMap<String, Vec<Messages>> = BTreeMap::new();
        for messages in registry::KINDS.iter().filter_map(|kind| Messages::of(kind.id).ok()) {
            let package = short(&format!("{}.", messages.view.package_name()));
            kinds.entry(package.trim_end_matches('.').to_owned()).or_default().push(messages);
        }
        let branch = |(package, kinds): (String, Vec<Messages>)| {
            let ids: Vec<&str> = kinds.iter().map(|messages| messages.kind.as_str()).collect();
            let mut own = self.game(&package, &kinds[0]);
            own["cases"] = json!({ "items": reference(&format!("{package}.case")) });
            json!({
                "if": { "required": ["game"], "properties": { "game": { "enum": ids } } },
                "then": { "properties": own }
            })
        };
        kinds.into_iter().map(branch).collect()
    }

    fn game(&mut self, package: &str, messages: &Messages) -> Value {
        for sent in [&messages.options, &messages.position, &messages.order] {
            self.value(&Type::Message(sent.clone()), Use::Sent);
        }
        for expected in [&messages.view, &messages.position] {
            self.value(&Type::Message(expected.clone()), Use::Expected);
        }
        self.define(["Decision", "Game", "Outcome"], Use::Expected);
        for list in ["heliopause.v1.Event", CHOICES.1, WARNINGS.1] {
            self.own_list(package, list, messages);
        }
        let text = self.template["game"].to_string().replace("/GAME.", &format!("/{package}."));
        let mut game: Value = serde_json::from_str(&text).unwrap_or_default();
        for (name, kind) in REFUSED.iter() {
            game["expect"]["properties"]["refused"]["properties"][name] = match kind {
                Type::Reason => json!({ "anyOf": [{ "enum": reasons() }, reference("text?")] }),
                Type::MetadataValue => reference("word?"),
                _ => reference("text?"),
            };
        }
        for (name, definition) in entries(&game) {
            self.definitions.insert(format!("{package}.{name}"), definition);
        }
        game["case"]["properties"].take()
    }

    fn define<const N: usize>(&mut self, names: [&str; N], how: Use) {
        for name in names {
            if let Ok(message) = message(&format!("heliopause.v1.{name}")) {
                self.value(&Type::Message(message), how);
            }
        }
    }

    fn own_list(&mut self, package: &str, name: &str, messages: &Messages) {
        let Ok(message) = message(name) else { return };
        let key = format!("{package}.{}", message.name().to_lowercase());
        let item = self
            .message(&message, &format!("{key}?"), Use::Expected, &|field| messages.type_of(field));
        let item = if [CHOICES.1, WARNINGS.1].contains(&name) {
            json!({ "anyOf": [{ "type": "string" }, item] })
        } else {
            item
        };
        self.definitions.insert(format!("{key}?"), item);
        self.list(&key);
    }

    fn value(&mut self, kind: &Type, how: Use) -> Value {
        let mark = if how == Use::Expected { "?" } else { "" };
        match kind {
            Type::Message(message) => {
                let key = format!("{}{mark}", short(message.full_name()));
                if !self.definitions.contains_key(&key) {
                    // Insert a placeholder first, because a message can contain itself.
                    self.definitions.insert(key.clone(), Value::Null);
                    let definition = self.message(message, &key, how, &Type::of);
                    self.definitions.insert(key.clone(), definition);
                }
                reference(&key)
            }
            Type::List(item) => {
                let inner = self.value(item, how);
                match how {
                    Use::Sent => json!({ "type": ["array", "string"], "items": inner }),
                    Use::Expected => {
                        let key = inner["$ref"]
                            .as_str()
                            .and_then(|path| path.rsplit('/').next())
                            .unwrap_or_default()
                            .to_owned();
                        self.list(key.trim_end_matches('?'))
                    }
                }
            }
            Type::Map(value) => {
                let inner = self.value(value, how);
                json!({ "type": ["object", "string", "null"], "additionalProperties": inner })
            }
            Type::Enum(values) => self.names(values, how),
            Type::Whole(..) | Type::Real => reference(&format!("number{mark}")),
            Type::Boolean => reference(&format!("truth{mark}")),
            Type::Time | Type::Span if how == Use::Expected => reference("time?"),
            Type::Text
            | Type::Time
            | Type::Span
            | Type::MetadataValue
            | Type::Reason
            | Type::Record(_) => reference(&format!("text{mark}")),
        }
    }

    fn names(&mut self, values: &EnumDescriptor, how: Use) -> Value {
        let key = short(values.full_name());
        let names: Vec<String> = values.values().map(|value| value.name().to_owned()).collect();
        let any = json!({ "anyOf": [{ "enum": names }, reference("name")] });
        self.definitions.entry(key.clone()).or_insert(any);
        if how == Use::Sent {
            return reference(&key);
        }
        let expected = format!("{key}?");
        if !self.definitions.contains_key(&expected) {
            let properties = operators(&expected);
            let operator = json!({ "type": ["object", "null"], "properties": properties, "additionalProperties": false });
            self.definitions
                .insert(expected.clone(), json!({ "anyOf": [reference(&key), operator] }));
        }
        reference(&expected)
    }

    fn message(
        &mut self,
        message: &MessageDescriptor,
        key: &str,
        how: Use,
        type_of: &dyn Fn(&FieldDescriptor) -> Type,
    ) -> Value {
        let mut properties = Map::new();
        for field in message.fields() {
            let value = self.value(&type_of(&field), how);
            let words = self.comments.get(field.full_name()).cloned().unwrap_or_default();
            // Expected fields get no description, because descriptions would double the size of the
            // file.
            properties.insert(
                field.json_name().to_owned(),
                if how == Use::Expected { value } else { described(value, &words) },
            );
        }
        if how == Use::Sent {
            return json!({ "type": ["object", "string"], "pattern": "^\\$", "properties": properties, "additionalProperties": false });
        }
        properties.insert("$not".into(), reference(key));
        json!({ "$ref": "#/$defs/o", "properties": properties, "unevaluatedProperties": false })
    }

    fn list(&mut self, item: &str) -> Value {
        let key = format!("{item}.list?");
        if !self.definitions.contains_key(&key) {
            let one = reference(&format!("{item}?"));
            let all = json!({ "type": "array", "items": one });
            let some = json!({ "anyOf": [one, all] });
            let properties = json!({
                "$not": reference(&key), "$contains": some, "$lacks": some, "$inOrder": all, "$only": all, "$all": one,
                "$count": {
                    "type": "object", "required": ["of", "is"], "additionalProperties": false,
                    "properties": { "of": one, "is": reference("number?") }
                }
            });
            let list = json!({ "$ref": "#/$defs/l", "items": one, "properties": properties, "unevaluatedProperties": false });
            self.definitions.insert(key.clone(), list);
        }
        reference(&key)
    }
}

fn operators(own: &str) -> Value {
    json!({
        "$any": { "anyOf": [{ "const": true }, { "type": "array", "minItems": 1 }] },
        "$absent": { "type": "boolean" },
        "$not": reference(own),
    })
}

fn described(mut value: Value, words: &str) -> Value {
    if let Some(fields) = value.as_object_mut().filter(|_| !words.is_empty()) {
        fields.insert("description".into(), json!(words));
    }
    value
}

fn comments() -> HashMap<String, String> {
    let mut found = HashMap::new();
    for file in POOL.files() {
        let info = file.file_descriptor_proto().source_code_info.clone().unwrap_or_default();
        let located = info.location.into_iter();
        let words: HashMap<Vec<i32>, String> =
            located.filter_map(|at| Some((at.path, sentence(&at.leading_comments?)))).collect();
        let messages = POOL.all_messages().filter(|message| message.parent_file() == file);
        for field in messages.flat_map(|message| message.fields().collect::<Vec<_>>()) {
            if let Some(words) = words.get(field.path()) {
                found.insert(field.full_name().to_owned(), words.clone());
            }
        }
    }
    found
}

fn sentence(comment: &str) -> String {
    let line = comment.split_whitespace().collect::<Vec<_>>().join(" ");
    let end = line.find(". ").map_or(line.len(), |end| end + 1);
    crate::matching::cut(&line[..end], DESCRIPTION_MAX)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::file::{EXPECT, STEP, TOP};

    #[test]
    fn the_stored_schema_matches_the_contract() {
        let stored = include_str!("../../../docs/scenario.schema.json");
        let made = text();
        assert!(serde_json::from_str::<Value>(&made).is_ok(), "it is JSON");
        assert!(made.len() < 500_000, "an editor reads it at once: {} bytes", made.len());
        assert!(stored == made, "run `cli-client scenario --schema > docs/scenario.schema.json`");
    }

    #[test]
    fn the_template_has_every_field_of_the_program() {
        let schema: Value = serde_json::from_str(&text()).expect("it is JSON");
        let described = |at: &str, names: &[&str]| {
            let known = schema.pointer(at).and_then(Value::as_object).expect(at);
            assert!(known.keys().eq(names.iter().collect::<BTreeSet<_>>()), "{at}");
        };
        described("/properties", &TOP);
        described("/$defs/diplomacy.step/properties", &STEP);
        described("/$defs/diplomacy.expect/properties", &EXPECT);
    }

    #[test]
    fn every_referenced_definition_exists() -> Result<(), serde_json::Error> {
        let schema: Value = serde_json::from_str(&text())?;
        let text = schema.to_string();
        let names = text.split("\"#/$defs/").skip(1).filter_map(|rest| rest.split('"').next());
        for name in names {
            assert!(schema["$defs"].get(name).is_some_and(|one| !one.is_null()), "{name}");
        }
        Ok(())
    }
}
