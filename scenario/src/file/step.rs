//! What a step does.

use std::time::Duration;

use heliopause_proto::v1::{GameOrder, Orders, SandboxAutomation};
use jiff::SignedDuration;

use super::expect::{Expect, Subject};
use super::{SEATS_MAX, automated, duration, listed};
use crate::check::read_own;
use crate::contract::Messages;
use crate::json::{Flaws, Node, Place, Reader, whole};

/// How often a step may be repeated.
const REPEAT_MAX: u32 = 1_000;

/// Every field of a step: the JSON Schema has the same.
pub const STEP: [&str; 25] = [
    "note", "tell", "seat", "order", "orders", "pick", "validate", "ready", "say", "dice",
    "advance", "close", "master", "automate", "handBack", "abandon", "resign", "excuse", "pause",
    "declare", "repeat", "settle", "await", "expect", "steps",
];

/// A step: at most one thing that is done, and what is expected after it.
#[derive(Debug)]
pub struct Step {
    /// Where it stands.
    pub at: Place,
    /// What it does, in few words.
    pub title: String,
    /// In a lesson: what the learner is told before they take this step; empty for steps that are
    /// taken for them.
    pub tell: String,
    /// Who does it; 0 for nobody's seat.
    pub seat: u32,
    /// What is done.
    pub action: Action,
    /// How often.
    pub repeat: u32,
    /// How long automation may take before it, to answer everything that it is asked.
    pub settle: Option<Duration>,
    /// How long what is expected may take to come; no time if it must be there at once.
    pub patience: Duration,
    /// What is expected after it.
    pub expect: Expect,
}

/// A message to send.
#[derive(Clone, Debug)]
pub struct Say {
    /// The receiving seats; empty means all, unless the game master is addressed.
    pub to: Vec<u32>,
    /// Also to the game master.
    pub to_game_master: bool,
    /// Without the sender's name.
    pub anonymous: bool,
    pub text: String,
}

/// What a step does.
#[derive(Clone, Debug)]
pub enum Action {
    /// Nothing: only expectations.
    Look,
    /// Gives orders, as far as they are taken.
    Order(Orders),
    /// Picks a choice: by its number, or by a text that only its notation holds.
    Pick(Choose),
    /// Judges orders without giving them; without any, asks of what the seat would be warned if it
    /// were ready.
    Validate(Orders),
    /// Marks the seat ready, or not.
    Ready(bool),
    /// Sends a message, as the game master if no seat does.
    Say(Say),
    /// Scripts dice.
    Dice(Vec<u32>),
    /// Sets the clock forward.
    Advance(SignedDuration),
    /// Closes the phase.
    Close,
    /// Gives the game master's orders.
    Master(Orders),
    /// Gives a seat to automation.
    Automate(SandboxAutomation),
    /// Gives a seat back to its player.
    HandBack(u32),
    /// Takes a seat from its player for good, as the game master does with one who is gone.
    Abandon(u32),
    /// The seat's player resigns.
    Resign,
    /// Excuses a seat's last missed deadline.
    Excuse(u32),
    /// Pauses the game, or lets it go on.
    Pause(bool),
    /// Declares who won.
    Declare(Vec<u32>),
}

/// How a choice is named.
#[derive(Clone, Debug)]
pub enum Choose {
    /// By its number, from 1.
    Number(usize),
    /// By a text that its notation holds.
    Text(String),
}

