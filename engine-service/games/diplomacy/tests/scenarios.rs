//! The recorded cases as scenario files that anybody can run against the service: the files in
//! `examples/scenarios` are those that are made here from the cases, so they cannot drift from
//! them.
//!
//! `WRITE_SCENARIOS=1 cargo test -p heliopause-diplomacy scenarios::` writes them anew.

use crate::common;

use std::collections::BTreeMap;
use std::path::PathBuf;

use common::{Lines, POWERS, read_lines};
use heliopause_diplomacy::{Command, Diplomacy, Unit, read_orders};
use heliopause_kernel::{Actor, Dice, Game, Seat, Viewer, Why, Wire};
use heliopause_proto::diplomacy::v1 as proto;
use heliopause_proto::json::to_value;
use serde::Deserialize;
use serde_json::{Value, json};

/// A case of either game.
#[derive(Deserialize)]
struct Case {
    id: String,
    #[serde(default)]
    empires: Vec<String>,
    #[serde(flatten)]
    bare: Start,
    start: Option<Start>,
    steps: Vec<Step>,
}

#[derive(Clone, Deserialize)]
struct Start {
    #[serde(default)]
    year: u32,
    #[serde(default)]
    season: String,
    #[serde(default)]
    units: Lines,
    #[serde(default)]
    orbit: BTreeMap<String, u32>,
    #[serde(default)]
    centers: Option<BTreeMap<String, Value>>,
    #[serde(default)]
    colonies: BTreeMap<String, Value>,
}

#[derive(Deserialize)]
struct Step {
    phase: String,
    #[serde(default)]
    orders: Lines,
}

impl Case {
    fn is_standard(&self) -> bool {
        self.empires.is_empty()
    }

    fn powers(&self) -> Vec<String> {
        if self.is_standard() { POWERS.map(str::to_owned).to_vec() } else { self.empires.clone() }
    }

    fn position(&self) -> proto::Position {
        let start = self.start.as_ref().unwrap_or(&self.bare);
        let power = |(seat, name): (u32, &String)| proto::Power {
            seat,
            units: start.units.get(name).into_iter().flatten().map(|text| written(text)).collect(),
            orbit: start.orbit.get(name).copied().unwrap_or_default(),
            centers: start.centers.as_ref().map_or_else(Vec::new, |centers| owned(centers, name)),
            colonies: owned(&start.colonies, name),
            ..proto::Power::default()
        };
        let phase = match (start.season.as_str(), self.steps[0].phase.as_str()) {
            (_, "adjustment") => proto::Phase::Winter,
            ("fall", _) => proto::Phase::FallMovement,
            _ => proto::Phase::SpringMovement,
        };
        let variant =
            if self.is_standard() { proto::Variant::Standard } else { proto::Variant::OuterSpace };
        let powers: Vec<proto::Power> = (1..).zip(&self.powers()).map(power).collect();
        let is_there = |power: &proto::Power| {
            !power.units.is_empty()
                || power.orbit > 0
                || !power.centers.is_empty()
                || !power.colonies.is_empty()
        };
        let table = proto::Table {
            options: Some(proto::Options { variant: variant.into(), ..proto::Options::default() }),
            players: powers.len() as u32,
            year: start.year,
            phase: phase.into(),
            powers: powers.into_iter().filter(is_there).collect(),
            ..proto::Table::default()
        };
        proto::Position { table: Some(table), sheets: Vec::new() }
    }

    /// The file of the case: played through the game, step by step.
    fn scenario(&self) -> Value {
        let (mut steps, mut story) = (Vec::new(), Vec::new());
        let mut position = self.position();
        let mut read = Diplomacy::read_position(&position);
        if self.steps[0].phase == "adjustment" && read.is_err() {
            // Nobody has anything to do in this winter, so a game passes over it: it is shown from
            // the fall before.
            if let Some(table) = &mut position.table {
                table.set_phase(proto::Phase::FallMovement);
            }
            read = Diplomacy::read_position(&position);
            if let Ok(game) = &mut read {
                steps.push(close(&mut game.clone(), &mut story));
            }
        }
        let mut game = read.unwrap_or_else(|fault| panic!("{}: {fault}", self.id));
        for step in &self.steps {
            let Some(kind) = game.table().ending.is_none().then(|| game.table().phase.kind())
            else {
                break;
            };
            if kind != step.phase {
                continue;
            }
            self.give(&mut game, step, &mut steps);
            steps.push(close(&mut game, &mut story));
        }
        let (game, what) = if self.is_standard() {
            ("diplomacy", format!("DATC {}", self.id))
        } else {
            ("it-came-from-outer-space", format!("Situation {}", self.id))
        };
        json!({
            "$schema": "../../../docs/scenario.schema.json",
            "name": what,
            "description": story.join(" "),
            "game": game,
            "position": to_value(&position),
            "steps": steps,
        })
    }

