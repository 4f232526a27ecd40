//! Recorded cases of Diplomacy. Each has a position, and phases with their expected results.
//!
//! A file is a JSON document (a case, a list, or an object with `cases` or `scenarios`) or has one
//! case per line. `docs/diplomacy.md` describes the fields. The engine resolves each phase without
//! a game. Each phase starts from the result of the previous one.

use std::path::Path;
use std::time::{Duration, Instant};

use heliopause_client::engine::Engine;
use heliopause_client::failure::Failure;
use heliopause_proto::diplomacy::v1::{
    AdjudicateRequest, AdjustmentPhase, Attempt, Dislodged, EndReason, LineReport, MovementPhase,
    OwnedUnit, Power, PowerOrders, Resolution, RetreatPhase, Situation, TurnEnd, Unit, UnitKind,
    Variant, retreat_report::Fate, situation,
};
use tonic::Status;
use tonic_types::StatusExt as _;

use crate::json::{Field, Flaws, Node, Place, Shape, parse, parse_from, whole};
use crate::report;
use crate::run::Fault;

/// Maximum number of phases that the engine resolves in one call.
const BATCH: usize = 100;
/// Maximum number of retries of a call that fails temporarily, for example on an overloaded engine.
const TRIES: u32 = 10;
const PAUSE: Duration = Duration::from_millis(250);
const POWERS: [&str; 7] = ["Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey"];
const LISTS: [&str; 9] = [
    "units",
    "orbit",
    "centers",
    "colonies",
    "dislodged",
    "disbanded",
    "results",
    "colonize",
    "eliminated",
];

struct PowerNames(Vec<String>);

impl PowerNames {
    fn of(case: &Node) -> Result<(Self, Variant), String> {
        let codes = match case.get("empires").and_then(Node::items) {
            None | Some([]) => {
                return Ok((Self(POWERS.map(str::to_owned).to_vec()), Variant::Standard));
            }
            Some(codes) => codes.iter().map(|code| code.text().unwrap_or_default().to_owned()),
        };
        let names: Vec<String> = codes.collect();
        match names.iter().find(|code| code.len() != 3) {
            Some(wrong) => Err(format!("empires: `{wrong}` must have three letters or digits")),
            None => Ok((Self(names), Variant::OuterSpace)),
        }
    }

    fn index(&self, name: &str) -> Result<usize, String> {
        let name = name.trim();
        let is = |own: &String| {
            own.eq_ignore_ascii_case(name)
                || own.get(..3).is_some_and(|code| code.eq_ignore_ascii_case(name))
        };
        let found = self.0.iter().position(is);
        found
            .ok_or_else(|| format!("`{name}` is not a power; the powers are {}", self.0.join(", ")))
    }

    fn seat(&self, seat: u32) -> String {
        let name = (seat as usize).checked_sub(1).and_then(|index| self.0.get(index));
        name.cloned().unwrap_or_else(|| format!("seat {seat}"))
    }

    fn full(&self, name: &str) -> String {
        self.index(name).map_or_else(|_| name.to_owned(), |index| self.0[index].clone())
    }

    /// Converts a value to strings that start with the full name of a power. The value can be:
    ///
    /// - an object that maps powers to lists or numbers, or provinces to powers,
    /// - an object with a power and a unit or order,
    /// - a string that starts with a power,
    /// - a list of these.
    fn texts(&self, node: &Node) -> Result<Vec<String>, String> {
        let all = |parts: &mut dyn Iterator<Item = Result<Vec<String>, String>>| {
            parts.collect::<Result<Vec<_>, _>>().map(|parts| parts.concat())
        };
        match &node.shape {
            Shape::Null => Ok(Vec::new()),
            Shape::Text(text) => Ok(vec![match text.split_once(' ') {
                Some((power, rest)) => self.with(power, rest),
                None => self.full(text),
            }]),
            Shape::List(items) => all(&mut items.iter().map(|item| self.texts(item))),
            Shape::Object(fields) => match owner(node) {
                Some(power) => {
                    let record = self.record(node);
                    let record =
                        record.ok_or("expected an object with a power and a unit or order")?;
                    Ok(vec![self.with(power.text().unwrap_or_default(), &record)])
                }
                None => all(&mut fields.iter().map(|field| self.field_texts(field))),
            },
            _ => Err(node.unexpected("a list")),
        }
    }

