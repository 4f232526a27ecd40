//! What a scenario file says.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use heliopause_proto::v1::{AutomatedSeat, GameOptions, GameOrder, GamePosition, Orders, Pace, SandboxAutomation};
use jiff::SignedDuration;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::commands::create::in_envelope;
use crate::commands::sandbox::seed;
use crate::text::parse_duration;

/// A scenario: a sandbox game, what is done in it, and what shall come of it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Where the JSON Schema is, for editors.
    #[serde(rename = "$schema", default)]
    _schema: Option<String>,
    /// A short name.
    pub name: String,
    /// What it shows.
    #[serde(default)]
    pub description: String,
    /// The kind of game.
    pub game: String,
    /// How many players, if there is no position.
    #[serde(default)]
    pub players: u32,
    /// The rules options, as the game's own message.
    #[serde(default)]
    options: Option<Value>,
    /// The position to start from, as the game's own message.
    #[serde(default)]
    position: Option<Value>,
    /// Dice that are rolled first.
    #[serde(default)]
    pub dice: Vec<u32>,
    /// The seed of further dice, 64 hexadecimal digits.
    #[serde(default)]
    seed: Option<String>,
    /// The pace, as the contract's message.
    #[serde(default)]
    pace: Option<Value>,
    /// Seats that automation plays.
    #[serde(default)]
    automated: Vec<Automated>,
    /// What is done and expected, in order.
    pub steps: Vec<Step>,
}

/// A seat that automation plays.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Automated {
    seat: u32,
    #[serde(default)]
    profile: String,
    #[serde(default)]
    level: String,
}

/// A step: at most one thing that is done, and what is expected after it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// What it is about; shown when it fails.
    #[serde(default)]
    pub note: String,
    /// Who does it.
    #[serde(default)]
    pub seat: u32,
    #[serde(default)]
    order: Option<Value>,
    #[serde(default)]
    orders: Option<Vec<Value>>,
    #[serde(default)]
    pick: Option<Value>,
    #[serde(default)]
    ready: Option<bool>,
    #[serde(default)]
    say: Option<Say>,
    #[serde(default)]
    dice: Option<Vec<u32>>,
    #[serde(default)]
    advance: Option<String>,
    #[serde(default)]
    close: Option<bool>,
    #[serde(default)]
    master: Option<String>,
    #[serde(default)]
    automate: Option<Automated>,
    #[serde(rename = "await", default)]
    wait: Option<String>,
    /// What is expected after it.
    #[serde(default)]
    pub expect: Expect,
}

/// A message to send.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Say {
    /// The receiving seats; empty means all.
    #[serde(default)]
    pub to: Vec<u32>,
    /// The text.
    pub text: String,
}

/// What a step does.
#[derive(Debug)]
pub enum Action {
    /// Nothing: only expectations.
    Look,
    /// Gives orders, as far as they are taken.
    Order(Orders),
    /// Picks a choice: by its number, or by a text that only its notation holds.
    Pick(Choose),
    /// Marks the seat ready, or not.
    Ready(bool),
    /// Sends a message.
    Say(Say),
    /// Scripts dice.
    Dice(Vec<u32>),
    /// Sets the clock forward.
    Advance(SignedDuration),
    /// Closes the phase.
    Close,
    /// Gives the game master's orders.
    Master(String),
    /// Gives a seat to automation.
    Automate(SandboxAutomation),
}

/// How a choice is named.
#[derive(Debug)]
pub enum Choose {
    /// By its number, from 1.
    Number(usize),
    /// By a text that its notation holds.
    Text(String),
}

/// What is expected after a step.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    /// The step's action is refused, like this.
    #[serde(default)]
    pub refused: Option<Value>,
    /// What these viewers see.
    #[serde(default)]
    pub view: BTreeMap<Viewer, Value>,
    /// What these viewers were told since the step began.
    #[serde(default)]
    pub events: BTreeMap<Viewer, Items>,
    /// What these seats are asked; `null` for nothing.
    #[serde(default)]
    pub decision: BTreeMap<Viewer, Value>,
    /// What these seats may order.
    #[serde(default)]
    pub choices: BTreeMap<Viewer, Items>,
    /// The game itself, as the contract's message.
    #[serde(default)]
    pub game: Option<Value>,
    /// How it ended.
    #[serde(default)]
    pub outcome: Option<Value>,
}

