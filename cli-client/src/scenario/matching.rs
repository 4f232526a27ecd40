//! Whether a message is as expected: a partial match of JSON, with the first difference.

use std::fmt;

use serde_json::{Map, Value};

/// The first place where a message is not as expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Where, for example `players[0].starships[1].at.q`.
    pub path: String,
    /// What was expected.
    pub expected: String,
    /// What is there.
    pub actual: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() { "(the whole)" } else { &self.path };
        write!(f, "at {path}\n  expected: {}\n  actual:   {}", self.expected, self.actual)
    }
}

/// Compares what is there with what is expected.
///
/// - An object matches if every field that is expected matches; others may be there.
/// - An array matches if it has the same length and every item matches.
/// - Numbers match as numbers, though proto3 JSON writes large ones as strings.
/// - What proto3 JSON leaves out is its zero value: `0`, `""`, `false`, `[]`, `{}`.
/// - `{"$any": true}` matches whatever is there, `{"$absent": true}` what is not there (or zero),
///   `{"$length": n}` an array or string of that length, `{"$contains": x}` an array with such an item (or, if `x` is an
///   array, with all such items) or a string with that text, `{"$not": x}` what does not match `x`.
pub fn compare(expected: &Value, actual: &Value) -> Result<(), Difference> {
    compare_at("", expected, actual)
}

fn compare_at(path: &str, expected: &Value, actual: &Value) -> Result<(), Difference> {
    if let Some((operator, operand)) = operator(expected) {
        return compare_operator(path, expected, operator, operand, actual);
    }
    match (expected, actual) {
        (Value::Object(fields), Value::Object(there)) => compare_object(path, fields, there),
        (Value::Object(fields), Value::Null) => compare_object(path, fields, &Map::new()),
        (Value::Array(items), Value::Array(there)) if items.len() == there.len() => {
            let pairs = items.iter().zip(there).enumerate();
            pairs
                .into_iter()
                .try_for_each(|(index, (item, there))| compare_at(&format!("{path}[{index}]"), item, there))
        }
        (Value::Array(items), Value::Array(there)) => Err(Difference {
            path: path.to_owned(),
            expected: format!("{} items: {expected}", items.len()),
            actual: format!("{} items: {}", there.len(), short(actual)),
        }),
        _ if same(expected, actual) => Ok(()),
        _ => Err(differ(path, expected, actual)),
    }
}

fn compare_object(path: &str, fields: &Map<String, Value>, there: &Map<String, Value>) -> Result<(), Difference> {
    fields.iter().try_for_each(|(name, expected)| {
        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        compare_at(&path, expected, there.get(name).unwrap_or(&Value::Null))
    })
}

/// The operator of an object such as `{"$length": 2}`.
fn operator(expected: &Value) -> Option<(&str, &Value)> {
    let fields = expected.as_object()?;
    let (name, operand) = fields.iter().next()?;
    (fields.len() == 1 && name.starts_with('$')).then_some((name.as_str(), operand))
}

fn compare_operator(
    path: &str,
    expected: &Value,
    name: &str,
    operand: &Value,
    actual: &Value,
) -> Result<(), Difference> {
    let holds = match name {
        "$any" => !actual.is_null(),
        "$absent" => is_zero(actual),
        "$length" => operand.as_u64() == Some(length(actual)),
        "$contains" => contains(operand, actual),
        "$not" => compare(operand, actual).is_err(),
        _ => {
            let expected = "one of $any, $absent, $length, $contains, $not".to_owned();
            return Err(Difference { path: path.to_owned(), expected, actual: format!("the operator {name}") });
        }
    };
    if holds { Ok(()) } else { Err(differ(path, expected, actual)) }
}

fn length(actual: &Value) -> u64 {
    let length = match actual {
        Value::Array(items) => items.len(),
        Value::String(text) => text.chars().count(),
        _ => 0,
    };
    length as u64
}

fn contains(operand: &Value, actual: &Value) -> bool {
    match (operand, actual) {
        (Value::String(text), Value::String(there)) => there.contains(text.as_str()),
        (Value::Array(all), Value::Array(there)) => {
            all.iter().all(|one| there.iter().any(|item| compare(one, item).is_ok()))
        }
        (one, Value::Array(there)) => there.iter().any(|item| compare(one, item).is_ok()),
        _ => false,
    }
}

