//! A sample view for tests, with a battle, a storm, portals, and shared and outdated sectors.

use heliopause_kernel::Wire as _;
use heliopause_proto::json;
use heliopause_proto::v1::Game;
use heliopause_star_empires::{Coord, Sector, StarEmpires, View};
use prost::{Message, Name};
use serde_json::{Value, json};

use super::Map;
use super::atlas::{Atlas, galactic};

pub(super) fn atlas() -> Atlas {
    Atlas::new(&view(), &game())
}

pub(super) fn map() -> Map {
    Map::new(&view(), &game())
}

pub(super) fn game() -> Game {
    from(&json!({
        "name": "Orion <spur>", "kind": "star-empires", "seats": [
            { "number": 1, "role": "Empire 1", "player": "Ann" },
            { "number": 2, "role": "Empire 2", "automated": { "profile": "emperor", "level": "strong" } },
            { "number": 3, "role": "Empire 3", "player": "" }]
    }))
}

pub(super) fn view() -> View {
    read(&json!({
        "turn": 7, "empires": 3,
        "empire": {
            "status": { "seat": 1, "standing": "STANDING_ACTIVE", "homeworld": "Alpha",
                "grants": [{ "to": 2, "all": true }, { "to": 3, "classes": ["probe"], "sectors": [at(1, 1)] }] },
            "empires": [
                { "seat": 1, "name": "The_Culture", "code": "CU", "contact": false },
                { "seat": 2, "name": "KRATOS", "code": "KR", "contact": true },
                { "seat": 3, "name": "Gulf", "code": "GU" }],
            "classes": classes(), "ships": ships(), "chart": chart(),
            "navigation": [{ "portal": "Charon", "exits": ["Styx"] }, { "portal": "Styx" }],
            "report": report(),
            "sheet": { "lines": [move_order()] }
        }
    }))
}

pub(super) fn read(view: &Value) -> View {
    StarEmpires::read_view(&from(view)).expect("the view is sound")
}

fn from<M: Message + Name + Default>(value: &Value) -> M {
    json::from_value(value).expect("the sample is well formed")
}

fn at(oblique: i16, y: i16) -> Value {
    json!({ "oblique": oblique, "y": y })
}

fn move_order() -> Value {
    json!({ "move": { "ships": { "ships": ["Lion"] }, "to": { "sector": at(0, 1) } } })
}

fn class(name: &str, hull: &str, numbers: [u32; 7]) -> Value {
    let [guns, dp, engines, scan, racks, tonnage, cost] = numbers;
    json!({ "name": name, "hull": hull, "tonnage": tonnage, "cost": cost, "unbuildable": name == "starbase",
        "ratings": { "guns": guns, "dp": dp, "engines": engines, "scan": scan, "racks": racks } })
}

fn classes() -> Value {
    json!([
        class("battleship", "HULL_CAPITAL_SHIP", [35, 40, 2, 2, 1, 30, 28]),
        class("carrier", "HULL_TRANSPORT", [5, 10, 2, 1, 2, 15, 10]),
        class("fighter", "HULL_WING", [5, 5, 0, 0, 0, 1, 1]),
        class("probe", "HULL_SCOUT", [1, 1, 3, 3, 0, 2, 2]),
        class("starbase", "HULL_ORBITAL", [150, 200, 0, 2, 10, 999, 0])
    ])
}

fn ships() -> Value {
    json!([
        { "serial": "CU00001", "name": "Bastion", "shipClass": "starbase", "at": at(0, 0), "dp": 200 },
        { "serial": "CU0a3f2", "name": "Mule", "shipClass": "carrier", "at": at(0, 0), "dp": 8 },
        { "serial": "CU1c4d5", "name": "Hawk1", "shipClass": "fighter", "at": at(0, 0), "dp": 5, "carrier": "CU0a3f2" },
        { "serial": "CU2b7e1", "shipClass": "probe", "at": at(0, 0), "dp": 1, "publicMode": true },
        { "serial": "CU33f0a", "name": "Lion", "shipClass": "battleship", "at": at(1, 1), "dp": 28, "identified": [2] },
        { "serial": "CU4d001", "name": "Eye", "shipClass": "probe", "at": at(-2, 0), "dp": 1, "concealed": [3] }
    ])
}

