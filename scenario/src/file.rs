//! What a scenario file says.

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use heliopause_proto::v1::{
    AutomatedSeat, GameOptions, GameOrder, GamePosition, Orders, Pace, SandboxAutomation,
    SandboxGuest,
};
use jiff::SignedDuration;

use crate::check::{read, read_own};
use crate::compose::{self, Composed, Game, STEPS_MAX};
use crate::contract::{Messages, Type, message};
use crate::json::{Field, Flaws, Node, Place, Reader, Shape, whole};
use crate::nearest::did_you_mean;
use crate::pattern::{Compiler, Pattern, Presence, Test};
use heliopause_client::input::parse_duration;
use heliopause_client::input::seed;

/// What a seat may order is expected under this word, as partial matches of this message; a bare
/// text stands for this field.
pub const CHOICES: (&str, &str, &str) = ("choices", "heliopause.v1.Offer", "notation");
/// Of what an action warns is expected under this word, as partial matches of this message; a bare
/// text stands for this field.
pub const WARNINGS: (&str, &str, &str) = ("warnings", "heliopause.v1.Warning", "code");
/// How many seats a game may have.
const SEATS_MAX: u32 = 64;
/// How often a step may be repeated.
const REPEAT_MAX: u32 = 1_000;
/// How long an account may take to sit down, if the file says nothing.
const SITS_WITHIN: Duration = Duration::from_secs(30);

/// What a refusal tells, beside the metadata that is listed in the contract.
pub const REFUSED: &[(&str, Type)] = &[
    ("reason", Type::Reason),
    ("message", Type::Text),
    ("refusal", Type::Word),
    ("rule", Type::Word),
    ("field", Type::Word),
    ("order", Type::Word),
    ("taken", Type::Word),
    ("notation", Type::Word),
    ("line", Type::Word),
    ("column", Type::Word),
    ("character", Type::Word),
    ("position", Type::Word),
    ("limit", Type::Word),
    ("quota", Type::Word),
    ("role", Type::Word),
    ("status", Type::Word),
    ("what", Type::Word),
    ("phase", Type::Word),
    ("revision", Type::Word),
    ("next", Type::Word),
    ("incident", Type::Word),
];

/// What can be expected of scripted dice: how many are left. Their values stand in `waiting`.
pub const DICE: &[(&str, Type)] = &[("left", Type::Whole(0, 10_000))];

/// Every field of a scenario, of a step and of what a step expects: the JSON Schema has the same.
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
/// Every field of a step.
pub const STEP: [&str; 25] = [
    "note", "tell", "seat", "order", "orders", "pick", "validate", "ready", "say", "dice",
    "advance", "close", "master", "automate", "handBack", "abandon", "resign", "excuse", "pause",
    "declare", "repeat", "settle", "await", "expect", "steps",
];
/// Everything that a step can expect.
pub const EXPECT: [&str; 12] = [
    "refused",
    WARNINGS.0,
    "view",
    "events",
    "decision",
    CHOICES.0,
    "game",
    "outcome",
    "dice",
    "ratings",
    "unchanged",
    "same",
];

/// A file: the games that it plays, and what is compared between them.
#[derive(Debug)]
pub struct File {
    /// The games, in order.
    pub scenarios: Vec<Scenario>,
    /// What must look the same in several of them.
    pub same: Vec<Same>,
}

/// A scenario: a sandbox game, what is done in it, and what shall come of it.
#[derive(Debug)]
pub struct Scenario {
    /// The case of its file; empty if there is only one.
    pub case: String,
    /// A short name.
    pub name: String,
    /// The kind of game and its messages.
    pub messages: Messages,
    /// How many players, if there is no position.
    pub players: u32,
    /// The rules options.
    pub options: Option<GameOptions>,
    /// The position to start from.
    pub position: Option<GamePosition>,
    /// Dice that are rolled first.
    pub dice: Vec<u32>,
    /// The seed of further dice; empty for a random one.
    pub seed: bytes::Bytes,
    pub pace: Option<Pace>,
    /// Seats that automation plays.
    pub automated: Vec<SandboxAutomation>,
    /// Seats that are kept for other accounts, and how long these may take to sit down.
    pub guests: Vec<(SandboxGuest, Duration)>,
    /// What is done and expected, in order.
    pub steps: Vec<Step>,
}

/// That viewers see and are told the same in several cases.
#[derive(Debug)]
pub struct Same {
    /// Where it says so.
    pub at: Place,
    /// Who looks.
    pub viewers: Vec<Viewer>,
    pub cases: Vec<String>,
}

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

