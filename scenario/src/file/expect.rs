//! What a step expects.

use std::fmt;
use std::str::FromStr;

use super::SEATS_MAX;
use crate::contract::{Messages, Type, message};
use crate::json::{Field, Flaws, Node, Place, Reader, Shape, whole};
use crate::pattern::{Compiler, Pattern, Presence, Test};

/// What a seat may order is expected under this word, as partial matches of this message; a bare
/// text stands for this field.
pub const CHOICES: (&str, &str, &str) = ("choices", "heliopause.v1.Offer", "notation");
/// Of what an action warns is expected under this word, as partial matches of this message; a bare
/// text stands for this field.
pub const WARNINGS: (&str, &str, &str) = ("warnings", "heliopause.v1.Warning", "code");

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

/// Everything that a step can expect: the JSON Schema has the same.
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

pub(super) fn viewers_of(node: &Node, flaws: &mut Flaws) -> Vec<(Viewer, Place)> {
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

impl Expect {
    /// Whether nothing is expected that could come later.
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