fn chart() -> Value {
    json!({
        "sectors": sectors(),
        "worlds": [
            { "at": at(-2, -1), "name": "Gloom", "production": 3, "owner": 0 },
            { "at": at(0, 0), "name": "Alpha", "production": 12, "owner": 1, "stockpile": 31, "homeworld": true, "siege": "SIEGE_NONE" },
            { "at": at(0, 2), "name": "Beta", "production": 5, "owner": 1, "stockpile": 5, "siege": "SIEGE_BLOCKADED" },
            { "at": at(1, 1), "name": "Ember", "production": 7, "owner": 2, "stockpile": 14, "siege": "SIEGE_INTERDICTED" },
            { "at": at(4, 3), "name": "Throne", "production": 12, "owner": 2, "homeworld": true },
            { "at": at(-3, 1), "name": "Quay", "production": 4, "owner": 3 }],
        "portals": [
            { "at": at(-1, 1), "name": "Charon", "collapsed": false },
            { "at": at(4, 1), "name": "Styx", "collapsed": true },
            { "at": at(2, -1), "name": "Lethe" }],
        "storms": [
            { "at": at(2, 0), "name": "Maelstrom", "rating": 6 },
            { "at": at(-1, -1), "name": "Veil", "rating": 0 },
            { "at": at(4, 1), "name": "Gale", "rating": 2 }],
        "fleets": [
            { "at": at(0, 2), "owner": 0, "count": 3, "tonnage": 47 },
            { "at": at(-3, 1), "owner": 3, "shipClass": "corsair", "count": 2, "tonnage": 24 }],
        "ships": [
            { "at": at(1, 1), "owner": 2, "serial": "KR11111", "name": "Wolf", "shipClass": "battleship", "tonnage": 30,
              "ratingPermille": 866, "dp": 30 },
            { "at": at(1, 1), "owner": 2, "serial": "KR22222", "shipClass": "raider", "tonnage": 12, "ratingPermille": 0, "wreck": true },
            { "at": at(1, 1), "owner": 3, "serial": "GU0beef", "shipClass": "corsair", "tonnage": 12, "ratingPermille": 1000 }]
    })
}

fn sectors() -> Vec<Value> {
    let (home, probe) = (Coord::new(0, 0), Coord::new(-2, 0));
    let status = |place: Coord| match place {
        place if [home, probe, Coord::new(1, 1)].contains(&place) => "SECTOR_STATUS_VISIBLE",
        place if place.distance(home) <= 2 || place.distance(probe) <= 3 => "SECTOR_STATUS_SCANNED",
        _ => "SECTOR_STATUS_STALE",
    };
    let is_known =
        |place: &Coord| place.distance(home) <= 3 || place.o >= 2 && place.y >= 0 || place.o <= -2;
    let mut places: Vec<Coord> = Sector::CENTER.within(5).map(galactic).filter(is_known).collect();
    places.sort_unstable();
    let hidden = [Coord::new(2, 0), Coord::new(-1, -1)];
    let sector = |place: &Coord| {
        let obscured = hidden.contains(place);
        let status = if obscured { "SECTOR_STATUS_STALE" } else { status(*place) };
        let scanned = match status {
            "SECTOR_STATUS_STALE" if obscured => Value::Null,
            "SECTOR_STATUS_STALE" => json!(3),
            _ => json!(7),
        };
        json!({ "at": at(place.o, place.y), "status": status, "scannedTurn": scanned, "obscured": obscured,
            "shared": place.o <= -4 })
    };
    places.iter().map(sector).collect()
}

fn ship_news(
    phase: &str,
    (oblique, y): (i16, i16),
    ship: [&str; 3],
    owner: u32,
    deed: &str,
    amount: Option<u32>,
    left: u32,
) -> Value {
    json!({ "phase": phase, "at": at(oblique, y), "ship": { "kind": deed, "amount": amount, "ratingPermille": left,
        "ship": { "owner": owner, "serial": ship[0], "name": ship[1], "shipClass": ship[2] } } })
}

