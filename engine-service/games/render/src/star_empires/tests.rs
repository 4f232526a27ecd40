//! What is drawn and reported of the sample.

use heliopause_kernel::Wire as _;
use heliopause_proto::json;
use heliopause_proto::star_empires::v1 as proto;
use heliopause_star_empires::{Coord, Deed, Item, News, Report, Serial, ShipNamed};
use serde_json::json;

use super::*;
use crate::svg::Look;
use crate::text::width;

fn aimed(text: &str, style: &Style) -> String {
    let map = sample::map().aimed(&Aim::read(text));
    map.map_or_else(|told| told, |map| map.text(style))
}

const WIDE: Style = Style { width: 170, unicode: true, ..Style::PLAIN };
const UNICODE: Style = Style { unicode: true, ..Style::PLAIN };

#[test]
fn the_map_in_ascii() {
    insta::assert_snapshot!("map_ascii", sample::map().text(&Style::PLAIN));
}

#[test]
fn the_map_in_unicode() {
    insta::assert_snapshot!("map_unicode", sample::map().text(&UNICODE));
}

#[test]
fn a_wide_terminal_has_the_list_beside_the_map() {
    insta::assert_snapshot!("map_wide", sample::map().text(&WIDE));
}

#[test]
fn every_layer() {
    let layers = ["owners", "ships", "scans", "storms", "portals"];
    let maps: Vec<String> =
        layers.iter().map(|layer| aimed(&format!("0,0 3 layer:{layer}"), &UNICODE)).collect();
    insta::assert_snapshot!("map_layers", maps.join("\n\n"));
}

#[test]
fn a_part_of_the_map() {
    insta::assert_snapshot!("map_part", aimed("Ember 1", &UNICODE));
}

#[test]
fn the_map_fits_80_columns() {
    let text = sample::map().text(&Style { unicode: true, color: true, ..Style::PLAIN });
    assert!(text.lines().all(|line| width(line) <= 80), "{text}");
}

#[test]
fn the_picture() {
    insta::assert_snapshot!("map_svg", sample::map().svg(&Look::default()));
}

#[test]
fn the_report() {
    let report = sample::map().report().map(|report| report.text(&Style { width: 110, ..UNICODE }));
    insta::assert_snapshot!("report", report.unwrap_or_default());
}

#[test]
fn the_page() {
    let page = sample::map().report().map(|report| report.html("<svg/>")).unwrap_or_default();
    insta::assert_snapshot!("report_page", page);
}

#[test]
fn the_bulletin_tells_only_what_happened() {
    let bulletin = sample::map().bulletin().unwrap_or_default();
    let titles: Vec<&str> =
        bulletin.sections.iter().map(|section| section.title.as_str()).collect();
    assert_eq!(titles, ["Orders", "Battles", "News"]);
}

#[test]
fn spectators_see_nothing_of_the_galaxy() {
    let map = Map::new(&sample::read(&json!({ "turn": 3, "empires": 3 })), &sample::game());
    assert!(map.text(&Style::PLAIN).contains("Nothing of the galaxy"));
    assert!(map.svg(&Look::default()).contains("</svg>") && map.report().is_none());
}

#[test]
fn the_game_master_sees_the_whole_disc() {
    let view = sample::read(&json!({
        "turn": 2, "empires": 2, "options": { "radius": 3 }, "master": { "galaxy": {
            "empires": [{ "name": "A_B", "code": "AB", "homeworld": "Alpha" }],
            "worlds": [{ "name": "Alpha", "at": { "oblique": 0, "y": 3 }, "production": 12, "stockpile": 4, "owner": 1 }],
            "portals": [
                { "name": "P", "at": { "oblique": 1, "y": 0 }, "exits": ["Q"] },
                { "name": "Q", "at": { "oblique": -2, "y": 0 }, "collapsed": true }],
            "ships": [{ "owner": 1, "serial": "AB00001", "shipClass": "probe", "at": { "oblique": 1, "y": 1 } }]
        } }
    }));
    let map = Map::new(&view, &sample::game());
    insta::assert_snapshot!("map_master", map.text(&UNICODE));
}

