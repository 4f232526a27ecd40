//! Whether every expectation can fail: each expected value is altered in turn, and the recorded
//! answers must not fit it then.
//!
//! The game is played once. What is compared with the altered expectations is what the engine
//! answered to the true ones.

use std::collections::HashSet;

use serde_json::Value;

use crate::answers::Answers;
use crate::file::{Scenario, Step, Subject};
use crate::json::Place;
use crate::matching::{cut, holds};
use crate::pattern::{Entry, Order, Pattern, Scalar, Test};

/// How much of a value is shown.
const SHOWN: usize = 120;

/// An expected value that can be altered without anybody noticing.
#[derive(Debug, PartialEq, Eq)]
pub struct Unnoticed {
    /// Where it stands.
    pub at: Place,
    /// What stands there.
    pub shown: String,
}

/// What came of altering.
#[derive(Debug, Default)]
pub struct Found {
    /// How many values were altered.
    pub altered: usize,
    /// What nobody noticed.
    pub unnoticed: Vec<Unnoticed>,
}

/// Alters every value that a scenario expects, and compares with what was answered to each of its
/// steps.
pub fn alter(scenario: &Scenario, recorded: &[Answers]) -> Found {
    let mut found = Found::default();
    for (step, answers) in scenario.steps.iter().zip(recorded) {
        alter_step(step, answers, &mut found);
    }
    found
}

fn alter_step(step: &Step, answers: &Answers, found: &mut Found) {
    let refused = step.expect.refused.iter().map(|pattern| (Subject::Refused, pattern));
    let checks = step.expect.checks.iter().map(|check| (check.subject, &check.pattern));
    for (subject, pattern) in refused.chain(checks) {
        let answer = answers.get(&subject).unwrap_or(&Value::Null);
        let facts = Facts::of(answer);
        for one in alterations(pattern, &facts) {
            found.altered += 1;
            if one.altered.iter().all(|altered| holds(altered, answer)) {
                let shown = cut(&one.shown, SHOWN);
                found.unnoticed.push(Unnoticed { at: one.at, shown });
            }
        }
        if pattern.test.is_void() && subject != Subject::Refused {
            found.altered += 1;
            found
                .unnoticed
                .push(Unnoticed { at: pattern.at.clone(), shown: cut(&pattern.shown, SHOWN) });
        }
    }
}

/// A value of an expectation, and what the whole expectation becomes when it is another.
struct Alteration {
    at: Place,
    shown: String,
    /// One is noticed, or the value says nothing. Several where another item of a list may happen
    /// to be as it was altered to.
    altered: Vec<Pattern>,
}

impl Alteration {
    fn new(of: &Pattern, altered: impl IntoIterator<Item = Test>) -> Self {
        let with = |test| Pattern { test, ..of.clone() };
        Self {
            at: of.at.clone(),
            shown: of.shown.clone(),
            altered: altered.into_iter().map(with).collect(),
        }
    }
}

/// Every value that stands in an answer. What an expected value is altered to stands nowhere in it,
/// or an item that happens to be so would be taken for it.
struct Facts(HashSet<String>);

impl Facts {
    fn of(answer: &Value) -> Self {
        let mut facts = HashSet::new();
        gather(answer, &mut facts);
        Self(facts)
    }

    fn fresh(&self, value: &Scalar) -> Vec<Test> {
        let is = |value| Test::Is { value, or_left_out: false };
        match value {
            Scalar::Whole(number) => {
                // One of so many is in no answer that holds fewer.
                let mut others = (1..=self.0.len() as i128 + 1).map(|more| number + more);
                let other = others.find(|other| !self.0.contains(&other.to_string()));
                vec![is(Scalar::Whole(other.unwrap_or(i128::MAX)))]
            }
            Scalar::Real(number) => vec![is(Scalar::Real(number + 1.5))],
            Scalar::Text(text) => vec![is(Scalar::Text(format!("{text}*")))],
            Scalar::Truth(truth) => vec![is(Scalar::Truth(!truth)), Test::Nothing],
            Scalar::Name(_, others) => {
                let other = others
                    .iter()
                    .find(|other| !self.0.contains(*other) && !other.ends_with("_UNSPECIFIED"));
                vec![
                    other
                        .map_or(Test::Nothing, |other| is(Scalar::Name(other.clone(), Vec::new()))),
                ]
            }
            Scalar::Time(time) => {
                vec![is(Scalar::Time(*time + jiff::SignedDuration::from_secs(1)))]
            }
            Scalar::Span(span) => {
                vec![is(Scalar::Span(*span + jiff::SignedDuration::from_secs(1)))]
            }
        }
    }
}