    fn field_texts(&self, Field { name, value, .. }: &Field) -> Result<Vec<String>, String> {
        Ok(match (&value.shape, whole(value)) {
            (Shape::Text(power), _) => vec![self.with(power, name)],
            (Shape::List(_), _) => {
                text_list(value)?.into_iter().map(|item| self.with(name, item)).collect()
            }
            (_, Some(0)) => Vec::new(),
            (_, Some(number)) => vec![self.with(name, &number.to_string())],
            _ => {
                let wrong = value.unexpected("a string, a number or a list");
                return Err(format!("`{name}`: {wrong}"));
            }
        })
    }

    fn with(&self, power: &str, text: &str) -> String {
        format!("{} {text}", self.full(power))
    }

    /// Reads the outcome of a game: `null`, a winner, or the powers that share a draw.
    fn ending(&self, node: &Node) -> Result<Vec<String>, String> {
        if node.shape == Shape::Null {
            return Ok(Vec::new());
        }
        match (node.get("winner").and_then(Node::text), node.get("draw")) {
            (Some(winner), None) => Ok(vec![format!("{} winner", self.full(winner))]),
            (None, Some(draw)) => {
                let names = text_list(draw)?.into_iter();
                Ok(names.map(|name| format!("draw {}", self.full(name))).collect())
            }
            _ => Err(format!(
                "expected null, an object with `winner`, or an object with `draw`; found {}",
                node.value()
            )),
        }
    }

    fn record(&self, node: &Node) -> Option<String> {
        let text = |name: &str| node.get(name).and_then(Node::text);
        if let Some(order) = text("order") {
            return Some(with_result(order, text("result")?, text("reason").unwrap_or_default()));
        }
        let unit = text("unit")?;
        let Some(by) = node.get("by") else { return Some(unit.to_owned()) };
        let from = by.text().or_else(|| by.get("from")?.text())?;
        let owner = owner(by).and_then(Node::text);
        let retreats = node.get("retreats").and_then(Node::items).unwrap_or_default();
        let retreats = retreats.iter().filter_map(Node::text).collect();
        Some(driven_out(unit, owner.map(|owner| self.full(owner)), from, retreats))
    }

    fn unit(&self, owned: Option<&OwnedUnit>) -> String {
        let owned = owned.cloned().unwrap_or_default();
        let unit = owned.unit.as_ref().map(written).unwrap_or_default();
        format!("{} {unit}", self.seat(owned.seat))
    }
}

fn text_list(node: &Node) -> Result<Vec<&str>, String> {
    let items = node.items().ok_or_else(|| node.unexpected("a list"))?;
    items.iter().map(|item| item.text().ok_or_else(|| item.unexpected("a string"))).collect()
}

fn fields_of<'a>(node: &'a Node, name: &str) -> Result<&'a [Field], String> {
    match node.get(name) {
        None | Some(Node { shape: Shape::Null, .. }) => Ok(&[]),
        Some(other) => {
            other.fields().ok_or_else(|| format!("{name}: {}", other.unexpected("an object")))
        }
    }
}

/// Reads the values of an object, with their names.
fn by_name<T>(
    node: &Node,
    name: &str,
    wanted: &str,
    read: impl Fn(&Node) -> Option<T>,
) -> Result<Vec<(String, T)>, String> {
    let one = |field: &Field| {
        let wrong = || format!("{name}: `{}`: {}", field.name, field.value.unexpected(wanted));
        Ok((field.name.clone(), read(&field.value).ok_or_else(wrong)?))
    };
    fields_of(node, name)?.iter().map(one).collect()
}

fn owner(node: &Node) -> Option<&Node> {
    node.get("power").or_else(|| node.get("empire"))
}

/// The kind of phase that a step resolves. `TacitEnd` ends a turn whose end the case omits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StepKind {
    Movement,
    Retreats,
    EndOfTurn,
    Adjustments,
    TacitEnd,
}

struct Step {
    at: Place,
    asked: StepKind,
    phase: String,
    orders: Vec<PowerOrders>,
    expect: Expected,
}

