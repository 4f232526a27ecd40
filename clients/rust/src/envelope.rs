//! Adds and removes the envelope around game-specific messages in JSON.

use serde_json::Value;

/// Returns the message in an envelope, or null if the envelope is empty.
pub fn inner(envelope: Value) -> Value {
    match envelope {
        Value::Object(object) => {
            object.into_iter().next().map(|(_, message)| message).unwrap_or_default()
        }
        other => other,
    }
}

/// Puts a game-specific message into the envelope, in proto3 JSON: `{"starshipsAtLarge": {...}}`.
/// Returns a message that is already in an envelope unchanged. For an unknown kind, uses the kind
/// as the field name, so that the engine reports the error.
pub fn in_envelope(kind: &str, message: Value) -> Value {
    let field = field(kind);
    match &message {
        Value::Object(fields) if fields.len() == 1 && fields.contains_key(&field) => message,
        _ => Value::Object([(field, message)].into_iter().collect()),
    }
}

/// Returns the envelope's field for the messages of a kind of game.
pub fn field(kind: &str) -> String {
    heliopause_games::envelope_field(kind).unwrap_or_else(|| kind.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_kind_is_a_field_of_the_envelope() {
        assert_eq!(in_envelope("starships-at-large", json!(1)), json!({ "starshipsAtLarge": 1 }));
        assert_eq!(in_envelope("it-came-from-outer-space", json!(1)), json!({ "diplomacy": 1 }));
        let bare = json!({ "lastTurn": 8 });
        let enveloped = json!({ "starEmpires": bare });
        assert_eq!(in_envelope("star-empires", bare), enveloped);
        assert_eq!(in_envelope("star-empires", enveloped.clone()), enveloped, "as it is");
        assert_eq!(inner(json!({ "starshipsAtLarge": { "round": 1 } })), json!({ "round": 1 }));
    }
}
