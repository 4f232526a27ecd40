//! Sample positions for tests: the base game, The Fate of Empire, and Alone in Outer Space.

use heliopause_kernel::{Game as _, Seat, Viewer, Wire as _};
use heliopause_proto::json;
use heliopause_proto::v1::Game;
use heliopause_stellar_conquest::StellarConquest;
use prost::{Message, Name};
use serde_json::{Value, json};

use super::Map;

pub(super) fn map(position: &StellarConquest) -> Map {
    Map::new(&position.view(Viewer::Seat(Seat::at(0))), &game())
}

pub(super) fn game() -> Game {
    from(&json!({
        "name": "Friday <night>", "kind": "stellar-conquest", "seats": [
            { "number": 1, "role": "Power 1", "player": "Ann" },
            { "number": 2, "role": "Power 2", "automated": { "profile": "power", "level": "strong" } },
            { "number": 3, "role": "Independents", "automated": { "profile": "independents", "level": "standard" } }]
    }))
}

fn from<M: Message + Name + Default>(value: &Value) -> M {
    json::from_value(value).expect("the sample is well formed")
}

fn read(value: &Value) -> StellarConquest {
    StellarConquest::read_position(&from(value)).expect("the position is sound")
}

fn planet(star: &str, number: u32) -> Value {
    json!({ "star": star, "number": number })
}

fn ship(number: u32, kind: &str, at: &str) -> Value {
    let load = if kind == "COLONY_TRANSPORT" { json!({}) } else { Value::Null };
    json!({ "number": number, "kind": format!("SHIP_KIND_{kind}"), "at": at, "load": load })
}

fn bound(number: u32, kind: &str, at: &str, to: &str) -> Value {
    let mut ship = ship(number, kind, at);
    ship["destination"] = to.into();
    ship
}

/// Returns a game where Ann is at war with the second power and has an incident with the third.
pub(super) fn space() -> StellarConquest {
    let chart = |star: &str, card: u32| json!({ "star": star, "card": card });
    let colony = |star: &str| json!({ "planet": planet(star, 1), "population": 20, "control": "CONTROL_FREE", "founded": 0 });
    let claim = |star: &str, seat: u32| json!({ "star": star, "seat": seat });
    read(&json!({
        "table": {
            "options": { "variant": "VARIANT_ALONE_IN_OUTER_SPACE" }, "players": 3, "turn": 9, "order": [1, 2, 3],
            "active": 1, "stage": { "movement": {} }, "entries": ["FF20", "A21", "A1"],
            "politics": {
                "claims": [claim("Alcor", 1), claim("Hydrae", 1), claim("Sadir", 2), claim("Mira", 3)],
                "war": { "oneSide": [1], "otherSide": [2], "success": [3, 8] },
                "incidents": [{ "pair": [1, 3], "tension": 5 }]
            }
        },
        "powers": [
            { "charts": [chart("Alcor", 25), chart("Hydrae", 49)], "colonies": [colony("Alcor")],
              "ships": [ship(1, "CORVETTE", "L18"), ship(2, "CORVETTE", "L18")] },
            { "charts": [chart("Sadir", 12)], "colonies": [colony("Sadir")], "ships": [ship(1, "SCOUT", "O16")] },
            { "charts": [chart("Mira", 58)], "colonies": [colony("Mira")] }],
        "secrets": { "cards": [chart("Alcor", 25), chart("Hydrae", 49), chart("Sadir", 12), chart("Mira", 58)] }
    }))
}

/// Returns a base game at a stage such as `{"movement": {}}`.
pub(super) fn conquest(turn: u32, stage: &Value) -> StellarConquest {
    read(&json!({
        "table": {
            "options": {}, "players": 2, "turn": turn, "order": [1, 2], "active": 1, "stage": stage,
            "entries": ["FF20", "A21"],
            "posts": [{ "seat": 1, "star": "Scorpii" }, { "seat": 2, "star": "Ceti" }]
        },
        "powers": [ann(), bob()],
        "secrets": { "cards": [
            { "star": "Scorpii", "card": 24 }, { "star": "Barnard", "card": 59 }, { "star": "Aurigae", "card": 39 },
            { "star": "Ceti", "card": 25 }, { "star": "Deneb", "card": 1 }] }
    }))
}

