//! A position in which one seat may break a promise. Another seat must then answer during the turn.

use heliopause_proto::json;
use heliopause_proto::v1::GamePosition;

pub(crate) fn position() -> GamePosition {
    let text = r#"{ "starshipsAtLarge": {
        "onTurn": 2,
        "hexes": [
            { "hex": { "q": 0, "r": 1 }, "marker": "MARKER_FRIENDLY", "owner": 1 },
            { "hex": { "q": 1, "r": 0 }, "marker": "MARKER_EMPTY" }
        ],
        "players": [
            { "starships": [
                { "serial": 1, "at": { "q": 0, "r": 0 } },
                { "serial": 2, "at": { "q": 0, "r": 1 } }
            ] },
            {},
            {}
        ]
    } }"#;
    json::from_text(text).expect("a position")
}