#[derive(Default)]
struct Expected {
    lists: Vec<(&'static str, Vec<String>)>,
    attackers: bool,
    moves: Vec<(String, bool)>,
    info: Vec<(String, String)>,
}

impl Expected {
    fn of(step: &Node, names: &PowerNames) -> Result<Self, String> {
        let known: Vec<&str> = LISTS.into_iter().chain(["game_over", "moves", "info"]).collect();
        let mut fields = fields_of(step, "expect")?.iter();
        if let Some(Field { name, .. }) = fields.find(|field| !known.contains(&&*field.name)) {
            let known = known.join(", ");
            return Err(format!("expect: unknown field `{name}`; the fields are {known}"));
        }
        let Some(node) = step.get("expect") else { return Ok(Self::default()) };
        let mut lists = Vec::new();
        for what in LISTS.into_iter().chain(["game_over"]) {
            let Some(list) = node.get(what) else { continue };
            let texts = if what == "game_over" { names.ending(list) } else { names.texts(list) };
            lists.push((what, texts.map_err(|wrong| format!("{what}: {wrong}"))?));
        }
        let dislodged = node.get("dislodged").and_then(Node::items).unwrap_or_default();
        let attackers = dislodged.iter().any(|one| one.get("by").and_then(owner).is_some());
        let moves = by_name(node, "moves", "true or false", |value| match value.shape {
            Shape::Bool(succeeds) => Some(succeeds),
            _ => None,
        })?;
        let info = by_name(node, "info", "a string", |value| value.text().map(str::to_owned))?;
        Ok(Self { lists, attackers, moves, info })
    }
}

impl Step {
    fn of(node: &Node, names: &PowerNames) -> Result<Self, String> {
        let phase = node.get("phase").and_then(Node::text).unwrap_or_default();
        // A case without steps has only one phase, with a short name such as S1903M.
        let is_single = node.get("steps").is_none() && is_case(node);
        let asked = match phase.to_lowercase().as_str() {
            "movement" => StepKind::Movement,
            "retreat" | "retreats" => StepKind::Retreats,
            "end_of_turn" | "end of turn" => StepKind::EndOfTurn,
            "adjustment" | "adjustments" => StepKind::Adjustments,
            "" if is_single => StepKind::Movement,
            short if is_single && short.ends_with('m') => StepKind::Movement,
            short if is_single && short.ends_with('r') => StepKind::Retreats,
            short if is_single && short.ends_with('a') => StepKind::Adjustments,
            _ => {
                let last = if is_single {
                    ", adjustment, or a short name that ends with M, R or A, such as S1903M"
                } else {
                    " or adjustment"
                };
                let expected = "expected movement, retreat, end_of_turn";
                return Err(format!("`{phase}` is not a phase; {expected}{last}"));
            }
        };
        let of = |field: &Field| {
            let lines = text_list(&field.value)
                .map_err(|wrong| format!("orders: `{}`: {wrong}", field.name))?;
            let lines = lines.into_iter().map(str::to_owned).collect();
            Ok(PowerOrders { seat: names.index(&field.name)? as u32 + 1, lines })
        };
        let orders = fields_of(node, "orders")?.iter().map(of).collect::<Result<_, String>>()?;
        let phase = if phase.is_empty() { "movement" } else { phase };
        let (at, phase) = (node.at.clone(), phase.to_owned());
        Ok(Self { at, asked, phase, orders, expect: Expected::of(node, names)? })
    }
}

struct Play {
    names: PowerNames,
    variant: Variant,
    steps: Vec<Step>,
    next: usize,
    powers: Vec<Power>,
    dislodged: Vec<Dislodged>,
    attempts: Vec<Attempt>,
    colonizing: Vec<(u32, String)>,
    fall: bool,
    in_turn: bool,
    faults: Vec<Fault>,
}

impl Play {
    fn of(case: &Node) -> Result<Self, String> {
        let (names, variant) = PowerNames::of(case)?;
        let steps = match case.get("steps") {
            Some(steps) => match steps.items() {
                Some(steps) => steps.iter().map(|step| Step::of(step, &names)).collect(),
                None => Err(format!("steps: {}", steps.unexpected("a list"))),
            },
            None if case.get("expect").is_some() => Step::of(case, &names).map(|step| vec![step]),
            None => Err("the case has neither `steps` nor `expect`".to_owned()),
        };
        let start = case.get("start").unwrap_or(case);
        let season = start.get("season").or_else(|| case.get("season"));
        let season = season.or_else(|| case.get("phase")).and_then(Node::text).unwrap_or_default();
        Ok(Self {
            steps: steps?,
            next: 0,
            powers: powers(start, &names, variant)?,
            names,
            variant,
            dislodged: Vec::new(),
            attempts: Vec::new(),
            colonizing: Vec::new(),
            fall: season.starts_with(['f', 'F', 'a', 'A', 'w', 'W']),
            in_turn: false,
            faults: Vec::new(),
        })
    }