/// Who looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub enum Viewer {
    /// A seat, from 1.
    Seat(u32),
    /// A spectator.
    Spectator,
    /// The game master: the complete position.
    GameMaster,
}

/// What a list must hold.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(try_from = "Value")]
pub struct Items {
    /// Such items, in this order; others may stand between.
    pub contains: Vec<Value>,
    /// No such item.
    pub lacks: Vec<Value>,
    /// Nothing at all.
    pub none: bool,
}

impl TryFrom<String> for Viewer {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.as_str() {
            "spectator" => Ok(Self::Spectator),
            "gm" => Ok(Self::GameMaster),
            seat => match u32::from_str(seat) {
                Ok(seat @ 1..=64) => Ok(Self::Seat(seat)),
                _ => Err(format!("`{text}` is no viewer; write a seat's number, \"spectator\" or \"gm\"")),
            },
        }
    }
}

impl fmt::Display for Viewer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seat(seat) => write!(f, "{seat}"),
            Self::Spectator => f.write_str("spectator"),
            Self::GameMaster => f.write_str("gm"),
        }
    }
}

impl TryFrom<Value> for Items {
    type Error = String;

    /// A bare array is short for `contains`; an empty one for `none`.
    fn try_from(value: Value) -> Result<Self, String> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Full {
            #[serde(default)]
            contains: Vec<Value>,
            #[serde(default)]
            lacks: Vec<Value>,
            #[serde(default)]
            none: bool,
        }
        if let Value::Array(contains) = value {
            return Ok(Self { none: contains.is_empty(), contains, lacks: Vec::new() });
        }
        let full: Full = serde_json::from_value(value).map_err(|error| error.to_string())?;
        Ok(Self { contains: full.contains, lacks: full.lacks, none: full.none })
    }
}

impl Scenario {
    /// Reads a scenario file and checks all of it that can be checked without an engine.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
        Self::parse(&text)
    }

    /// Reads a scenario and checks all of it that can be checked without an engine.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut reader = serde_json::Deserializer::from_str(text);
        let scenario: Self = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
            let path = error.path().to_string();
            if path == "." { error.into_inner().to_string() } else { format!("{path}: {}", error.into_inner()) }
        })?;
        scenario.check()?;
        Ok(scenario)
    }

    fn check(&self) -> Result<(), String> {
        if self.options.is_some() && self.position.is_some() {
            return Err("options: a position holds its options itself; give one of the two".into());
        }
        self.options()?;
        self.position()?;
        self.pace()?;
        self.seed()?;
        for (index, step) in self.steps.iter().enumerate() {
            step.check(&self.game).map_err(|error| format!("steps[{index}]{error}"))?;
        }
        Ok(())
    }

    /// The rules options.
    pub fn options(&self) -> Result<Option<GameOptions>, String> {
        self.options.as_ref().map(|value| message("options", in_envelope(&self.game, value.clone()))).transpose()
    }

    /// The position.
    pub fn position(&self) -> Result<Option<GamePosition>, String> {
        self.position.as_ref().map(|value| message("position", in_envelope(&self.game, value.clone()))).transpose()
    }

    /// The pace.
    pub fn pace(&self) -> Result<Option<Pace>, String> {
        self.pace.as_ref().map(|value| message("pace", value.clone())).transpose()
    }

    /// The seed; empty for a random one.
    pub fn seed(&self) -> Result<bytes::Bytes, String> {
        let seed = self.seed.as_deref().map(seed).transpose().map_err(|failure| format!("seed: {failure}"))?;
        Ok(seed.unwrap_or_default())
    }

    /// The seats that automation plays.
    pub fn automated(&self) -> Vec<SandboxAutomation> {
        self.automated.iter().map(Automated::asked).collect()
    }

    /// Whether an AI client is needed: automation plays a seat, from the start or later.
    pub fn wants_automation(&self) -> bool {
        !self.automated.is_empty() || self.steps.iter().any(|step| step.automate.is_some())
    }
}