fn report() -> Value {
    let lion = ["CU33f0a", "Lion", "battleship"];
    let wolf = ["KR11111", "Wolf", "battleship"];
    let raider = ["KR22222", "", "raider"];
    let lost = ["CU99999", "Lamb", "carrier"];
    json!({
        "turn": 7,
        "results": [
            { "line": { "fire": { "ships": { "ships": ["Lion"] }, "at": ["KRATOS"] } }, "status": "LINE_STATUS_DONE" },
            { "line": { "move": { "ships": { "ships": ["Eye", "Lion"] }, "to": { "sector": at(-2, 0) } } }, "status": "LINE_STATUS_PARTLY",
              "remarks": [{ "item": "Lion", "reason": "REASON_FIRED" }] },
            { "line": { "build": { "world": "Beta", "count": { "most": {} }, "shipClass": "probe" } }, "status": "LINE_STATUS_REFUSED",
              "remarks": [{ "reason": "REASON_NO_FUNDS" }] }],
        "news": [
            { "phase": "6.1.8", "at": at(4, 1), "portal": { "portal": "Styx", "collapsed": true } },
            ship_news("6.3.2", (1, 1), lion, 1, "SHIP_EVENT_KIND_FIRED", Some(35), 837),
            ship_news("6.3.2", (1, 1), wolf, 2, "SHIP_EVENT_KIND_FIRED", Some(12), 866),
            ship_news("6.3.3", (1, 1), wolf, 2, "SHIP_EVENT_KIND_HIT", Some(10), 866),
            ship_news("6.3.3", (1, 1), raider, 2, "SHIP_EVENT_KIND_HIT", None, 0),
            ship_news("6.3.3", (1, 1), lion, 1, "SHIP_EVENT_KIND_HIT", Some(12), 837),
            ship_news("6.3.4", (1, 1), raider, 2, "SHIP_EVENT_KIND_DESTROYED", None, 0),
            ship_news("6.3.4", (1, 1), lost, 1, "SHIP_EVENT_KIND_DESTROYED", None, 0),
            { "phase": "6.3.6", "at": at(1, 1), "owner": { "world": "Ember", "formerOwner": 1, "newOwner": 2 } },
            ship_news("6.4.2", (-2, 0), ["CU4d001", "Eye", "probe"], 1, "SHIP_EVENT_KIND_ARRIVED", None, 1000),
            { "phase": "6.4.4", "navigation": { "portal": "Styx", "fromEmpire": 2 } },
            { "phase": "6.4.10", "at": at(0, 2), "siege": { "world": "Beta", "siege": "SIEGE_BLOCKADED" } },
            { "phase": "6.5.3", "shipClass": { "shipClass": "probe", "source": "SOURCE_GIVEN", "fromEmpire": 2 } },
            ship_news("6.6.1", (0, 0), ["CU2b7e1", "", "probe"], 1, "SHIP_EVENT_KIND_BUILT", None, 1000),
            { "phase": "6.7.1", "production": { "amount": 17 } },
            { "phase": "6.7.3", "at": at(0, 0), "delivery": { "fromEmpire": 2, "world": "Alpha", "amount": 10 } },
            { "phase": "6.8.5", "contact": { "empire": 2 } }],
        "lastScans": [{ "phase": "6.3.4", "seen": {
            "worlds": [{ "at": at(1, 1), "name": "Ember", "production": 7, "owner": 1 }],
            "ships": [
                { "at": at(1, 1), "owner": 2, "serial": "KR11111", "name": "Wolf", "shipClass": "battleship", "tonnage": 30,
                  "ratingPermille": 866, "dp": 30 },
                { "at": at(1, 1), "owner": 1, "serial": "CU99999", "name": "Lamb", "shipClass": "carrier", "tonnage": 15,
                  "ratingPermille": 0, "dp": 0, "wreck": true }] } }]
    })
}
