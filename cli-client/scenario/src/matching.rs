//! Compares a response with its expectation and lists the differences.

use std::fmt;

use heliopause_render::text::count;
use serde_json::Value;

use crate::json::Place;
use crate::pattern::{Entry, Order, Pattern, Scalar, Test, span};

const NEAREST_SHOWN: usize = 4;
const SHOWN: usize = 240;

/// A difference between a response and its expectation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    pub at: Place,
    /// The path in the response, for example `players[0].starships[1].at.q`.
    pub path: String,
    pub expected: String,
    pub actual: String,
    /// The most similar item and its differences, if a list lacks the expected item.
    pub nearest: Nearest,
}

type Nearest = Option<(String, Vec<Difference>)>;

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { expected, actual, .. } = self;
        let at = if self.path.is_empty() { String::new() } else { format!(" at {}", self.path) };
        write!(f, "line {}{at}\n  expected: {expected}\n  actual:   {actual}", self.at.line)?;
        if let Some((item, differences)) = &self.nearest {
            write!(f, "\n  nearest:  {item}")?;
            for one in differences {
                let Self { at: Place { line, .. }, expected, actual, .. } = one;
                let at = if one.path.is_empty() { String::new() } else { format!(" {}", one.path) };
                write!(f, "\n    line {line}{at}: expected {expected}, actual {actual}")?;
            }
        }
        Ok(())
    }
}

/// Returns all differences between a response and its expectation.
///
/// A response is proto3 JSON. A set message is an object, even if empty. Unset fields are omitted,
/// and so are zero values of fields without presence.
pub fn differences(pattern: &Pattern, answer: &Value) -> Vec<Difference> {
    let mut found = Found { all: true, list: Vec::new() };
    found.compare(pattern, answer, &Trail::Whole);
    found.list
}

/// Returns whether a response meets its expectation.
pub fn holds(pattern: &Pattern, answer: &Value) -> bool {
    let mut found = Found { all: false, list: Vec::new() };
    found.compare(pattern, answer, &Trail::Whole);
    found.list.is_empty()
}

#[derive(Clone, Copy)]
enum Trail<'a> {
    Whole,
    Field(&'a Trail<'a>, &'a str),
    Item(&'a Trail<'a>, usize, &'a Value),
}

impl fmt::Display for Trail<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => Ok(()),
            Self::Field(Self::Whole, name) => f.write_str(name),
            Self::Field(before, name) => write!(f, "{before}.{name}"),
            Self::Item(before, index, item) => match label(item) {
                Some(label) => write!(f, "{before}[{index} {label}]"),
                None => write!(f, "{before}[{index}]"),
            },
        }
    }
}