impl Automated {
    fn asked(&self) -> SandboxAutomation {
        let (profile, level) = (self.profile.clone(), self.level.clone());
        SandboxAutomation { seat: self.seat, by: Some(AutomatedSeat { profile, level, until: None }) }
    }
}

impl Step {
    fn check(&self, game: &str) -> Result<(), String> {
        let action = self.action(game)?;
        let needs_seat = matches!(action, Action::Order(_) | Action::Pick(_) | Action::Ready(_) | Action::Say(_));
        if needs_seat && self.seat == 0 {
            return Err(": who does it? Give a `seat`".into());
        }
        self.patience()?;
        if self.expect.refused.is_some() && matches!(action, Action::Look) {
            return Err(".expect.refused: there is nothing that could be refused".into());
        }
        let told = [(&self.expect.events, "events"), (&self.expect.choices, "choices")];
        for (viewers, name) in told {
            if viewers.contains_key(&Viewer::GameMaster) {
                return Err(format!(".expect.{name}: sandbox games have no game master; look with `view`"));
            }
        }
        let seats_only = self.expect.choices.keys().chain(self.expect.decision.keys());
        if seats_only.into_iter().any(|viewer| !matches!(viewer, Viewer::Seat(_))) {
            return Err(".expect: only seats have decisions and choices".into());
        }
        Ok(())
    }

    /// What it does.
    pub fn action(&self, game: &str) -> Result<Action, String> {
        let mut actions = Vec::new();
        if let Some(order) = &self.order {
            actions.push(Action::Order(orders(game, std::slice::from_ref(order))?));
        }
        if let Some(several) = &self.orders {
            actions.push(Action::Order(orders(game, several)?));
        }
        if let Some(pick) = &self.pick {
            actions.push(Action::Pick(choose(pick)?));
        }
        actions.extend(self.ready.map(Action::Ready));
        actions.extend(self.say.clone().map(Action::Say));
        actions.extend(self.dice.clone().map(Action::Dice));
        if let Some(time) = &self.advance {
            actions.push(Action::Advance(parse_duration(time).map_err(|error| format!(".advance: {error}"))?));
        }
        if self.close == Some(true) {
            actions.push(Action::Close);
        }
        actions.extend(self.master.clone().map(Action::Master));
        actions.extend(self.automate.as_ref().map(Automated::asked).map(Action::Automate));
        if actions.len() > 1 {
            return Err(": one step does one thing; make several steps of it".into());
        }
        Ok(actions.pop().unwrap_or(Action::Look))
    }

    /// How long what is expected may take to come; no time if it must be there at once.
    pub fn patience(&self) -> Result<Duration, String> {
        let wait = self.wait.as_deref().map(parse_duration).transpose().map_err(|error| format!(".await: {error}"))?;
        Ok(wait.map_or(Duration::ZERO, SignedDuration::unsigned_abs))
    }

    /// What it does, in few words.
    pub fn title(&self) -> String {
        let what = [
            self.order.as_ref().map(|order| format!("order {order}")),
            self.orders.as_ref().map(|orders| format!("orders {}", Value::Array(orders.clone()))),
            self.pick.as_ref().map(|pick| format!("pick {pick}")),
            self.ready.map(|ready| format!("ready {ready}")),
            self.say.as_ref().map(|say| format!("say \"{}\"", say.text)),
            self.dice.as_ref().map(|dice| format!("dice {dice:?}")),
            self.advance.as_ref().map(|time| format!("advance {time}")),
            self.close.map(|_| "close".to_owned()),
            self.master.as_ref().map(|text| format!("game master: {text}")),
            self.automate.as_ref().map(|automated| format!("automate seat {}", automated.seat)),
        ];
        let what = what.into_iter().flatten().next().unwrap_or_else(|| "look".into());
        let seat = if self.seat == 0 { String::new() } else { format!("seat {}: ", self.seat) };
        let note = if self.note.is_empty() { String::new() } else { format!(" ({})", self.note) };
        format!("{seat}{what}{note}")
    }
}

