//! What is drawn and reported of the sample.

use super::*;
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
    let maps: Vec<String> = layers.iter().map(|layer| aimed(&format!("0,0 3 layer:{layer}"), &UNICODE)).collect();
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
    insta::assert_snapshot!("map_svg", sample::map().svg());
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
    let titles: Vec<&str> = bulletin.sections.iter().map(|section| section.title.as_str()).collect();
    assert_eq!(titles, ["Orders", "Battles", "News"]);
}

#[test]
fn spectators_see_nothing_of_the_galaxy() {
    let map = Map::new(&View { turn: 3, ..View::default() }, &sample::game());
    assert!(map.text(&Style::PLAIN).contains("Nothing of the galaxy"));
    assert!(map.svg().contains("</svg>") && map.report().is_none());
}

#[test]
fn the_game_master_sees_the_whole_disc() {
    let view = serde_json::from_value(serde_json::json!({
        "turn": 2, "options": { "radius": 3 }, "master": { "galaxy": {
            "empires": [{ "name": "A_B", "code": "AB", "homeworld": "Alpha" }],
            "worlds": [{ "name": "Alpha", "at": { "oblique": 0, "y": 3 }, "production": 12, "stockpile": 4, "owner": 1 }],
            "portals": [
                { "name": "P", "at": { "oblique": 1, "y": 0 }, "exits": ["Q"] },
                { "name": "Q", "at": { "oblique": -2, "y": 0 }, "collapsed": true }],
            "ships": [{ "owner": 1, "serial": "AB00001", "shipClass": "probe", "at": { "oblique": 1, "y": 1 } }]
        } }
    }));
    let map = Map::new(&view.expect("the view is well formed"), &sample::game());
    insta::assert_snapshot!("map_master", map.text(&UNICODE));
}

#[test]
fn the_stored_sheet_is_told_line_by_line() {
    assert_eq!(sheet(&sample::view()), Some(vec!["MOVE Lion TO (0,1)".to_owned()]));
    assert_eq!(sheet(&View::default()), None);
}

#[test]
fn empires_go_by_name_or_code() {
    let seat = |name| seat_named(&sample::view(), name);
    assert_eq!((seat("kratos"), seat("GU"), seat("the_culture"), seat("nobody")), (Some(2), Some(3), Some(1), None));
}

#[test]
fn a_check_tells_of_every_line() {
    let event: Event = serde_json::from_value(serde_json::json!({ "sheetStored": { "sheet": {}, "checks": [
        { "line": 1, "status": "LINE_STATUS_ACCEPTED" },
        { "line": 2, "status": "LINE_STATUS_WARNED", "remarks": [{ "item": "Beta", "reason": "REASON_NO_FUNDS" }] },
        { "line": 3, "status": "LINE_STATUS_REJECTED", "remarks": [{ "item": "Lyon", "reason": "REASON_NOT_YOURS" }] }] } }))
    .expect("the event is well formed");
    let lines = ["MOVE Lion TO (0,1)", "BUILD Beta 2 probe", "MOVE Lyon TO (0,1)"].map(str::to_owned);
    let checked = checked(&event, &lines).unwrap_or_default();
    assert_eq!((checked.accepted, checked.warned, checked.rejected.as_slice()), (1, 1, &[2][..]));
    insta::assert_snapshot!("checked", checked.text(&Style::PLAIN, false));
}