impl Step {
    pub(super) fn of(node: &Node, messages: &Messages, flaws: &mut Flaws) -> Option<Self> {
        let mut reader = Reader::new(node, &STEP, flaws);
        node.fields()?;
        let note = reader.text("note").unwrap_or_default().to_owned();
        let tell = reader.text("tell").unwrap_or_default().to_owned();
        let seat = reader.whole("seat", 1, SEATS_MAX).unwrap_or_default();
        let repeat = reader.whole("repeat", 1, REPEAT_MAX).unwrap_or(1);
        let settle = duration(&mut reader, "settle");
        let patience = duration(&mut reader, "await").unwrap_or_default();
        let (action, title) = action(&mut reader, messages);
        let needs_seat = matches!(
            action,
            Action::Order(_)
                | Action::Pick(_)
                | Action::Validate(_)
                | Action::Ready(_)
                | Action::Resign
        );
        if needs_seat && seat == 0 && node.get("seat").is_none() {
            reader.note(&node.at, "Who does it? Give a `seat`.");
        }
        let takes_seat = needs_seat || matches!(action, Action::Say(_) | Action::Look);
        if let Some(given) = node.get("seat").filter(|_| !takes_seat) {
            let what = "This step is of no seat; leave `seat` out.";
            reader.note(&given.at, what);
        }
        let flaws = reader.flaws();
        let expect =
            node.get("expect").map(|node| Expect::of(node, messages, flaws)).unwrap_or_default();
        if let (Some(refused), Action::Look) = (&expect.refused, &action) {
            flaws.note(&refused.at, "There is nothing that could be refused.");
        }
        let warned = expect.checks.iter().find(|check| check.subject == Subject::Warnings);
        if let Some(warned) = warned
            && !matches!(action, Action::Validate(_) | Action::Ready(_))
        {
            flaws.note(&warned.pattern.at, "Only `validate` and `ready` are told of warnings.");
        }
        if let Some(wait) = node.get("await").filter(|_| expect.is_empty()) {
            flaws.note(
                &wait.at,
                "Nothing is expected for which it could wait; `settle` waits for automation.",
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

/// What a step does, and what that is in few words.
fn action(reader: &mut Reader<'_>, messages: &Messages) -> (Action, String) {
    const ACTIONS: [&str; 17] = [
        "order", "orders", "pick", "validate", "ready", "say", "dice", "advance", "close",
        "master", "automate", "handBack", "abandon", "resign", "excuse", "pause", "declare",
    ];
    let given: Vec<&str> = ACTIONS.into_iter().filter(|name| reader.get(name).is_some()).collect();
    if given.len() > 1 {
        let what =
            format!("One step does one thing; make several steps of {}.", given.join(" and "));
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
        "ready" => reader.truth(name).map(Action::Ready),
        "pause" => reader.truth(name).map(Action::Pause),
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
            inner.need("winners");
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
    if reader.truth(name)? {
        return Some(action);
    }
    let at = reader.get(name).map_or_else(|| reader.node.at.clone(), |node| node.at.clone());
    reader.note(&at, format!("`{name}` is true, or it is left out."));
    None
}

/// Orders, each a text in the game's notation or the game's own message. The contract takes typed
/// ones before text, so that one step must not mix them.
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
        flaws.note(&first.at, "Write all orders of a step as text, or all as messages.");
        return None;
    }
    orders.text = lines.join("\n");
    Some(orders)
}

fn choose(node: &Node, flaws: &mut Flaws) -> Option<Choose> {
    let number =
        whole(node).filter(|number| *number > 0).map(|number| Choose::Number(number as usize));
    let text =
        node.text().filter(|text| !text.is_empty()).map(|text| Choose::Text(text.to_owned()));
    let found = number.or(text);
    if found.is_none() {
        flaws.note(
            &node.at,
            "Write the number of a choice, from 1, or a text that only its notation holds.",
        );
    }
    found
}

fn say(node: &Node, flaws: &mut Flaws) -> Option<Say> {
    let mut reader = Reader::new(node, &["to", "toGameMaster", "anonymous", "text"], flaws);
    reader.need("text");
    let to = reader.wholes("to", 1, SEATS_MAX);
    let to_game_master = reader.truth("toGameMaster").unwrap_or_default();
    let anonymous = reader.truth("anonymous").unwrap_or_default();
    let text = reader.text("text")?.to_owned();
    Some(Say { to, to_game_master, anonymous, text })
}
