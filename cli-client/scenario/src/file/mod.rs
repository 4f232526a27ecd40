//! The format of scenario files: games, their options and steps, and comparisons between cases.

mod expect;
mod step;

use std::path::Path;
use std::time::Duration;

use heliopause_client::input::{parse_duration, seed};
use heliopause_proto::v1::{
    AutomatedSeat, GameOptions, GamePosition, Pace, SandboxAutomation, SandboxGuest,
};

use crate::check::{own, read, read_own};
use crate::compose::{self, Composed, Game, STEPS_MAX};
use crate::contract::{Messages, message};
use crate::json::{Flaws, Node, Place, Reader};
use crate::nearest::did_you_mean;

pub use expect::{Alike, CHOICES, Check, DICE, EXPECT, Expect, REFUSED, Subject, Viewer, WARNINGS};
use expect::{seat_of, viewers_of};
pub use step::{Action, Choose, STEP, Say, Step};

const SEATS_MAX: u32 = 64;
const JOIN_TIMEOUT: Duration = Duration::from_secs(30);

/// Every field of a scenario. The JSON Schema lists the same fields.
pub const TOP: [&str; 17] = [
    "$schema",
    "name",
    "description",
    "extends",
    "let",
    "game",
    "players",
    "options",
    "position",
    "dice",
    "seed",
    "pace",
    "automated",
    "seats",
    "steps",
    "cases",
    "same",
];

/// The contents of a scenario file.
#[derive(Debug)]
pub struct File {
    pub scenarios: Vec<Scenario>,
    pub same: Vec<Same>,
}

/// A scenario: a sandbox game, its steps, and the expected result.
#[derive(Debug)]
pub struct Scenario {
    pub case: String,
    pub name: String,
    pub messages: Messages,
    /// The number of players, if there is no position.
    pub players: u32,
    pub options: Option<GameOptions>,
    pub position: Option<GamePosition>,
    /// The options and the position as written, used to locate errors.
    pub start: Vec<(&'static str, Node)>,
    pub dice: Vec<u32>,
    /// The seed for the dice after the scripted dice. Empty for a random seed.
    pub seed: bytes::Bytes,
    pub pace: Option<Pace>,
    pub automated: Vec<SandboxAutomation>,
    pub guests: Vec<(SandboxGuest, Duration)>,
    pub steps: Vec<Step>,
}

/// Views and events that must be equal in several cases.
#[derive(Debug)]
pub struct Same {
    pub at: Place,
    pub viewers: Vec<Viewer>,
    pub cases: Vec<String>,
}

impl File {
    pub fn read(path: &Path) -> Result<Self, Flaws> {
        Self::of(&compose::read(path)?)
    }

    pub fn parse(path: &Path, text: &str) -> Result<Self, Flaws> {
        Self::of(&compose::parts(path, text)?)
    }

    fn of(composed: &Composed) -> Result<Self, Flaws> {
        let mut flaws = Flaws::default();
        let scenarios: Vec<Scenario> =
            composed.games.iter().filter_map(|game| Scenario::of(game, &mut flaws)).collect();
        let same =
            composed.same.iter().flat_map(|node| same(node, &scenarios, &mut flaws)).collect();
        // Cases share their start, so an error in the start would be reported for each case.
        let mut seen = std::collections::HashSet::new();
        flaws.0.retain(|flaw| seen.insert(flaw.to_string()));
        flaws.into_result(Self { scenarios, same })
    }