fn label(item: &Value) -> Option<String> {
    const NAMES: [&str; 9] =
        ["name", "serial", "code", "id", "number", "seat", "notation", "text", "province"];
    let fields = item.as_object()?;
    let named = NAMES.iter().find_map(|name| Some((*name, fields.get(*name)?)));
    let text = |value: &Value| match value {
        Value::String(text) => Some(format!("\"{}\"", cut(text, 60))),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    match named {
        Some((name, value @ Value::Number(_))) => Some(format!("{name} {value}")),
        Some((_, value)) => text(value),
        None if fields.len() == 1 => fields.keys().next().cloned(),
        None => None,
    }
}

struct Found {
    all: bool,
    list: Vec<Difference>,
}

impl Found {
    fn is_enough(&self) -> bool {
        !self.all && !self.list.is_empty()
    }

    fn differ(&mut self, pattern: &Pattern, actual: String, trail: &Trail<'_>, near: Nearest) {
        self.tell(pattern, &pattern.shown, actual, trail, near);
    }

    fn tell(
        &mut self,
        pattern: &Pattern,
        expected: &str,
        actual: String,
        trail: &Trail<'_>,
        nearest: Nearest,
    ) {
        // The path is needed only to report differences.
        let path = if self.all { trail.to_string() } else { String::new() };
        let expected = cut(expected, SHOWN);
        self.list.push(Difference { at: pattern.at.clone(), path, expected, actual, nearest });
    }

    fn compare(&mut self, pattern: &Pattern, actual: &Value, trail: &Trail<'_>) {
        if self.is_enough() {
            return;
        }
        match &pattern.test {
            Test::Fields(entries) => self.compare_fields(pattern, entries, actual, trail),
            Test::List(items) => self.compare_list(pattern, items, actual, trail),
            Test::InOrder(items) => self.compare_order(items, list(actual), trail),
            Test::Contains(items) => {
                self.compare_contents(pattern, items, list(actual), false, trail);
            }
            Test::Only(items) => self.compare_contents(pattern, items, list(actual), true, trail),
            Test::Lacks(items) => self.compare_lacks(items, list(actual), trail),
            Test::All(each) => self.compare_all(pattern, each, list(actual), trail),
            Test::Count { of, is } => {
                let count = list(actual).iter().filter(|item| holds(of, item)).count();
                if !holds(is, &Value::from(count)) {
                    let told = format!("{count} of {}", list(actual).len());
                    self.differ(pattern, told, trail, None);
                }
            }
            Test::Length(is) => {
                let length = length(actual);
                if !holds(is, &Value::from(length)) {
                    let told = format!("length {length}: {}", shown(actual));
                    self.differ(pattern, told, trail, None);
                }
            }
            Test::Both(tests) => tests.iter().for_each(|one| self.compare(one, actual, trail)),
            test => {
                if !test_scalar(test, actual) {
                    self.differ(pattern, shown(actual), trail, None);
                }
            }
        }
    }

    fn compare_fields(
        &mut self,
        pattern: &Pattern,
        entries: &[Entry],
        actual: &Value,
        trail: &Trail<'_>,
    ) {
        // A missing message is one difference, not one for each of its fields.
        let Value::Object(there) = actual else {
            return self.differ(pattern, shown(actual), trail, None);
        };
        for entry in entries {
            let value = there.get(&entry.name).unwrap_or(&Value::Null);
            self.compare(&entry.pattern, value, &Trail::Field(trail, &entry.name));
        }
    }

    fn compare_list(
        &mut self,
        pattern: &Pattern,
        items: &[Pattern],
        actual: &Value,
        trail: &Trail<'_>,
    ) {
        let there = list(actual);
        if items.len() == there.len() {
            for (index, (item, actual)) in items.iter().zip(there).enumerate() {
                self.compare(item, actual, &Trail::Item(trail, index, actual));
            }
            return;
        }
        let expected = match items.len() {
            0 => "nothing".to_owned(),
            number => format!("{}: {}", count(number, "item"), pattern.shown),
        };
        let told = format!("{}: {}", count(there.len(), "item"), each(there));
        self.tell(pattern, &expected, told, trail, None);
        if self.all && !items.is_empty() {
            for unmet in Matching::of(items, there).unmet() {
                let nearest = nearest(&items[unmet], there.iter().enumerate(), trail);
                self.differ(&items[unmet], "no item matches".into(), trail, nearest);
            }
        }
    }

    fn compare_order(&mut self, items: &[Pattern], there: &[Value], trail: &Trail<'_>) {
        let mut next = 0;
        for item in items {
            if let Some(index) = there[next..].iter().position(|actual| holds(item, actual)) {
                next += index + 1;
                continue;
            }
            let earlier = there[..next].iter().any(|actual| holds(item, actual));
            let what = match (there.is_empty(), earlier) {
                (true, _) => "nothing".to_owned(),
                (false, true) => "a match only before the match of an earlier pattern".to_owned(),
                (false, false) => format!("no match in {}", count(there.len(), "item")),
            };
            let nearest = if earlier {
                None
            } else {
                nearest(item, there.iter().enumerate().skip(next), trail)
            };
            self.differ(item, what, trail, nearest);
            if self.is_enough() {
                return;
            }
        }
    }

    fn compare_contents(
        &mut self,
        pattern: &Pattern,
        items: &[Pattern],
        there: &[Value],
        nothing_else: bool,
        trail: &Trail<'_>,
    ) {
        let matched = Matching::of(items, there);
        for unmet in matched.unmet() {
            let free = there.iter().enumerate().filter(|(index, _)| !matched.is_taken(*index));
            let what = match there.iter().filter(|actual| holds(&items[unmet], actual)).count() {
                0 if there.is_empty() => "an empty list".to_owned(),
                0 => format!("no match in {}", count(there.len(), "item")),
                number => {
                    format!("{number} matching items, all matched by other patterns in the list")
                }
            };
            let nearest = nearest(&items[unmet], free, trail);
            self.differ(&items[unmet], what, trail, nearest);
            if self.is_enough() {
                return;
            }
        }
        if nothing_else {
            for (index, extra) in
                there.iter().enumerate().filter(|(index, _)| !matched.is_taken(*index))
            {
                let trail = Trail::Item(trail, index, extra);
                self.tell(pattern, "no other item", shown(extra), &trail, None);
            }
        }
    }

    fn compare_lacks(&mut self, items: &[Pattern], there: &[Value], trail: &Trail<'_>) {
        for unwanted in items {
            let found = there.iter().enumerate().find(|(_, actual)| holds(unwanted, actual));
            if let Some((index, actual)) = found {
                let expected = format!("no item that matches {}", unwanted.shown);
                let trail = Trail::Item(trail, index, actual);
                self.tell(unwanted, &expected, shown(actual), &trail, None);
            }
        }
    }

    fn compare_all(
        &mut self,
        pattern: &Pattern,
        item: &Pattern,
        there: &[Value],
        trail: &Trail<'_>,
    ) {
        if there.is_empty() {
            self.tell(pattern, "at least one item, all matching", "nothing".into(), trail, None);
        }
        for (index, actual) in there.iter().enumerate() {
            self.compare(item, actual, &Trail::Item(trail, index, actual));
        }
    }
}

fn test_scalar(test: &Test, actual: &Value) -> bool {
    match test {
        Test::Is { value, or_left_out } => is(value, actual) || (*or_left_out && actual.is_null()),
        Test::Absent => actual.is_null() || actual.as_array().is_some_and(Vec::is_empty),
        Test::Present => !actual.is_null() && !actual.as_array().is_some_and(Vec::is_empty),
        Test::Holds(text) => actual.as_str().is_some_and(|there| there.contains(text.as_str())),
        Test::HoldsNot(text) => !actual.as_str().unwrap_or_default().contains(text.as_str()),
        Test::Compares(order, bound) => compares(*order, bound, actual),
        Test::Either(alternatives) => alternatives.iter().any(|one| holds(one, actual)),
        Test::Not(unwanted) => !holds(unwanted, actual),
        Test::Anything => true,
        _ => false,
    }
}

fn is(expected: &Scalar, actual: &Value) -> bool {
    match expected {
        Scalar::Whole(number) => whole(actual) == Some(*number),
        Scalar::Real(number) => {
            real(actual).is_some_and(|there| there.to_bits() == number.to_bits())
        }
        Scalar::Text(text) | Scalar::Name(text, _) => actual.as_str() == Some(text),
        Scalar::Boolean(is) => actual.as_bool() == Some(*is),
        Scalar::Time(_) | Scalar::Span(_) => {
            ordering(expected, actual) == Some(std::cmp::Ordering::Equal)
        }
    }
}

fn compares(order: Order, bound: &Scalar, actual: &Value) -> bool {
    use std::cmp::Ordering::{Equal, Greater, Less};
    // An omitted number is zero. An omitted time is not set.
    let zero = Value::from(0);
    let left_out = actual.is_null() && matches!(bound, Scalar::Whole(_) | Scalar::Real(_));
    let found = ordering(bound, if left_out { &zero } else { actual });
    match order {
        Order::Above => found == Some(Greater),
        Order::AtLeast => matches!(found, Some(Greater | Equal)),
        Order::Below => found == Some(Less),
        Order::AtMost => matches!(found, Some(Less | Equal)),
    }
}

fn ordering(bound: &Scalar, actual: &Value) -> Option<std::cmp::Ordering> {
    match bound {
        Scalar::Whole(bound) => whole(actual).map(|there| there.cmp(bound)),
        Scalar::Real(bound) => real(actual).and_then(|there| there.partial_cmp(bound)),
        Scalar::Time(bound) => {
            actual.as_str()?.parse::<jiff::Timestamp>().ok().map(|there| there.cmp(bound))
        }
        Scalar::Span(bound) => span(actual.as_str()?).map(|there| there.cmp(bound)),
        Scalar::Text(_) | Scalar::Boolean(_) | Scalar::Name(..) => None,
    }
}

/// Returns the value as an integer, or `None` for other values. proto3 JSON writes 64-bit integers
/// as strings.
fn whole(value: &Value) -> Option<i128> {
    match value {
        Value::Number(number) => {
            number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from))
        }
        Value::String(text) => text.parse().ok(),
        _ => None,
    }
}

