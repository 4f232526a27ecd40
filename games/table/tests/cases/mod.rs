//! Runs the cases in `*.txt`: people act at a table, and each case states what follows.
//!
//! | line | meaning |
//! | --- | --- |
//! | `## name`, `// text` | the beginning of a case; a comment |
//! | `game KIND SEATS {..}` | a table with a game master; the JSON changes its `Created` message |
//! | `hosted KIND SEATS {..}` | a table of the player in the first seat, without a game master |
//! | `sandbox KIND SEATS {..}` | a sandbox of Ann |
//! | `WHO STEP {..}` | a step of the contract of the store; `-` is the engine |
//! | `WHO orders SEAT ready TEXT` | orders for the open phase; a worker is automation |
//! | `WHO ready SEAT` | a ready mark for the open phase |
//! | `WHO withdraws SEAT`, `- defaults SEAT` | the orders of the open phase are withdrawn, or default |
//! | `LINE => FIELD, TEXT` | the line is refused, with this field or reason and this text |
//! | `wait 1d-1ms`, `clock 2h` | time passes with its deadlines; the clock shows this time |
//! | `reload`, `verify` | load the table from its snapshot; verify the journal |
//! | `WHO sees {..}`, `all sees {..}` | what a person sees of the game contains this |
//! | `table {..}` | [`state`] contains this |
//! | `told TEXT`, `event {..}`, `no event {..}` | the latest step has published this, or has not |
//!
//! Seats are names of players, `open`, `automated:LEVEL` or `reserved:NAME`. In JSON, `"@ann"` is a
//! person, `"*9"` a text of nine letters, and `"+1d"` the time in a day. An object contains another
//! if it contains the values of its fields, and `null` is a missing value.

use heliopause_kernel::{Seat, Viewer};
use heliopause_proto::json;
use heliopause_proto::store::v1::*;
use heliopause_proto::v1::{AutomatedSeat, event};
use heliopause_table::registry::AnyGame;
use heliopause_table::{Fault, Table, TaskKind};
use planned_seat::Plan;
use prost_types::Timestamp;
use serde_json::{Value, json};
use step::Kind;

use crate::scene::{
    self, DAY, HOUR, SECRET, Scene, WORKER, in_sandbox, open, person, planned, reserved, taken,
};

const UNITS: [(&str, i64); 5] = [("d", DAY), ("h", HOUR), ("m", 60_000), ("s", 1_000), ("ms", 1)];