    fn asked(&self) -> Option<StepKind> {
        let asked = self.steps.get(self.next)?.asked;
        let turn_is_over =
            self.in_turn && matches!(asked, StepKind::Movement | StepKind::Adjustments);
        Some(if turn_is_over { StepKind::TacitEnd } else { asked })
    }

    fn situation(&self) -> Option<Situation> {
        let asked = self.asked()?;
        let orders = self.steps[self.next].orders.clone();
        let phase = match asked {
            StepKind::Movement => situation::Phase::Movement(MovementPhase { orders }),
            StepKind::Retreats => {
                let dislodged = self.dislodged.clone();
                situation::Phase::Retreats(RetreatPhase { dislodged, orders })
            }
            StepKind::Adjustments => situation::Phase::Adjustments(AdjustmentPhase { orders }),
            StepKind::EndOfTurn | StepKind::TacitEnd => situation::Phase::TurnEnd(TurnEnd {
                fall: self.fall,
                attempts: self.attempts.clone(),
                victory_centers: 0,
            }),
        };
        let (variant, powers) = (self.variant.into(), self.powers.clone());
        Some(Situation { variant, powers, phase: Some(phase) })
    }

    fn take(&mut self, answer: Result<Resolution, String>, info: bool) {
        let Some(asked) = self.asked() else { return };
        let step = &self.steps[self.next];
        let differences = match &answer {
            Ok(_) if asked == StepKind::TacitEnd => Vec::new(),
            Ok(found) => self.compare(step, found, info),
            Err(refused) => vec![refused.clone()],
        };
        if !differences.is_empty() {
            let step_at = Some((self.next + 1, step.phase.clone()));
            let (at, what) = (Some(step.at.clone()), differences.join("\n"));
            self.faults.push(Fault { step: step_at, at, what });
        }
        let Ok(found) = answer else {
            self.next = self.steps.len();
            return;
        };
        self.next += usize::from(asked != StepKind::TacitEnd);
        match asked {
            StepKind::Movement => {
                let colonizes = found.lines.iter().filter(|line| line.result == "pending");
                self.colonizing = colonizes.map(|line| (line.seat, line.line.clone())).collect();
                self.dislodged = found.dislodged;
                self.attempts = found.attempts;
                self.in_turn = true;
            }
            StepKind::Retreats => self.dislodged.clear(),
            StepKind::EndOfTurn | StepKind::TacitEnd => {
                self.attempts.clear();
                self.colonizing.clear();
                self.dislodged.clear();
                self.in_turn = false;
                self.fall = !self.fall;
            }
            StepKind::Adjustments => self.fall = false,
        }
        self.powers = found.powers;
    }

    fn compare(&self, step: &Step, found: &Resolution, info: bool) -> Vec<String> {
        let Expected { lists, attackers, moves, info: explained } = &step.expect;
        let mut all = Vec::new();
        for (what, expected) in lists {
            // Results are in the order of the power's lines, except for adjustments.
            let by_power = *what == "results" && step.asked != StepKind::Adjustments;
            all.extend(differs(what, expected, &self.found(what, *attackers, found), by_power));
        }
        for (order, succeeds) in moves {
            let word = if *succeeds { "succeeds" } else { "fails" };
            all.extend(line_differs("moves", order, word, &found.lines, |line| {
                (line.result == "succeeds") == *succeeds
            }));
        }
        for (order, word) in explained.iter().filter(|_| info) {
            all.extend(line_differs("info", order, word, &found.lines, |line| {
                word_of(&plain(order), word) == word_of(&plain(order), &line.result)
            }));
        }
        all
    }