/// What is expected after a step.
#[derive(Debug, Default)]
pub struct Expect {
    /// The step's action is refused, like this.
    pub refused: Option<Pattern>,
    /// What answers shall be like.
    pub checks: Vec<Check>,
    /// Who sees the same as before and is told nothing.
    pub unchanged: Vec<(Viewer, Place)>,
    /// Answers that are the same for several viewers.
    pub alike: Vec<Alike>,
}

/// That an answer is like something.
#[derive(Clone, Debug)]
pub struct Check {
    /// Which answer.
    pub subject: Subject,
    /// What it shall be like.
    pub pattern: Pattern,
}

/// That answers are the same.
#[derive(Debug)]
pub struct Alike {
    /// Where it says so.
    pub at: Place,
    /// The answers.
    pub subjects: Vec<Subject>,
}

/// Something that can be asked of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// Why the action was refused.
    Refused,
    /// Of what the action warned.
    Warnings,
    /// What a viewer was told by this step.
    Events(Viewer),
    /// What a viewer sees.
    View(Viewer),
    /// What a seat is asked.
    Decision(u32),
    /// What a seat may order.
    Choices(u32),
    /// The game itself.
    Game,
    /// How it ended.
    Outcome,
    /// The scripted dice.
    Dice,
    /// What ratings would have changed.
    Ratings,
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused => f.write_str("refused"),
            Self::Warnings => f.write_str(WARNINGS.0),
            Self::Events(viewer) => write!(f, "events of {viewer}"),
            Self::View(viewer) => write!(f, "view of {viewer}"),
            Self::Decision(seat) => write!(f, "decision of {seat}"),
            Self::Choices(seat) => write!(f, "{} of {seat}", CHOICES.0),
            Self::Game => f.write_str("game"),
            Self::Outcome => f.write_str("outcome"),
            Self::Dice => f.write_str("dice"),
            Self::Ratings => f.write_str("ratings"),
        }
    }
}

/// Who looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Viewer {
    /// A seat, from 1.
    Seat(u32),
    Spectator,
    /// The game master: the complete position.
    GameMaster,
}

