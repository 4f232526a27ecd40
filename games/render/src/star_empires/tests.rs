//! Tests of drawings and reports of the sample view.

use std::collections::HashSet;

use heliopause_kernel::Wire as _;
use heliopause_proto::json;
use heliopause_proto::star_empires::v1 as proto;
use heliopause_star_empires::{Coord, Deed, Item, News, Report, Serial, ShipNamed};
use serde_json::json;

use super::*;
use crate::scene::SceneFigure;
use crate::svg::Look;
use crate::text::width;

fn for_request(text: &str, style: &Style) -> String {
    let map = sample::map().for_request(&MapRequest::read(text));
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
    let low = Style { rows: Some(14), ..UNICODE };
    insta::assert_snapshot!("map_low", sample::map().text(&low));
}

#[test]
fn a_wide_terminal_has_the_list_beside_the_map() {
    insta::assert_snapshot!("map_wide", sample::map().text(&WIDE));
}

#[test]
fn every_layer() {
    let layers = ["owners", "ships", "scans", "storms", "portals"];
    let maps: Vec<String> =
        layers.iter().map(|layer| for_request(&format!("0,0 3 layer:{layer}"), &UNICODE)).collect();
    insta::assert_snapshot!("map_layers", maps.join("\n\n"));
}

#[test]
fn a_part_of_the_map() {
    insta::assert_snapshot!("map_part", for_request("Ember 1", &UNICODE));
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

/// Returns the figures and the cells of a panel.
fn panel_lines(scene: &Scene, key: &str) -> Vec<String> {
    let panel = scene.panels.iter().find(|panel| panel.key == key).expect("the panel exists");
    let figure = |it: &SceneFigure| format!("{}: {} {}", it.label, it.value, it.note);
    let rows = panel.rows.iter().map(|row| row.cells.join(" | "));
    panel.figures.iter().map(figure).chain(rows).collect()
}

#[test]
fn panels_have_what_decisions_need() {
    let scene = sample::map().scene();
    let panels: Vec<String> = ["treasury", "ships", "empires", "classes", "prices"]
        .iter()
        .map(|key| format!("{key}\n{}", panel_lines(&scene, key).join("\n")))
        .collect();
    insta::assert_snapshot!("panels", panels.join("\n\n"));
}

#[test]
fn rows_link_to_places_and_pieces_of_the_map() {
    let scene = sample::map().scene();
    let areas = scene.areas.iter().map(|area| &area.name);
    let places: HashSet<&String> =
        areas.chain(scene.places.iter().map(|place| &place.name)).collect();
    let members = scene.pieces.iter().flat_map(|piece| &piece.members);
    let pieces: HashSet<&String> = members.map(|member| &member.name).collect();
    let rows = || scene.panels.iter().flat_map(|panel| &panel.rows);
    assert!(rows().any(|row| !row.pieces.is_empty()));
    for row in rows() {
        assert!(row.places.iter().all(|place| places.contains(place)), "{row:?}");
        assert!(row.pieces.iter().all(|piece| pieces.contains(piece)), "{row:?}");
    }
}

#[test]
fn a_part_has_only_its_sectors_and_no_panels_of_the_empire() {
    let map = sample::map().for_request(&MapRequest::read("Ember 1"));
    let scene = map.map(|map| map.scene()).unwrap_or_default();
    let keys: Vec<&str> = scene.panels.iter().map(|panel| panel.key.as_str()).collect();
    assert_eq!((scene.areas.len(), keys), (7, vec!["sectors"]));
}

#[test]
fn the_list_for_screen_readers() {
    insta::assert_snapshot!("list", sample::map().list().join("\n"));
}

#[test]
fn the_report() {
    let report = sample::map().report().text(&Style { width: 110, ..UNICODE });
    insta::assert_snapshot!("report", report);
}

#[test]
fn the_page() {
    insta::assert_snapshot!("report_page", sample::map().report().html("<svg/>"));
}

#[test]
fn bulletins_contain_only_events() {
    let bulletin = sample::map().bulletin().unwrap_or_default();
    let titles: Vec<&str> =
        bulletin.sections.iter().map(|section| section.title.as_str()).collect();
    assert_eq!(titles, ["Orders", "Battles", "News"]);
}

#[test]
fn spectators_see_nothing_of_the_galaxy() {
    let map = Map::new(&sample::read(&json!({ "turn": 3, "empires": 3 })), &sample::game());
    assert!(map.text(&Style::PLAIN).contains("The galaxy is not visible"));
    assert!(map.svg(&Look::default()).contains("</svg>"));
    assert!(map.report().sections.is_empty());
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
fn game_master_reports_cover_all_empires() {
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
    let mut report = Map::new(&view, &sample::game()).report();
    let (updated, reported) =
        (Event::Updated { turn: 7 }, Event::MasterResults { results: Vec::new() });
    let waits = Event::MasterOrders { orders: Vec::new() };
    let told = [
        (waits.clone(), "The game master's orders for the next update:\n1: OLD"),
        (updated, "Turn 7 is complete; this is map 7."),
        (reported, "Results of the game master's orders:\nCOLLAPSE Styx 2: done."),
        (waits, "The game master's orders for the next update:\n1: COLLAPSE Charon 2\n2: APPLY"),
    ];
    report.sections.splice(0..0, StarEmpires::master_events(&view, &told));
    insta::assert_snapshot!("report_master", report.text(&Style { width: 110, ..UNICODE }));
    assert!(
        StarEmpires::master_events(&sample::view(), &told).is_empty(),
        "this is for the game master alone"
    );
}

#[test]
fn stored_sheets_are_listed_line_by_line() {
    assert_eq!(StarEmpires::sheet(&sample::view()), Some(vec!["MOVE Lion TO (0,1)".to_owned()]));
    assert_eq!(StarEmpires::sheet(&sample::read(&json!({ "empires": 3 }))), None);
}

#[test]
fn empires_are_found_by_name_or_code() {
    let seat = |name| StarEmpires::seat_named(&sample::view(), name).map(Seat::number);
    assert_eq!(
        (seat("kratos"), seat("GU"), seat("the_culture"), seat("nobody")),
        (Some(2), Some(3), Some(1), None)
    );
}

#[test]
fn checks_cover_every_line() {
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

#[test]
fn turn_stories_list_classes_and_places() {
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
        news(Some(at), Item::Ship { ship, kind: deed, amount, permille })
    };
    let space = Coord::new(60, -60);
    let mut all: Vec<_> =
        (1..=12).map(|number| part(world.at, ship(0, number, "scout"), Deed::Built)).collect();
    all.extend((20..23).map(|number| part(space, ship(0, number, "cruiser"), Deed::Hit)));
    // A ship that is hit and then lost is listed once.
    all.push(part(space, ship(1, 1, "wing"), Deed::Hit));
    all.push(part(space, ship(1, 1, "wing"), Deed::Destroyed));
    // Moves are not part of the story.
    all.push(part(space, ship(1, 2, "wing"), Deed::Arrived));
    let taken = Item::Owner {
        world: Name::new("Ember").expect("a name"),
        from: Some(Seat::at(1)),
        to: Some(Seat::at(0)),
    };
    all.push(news(None, taken));
    // These are more kinds of ships than a line lists.
    all.extend(
        (0..9)
            .map(|kind| part(space, ship(2, 100 + kind, &format!("class{kind}")), Deed::Destroyed)),
    );
    let report = Report { news: all, ..Default::default() };
    let event = Event::Reported { report: report.into(), change: Box::default() };
    let lines = StarEmpires::event_story(&view, &event).expect("a turn is told");
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
    assert_eq!(StarEmpires::event_story(&view, &Event::Updated { turn: 8 }), None);
}