#[test]
fn the_game_masters_report_tells_of_all_empires() {
    let view = sample::read(&json!({
        "turn": 7, "empires": 3, "options": { "radius": 3 }, "master": {
            "alliances": [{ "members": [1, 3] }],
            "galaxy": {
                "empires": [
                    { "name": "The_Culture", "code": "CU", "homeworld": "Alpha", "contacts": [2] },
                    { "name": "KRATOS", "code": "KR", "homeworld": "Throne", "contacts": [1], "abandonedTurns": 2 },
                    { "name": "Gulf", "code": "GU" }],
                "worlds": [
                    { "name": "Alpha", "at": { "oblique": 0, "y": 3 }, "production": 12, "stockpile": 4, "owner": 1 },
                    { "name": "Throne", "at": { "oblique": 2, "y": -1 }, "production": 12, "stockpile": 9, "owner": 2,
                      "siege": "SIEGE_BLOCKADED" },
                    { "name": "Ember", "at": { "oblique": 1, "y": 1 }, "production": 5, "owner": 2 },
                    { "name": "Quay", "at": { "oblique": -1, "y": 0 }, "production": 3 }],
                "portals": [
                    { "name": "Charon", "at": { "oblique": 1, "y": 0 }, "exits": ["Styx"] },
                    { "name": "Styx", "at": { "oblique": -2, "y": 0 }, "collapsed": true, "collapseTurns": 1 }],
                "storms": [{ "name": "Gale", "at": { "oblique": 0, "y": 1 }, "rating": 5, "pattern": "STORM_PATTERN_CYCLIC",
                    "steps": [-2, 2] }],
                "ships": [
                    { "owner": 1, "serial": "CU00001", "shipClass": "probe", "at": { "oblique": 1, "y": 1 } },
                    { "owner": 1, "serial": "CU00002", "shipClass": "probe", "at": { "oblique": 1, "y": 1 } },
                    { "owner": 2, "serial": "KR00001", "shipClass": "battleship", "at": { "oblique": 1, "y": 1 } }]
            } }
    }));
    let mut report = Map::new(&view, &sample::game()).report().unwrap_or_default();
    let (updated, reported) =
        (Event::Updated { turn: 7 }, Event::MasterResults { results: Vec::new() });
    let waits = Event::MasterOrders { orders: Vec::new() };
    let told = [
        (waits.clone(), "The game master's orders for the next update:\n1: OLD"),
        (updated, "Turn 7 was run; this is map 7."),
        (reported, "What became of the game master's orders:\nCOLLAPSE Styx 2: done."),
        (waits, "The game master's orders for the next update:\n1: COLLAPSE Charon 2\n2: APPLY"),
    ];
    report.sections.splice(0..0, StarEmpires::told_to_master(&view, &told));
    insta::assert_snapshot!("report_master", report.text(&Style { width: 110, ..UNICODE }));
    assert!(
        StarEmpires::told_to_master(&sample::view(), &told).is_empty(),
        "this is for the game master alone"
    );
}

#[test]
fn the_stored_sheet_is_told_line_by_line() {
    assert_eq!(StarEmpires::sheet(&sample::view()), Some(vec!["MOVE Lion TO (0,1)".to_owned()]));
    assert_eq!(StarEmpires::sheet(&sample::read(&json!({ "empires": 3 }))), None);
}

#[test]
fn empires_go_by_name_or_code() {
    let seat = |name| StarEmpires::seat_named(&sample::view(), name).map(Seat::number);
    assert_eq!(
        (seat("kratos"), seat("GU"), seat("the_culture"), seat("nobody")),
        (Some(2), Some(3), Some(1), None)
    );
}

