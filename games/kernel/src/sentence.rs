//! Sentences about events, from a text file.
//!
//! A line has a rule, the kind of an event, conditions, and a sentence. The first line of the kind
//! applies whose conditions hold: `name=value`, `name=one|other`, or `name<number`.
//!
//! In a sentence, `{name}` stands for a value, `{Name}` for the same value with a capital letter,
//! and `{name:ship}` for a number of ships. Text in `[]` is omitted if one of its values is empty.
//! The values are the fields of the event, and their fields: `cargo.ore`. The only, unnamed field
//! of a variant is `it`.
//!
//! ```
//! use heliopause_kernel::Seat;
//! use heliopause_kernel::sentence::{FactList, Facts, Sentences};
//!
//! #[derive(Facts)]
//! enum Event {
//!     Sold { by: Seat, count: u8, to: Option<Seat> },
//!     Arrived { by: Seat, delay: u8 },
//! }
//!
//! let sentences = Sentences::read(
//!     "4.1 Sold => {by} sells {count:ship}[ to {to}].\n\
//!      5   Arrived delay<1 => {by} arrives.\n\
//!      5.1 Arrived => {by} arrives {delay:day} late.",
//! );
//! let names = |seat: Seat| ["Ann", "Bob"][seat.index()].to_owned();
//! let describe = |event: Event| sentences.describe(&FactList::of(&event, &names));
//! let (by, other) = (Seat::at(0), Seat::at(1));
//!
//! let sold = Event::Sold { by, count: 2, to: Some(other) };
//! assert_eq!(describe(sold), ("Ann sells 2 ships to Bob.".to_owned(), "4.1"));
//! assert_eq!(describe(Event::Sold { by, count: 1, to: None }).0, "Ann sells 1 ship.");
//! assert_eq!(describe(Event::Arrived { by, delay: 0 }).0, "Ann arrives.");
//! assert_eq!(describe(Event::Arrived { by, delay: 3 }).0, "Ann arrives 3 days late.");
//! assert!(sentences.missing::<Event>().is_empty());
//! ```

use std::collections::BTreeMap;

pub use heliopause_kernel_derive::Facts;

use crate::{Seat, SeatSet, count};

/// A function that returns the name of a seat.
pub type Names<'a> = &'a dyn Fn(Seat) -> String;

/// A type whose values occur in sentences. The derive adds the variant and the fields.
pub trait Facts {
    /// Adds the value with this name, and its fields as `name.field`.
    fn add_to(&self, list: &mut FactList<'_>, name: &str);

    /// Adds the names of all variants.
    fn kinds(_kinds: &mut Vec<&'static str>) {}
}

/// The values of an event, by name.
pub struct FactList<'a> {
    names: Names<'a>,
    facts: Vec<(String, String)>,
}

impl<'a> FactList<'a> {
    /// Returns the values of an event, whose kind has an empty name.
    pub fn of(event: &impl Facts, names: Names<'a>) -> Self {
        let mut list = Self { names, facts: Vec::new() };
        event.add_to(&mut list, "");
        list
    }

    /// Returns an event of this kind, without values.
    pub fn new(kind: &str, names: Names<'a>) -> Self {
        Self { names, facts: vec![(String::new(), kind.to_owned())] }
    }

    /// Adds a value as text.
    pub fn add(&mut self, name: &str, text: impl Into<String>) {
        self.facts.push((name.to_owned(), text.into()));
    }

    /// Adds a field of the value with the name `of`.
    pub fn add_field(&mut self, of: &str, field: &str, value: &impl Facts) {
        let dot = if of.is_empty() { "" } else { "." };
        value.add_to(self, &format!("{of}{dot}{field}"));
    }

    pub fn name_of(&self, seat: Seat) -> String {
        (self.names)(seat)
    }

    fn get(&self, name: &str) -> &str {
        let found = self.facts.iter().find(|(other, _)| other == name);
        found.map_or("", |(_, text)| text)
    }

    /// Returns the words for `name`, `Name` or `name:noun`.
    fn words(&self, slot: &str) -> String {
        if let Some((name, noun)) = slot.split_once(':') {
            return count(self.get(name).parse().unwrap_or_default(), noun);
        }
        let text = self.get(slot);
        if text.is_empty() && slot.starts_with(char::is_uppercase) {
            return with_first(self.get(&with_first(slot, char::to_lowercase)), char::to_uppercase);
        }
        text.to_owned()
    }