fn same(expected: &Value, actual: &Value) -> bool {
    if let (Some(expected), Some(actual)) = (number(expected), number(actual)) {
        return expected == actual;
    }
    expected == actual || (is_zero(expected) && is_zero(actual))
}

/// A number, also one that proto3 JSON writes as a string. Whole numbers of 64 bits stay exact.
fn number(value: &Value) -> Option<i128> {
    match value {
        Value::Number(number) => number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from)),
        Value::String(text) => text.parse().ok(),
        _ => None,
    }
}

/// Whether proto3 JSON would leave it out.
fn is_zero(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(is) => !is,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty() || text == "0" || text.ends_with("_UNSPECIFIED"),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
    }
}

fn differ(path: &str, expected: &Value, actual: &Value) -> Difference {
    let actual = if actual.is_null() { "nothing (or its zero value)".to_owned() } else { short(actual) };
    Difference { path: path.to_owned(), expected: short(expected), actual }
}

/// JSON in one line, its middle left out if it is long.
fn short(value: &Value) -> String {
    const MAX: usize = 400;
    let text = value.to_string();
    if text.chars().count() <= MAX {
        return text;
    }
    let start: String = text.chars().take(MAX).collect();
    format!("{start}... ({} characters)", text.chars().count())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn matches(expected: &Value, actual: &Value) -> bool {
        compare(expected, actual).is_ok()
    }

    #[test]
    fn objects_match_in_part_and_arrays_as_a_whole() {
        let actual = json!({ "round": 3, "players": [{ "status": "A", "x": 1 }, { "status": "B" }] });
        assert!(matches(&json!({ "players": [{ "status": "A" }, {}] }), &actual));
        assert!(!matches(&json!({ "players": [{ "status": "A" }] }), &actual));
    }

    #[test]
    fn the_first_difference_is_told_with_its_path() {
        let difference = compare(&json!({ "a": [{ "b": 1 }] }), &json!({ "a": [{ "b": 2 }] })).err();
        let expected = Difference { path: "a[0].b".into(), expected: "1".into(), actual: "2".into() };
        assert_eq!(difference, Some(expected));
    }

    #[test]
    fn numbers_are_compared_as_numbers() {
        assert!(matches(&json!(12), &json!("12")));
        assert!(matches(&json!("12"), &json!(12)));
        assert!(!matches(&json!(12), &json!("13")));
        assert!(matches(&json!(u64::MAX), &json!(u64::MAX.to_string())));
    }

    #[test]
    fn what_proto3_leaves_out_is_zero() {
        let expected =
            json!({ "n": 0, "s": "", "b": false, "a": [], "m": {}, "e": "STATUS_UNSPECIFIED", "m2": { "n": 0 } });
        assert!(matches(&expected, &json!({})));
        assert!(!matches(&json!({ "n": 1 }), &json!({})));
        assert!(!matches(&json!({ "n": 0 }), &json!({ "n": 1 })));
    }

    #[test]
    fn operators() {
        let actual = json!({ "list": [{ "x": 1 }, { "x": 2 }], "text": "the Death Star", "n": 5 });
        assert!(matches(&json!({ "list": { "$contains": { "x": 2 } } }), &actual));
        assert!(matches(&json!({ "list": { "$contains": [{ "x": 2 }, { "x": 1 }] } }), &actual));
        assert!(!matches(&json!({ "list": { "$contains": { "x": 3 } } }), &actual));
        assert!(matches(&json!({ "list": { "$length": 2 }, "n": { "$any": true } }), &actual));
        assert!(matches(&json!({ "text": { "$contains": "Death" }, "gone": { "$absent": true } }), &actual));
        assert!(matches(&json!({ "n": { "$not": 6 }, "list": { "$not": { "$contains": { "x": 3 } } } }), &actual));
        assert!(!matches(&json!({ "n": { "$absent": true } }), &actual));
        assert!(!matches(&json!({ "gone": { "$any": true } }), &actual));
    }

    #[test]
    fn an_unknown_operator_never_matches() {
        let difference = compare(&json!({ "$regex": "x" }), &json!("x")).err();
        assert!(difference.is_some_and(|difference| difference.actual.contains("$regex")));
    }
}