    pub fn needs_automation(&self) -> bool {
        self.scenarios.iter().any(Scenario::needs_automation)
    }
}

fn same(node: &Node, scenarios: &[Scenario], flaws: &mut Flaws) -> Vec<Same> {
    let Some(items) = node.items() else {
        let what = node.unexpected("a list of {\"viewers\": [...], \"cases\": [...]}");
        flaws.note(&node.at, format!("`same`: {what}."));
        return Vec::new();
    };
    let mut all = Vec::with_capacity(items.len());
    for item in items {
        let mut reader = Reader::new(item, &["viewers", "cases", "note"], flaws);
        let (viewers, cases) = (reader.required("viewers"), reader.required("cases"));
        let viewers = viewers.map(|node| viewers_of(node, reader.flaws())).unwrap_or_default();
        let mut named = Vec::new();
        for case in cases.and_then(Node::items).unwrap_or_default() {
            let known = || scenarios.iter().map(|scenario| scenario.case.as_str());
            if let Some(name) = case.text().filter(|name| known().any(|known| known == *name)) {
                named.push(name.to_owned());
            } else {
                let hint = did_you_mean(case.text().unwrap_or_default(), known());
                let name = case.text().map(|name| format!(" `{name}`")).unwrap_or_default();
                let all = match known().collect::<Vec<_>>().join(", ") {
                    all if all.is_empty() => "The file has no cases.".to_owned(),
                    all => format!("The cases are {all}."),
                };
                reader.note(&case.at, format!("Unknown case{name}{hint} {all}"));
            }
        }
        if viewers.is_empty() || named.len() < 2 {
            reader.note(&item.at, "List at least one viewer and two cases.");
        }
        let viewers = viewers.into_iter().map(|(viewer, _)| viewer).collect();
        all.push(Same { at: item.at.clone(), viewers, cases: named });
    }
    all
}

fn steps(node: &Node, messages: &Messages, flaws: &mut Flaws) -> Vec<Step> {
    let Some(steps) = node.get("steps") else {
        flaws.note(&node.at, "`steps` is missing.");
        return Vec::new();
    };
    let steps = every(steps, flaws, |step, flaws| Step::of(step, messages, flaws));
    if steps.len() > STEPS_MAX {
        let count = steps.len();
        flaws.note(&node.at, format!("{count} steps are too many; the maximum is {STEPS_MAX}."));
    }
    steps
}

impl Scenario {
    fn of(game: &Game, flaws: &mut Flaws) -> Option<Self> {
        let node = &game.node;
        let mut reader = Reader::new(node, &TOP, flaws);
        let name = reader.required("name").and_then(Node::text).unwrap_or_default().to_owned();
        reader.text("description");
        let kind = reader.required("game")?;
        let messages = match Messages::of(kind.text().unwrap_or_default()) {
            Ok(messages) => messages,
            Err(what) => {
                reader.note(&kind.at, what);
                return None;
            }
        };
        let players = reader.whole("players", 1, SEATS_MAX).unwrap_or_default();
        let dice = reader.wholes("dice", 1, u32::MAX);
        let seed = reader.text("seed").map(seed).and_then(|seed| {
            let at = &node.get("seed").unwrap_or(node).at;
            seed.map_err(|failure| reader.note(at, failure.to_string())).ok()
        });
        if let (Some(options), Some(_)) = (reader.get("options"), reader.get("position")) {
            let what = "A position contains the options; omit `options` or `position`.";
            reader.note(&options.at, what);
        }
        let flaws = reader.flaws();
        let options = node
            .get("options")
            .and_then(|node| read_own(node, &messages.options, &messages, flaws));
        let position = node
            .get("position")
            .and_then(|node| read_own(node, &messages.position, &messages, flaws));
        let start = ["options", "position"]
            .into_iter()
            .filter_map(|name| Some((name, own(node.get(name)?, &messages).clone())));
        let start = start.collect();
        let pace = node
            .get("pace")
            .and_then(|node| read(node, &message("heliopause.v1.Pace").ok()?, flaws));
        let automated =
            node.get("automated").map(|node| every(node, flaws, automated)).unwrap_or_default();
        let guests = node.get("seats").map(|node| guests(node, flaws)).unwrap_or_default();
        let steps = steps(node, &messages, flaws);
        let seed = seed.unwrap_or_default();
        let case = game.case.clone();
        Some(Self {
            case,
            name,
            messages,
            players,
            options,
            position,
            start,
            dice,
            seed,
            pace,
            automated,
            guests,
            steps,
        })
    }

    pub fn title(&self) -> String {
        if self.case.is_empty() {
            self.name.clone()
        } else {
            format!("{}: {}", self.name, self.case)
        }
    }