fn ann() -> Value {
    json!({
        "ships": [
            ship(1, "SCOUT", "AA19"), ship(2, "SCOUT", "CC17"), ship(3, "CORVETTE", "AA19"),
            ship(4, "COLONY_TRANSPORT", "AA19"), ship(5, "COLONY_TRANSPORT", "AA19"),
            bound(6, "CORVETTE", "W17", "Aurigae"), bound(7, "SCOUT", "N10", "Canopus")],
        "colonies": [
            { "planet": planet("Scorpii", 1), "population": 24, "factories": 3, "bases": { "missileBases": 2 } },
            { "planet": planet("Scorpii", 2), "population": 6 }],
        "research": { "owned": ["TECHNOLOGY_SPEED_3", "TECHNOLOGY_INDUSTRIAL_TECHNOLOGY", "TECHNOLOGY_MISSILE_BASE"],
            "payments": [{ "technology": "TECHNOLOGY_FIGHTER", "points": 5 }] },
        "charts": [
            { "star": "Scorpii", "card": 24 }, { "star": "Barnard", "card": 59 },
            { "star": "Ceti", "card": 25, "colonies": [{ "number": 1, "owner": 2, "shield": true, "turn": 5 }] },
            { "star": "Deneb", "card": 1 }],
        "sightings": [
            { "at": "E17", "seat": 2, "fleet": { "corvettes": 3, "scouts": 1 }, "turn": 5 }],
        "standingOrders": {}
    })
}

fn bob() -> Value {
    json!({
        "ships": [ship(1, "CORVETTE", "E17"), ship(2, "CORVETTE", "E17"), bound(3, "SCOUT", "K10", "Alphard")],
        "colonies": [{ "planet": planet("Ceti", 1), "population": 30, "shield": true }],
        "charts": [{ "star": "Ceti", "card": 25 }],
        "research": {}, "standingOrders": {}
    })
}

pub(super) fn fate(turn: u32, stage: &Value) -> StellarConquest {
    read(&json!({
        "table": {
            "options": { "variant": "VARIANT_FATE_OF_EMPIRE" }, "players": 1, "turn": turn, "order": [1], "active": 1,
            "stage": stage, "entries": ["A1"],
            "posts": [{ "seat": 1, "star": "Canis" }],
            "fate": { "war": true, "debtHalfPoints": 5, "found": [{ "planet": planet("Schedar", 1), "turn": 6 },
                { "planet": planet("Indi", 1), "turn": 7 }],
                "piratesDestroyed": { "corvettes": 4, "scouts": 2 }, "shipsLost": { "scouts": 1 } }
        },
        "powers": [captain(), pirates(), independents()],
        "secrets": { "cards": [
            { "star": "Canis", "card": 24 }, { "star": "Schedar", "card": 28 }, { "star": "Indi", "card": 44 },
            { "star": "Cephei", "card": 61 }] }
    }))
}

fn captain() -> Value {
    json!({
        "ships": [
            ship(1, "SCOUT", "L3"), ship(2, "CORVETTE", "O4"), ship(3, "CORVETTE", "O4"), ship(4, "CORVETTE", "G5"),
            ship(5, "COLONY_TRANSPORT", "O4"), ship(6, "COLONY_TRANSPORT", "O4"), ship(7, "SCOUT", ""),
            ship(8, "CORVETTE", "")],
        "colonies": [
            { "planet": planet("Indi", 1), "population": 3, "subjects": 12, "factories": 4, "founded": 1 },
            { "planet": planet("Canis", 1), "population": 30 }],
        "research": { "owned": ["TECHNOLOGY_SPEED_3", "TECHNOLOGY_INDUSTRIAL_TECHNOLOGY"] },
        "grant": 10,
        "charts": [
            { "star": "Canis", "card": 24 },
            { "star": "Schedar", "card": 28,
                "colonies": [{ "number": 1, "owner": 3, "bases": { "missileBases": 5, "advancedMissileBases": 3 }, "turn": 6 }] },
            { "star": "Indi", "card": 44 }, { "star": "Cephei", "card": 61 }],
        "sightings": [{ "at": "L3", "seat": 2, "fleet": { "corvettes": 2 }, "turn": 6 }],
        "standingOrders": {}
    })
}

fn pirates() -> Value {
    json!({
        "ships": [ship(1, "CORVETTE", "L3"), ship(2, "CORVETTE", "L3")], "research": {}, "standingOrders": {}
    })
}

fn independents() -> Value {
    json!({
        "colonies": [{ "planet": planet("Schedar", 1), "population": 30, "factories": 10,
            "bases": { "missileBases": 5, "advancedMissileBases": 3 } }],
        "research": {}, "standingOrders": {}
    })
}