    /// Each power gives its orders; those that are illegal are refused.
    fn give(&self, game: &mut Diplomacy, step: &Step, steps: &mut Vec<Value>) {
        for (index, name) in self.powers().iter().enumerate() {
            let (seat, mut accepted) = (Seat::at(index), Vec::new());
            for line in step.orders.get(name).into_iter().flatten() {
                let command = Command::Order(read_orders(line).expect("notation")[0]);
                match game.submit(Actor::Seat(seat), command, &mut Dice::new([0; 32])) {
                    Ok(_) => accepted.push(line),
                    Err(refusal) => {
                        give(seat, &mut accepted, steps);
                        let refused = json!({ "refusal": refusal.reason, "rule": refusal.rule });
                        steps.push(json!({ "seat": index + 1, "order": line, "expect": { "refused": refused } }));
                    }
                }
            }
            give(seat, &mut accepted, steps);
        }
    }
}

fn give(seat: Seat, orders: &mut Vec<&String>, steps: &mut Vec<Value>) {
    if !orders.is_empty() {
        steps.push(json!({ "seat": seat.number(), "orders": std::mem::take(orders) }));
    }
}

/// Closes the phase; everybody is told what happened, and sees what stands where.
fn close(game: &mut Diplomacy, story: &mut Vec<String>) -> Value {
    let told = game.close(Why::AllReady, &mut Dice::new([0; 32]));
    let events: Vec<_> = told.to(Viewer::Spectator).cloned().collect();
    for event in &events {
        let (text, _) = Diplomacy::describe(event, &|seat| {
            let table = game.table();
            table.options.powers(table.players)[seat.index()].0.clone()
        });
        let plain = [": holds.", ": succeeds.", ": given.", "begins.", "The turn ends."];
        let telling = text.lines().filter(|line| !plain.iter().any(|plain| line.ends_with(plain)));
        story.extend(telling.take(4_usize.saturating_sub(story.len())).map(str::to_owned));
    }
    let events: Vec<Value> = events
        .iter()
        .map(|event| json!({ "game": told_as(&Diplomacy::write_event(event)) }))
        .collect();
    let view =
        Diplomacy::write_view(&game.view(Viewer::Spectator)).table.expect("a view has a table");
    let powers: Vec<Value> = view.powers.iter().map(pieces).collect();
    json!({
        "close": true,
        "expect": { "events": { "spectator": events }, "view": { "spectator": { "table": { "powers": powers } } } },
    })
}

/// What a power has, as far as it can change.
fn pieces(power: &proto::Power) -> Value {
    let units: Vec<Value> = power.units.iter().map(to_value).collect();
    let mut pieces = json!({ "units": units });
    if power.orbit > 0 {
        pieces["orbit"] = json!(power.orbit);
    }
    if !power.centers.is_empty() {
        pieces["centers"] = json!(power.centers);
    }
    if !power.colonies.is_empty() {
        pieces["colonies"] = json!(power.colonies);
    }
    pieces
}

/// An event without what only repeats its notation.
fn told_as(event: &proto::Event) -> Value {
    let mut value = to_value(event);
    for reports in ["moved", "adjusted"] {
        let list = value.pointer_mut(&format!("/{reports}/reports")).and_then(Value::as_array_mut);
        for report in list.into_iter().flatten().filter_map(Value::as_object_mut) {
            if report.contains_key("notation") {
                report.remove("order");
            }
            present(report);
        }
    }
    value
}