fn gather(value: &Value, facts: &mut HashSet<String>) {
    match value {
        Value::String(text) => drop(facts.insert(text.clone())),
        Value::Number(number) => drop(facts.insert(number.to_string())),
        Value::Array(items) => items.iter().for_each(|item| gather(item, facts)),
        Value::Object(fields) => fields.values().for_each(|value| gather(value, facts)),
        Value::Null | Value::Bool(_) => {}
    }
}

/// Everything that can be altered in an expectation.
fn alterations(pattern: &Pattern, facts: &Facts) -> Vec<Alteration> {
    let leaf = |altered: Vec<Test>| vec![Alteration::new(pattern, altered)];
    match &pattern.test {
        Test::Is { value, .. } => leaf(facts.fresh(value)),
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
                let entries = fields.iter().zip(patterns);
                Test::Fields(
                    entries
                        .map(|(entry, pattern)| Entry { name: entry.name.clone(), pattern })
                        .collect(),
                )
            };
            within(pattern, &inner, facts, named)
        }
        Test::List(items) if items.is_empty() => leaf(vec![Test::Present]),
        Test::Only(items) if items.is_empty() => leaf(vec![Test::Present]),
        Test::List(items) => within(pattern, items, facts, Test::List),
        Test::Only(items) => within(pattern, items, facts, Test::Only),
        Test::InOrder(items) => within(pattern, items, facts, Test::InOrder),
        Test::Contains(items) => within(pattern, items, facts, Test::Contains),
        Test::Both(tests) => within(pattern, tests, facts, Test::Both),
        Test::All(item) => {
            within(pattern, std::slice::from_ref(&**item), facts, |items| one_of(items, Test::All))
        }
        Test::Length(is) => {
            within(pattern, std::slice::from_ref(&**is), facts, |items| one_of(items, Test::Length))
        }
        Test::Lacks(items) => widened(pattern, items, Test::Lacks),
        Test::Count { of, is } => counted(pattern, of, is, facts),
        Test::Either(alternatives) => {
            // Only the alternative that came can be seen to be altered, and only if no other stands
            // in for it.
            let alone = |index: usize| {
                let others = alternatives.iter().enumerate().map(|(other, alternative)| {
                    if other == index {
                        alternative.clone()
                    } else {
                        Pattern { test: Test::Nothing, ..alternative.clone() }
                    }
                });
                others.collect::<Vec<_>>()
            };
            (0..alternatives.len())
                .flat_map(|index| within(pattern, &alone(index), facts, Test::Either))
                .collect()
        }
    }
}

fn one_of(mut items: Vec<Pattern>, test: impl Fn(Box<Pattern>) -> Test) -> Test {
    items.pop().map_or(Test::Nothing, |item| test(Box::new(item)))
}

/// What can be altered in the parts of an expectation, each with the other parts as they are.
fn within(
    whole: &Pattern,
    parts: &[Pattern],
    facts: &Facts,
    put_together: impl Fn(Vec<Pattern>) -> Test,
) -> Vec<Alteration> {
    let mut all = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        for inner in alterations(part, facts) {
            let altered = inner.altered.into_iter().map(|altered| {
                let mut parts = parts.to_vec();
                parts[index] = altered;
                Pattern { test: put_together(parts), ..whole.clone() }
            });
            all.push(Alteration { at: inner.at, shown: inner.shown, altered: altered.collect() });
        }
    }
    all
}