/// Orders, each a text in the game's notation or the game's own message. The contract takes typed ones before text, so
/// that one step must not mix them.
fn orders(game: &str, values: &[Value]) -> Result<Orders, String> {
    let mut orders = Orders::default();
    let mut lines = Vec::new();
    for value in values {
        match value {
            Value::String(text) => lines.push(text.as_str()),
            value => orders.orders.push(message::<GameOrder>(".order", in_envelope(game, value.clone()))?),
        }
    }
    if !lines.is_empty() && !orders.orders.is_empty() {
        return Err(".orders: write all of them as text, or all as messages".into());
    }
    orders.text = lines.join("\n");
    Ok(orders)
}

fn choose(value: &Value) -> Result<Choose, String> {
    let number = value.as_u64().and_then(|number| usize::try_from(number).ok()).map(Choose::Number);
    let text = value.as_str().map(|text| Choose::Text(text.to_owned()));
    number.or(text).ok_or_else(|| ".pick: write the number of a choice, or a text that its notation holds".into())
}

fn message<T: DeserializeOwned>(path: &str, value: Value) -> Result<T, String> {
    serde_json::from_value(value).map_err(|error| format!("{path}: {error}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn with_step(step: &Value) -> Result<Scenario, String> {
        let file = json!({ "name": "x", "game": "starships-at-large", "steps": [step] });
        Scenario::parse(&file.to_string())
    }

    fn fault(step: &Value) -> String {
        with_step(step).err().unwrap_or_default()
    }

    #[test]
    fn a_step_does_one_thing() {
        assert!(with_step(&json!({ "seat": 1, "order": "end" })).is_ok());
        assert!(with_step(&json!({ "expect": { "game": {} } })).is_ok());
        assert!(fault(&json!({ "seat": 1, "order": "end", "close": true })).contains("one thing"));
    }

    #[test]
    fn errors_name_the_place() {
        assert!(fault(&json!({ "seat": "one" })).starts_with("steps[0].seat: "));
        assert!(fault(&json!({ "seat": 1, "expct": {} })).contains("unknown field `expct`"));
        assert!(fault(&json!({ "order": "end" })).starts_with("steps[0]: who"));
        assert!(fault(&json!({ "advance": "26 hours" })).starts_with("steps[0].advance: "));
        assert!(fault(&json!({ "seat": 1, "order": { "fly": {} } })).starts_with("steps[0].order: "));
        assert!(fault(&json!({ "expect": { "view": { "seven": {} } } })).contains("no viewer"));
        assert!(fault(&json!({ "expect": { "refused": {} } })).contains("nothing that could be refused"));
    }

    #[test]
    fn a_step_may_be_patient() {
        let patient = with_step(&json!({ "await": "5s", "expect": { "game": {} } })).expect("a step");
        assert_eq!(patient.steps[0].patience(), Ok(Duration::from_secs(5)));
        assert!(fault(&json!({ "await": "soon" })).starts_with("steps[0].await: "));
    }

    #[test]
    fn an_ai_client_is_needed_where_automation_plays() {
        let wants = |step| with_step(&step).expect("a step").wants_automation();
        assert!(wants(json!({ "automate": { "seat": 2, "profile": "abandoned" } })));
        assert!(!wants(json!({ "master": "APPLY NOW" })));
    }

    #[test]
    fn an_empty_list_expects_nothing() {
        assert_eq!(Items::try_from(json!([])), Ok(Items { none: true, ..Items::default() }));
        let lacks = Items { lacks: vec![json!("x")], ..Items::default() };
        assert_eq!(Items::try_from(json!({ "lacks": ["x"] })), Ok(lacks));
    }

    #[test]
    fn typed_orders_and_text_are_not_mixed() {
        assert!(fault(&json!({ "seat": 1, "orders": ["end", { "endTurn": {} }] })).contains("all of them as text"));
    }
}