#[test]
fn a_check_tells_of_every_line() {
    let event: proto::Event = json::from_value(&json!({ "sheetStored": { "sheet": {}, "checks": [
        { "line": 1, "status": "LINE_STATUS_ACCEPTED" },
        { "line": 2, "status": "LINE_STATUS_WARNED", "remarks": [{ "item": "Beta", "reason": "REASON_NO_FUNDS" }] },
        { "line": 3, "status": "LINE_STATUS_REJECTED", "remarks": [{ "item": "Lyon", "reason": "REASON_NOT_YOURS" }] },
        { "line": 4, "status": "LINE_STATUS_ACCEPTED", "design": { "name": "frigate", "hull": "HULL_GUNSHIP", "cost": 24, "tonnage": 16,
          "ratings": { "guns": 20, "dp": 15, "engines": 4, "scan": 2 } } },
        { "line": 5, "status": "LINE_STATUS_WARNED", "remarks": [{ "item": "Beta", "reason": "REASON_WORLD_NOT_OWNED" }],
          "design": { "name": "dart", "hull": "HULL_MISSILE", "cost": 1, "tonnage": 1,
          "ratings": { "guns": 8, "dp": 1 } } }] } }))
    .expect("the event is well formed");
    let lines = [
        "MOVE Lion TO (0,1)",
        "BUILD Beta 2 probe",
        "MOVE Lyon TO (0,1)",
        "DESIGN Alpha frigate gunship 20 15 4 2 0",
        "DESIGN Beta dart missile 8 1",
    ]
    .map(str::to_owned);
    let event = StarEmpires::read_event(&event).expect("the event is sound");
    let checked = StarEmpires::checked(&event, &lines).unwrap_or_default();
    assert_eq!((checked.accepted, checked.warned, checked.rejected.as_slice()), (2, 2, &[2][..]));
    insta::assert_snapshot!("checked", checked.text(&Style::PLAIN, false));
}

/// The story of a turn: classes, numbers and places, in few lines.
#[test]
fn a_turn_is_told_by_classes_and_places() {
    let view = sample::view();
    let own = view.own().expect("the view of an empire");
    let ship = |owner: usize, number: u32, class: &str| ShipNamed {
        owner: Seat::at(owner),
        serial: Serial::new(own.empires[owner].code, number),
        name: Name::NONE,
        class: Name::new(class).expect("a name"),
    };
    let world = own.chart.worlds.first().expect("a world");
    let news = |at, item| News { section: "6.3.3".parse().expect("a section"), at, item };
    let part = |at, ship, deed| {
        let (amount, permille) = (None, 500);
        news(Some(at), Item::Ship { ship, deed, amount, permille })
    };
    let space = Coord::new(60, -60);
    let mut all: Vec<_> =
        (1..=12).map(|number| part(world.at, ship(0, number, "scout"), Deed::Built)).collect();
    all.extend((20..23).map(|number| part(space, ship(0, number, "cruiser"), Deed::Hit)));
    // Hit and then lost: told once.
    all.push(part(space, ship(1, 1, "wing"), Deed::Hit));
    all.push(part(space, ship(1, 1, "wing"), Deed::Destroyed));
    // Moves are no part of the story.
    all.push(part(space, ship(1, 2, "wing"), Deed::Arrived));
    let taken = Item::Owner {
        world: Name::new("Ember").expect("a name"),
        from: Some(Seat::at(1)),
        to: Some(Seat::at(0)),
    };
    all.push(news(None, taken));
    // More kinds of ships than a line tells of.
    all.extend(
        (0..9)
            .map(|kind| part(space, ship(2, 100 + kind, &format!("class{kind}")), Deed::Destroyed)),
    );
    let report = Report { news: all, ..Default::default() };
    let event = Event::Reported { report: report.into(), change: Box::default() };
    let lines = StarEmpires::tale(&view, &event).expect("a turn is told");
    assert_eq!(
        lines,
        [
            format!(
                "The_Culture: 12 scouts built at {}, 3 cruisers damaged at (60,-60), Ember taken \
                 from KRATOS.",
                world.name
            ),
            "KRATOS: 1 wing lost at (60,-60).".to_owned(),
            "Gulf: 1 class0 lost at (60,-60), 1 class1 lost at (60,-60), 1 class2 lost at \
             (60,-60), 1 class3 lost at (60,-60), 1 class4 lost at (60,-60), 1 class5 lost at \
             (60,-60), 3 other ships lost."
                .to_owned(),
        ]
    );
    assert_eq!(StarEmpires::tale(&view, &Event::Updated { turn: 8 }), None);
}