    fn found(&self, what: &str, attackers: bool, found: &Resolution) -> Vec<String> {
        let names = &self.names;
        let each = |of: fn(&Power) -> Vec<String>| {
            let texts = |power: &Power| {
                let name = names.seat(power.seat);
                of(power).into_iter().map(move |text| format!("{name} {text}")).collect::<Vec<_>>()
            };
            found.powers.iter().flat_map(texts).collect()
        };
        match what {
            "units" => each(|power| power.units.iter().map(written).collect()),
            "orbit" => each(|power| {
                let armies = Some(power.orbit).filter(|armies| *armies > 0);
                armies.iter().map(u32::to_string).collect()
            }),
            "centers" => each(|power| power.centers.clone()),
            "colonies" => each(|power| power.colonies.clone()),
            "dislodged" => {
                let text = |one: &Dislodged| {
                    let unit = names.unit(one.unit.as_ref());
                    let from =
                        if one.attacked_from.is_empty() { "ORB" } else { &one.attacked_from };
                    let retreats = one.retreats.iter().map(String::as_str).collect();
                    driven_out(&unit, attackers.then(|| names.seat(one.by)), from, retreats)
                };
                found.dislodged.iter().map(text).collect()
            }
            "disbanded" => {
                let gone = found.retreats.iter();
                let gone = gone.filter(|report| matches!(report.fate, Some(Fate::Disbanded(_))));
                gone.map(|report| names.unit(report.unit.as_ref())).collect()
            }
            "results" => {
                let lines = found.lines.iter();
                lines.map(|line| format!("{} {}", names.seat(line.seat), spelled(line))).collect()
            }
            "colonize" => {
                let reports = found.turn_ended.iter().flat_map(|ended| &ended.colonizing);
                let lines = self.colonizing.iter().zip(reports);
                lines
                    .map(|((seat, order), report)| {
                        let result = if report.fault == 0 { "colonized" } else { "fails" };
                        format!("{} {}", names.seat(*seat), with_result(order, result, ""))
                    })
                    .collect()
            }
            "eliminated" => found.eliminated.iter().map(|seat| names.seat(*seat)).collect(),
            "game_over" => found.ending.as_ref().map_or_else(Vec::new, |ending| {
                let won = matches!(ending.reason(), EndReason::Centers | EndReason::LastStanding);
                let winners = ending.winners.iter().map(|seat| names.seat(*seat));
                let text =
                    |name| if won { format!("{name} winner") } else { format!("draw {name}") };
                winners.map(text).collect()
            }),
            _ => Vec::new(),
        }
    }
}

fn powers(start: &Node, names: &PowerNames, variant: Variant) -> Result<Vec<Power>, String> {
    let mut powers: Vec<Power> = (1..)
        .zip(&names.0)
        .map(|(seat, name)| Power {
            seat,
            code: if variant == Variant::OuterSpace { name.clone() } else { String::new() },
            ..Power::default()
        })
        .collect();
    for what in ["units", "orbit", "centers", "colonies"] {
        let Some(node) = start.get(what) else { continue };
        for text in names.texts(node).map_err(|wrong| format!("{what}: {wrong}"))? {
            let (power, text) = text.split_once(' ').unwrap_or((&text, ""));
            let power = &mut powers[names.index(power)?];
            match what {
                "units" => power.units.push(unit(text)?),
                "orbit" => {
                    let wrong = |_| format!("orbit: expected a number, found `{text}`");
                    power.orbit = text.parse().map_err(wrong)?;
                }
                "centers" => power.centers.push(text.to_owned()),
                _ => power.colonies.push(text.to_owned()),
            }
        }
    }
    Ok(powers)
}

/// Describes how two lists differ. Returns `None` if they are equal. With `by_power`, the order of
/// items matters within each power, otherwise not at all.
fn differs(what: &str, expected: &[String], found: &[String], by_power: bool) -> Option<String> {
    let spelled = |list: &[String]| {
        let mut list: Vec<String> = list.iter().map(|text| plain(text)).collect();
        if by_power {
            let power = |text: &String| text.split(' ').next().unwrap_or_default().to_owned();
            list.sort_by_key(power);
        } else {
            list.sort();
        }
        list
    };
    let listed =
        |list: &[String]| if list.is_empty() { "none".to_owned() } else { list.join(", ") };
    (spelled(expected) != spelled(found))
        .then(|| format!("{what}: expected {}, found {}", listed(expected), listed(found)))
}

/// Describes how the result of an order differs from the expected result. Returns `None` if they
/// are equal. If two powers gave the same order, one matching result is enough.
fn line_differs(
    what: &str,
    order: &str,
    word: &str,
    lines: &[LineReport],
    is: impl Fn(&LineReport) -> bool,
) -> Option<String> {
    let mut same = lines.iter().filter(|line| plain(&line.line) == plain(order)).peekable();
    let Some(first) = same.peek().copied() else {
        return Some(format!("{what}: `{order}` is not an order of this step"));
    };
    let text = || format!("{what}: expected {order}: {word}, found {}", first.text);
    (!same.any(is)).then(text)
}

fn plain(text: &str) -> String {
    let text = text.to_uppercase().replace('(', "/").replace(')', "").replace("ORBIT", "ORB");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn written(unit: &Unit) -> String {
    let letter = if unit.kind() == UnitKind::Fleet { 'F' } else { 'A' };
    format!("{letter} {}", unit.at)
}

fn unit(text: &str) -> Result<Unit, String> {
    let kind = |word: &str| match word {
        "A" | "a" => Some(UnitKind::Army),
        "F" | "f" => Some(UnitKind::Fleet),
        _ => None,
    };
    let mut words = text.split_whitespace();
    match (words.next().and_then(kind), words.next(), words.next()) {
        (Some(kind), Some(at), None) => Ok(Unit { kind: kind.into(), at: at.to_owned() }),
        _ => Err(format!("`{text}` is not a unit; expected a unit such as A Par or F Spa/nc")),
    }
}

fn driven_out(unit: &str, by: Option<String>, from: &str, mut retreats: Vec<&str>) -> String {
    retreats.sort_by_key(|to| plain(to));
    let from = from.split('/').next().unwrap_or_default();
    let by = by.map_or_else(String::new, |by| format!("{by} "));
    format!("{unit} by {by}{from} to [{}]", retreats.join(" "))
}

/// Converts the word for a result to lower case. Replaces "fails", and "void" for supports and
/// convoys, with "illegal".
fn word_of(order: &str, word: &str) -> String {
    let helps = order.contains(" S ") || order.contains(" C ");
    match word.to_lowercase().as_str() {
        "fails" => "illegal".to_owned(),
        "void" if helps => "illegal".to_owned(),
        other => other.to_owned(),
    }
}

fn with_result(order: &str, result: &str, reason: &str) -> String {
    let jammed = if reason == "jammed" { " (jammed)" } else { "" };
    format!("{order} {}{jammed}", word_of(&plain(order), result))
}

fn spelled(line: &LineReport) -> String {
    match &line.unit {
        Some(unit) if line.line.is_empty() => {
            let removed = format!("removed {}", written(unit));
            with_result("(civil disorder)", &removed, &line.reason)
        }
        _ => with_result(&line.line, &line.result, &line.reason),
    }
}

/// Returns the cases of a file, with errors for invalid lines. Returns `None` if the file contains
/// no cases or cannot be read.
pub fn read(path: &Path) -> Option<Vec<Result<Node, Flaws>>> {
    let text = std::fs::read_to_string(path).ok()?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let (_, first) = lines.clone().next()?;
    if parse(path, first).is_ok_and(|node| is_case(&node)) {
        return Some(lines.map(|(index, line)| parse_from(path, index + 1, line)).collect());
    }
    let node = parse(path, &text).ok()?;
    let is_scenario = node.get("game").is_some() || node.get("extends").is_some();
    let named = || node.get("cases").or_else(|| node.get("scenarios")).and_then(Node::items);
    match node.items().or_else(|| named().filter(|_| !is_scenario)) {
        Some(list) if list.first().is_some_and(is_case) => {
            Some(list.iter().cloned().map(Ok).collect())
        }
        _ => is_case(&node).then(|| vec![Ok(node)]),
    }
}

fn is_case(node: &Node) -> bool {
    node.get("game").is_none() && ["units", "start"].iter().any(|name| node.get(name).is_some())
}

/// Plays the cases of a file together, one phase of each per round, and reports each case. Without
/// an engine, reports only whether the cases are valid.
pub async fn run(
    path: &Path,
    cases: Vec<Result<Node, Flaws>>,
    info: bool,
    engine: Option<&Engine>,
    tell: &mut dyn FnMut(report::Result) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let begun = Instant::now();
    let count = cases.len().max(1) as u32;
    let mut plays: Vec<(String, Result<Play, Flaws>)> =
        (1..).zip(cases).map(|(number, case)| entry(number, case)).collect();
    if let Some(engine) = engine {
        let playable = plays.iter_mut().filter_map(|(_, play)| play.as_mut().ok());
        play_all(engine, &mut playable.collect::<Vec<_>>(), info).await?;
    }
    let time = begun.elapsed() / count;
    for (name, play) in plays {
        let faults = play.map_or_else(Fault::from_flaws, |play| play.faults);
        let path = path.to_owned();
        tell(report::Result { path, name, time, faults, ..report::Result::default() })?;
    }
    Ok(())
}

fn entry(number: usize, case: Result<Node, Flaws>) -> (String, Result<Play, Flaws>) {
    let case = match case {
        Ok(case) => case,
        Err(flaws) => return (format!("case {number}"), Err(flaws)),
    };
    let id = match case.get("id").map(Node::value) {
        None | Some(serde_json::Value::Null) => format!("case {number}"),
        Some(serde_json::Value::String(id)) => id,
        Some(other) => other.to_string(),
    };
    let title = case.get("title").and_then(Node::text).unwrap_or_default();
    let flaws = |what| Flaws::one(&case.at, format!("{what}."));
    (format!("{id} {title}").trim_end().to_owned(), Play::of(&case).map_err(flaws))
}

async fn play_all(engine: &Engine, plays: &mut [&mut Play], info: bool) -> Result<(), Failure> {
    loop {
        let open = plays.iter_mut().filter(|play| play.asked().is_some());
        let mut round: Vec<&mut Play> = open.map(|play| &mut **play).collect();
        if round.is_empty() {
            return Ok(());
        }
        for batch in round.chunks_mut(BATCH) {
            for (index, answer) in adjudicate(engine, batch).await? {
                batch[index].take(answer, info);
            }
        }
    }
}

type Answer = (usize, Result<Resolution, String>);

/// Resolves the next phase of each case. Removes rejected situations and resends the others.
/// Returns the results with the index of their case.
async fn adjudicate(engine: &Engine, batch: &[&mut Play]) -> Result<Vec<Answer>, Failure> {
    let mut answers = Vec::new();
    let mut open: Vec<usize> = (0..batch.len()).collect();
    let mut tries = 0;
    while !open.is_empty() {
        let situations = open.iter().filter_map(|index| batch[*index].situation()).collect();
        let status = match engine.adjudication().adjudicate(AdjudicateRequest { situations }).await
        {
            Ok(response) => {
                let resolutions = response.into_inner().resolutions.into_iter().map(Ok);
                answers.extend(open.into_iter().zip(resolutions));
                break;
            }
            Err(status) => status,
        };
        let at = rejected(&status).filter(|at| *at < open.len());
        let failure = Failure::from(status);
        if let Some(at) = at {
            answers.push((open.remove(at), Err(format!("The situation was rejected: {failure}"))));
        } else if failure.is_transient() && tries < TRIES {
            tries += 1;
            tokio::time::sleep(failure.report().wait.unwrap_or(PAUSE)).await;
        } else {
            return Err(failure);
        }
    }
    Ok(answers)
}

fn rejected(status: &Status) -> Option<usize> {
    let details = status.get_error_details();
    let field = &details.bad_request()?.field_violations.first()?.field;
    field.strip_prefix("situations[")?.split(']').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn cases(text: &str) -> Option<Vec<Result<Node, Flaws>>> {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), text).expect("the file can be written");
        read(file.path())
    }