fn real(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str().and_then(|text| text.parse().ok()))
}

fn list(actual: &Value) -> &[Value] {
    actual.as_array().map_or(&[], Vec::as_slice)
}

fn length(actual: &Value) -> usize {
    match actual {
        Value::Array(items) => items.len(),
        Value::String(text) => text.chars().count(),
        _ => 0,
    }
}

struct Matching {
    met: Vec<Option<usize>>,
}

impl Matching {
    /// Finds a maximum matching with Kuhn's algorithm.
    fn of(items: &[Pattern], there: &[Value]) -> Self {
        let fits: Vec<Vec<usize>> = items
            .iter()
            .map(|item| (0..there.len()).filter(|index| holds(item, &there[*index])).collect())
            .collect();
        let mut owner: Vec<Option<usize>> = vec![None; there.len()];
        for item in 0..items.len() {
            place(item, &fits, &mut owner, &mut vec![false; there.len()]);
        }
        let mut met = vec![None; items.len()];
        for (index, item) in owner.iter().enumerate() {
            if let Some(item) = item {
                met[*item] = Some(index);
            }
        }
        Self { met }
    }

    fn unmet(&self) -> impl Iterator<Item = usize> {
        self.met.iter().enumerate().filter(|(_, met)| met.is_none()).map(|(item, _)| item)
    }

