//! Mutation tests of expectations: a changed value must make the comparison fail.
//!
//! The game is played only once. The mutated expectations are compared with its responses.

use std::collections::HashSet;
use std::slice;

use jiff::SignedDuration;
use serde_json::Value;

use crate::answers::Answers;
use crate::file::{Scenario, Step, Subject};
use crate::json::Place;
use crate::matching::{cut, holds};
use crate::pattern::{Entry, Order, Pattern, Scalar, Test};

const SHOWN: usize = 120;

/// An expected value whose mutation no comparison detects.
#[derive(Debug, PartialEq, Eq)]
pub struct Survivor {
    pub at: Place,
    pub shown: String,
}

/// The result of mutating a scenario.
#[derive(Debug, Default)]
pub struct Found {
    pub altered: usize,
    pub survivors: Vec<Survivor>,
}

/// Mutates every expected value and compares each mutation with the recorded responses.
pub fn mutate_all(scenario: &Scenario, recorded: &[Answers]) -> Found {
    let mut found = Found::default();
    for (step, answers) in scenario.steps.iter().zip(recorded) {
        mutate_step(step, answers, &mut found);
    }
    found
}

fn mutate_step(step: &Step, answers: &Answers, found: &mut Found) {
    let refused = step.expect.refused.iter().map(|pattern| (Subject::Refused, pattern));
    let checks = step.expect.checks.iter().map(|check| (check.subject, &check.pattern));
    for (subject, pattern) in refused.chain(checks) {
        let answer = answers.get(&subject).unwrap_or(&Value::Null);
        let mut facts = AnswerValues::new();
        gather(answer, &mut facts);
        for one in mutations(pattern, &facts) {
            found.altered += 1;
            if one.altered.iter().all(|altered| holds(altered, answer)) {
                let shown = cut(&one.shown, SHOWN);
                found.survivors.push(Survivor { at: one.at, shown });
            }
        }
        if pattern.test.matches_everything() && subject != Subject::Refused {
            found.altered += 1;
            found
                .survivors
                .push(Survivor { at: pattern.at.clone(), shown: cut(&pattern.shown, SHOWN) });
        }
    }
}

struct Mutation {
    at: Place,
    shown: String,
    /// The variants of the value. The comparison must detect at least one of them. In a list, one
    /// variant may match another item.
    altered: Vec<Pattern>,
}

impl Mutation {
    fn new(of: &Pattern, altered: impl IntoIterator<Item = Test>) -> Self {
        let with = |test| Pattern { test, ..of.clone() };
        Self {
            at: of.at.clone(),
            shown: of.shown.clone(),
            altered: altered.into_iter().map(with).collect(),
        }
    }
}

/// All values in a response. A mutated value must differ from all of them, because it could
/// otherwise match another item.
type AnswerValues = HashSet<String>;

fn gather(value: &Value, facts: &mut AnswerValues) {
    match value {
        Value::String(text) => drop(facts.insert(text.clone())),
        Value::Number(number) => drop(facts.insert(number.to_string())),
        Value::Array(items) => items.iter().for_each(|item| gather(item, facts)),
        Value::Object(fields) => fields.values().for_each(|value| gather(value, facts)),
        Value::Null | Value::Bool(_) => {}
    }
}

fn different_values(facts: &AnswerValues, value: &Scalar) -> Vec<Test> {
    const SECOND: SignedDuration = SignedDuration::from_secs(1);
    let other = match value {
        Scalar::Whole(number) => {
            // Of this many candidates at least one is not in the response.
            let mut others = (1..=facts.len() as i128 + 1).map(|more| number + more);
            let other = others.find(|other| !facts.contains(&other.to_string()));
            Scalar::Whole(other.unwrap_or(i128::MAX))
        }
        Scalar::Real(number) => Scalar::Real(number + 1.5),
        Scalar::Text(text) => Scalar::Text(format!("{text}*")),
        Scalar::Boolean(truth) => Scalar::Boolean(!truth),
        Scalar::Name(_, others) => {
            let is_new =
                |other: &&String| !facts.contains(*other) && !other.ends_with("_UNSPECIFIED");
            let Some(other) = others.iter().find(is_new) else { return vec![Test::Nothing] };
            Scalar::Name(other.clone(), Vec::new())
        }
        Scalar::Time(time) => Scalar::Time(*time + SECOND),
        Scalar::Span(span) => Scalar::Span(*span + SECOND),
    };
    let nothing = matches!(value, Scalar::Boolean(_)).then_some(Test::Nothing);
    std::iter::once(Test::Is { value: other, or_left_out: false }).chain(nothing).collect()
}

