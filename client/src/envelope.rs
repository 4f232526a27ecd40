//! A game's own messages as JSON, and the envelope around them.

use serde_json::Value;

/// What the envelope holds.
pub fn inner(envelope: Value) -> Value {
    match envelope {
        Value::Object(object) => {
            object.into_iter().next().map(|(_, message)| message).unwrap_or_default()
        }
        other => other,
    }
}

/// A game's own message inside the envelope, in proto3 JSON: `{"starshipsAtLarge": {...}}`. That of
/// a kind that is not known is called as the kind is, so that the engine says what is wrong.
pub fn in_envelope(kind: &str, message: Value) -> Value {
    let field = heliopause_games::field_of(kind).unwrap_or_else(|| kind.to_owned());
    Value::Object([(field, message)].into_iter().collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_kind_is_a_field_of_the_envelope() {
        assert_eq!(in_envelope("starships-at-large", json!(1)), json!({ "starshipsAtLarge": 1 }));
        assert_eq!(in_envelope("it-came-from-outer-space", json!(1)), json!({ "diplomacy": 1 }));
        assert_eq!(inner(json!({ "starshipsAtLarge": { "round": 1 } })), json!({ "round": 1 }));
    }
}