    fn is_taken(&self, index: usize) -> bool {
        self.met.contains(&Some(index))
    }
}

/// Assigns an item to an expectation, and moves earlier expectations to other items if necessary.
/// Returns false if no assignment exists.
fn place(item: usize, fits: &[Vec<usize>], owner: &mut [Option<usize>], seen: &mut [bool]) -> bool {
    for &index in &fits[item] {
        if std::mem::replace(&mut seen[index], true) {
            continue;
        }
        let free = match owner[index] {
            None => true,
            Some(other) => place(other, fits, owner, seen),
        };
        if free {
            owner[index] = Some(item);
            return true;
        }
    }
    false
}

fn nearest<'a>(
    wanted: &Pattern,
    items: impl Iterator<Item = (usize, &'a Value)>,
    trail: &Trail<'_>,
) -> Nearest {
    let scored = items.map(|(index, item)| (score(wanted, item), index, item));
    let (_, index, item) =
        scored.max_by_key(|(score, index, _)| (*score, std::cmp::Reverse(*index)))?;
    let mut differences = differences(wanted, item);
    differences.truncate(NEAREST_SHOWN);
    Some((format!("{} {}", Trail::Item(trail, index, item), shown(item)), differences))
}

/// Scores how much of an expectation an item meets, from 0 to `ALL`.
fn score(wanted: &Pattern, actual: &Value) -> usize {
    const ALL: usize = 1_000_000;
    match &wanted.test {
        Test::Fields(entries) => match actual.as_object() {
            // The right type of message counts even if none of its fields fit.
            Some(there) => {
                let field = |entry: &Entry| {
                    score(&entry.pattern, there.get(&entry.name).unwrap_or(&Value::Null))
                };
                let met: usize = entries.iter().map(field).sum();
                let share = met.checked_div(entries.len()).unwrap_or(ALL);
                ALL / 10 + share / 10 * 9
            }
            None => 0,
        },
        Test::List(items) => {
            let there = list(actual);
            let met: usize = items.iter().zip(there).map(|(item, there)| score(item, there)).sum();
            met / items.len().max(there.len()).max(1)
        }
        _ if holds(wanted, actual) => ALL,
        _ => 0,
    }
}

fn shown(actual: &Value) -> String {
    if actual.is_null() { "nothing".to_owned() } else { cut(&actual.to_string(), SHOWN) }
}

fn each(there: &[Value]) -> String {
    if there.is_empty() {
        return "none".into();
    }
    let items: Vec<String> = there.iter().map(shown).collect();
    format!("\n    {}", items.join("\n    "))
}

/// Truncates text to `most` characters and appends `...` if it is longer.
pub fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::{Messages, Type, message};
    use crate::json::{Flaws, parse};
    use crate::pattern::{Compiler, Presence};

    fn pattern(kind: &str, expected: &Value) -> Pattern {
        let messages = Messages::of("starships-at-large").unwrap_or_else(|error| panic!("{error}"));
        let text = serde_json::to_string_pretty(expected).unwrap_or_default();
        let node =
            parse(std::path::Path::new("x"), &text).unwrap_or_else(|flaws| panic!("{flaws}"));
        let mut flaws = Flaws::default();
        let kind = message(&format!("heliopause.v1.{kind}")).unwrap_or_else(|why| panic!("{why}"));
        let pattern =
            Compiler::new(&messages, &mut flaws).read(&node, &Type::Message(kind), Presence::Known);
        assert_eq!(flaws.to_string(), "", "{expected}");
        pattern
    }

    #[test]
    fn patterns_hold_or_fail_as_listed() -> Result<(), serde_json::Error> {
        let cases: Vec<Value> = serde_json::from_str(include_str!("testdata/matching.json"))?;
        for case in &cases {
            for (list, expected) in [("holds", true), ("fails", false)] {
                for one in case[list].as_array().into_iter().flatten() {
                    let found =
                        holds(&pattern(case["message"].as_str().unwrap(), one), &case["actual"]);
                    assert_eq!(found, expected, "{}: {one}", case["rule"]);
                }
            }
        }
        Ok(())
    }

    #[test]
    fn differences_have_lines_item_labels_and_the_nearest_item() -> serde_json::Result<()> {
        let cases = include_str!("testdata/differences.json");
        for (expected, actual, told) in
            serde_json::from_str::<Vec<(Value, Value, Vec<String>)>>(cases)?
        {
            let found = differences(&pattern("Game", &expected), &actual);
            let found: Vec<String> = found.iter().map(Difference::to_string).collect();
            assert_eq!(found, told, "{expected}");
        }
        Ok(())
    }
}
