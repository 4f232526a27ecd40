//! The expectations of a step: a rejection, responses, and views that must be equal or unchanged.

use std::fmt;
use std::str::FromStr;

use super::SEATS_MAX;
use crate::contract::{Messages, Type, message};
use crate::json::{Field, Flaws, Node, Place, Reader, Shape, whole};
use crate::pattern::{Compiler, Pattern, Presence, Test};

/// The field of expected choices, the message type of a choice, and the field of a choice that a
/// plain string sets.
pub const CHOICES: (&str, &str, &str) = ("choices", "heliopause.v1.Offer", "notation");
/// The field of expected warnings, the message type of a warning, and the field of a warning that a
/// plain string sets.
pub const WARNINGS: (&str, &str, &str) = ("warnings", "heliopause.v1.Warning", "code");

/// The fields of a rejection: its reason, its message, and its metadata.
pub const REFUSED: &[(&str, Type)] = &[
    ("reason", Type::Reason),
    ("message", Type::Text),
    ("refusal", Type::MetadataValue),
    ("rule", Type::MetadataValue),
    ("field", Type::MetadataValue),
    ("order", Type::MetadataValue),
    ("taken", Type::MetadataValue),
    ("notation", Type::MetadataValue),
    ("line", Type::MetadataValue),
    ("column", Type::MetadataValue),
    ("character", Type::MetadataValue),
    ("position", Type::MetadataValue),
    ("limit", Type::MetadataValue),
    ("quota", Type::MetadataValue),
    ("role", Type::MetadataValue),
    ("status", Type::MetadataValue),
    ("what", Type::MetadataValue),
    ("phase", Type::MetadataValue),
    ("revision", Type::MetadataValue),
    ("next", Type::MetadataValue),
    ("incident", Type::MetadataValue),
];

/// The fields that a scenario can expect of scripted dice: `left`, the number of unused values.
pub const DICE: &[(&str, Type)] = &[("left", Type::Whole(0, 10_000))];

/// Every field of an expectation. The JSON Schema lists the same fields.
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

/// The expectations after a step.
#[derive(Debug, Default)]
pub struct Expect {
    pub refused: Option<Pattern>,
    pub checks: Vec<Check>,
    /// Viewers whose view stays the same and who receive no event.
    pub unchanged: Vec<(Viewer, Place)>,
    pub alike: Vec<Alike>,
}

/// An expected response.
#[derive(Clone, Debug)]
pub struct Check {
    pub subject: Subject,
    pub pattern: Pattern,
}

/// Responses that must be equal.
#[derive(Debug)]
pub struct Alike {
    pub at: Place,
    pub subjects: Vec<Subject>,
}

/// A response that an expectation refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    Refused,
    Warnings,
    Events(Viewer),
    View(Viewer),
    Decision(u32),
    Choices(u32),
    Game,
    Outcome,
    Dice,
    /// The rating changes, computed as if the game were rated.
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

/// A viewer of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Viewer {
    Seat(u32),
    Spectator,
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
                    "`{text}` is not a viewer; expected a seat from 1 to {SEATS_MAX}, \
                     \"spectator\" or \"gm\"."
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

pub(super) fn viewers_of(node: &Node, flaws: &mut Flaws) -> Vec<(Viewer, Place)> {
    let Some(items) = node.items() else {
        flaws.note(&node.at, format!("Expected a list of viewers, found {}.", node.type_name()));
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

impl Expect {
    /// Returns whether the step checks nothing that later events could change.
    pub(super) fn is_empty(&self) -> bool {
        self.checks.is_empty() && self.unchanged.is_empty() && self.alike.is_empty()
    }

    pub(super) fn of(node: &Node, messages: &Messages, flaws: &mut Flaws) -> Self {
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
                flaws.note(
                    &check.pattern.at,
                    "This expectation is empty: every response matches. Add at least one field.",
                );
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
        let found = node.type_name();
        let what = format!("Expected an object with viewers as keys, found {found}.");
        return compiler.flaws.note(&node.at, what);
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
        let found = node.type_name();
        let what = format!("Expected an object with seat numbers as keys, found {found}.");
        return compiler.flaws.note(&node.at, what);
    };
    for field in fields {
        if let Some(seat) = seat_of(field, compiler.flaws) {
            one(seat, &field.value, compiler);
        }
    }
}

pub(super) fn seat_of(field: &Field, flaws: &mut Flaws) -> Option<u32> {
    if let Ok(Viewer::Seat(seat)) = field.name.parse() {
        return Some(seat);
    }
    let what = format!("`{}` is not a seat; the seats are 1 to {SEATS_MAX}.", field.name);
    flaws.note(&field.at, what);
    None
}

/// Reads lists of viewers whose responses must be equal: `{"view": ["1", "2"], "events": ["1",
/// "spectator"]}`.
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
            let found = subjects.len();
            let what = format!("`{name}`: expected at least two viewers, found {found}.");
            reader.note(&node.at, what);
        }
        all.push(Alike { at: node.at.clone(), subjects });
    }
    all
}

/// Expands each plain string in a list of choices or warnings to an object with the field `name`.
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
