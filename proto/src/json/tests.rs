use prost_types::Timestamp;
use serde_json::json;

use super::*;
use crate::v1::{
    CreateSandboxGameRequest, Cursor, Game, GameOrder, GameStatus, Offers, Pace, PhasePace,
};

fn fault<M: Message + Name + Default>(json: &Value) -> String {
    from_value::<M>(json).err().expect("it is wrong").to_string()
}

#[test]
fn messages_follow_the_proto3_json_mapping() {
    let interval = prost_types::Duration { seconds: 86_400, nanos: 500_000_000 };
    let game = Game {
        game_id: "g".to_owned(),
        status: GameStatus::Running.into(),
        your_seat: Some(0),
        pace: Some(Pace {
            by_kind: [(
                "turn".to_owned(),
                PhasePace { interval: Some(interval), ..PhasePace::default() },
            )]
            .into(),
            close_early: Some(false),
            utc_offset_minutes: -90,
            ..Pace::default()
        }),
        create_time: Some(Timestamp { seconds: 1_893_456_000, nanos: 1_000_000 }),
        ..Game::default()
    };
    let written = json!({
        "gameId": "g", "status": "GAME_STATUS_RUNNING", "yourSeat": 0,
        "pace": {
            "byKind": { "turn": { "interval": "86400.500s" } }, "closeEarly": false,
            "utcOffsetMinutes": -90
        },
        "createTime": "2030-01-01T00:00:00.001Z"
    });
    assert_eq!(to_value(&game), written);
    assert_eq!(from_value(&written), Ok(game.clone()));
    assert_eq!(from_text(&to_line(&game)), Ok(game));
    let cursor = Cursor { number: 9_007_199_254_740_993, ..Cursor::default() };
    assert_eq!(to_line(&cursor), r#"{"number":"9007199254740993"}"#);
    assert_eq!(from_text(&to_line(&cursor)), Ok(cursor));
}

#[test]
fn full_output_includes_fields_without_presence() {
    let pace =
        Pace { by_kind: [("turn".to_owned(), PhasePace::default())].into(), ..Pace::default() };
    let game = Game { game_id: "g".to_owned(), pace: Some(pace), ..Game::default() };
    let whole = to_full_value(&game);
    assert_eq!(whole["seats"], json!([]));
    assert_eq!((&whole["sandbox"], &whole["name"]), (&json!(false), &json!("")));
    assert_eq!(whole["status"], "GAME_STATUS_UNSPECIFIED");
    assert_eq!(whole["pace"]["utcOffsetMinutes"], 0, "also of messages inside");
    for absent in ["yourSeat", "outcome", "createTime"] {
        assert_eq!(whole.get(absent), None, "{absent} is absent");
    }
    assert_eq!(from_value(&whole), Ok(game.clone()));
    assert_eq!(from_text(&to_full_line(&game)), Ok(game));
}

#[test]
fn fields_are_sorted_by_number_and_map_entries_by_key() {
    let labels = (1..=12).map(|index| (index, index.to_string())).collect();
    let offers =
        Offers { labels, complete: true, values: vec!["A".to_owned()], ..Offers::default() };
    let line = to_line(&offers);
    assert!(
        line.starts_with(r#"{"complete":true,"values":["A"],"labels":{"1":"1","2":"2","3""#),
        "{line}"
    );
    assert_eq!(from_text(&line), Ok(offers));
}

#[test]
fn alternative_notations_are_accepted() {
    let read = |json: Value| from_value::<Game>(&json).expect("a game");
    let game = Game { game_id: "g".to_owned(), your_seat: Some(2), ..Game::default() };
    assert_eq!(read(json!({ "game_id": "g", "your_seat": "2", "pace": null })), game);
    assert_eq!(read(json!({ "status": 3 })).status, 3);
    let time =
        |text: &str| read(json!({ "createTime": text })).create_time.map(|time| time.seconds);
    assert_eq!(time("2030-01-01T01:30:00+01:30"), Some(1_893_456_000));
    assert_eq!(time("2030-01-01T00:00:00+00:00"), Some(1_893_456_000));
    for text in ["+/8=", "+/8", "-_8"] {
        let json = json!({ "seed": text });
        let request: CreateSandboxGameRequest = from_value(&json).expect("a request");
        assert_eq!(request.seed.as_ref(), [0xfb, 0xff], "{text}");
    }
}

#[test]
fn errors_include_the_position() {
    let game = |json: Value| fault::<Game>(&json);
    assert_eq!(game(json!([])), "expected an object, found []");
    assert_eq!(game(json!({ "name": 3 })), "name: expected a string, found 3");
    assert_eq!(
        game(json!({ "seats": [{}, { "number": -1 }] })),
        "seats[1].number: expected a whole number of 32 bits, 0 or more, found -1"
    );
    assert_eq!(game(json!({ "seats": [null] })), "seats[0]: expected an object, found null");
    assert_eq!(
        game(json!({ "pace": { "byKind": { "turn": { "interval": "1h" } } } })),
        "pace.byKind.turn.interval: expected a duration such as \"90s\", found \"1h\""
    );
    for text in ["2030-01-01", "2030-01-01T00:00:00", "tomorrow"] {
        assert_eq!(
            game(json!({ "create_time": text })),
            format!(
                "create_time: expected a time such as \"2030-01-31T20:00:00Z\", found \"{text}\""
            )
        );
    }
    assert!(
        game(json!({ "status": "RUNNING" }))
            .starts_with("status: expected one of `GAME_STATUS_UNSPECIFIED`, `GAME_STATUS_"),
    );
    assert_eq!(
        fault::<Offers>(&json!({ "labels": { "x": "y" } })),
        "labels.x: expected a whole number of 32 bits, 0 or more, found \"x\""
    );
    assert_eq!(
        fault::<PhasePace>(&json!({ "x": 1 })).split_once(", ").map(|(start, _)| start.to_owned()),
        Some("unknown field `x`".to_owned())
    );
    assert_eq!(
        game(json!({ "gameId": "g", "game_id": "g" })),
        "`gameId` and `game_id` cannot be combined"
    );
    let order = json!({ "starshipsAtLarge": {}, "diplomacy": {} });
    assert_eq!(fault::<GameOrder>(&order), "`diplomacy` and `starshipsAtLarge` cannot be combined");
    let fault = from_text::<Game>("{").expect_err("no JSON").to_string();
    assert!(fault.ends_with("line 1 column 1"), "{fault}");
}

#[test]
fn no_other_message_in_the_contract_has_a_string_form() {
    let fields =
        POOL.all_messages().filter(|message| message.full_name().starts_with("heliopause."));
    let fields = fields.flat_map(|message| message.fields().collect::<Vec<_>>());
    for field in fields {
        if let Some(kind) = field.kind().as_message()
            && kind.package_name() == "google.protobuf"
        {
            assert!(StringForm::of(kind).is_some(), "{} is a {}", field.full_name(), kind.name());
        }
    }
}
