//! The steps of a scenario: an action, and the expectations after it.

use std::time::Duration;

use heliopause_proto::v1::{GameOrder, Orders, SandboxAutomation};
use jiff::SignedDuration;

use super::expect::{Expect, Subject};
use super::{SEATS_MAX, automated, duration, listed};
use crate::check::read_own;
use crate::contract::Messages;
use crate::json::{Flaws, Node, Place, Reader, whole};

const REPEAT_MAX: u32 = 1_000;

/// Every field of a step. The JSON Schema lists the same fields.
pub const STEP: [&str; 25] = [
    "note", "tell", "seat", "order", "orders", "pick", "validate", "ready", "say", "dice",
    "advance", "close", "master", "automate", "handBack", "abandon", "resign", "excuse", "pause",
    "declare", "repeat", "settle", "await", "expect", "steps",
];

/// A step of a scenario, with at most one action.
#[derive(Debug)]
pub struct Step {
    pub at: Place,
    pub title: String,
    /// The text that a tutorial shows before the learner's step. Empty if the tutorial plays the
    /// step.
    pub tell: String,
    /// The acting seat, or 0 for none.
    pub seat: u32,
    pub action: Action,
    pub repeat: u32,
    /// Timeout for automation to answer all pending decisions before the step.
    pub settle: Option<Duration>,
    /// Timeout for the expectations. Zero if they must hold immediately.
    pub patience: Duration,
    pub expect: Expect,
}

/// A message to send.
#[derive(Clone, Debug)]
pub struct Say {
    /// The receiving seats. Empty for all seats, or for the game master.
    pub to: Vec<u32>,
    pub to_game_master: bool,
    pub anonymous: bool,
    pub text: String,
}

/// The action of a step.
#[derive(Clone, Debug)]
pub enum Action {
    Look,
    Order(Orders),
    /// A choice: its number, its notation, or a part of the notation that no other choice contains.
    Pick(Choose),
    /// Orders to validate only. Without orders, the result is the warnings for being ready.
    Validate(Orders),
    Ready(bool),
    /// A message to send. Without a seat, the sender is the game master.
    Say(Say),
    Dice(Vec<u32>),
    Advance(SignedDuration),
    Close,
    Master(Orders),
    Automate(SandboxAutomation),
    HandBack(u32),
    /// Permanent replacement of a seat's player, as a game master does for an absent player.
    Abandon(u32),
    Resign,
    Excuse(u32),
    Pause(bool),
    Declare(Vec<u32>),
}

/// The way in which a step names a choice.
#[derive(Clone, Debug)]
pub enum Choose {
    Number(usize),
    Text(String),
}

impl Step {
    pub(super) fn of(node: &Node, messages: &Messages, flaws: &mut Flaws) -> Option<Self> {
        use Action::{Look, Order, Pick, Ready, Resign, Validate};
        let mut reader = Reader::new(node, &STEP, flaws);
        node.fields()?;
        let note = reader.text("note").unwrap_or_default().to_owned();
        let tell = reader.text("tell").unwrap_or_default().to_owned();
        let seat = reader.whole("seat", 1, SEATS_MAX).unwrap_or_default();
        let repeat = reader.whole("repeat", 1, REPEAT_MAX).unwrap_or(1);
        let settle = duration(&mut reader, "settle");
        let patience = duration(&mut reader, "await").unwrap_or_default();
        let (action, title) = action(&mut reader, messages);
        let needs_seat = matches!(action, Order(_) | Pick(_) | Validate(_) | Ready(_) | Resign);
        if needs_seat && seat == 0 && node.get("seat").is_none() {
            reader.note(&node.at, "The step needs a seat; add `seat`.");
        }
        let takes_seat = needs_seat || matches!(action, Action::Say(_) | Look);
        if let Some(given) = node.get("seat").filter(|_| !takes_seat) {
            let what = "This step has no seat; omit `seat`.";
            reader.note(&given.at, what);
        }
        let flaws = reader.flaws();
        let expect =
            node.get("expect").map(|node| Expect::of(node, messages, flaws)).unwrap_or_default();
        if let (Some(refused), Look) = (&expect.refused, &action) {
            let what = "The step has no action that could be rejected; add one, or omit `refused`.";
            flaws.note(&refused.at, what);
        }
        let warned = expect.checks.iter().find(|check| check.subject == Subject::Warnings);
        if let Some(warned) = warned
            && !matches!(action, Validate(_) | Ready(_))
        {
            flaws.note(&warned.pattern.at, "Only `validate` and `ready` return warnings.");
        }
        if let Some(wait) = node.get("await").filter(|_| expect.is_empty()) {
            flaws.note(
                &wait.at,
                "The step has no expected result to await; add `expect`, or use `settle` to wait \
                 for automation.",
            );
        }
        let who = if seat == 0 { String::new() } else { format!("seat {seat}: ") };
        let times = if repeat == 1 { String::new() } else { format!(", {repeat} times") };
        let note = if note.is_empty() { String::new() } else { format!(" ({note})") };
        let title = format!("{who}{title}{times}{note}");
        let at = node.at.clone();
        Some(Self { at, title, tell, seat, action, repeat, settle, patience, expect })
    }
}