/// Runs all cases of a file, and panics with the failures of all.
fn run(file: &str) {
    let path = format!("{}/tests/cases/{file}.txt", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("a file of cases");
    let mut failures = Vec::new();
    for case in format!("\n{text}").split("\n## ").skip(1) {
        let mut lines = case.lines();
        let name = lines.next().unwrap_or_default();
        let mut stage = None;
        for line in lines.filter(|line| !line.is_empty() && !line.starts_with("//")) {
            if let Err(wrong) = perform(&mut stage, line) {
                failures.push(format!("{name}: {line}: {wrong}"));
                break;
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

fn perform(stage: &mut Option<Scene>, line: &str) -> Result<(), String> {
    let (line, refusal) = match line.split_once(" => ") {
        Some((line, refusal)) => (line, Some(refusal)),
        None => (line, None),
    };
    let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
    if let "game" | "hosted" | "sandbox" = first {
        return check_refusal(create(first, rest).map(|scene| *stage = Some(scene)), refusal);
    }
    let scene = stage.as_mut().expect("a case begins with a table");
    match first {
        "wait" => {
            scene.events.clear();
            scene.wait(duration(rest));
        }
        "clock" => scene.now = duration(rest),
        "reload" => scene.reload(),
        "verify" => scene.verify(),
        "table" => return check(&state(scene), &parts(rest, 0).1),
        "told" => {
            let texts: Vec<&str> = scene.events.iter().map(|event| &*event.text).collect();
            let is_told = texts.iter().any(|text| text.contains(rest));
            return require(is_told, || format!("only {texts:?}"));
        }
        "event" => return require(published(scene, rest), || format!("{:?}", scene.events)),
        "no" => {
            let is_published = published(scene, rest.trim_start_matches("event "));
            return require(!is_published, || format!("{:?}", scene.events));
        }
        who => return act(scene, who, rest, refusal),
    }
    Ok(())
}

/// Compares a result with the field or reason of the expected refusal, and with a part of its text.
fn check_refusal(done: Result<(), Fault>, refusal: Option<&str>) -> Result<(), String> {
    match (done, refusal) {
        (Ok(()), None) => Ok(()),
        (Ok(()), Some(_)) => Err("it is accepted".to_owned()),
        (Err(fault), None) => Err(format!("{fault:?}")),
        (Err(fault), Some(refusal)) => {
            let (word, text) = refusal.split_once(", ").unwrap_or((refusal, ""));
            let is_named = fault.field.as_deref() == Some(word);
            let is_so = is_named || format!("{:?}", fault.reason) == word;
            let texts = format!("{} {:?}", fault.message, fault.metadata);
            require(is_so && texts.contains(text), || format!("{fault:?}"))
        }
    }
}

fn require(is_so: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if is_so { Ok(()) } else { Err(otherwise()) }
}

fn create(led_by: &str, rest: &str) -> Result<Scene, Fault> {
    let (words, changes) = parts(rest, 0);
    let mut words = words.split(' ');
    let kind = words.next().expect("a kind");
    let seats: Vec<&str> = words.collect();
    let created = match led_by {
        "sandbox" => in_sandbox(kind, seats.len(), Sandbox::default()),
        "hosted" => scene::hosted(kind, &seats),
        _ => scene::created(kind, &seats),
    };
    let seat = |word: &&str| match (*word, word.strip_prefix("reserved:")) {
        (_, Some(id)) => reserved(id),
        ("open", _) => open(),
        (word, _) if word.starts_with("automated") => {
            let level = word.trim_start_matches("automated").trim_start_matches(':').to_owned();
            planned(Plan::Automated(AutomatedSeat { level, ..AutomatedSeat::default() }))
        }
        (id, _) => taken(id),
    };
    let created = json::to_value(&Created { seats: seats.iter().map(seat).collect(), ..created });
    let created = json::from_value(&merged(created, changes)).expect("a message of this kind");
    Scene::with(SECRET, created)
}

fn act(scene: &mut Scene, who: &str, rest: &str, refusal: Option<&str>) -> Result<(), String> {
    let by = if who == "-" { "" } else { who };
    let (verb, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let kind = match verb {
        "sees" => {
            let readers = if who == "all" { &["ann", "bob", ""][..] } else { &[by] };
            let seen = |reader: &&str| json::to_full_value(&scene.seen(reader));
            return readers.iter().try_for_each(|by| check(&seen(by), &parts(rest, 0).1));
        }
        "orders" => {
            let (seat, rest) = rest.split_once(' ').unwrap_or((rest, ""));
            let ready = rest.strip_prefix("ready");
            let text = ready.unwrap_or(rest).trim_start();
            let given = scene.given(seat.parse().expect("a seat"), text, ready.is_some());
            let by = if who == WORKER { "emperor (standard)" } else { "" };
            Kind::OrdersGiven(OrdersGiven { automation: by.to_owned(), ..given })
        }
        "ready" | "withdraws" | "defaults" => {
            let seat = rest.parse().expect("a seat");
            let phase = scene.phase(seat);
            match verb {
                "ready" => Kind::FlagSet(FlagSet { seat, phase, ready: Some(true), wait: None }),
                "withdraws" => Kind::OrdersWithdrawn(OrdersWithdrawn { seat, phase }),
                _ => Kind::DecisionDefaulted(DecisionDefaulted { seat, phase, revision: 0 }),
            }
        }
        step => {
            let message = parts(rest, scene.now).1;
            let step: Step = json::from_value(&json!({ step: message })).expect("a step");
            step.kind.expect("a kind of step")
        }
    };
    let before = scene.table.snapshot();
    let done = scene.apply(by, kind);
    assert!(done.is_ok() || before == scene.table.snapshot(), "a refused step changes nothing");
    check_refusal(done, refusal)
}

/// Describes a table and the events of its journal.
fn state(scene: &Scene) -> Value {
    let table = &scene.table;
    let people = ["ann", "bob", "cid", "dan"];
    let of_people = |value: &dyn Fn(&str) -> Value| -> Value {
        people.into_iter().map(|id| (id, value(id))).collect()
    };
    let seats = 1..=scene.seen("").seats.len() as u32;
    let of_seats = |value: &dyn Fn(u32) -> Value| -> Value {
        seats.clone().map(|seat| (seat.to_string(), value(seat))).collect()
    };
    let votes: Vec<Value> = table.votes().iter().map(json::to_full_value).collect();
    let wanted = table.wanted();
    let voices = wanted.iter().filter(|task| matches!(task.kind, TaskKind::Vote(_)));
    let last = scene.entries.last().expect("the first entry");
    let time = last.time.as_ref().expect("a time");
    let last = Table::events_for(last, Viewer::Spectator).last();
    let is_new_pace = |body: &&_| matches!(body, event::Body::PaceChanged(_));
    json!({
        "status": format!("{:?}", table.status()),
        "round": table.game().map(AnyGame::round),
        "phases": of_seats(&|seat| json!(scene.phase(seat))),
        "asked": of_seats(&|seat| json!(scene.asked(seat))),
        "seats": of_people(&|id| json!(table.seat_of(id).map(Seat::number))),
        "owed": of_people(&|id| json!(table.owed_by(id).len())),
        "messages": of_seats(&|seat| json!(table.message_entries(Seat::numbered(seat)).len())),
        "rated": of_people(&|id| json!(scene.rated(id))),
        "ratings": scene.ratings.iter().map(|(id, _)| id).collect::<Vec<_>>(),
        "sandboxRatings": table.sandbox_ratings().iter().map(json::to_value).collect::<Value>(),
        "due": table.due().map(shown),
        "left": scene.left().map(shown),
        "time": shown(time.seconds * 1_000 + i64::from(time.nanos / 1_000_000)),
        "clockError": shown(table.clock_error(scene.now)),
        "vote": votes.last(),
        "votes": votes,
        "voices": voices.map(|task| task.seat.number()).collect::<Vec<_>>(),
        "automation": table.listing().wants_automation,
        "outcome": table.outcome().as_ref().map(json::to_full_value),
        "lastEvent": last.as_ref().map(json::to_value),
        "paceChanges": scene.bodies().filter(is_new_pace).count(),
    })
}

fn published(scene: &Scene, event: &str) -> bool {
    let wanted = parts(event, scene.now).1;
    scene.events.iter().any(|event| contains(&json::to_full_value(event), &wanted))
}

fn check(found: &Value, wanted: &Value) -> Result<(), String> {
    require(contains(found, wanted), || format!("found {found}"))
}

fn contains(found: &Value, wanted: &Value) -> bool {
    match (found, wanted) {
        (Value::Object(found), Value::Object(wanted)) => wanted
            .iter()
            .all(|(name, wanted)| contains(found.get(name).unwrap_or(&Value::Null), wanted)),
        (Value::Array(found), Value::Array(wanted)) => {
            let mut pairs = found.iter().zip(wanted);
            found.len() == wanted.len() && pairs.all(|(found, wanted)| contains(found, wanted))
        }
        (found, wanted) => found == wanted,
    }
}

/// Splits a line into its words and its JSON.
fn parts(line: &str, now: i64) -> (&str, Value) {
    let (words, json) = line.split_at(line.find('{').unwrap_or(line.len()));
    let json = if json.is_empty() { "{}" } else { json };
    (words.trim_end(), expanded(serde_json::from_str(json).expect("JSON"), now))
}

fn expanded(value: Value, now: i64) -> Value {
    match value {
        Value::Object(fields) => {
            fields.into_iter().map(|(name, value)| (name, expanded(value, now))).collect()
        }
        Value::Array(items) => items.into_iter().map(|item| expanded(item, now)).collect(),
        Value::String(text) => match text.split_at_checked(1) {
            Some(("@", id)) => json::to_value(&person(id)),
            Some(("*", count)) => json!("x".repeat(count.parse().expect("a number of letters"))),
            Some(("+", later)) => {
                let at = now + duration(later);
                let nanos = at.rem_euclid(1_000) as i32 * 1_000_000;
                json!(Timestamp { seconds: at.div_euclid(1_000), nanos }.to_string())
            }
            _ => json!(text),
        },
        plain => plain,
    }
}

fn merged(old: Value, changes: Value) -> Value {
    match (old, changes) {
        (Value::Object(mut old), Value::Object(changes)) => {
            for (name, change) in changes {
                let before = old.remove(&name).unwrap_or_default();
                old.insert(name, merged(before, change));
            }
            Value::Object(old)
        }
        (_, change) => change,
    }
}

/// Reads a duration such as `1d+2h-1ms`, in milliseconds.
fn duration(text: &str) -> i64 {
    let term = |term: &str| {
        let number = term.trim_end_matches(char::is_alphabetic);
        let unit = UNITS.iter().find(|(unit, _)| *unit == &term[number.len()..]);
        number.parse::<i64>().expect("a number") * unit.expect("a unit of time").1
    };
    let sum = |sum: &str| match sum.split_once('-') {
        Some((more, less)) => term(more) - term(less),
        None => term(sum),
    };
    text.split('+').map(sum).sum()
}

/// Writes a duration in its largest unit without a rest.
fn shown(millis: i64) -> String {
    let (unit, length) = UNITS.iter().find(|(_, length)| millis % length == 0).expect("a unit");
    format!("{}{unit}", millis / length)
}

macro_rules! files {
    ($($name:ident),*) => {$(
        #[test]
        fn $name() {
            run(stringify!($name));
        }
    )*};
}
files!(absence, fairness, lobby, lots, master, pace, press, sandbox, unattended, votes, waiting);
