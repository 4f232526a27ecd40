//! The expectations of a step: a rejection, responses, and views that must be equal or unchanged.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

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
pub static REFUSED: LazyLock<Vec<(&str, Type)>> = LazyLock::new(|| {
    let metadata = "refusal rule field order taken notation line column character position limit \
        quota role status what phase revision next incident";
    let metadata = metadata.split(' ').map(|name| (name, Type::MetadataValue));
    [("reason", Type::Reason), ("message", Type::Text)].into_iter().chain(metadata).collect()
});

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
        flaws.unexpected(node, "a list of viewers");
        return Vec::new();
    };
    let mut viewer = |item: &Node| {
        let number = whole(item).map(|seat| seat.to_string());
        let name = number.or_else(|| item.text().map(str::to_owned)).unwrap_or_default();
        let viewer = name.parse().map_err(|what: String| flaws.note(&item.at, what)).ok()?;
        Some((viewer, item.at.clone()))
    };
    items.iter().filter_map(&mut viewer).collect()
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
        let mut compiler = Compiler::new(messages, flaws);
        let mut check = |subject, kind: &Type, compiler: &mut Compiler<'_>, node: &Node| {
            let pattern = compiler.read(node, kind, Presence::Known);
            self.checks.push(Check { subject, pattern });
        };
        match field.name.as_str() {
            "refused" => {
                self.refused = Some(compiler.read(node, &Type::Record(&REFUSED), Presence::Known));
            }
            "game" => check(Subject::Game, &contract("heliopause.v1.Game"), &mut compiler, node),
            "outcome" => {
                check(Subject::Outcome, &contract("heliopause.v1.Outcome"), &mut compiler, node);
            }
            "dice" => check(Subject::Dice, &Type::Record(DICE), &mut compiler, node),
            "ratings" => {
                let change = Type::Map(Box::new(Type::Whole(i32::MIN.into(), i32::MAX.into())));
                for name in node.fields().unwrap_or_default() {
                    seat_of(name, compiler.flaws);
                }
                check(Subject::Ratings, &change, &mut compiler, node);
            }
            "view" => {
                each(node, "viewers", &mut compiler, viewer_named, |viewer, node, compiler| {
                    let kind = if viewer == Viewer::GameMaster {
                        &messages.position
                    } else {
                        &messages.view
                    };
                    check(Subject::View(viewer), &Type::Message(kind.clone()), compiler, node);
                });
            }
            "events" => {
                each(node, "viewers", &mut compiler, viewer_named, |viewer, node, compiler| {
                    let pattern = compiler.read_items(node, &contract("heliopause.v1.Event"));
                    self.checks.push(Check { subject: Subject::Events(viewer), pattern });
                });
            }
            "decision" => {
                each(node, "seat numbers", &mut compiler, seat_of, |seat, node, compiler| {
                    check(
                        Subject::Decision(seat),
                        &contract("heliopause.v1.Decision"),
                        compiler,
                        node,
                    );
                });
            }
            word if word == CHOICES.0 => {
                each(node, "seat numbers", &mut compiler, seat_of, |seat, node, compiler| {
                    let node = by_field(node, CHOICES.2);
                    let pattern = compiler.read_items(&node, &contract(CHOICES.1));
                    self.checks.push(Check { subject: Subject::Choices(seat), pattern });
                });
            }
            word if word == WARNINGS.0 => {
                let node = by_field(node, WARNINGS.2);
                let pattern = compiler.read_items(&node, &contract(WARNINGS.1));
                self.checks.push(Check { subject: Subject::Warnings, pattern });
            }
            "unchanged" => self.unchanged = viewers_of(node, compiler.flaws),
            "same" => self.alike = alike(node, compiler.flaws),
            _ => {}
        }
    }
}

/// Calls `one` for each field of an object, with the key that `key` reads from its name.
fn each<'a, K>(
    node: &Node,
    keys: &str,
    compiler: &mut Compiler<'a>,
    key: impl Fn(&Field, &mut Flaws) -> Option<K>,
    mut one: impl FnMut(K, &Node, &mut Compiler<'a>),
) {
    let Some(fields) = node.fields() else {
        return compiler.flaws.unexpected(node, &format!("an object with {keys} as keys"));
    };
    for field in fields {
        if let Some(key) = key(field, compiler.flaws) {
            one(key, &field.value, compiler);
        }
    }
}

fn viewer_named(field: &Field, flaws: &mut Flaws) -> Option<Viewer> {
    field.name.parse().map_err(|what: String| flaws.note(&field.at, what)).ok()
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