/// What must not be there is altered into what is there: an item like any other. In an empty list
/// nobody notices, so nothing could have been found in it either.
fn widened(
    whole: &Pattern,
    items: &[Pattern],
    put_together: impl Fn(Vec<Pattern>) -> Test,
) -> Vec<Alteration> {
    let each = items.iter().enumerate().map(|(index, item)| {
        let mut wide = items.to_vec();
        wide[index].test = Test::Anything;
        let altered = Pattern { test: put_together(wide), ..whole.clone() };
        Alteration { at: item.at.clone(), shown: item.shown.clone(), altered: vec![altered] }
    });
    each.collect()
}

fn counted(whole: &Pattern, of: &Pattern, is: &Pattern, facts: &Facts) -> Vec<Alteration> {
    let count = |of: Pattern, is: Pattern| Test::Count { of: Box::new(of), is: Box::new(is) };
    let mut all = within(whole, std::slice::from_ref(is), facts, |items| {
        items.into_iter().next().map_or(Test::Nothing, |is| count(of.clone(), is))
    });
    if holds(is, &Value::from(0)) {
        // None is a number like others: that there are none can only be seen where there is
        // something else.
        all.extend(widened(whole, std::slice::from_ref(of), |items| {
            items.into_iter().next().map_or(Test::Nothing, |of| count(of, is.clone()))
        }));
    } else {
        all.extend(within(whole, std::slice::from_ref(of), facts, |items| {
            items.into_iter().next().map_or(Test::Nothing, |of| count(of, is.clone()))
        }));
    }
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

    /// What nobody notices, of what is expected of the events of seat 1.
    fn unnoticed(expected: &Value, told: Value) -> Vec<String> {
        let step = json!({ "close": true, "expect": { "events": { "1": expected } } });
        let file = json!({ "name": "x", "game": "starships-at-large", "steps": [step] });
        let file = File::parse(Path::new("x"), &file.to_string())
            .unwrap_or_else(|flaws| panic!("{flaws}"));
        let answers = Answers::from([(Subject::Events(Viewer::Seat(1)), told)]);
        let found = alter(&file.scenarios[0], &[answers]);
        assert!(found.altered > 0, "something is altered in {expected}");
        found.unnoticed.into_iter().map(|one| one.shown).collect()
    }

    #[test]
    fn what_is_compared_is_noticed() {
        let told = json!([
            { "number": "1", "text": "a", "game": { "actOfWar": { "attacker": 1, "defender": 2 } } },
            { "number": "2", "text": "b", "game": { "turnEnded": {} } }
        ]);
        for expected in [
            json!([{ "number": 1, "text": "a" }, { "game": { "turnEnded": {} } }]),
            json!({ "$contains": { "game": { "actOfWar": { "attacker": 1, "defender": { "$gte": 2 } } } } }),
            json!({ "$only": [{ "text": "b" }, { "text": { "$contains": "a" } }], "$length": 2 }),
            json!({ "$lacks": [{ "text": "c" }], "$count": { "of": { "text": "c" }, "is": 0 } }),
            json!({ "$all": { "text": { "$length": 1 } } }),
            json!([{ "text": { "$any": ["a", "x"] }, "rule": { "$absent": true }, "statusChanged": null }]),
        ] {
            assert_eq!(unnoticed(&expected, told.clone()), Vec::<String>::new(), "{expected}");
        }
        assert_eq!(unnoticed(&json!([]), json!([])), Vec::<String>::new());
    }

    #[test]
    fn what_says_nothing_is_found() {
        assert_eq!(
            unnoticed(&json!({ "$lacks": [{ "text": "c" }] }), json!([])),
            ["{\"text\":\"c\"}"]
        );
        assert_eq!(unnoticed(&json!({ "$contains": [] }), json!([])), ["{\"$contains\":[]}"]);
        let none = json!({ "$count": { "of": { "text": "c" }, "is": 0 } });
        assert_eq!(unnoticed(&none, json!([])).len(), 1);
    }
}