    /// Returns whether automation plays a seat, from the start or later.
    pub fn needs_automation(&self) -> bool {
        let later = |step: &Step| {
            matches!(step.action, Action::Automate(_) | Action::Abandon(_) | Action::Resign)
        };
        !self.automated.is_empty() || self.steps.iter().any(later)
    }
}

fn every<T>(
    node: &Node,
    flaws: &mut Flaws,
    one: impl Fn(&Node, &mut Flaws) -> Option<T>,
) -> Vec<T> {
    let items = listed(node, flaws).unwrap_or_default();
    items.iter().filter_map(|item| one(item, flaws)).collect()
}

fn automated(node: &Node, flaws: &mut Flaws) -> Option<SandboxAutomation> {
    let mut reader = Reader::new(node, &["seat", "profile", "level"], flaws);
    reader.required("seat");
    let seat = reader.whole("seat", 1, SEATS_MAX)?;
    let profile = reader.text("profile").unwrap_or_default().to_owned();
    let level = reader.text("level").unwrap_or_default().to_owned();
    let automation = Some(AutomatedSeat { profile, level, end_time: None });
    Some(SandboxAutomation { seat, automation })
}

fn guests(node: &Node, flaws: &mut Flaws) -> Vec<(SandboxGuest, Duration)> {
    let Some(fields) = node.fields() else {
        let what = node.unexpected("an object with seat numbers as keys");
        flaws.note(&node.at, format!("`seats`: {what}."));
        return Vec::new();
    };
    let mut guests = Vec::with_capacity(fields.len());
    for field in fields {
        let Some(seat) = seat_of(field, flaws) else { continue };
        let mut reader = Reader::new(&field.value, &["account", "await"], flaws);
        reader.required("account");
        let Some(player) = reader.text("account").map(str::to_owned) else { continue };
        let within = duration(&mut reader, "await").unwrap_or(JOIN_TIMEOUT);
        guests.push((SandboxGuest { seat, player }, within));
    }
    guests
}

fn duration(reader: &mut Reader<'_>, name: &str) -> Option<Duration> {
    let text = reader.text(name)?;
    match parse_duration(text) {
        Ok(duration) => Some(duration.unsigned_abs()),
        Err(what) => {
            let at = &reader.get(name).unwrap_or(reader.node).at;
            reader.note(at, format!("`{name}`: {what}."));
            None
        }
    }
}

fn listed<'a>(node: &'a Node, flaws: &mut Flaws) -> Option<&'a [Node]> {
    node.items().or_else(|| {
        flaws.unexpected(node, "a list");
        None
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn read(fields: &Value) -> Result<Scenario, String> {
        let mut file = json!({ "name": "x", "game": "starships-at-large", "steps": [] });
        for (name, value) in fields.as_object().into_iter().flatten() {
            file[name] = value.clone();
        }
        let file =
            File::parse(Path::new("x"), &file.to_string()).map_err(|flaws| flaws.to_string())?;
        file.scenarios.into_iter().next().ok_or_else(|| "no scenario".to_owned())
    }

    fn with_step(step: &Value) -> Result<Scenario, String> {
        read(&json!({ "steps": [step] }))
    }

    #[test]
    fn files_and_steps_have_the_listed_faults() -> Result<(), serde_json::Error> {
        let (files, steps) =
            (include_str!("../testdata/files.json"), include_str!("../testdata/faults.json"));
        let files: Vec<(Value, String)> = serde_json::from_str(files)?;
        let steps: Vec<(Value, String)> = serde_json::from_str(steps)?;
        let steps = steps.into_iter().map(|(step, fault)| (json!({ "steps": [step] }), fault));
        for (fields, fault) in steps.chain(files) {
            let found = read(&fields).err().unwrap_or_default();
            assert!(found.contains(&fault), "{fields}: {found}");
            assert_eq!(found.is_empty(), fault.is_empty(), "{fields}: {found}");
        }
        Ok(())
    }

    #[test]
    fn options_are_read_with_or_without_the_envelope() {
        let options = |options: Value| {
            read(&json!({ "game": "star-empires", "options": options })).map(|read| read.options)
        };
        let bare = options(json!({ "lastTurn": 8 }));
        assert!(bare.is_ok(), "{bare:?}");
        assert_eq!(options(json!({ "starEmpires": { "lastTurn": 8 } })), bare);
    }

    #[test]
    fn a_path_resolves_to_its_line() {
        let text = "{ \"units\": [\n { \"at\": 1 },\n { \"atPlace\":\n 7 } ] }";
        let node = crate::json::parse(Path::new("a.json"), text).unwrap();
        let line = |path: &str| node.at_path(path).at.line;
        assert_eq!(line("units[1].at_place"), 4);
        assert_eq!(line("diplomacy.units[0].at"), 2, "with the envelope that is left out");
        assert_eq!(line("units[1].power"), 3, "the part of it that is there");
        assert_eq!(line("units[7]"), 1);
    }

    #[test]
    fn errors_name_the_place() {
        let text = "{ \"name\": \"x\", \"game\": \"starships-at-large\",\n \"steps\": [{ \"seat\": \
            \"one\" }] }";
        let flaws = File::parse(Path::new("a.json"), text).err().unwrap_or_default().to_string();
        assert_eq!(flaws, "a.json:2:22: `seat`: expected an integer from 1 to 64, found \"one\".");
    }

    #[test]
    fn a_step_can_have_a_timeout() -> Result<(), String> {
        let patient = with_step(
            &json!({ "await": "5s", "settle": "1m", "expect": { "game": { "name": "x" } } }),
        )?;
        assert_eq!(patient.steps[0].patience, Duration::from_secs(5));
        assert_eq!(patient.steps[0].settle, Some(Duration::from_mins(1)));
        Ok(())
    }

    #[test]
    fn an_ai_client_is_needed_if_automation_plays() -> Result<(), String> {
        assert!(
            with_step(&json!({ "automate": { "seat": 2, "profile": "abandoned" } }))?
                .needs_automation()
        );
        assert!(with_step(&json!({ "abandon": 2 }))?.needs_automation());
        assert!(!with_step(&json!({ "master": "APPLY NOW" }))?.needs_automation());
        Ok(())
    }

    #[test]
    fn a_bare_text_among_choices_is_a_notation() -> Result<(), String> {
        for list in [json!(["end"]), json!({ "$only": ["end"] }), json!({ "$lacks": "end" })] {
            let step = with_step(&json!({ "expect": { "choices": { "1": list } } }))?;
            assert!(step.steps[0].expect.checks[0].pattern.shown.contains("notation"), "{list}");
        }
        Ok(())
    }

    #[test]
    fn an_account_sits_at_a_seat() -> Result<(), String> {
        let seated = read(&json!({ "seats": { "2": { "account": "bot", "await": "3s" } } }))?;
        let guest = SandboxGuest { seat: 2, player: "bot".into() };
        assert_eq!(seated.guests, [(guest, Duration::from_secs(3))]);
        Ok(())
    }
}