fn mutations(pattern: &Pattern, facts: &AnswerValues) -> Vec<Mutation> {
    let leaf = |altered: Vec<Test>| vec![Mutation::new(pattern, altered)];
    match &pattern.test {
        Test::Is { value, .. } => leaf(different_values(facts, value)),
        Test::Absent => leaf(vec![Test::Present, Test::Nothing]),
        Test::Present => leaf(vec![Test::Absent, Test::Nothing]),
        Test::Holds(text) => leaf(vec![Test::Holds(format!("{text}*"))]),
        Test::HoldsNot(_) => leaf(vec![Test::HoldsNot(String::new())]),
        Test::Compares(order, bound) => leaf(vec![Test::Compares(opposite(*order), bound.clone())]),
        Test::Not(_) => {
            leaf(vec![Test::Not(Box::new(Pattern { test: Test::Anything, ..pattern.clone() }))])
        }
        Test::Anything | Test::Nothing => Vec::new(),
        Test::Fields(fields) if fields.is_empty() => leaf(vec![Test::Absent, Test::Nothing]),
        Test::Fields(fields) => {
            let inner: Vec<Pattern> = fields.iter().map(|entry| entry.pattern.clone()).collect();
            let named = |patterns: Vec<Pattern>| {
                let names = fields.iter().map(|entry| entry.name.clone());
                let entries = names.zip(patterns).map(|(name, pattern)| Entry { name, pattern });
                Test::Fields(entries.collect())
            };
            mutate_parts(pattern, &inner, facts, named)
        }
        Test::List(items) if items.is_empty() => leaf(vec![Test::Present]),
        Test::Only(items) if items.is_empty() => leaf(vec![Test::Present]),
        Test::List(items) => mutate_parts(pattern, items, facts, Test::List),
        Test::Only(items) => mutate_parts(pattern, items, facts, Test::Only),
        Test::InOrder(items) => mutate_parts(pattern, items, facts, Test::InOrder),
        Test::Contains(items) => mutate_parts(pattern, items, facts, Test::Contains),
        Test::Both(tests) => mutate_parts(pattern, tests, facts, Test::Both),
        Test::All(item) => {
            mutate_parts(pattern, slice::from_ref(item), facts, |items| Test::All(only(items)))
        }
        Test::Length(is) => {
            mutate_parts(pattern, slice::from_ref(is), facts, |items| Test::Length(only(items)))
        }
        Test::Lacks(items) => match_anything(pattern, items, Test::Lacks),
        Test::Count { of, is } => mutate_count(pattern, of, is, facts),
        Test::Either(alternatives) => {
            // Only the alternative that matched can fail, and only if no other matches instead.
            let alone = |index: usize| {
                let mut all = alternatives.clone();
                for (other, alternative) in all.iter_mut().enumerate() {
                    if other != index {
                        alternative.test = Test::Nothing;
                    }
                }
                all
            };
            (0..alternatives.len())
                .flat_map(|index| mutate_parts(pattern, &alone(index), facts, Test::Either))
                .collect()
        }
    }
}

#[expect(clippy::unnecessary_box_returns, reason = "tests contain boxed patterns")]
fn only(mut items: Vec<Pattern>) -> Box<Pattern> {
    Box::new(items.remove(0))
}

fn mutate_parts(
    whole: &Pattern,
    parts: &[Pattern],
    facts: &AnswerValues,
    put_together: impl Fn(Vec<Pattern>) -> Test,
) -> Vec<Mutation> {
    let mut all = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        for inner in mutations(part, facts) {
            let altered = inner.altered.into_iter().map(|altered| {
                let mut parts = parts.to_vec();
                parts[index] = altered;
                Pattern { test: put_together(parts), ..whole.clone() }
            });
            all.push(Mutation { at: inner.at, shown: inner.shown, altered: altered.collect() });
        }
    }
    all
}

/// Mutates each item that must be absent so that it matches any item. An empty list cannot detect
/// this mutation.
fn match_anything(
    whole: &Pattern,
    items: &[Pattern],
    put_together: impl Fn(Vec<Pattern>) -> Test,
) -> Vec<Mutation> {
    let each = items.iter().enumerate().map(|(index, item)| {
        let mut wide = items.to_vec();
        wide[index].test = Test::Anything;
        let altered = Pattern { test: put_together(wide), ..whole.clone() };
        Mutation { at: item.at.clone(), shown: item.shown.clone(), altered: vec![altered] }
    });
    each.collect()
}

fn mutate_count(
    whole: &Pattern,
    of: &Pattern,
    is: &Pattern,
    facts: &AnswerValues,
) -> Vec<Mutation> {
    let count = |of: Box<Pattern>, is: Box<Pattern>| Test::Count { of, is };
    let with_of = |items| count(only(items), Box::new(is.clone()));
    let mut all = mutate_parts(whole, slice::from_ref(is), facts, |items| {
        count(Box::new(of.clone()), only(items))
    });
    let of = slice::from_ref(of);
    // A count of zero can be tested only if the list has other items.
    all.extend(if holds(is, &Value::from(0)) {
        match_anything(whole, of, with_of)
    } else {
        mutate_parts(whole, of, facts, with_of)
    });
    all
}

fn opposite(order: Order) -> Order {
    match order {
        Order::Above => Order::AtMost,
        Order::AtLeast => Order::Below,
        Order::Below => Order::AtLeast,
        Order::AtMost => Order::Above,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::json;

    use super::*;
    use crate::file::{File, Viewer};

    fn survivors(expected: &Value, told: Value) -> Vec<String> {
        let step = json!({ "close": true, "expect": { "events": { "1": expected } } });
        let file = json!({ "name": "x", "game": "starships-at-large", "steps": [step] });
        let file = File::parse(Path::new("x"), &file.to_string())
            .unwrap_or_else(|flaws| panic!("{flaws}"));
        let answers = Answers::from([(Subject::Events(Viewer::Seat(1)), told)]);
        let found = mutate_all(&file.scenarios[0], &[answers]);
        assert!(found.altered > 0, "something is altered in {expected}");
        found.survivors.into_iter().map(|one| one.shown).collect()
    }

    #[test]
    fn mutations_of_compared_values_are_detected_and_void_expectations_found()
    -> serde_json::Result<()> {
        let cases = include_str!("testdata/mutations.json");
        for (expected, told, found) in
            serde_json::from_str::<Vec<(Value, Value, Vec<String>)>>(cases)?
        {
            assert_eq!(survivors(&expected, told), found, "{expected}");
        }
        Ok(())
    }
}