/// What became of an order is told by the name of a message that may be empty: it must be there all
/// the same.
fn present(report: &mut serde_json::Map<String, Value>) {
    let Some(Value::Object(result)) = report.get_mut("result") else { return };
    for (_, value) in result.iter_mut() {
        if value.as_object().is_some_and(serde_json::Map::is_empty) {
            *value = json!({ "$any": true });
        }
    }
}

fn written(text: &str) -> proto::Unit {
    let unit = Unit::read(Seat::at(0), text).expect("a unit");
    let kind = if unit.kind == heliopause_diplomacy::Kind::Army {
        proto::UnitKind::Army
    } else {
        proto::UnitKind::Fleet
    };
    proto::Unit { kind: kind.into(), at: unit.at.to_string() }
}

/// What a power has by a map that is written by power or by province.
fn owned(map: &BTreeMap<String, Value>, name: &str) -> Vec<String> {
    let list = map.get(name).and_then(Value::as_array).into_iter().flatten();
    let listed = list.filter_map(Value::as_str).map(str::to_owned);
    let single = map
        .iter()
        .filter(|(_, owner)| owner.as_str() == Some(name))
        .map(|(province, _)| province.clone());
    listed.chain(single).collect()
}

fn folder(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../examples/scenarios")).join(name)
}

/// Objects and lists of small things in one line each, as a person would write them.
fn pretty(value: &Value, indent: usize) -> String {
    const WIDTH: usize = 120;
    let flat = flat(value);
    if indent + flat.chars().count() <= WIDTH {
        return flat;
    }
    let inner = " ".repeat(indent + 2);
    let (open, items, close): (&str, Vec<String>, &str) = match value {
        Value::Object(fields) => {
            let field = |(key, value): (&String, &Value)| {
                format!("{inner}\"{key}\": {}", pretty(value, indent + 2))
            };
            ("{", in_order(fields).into_iter().map(field).collect(), "}")
        }
        Value::Array(list) => (
            "[",
            list.iter().map(|value| format!("{inner}{}", pretty(value, indent + 2))).collect(),
            "]",
        ),
        _ => return flat,
    };
    format!("{open}\n{}\n{}{close}", items.join(",\n"), " ".repeat(indent))
}

/// The fields of an object: what it is about comes first.
fn in_order(fields: &serde_json::Map<String, Value>) -> Vec<(&String, &Value)> {
    const FIRST: [&str; 14] = [
        "$schema",
        "name",
        "description",
        "game",
        "position",
        "seat",
        "order",
        "orders",
        "close",
        "notation",
        "result",
        "kind",
        "unit",
        "units",
    ];
    let mut fields: Vec<_> = fields.iter().collect();
    fields
        .sort_by_key(|(key, _)| FIRST.iter().position(|first| first == key).unwrap_or(FIRST.len()));
    fields
}

fn flat(value: &Value) -> String {
    match value {
        Value::Object(fields) if fields.is_empty() => "{}".to_owned(),
        Value::Object(fields) => {
            let field = |(key, value): (&String, &Value)| format!("\"{key}\": {}", flat(value));
            let fields: Vec<String> = in_order(fields).into_iter().map(field).collect();
            format!("{{ {} }}", fields.join(", "))
        }
        Value::Array(list) => format!("[{}]", list.iter().map(flat).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

fn compare(text: &str, name: &str, count: usize) {
    let cases: Vec<Case> = read_lines(text);
    assert_eq!(cases.len(), count);
    let folder = folder(name);
    for case in &cases {
        let file = folder.join(format!("{}.json", case.id.to_lowercase().replace(['.', '#'], "-")));
        let made = format!("{}\n", pretty(&case.scenario(), 0));
        if std::env::var_os("WRITE_SCENARIOS").is_some() {
            std::fs::create_dir_all(&folder)
                .and_then(|()| std::fs::write(&file, &made))
                .expect("the folder can be written");
        }
        let there = std::fs::read_to_string(&file).unwrap_or_default();
        assert!(
            there == made,
            "{} is not what its case makes; WRITE_SCENARIOS=1 writes it anew",
            file.display()
        );
    }
}

#[test]
fn the_adjudicator_test_cases_are_scenarios() {
    compare(include_str!("data/cases.jsonl"), "diplomacy", 112);
}

#[test]
fn the_worked_situations_are_scenarios() {
    compare(include_str!("data/worked.jsonl"), "it-came-from-outer-space", 49);
}