fn action(reader: &mut Reader<'_>, messages: &Messages) -> (Action, String) {
    const ACTIONS: [&str; 17] = [
        "order", "orders", "pick", "validate", "ready", "say", "dice", "advance", "close",
        "master", "automate", "handBack", "abandon", "resign", "excuse", "pause", "declare",
    ];
    let given: Vec<&str> = ACTIONS.into_iter().filter(|name| reader.get(name).is_some()).collect();
    if given.len() > 1 {
        let what =
            format!("A step has one action; split it into steps for {}.", given.join(" and "));
        reader.note(&reader.node.at.clone(), what);
    }
    let Some((name, node)) = given.first().and_then(|name| Some((*name, reader.get(name)?))) else {
        return (Action::Look, "look".to_owned());
    };
    let title = match node.text() {
        Some(text) => format!("{name} \"{text}\""),
        None => format!("{name} {}", node.value()),
    };
    (action_of(name, node, reader, messages).unwrap_or(Action::Look), title)
}

fn action_of(
    name: &str,
    node: &Node,
    reader: &mut Reader<'_>,
    messages: &Messages,
) -> Option<Action> {
    match name {
        "order" => orders(std::slice::from_ref(node), messages, reader.flaws()).map(Action::Order),
        "orders" => {
            orders(listed(node, reader.flaws())?, messages, reader.flaws()).map(Action::Order)
        }
        "master" => {
            orders(node.items().unwrap_or(std::slice::from_ref(node)), messages, reader.flaws())
                .map(Action::Master)
        }
        "pick" => choose(node, reader.flaws()).map(Action::Pick),
        "validate" if node.items().is_some_and(<[Node]>::is_empty) => {
            Some(Action::Validate(Orders::default()))
        }
        "validate" => {
            orders(node.items().unwrap_or(std::slice::from_ref(node)), messages, reader.flaws())
                .map(Action::Validate)
        }
        "ready" => reader.boolean(name).map(Action::Ready),
        "pause" => reader.boolean(name).map(Action::Pause),
        "close" => only_true(reader, name, Action::Close),
        "resign" => only_true(reader, name, Action::Resign),
        "say" => say(node, reader.flaws()).map(Action::Say),
        "dice" => Some(Action::Dice(reader.wholes(name, 1, u32::MAX))),
        "automate" => automated(node, reader.flaws()).map(Action::Automate),
        "handBack" => reader.whole(name, 1, SEATS_MAX).map(Action::HandBack),
        "abandon" => reader.whole(name, 1, SEATS_MAX).map(Action::Abandon),
        "excuse" => reader.whole(name, 1, SEATS_MAX).map(Action::Excuse),
        "declare" => {
            let mut inner = Reader::new(node, &["winners"], reader.flaws());
            inner.required("winners");
            Some(Action::Declare(inner.wholes("winners", 1, SEATS_MAX)))
        }
        "advance" => {
            let span = duration(reader, name)?;
            SignedDuration::try_from(span).ok().map(Action::Advance)
        }
        _ => None,
    }
}

fn only_true(reader: &mut Reader<'_>, name: &str, action: Action) -> Option<Action> {
    if reader.boolean(name)? {
        return Some(action);
    }
    let at = &reader.get(name).unwrap_or(reader.node).at;
    reader.note(at, format!("`{name}` must be true; otherwise omit it."));
    None
}

/// Reads orders as text or as messages. Returns `None` if there are both. The engine applies
/// messages before text, so a step must not mix them.
fn orders(nodes: &[Node], messages: &Messages, flaws: &mut Flaws) -> Option<Orders> {
    let mut orders = Orders::default();
    let mut lines = Vec::new();
    for node in nodes {
        match node.text() {
            Some(text) => lines.push(text),
            None => {
                orders.orders.extend(read_own::<GameOrder>(node, &messages.order, messages, flaws));
            }
        }
    }
    if let (false, false, Some(first)) = (lines.is_empty(), orders.orders.is_empty(), nodes.first())
    {
        flaws.note(&first.at, "Write all orders of a step as strings, or all as messages.");
        return None;
    }
    orders.text = lines.join("\n");
    Some(orders)
}

fn choose(node: &Node, flaws: &mut Flaws) -> Option<Choose> {
    let number = whole(node).filter(|number| *number > 0);
    let text = node.text().filter(|text| !text.is_empty());
    let found = number.map(|number| Choose::Number(number as usize));
    let found = found.or_else(|| text.map(|text| Choose::Text(text.to_owned())));
    if found.is_none() {
        let what = "expected the number of a choice, 1 or more, or text that only its notation \
            contains";
        flaws.note(&node.at, format!("`pick`: {what}; found {}.", node.shown()));
    }
    found
}

fn say(node: &Node, flaws: &mut Flaws) -> Option<Say> {
    let mut reader = Reader::new(node, &["to", "toGameMaster", "anonymous", "text"], flaws);
    reader.required("text");
    let to = reader.wholes("to", 1, SEATS_MAX);
    let to_game_master = reader.boolean("toGameMaster").unwrap_or_default();
    let anonymous = reader.boolean("anonymous").unwrap_or_default();
    let text = reader.text("text")?.to_owned();
    Some(Say { to, to_game_master, anonymous, text })
}