impl FromStr for Viewer {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "spectator" => Ok(Self::Spectator),
            "gm" => Ok(Self::GameMaster),
            seat => match u32::from_str(seat) {
                Ok(seat @ 1..=SEATS_MAX) => Ok(Self::Seat(seat)),
                _ => Err(format!(
                    "`{text}` is no viewer; write a seat's number, \"spectator\" or \"gm\"."
                )),
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

impl File {
    /// Reads a scenario file and checks all of it that can be checked without an engine.
    pub fn read(path: &Path) -> Result<Self, Flaws> {
        Self::of(&compose::read(path)?)
    }

    /// Reads a file's text.
    pub fn parse(path: &Path, text: &str) -> Result<Self, Flaws> {
        Self::of(&compose::parts(path, text)?)
    }

    fn of(composed: &Composed) -> Result<Self, Flaws> {
        let mut flaws = Flaws::default();
        let scenarios: Vec<Scenario> =
            composed.games.iter().filter_map(|game| Scenario::of(game, &mut flaws)).collect();
        let same =
            composed.same.iter().flat_map(|node| same(node, &scenarios, &mut flaws)).collect();
        // Cases have their beginning in common, also what is wrong with it.
        let mut seen = std::collections::HashSet::new();
        flaws.0.retain(|flaw| seen.insert(flaw.to_string()));
        flaws.unless(Self { scenarios, same })
    }

    /// Whether an AI client is needed: automation plays a seat, from the start or later.
    pub fn wants_automation(&self) -> bool {
        self.scenarios.iter().any(Scenario::wants_automation)
    }
}

fn same(node: &Node, scenarios: &[Scenario], flaws: &mut Flaws) -> Vec<Same> {
    let Some(items) = node.items() else {
        flaws.note(&node.at, "`same` is a list of {\"viewers\": [...], \"cases\": [...]}.");
        return Vec::new();
    };
    let mut all = Vec::with_capacity(items.len());
    for item in items {
        let mut reader = Reader::new(item, &["viewers", "cases", "note"], flaws);
        let (viewers, cases) = (reader.need("viewers"), reader.need("cases"));
        let viewers = viewers.map(|node| viewers_of(node, reader.flaws())).unwrap_or_default();
        let mut named = Vec::new();
        for case in cases.and_then(Node::items).unwrap_or_default() {
            let known = || scenarios.iter().map(|scenario| scenario.case.as_str());
            if let Some(name) = case.text().filter(|name| known().any(|known| known == *name)) {
                named.push(name.to_owned());
            } else {
                let hint = case.text().map(|name| did_you_mean(name, known())).unwrap_or_default();
                reader.note(&case.at, format!("There is no such case{hint}."));
            }
        }
        if viewers.is_empty() || named.len() < 2 {
            reader.note(&item.at, "At least one viewer and two cases belong here.");
        }
        all.push(Same {
            at: item.at.clone(),
            viewers: viewers.into_iter().map(|(viewer, _)| viewer).collect(),
            cases: named,
        });
    }
    all
}

fn viewers_of(node: &Node, flaws: &mut Flaws) -> Vec<(Viewer, Place)> {
    let Some(items) = node.items() else {
        flaws.note(&node.at, format!("Here a list of viewers belongs, not {}.", node.is_a()));
        return Vec::new();
    };
    items.iter().filter_map(|item| viewer_of(item, flaws)).collect()
}

fn viewer_of(item: &Node, flaws: &mut Flaws) -> Option<(Viewer, Place)> {
    let name = whole(item).map(|seat| seat.to_string()).or_else(|| item.text().map(str::to_owned));
    match name.unwrap_or_default().parse() {
        Ok(viewer) => Some((viewer, item.at.clone())),
        Err(what) => {
            flaws.note(&item.at, what);
            None
        }
    }
}

impl Scenario {
    fn of(game: &Game, flaws: &mut Flaws) -> Option<Self> {
        let node = &game.node;
        let mut reader = Reader::new(node, &TOP, flaws);
        let name = reader.need("name").and_then(Node::text).unwrap_or_default().to_owned();
        reader.text("description");
        let kind = reader.need("game")?;
        let messages = match Messages::of(kind.text().unwrap_or_default()) {
            Ok(messages) => messages,
            Err(what) => {
                reader.note(&kind.at, what);
                return None;
            }
        };
        let players = reader.whole("players", 1, SEATS_MAX).unwrap_or_default();
        let dice = reader.wholes("dice", 1, u32::MAX);
        let seed = reader.text("seed").and_then(|text| match seed(text) {
            Ok(seed) => Some(seed),
            Err(failure) => {
                let at = node.get("seed").map_or_else(|| node.at.clone(), |seed| seed.at.clone());
                reader.note(&at, failure.to_string());
                None
            }
        });
        if let (Some(options), Some(_)) = (reader.get("options"), reader.get("position")) {
            reader.note(&options.at, "A position holds its options itself; give one of the two.");
        }
        let flaws = reader.flaws();
        let options = node
            .get("options")
            .and_then(|node| read_own(node, &messages.options, &messages, flaws));
        let position = node
            .get("position")
            .and_then(|node| read_own(node, &messages.position, &messages, flaws));
        let pace = node
            .get("pace")
            .and_then(|node| read(node, &message("heliopause.v1.Pace").ok()?, flaws));
        let automated =
            node.get("automated").map(|node| every(node, flaws, automated)).unwrap_or_default();
        let guests = node.get("seats").map(|node| guests(node, flaws)).unwrap_or_default();
        if node.get("steps").is_none() {
            flaws.note(&node.at, "`steps` is missing.");
        }
        let steps = node
            .get("steps")
            .map(|node| every(node, flaws, |step, flaws| Step::of(step, &messages, flaws)));
        let steps = steps.unwrap_or_default();
        if steps.len() > STEPS_MAX {
            flaws.note(&node.at, format!("A scenario has {STEPS_MAX} steps at most."));
        }
        let seed = seed.unwrap_or_default();
        let case = game.case.clone();
        Some(Self {
            case,
            name,
            messages,
            players,
            options,
            position,
            dice,
            seed,
            pace,
            automated,
            guests,
            steps,
        })
    }

    /// What it is called.
    pub fn title(&self) -> String {
        if self.case.is_empty() {
            self.name.clone()
        } else {
            format!("{}: {}", self.name, self.case)
        }
    }

    /// Whether an AI client is needed: automation plays a seat, from the start or later.
    pub fn wants_automation(&self) -> bool {
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
    reader.need("seat");
    let seat = reader.whole("seat", 1, SEATS_MAX)?;
    let profile = reader.text("profile").unwrap_or_default().to_owned();
    let level = reader.text("level").unwrap_or_default().to_owned();
    Some(SandboxAutomation { seat, by: Some(AutomatedSeat { profile, level, end_time: None }) })
}

fn guests(node: &Node, flaws: &mut Flaws) -> Vec<(SandboxGuest, Duration)> {
    let Some(fields) = node.fields() else {
        flaws.note(&node.at, "`seats` is an object: a seat's number, and who sits there.");
        return Vec::new();
    };
    let mut guests = Vec::with_capacity(fields.len());
    for field in fields {
        let Ok(Viewer::Seat(seat)) = field.name.parse() else {
            flaws.note(&field.at, format!("`{}` is no seat.", field.name));
            continue;
        };
        let mut reader = Reader::new(&field.value, &["account", "await"], flaws);
        reader.need("account");
        let Some(player) = reader.text("account").map(str::to_owned) else { continue };
        let within = duration(&mut reader, "await").unwrap_or(SITS_WITHIN);
        guests.push((SandboxGuest { seat, player }, within));
    }
    guests
}

fn duration(reader: &mut Reader<'_>, name: &str) -> Option<Duration> {
    let text = reader.text(name)?;
    match parse_duration(text) {
        Ok(duration) => Some(duration.unsigned_abs()),
        Err(what) => {
            let at =
                reader.get(name).map_or_else(|| reader.node.at.clone(), |node| node.at.clone());
            reader.note(&at, format!("`{name}`: {what}."));
            None
        }
    }
}

impl Step {
    fn of(node: &Node, messages: &Messages, flaws: &mut Flaws) -> Option<Self> {
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

fn listed<'a>(node: &'a Node, flaws: &mut Flaws) -> Option<&'a [Node]> {
    let items = node.items();
    if items.is_none() {
        flaws.note(&node.at, format!("Here a list belongs, not {}.", node.is_a()));
    }
    items
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

impl Expect {
    /// Whether nothing is expected that could come later.
    fn is_empty(&self) -> bool {
        self.checks.is_empty() && self.unchanged.is_empty() && self.alike.is_empty()
    }

    fn of(node: &Node, messages: &Messages, flaws: &mut Flaws) -> Self {
        let mut reader = Reader::new(node, &EXPECT, flaws);
        let mut expect = Self::default();
        let flaws = reader.flaws();
        for field in node.fields().unwrap_or_default() {
            expect.read(field, messages, flaws);
        }
        for check in &expect.checks {
            let whole = matches!(
                check.subject,
                Subject::View(_) | Subject::Game | Subject::Dice | Subject::Ratings
            );
            if whole && matches!(&check.pattern.test, Test::Fields(fields) if fields.is_empty()) {
                flaws.note(&check.pattern.at, "This holds whatever comes: it expects nothing.");
            }
        }
        expect
    }

    fn read(&mut self, field: &Field, messages: &Messages, flaws: &mut Flaws) {
        let node = &field.value;
        let contract = |name: &str| message(name).map_or(Type::Text, Type::Message);
        let event = || contract("heliopause.v1.Event");
        let mut check = |subject, pattern| self.checks.push(Check { subject, pattern });
        let mut compiler = Compiler::new(messages, flaws);
        match field.name.as_str() {
            "refused" => {
                self.refused = Some(compiler.read(node, &Type::Record(REFUSED), Presence::Known));
            }
            "game" => check(
                Subject::Game,
                compiler.read(node, &contract("heliopause.v1.Game"), Presence::Known),
            ),
            "outcome" => {
                check(
                    Subject::Outcome,
                    compiler.read(node, &contract("heliopause.v1.Outcome"), Presence::Known),
                );
            }
            "dice" => {
                check(Subject::Dice, compiler.read(node, &Type::Record(DICE), Presence::Known));
            }
            "ratings" => {
                let change = Type::Map(Box::new(Type::Whole(i32::MIN.into(), i32::MAX.into())));
                for name in node.fields().unwrap_or_default() {
                    seat_of(name, compiler.flaws);
                }
                check(Subject::Ratings, compiler.read(node, &change, Presence::Known));
            }
            "view" => each_viewer(node, &mut compiler, |viewer, node, compiler| {
                let kind =
                    if viewer == Viewer::GameMaster { &messages.position } else { &messages.view };
                let kind = Type::Message(kind.clone());
                check(Subject::View(viewer), compiler.read(node, &kind, Presence::Known));
            }),
            "events" => each_viewer(node, &mut compiler, |viewer, node, compiler| {
                check(Subject::Events(viewer), compiler.read_items(node, &event()));
            }),
            "decision" => each_seat(node, &mut compiler, |seat, node, compiler| {
                let pattern =
                    compiler.read(node, &contract("heliopause.v1.Decision"), Presence::Known);
                check(Subject::Decision(seat), pattern);
            }),
            word if word == CHOICES.0 => each_seat(node, &mut compiler, |seat, node, compiler| {
                check(
                    Subject::Choices(seat),
                    compiler.read_items(&by_field(node, CHOICES.2), &contract(CHOICES.1)),
                );
            }),
            word if word == WARNINGS.0 => check(
                Subject::Warnings,
                compiler.read_items(&by_field(node, WARNINGS.2), &contract(WARNINGS.1)),
            ),
            "unchanged" => self.unchanged = viewers_of(node, compiler.flaws),
            "same" => self.alike = alike(node, compiler.flaws),
            _ => {}
        }
    }
}

fn each_viewer<'a>(
    node: &Node,
    compiler: &mut Compiler<'a>,
    mut one: impl FnMut(Viewer, &Node, &mut Compiler<'a>),
) {
    let Some(fields) = node.fields() else {
        return compiler.flaws.note(&node.at, "Here viewers belong, and what each of them sees.");
    };
    for field in fields {
        match field.name.parse() {
            Ok(viewer) => one(viewer, &field.value, compiler),
            Err(what) => compiler.flaws.note(&field.at, what),
        }
    }
}

fn each_seat<'a>(
    node: &Node,
    compiler: &mut Compiler<'a>,
    mut one: impl FnMut(u32, &Node, &mut Compiler<'a>),
) {
    let Some(fields) = node.fields() else {
        return compiler.flaws.note(&node.at, "Here seats belong, and what is expected of each.");
    };
    for field in fields {
        if let Some(seat) = seat_of(field, compiler.flaws) {
            one(seat, &field.value, compiler);
        }
    }
}

fn seat_of(field: &Field, flaws: &mut Flaws) -> Option<u32> {
    if let Ok(Viewer::Seat(seat)) = field.name.parse() {
        return Some(seat);
    }
    flaws.note(&field.at, format!("`{}` is no seat; only seats have this.", field.name));
    None
}

/// Answers that are the same: `{"view": ["1", "2"], "events": ["1", "spectator"]}`.
fn alike(node: &Node, flaws: &mut Flaws) -> Vec<Alike> {
    let mut reader = Reader::new(node, &["view", "events"], flaws);
    let mut all = Vec::new();
    for (name, subject) in
        [("view", Subject::View as fn(Viewer) -> Subject), ("events", Subject::Events)]
    {
        let Some(node) = reader.get(name) else { continue };
        let subjects: Vec<Subject> = viewers_of(node, reader.flaws())
            .into_iter()
            .map(|(viewer, _)| subject(viewer))
            .collect();
        if subjects.len() < 2 {
            reader.note(&node.at, "At least two viewers belong here.");
        }
        all.push(Alike { at: node.at.clone(), subjects });
    }
    all
}

/// In lists of choices and warnings a bare text stands for a field.
fn by_field(node: &Node, name: &str) -> Node {
    let at = node.at.clone();
    let shape = match &node.shape {
        Shape::Text(_) => {
            let field = Field { name: name.to_owned(), at: at.clone(), value: node.clone() };
            Shape::Object(vec![field])
        }
        Shape::List(items) => Shape::List(items.iter().map(|item| by_field(item, name)).collect()),
        Shape::Object(fields) => Shape::Object(
            fields
                .iter()
                .map(|field| match field.name.strip_prefix('$') {
                    Some("length") | None if field.name != "of" => field.clone(),
                    _ => Field { value: by_field(&field.value, name), ..field.clone() },
                })
                .collect(),
        ),
        other => other.clone(),
    };
    Node { at, shape }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn with_step(step: &Value) -> Result<Scenario, String> {
        let file = json!({ "name": "x", "game": "starships-at-large", "steps": [step] });
        let file =
            File::parse(Path::new("x"), &file.to_string()).map_err(|flaws| flaws.to_string())?;
        file.scenarios.into_iter().next().ok_or_else(|| "no scenario".to_owned())
    }

    fn fault(step: &Value) -> String {
        with_step(step).err().unwrap_or_default()
    }

    #[test]
    fn a_step_does_one_thing() {
        assert!(with_step(&json!({ "seat": 1, "order": "end" })).is_ok());
        assert!(with_step(&json!({ "expect": { "game": { "name": "x" } } })).is_ok());
        assert!(fault(&json!({ "seat": 1, "order": "end", "close": true })).contains("one thing"));
    }

    #[test]
    fn errors_name_the_place() {
        let text = "{ \"name\": \"x\", \"game\": \"starships-at-large\",\n \"steps\": [{ \"seat\": \
            \"one\" }] }";
        let flaws = File::parse(Path::new("a.json"), text).err().unwrap_or_default().to_string();
        assert_eq!(flaws, "a.json:2:22: `seat` is a whole number from 1 to 64.");
        assert!(
            fault(&json!({ "seat": 1, "expct": {} }))
                .contains("no field `expct` here; did you mean `expect`")
        );
        assert!(fault(&json!({ "order": "end" })).contains("Who does it?"));
        assert!(fault(&json!({ "advance": "26 hours" })).contains("`advance`: "));
        assert!(
            fault(&json!({ "seat": 1, "order": { "fly": {} } }))
                .contains("Order has no field `fly`")
        );
        assert!(fault(&json!({ "expect": { "view": { "seven": {} } } })).contains("no viewer"));
        assert!(
            fault(&json!({ "expect": { "refused": {} } }))
                .contains("nothing that could be refused")
        );
        assert!(fault(&json!({ "expect": { "game": {} } })).contains("expects nothing"));
        assert!(
            fault(&json!({ "seat": 1, "order": "end", "expect": { "refused": { "reson": "x" } } }))
                .contains("`reason`")
        );
        assert!(
            fault(&json!({ "close": true, "expect": { "events": { "gm": [{ "game": { "gameOvr": {} } }] } } }))
                .contains("Event has no field `gameOvr`")
        );
        assert!(
            fault(&json!({ "close": true, "expect": { "events": { "1": { "contains": [] } } } }))
                .contains("a list belongs")
        );
    }

    #[test]
    fn a_step_may_be_patient() -> Result<(), String> {
        let patient = with_step(
            &json!({ "await": "5s", "settle": "1m", "expect": { "game": { "name": "x" } } }),
        )?;
        assert_eq!(patient.steps[0].patience, Duration::from_secs(5));
        assert_eq!(patient.steps[0].settle, Some(Duration::from_mins(1)));
        assert!(fault(&json!({ "await": "soon" })).contains("`await`: "));
        assert!(fault(&json!({ "await": "5s" })).contains("Nothing is expected"));
        Ok(())
    }

    #[test]
    fn an_ai_client_is_needed_where_automation_plays() -> Result<(), String> {
        assert!(
            with_step(&json!({ "automate": { "seat": 2, "profile": "abandoned" } }))?
                .wants_automation()
        );
        assert!(with_step(&json!({ "abandon": 2 }))?.wants_automation());
        assert!(!with_step(&json!({ "master": "APPLY NOW" }))?.wants_automation());
        Ok(())
    }

    #[test]
    fn typed_orders_and_text_are_not_mixed() {
        assert!(
            fault(&json!({ "seat": 1, "orders": ["end", { "endTurn": {} }] }))
                .contains("Write all orders")
        );
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
        let file = |seats: Value| {
            let file =
                json!({ "name": "x", "game": "starships-at-large", "seats": seats, "steps": [] });
            File::parse(Path::new("x"), &file.to_string()).map_err(|flaws| flaws.to_string())
        };
        let read = file(json!({ "2": { "account": "bot", "await": "3s" } }))?;
        let guest = SandboxGuest { seat: 2, player: "bot".into() };
        assert_eq!(read.scenarios[0].guests, [(guest, Duration::from_secs(3))]);
        assert!(
            file(json!({ "gm": { "account": "bot" } }))
                .err()
                .unwrap_or_default()
                .contains("no seat")
        );
        assert!(
            file(json!({ "2": {} })).err().unwrap_or_default().contains("`account` is missing")
        );
        Ok(())
    }

    #[test]
    fn cases_are_compared_by_name() {
        let file = json!({
            "name": "x", "game": "starships-at-large", "steps": [],
            "cases": [{ "name": "a" }, { "name": "b" }],
            "same": [{ "viewers": ["2"], "cases": ["a", "bb"] }]
        });
        let flaws =
            File::parse(Path::new("x"), &file.to_string()).err().unwrap_or_default().to_string();
        assert!(flaws.contains("did you mean `b`"), "{flaws}");
    }
}