    fn holds(&self, condition: &str) -> bool {
        if let Some((name, limit)) = condition.split_once('<') {
            let numbers = (self.get(name).parse::<u64>(), limit.parse::<u64>());
            return matches!(numbers, (Ok(number), Ok(limit)) if number < limit);
        }
        let (name, values) = condition.split_once('=').unwrap_or_default();
        values.split('|').any(|value| value == self.get(name))
    }
}

/// Returns the text with its first letter changed.
fn with_first<L: Iterator<Item = char>>(text: &str, change: impl Fn(char) -> L) -> String {
    let mut letters = text.chars();
    letters.next().into_iter().flat_map(change).chain(letters).collect()
}

struct Line {
    rule: &'static str,
    conditions: Vec<&'static str>,
    sentence: &'static str,
}

/// The sentences of a text file, by kind of event.
pub struct Sentences(BTreeMap<&'static str, Vec<Line>>);

impl Sentences {
    /// Reads sentences. Skips empty lines, and lines that begin with `#`.
    pub fn read(text: &'static str) -> Self {
        let mut lines: BTreeMap<_, Vec<Line>> = BTreeMap::new();
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (head, sentence) = line.split_once(" => ").expect("a sentence after =>");
            let mut words = head.split_whitespace();
            let [rule, kind] = [words.next(), words.next()].map(Option::unwrap_or_default);
            let line = Line { rule, conditions: words.collect(), sentence };
            lines.entry(kind).or_default().push(line);
        }
        Self(lines)
    }

    /// Returns the sentence about an event and its rule.
    pub fn describe(&self, facts: &FactList<'_>) -> (String, &'static str) {
        let mut lines = self.0.get(facts.get("")).into_iter().flatten();
        let line = lines.find(|line| line.conditions.iter().all(|one| facts.holds(one)));
        line.map_or_else(|| (facts.get("").to_owned(), ""), |line| (line.filled(facts), line.rule))
    }

    /// Returns the kinds of events without a line that has no conditions, for tests.
    pub fn missing<T: Facts>(&self) -> Vec<&'static str> {
        let mut kinds = Vec::new();
        T::kinds(&mut kinds);
        let last = |kind: &str| self.0.get(kind).and_then(|lines| lines.last());
        kinds.retain(|kind| last(kind).is_none_or(|line| !line.conditions.is_empty()));
        kinds
    }
}

impl Line {
    fn filled(&self, facts: &FactList<'_>) -> String {
        let mut parts = self.sentence.split('[');
        let mut text = fill(parts.next().unwrap_or_default(), facts).0;
        for part in parts {
            let (optional, rest) = part.split_once(']').unwrap_or((part, ""));
            let (optional, is_whole) = fill(optional, facts);
            if is_whole {
                text += &optional;
            }
            text += &fill(rest, facts).0;
        }
        text
    }
}

/// Returns the text with its values, and whether none of them is empty.
fn fill(text: &str, facts: &FactList<'_>) -> (String, bool) {
    let mut parts = text.split('{');
    let mut filled = parts.next().unwrap_or_default().to_owned();
    let mut is_whole = true;
    for part in parts {
        let (slot, rest) = part.split_once('}').unwrap_or((part, ""));
        let words = facts.words(slot);
        is_whole &= !words.is_empty();
        filled += &words;
        filled += rest;
    }
    (filled, is_whole)
}

/// Implements [`Facts`] for types with `Display`.
#[macro_export]
macro_rules! facts_as_text {
    ($($type:ty),+ $(,)?) => {$(
        impl $crate::sentence::Facts for $type {
            fn add_to(&self, list: &mut $crate::sentence::FactList<'_>, name: &str) {
                list.add(name, self.to_string());
            }
        }
    )+};
}
facts_as_text!(bool, u8, u16, u32, usize, String);

impl Facts for Seat {
    fn add_to(&self, list: &mut FactList<'_>, name: &str) {
        list.add(name, (list.names)(*self));
    }
}

impl Facts for SeatSet {
    fn add_to(&self, list: &mut FactList<'_>, name: &str) {
        list.add(name, self.iter().map(list.names).collect::<Vec<_>>().join(", "));
    }
}

/// Adds an absent value as an empty one.
impl<T: Facts> Facts for Option<T> {
    fn add_to(&self, list: &mut FactList<'_>, name: &str) {
        match self {
            Some(value) => value.add_to(list, name),
            None => list.add(name, ""),
        }
    }
}

/// Adds a value, and a second one after a comma if there is one.
impl<T: std::fmt::Display> Facts for (T, Option<T>) {
    fn add_to(&self, list: &mut FactList<'_>, name: &str) {
        let (first, second) = self;
        let second = second.as_ref().map(|second| format!(", {second}")).unwrap_or_default();
        list.add(name, format!("{first}{second}"));
    }
}