    fn node(value: &Value) -> Node {
        parse(Path::new("a.json"), &value.to_string()).expect("JSON")
    }

    #[test]
    fn files_contain_cases_in_several_forms() {
        for (count, text) in [
            (1, r#"{ "id": "1", "units": {} }"#),
            (2, r#"[{ "units": {} }, {}]"#),
            (2, r#"{ "format": "x", "cases": [{ "units": {} }, {}] }"#),
            (1, r#"{ "scenarios": [{ "start": {} }] }"#),
            (3, "{ \"units\": {} }\n\n{ \"units\": {} }\n{ \"units\":"),
        ] {
            assert_eq!(cases(text).map(|cases| cases.len()), Some(count), "{text}");
        }
        for scenario in [r#"{ "game": "diplomacy", "cases": [{ "units": {} }] }"#, "{}", "[]", ""] {
            assert!(cases(scenario).is_none(), "{scenario}");
        }
        let broken = cases("{ \"units\": {} }\n{ \"units\":").expect("cases");
        let flaws = broken[1].as_ref().expect_err("the line is broken");
        assert_eq!(flaws.0[0].at.line, 2);
    }

    #[test]
    fn a_case_without_steps_is_one_phase() {
        let case = json!({ "id": 1, "phase": "F1903M", "units": { "France": ["A Par"] },
            "orders": { "France": ["A Par H"] }, "expect": { "units": { "France": ["A Par"] } } });
        let (name, play) = entry(4, Ok(node(&case)));
        let play = play.expect("a case");
        assert_eq!((name.as_str(), play.fall, play.steps.len()), ("1", true, 1));
        assert_eq!(play.steps[0].orders[0].seat, 3);
    }

    #[test]
    fn owners_are_read_by_power_or_by_province() {
        let (names, _) = PowerNames::of(&node(&json!({}))).expect("names");
        let texts = |value: Value| names.texts(&node(&value));
        let owned = Ok(vec!["Germany Ber".to_owned(), "Germany Kie".to_owned()]);
        assert_eq!(texts(json!({ "GER": ["Ber", "Kie"] })), owned);
        assert_eq!(texts(json!({ "Ber": "Germany", "Kie": "germany" })), owned);
    }

    #[test]
    fn unreadable_input_is_reported() -> Result<(), serde_json::Error> {
        let faults = include_str!("testdata/cases.json");
        for (case, what) in serde_json::from_str::<Vec<(Value, String)>>(faults)? {
            let (name, play) = entry(1, Ok(node(&case)));
            let flaws = play.err().unwrap_or_default().to_string();
            assert_eq!(name, "case 1");
            assert!(flaws.starts_with("a.json:1:1: ") && flaws.contains(&what), "{flaws}");
        }
        Ok(())
    }

    #[test]
    fn results_are_compared_in_any_spelling_by_the_order_of_lines() -> serde_json::Result<()> {
        let cases = include_str!("testdata/results.json");
        for (expect, found, differences) in
            serde_json::from_str::<Vec<(Value, Value, Vec<String>)>>(cases)?
        {
            let case = json!({ "units": {}, "steps": [{ "phase": "movement", "expect": expect }] });
            let play = Play::of(&node(&case)).expect("a case");
            let found = heliopause_proto::json::from_value(&found).expect("a resolution");
            assert_eq!(play.compare(&play.steps[0], &found, true), differences, "{expect}");
        }
        Ok(())
    }

    #[test]
    fn an_ending_is_read_by_short_names() {
        let (names, _) = PowerNames::of(&node(&json!({}))).expect("names");
        let read = |value: Value| names.ending(&node(&value));
        let draw = read(json!({ "draw": ["FRA", "Italy"] })).unwrap();
        assert_eq!(draw, ["draw France", "draw Italy"]);
        assert_eq!(read(json!({ "winner": "fra" })).unwrap(), ["France winner"]);
        assert_eq!(read(Value::Null).unwrap(), Vec::<String>::new());
    }
}
