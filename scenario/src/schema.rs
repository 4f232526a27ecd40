//! The JSON Schema of scenario files, made from the contract: an editor completes the fields of
//! views, events, orders and positions.
//!
//! `cli-client scenario --schema` prints it; a test sees that `docs/scenario.schema.json` is what
//! it prints.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;

use heliopause_proto::POOL;
use heliopause_table::registry;
use prost_reflect::{EnumDescriptor, FieldDescriptor, MessageDescriptor};
use serde_json::{Map, Value, json};

use crate::contract::{Messages, Type, message, reasons};
use crate::file::{CHOICES, DICE, EXPECT, REFUSED, STEP, TOP, WARNINGS};

/// How long the words about a field are at most.
const WORDS_MAX: usize = 100;

/// The schema as it is stored: a definition on each line.
pub fn text() -> String {
    let mut schema = Schema::new();
    let root = schema.root();
    let mut text = String::from("{\n");
    for (name, value) in root.as_object().into_iter().flatten() {
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

/// The names of seats, and of all who look.
const SEATS: &str = "^[1-9][0-9]?$";
const VIEWERS: &str = "^([1-9][0-9]?|spectator|gm)$";

/// Whether a message is sent, or expected and may hold operators.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Sent,
    Expected,
}

struct Schema {
    definitions: BTreeMap<String, Value>,
    comments: HashMap<String, String>,
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}

/// `heliopause.star_empires.v1.Ship` as `star_empires.Ship`.
fn short(full: &str) -> String {
    full.replace("heliopause.v1.", "").replace("heliopause.", "").replace(".v1.", ".")
}

impl Schema {
    fn new() -> Self {
        let whole = json!({ "type": "string", "pattern": "^([0-9]+[smhdw])+$" });
        let named = json!({ "type": "string", "pattern": "^\\$[^\\s\\${}]+$" });
        let seat = json!({ "anyOf": [{ "type": "integer", "minimum": 1, "maximum": 64 }, reference("name")] });
        let dice = json!({ "anyOf": [{ "type": "array", "items": { "anyOf": [{ "type": "integer", "minimum": 1 }, reference("name")] } }, reference("name")] });
        let automated = json!({
            "type": "object", "additionalProperties": false, "required": ["seat"],
            "properties": { "seat": reference("seat"), "profile": { "type": "string" }, "level": { "type": "string" } }
        });
        let definitions = [
            ("duration", json!({ "anyOf": [whole, reference("name")] })),
            ("name", named),
            ("seat", seat),
            ("dice", dice),
            ("automated", automated),
            ("number", json!({ "type": ["number", "string"] })),
            ("text", json!({ "type": "string" })),
            ("truth", json!({ "anyOf": [{ "type": "boolean" }, reference("name")] })),
            // What goes with every message and with every list.
            (
                "o",
                json!({ "type": ["object", "string", "null"], "pattern": "^\\$", "properties": presence() }),
            ),
            ("l", {
                let mut properties = presence();
                properties.insert("$length".into(), reference("number?"));
                json!({ "type": ["array", "object", "string", "null"], "pattern": "^\\$", "properties": properties })
            }),
        ];
        let definitions =
            definitions.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let mut schema = Self { definitions, comments: comments() };
        for (name, types, more) in [
            (
                "number?",
                json!(["number", "string", "null", "object"]),
                ["$gt", "$gte", "$lt", "$lte"].as_slice(),
            ),
            ("text?", json!(["string", "null", "object"]), &["$contains", "$lacks"]),
            ("word?", json!(["string", "number", "null", "object"]), &["$contains", "$lacks"]),
            ("time?", json!(["string", "null", "object"]), &["$gt", "$gte", "$lt", "$lte"]),
            ("truth?", json!(["boolean", "string", "null", "object"]), &[]),
        ] {
            let mut properties = operators(name);
            properties.extend(
                more.iter().map(|operator| {
                    ((*operator).to_owned(), json!({ "type": ["number", "string"] }))
                }),
            );
            if name == "text?" {
                properties.insert("$length".into(), reference("number?"));
            }
            let definition =
                json!({ "type": types, "properties": properties, "additionalProperties": false });
            schema.definitions.insert(name.to_owned(), definition);
        }
        schema
    }

    /// What a file may say beside, by its game.
    fn branches(&mut self) -> Vec<Value> {
        let mut kinds: BTreeMap<String, Vec<Messages>> = BTreeMap::new();
        for kind in registry::KINDS.iter() {
            if let Ok(messages) = Messages::of(kind.id) {
                let package = messages.view.package_name();
                let package =
                    short(&format!("{package}.")).trim_end_matches('.').replace(".v1", "");
                kinds.entry(package).or_default().push(messages);
            }
        }
        let mut branches = Vec::new();
        for (package, kinds) in &kinds {
            let Some(messages) = kinds.first() else { continue };
            let ids: Vec<&str> = kinds.iter().map(|messages| messages.kind.as_str()).collect();
            self.step(package, messages);
            let mut own = Map::new();
            own.insert(
                "options".into(),
                self.value(&Type::Message(messages.options.clone()), Use::Sent),
            );
            own.insert(
                "position".into(),
                self.value(&Type::Message(messages.position.clone()), Use::Sent),
            );
            own.insert("steps".into(), json!({ "items": reference(&format!("{package}.step")) }));
            self.definitions.insert(format!("{package}.case"), json!({ "properties": own }));
            own.insert("cases".into(), json!({ "items": reference(&format!("{package}.case")) }));
            branches.push(json!({
                "if": { "required": ["game"], "properties": { "game": { "enum": ids } } },
                "then": { "properties": own }
            }));
        }
        branches
    }

    fn root(&mut self) -> Value {
        let branches = self.branches();
        self.case();
        let ids: Vec<&str> = registry::KINDS.iter().map(|kind| kind.id).collect();
        let mut properties = self.common();
        let more = [
            (
                "$schema",
                json!({ "type": "string", "description": "Where this schema is, for editors." }),
            ),
            (
                "extends",
                json!({ "type": "string", "description": "A file that says everything which this \
                    one does not; its steps come first." }),
            ),
            ("game", json!({ "enum": ids, "description": "The kind of game." })),
            (
                "cases",
                json!({ "type": "array", "minItems": 1, "items": reference("case"), "description": "Several games with what this file says in common; the steps of each case come after those." }),
            ),
            (
                "same",
                json!({
                    "type": "array", "description": "What looks the same in several cases: \
                        everything that a viewer is told, and what they see at the end.",
                    "items": { "type": "object", "additionalProperties": false, "required": ["viewers", "cases"], "properties": {
                        "note": { "type": "string" }, "viewers": reference("viewers"), "cases": { "type": "array", "minItems": 2, "items": { "type": "string" } } } }
                }),
            ),
        ];
        properties.extend(more.into_iter().map(|(name, value)| (name.to_owned(), value)));
        debug_assert!(
            TOP.iter().all(|name| properties.contains_key(*name)),
            "every field is described"
        );
        self.definitions.insert("viewers".into(), json!({
            "type": "array", "minItems": 1,
            "items": { "anyOf": [reference("seat"), { "type": "string", "pattern": "^([1-9][0-9]?|spectator|gm)$" }] }
        }));
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Heliopause scenario",
            "description": "A sandbox game, what is done in it, and what shall come of it. See \
                docs/scenarios.md. Made by `cli-client scenario --schema`.",
            "type": "object",
            "required": ["name"],
            "anyOf": [{ "required": ["game", "steps"] }, { "required": ["game", "cases"] }, { "required": ["extends"] }],
            "not": { "required": ["options", "position"] },
            "properties": properties,
            "additionalProperties": false,
            "allOf": branches
        })
    }

    /// What a file and a case can both say.
    fn common(&mut self) -> Map<String, Value> {
        let pace = message("heliopause.v1.Pace")
            .map(|pace| self.value(&Type::Message(pace), Use::Sent))
            .unwrap_or_default();
        let guest = json!({
            "type": "object", "additionalProperties": false, "required": ["account"],
            "properties": {
                "account": { "type": "string", "description": "The name or id of an account." },
                "await": { "$ref": "#/$defs/duration", "description": "How long it may take to sit \
                    down; 30s if absent." }
            }
        });
        let fields = [
            (
                "name",
                json!({ "type": "string", "description": "A short name; also the name of the \
                    sandbox game." }),
            ),
            ("description", json!({ "type": "string", "description": "What it shows." })),
            (
                "let",
                json!({ "type": "object", "propertyNames": { "pattern": "^[^\\s\\${}]+$" }, "description": "Values with names: \"$name\" stands for the value, ${name} within a \
                    text for \
                    its text." }),
            ),
            (
                "players",
                json!({ "anyOf": [{ "type": "integer", "minimum": 1, "maximum": 64 }, reference("name")], "description": "How many players, if \
                    there is no position." }),
            ),
            (
                "options",
                json!({ "description": "The rules options: the game's own Options message." }),
            ),
            (
                "position",
                json!({ "description": "The position to start from: the game's own Position \
                    message." }),
            ),
            (
                "dice",
                json!({ "$ref": "#/$defs/dice", "description": "Dice that are rolled first." }),
            ),
            (
                "seed",
                json!({ "type": "string", "pattern": "^([0-9a-fA-F]{64}|\\$.+)$", "description": "The seed of all dice that are not scripted; random if absent." }),
            ),
            ("pace", described(pace, "Deadlines; none if absent.")),
            (
                "automated",
                json!({ "type": "array", "items": reference("automated"), "description": "Seats \
                    that automation plays." }),
            ),
            (
                "seats",
                json!({ "type": "object", "propertyNames": { "pattern": "^[1-9][0-9]?$" }, "additionalProperties": guest, "description": "Seats \
                    that are kept for accounts of their own." }),
            ),
            (
                "steps",
                json!({ "type": "array", "items": { "type": "object" }, "description": "What is \
                    done and expected, in order." }),
            ),
        ];
        fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    fn case(&mut self) {
        let mut properties = self.common();
        properties.insert("note".into(), json!({ "type": "string" }));
        let case = json!({ "type": "object", "required": ["name"], "properties": properties, "additionalProperties": false });
        self.definitions.insert("case".into(), case);
    }

    /// The steps of a game's package.
    #[expect(clippy::too_many_lines, reason = "one entry for each field")]
    fn step(&mut self, package: &str, messages: &Messages) {
        let order = self.value(&Type::Message(messages.order.clone()), Use::Sent);
        let order = json!({ "anyOf": [{ "type": "string" }, order], "description": "In the \
            notation of the game, or its own Order message." });
        self.definitions.insert(format!("{package}.order"), order);
        let order = reference(&format!("{package}.order"));
        let say = json!({
            "type": "object", "additionalProperties": false, "required": ["text"],
            "properties": {
                "to": { "type": "array", "items": reference("seat"), "description": "To these \
                    seats; absent: to all." },
                "toGameMaster": { "type": "boolean", "description": "To the game master." },
                "anonymous": { "type": "boolean", "description": "Without the sender's name, where \
                    the game allows that." },
                "text": { "type": "string", "minLength": 1 }
            }
        });
        let fields = [
            (
                "note",
                json!({ "type": "string", "description": "What it is about; shown when it fails." }),
            ),
            (
                "tell",
                json!({ "type": "string", "description": "In a lesson: what the learner is told \
                    before they type this step." }),
            ),
            ("seat", json!({ "$ref": "#/$defs/seat", "description": "Who does it." })),
            ("order", order.clone()),
            (
                "orders",
                json!({ "type": "array", "items": order, "description": "Several, in turn." }),
            ),
            (
                "pick",
                json!({ "anyOf": [{ "type": "integer", "minimum": 1 }, { "type": "string", "minLength": 1 }], "description": "A \
                    choice: its number, or a text \
                    that only its notation holds." }),
            ),
            (
                "validate",
                json!({ "anyOf": [order.clone(), { "type": "array", "items": order }], "description": "Judges orders \
                    without giving them; [] asks of what the seat would be warned if it were ready." }),
            ),
            (
                "ready",
                json!({ "$ref": "#/$defs/truth", "description": "Marks the seat ready, or not." }),
            ),
            ("say", say),
            (
                "dice",
                json!({ "$ref": "#/$defs/dice", "description": "Further dice, rolled after those \
                    that still wait." }),
            ),
            (
                "advance",
                json!({ "$ref": "#/$defs/duration", "description": "Sets the game's clock forward: \
                    26h, 1d12h." }),
            ),
            (
                "close",
                json!({ "const": true, "description": "Closes the open phase, with defaults for \
                    what is missing." }),
            ),
            (
                "master",
                json!({ "anyOf": [order.clone(), { "type": "array", "items": order }], "description": "Orders of the \
                    game \
                    master." }),
            ),
            (
                "automate",
                json!({ "$ref": "#/$defs/automated", "description": "Gives a seat to automation, \
                    as a game master does." }),
            ),
            (
                "handBack",
                json!({ "$ref": "#/$defs/seat", "description": "Gives a seat back to its player." }),
            ),
            (
                "abandon",
                json!({ "$ref": "#/$defs/seat", "description": "Takes a seat from its player for \
                    good: automation plays it as one that was abandoned." }),
            ),
            ("resign", json!({ "const": true, "description": "The seat's player resigns." })),
            (
                "excuse",
                json!({ "$ref": "#/$defs/seat", "description": "Excuses a seat's last missed \
                    deadline." }),
            ),
            (
                "pause",
                json!({ "$ref": "#/$defs/truth", "description": "Pauses the game, or lets it go on." }),
            ),
            (
                "declare",
                json!({ "type": "object", "additionalProperties": false, "required": ["winners"], "properties": { "winners": { "type": "array", "items": reference("seat") } }, "description": "Declares who won; nobody for a draw." }),
            ),
            (
                "repeat",
                json!({ "anyOf": [{ "type": "integer", "minimum": 1, "maximum": 1000 }, reference("name")], "description": "Does it so often, and then \
                    looks at what is expected." }),
            ),
            (
                "settle",
                json!({ "$ref": "#/$defs/duration", "description": "Before it, waits until \
                    automation has answered everything." }),
            ),
            (
                "await",
                json!({ "$ref": "#/$defs/duration", "description": "How long what is expected may \
                    take to come." }),
            ),
            ("expect", reference(&format!("{package}.expect"))),
            (
                "steps",
                json!({ "type": "array", "items": reference(&format!("{package}.step")), "description": "A block of steps, \
                    with \
                    `repeat`." }),
            ),
        ];
        let properties: Map<String, Value> =
            fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        debug_assert!(
            STEP.iter().all(|name| properties.contains_key(*name)),
            "every field is described"
        );
        let by_seat = ["order", "orders", "pick", "validate", "ready", "resign"]
            .map(|name| json!({ "required": [name] }));
        let step = json!({
            "type": "object", "additionalProperties": false, "properties": properties,
            "if": { "anyOf": by_seat }, "then": { "required": ["seat"] },
            "not": { "required": ["order", "orders"] }
        });
        self.definitions.insert(format!("{package}.step"), step);
        self.expect(package, messages);
    }

    #[expect(clippy::too_many_lines, reason = "one entry for each field")]
    fn expect(&mut self, package: &str, messages: &Messages) {
        let by = |viewers: &str, value: Value| json!({ "type": "object", "propertyNames": { "pattern": viewers }, "additionalProperties": value });
        let view = self.value(&Type::Message(messages.view.clone()), Use::Expected);
        let position = self.value(&Type::Message(messages.position.clone()), Use::Expected);
        let mut contract = |name: &str| match message(&format!("heliopause.v1.{name}")) {
            Ok(message) => self.value(&Type::Message(message), Use::Expected),
            Err(_) => Value::Bool(true),
        };
        let (decision, game, outcome) =
            (contract("Decision"), contract("Game"), contract("Outcome"));
        let events = self.own_list(package, "heliopause.v1.Event", messages);
        let choices = self.own_list(package, CHOICES.1, messages);
        let warnings = self.own_list(package, WARNINGS.1, messages);
        let record = |fields: &[(&str, Type)]| {
            let properties = fields.iter().map(|(name, kind)| {
                let value = match kind {
                    Type::Reason => json!({ "anyOf": [{ "enum": reasons() }, reference("text?")] }),
                    Type::Whole(..) => reference("number?"),
                    Type::Word => reference("word?"),
                    _ => reference("text?"),
                };
                ((*name).to_owned(), value)
            });
            json!({ "type": "object", "additionalProperties": false, "properties": properties.chain(presence()).collect::<Map<_, _>>() })
        };
        let alike = json!({
            "type": "object", "additionalProperties": false, "minProperties": 1,
            "properties": { "view": reference("viewers"), "events": reference("viewers") }
        });
        let fields = [
            ("refused", described(record(REFUSED), "The action is refused so.")),
            (
                WARNINGS.0,
                described(
                    warnings,
                    "Of what `validate` or `ready` warns: kinds, or what a warning is like.",
                ),
            ),
            (
                "view",
                json!({
                    "type": "object", "description": "What viewers see; for gm the complete \
                        position.",
                    "propertyNames": { "pattern": VIEWERS }, "properties": { "gm": position }, "additionalProperties": view
                }),
            ),
            ("events", described(by(VIEWERS, events), "What viewers were told by this step.")),
            ("decision", described(by(SEATS, decision), "What seats are asked; null for nothing.")),
            (
                CHOICES.0,
                described(
                    by(SEATS, choices),
                    "What seats may order: notations, or what a choice is like.",
                ),
            ),
            ("game", game),
            ("outcome", outcome),
            ("dice", described(record(DICE), "The scripted dice that are left.")),
            (
                "ratings",
                described(
                    by(SEATS, reference("number?")),
                    "What ratings would have changed, by seat.",
                ),
            ),
            (
                "unchanged",
                described(
                    reference("viewers"),
                    "These see what they saw before, and are told nothing.",
                ),
            ),
            ("same", described(alike, "These see, or are told, the same.")),
        ];
        let properties: Map<String, Value> =
            fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        debug_assert!(
            EXPECT.iter().all(|name| properties.contains_key(*name)),
            "every field is described"
        );
        let expect =
            json!({ "type": "object", "additionalProperties": false, "properties": properties });
        self.definitions.insert(format!("{package}.expect"), expect);
    }

    /// A list of messages that hold the game's own without the envelope around it.
    fn own_list(&mut self, package: &str, name: &str, messages: &Messages) -> Value {
        let Ok(message) = message(name) else { return Value::Bool(true) };
        let key = format!("{package}.{}", message.name().to_lowercase());
        let item = self
            .message(&message, &format!("{key}?"), Use::Expected, &|field| messages.type_of(field));
        let item = if [CHOICES.1, WARNINGS.1].contains(&name) {
            json!({ "anyOf": [{ "type": "string" }, item] })
        } else {
            item
        };
        self.definitions.insert(format!("{key}?"), item);
        self.list(&key)
    }

    /// What may stand where a value of a type belongs.
    fn value(&mut self, kind: &Type, how: Use) -> Value {
        let mark = if how == Use::Expected { "?" } else { "" };
        match kind {
            Type::Message(message) => {
                let key = format!("{}{mark}", short(message.full_name()));
                if !self.definitions.contains_key(&key) {
                    // A message may hold itself, so its name is there before it is.
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
            Type::Truth => reference(&format!("truth{mark}")),
            Type::Time | Type::Span if how == Use::Expected => reference("time?"),
            Type::Text | Type::Time | Type::Span | Type::Word | Type::Reason | Type::Record(_) => {
                reference(&format!("text{mark}"))
            }
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
            // What is expected is read more often than sent, and both would make the file twice as
            // large.
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

    /// A list whose items are expected to be like something.
    fn list(&mut self, item: &str) -> Value {
        let key = format!("{item}.list?");
        if !self.definitions.contains_key(&key) {
            let one = reference(&format!("{item}?"));
            let all = json!({ "type": "array", "items": one });
            let some = json!({ "anyOf": [one, all] });
            let properties: Map<String, Value> = [
                ("$not".to_owned(), reference(&key)),
                ("$contains".to_owned(), some.clone()),
                ("$lacks".to_owned(), some),
                ("$inOrder".to_owned(), all.clone()),
                ("$only".to_owned(), all),
                ("$all".to_owned(), one.clone()),
                (
                    "$count".to_owned(),
                    json!({
                        "type": "object", "required": ["of", "is"], "additionalProperties": false,
                        "properties": { "of": one, "is": reference("number?") }
                    }),
                ),
            ]
            .into_iter()
            .collect();
            let list = json!({ "$ref": "#/$defs/l", "items": one, "properties": properties, "unevaluatedProperties": false });
            self.definitions.insert(key.clone(), list);
        }
        reference(&key)
    }
}

/// The operators that ask whether something is there.
fn presence() -> Map<String, Value> {
    let any = json!({ "anyOf": [{ "const": true }, { "type": "array", "minItems": 1 }] });
    let fields = [("$any", any), ("$absent", json!({ "type": "boolean" }))];
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The operators that go with everything.
fn operators(own: &str) -> Map<String, Value> {
    let mut properties = presence();
    properties.insert("$not".into(), reference(own));
    properties
}

fn described(mut value: Value, words: &str) -> Value {
    if let Some(fields) = value.as_object_mut().filter(|_| !words.is_empty()) {
        fields.insert("description".into(), json!(words));
    }
    value
}

/// What the contract says about each field, in one sentence.
fn comments() -> HashMap<String, String> {
    let mut found = HashMap::new();
    for file in POOL.files() {
        let info = file.file_descriptor_proto().source_code_info.clone().unwrap_or_default();
        let words: HashMap<Vec<i32>, String> = info
            .location
            .into_iter()
            .filter_map(|at| Some((at.path, sentence(&at.leading_comments?))))
            .collect();
        let messages: BTreeSet<String> =
            POOL.all_messages().map(|message| message.full_name().to_owned()).collect();
        for name in messages {
            let Some(message) =
                POOL.get_message_by_name(&name).filter(|message| message.parent_file() == file)
            else {
                continue;
            };
            for field in message.fields() {
                if let Some(words) = words.get(field.path()) {
                    found.insert(field.full_name().to_owned(), words.clone());
                }
            }
        }
    }
    found
}

/// The first sentence of a comment.
fn sentence(comment: &str) -> String {
    let line = comment.split_whitespace().collect::<Vec<_>>().join(" ");
    let end = line.find(". ").map_or(line.len(), |end| end + 1);
    crate::matching::cut(&line[..end], WORDS_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stored_schema_is_what_the_contract_makes() {
        let stored = include_str!("../../docs/scenario.schema.json");
        let made = text();
        assert!(serde_json::from_str::<Value>(&made).is_ok(), "it is JSON");
        assert!(made.len() < 500_000, "an editor reads it at once: {} bytes", made.len());
        assert!(stored == made, "run `cli-client scenario --schema > docs/scenario.schema.json`");
    }

    #[test]
    fn every_definition_that_is_named_is_there() -> Result<(), serde_json::Error> {
        let schema: Value = serde_json::from_str(&text())?;
        let text = schema.to_string();
        let names = text.split("\"#/$defs/").skip(1).filter_map(|rest| rest.split('"').next());
        for name in names {
            assert!(schema["$defs"].get(name).is_some_and(|one| !one.is_null()), "{name}");
        }
        Ok(())
    }
}
