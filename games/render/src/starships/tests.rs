//! Tests of drawings of a sample view.

use heliopause_kernel::{Game as _, Seat, Wire as _};
use heliopause_proto::json;
use heliopause_proto::starships_at_large::v1 as proto;
use serde_json::{Value, json};

use super::*;
use crate::svg::Look;

fn sample() -> Map {
    let mut view = view(&json!({
        "viewer": { "seat": 1 },
        "known": { "round": 8, "onTurn": 2, "aggressorAxis": true, "options": { "rounds": 12 },
            "hexes": hexes(),
            "players": players(),
            "wars": [{ "first": 1, "second": 2 }],
            "deathStar": { "state": "DEATH_STAR_STATE_ACTIVE", "provoker": 2 } }
    }));
    // This vote adds the last kind of note. It has an effect only between members of the Alliance.
    view.table.votes[2].insert(Seat::at(0));
    let game: Game = json::from_value(&json!({
        "name": "Friday <night>", "seats": [
            { "number": 1, "role": "Player A", "player": "Ann" },
            { "number": 2, "role": "Player B", "automated": { "profile": "captain", "level": "strong" } },
            { "number": 3, "role": "Player C", "player": "" }]
    }))
    .expect("the game is well formed");
    Map::new(&view, &game, &told())
}

fn told() -> Vec<Event> {
    let (from, to) = (json!({ "q": 0, "r": 0 }), json!({ "q": 1, "r": 0 }));
    let piece = json!({ "owner": 2, "starship": 5 });
    let moved = json!({ "moved": { "piece": piece, "fromHex": from, "toHex": to } });
    let began = json!({ "turnBegan": { "round": 8, "seat": 2 } });
    let read = |value: Value| -> Event {
        let message: proto::Event = json::from_value(&value).expect("the event is well formed");
        Starships::read_event(&message).expect("the event is sound")
    };
    vec![read(began.clone()), read(moved), read(began)]
}

fn view(value: &Value) -> View {
    let message: proto::View = json::from_value(value).expect("the view is well formed");
    Starships::read_view(&message).expect("the view is sound")
}

fn hexes() -> Value {
    json!([
        { "hex": { "q": 1, "r": 0 }, "marker": "MARKER_FRIENDLY", "faceUp": true, "owner": 1, "ownershipMarkers": [1, 2] },
        { "hex": { "q": 0, "r": 1 }, "marker": "MARKER_UNFRIENDLY" },
        { "hex": { "q": -1, "r": 1 }, "marker": "MARKER_ASTEROIDS", "ownershipMarkers": [3] },
        { "hex": { "q": -1, "r": 0 }, "marker": "MARKER_DEAD", "faceUp": true, "owner": 2, "ownershipMarkers": [2] },
        { "hex": { "q": 0, "r": -1 }, "marker": "MARKER_EMPTY" },
        { "hex": { "q": 1, "r": -1 }, "ownershipMarkers": [3] },
        { "hex": { "q": 3, "r": -1 }, "marker": "MARKER_DEATH_STAR", "faceUp": true },
        { "hex": { "q": 2, "r": -1 }, "deathZone": true },
        { "hex": { "q": 2, "r": 0 }, "deathZone": true, "marker": "MARKER_EMPTY" },
        { "hex": { "q": -2, "r": 0 }, "marker": "MARKER_DESTROYED", "faceUp": true }
    ])
}

fn players() -> Value {
    json!([
        { "status": "STATUS_ALLIANCE", "bases": [{ "number": 1 }],
          "starships": [{ "serial": 1, "at": { "q": 1, "r": 0 } }, { "serial": 2 }, { "serial": 3 }, { "serial": 4, "disrupted": true }] },
        { "status": "STATUS_INDEPENDENT", "bases": [{ "at": { "q": -1, "r": 2 }, "out": true }],
          "starships": [{ "serial": 1, "at": { "q": -1, "r": 2 }, "disrupted": true }, { "serial": 5, "at": { "q": 1, "r": 0 } }] },
        { "status": "STATUS_EXILED", "exiledInRound": 6, "bases": [{}], "starships": [{ "serial": 1 }] }
    ])
}

#[test]
fn the_map_in_ascii() {
    insta::assert_snapshot!("map_ascii", sample().text(&Style::PLAIN));
}

#[test]
fn the_map_in_unicode() {
    insta::assert_snapshot!("map_unicode", sample().text(&Style { unicode: true, ..Style::PLAIN }));
}

#[test]
fn the_map_fits_80_columns() {
    let text = sample().text(&Style { unicode: true, color: true, ..Style::PLAIN });
    assert!(text.lines().all(|line| crate::text::width(line) <= 80), "{text}");
}

#[test]
fn a_wide_terminal_has_the_players_beside_the_map() {
    let text = sample().text(&Style { width: 140, ..Style::PLAIN });
    assert!(text.lines().count() < 34, "{text}");
}

#[test]
fn the_picture() {
    insta::assert_snapshot!("map_svg", sample().svg(&Look::default()));
}

#[test]
fn finished_games_have_no_unknown_hexes() {
    let place = |q: i32, r: i32| json!({ "hex": { "q": q, "r": r }, "marker": "MARKER_EMPTY", "faceUp": true });
    let hexes: Vec<Value> = (-3..=3)
        .flat_map(|q: i32| (-3..=3).map(move |r: i32| (q, r)))
        .filter(|(q, r)| (q + r).abs() <= 3 && (*q, *r) != (0, 0))
        .map(|(q, r)| place(q, r))
        .collect();
    let roll = json!({ "round": 3, "piece": { "owner": 1, "starship": 1 }, "at": { "q": 1 },
        "purpose": "ROLL_PURPOSE_FORCE", "dice": [2, 5] });
    let view = view(&json!({
        "viewer": { "spectator": {} },
        "known": { "round": 12, "hexes": hexes, "players": players(), "stage": { "over": { "reason": "END_REASON_NO_WINNER", "credits": [0, 0, 0] } }, "revealedRolls": [roll],
            "deathStar": { "state": "DEATH_STAR_STATE_GONE" } }
    }));
    for width in [80, 140] {
        let text = Map::new(&view, &Game::default(), &[]).text(&Style {
            unicode: true,
            width,
            ..Style::PLAIN
        });
        assert!(!text.contains('?'), "{text}");
        assert!(text.contains("In round 3, A1 tried force in (1,0) (2, 5)."), "{text}");
    }
}

#[test]
fn notation_examples_match_the_rules() {
    let view = view(&json!({ "viewer": { "seat": 1 }, "known": { "players": [{}, {}, {}] } }));
    let orders =
        NOTATION.lines().flat_map(|line| line.split("  ")).flat_map(|part| part.split(", "));
    for order in orders.map(str::trim).filter(|order| !order.is_empty()) {
        let read = Starships::parse(&view, order);
        assert!(read.as_ref().is_ok_and(|read| read.len() == 1), "{order}: {read:?}");
    }
}
